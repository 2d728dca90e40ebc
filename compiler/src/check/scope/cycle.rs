//! Values that need each other.

use model::Span;
use model::value::grouped;

use crate::check::model::{Asked, Checker, DEEPEST, Ended, Global, LONGEST, TaskChecker, Unit};
use crate::diagnostics::{Code, Diagnostic};
use crate::types::Ty;

impl<'a> Checker<'a> {
    /// Begins to check a global; false: too many others wait for it, and it is left unknown.
    pub fn begin(&mut self, unit: Global<'a>, at: Span) -> bool {
        let begun = self.order.begin(unit, ());
        if !begun {
            self.too_long(at, waiting(), IN_ORDER);
        }
        begun
    }

    /// Ends what was begun last; false: too long a row of others leads to it, and it is to be left unknown.
    pub fn end(&mut self, at: Span) -> bool {
        let too_long = self.order.end().is_some_and(|ended| ended.too_long);
        if too_long {
            self.too_long(at, in_a_row(), "write one of the last values out");
        }
        !too_long
    }

    /// Reports it once a suite.
    fn too_long(&mut self, at: Span, message: String, help: &str) {
        if self.order.first_report() {
            self.say(too_deep(message, at, help));
        }
    }
}

fn too_deep(message: String, at: Span, help: &str) -> Diagnostic {
    Diagnostic::new(Code::TOO_COMPLEX, message, at, "too deep here").help(help)
}

fn waiting() -> String {
    format!("more than {DEEPEST} values depend on each other in a row")
}

fn in_a_row() -> String {
    format!("more than {} values are computed from each other in a row", grouped(u64::from(LONGEST)))
}

const IN_ORDER: &str = "declare each value after the values that it needs";

impl TaskChecker<'_, '_> {
    /// Begins to check something; false: too many others wait for it, and it is left unknown.
    pub fn begin(&mut self, unit: Unit, at: Option<Span>) -> bool {
        let asked = Asked { at, query: self.asking.take(), nulls_pass: self.nulls_pass };
        let begun = self.order.begin(unit, asked);
        if begun {
            self.nulls_pass = false;
        } else {
            self.too_long(unit, waiting(), IN_ORDER);
        }
        begun
    }

    /// Ends what was begun last; false: too long a row of values leads to it, and it is to be left unknown.
    pub fn end(&mut self) -> bool {
        let Some(Ended { unit, asked, too_long }) = self.order.end() else { return true };
        (self.nulls_pass, self.asking) = (asked.nulls_pass, None);
        if too_long {
            self.too_long(unit, in_a_row(), "use fewer steps, or a table for a long series of values");
        }
        !too_long
    }

    /// Records that what is being checked needs this, which is done.
    pub fn needed(&mut self, unit: Unit) {
        self.asking = None;
        self.order.needed(unit);
    }

    /// Reports it once a task.
    fn too_long(&mut self, unit: Unit, message: String, help: &str) {
        if self.order.first_report() {
            let at = self.unit_span(unit);
            self.cx.say(too_deep(message, at, help));
        }
    }

    /// Says that something needs itself, once.
    pub fn cycle(&mut self, unit: Unit, asked: Option<Span>) {
        let query = self.asking.take();
        // Each step of the circle: what is needed, where it is named, and by which query.
        let steps = self.order.since(unit).map(|(unit, asked)| (unit, asked.at, asked.query));
        let steps: Vec<(Unit, Option<Span>, Option<Span>)> = steps.chain([(unit, asked, query)]).collect();
        let name = self.unit_name(unit);
        let names: Vec<String> = steps.iter().map(|(unit, ..)| format!("`{}`", self.unit_name(*unit))).collect();
        let through = if steps.iter().any(|(.., query)| query.is_some()) { " through a query" } else { "" };
        let message = match names.as_slice() {
            [_] => format!("`{name}` depends on itself{through}"),
            _ => format!("`{name}` depends on itself{through}: `{name}` → {}", names.join(" → ")),
        };
        let at = asked.unwrap_or_else(|| self.unit_span(unit));
        let mut said = Diagnostic::new(Code::CYCLE, message, at, self.step(unit, query));
        let mut told = vec![at];
        for (unit, asked, query) in &steps {
            let span = asked.unwrap_or_else(|| self.unit_span(*unit));
            if !told.contains(&span) {
                told.push(span);
                said = said.label(span, self.step(*unit, *query));
            }
        }
        let declared = self.unit_span(unit);
        if !told.contains(&declared) {
            said = said.label(declared, format!("`{name}` is declared here"));
        }
        let whole = steps.iter().any(|(unit, ..)| matches!(unit, Unit::File(_) | Unit::Relation(_)));
        self.cx.say(said.help(if whole {
            "define one without the other; a file or table is generated as a whole"
        } else {
            "define one without the other"
        }));
        // From here on its type is unknown, so nothing more is said.
        match unit {
            Unit::Name(id) => self.names[id].ty = Ty::UNKNOWN,
            Unit::Column(relation, column) => {
                self.relations[relation].columns[column].ty = Ty::UNKNOWN;
            }
            Unit::File(_) | Unit::Relation(_) => {}
        }
    }

    /// What happens at a step of a circle.
    fn step(&self, unit: Unit, query: Option<Span>) -> String {
        let name = self.unit_name(unit);
        if query.is_some() { format!("this query reads `{name}`") } else { format!("needs `{name}`") }
    }

    fn unit_name(&self, unit: Unit) -> String {
        match unit {
            Unit::Name(id) => self.names[id].ident.text.clone(),
            Unit::File(id) => self.files[id].ast.name.text.clone(),
            Unit::Relation(id) => self.relations[id].name.clone(),
            Unit::Column(relation, column) => {
                let relation = &self.relations[relation];
                format!("{}.{}", relation.name, relation.columns[column].name)
            }
        }
    }

    pub fn unit_span(&self, unit: Unit) -> Span {
        match unit {
            Unit::Name(id) => self.names[id].ident.span,
            Unit::File(id) => self.files[id].ast.name.span,
            Unit::Relation(id) => self.relations[id].span,
            Unit::Column(relation, column) => self.relations[relation].columns[column].span,
        }
    }
}
