//! An answer key: the expected values, and how they are compared.
//!
//! The same type is used from the checked suite to the scorer. Before generation it contains expressions (`Expect<Expr>`), which generation
//! evaluates; the key of an instance contains values ([`Expected`]). [`codec`] writes and reads the key in a bundle.

pub mod codec;
mod error;
mod examples;
mod exceptions;
mod read;
pub mod rounded;
mod traps;
mod values;

use std::convert::Infallible;
use std::fmt::Debug;

use serde::Serialize;

pub use error::KeyError;
pub use examples::{Example, Panel, Said, Tests, Wanted};
pub use exceptions::Exceptions;
pub use read::Read;
pub use traps::Trap;
pub use values::Days;

use crate::pointer::escape_step;
use crate::suite::matchers::Takes;
use crate::suite::{ColumnId, FileId, Matcher, Options, RelationId};
use crate::{Decimal, Singular, Span, Value};

/// The content of an answer key: expressions, or their values.
pub trait Term: Clone + Debug + PartialEq {
    /// A text: a path in the sandbox, or the text before the answer in a reply.
    type Text: Clone + Debug + PartialEq;
    /// Several paths.
    type Paths: Clone + Debug + PartialEq;
    /// Several accepted answers.
    type Accepted: Clone + Debug + PartialEq;
    /// A file of the task, or its path in the sandbox in an instance's key.
    type File: Clone + Debug + PartialEq;
    /// Its place in the source.
    type Place: Clone + Debug + PartialEq;
}

impl Term for Value {
    type Text = String;
    type Paths = Vec<String>;
    type Accepted = Vec<Value>;
    type File = String;
    type Place = ();
}

/// An expression of a checked or a compiled suite.
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
    /// The name in scores and reports, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The part of the response that is read.
    pub subject: Subject<T>,
    /// The place of the value in the reply or file, if not all of it is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
    /// The matcher that compares it.
    pub matcher: Matcher,
    /// The expected answer; `None` for `exists`, `absent`, and `unchanged`.
    pub answer: Option<Answer<T>>,
    /// Options by JSON pointer (`""` for the whole); a leaf has those of its nearest ancestor.
    pub options: Vec<(String, Options)>,
    /// Weight in the score, greater than 0.
    pub weight: Decimal,
    /// Whether the score is 0 if it fails.
    pub gate: bool,
    /// For `sql`: the database on which the query in the reply runs.
    pub database: Option<T::File>,
    /// `among LIST`: values of which no other may be in the text. In an instance's key, without nulls, each once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub among: Option<T::Accepted>,
    /// How its file is read; known when the instance is built.
    #[serde(skip_serializing_if = "Read::is_plain")]
    pub read: Read,
    /// Pointers to texts with `ignore`, and the columns from which these may come: the build proves that `ignore` keeps such a text apart from the
    /// others of that column. Empty in an instance's key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<(String, RelationId, ColumnId)>,
    /// What selftest tries. Empty in an instance's key.
    #[serde(skip_serializing_if = "Tests::is_empty")]
    pub tests: Tests<T>,
    /// Values that result from known mistakes: those named in the source first, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traps: Vec<Trap<T>>,
    /// Its place in the source.
    pub span: T::Place,
}

/// A place in the JSON value of a reply or a file.
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

/// The correct answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "T: Serialize, T::Accepted: Serialize, T::File: Serialize"))]
pub enum Answer<T: Term = Value> {
    /// This value.
    One(T),
    /// Any of these values.
    AnyOf(T::Accepted),
    /// The bytes of this file, as in the agent's sandbox.
    Content(T::File),
}

/// The part of the response that an `expect` reads.
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
    /// The same, and no other new file or folder.
    Only(T::Paths),
    /// All files and folders of the sandbox except these, and except what is in these folders.
    Unchanged(T::Paths),
}

/// A part of the reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "T::Text: Serialize"))]
pub enum Slice<T: Term = Value> {
    /// The last non-blank line.
    LastLine,
    /// The text after the last occurrence of this text.
    After(T::Text),
    /// The content of the last fenced block, of this language if one is given.
    Fenced(Option<String>),
    /// The content of the last tag of this name.
    #[serde(rename = "in")]
    Tag(String),
    /// What is between these two texts, the last time.
    Between(T::Text, T::Text),
}

/// Replaces a text that is looked for.
type MapText<'m, T, F, E> = dyn FnMut(&<T as Term>::Text) -> Result<<F as Term>::Text, E> + 'm;

impl<T: Term> Slice<T> {
    /// Returns the texts that are looked for, which are values.
    pub fn texts(&self) -> Vec<&T::Text> {
        match self {
            Slice::After(text) => vec![text],
            Slice::Between(open, close) => vec![open, close],
            Slice::LastLine | Slice::Fenced(_) | Slice::Tag(_) => Vec::new(),
        }
    }

    /// Returns a copy in which `map` replaces every text that is looked for.
    pub fn try_map_texts<F: Term, E>(&self, map: &mut MapText<'_, T, F, E>) -> Result<Slice<F>, E> {
        Ok(match self {
            Slice::LastLine => Slice::LastLine,
            Slice::After(text) => Slice::After(map(text)?),
            Slice::Fenced(language) => Slice::Fenced(language.clone()),
            Slice::Tag(name) => Slice::Tag(name.clone()),
            Slice::Between(open, close) => Slice::Between(map(open)?, map(close)?),
        })
    }

    /// Returns a copy in which `map`, which cannot fail, replaces every text that is looked for.
    pub fn map_texts<F: Term>(&self, map: &mut dyn FnMut(&T::Text) -> F::Text) -> Slice<F> {
        let mapped: Result<Slice<F>, Infallible> = self.try_map_texts(&mut |text| Ok(map(text)));
        match mapped {
            Ok(slice) => slice,
            Err(never) => match never {},
        }
    }
}

impl<T: Term> Expect<T> {
    /// Returns the options of the whole answer (pointer `""`).
    pub fn whole_options(&self) -> Options {
        self.options.iter().find(|(at, _)| at.is_empty()).map(|(_, options)| options.clone()).unwrap_or_default()
    }

    /// Returns the options for the value at a JSON pointer: those of its nearest ancestor, or its own.
    pub fn find_governing_options(&self, pointer: &str) -> Option<&Options> {
        let mut at = pointer;
        loop {
            if let Some((_, options)) = self.options.iter().find(|(known, _)| known == at) {
                return Some(options);
            }
            at = at.get(..at.rfind('/')?)?;
        }
    }

    /// Returns the same expectation on a file in the form that is declared at its path; `None` if no other form is declared.
    pub fn in_declared_form(&self) -> Option<Expect<T>> {
        let form = self.read.declared.as_deref()?;
        let mut options = self.options.clone();
        for (column, told) in &form.written {
            let pointer = format!("/*/{}", escape_step(column));
            let own = Options { written: told.clone(), ..Options::default() };
            match options.iter_mut().find(|(known, _)| *known == pointer) {
                Some((_, options)) => *options = own.or(options.clone()),
                None => options.push((pointer, own.or_whole(&self.whole_options()))),
            }
        }
        let read = Read { declared: None, written: Vec::new(), ..form.clone() };
        Some(Expect { options, read, ..self.clone() })
    }

    /// Returns the file with the expected content, for `bytes NAME`.
    pub fn content_file(&self) -> Option<&T::File> {
        match &self.answer {
            Some(Answer::Content(file)) => Some(file),
            _ => None,
        }
    }
}

impl<E: Expression> Expect<E> {
    /// Returns the expression of the expected value, or of the list of accepted ones.
    pub fn answer_expr(&self) -> Option<&E> {
        match &self.answer {
            Some(Answer::One(value) | Answer::AnyOf(value)) => Some(value),
            Some(Answer::Content(_)) | None => None,
        }
    }

    /// Checks whether [`Expect::answer_expr`] is a list of accepted values.
    pub fn is_any_of(&self) -> bool {
        matches!(self.answer, Some(Answer::AnyOf(_)))
    }

    /// Calls `visit` for every whole expression of the expected answer; those of traps are in [`Expect::traps`], those of examples in
    /// [`Expect::tests`].
    pub fn visit_exprs<'a>(&'a self, visit: &mut dyn FnMut(&'a E)) {
        match &self.subject {
            Subject::Reply(slice) => slice.iter().flat_map(Slice::texts).for_each(&mut *visit),
            Subject::File(expr)
            | Subject::Files(expr)
            | Subject::Tree(expr)
            | Subject::Only(expr)
            | Subject::Unchanged(expr) => visit(expr),
        }
        self.answer_expr().into_iter().chain(&self.among).for_each(visit);
    }

    /// Returns a copy in which `map` replaces every expression.
    pub fn map_exprs<F: Expression>(&self, map: &mut dyn FnMut(&E) -> F) -> Expect<F> {
        Expect {
            name: self.name.clone(),
            at: self.at.clone(),
            subject: match &self.subject {
                Subject::Reply(slice) => Subject::Reply(slice.as_ref().map(|slice| slice.map_texts(map))),
                Subject::File(path) => Subject::File(map(path)),
                Subject::Files(paths) => Subject::Files(map(paths)),
                Subject::Tree(paths) => Subject::Tree(map(paths)),
                Subject::Only(paths) => Subject::Only(map(paths)),
                Subject::Unchanged(paths) => Subject::Unchanged(map(paths)),
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
            among: self.among.as_ref().map(&mut *map),
            read: self.read.clone(),
            columns: self.columns.clone(),
            tests: Tests {
                examples: self.tests.examples.iter().map(|example| example.map_expr(map)).collect(),
                panel: self.tests.panel.clone(),
            },
            traps: self.traps.iter().map(|trap| trap.map_expr(map)).collect(),
            span: self.span,
        }
    }
}

impl Expected {
    /// Returns the only accepted value; `None` if several are accepted, or if the answer is not a value.
    pub fn single_value(&self) -> Option<&Value> {
        match &self.answer {
            Some(Answer::One(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns the path of the database whose state is compared.
    pub fn compared_database(&self) -> Option<&str> {
        let is_state = self.matcher.record().takes == Takes::State;
        match &self.subject {
            Subject::File(path) if is_state || self.matcher == Matcher::Unchanged && self.read.database => Some(path),
            _ => None,
        }
    }

    /// Lists the paths in the sandbox that this key reads (folders with a trailing `/`), including a database's write-ahead log and journal.
    /// [`WHOLE`] represents the list of all paths, and [`DIGESTS`] that with the digests of files. The databases of [`Subject::Unchanged`] are in [`Expected::list_kept_database_paths`].
    pub fn list_read_paths(&self) -> Vec<String> {
        match (self.compared_database(), &self.subject) {
            (Some(path), _) => list_database_paths(path).into(),
            (None, Subject::Unchanged(_)) => vec![DIGESTS.to_owned()],
            (None, Subject::Only(paths)) => paths.iter().cloned().chain([WHOLE.to_owned()]).collect(),
            (None, subject) => subject.paths().to_vec(),
        }
    }

    /// Lists the paths that are read only if a database changed whose content must be the same, each with its log and its journal.
    pub fn list_kept_database_paths(&self) -> impl Iterator<Item = String> {
        self.read.databases.iter().flat_map(|path| list_database_paths(path))
    }
}

impl Answer {
    /// Returns the accepted values, one or several; empty for the content of a file.
    pub fn accepted_values(&self) -> &[Value] {
        match self {
            Answer::One(value) => std::slice::from_ref(value),
            Answer::AnyOf(values) => values,
            Answer::Content(_) => &[],
        }
    }
}

impl Subject {
    /// Returns the paths in the subject.
    pub fn paths(&self) -> &[String] {
        match self {
            Subject::Reply(_) => &[],
            Subject::File(path) => std::slice::from_ref(path),
            Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) | Subject::Unchanged(paths) => paths,
        }
    }
}

/// Returns the path of a database, that of its log, and that of its journal.
fn list_database_paths(path: &str) -> [String; 3] {
    [path.to_owned(), build_wal_path(path), build_journal_path(path)]
}

/// The path with which a key requests the list of all paths in the sandbox.
pub const WHOLE: &str = "./";

/// The path with which a key requests that list with the digests of the files that were there at the start.
pub const DIGESTS: &str = "**";

/// Returns the path of SQLite's write-ahead log, which contains changes that are not in the database file yet.
pub fn build_wal_path(database: &str) -> String {
    format!("{database}-wal")
}

/// Returns the path of SQLite's rollback journal, which contains the old pages of a database during a change.
pub fn build_journal_path(database: &str) -> String {
    format!("{database}-journal")
}
