//! Values that depend on one another.

use model::Span;
use model::value::group_digits;

use crate::context::{Asked, Checker, DEEPEST, Ended, Global, LONGEST, RowScope, State, TaskChecker, TaskScope, Unit};
use hir::types::Ty;
use hir::{Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Checker<'a> {
    /// Begins to check a global. Returns false if too many others are waiting for it; it then remains unknown.
    pub fn begin_unit(&mut self, unit: Global<'a>, at: Span) -> bool {
        let begun = self.order.begin_unit(unit, ());
        if !begun {
            self.report_too_long(at, describe_waiting(), IN_ORDER);
        }
        begun
    }

    /// Ends the innermost global. Returns false if the chain that leads to it is too long; it must then remain unknown.
    pub fn end_unit(&mut self, at: Span) -> bool {
        let too_long = self.order.end_unit().is_some_and(|ended| ended.too_long);
        if too_long {
            self.report_too_long(at, describe_long_row(), "write one of the last values out");
        }
        !too_long
    }

    /// Reports a chain that is too long, once per suite.
    fn report_too_long(&mut self, at: Span, message: String, help: &str) {
        if self.order.take_first_report() {
            self.report(build_too_deep_diagnostic(message, at, help));
        }
    }
}

fn build_too_deep_diagnostic(message: String, at: Span, help: &str) -> Diagnostic {
    Diagnostic::new(Code::TOO_COMPLEX, message, at, "too deep here").help(help)
}

fn describe_waiting() -> String {
    format!("more than {DEEPEST} values depend on each other in a row")
}

fn describe_long_row() -> String {
    format!("more than {} values are computed from each other in a row", group_digits(u64::from(LONGEST)))
}

const IN_ORDER: &str = "declare each value after the values that it needs";

impl TaskChecker<'_, '_> {
    /// Begins to check a unit. Returns false if too many others are waiting for it; it then remains unknown.
    pub fn begin_unit(&mut self, unit: Unit, at: Option<Span>) -> bool {
        let asked = Asked { at, query: self.asking.take(), nulls_pass: self.nulls_pass };
        let begun = self.order.begin_unit(unit, asked);
        if begun {
            self.nulls_pass = false;
        } else {
            self.report_too_long(unit, describe_waiting(), IN_ORDER);
        }
        begun
    }

    /// Begins to check a unit, unless that is done. Returns the rows that were in scope, which are to be restored. Reaching a unit that is being checked
    /// is a cycle.
    pub fn start_unit(&mut self, unit: Unit, asked: Option<Span>) -> Option<RowScope> {
        let state = *self.scope.get_state(unit);
        match state {
            State::Done => self.record_need(unit),
            State::Doing => self.report_cycle(unit, asked),
            State::Todo if self.begin_unit(unit, asked) => {
                *self.scope.get_state(unit) = State::Doing;
                return Some(std::mem::take(&mut self.scope.here));
            }
            State::Todo => {}
        }
        None
    }

    /// Ends the innermost unit. Returns false if the chain of values that leads to it is too long; it must then remain unknown.
    pub fn end_unit(&mut self) -> bool {
        let Some(Ended { unit, asked, too_long }) = self.order.end_unit() else { return true };
        (self.nulls_pass, self.asking) = (asked.nulls_pass, None);
        if too_long {
            self.report_too_long(unit, describe_long_row(), "use fewer steps, or a table for a long series of values");
        }
        !too_long
    }

    /// Records that the innermost unit needs this one, which is finished.
    pub fn record_need(&mut self, unit: Unit) {
        self.asking = None;
        self.order.record_need(unit);
    }

    /// Reports a chain that is too long, once per task.
    fn report_too_long(&mut self, unit: Unit, message: String, help: &str) {
        if self.order.take_first_report() {
            let at = self.scope.find_unit_span(unit);
            self.cx.report(build_too_deep_diagnostic(message, at, help));
        }
    }

    /// Reports a unit that depends on itself, and makes its type unknown.
    pub fn report_cycle(&mut self, unit: Unit, asked: Option<Span>) {
        let query = self.asking.take();
        // Each step of the cycle: the unit that is needed, the span of its name, and the query that reads it.
        let steps = self.order.iter_since(unit).map(|(unit, asked)| (unit, asked.at, asked.query));
        let steps: Vec<(Unit, Option<Span>, Option<Span>)> = steps.chain([(unit, asked, query)]).collect();
        let name = self.scope.find_unit_name(unit);
        let names: Vec<String> =
            steps.iter().map(|(unit, ..)| format!("`{}`", self.scope.find_unit_name(*unit))).collect();
        let through = if steps.iter().any(|(.., query)| query.is_some()) { " through a query" } else { "" };
        let message = match names.as_slice() {
            [_] => format!("`{name}` depends on itself{through}"),
            _ => format!("`{name}` depends on itself{through}: `{name}` → {}", names.join(" → ")),
        };
        let at = asked.unwrap_or_else(|| self.scope.find_unit_span(unit));
        let mut said = Diagnostic::new(Code::CYCLE, message, at, self.scope.describe_cycle_step(unit, query));
        let mut told = vec![at];
        for (unit, asked, query) in &steps {
            let span = asked.unwrap_or_else(|| self.scope.find_unit_span(*unit));
            if !told.contains(&span) {
                told.push(span);
                said = said.label(span, self.scope.describe_cycle_step(*unit, *query));
            }
        }
        let declared = self.scope.find_unit_span(unit);
        if !told.contains(&declared) {
            said = said.label(declared, format!("`{name}` is declared here"));
        }
        let whole = steps.iter().any(|(unit, ..)| matches!(unit, Unit::File(_) | Unit::Relation(_)));
        self.cx.report(said.help(if whole {
            "define one without the other; a file or table is generated as a whole"
        } else {
            "define one without the other"
        }));
        // Its type is now unknown, so no further errors are reported, and following names cannot lead back to itself.
        match unit {
            Unit::Name(id) => {
                self.scope.names[id].ty = Ty::UNKNOWN;
                self.scope.names[id].checked = Some(hir::NameSource::Compute(Expr::unknown(declared)));
            }
            Unit::Column(relation, column) => {
                self.scope.relations.checked[relation].columns[column].ty = Ty::UNKNOWN;
            }
            Unit::File(_) | Unit::Relation(_) => {}
        }
    }
}

impl TaskScope<'_> {
    /// Returns the progress of checking a unit.
    fn get_state(&mut self, unit: Unit) -> &mut State {
        match unit {
            Unit::Name(id) => &mut self.names[id].state,
            Unit::File(id) => &mut self.relations.files[id].state,
            Unit::Relation(id) => &mut self.relations.declared[id].state,
            Unit::Column(relation, column) => &mut self.relations.declared[relation].columns[column].state,
        }
    }

    /// Describes one step of a cycle.
    fn describe_cycle_step(&self, unit: Unit, query: Option<Span>) -> String {
        let name = self.find_unit_name(unit);
        if query.is_some() { format!("this query reads `{name}`") } else { format!("needs `{name}`") }
    }

    fn find_unit_name(&self, unit: Unit) -> String {
        match unit {
            Unit::Name(id) => self.names[id].ident.text.clone(),
            Unit::File(id) => self.relations.files[id].ast.name.text.clone(),
            Unit::Relation(id) => self.relations.checked[id].name.clone(),
            Unit::Column(relation, column) => {
                let relation = &self.relations.checked[relation];
                format!("{}.{}", relation.name, relation.columns[column].name)
            }
        }
    }

    /// Returns the span of the declaration of the name that an expression is.
    pub fn find_named_span(&self, expr: &Expr) -> Option<Span> {
        match expr.kind {
            ExprKind::Name(id) => Some(self.find_unit_span(Unit::Name(id))),
            _ => None,
        }
    }

    /// Returns the span of the declaration of the first name in an expression.
    pub fn find_first_named_span(&self, expr: &Expr) -> Option<Span> {
        let mut first = None;
        expr.visit_names(&mut |id| first = first.or(Some(self.find_unit_span(Unit::Name(id)))));
        first
    }

    pub fn find_unit_span(&self, unit: Unit) -> Span {
        match unit {
            Unit::Name(id) => self.names[id].ident.span,
            Unit::File(id) => self.relations.files[id].ast.name.span,
            Unit::Relation(id) => self.relations.checked[id].span,
            Unit::Column(relation, column) => self.relations.checked[relation].columns[column].span,
        }
    }
}
