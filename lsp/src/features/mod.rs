//! What editors ask, a file each.

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

use std::rc::Rc;

use gen_lsp_types::{MarkupContent, MarkupKind, Position, TextDocumentPositionParams, Uri};
use plan::span::FileId;

use crate::analysis::Analysis;
use crate::state::State;
use crate::uri;

/// A place in a suite.
pub struct Place {
    /// The suite.
    pub analysis: Rc<Analysis>,
    /// The file.
    pub file: FileId,
    /// In bytes.
    pub offset: u32,
}

impl State {
    /// The suite that a document belongs to, and which of its files it is; `None` where it cannot be read.
    pub fn document(&mut self, uri: &Uri) -> Option<(Rc<Analysis>, FileId)> {
        let path = uri::path(uri);
        let analysis = self.workspace.analysis(&path);
        let file = analysis.file(&path)?;
        Some((analysis, file))
    }

    /// A place in a document.
    pub fn place(&mut self, uri: &Uri, position: Position) -> Option<Place> {
        let (analysis, file) = self.document(uri)?;
        let offset = analysis.lines(file)?.offset(analysis.text(file), position) as u32;
        Some(Place { analysis, file, offset })
    }

    /// The place that a request is about.
    pub fn asked(&mut self, params: &TextDocumentPositionParams) -> Option<Place> {
        self.place(&params.text_document.uri, params.position)
    }
}

/// Markdown, for hovers and documentation.
pub fn markdown(value: impl Into<String>) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: value.into() }
}
