//! `missing_tool`: an expectation that the agent cannot meet with its tools.

use model::suite::Matcher;
use model::tools::{Record, Tool};
use model::{Span, Value};

use super::context::{Asked, TaskCx};
use hir::{Expect, Expr, ExprKind, Subject};
use syntax::diagnostics::wording::join_with_and;
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_missing_tools(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let mut known: Vec<(Span, Span)> = Vec::new();
    for asked in cx.list_questions() {
        let Some(tools) = &asked.means.tools else { continue };
        for expect in &asked.expects {
            let Some((path, needed)) = find_needed_tool(expect) else { continue };
            if tools.iter().any(|tool| (needed.does)(&tool.record()))
                || known.contains(&(expect.span, asked.means.span))
            {
                continue;
            }
            known.push((expect.span, asked.means.span));
            said.push(build_diagnostic(cx, &asked, (expect.span, path), tools, &needed));
        }
    }
}

/// The action that an expectation requires.
struct Needed {
    /// The verb for the action, such as `write`.
    verb: &'static str,
    /// Checks whether a tool can do it.
    does: fn(&Record) -> bool,
    /// The tool to suggest.
    tool: Tool,
}

/// Finds the action that an expectation requires, and the path to which it applies. Returns `None` if possibly nothing needs to be done.
fn find_needed_tool(expect: &Expect) -> Option<(&Expr, Needed)> {
    let write = Needed { verb: "write", does: |tool| tool.writes_files, tool: Tool::WriteFile };
    match (&expect.subject, expect.matcher) {
        (Subject::File(path), Matcher::Database) => {
            Some((path, Needed { verb: "change", does: |tool| tool.changes_databases, tool: Tool::RunSql }))
        }
        // A declared file exists at the start.
        (Subject::File(path), Matcher::Absent) => is_declared(path)
            .then_some((path, Needed { verb: "delete", does: |tool| tool.removes_files, tool: Tool::RemoveFile })),
        (_, Matcher::Absent | Matcher::Unchanged) => None,
        // The path can also be that of a database.
        (Subject::File(path), Matcher::Exists) => {
            let does = |tool: &Record| tool.writes_files || tool.changes_databases || tool.makes_folders;
            Some((path, Needed { does, ..write }))
        }
        (Subject::File(path), _) => Some((path, write)),
        (Subject::Reply(_) | Subject::Files(_) | Subject::Tree(_) | Subject::Only(_) | Subject::Unchanged(_), _) => {
            None
        }
    }
}

/// Checks whether a path is that of a declared file.
fn is_declared(path: &Expr) -> bool {
    match &path.kind {
        ExprKind::FilePath(_) => true,
        ExprKind::Concat(pieces) => matches!(pieces.as_slice(), [piece] if is_declared(piece)),
        _ => false,
    }
}

fn build_diagnostic(
    cx: &TaskCx<'_>,
    asked: &Asked<'_>,
    (span, path): (Span, &Expr),
    tools: &[Tool],
    needed: &Needed,
) -> Diagnostic {
    let written = cx.sources.text(path.span).trim().trim_matches('"');
    let what = path.as_constant().and_then(Value::as_text).unwrap_or(written);
    let whose = asked.describe_variant().map(|whose| format!(" of {whose}")).unwrap_or_default();
    let has = match tools {
        [] => "no tools".to_owned(),
        tools => format!("only {}", join_with_and(tools.iter().map(|tool| tool.word()))),
    };
    Diagnostic::new(Code::MISSING_TOOL, format!("no tool{whose} can {} `{what}`", needed.verb), span, "expected here")
        .label(asked.means.span, has)
        .help(format!("add `{}` to `tools`", needed.tool.word()))
}
