//! Proofs about the way in which a table is written: a reader who knows it can read the table back.

use std::collections::BTreeSet;

use model::compute::Known;
use model::suite::{ColumnId, FARTHEST, FileId, Form, Op, RelationId, Rows};
use model::{Domain, Span, Value};
use tables::header::JOINT;
use tables::write::Folds;
use tables::{CellType, Piece, Reading};

use super::paths::collect_row_columns;
use super::taken_columns::find_last_clauses;
use crate::context::{Checker, Relations};
use crate::lakes::Lined;
use hir::facts::Fact;
use hir::lower;
use hir::{Checked, ColumnSource, Draw, DrawDomain, Expr, ExprKind};
use syntax::diagnostics::wording::quote_ident;
use syntax::diagnostics::{Code, Diagnostic};

/// A table that is written to a file, and the way in which it is written.
#[derive(Clone, Copy)]
pub(super) struct WrittenTable<'f> {
    pub file: FileId,
    pub relation: RelationId,
    pub form: &'f Form<Checked>,
    /// The line of a text file.
    pub line: Option<&'f Expr>,
}

/// The maximum number of values of a column with which patterns are compared.
const MAX_EXAMPLES: usize = 400;

/// Numbers whose text with a sign between groups of three is also that of another number: `277.000`, `1,500`.
const GROUPED: [i64; 6] = [1_000, 1_500, 12_000, 277_000, 277_435, 1_000_000];

impl<'a> Relations<'a> {
    /// Follows a column to its origin: the column from which it is taken or copied, or to which it refers.
    pub(crate) fn find_column_origin(&self, relation: RelationId, column: ColumnId) -> (RelationId, ColumnId) {
        self.iter_origins(relation, column).last().unwrap_or((relation, column))
    }

    /// Iterates over a column and those on the way to its origin.
    fn iter_origins(&self, relation: RelationId, column: ColumnId) -> impl Iterator<Item = (RelationId, ColumnId)> {
        let next = move |(relation, column): &(RelationId, ColumnId)| self.next_origin(*relation, *column);
        std::iter::successors(Some((relation, column)), next).take(FARTHEST + 1)
    }

    /// Returns the next column on the way to the origin.
    fn next_origin(&self, relation: RelationId, column: ColumnId) -> Option<(RelationId, ColumnId)> {
        match &self.checked.get(relation)?.columns.get(column)?.source {
            ColumnSource::Taken(of) => self.declared[relation].taken.map(|from| (from, *of)),
            ColumnSource::Compute(Expr { kind: ExprKind::Column(of), .. }) => Some((relation, *of)),
            ColumnSource::Draw { draw: Draw { domain: DrawDomain::Ref { relation, column, .. }, .. }, .. } => {
                Some((*relation, *column))
            }
            _ => None,
        }
    }

    /// Lists all values except null that a column can have, if they are a known list.
    pub(crate) fn list_closed_column_values(
        &self,
        cx: &Checker<'a>,
        relation: RelationId,
        column: ColumnId,
    ) -> Option<Vec<Value>> {
        let (origin, of) = self.find_column_origin(relation, column);
        let source = &self.checked.get(origin)?.columns.get(of)?.source;
        let fact = match source {
            ColumnSource::Draw { draw: Draw { domain: DrawDomain::Fixed(domain), .. }, .. } => {
                Fact::from_domain(domain).closed
            }
            ColumnSource::Given(given) => given.seen.fact(&given.cells.values).closed.clone(),
            _ => None,
        };
        fact.map(|values| self.filter_possible_values(cx, relation, column, values.iter().cloned().collect()))
    }

    /// Returns the domain from which all values of a column are drawn, if it has no `except`. A `where` can still exclude some:
    /// [`Self::filter_possible_values`].
    pub(super) fn find_drawn_domain(&self, relation: RelationId, column: ColumnId) -> Option<&Domain> {
        let (relation, column) = self.find_column_origin(relation, column);
        match &self.checked.get(relation)?.columns.get(column)?.source {
            ColumnSource::Draw { draw: Draw { domain: DrawDomain::Fixed(domain), except, .. }, .. }
                if except.is_empty() =>
            {
                Some(domain)
            }
            _ => None,
        }
    }

    /// Whether all values of a column are drawn at whole minutes.
    pub(super) fn has_whole_minutes(&self, relation: RelationId, column: ColumnId) -> bool {
        const MINUTE: i64 = 60;
        match self.find_drawn_domain(relation, column) {
            Some(Domain::DateTime { low, step, .. }) => low.time().2 == 0 && step % MINUTE == 0,
            _ => false,
        }
    }

    /// Removes the values of a column's origin that the column cannot have, because a `where` on the way excludes their rows.
    pub(super) fn filter_possible_values(
        &self,
        cx: &Checker<'a>,
        relation: RelationId,
        column: ColumnId,
        mut values: Vec<Value>,
    ) -> Vec<Value> {
        let origins = self.iter_origins(relation, column);
        for ((relation, column), next) in origins.zip(self.iter_origins(relation, column).skip(1)) {
            for condition in self.find_column_conditions(relation, column) {
                // An error for one of the values is reported elsewhere.
                if let Some(met) = self.evaluate_over_values(cx, next, values.clone(), condition) {
                    let mut met = met.into_iter();
                    values.retain(|_| !matches!(met.next(), Some(Value::Bool(false))));
                }
            }
        }
        values
    }

    /// Returns the conditions of the `where` of a relation that depend on this column only.
    fn find_column_conditions(&self, relation: RelationId, column: ColumnId) -> Vec<&Expr> {
        let Some(decl) = self.checked.get(relation) else { return Vec::new() };
        let (Rows::Taken { from, filter: Some(filter) }, Some(ColumnSource::Taken(of))) =
            (&decl.rows, decl.columns.get(column).map(|own| &own.source))
        else {
            return Vec::new();
        };
        let mut parts = Vec::new();
        split_conjunction(filter, &mut parts);
        parts.retain(|part| {
            let columns = collect_row_columns(part, *from);
            !part.is_broken() && columns.len() == 1 && columns.iter().all(|(own, _)| own == of)
        });
        parts
    }

    /// Checks whether a `where` on the way from a column to its origin depends on its values.
    pub(super) fn is_conditional(&self, relation: RelationId, column: ColumnId) -> bool {
        let mut origins = self.iter_origins(relation, column);
        origins.any(|(relation, column)| !self.find_column_conditions(relation, column).is_empty())
    }

    /// Evaluates an expression over a row for each of these values of one column. Returns `None` if it depends on anything else, or fails.
    pub(super) fn evaluate_over_values(
        &self,
        cx: &Checker<'a>,
        (relation, column): (RelationId, ColumnId),
        values: Vec<Value>,
        expr: &Expr,
    ) -> Option<Vec<Value>> {
        if collect_row_columns(expr, relation).iter().any(|(other, _)| *other != column) {
            return None;
        }
        let mut of_task = false;
        expr.visit_exprs(&mut |part| {
            of_task |= matches!(part.kind, ExprKind::Name(_) | ExprKind::FilePath(_)) || part.find_query().is_some();
        });
        if of_task {
            return None;
        }
        let decl = self.checked.get(relation)?;
        let value_type = decl.columns.get(column)?.ty.to_stored_type();
        let mut rows = cx.host.evaluator().new_table(decl.columns.len(), values.len());
        rows.set_column(column, &Known { value_type, values: values.into() });
        rows.evaluate_rows(&lower::lower_expr(expr)).ok().map(|computed| computed.to_vec())
    }

    /// Lists some or all of the values that a column can have.
    pub(super) fn sample_column_values(&self, cx: &Checker<'a>, relation: RelationId, column: ColumnId) -> Vec<Value> {
        if let Some(closed) = self.list_closed_column_values(cx, relation, column) {
            return closed.into_iter().take(MAX_EXAMPLES).collect();
        }
        let Some(domain) = self.find_drawn_domain(relation, column) else { return Vec::new() };
        let Some(count) = domain.cardinality().filter(|count| *count > 0) else { return Vec::new() };
        // The first, the last, and values at even distances between them; there can be nearly 2¹²⁸.
        let wanted = count.min(MAX_EXAMPLES as u128);
        let parts = (wanted - 1).max(1);
        let (step, rest) = ((count - 1) / parts, (count - 1) % parts);
        let spread = (0..wanted).filter_map(|at| domain.value_at(at * step + at * rest / parts));
        let grouped = GROUPED.into_iter().flat_map(|number| [number, -number]).map(Value::Int);
        let grouped = grouped.filter_map(|number| domain.value_at(domain.index_of(&number)?));
        self.filter_possible_values(cx, relation, column, spread.chain(grouped).collect())
    }

    /// Proves that a file can be read back as a whole.
    pub(super) fn prove_form(&self, cx: &mut Checker<'a>, table: &WrittenTable<'_>) {
        let in_file = self.find_file_columns(table.relation, table.line);
        self.prove_path_columns(cx, table.file, table.relation, &in_file);
        self.check_group_order(cx, table.form, table.relation);
        self.prove_nulls_distinct(cx, table.form, table.relation);
        self.prove_repeats_distinct(cx, table);
        self.check_table_encodable(cx, table);
    }

    /// Proves that in columns without styles, nulls differ from values, if the table must be readable.
    fn prove_nulls_distinct(&self, cx: &mut Checker<'a>, form: &Form<Checked>, relation: RelationId) {
        if self.declared[relation].taken.is_none() && !form.is_read_back() {
            return;
        }
        for column in self.list_column_ids(relation) {
            let own = &self.checked[relation].columns[column];
            let Some(cell) = own.ty.cell_type().filter(|_| !own.helper && form.find_styles(column).is_empty()) else {
                continue;
            };
            if !self.prove_null_marks(cx, (relation, column), &Reading::from_type(cell), &[], None, Folds::default()) {
                return;
            }
        }
    }

    /// With a header of two rows, reports a column without a group after one with a group: it would be read as part of that group.
    fn check_group_order(&self, cx: &mut Checker<'a>, form: &Form<Checked>, relation: RelationId) {
        if form.header != 2 {
            return;
        }
        let mut grouped: Vec<(&str, &hir::Column)> = Vec::new();
        for (_, column) in self.checked[relation].iter_written_columns() {
            match column.name.split_once(JOINT) {
                Some((group, _)) => grouped.push((group, column)),
                None => {
                    let (Some((group, before)), Some((_, first))) = (grouped.last(), grouped.first()) else { continue };
                    let message = format!("column `{}` would join the group `{group}`", column.name);
                    let label = format!("after `{}`", before.name);
                    let said = Diagnostic::new(Code::BAD_STYLE, message, column.span, label);
                    let said = said.help(format!("move it before `{}`", first.name));
                    cx.report(said);
                    return;
                }
            }
        }
    }

    /// Proves that a written key distinguishes repeated rows from different rows that look the same.
    fn prove_repeats_distinct(&self, cx: &mut Checker<'a>, table: &WrittenTable<'_>) {
        let WrittenTable { file, relation, form, line } = *table;
        let Some(share) = form.repeat.as_ref().filter(|share| !share.is_zero_share()) else { return };
        let written = self.find_readable_columns(file, relation, line);
        if self.find_relation_keys(relation).iter().any(|key| key.iter().all(|column| written.contains(column))) {
            return;
        }
        let from = self.declared[relation].taken.unwrap_or(relation);
        let table = self.checked[from].name.clone();
        let keys = self.find_relation_keys(from);
        let key = keys.iter().min_by_key(|key| key.len()).map(|key| {
            let names = key.iter().filter_map(|column| self.checked[from].columns.get(*column));
            names.map(|column| quote_ident(&column.name)).collect::<Vec<_>>().join(" and ")
        });
        let repeats = find_last_clauses(&self.collect_bodies(cx, file), |body| &body.repeats);
        let at = repeats.first().map_or(share.span, |repeat| repeat.span);
        let message = "`rows repeat` needs rows that differ";
        let said = Diagnostic::new(Code::BAD_STYLE, message, at, format!("no key of `{table}` is written"));
        cx.report(match (key, line) {
            (Some(key), Some(_)) => said.help(format!("write {key} in a column, and name that column in the line")),
            (Some(key), None) => said.help(format!("write {key} in a column")),
            (None, _) => said.help(format!("give `{table}` a key, such as ID : serial, and write it in a column")),
        });
    }

    /// Collects the columns whose cells are unchanged in the file: in their own columns, in the line of a text, or in the path.
    fn find_readable_columns(&self, file: FileId, relation: RelationId, line: Option<&Expr>) -> BTreeSet<ColumnId> {
        let mut known = self.find_file_columns(relation, line);
        let pieces = self.files[file].path.as_ref().map(Expr::as_pieces).unwrap_or_default();
        known.extend(pieces.iter().filter(|_| self.files[file].split).filter_map(Expr::as_column_id));
        known
    }

    /// Collects the columns whose cells are unchanged in the file itself, not only in its path.
    fn find_file_columns(&self, relation: RelationId, line: Option<&Expr>) -> BTreeSet<ColumnId> {
        let mut known = BTreeSet::new();
        let in_line =
            |id: ColumnId| line.is_none_or(|line| line.as_pieces().iter().any(|part| part.as_column_id() == Some(id)));
        for (id, column) in self.checked[relation].iter_own_columns() {
            let written = if line.is_some() { in_line(id) } else { !column.helper };
            if !written {
                continue;
            }
            known.insert(id);
            known.extend(find_source_column(&column.source));
        }
        known
    }

    /// Finds the keys of a relation: columns that are unique together and never null.
    fn find_relation_keys(&self, relation: RelationId) -> Vec<Vec<ColumnId>> {
        // The proved keys of a file that is read.
        let proved = |id: RelationId| {
            let keys = self.declared.get(id).into_iter().flat_map(|known| &known.keys);
            keys.map(|key| key.iter().map(|at| ColumnId(*at as u32)).collect()).collect()
        };
        hir::find_keys(&self.checked, relation, proved)
    }

    /// Checks that the cells of a line can be separated. Reports it if not.
    pub(super) fn prove_line(
        &self,
        cx: &mut Checker<'a>,
        form: &Form<Checked>,
        relation: RelationId,
        line: &Expr,
        span: Span,
    ) {
        if line.is_broken() {
            return;
        }
        let mut pieces: Vec<(Piece, Span)> = Vec::new();
        for part in line.as_pieces() {
            let piece = match &part.kind {
                ExprKind::Const(value) => Piece::Text(value.render_text().into_owned()),
                ExprKind::Column(column) => {
                    let own = &self.checked[relation].columns[*column];
                    Piece::Column(usize::from(*column), own.ty.cell_type().unwrap_or(CellType::Text))
                }
                _ => {
                    let message = "only columns of a line can be read back";
                    let said = Diagnostic::new(Code::BAD_STYLE, message, part.span, "computed here");
                    cx.report(said.help("compute it in a column, and name that in the line: <<NAME>>"));
                    return;
                }
            };
            pieces.push((piece, part.span));
        }
        let names: Vec<String> = self.checked[relation].columns.iter().map(|own| own.name.clone()).collect();
        if cx.build_line(&pieces, &names, span, Lined::Written).is_some() {
            self.check_blank_separators(cx, form, relation, &pieces);
        }
    }

    /// Reports a column that is followed only by whitespace although a style can add a space to its end.
    fn check_blank_separators(
        &self,
        cx: &mut Checker<'a>,
        form: &Form<Checked>,
        relation: RelationId,
        pieces: &[(Piece, Span)],
    ) {
        let spaced = |column: usize| {
            let mut styles =
                form.find_styles(ColumnId(column as u32)).iter().filter_map(model::suite::Style::text_style);
            styles.any(|style| style.record().pads)
        };
        let found = pieces.windows(2).find_map(|pair| match pair {
            [(Piece::Column(column, _), at), (Piece::Text(text), _)] if spaced(*column) && text.trim().is_empty() => {
                Some((*column, *at))
            }
            _ => None,
        });
        let Some((column, at)) = found else { return };
        let name = &self.checked[relation].columns[ColumnId(column as u32)].name;
        let message = format!("a blank of `space` cannot be told from the one after `{name}`");
        let said = Diagnostic::new(Code::BAD_STYLE, message, at, "can end with a blank");
        cx.report(said.help("separate the columns with another text, such as `;`"));
    }
}

/// Splits a condition into the parts joined by `and`.
fn split_conjunction<'e>(condition: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::Binary(Op::And, sides) => {
            [&sides.0, &sides.1].into_iter().for_each(|side| split_conjunction(side, parts))
        }
        _ => parts.push(condition),
    }
}

/// Returns the column of the same row of which a computed column is a copy.
fn find_source_column(source: &ColumnSource) -> Option<ColumnId> {
    match source {
        ColumnSource::Compute(value) => value.as_column_id(),
        _ => None,
    }
}
