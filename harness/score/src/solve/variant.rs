//! A variant of the oracle's answer, and the kinds of them.

use model::answer_key::Expected;

use super::Solution;

/// The kinds of variants of the oracle's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariantKind {
    /// The same reply in marks, with text around its part, in another form, or with columns and ties in another order.
    Style,
    /// The reply without the marks around its part.
    Unmarked,
    /// A reply with day and month in an order that is not told.
    SwappedDay,
    /// The same state of a database: with other new keys where they are ignored, after `ANALYZE`, with the changes in the write-ahead log.
    State,
    /// The state of a database with a trigger more.
    Trigger,
    /// The sandbox without a file that must be unchanged.
    Deletion,
}

impl VariantKind {
    /// All kinds.
    pub const ALL: [VariantKind; 6] = [
        VariantKind::Style,
        VariantKind::Unmarked,
        VariantKind::SwappedDay,
        VariantKind::State,
        VariantKind::Trigger,
        VariantKind::Deletion,
    ];

    /// Whether it must be correct.
    pub const fn is_right(self) -> bool {
        matches!(self, VariantKind::Style | VariantKind::State)
    }

    /// The name of its variants in reports.
    pub const fn plural(self) -> &'static str {
        match self {
            VariantKind::Style => "styles",
            VariantKind::Unmarked => "unmarked",
            VariantKind::SwappedDay => "swapped_days",
            VariantKind::State => "states",
            VariantKind::Trigger => "triggers",
            VariantKind::Deletion => "deletions",
        }
    }
}

/// A variant of the oracle's answer.
pub struct Variant<'e> {
    pub kind: VariantKind,
    /// The expectation that judges it.
    pub expect: &'e Expected,
    /// The expectation, in the author's words.
    pub who: String,
    /// What it is, after "accepts" or "rejects".
    pub what: String,
    pub solution: Solution,
}
