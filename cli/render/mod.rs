//! Diagnostics for people ([`human`]), for editors and `grep` ([`short`]), for programs ([`json`]) and for code hosts ([`sarif`], [`github`]).

pub mod failure;
pub mod github;
pub mod human;
pub mod json;
pub mod sarif;
pub mod short;

use compiler::diagnostics::{Diagnostic, Severity};

/// How many there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// How many of both were shown to people (the rest is only counted).
    pub shown: usize,
}

impl Tally {
    /// Counts one.
    pub fn count_diagnostic(&mut self, said: &Diagnostic) {
        match said.severity() {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
    }

    /// Nothing was wrong.
    pub fn is_clean(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    /// `2 errors, 1 warning`, and how many are not shown.
    pub fn render_summary(&self) -> String {
        let many = |number: usize, what: &str| match number {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{number} {what}s")),
        };
        let parts: Vec<String> =
            [many(self.errors, "error"), many(self.warnings, "warning")].into_iter().flatten().collect();
        let hidden = self.errors + self.warnings - self.shown.min(self.errors + self.warnings);
        let hidden =
            if hidden > 0 { format!(" ({hidden} not shown; `--format short` shows all)") } else { String::new() };
        format!("{}{hidden}", parts.join(", "))
    }
}
