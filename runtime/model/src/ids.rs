//! Typed indexes: each table has an id type of its own, which cannot be mixed up with another.

use serde::{Deserialize, Serialize};

/// Declares id types: each is an index into the table that its documentation names.
macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $id(pub u32);

        impl From<usize> for $id {
            /// No table has 2^32 entries, because sources are limited to a fraction of that in bytes.
            fn from(index: usize) -> $id {
                $id(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }

        impl From<$id> for usize {
            fn from(id: $id) -> usize {
                id.0 as usize
            }
        }
    )* };
}

ids! {
    /// A source file of a compilation, in the order of loading (the suite's own file is 0).
    SourceId;
    /// An index into [`Task::names`](crate::suite::Task::names).
    NameId;
    /// An index into [`Task::files`](crate::suite::Task::files).
    FileId;
    /// An index into [`Task::relations`](crate::suite::Task::relations).
    RelationId;
    /// An index into [`Relation::columns`](crate::suite::Relation::columns).
    ColumnId;
    /// An index into [`Plan::lakes`](crate::suite::Plan::lakes).
    LakeId;
    /// An index into [`Task::stages`](crate::suite::Task::stages).
    StageId;
    /// An index into [`Plan::domains`](crate::suite::Plan::domains).
    DomainId;
}
