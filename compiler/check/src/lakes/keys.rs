//! `key (A, B)` and `unique (A, B)` for files that are read: they are proved for all rows.

use std::collections::HashMap;

use model::Value;

use super::read::Parts;
use super::shape::DeclaredTable;
use super::sources::Origins;
use crate::context::{Checker, ReadColumn};
use crate::files::keys::build_unknown_column_diagnostic;
use hir::fixture;
use syntax::ast;
use syntax::diagnostics::wording::{format_count, join_with_and};
use syntax::diagnostics::{Code, Diagnostic};

/// Columns whose values together must be unique.
struct Wanted<'a> {
    columns: Vec<usize>,
    at: model::Span,
    word: &'a str,
}

impl<'a> Checker<'a> {
    /// Proves the keys of a table. Returns the indexes of their columns in the relation, or `None` after reporting a key that does not hold.
    pub(super) fn prove_keys(
        &mut self,
        declared: &DeclaredTable<'a>,
        table: &str,
        columns: &[ReadColumn],
        from: &Parts<'_>,
    ) -> Option<Vec<Vec<usize>>> {
        let mut wanted: Vec<Wanted<'_>> = Vec::new();
        let mut sound = true;
        for clause in declared.constraints.iter().filter(|clause| clause.kind != ast::ConstraintKind::Index) {
            match self.resolve_key_columns(clause, table, columns) {
                Some(columns) => wanted.push(Wanted { columns, at: clause.span, word: clause.kind.word() }),
                None => sound = false,
            }
        }
        for proved in declared.read.iter().filter(|proved| proved.domain.unique) {
            let place = columns.iter().position(|column| column.name == proved.name.text);
            wanted.extend(place.map(|at| Wanted { columns: vec![at], at: proved.domain.span, word: "unique" }));
        }
        for key in &wanted {
            let how = format!("proved {} {:?} {}", key.word, key.columns, from.how);
            let proved = || self.prove_key(key, table, columns, from.origins).then_some(());
            sound &= fixture::compute_once(from.parts, &how, proved).is_some();
        }
        if !sound {
            return None;
        }
        // Helper columns are not part of the relation.
        let place = |at: &usize| {
            let before = columns.get(..*at)?;
            let own = columns.get(*at)?;
            (!own.name.starts_with('_')).then(|| before.iter().filter(|column| !column.name.starts_with('_')).count())
        };
        Some(wanted.iter().filter_map(|key| key.columns.iter().map(place).collect()).collect())
    }

    fn resolve_key_columns(
        &mut self,
        clause: &'a ast::Constraint,
        table: &str,
        columns: &[ReadColumn],
    ) -> Option<Vec<usize>> {
        let mut places = Vec::new();
        for name in &clause.columns {
            let Some(place) = columns.iter().position(|column| column.name == name.text) else {
                let known: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
                self.report(build_unknown_column_diagnostic(table, name, "", &known));
                return None;
            };
            if let Some(span) = columns.get(place).and_then(|column| column.span) {
                self.record_reference(name.span, span);
            }
            places.push(place);
        }
        Some(places)
    }

    /// Checks that no two rows have the same values in these columns. Reports it if two do.
    fn prove_key(&mut self, key: &Wanted<'_>, table: &str, columns: &[ReadColumn], origins: &Origins<'_>) -> bool {
        let parts: Vec<&ReadColumn> = key.columns.iter().filter_map(|at| columns.get(*at)).collect();
        if key.word == "key"
            && let Some(nullable) = parts.iter().find(|column| column.ty.nullable)
        {
            let message = format!("key column `{}` can be null", nullable.name);
            let said = Diagnostic::new(Code::NOT_A_KEY, message, key.at, "declared as key");
            let said = nullable.span.into_iter().fold(said, |said, at| said.label(at, "can be null"));
            self.report(said.help(
                "remove its `missing` marks, or write `unique`, where a row with a null differs from all others",
            ));
            return false;
        }
        let rows = parts.iter().map(|column| column.given.cells.values.len()).max().unwrap_or(0);
        let mut seen: HashMap<Vec<u8>, usize> = HashMap::with_capacity(rows);
        let mut first: Option<(usize, usize)> = None;
        let mut repeats = 0usize;
        for row in 0..rows {
            let Some(own) = encode_row_key(&parts, row) else { continue };
            if let Some(earlier) = seen.get(&own) {
                repeats += 1;
                first.get_or_insert((*earlier, row));
            } else {
                seen.insert(own, row);
            }
        }
        let Some((one, other)) = first else { return true };
        let names = join_with_and(parts.iter().map(|column| column.name.as_str()));
        let verb = if parts.len() == 1 { "is" } else { "are" };
        let values = join_with_and(
            parts
                .iter()
                .filter_map(|column| column.given.cells.values.get(one))
                .map(|value| value.render_text())
                .collect::<Vec<_>>()
                .iter()
                .map(|text| &**text),
        );
        let more = match repeats - 1 {
            0 => String::new(),
            more => format!(", and {} more repeat", format_count(more as u32, "row")),
        };
        let note = format!("{values} is in {} and {}{more}", origins.describe_line(one), origins.describe_line(other));
        let message = format!("{names} {verb} not unique in `{table}`");
        let said = Diagnostic::new(Code::NOT_A_KEY, message, key.at, format!("declared as {}", key.word));
        self.report(
            said.note(note).help(format!("add a column that tells such rows apart, or remove the `{}`", key.word)),
        );
        false
    }
}

/// Encodes the key of a row; keys are equal if SQLite considers them equal. Returns `None` if a value is null.
fn encode_row_key(parts: &[&ReadColumn], row: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for part in parts {
        match part.given.cells.values.get(row)? {
            Value::Null => return None,
            Value::Float(value) => bytes.extend((value + 0.0).to_bits().to_le_bytes()),
            value => {
                let text = value.render_text();
                bytes.extend((text.len() as u64).to_le_bytes());
                bytes.extend(text.as_bytes());
            }
        }
    }
    Some(bytes)
}
