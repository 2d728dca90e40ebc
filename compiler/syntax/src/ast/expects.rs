//! Expectations.

use super::{Expr, Ident, Opt, PathOption, StringLit};
use model::Span;
use model::suite::Matcher;

/// `expect SUBJECT MATCHER VALUE [options]`
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Its name in scores and reports.
    pub label: Option<Ident>,
    /// The subject: the part of the response that is read.
    pub subject: Subject,
    /// `at "$.path"`: a single value inside the subject.
    pub at: Option<StringLit>,
    /// The other options after the path of a file, which say how it is read.
    pub reading: Vec<PathOption>,
    /// The matcher; `None` for `files` and `tree` (existence), or if it is missing (already reported).
    pub matcher: Option<(Matcher, Span)>,
    /// `sql DB`: the database's name.
    pub database: Option<Ident>,
    /// The expected value; `None` for `exists`, `absent`, `unchanged`, `files`, and `tree`.
    pub answer: Option<Answer>,
    /// The options after the expected value.
    pub options: Vec<Opt>,
}

/// The subject of an `expect`.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// `reply [slice]`
    Reply {
        /// The keyword.
        span: Span,
        /// The part of the reply.
        slice: Option<Slice>,
    },
    /// `file PATH`, `file NAME`: a string, or the name of a declared file.
    File(Expr),
    /// `files LIST`
    Files(Expr),
    /// `tree LIST`
    Tree(Expr),
    /// `tree only LIST`
    Only(Expr),
    /// `tree unchanged [except LIST]`
    Unchanged {
        /// The keyword.
        span: Span,
        /// What may change.
        except: Option<Expr>,
    },
}

/// A part of the reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Slice {
    /// `last line`
    LastLine(Span),
    /// `after "…"`
    After(StringLit),
    /// `fenced ["lang"]`
    Fenced(Span, Option<StringLit>),
    /// `in "answer"`: a tag.
    Tag(StringLit),
    /// `in "[[".."]]"`: between two texts.
    Between(StringLit, StringLit),
}

/// The expected value.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Whether `any_of` precedes it: then the value is a list of accepted answers.
    pub any_of: bool,
    /// The value.
    pub value: Expr,
}
