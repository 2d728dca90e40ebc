//! What is under the cursor: its declaration, type, values, and documentation; of a placeholder, its value in the first
//! instance. `table_preview` is what is in the files of a table that is read, `cells` how those of a generated one are
//! written, `schema_description` what a description of a database leaves out, `goal` what a state changes.

mod cells;
mod goal;
mod schema_description;
mod table_preview;

use std::fmt::Write as _;
use std::sync::Arc;

use compiler::ast::{Expr, ExprKind, Node, Span, Stmt, StmtKind, visit_nodes};
use compiler::diagnostics::find_code_by_name;
use compiler::hir;
use compiler::query::{Declaration, Kind};
use compiler::syntax::lex::{self, Token};
use compiler::syntax::words::{self, Class};
use compiler::types::TyKind;
use gen_lsp_types as lsp;
use model::Domain;
use model::suite::{ColumnId, Each, RelationId, Scope, sort_stages};
use model::tools::Tool;
use model::value::group_digits;

use super::{Place, to_markdown};
use crate::analysis::{Analysis, Symbol};
use crate::context::Context;
use crate::dispatch::Answer;
use crate::sample::{self, SHOWN, inspect_sample, render_inline_code, render_value};
use crate::state::State;

/// The most lines of a declaration that are shown.
const LINES: usize = 6;
/// The most characters of a prompt that are shown.
const PROMPT: usize = 2_000;
/// The most characters of a cell that are shown.
const CELL: usize = 200;

/// What there is to say of a place.
pub fn handle_hover(
    state: &mut State,
    params: lsp::HoverParams,
) -> Answer<<lsp::HoverRequest as lsp::Request>::Result> {
    let Some(asked) = state.resolve_request_place(&params.text_document_position_params) else { return Ok(None) };
    let Some(place) = asked.to_compiled_place() else { return Ok(None) };
    let Some((mut text, at)) = explain_name(state, &place)
        .or_else(|| explain_lint(&place))
        .or_else(|| explain_tool(&place))
        .or_else(|| explain_keyword(&place))
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

/// What a name means.
fn explain_name(state: &mut State, place: &Place) -> Option<(String, Span)> {
    let found = place.analysis.find_symbol(place.file, place.offset);
    let Some(symbol) = found else { return explain_domain_word(place) };
    let text = describe_symbol(state, &place.analysis, &symbol, place)?;
    Some((text, symbol.at))
}

/// A domain that is a word of the language.
fn explain_domain_word(place: &Place) -> Option<(String, Span)> {
    let ast = place.analysis.find_ast(place.file)?;
    let mut found = None;
    visit_nodes(ast, &mut |node| {
        if let Node::Named(named) = node
            && named.name.span.has_offset(place.offset)
        {
            found = Some(&named.name);
        }
    });
    let name = found?;
    let word = words::iter_class(Class::Constructor).find(|word| word.text == name.text)?;
    Some((format!("{}\n\ndomain of the language", wrap_in_fence(word.snippet)), name.span))
}

/// A name's declaration, its type and values, its documentation.
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
        // What is read for the suite is in every task.
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
            facts.push(declared.kind.describe().to_owned());
            // One of the suite is a table of every task.
            let reads = |task: &&hir::Task| task.relations.iter().any(|relation| relation.span == declared.name.span);
            if let Some(task) = analysis.iter_tasks().find(reads) {
                inside = describe_file(valued.as_deref(), task, declared);
            }
            if let Some(seen) = table_preview::load_table_glimpse(state, analysis, declared) {
                inside.push_str(&table_preview::render_region(&seen));
            }
        }
        // One of a database is a table of its task.
        Some(Kind::View) if analysis.find_task_at(symbol.target.file, symbol.target.start).is_none() => {
            let (declared, _) = own?;
            let seen = table_preview::load_table_glimpse(state, analysis, declared);
            facts.push(declared.kind.describe().to_owned());
            facts.extend(table_preview::count_files_and_rows(analysis, declared, seen.as_deref()));
            inside = seen.map(|seen| table_preview::render_region(&seen)).unwrap_or_default();
        }
        Some(Kind::Lake) => {
            let (declared, _) = own?;
            facts.push(declared.kind.describe().to_owned());
            facts.extend(table_preview::count_lake_files(state, analysis, declared));
        }
        Some(Kind::Constant | Kind::Columns | Kind::Suite | Kind::Variant | Kind::Function) => {
            facts.extend(own.map(|(declared, _)| declared.kind.describe().to_owned()));
        }
        Some(Kind::Stage) => {
            let (declared, _) = own?;
            facts.push(declared.kind.describe().to_owned());
            inside = task.map(|task| render_stage_graph(task, &declared.name.text)).unwrap_or_default();
        }
        Some(Kind::Each) => {
            let task = task?;
            let each = task.each.as_ref()?;
            facts.push(format!("row of `{}`", task.relations.get(each.relation)?.name));
            facts.extend(count_asked_rows(each));
            inside = render_first_row(task, each);
        }
        Some(Kind::Column) if task.is_none() => facts.push(Kind::Column.describe().to_owned()),
        _ => {
            let task = task?;
            if let Some((name, _)) = find_name(task, symbol.target, &symbol.name) {
                facts.push(name.ty.to_string());
                if let hir::NameSource::Draw { draw, .. } = &name.source {
                    facts.extend(describe_draw_size(draw));
                }
                facts.extend(own.map(|(declared, _)| format!("{} of `{}`", declared.kind.describe(), task.name)));
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
                facts.push(declared.kind.describe().to_owned());
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

/// The stages of a task in the order of their graph, each with those that precede it; the one in question is marked.
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

/// How many rows are asked, and how many clusters they belong to.
fn count_asked_rows(each: &Each) -> Vec<String> {
    let counted = |count: usize, one: &str| {
        let s = if count == 1 { "" } else { "s" };
        format!("{} {one}{s}", group_digits(count as u64))
    };
    let by = each.rows.iter().any(|row| row.by.is_some());
    let clusters = by.then(|| counted(each.count_clusters(), "cluster"));
    std::iter::once(counted(each.rows.len(), "row")).chain(clusters).collect()
}

/// The cells of the first row that is asked, as far as the task reads them.
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

/// The documentation of a function: its example on a line of its own.
fn format_documentation(doc: &str) -> String {
    doc.replace("\nExample: ", "\n\nExample: ")
}

fn wrap_in_fence(text: &str) -> String {
    format!("```pcd\n{text}\n```")
}

/// The first lines of a declaration; of a block its first.
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
    // Inside of objects a column's name is the whole path.
    let fits = |name: &str| name.eq_ignore_ascii_case(&symbol.name) || name.rsplit('.').next() == Some(&symbol.name);
    task.relations.iter_enumerated().find_map(|(relation, decl)| {
        let at = decl.columns.position(|column| column.span == symbol.target && fits(&column.name))?;
        Some((relation, at))
    })
}

/// How many values a draw has to choose from.
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

/// The type and size of a domain, from a column or name that is drawn from it plainly.
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

/// A name's values in the first samples.
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

/// A column's first values in the first sample.
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

/// A file's path, tables and rows in the first sample.
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

/// A task's prompt in its first instance.
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

/// A lint that is silenced: its page.
fn explain_lint(place: &Place) -> Option<(String, Span)> {
    let ast = place.analysis.find_ast(place.file)?;
    let mut found = None;
    visit_nodes(ast, &mut |node| {
        if let Node::Name(name) = node
            && name.span.has_offset(place.offset)
        {
            found = Some(name);
        }
    });
    let name = found?;
    let code = find_code_by_name(&name.text).filter(|code| code.id.starts_with('W'))?;
    Some((code.page.to_owned(), name.span))
}

/// A tool, with the description that the model gets.
fn explain_tool(place: &Place) -> Option<(String, Span)> {
    let text = place.analysis.text(place.file);
    let lexed = lex::guess_tokens(text);
    let holds =
        |token: &&Token| token.kind == lex::Kind::Word && token.start <= place.offset && place.offset <= token.end;
    let token = lexed.tokens.iter().find(holds)?;
    let tool = Tool::from_word(token.text(text))?;
    if !Context::new(text, token.start as usize).is_in_tools() {
        return None;
    }
    let record = tool.record();
    let mut said = format!("`{}`: {}", tool.word(), record.description);
    for one in record.parameters {
        let optional = if one.required { "" } else { " (optional)" };
        let about = if one.description.is_empty() { String::new() } else { format!(": {}", one.description) };
        let _ = write!(said, "\n- `{}`{optional}{about}", one.name);
    }
    Some((said, Span::new(place.file, token.start, token.end)))
}

/// A word of the language.
fn explain_keyword(place: &Place) -> Option<(String, Span)> {
    let text = place.analysis.text(place.file);
    let lexed = lex::guess_tokens(text);
    let holds =
        |token: &Token| token.kind == lex::Kind::Word && token.start <= place.offset && place.offset <= token.end;
    let tokens: Vec<&Token> = lexed
        .tokens
        .iter()
        .filter(|token| !matches!(token.kind, lex::Kind::Blank | lex::Kind::Comment | lex::Kind::Doc))
        .collect();
    let at = tokens.iter().position(|token| holds(token))?;
    let token = tokens.get(at)?;
    let word = |at: Option<usize>| {
        let token = tokens.get(at?).filter(|token| token.kind == lex::Kind::Word)?;
        Some(token.text(text))
    };
    let around = (word(at.checked_sub(1)), word(at.checked_add(1)));
    let own = token.text(text);
    let statement = find_statement(place);
    let meant = match statement {
        // Its words mean something else elsewhere: it says what they do.
        Some(Stmt { kind: StmtKind::Each(_), span, .. }) if words::iter_uses(own).next().is_some() => {
            let begun = place.analysis.sources().text(*span).split_whitespace().next();
            words::find_meant_use((None, None), begun.unwrap_or(own), false)
        }
        _ => words::find_meant_use(around, own, statement.is_some_and(|one| matches!(one.kind, StmtKind::Expect(_)))),
    }?;
    Some((format!("`{}`: {}", meant.label, meant.doc), Span::new(place.file, token.start, token.end)))
}

/// The innermost statement around a place.
fn find_statement(place: &Place) -> Option<&Stmt> {
    let mut found = None;
    visit_nodes(place.analysis.find_ast(place.file)?, &mut |node| {
        if let Node::Stmt(stmt) = node
            && stmt.span.has_offset(place.offset)
        {
            found = Some(stmt);
        }
    });
    found
}

/// The innermost placeholder around a place.
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

/// The value of the placeholder around a place in the first instance.
fn evaluate_placeholder(state: &mut State, place: &Place) -> Option<String> {
    let outer = find_placeholder(place)?;
    let ExprKind::Placeholder(inner) = &outer.kind else { return None };
    let (_, task) = place.analysis.find_task_at(place.file, outer.span.start)?;
    // Values come from the suite as it is: an older one has other places.
    let valued = state.with_values(&place.analysis).filter(|valued| Arc::ptr_eq(valued, &place.analysis))?;
    let mut found = None;
    task.visit_exprs(&mut |_, expr, scope| {
        // Those of columns have a value in each row.
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
