//! For `leaked_answer`: the parts of paths and texts, and whether a value can be read off the data.

use std::collections::BTreeSet;

use model::suite::{FileId, NameId};

use super::dependence::flow::{Flow, Followed, Input};
use super::dependence::value_number::{number_value, strip_layout};
use super::reads::collect_read_files;
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind, FileContent, Sql, Task};
use sql::lex::{Token, tokenize_sql};

/// Checks whether a part has the value of an answer, perhaps spelled otherwise: in lower case, or with hyphens for blanks.
pub(super) fn is_answer(task: &Task, answer: &Expr, part: &Expr) -> bool {
    let (answer, part) = (number_value(task, answer), number_value(task, strip_spelling(task, part)));
    !matches!(answer.kind, ExprKind::Const(_)) && strip_layout(&answer) == strip_layout(&part)
}

/// Returns the text of which a text is another spelling.
fn strip_spelling<'e>(task: &'e Task, part: &'e Expr) -> &'e Expr {
    let mut at = part;
    while let ExprKind::Call(function, args) = &at.resolve_name(task).kind
        && at.ty.kind == TyKind::Text
        && (function.keeps_words || function.sought == Some(1))
        && let Some(Arg::Value(text)) = args.first()
    {
        at = text;
    }
    at
}

/// Lists the parts of which a path or a list consists, through names.
pub(super) fn list_pieces<'e>(task: &'e Task, path: &'e Expr) -> Vec<&'e Expr> {
    let mut pieces = Vec::new();
    for piece in path.resolve_name(task).as_pieces() {
        match &piece.resolve_name(task).kind {
            ExprKind::Concat(inner) => pieces.extend(inner),
            ExprKind::Const(_) => {}
            _ => pieces.push(piece),
        }
    }
    pieces
}

/// Lists the values that a text or a tree shows: its placeholders, and the values of its fields and items.
pub(super) fn list_values<'e>(task: &'e Task, expr: &'e Expr) -> Vec<&'e Expr> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    // Names composed of names can double each time.
    let mut left = 1000;
    while let Some(expr) = open.pop()
        && left > 0
    {
        left -= 1;
        match &expr.kind {
            ExprKind::Concat(items) | ExprKind::List(items) => open.extend(items),
            ExprKind::Object(fields) => open.extend(fields.iter().map(|(_, value)| value)),
            ExprKind::Const(_) | ExprKind::FilePath(_) | ExprKind::Folder(_) | ExprKind::Sandbox => {}
            ExprKind::Name(id) => {
                found.push(expr);
                let inner = task.find_computed(*id);
                open.extend(inner.filter(|value| {
                    matches!(value.kind, ExprKind::Concat(_) | ExprKind::Object(_) | ExprKind::List(_))
                }));
            }
            _ => found.push(expr),
        }
    }
    found
}

/// Checks whether what files contain depends on a drawn value: it can be read off them.
pub(super) fn is_traced(task: &Task, id: NameId) -> bool {
    task.files.keys().any(|file| {
        let mut flow = Flow::new(task, Followed::Traced);
        flow.add_content(file);
        flow.inputs.contains_key(&Input::Name(id))
    })
}

/// Checks whether a value can be a drawn value as it is: it is one, one of its branches, or a piece of it.
pub(super) fn can_be_name(value: &Expr, id: NameId) -> bool {
    match &value.kind {
        ExprKind::Name(other) => *other == id,
        ExprKind::If(parts) => can_be_name(&parts.1, id) || can_be_name(&parts.2, id),
        ExprKind::Concat(pieces) => pieces.iter().any(|piece| can_be_name(piece, id)),
        _ => false,
    }
}

/// Collects the computed texts and trees that list the rows from which a value is computed, if no file is written from their table.
pub(super) fn collect_listing_texts(task: &Task, value: &Expr) -> BTreeSet<FileId> {
    if !collect_read_files(task, value, &BTreeSet::new()).is_empty() {
        return BTreeSet::new();
    }
    let mut read = BTreeSet::new();
    value.visit_through_names(task, &mut |part| {
        if let ExprKind::Call(_, args) = &part.kind {
            for arg in args {
                match arg {
                    Arg::Relation { relation, .. } | Arg::Column { relation, .. } | Arg::Each { relation, .. } => {
                        read.insert(*relation);
                    }
                    Arg::Sql(sql) => read.extend(&sql.analysis.tables),
                    Arg::Value(_) | Arg::File(_) | Arg::Path(_) => {}
                }
            }
        }
    });
    let lists = |part: &Expr| {
        let ExprKind::Call(_, args) = &part.kind else { return false };
        args.iter().any(|arg| match arg {
            Arg::Each { relation, filter: None, .. } => read.contains(relation),
            Arg::Sql(sql) => {
                matches!(sql.analysis.tables.as_slice(), [table] if read.contains(table)) && lists_all_rows(sql)
            }
            _ => false,
        })
    };
    let texts = task.files.iter_enumerated().filter(|(_, file)| match &file.content {
        FileContent::ComputedText(text) | FileContent::ComputedTree(text) => text.has_part_through_names(task, lists),
        _ => false,
    });
    texts.map(|(id, _)| id).collect()
}

/// Checks whether a query returns all rows of its table as they are.
fn lists_all_rows(sql: &Sql) -> bool {
    let is_plain = |token: &Token<'_>| {
        !token.is_any("WHERE GROUP LIMIT JOIN DISTINCT UNION EXCEPT INTERSECT COUNT SUM AVG MIN MAX TOTAL HAVING")
    };
    tokenize_sql(&sql.text).iter().all(is_plain)
}
