//! Knowledge about the scalar values at a position of a file.

use std::collections::BTreeSet;

use model::suite::{ColumnId, RelationId};

use crate::types::Ty;

/// The scalar values at a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// Their type.
    pub ty: Ty,
    /// Their source.
    pub source: Source,
}

/// The source of the values at a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Not known.
    Unknown,
    /// The cells of a column.
    Cells(RelationId, ColumnId),
    /// All possible texts, except null.
    Texts(BTreeSet<String>),
}

/// The maximum number of texts that are kept.
const MAX_TEXTS: usize = 1000;

impl Leaf {
    /// Creates a leaf for values of this type from an unknown source.
    pub fn new(ty: Ty) -> Leaf {
        Leaf { ty, source: Source::Unknown }
    }

    /// The leaf of a value from either; `None` if their types have no common type.
    pub fn join_leaf(self, other: Leaf) -> Option<Leaf> {
        Some(Leaf { ty: self.ty.find_common_type(&other.ty)?, source: self.source.join_source(other.source) })
    }
}

impl Source {
    fn join_source(self, other: Source) -> Source {
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

/// A comparison of the values at a position with a text by `==` or `!=`, in a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<L = (usize, usize)> {
    /// The range of the text, with its quotes: in bytes of the path.
    pub literal: L,
    /// The text.
    pub text: String,
    /// Whether the operator is `==`.
    pub equal: bool,
    /// The possible sources of the values.
    pub sources: Vec<Source>,
}
