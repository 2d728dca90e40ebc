//! What is proved of a form in which a table is written: that everyone who knows the form can read the table back.

use std::collections::BTreeSet;

use plan::suite::{ColumnId, FARTHEST, FileId, Form, RelationId};
use plan::{Domain, Span, Value};
use tabular::header::JOINT;
use tabular::write::Folds;
use tabular::{CellType, Line, Piece, Reading};

use super::written::cell_type;
use crate::check::model::TaskChecker;
use crate::check::say::spell;
use crate::diagnostics::{Code, Diagnostic};
use crate::facts::Fact;
use crate::hir::{self, Checked, ColumnSource, DrawDomain, Expr, ExprKind};

/// The most values of a column by which patterns are compared.
const MOST_EXAMPLES: usize = 400;

impl TaskChecker<'_, '_> {
    /// The column whose values another has: of the table that its rows are taken from, or that it refers to.
    pub(in crate::check) fn origin_of(&self, mut relation: RelationId, mut column: ColumnId) -> (RelationId, ColumnId) {
        for _ in 0..FARTHEST {
            let source = self.relations.get(relation).and_then(|decl| decl.columns.get(column)).map(|own| &own.source);
            (relation, column) = match source {
                Some(ColumnSource::Taken(of)) => match self.declared[relation].taken {
                    Some(from) => (from, *of),
                    None => break,
                },
                Some(ColumnSource::Compute(Expr { kind: ExprKind::Column(of), .. })) => (relation, *of),
                Some(ColumnSource::Draw { draw, .. }) => match &draw.domain {
                    DrawDomain::Ref { relation, column, .. } => (*relation, *column),
                    _ => break,
                },
                _ => break,
            };
        }
        (relation, column)
    }

    /// All values that a column can have besides null, where they are a list that is known.
    pub(super) fn closed_column(&self, relation: RelationId, column: ColumnId) -> Option<Vec<Value>> {
        let (relation, column) = self.origin_of(relation, column);
        let source = &self.relations.get(relation)?.columns.get(column)?.source;
        let fact = match source {
            ColumnSource::Draw { draw, .. } => match &draw.domain {
                DrawDomain::Fixed(domain) => Fact::of_domain(domain).closed,
                _ => None,
            },
            ColumnSource::Given(given) => given.seen.fact(&given.cells.values).closed.clone(),
            _ => None,
        };
        fact.map(|values| values.iter().cloned().collect())
    }

    /// The domain that all values of a column are drawn from, where nothing of it is left out.
    pub(super) fn drawn_domain(&self, relation: RelationId, column: ColumnId) -> Option<&Domain> {
        let (relation, column) = self.origin_of(relation, column);
        match &self.relations.get(relation)?.columns.get(column)?.source {
            ColumnSource::Draw { draw, .. } if draw.except.is_empty() => match &draw.domain {
                DrawDomain::Fixed(domain) => Some(domain),
                _ => None,
            },
            _ => None,
        }
    }

    /// Values that a column can have: all, or some of them.
    pub(super) fn examples(&self, relation: RelationId, column: ColumnId) -> Vec<Value> {
        if let Some(closed) = self.closed_column(relation, column) {
            return closed.into_iter().take(MOST_EXAMPLES).collect();
        }
        let Some(domain) = self.drawn_domain(relation, column) else { return Vec::new() };
        let Some(count) = domain.cardinality().filter(|count| *count > 0) else { return Vec::new() };
        // The first, the last, and others between at even steps; there may be nearly 2¹²⁸ of them.
        let wanted = count.min(MOST_EXAMPLES as u128);
        let parts = (wanted - 1).max(1);
        let (step, rest) = ((count - 1) / parts, (count - 1) % parts);
        (0..wanted).filter_map(|at| domain.value_at(at * step + at * rest / parts)).collect()
    }

    /// Proves what can be proved of a form as a whole; `line` is that of a text.
    pub(super) fn proved_form(
        &mut self,
        file: FileId,
        form: &Form<Checked>,
        relation: RelationId,
        line: Option<&Expr>,
    ) {
        self.groups_in_order(form, relation);
        self.nulls_are_told(form, relation);
        self.rows_differ(file, form, relation, line);
        self.table_is_encodable(file, form, relation, line);
    }

    /// Where a table is read back, nulls of columns without styles are told from their values.
    fn nulls_are_told(&mut self, form: &Form<Checked>, relation: RelationId) {
        if self.declared[relation].taken.is_none() && !form.is_read_back() {
            return;
        }
        for column in self.column_ids(relation) {
            let own = &self.relations[relation].columns[column];
            let Some(cell) = cell_type(&own.ty).filter(|_| !own.helper && form.styles(column).is_empty()) else {
                continue;
            };
            if !self.marks_are_no_values((relation, column), &Reading::plain(cell), &[], None, Folds::default()) {
                return;
            }
        }
    }

    /// Of a header of two rows, a column that is in no group may not come after one that is: it would be read into that group.
    fn groups_in_order(&mut self, form: &Form<Checked>, relation: RelationId) {
        if form.header != 2 {
            return;
        }
        let own = self.relations[relation].own_columns().filter(|(_, column)| !column.helper);
        let mut grouped: Vec<(&str, &hir::Column)> = Vec::new();
        for (_, column) in own {
            match column.name.split_once(JOINT) {
                Some((group, _)) => grouped.push((group, column)),
                None => {
                    let (Some((group, before)), Some((_, first))) = (grouped.last(), grouped.first()) else { continue };
                    let message = format!("column `{}` would join the group `{group}`", column.name);
                    let label = format!("after `{}`", before.name);
                    let said = Diagnostic::new(Code::BAD_STYLE, message, column.span, label);
                    let said = said.help(format!("move it before `{}`", first.name));
                    self.cx.say(said);
                    return;
                }
            }
        }
    }

    /// Rows that are there twice are told from rows that are alike by a key that is written.
    fn rows_differ(&mut self, file: FileId, form: &Form<Checked>, relation: RelationId, line: Option<&Expr>) {
        let Some(share) = form.repeat.as_ref().filter(|share| !share.is_zero_share()) else { return };
        let written = self.known_to_readers(file, relation, line);
        if self.keys_of(relation).iter().any(|key| key.iter().all(|column| written.contains(column))) {
            return;
        }
        let from = self.declared[relation].taken.unwrap_or(relation);
        let table = self.relations[from].name.clone();
        let keys = self.keys_of(from);
        let key = keys.iter().min_by_key(|key| key.len()).map(|key| {
            let names = key.iter().filter_map(|column| self.relations[from].columns.get(*column));
            names.map(|column| spell(&column.name)).collect::<Vec<_>>().join(" and ")
        });
        let at = self
            .bodies_of(file)
            .iter()
            .rev()
            .find_map(|body| body.repeats.first())
            .map_or(share.span, |repeat| repeat.span);
        let said = Diagnostic::new(
            Code::BAD_STYLE,
            "`rows repeat` needs rows that differ",
            at,
            format!("no key of `{table}` is written"),
        );
        self.cx.say(match (key, line) {
            (Some(key), Some(_)) => said.help(format!("write {key} in a column, and name that column in the line")),
            (Some(key), None) => said.help(format!("write {key} in a column")),
            (None, _) => said.help(format!("give `{table}` a key, such as ID : serial, and write it in a column")),
        });
    }

    /// The columns of a relation whose cells are in its file as they are: in columns of their own, in the line of a text, or in the path.
    fn known_to_readers(&self, file: FileId, relation: RelationId, line: Option<&Expr>) -> BTreeSet<ColumnId> {
        let mut known = BTreeSet::new();
        let in_line =
            |id: ColumnId| line.is_none_or(|line| pieces_of(line).iter().any(|part| column_of(part) == Some(id)));
        for (id, column) in self.relations[relation].own_columns() {
            let written = if line.is_some() { in_line(id) } else { !column.helper };
            if !written {
                continue;
            }
            known.insert(id);
            known.extend(cell_of(&column.source));
        }
        let pieces = self.files[file].path.as_ref().map(pieces_of).unwrap_or_default();
        known.extend(pieces.iter().filter(|_| self.files[file].split).filter_map(column_of));
        known
    }

    /// Columns of which no two rows of a relation have the same, and which are never null.
    fn keys_of(&self, relation: RelationId) -> Vec<Vec<ColumnId>> {
        // Those that are proved of a file that is read.
        let proved = |id: RelationId| {
            let keys = self.declared.get(id).into_iter().flat_map(|known| &known.keys);
            keys.map(|key| key.iter().map(|at| ColumnId(*at as u32)).collect()).collect()
        };
        hir::keys(&self.relations, relation, proved)
    }

    /// Whether the cells of a line can be told from each other; says so if not.
    pub(super) fn proved_line(&mut self, form: &Form<Checked>, relation: RelationId, line: &Expr, span: Span) {
        if line.is_broken() {
            return;
        }
        let mut pieces: Vec<(Piece, Span)> = Vec::new();
        for part in pieces_of(line) {
            let piece = match &part.kind {
                ExprKind::Const(value) => Piece::Text(value.render().into_owned()),
                ExprKind::Column(column) => {
                    let own = &self.relations[relation].columns[*column];
                    Piece::Column(usize::from(*column), cell_type(&own.ty).unwrap_or(CellType::Text))
                }
                _ => {
                    let said = Diagnostic::new(
                        Code::BAD_STYLE,
                        "only columns of a line can be read back",
                        part.span,
                        "computed here",
                    );
                    self.cx.say(said.help("compute it in a column, and name that in the line: <<NAME>>"));
                    return;
                }
            };
            pieces.push((piece, part.span));
        }
        let read: Vec<Piece> = pieces.iter().map(|(piece, _)| piece.clone()).collect();
        if let Err(error) = Line::new(&read) {
            let names: Vec<String> = self.relations[relation].columns.iter().map(|own| own.name.clone()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.say_line(error, &pieces, &names, span, false);
            return;
        }
        self.blanks_between(form, relation, &pieces);
    }

    /// A column that can end with one more blank is not followed by blanks alone; says so if it is.
    fn blanks_between(&mut self, form: &Form<Checked>, relation: RelationId, pieces: &[(Piece, Span)]) {
        let spaced = |column: usize| {
            form.styles(ColumnId(column as u32)).iter().any(|style| matches!(style, plan::suite::Style::Space(_)))
        };
        let found = pieces.windows(2).find_map(|pair| match pair {
            [(Piece::Column(column, _), at), (Piece::Text(text), _)] if spaced(*column) && text.trim().is_empty() => {
                Some((*column, *at))
            }
            _ => None,
        });
        let Some((column, at)) = found else { return };
        let name = &self.relations[relation].columns[ColumnId(column as u32)].name;
        let message = format!("a blank of `space` cannot be told from the one after `{name}`");
        let said = Diagnostic::new(Code::BAD_STYLE, message, at, "can end with a blank");
        self.cx.say(said.help("separate the columns with another text, such as `;`"));
    }
}

/// The column of its row that a column is computed as.
fn cell_of(source: &ColumnSource) -> Option<ColumnId> {
    match source {
        ColumnSource::Compute(value) => column_of(value),
        _ => None,
    }
}

/// What a text is put together from.
fn pieces_of(text: &Expr) -> &[Expr] {
    match &text.kind {
        ExprKind::Concat(pieces) => pieces,
        _ => std::slice::from_ref(text),
    }
}

fn column_of(expr: &Expr) -> Option<ColumnId> {
    match expr.kind {
        ExprKind::Column(column) => Some(column),
        _ => None,
    }
}
