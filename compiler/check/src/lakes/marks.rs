//! Text around a number in a pattern that may change it: a sign, or what multiplies the number. A pattern says what it means, or is refused.

use model::{Decimal, Span, Value};
use tables::Pattern;
use tables::affixes::{Affixes, is_minus};

use crate::context::TaskChecker;
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::string::quote_string;

/// Builds the diagnostic for a pattern whose text may be a sign or a multiple that it leaves out.
pub(crate) fn build_left_out_diagnostic(pattern: &Pattern, at: Span) -> Option<Diagnostic> {
    let sections = pattern.list_affixes();
    let (label, help) = match sections.as_slice() {
        [one] if one.is_declared_sign() => ("may be a sign", suggest_sections(pattern.source(), *one)),
        sections => {
            let scale = sections.iter().filter(|_| pattern.times().is_none()).find_map(Affixes::find_declared_scale)?;
            let (source, factor) = (quote_string(pattern.source()), name_factor(scale));
            let help = format!("say how much it is: written {source} times {factor}; `times 1` if it means nothing");
            ("may be a multiple", help)
        }
    };
    let source = pattern.source();
    let message = match pattern.write(&Value::Int(5)) {
        Some(text) => format!("`{source}` reads `{text}` as 5"),
        None => format!("`{source}` leaves out what may change the number"),
    };
    Some(Diagnostic::new(Code::BAD_STYLE, message, at, label).help(help))
}

/// Suggests two forms, of numbers from 0 and of those below.
fn suggest_sections(source: &str, around: Affixes<'_>) -> String {
    let is_sign = |char: char| matches!(char, '(' | ')') || is_minus(char);
    let clean = |text: &str| text.chars().filter(|char| !is_sign(*char)).collect::<String>();
    let end = source.len().saturating_sub(around.after.len());
    let body = source.get(around.before.len()..end).unwrap_or_default();
    let positive = [clean(around.before).trim_start(), body, clean(around.after).trim_end()].concat();
    let below = quote_string(&format!("{positive};{source}"));
    let nothing = quote_string(&format!("{source};-{source}"));
    format!("if it is negative, write: {below}; if that means nothing: {nothing}")
}

/// Returns the factor that a word usually is, as in the source.
fn name_factor(word: &str) -> &'static str {
    match word.to_lowercase().as_str() {
        "k" => "1_000",
        "b" | "bn" => "1_000_000_000",
        _ => "1_000_000",
    }
}

/// Returns the letters and currency signs around the numbers of a pattern; those of both forms, if they differ.
pub(super) fn collect_letters(pattern: &Pattern) -> String {
    let mut found: Vec<String> = Vec::new();
    for around in pattern.list_affixes() {
        let letters = around.collect_letters().trim().to_owned();
        if !found.contains(&letters) {
            found.push(letters);
        }
    }
    found.join(";")
}

/// Checks the number after `times`.
pub(crate) fn check_factor<'a>(
    task: &mut TaskChecker<'_, 'a>,
    times: &'a ast::Expr,
    code: &'static Code,
) -> Option<Decimal> {
    let fixed = task.require_fixed_value(times, "`times`")?;
    let known = fixed.as_constant().and_then(Value::as_decimal).filter(|by| *by > Decimal::from_int(0));
    if known.is_none() {
        let said = Diagnostic::new(code, "`times` needs a fixed number above 0", fixed.span, "not so");
        task.cx.report(said.help("write: times 1_000"));
    }
    known
}
