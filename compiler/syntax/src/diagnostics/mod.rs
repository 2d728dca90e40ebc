//! Diagnostics of the compiler, as data. The renderers (terminal, JSON, editor) are elsewhere.

mod codes;
mod edits;
mod failed;
pub mod wording;

pub use codes::{CODES, Code, find_code_by_id, find_code_by_name};
pub use edits::apply_fixes;
use model::failure::At;
use model::span::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The suite cannot be built.
    Error,
    /// A lint: the suite can be built, but probably not as its author intends.
    Warning,
}

impl Severity {
    /// Returns `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A message about one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The kind of diagnostic.
    pub code: &'static Code,
    /// The problem in the author's terms: one sentence without a final period.
    pub message: String,
    /// The location, with a few words about the text there (may be empty).
    pub primary: Label,
    /// Other relevant locations, such as the declaration or the first of two.
    pub secondary: Vec<Label>,
    /// The facts: the content of the file, or the reason for a rule of the language.
    pub note: Option<String>,
    /// The suggested change, or the reason why it matters.
    pub help: Option<String>,
    /// Alternative fixes.
    pub fixes: Vec<Fix>,
    /// The name that is reported as unknown. Such a diagnostic is a consequence of any error that hides the declaration.
    pub unknown: Option<String>,
    /// The drawn sample that shows it, if it is an observation; all others are proofs or heuristics about the source.
    pub observed: Option<Box<At>>,
}

/// A location with a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// The words.
    pub message: String,
}

/// Edits that are applied together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The effect: "replace with `AGE_YRS`".
    pub message: String,
    /// Whether a tool may apply it without confirmation.
    pub applicability: Applicability,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
}

/// Whether a fix may be applied without a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applicability {
    /// Clearly the author's intention. It was tried, and only removes its own diagnostic.
    Safe,
    /// Clearly the author's intention, but it was not tried, or the fixed text has other diagnostics that its error may have hidden. Shown as unsafe, and
    /// applied only on request.
    Clear,
    /// Likely the author's intention; needs a review.
    Unsafe,
}

impl Applicability {
    /// Safe if it is clear what the author means, and otherwise for a review.
    pub fn from_clearness(clear: bool) -> Applicability {
        if clear { Applicability::Safe } else { Applicability::Unsafe }
    }
}

/// The replacement of a range with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The range; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Diagnostic {
    /// Creates a diagnostic with one location.
    pub fn new(code: &'static Code, message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            primary: Label { span, message: label.into() },
            secondary: Vec::new(),
            note: None,
            help: None,
            fixes: Vec::new(),
            unknown: None,
            observed: None,
        }
    }

    /// Sets the unknown name.
    pub fn with_unknown_name(self, name: &str) -> Diagnostic {
        Diagnostic { unknown: Some(name.to_owned()), ..self }
    }

    /// Marks it as an observation in a drawn sample.
    pub fn with_sample(self, at: At) -> Diagnostic {
        Diagnostic { observed: Some(Box::new(at)), ..self }
    }

    /// Adds a secondary location.
    pub fn label(self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.with_labels([(span, message)])
    }

    /// Adds secondary locations.
    pub fn with_labels(mut self, labels: impl IntoIterator<Item = (Span, impl Into<String>)>) -> Diagnostic {
        self.secondary.extend(labels.into_iter().map(|(span, message)| Label { span, message: message.into() }));
        self
    }

    /// Sets the note.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.note = Some(note.into());
        self
    }

    /// The note and the help, each with its keyword, in the order in which all renderers show them below the message.
    pub fn iter_notes(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let note = self.note.as_deref().map(|note| ("note", note));
        note.into_iter().chain(self.help.as_deref().map(|help| ("help", help)))
    }

    /// Sets the help.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Sets the help, unless there already is one, such as the closest name.
    pub fn with_default_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.get_or_insert_with(|| help.into());
        self
    }

    /// Adds a fix of one edit.
    pub fn fix(
        self,
        message: impl Into<String>,
        applicability: Applicability,
        span: Span,
        text: impl Into<String>,
    ) -> Diagnostic {
        self.fix_with_edits(message, applicability, [(span, text)])
    }

    /// Adds a fix that replaces a range with `text`, and says so.
    pub fn replace(self, applicability: Applicability, span: Span, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        self.fix(format!("replace with `{text}`"), applicability, span, text)
    }

    /// Adds a fix that removes `what` by deleting a range, and says so.
    pub fn remove(self, applicability: Applicability, span: Span, what: &str) -> Diagnostic {
        self.fix(format!("remove `{what}`"), applicability, span, "")
    }

    /// Suggests the word that is probably meant at a range: as help and as a fix.
    pub fn suggest(self, applicability: Applicability, span: Span, word: impl Into<String>) -> Diagnostic {
        let word = word.into();
        self.help(format!("did you mean `{word}`?")).replace(applicability, span, word)
    }

    /// Adds the place at which a name is declared.
    pub fn label_declaration(self, name: &str, span: Span) -> Diagnostic {
        self.label(span, format!("`{name}` is declared here"))
    }

    /// Adds a fix of several edits.
    pub fn fix_with_edits(
        mut self,
        message: impl Into<String>,
        applicability: Applicability,
        edits: impl IntoIterator<Item = (Span, impl Into<String>)>,
    ) -> Diagnostic {
        let edits = edits.into_iter().map(|(span, text)| Edit { span, text: text.into() }).collect();
        self.fixes.push(Fix { message: message.into(), applicability, edits });
        self
    }

    /// Whether it is an error or a lint warning.
    pub fn severity(&self) -> Severity {
        self.code.severity
    }
}
