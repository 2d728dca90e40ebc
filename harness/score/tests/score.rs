//! What the scorer says of responses, from keys as bundles write them.

#[path = "score/bounds.rs"]
mod bounds;
#[path = "score/columns.rs"]
mod columns;
#[path = "score/common.rs"]
mod common;
#[path = "score/corpus.rs"]
mod corpus;
#[path = "score/defects.rs"]
mod defects;
#[path = "score/differential.rs"]
mod differential;
#[path = "score/frozen.rs"]
mod frozen;
#[path = "score/keys.rs"]
mod keys;
#[path = "score/matchers.rs"]
mod matchers;
#[path = "score/mentions.rs"]
mod mentions;
#[path = "score/paper.rs"]
mod paper;
#[path = "score/parts.rs"]
mod parts;
#[path = "score/places.rs"]
mod places;
#[path = "score/properties.rs"]
mod properties;
#[path = "score/sandbox.rs"]
mod sandbox;
#[path = "score/state_columns.rs"]
mod state_columns;
#[path = "score/third.rs"]
mod third;
#[path = "score/told.rs"]
mod told;
#[path = "score/traps.rs"]
mod traps;
#[path = "score/workbooks.rs"]
mod workbooks;
