//! Queries: their output columns and how many rows they give.

use std::collections::{BTreeMap, BTreeSet};

use sqlparser::ast::{
    self, Expr, GroupByExpr, Ident, LimitClause, NamedWindowExpr, OrderBy, OrderByKind, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, SetOperator, SetQuantifier,
};

use model::suite::{ColumnId, RelationId};
use model::{Span, ValueType};

use super::lints::{self, Limit, Lints, Odd, Scene, Use};
use super::numbered::{Numbered, Tie};
use super::parse;
use super::predicates::Predicates;
use super::scope::{At, Column, Frame, ROW_ID, Source, Typed};
use super::tables::Cte;
use super::{ByLetters, Meant, Query, SqlRequest, functions, numbered, rows, same};
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
    pub meant: BTreeSet<(Span, Meant)>,
}

impl Meaning {
    /// Relations that are read at two places or more.
    pub fn again(&self, request: &SqlRequest<'_>) -> Vec<RelationId> {
        let places = |table: usize| self.sources.iter().filter(|(of, _)| *of == table).count();
        request.tables.iter().enumerate().filter(|(at, _)| places(*at) > 1).map(|(_, table)| table.id).collect()
    }

    /// Where columns are named, in order.
    pub fn places(&self, request: &SqlRequest<'_>) -> Vec<(Span, RelationId, ColumnId)> {
        let place = |(span, meant): &(Span, Meant)| match meant {
            Meant::Column(table, column) => {
                request.column((*table, *column)).map(|(relation, column)| (*span, relation, column))
            }
            Meant::Table(_) | Meant::Database(_) => None,
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
pub fn analyse(query: &Query<'_>, tree: &ast::Query, accepted: bool) -> Meaning {
    walk(query, tree, accepted.then(Lints::default))
}

/// Analyses a query that a statement contains which SQLite accepts and which changes rows: whatever is read decides what is left.
pub fn of_statement(query: &Query<'_>, tree: &ast::Query) -> Meaning {
    walk(query, tree, Some(Lints::of_statement()))
}

fn walk(query: &Query<'_>, tree: &ast::Query, lints: Option<Lints>) -> Meaning {
    let mut analyser = Analyser::of(query);
    analyser.lints = lints;
    let mut output = analyser.query(tree);
    let odd = lints::finish(&mut analyser, tree, &output);
    if analyser.borrowed_aggregate {
        output.least = 0;
        output.columns.iter_mut().flatten().for_each(|column| column.value.nullable = true);
    }
    let guards = guards(query, tree);
    let mut meaning = analyser.meaning;
    meaning.predicates = Predicates::of(&mut meaning);
    meaning.odd = odd;
    meaning.guards = guards;
    meaning.columns = output.columns;
    meaning.at_most_one_row = output.most.is_some_and(|most| most <= 1);
    meaning.always_a_row = output.least >= 1;
    meaning
}

/// `WHERE date(AT) IS NOT NULL`, or HAVING where rows are gathered: for each column of the output.
fn guards(query: &Query<'_>, tree: &ast::Query) -> Vec<String> {
    let SetExpr::Select(select) = tree.body.as_ref() else { return Vec::new() };
    let guard = |item: &SelectItem| {
        let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { return None };
        let written = query.slice(parse::node(query.tokens, expr)?);
        let word = if functions::aggregates(std::slice::from_ref(item), None, &[]) { "HAVING" } else { "WHERE" };
        Some(format!("{word} {written} IS NOT NULL"))
    };
    select.projection.iter().map(guard).collect::<Option<_>>().unwrap_or_default()
}

impl<'q> Analyser<'q> {
    /// Before the walk.
    pub fn of(query: &'q Query<'q>) -> Analyser<'q> {
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
    pub fn query(&mut self, query: &ast::Query) -> Output {
        let outer_ctes = self.ctes.len();
        let compared = self.compared.take();
        let becomes = self.use_of_rows();
        if let Some(with) = &query.with {
            self.with(with);
        }
        let limit = limit(query);
        let mut output = match query.body.as_ref() {
            SetExpr::Select(select) => self.select(select, query.order_by.as_ref(), Taken { limit, becomes }),
            body => {
                let output = self.body(body);
                self.order_of_set(query.order_by.as_ref(), &output);
                if self.lints.is_some() && query.order_by.is_none() {
                    let odd = lints::set(self, limit, becomes, output.most);
                    self.note_odd(odd);
                }
                output
            }
        };
        self.limit(query, &mut output);
        if query.fetch.is_some() || !query.pipe_operators.is_empty() {
            self.give_up();
        }
        self.ctes.truncate(outer_ctes);
        self.compared = compared;
        output
    }

    fn limit(&mut self, query: &ast::Query, output: &mut Output) {
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
            self.expr(expr);
        }
        self.frames = frames;
        // A negative LIMIT or OFFSET has no effect.
        let skipped = offset.map_or(Some(0), |offset| rows::literal_int(offset).map(|n| u64::try_from(n).unwrap_or(0)));
        output.least = output.least.saturating_sub(skipped.unwrap_or(u64::MAX));
        output.most = output.most.map(|most| most.saturating_sub(skipped.unwrap_or(0)));
        match limit.map(rows::literal_int) {
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
                && !output.names.iter().any(|known| same(known, &name.value))
            {
                self.not_in_output(name, &columns);
            }
        }
    }

    /// A query inside an expression.
    pub fn inner_query(&mut self, query: &ast::Query) -> Output {
        let before = std::mem::take(&mut self.met);
        let letters = std::mem::take(&mut self.letters);
        let innermost = self.innermost.take();
        let output = self.query(query);
        lints::inner(self, &output);
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
    pub fn body(&mut self, body: &SetExpr) -> Output {
        match body {
            SetExpr::Select(select) => self.select(select, None, Taken::default()),
            SetExpr::Query(query) => self.query(query),
            SetExpr::Values(values) => self.values(values),
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
        let mut output = self.body(first);
        let names =
            |output: &Output| output.columns.iter().flatten().map(|column| column.name.clone()).collect::<Vec<_>>();
        output.names = names(&output);
        for (operator, all, arm) in arms.into_iter().rev() {
            let next = self.body(arm);
            let union = matches!(operator, SetOperator::Union);
            output.names.extend(names(&next));
            output.columns = match (output.columns, next.columns) {
                (Some(left), Some(right)) if left.len() == right.len() => Some(merge(left, &right, union)),
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

    fn values(&mut self, values: &ast::Values) -> Output {
        let mut columns: Option<Vec<Column>> = None;
        for row in &values.rows {
            let cells: Vec<Typed> = row.content.iter().map(|cell| self.expr(cell)).collect();
            let row: Vec<Column> = cells
                .into_iter()
                .enumerate()
                .map(|(index, value)| Column { name: format!("column{}", index + 1), value: value.computed() })
                .collect();
            columns = Some(match columns {
                Some(columns) if columns.len() == row.len() => merge(columns, &row, true),
                _ => row,
            });
        }
        let rows = values.rows.len() as u64;
        Output { columns, least: rows, most: Some(rows), ..Output::default() }
    }

    fn select(&mut self, select: &Select, order_by: Option<&OrderBy>, taken: Taken<'_>) -> Output {
        if lints::only_counts(select) {
            self.rows_are(Use::Counted);
        }
        let (mut frame, joins) = self.from(&select.from);
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
            && (select.having.is_some() || functions::aggregates(&select.projection, select.having.as_ref(), &ordered));
        let whole = frame.whole;
        let from_most = rows::product(&frame, &joins);
        frame.some_row = joins.least >= 1 && select.selection.is_none();
        let least = if frame.some_row { joins.least } else { 0 };
        self.frames.push(frame);
        let condition = select.selection.as_ref();
        let not_null = rows::not_null(self, &joins, condition);
        let proved = rows::proved(self, &joins, condition, &select.projection);
        if let Some(frame) = self.frames.last_mut() {
            (frame.not_null, frame.proved) = (not_null, proved);
            frame.kept = rows::kept(select.having.as_ref(), &select.projection);
            frame.filtered = rows::filters(condition);
        }
        // ON comes before aggregation, as WHERE does.
        self.before_aggregation(|this| {
            for join in &joins.constraints {
                this.expr(join.on);
            }
        });
        for argument in &joins.arguments {
            self.expr(argument);
        }
        let projected = self.projection(&select.projection);
        // WHERE and GROUP BY come before aggregation.
        self.before_aggregation(|this| {
            if let Some(condition) = &select.selection {
                this.expr(condition);
            }
            for group in groups {
                this.expr(group);
            }
        });
        if let Some(having) = &select.having {
            self.expr(having);
        }
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &window.1 {
                self.window(spec);
            }
        }
        let terms: Vec<(&Expr, Typed)> = ordered.iter().map(|term| (*term, self.expr(term))).collect();
        self.note_order(&terms, taken.limit.is_some(), taken.becomes);
        let facts = rows::Facts::of(self, &joins, select.selection.as_ref());
        let (one, mut keys) = if whole { (true, Vec::new()) } else { facts.rows(select, groups, projected.as_deref()) };
        let ons = joins.constraints.iter().map(|join| join.on);
        let first = ordered.iter().copied().filter(|_| taken.limit.is_some());
        let chosen: Vec<&Expr> =
            select.selection.iter().chain(groups).chain(&select.having).chain(ons).chain(first).collect();
        let numbers = numbered::numbers(self, (select, groups, whole), &facts, projected.as_deref(), &chosen);
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
            lints::select(self, &scene)
        } else {
            Odd::default()
        };
        self.note_odd(odd);
        self.frames.pop();
        let never = !whole && select.selection.as_ref().is_some_and(rows::never);
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

    fn before_aggregation(&mut self, inner: impl FnOnce(&mut Self)) {
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
    fn projection(&mut self, items: &[SelectItem]) -> Option<Vec<Projected>> {
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
                    let value = self.expr(expr);
                    let name = self.output_name(expr);
                    add(&mut columns, (Column { name, value }, rows::plain(self, expr)));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let column = Column { name: alias.value.clone(), value: self.expr(expr) };
                    aliases.push(column.clone());
                    add(&mut columns, (column, rows::plain(self, expr)));
                }
                SelectItem::Wildcard(_) => match self.star(None) {
                    Some(all) => all.into_iter().for_each(|column| add(&mut columns, column)),
                    None => columns = None,
                },
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                    match self.star(Some(name)) {
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
    fn star(&mut self, only: Option<&ast::ObjectName>) -> Option<Vec<Projected>> {
        let wanted = match only {
            Some(name) => Some(name.0.last()?.as_ident()?.clone()),
            None => None,
        };
        let frame = self.frames.last()?;
        let mut out = Some(Vec::new());
        let mut met = false;
        for (index, relation) in frame.relations.iter().enumerate() {
            if wanted.as_ref().is_some_and(|name| !same(&name.value, &relation.alias)) {
                continue;
            }
            met = true;
            match (&relation.columns, &mut out) {
                (Some(columns), Some(out)) => {
                    for (place, column) in columns.iter().enumerate() {
                        if wanted.is_some() || !relation.merged.contains(&place) {
                            let column = Column { name: column.name.clone(), value: frame.value(index, place) };
                            out.push((column, Some((index, place))));
                        }
                    }
                }
                _ => out = None,
            }
        }
        if let (false, Some(name)) = (met, wanted) {
            self.unknown_relation(&name);
            return None;
        }
        for (column, _) in out.iter().flatten() {
            self.read(&column.value);
        }
        out
    }

    /// The name that SQLite gives a column without AS.
    fn output_name(&self, expr: &Expr) -> String {
        match expr {
            Expr::Identifier(name) => name.value.clone(),
            Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()).unwrap_or_default(),
            other => parse::node(self.query.tokens, other)
                .map(|bytes| self.query.slice(bytes).to_owned())
                .unwrap_or_default(),
        }
    }

    /// Notes what a name means. Gives where it is.
    pub fn means(&mut self, name: &Ident, meant: Meant) -> Option<Span> {
        let bytes = parse::ident(name);
        let span = (bytes.0 < bytes.1).then(|| self.query.span(bytes))?;
        self.meaning.meant.insert((span, meant));
        Some(span)
    }

    /// Notes what a column's name means, and those of its table and database before it.
    pub fn means_column(&mut self, parts: &[Ident], (table, column): (usize, usize)) {
        let [before @ .., name] = parts else { return };
        self.means(name, Meant::Column(table, column));
        let Some(known) = self.query.request.tables.get(table) else { return };
        if let [.., relation] = before
            && same(&relation.value, known.name)
        {
            self.means(relation, Meant::Table(table));
        }
        if let [database, _] = before
            && known.database.is_some_and(|written| same(written, &database.value))
        {
            self.means(database, Meant::Database(table));
        }
    }

    /// Notes that a column is read.
    pub fn read(&mut self, value: &Typed) {
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
fn limit(query: &ast::Query) -> Option<Limit<'_>> {
    let expr = match query.limit_clause.as_ref()? {
        LimitClause::LimitOffset { limit, .. } => limit.as_ref()?,
        LimitClause::OffsetCommaLimit { limit, .. } => limit,
    };
    // A negative LIMIT has no effect; after an OFFSET, fewer rows than LIMIT may still not be all.
    let written = rows::literal_int(expr);
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
fn merge(left: Vec<Column>, right: &[Column], union: bool) -> Vec<Column> {
    let both = |(left, right): (Column, &Column)| {
        let value = if union { left.value.or(&right.value) } else { left.value.computed() };
        Column { name: left.name, value }
    };
    left.into_iter().zip(right).map(both).collect()
}
