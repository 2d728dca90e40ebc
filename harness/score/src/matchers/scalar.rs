//! `text`, `number`, `date`, `bool`: compare one value with a text.

use std::borrow::Cow;

use model::Value;
use model::suite::Graded;
use records::Reason;
use tables::CellType;

use crate::finding::Finding;
use crate::got::{Number, ResponseValue, Source, quote_json};
use crate::grade::grade_number;
use crate::key::{Key, render_expected};
use crate::read::clean;
use crate::read::number::{parse_number, parse_with_optional_unit, read_separators};
use crate::text::Overlooks;
use crate::told::ToldForms;

/// Compares the whole text with the answer.
pub fn check_text(text: &str, key: &Key<'_>) -> Finding {
    let expected = key.value.render_text();
    let overlooks = build_overlooks(key);
    if overlooks.fold_text(text) == overlooks.fold_text(&clean::normalize_text(&expected)) {
        return Finding::right();
    }
    Finding::wrong(Reason::Differs, quote_json(&expected), quote_json(text))
}

/// Compares a value with the answer.
pub fn check_value(got: &ResponseValue, key: &Key<'_>) -> Finding {
    if key.build_leaf(key.value, "").is_match(got) {
        return Finding::right();
    }
    let shown = match got {
        ResponseValue::Plain(plain) => quote_json(&plain.text),
        other => other.render_line(),
    };
    Finding::wrong(Reason::Differs, render_expected(key.value, &key.resolve_options("")), shown)
}

/// Compares a text that is a number. With `graded`, a wrong number has a partial score.
pub fn judge_number(text: &str, key: &Key<'_>) -> Finding {
    let expected = render_expected(key.value, &key.resolve_options(""));
    let plain = if key.rules.canonical_texts { clean::normalize_text(text) } else { Cow::Borrowed(text) };
    let options = key.resolve_options("");
    let told = ToldForms::new(&options, CellType::Decimal(None)).read_amount(&plain, &options.units);
    let parse = |text: &str| match options.units.as_slice() {
        [] => parse_number(text, key.rules),
        units => parse_with_optional_unit(text, units, key.rules),
    };
    let with_commas = || parse(&read_separators(&plain).filter(|_| key.rules.written_numbers)?);
    let read = told.or_else(|| parse(&plain)).or_else(with_commas);
    let Some(exact) = read else {
        return Finding::wrong(Reason::NotANumber, expected, quote_json(text));
    };
    let got = Number { exact: exact.clone(), source: Source::Written, shown: text.trim().to_owned() };
    if key.build_leaf(key.value, "").is_match(&ResponseValue::Number(got)) {
        return Finding::right();
    }
    let wrong = Finding::wrong(Reason::Differs, expected, text.trim());
    match (key.resolve_options("").graded, crate::exact::to_exact(key.value)) {
        (Some(Graded::Score), Some(expected)) => match grade_number(&expected, &exact) {
            0.0 => wrong,
            score => Finding { score, reason: Reason::Partial, ..wrong },
        },
        _ => wrong,
    }
}

/// Returns the ignored differences. Booleans ignore letter case: Python writes `True`, SQL `TRUE`.
pub fn build_overlooks(key: &Key<'_>) -> Overlooks {
    let overlooks = Overlooks::new(&key.resolve_options("").ignore, key.rules);
    if key.rules.lenient_spellings && matches!(key.value, Value::Bool(_)) { overlooks.with_case() } else { overlooks }
}
