//! The language server of `.pcd`: what editors ask, answered from the compiler.
//!
//! ```text
//! messages ─server, dispatch→ features ─workspace→ compiler (open buffers before the disk)
//! ```
//!
//! [`serve_editor`] is the loop; `worker` is the thread that compiles; [`Session`] is both on one thread. `front` says what is answered without compiling. `documents` and `workspace` hold what is open and what is compiled from it, `position` and `uri`
//! translate, `context` says where a cursor is, `reading` which table is read there, `disk` looks into files, `sample` into instances; `features` has a file for each thing that an editor asks.

mod analysis;
mod capabilities;
mod context;
mod disk;
mod dispatch;
mod documents;
mod edits;
mod features;
mod front;
mod position;
mod reading;
mod sample;
mod server;
mod session;
mod sql_words;
mod state;
mod text_diff;
mod uri;
mod watch;
mod worker;
mod workspace;

pub use server::serve_editor;
pub use session::Session;
pub use state::{Analyze, Format, ServerHooks};
pub use workspace::MakeHost;
