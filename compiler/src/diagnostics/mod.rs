//! What the compiler has to say to an author, as data. Renderers (terminal, JSON, editor) live elsewhere.

mod codes;
mod edits;
mod failed;

pub use codes::{CODES, Code, find_code_by_id, find_code_by_name};
pub use edits::apply_fixes;
use model::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The suite cannot be built.
    Error,
    /// A lint: the suite can be built, but is probably not what its author wants.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One message about one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Which kind of mistake.
    pub code: &'static Code,
    /// What is wrong, in the author's terms: one sentence without a final period.
    pub message: String,
    /// Where, with a few words on what is seen there (may be empty).
    pub primary: Label,
    /// Other places that matter: the declaration, the first of two.
    pub secondary: Vec<Label>,
    /// The facts: what the file has, or why the language works so.
    pub note: Option<String>,
    /// What to write instead, or why it matters.
    pub help: Option<String>,
    /// Edits that would fix it.
    pub fixes: Vec<Fix>,
    /// The name of which it says that it is not what is needed: it follows from any mistake that hides the declaration.
    pub unknown: Option<String>,
}

/// A place and a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The words.
    pub message: String,
}

/// Edits that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does: "replace with `AGE_YRS`".
    pub message: String,
    /// Whether a tool may apply it without asking.
    pub applicability: Applicability,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
}

/// Whether a fix may be applied without being looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applicability {
    /// Clearly what was meant: tried, and nothing but its diagnostic changes.
    Safe,
    /// Clearly what was meant; but other things are said of the text as it is then, which its mistake may have hidden, or it was not tried. Shown as
    /// unsafe, and applied only when asked for.
    Clear,
    /// Likely; wants a look.
    Unsafe,
}

/// Replace a range by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The range (empty to insert).
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Diagnostic {
    /// A diagnostic with one place and nothing else.
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
        }
    }

    /// Tells which name is not known.
    pub fn with_unknown_name(self, name: &str) -> Diagnostic {
        Diagnostic { unknown: Some(name.to_owned()), ..self }
    }

    /// Adds another place.
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    /// Sets the facts.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.note = Some(note.into());
        self
    }

    /// Facts and advice, each with its word, as all that show one diagnostic below another's message order them.
    pub fn iter_notes(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let note = self.note.as_deref().map(|note| ("note", note));
        note.into_iter().chain(self.help.as_deref().map(|help| ("help", help)))
    }

    /// Sets the advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds a fix of one edit.
    pub fn fix(
        mut self,
        message: impl Into<String>,
        applicability: Applicability,
        span: Span,
        text: impl Into<String>,
    ) -> Diagnostic {
        self.fixes.push(Fix { message: message.into(), applicability, edits: vec![Edit { span, text: text.into() }] });
        self
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

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity
    }
}
