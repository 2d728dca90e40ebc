//! `zero_division`: a divisor that is 0 in some sample, and that no condition prevents from being 0.

use model::functions::Aggregate;
use model::suite::{Op, RelationId, Scope};
use model::{Domain, Span, Value};

use super::zero_sums::estimate_zero_sum;
use crate::context::TaskCx;
use hir::facts::{Fact, Facts, Truth, compare_facts};
use hir::{Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, NameSource, Rows};
use syntax::diagnostics::{Code, Diagnostic};

/// The minimum probability at which a count of 0 is reported.
const SELDOM: f64 = 1e-6;

/// Reports every `/` and `mod` whose divisor can be 0.
pub fn report_zero_divisions<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) {
    let divisors = Divisors { cx, facts: cx.facts() };
    let mut look = |expr: &'a Expr, scope| divisors.walk_expr(expr, scope, &mut Vec::new(), said);
    cx.task.visit_exprs(&mut |_, expr, scope| look(expr, scope));
}

/// Estimates a lower bound on the probability that no row of a relation meets a condition, in samples that no `require` about these rows draws again.
pub(crate) fn estimate_no_match<'a>(
    cx: &TaskCx<'a>,
    facts: &Facts<'a>,
    filter: &'a Expr,
    relation: RelationId,
) -> Option<f64> {
    let divisors = Divisors { cx, facts };
    if cx.task.iter_conditions().any(|condition| divisors.may_read_relation(condition, relation)) {
        return None;
    }
    divisors.estimate_no_match_chance(filter, relation, facts.count_rows(relation).most)
}

struct Divisors<'l, 'a> {
    cx: &'l TaskCx<'a>,
    facts: &'l Facts<'a>,
}

/// A condition around an expression, and whether it holds there.
type Guard<'a> = (&'a Expr, bool);

/// The reason why a divisor can be 0.
struct Zero {
    why: String,
    declared: Option<Span>,
    /// The relation that is counted.
    counted: Option<RelationId>,
    /// Whether its rows are added up: the sum can be 0 although there are rows.
    is_sum: bool,
}

/// Lists the values that a call computes for rows, with the conditions on these rows.
fn list_filters(kind: &ExprKind) -> Vec<(&Expr, &Expr)> {
    let ExprKind::Call(_, args) = kind else { return Vec::new() };
    let filters = args.iter().filter_map(|arg| match arg {
        Arg::Each { value, filter: Some(filter), .. } => Some((value, filter)),
        _ => None,
    });
    filters.collect()
}

impl<'a> Divisors<'_, 'a> {
    fn walk_expr(&self, expr: &'a Expr, scope: Scope, guards: &mut Vec<Guard<'a>>, said: &mut Vec<Diagnostic>) {
        let depth = guards.len();
        match &expr.kind {
            ExprKind::Binary(op, sides) => {
                if *op == Op::Div {
                    self.check_divisor(&sides.1, scope, guards, said);
                }
                self.walk_expr(&sides.0, scope, guards, said);
                if matches!(op, Op::And | Op::Or) {
                    guards.push((&sides.0, *op == Op::And));
                }
                self.walk_expr(&sides.1, scope, guards, said);
                guards.truncate(depth);
            }
            ExprKind::If(parts) => {
                self.walk_expr(&parts.0, scope, guards, said);
                for (branch, holds) in [(&parts.1, true), (&parts.2, false)] {
                    guards.push((&parts.0, holds));
                    self.walk_expr(branch, scope, guards, said);
                    guards.truncate(depth);
                }
            }
            kind => {
                if let ExprKind::Call(function, args) = kind
                    && let Some(Arg::Value(by)) = function.divisor.and_then(|at| args.get(at))
                {
                    self.check_divisor(by, scope, guards, said);
                }
                let filters = list_filters(kind);
                expr.visit_children(&mut |child, rows| {
                    // A value is computed only for the rows that are left.
                    let left = filters
                        .iter()
                        .find(|(value, _)| std::ptr::eq(*value, child))
                        .map(|(_, filter)| (*filter, true));
                    guards.extend(left);
                    self.walk_expr(child, rows.map_or(scope, |rows| scope.enter_filter(rows)), guards, said);
                    guards.truncate(depth);
                });
            }
        }
    }

    fn check_divisor(&self, by: &'a Expr, scope: Scope, guards: &[Guard<'a>], said: &mut Vec<Diagnostic>) {
        let Some(zero) = self.find_zero_cause(by, scope) else { return };
        let required = self.cx.task.iter_conditions().map(|condition| (condition, true));
        let excluded = |guard: Guard<'a>| self.can_exclude_zero(guard, by, &zero);
        if guards.iter().copied().chain(required).any(excluded) {
            return;
        }
        let name = self.cx.sources.quote(by.span);
        let named = matches!(by.kind, ExprKind::Name(_) | ExprKind::Column(_));
        let (message, shown) = match named {
            true => (format!("divisor `{name}` can be 0"), name.as_str()),
            false => ("the divisor can be 0".to_owned(), "n"),
        };
        let drawn = if zero.counted.is_none() { "draw it from at least 1, or " } else { "" };
        let new = Diagnostic::new(Code::ZERO_DIVISION, message, by.span, zero.why)
            .with_labels(zero.declared.map(|declared| (declared, "declared here")));
        said.push(new.help(format!(
            "the build stops at such a sample: {drawn}redraw it with `require {shown} != 0`, or write `if {shown} != 0 then … else …`"
        )));
    }

    /// Explains how an expression can be 0 in some of very many samples. Conditions are not considered here.
    fn find_zero_cause(&self, expr: &'a Expr, scope: Scope) -> Option<Zero> {
        let task = self.cx.task;
        let zero = |why: &str, at: Span| Zero { why: why.to_owned(), declared: Some(at), counted: None, is_sum: false };
        match &expr.kind {
            ExprKind::Name(id) => {
                let name = task.names.get(*id)?;
                let has_zero = match &name.source {
                    NameSource::Draw { draw, .. } => can_draw_zero(draw),
                    NameSource::Compute(value) => {
                        let declared = Some(name.span);
                        return self.find_zero_cause(value, Scope::default()).map(|zero| Zero { declared, ..zero });
                    }
                    NameSource::Axis => {
                        let mut cells = task.axes.iter().filter(|axis| axis.slot == *id).flat_map(|axis| &axis.cells);
                        cells.any(|(_, cell)| cell.as_constant().is_some_and(is_zero))
                    }
                    NameSource::Row => {
                        let cells = task.each.as_ref().and_then(|each| each.find_values(*id))?;
                        return cells.iter().any(is_zero).then(|| zero("0 is in a row", name.span));
                    }
                };
                has_zero.then(|| zero("0 is one of its values", name.span))
            }
            ExprKind::Column(id) => {
                let column = task.find_column((scope.row?, *id))?;
                column.source.draw().is_some_and(can_draw_zero).then(|| zero("0 is one of its values", column.span))
            }
            ExprKind::Call(function, args) if function.is_count() => match args.first()? {
                Arg::Relation { relation, filter }
                | Arg::Column { relation, filter, .. }
                | Arg::Each { relation, filter, .. } => self.find_zero_count(*relation, filter.as_ref()),
                _ => None,
            },
            ExprKind::Call(function, args) if function.aggregate == Some(Aggregate::Sum) => {
                let [Arg::Column { relation, column, filter }] = args.as_slice() else { return None };
                let chance = estimate_zero_sum(task, self.facts, (*relation, *column), filter.as_ref())?;
                let declared = Some(task.find_column((*relation, *column))?.span);
                let why = "in some samples all of these values are 0".to_owned();
                (chance >= SELDOM).then_some(Zero { why, declared, counted: Some(*relation), is_sum: true })
            }
            // `coalesce(sum(…), 0)` is 0 without a row.
            ExprKind::Call(function, args) if function.is_first_known() => {
                let [Arg::Value(first), Arg::Value(fallback)] = args.as_slice() else { return None };
                let ExprKind::Call(function, args) = &first.resolve_name(task).kind else { return None };
                let is_zero = fallback.resolve_name(task).as_constant().is_some_and(is_zero);
                match args.first()? {
                    Arg::Column { relation, filter, .. } | Arg::Each { relation, filter, .. }
                        if is_zero && function.aggregate.is_some() =>
                    {
                        self.find_zero_count(*relation, filter.as_ref())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Explains how the number of counted rows can be 0.
    fn find_zero_count(&self, relation: RelationId, filter: Option<&'a Expr>) -> Option<Zero> {
        let declared = self.cx.task.relations.get(relation)?;
        let zero = |why: &str| Zero {
            why: why.to_owned(),
            declared: Some(declared.span),
            counted: Some(relation),
            is_sum: false,
        };
        if let Rows::Count(low, _) = &declared.rows
            && low.as_constant().is_some_and(is_zero)
        {
            return Some(zero("can have no rows"));
        }
        let filter = filter?;
        if self.facts.infer_truth(filter, Scope::with_row(relation)) != Truth::Open {
            return None;
        }
        let most = self.facts.count_rows(relation).most;
        let chance = self.estimate_no_match_chance(filter, relation, most)?;
        (chance >= SELDOM).then(|| zero("in some samples no row meets the condition"))
    }

    /// Estimates a lower bound on the probability that none of `rows` rows meets a condition. Returns `None` if nothing is known.
    fn estimate_no_match_chance(&self, filter: &'a Expr, relation: RelationId, rows: u64) -> Option<f64> {
        if let Some(share) = find_flag_share(self.cx.task, filter, relation) {
            return Some(libm::pow(1.0 - share, f64::from(i32::try_from(rows).ok()?)));
        }
        let ExprKind::Binary(op, sides) = &filter.kind else { return None };
        if *op == Op::And {
            // If one side never holds, neither does the conjunction.
            let (a, b) = (
                self.estimate_no_match_chance(&sides.0, relation, rows),
                self.estimate_no_match_chance(&sides.1, relation, rows),
            );
            return a.into_iter().chain(b).reduce(f64::max);
        }
        let ExprKind::Column(column) = sides.0.kind else { return None };
        let own = self.cx.task.relations.get(relation)?;
        // With a key, rows are not drawn independently.
        if own.is_in_key(column) {
            return None;
        }
        let ColumnSource::Draw { draw, of: 1, .. } = &own.columns.get(column)?.source else { return None };
        let DrawDomain::Fixed(domain) = &draw.domain else { return None };
        if draw.unique || !draw.except.is_empty() || !(domain.is_uniform() || matches!(domain, Domain::Weighted { .. }))
        {
            return None;
        }
        let rows = f64::from(i32::try_from(rows).ok()?);
        let none = |value: &Value| {
            estimate_match_share(domain, *op, value).map(|share| libm::pow((1.0 - share).max(0.0), rows))
        };
        match &sides.1.kind {
            ExprKind::Const(value) => none(value),
            ExprKind::Name(id) => match &self.cx.task.names.get(*id)?.source {
                NameSource::Draw { draw: Draw { domain: DrawDomain::Fixed(other), except, .. }, .. }
                    if other.is_uniform() && except.is_empty() =>
                {
                    let values = other.list_values()?;
                    let chances: Option<Vec<f64>> = values.iter().map(none).collect();
                    Some(chances?.iter().sum::<f64>() / values.len() as f64)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Checks whether a condition could keep the divisor from being 0: it reads the divisor or the counted relation, and does not also hold for 0.
    fn can_exclude_zero(&self, (condition, holds): Guard<'a>, by: &'a Expr, zero: &Zero) -> bool {
        // A condition can have a name of its own.
        let condition = condition.resolve_name(self.cx.task);
        if zero.is_sum
            && let ExprKind::Binary(op, sides) = &condition.kind
        {
            // That there are rows says nothing of their sum.
            let is_null = |side: &Expr| side.as_constant().is_some_and(Value::is_null);
            if matches!(op, Op::Eq | Op::Ne) && (is_null(&sides.0) || is_null(&sides.1)) {
                return false;
            }
            if *op == Op::And && holds {
                return [&sides.0, &sides.1].into_iter().any(|side| self.can_exclude_zero((side, holds), by, zero));
            }
        }
        if holds && self.is_true_for_zero(condition, by) {
            return false;
        }
        zero.counted.is_some_and(|counted| self.may_read_relation(condition, counted))
            || condition.has_part(|expr| self.is_same(expr, by))
    }

    /// Checks whether a condition always holds if the divisor is 0.
    fn is_true_for_zero(&self, condition: &'a Expr, by: &'a Expr) -> bool {
        let ExprKind::Binary(op, sides) = &condition.kind else { return false };
        let infer = |side| self.facts.infer_expr(side, Scope::default());
        let truth = match (self.infer_for_zero(&sides.0, by), self.infer_for_zero(&sides.1, by)) {
            (Some(left), None) => compare_facts(*op, &left, &infer(&sides.1)),
            (None, Some(right)) => compare_facts(*op, &infer(&sides.0), &right),
            _ => Truth::Open,
        };
        truth == Truth::Always
    }

    /// What is known of an expression if the divisor is 0: of the divisor itself, and of `all - n`, which is then `all`. `None` if it is neither.
    fn infer_for_zero(&self, expr: &'a Expr, by: &'a Expr) -> Option<Fact<'a>> {
        if self.is_same(expr, by) {
            return Some(Fact::from_value(&Value::Int(0)));
        }
        match &expr.resolve_name(self.cx.task).kind {
            ExprKind::Binary(Op::Sub, sides) if self.is_same(&sides.1, by) => {
                Some(self.facts.infer_expr(&sides.0, Scope::default()))
            }
            _ => None,
        }
    }

    /// Checks whether two expressions have the same value after resolving computed names. Calls must be the same call in the source.
    fn is_same(&self, a: &'a Expr, b: &'a Expr) -> bool {
        let (a, b) = (a.resolve_name(self.cx.task), b.resolve_name(self.cx.task));
        match (&a.kind, &b.kind) {
            (ExprKind::Call(f, x), ExprKind::Call(g, y)) => f == g && x.len() == y.len() && a.span == b.span,
            (x, y) => x == y,
        }
    }

    /// Checks whether an expression can read rows of a relation, also through names. Queries, files, and paths count as reading any relation.
    fn may_read_relation(&self, expr: &'a Expr, relation: RelationId) -> bool {
        expr.has_part_through_names(self.cx.task, |expr| {
            let ExprKind::Call(_, args) = &expr.kind else { return false };
            args.iter().any(|arg| match arg {
                Arg::Relation { relation: read, .. }
                | Arg::Column { relation: read, .. }
                | Arg::Each { relation: read, .. } => *read == relation,
                Arg::Sql(_) | Arg::File(_) | Arg::Path(_) => true,
                Arg::Value(_) => false,
            })
        })
    }
}

/// Checks whether a draw can be 0 with at least the probability [`SELDOM`].
fn can_draw_zero(draw: &Draw) -> bool {
    let DrawDomain::Fixed(domain) = &draw.domain else { return false };
    let likely = match domain {
        Domain::Weighted { .. } => {
            estimate_match_share(domain, Op::Eq, &Value::Int(0)).is_some_and(|share| share >= SELDOM)
        }
        _ => domain.is_uniform() && domain.cardinality().is_some_and(|size| 1.0 / size as f64 >= SELDOM),
    };
    likely && draw.except.is_empty() && domain.index_of(&Value::Int(0)).is_some()
}

fn is_zero(value: &Value) -> bool {
    value.compare_with(&Value::Int(0)).is_some_and(std::cmp::Ordering::is_eq)
}

/// Estimates the share of a domain's draws that satisfy `x op value`, rather too large than too small.
pub(crate) fn estimate_match_share(domain: &Domain, op: Op, value: &Value) -> Option<f64> {
    let meets = |item: &Value| {
        let fact = Fact::from_value(item);
        match compare_facts(op, &fact, &Fact::from_value(value)) {
            Truth::Always => Some(true),
            Truth::Never => Some(false),
            Truth::Open => None,
        }
    };
    if let Domain::Weighted { items } = domain {
        let mut met = 0u64;
        let mut all = 0u64;
        for (item, weight) in items {
            all = all.checked_add(*weight)?;
            met += if meets(item)? { *weight } else { 0 };
        }
        return (all > 0).then(|| met as f64 / all as f64);
    }
    if let Some(values) = domain.list_values() {
        let met = values.iter().map(meets).collect::<Option<Vec<bool>>>()?;
        return Some(met.iter().filter(|met| **met).count() as f64 / met.len().max(1) as f64);
    }
    // Too many to list: in an ordered range, the position of the value determines the share.
    let (size, (low, high)) = (domain.cardinality()? as f64, domain.find_range()?);
    let number = |value: &Value| match value {
        Value::Date(day) => Some(f64::from(day.0)),
        Value::DateTime(moment) => Some(moment.0 as f64),
        other => other.as_f64(),
    };
    let (low, high, at) = (number(&low)?, number(&high)?, number(value)?);
    let below = ((at - low) / (high - low)).clamp(0.0, 1.0);
    // One value more is counted, because the share should rather be too large.
    Some(match op {
        Op::Lt | Op::Le => below + 1.0 / size,
        Op::Gt | Op::Ge => 1.0 - below + 1.0 / size,
        Op::Eq => 1.0 / size,
        _ => return None,
    })
}

/// The share of rows that meet a condition that is a column of bools, or its negation.
fn find_flag_share(task: &hir::Task, filter: &Expr, relation: RelationId) -> Option<f64> {
    if let ExprKind::Not(inner) = &filter.kind {
        let ExprKind::Column(_) = inner.kind else { return None };
        return find_flag_share(task, inner, relation).map(|share| 1.0 - share);
    }
    let column = filter.as_column_id()?;
    let own = task.relations.get(relation).filter(|own| !own.is_in_key(column))?;
    let ColumnSource::Draw { draw, of: 1, .. } = &own.columns.get(column)?.source else { return None };
    match &draw.domain {
        DrawDomain::Fixed(Domain::Bool { per_million }) if !draw.may_be_blank() => Some(f64::from(*per_million) / 1e6),
        _ => None,
    }
}
