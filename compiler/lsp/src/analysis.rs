//! A compiled suite, with the lookups that features need.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

use compiler::ast::{self, SourceId, Span};
use compiler::diagnostics::Diagnostic;
use compiler::hir;
use compiler::hir::Reference;
use compiler::query::{Analysed, Declaration, Function, list_declarations, list_functions};
use compiler::{Source, Sources};
use model::TiVec;
use runtime::generate::Look;

use crate::position::{Encoding, Lines};

/// Generated instances, by task and sample; `None` if an instance cannot be generated.
pub type Looks = BTreeMap<(u32, u32), Option<Arc<Look>>>;

/// A compiled suite, shared by the threads that answer requests.
pub struct Analysis {
    /// The path of the suite's root file.
    pub root: String,
    /// The result of the compiler: syntax trees, references, diagnostics, and the plan.
    pub analysed: Analysed,
    encoding: Encoding,
    lines: TiVec<SourceId, OnceLock<Lines>>,
    declared: OnceLock<BTreeMap<SourceId, Vec<Declaration>>>,
    functions: OnceLock<Vec<Function>>,
    /// Generated instances, by task and sample.
    pub(crate) looks: Mutex<Looks>,
    /// The diagnostics of drawn samples, once they were drawn.
    pub(crate) observed: OnceLock<Vec<Diagnostic>>,
}

/// An occurrence of a name: its text, its position, and its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its text, without backticks.
    pub name: String,
    /// The position of the occurrence.
    pub at: Span,
    /// The name in its declaration (the first one, if several are possible).
    pub target: Span,
}

impl Analysis {
    /// Wraps a compiled suite.
    pub fn new(root: String, analysed: Analysed, encoding: Encoding) -> Analysis {
        let files = analysed.compiled.sources.iter().count();
        Analysis {
            root,
            analysed,
            encoding,
            lines: std::iter::repeat_with(OnceLock::new).take(files).collect(),
            declared: OnceLock::new(),
            functions: OnceLock::new(),
            looks: Mutex::default(),
            observed: OnceLock::new(),
        }
    }

    /// The suite's sources.
    pub fn sources(&self) -> &Sources {
        &self.analysed.compiled.sources
    }

    /// The file at a path, if it belongs to the suite.
    pub fn find_file(&self, path: &str) -> Option<SourceId> {
        self.sources().iter().find(|(_, source)| source.path == path).map(|(id, _)| id)
    }

    /// Returns a source.
    pub fn source(&self, file: SourceId) -> Option<&Source> {
        self.sources().get(file)
    }

    /// The text of a file.
    pub fn text(&self, file: SourceId) -> &str {
        self.source(file).map_or("", |source| source.text.as_str())
    }

    /// Returns the line index of a file.
    pub fn lines(&self, file: SourceId) -> Option<&Lines> {
        let source = self.source(file)?;
        Some(self.lines.get(file)?.get_or_init(|| Lines::new(&source.text, self.encoding)))
    }

    /// Converts a span to the editor's range in its file.
    pub fn find_range(&self, span: Span) -> Option<gen_lsp_types::Range> {
        Some(self.lines(span.file)?.find_range(self.text(span.file), span))
    }

    /// Converts a range of the editor to byte offsets in a file.
    pub fn find_offsets(&self, file: SourceId, range: gen_lsp_types::Range) -> Option<(u32, u32)> {
        let (start, end) = self.lines(file)?.find_offsets(self.text(file), range);
        Some((start as u32, end as u32))
    }

    /// Converts a span to the editor's location: the URI and the range.
    pub fn find_location(&self, span: Span) -> Option<gen_lsp_types::Location> {
        let uri = crate::uri::from_path(&self.source(span.file)?.path);
        Some(gen_lsp_types::Location { uri, range: self.find_range(span)? })
    }

    /// A parsed file.
    pub fn find_ast(&self, file: SourceId) -> Option<&ast::File> {
        self.analysed.iter_files().find(|ast| ast.id == file)
    }

    /// The declarations of a file.
    pub fn list_declarations(&self, file: SourceId) -> &[Declaration] {
        let declared = self
            .declared
            .get_or_init(|| self.analysed.iter_files().map(|file| (file.id, list_declarations(file))).collect());
        declared.get(&file).map_or(&[], Vec::as_slice)
    }

    /// The declarations of a file, each before those inside it and with the task that contains it.
    pub fn iter_declarations(&self, file: SourceId) -> impl Iterator<Item = (&Declaration, Option<&Declaration>)> {
        self.list_declarations(file).iter().flat_map(|item| item.iter_all(None))
    }

    /// The library's functions.
    pub fn functions(&self) -> &[Function] {
        self.functions.get_or_init(|| list_functions(self.analysed.iter_files()))
    }

    /// The functions of the library with this name.
    pub fn list_overloads(&self, name: &str) -> Vec<&Function> {
        self.functions().iter().filter(|function| function.name == name).collect()
    }

    /// The declaration whose name has exactly this span.
    pub fn find_declaration(&self, target: Span) -> Option<&Declaration> {
        let around = self.list_declarations(target.file).iter().filter(|item| item.whole.is_enclosing(target));
        let mut all = around.flat_map(|item| item.iter_all(None)).map(|(declaration, _)| declaration);
        all.find(|declaration| declaration.name.span == target)
    }

    /// Finds the symbol at a position: a use or a declaration of a name.
    pub fn find_symbol(&self, file: SourceId, offset: u32) -> Option<Symbol> {
        let touched = self.analysed.references.iter().filter(|reference| {
            reference.at.file == file && reference.at.start <= offset && offset <= reference.at.end
        });
        // Between two adjacent names, the one that begins at the cursor is taken.
        if let Some(Reference { at, target }) = touched.copied().max_by_key(|reference| reference.at.start) {
            return Some(Symbol { name: self.name_at(at), at, target });
        }
        let names = self.iter_declarations(file).map(|(declaration, _)| declaration.name.span);
        let at = names.filter(|at| at.has_offset(offset)).last()?;
        Some(Symbol { name: self.name_at(at), at, target: at })
    }

    /// The name written at a place, without quotes.
    pub fn name_at(&self, at: Span) -> String {
        strip_quotes(self.sources().text(at)).to_owned()
    }

    /// The spans of the references to the symbol under its own name, in source order.
    pub fn find_uses(&self, symbol: &Symbol) -> BTreeSet<Span> {
        let used = self.analysed.references.iter().filter(|reference| reference.target == symbol.target);
        used.map(|reference| reference.at).filter(|at| self.is_named_as(*at, symbol)).collect()
    }

    /// Like [`Analysis::find_uses`], with the declaration.
    pub fn find_occurrences(&self, symbol: &Symbol) -> BTreeSet<Span> {
        let mut places = self.find_uses(symbol);
        places.extend(Some(symbol.target).filter(|at| self.is_named_as(*at, symbol)));
        places
    }

    fn is_named_as(&self, at: Span, symbol: &Symbol) -> bool {
        strip_quotes(self.sources().text(at)).eq_ignore_ascii_case(&symbol.name)
    }

    /// The checked task that contains a position, and its index.
    pub fn find_task_at(&self, file: SourceId, offset: u32) -> Option<(u32, &hir::Task)> {
        let suite = self.analysed.compiled.hir.as_ref()?;
        (0..).zip(&suite.tasks).find(|(_, task)| task.notes.whole.file == file && task.notes.whole.has_offset(offset))
    }

    /// The checked tasks.
    pub fn iter_tasks(&self) -> impl Iterator<Item = &hir::Task> {
        self.analysed.compiled.hir.iter().flat_map(|suite| &suite.tasks)
    }

    /// Finds a checked task, and its index, by name.
    pub fn find_task(&self, name: &str) -> Option<(u32, &hir::Task)> {
        let suite = self.analysed.compiled.hir.as_ref()?;
        (0..).zip(&suite.tasks).find(|(_, task)| task.name == name)
    }
}

/// Removes the quotes or backticks around a name.
pub fn strip_quotes(written: &str) -> &str {
    for (open, close) in [('`', '`'), ('"', '"'), ('[', ']')] {
        if let Some(inner) = written.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return inner;
        }
    }
    written
}
