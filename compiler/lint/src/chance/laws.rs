//! The laws of expressions: from the domains of draws, through operators, conditions, and functions of values.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use model::functions::{FunctionId, Inputs, Kernel, Pick};
use model::suite::{ColumnId, NameId, Op, RelationId, Scope};
use model::{Domain, Val, Value, ops};

use super::law::{Law, Moments};
use super::rows::find_number_moments;
use super::sources::{Source, collect_sources};
use hir::facts::Facts;
use hir::{Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, NameSource, Rows, Task};

/// The number of steps after which nothing more is inferred for an answer.
const MAX_STEPS: u32 = 2_000;
/// From this number on, the values of a domain are too many to be equal by chance.
const MANY_VALUES: u128 = 10_000;
/// The most rows of a table of which the values of a unique column are listed.
const MAX_UNIQUE: f64 = 400.0;

/// Infers the laws of expressions of a task.
pub struct Laws<'l, 'a> {
    pub task: &'a Task,
    pub facts: &'l Facts<'a>,
    /// Draws whose value is known for the moment.
    known: RefCell<Vec<(Source, Value)>>,
    steps: Cell<u32>,
}

impl<'l, 'a> Laws<'l, 'a> {
    /// Prepares for the answers of a task.
    pub fn new(facts: &'l Facts<'a>) -> Laws<'l, 'a> {
        Laws { task: facts.task(), facts, known: RefCell::default(), steps: Cell::new(0) }
    }

    /// The law of an answer. `None` if not enough is known.
    pub fn infer_answer(&self, answer: &Expr) -> Option<Law> {
        self.steps.set(0);
        self.infer_expr(answer, Scope::default())
    }

    /// The law of an expression.
    pub(super) fn infer_expr(&self, expr: &Expr, scope: Scope) -> Option<Law> {
        self.steps.set(self.steps.get().saturating_add(1));
        if self.steps.get() > MAX_STEPS {
            return None;
        }
        match &expr.kind {
            ExprKind::Const(value) => Some(Law::from_value(value.clone())),
            ExprKind::Name(id) => self.infer_name(*id),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                let (relation, column) = expr.find_cell(scope)?;
                self.infer_cell(relation, column)
            }
            ExprKind::Neg(inner) => match self.infer_expr(inner, scope)? {
                Law::Bell(moments) => Some(Law::Bell(moments.scale(-1.0))),
                law => law.map_values(|value| ops::apply_neg(value).ok()),
            },
            ExprKind::Not(inner) => Some(Law::from_truth(1.0 - self.infer_truth(inner, scope)?)),
            ExprKind::Binary(..) if expr.as_null_test().is_some() => {
                let (op, tested) = expr.as_null_test()?;
                let law = self.infer_expr(tested, scope)?;
                law.map_values(|value| Some(Value::Bool(value.is_null() == (op == Op::Eq))))
            }
            ExprKind::Binary(op, sides) => self.infer_binary(*op, (&sides.0, &sides.1), scope),
            ExprKind::If(parts) => self.infer_choice((&parts.0, &parts.1, &parts.2), scope),
            ExprKind::Concat(pieces) => self.infer_text(pieces, scope),
            ExprKind::Call(function, args) => self.infer_call(*function, args, scope),
            _ => None,
        }
    }

    /// The probability that a condition holds.
    pub(super) fn infer_truth(&self, condition: &Expr, scope: Scope) -> Option<f64> {
        self.infer_expr(condition, scope)?.as_truth()
    }

    /// Calls `work` while a draw has a known value.
    pub(super) fn assume<T>(&self, source: Source, value: &Value, work: impl FnOnce() -> T) -> T {
        self.known.borrow_mut().push((source, value.clone()));
        let result = work();
        self.known.borrow_mut().pop();
        result
    }

    fn find_assumed(&self, source: Source) -> Option<Law> {
        let known = self.known.borrow();
        known.iter().rev().find(|(of, _)| *of == source).map(|(_, value)| Law::from_value(value.clone()))
    }

    /// The draws on which an expression depends, without those with a known value.
    pub(super) fn collect_sources(&self, expr: &Expr, scope: Scope) -> Option<BTreeSet<Source>> {
        let known = self.known.borrow().iter().map(|(source, _)| *source).collect();
        collect_sources(self.task, expr, scope, known)
    }

    /// Whether two expressions depend on no common draw, except for those with a known value.
    pub(super) fn are_independent(&self, (a, of_a): (&Expr, Scope), (b, of_b): (&Expr, Scope)) -> bool {
        match (self.collect_sources(a, of_a), self.collect_sources(b, of_b)) {
            (Some(a), Some(b)) => a.is_disjoint(&b),
            _ => false,
        }
    }

    /// Whether the value of a draw is known for the moment.
    pub(super) fn is_assumed(&self, source: Source) -> bool {
        self.known.borrow().iter().any(|(of, _)| *of == source)
    }

    /// The law of a name.
    pub(super) fn infer_name(&self, id: NameId) -> Option<Law> {
        if let Some(law) = self.find_assumed(Source::Name(id)) {
            return Some(law);
        }
        match &self.task.names.get(id)?.source {
            NameSource::Compute(value) => self.infer_expr(value, Scope::default()),
            NameSource::Draw { draw, .. } => self.infer_draw(draw),
            NameSource::Axis | NameSource::Row => None,
        }
    }

    /// The law of a cell of a column, whatever its row.
    pub(super) fn infer_cell(&self, relation: RelationId, column: ColumnId) -> Option<Law> {
        if let Some(law) = self.find_assumed(Source::Column(relation, column)) {
            return Some(law);
        }
        let declared = self.task.relations.get(relation)?;
        match &declared.columns.get(column)?.source {
            // Values that may not repeat depend on each other.
            ColumnSource::Draw { draw, of: 1, .. } if !draw.unique => self.infer_draw(draw),
            ColumnSource::Compute(value) => self.infer_expr(value, Scope::with_row(relation)),
            ColumnSource::Taken(from) => match &declared.rows {
                Rows::Taken { from: relation, filter: None } => self.infer_cell(*relation, *from),
                _ => None,
            },
            _ => None,
        }
    }

    fn infer_draw(&self, draw: &Draw) -> Option<Law> {
        if !draw.except.is_empty() || draw.blank.is_some() {
            return None;
        }
        let law = match &draw.domain {
            DrawDomain::Fixed(Domain::Serial) => return None,
            DrawDomain::Fixed(domain) => Law::from_domain(domain)?,
            DrawDomain::Share(share) => {
                Law::from_truth(self.infer_expr(share, Scope::default())?.find_moments()?.mean / 100.0)
            }
            DrawDomain::OneOf(items) => {
                let share = 1.0 / items.len() as f64;
                let laws = items.iter().map(|item| Some((self.infer_expr(item, Scope::default())?, share)));
                Law::mix(laws.collect::<Option<_>>()?)?
            }
            DrawDomain::Ref { relation, column, together, filter: None } if together.is_empty() => {
                self.infer_unique(*relation, *column).or_else(|| self.infer_cell(*relation, *column))?
            }
            _ => return None,
        };
        law.with_null(f64::from(draw.blank_per_million) / 1e6)
    }

    /// The law of a cell of a column whose values do not repeat: as many values as it has rows, all equally likely. Which values of its domain these are is not known:
    /// others, spread evenly, represent them.
    fn infer_unique(&self, relation: RelationId, column: ColumnId) -> Option<Law> {
        let draw = self.task.find_column((relation, column))?.source.draw()?;
        let DrawDomain::Fixed(domain) = &draw.domain else { return None };
        let is_serial = *domain == Domain::Serial;
        if !(is_serial || draw.unique) || !draw.except.is_empty() || draw.blank.is_some() || draw.blank_per_million > 0
        {
            return None;
        }
        let (mean, _) = find_number_moments(&self.infer_row_count(relation)?);
        let rows = (1.0..=MAX_UNIQUE).contains(&mean).then_some(mean.round() as u128)?;
        let value = |at: u128| match is_serial {
            true => i64::try_from(at + 1).ok().map(Value::Int),
            false => domain.value_at(at * domain.cardinality()?.checked_div(rows)?.max(1)),
        };
        let share = 1.0 / rows as f64;
        Some(Law::Listed((0..rows).map(|at| Some((value(at)?, share))).collect::<Option<_>>()?))
    }

    fn infer_binary(&self, op: Op, (left, right): (&Expr, &Expr), scope: Scope) -> Option<Law> {
        if let Op::And | Op::Or = op {
            let (a, b) = (self.infer_truth(left, scope)?, self.infer_truth(right, scope)?);
            let both = self.are_independent((left, scope), (right, scope)).then_some(a * b)?;
            return Some(Law::from_truth(if op == Op::And { both } else { a + b - both }));
        }
        if let Op::In | Op::NotIn = op {
            let items = right.resolve_name(self.task).as_constant_items()?;
            let law = self.infer_expr(left, scope)?;
            let is_in = |value: &Value| items.iter().any(|item| item.is_same(value));
            return law.map_values(|value| (!value.is_null()).then(|| Value::Bool(is_in(value) == (op == Op::In))));
        }
        if let Op::Eq | Op::Ne = op
            && let Some(share) = self.infer_rare_equality((left, right), scope)
        {
            return Some(Law::from_truth(if op == Op::Eq { share } else { 1.0 - share }));
        }
        let (a, b) = (self.infer_expr(left, scope)?, self.infer_expr(right, scope)?);
        let is_constant = |law: &Law| matches!(law, Law::Listed(values) if values.len() == 1);
        if !is_constant(&a) && !is_constant(&b) && !self.are_independent((left, scope), (right, scope)) {
            return if op == Op::Div { self.infer_share(left, right) } else { None };
        }
        match (&a, &b) {
            (Law::Listed(_), Law::Listed(_)) => a.combine(&b, |x, y| ops::apply_binary(op, x, y).ok()),
            _ => combine_bells(op, &a, &b),
        }
    }

    /// The probability that a cell with many possible values is equal to a value that is drawn on its own: such values are too many to list.
    fn infer_rare_equality(&self, (left, right): (&Expr, &Expr), scope: Scope) -> Option<f64> {
        let share = |cell: &Expr, other: &Expr| {
            let (relation, column) = cell.find_cell(scope)?;
            let draw = self.task.find_column((relation, column))?.source.draw()?;
            let DrawDomain::Fixed(domain) = &draw.domain else { return None };
            let values = domain.cardinality().filter(|values| domain.is_uniform() && *values > MANY_VALUES)?;
            let is_plain = draw.except.is_empty() && !draw.may_be_blank() && !draw.unique;
            (is_plain && self.is_drawn_alone(other)).then_some(1.0 / values as f64)
        };
        share(left, right).or_else(|| share(right, left))
    }

    /// Whether a value is a name with a domain of its own: nothing of the data decides it.
    fn is_drawn_alone(&self, value: &Expr) -> bool {
        let ExprKind::Name(id) = value.resolve_name(self.task).kind else { return false };
        let draw = self.task.names.get(id).and_then(|name| name.source.draw());
        draw.is_some_and(|draw| matches!(draw.domain, DrawDomain::Fixed(_)))
    }

    /// `if … then … else …`: each branch with the probability that it is taken. A branch that depends on the condition must be constant.
    fn infer_choice(&self, (condition, yes, no): (&Expr, &Expr, &Expr), scope: Scope) -> Option<Law> {
        let holds = self.infer_truth(condition, scope)?;
        let branch = |branch: &Expr| {
            let constant = branch.resolve_name(self.task).as_constant().is_some();
            (constant || self.are_independent((condition, scope), (branch, scope)))
                .then(|| self.infer_expr(branch, scope))
                .flatten()
        };
        Law::mix(vec![(branch(yes)?, holds), (branch(no)?, 1.0 - holds)])
    }

    fn infer_text(&self, pieces: &[Expr], scope: Scope) -> Option<Law> {
        let mut whole = Law::from_value(Value::from_text(""));
        for (at, piece) in pieces.iter().enumerate() {
            let before = pieces.get(..at).unwrap_or_default();
            let free = before.iter().all(|before| self.are_independent((before, scope), (piece, scope)));
            let next = free.then(|| self.infer_expr(piece, scope)).flatten()?;
            whole = whole.combine(&next, |text, value| {
                Some(Value::Text(format!("{}{}", text.render_text(), value.render_text())))
            })?;
        }
        Some(whole)
    }

    fn infer_call(&self, function: FunctionId, args: &[Arg], scope: Scope) -> Option<Law> {
        match args {
            [Arg::Sql(sql)] => self.infer_total(function, sql),
            [Arg::Relation { relation, filter }] => self.infer_rows(function, (*relation, None, filter.as_ref())),
            [Arg::Column { relation, column, filter }] => {
                self.infer_rows(function, (*relation, Some(super::rows::Cell::Column(*column)), filter.as_ref()))
            }
            [Arg::Each { relation, value, filter }] => {
                self.infer_rows(function, (*relation, Some(super::rows::Cell::Value(value)), filter.as_ref()))
            }
            // The value at a position that is not known to be special.
            [Arg::Column { relation, column, filter: None }, ..] if function.picks == Some(Pick::Place) => {
                let draw = self.task.find_column((*relation, *column))?.source.draw()?;
                (!draw.sorted).then(|| self.infer_cell(*relation, *column)).flatten()
            }
            args => self.infer_value_call(function, args, scope),
        }
    }

    /// The law of a function of values of which at most one is random.
    fn infer_value_call(&self, function: FunctionId, args: &[Arg], scope: Scope) -> Option<Law> {
        let laws = args.iter().map(|arg| match arg {
            Arg::Value(value) => self.infer_expr(value, scope),
            _ => None,
        });
        let laws: Vec<Law> = laws.collect::<Option<_>>()?;
        let (random, fixed): (Vec<usize>, Vec<usize>) =
            (0..laws.len()).partition(|at| !matches!(laws.get(*at), Some(Law::Listed(values)) if values.len() == 1));
        let constants = fixed.iter().map(|at| match laws.get(*at) {
            Some(Law::Listed(values)) => values.first().map(|(value, _)| (*at, value.clone())),
            _ => None,
        });
        let constants: Vec<(usize, Value)> = constants.collect::<Option<_>>()?;
        let at = match random.as_slice() {
            [] => 0,
            [at] => *at,
            _ => return None,
        };
        // The first value that is not null is nearly always the first.
        if function.is_first_known() {
            return self.infer_first_known(laws);
        }
        let law = laws.get(at)?;
        if let Law::Bell(_) = law {
            // Rounding changes a sum only a little.
            return function.places.is_some().then(|| law.clone());
        }
        let Kernel::Values(kernel) = function.kernel else { return None };
        if !function.folded {
            return None;
        }
        law.map_values(|value| {
            let argument = |index: usize| match constants.iter().find(|(at, _)| *at == index) {
                Some((_, constant)) if index != at => Val::Own(constant.clone()),
                _ => Val::Own(value.clone()),
            };
            let values = (0..laws.len()).map(argument).collect();
            kernel(Inputs { function: function.name, values }).ok().map(Val::into_value)
        })
    }

    fn infer_first_known(&self, laws: Vec<Law>) -> Option<Law> {
        let mut laws = laws.into_iter();
        match (laws.next()?, laws.next()) {
            (law @ Law::Bell(_), _) => Some(law),
            (Law::Listed(values), Some(Law::Listed(others))) => match others.as_slice() {
                [(fallback, _)] => Law::Listed(values)
                    .map_values(|value| Some(if value.is_null() { fallback.clone() } else { value.clone() })),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The law of an operation on numbers of which at least one is nearly normally distributed.
pub(super) fn combine_bells(op: Op, a: &Law, b: &Law) -> Option<Law> {
    let (x, y) = (a.find_moments()?, b.find_moments()?);
    Some(match op {
        Op::Add => Law::Bell(x.add(y)),
        Op::Sub => Law::Bell(x.add(y.scale(-1.0))),
        Op::Mul if y.variance == 0.0 => Law::Bell(x.scale(y.mean)),
        Op::Mul if x.variance == 0.0 => Law::Bell(y.scale(x.mean)),
        Op::Div if y.variance == 0.0 && y.mean != 0.0 => Law::Bell(x.scale(1.0 / y.mean)),
        Op::Lt | Op::Le | Op::Gt | Op::Ge => {
            let below = estimate_share_below(x, y);
            Law::from_truth(if matches!(op, Op::Lt | Op::Le) { below } else { 1.0 - below })
        }
        _ => return None,
    })
}

/// The probability that a number is less than another, independent one.
fn estimate_share_below(x: Moments, y: Moments) -> f64 {
    x.add(y.scale(-1.0)).share_below(0.0)
}
