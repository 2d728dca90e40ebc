//! `ambiguous_order`: rows, or one of them, where no order is fixed.

use std::ops::ControlFlow;

use model::Span;
use model::ddl::quote_name;
use sqlparser::ast::{self, Expr, Function, FunctionArgumentClause, FunctionArguments, SelectItem, Visit, Visitor};

use super::reads::{Place, canonical, reads};
use super::ties::tied_extreme;
use super::{Finding, Odd, Scene, Use, places};
use crate::diagnostics::{Code, Diagnostic};
use crate::sql::rows::{Fixed, plain};
use crate::sql::scope::{ROW_ID, Relation};
use crate::sql::select::Analyser;

const GATHERING: [&str; 4] = ["group_concat", "string_agg", "json_group_array", "json_group_object"];

pub fn check(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, odd: &mut Odd) {
    if scene.becomes == Use::Counted {
        return;
    }
    if scene.whole || !scene.groups.is_empty() {
        let Some(groups) = scene.group_terms() else { return };
        let known: Vec<String> = groups.iter().map(|group| canonical(group)).collect();
        let places: Vec<Place> = groups.iter().filter_map(|group| plain(analyser, group)).collect();
        let fixed = scene.facts.fixed(&places);
        bare_columns(analyser, scene, &known, &places, &fixed, &mut odd.findings);
        gathered(analyser, scene, &fixed, &mut odd.findings);
    }
    if scene.ordered.is_some() || scene.one || is_in_order(analyser) {
        return;
    }
    let all = scene.facts.fixed(&[]);
    if !scene.outputs().is_some_and(|outputs| {
        outputs.iter().any(|output| {
            let read = reads(analyser, output, &[], false);
            !read.aggregates.is_empty() || !read.places.keys().all(|place| all.holds(*place))
        })
    }) && scene.outputs().is_some()
    {
        return;
    }
    if let Some(limit) = &scene.limit {
        if limit.most.is_none_or(|most| scene.most.is_none_or(|rows| rows > most)) {
            odd.findings.extend(unordered_limit(analyser, limit.expr));
        }
    } else if scene.becomes == Use::Given {
        odd.in_no_order = all_rows(analyser);
    }
}

/// FROM is one query or table of WITH that is in order itself: SQLite keeps that.
fn is_in_order(analyser: &Analyser<'_>) -> bool {
    let derived = analyser
        .frames
        .last()
        .is_some_and(|frame| matches!(frame.relations.as_slice(), [only] if only.table.is_none()));
    derived && analyser.query.tokens.iter().any(|token| token.is("ORDER"))
}

/// `LIMIT` without `ORDER BY`.
pub fn unordered_limit(analyser: &Analyser<'_>, limit: &Expr) -> Option<Finding> {
    let tokens = analyser.query.tokens;
    let (start, end) = places::whole(tokens, limit)?;
    let at = tokens.partition_point(|token| token.start < start);
    let word = tokens.iter().take(at).rfind(|token| token.is("LIMIT"))?;
    let said = Diagnostic::new(
        Code::AMBIGUOUS_ORDER,
        "`LIMIT` without `ORDER BY` returns arbitrary rows",
        analyser.query.span((word.start, end)),
        "any row can be first",
    )
    .help(match order(analyser) {
        Order::OfFile => "add `ORDER BY` with a unique column before it, and state the order in the prompt; `ORDER BY rowid` is the order of the file".to_owned(),
        Order::Key(key) => format!("add `ORDER BY {key}` before it, and state the order in the prompt: no two rows have the same `{key}`"),
        Order::Unknown => "add `ORDER BY` with a unique column before it, and state the order in the prompt".to_owned(),
    });
    Some(Finding::of_answer(said))
}

/// Rows in no order.
#[derive(Clone, Debug, PartialEq)]
pub struct InNoOrder {
    /// The whole query.
    pub span: Span,
    /// How to order them.
    pub help: String,
}

/// The same of this query.
pub fn all_rows(analyser: &Analyser<'_>) -> Option<InNoOrder> {
    let (first, last) = (analyser.query.tokens.first()?, analyser.query.tokens.last()?);
    let by = match order(analyser) {
        Order::OfFile => {
            "add `ORDER BY` and state the order in the prompt (`ORDER BY rowid` is the order of the file)".to_owned()
        }
        Order::Key(key) => format!("add `ORDER BY {key}`, or another order, and state it in the prompt"),
        Order::Unknown => "add `ORDER BY` and state the order in the prompt".to_owned(),
    };
    Some(InNoOrder {
        span: analyser.query.span((first.start, last.end())),
        help: format!("{by}, or ignore the order: `unordered`"),
    })
}

/// What can order the rows of this query.
enum Order {
    /// SQLite's number of the row: no table is read from files.
    OfFile,
    /// The columns of a key of the only table, which is read from files.
    Key(String),
    Unknown,
}

fn order(analyser: &Analyser<'_>) -> Order {
    let relations = analyser.frames.last().map_or(&[][..], |frame| frame.relations.as_slice());
    // Of UNION and the like, what is read is not known here.
    let unknown = relations.is_empty() && analyser.query.request.tables.iter().any(|table| table.of_files);
    if !unknown && !relations.iter().any(|relation| analyser.is_of_files(relation)) {
        return Order::OfFile;
    }
    match relations {
        [only] => key_of(only).map_or(Order::Unknown, Order::Key),
        _ => Order::Unknown,
    }
}

/// The columns of the shortest key of a table, as SQL writes them.
pub fn key_of(relation: &Relation) -> Option<String> {
    let named = |key: &Vec<usize>| -> Option<Vec<String>> {
        key.iter().map(|place| Some(quote_name(&relation.columns.as_ref()?.get(*place)?.name))).collect()
    };
    let keys = relation.keys.iter().filter(|key| !key.contains(&ROW_ID)).filter_map(named);
    keys.min_by_key(Vec::len).map(|names| names.join(", "))
}

/// Columns next to an aggregate that are not the same in all rows that it aggregates.
fn bare_columns(
    analyser: &Analyser<'_>,
    scene: &Scene<'_, '_, '_>,
    known: &[String],
    groups: &[Place],
    fixed: &Fixed,
    found: &mut Vec<Finding>,
) {
    let Some(outputs) = scene.outputs() else { return };
    let Some(ordered) = scene.order_terms() else { return };
    let mut aggregates = Vec::new();
    let mut bare: Option<(Place, (usize, usize))> = None;
    let having = scene.select.having.iter();
    for (index, expr) in outputs.iter().copied().chain(having).chain(ordered.iter().copied()).enumerate() {
        let read = reads(analyser, expr, known, false);
        if read.unclear {
            return;
        }
        let shown = index < outputs.len();
        aggregates.extend(read.aggregates);
        let loose = read.places.into_iter().filter(|(place, _)| !fixed.holds(*place));
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
        // With one MIN or MAX, SQLite takes the row that has it.
        if let [Some(extreme)] = extremes.as_slice() {
            tied_extreme(analyser, scene, groups, *extreme, bytes, found);
        }
        return;
    }
    let text = analyser.query.slice(bytes);
    let several = if scene.whole { "all rows together" } else { "the rows of its group" };
    let said = Diagnostic::new(
        Code::AMBIGUOUS_ORDER,
        format!("`{text}` can be from any of {several}: it is next to an aggregate and can differ from row to row"),
        analyser.query.span(bytes),
        "arbitrary row",
    );
    let depth = analyser.frames.len().saturating_sub(1);
    let said = analyser.declared(said, (depth, relation, place));
    let help = if scene.whole {
        format!("aggregate it too, as in `MIN({text})`, or select the row with ORDER BY and LIMIT 1")
    } else {
        format!("add it to GROUP BY, or aggregate it too, as in `MIN({text})`")
    };
    found.push(Finding::of_answer(said.help(help)));
}

/// `GROUP_CONCAT(x)` without ORDER BY.
fn gathered(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, fixed: &Fixed, found: &mut Vec<Finding>) {
    struct Calls<'v> {
        queries: usize,
        each: &'v mut dyn FnMut(&Function),
    }
    impl Visitor for Calls<'_> {
        type Break = ();
        fn pre_visit_query(&mut self, _: &ast::Query) -> ControlFlow<()> {
            self.queries += 1;
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &ast::Query) -> ControlFlow<()> {
            self.queries = self.queries.saturating_sub(1);
            ControlFlow::Continue(())
        }
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if let (Expr::Function(function), 0) = (expr, self.queries) {
                (self.each)(function);
            }
            ControlFlow::Continue(())
        }
    }
    if fixed.all() || is_in_order(analyser) {
        return;
    }
    let mut each = |function: &Function| {
        let FunctionArguments::List(list) = &function.args else { return };
        let Some(name) = function.name.0.last().and_then(|part| part.as_ident()) else { return };
        let ordered = list.clauses.iter().any(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)));
        if ordered || function.over.is_some() || !GATHERING.contains(&name.value.to_lowercase().as_str()) {
            return;
        }
        let Some(argument) = super::reads::argument(function) else { return };
        let read = reads(analyser, argument, &[], true);
        if read.unclear || read.places.keys().all(|place| fixed.holds(*place)) {
            return;
        }
        let bytes = places::whole(analyser.query.tokens, &Expr::Function(function.clone()));
        let Some(bytes) = bytes else { return };
        let text = places::whole(analyser.query.tokens, argument).map_or("", |bytes| analyser.query.slice(bytes));
        let said = Diagnostic::new(
            Code::AMBIGUOUS_ORDER,
            format!("`{}` joins rows in no fixed order", name.value),
            analyser.query.span(bytes),
            "in no fixed order",
        )
        .help(format!(
            "write the order inside it, as in `{}({text}, ', ' ORDER BY {text})`, and state it in the prompt",
            name.value
        ));
        found.push(Finding::of_answer(said));
    };
    let mut calls = Calls { queries: 0, each: &mut each };
    for item in &scene.select.projection {
        if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } = item {
            let _ = expr.visit(&mut calls);
        }
    }
}
