//! `like_underscore`: `_` in a pattern of LIKE, where a column has texts with an underscore there and texts with another character.

use model::Span;

use super::operands::Lint;
use hir::terms::{Texts, match_texts};
use sql::predicates::{Atom, Operand};
use sql::terms::MatchKind;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The characters that are tried in place of an underscore.
const OTHERS: [char; 9] = ['-', '.', ' ', '/', ':', '0', '1', 'a', 'e'];

impl Lint<'_, '_> {
    /// Reports an underscore that is probably meant as it is written.
    pub(super) fn check_underscore(
        &self,
        atom: &Atom,
        value: &Operand,
        (text, at): (&str, Span),
    ) -> Option<Diagnostic> {
        // Several of them in a row are meant as placeholders.
        if text.contains('\\') || !text.contains('_') || text.contains("__") || !text.contains(char::is_alphanumeric) {
            return None;
        }
        let texts = self.terms().infer(&value.to_term()).to_texts()?;
        let meant = escape(text);
        if !can_match(&texts, &meant) {
            return None;
        }
        let (word, other) = text.match_indices('_').find_map(|(place, _)| {
            let (before, after) = (text.get(..place)?, text.get(place + 1..)?);
            let other = OTHERS
                .into_iter()
                .find(|other| can_match(&texts, &format!("{}{other}{}", escape(before), escape(after))))?;
            let start = before.rfind('%').map_or(0, |start| start + 1);
            let end = after.find('%').unwrap_or(after.len());
            Some((
                format!("{}_{}", before.get(start..)?, after.get(..end)?),
                format!("{}{other}{}", before.get(start..)?, after.get(..end)?),
            ))
        })?;
        let name = self.quote_source(value.span);
        let message = format!(
            "`_` in `{}` matches any character: it finds `{other}` as well as `{word}`",
            self.quote_source(atom.span)
        );
        let instead = format!("'{}' ESCAPE '\\'", meant.replace('\'', "''"));
        Some(
            Diagnostic::new(Code::LIKE_UNDERSCORE, message, at, "any character")
                .help(format!("write `LIKE {instead}` if `{name}` must have an underscore there"))
                .fix(format!("replace with {instead}"), Applicability::Unsafe, at, instead),
        )
    }
}

/// A pattern that matches underscores only.
fn escape(pattern: &str) -> String {
    pattern.replace('_', "\\_")
}

fn can_match(texts: &Texts<'_>, pattern: &str) -> bool {
    match_texts(texts, pattern, MatchKind::Like(Some('\\'))).is_some_and(|(can_match, _)| can_match)
}
