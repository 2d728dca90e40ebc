//! Values that need each other.

use plan::Span;

use super::task::{TaskChecker, Unit};
use crate::diagnostics::{Code, Diagnostic};
use crate::types::Ty;

/// How many values may wait for each other in a row.
const DEEPEST: usize = 64;

impl TaskChecker<'_, '_> {
    /// Says so (once a task) where values need each other in too long a row; the value stays unknown.
    pub fn too_deep(&mut self, unit: Unit) -> bool {
        if self.open.len() < DEEPEST {
            return false;
        }
        if !self.told_deep {
            self.told_deep = true;
            let at = self.unit_span(unit);
            self.cx.say(
                Diagnostic::new(
                    Code::TOO_COMPLEX,
                    format!(
                        "more than {DEEPEST} values need each other in a row, each declared before the one it needs"
                    ),
                    at,
                    "the last one looked at",
                )
                .help("declare values in the order in which they need each other"),
            );
        }
        true
    }

    /// Says that something needs itself, once.
    pub fn cycle(&mut self, unit: Unit, asked: Option<Span>) {
        let start = self.open.iter().position(|open| *open == unit).unwrap_or(0);
        let circle: Vec<Unit> = self.open[start..].to_vec();
        let names: Vec<String> =
            circle.iter().chain([&unit]).map(|unit| format!("`{}`", self.unit_name(*unit))).collect();
        let declared = self.unit_span(unit);
        let at = asked.unwrap_or(declared);
        let message = if circle.len() <= 1 {
            format!("`{}` needs itself", self.unit_name(unit))
        } else {
            format!("{} need each other: {}", one_word(circle.len()), names.join(" → "))
        };
        let mut said = Diagnostic::new(Code::CYCLE, message, at, "closes the circle");
        for other in circle {
            let span = self.unit_span(other);
            if span != at {
                said = said.label(span, format!("`{}` is declared here", self.unit_name(other)));
            }
        }
        self.cx
            .say(said.help("break the circle: one of them must stand on its own (a file or table is made as a whole)"));
        // From here on its type is unknown, so nothing more is said.
        match unit {
            Unit::Name(id) => self.names[id.0 as usize].ty = Ty::UNKNOWN,
            Unit::Column(relation, column) => {
                self.relations[relation.0 as usize].columns[column.0 as usize].ty = Ty::UNKNOWN;
            }
            Unit::File(_) | Unit::Relation(_) => {}
        }
    }

    fn unit_name(&self, unit: Unit) -> String {
        match unit {
            Unit::Name(id) => self.names[id.0 as usize].ident.text.clone(),
            Unit::File(id) => self.files[id.0 as usize].ast.name.text.clone(),
            Unit::Relation(id) => self.relations[id.0 as usize].name.clone(),
            Unit::Column(relation, column) => {
                let relation = &self.relations[relation.0 as usize];
                format!("{}.{}", relation.name, relation.columns[column.0 as usize].ident.text)
            }
        }
    }

    pub fn unit_span(&self, unit: Unit) -> Span {
        match unit {
            Unit::Name(id) => self.names[id.0 as usize].ident.span,
            Unit::File(id) => self.files[id.0 as usize].ast.name.span,
            Unit::Relation(id) => self.relations[id.0 as usize].ident.span,
            Unit::Column(relation, column) => self.relations[relation.0 as usize].columns[column.0 as usize].ident.span,
        }
    }
}

fn one_word(n: usize) -> String {
    match n {
        2 => "two values".to_owned(),
        n => format!("{n} values"),
    }
}
