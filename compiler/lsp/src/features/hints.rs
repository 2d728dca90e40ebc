//! Inlay hints: the types of computed values, and numbers of rows that the source does not contain.

use std::collections::BTreeMap;

use compiler::ast::{Content, Node, Span, Stmt, StmtKind, visit_nodes};
use compiler::hir;
use compiler::query::Kind;
use gen_lsp_types as lsp;

use crate::analysis::Analysis;
use crate::render::format_quantity;
use crate::sample::inspect_sample;
use crate::state::State;

/// Returns the hints in a range.
pub fn handle_inlay_hint(state: &mut State, params: lsp::InlayHintParams) -> Option<Vec<lsp::InlayHint>> {
    let (analysis, file) = state.load_document(&params.text_document.uri)?;
    let (from, to) = analysis.find_offsets(file, params.range)?;
    let inside = |span: Span| span.file == file && from <= span.end && span.start <= to;
    // Several tasks, and files with the same columns, may share one declaration.
    let mut found: BTreeMap<Span, (String, lsp::InlayHintKind)> = BTreeMap::new();
    let mut add_hint = |at: Span, label: String, kind: lsp::InlayHintKind| {
        if inside(at) {
            found.entry(at).or_insert((label, kind));
        }
    };
    let Some(suite) = &analysis.analysed.compiled.hir else { return Some(Vec::new()) };
    for (index, task) in (0..).zip(&suite.tasks).filter(|(_, task)| inside(task.notes.whole)) {
        let names = task.names.iter().filter(|name| matches!(name.source, hir::NameSource::Compute(_)));
        let columns = task.relations.iter().flat_map(list_computed_columns);
        let typed = names.map(|name| (name.span, &name.ty)).chain(columns.map(|column| (column.span, &column.ty)));
        for (at, ty) in typed.filter(|(_, ty)| !ty.is_unknown()) {
            add_hint(at, format!(": {ty}"), lsp::InlayHintKind::Type);
        }
        for (at, rows) in list_row_counts(&analysis, index, task) {
            add_hint(at, format_quantity(rows, "row"), lsp::InlayHintKind::Parameter);
        }
    }
    // A constant has the type of its value.
    let constants = analysis.list_declarations(file).iter().filter(|item| item.kind == Kind::Constant);
    for at in constants.map(|item| item.name.span).filter(|at| inside(*at)) {
        if let Some(ty) = infer_constant_type(&analysis, at) {
            add_hint(at, format!(": {ty}"), lsp::InlayHintKind::Type);
        }
    }
    let hints = found.into_iter().filter_map(|(at, (label, kind))| {
        Some(lsp::InlayHint {
            position: analysis.find_range(at)?.end,
            padding_left: Some(kind == lsp::InlayHintKind::Parameter),
            label: label.into(),
            kind: Some(kind),
            text_edits: None,
            tooltip: None,
            padding_right: None,
            data: None,
        })
    });
    Some(hints.collect())
}

/// The computed columns of a relation. A column taken from another table has no declaration of its own.
fn list_computed_columns(relation: &hir::Relation) -> impl Iterator<Item = &hir::Column> {
    let columns = relation.iter_own_columns().map(|(_, column)| column);
    let is_own =
        |column: &hir::Column| !relation.columns.iter().any(|taken| taken.is_taken() && taken.span == column.span);
    columns.filter(move |column| matches!(column.source, hir::ColumnSource::Compute(_)) && is_own(column))
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

/// The relations whose number of rows is not fixed in the source, at their declarations, with the number in the first instance.
fn list_row_counts(analysis: &Analysis, index: u32, task: &hir::Task) -> Vec<(Span, usize)> {
    let Some(ast) = analysis.find_ast(task.span.file) else { return Vec::new() };
    let mut said: Vec<(Span, Span)> = Vec::new();
    visit_nodes(ast, &mut |node| match node {
        // A range, or a computed number.
        Node::Stmt(Stmt { kind: StmtKind::Data(data), .. }) => match &data.content {
            Content::Body { body, .. } => said.extend(body.rows.first().map(|rows| (data.name.span, rows.span))),
            Content::Fixture(from) => said.push((data.name.span, from.path.span)),
            Content::Taken(from) => said.push((data.name.span, from.rel.span)),
            _ => {}
        },
        Node::Table(table) | Node::Stmt(Stmt { kind: StmtKind::Table(table), .. }) => {
            said.extend(table.body.rows.first().map(|rows| (table.name.span, rows.span)));
        }
        Node::Stmt(Stmt { kind: StmtKind::TableFrom(table), .. }) => said.push((table.name.span, table.from.path.span)),
        _ => {}
    });
    let is_fixed = |relation: &hir::Relation| match &relation.rows {
        hir::Rows::Count(low, high) => low.as_constant().is_some() && low.as_constant() == high.as_constant(),
        hir::Rows::PerRow { .. } | hir::Rows::Lines(_) | hir::Rows::View(_) | hir::Rows::Taken { .. } => true,
        hir::Rows::Given(_) | hir::Rows::Query(_) => false,
    };
    let drawn = task.relations.iter_enumerated().filter(|(_, relation)| !is_fixed(relation));
    let counted = drawn.filter_map(|(place, relation)| {
        let count = inspect_sample(analysis, index, 0)?.relations.get(place)?.rows;
        let (_, at) = said.iter().find(|(name, _)| *name == relation.span)?;
        Some((*at, if let hir::Rows::Given(rows) = relation.rows { rows as usize } else { count }))
    });
    counted.collect()
}
