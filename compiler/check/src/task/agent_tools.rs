//! `tools […]` and `calls N`: the tools that an agent can use.

use model::Span;
use model::suite::{AgentTools, Calls, MAX_CALLS};
use model::tools::Tool;

use crate::context::{Checker, NameAst, TaskChecker};
use crate::task::parts::Parts;
use syntax::ast::{self, ExprKind};
use syntax::diagnostics::wording::{build_repeated_diagnostic, join_with_and, suggest_name};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks the `tools` and `calls` of a task or variant.
    pub fn check_agent_tools(&mut self, parts: &Parts<'a>) -> AgentTools {
        self.cx.reject_repeated("tools", &parts.tools);
        self.cx.reject_repeated("calls", &parts.calls);
        let tools = parts.tools.last();
        AgentTools {
            tools: tools.map(|written| self.cx.check_tools(written)),
            calls: parts.calls.last().and_then(|written| self.check_call_limit(written)),
            span: tools.map_or(Span::default(), |written| written.span),
        }
    }

    /// Checks a number of calls: a constant or an axis.
    fn check_call_limit(&mut self, written: &'a ast::Expr) -> Option<Calls> {
        let checked = self.check_expr(written);
        let axis = match &checked.kind {
            hir::ExprKind::Name(id) if matches!(self.scope.names[*id].source, NameAst::Axis(_)) => Some(*id),
            _ => None,
        };
        let Some(id) = axis else {
            if checked.as_constant().is_none() && !checked.is_broken() {
                let declared = self.scope.find_first_named_span(&checked).map(|declared| (declared, "declared here"));
                let message = "`calls` needs a number or an axis";
                let label = "known only when the suite is built";
                let help = "name an axis alone: axis budget = [4, 8]  calls budget";
                let said = Diagnostic::new(Code::NOT_CONSTANT, message, checked.span, label);
                self.cx.report(said.with_labels(declared).help(help));
                return None;
            }
            let calls = self.cx.check_whole_number("calls", &checked, 1, i64::from(MAX_CALLS))?;
            return Some(Calls::Fixed(calls as u32));
        };
        let cells =
            self.scope.axes.iter().find(|axis| axis.slot == id).map(|axis| axis.cells.clone()).unwrap_or_default();
        let mut fits = true;
        for (_, cell) in cells {
            fits &= self.cx.check_whole_number("calls", &cell, 1, i64::from(MAX_CALLS)).is_some();
        }
        fits.then_some(Calls::Axis(id))
    }
}

impl Checker<'_> {
    /// Checks a list of tools. Returns them in the order of [`Tool`], because the written order has no meaning.
    fn check_tools(&mut self, written: &ast::Expr) -> Vec<Tool> {
        let ExprKind::List(items) = &written.kind else { return Vec::new() };
        let mut found: Vec<(Tool, Span)> = Vec::new();
        for item in items {
            let ExprKind::Path(path) = &item.kind else {
                self.report_unknown_tool("a tool is a name, such as `run_sql`".to_owned(), item.span, None);
                continue;
            };
            let Some(name) = path.first().filter(|_| path.len() == 1).map(|name| name.text.as_str()) else {
                self.report_unknown_tool("a tool is one name, such as `run_sql`".to_owned(), item.span, None);
                continue;
            };
            match Tool::from_word(name) {
                None => self.report_unknown_tool(format!("`{name}` is not a tool"), item.span, Some(name)),
                Some(tool) => match found.iter().find(|(known, _)| *known == tool) {
                    Some((_, first)) => self.report(build_repeated_diagnostic(name, item.span, *first)),
                    None => found.push((tool, item.span)),
                },
            }
        }
        let mut tools: Vec<Tool> = found.into_iter().map(|(tool, _)| tool).collect();
        tools.sort_unstable();
        tools
    }

    fn report_unknown_tool(&mut self, message: String, span: Span, name: Option<&str>) {
        let known = || Tool::ALL.iter().map(|tool| tool.word());
        let said = Diagnostic::new(Code::UNKNOWN_TOOL, message, span, "not a tool");
        let said = match name {
            Some(name) => suggest_name(said, span, name, known()),
            None => said,
        };
        let said = match name.and_then(find_meant_tool).filter(|_| said.help.is_none()) {
            Some(tool) => said.suggest(Applicability::Unsafe, span, tool.word().to_owned()),
            None => said,
        };
        let said =
            if said.help.is_none() { said.note(format!("the tools are {}", join_with_and(known()))) } else { said };
        self.report(said);
    }
}

/// Words in the names that other systems give to tools.
const WORDS: [(&str, Tool); 14] = [
    ("sql", Tool::RunSql),
    ("query", Tool::RunSql),
    ("database", Tool::RunSql),
    ("list", Tool::ListFiles),
    ("ls", Tool::ListFiles),
    ("read", Tool::ReadFile),
    ("open", Tool::ReadFile),
    ("cat", Tool::ReadFile),
    ("write", Tool::WriteFile),
    ("save", Tool::WriteFile),
    ("delete", Tool::RemoveFile),
    ("remove", Tool::RemoveFile),
    ("mkdir", Tool::MakeFolder),
    ("folder", Tool::MakeFolder),
];

/// Returns the tool that another system calls by a name, if its words mean only one.
fn find_meant_tool(name: &str) -> Option<Tool> {
    let name = name.to_lowercase();
    let is_in = |word: &str| name.split(['_', '-']).any(|part| part == word);
    let mut meant = WORDS.iter().filter(|(word, _)| is_in(word)).map(|(_, tool)| *tool);
    let tool = meant.next()?;
    meant.all(|other| other == tool).then_some(tool)
}
