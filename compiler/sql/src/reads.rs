//! The columns of the innermost SELECT that an expression reads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::slice;

use model::suite::{ColumnId, RelationId};
use sqlparser::ast::{Expr, Function, Ident, Query};

use super::analyser::Analyser;
use super::expressions::{find_argument, find_last_name};
use super::functional_dependencies::Fixed;
use super::functions::is_aggregate;
use super::parse;
use super::scope::{Place, ROW_ID, Resolution, lookup_name, resolve_place};
use super::visitor::{Visitor, change_exprs, visit_nodes};

/// The columns of the innermost SELECT that an expression reads.
#[derive(Debug, Default)]
pub struct Reads {
    /// The columns, each with the byte range of its first use; `None` for columns that are read only in subqueries.
    pub places: BTreeMap<Place, Option<(usize, usize)>>,
    /// The aggregates outside the known parts: their names, and the column that is their only argument.
    pub aggregates: Vec<(String, Option<Place>)>,
    /// Whether some parts are not understood: unresolved names, or window functions.
    pub unclear: bool,
}

/// Collects the columns that `expr` reads outside aggregates and its `known` parts (given as canonical texts).
pub fn collect_reads(analyser: &Analyser<'_>, expr: &Expr, known: &[String]) -> Reads {
    Walk { analyser, known, within: false, skipped: 0, queries: 0, reads: Reads::default() }.collect(expr)
}

/// Collects all columns that `expr` reads, including those inside aggregates.
pub fn collect_all_reads(analyser: &Analyser<'_>, expr: &Expr) -> Reads {
    Walk { analyser, known: &[], within: true, skipped: 0, queries: 0, reads: Reads::default() }.collect(expr)
}

struct Walk<'w, 'q> {
    analyser: &'w Analyser<'q>,
    known: &'w [String],
    /// Whether columns inside aggregates count.
    within: bool,
    /// The depth inside a part that is skipped; 0 outside.
    skipped: usize,
    queries: usize,
    reads: Reads,
}

impl Reads {
    /// Whether the columns are the same for all rows.
    pub fn is_fixed(&self, fixed: &Fixed) -> bool {
        self.places.keys().all(|place| fixed.is_column_fixed(*place))
    }

    /// Whether the columns are the same for all rows, and nothing is aggregated.
    pub fn is_settled(&self, fixed: &Fixed) -> bool {
        self.aggregates.is_empty() && self.is_fixed(fixed)
    }
}

impl Walk<'_, '_> {
    fn collect(mut self, expr: &Expr) -> Reads {
        let _ = visit_nodes(expr, &mut self);
        self.reads
    }

    fn visit_name(&mut self, parts: &[Ident], bytes: Option<(usize, usize)>) {
        let innermost = self.analyser.frames.len().checked_sub(1);
        match lookup_name(&self.analyser.frames, parts) {
            Resolution::Column(_, (frame, relation, place)) if Some(frame) == innermost => {
                self.reads.places.entry((relation, place)).or_insert(bytes);
            }
            Resolution::RowId(_, (frame, relation)) if Some(frame) == innermost => {
                self.reads.places.entry((relation, ROW_ID)).or_insert(bytes);
            }
            // A column of an enclosing SELECT is constant for all rows here.
            Resolution::Column(..) | Resolution::RowId(..) => {}
            _ => self.reads.unclear = true,
        }
    }

    fn visit_call(&mut self, function: &Function) {
        self.reads.unclear |= function.over.is_some();
        if is_aggregate(function) {
            let name = find_last_name(&function.name).map(|name| name.value.to_lowercase());
            let place = find_argument(function, 0).and_then(|expr| resolve_place(&self.analyser.frames, expr));
            self.reads.aggregates.push((name.unwrap_or_default(), place));
            if !self.within {
                self.skipped = 1;
            }
        }
    }
}

impl Visitor for Walk<'_, '_> {
    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.queries += 1;
        if self.queries == 1 && self.skipped == 0 {
            let innermost = self.analyser.frames.len().checked_sub(1);
            match self.analyser.inner.get(&std::ptr::from_ref(query).addr()) {
                Some((read, _)) => {
                    for (frame, relation, place) in read {
                        if Some(*frame) == innermost {
                            self.reads.unclear |= *relation == ROW_ID;
                            self.reads.places.entry((*relation, *place)).or_insert(None);
                        }
                    }
                }
                None => self.reads.unclear = true,
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries = self.queries.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.queries > 0 {
            return ControlFlow::Continue(());
        }
        if self.skipped > 0 {
            self.skipped += 1;
            return ControlFlow::Continue(());
        }
        if !self.known.is_empty() && self.known.contains(&canonicalize_expr(expr)) {
            self.skipped = 1;
            return ControlFlow::Continue(());
        }
        match expr {
            Expr::Identifier(name) => self.visit_name(slice::from_ref(name), parse::find_span_bytes(name.span)),
            Expr::CompoundIdentifier(parts) => {
                self.visit_name(parts, parse::find_node_bytes(self.analyser.query.tokens, expr));
            }
            Expr::Function(function) => self.visit_call(function),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        if self.queries == 0 {
            self.skipped = self.skipped.saturating_sub(1);
        }
        ControlFlow::Continue(())
    }
}

/// The columns that determine whether rows tie; without a column, the rows of the relation do.
pub fn collect_origins(analyser: &Analyser<'_>, terms: &[&Expr]) -> Vec<(RelationId, Option<ColumnId>)> {
    let mut out = Vec::new();
    for term in terms {
        for place in collect_all_reads(analyser, term).places.into_keys() {
            out.extend(resolve_place_origin(analyser, place));
        }
    }
    if out.is_empty() {
        out.extend(iter_relations(analyser));
    }
    out
}

/// The rows of every relation.
fn iter_relations(analyser: &Analyser<'_>) -> impl Iterator<Item = (RelationId, Option<ColumnId>)> {
    analyser.query.request.tables.iter().map(|table| (table.id, None))
}

/// The column of a table that a column of the innermost SELECT is; if there is none, the rows of every relation.
pub fn resolve_place_origin(analyser: &Analyser<'_>, place: Place) -> Vec<(RelationId, Option<ColumnId>)> {
    let column = analyser.frames.last().and_then(|frame| frame.get_column(place));
    match column.and_then(|column| analyser.query.request.resolve_column(column.value.origin?)) {
        Some((relation, column)) => vec![(relation, Some(column))],
        None => iter_relations(analyser).collect(),
    }
}

/// A text that is equal for expressions with certainly the same meaning: `o.QTY` and `qty`, `COUNT(*)` and `(count(*))`.
pub fn canonicalize_expr(expr: &Expr) -> String {
    let mut bare = expr.clone();
    change_exprs(&mut bare, &mut |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && let Some(name) = parts.last()
        {
            let mut name = name.clone();
            name.quote_style = None;
            *expr = Expr::Identifier(name);
        } else if let Expr::Identifier(name) = expr {
            name.quote_style = None;
        } else if let Expr::Nested(inner) = expr {
            *expr = inner.as_ref().clone();
        }
    });
    bare.to_string().to_lowercase()
}
