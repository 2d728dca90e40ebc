//! Inlay hints: the types of computed values, and numbers of rows that the source does not contain.

use std::sync::Arc;

use compiler::ast::{Content, Node, Span, Stmt, StmtKind, visit_nodes};
use compiler::hir;
use compiler::query::Kind;
use gen_lsp_types as lsp;

use crate::analysis::Analysis;
use crate::dispatch::Answer;
use crate::sample::inspect_sample;
use crate::state::State;

/// Returns the hints in a range.
pub fn handle_inlay_hint(
    state: &mut State,
    params: lsp::InlayHintParams,
) -> Answer<<lsp::InlayHintRequest as lsp::Request>::Result> {
    let Some((analysis, file)) = state.load_document(&params.text_document.uri) else { return Ok(None) };
    let Some(lines) = analysis.lines(file) else { return Ok(None) };
    let text = analysis.text(file);
    let (from, to) =
        (lines.find_offset(text, params.range.start) as u32, lines.find_offset(text, params.range.end) as u32);
    let mut found: Vec<(u32, String, lsp::InlayHintKind)> = Vec::new();
    let inside = |span: Span| from <= span.end && span.start <= to;
    let Some(suite) = &analysis.analysed.compiled.hir else { return Ok(Some(Vec::new())) };
    for (index, task) in (0..).zip(&suite.tasks) {
        if task.notes.whole.file != file || !inside(task.notes.whole) {
            continue;
        }
        for name in &task.names {
            let computed = matches!(name.source, hir::NameSource::Compute(_));
            if computed && !name.ty.is_unknown() && inside(name.span) {
                found.push((name.span.end, format!(": {}", name.ty), lsp::InlayHintKind::Type));
            }
        }
        for relation in &task.relations {
            for (_, column) in relation.iter_own_columns() {
                // A column taken from another table has no declaration of its own.
                let own = !relation.columns.iter().any(|taken| taken.is_taken() && taken.span == column.span);
                let computed = own && matches!(column.source, hir::ColumnSource::Compute(_));
                if computed && column.span.file == file && !column.ty.is_unknown() && inside(column.span) {
                    let hint = (column.span.end, format!(": {}", column.ty), lsp::InlayHintKind::Type);
                    // Files with the same columns share one declaration.
                    if !found.iter().any(|(at, ..)| *at == hint.0) {
                        found.push(hint);
                    }
                }
            }
        }
        collect_row_hints(&analysis, index, task, &mut |at, rows| {
            if inside(at) {
                let unit = if rows == 1 { "row" } else { "rows" };
                found.push((
                    at.end,
                    format!("{} {unit}", model::value::group_digits(rows as u64)),
                    lsp::InlayHintKind::Parameter,
                ));
            }
        });
    }
    // A constant has the type of its value.
    for item in
        analysis.list_declarations(file).iter().filter(|item| item.kind == Kind::Constant && inside(item.name.span))
    {
        if let Some(ty) = infer_constant_type(&analysis, item.name.span) {
            found.push((item.name.span.end, format!(": {ty}"), lsp::InlayHintKind::Type));
        }
    }
    // Several tasks may share columns.
    found.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    found.dedup_by(|a, b| a.0 == b.0);
    let hints = found.into_iter().map(|(at, label, kind)| lsp::InlayHint {
        position: lines.find_position(text, at as usize),
        padding_left: Some(kind == lsp::InlayHintKind::Parameter),
        label: label.into(),
        kind: Some(kind),
        text_edits: None,
        tooltip: None,
        padding_right: None,
        data: None,
    });
    Ok(Some(hints.collect()))
}

/// The type of a constant, from an expression of a task that consists only of it.
fn infer_constant_type(analysis: &Analysis, target: Span) -> Option<String> {
    let reference = analysis.analysed.references.iter().find(|reference| reference.target == target)?;
    let (_, task) = analysis.find_task_at(reference.at.file, reference.at.start)?;
    let mut found = None;
    let mut visit = |expr: &hir::Expr| {
        if expr.span == reference.at {
            found = Some(expr.ty.to_string());
        }
    };
    task.visit_exprs(&mut |_, expr, _| expr.visit_exprs(&mut visit));
    found
}

/// Reports the relations whose number of rows is not fixed in the source, at their declarations, with the number in the first instance.
fn collect_row_hints(analysis: &Arc<Analysis>, index: u32, task: &hir::Task, found: &mut dyn FnMut(Span, usize)) {
    let Some(ast) = analysis.find_ast(task.span.file) else { return };
    let mut said: Vec<(Span, Span)> = Vec::new();
    visit_nodes(ast, &mut |node| match node {
        // A range, or a computed number.
        Node::Stmt(Stmt { kind: StmtKind::Data(data), .. }) => match &data.content {
            Content::Body { body, .. } => said.extend(body.rows.first().map(|rows| (data.name.span, rows.span))),
            Content::Tables(tables) => {
                said.extend(tables.iter().filter_map(|table| Some((table.name.span, table.body.rows.first()?.span))));
            }
            Content::Fixture(from) => said.push((data.name.span, from.path.span)),
            Content::Taken(from) => said.push((data.name.span, from.rel.span)),
            _ => {}
        },
        Node::Stmt(Stmt { kind: StmtKind::Table(table), .. }) => {
            said.extend(table.body.rows.first().map(|rows| (table.name.span, rows.span)));
        }
        Node::Stmt(Stmt { kind: StmtKind::TableFrom(table), .. }) => said.push((table.name.span, table.from.path.span)),
        _ => {}
    });
    for (place, relation) in task.relations.iter_enumerated() {
        let fixed = match &relation.rows {
            hir::Rows::Count(low, high) => low.as_constant().is_some() && low.as_constant() == high.as_constant(),
            hir::Rows::PerRow { .. } | hir::Rows::Lines(_) | hir::Rows::View(_) | hir::Rows::Taken { .. } => true,
            hir::Rows::Given(_) | hir::Rows::Query(_) => false,
        };
        if fixed {
            continue;
        }
        let Some(look) = inspect_sample(analysis, index, 0) else { return };
        let Some(count) = look.relations.get(place).map(|relation| relation.rows) else { continue };
        let at = said.iter().find(|(name, _)| *name == relation.span).map(|(_, at)| *at);
        match (at, &relation.rows) {
            (Some(at), hir::Rows::Given(rows)) => found(at, *rows as usize),
            (Some(at), _) => found(at, count),
            _ => {}
        }
    }
}
