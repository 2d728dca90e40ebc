//! `require`s that never hold together, and those that hold so rarely that a build can run out of attempts.

use std::collections::BTreeSet;

use model::suite::{NameId, Op, RelationId, Scope};
use model::value::group_digits;
use model::{Domain, Value};

use super::linear::{Bound, Known, collect_known};
use crate::context::{TaskCx, report_once};
use crate::domains::estimate_match_share;
use hir::facts::{Facts, is_contradiction};
use hir::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, NameSource, Require, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// How often a build draws a sample again.
const ATTEMPTS: u64 = 1000;

/// The chance to hold below which all attempts can fail in more than one of a hundred samples.
const RARE: f64 = 0.004;

/// Reports `require`s that contradict each other. Returns whether there are any.
pub(super) fn report_contradictions<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, said: &mut Vec<Diagnostic>) -> bool {
    let before = said.len();
    let requires = &cx.task.requires;
    for (at, second) in requires.iter().enumerate() {
        let Some(first) = requires.iter().take(at).find(|first| contradict(cx.task, facts, first, second)) else {
            continue;
        };
        let message = "two `require`s never hold together";
        let said_of = Diagnostic::new(Code::REQUIRE_NEVER_HELD, message, second.span, "false where the other is true")
            .label(first.span, "the other one")
            .help("remove one of them, or let them ask for different values");
        report_once(said_of, said);
    }
    said.len() > before
}

fn contradict<'a>(task: &'a Task, facts: &Facts<'a>, first: &'a Require, second: &'a Require) -> bool {
    let known = |require: &'a Require| {
        let mut known = Vec::new();
        collect_known(task, (&require.condition, Scope::default()), true, &mut known);
        known
    };
    let (firsts, seconds) = (known(first), known(second));
    let differ = firsts.iter().any(|one| seconds.iter().any(|other| exclude_each_other(facts, one, other)));
    differ || {
        let (firsts, seconds) = (list_comparisons(&first.condition), list_comparisons(&second.condition));
        firsts.iter().any(|(op, left, right)| {
            seconds.iter().any(|(other_op, other_left, other_right)| {
                left.without_spans() == other_left.without_spans() && {
                    let (a, b) =
                        (facts.infer_expr(right, Scope::default()), facts.infer_expr(other_right, Scope::default()));
                    is_contradiction((*op, &a), (*other_op, &b))
                }
            })
        })
    }
}

/// Whether two sums cannot both be as large as is known.
fn exclude_each_other<'a>(facts: &Facts<'a>, one: &Known<'a>, other: &Known<'a>) -> bool {
    let (Known::AtLeast(a, least_a), Known::AtLeast(b, least_b)) = (one, other) else { return false };
    // The largest a + b is below the smallest that both ask for: −(a + b) + least_a + least_b > 0.
    let least = a.negate().subtract(b).find_least(facts);
    let sum = least.zip(least_a.add_bound(*least_b)).and_then(|(least, bounds)| least.add_bound(bounds));
    sum.is_some_and(|sum| sum.implies(Bound::positive()))
}

/// The comparisons that must hold together.
fn list_comparisons(condition: &Expr) -> Vec<(Op, &Expr, &Expr)> {
    let (mut open, mut found) = (vec![condition], Vec::new());
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(Op::And, sides) => open.extend([&sides.0, &sides.1]),
            ExprKind::Binary(op @ (Op::Eq | Op::Lt | Op::Le | Op::Gt | Op::Ge), sides)
                if expr.as_null_test().is_none() =>
            {
                found.push((*op, &sides.0, &sides.1));
            }
            _ => {}
        }
    }
    found
}

/// Reports `require`s that hold so rarely that all attempts at a sample can fail.
pub(super) fn report_rare_requires(cx: &TaskCx<'_>, facts: &Facts<'_>, said: &mut Vec<Diagnostic>) {
    let mut rare: Vec<(Rarity, &Require)> = Vec::new();
    for require in &cx.task.requires {
        let parts = list_comparisons(&require.condition);
        let found = parts.iter().filter_map(|part| Rarity::new(cx.task, facts, *part));
        rare.extend(found.map(|rarity| (rarity, require)));
    }
    rare.sort_by(|(a, _), (b, _)| a.chance.total_cmp(&b.chance));
    // The chances of conditions that have no draw in common are multiplied.
    let (mut chance, mut drawn) = (1.0, BTreeSet::new());
    let mut last: Option<&Require> = None;
    for (rarity, require) in &rare {
        if rarity.drawn.is_disjoint(&drawn) {
            chance *= rarity.chance;
            drawn.extend(rarity.drawn.iter().copied());
            last = last.or(Some(require));
        }
    }
    let Some(require) = last.filter(|_| chance > 0.0 && chance < RARE) else { return };
    let message = match cx.task.requires.len() {
        1 => "`require` hardly ever holds",
        _ => "the `require`s hardly ever hold together",
    };
    let label = format!("at most 1 in {} draws", group_digits((1.0 / chance).min(1e15) as u64));
    let note = format!(
        "the build draws a sample up to {} times, and stops if none meets the condition",
        group_digits(ATTEMPTS)
    );
    let new = Diagnostic::new(Code::RARELY_HELD, message, require.span, label).note(note);
    report_once(new.help("compute one of the values from the others, or draw it from fewer values"), said);
}

/// The chance of a condition to hold, at most, and the draws that decide it.
struct Rarity {
    chance: f64,
    drawn: BTreeSet<Drawn>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Drawn {
    Name(NameId),
    Table(RelationId),
}

impl Rarity {
    fn new(task: &Task, facts: &Facts<'_>, (op, left, right): (Op, &Expr, &Expr)) -> Option<Rarity> {
        let (a, b) = (left.resolve_name(task), right.resolve_name(task));
        match (find_uniform(task, a), find_uniform(task, b), a.as_constant(), b.as_constant()) {
            (Some((one, x)), Some((other, y)), ..) if op == Op::Eq && one != other => {
                let most = x.cardinality()?.max(y.cardinality()?);
                Some(Rarity { chance: 1.0 / most as f64, drawn: [Drawn::Name(one), Drawn::Name(other)].into() })
            }
            (Some((one, domain)), None, _, Some(value)) => Rarity::from_share(one, domain, op, value),
            (None, Some((one, domain)), Some(value), _) => Rarity::from_share(one, domain, op.swap_sides(), value),
            (None, None, _, Some(Value::Int(wanted))) => Rarity::from_count(task, facts, a, op, *wanted),
            (None, None, Some(Value::Int(wanted)), _) => Rarity::from_count(task, facts, b, op.swap_sides(), *wanted),
            _ => None,
        }
    }

    fn from_share(name: NameId, domain: &Domain, op: Op, value: &Value) -> Option<Rarity> {
        let chance = estimate_match_share(domain, op, value)?;
        Some(Rarity { chance: chance.min(1.0), drawn: [Drawn::Name(name)].into() })
    }

    /// `count(t where COLUMN op VALUE)` against a number that is larger than expected.
    fn from_count(task: &Task, facts: &Facts<'_>, count: &Expr, op: Op, wanted: i64) -> Option<Rarity> {
        let ExprKind::Call(function, args) = &count.kind else { return None };
        let [Arg::Relation { relation, filter: Some(filter) }] = args.as_slice() else { return None };
        if !function.is_count() {
            return None;
        }
        let share = estimate_row_share(task, *relation, filter)?;
        let rows = facts.count_rows(*relation).most;
        let needed = match op {
            Op::Eq | Op::Ge => u64::try_from(wanted).ok()?,
            Op::Gt => u64::try_from(wanted).ok()?.checked_add(1)?,
            _ => return None,
        };
        let chance = estimate_tail(rows, share, needed)?;
        Some(Rarity { chance, drawn: [Drawn::Table(*relation)].into() })
    }
}

/// The chance, at most, that a row meets a condition on one of its columns.
fn estimate_row_share(task: &Task, relation: RelationId, filter: &Expr) -> Option<f64> {
    let find_domain = |column: &Expr| {
        let ColumnSource::Draw { draw, of: 1, .. } = &task.find_column((relation, column.as_column_id()?))?.source
        else {
            return None;
        };
        match &draw.domain {
            DrawDomain::Fixed(domain) if !draw.unique && draw.except.is_empty() => Some(domain),
            _ => None,
        }
    };
    match &filter.kind {
        ExprKind::Column(_) => match find_domain(filter)? {
            Domain::Bool { per_million } => Some(f64::from(*per_million) / 1_000_000.0),
            _ => None,
        },
        ExprKind::Not(inner) => estimate_row_share(task, relation, inner).map(|share| 1.0 - share),
        ExprKind::Binary(op, sides) => {
            let domain = find_domain(&sides.0)?;
            if !(domain.is_uniform() || matches!(domain, Domain::Weighted { .. })) {
                return None;
            }
            estimate_match_share(domain, *op, sides.1.as_constant()?).map(|share| share.min(1.0))
        }
        _ => None,
    }
}

/// The chance, at most, that of `rows` rows that each match with the chance `share`, at least `needed` do (Hoeffding's bound by relative entropy).
/// `None` if that is expected.
fn estimate_tail(rows: u64, share: f64, needed: u64) -> Option<f64> {
    let (n, wanted) = (rows as f64, needed as f64);
    if rows == 0 || needed > rows || wanted <= n * share || share <= 0.0 {
        return None;
    }
    let a = wanted / n;
    let rest = if a < 1.0 { (1.0 - a) * libm::log((1.0 - a) / (1.0 - share)) } else { 0.0 };
    Some(libm::exp(-n * (a * libm::log(a / share) + rest)))
}

/// A name that is drawn from a domain of equally likely values.
fn find_uniform<'a>(task: &'a Task, expr: &Expr) -> Option<(NameId, &'a Domain)> {
    let ExprKind::Name(id) = expr.kind else { return None };
    let NameSource::Draw { draw, .. } = &task.names.get(id)?.source else { return None };
    let DrawDomain::Fixed(domain) = &draw.domain else { return None };
    (domain.is_uniform() && draw.except.is_empty() && !draw.unique).then_some((id, domain))
}
