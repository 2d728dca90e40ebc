//! `other_unit`: the unit next to the numbers of a file, in a header, or in the prompt's words about the data, against the unit that is asked for.

use model::Span;

use super::super::untold_convention::extract_affixes;
use super::answers::{Leaf, find_computed};
use super::shown::{FileColumn, FileColumns};
use super::tokens::Found;
use super::wording::Wording;
use crate::context::report_once;
use hir::ColumnSource;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::units::{UNITS, WRITTEN_UNITS};
use syntax::prompts::{Aggregate, Unit};

/// The unit of an answer.
pub(super) struct AskedUnit {
    /// The unit.
    pub unit: &'static Unit,
    /// How it is asked for, for a message: "the prompt says `in kg`".
    pub said: String,
    /// Where.
    pub place: Span,
}

/// Finds "how many kg" in a wording.
pub(super) fn find_how_many(wording: &Wording<'_, '_>) -> Option<AskedUnit> {
    let text = &wording.text;
    (0..text.tokens.len()).find_map(|start| {
        let at = text.match_phrase(start, "how many")?;
        let find =
            |unit: &'static Unit| Some((unit.words.iter().filter_map(|word| text.match_phrase(at, word)).max()?, unit));
        let (end, unit) = wording.language.units.iter().find_map(find)?;
        let place = wording.locate(start, end);
        Some(AskedUnit { unit, said: format!("the prompt says `{}`", wording.quote(start, end)), place })
    })
}

/// Compares the unit of an answer that nothing converts with the unit of the numbers from which it is computed.
pub(super) fn report_written_units<'a>(
    wording: &Wording<'_, 'a>,
    leaf: &Leaf<'a>,
    asked: &AskedUnit,
    columns: &FileColumns<'_, 'a>,
    said: &mut Vec<Diagnostic>,
) {
    let computed = find_computed(wording.cx, leaf.value)
        .filter(|found| !matches!(found.aggregate, Aggregate::Count | Aggregate::Distinct) && found.column.is_some());
    let Some(computed) = computed else { return };
    let column = columns.list().iter().find(|own| Some(own.place) == computed.column);
    let found = column.and_then(|column| find_other_unit(column, asked.unit)).or_else(|| {
        let scale = find_told_scale(wording).filter(|_| asked.unit.measure == "money")?;
        let words = wording.quote(scale.start, scale.end);
        let what = format!("the prompt says that the data are `{words}`");
        Some((what, wording.locate(scale.start, scale.end), format!("multiply by {} in the key", scale.means)))
    });
    let Some((what, place, help)) = found else { return };
    let message = format!("{}, but {what}, and the key does not convert it", asked.said);
    let new = Diagnostic::new(Code::OTHER_UNIT, message, leaf.value.span, "another unit");
    report_once(new.label(asked.place, "asked here").label(place, "the unit of the data").help(help), said);
}

/// Finds a unit of a column that is not the one that is asked for: what is different, where, and what to do.
fn find_other_unit(column: &FileColumn<'_>, asked: &Unit) -> Option<(String, Span, String)> {
    let affix = find_affix(column)?;
    let lower = affix.to_lowercase();
    let known = UNITS.iter().chain(WRITTEN_UNITS);
    let own = known.into_iter().find(|unit| unit.measure == asked.measure && unit.words.contains(&lower.as_str()))?;
    if own.size == asked.size {
        return None;
    }
    let what = format!("`{}` is in {affix} in the file", column.name);
    let (large, small) = (own.size.max(asked.size), own.size.min(asked.size));
    let verb = if own.size < asked.size { "divide" } else { "multiply" };
    let help = match large.checked_rem(small) {
        Some(0) => format!("{verb} by {} in the key, or ask for {affix}", large / small.max(1)),
        _ => format!("convert it in the key, or ask for {affix}"),
    };
    Some((what, column.at, help))
}

/// Returns the text next to all numbers of a column, or that in brackets in its header: "Weight (kg)".
fn find_affix(column: &FileColumn<'_>) -> Option<String> {
    match column.written.as_slice() {
        // With a factor, the unit of the values is another one.
        _ if column.is_scaled => return None,
        [pattern] => match extract_affixes(pattern).as_slice() {
            [(affix, _)] => return Some(affix.clone()),
            [] => {}
            _ => return None,
        },
        [] => {}
        _ => return None,
    }
    let header = match &column.column.source {
        ColumnSource::Given(given) => given.read.as_ref().and_then(|read| read.header.as_deref()),
        _ => Some(column.name),
    };
    let (_, rest) = header?.split_once(['(', '['])?;
    let unit = rest.split([')', ']']).next()?.trim();
    Some(unit.strip_prefix("in ").unwrap_or(unit).to_owned())
}

/// Finds words that say that the data are in thousands.
fn find_told_scale(wording: &Wording<'_, '_>) -> Option<Found<i64>> {
    const SCALES: [(&str, i64); 12] = [
        ("are in thousands", 1_000),
        ("is in thousands", 1_000),
        ("are given in thousands", 1_000),
        ("is given in thousands", 1_000),
        ("are written in thousands", 1_000),
        ("are stated in thousands", 1_000),
        ("are listed in thousands", 1_000),
        ("amounts in thousands", 1_000),
        ("figures in thousands", 1_000),
        ("are in millions", 1_000_000),
        ("is in millions", 1_000_000),
        ("are given in millions", 1_000_000),
    ];
    wording.text.find_phrases(&SCALES).into_iter().find(|found| !wording.is_in_request(found.start))
}
