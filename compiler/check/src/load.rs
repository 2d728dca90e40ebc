//! Loading of the root source, all files that it `use`s, and the standard library of its edition.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{SourceId, Span};

use crate::library::{self, Library};
use syntax::ast::{self, ItemKind};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::{Host, MAX_SOURCE_BYTES, ReadError};
use syntax::parse;
use syntax::sources::Sources;

/// The parsed files of one compilation.
#[derive(Clone, Debug)]
pub struct Project {
    /// The author's files, the root first.
    pub files: Vec<ast::File>,
    /// The standard library.
    pub library: Arc<Library>,
    /// Whether a used file could not be read, and its declarations are not known.
    has_unread_files: bool,
    /// The folder of the root source, with a trailing `/`, or "".
    pub folder: String,
    /// Indexes into `files`; each file comes after the files it uses.
    order: Vec<usize>,
}

impl Project {
    /// The author's files; each comes after the files it uses.
    pub fn iter_bottom_up(&self) -> impl Iterator<Item = &ast::File> {
        self.order.iter().filter_map(|at| self.files.get(*at))
    }

    /// The suite's root file.
    pub fn root(&self) -> &ast::File {
        &self.files[0]
    }

    /// Whether a diagnostic may be a consequence of text that could not be parsed: it is in such text, or it is about a name that such text may declare.
    pub fn is_doubtful(&self, said: &Diagnostic) -> bool {
        let place = said.primary.span;
        let declared = |name: &str| self.has_unread_files || self.files.iter().any(|file| file.may_declare(name));
        said.unknown.as_deref().is_some_and(declared) || self.files.iter().any(|file| file.is_unread(place))
    }

    /// Whether the root file was parsed completely, and all used files could be read.
    pub fn is_whole(&self) -> bool {
        !self.has_unread_files && self.root().unread.is_empty()
    }

    /// Whether part of a block could not be parsed, and might contain what seems to be missing.
    pub fn has_unread_in(&self, block: Span) -> bool {
        self.files.iter().any(|file| file.has_unread_in(block))
    }
}

/// Loads the project whose root source is at `path`. `None` if the root cannot be read.
pub fn load_project(path: &str, host: &dyn Host, sources: &mut Sources) -> (Option<Project>, Vec<Diagnostic>) {
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]).to_owned();
    let mut loader =
        Loader { host, sources, folder, files: Vec::new(), known: BTreeMap::new(), diagnostics: Vec::new() };
    if loader.load_file(path, None, &mut Vec::new()).is_none() {
        return (None, loader.diagnostics);
    }
    let has_unread_files =
        loader.diagnostics.iter().any(|d| [Code::UNREADABLE_FILE, Code::NOT_UTF8, Code::USE_CYCLE].contains(&d.code));
    let mut files = loader.files;
    let (folder, mut diagnostics) = (loader.folder, loader.diagnostics);
    let numbers: Vec<SourceId> = library::list_sources()
        .iter()
        .map(|(name, text)| sources.add_library_source(format!("<stdlib>/{name}"), *text))
        .collect();
    let library = library::load_library(numbers.first().copied().unwrap_or_default());
    diagnostics.extend(library.diagnostics.iter().cloned());
    // `use` loads depth first, so the root is completed last among the author's files. Sorting by id puts it first.
    let loaded: Vec<SourceId> = files.iter().map(|file| file.id).collect();
    files.sort_by_key(|file| file.id);
    let order = loaded.iter().filter_map(|id| files.iter().position(|file| file.id == *id)).collect();
    (Some(Project { files, library, has_unread_files, folder, order }), diagnostics)
}

struct Loader<'a> {
    host: &'a dyn Host,
    sources: &'a mut Sources,
    folder: String,
    files: Vec<ast::File>,
    known: BTreeMap<String, SourceId>,
    diagnostics: Vec<Diagnostic>,
}

impl Loader<'_> {
    /// Reads and parses a file and the files it uses. `asked` is the span of the `use` that names it; `open` contains the files being loaded, outermost first.
    fn load_file(&mut self, path: &str, asked: Option<Span>, open: &mut Vec<String>) -> Option<SourceId> {
        let bytes = match self.host.read_at_most(path, MAX_SOURCE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.report_unreadable(path, asked, &error);
                return None;
            }
        };
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                self.report_not_utf8(path, asked, &error);
                return None;
            }
        };
        let id = self.sources.add_source(path, text.as_str());
        self.known.insert(path.to_owned(), id);
        let (file, diagnostics) = parse::parse_source(&text, id);
        self.diagnostics.extend(diagnostics);
        open.push(path.to_owned());
        for item in &file.items {
            if let ItemKind::Use(target) = &item.kind {
                self.load_use(target, open);
            }
        }
        open.pop();
        self.files.push(file);
        Some(id)
    }

    fn load_use(&mut self, target: &ast::StringLit, open: &mut Vec<String>) {
        let Some(name) = resolve_plain_path(target, &mut self.diagnostics) else { return };
        let path = format!("{}{name}", self.folder);
        if open.contains(&path) {
            let chain = open.iter().skip_while(|open| **open != path).chain([&path]);
            let chain: Vec<String> = chain.map(|path| format!("`{path}`")).collect();
            let message = format!("`use` forms a cycle: {}", chain.join(" → "));
            let said = Diagnostic::new(Code::USE_CYCLE, message, target.span, "closes the cycle");
            self.diagnostics.push(said.help("move what both need to a third file that each of them uses"));
        } else if !self.known.contains_key(&path) {
            self.load_file(&path, Some(target.span), open);
        }
    }

    fn report_unreadable(&mut self, path: &str, asked: Option<Span>, error: &ReadError) {
        let why = match error {
            ReadError::NotFound => "the file does not exist".to_owned(),
            ReadError::Other(why) => why.clone(),
        };
        let at = asked.unwrap_or_else(|| Span::new(self.sources.add_source(path, ""), 0, 0));
        let help = match asked {
            Some(_) => {
                format!(
                    "paths in `use` are relative to the folder of the suite file ({})",
                    describe_folder(&self.folder)
                )
            }
            None => "check the path".to_owned(),
        };
        self.diagnostics
            .push(Diagnostic::new(Code::UNREADABLE_FILE, format!("cannot read `{path}`: {why}"), at, why).help(help));
    }

    fn report_not_utf8(&mut self, path: &str, asked: Option<Span>, error: &std::string::FromUtf8Error) {
        let valid = error.utf8_error().valid_up_to();
        let good = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        let line = good.matches('\n').count() + 1;
        let id = self.sources.add_source(path, good);
        let here = Span::new(id, valid as u32, valid as u32);
        let message = format!("`{path}` is not valid UTF-8 at byte {} (line {line})", valid + 1);
        let mut said = Diagnostic::new(Code::NOT_UTF8, message, here, "valid up to here")
            .help("save the file as UTF-8 in your editor");
        if let Some(asked) = asked {
            said = said.label(asked, "used here");
        }
        self.diagnostics.push(said);
    }
}

/// Resolves a string that names a file of the project. It must be a relative path without placeholders and `..`.
pub fn resolve_plain_path(target: &ast::StringLit, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
    let mut name = String::new();
    for piece in target.cook() {
        match piece {
            ast::Cooked::Text(text) => name.push_str(&text),
            ast::Cooked::Placeholder(expr) => {
                let message = "a source path cannot contain placeholders";
                let label = "drawn only when the suite is built";
                let said = Diagnostic::new(Code::NOT_CONSTANT, message, expr.span, label);
                diagnostics.push(said.help("write the path out"));
                return None;
            }
        }
    }
    if !is_inside_project(&name) {
        let message = format!("`{name}` is not a path inside the project folder");
        let help = "write a relative path with `/` and without `.` or `..`, relative to the folder of the suite file";
        let said = Diagnostic::new(Code::UNSAFE_PATH, message, target.span, "outside the suite's folder");
        diagnostics.push(said.help(help));
        return None;
    }
    Some(name)
}

/// Whether a path stays inside the project's folder.
pub fn is_inside_project(name: &str) -> bool {
    !(name.starts_with('/') || name.contains('\\') || name.split('/').any(|part| matches!(part, ".." | "." | "")))
}

fn describe_folder(folder: &str) -> &str {
    if folder.is_empty() { "the current folder" } else { folder }
}
