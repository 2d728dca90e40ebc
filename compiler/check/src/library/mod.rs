//! The standard library of edition 1: `.pcd` files like those of an author, embedded in the compiler.

mod signature;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use model::SourceId;
use model::Span;
use model::functions::FunctionId;

use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::parse;

pub use signature::render_signature;
pub(crate) use signature::{ParamKind, Pattern, Signature};

/// The parsed standard library.
#[derive(Debug)]
pub struct Library {
    /// Its files, in the order of [`list_sources`].
    pub files: Vec<ast::File>,
    /// Its functions, by name.
    pub functions: BTreeMap<String, Function>,
    /// Its diagnostics; empty unless the library itself is broken.
    pub diagnostics: Vec<Diagnostic>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The function's id.
    pub id: FunctionId,
    /// Its signatures, in the order of the source.
    pub(crate) overloads: Vec<Signature>,
}

/// Loads the library with source ids from `first` on. It is parsed once per process for each value of `first`.
pub fn load_library(first: SourceId) -> Arc<Library> {
    static PARSED: Mutex<BTreeMap<u32, Arc<Library>>> = Mutex::new(BTreeMap::new());
    let mut parsed = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(parsed.entry(first.0).or_insert_with(|| {
        let mut library = Library { files: Vec::new(), functions: BTreeMap::new(), diagnostics: Vec::new() };
        for (file, said) in parse_sources(first) {
            library.diagnostics.extend(said);
            for item in &file.items {
                let ast::ItemKind::Function(def) = &item.kind else { continue };
                match read_function(def) {
                    Ok((id, signature)) => {
                        let name = def.name.text.clone();
                        let known = library.functions.entry(name).or_insert(Function { id, overloads: Vec::new() });
                        known.overloads.push(signature);
                    }
                    Err((span, why)) => {
                        library.diagnostics.push(Diagnostic::new(Code::SYNTAX, why, span, "in the standard library"));
                    }
                }
            }
            library.files.push(file);
        }
        Arc::new(library)
    }))
}

/// Parses each source in its own thread, because parsing dominates the time for checking a small suite.
fn parse_sources(first: SourceId) -> Vec<(ast::File, Vec<Diagnostic>)> {
    std::thread::scope(|scope| {
        let mut started = Vec::new();
        for (id, (_, text)) in (first.0..).map(SourceId).zip(list_sources()) {
            let read = move || parse::parse_library(text, id);
            started.push((read, std::thread::Builder::new().spawn_scoped(scope, read)));
        }
        let done = started.into_iter().map(|(read, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Parse in this thread if a new one cannot be started.
            Err(_) => read(),
        });
        done.collect()
    })
}

/// The function that a declaration belongs to, and its signature.
fn read_function(def: &ast::FunctionDef) -> Result<(FunctionId, Signature), (Span, String)> {
    let name = &def.name;
    let id = FunctionId::from_name(&name.text);
    let id = id.ok_or_else(|| (name.span, format!("`{}` has no record in `model::functions`", name.text)))?;
    Ok((id, Signature::from_declaration(def)?))
}

/// The sources with their names.
pub fn list_sources() -> &'static [(&'static str, &'static str)] {
    &[
        ("1/domains.pcd", include_str!("../../../../stdlib/1/domains.pcd")),
        ("1/tables.pcd", include_str!("../../../../stdlib/1/tables.pcd")),
        ("1/functions.pcd", include_str!("../../../../stdlib/1/functions.pcd")),
    ]
}

macro_rules! word_lists {
    ($($name:literal)*) => {
        &[$((concat!("words/", $name, ".txt"), include_str!(concat!("../../../../stdlib/1/words/", $name, ".txt")))),*]
    };
}

/// The word lists, by their name in `one_of lines`.
static WORD_LISTS: &[(&str, &str)] = word_lists! {
    "city" "country" "country_code" "country_line" "currency_code" "currency_line" "currency_name" "family_name_world" "first_name" "given_name_world"
    "item_line" "job_line" "job_title" "language" "language_code" "language_line" "last_name" "mail_first" "mail_last" "nature" "place_line" "state"
    "state_code" "street" "time_zone" "word"
};

/// Finds a word list of the library.
pub fn find_word_list(name: &str) -> Option<&'static str> {
    WORD_LISTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
