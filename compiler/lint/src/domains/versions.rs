//! `digits_as_text` for versions: texts such as `2.10.0`, which are ordered letter by letter.

use std::cmp::Ordering;

use model::suite::{ColumnId, RelationId};
use model::{Span, Value, ValueType};

use super::operands::Lint;
use syntax::diagnostics::{Code, Diagnostic};

/// The maximum number of texts that are sorted to see whether their order is that of the versions.
const MAX_SORTED: u128 = 5000;
/// The parts of names of columns that hold versions.
const NAMES: [&str; 4] = ["version", "release", "firmware", "build"];

impl Lint<'_, '_> {
    /// Reports a place at which versions are ordered letter by letter.
    pub(super) fn check_versions(&self, column: (RelationId, ColumnId), span: Span) -> Option<Diagnostic> {
        let declared = self.cx.task.find_column(column)?;
        let fact = self.cx.facts().lookup_column(column.0, column.1);
        if declared.ty.value_type() != Some(ValueType::Text) {
            return None;
        }
        let small = fact.domain.filter(|domain| domain.cardinality().is_some_and(|size| size <= MAX_SORTED));
        let values = match &fact.closed {
            Some(values) => values.to_vec(),
            None => small?.list_values()?.to_vec(),
        };
        let name = declared.name.to_lowercase();
        // `1.10` is also a number, if its column does not say what it is.
        let fewest = if NAMES.iter().any(|part| name.contains(part)) { 2 } else { usize::MAX };
        let (first, second) = find_wrong_pair(&values, fewest)?;
        let message = format!(
            "`{}` holds versions as text, which are ordered letter by letter: '{second}' is before '{first}'",
            declared.name
        );
        Some(
            Diagnostic::new(Code::DIGITS_AS_TEXT, message, span, "in the order of texts")
                .label(declared.span, "text")
                .help("compare the numbers of the version one by one: add a column for each, or one number such as `major * 1000 + minor`"),
        )
    }
}

/// Finds a version and a greater one whose text comes first: of three numbers each, or of at least `fewest`. `None` if other texts are among them: addresses and decimals are not versions.
fn find_wrong_pair(values: &[Value], fewest: usize) -> Option<(&str, &str)> {
    let mut versions: Vec<(&str, Vec<u64>)> = Vec::new();
    for value in values {
        let text = value.as_text()?;
        versions.push((text, read_version(text)?));
    }
    let lengths = || versions.iter().map(|(_, numbers)| numbers.len());
    let is_plain = lengths().all(|length| length == 3);
    if !(is_plain || lengths().all(|length| length >= fewest)) {
        return None;
    }
    versions.sort_by(|a, b| a.0.cmp(b.0));
    versions.windows(2).find_map(|pair| match pair {
        [(second, greater), (first, less)] if less.cmp(greater) == Ordering::Less => Some((*first, *second)),
        _ => None,
    })
}

/// The numbers of a version such as `2.10.0` or `v2.10`.
fn read_version(text: &str) -> Option<Vec<u64>> {
    let digits = text.strip_prefix(['v', 'V']).unwrap_or(text);
    digits.split('.').map(|part| part.parse().ok().filter(|_| part.bytes().all(|b| b.is_ascii_digit()))).collect()
}
