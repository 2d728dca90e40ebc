//! Proofs that cells in other letter case, or with more blanks, can be read back: no two values of the column become the same.

use std::collections::BTreeSet;

use model::domain::TemplatePart;
use model::suite::{Form, Style, Styled};
use model::{Domain, Value};

use super::writing::is_share;
use hir::facts::Facts;
use hir::terms::Texts;
use hir::texts::{has_only, is_never_empty};
use hir::types::TyKind;
use hir::{Checked, File};
use tables::write::Folds;

/// The most values of a column, or of a part of its values, that are looked at.
const MAX_VALUES: u128 = 2000;

/// Whether the cells of a column can be written in its styles. `form` is that of a table in UTF-8; only there cells can have other letters.
pub(super) fn is_safe_styled<'a>(
    facts: &Facts<'a>,
    file: &'a File,
    styled: &'a Styled<Checked>,
    form: Option<&'a Form<Checked>>,
) -> bool {
    let has_shares = styled.styles.iter().all(|style| style.share().is_none_or(|share| is_share(facts, share)));
    let is_of_letters = |style: &Style<Checked>| style.text_style().is_some();
    if !has_shares || !styled.styles.iter().any(is_of_letters) {
        return has_shares;
    }
    let [relation] = file.content.relations() else { return false };
    let is_text = facts.task().find_column((*relation, styled.column)).is_some_and(|own| own.ty.kind == TyKind::Text);
    let cells = facts.lookup_column(*relation, styled.column);
    let folds = Folds::from_styles(styled.styles.iter().filter_map(Style::text_style));
    let are_apart = match (&cells.closed, cells.domain) {
        (Some(values), _) => differ(values, folds),
        (None, Some(domain)) => has_values_apart(domain, folds),
        (None, None) => false,
    };
    form.is_some() && is_text && styled.styles.iter().all(is_of_letters) && are_apart
}

/// Whether the texts of a domain stay different.
fn has_values_apart(domain: &Domain, folds: Folds) -> bool {
    match domain {
        // Words with a blank between them.
        Domain::Template { parts } => parts.iter().enumerate().all(|(at, part)| match part {
            TemplatePart::Text(text) => at % 2 == 1 && at + 1 < parts.len() && text == " ",
            TemplatePart::Domain(domain) => {
                let values = list_few(domain);
                at % 2 == 0
                    && values.is_some_and(|values| {
                        differ(&values, folds) && values.iter().all(|value| !value.render_text().contains(' '))
                    })
            }
        }),
        _ if list_few(domain).is_some_and(|values| differ(&values, folds)) => true,
        // Neither blanks nor letters in two cases.
        _ => Texts::from_domain(domain).is_some_and(|texts| {
            let is_of = |is_letter: fn(char) -> bool| has_only(&texts, |c| is_letter(c) || c.is_ascii_digit());
            is_never_empty(&texts) && (is_of(|c| c.is_ascii_lowercase()) || is_of(|c| c.is_ascii_uppercase()))
        }),
    }
}

fn list_few(domain: &Domain) -> Option<Vec<Value>> {
    domain.cardinality().filter(|size| *size <= MAX_VALUES)?;
    domain.list_values().map(|values| values.to_vec())
}

/// Whether values are tidy words that stay different.
fn differ(values: &[Value], folds: Folds) -> bool {
    let texts: BTreeSet<String> = values.iter().map(|value| value.render_text().into_owned()).collect();
    let keys: BTreeSet<String> = texts.iter().map(|text| folds.fold_key(text).into_owned()).collect();
    let is_tidy = |text: &String| {
        let is_plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '@' | '\''));
        !text.is_empty() && text.trim() == text && !text.contains("  ") && is_plain
    };
    keys.len() == texts.len() && texts.iter().all(is_tidy)
}
