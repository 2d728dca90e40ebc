//! Hover: the declaration, type, values, and documentation of a name, and the value of a placeholder in the first instance.
//! `builtins` explains words of the language, `table_preview` shows the contents of files that are read, `cells` the format of generated
//! ones, `schema_description` the parts that a description of a database leaves out, `goal` the changes that a state makes.

mod builtins;
mod cells;
mod goal;
mod schema_description;
mod table_preview;

use std::fmt::Write as _;
use std::sync::Arc;

use compiler::ast::{Expr, ExprKind, Node, Span, visit_nodes};
use compiler::hir;
use compiler::query::{Declaration, Kind};
use compiler::types::TyKind;
use gen_lsp_types as lsp;
use model::Domain;
use model::suite::{ColumnId, Each, RelationId, Scope, sort_stages};
use model::value::group_digits;

use super::{Place, to_markdown};
use crate::analysis::{Analysis, Symbol};
use crate::dispatch::Answer;
use crate::sample::{self, SHOWN, inspect_sample, render_inline_code, render_value};
use crate::state::State;

/// The most lines of a declaration that are shown.
const LINES: usize = 6;
/// The most characters of a prompt that are shown.
const PROMPT: usize = 2_000;
/// The most characters of a cell that are shown.
const CELL: usize = 200;

/// Answers a hover request.
pub fn handle_hover(
    state: &mut State,
    params: lsp::HoverParams,
) -> Answer<<lsp::HoverRequest as lsp::Request>::Result> {
    let Some(asked) = state.resolve_request_place(&params.text_document_position_params) else { return Ok(None) };
    let Some(place) = asked.to_compiled_place() else { return Ok(None) };
    let Some((mut text, at)) = explain_name(state, &place)
        .or_else(|| builtins::explain_lint(&place))
        .or_else(|| builtins::explain_tool(&place))
        .or_else(|| builtins::explain_keyword(&place))
        .or_else(|| Some((String::new(), find_placeholder_span(&place)?)))
    else {
        return Ok(None);
    };
    text.push_str(&cells::describe_styles(state, &place, at).unwrap_or_default());
    text.push_str(&schema_description::summarize_description(state, &place, at).unwrap_or_default());
    if let Some(value) = evaluate_placeholder(state, &place) {
        if !text.is_empty() {
            text.push_str("\n\n---\n\n");
        }
        text.push_str(&value);
    }
    if text.is_empty() {
        return Ok(None);
    }
    Ok(Some(lsp::Hover { contents: to_markdown(text).into(), range: asked.find_range(at) }))
}

/// Explains a name.
fn explain_name(state: &mut State, place: &Place) -> Option<(String, Span)> {
    let found = place.analysis.find_symbol(place.file, place.offset);
    let Some(symbol) = found else { return builtins::explain_domain_word(place) };
    let text = describe_symbol(state, &place.analysis, &symbol, place)?;
    Some((text, symbol.at))
}

/// Describes a name: its declaration, type, values, and documentation.
pub fn describe_symbol(state: &mut State, analysis: &Arc<Analysis>, symbol: &Symbol, place: &Place) -> Option<String> {
    let functions: Vec<_> = analysis.functions().iter().filter(|function| function.name == symbol.name).collect();
    if functions.iter().any(|function| function.span == symbol.target) {
        let signatures: Vec<&str> = functions.iter().map(|function| function.signature.as_str()).collect();
        let mut text = wrap_in_fence(&signatures.join("\n"));
        for function in functions.iter().filter(|function| !function.doc.is_empty()).take(1) {
            let _ = write!(text, "\n\n{}", format_documentation(&function.doc));
        }
        return Some(text);
    }
    let declared = analysis.find_declaration(symbol.target);
    // A column of a result set or fixture has no declaration of its own.
    let own = declared.filter(|(declared, _)| declared.name.text == symbol.name);
    let task = analysis
        .find_task_at(symbol.target.file, symbol.target.start)
        .or_else(|| analysis.find_task_at(place.file, place.offset))
        .map(|(_, task)| task)
        // A table that is read for the suite is in every task.
        .or_else(|| analysis.iter_tasks().find(|task| find_column(task, symbol).is_some()));
    let mut text = match own {
        Some((declared, _)) => wrap_in_fence(&extract_declaration_head(analysis, declared)),
        None => wrap_in_fence(&symbol.name),
    };
    let mut facts = Vec::new();
    let (mut values, mut inside): (Vec<String>, String) = (Vec::new(), String::new());
    let valued = state.with_values(analysis);
    match own.map(|(declared, _)| declared.kind) {
        Some(Kind::Task) => {
            if let (Some(valued), Some((declared, _))) = (&valued, own) {
                inside = render_prompt(valued, &declared.name.text);
            }
        }
        Some(Kind::Domain) => {
            facts.push(describe_domain(analysis, symbol).unwrap_or_else(|| "domain".to_owned()));
            values = state.sample_domain(analysis, &symbol.name);
        }
        Some(Kind::TableFrom) => {
            let (declared, _) = own?;
            facts.push(declared.kind.describe_kind().to_owned());
            // A table of the suite is in every task.
            let reads = |task: &&hir::Task| task.relations.iter().any(|relation| relation.span == declared.name.span);
            if let Some(task) = analysis.iter_tasks().find(reads) {
                inside = describe_file(valued.as_deref(), task, declared);
            }
            if let Some(seen) = table_preview::load_table_glimpse(state, analysis, declared) {
                inside.push_str(&table_preview::render_region(&seen));
            }
        }
        // A table of a database belongs to its task.
        Some(Kind::View) if analysis.find_task_at(symbol.target.file, symbol.target.start).is_none() => {
            let (declared, _) = own?;
            let seen = table_preview::load_table_glimpse(state, analysis, declared);
            facts.push(declared.kind.describe_kind().to_owned());
            facts.extend(table_preview::count_files_and_rows(analysis, declared, seen.as_deref()));
            inside = seen.map(|seen| table_preview::render_region(&seen)).unwrap_or_default();
        }
        Some(Kind::Lake) => {
            let (declared, _) = own?;
            facts.push(declared.kind.describe_kind().to_owned());
            facts.extend(table_preview::count_lake_files(state, analysis, declared));
        }
        Some(Kind::Constant | Kind::Columns | Kind::Suite | Kind::Variant | Kind::Function) => {
            facts.extend(own.map(|(declared, _)| declared.kind.describe_kind().to_owned()));
        }
        Some(Kind::Stage) => {
            let (declared, _) = own?;
            facts.push(declared.kind.describe_kind().to_owned());
            inside = task.map(|task| render_stage_graph(task, &declared.name.text)).unwrap_or_default();
        }
        Some(Kind::Each) => {
            let task = task?;
            let each = task.each.as_ref()?;
            facts.push(format!("row of `{}`", task.relations.get(each.relation)?.name));
            facts.extend(count_asked_rows(each));
            inside = render_first_row(task, each);
        }
        Some(Kind::Column) if task.is_none() => facts.push(Kind::Column.describe_kind().to_owned()),
        _ => {
            let task = task?;
            if let Some((name, _)) = find_name(task, symbol.target, &symbol.name) {
                facts.push(name.ty.to_string());
                if let hir::NameSource::Draw { draw, .. } = &name.source {
                    facts.extend(describe_draw_size(draw));
                }
                facts.extend(own.map(|(declared, _)| format!("{} of `{}`", declared.kind.describe_kind(), task.name)));
                if matches!(name.ty.kind, TyKind::State(_)) {
                    inside = valued
                        .as_ref()
                        .and_then(|valued| goal::render_state_change(valued, &task.name, &symbol.name))
                        .unwrap_or_default();
                } else {
                    values =
                        valued.as_ref().map(|valued| name_values(valued, &task.name, &symbol.name)).unwrap_or_default();
                }
            } else if let Some((relation, column)) = find_column(task, symbol) {
                let decl = task.relations.get(relation)?;
                let column = decl.columns.get(column)?;
                facts.push(column.ty.to_string());
                if let hir::ColumnSource::Draw { draw, .. } = &column.source {
                    facts.extend(describe_draw_size(draw));
                }
                facts.push(format!("column of `{}`", decl.name));
                if let hir::ColumnSource::Given(given) = &column.source {
                    facts.extend(given.note.clone());
                }
                if let (hir::ColumnSource::Given(given), None) = (&column.source, decl.file) {
                    let (nulls, found) = table_preview::summarize_fields(&given.cells.values);
                    facts.push(nulls);
                    values = found;
                } else {
                    values = valued
                        .as_ref()
                        .map(|valued| list_column_values(valued, &task.name, &decl.name, &column.name))
                        .unwrap_or_default();
                }
            } else {
                let (declared, _) = own?;
                facts.push(declared.kind.describe_kind().to_owned());
                inside = describe_file(valued.as_deref(), task, declared);
            }
        }
    }
    if !facts.is_empty() {
        let _ = write!(text, "\n\n{}", facts.join(" · "));
    }
    if let Some(doc) = own.and_then(|(declared, _)| declared.doc.as_ref()) {
        let _ = write!(text, "\n\n{doc}");
    }
    text.push_str(&inside);
    if !values.is_empty() {
        let _ = write!(text, "\n\nfor example {}", values.join(", "));
    }
    Some(text)
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
    let counted = |count: usize, one: &str| {
        let s = if count == 1 { "" } else { "s" };
        format!("{} {one}{s}", group_digits(count as u64))
    };
    let by = each.rows.iter().any(|row| row.by.is_some());
    let clusters = by.then(|| counted(each.count_clusters(), "cluster"));
    std::iter::once(counted(each.rows.len(), "row")).chain(clusters).collect()
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

/// Formats the documentation of a function: its example is a paragraph of its own.
fn format_documentation(doc: &str) -> String {
    doc.replace("\nExample: ", "\n\nExample: ")
}

fn wrap_in_fence(text: &str) -> String {
    format!("```pcd\n{text}\n```")
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

fn find_name<'t>(task: &'t hir::Task, target: Span, name: &str) -> Option<(&'t hir::Name, usize)> {
    task.names.iter().zip(0..).find(|(known, _)| known.span == target && known.name == name)
}

fn find_column(task: &hir::Task, symbol: &Symbol) -> Option<(RelationId, ColumnId)> {
    // Inside objects, a column's name is the whole path.
    let fits = |name: &str| name.eq_ignore_ascii_case(&symbol.name) || name.rsplit('.').next() == Some(&symbol.name);
    task.relations.iter_enumerated().find_map(|(relation, decl)| {
        let at = decl.columns.position(|column| column.span == symbol.target && fits(&column.name))?;
        Some((relation, at))
    })
}

/// Describes the number of values in a draw's domain.
fn describe_draw_size(draw: &hir::Draw) -> Option<String> {
    let hir::DrawDomain::Fixed(domain) = &draw.domain else { return None };
    describe_domain_size(domain)
}

fn describe_domain_size(domain: &Domain) -> Option<String> {
    let count = domain.cardinality()?;
    Some(if count == 1 { "1 value".to_owned() } else { format!("{} values", format_large_count(count)) })
}

fn format_large_count(count: u128) -> String {
    u64::try_from(count).map_or_else(|_| format!("{count:.3e}"), model::value::group_digits)
}

/// Describes a domain's type and size, from a column or name that is drawn from it without modifiers.
fn describe_domain(analysis: &Analysis, symbol: &Symbol) -> Option<String> {
    let suite = analysis.analysed.compiled.hir.as_ref()?;
    let names = suite.tasks.iter().flat_map(|task| &task.names).filter_map(|name| match &name.source {
        hir::NameSource::Draw { draw, .. } => Some(draw),
        _ => None,
    });
    let columns = suite.tasks.iter().flat_map(|task| &task.relations).flat_map(|relation| &relation.columns);
    let columns = columns.filter_map(|column| match &column.source {
        hir::ColumnSource::Draw { draw, .. } => Some(draw),
        _ => None,
    });
    let draw = names.chain(columns).find(|draw| analysis.sources().text(draw.span) == symbol.name)?;
    let facts: Vec<String> = [Some(draw.ty.to_string()), describe_draw_size(draw)].into_iter().flatten().collect();
    Some(facts.join(" · "))
}

/// Lists a name's values in the first samples.
fn name_values(analysis: &Analysis, task: &str, name: &str) -> Vec<String> {
    let Some((index, task)) = analysis.find_task(task) else { return Vec::new() };
    let Some(at) = task.names.position(|known| known.name == name) else { return Vec::new() };
    let looks = (0..SHOWN as u32).map_while(|sample| inspect_sample(analysis, index, sample));
    let mut values: Vec<String> = looks.filter_map(|look| look.names.get(at).map(render_value)).collect();
    if values.windows(2).all(|pair| pair.first() == pair.last()) {
        values.truncate(1);
    }
    values
}

/// Lists a column's first values in the first sample.
fn list_column_values(analysis: &Analysis, task: &str, relation: &str, column: &str) -> Vec<String> {
    let values = || {
        let (index, task) = analysis.find_task(task)?;
        let at = task.relations.position(|known| known.name == relation)?;
        let place = task.relations.get(at)?.columns.position(|known| known.name == column)?;
        let look = inspect_sample(analysis, index, 0)?;
        Some(look.relations.get(at)?.columns.get(place)?.iter().map(render_value).collect())
    };
    values().unwrap_or_default()
}

/// Describes a file: its path, tables, and rows in the first sample.
fn describe_file(valued: Option<&Analysis>, task: &hir::Task, declared: &Declaration) -> String {
    let mut out = String::new();
    let values = valued.and_then(|valued| {
        let (index, task) = valued.find_task(&task.name)?;
        Some((task, inspect_sample(valued, index, 0)?))
    });
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
        let columns: Vec<String> = relation
            .columns
            .iter()
            .filter(|column| !column.helper)
            .map(|column| render_inline_code(&column.name))
            .collect();
        let made = || {
            let (task, look) = values.as_ref()?;
            let at = task.relations.position(|known| known.name == relation.name)?;
            Some(look.relations.get(at)?.rows)
        };
        let rows = if let hir::Rows::Given(rows) = relation.rows { Some(rows as usize) } else { made() };
        let rows = rows.map(|rows| match rows {
            1 => ", 1 row".to_owned(),
            _ => format!(", {} rows", model::value::group_digits(rows as u64)),
        });
        let _ = write!(out, "\n\n`{}`{}: {}", relation.name, rows.unwrap_or_default(), columns.join(", "));
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
    let ast = place.analysis.find_ast(place.file)?;
    let mut found: Option<&Expr> = None;
    visit_nodes(ast, &mut |node| {
        if let Node::Expr(expr) = node
            && let ExprKind::Placeholder(_) = expr.kind
            && expr.span.has_offset(place.offset)
        {
            found = Some(expr);
        }
    });
    found
}

fn find_placeholder_span(place: &Place) -> Option<Span> {
    find_placeholder(place).map(|placeholder| placeholder.span)
}

/// Evaluates the placeholder around a place in the first instance.
fn evaluate_placeholder(state: &mut State, place: &Place) -> Option<String> {
    let outer = find_placeholder(place)?;
    let ExprKind::Placeholder(inner) = &outer.kind else { return None };
    let (_, task) = place.analysis.find_task_at(place.file, outer.span.start)?;
    // Values come from the current suite: an older one has other places.
    let valued = state.with_values(&place.analysis).filter(|valued| Arc::ptr_eq(valued, &place.analysis))?;
    let mut found = None;
    task.visit_exprs(&mut |_, expr, scope| {
        // Expressions of columns have a value in each row.
        if scope == Scope::default() {
            expr.visit_exprs(&mut |expr| {
                if found.is_none() && (expr.span == inner.span || expr.span == outer.span) {
                    found = Some(expr.clone());
                }
            });
        }
    });
    let (index, _) = valued.find_task(&task.name)?;
    let value = sample::evaluate_expr(&valued, index, &found?)?;
    Some(format!("in the first instance {}", render_value(&value)))
}
