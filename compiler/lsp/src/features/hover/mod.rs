//! Hover: the declaration, type, values, and documentation of a name, and the value of a placeholder in the first instance.
//! `builtins` explains words of the language, `table_preview` shows the contents of files that are read, `cells` the format of generated
//! ones, `schema_description` the parts that a description of a database leaves out, `goal` the changes that a state makes, `examples` how an author's examples are
//! judged.

mod builtins;
mod cells;
mod examples;
mod goal;
mod schema_description;
mod table_preview;

use std::fmt::Write as _;
use std::iter;

use compiler::ast::{Expr, ExprKind, Node, Span};
use compiler::hir;
use compiler::query::{Declaration, Kind};
use compiler::types::TyKind;
use gen_lsp_types as lsp;
use model::suite::{Each, sort_stages};
use model::value::group_digits;

use super::{Place, to_markdown};
use crate::analysis::{Analysis, Symbol};
use crate::render::{format_quantity, render_inline_code, render_value, wrap_in_fence};
use crate::sample::{self, SHOWN, inspect_first, inspect_sample};
use crate::state::State;

/// The most lines of a declaration that are shown.
const LINES: usize = 6;
/// The most characters of a prompt that are shown.
const PROMPT: usize = 2_000;
/// The most characters of a cell that are shown.
const CELL: usize = 200;

/// Answers a hover request.
pub fn handle_hover(state: &mut State, params: lsp::HoverParams) -> Option<lsp::Hover> {
    let asked = state.resolve_request_place(&params.text_document_position_params)?;
    let place = asked.to_compiled_place()?;
    let (mut text, at) = explain_name(state, &place)
        .or_else(|| builtins::explain_lint(&place))
        .or_else(|| builtins::explain_tool(&place))
        .or_else(|| builtins::explain_keyword(&place))
        .or_else(|| Some((String::new(), find_placeholder(&place)?.span)))?;
    text.push_str(&cells::describe_styles(state, &place, at).unwrap_or_default());
    text.push_str(&examples::describe_examples(state, &place, at).unwrap_or_default());
    text.push_str(&schema_description::summarize_description(&place, at).unwrap_or_default());
    if let Some(value) = evaluate_placeholder(&place) {
        if !text.is_empty() {
            text.push_str("\n\n---\n\n");
        }
        text.push_str(&value);
    }
    if text.is_empty() {
        return None;
    }
    Some(lsp::Hover { contents: to_markdown(text).into(), range: asked.find_range(at) })
}

/// Explains a name.
fn explain_name(state: &mut State, place: &Place) -> Option<(String, Span)> {
    let Some(symbol) = place.find_symbol() else { return builtins::explain_domain_word(place) };
    Some((describe_symbol(state, &symbol, place)?, symbol.at))
}

/// Describes a name: its declaration, type, values, and documentation.
fn describe_symbol(state: &mut State, symbol: &Symbol, place: &Place) -> Option<String> {
    let analysis = &place.analysis;
    let functions = analysis.list_overloads(&symbol.name);
    if functions.iter().any(|function| function.span == symbol.target) {
        let signatures: Vec<&str> = functions.iter().map(|function| function.signature.as_str()).collect();
        let mut text = wrap_in_fence(&signatures.join("\n"));
        if let Some(function) = functions.iter().find(|function| !function.doc.is_empty()) {
            // The example is a paragraph of its own.
            let _ = write!(text, "\n\n{}", function.doc.replace("\nExample: ", "\n\nExample: "));
        }
        return Some(text);
    }
    // A column of a result set or fixture has no declaration of its own.
    let own = analysis.find_declaration(symbol.target).filter(|declared| declared.name.text == symbol.name);
    let Facts { facts, values, inside } = collect_facts(state, symbol, own, place)?;
    let head = own.map(|declared| extract_declaration_head(analysis, declared));
    let mut text = wrap_in_fence(head.as_ref().unwrap_or(&symbol.name));
    if !facts.is_empty() {
        let _ = write!(text, "\n\n{}", facts.join(" · "));
    }
    if let Some(doc) = own.and_then(|declared| declared.doc.as_ref()) {
        let _ = write!(text, "\n\n{doc}");
    }
    text.push_str(&inside);
    if !values.is_empty() {
        let _ = write!(text, "\n\nfor example {}", values.join(", "));
    }
    Some(text)
}

/// What is known of a name.
#[derive(Default)]
struct Facts {
    /// Its kind, its type, and numbers.
    facts: Vec<String>,
    /// Some of its values.
    values: Vec<String>,
    /// What it contains: paragraphs, each after a blank line.
    inside: String,
}

/// Collects what is known of a name; `own` is its declaration.
fn collect_facts(state: &mut State, symbol: &Symbol, own: Option<&Declaration>, place: &Place) -> Option<Facts> {
    let analysis = &place.analysis;
    let task = analysis
        .find_task_at(symbol.target.file, symbol.target.start)
        .or_else(|| analysis.find_task_at(place.file, place.offset))
        .map(|(_, task)| task)
        // A table that is read for the suite is in every task.
        .or_else(|| analysis.iter_tasks().find(|task| find_column(task, symbol).is_some()));
    let valued = state.with_values(analysis);
    let valued = valued.as_deref();
    let Facts { mut facts, mut values, mut inside } = Facts::default();
    let kind = own.map(|declared| declared.kind.describe_kind().to_owned());
    match own.map(|declared| (declared.kind, declared)) {
        Some((Kind::Task, _)) => {
            inside = valued.map(|valued| render_prompt(valued, &symbol.name)).unwrap_or_default();
        }
        Some((Kind::Domain, _)) => {
            match find_draw_from(analysis, symbol) {
                Some(draw) => facts.extend(iter::once(draw.ty.to_string()).chain(describe_draw_size(draw))),
                None => facts.extend(kind),
            }
            values = state.sample_domain(analysis, &symbol.name);
        }
        Some((Kind::TableFrom, declared)) => {
            facts.extend(kind);
            // A table of the suite is in every task.
            let reads = |task: &&hir::Task| task.relations.iter().any(|relation| relation.span == declared.name.span);
            if let Some(task) = analysis.iter_tasks().find(reads) {
                inside = describe_file(valued, task, declared);
            }
            if let Some(seen) = table_preview::load_table_glimpse(state, analysis, declared) {
                inside.push_str(&table_preview::render_region(&seen));
            }
        }
        // A table of a database belongs to its task.
        Some((Kind::View, declared)) if analysis.find_task_at(symbol.target.file, symbol.target.start).is_none() => {
            let seen = table_preview::load_table_glimpse(state, analysis, declared);
            facts.extend(kind);
            facts.extend(table_preview::count_files_and_rows(analysis, declared, seen.as_deref()));
            inside = seen.map(|seen| table_preview::render_region(&seen)).unwrap_or_default();
        }
        Some((Kind::Lake, declared)) => {
            facts.extend(kind);
            facts.extend(table_preview::count_lake_files(state, analysis, declared));
        }
        Some((Kind::Constant | Kind::Columns | Kind::Suite | Kind::Variant | Kind::Function, _)) => facts.extend(kind),
        Some((Kind::Stage, _)) => {
            facts.extend(kind);
            inside = task.map(|task| render_stage_graph(task, &symbol.name)).unwrap_or_default();
        }
        Some((Kind::Each, _)) => {
            let task = task?;
            let each = task.each.as_ref()?;
            facts.push(format!("row of `{}`", task.relations.get(each.relation)?.name));
            facts.extend(count_asked_rows(each));
            inside = render_first_row(task, each);
        }
        Some((Kind::Column, _)) if task.is_none() => facts.extend(kind),
        _ => {
            let task = task?;
            let is_own = |name: &&hir::Name| name.span == symbol.target && name.name == symbol.name;
            if let Some(name) = task.names.iter().find(is_own) {
                facts.push(name.ty.to_string());
                if let hir::NameSource::Draw { draw, .. } = &name.source {
                    facts.extend(describe_draw_size(draw));
                }
                facts.extend(kind.map(|kind| format!("{kind} of `{}`", task.name)));
                if matches!(name.ty.kind, TyKind::State(_)) {
                    let change = valued.and_then(|valued| goal::render_state_change(valued, &task.name, &symbol.name));
                    inside = change.unwrap_or_default();
                } else {
                    values = valued
                        .and_then(|valued| list_name_values(valued, &task.name, &symbol.name))
                        .unwrap_or_default();
                }
            } else if let Some((relation, column)) = find_column(task, symbol) {
                facts.push(column.ty.to_string());
                if let hir::ColumnSource::Draw { draw, .. } = &column.source {
                    facts.extend(describe_draw_size(draw));
                }
                facts.push(format!("column of `{}`", relation.name));
                if let hir::ColumnSource::Given(given) = &column.source {
                    facts.extend(given.note.clone());
                }
                if let (hir::ColumnSource::Given(given), None) = (&column.source, relation.file) {
                    let (nulls, found) = table_preview::summarize_fields(&given.cells.values);
                    facts.push(nulls);
                    values = found;
                } else {
                    values = valued
                        .and_then(|valued| list_column_values(valued, &task.name, &relation.name, &column.name))
                        .unwrap_or_default();
                }
            } else {
                facts.extend(kind);
                inside = describe_file(valued, task, own?);
            }
        }
    }
    Some(Facts { facts, values, inside })
}

/// Lists a task's stages in the order of their graph, each with its direct predecessors; the stage `own` is bold.
fn render_stage_graph(task: &hir::Task, own: &str) -> String {
    let order = sort_stages(&task.stages).unwrap_or_default();
    let mut text = String::from("\n");
    for stage in order.iter().filter_map(|id| task.stages.get(*id)) {
        let name = &stage.way.name;
        let shown = if name == own { format!("**`{name}`**") } else { format!("`{name}`") };
        let after = stage.after.iter().filter_map(|id| task.stages.get(*id));
        let after: Vec<String> = after.map(|before| format!("`{}`", before.way.name)).collect();
        let after = if after.is_empty() { String::new() } else { format!(" after {}", after.join(", ")) };
        let _ = write!(text, "\n- {shown}{after}");
    }
    text
}

/// Counts the rows that are asked, and their clusters.
fn count_asked_rows(each: &Each) -> Vec<String> {
    let by = each.rows.iter().any(|row| row.by.is_some());
    let clusters = by.then(|| format_quantity(each.count_clusters(), "cluster"));
    iter::once(format_quantity(each.rows.len(), "row")).chain(clusters).collect()
}

/// Renders the cells of the first row that the task reads.
fn render_first_row(task: &hir::Task, each: &Each) -> String {
    let mut text = String::new();
    let Some(row) = each.rows.first() else { return text };
    let _ = write!(text, "\n\nfirst row, {}:\n", row.key);
    for column in &each.columns {
        let (Some(name), Some(cell)) = (task.names.get(column.slot), column.values.first()) else { continue };
        let cell: String = cell.render_text().chars().take(CELL).collect();
        let _ = write!(text, "\n- `{}`: {}", name.name, cell.replace(['\n', '\r', '`'], " "));
    }
    text
}

/// Returns the first lines of a declaration, or the first line of a block.
fn extract_declaration_head(analysis: &Analysis, declared: &Declaration) -> String {
    let text = analysis.sources().text(declared.whole);
    let whole =
        matches!(declared.kind, Kind::Draw | Kind::Compute | Kind::Axis | Kind::Column | Kind::Domain | Kind::Constant);
    if !whole {
        return text.split('{').next().unwrap_or("").trim_end().to_owned();
    }
    let mut lines: Vec<&str> = text.lines().take(LINES).map(str::trim_end).collect();
    if text.lines().count() > LINES {
        lines.push("…");
    }
    lines.join("\n")
}

fn find_column<'t>(task: &'t hir::Task, symbol: &Symbol) -> Option<(&'t hir::Relation, &'t hir::Column)> {
    // Inside objects, a column's name is the whole path.
    let fits = |name: &str| name.eq_ignore_ascii_case(&symbol.name) || name.rsplit('.').next() == Some(&symbol.name);
    let is_own = |column: &&hir::Column| column.span == symbol.target && fits(&column.name);
    task.relations.iter().find_map(|relation| Some((relation, relation.columns.iter().find(is_own)?)))
}

/// Describes the number of values in a draw's domain.
fn describe_draw_size(draw: &hir::Draw) -> Option<String> {
    let hir::DrawDomain::Fixed(domain) = &draw.domain else { return None };
    let count = domain.cardinality()?;
    let digits = u64::try_from(count).map_or_else(|_| format!("{count:.3e}"), group_digits);
    Some(format!("{digits} value{}", if count == 1 { "" } else { "s" }))
}

/// Finds a column or name that is drawn from a domain without modifiers.
fn find_draw_from<'a>(analysis: &'a Analysis, symbol: &Symbol) -> Option<&'a hir::Draw> {
    let names = analysis.iter_tasks().flat_map(|task| &task.names).filter_map(|name| match &name.source {
        hir::NameSource::Draw { draw, .. } => Some(draw),
        _ => None,
    });
    let columns = analysis.iter_tasks().flat_map(|task| &task.relations).flat_map(|relation| &relation.columns);
    let columns = columns.filter_map(|column| match &column.source {
        hir::ColumnSource::Draw { draw, .. } => Some(draw),
        _ => None,
    });
    names.chain(columns).find(|draw| analysis.sources().text(draw.span) == symbol.name)
}

/// Lists a name's values in the first samples.
fn list_name_values(analysis: &Analysis, task: &str, name: &str) -> Option<Vec<String>> {
    let (index, task) = analysis.find_task(task)?;
    let at = task.names.position(|known| known.name == name)?;
    let looks = (0..SHOWN as u32).map_while(|sample| inspect_sample(analysis, index, sample));
    let mut values: Vec<String> = looks.filter_map(|look| look.names.get(at).map(render_value)).collect();
    if values.windows(2).all(|pair| pair.first() == pair.last()) {
        values.truncate(1);
    }
    Some(values)
}

/// Lists a column's first values in the first sample.
fn list_column_values(analysis: &Analysis, task: &str, relation: &str, column: &str) -> Option<Vec<String>> {
    let (task, look) = inspect_first(analysis, task)?;
    let at = task.relations.position(|known| known.name == relation)?;
    let place = task.relations.get(at)?.columns.position(|known| known.name == column)?;
    Some(look.relations.get(at)?.columns.get(place)?.iter().map(render_value).collect())
}

/// Describes a file: its path, tables, and rows in the first sample.
fn describe_file(valued: Option<&Analysis>, task: &hir::Task, declared: &Declaration) -> String {
    let mut out = String::new();
    let values = valued.and_then(|valued| inspect_first(valued, &task.name));
    if let Some((task, look)) = &values
        && let Some(path) =
            task.files.position(|file| file.name == declared.name.text).and_then(|at| look.paths.get(at))
    {
        let _ = write!(out, "\n\nin the first instance {}", render_inline_code(path));
        out.push_str(&cells::render_file_head(task, look, &declared.name.text).unwrap_or_default());
    }
    for relation in &task.relations {
        let of_file =
            relation.file.and_then(|file| task.files.get(file)).is_some_and(|file| file.span == declared.name.span);
        if !(of_file || relation.span == declared.name.span) {
            continue;
        }
        let columns = relation.columns.iter().filter(|column| !column.helper);
        let columns: Vec<String> = columns.map(|column| render_inline_code(&column.name)).collect();
        let made = || {
            let (task, look) = values.as_ref()?;
            let at = task.relations.position(|known| known.name == relation.name)?;
            Some(look.relations.get(at)?.rows)
        };
        let rows = if let hir::Rows::Given(rows) = relation.rows { Some(rows as usize) } else { made() };
        let rows = rows.map(|rows| format!(", {}", format_quantity(rows, "row"))).unwrap_or_default();
        let _ = write!(out, "\n\n`{}`{rows}: {}", relation.name, columns.join(", "));
    }
    out
}

/// Renders a task's prompt in its first instance.
fn render_prompt(analysis: &Analysis, task: &str) -> String {
    let Some(plan) = &analysis.analysed.compiled.plan else { return String::new() };
    match sample::generate_instance(plan, task, 1, sample::SEED) {
        Ok(instance) => {
            let cut: String = instance.prompt.chars().take(PROMPT).collect();
            let more = if cut.len() < instance.prompt.len() { "\n\n…" } else { "" };
            let quoted: Vec<String> = cut.lines().map(|line| format!("> {line}  ")).collect();
            format!("\n\nThe prompt of `{}`:\n\n{}{more}", instance.id, quoted.join("\n"))
        }
        Err(failure) => format!("\n\nThe first instance cannot be made: {}", failure.message),
    }
}

/// Finds the innermost placeholder around a place.
fn find_placeholder(place: &Place) -> Option<&Expr> {
    place.find_node(|node| match node {
        Node::Expr(expr) if matches!(expr.kind, ExprKind::Placeholder(_)) => Some(expr),
        _ => None,
    })
}

/// Evaluates the placeholder around a place in the first instance. The suite has no errors, because an older version has other places.
fn evaluate_placeholder(place: &Place) -> Option<String> {
    let outer = find_placeholder(place)?;
    let ExprKind::Placeholder(inner) = &outer.kind else { return None };
    let (index, task) = place.analysis.find_task_at(place.file, outer.span.start)?;
    let mut exprs = sample::list_instance_exprs(task).into_iter();
    let expr = exprs.find(|expr| expr.span == inner.span || expr.span == outer.span)?;
    let value = sample::evaluate_expr(&place.analysis, index, expr)?;
    Some(format!("in the first instance {}", render_value(&value)))
}
