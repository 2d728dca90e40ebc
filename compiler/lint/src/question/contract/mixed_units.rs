//! `other_unit`: some cells of a column are written with another unit, although their number is the same.

use super::super::untold_convention::extract_affixes;
use super::shown::{FileColumn, FileColumns};
use super::wording::Wording;
use crate::context::report_once;
use model::Span;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Unit;
use syntax::prompts::english::units::{IGNORED_UNITS, UNITS, WRITTEN_UNITS};

/// Reports columns that an answer reads and of which the cells have several units, unless the wording says that units do not matter.
pub(super) fn report_mixed_units(wording: &Wording<'_, '_>, columns: &FileColumns<'_, '_>, said: &mut Vec<Diagnostic>) {
    if IGNORED_UNITS.iter().any(|phrase| wording.telling.lower_text.contains(phrase)) {
        return;
    }
    for column in
        columns.list().iter().filter(|own| own.is_read && !own.is_given && !own.is_scaled && own.column.ty.is_number())
    {
        check_column(column, said).into_iter().for_each(|new| report_once(new, said));
    }
}

fn check_column(column: &FileColumn<'_>, said: &[Diagnostic]) -> Option<Diagnostic> {
    let plain = column.written.iter().map(|pattern| (*pattern, column.at));
    let patterns: Vec<(&str, Span)> = plain.chain(column.noise.iter().copied()).collect();
    let units: Vec<(String, &Unit, Span)> =
        patterns.iter().filter_map(|(pattern, at)| find_unit(pattern).map(|(word, unit)| (word, unit, *at))).collect();
    let (first, unit, _) = units.first()?;
    let (other, _, place) =
        units.iter().find(|(_, other, _)| other.measure == unit.measure && other.size != unit.size)?;
    // A unit that the prompt does not mention is reported as such.
    if said
        .iter()
        .any(|known| known.code == Code::UNTOLD_CONVENTION && known.secondary.iter().any(|label| label.span == *place))
    {
        return None;
    }
    let message = format!("`{}` is written in {first} and in {other}, with the same numbers", column.name);
    Some(
        Diagnostic::new(Code::OTHER_UNIT, message, *place, format!("a number of {first}, with the unit {other}"))
            .label(column.at, "written here")
            .help(format!("write all cells in {first}: a pattern changes how a number looks, and does not convert it")),
    )
}

/// The unit that a pattern writes next to the number.
fn find_unit(pattern: &str) -> Option<(String, &'static Unit)> {
    let affixes = extract_affixes(pattern);
    let [(affix, _)] = affixes.as_slice() else { return None };
    let lower = affix.to_lowercase();
    let unit = UNITS.iter().chain(WRITTEN_UNITS).find(|unit| unit.words.contains(&lower.as_str()))?;
    Some((affix.clone(), unit))
}
