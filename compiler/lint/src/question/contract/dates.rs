//! Forms of dates: "DD.MM.YYYY", ISO.

use hir::types::TyKind;
use model::suite::Matcher;

use super::super::precision::iter_options_around;
use super::answers::Leaf;
use super::mismatch::Mismatch;
use super::sql_shape::SqlShape;
use super::tokens::{Found, Text};
use super::wording::Wording;
use crate::context::TaskCx;
use hir::{Arg, ExprKind};
use sql::lex::Kind;
use syntax::diagnostics::wording::join_with_and;

/// The parts of a date in a form.
const PARTS: [&str; 7] = ["yyyy", "yy", "mm", "dd", "m", "d", "month"];
/// The form of dates without another one.
const ISO: &str = "yyyy-mm-dd";

/// Compares the form of dates that a wording asks for with that of the expected value.
pub(super) fn check_date<'a>(wording: &Wording<'_, 'a>, leaf: &Leaf<'a>) -> Option<Mismatch> {
    let found = find_forms(&wording.text);
    let [(asked, form)] = found.as_slice() else { return None };
    let own = find_own_form(wording.cx, leaf)?;
    let told = iter_options_around(&leaf.expect.options, &leaf.pointer).flat_map(|options| &options.written);
    let told: Vec<&str> = told.map(|told| told.pattern.as_str()).collect();
    let is_told = told.iter().any(|told| told.to_lowercase() == *form);
    // A date whose year comes first is read with any mark between its parts.
    let is_read = leaf.expect.matcher == Matcher::Date && form.starts_with("yyyy");
    if own == *form || is_told || is_read || !wording.is_about_reply(asked.start) {
        return None;
    }
    let own_forms: Vec<String> =
        [own.to_uppercase()].into_iter().chain(told.iter().map(|told| (*told).to_owned())).collect();
    let help = match own == ISO {
        true if !form.contains("month") => {
            let pattern = form.replace('m', "M");
            let after = if leaf.expect.matcher == Matcher::Json { "the value" } else { "`date …`" };
            format!(
                "accept this form, too: write `written \"{pattern}\"` after {after}; or ask for dates as YYYY-MM-DD in the prompt"
            )
        }
        true => "ask for dates as YYYY-MM-DD in the prompt, or expect a text in the form that it names".to_owned(),
        false => "use the same form in both".to_owned(),
    };
    Some(Mismatch {
        asked: *asked,
        what: format!("the key has dates as {}", join_with_and(own_forms.iter().map(String::as_str))),
        label: "another form".to_owned(),
        help,
    })
}

/// Finds the forms of dates in a wording: "DD.MM.YYYY", "ISO".
fn find_forms(text: &Text<'_>) -> Vec<(Found<()>, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = text.tokens.get(at) {
        if token.is_word("iso") {
            found.push((Found { start: at, end: at + 1, means: () }, ISO.to_owned()));
        } else if let Some((end, form)) = read_form(text, at) {
            found.push((Found { start: at, end, means: () }, form));
            at = end;
            continue;
        }
        at += 1;
    }
    // "ISO (YYYY-MM-DD)" is one form.
    let forms: std::collections::BTreeSet<&String> = found.iter().map(|(_, form)| form).collect();
    if forms.len() == 1 {
        found.truncate(1);
    }
    found
}

/// The form that begins at a token: three parts, or a month and a year, with marks between them.
fn read_form(text: &Text<'_>, start: usize) -> Option<(usize, String)> {
    let mut form = String::new();
    let (mut at, mut parts) = (start, 0);
    loop {
        let token = text.tokens.get(at)?;
        if !PARTS.contains(&token.lower.as_str()) {
            return None;
        }
        form.push_str(&token.lower);
        at += 1;
        parts += 1;
        if parts == 3 {
            return Some((at, form));
        }
        let mark = text.tokens.get(at).map(|token| token.text.as_str());
        let is_part = |at: usize| text.tokens.get(at).is_some_and(|next| PARTS.contains(&next.lower.as_str()));
        let goes_on = is_part(at) || matches!(mark, Some("." | "/" | ",")) && is_part(at + 1);
        if parts == 2 && !goes_on && form.contains("yyyy") && form.contains("mm") {
            return Some((at, form));
        }
        match mark {
            Some("." | "/" | ",") => {
                form.push_str(mark.unwrap_or_default());
                at += 1;
            }
            _ => form.push('-'),
        }
    }
}

/// The form of the expected value, if it is a date, or a text from SQL's `strftime`.
fn find_own_form(cx: &TaskCx<'_>, leaf: &Leaf<'_>) -> Option<String> {
    if leaf.value.ty.kind == TyKind::Date {
        return Some(ISO.to_owned());
    }
    let ExprKind::Call(_, args) = &leaf.value.resolve_name(cx.task).kind else { return None };
    let Some(Arg::Sql(sql)) = args.last() else { return None };
    let shape = SqlShape::new(&sql.text)?;
    let [item] = shape.items.as_slice() else { return None };
    let [name, open, format, ..] = item.as_slice() else { return None };
    if !name.is_any("STRFTIME DATE") || !open.is_punct("(") {
        return None;
    }
    if name.is_keyword("DATE") {
        return Some(ISO.to_owned());
    }
    let form = (format.kind == Kind::Text).then(|| format.to_unquoted())?;
    let form = form.replace("%Y", "yyyy").replace("%m", "mm").replace("%d", "dd").replace("%F", ISO);
    (!form.contains('%') && form.contains("yyyy") && form.contains("mm")).then_some(form)
}
