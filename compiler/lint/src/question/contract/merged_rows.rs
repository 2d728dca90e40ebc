//! `duplicates_dropped`: a view or a query with `UNION` keeps equal rows once, and the key sums its rows. In one query, this is seen by its analysis.

use model::Span;
use model::suite::RelationId;

use super::answers::{Leaf, resolve_column};
use super::sql_shape::SqlShape;
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{Arg, Expr, ExprKind, Rows, Sql};
use sql::lex::{Token, tokenize_sql};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Aggregate;
use syntax::prompts::english::queries::DIFFERENT;

use super::super::prompt_content::has_any_word;

/// A sum or a mean of the rows of one relation.
struct Summed {
    relation: RelationId,
    span: Span,
}

/// Reports sums of the rows of a view or a query that merges equal rows.
pub(super) fn report_merged_rows<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let is_query = |relation: &hir::Relation| matches!(relation.rows, Rows::Query(_) | Rows::View(_));
    if !cx.task.relations.iter().any(is_query) || has_any_word(&wording.telling.lower_prompt, DIFFERENT) {
        return;
    }
    let mut summed = Vec::new();
    for leaf in leaves {
        leaf.value.visit_through_names(cx.task, &mut |part| collect_sums(part, &mut summed));
    }
    for sum in summed {
        let Some((sql, union)) = find_query(cx, sum.relation).and_then(|sql| Some((sql, find_union(cx, sql)?))) else {
            continue;
        };
        let name = cx.task.relations.get(sum.relation).map_or("", |relation| relation.name.as_str());
        let message = format!("`UNION` keeps equal rows of `{name}` once, but the key sums its rows");
        let span = locate(sql, &union);
        let new = Diagnostic::new(Code::DUPLICATES_DROPPED, message, span, "drops equal rows")
            .label(sum.span, "sums what is left")
            .help("write `UNION ALL`, which keeps all rows, or select a key of the rows, too");
        report_once(new, said);
    }
}

/// Collects the sums and means of an expression.
fn collect_sums(part: &Expr, summed: &mut Vec<Summed>) {
    let is_sum = |aggregate: Option<Aggregate>| matches!(aggregate, Some(Aggregate::Sum | Aggregate::Mean));
    let ExprKind::Call(function, args) = &part.kind else { return };
    match args.as_slice() {
        [Arg::Column { relation, .. }] if is_sum(function.aggregate) => {
            summed.push(Summed { relation: *relation, span: part.span });
        }
        [.., Arg::Sql(sql)] => {
            let [relation] = sql.analysis.tables.as_slice() else { return };
            let sums = |shape: &SqlShape<'_>| shape.list_item_aggregates().into_iter().any(is_sum);
            if SqlShape::new(&sql.text).is_some_and(|shape| sums(&shape)) {
                summed.push(Summed { relation: *relation, span: sql.span });
            }
        }
        _ => {}
    }
}

/// The query of which the rows of a relation are.
fn find_query<'t>(cx: &TaskCx<'t>, relation: RelationId) -> Option<&'t Sql> {
    let own = cx.task.relations.get(relation)?;
    match &own.rows {
        Rows::Query(name) => cx.task.find_computed(*name)?.find_query(),
        // Its query is the next one after its name.
        Rows::View(_) => {
            let views = cx.task.notes.views.iter().filter(|view| view.span.file == own.span.file);
            views.filter(|view| view.span.start >= own.span.start).min_by_key(|view| view.span.start)
        }
        _ => None,
    }
}

/// The only `UNION` of a query, outside of brackets, if its rows have no key.
fn find_union<'q>(cx: &TaskCx<'_>, sql: &'q Sql) -> Option<Token<'q>> {
    let tokens = tokenize_sql(&sql.text);
    let is_other = |token: &Token<'_>| token.is_any("WITH EXCEPT INTERSECT DISTINCT GROUP ALL LIMIT");
    let mut unions = tokens.iter().enumerate().filter(|(_, token)| token.is_keyword("UNION"));
    let (at, union) = unions.next().filter(|_| unions.next().is_none() && !tokens.iter().any(is_other))?;
    let depth = tokens.iter().take(at).fold(0_i32, |depth, token| match token.text {
        "(" => depth + 1,
        ")" => depth - 1,
        _ => depth,
    });
    let parts = [sql.text.get(..union.start), sql.text.get(union.end()..)];
    let shapes: Vec<SqlShape<'_>> = parts.into_iter().map(|part| SqlShape::new(part?)).collect::<Option<_>>()?;
    let is_key = |item: &Vec<Token<'_>>| match resolve_column(cx, sql, item) {
        Some((relation, column)) => cx.facts().lookup_column(relation, column).unique,
        // A column of both tables has one name for two places.
        None => item.iter().any(|token| token.is_name() && is_unique_somewhere(cx, sql, token)),
    };
    let has_key = shapes.iter().any(|shape| shape.items.iter().any(is_key));
    (depth == 0 && !has_key).then_some(*union)
}

/// Whether a name is that of a column without repetitions, in one of the tables of a query.
fn is_unique_somewhere(cx: &TaskCx<'_>, sql: &Sql, name: &Token<'_>) -> bool {
    sql.analysis.tables.iter().any(|table| {
        cx.task.relations.get(*table).is_none_or(|relation| {
            let mut columns = relation.columns.iter_enumerated();
            columns.any(|(id, column)| name.is_named(&column.name) && cx.facts().lookup_column(*table, id).unique)
        })
    })
}

fn locate(sql: &Sql, token: &Token<'_>) -> Span {
    let place =
        |offset: usize| sql.span.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(sql.span.end);
    Span::new(sql.span.file, place(token.start), place(token.end()))
}
