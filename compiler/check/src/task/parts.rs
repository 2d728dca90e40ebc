//! The statements of a task, variant, or stage that declare nothing, by kind. Also checks those that add something other than files to the sandbox.

use model::Span;

use crate::context::TaskChecker;
use hir::types::{Ty, TyKind};
use hir::{Expr, Extra};
use syntax::ast::{self, Stmt, StmtKind};
use syntax::diagnostics::{Code, Diagnostic};

/// The statements of a body that declare nothing, in source order.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    pub samples: Vec<&'a ast::Expr>,
    pub requires: Vec<&'a ast::Expr>,
    pub prompts: Vec<(&'a ast::Prompt, Span)>,
    pub expects: Vec<(&'a ast::Expect, Span)>,
    pub variants: Vec<WayAst<'a>>,
    pub stages: Vec<WayAst<'a>>,
    pub tags: Vec<&'a ast::Expr>,
    pub tools: Vec<&'a ast::Expr>,
    pub calls: Vec<&'a ast::Expr>,
    pub allows: Vec<&'a ast::Allow>,
    /// Folders and clutter for the sandbox.
    pub extras: Vec<&'a StmtKind>,
}

/// A variant or stage as written.
pub(crate) struct WayAst<'a> {
    pub span: Span,
    pub name: &'a ast::Ident,
    /// The names after `after`, in a stage.
    pub after: &'a [ast::Ident],
    pub body: &'a [Stmt],
}

impl<'a> Parts<'a> {
    pub fn from_body(body: &'a [Stmt]) -> Parts<'a> {
        let mut parts = Parts::default();
        for stmt in body {
            match &stmt.kind {
                StmtKind::Samples(value) => parts.samples.push(value),
                StmtKind::Require(condition) => parts.requires.push(condition),
                StmtKind::Prompt(prompt) => parts.prompts.push((prompt, stmt.span)),
                StmtKind::Expect(expect) => parts.expects.push((expect, stmt.span)),
                StmtKind::Variant { name, body } => {
                    parts.variants.push(WayAst { span: stmt.span, name, after: &[], body })
                }
                StmtKind::Stage(ast::Stage { name, after, body }) => {
                    parts.stages.push(WayAst { span: stmt.span, name, after, body })
                }
                StmtKind::Tags(value) => parts.tags.push(value),
                StmtKind::Tools(value) => parts.tools.push(value),
                StmtKind::Calls(value) => parts.calls.push(value),
                StmtKind::Allow(allow) => parts.allows.push(allow),
                StmtKind::Clutter { .. } | StmtKind::Folder(_) => parts.extras.push(&stmt.kind),
                StmtKind::Draw { .. }
                | StmtKind::Compute(_)
                | StmtKind::Axis { .. }
                | StmtKind::Each(_)
                | StmtKind::Data(_)
                | StmtKind::Table(_)
                | StmtKind::TableFrom(_)
                | StmtKind::Lake(_)
                | StmtKind::Reserved(_) => {}
            }
        }
        parts
    }
}

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a statement that adds a folder or clutter to the sandbox.
    pub fn check_extra(&mut self, stmt: &'a StmtKind) -> Option<Extra> {
        match stmt {
            StmtKind::Folder(path) => Some(Extra::Folder(self.check_path(path))),
            StmtKind::Clutter { count, within } => {
                let count = self.check_clutter_count(count);
                Some(Extra::Clutter { count, within: within.as_ref().map(|path| self.check_path(path)) })
            }
            _ => None,
        }
    }

    fn check_clutter_count(&mut self, count: &'a ast::Expr) -> Expr {
        let count = self.check_expr(count);
        self.cx.expect_type(&count, &Ty::new(TyKind::Int), "the number of clutter files");
        self.scope.check_not_null(self.cx, &count, "the number of clutter files");
        if let Some(model::Value::Int(number)) = count.as_constant()
            && !(0..=10_000).contains(number)
        {
            let message = "`clutter` needs 0 to 10,000 files";
            let said = Diagnostic::new(Code::BAD_SETTING, message, count.span, format!("this is {number}"));
            self.cx.report(said.help("write: clutter 20"));
        }
        count
    }
}
