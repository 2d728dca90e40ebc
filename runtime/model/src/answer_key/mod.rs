//! An answer key: what is expected, and how it is compared.
//!
//! One shape from the checked suite to the scorer. Before generation it is made of expressions (`Expect<Expr>`); generation computes them,
//! and the key of an instance is made of values ([`Expected`]). [`codec`] writes and reads the key in a bundle.

pub mod codec;
mod read;
pub mod rounded;
mod traps;
mod values;

use std::fmt::Debug;

use serde::Serialize;

pub use read::Read;
pub use traps::Trap;

use crate::suite::matchers::Takes;
use crate::suite::{ColumnId, FileId, Matcher, Options, RelationId};
use crate::{Decimal, Singular, Span, Value};

/// What an answer key is made of: expressions, or the values that they came to.
pub trait Term: Clone + Debug + PartialEq {
    /// A text: a path below the sandbox, or what a reply has before the answer.
    type Text: Clone + Debug + PartialEq;
    /// Several paths.
    type Paths: Clone + Debug + PartialEq;
    /// Several accepted answers.
    type Accepted: Clone + Debug + PartialEq;
    /// A file of the task; in a key, its path in the sandbox.
    type File: Clone + Debug + PartialEq;
    /// Where it is in the source.
    type Place: Clone + Debug + PartialEq;
}

impl Term for Value {
    type Text = String;
    type Paths = Vec<String>;
    type Accepted = Vec<Value>;
    type File = String;
    type Place = ();
}

/// An expression of a checked or of a compiled suite.
pub trait Expression: Clone + Debug + PartialEq {}

impl<E: Expression> Term for E {
    type Text = E;
    type Paths = E;
    type Accepted = E;
    type File = FileId;
    type Place = Span;
}

/// An `expect` of an instance: part of its answer key.
pub type Expected = Expect<Value>;

/// `expect …`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(
    serialize = "T: Serialize, T::Text: Serialize, T::Paths: Serialize, T::Accepted: Serialize, T::File: Serialize, T::Place: Serialize"
))]
pub struct Expect<T: Term> {
    /// By what it is called in scores and reports, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is looked at.
    pub subject: Subject<T>,
    /// The one value in the reply or in a file that is looked at, if not all of it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
    /// How it is compared.
    pub matcher: Matcher,
    /// With what; `None` for `exists`, `absent`, `unchanged`.
    pub answer: Option<Answer<T>>,
    /// JSON pointers and what governs the value there (`""` the whole); the nearest one above a leaf wins.
    pub options: Vec<(String, Options)>,
    /// Its share of the score, more than 0.
    pub weight: Decimal,
    /// If it fails, the score is 0.
    pub gate: bool,
    /// For `sql`: the database that the query of the reply runs on.
    pub database: Option<T::File>,
    /// How the file is read that it looks at; known when the instance is built.
    #[serde(skip_serializing_if = "Read::is_plain")]
    pub read: Read,
    /// Where `ignore` governs a text, and the column that it may come from: the build proves that `ignore` tells it from others of that column. In a key
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<(String, RelationId, ColumnId)>,
    /// Values that known mistakes give: those with a name in the source first, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traps: Vec<Trap<T>>,
    /// Its place in the source.
    pub span: T::Place,
}

/// A place in a JSON value: in a reply or in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct At {
    /// A singular path.
    #[serde(serialize_with = "as_written")]
    pub path: Singular,
    /// Whether the text may also be YAML.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub yaml: bool,
}

fn as_written<S: serde::Serializer>(path: &Singular, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(path.as_str())
}

/// What is right.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "T: Serialize, T::Accepted: Serialize, T::File: Serialize"))]
pub enum Answer<T: Term = Value> {
    /// This.
    One(T),
    /// Any of these.
    AnyOf(T::Accepted),
    /// The bytes of this file, as the agent is given it.
    Content(T::File),
}

/// What an `expect` looks at.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "T::Text: Serialize, T::Paths: Serialize"))]
pub enum Subject<T: Term = Value> {
    /// The reply, or a part of it.
    Reply(Option<Slice<T>>),
    /// A file.
    File(T::Text),
    /// Files.
    Files(T::Paths),
    /// Files and folders (with a trailing `/`).
    Tree(T::Paths),
    /// The same, and nothing else that was not there at the start.
    Only(T::Paths),
}

/// A part of the reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "T::Text: Serialize"))]
pub enum Slice<T: Term = Value> {
    /// The last line that is not blank.
    LastLine,
    /// What follows the last place where this text appears.
    After(T::Text),
    /// The content of the last fenced block, of this language if one is given.
    Fenced(Option<String>),
}

impl<T: Term> Expect<T> {
    /// The options of the whole answer (pointer `""`).
    pub fn whole_options(&self) -> Options {
        self.options.iter().find(|(at, _)| at.is_empty()).map(|(_, options)| options.clone()).unwrap_or_default()
    }

    /// What governs the value at a JSON pointer: the nearest options on the way up.
    pub fn find_governing_options(&self, pointer: &str) -> Option<&Options> {
        let mut at = pointer;
        loop {
            if let Some((_, options)) = self.options.iter().find(|(known, _)| known == at) {
                return Some(options);
            }
            at = at.get(..at.rfind('/')?)?;
        }
    }

    /// For `bytes NAME`: the file whose content is right.
    pub fn content_file(&self) -> Option<&T::File> {
        match &self.answer {
            Some(Answer::Content(file)) => Some(file),
            _ => None,
        }
    }
}

impl<E: Expression> Expect<E> {
    /// The expected value, or the list of accepted ones.
    pub fn answer_expr(&self) -> Option<&E> {
        match &self.answer {
            Some(Answer::One(value) | Answer::AnyOf(value)) => Some(value),
            Some(Answer::Content(_)) | None => None,
        }
    }

    /// Whether [`Expect::answer_expr`] is a list of accepted values.
    pub fn is_any_of(&self) -> bool {
        matches!(self.answer, Some(Answer::AnyOf(_)))
    }

    /// Calls `visit` for every whole expression that says what is right; those of traps are in [`Expect::traps`].
    pub fn visit_exprs<'a>(&'a self, visit: &mut dyn FnMut(&'a E)) {
        match &self.subject {
            Subject::Reply(Some(Slice::After(expr)))
            | Subject::File(expr)
            | Subject::Files(expr)
            | Subject::Tree(expr)
            | Subject::Only(expr) => visit(expr),
            Subject::Reply(_) => {}
        }
        self.answer_expr().into_iter().for_each(visit);
    }

    /// The same with other expressions.
    pub fn map_exprs<F: Expression>(&self, map: &mut dyn FnMut(&E) -> F) -> Expect<F> {
        Expect {
            name: self.name.clone(),
            at: self.at.clone(),
            subject: match &self.subject {
                Subject::Reply(None) => Subject::Reply(None),
                Subject::Reply(Some(Slice::LastLine)) => Subject::Reply(Some(Slice::LastLine)),
                Subject::Reply(Some(Slice::After(text))) => Subject::Reply(Some(Slice::After(map(text)))),
                Subject::Reply(Some(Slice::Fenced(language))) => Subject::Reply(Some(Slice::Fenced(language.clone()))),
                Subject::File(path) => Subject::File(map(path)),
                Subject::Files(paths) => Subject::Files(map(paths)),
                Subject::Tree(paths) => Subject::Tree(map(paths)),
                Subject::Only(paths) => Subject::Only(map(paths)),
            },
            matcher: self.matcher,
            answer: self.answer.as_ref().map(|answer| match answer {
                Answer::One(value) => Answer::One(map(value)),
                Answer::AnyOf(accepted) => Answer::AnyOf(map(accepted)),
                Answer::Content(file) => Answer::Content(*file),
            }),
            options: self.options.clone(),
            weight: self.weight,
            gate: self.gate,
            database: self.database,
            read: self.read.clone(),
            columns: self.columns.clone(),
            traps: self.traps.iter().map(|trap| trap.map_expr(map)).collect(),
            span: self.span,
        }
    }
}

impl Expected {
    /// The value that alone is right; `None` where several are accepted, or none is given.
    pub fn single_value(&self) -> Option<&Value> {
        match &self.answer {
            Some(Answer::One(value)) => Some(value),
            _ => None,
        }
    }

    /// The path of the database whose state it compares.
    pub fn compared_database(&self) -> Option<&str> {
        let is_state = self.matcher.record().takes == Takes::State;
        match &self.subject {
            Subject::File(path) if is_state || self.matcher == Matcher::Unchanged && self.read.database => Some(path),
            _ => None,
        }
    }

    /// Paths below the sandbox that this key reads (folders with a trailing `/`): of a database also those of its log and its journal. [`WHOLE`] is the
    /// list of all paths.
    pub fn list_read_paths(&self) -> Vec<String> {
        match self.compared_database() {
            Some(path) => vec![path.to_owned(), build_wal_path(path), build_journal_path(path)],
            None => {
                let whole = matches!(self.subject, Subject::Only(_)).then(|| WHOLE.to_owned());
                self.subject.paths().iter().cloned().chain(whole).collect()
            }
        }
    }
}

impl Answer {
    /// The accepted values, one or several; none for the content of a file.
    pub fn accepted_values(&self) -> &[Value] {
        match self {
            Answer::One(value) => std::slice::from_ref(value),
            Answer::AnyOf(values) => values,
            Answer::Content(_) => &[],
        }
    }
}

impl Subject {
    /// The paths that it names.
    pub fn paths(&self) -> &[String] {
        match self {
            Subject::Reply(_) => &[],
            Subject::File(path) => std::slice::from_ref(path),
            Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) => paths,
        }
    }
}

/// The path by which a key asks for the list of all paths in the sandbox.
pub const WHOLE: &str = "./";

/// Where SQLite keeps what was written to a database in WAL mode and is not in the database yet.
pub fn build_wal_path(database: &str) -> String {
    format!("{database}-wal")
}

/// Where SQLite keeps the old pages of a database while it changes them.
pub fn build_journal_path(database: &str) -> String {
    format!("{database}-journal")
}
