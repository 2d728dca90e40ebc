//! The reason why a part of another tool's suite is left out.

use std::fmt;

/// Why a part is not translated, for people: the cause, the defects of the tool that cause it, and advice. Displayed as sentences without the last period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    cause: String,
    defects: &'static [u8],
    advice: Option<String>,
}

impl Obstacle {
    /// A part that is not translated for this cause.
    pub fn new(cause: impl Into<String>) -> Obstacle {
        Obstacle { cause: cause.into(), defects: &[], advice: None }
    }

    /// Cites the defects of the tool by their numbers.
    pub fn cite(self, defects: &'static [u8]) -> Obstacle {
        Obstacle { defects, ..self }
    }

    /// Adds advice on what to change.
    pub fn suggest(self, advice: impl Into<String>) -> Obstacle {
        Obstacle { advice: Some(advice.into()), ..self }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)?;
        if let Some((first, others)) = self.defects.split_first() {
            write!(f, " (defect{} {first}", if others.is_empty() { "" } else { "s" })?;
            others.iter().try_for_each(|defect| write!(f, " and {defect}"))?;
            f.write_str(")")?;
        }
        self.advice.iter().try_for_each(|advice| write!(f, "; {advice}"))
    }
}
