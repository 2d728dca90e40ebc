//! `ambiguous_order`: rows that are returned, or of which one is selected, in an undetermined order.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Function, FunctionArgumentClause, FunctionArguments};

use super::clauses::find_group_place;
use super::findings::{Finding, InNoOrder, Odd};
use super::scene::Scene;
use super::ties::{check_tied_extreme, check_tied_terms};
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::{as_output_expr, find_argument, find_last_name, visit_calls};
use crate::functional_dependencies::Fixed;
use crate::output::Use;
use crate::parse::find_expr_bytes;
use crate::reads::{canonicalize_expr, collect_all_reads, collect_reads};
use crate::scope::{Frame, Place, resolve_place};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

const GATHERING: [&str; 4] = ["group_concat", "string_agg", "json_group_array", "json_group_object"];

pub fn check_order(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, odd: &mut Odd) {
    if scene.becomes == Use::Counted {
        return;
    }
    if scene.whole || !scene.groups.is_empty() {
        let Some(groups) = scene.group_terms() else { return };
        let known: Vec<String> = groups.iter().map(|group| canonicalize_expr(group)).collect();
        let places: Vec<Place> = groups.iter().filter_map(|group| resolve_place(&analyser.frames, group)).collect();
        let fixed = scene.facts.compute_fixed(&places);
        check_bare_columns(analyser, scene, &known, &places, &fixed, &mut odd.findings);
        check_unordered_aggregates(analyser, scene, &fixed, &mut odd.findings);
    }
    if scene.ordered.is_some() || scene.one || is_in_order(analyser) {
        return;
    }
    let all = scene.facts.compute_fixed(&[]);
    let is_settled = |output: &&Expr| collect_reads(analyser, output, &[]).is_settled(&all);
    if scene.collect_outputs().is_some_and(|outputs| outputs.iter().all(is_settled)) {
        return;
    }
    if let Some(limit) = &scene.limit {
        if limit.most.is_none_or(|most| scene.most.is_none_or(|rows| rows > most)) {
            odd.findings.extend(check_unordered_limit(analyser, limit.expr));
        }
    } else if scene.becomes == Use::Given {
        odd.in_no_order = describe_unordered_rows(analyser);
    }
}

/// Whether FROM is a single subquery or table of WITH that is sorted: SQLite keeps its order.
fn is_in_order(analyser: &Analyser<'_>) -> bool {
    analyser.frames.last().is_some_and(Frame::is_in_order)
}

/// Reports `LIMIT` without `ORDER BY`.
pub fn check_unordered_limit(analyser: &Analyser<'_>, limit: &Expr) -> Option<Finding> {
    let tokens = analyser.query.tokens;
    let (start, end) = find_expr_bytes(tokens, limit)?;
    let at = tokens.partition_point(|token| token.start < start);
    let word = tokens.iter().take(at).rfind(|token| token.is_keyword("LIMIT"))?;
    let said = Diagnostic::new(
        Code::AMBIGUOUS_ORDER,
        "`LIMIT` without `ORDER BY` returns arbitrary rows",
        analyser.query.to_span((word.start, end)),
        "any row can be first",
    )
    .help(match find_row_order(analyser) {
        Order::OfFile => "add `ORDER BY` with a unique column before it, and state the order in the prompt; `ORDER BY rowid` is the order of the file".to_owned(),
        Order::Key(key) => format!("add `ORDER BY {key}` before it, and state the order in the prompt: no two rows have the same `{key}`"),
        Order::Unknown => "add `ORDER BY` with a unique column before it, and state the order in the prompt".to_owned(),
    });
    let row = analyser.frames.last().and_then(|frame| frame.relations.first()).filter(|first| first.table.is_some());
    let reading = row.map(|first| {
        let order = |direction: &str| {
            let row = model::ddl::quote_name(&first.alias);
            ((word.start, word.start), format!("ORDER BY {row}.rowid{direction} "))
        };
        Reading::new_either(order(""), order(" DESC"))
    });
    Some(Finding { cut: true, ..Finding::new_for_answer(said) }.with_reading(reading))
}

/// Describes this query as one whose rows have no determined order.
pub fn describe_unordered_rows(analyser: &Analyser<'_>) -> Option<InNoOrder> {
    let (first, last) = (analyser.query.tokens.first()?, analyser.query.tokens.last()?);
    let by = match find_row_order(analyser) {
        Order::OfFile => {
            "add `ORDER BY` and state the order in the prompt (`ORDER BY rowid` is the order of the file)".to_owned()
        }
        Order::Key(key) => format!("add `ORDER BY {key}`, or another order, and state it in the prompt"),
        Order::Unknown => "add `ORDER BY` and state the order in the prompt".to_owned(),
    };
    Some(InNoOrder {
        span: analyser.query.to_span((first.start, last.end())),
        help: format!("{by}, or ignore the order: `unordered`"),
    })
}

/// The possible order of a query's rows.
enum Order {
    /// SQLite's row number, because no table is read from files.
    OfFile,
    /// The key columns of the only table, which is read from files.
    Key(String),
    Unknown,
}

fn find_row_order(analyser: &Analyser<'_>) -> Order {
    let relations = analyser.frames.last().map_or(&[][..], |frame| frame.relations.as_slice());
    // For UNION and similar operations, the tables that are read are not known here.
    let unknown = relations.is_empty() && analyser.query.request.tables.iter().any(|table| table.of_files);
    if !unknown && !relations.iter().any(|relation| analyser.is_of_files(relation)) {
        return Order::OfFile;
    }
    match relations {
        [only] => only.find_shortest_key().map_or(Order::Unknown, Order::Key),
        _ => Order::Unknown,
    }
}

/// Reports columns next to an aggregate that can differ between the aggregated rows.
fn check_bare_columns(
    analyser: &Analyser<'_>,
    scene: &Scene<'_, '_, '_>,
    known: &[String],
    groups: &[Place],
    fixed: &Fixed,
    found: &mut Vec<Finding>,
) {
    let Some(outputs) = scene.collect_outputs() else { return };
    let Some(ordered) = scene.order_terms() else { return };
    let mut aggregates = Vec::new();
    let mut bare: Option<(Place, (usize, usize))> = None;
    let having = scene.select.having.iter();
    for (index, expr) in outputs.iter().copied().chain(having).chain(ordered.iter().copied()).enumerate() {
        let read = collect_reads(analyser, expr, known);
        if read.unclear {
            return;
        }
        let shown = index < outputs.len();
        aggregates.extend(read.aggregates);
        let loose = read.places.into_iter().filter(|(place, _)| !fixed.is_column_fixed(*place));
        for (place, bytes) in loose {
            if let (Some(bytes), true, None) = (bytes, shown || bare.is_none(), &bare) {
                bare = Some((place, bytes));
            }
        }
    }
    let Some(((relation, place), bytes)) = bare else { return };
    let extremes: Vec<Option<Place>> =
        aggregates.iter().filter(|(name, _)| name == "min" || name == "max").map(|(_, place)| *place).collect();
    if !extremes.is_empty() {
        // With a single MIN or MAX, SQLite uses the row with that value.
        if let [Some(extreme)] = extremes.as_slice() {
            check_tied_extreme(analyser, scene, groups, *extreme, bytes, found);
        }
        return;
    }
    let text = analyser.query.slice_text(bytes);
    let message = match scene.whole {
        true => format!("`{text}` is from an arbitrary row: it is next to an aggregate, without GROUP BY"),
        false => format!("`{text}` is from an arbitrary row of its group: it is not in GROUP BY"),
    };
    let said = Diagnostic::new(Code::AMBIGUOUS_ORDER, message, analyser.query.to_span(bytes), "arbitrary row");
    let depth = analyser.frames.len().saturating_sub(1);
    let said = analyser.label_declaration(said, (depth, relation, place));
    let said = if scene.whole {
        suggest_groups(analyser, scene, said, text)
    } else {
        said.help(format!("add it to GROUP BY, or aggregate it too, as in `MIN({text})`"))
    };
    let reading = Reading::new_either((bytes, format!("MIN({text})")), (bytes, format!("MAX({text})")));
    found.push(Finding::new_for_answer(said).with_reading(reading));
}

/// Suggests `GROUP BY` with the columns next to the aggregates.
fn suggest_groups(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, said: Diagnostic, text: &str) -> Diagnostic {
    let tokens = analyser.query.tokens;
    let outputs = scene.collect_outputs().unwrap_or_default();
    let is_bare = |expr: &&Expr| resolve_place(&analyser.frames, expr).is_some();
    let bare: Vec<&str> = outputs
        .iter()
        .copied()
        .filter(is_bare)
        .filter_map(|expr| find_expr_bytes(tokens, expr))
        .map(|bytes| analyser.query.slice_text(bytes))
        .collect();
    if bare.is_empty() || bare.len() == outputs.len() {
        return said
            .help(format!("aggregate it too, as in `MIN({text})`, or select the row with ORDER BY and LIMIT 1"));
    }
    let groups = format!("GROUP BY {}", bare.join(", "));
    let said = said.help(format!("for one row of each `{}`, add `{groups}`", bare.join(", ")));
    match find_group_place(analyser, scene) {
        Some(at) => {
            let place = analyser.query.to_span((at, at));
            said.fix(format!("insert `{groups}`"), Applicability::Unsafe, place, format!(" {groups}"))
        }
        None => said,
    }
}

/// Reports `GROUP_CONCAT(x)` without ORDER BY.
fn check_unordered_aggregates(
    analyser: &Analyser<'_>,
    scene: &Scene<'_, '_, '_>,
    fixed: &Fixed,
    found: &mut Vec<Finding>,
) {
    if fixed.is_all_fixed() || is_in_order(analyser) {
        return;
    }
    let mut each = |function: &Function| {
        let FunctionArguments::List(list) = &function.args else { return };
        let Some(name) = find_last_name(&function.name) else { return };
        if function.over.is_some() || !GATHERING.contains(&name.value.to_lowercase().as_str()) {
            return;
        }
        let Some(argument) = find_argument(function, 0) else { return };
        let ordered = list.clauses.iter().find_map(|clause| match clause {
            FunctionArgumentClause::OrderBy(terms) => Some(terms),
            _ => None,
        });
        if let Some(terms) = ordered {
            found.extend(check_tied_terms(analyser, scene, argument, terms));
            return;
        }
        let read = collect_all_reads(analyser, argument);
        if read.unclear || read.is_fixed(fixed) {
            return;
        }
        let bytes = find_expr_bytes(analyser.query.tokens, &Expr::Function(function.clone()));
        let Some(bytes) = bytes else { return };
        let text =
            find_expr_bytes(analyser.query.tokens, argument).map_or("", |bytes| analyser.query.slice_text(bytes));
        let said = Diagnostic::new(
            Code::AMBIGUOUS_ORDER,
            format!("`{}` joins rows in no fixed order", name.value),
            analyser.query.to_span(bytes),
            "in no fixed order",
        )
        .help(format!(
            "write the order inside it, as in `{}({text}, ', ' ORDER BY {text})`, and state it in the prompt",
            name.value
        ));
        let end = bytes.1.saturating_sub(1);
        let order = |direction: &str| ((end, end), format!(" ORDER BY {text}{direction}"));
        let reading = Reading::new_either(order(""), order(" DESC"));
        found.push(Finding::new_for_answer(said).with_reading(reading));
    };
    for expr in scene.select.projection.iter().filter_map(as_output_expr) {
        let _ = visit_calls(expr, |function| {
            each(function);
            ControlFlow::<()>::Continue(())
        });
    }
}
