//! `letter_case_decides`: the answer sorts or searches texts by their letters, but in all files some cells have these texts in other letter case.
//!
//! Each report has a witness: values that the column can have and for which the result differs if letter case is ignored.

use std::collections::BTreeSet;

use model::functions::{Inputs, Kernel, Order, Pick, QueryResult};
use model::suite::{ColumnId, NameId, Op, RelationId, Scope};
use model::text_style::TextStyle;
use model::{Span, Val, Value};

use super::context::Reach;
use super::unknowable::{collect_fixed_words, find_dirt, is_dirty, is_told};
use crate::uses::{Answered, Use};
use hir::origins::find_origin;
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind, Sql};
use sql::predicates::{Operand, Side, Test};
use sql::{ByLetters, Decides};
use syntax::diagnostics::{Code, Diagnostic};

/// The maximum number of values of a column to check.
const MAX_VALUES: u128 = 600;
/// The maximum number of values on the other side of a comparison or search.
const MAX_OTHERS: usize = 24;

type Column = (RelationId, ColumnId);

pub(super) fn report_letter_case(reach: &Reach<'_, '_>, said: &mut Vec<Diagnostic>) {
    if !is_dirty(reach.cx.task) {
        return;
    }
    let mut looked = Looked { reach, told: None, answered: None };
    for expect in &reach.asked.expects {
        let Some(value) = expect.answer_expr() else { continue };
        let option = expect.options.iter().find(|(at, _)| at.is_empty()).and_then(|(_, options)| options.ordered);
        let ordered = option.or(expect.matcher.record().ordered).unwrap_or(true);
        // If the order of the items does not matter, neither does a function that sorts them.
        let bag = (!ordered).then(|| value.resolve_name(reach.cx.task).span);
        looked.check_answer(value, bag, said);
    }
}

struct Looked<'r, 'a> {
    reach: &'r Reach<'r, 'a>,
    told: Option<String>,
    answered: Option<Answered<'a>>,
}

/// A proof that letter case matters.
enum Witness {
    /// The first text sorts before the second only because of letter case.
    Order(String, String),
    /// For this text, the result differs in lowercase.
    One(String),
}

impl<'a> Looked<'_, 'a> {
    /// Checks an answer. `bag` is its span if the order of its items does not matter.
    fn check_answer(&mut self, value: &'a Expr, bag: Option<Span>, said: &mut Vec<Diagnostic>) {
        let task = self.reach.cx.task;
        let mut bags: BTreeSet<Span> = bag.into_iter().collect();
        let mut seen: BTreeSet<NameId> = self.reach.told.clone();
        let mut open: Vec<&'a Expr> = vec![value];
        while let Some(value) = open.pop() {
            let mut parts: Vec<(&'a Expr, Scope)> = Vec::new();
            value.visit_with_scope(Scope::default(), &mut |part, scope| match &part.kind {
                ExprKind::Name(id) if seen.insert(*id) => open.extend(task.find_computed(*id)),
                ExprKind::Binary(..) | ExprKind::Call(..) => parts.push((part, scope)),
                _ => {}
            });
            for (part, scope) in parts {
                match &part.kind {
                    ExprKind::Binary(op, sides) if is_of_order(*op) => {
                        let (left, right) = (&sides.0, &sides.1);
                        let found = self
                            .check_comparison(left, right, scope, part.span)
                            .or_else(|| self.check_comparison(right, left, scope, part.span));
                        said.extend(found);
                    }
                    ExprKind::Call(function, args) => {
                        let is_bag = bags.contains(&part.span);
                        if function.order == Order::Ignored || function.order == Order::Kept && is_bag {
                            let values = args.iter().filter_map(|arg| match arg {
                                Arg::Value(value) => Some(value.resolve_name(task).span),
                                _ => None,
                            });
                            bags.extend(values);
                        }
                        if !is_bag || !matches!(part.ty.kind, TyKind::List(_)) {
                            said.extend(self.check_call((part, function.kernel), args, scope));
                        }
                        for arg in args {
                            if let Arg::Sql(sql) = arg {
                                self.check_query(sql, scope, said);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Checks `one < other`, where `one` is a column.
    fn check_comparison(&mut self, one: &'a Expr, other: &'a Expr, scope: Scope, at: Span) -> Option<Diagnostic> {
        let column = resolve_column(self.reach, one, scope)?;
        let style = self.find_case_style(column)?;
        let values = self.list_values(column);
        let others = self.list_known_values(other, scope);
        self.build_diagnostic(column, style, at, order_against(&values, others.as_deref())?)
    }

    fn check_call(&mut self, (call, kernel): (&'a Expr, Kernel), args: &'a [Arg], scope: Scope) -> Option<Diagnostic> {
        let ExprKind::Call(function, _) = &call.kind else { return None };
        match (kernel, args) {
            // A choice among several equally common values is left to `tied_answer`.
            (Kernel::Fold(_), _) if function.picks == Some(Pick::Commonest) => None,
            (Kernel::Fold(fold), [first, ..]) => {
                let column = match first {
                    Arg::Column { relation, column, .. } => find_origin(self.reach.cx.task, (*relation, *column)),
                    Arg::Value(list) => resolve_column(self.reach, list, scope)?,
                    _ => return None,
                };
                let style = self.find_case_style(column)?;
                let (one, other) = find_inversion(&self.list_values(column))?;
                let run =
                    |values: &[Value]| fold(function.name, &mut values.iter().map(Val::Ref)).ok().map(Val::into_value);
                let both = [&one, &other].map(|text| Value::from_text(text.as_str()));
                is_decided_by_case(&both, &run)
                    .then(|| self.build_diagnostic(column, style, call.span, Witness::Order(one, other)))?
            }
            (Kernel::Values(kernel), _) => {
                let mut found = None;
                for (at, arg) in args.iter().enumerate() {
                    let Arg::Value(value) = arg else { return None };
                    if found.is_none()
                        && let Some(column) = resolve_column(self.reach, value, scope)
                        && let Some(style) = self.find_case_style(column)
                    {
                        found = Some((at, column, style, matches!(value.ty.kind, TyKind::List(_))));
                    }
                }
                let (at, column, style, is_list) = found?;
                let values = self.list_values(column);
                let mut others: Vec<Vec<Value>> = vec![Vec::new()];
                for (place, arg) in args.iter().enumerate() {
                    let Arg::Value(value) = arg else { return None };
                    let choices = if place == at { vec![Value::Null] } else { self.list_known_values(value, scope)? };
                    let add = |before: &Vec<Value>| {
                        choices
                            .iter()
                            .map(|choice| [before.as_slice(), std::slice::from_ref(choice)].concat())
                            .collect()
                    };
                    others = others.iter().flat_map::<Vec<Vec<Value>>, _>(add).take(MAX_OTHERS).collect();
                }
                let run = |values: &[Value]| {
                    let values = values.iter().map(Val::Ref).collect();
                    kernel(Inputs { function: function.name, values }).ok().map(Val::into_value)
                };
                let decides = |own: &Value, others: &[Value]| {
                    let mut all = others.to_vec();
                    let Some(place) = all.get_mut(at) else { return false };
                    *place = own.clone();
                    is_decided_by_case(&all, &run)
                };
                if is_list {
                    let (one, other) = find_inversion(&values)?;
                    let both = [[&one, &other], [&other, &one]];
                    let lists = both.map(|items| {
                        Value::List(items.into_iter().map(|item| Value::from_text(item.as_str())).collect())
                    });
                    let found = lists.iter().all(|list| others.iter().any(|others| decides(list, others)));
                    return found
                        .then(|| self.build_diagnostic(column, style, call.span, Witness::Order(one, other)))?;
                }
                let witness = values.iter().find(|text| {
                    let own = Value::from_text(text.as_str());
                    others.iter().any(|others| decides(&own, others))
                });
                self.build_diagnostic(column, style, call.span, Witness::One(witness?.clone()))
            }
            _ => None,
        }
    }

    fn check_query(&mut self, sql: &'a Sql, scope: Scope, said: &mut Vec<Diagnostic>) {
        for atom in &sql.analysis.predicates.atoms {
            let pairs: Vec<(&Operand, &Operand)> = match &atom.test {
                Test::Compare(op, left, right) if is_of_order(*op) => vec![(left, right), (right, left)],
                Test::Between { value, low, high } => vec![(value, low), (value, high)],
                _ => continue,
            };
            for (one, other) in pairs {
                let Side::Column { relation, column, .. } = one.value else { continue };
                let column = find_origin(self.reach.cx.task, (relation, column));
                let Some(style) = self.find_case_style(column) else { continue };
                let others = match &other.value {
                    Side::Literal(value) => Some(vec![value.clone()]),
                    Side::Param(name) => sql.find_param(name).and_then(|value| self.list_known_values(value, scope)),
                    Side::Column { .. } | Side::Computed(_) | Side::Other => None,
                };
                let witness = order_against(&self.list_values(column), others.as_deref());
                if let Some(new) = witness.and_then(|witness| self.build_diagnostic(column, style, atom.span, witness))
                {
                    said.push(new);
                    break;
                }
            }
        }
        for ByLetters { span, column, what } in &sql.analysis.by_letters {
            let column = find_origin(self.reach.cx.task, *column);
            let Some(style) = self.find_case_style(column) else { continue };
            let values = self.list_values(column);
            let witness = match what {
                Decides::Order { of_result: true } if !self.is_ordered(sql) => None,
                Decides::Order { .. } => find_inversion(&values).map(|(one, other)| Witness::Order(one, other)),
                Decides::Part(part) => {
                    let differs = |text: &&String| {
                        FOLDS.iter().all(|small| text.contains(part.as_str()) != small(text).contains(&small(part)))
                    };
                    values.iter().find(differs).cloned().map(Witness::One)
                }
            };
            said.extend(witness.and_then(|witness| self.build_diagnostic(column, style, *span, witness)));
        }
    }

    /// Checks whether the order of the rows of a query matters.
    fn is_ordered(&mut self, sql: &Sql) -> bool {
        let (cx, asked) = (self.reach.cx, self.reach.asked);
        let answered = self.answered.get_or_insert_with(|| Answered::new(cx, asked));
        matches!(answered.queries.get(&sql.span), Some(Use::Ordered(_)))
    }

    /// Returns the `case` style because of which the exact letters of a column are unknown.
    fn find_case_style(&mut self, column: Column) -> Option<Span> {
        let case = find_dirt(self.reach, column)?[TextStyle::Case]?;
        let told = self.told.get_or_insert_with(|| collect_fixed_words(self.reach));
        (!is_told(self.reach.cx.task, column, told)).then_some(case)
    }

    /// Lists all or some texts that a column can have.
    fn list_values(&mut self, (relation, column): Column) -> Vec<String> {
        let fact = self.reach.cx.facts().lookup_column(relation, column);
        let text = |value: Value| value.as_text().map(str::to_owned);
        match (&fact.closed, fact.domain) {
            (Some(closed), _) => closed.iter().cloned().filter_map(text).collect(),
            (None, Some(domain)) => {
                let Some(size) = domain.cardinality() else { return Vec::new() };
                let by = (size / MAX_VALUES).max(1);
                // The indexes are spread over the whole domain, with varying last digits.
                let at = |index: u128| index * by + (index * 7919) % by;
                let some = (0..MAX_VALUES.min(size)).map(at);
                some.filter_map(|index| domain.value_at(index)).filter_map(text).collect()
            }
            (None, None) => Vec::new(),
        }
    }

    /// Lists the values except null that an expression can have, if all are known; at most [`MAX_OTHERS`].
    fn list_known_values(&mut self, expr: &'a Expr, scope: Scope) -> Option<Vec<Value>> {
        let fact = self.reach.cx.facts().infer_expr(expr, scope);
        Some(fact.closed.as_ref()?.iter().take(MAX_OTHERS).cloned().collect())
    }

    fn build_diagnostic(
        &self,
        (relation, column): Column,
        style: Span,
        at: Span,
        witness: Witness,
    ) -> Option<Diagnostic> {
        let relation = self.reach.cx.task.relations.get(relation)?;
        let name = format!("{}.{}", relation.name, relation.columns.get(column)?.name);
        let why = match witness {
            Witness::Order(one, other) => format!("{one:?} comes before {other:?} only because of capitals"),
            Witness::One(one) => format!("for {one:?}, the result depends on its letter case"),
        };
        let message = format!("the answer can depend on the letter case of `{name}`, which cannot be known");
        Some(
            Diagnostic::new(Code::LETTER_CASE_DECIDES, message, at, why)
                .label(style, "written with `case`")
                .help("use `lower(…)` here, or write the column without `case`"),
        )
    }
}

fn is_of_order(op: Op) -> bool {
    matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge)
}

/// Resolves the column whose values an expression has, or of whose values it is a list.
fn resolve_column(reach: &Reach<'_, '_>, expr: &Expr, scope: Scope) -> Option<Column> {
    let task = reach.cx.task;
    let expr = expr.resolve_name(task);
    let column = match &expr.kind {
        ExprKind::Call(function, args) => match args.as_slice() {
            [Arg::Column { relation, column, .. }] if function.is_value_list() => (*relation, *column),
            [.., Arg::Sql(sql)] if matches!(function.query, Some(QueryResult::List | QueryResult::Value)) => {
                sql.analysis.columns.first()?.origin?
            }
            _ => return None,
        },
        _ => expr.find_cell(scope)?,
    };
    Some(find_origin(task, column))
}

/// Two ways to ignore letter case. A result that differs in both does not depend on the way.
const FOLDS: [fn(&str) -> String; 2] = [str::to_lowercase, str::to_uppercase];

fn fold_value(small: fn(&str) -> String, value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::from_text(small(text)),
        Value::List(items) => Value::List(items.iter().map(|item| fold_value(small, item)).collect()),
        other => other.clone(),
    }
}

/// Checks whether the result of a function differs, also ignoring letter case, if its arguments are without letter case.
fn is_decided_by_case(values: &[Value], run: &dyn Fn(&[Value]) -> Option<Value>) -> bool {
    FOLDS.iter().all(|small| {
        let folded: Vec<Value> = values.iter().map(|value| fold_value(*small, value)).collect();
        match (run(values), run(&folded)) {
            (Some(written), Some(without)) => !fold_value(*small, &written).is_same(&fold_value(*small, &without)),
            _ => false,
        }
    })
}

/// Finds two texts that are in the opposite order if letter case is ignored. The first sorts before the second.
fn find_inversion(values: &[String]) -> Option<(String, String)> {
    let mut sorted: Vec<&String> = values.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).find_map(|pair| {
        let [one, other] = pair else { return None };
        FOLDS.iter().all(|small| small(one) > small(other)).then(|| ((*one).clone(), (*other).clone()))
    })
}

/// Finds such a pair of one text and one of the other values, if these are known; otherwise of two texts.
fn order_against(values: &[String], others: Option<&[Value]>) -> Option<Witness> {
    let Some(others) = others else { return find_inversion(values).map(|(one, other)| Witness::Order(one, other)) };
    let others = others.iter().filter_map(Value::as_text);
    others.flat_map(|other| values.iter().map(move |value| (value.as_str(), other))).find_map(|(value, other)| {
        let (one, two) = if value < other { (value, other) } else { (other, value) };
        let inverted = one != two && FOLDS.iter().all(|small| small(one) > small(two));
        inverted.then(|| Witness::Order(one.to_owned(), two.to_owned()))
    })
}
