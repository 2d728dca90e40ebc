//! `other_aggregate` for differences and quotients: the prompt says "NEW minus OLD", and the key subtracts NEW from OLD.

use model::Span;
use model::functions::ABS;
use model::suite::{Op, RelationId};

use super::answers::Leaf;
use super::tokens::Found;
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{Arg, DrawDomain, Expr, ExprKind, NameSource};
use sql::lex::{Kind, Token, tokenize_sql};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::aggregates::OPERATIONS;

/// An operation on two columns, by their names.
struct Pair {
    op: Op,
    left: String,
    right: String,
    span: Span,
}

/// Compares "A minus B" and "A divided by B" with what the key computes from these two columns.
pub(super) fn report_turned_operations<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let asked = wording.text.find_phrases(OPERATIONS);
    if asked.is_empty() || wording.can_vary() {
        return;
    }
    let pairs: Vec<Pair> = leaves.iter().flat_map(|leaf| collect_pairs(wording.cx, leaf.value)).collect();
    for phrase in asked {
        let name = |at: Option<usize>| at.and_then(|at| wording.text.tokens.get(at)).map(|token| token.text.as_str());
        let (Some(first), Some(second)) = (name(phrase.start.checked_sub(1)), name(Some(phrase.end))) else { continue };
        let is_op = |pair: &Pair, left: &str, right: &str| {
            pair.op == phrase.means && (pair.left.as_str(), pair.right.as_str()) == (left, right)
        };
        let Some(turned) = pairs.iter().find(|pair| is_op(pair, second, first)) else { continue };
        if first == second || pairs.iter().any(|pair| is_op(pair, first, second)) {
            continue;
        }
        let whole = Found { start: phrase.start.saturating_sub(1), end: phrase.end + 1, means: () };
        let but = format!("the key computes `{} {} {}`", turned.left, turned.op.word(), turned.right);
        let place = (turned.span, "the other way round");
        let new = wording.contradict(Code::OTHER_AGGREGATE, &whole, &but, place);
        report_once(new.help("exchange the two sides in the key, or in the prompt"), said);
    }
}

/// Collects the differences and quotients of two columns in a value.
fn collect_pairs<'a>(cx: &TaskCx<'a>, value: &'a Expr) -> Vec<Pair> {
    let mut found = Vec::new();
    value.visit_through_names(cx.task, &mut |part| match &part.kind {
        ExprKind::Binary(op @ (Op::Sub | Op::Div), sides) => {
            let names = [&sides.0, &sides.1].map(|side| find_drawn_column(cx, side));
            if let [Some(left), Some(right)] = names {
                found.push(Pair { op: *op, left, right, span: part.span });
            }
        }
        ExprKind::Call(_, args) => args.iter().for_each(|arg| match arg {
            Arg::Each { relation, value, .. } => value.visit_exprs(&mut |inner| {
                found.extend(read_row_pair(cx, inner, *relation));
            }),
            Arg::Sql(sql) => add_query_pairs(&sql.text, sql.span, &mut found),
            _ => {}
        }),
        _ => {}
    });
    // Without a sign, both ways are the same.
    let is_unsigned = value
        .has_part_through_names(cx.task, |part| matches!(&part.kind, ExprKind::Call(function, _) if *function == ABS));
    found.retain(|pair| !(is_unsigned && pair.op == Op::Sub));
    found
}

/// The column from which a name is drawn.
fn find_drawn_column(cx: &TaskCx<'_>, side: &Expr) -> Option<String> {
    let ExprKind::Name(id) = side.kind else { return None };
    let NameSource::Draw { draw, .. } = &cx.task.names.get(id)?.source else { return None };
    let DrawDomain::Ref { relation, column, .. } = &draw.domain else { return None };
    Some(cx.task.find_column((*relation, *column))?.name.clone())
}

/// Reads `NEW - OLD` of the columns of a row.
fn read_row_pair(cx: &TaskCx<'_>, expr: &Expr, relation: RelationId) -> Option<Pair> {
    let ExprKind::Binary(op @ (Op::Sub | Op::Div), sides) = &expr.kind else { return None };
    let name = |side: &Expr| Some(cx.task.find_column((relation, side.as_column_id()?))?.name.clone());
    Some(Pair { op: *op, left: name(&sides.0)?, right: name(&sides.1)?, span: expr.span })
}

/// Adds `NEW - OLD` of a query.
fn add_query_pairs(query: &str, span: Span, found: &mut Vec<Pair>) {
    let tokens: Vec<Token<'_>> =
        tokenize_sql(query).into_iter().filter(|token| !matches!(token.kind, Kind::Blank | Kind::Comment)).collect();
    let is_open = |at: Option<&Token<'_>>| at.is_none_or(|token| !token.is_punct("*") && !token.is_punct("/"));
    for (at, token) in tokens.iter().enumerate() {
        let op = match token.is_punct("-") {
            true => Op::Sub,
            false if token.is_punct("/") => Op::Div,
            false => continue,
        };
        let right = match (tokens.get(at + 1), tokens.get(at + 2), tokens.get(at + 3)) {
            (Some(_), Some(dot), name) if dot.is_punct(".") => name,
            (name, ..) => name,
        };
        let left = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|left| left.is_name());
        let (Some(left), Some(right)) = (left, right.filter(|right| right.is_name())) else { continue };
        if is_open(at.checked_sub(2).and_then(|at| tokens.get(at))) {
            found.push(Pair { op, left: left.to_unquoted(), right: right.to_unquoted(), span });
        }
    }
}
