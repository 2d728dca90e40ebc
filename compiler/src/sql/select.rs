//! Queries: their output columns and how many rows they give.

use std::collections::{BTreeMap, BTreeSet};

use sqlparser::ast::{
    self, Expr, GroupByExpr, Ident, LimitClause, NamedWindowExpr, OrderBy, OrderByKind, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, SetOperator, SetQuantifier,
};

use model::suite::{ColumnId, RelationId};
use model::{Span, ValueType};

use super::lints::{self, Limit, Lints, Odd, Scene, Use};
use super::parse;
use super::predicates::Predicates;
use super::scope::{At, Column, ExprType, Frame, ROW_ID, Source};
use super::tables::Cte;
use super::window_functions::{Numbered, Tie};
use super::{ByLetters, NameTarget, Query, SqlRequest, functions, is_same_name, rows, window_functions};
use crate::diagnostics::Diagnostic;

/// What the syntax tree says about a query.
#[derive(Default)]
pub struct Meaning {
    /// Its output columns, if they can be told.
    pub columns: Option<Vec<Column>>,
    /// Proved: never two rows.
    pub at_most_one_row: bool,
    /// Proved: never no row.
    pub always_a_row: bool,
    /// Columns read.
    pub reads: BTreeSet<(usize, usize)>,
    /// Tables read.
    pub tables: BTreeSet<usize>,
    /// Tables with where each is read.
    pub sources: BTreeSet<(usize, Span)>,
    /// Nothing was met that is not understood.
    pub complete: bool,
    /// For each output column of a plain SELECT the condition that leaves its nulls out, as it is written.
    pub guards: Vec<String>,
    /// Mistakes in names: to be believed when SQLite refuses too.
    pub names: Vec<Diagnostic>,
    /// Mistakes that SQLite does not see.
    pub certain: Vec<Diagnostic>,
    /// Comparisons met.
    pub predicates: Predicates,
    /// Where letters decide, besides comparisons.
    pub by_letters: BTreeSet<ByLetters>,
    /// What is probably not meant.
    pub odd: Odd,
    /// What names mean, by their spans in the source.
    pub meant: BTreeSet<(Span, NameTarget)>,
}

impl Meaning {
    /// Relations that are read at two places or more.
    pub fn list_repeated_relations(&self, request: &SqlRequest<'_>) -> Vec<RelationId> {
        let places = |table: usize| self.sources.iter().filter(|(of, _)| *of == table).count();
        request.tables.iter().enumerate().filter(|(at, _)| places(*at) > 1).map(|(_, table)| table.id).collect()
    }

    /// Where columns are named, in order.
    pub fn list_column_places(&self, request: &SqlRequest<'_>) -> Vec<(Span, RelationId, ColumnId)> {
        let place = |(span, meant): &(Span, NameTarget)| match meant {
            NameTarget::Column(table, column) => {
                request.resolve_column((*table, *column)).map(|(relation, column)| (*span, relation, column))
            }
            NameTarget::Table(_) | NameTarget::Database(_) => None,
        };
        self.meant.iter().filter_map(place).collect()
    }
}

/// Walks a query.
pub struct Analyser<'q> {
    pub query: &'q Query<'q>,
    pub frames: Vec<Frame>,
    pub ctes: Vec<Cte>,
    /// The column that the current name is compared with.
    pub compared: Option<(usize, usize)>,
    /// The innermost frame of which a column was met, since it was last cleared.
    pub innermost: Option<usize>,
    /// An aggregate over columns of an outer query alone belongs to that query: who gathers rows is not what it seems.
    pub borrowed_aggregate: bool,
    /// Columns met, since it was last cleared.
    pub met: BTreeSet<At>,
    /// What the queries inside expressions read of the SELECTs around them, by where they are, and the type they give.
    pub inner: BTreeMap<usize, (BTreeSet<At>, Option<ValueType>)>,
    /// Above 0: a first look, of which nothing is reported.
    pub quiet: usize,
    /// What is probably not meant, where that is asked for.
    pub lints: Option<Lints>,
    /// What the letters of the current expression may come from.
    pub letters: BTreeSet<Source>,
    pub meaning: Meaning,
}

/// The result of a query.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// `None`: not known.
    pub columns: Option<Vec<Column>>,
    /// The least rows.
    pub least: u64,
    /// The most, if known.
    pub most: Option<u64>,
    /// Columns of which all together never have the same values twice (nulls aside).
    pub keys: Vec<Vec<usize>>,
    /// Columns that number rows which may tie.
    pub numbered: Vec<Numbered>,
    /// Columns whose values depend on which of several tying rows comes first.
    pub loose: Vec<(usize, Tie)>,
    /// The names of the columns of all parts of a set operation.
    pub names: Vec<String>,
}

/// Analyses a whole query. Of one that SQLite does not accept, nobody asks what is probably not meant.
pub fn analyse_tree(query: &Query<'_>, tree: &ast::Query, accepted: bool) -> Meaning {
    walk_query(query, tree, accepted.then(Lints::default))
}

/// Analyses a query that a statement contains which SQLite accepts and which changes rows: whatever is read decides what is left.
pub fn analyse_statement_query(query: &Query<'_>, tree: &ast::Query) -> Meaning {
    walk_query(query, tree, Some(Lints::new_for_statement()))
}

fn walk_query(query: &Query<'_>, tree: &ast::Query, lints: Option<Lints>) -> Meaning {
    let mut analyser = Analyser::new(query);
    analyser.lints = lints;
    let mut output = analyser.infer_query(tree);
    let odd = lints::finish_lints(&mut analyser, tree, &output);
    if analyser.borrowed_aggregate {
        output.least = 0;
        output.columns.iter_mut().flatten().for_each(|column| column.value.nullable = true);
    }
    let guards = build_guards(query, tree);
    let mut meaning = analyser.meaning;
    meaning.predicates = Predicates::from_meaning(&mut meaning);
    meaning.odd = odd;
    meaning.guards = guards;
    meaning.columns = output.columns;
    meaning.at_most_one_row = output.most.is_some_and(|most| most <= 1);
    meaning.always_a_row = output.least >= 1;
    meaning
}

/// `WHERE date(AT) IS NOT NULL`, or HAVING where rows are gathered: for each column of the output.
fn build_guards(query: &Query<'_>, tree: &ast::Query) -> Vec<String> {
    let SetExpr::Select(select) = tree.body.as_ref() else { return Vec::new() };
    let guard = |item: &SelectItem| {
        let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { return None };
        let written = query.slice_text(parse::find_node_bytes(query.tokens, expr)?);
        let word = if functions::has_aggregate(std::slice::from_ref(item), None, &[]) { "HAVING" } else { "WHERE" };
        Some(format!("{word} {written} IS NOT NULL"))
    };
    select.projection.iter().map(guard).collect::<Option<_>>().unwrap_or_default()
}

impl<'q> Analyser<'q> {
    /// Before the walk.
    pub fn new(query: &'q Query<'q>) -> Analyser<'q> {
        Analyser {
            query,
            frames: Vec::new(),
            ctes: Vec::new(),
            compared: None,
            innermost: None,
            borrowed_aggregate: false,
            met: BTreeSet::new(),
            inner: BTreeMap::new(),
            quiet: 0,
            lints: None,
            letters: BTreeSet::new(),
            meaning: Meaning { complete: true, ..Meaning::default() },
        }
    }
}

impl Analyser<'_> {
    /// Something is there that is not understood.
    pub fn give_up(&mut self) {
        self.meaning.complete = false;
    }

    /// A query, also inside another.
    pub fn infer_query(&mut self, query: &ast::Query) -> Output {
        let outer_ctes = self.ctes.len();
        let compared = self.compared.take();
        let becomes = self.use_of_rows();
        if let Some(with) = &query.with {
            self.infer_ctes(with);
        }
        let limit = parse_limit(query);
        let mut output = match query.body.as_ref() {
            SetExpr::Select(select) => self.infer_select(select, query.order_by.as_ref(), Taken { limit, becomes }),
            body => {
                let output = self.infer_body(body);
                self.order_of_set(query.order_by.as_ref(), &output);
                if self.lints.is_some() && query.order_by.is_none() {
                    let odd = lints::lint_set_operation(self, limit, becomes, output.most);
                    self.note_odd(odd);
                }
                output
            }
        };
        self.apply_limit(query, &mut output);
        if query.fetch.is_some() || !query.pipe_operators.is_empty() {
            self.give_up();
        }
        self.ctes.truncate(outer_ctes);
        self.compared = compared;
        output
    }

    fn apply_limit(&mut self, query: &ast::Query, output: &mut Output) {
        let (limit, offset) = match &query.limit_clause {
            None => return,
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
        };
        // Neither can name a column.
        let frames = std::mem::take(&mut self.frames);
        for expr in limit.into_iter().chain(offset) {
            self.infer_expr(expr);
        }
        self.frames = frames;
        // A negative LIMIT or OFFSET has no effect.
        let skipped =
            offset.map_or(Some(0), |offset| rows::as_int_literal(offset).map(|n| u64::try_from(n).unwrap_or(0)));
        output.least = output.least.saturating_sub(skipped.unwrap_or(u64::MAX));
        output.most = output.most.map(|most| most.saturating_sub(skipped.unwrap_or(0)));
        match limit.map(rows::as_int_literal) {
            Some(Some(rows)) => {
                if let Ok(rows) = u64::try_from(rows) {
                    output.least = output.least.min(rows);
                    output.most = Some(output.most.map_or(rows, |most| most.min(rows)));
                }
            }
            Some(None) => output.least = 0,
            None => {}
        }
    }

    /// ORDER BY after a set operation or VALUES: it names columns of the output.
    fn order_of_set(&mut self, order_by: Option<&OrderBy>, output: &Output) {
        let Some(OrderByKind::Expressions(terms)) = order_by.map(|order| &order.kind) else { return };
        let Some(columns) = output.columns.as_ref().filter(|_| !output.names.is_empty()) else { return };
        let columns: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        for term in terms {
            if let Expr::Identifier(name) = &term.expr
                && !output.names.iter().any(|known| is_same_name(known, &name.value))
            {
                self.report_missing_output(name, &columns);
            }
        }
    }

    /// A query inside an expression.
    pub fn infer_inner_query(&mut self, query: &ast::Query) -> Output {
        let before = std::mem::take(&mut self.met);
        let letters = std::mem::take(&mut self.letters);
        let innermost = self.innermost.take();
        let output = self.infer_query(query);
        lints::lint_inner_query(self, &output);
        self.letters = letters;
        let depth = self.frames.len();
        let met = std::mem::replace(&mut self.met, before);
        let outer: BTreeSet<_> = met.into_iter().filter(|(frame, ..)| *frame < depth).collect();
        self.met.extend(&outer);
        // Its own columns do not decide to which query an aggregate around it belongs.
        let columns = outer.iter().filter(|(_, relation, _)| *relation != ROW_ID);
        self.innermost = innermost.max(columns.map(|(frame, ..)| *frame).max());
        let ty = output.columns.as_ref().and_then(|columns| columns.first()).and_then(|column| column.value.ty);
        self.inner.insert(std::ptr::from_ref(query).addr(), (outer, ty));
        output
    }

    /// A query without its WITH, ORDER BY of set operations and LIMIT.
    pub fn infer_body(&mut self, body: &SetExpr) -> Output {
        match body {
            SetExpr::Select(select) => self.infer_select(select, None, Taken::default()),
            SetExpr::Query(query) => self.infer_query(query),
            SetExpr::Values(values) => self.infer_values(values),
            SetExpr::SetOperation { .. } => self.set_operation(body),
            _ => {
                self.give_up();
                Output::default()
            }
        }
    }

    fn set_operation(&mut self, body: &SetExpr) -> Output {
        let mut arms = Vec::new();
        let mut first = body;
        while let SetExpr::SetOperation { left, op, right, set_quantifier } = first {
            arms.push((*op, *set_quantifier == SetQuantifier::All, right.as_ref()));
            first = left;
        }
        let mut output = self.infer_body(first);
        let names =
            |output: &Output| output.columns.iter().flatten().map(|column| column.name.clone()).collect::<Vec<_>>();
        output.names = names(&output);
        for (operator, all, arm) in arms.into_iter().rev() {
            let next = self.infer_body(arm);
            let union = matches!(operator, SetOperator::Union);
            output.names.extend(names(&next));
            output.columns = match (output.columns, next.columns) {
                (Some(left), Some(right)) if left.len() == right.len() => Some(merge_columns(left, &right, union)),
                _ => None,
            };
            let least = output.least.saturating_add(next.least);
            output.least = match (union, all) {
                (true, true) => least,
                (true, false) => least.min(1),
                (false, _) => 0,
            };
            output.most = match operator {
                SetOperator::Intersect => output.most.into_iter().chain(next.most).min(),
                SetOperator::Except => output.most,
                _ => output.most.zip(next.most).map(|(left, right)| left.saturating_add(right)),
            };
            match operator {
                SetOperator::Intersect => output.keys.extend(next.keys),
                SetOperator::Except => {}
                _ => output.keys.clear(),
            }
            output.numbered.clear();
            output.loose.clear();
            if !all {
                output.keys.extend(output.columns.as_ref().map(|columns| (0..columns.len()).collect()));
            }
        }
        output
    }

    fn infer_values(&mut self, values: &ast::Values) -> Output {
        let mut columns: Option<Vec<Column>> = None;
        for row in &values.rows {
            let cells: Vec<ExprType> = row.content.iter().map(|cell| self.infer_expr(cell)).collect();
            let row: Vec<Column> = cells
                .into_iter()
                .enumerate()
                .map(|(index, value)| Column { name: format!("column{}", index + 1), value: value.into_computed() })
                .collect();
            columns = Some(match columns {
                Some(columns) if columns.len() == row.len() => merge_columns(columns, &row, true),
                _ => row,
            });
        }
        let rows = values.rows.len() as u64;
        Output { columns, least: rows, most: Some(rows), ..Output::default() }
    }

    fn infer_select(&mut self, select: &Select, order_by: Option<&OrderBy>, taken: Taken<'_>) -> Output {
        if lints::is_only_count(select) {
            self.set_row_use(Use::Counted);
        }
        let (mut frame, joins) = self.infer_from(&select.from);
        let groups = match &select.group_by {
            GroupByExpr::Expressions(groups, _) => groups.as_slice(),
            GroupByExpr::All(_) => {
                self.give_up();
                &[]
            }
        };
        let ordered: Vec<&Expr> = match order_by.map(|order| &order.kind) {
            Some(OrderByKind::Expressions(terms)) => terms.iter().map(|term| &term.expr).collect(),
            _ => Vec::new(),
        };
        frame.grouped = !groups.is_empty();
        frame.whole = groups.is_empty()
            && (select.having.is_some()
                || functions::has_aggregate(&select.projection, select.having.as_ref(), &ordered));
        let whole = frame.whole;
        let from_most = rows::compute_max_rows(&frame, &joins);
        frame.some_row = joins.least >= 1 && select.selection.is_none();
        let least = if frame.some_row { joins.least } else { 0 };
        self.frames.push(frame);
        let condition = select.selection.as_ref();
        let not_null = rows::collect_not_null_columns(self, &joins, condition);
        let proved = rows::collect_not_null_exprs(self, &joins, condition, &select.projection);
        if let Some(frame) = self.frames.last_mut() {
            (frame.not_null, frame.proved) = (not_null, proved);
            frame.kept = rows::collect_having_not_null(select.having.as_ref(), &select.projection);
            frame.filtered = rows::may_filter_rows(condition);
        }
        // ON comes before aggregation, as WHERE does.
        self.run_before_aggregation(|this| {
            for join in &joins.constraints {
                this.infer_expr(join.on);
            }
        });
        for argument in &joins.arguments {
            self.infer_expr(argument);
        }
        let projected = self.infer_projection(&select.projection);
        // WHERE and GROUP BY come before aggregation.
        self.run_before_aggregation(|this| {
            if let Some(condition) = &select.selection {
                this.infer_expr(condition);
            }
            for group in groups {
                this.infer_expr(group);
            }
        });
        if let Some(having) = &select.having {
            self.infer_expr(having);
        }
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &window.1 {
                self.visit_window(spec);
            }
        }
        let terms: Vec<(&Expr, ExprType)> = ordered.iter().map(|term| (*term, self.infer_expr(term))).collect();
        self.note_order(&terms, taken.limit.is_some(), taken.becomes);
        let facts = rows::Facts::new(self, &joins, select.selection.as_ref());
        let (one, mut keys) =
            if whole { (true, Vec::new()) } else { facts.prove_keys(select, groups, projected.as_deref()) };
        let ons = joins.constraints.iter().map(|join| join.on);
        let first = ordered.iter().copied().filter(|_| taken.limit.is_some());
        let chosen: Vec<&Expr> =
            select.selection.iter().chain(groups).chain(&select.having).chain(ons).chain(first).collect();
        let numbers =
            window_functions::analyse_numbering(self, (select, groups, whole), &facts, projected.as_deref(), &chosen);
        keys.extend(numbers.keys);
        let odd = if self.lints.is_some() && self.quiet == 0 {
            let scene = Scene {
                select,
                groups,
                ordered: order_by.map(|_| ordered.as_slice()),
                limit: taken.limit,
                becomes: taken.becomes,
                whole,
                one,
                most: from_most,
                joins: &joins,
                facts: &facts,
            };
            lints::lint_select(self, &scene)
        } else {
            Odd::default()
        };
        self.note_odd(odd);
        self.frames.pop();
        let never = !whole && select.selection.as_ref().is_some_and(rows::is_never_true);
        let most = if never {
            Some(0)
        } else if one {
            Some(1)
        } else {
            from_most
        };
        let gathered = !groups.is_empty() || select.distinct.is_some();
        let least = match (whole, select.having.is_some()) {
            (_, true) => 0,
            (true, false) => 1,
            (false, false) if gathered => least.min(1),
            (false, false) => least,
        };
        let columns = projected.map(|columns| columns.into_iter().map(|(column, _)| column).collect());
        let (numbered, loose) = (numbers.numbered, numbers.loose);
        Output { columns, least, most, keys, numbered, loose, names: Vec::new() }
    }

    fn run_before_aggregation(&mut self, inner: impl FnOnce(&mut Self)) {
        let set = |this: &mut Self, value| {
            if let Some(frame) = this.frames.last_mut() {
                frame.in_aggregate = value;
            }
        };
        set(self, true);
        inner(self);
        set(self, false);
    }

    /// The output columns, and which columns of FROM they plainly are.
    fn infer_projection(&mut self, items: &[SelectItem]) -> Option<Vec<Projected>> {
        let mut columns = Some(Vec::new());
        let mut aliases = Vec::new();
        let add = |columns: &mut Option<Vec<Projected>>, column| {
            if let Some(columns) = columns {
                columns.push(column);
            }
        };
        for item in items {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let value = self.infer_expr(expr);
                    let name = self.infer_output_name(expr);
                    add(&mut columns, (Column { name, value }, rows::resolve_place(self, expr)));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let column = Column { name: alias.value.clone(), value: self.infer_expr(expr) };
                    aliases.push(column.clone());
                    add(&mut columns, (column, rows::resolve_place(self, expr)));
                }
                SelectItem::Wildcard(_) => match self.expand_star(None) {
                    Some(all) => all.into_iter().for_each(|column| add(&mut columns, column)),
                    None => columns = None,
                },
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                    match self.expand_star(Some(name)) {
                        Some(all) => all.into_iter().for_each(|column| add(&mut columns, column)),
                        None => columns = None,
                    }
                }
                _ => {
                    self.give_up();
                    columns = None;
                }
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.aliases = aliases;
        }
        columns
    }

    /// The columns of `*` or `relation.*`.
    fn expand_star(&mut self, only: Option<&ast::ObjectName>) -> Option<Vec<Projected>> {
        let wanted = match only {
            Some(name) => Some(name.0.last()?.as_ident()?.clone()),
            None => None,
        };
        let frame = self.frames.last()?;
        let mut out = Some(Vec::new());
        let mut met = false;
        for (index, relation) in frame.relations.iter().enumerate() {
            if wanted.as_ref().is_some_and(|name| !is_same_name(&name.value, &relation.alias)) {
                continue;
            }
            met = true;
            match (&relation.columns, &mut out) {
                (Some(columns), Some(out)) => {
                    for (place, column) in columns.iter().enumerate() {
                        if wanted.is_some() || !relation.merged.contains(&place) {
                            let column = Column { name: column.name.clone(), value: frame.infer_column(index, place) };
                            out.push((column, Some((index, place))));
                        }
                    }
                }
                _ => out = None,
            }
        }
        if let (false, Some(name)) = (met, wanted) {
            self.report_unknown_relation(&name);
            return None;
        }
        for (column, _) in out.iter().flatten() {
            self.note_read(&column.value);
        }
        out
    }

    /// The name that SQLite gives a column without AS.
    fn infer_output_name(&self, expr: &Expr) -> String {
        match expr {
            Expr::Identifier(name) => name.value.clone(),
            Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()).unwrap_or_default(),
            other => parse::find_node_bytes(self.query.tokens, other)
                .map(|bytes| self.query.slice_text(bytes).to_owned())
                .unwrap_or_default(),
        }
    }

    /// Notes what a name means. Gives where it is.
    pub fn note_meaning(&mut self, name: &Ident, meant: NameTarget) -> Option<Span> {
        let bytes = parse::find_ident_bytes(name);
        let span = (bytes.0 < bytes.1).then(|| self.query.to_span(bytes))?;
        self.meaning.meant.insert((span, meant));
        Some(span)
    }

    /// Notes what a column's name means, and those of its table and database before it.
    pub fn note_column_meaning(&mut self, parts: &[Ident], (table, column): (usize, usize)) {
        let [before @ .., name] = parts else { return };
        self.note_meaning(name, NameTarget::Column(table, column));
        let Some(known) = self.query.request.tables.get(table) else { return };
        if let [.., relation] = before
            && is_same_name(&relation.value, known.name)
        {
            self.note_meaning(relation, NameTarget::Table(table));
        }
        if let [database, _] = before
            && known.database.is_some_and(|written| is_same_name(written, &database.value))
        {
            self.note_meaning(database, NameTarget::Database(table));
        }
    }

    /// Notes that a column is read.
    pub fn note_read(&mut self, value: &ExprType) {
        if let Some(origin) = value.origin {
            self.meaning.reads.insert(origin);
            self.meaning.tables.insert(origin.0);
        }
    }
}

/// What is taken of the rows of a SELECT, and what becomes of them.
#[derive(Default)]
struct Taken<'t> {
    limit: Option<Limit<'t>>,
    becomes: Use,
}

/// LIMIT, where it is one.
fn parse_limit(query: &ast::Query) -> Option<Limit<'_>> {
    let expr = match query.limit_clause.as_ref()? {
        LimitClause::LimitOffset { limit, .. } => limit.as_ref()?,
        LimitClause::OffsetCommaLimit { limit, .. } => limit,
    };
    // A negative LIMIT has no effect; after an OFFSET, fewer rows than LIMIT may still not be all.
    let written = rows::as_int_literal(expr);
    let offset = matches!(
        &query.limit_clause,
        Some(LimitClause::LimitOffset { offset: Some(_), .. } | LimitClause::OffsetCommaLimit { .. })
    );
    if written.is_some_and(|rows| rows < 0) && !offset {
        return None;
    }
    Some(Limit { expr, most: written.and_then(|rows| u64::try_from(rows).ok()).filter(|_| !offset) })
}

/// An output column, and the (relation, column) that it plainly is.
pub type Projected = (Column, Option<(usize, usize)>);

/// The columns of a set operation.
fn merge_columns(left: Vec<Column>, right: &[Column], union: bool) -> Vec<Column> {
    let both = |(left, right): (Column, &Column)| {
        let value = if union { left.value.join_with(&right.value) } else { left.value.into_computed() };
        Column { name: left.name, value }
    };
    left.into_iter().zip(right).map(both).collect()
}
