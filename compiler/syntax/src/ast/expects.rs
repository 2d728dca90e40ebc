//! Expectations.

use super::{Expr, Ident, Matcher, Span, StringLit, Walk};

/// `expect SUBJECT MATCHER VALUE [options]`
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Its name in scores and reports.
    pub label: Option<Ident>,
    /// The subject: the part of the response that is read.
    pub subject: Subject,
    /// `at "$.path"`: a single value inside the subject.
    pub at: Option<StringLit>,
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
}

/// The expected value.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Whether `any_of` precedes it: then the value is a list of accepted answers.
    pub any_of: bool,
    /// The value.
    pub value: Expr,
}

/// An option after an expected value.
#[derive(Clone, Debug, PartialEq)]
pub struct Opt {
    /// Its kind.
    pub kind: OptKind,
    /// Its range, with the keyword.
    pub span: Span,
}

/// The options of an expected value.
#[derive(Clone, Debug, PartialEq)]
pub enum OptKind {
    /// `within 0.01`, `within 1%`
    Within(Expr),
    /// `rounded 2`
    Rounded(Expr),
    /// `graded`, `graded above 0.9`
    Graded(Option<Expr>),
    /// `unit "kg"`
    Unit(Expr),
    /// `ignore case, space, punctuation`, `ignore TABLE, TABLE.COLUMN`: words, or paths of several.
    Ignore(Vec<Vec<Ident>>),
    /// `trap NAME, NAME`: paths of one name.
    Trap(Vec<Expr>),
    /// `ordered`
    Ordered,
    /// `unordered`
    Unordered,
    /// `open`
    Open,
    /// `weight 2`
    Weight(Expr),
    /// `gate`
    Gate,
}

impl Expect {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        match &self.subject {
            Subject::Reply { slice: Some(Slice::After(text)), .. } => walk.visit_string(text),
            Subject::Reply { slice: Some(Slice::Fenced(_, language)), .. } => walk.visit_strings(language),
            Subject::Reply { slice: Some(Slice::LastLine(_)) | None, .. } => {}
            Subject::File(paths) | Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) => {
                walk.visit_expr(paths)
            }
        }
        walk.visit_names(&self.label);
        walk.visit_strings(&self.at);
        walk.visit_names(&self.database);
        walk.visit_exprs(self.answer.iter().map(|answer| &answer.value));
        self.options.iter().for_each(|option| walk.visit_option(option));
    }
}

impl Opt {
    pub(super) fn walk_children<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        match &self.kind {
            OptKind::Within(value) | OptKind::Rounded(value) | OptKind::Unit(value) | OptKind::Weight(value) => {
                walk.visit_expr(value);
            }
            OptKind::Graded(above) => walk.visit_exprs(above),
            OptKind::Trap(names) => walk.visit_exprs(names),
            OptKind::Ignore(_) | OptKind::Ordered | OptKind::Unordered | OptKind::Open | OptKind::Gate => {}
        }
    }
}
