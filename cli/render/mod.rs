//! Diagnostics for people ([`human`]), for editors and `grep` ([`short`]), for programs ([`json`]) and for code hosts ([`sarif`], [`github`]).
//! [`totality`] says whether a build can stop.

pub mod failure;
pub mod github;
pub mod human;
pub mod json;
pub mod sarif;
pub mod short;
pub mod totality;

use ::report::render::words::format_count;
use compiler::diagnostics::{Diagnostic, Severity};

/// The numbers of diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of diagnostics shown to people; the rest is only counted.
    pub shown: usize,
}

impl Tally {
    /// Counts a diagnostic.
    pub fn count_diagnostic(&mut self, said: &Diagnostic) {
        match said.severity() {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
    }

    /// Whether nothing was reported.
    pub fn is_clean(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    /// Renders the numbers, such as `2 errors, 1 warning`, and how many are not shown.
    pub fn render_summary(&self) -> String {
        let counts = [(self.errors, "error"), (self.warnings, "warning")].into_iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = counts.map(|(number, what)| format_count(number as u64, what)).collect();
        let hidden = self.errors + self.warnings - self.shown.min(self.errors + self.warnings);
        let hidden =
            if hidden > 0 { format!(" ({hidden} not shown; `--format short` shows all)") } else { String::new() };
        format!("{}{hidden}", parts.join(", "))
    }
}
