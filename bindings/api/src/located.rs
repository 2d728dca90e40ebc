//! A diagnostic with lines and columns, as written by `picardc check --format json`.

use compiler::diagnostics::{Applicability, Diagnostic, Edit, Fix, Label};
use compiler::sources::Sources;
use model::Span;
use model::failure::At;
use serde::Serialize;

/// A diagnostic that can be understood without the sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Located<'a> {
    /// The code, such as `E0203`.
    pub code: &'a str,
    /// The name, such as `unknown_column`.
    pub name: &'a str,
    /// `error` or `warning`.
    pub severity: &'a str,
    /// The mistake, in one sentence.
    pub message: &'a str,
    /// The place.
    #[serde(flatten)]
    pub place: Place<'a>,
    /// The label of the place itself, if it has one, followed by the other places.
    pub labels: Vec<Labelled<'a>>,
    /// The facts: the contents of a file, or a reason in the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
    /// How to fix it.
    pub help: Option<&'a str>,
    /// Edits that would fix it.
    pub fixes: Vec<Fixed<'a>>,
    /// The drawn sample that shows it, if it is an observation and not found in the source alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<&'a At>,
}

/// A range of a source. Lines and columns count from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place<'a> {
    /// The path of the source.
    pub file: &'a str,
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line of the position after the last character.
    pub end_line: u32,
    /// The column of the position after the last character.
    pub end_column: u32,
}

/// A place with a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Labelled<'a> {
    /// The place.
    #[serde(flatten)]
    pub place: Place<'a>,
    /// The label.
    pub message: &'a str,
}

/// A fix, whose edits must be applied together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fixed<'a> {
    /// A description of the fix.
    pub message: &'a str,
    /// `safe` (needs no review) or `unsafe`.
    pub applicability: &'a str,
    /// The edits.
    pub edits: Vec<Edited<'a>>,
}

/// One edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edited<'a> {
    /// The path of the source.
    pub file: &'a str,
    /// The offset of the first replaced byte, from 0.
    pub start: u32,
    /// The offset after the last replaced byte.
    pub end: u32,
    /// The replacement.
    pub text: &'a str,
}

impl<'a> Located<'a> {
    /// Resolves the places of a diagnostic.
    pub fn new(said: &'a Diagnostic, sources: &'a Sources) -> Located<'a> {
        let locate = |label: &'a Label| Labelled { place: Place::new(label.span, sources), message: &label.message };
        let primary = Some(&said.primary).filter(|label| !label.message.is_empty());
        Located {
            code: said.code.id,
            name: said.code.name,
            severity: said.severity().as_str(),
            message: &said.message,
            place: Place::new(said.primary.span, sources),
            labels: primary.into_iter().chain(&said.secondary).map(locate).collect(),
            note: said.note.as_deref(),
            help: said.help.as_deref(),
            fixes: said.fixes.iter().map(|fix| Fixed::new(fix, sources)).collect(),
            observed: said.observed.as_deref(),
        }
    }
}

impl<'a> Place<'a> {
    /// Resolves a span.
    pub fn new(span: Span, sources: &'a Sources) -> Place<'a> {
        let (start, end) = (sources.start_position(span), sources.end_position(span));
        Place {
            file: find_path(span, sources),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

impl<'a> Fixed<'a> {
    fn new(fix: &'a Fix, sources: &'a Sources) -> Fixed<'a> {
        Fixed {
            message: &fix.message,
            applicability: match fix.applicability {
                Applicability::Safe => "safe",
                Applicability::Clear | Applicability::Unsafe => "unsafe",
            },
            edits: fix.edits.iter().map(|edit| Edited::new(edit, sources)).collect(),
        }
    }
}

impl<'a> Edited<'a> {
    fn new(edit: &'a Edit, sources: &'a Sources) -> Edited<'a> {
        Edited { file: find_path(edit.span, sources), start: edit.span.start, end: edit.span.end, text: &edit.text }
    }
}

fn find_path(span: Span, sources: &Sources) -> &str {
    sources.get(span.file).map_or("", |source| source.path.as_str())
}
