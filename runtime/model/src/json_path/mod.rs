//! JSONPath (RFC 9535): its words, and the parser that the compiler, which follows paths through declared shapes, and the runtime, which counts their work,
//! share. What is valid is decided elsewhere: by `serde_json_path`, and by [`crate::singular`] for paths to one place.
//!
//! | file | concept |
//! | --- | --- |
//! | `tokens` | names, quoted texts, and indexes |
//! | `segments` | text → segments and selectors |

mod segments;
mod tokens;

pub use segments::{Compared, Filter, Segment, Selector, parse_segments};
pub use tokens::{Reader, Unreadable};
