//! `tools […]` and `calls N`: what an agent may use.

use model::Span;
use model::suite::{Calls, MOST_CALLS, Means};
use model::tools::Tool;

use crate::ast::{self, ExprKind};
use crate::check::model::{NameAst, TaskChecker};
use crate::check::say::{all_of_words, suggest_name, twice};
use crate::check::task::parts::Parts;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir;

impl<'a> TaskChecker<'_, 'a> {
    /// What the body of a task or variant says.
    pub fn means(&mut self, parts: &Parts<'a>) -> Means {
        for (word, written) in [("tools", &parts.tools), ("calls", &parts.calls)] {
            for pair in written.windows(2) {
                let [first, second] = pair else { continue };
                self.cx.say(twice(word, second.span, first.span));
            }
        }
        let tools = parts.tools.last();
        Means {
            tools: tools.map(|written| self.tools(written)),
            calls: parts.calls.last().and_then(|written| self.calls(written)),
            span: tools.map_or(Span::default(), |written| written.span),
        }
    }

    /// The tools of a list, in the order of their table: the order in which they are listed says nothing.
    fn tools(&mut self, written: &ast::Expr) -> Vec<Tool> {
        let ExprKind::List(items) = &written.kind else { return Vec::new() };
        let mut found: Vec<(Tool, Span)> = Vec::new();
        for item in items {
            let ExprKind::Path(path) = &item.kind else {
                self.not_a_tool("a tool is a name, such as `run_sql`".to_owned(), item.span, None);
                continue;
            };
            let Some(name) = path.first().filter(|_| path.len() == 1).map(|name| name.text.as_str()) else {
                self.not_a_tool("a tool is one name, such as `run_sql`".to_owned(), item.span, None);
                continue;
            };
            match Tool::of(name) {
                None => self.not_a_tool(format!("`{name}` is not a tool"), item.span, Some(name)),
                Some(tool) => match found.iter().find(|(known, _)| *known == tool) {
                    Some((_, first)) => self.cx.say(twice(name, item.span, *first)),
                    None => found.push((tool, item.span)),
                },
            }
        }
        let mut tools: Vec<Tool> = found.into_iter().map(|(tool, _)| tool).collect();
        tools.sort_unstable();
        tools
    }

    fn not_a_tool(&mut self, message: String, span: Span, name: Option<&str>) {
        let known = || Tool::ALL.iter().map(|tool| tool.word());
        let said = Diagnostic::new(Code::UNKNOWN_TOOL, message, span, "not a tool");
        let said = match name {
            Some(name) => suggest_name(said, span, name, known()),
            None => said,
        };
        let said =
            if said.help.is_none() { said.note(format!("the tools are {}", all_of_words(known()))) } else { said };
        self.cx.say(said);
    }

    /// A number of calls: a constant, or an axis.
    fn calls(&mut self, written: &'a ast::Expr) -> Option<Calls> {
        let checked = self.expr(written);
        let axis = match &checked.kind {
            hir::ExprKind::Name(id) if matches!(self.names[*id].source, NameAst::Axis(_)) => Some(*id),
            _ => None,
        };
        let Some(id) = axis else {
            if checked.value().is_none() && !checked.is_broken() {
                let mut declared = None;
                checked.each_name(&mut |id| declared = declared.or(Some(id)));
                let said = Diagnostic::new(
                    Code::NOT_CONSTANT,
                    "`calls` needs a number or an axis",
                    checked.span,
                    "known only when the suite is built",
                )
                .help("name an axis alone: axis budget = [4, 8]  calls budget");
                let declared = declared.map(|id| self.names[id].ident.span);
                self.cx.say(match declared {
                    Some(declared) => said.label(declared, "declared here"),
                    None => said,
                });
                return None;
            }
            return self.cx.whole("calls", &checked, 1, i64::from(MOST_CALLS)).map(|calls| Calls::Fixed(calls as u32));
        };
        let cells = self.axes.iter().find(|axis| axis.slot == id).map(|axis| axis.cells.clone()).unwrap_or_default();
        let mut fits = true;
        for (_, cell) in cells {
            fits &= self.cx.whole("calls", &cell, 1, i64::from(MOST_CALLS)).is_some();
        }
        fits.then_some(Calls::Axis(id))
    }
}
