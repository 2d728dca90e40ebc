//! The declarations of a task. They are collected before anything else because names can be used before they are declared.

use crate::context::{Checker, NameAst, NameDecl, TaskChecker, TaskScope};
use hir::Entity;
use syntax::ast::{self, StmtKind};
use syntax::diagnostics::wording::build_duplicate_diagnostic;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Collects all declarations of a task, because names can be used before they are declared.
    pub fn declare_task(&mut self, task: &'a ast::Task) {
        // `each` comes first, because its cells can be in the paths of files.
        for stmt in &task.body {
            if let StmtKind::Each(each) = &stmt.kind {
                self.scope.declare_each(self.cx, each, stmt.span);
            }
        }
        for stmt in &task.body {
            match &stmt.kind {
                StmtKind::Draw { names, domain } => {
                    for (place, name) in names.iter().enumerate() {
                        self.scope.declare_name(
                            self.cx,
                            name,
                            NameAst::Draw { domain, group: names, place: place as u32 },
                        );
                    }
                }
                StmtKind::Compute(compute) => {
                    self.scope.declare_name(self.cx, &compute.name, NameAst::Compute(&compute.value))
                }
                StmtKind::Axis { name, cells } => self.scope.declare_name(self.cx, name, NameAst::Axis(cells)),
                StmtKind::Data(data) => self.declare_file(data),
                StmtKind::Table(table) => self.scope.declare_table(self.cx, table),
                StmtKind::TableFrom(table) => self.declare_private(table),
                _ => {}
            }
        }
    }
}

impl<'a> TaskScope<'a> {
    pub fn declare_name(&mut self, cx: &mut Checker<'a>, ident: &'a ast::Ident, source: NameAst<'a>) {
        let id = self.names.next_key();
        if self.enter_scope(cx, ident, Entity::Name(id)) {
            self.names.push(NameDecl::new(ident, source));
        }
    }

    /// Adds a name to the scope. Reports a name that is already declared, and returns false.
    pub fn enter_scope(&mut self, cx: &mut Checker<'a>, ident: &'a ast::Ident, entity: Entity) -> bool {
        if let Some(first) = self.entities.get(ident.text.as_str()).copied() {
            let said = build_duplicate_diagnostic(
                ident,
                describe_entity(entity),
                self.find_entity_span(first),
                describe_entity(first),
            );
            cx.report(said);
            return false;
        }
        if cx.globals.constants.contains_key(ident.text.as_str()) {
            let first = cx.globals.constants[ident.text.as_str()].name.span;
            let said = build_duplicate_diagnostic(ident, describe_entity(entity), first, "constant");
            cx.report(said);
        }
        if ident.text == "sandbox" {
            let message = "`sandbox` is the root of the agent's sandbox";
            let said = Diagnostic::new(Code::RESERVED_WORD, message, ident.span, "taken");
            cx.report(said.help("choose another name"));
        }
        self.entities.insert(&ident.text, entity);
        true
    }

    /// Checks whether the task declares the name of something that is declared for the whole suite. Reports the name if so.
    pub fn is_shadowed(&self, cx: &mut Checker<'a>, shared: &ast::Ident, what: &str) -> bool {
        let Some(own) = self.entities.get(shared.text.as_str()).copied() else { return false };
        let second = ast::Ident { text: shared.text.clone(), span: self.find_entity_span(own), quoted: false };
        cx.report(build_duplicate_diagnostic(&second, describe_entity(own), shared.span, what));
        true
    }
}

/// Returns what an entity is called in diagnostics.
pub(crate) fn describe_entity(entity: Entity) -> &'static str {
    match entity {
        Entity::Name(_) => "value",
        Entity::File(_) => "file",
        Entity::Relation(_) => "table",
        Entity::Lake(_) => "lake",
        Entity::Row => "row",
    }
}
