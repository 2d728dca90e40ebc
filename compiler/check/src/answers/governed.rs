//! What the options of an expectation say.

use model::answer_key::{Example, Trap};
use model::suite::Options;
use model::{Decimal, Span};

use hir::Expr;

/// The options of an expectation.
#[derive(Default)]
pub(crate) struct AnswerOptions {
    pub options: Vec<(String, Options)>,
    pub traps: Vec<Trap<Expr>>,
    pub examples: Vec<Example<Expr>>,
    /// The span of the list of accepted answers after `any_of`.
    pub several: Option<Span>,
    pub among: Option<Expr>,
    pub weight: Option<Decimal>,
    pub gate: bool,
}
