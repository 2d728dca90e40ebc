//! `idle_statement`: an UPDATE whose rows the next one takes for its own, because they have the value that it looks for. So a swap merges two values.

use model::Value;
use sql::ChangeKind;
use sql::lex::{Kind, Token};

use super::context::TaskCx;
use super::goals::Step;
use hir::facts::Fact;
use model::suite::Scope;
use syntax::diagnostics::{Code, Diagnostic};

/// Reports an UPDATE of which a later one changes all rows again, and would also change rows without it.
pub(super) fn check_redone<'a>(cx: &TaskCx<'a>, step: &Step<'a>, later: &Step<'a>) -> Option<Diagnostic> {
    let is_plain = |step: &Step<'_>| step.change.kind == ChangeKind::Update && !step.change.is_complex;
    if !is_plain(step) || !is_plain(later) || step.relation != later.relation {
        return None;
    }
    let (column, new) = step.change.sets.iter().find_map(|(column, value)| {
        let is_set_again = later.change.sets.iter().any(|(other, _)| other.eq_ignore_ascii_case(column));
        let new = NewValue::read(cx, step, column, value).filter(|_| is_set_again)?;
        Some((column, new))
    })?;
    let (own, others): (Vec<_>, Vec<_>) =
        later.change.conditions.iter().partition(|part| part.iter().any(|token| token.is_named(column)));
    let is_set = |token: &Token<'_>| step.change.sets.iter().any(|(set, _)| token.is_named(set));
    let is_shared = |part: &&Vec<Token<'_>>| {
        !part.iter().any(is_set) && step.change.conditions.iter().any(|known| is_same_text(known, part))
    };
    let accepts = !own.is_empty() && own.iter().all(|part| new.meets(cx, later, column, part));
    if !accepts || !others.iter().all(is_shared) || !new.is_there_before(cx, step, column) {
        return None;
    }
    let message =
        format!("no row keeps the `{column}` that this statement sets: a later one changes the same rows again");
    Some(
        Diagnostic::new(Code::IDLE_STATEMENT, message, step.span(), format!("`{column}` is {new} after it"))
            .label(later.span(), format!("looks for {new}, so it also changes the rows of the first statement"))
            .note("the statements run one after another")
            .help(format!(
                "put the later statement first, or set `{column}` with one UPDATE: CASE {column} WHEN … THEN … END"
            )),
    )
}

/// The value that an UPDATE sets in all its rows.
enum NewValue<'t> {
    /// A number or a text.
    Known(Value),
    /// The value of a parameter.
    Param(&'t str),
}

impl std::fmt::Display for NewValue<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NewValue::Known(value) => write!(out, "`{}`", value.render_text()),
            NewValue::Param(name) => write!(out, "`{name}`"),
        }
    }
}

impl<'t> NewValue<'t> {
    fn read(cx: &TaskCx<'_>, step: &Step<'_>, column: &str, value: &[Token<'t>]) -> Option<NewValue<'t>> {
        match value {
            [only] if only.kind == Kind::Param => match read_value(cx, step, only) {
                Some(known) => Some(NewValue::Known(known)),
                None => Some(NewValue::Param(only.text)),
            },
            [only] => read_value(cx, step, only).map(NewValue::Known),
            // `YEAR = YEAR + 1 WHERE YEAR = 5`
            [name, sign, by] if name.is_named(column) => {
                let by = read_value(cx, step, by)?.as_f64()?;
                let old = step.change.conditions.iter().find_map(|part| match part.as_slice() {
                    [name, equals, old] if name.is_named(column) && equals.is_punct("=") => read_value(cx, step, old),
                    _ => None,
                });
                let old = old?.as_f64()?;
                let new = match sign.text {
                    "+" => old + by,
                    "-" => old - by,
                    _ => return None,
                };
                let is_whole = new.fract() == 0.0 && new.abs() < 1e15;
                Some(NewValue::Known(if is_whole { Value::Int(new as i64) } else { Value::Float(new) }))
            }
            _ => None,
        }
    }

    /// Whether the value surely meets a condition on its column.
    fn meets(&self, cx: &TaskCx<'_>, later: &Step<'_>, column: &str, part: &[Token<'_>]) -> bool {
        let [name, rest @ ..] = part else { return false };
        if !name.is_named(column) {
            return false;
        }
        match (self, rest) {
            (NewValue::Param(param), [equals, other]) => equals.is_punct("=") && other.text == *param,
            (NewValue::Known(value), [word, open, items @ .., close])
                if word.is_keyword("IN") && open.is_punct("(") && close.is_punct(")") =>
            {
                items.iter().filter_map(|item| read_value(cx, later, item)).any(|item| item.is_same(value))
            }
            (NewValue::Known(value), [sign @ .., other]) => {
                let sign: String = sign.iter().map(|token| token.text).collect();
                let order = read_value(cx, later, other).and_then(|other| value.compare_with(&other));
                order.is_some_and(|order| match sign.as_str() {
                    "=" | "==" => order.is_eq(),
                    "<" => order.is_lt(),
                    "<=" => order.is_le(),
                    ">" => order.is_gt(),
                    ">=" => order.is_ge(),
                    _ => false,
                })
            }
            _ => false,
        }
    }

    /// Whether rows can have the value at the start. If not, it only marks the rows for the later statement.
    fn is_there_before<'a>(&self, cx: &TaskCx<'a>, step: &Step<'a>, column: &str) -> bool {
        let Some((id, _)) = step.find_column(cx.task, column) else { return false };
        let fact = cx.facts().lookup_column(step.relation, id);
        match self {
            NewValue::Known(value) => fact.can_be(value),
            NewValue::Param(name) => {
                let param = name.get(1..).and_then(|name| step.sql.find_param(name));
                param.is_some_and(|value| share_values(&fact, &cx.facts().infer_expr(value, Scope::default())))
            }
        }
    }
}

/// Whether some values of two facts can be the same.
fn share_values(column: &Fact<'_>, param: &Fact<'_>) -> bool {
    match &param.closed {
        Some(values) => values.iter().any(|value| column.can_be(value)),
        None => {
            column.domain.is_none() || param.domain.is_none() || column.domain == param.domain || column.range.is_some()
        }
    }
}

/// The value of a literal, or of a parameter that is a constant.
fn read_value(cx: &TaskCx<'_>, step: &Step<'_>, token: &Token<'_>) -> Option<Value> {
    match token.kind {
        Kind::Text => Some(Value::Text(token.to_unquoted())),
        Kind::Number => match token.text.parse::<i64>() {
            Ok(number) => Some(Value::Int(number)),
            Err(_) => token.text.parse().ok().map(Value::Float),
        },
        Kind::Param => step.sql.find_param(token.text.get(1..)?)?.resolve_name(cx.task).as_constant().cloned(),
        _ => None,
    }
}

/// Whether two conditions are written alike. A text keeps its letter case, a name does not.
pub(super) fn is_same_text(a: &[Token<'_>], b: &[Token<'_>]) -> bool {
    let same = |a: &Token<'_>, b: &Token<'_>| a.text == b.text || a.is_name() && b.is_named(&a.to_unquoted());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}
