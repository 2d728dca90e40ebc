//! What is known of the single values at a place of a file.

use std::collections::BTreeSet;

use model::suite::{ColumnId, RelationId};

use crate::types::Ty;

/// The single values at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// Their type.
    pub ty: Ty,
    /// Where they come from.
    pub source: Source,
}

/// Where the values at a place come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Not known.
    Unknown,
    /// The cells of a column.
    Cells(RelationId, ColumnId),
    /// Texts that are known, all of them; nulls aside.
    Texts(BTreeSet<String>),
}

/// More texts are not kept.
const MAX_TEXTS: usize = 1000;

impl Leaf {
    /// Values of this type, wherever they come from.
    pub fn new(ty: Ty) -> Leaf {
        Leaf { ty, source: Source::Unknown }
    }

    /// What is one or the other, where their types have one in common.
    pub fn join(self, other: Leaf) -> Option<Leaf> {
        Some(Leaf { ty: self.ty.join(&other.ty)?, source: self.source.join(other.source) })
    }
}

impl Source {
    fn join(self, other: Source) -> Source {
        match (self, other) {
            (Source::Texts(a), Source::Texts(b)) => {
                let (mut more, less) = if a.len() < b.len() { (b, a) } else { (a, b) };
                more.extend(less);
                if more.len() > MAX_TEXTS { Source::Unknown } else { Source::Texts(more) }
            }
            (a, b) if a == b => a,
            _ => Source::Unknown,
        }
    }
}

/// `==` or `!=` in a filter, of the values at a place and a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The text with its quotes: from and to, in bytes of the path.
    pub literal: (usize, usize),
    /// The text.
    pub text: String,
    /// Whether it asks for this text, not for any other.
    pub equal: bool,
    /// Where the values may come from.
    pub sources: Vec<Source>,
}
