//! SELECT: its output columns and how many rows it returns; and the analysis of a whole query.

use sqlparser::ast::{
    self, Expr, GroupByExpr, NamedWindowExpr, OrderBy, OrderByKind, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr,
};

use super::analyser::Analyser;
use super::expressions::{as_output_expr, find_last_name, split_conjuncts};
use super::functional_dependencies::Facts;
use super::lints::findings::{Lints, Odd};
use super::lints::idle_comparisons::find_idle_comparisons;
use super::lints::scene::Scene;
use super::meaning::Meaning;
use super::output::{Output, Projected, Taken, Use};
use super::request::{Query, is_same_name};
use super::risks::Risk;
use super::scope::{Column, ExprType, Place, resolve_place};
use super::{functions, lints, made_rows, parse, rows, window_functions};

/// Analyses a whole query; `lints` are looked for where SQLite accepts it.
pub fn analyse_tree(query: &Query<'_>, tree: &ast::Query, lints: Option<Lints>) -> Meaning {
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
    if !matches!(tree.body.as_ref(), SetExpr::Select(_)) {
        meaning.kept.clear();
    }
    if meaning.complete && meaning.names.is_empty() {
        meaning.idle = find_idle_comparisons(&meaning.predicates);
    }
    meaning.predicates = meaning.take_predicates();
    meaning.odd = odd;
    meaning.guards = guards;
    let count = output.columns.as_ref().map_or(0, Vec::len);
    output.keys.retain(|key| !key.is_empty() && key.iter().all(|column| *column < count));
    meaning.keys = output.keys;
    meaning.columns = output.columns;
    meaning.at_most_one_row = output.most.is_some_and(|most| most <= 1);
    meaning.always_a_row = output.least >= 1;
    meaning
}

/// `WHERE date(AT) IS NOT NULL`, or HAVING where rows are gathered: for each column of the output.
fn build_guards(query: &Query<'_>, tree: &ast::Query) -> Vec<String> {
    let SetExpr::Select(select) = tree.body.as_ref() else { return Vec::new() };
    let guard = |item: &SelectItem| {
        let expr = as_output_expr(item)?;
        let written = query.slice_text(parse::find_node_bytes(query.tokens, expr)?);
        let word = if functions::has_aggregate(std::slice::from_ref(item), None, &[]) { "HAVING" } else { "WHERE" };
        Some(format!("{word} {written} IS NOT NULL"))
    };
    select.projection.iter().map(guard).collect::<Option<_>>().unwrap_or_default()
}

/// Whether it may return a value of any of all rows, next to an aggregate.
fn may_pick_row(select: &Select) -> bool {
    let names_column = |item: &SelectItem| as_output_expr(item).is_none_or(functions::names_row_column);
    select.having.is_some() || select.projection.iter().any(names_column)
}

impl Analyser<'_> {
    /// Whether the terms of GROUP BY contain a key of the only table, without nulls.
    fn has_single_rows(&self, groups: &[Expr]) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let [only] = frame.relations.as_slice() else { return false };
        let places: Vec<Place> = groups.iter().filter_map(|group| resolve_place(&self.frames, group)).collect();
        let is_grouped = |column: &usize| places.contains(&(0, *column)) && !frame.infer_column(0, *column).nullable;
        only.keys.iter().any(|key| !key.is_empty() && key.iter().all(is_grouped))
    }

    pub(super) fn infer_select(&mut self, select: &Select, order_by: Option<&OrderBy>, taken: Taken<'_>) -> Output {
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
        if !groups.is_empty() || whole && may_pick_row(select) {
            self.add_risk(Risk::Order);
        }
        let sorted = order_by.is_some() || (groups.is_empty() && frame.is_in_order());
        let from_most = rows::compute_max_rows(&frame, &joins);
        frame.some_row = joins.least >= 1 && select.selection.is_none();
        frame.most = from_most;
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
        let most_in_group = if self.has_single_rows(groups) { Some(1) } else { from_most };
        if let Some(frame) = self.frames.last_mut() {
            frame.most_in_group = most_in_group;
        }
        // ON comes before aggregation, as WHERE does.
        self.run_before_aggregation(|this| {
            for join in &joins.constraints {
                this.infer_expr(join.on);
                this.note_conditions(join.on);
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
                this.note_conditions(condition);
            }
            // The last one is that of the outermost SELECT, after all within it.
            if this.frames.len() == 1 {
                let parts = select.selection.iter().flat_map(split_conjuncts);
                this.meaning.kept = parts.map(|part| this.build_term(part)).collect();
            }
            for group in groups {
                this.infer_expr(group);
            }
        });
        if let Some(having) = &select.having {
            self.infer_expr(having);
            self.note_conditions(having);
        }
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &window.1 {
                self.visit_window(spec);
            }
        }
        let terms: Vec<(&Expr, ExprType)> = ordered.iter().map(|term| (*term, self.infer_expr(term))).collect();
        self.note_order(&terms, &taken);
        let facts = Facts::new(self, &joins, select.selection.as_ref());
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
        let columns: Option<Vec<Column>> =
            projected.map(|columns| columns.into_iter().map(|(column, _)| column).collect());
        let written = columns.as_ref().filter(|_| select.from.is_empty()).map(|columns| vec![self.list_terms(columns)]);
        let (numbered, loose) = (numbers.numbered, numbers.loose);
        let made = made_rows::describe_select(self.query, select, columns.as_deref());
        Output { columns, least, most, keys, sorted, numbered, loose, made, written, names: Vec::new() }
    }

    fn run_before_aggregation(&mut self, inner: impl FnOnce(&mut Self)) {
        self.set_in_aggregate(true);
        inner(self);
        self.set_in_aggregate(false);
    }

    /// The output columns, and which columns of FROM they plainly are.
    fn infer_projection(&mut self, items: &[SelectItem]) -> Option<Vec<Projected>> {
        let mut outputs: Vec<Option<Vec<Projected>>> = Vec::new();
        let mut aliases = Vec::new();
        for item in items {
            outputs.push(match item {
                SelectItem::UnnamedExpr(expr) => {
                    let value = self.infer_expr(expr);
                    let value = self.with_term(expr, value);
                    let name = self.infer_output_name(expr);
                    Some(vec![(Column { name, value }, resolve_place(&self.frames, expr))])
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let value = self.infer_expr(expr);
                    let column = Column { name: alias.value.clone(), value: self.with_term(expr, value) };
                    aliases.push(column.clone());
                    Some(vec![(column, resolve_place(&self.frames, expr))])
                }
                SelectItem::Wildcard(_) => self.expand_star(None),
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                    self.expand_star(Some(name))
                }
                _ => {
                    self.give_up();
                    None
                }
            });
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.aliases = aliases;
        }
        let outputs: Option<Vec<_>> = outputs.into_iter().collect();
        Some(outputs?.into_iter().flatten().collect())
    }

    /// The columns of `*` or `relation.*`.
    fn expand_star(&mut self, only: Option<&ast::ObjectName>) -> Option<Vec<Projected>> {
        let wanted = match only {
            Some(name) => Some(find_last_name(name)?.clone()),
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

    /// Returns the name that SQLite assigns to a column without AS.
    fn infer_output_name(&self, expr: &Expr) -> String {
        match expr {
            Expr::Identifier(name) => name.value.clone(),
            Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()).unwrap_or_default(),
            other => parse::find_node_bytes(self.query.tokens, other)
                .map(|bytes| self.query.slice_text(bytes).to_owned())
                .unwrap_or_default(),
        }
    }
}
