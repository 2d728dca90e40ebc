//! The features of the server, one file per request of the protocol.

pub mod actions;
pub mod commands;
pub mod complete;
pub mod content;
pub mod diagnostics;
pub mod folding;
pub mod format;
pub mod hints;
pub mod hover;
pub mod lenses;
pub mod navigate;
pub mod rename;
pub mod selection;
pub mod signature;
pub mod symbols;
pub mod tokens;

use std::sync::Arc;

use compiler::ast::{Node, visit_nodes};
use gen_lsp_types as lsp;
use gen_lsp_types::{MarkupContent, MarkupKind, TextDocumentPositionParams, Uri};
use model::{SourceId, Span};

use crate::analysis::{Analysis, Symbol};
use crate::position::Lines;
use crate::state::State;
use crate::text_diff::TextDiff;
use crate::uri;

/// A position in a suite.
pub struct Place {
    /// The suite.
    pub analysis: Arc<Analysis>,
    /// The file.
    pub file: SourceId,
    /// The byte offset in [`Place::text`].
    pub offset: u32,
    /// The buffer, if it is newer than the compiled text.
    newer: Option<Newer>,
}

/// A buffer that was edited since its suite was compiled.
struct Newer {
    text: String,
    lines: Lines,
    drift: TextDiff,
}

impl Place {
    /// The symbol at the position.
    pub fn find_symbol(&self) -> Option<Symbol> {
        self.analysis.find_symbol(self.file, self.offset)
    }

    /// The innermost node at the position for which `pick` returns something.
    pub fn find_node<'a, T>(&'a self, pick: impl Fn(Node<'a>) -> Option<T>) -> Option<T> {
        let mut found = None;
        visit_nodes(self.analysis.find_ast(self.file)?, &mut |node| {
            if node.span().has_offset(self.offset)
                && let Some(picked) = pick(node)
            {
                found = Some(picked);
            }
        });
        found
    }

    /// The text of the file as the editor shows it.
    pub fn text(&self) -> &str {
        self.newer.as_ref().map_or_else(|| self.analysis.text(self.file), |newer| &newer.text)
    }

    /// The lines of [`Place::text`].
    pub fn lines(&self) -> Option<&Lines> {
        self.newer.as_ref().map_or_else(|| self.analysis.lines(self.file), |newer| Some(&newer.lines))
    }

    /// The offset in the compiled text. For a position inside newly written text, the end of the text that it replaced.
    pub fn to_compiled_offset(&self) -> u32 {
        self.newer.as_ref().map_or(self.offset, |newer| newer.drift.map_to_nearest_old(self.offset as usize) as u32)
    }

    /// The same position in the compiled suite; `None` inside text that was written since.
    pub fn to_compiled_place(&self) -> Option<Place> {
        let offset = match &self.newer {
            None => self.offset,
            Some(newer) => newer.drift.map_to_old(self.offset as usize)? as u32,
        };
        Some(Place { analysis: Arc::clone(&self.analysis), file: self.file, offset, newer: None })
    }

    /// The current range of a span of the compiled file; `None` if one of its ends is inside edited text.
    pub fn find_range(&self, span: Span) -> Option<lsp::Range> {
        let Some(newer) = &self.newer else { return self.analysis.find_range(span) };
        let (start, end) = (newer.drift.map_to_new(span.start as usize)?, newer.drift.map_to_new(span.end as usize)?);
        Some(newer.lines.find_byte_range(&newer.text, start, end))
    }
}

impl State {
    /// The suite of a document, and the document's file in it; `None` if the file cannot be read.
    pub fn load_document(&mut self, uri: &Uri) -> Option<(Arc<Analysis>, SourceId)> {
        let path = uri::to_path(uri);
        let analysis = self.workspace.analyze_file(&path);
        let file = analysis.find_file(&path)?;
        Some((analysis, file))
    }

    /// Resolves the position of a request.
    pub fn resolve_request_place(&mut self, params: &TextDocumentPositionParams) -> Option<Place> {
        let uri = &params.text_document.uri;
        let (analysis, file) = self.load_document(uri)?;
        let document = self.workspace.documents.get(&uri::to_path(uri));
        let newer = document.filter(|document| document.text != analysis.text(file)).map(|document| Newer {
            text: document.text.clone(),
            lines: Lines::new(&document.text, self.workspace.encoding),
            drift: TextDiff::from_texts(analysis.text(file), &document.text),
        });
        let mut place = Place { analysis, file, offset: 0, newer };
        place.offset = place.lines()?.find_offset(place.text(), params.position) as u32;
        Some(place)
    }
}

/// Wraps Markdown for hovers and documentation.
pub fn to_markdown(value: impl Into<String>) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: value.into() }
}
