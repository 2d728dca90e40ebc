//! `leaked_answer`: the prompt lists the candidates in the order of the question, so the answer is the first or the last of the list.

use model::Span;

use super::prompt_content::Way;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind, Sql, Task};
use sql::lex::{Kind, tokenize_sql};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaks_by_order<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        for answer in way.asked.expects.iter().filter_map(|expect| expect.answer_expr()) {
            let Some(wanted) = find_own_query(cx.task, answer).and_then(read_first_row) else { continue };
            let lists = way.tellings.iter().flat_map(|telling| &telling.rendered);
            let found = lists.into_iter().find_map(|part| {
                let listed = read_words(find_listed_query(cx.task, part)?);
                let place = if listed == wanted { Some("first") } else { None };
                let is_reversed = || strip_directions(&listed) == strip_directions(&wanted);
                let place = place.or_else(|| is_reversed().then_some("last"))?;
                Some((part.span, place))
            });
            if let Some((list, place)) = found {
                report_once(build_diagnostic(answer.span, list, place), said);
            }
        }
    }
}

fn build_diagnostic(answer: Span, list: Span, place: &str) -> Diagnostic {
    let message =
        format!("the prompt lists the candidates in the order of the question: the {place} one is the answer");
    Diagnostic::new(Code::LEAKED_ANSWER, message, answer, "expected here")
        .label(list, "listed here in this order")
        .help("list them in another order, such as `sort(…)` or ORDER BY a name")
}

/// Returns the query that an expression is.
fn find_own_query<'e>(task: &'e Task, expr: &'e Expr) -> Option<&'e Sql> {
    match &expr.resolve_name(task).kind {
        ExprKind::Call(_, args) => match args.as_slice() {
            [Arg::Sql(sql)] => Some(sql),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the query of a list that a prompt shows, as it is or joined to a text.
fn find_listed_query<'e>(task: &'e Task, part: &'e Expr) -> Option<&'e Sql> {
    let part = part.resolve_name(task);
    if matches!(part.ty.kind, TyKind::List(_)) {
        return find_own_query(task, part);
    }
    let ExprKind::Call(_, args) = &part.kind else { return None };
    match args.first()? {
        Arg::Value(list) if matches!(list.ty.kind, TyKind::List(_)) => find_own_query(task, list),
        _ => None,
    }
}

/// Reads a query that takes the first of sorted rows: its words without `LIMIT 1`.
fn read_first_row(sql: &Sql) -> Option<Vec<String>> {
    let mut words = read_words(sql);
    let limit = words.split_off(words.len().checked_sub(2)?);
    (limit == ["limit", "1"] && words.iter().any(|word| word == "order")).then_some(words)
}

/// Lists the words and marks of a query, without its end.
fn read_words(sql: &Sql) -> Vec<String> {
    let tokens = tokenize_sql(&sql.text);
    let mut words: Vec<String> = tokens
        .iter()
        .filter(|token| !matches!(token.kind, Kind::Blank | Kind::Comment))
        .map(|token| if token.kind == Kind::Text { token.text.to_owned() } else { token.text.to_lowercase() })
        .collect();
    if words.last().is_some_and(|last| last == ";") {
        words.pop();
    }
    words.retain(|word| word != "asc");
    words
}

fn strip_directions(words: &[String]) -> Vec<&String> {
    words.iter().filter(|word| *word != "desc").collect()
}
