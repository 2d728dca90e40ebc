//! What the scorer says of responses, from keys as bundles write them.

#[path = "score/common.rs"]
mod common;
#[path = "score/defects.rs"]
mod defects;
#[path = "score/differential.rs"]
mod differential;
#[path = "score/keys.rs"]
mod keys;
#[path = "score/matchers.rs"]
mod matchers;
#[path = "score/paper.rs"]
mod paper;
#[path = "score/places.rs"]
mod places;
#[path = "score/properties.rs"]
mod properties;
#[path = "score/sandbox.rs"]
mod sandbox;
#[path = "score/traps.rs"]
mod traps;
