//! The language server of `.pcd`: it answers the requests of editors with the compiler.
//!
//! ```text
//! messages ─server, dispatch→ features ─workspace→ compiler (open buffers before the disk)
//! ```
//!
//! [`serve_editor`] is the loop; `worker` is the thread that compiles, and `observing` the one that draws samples; [`Session`] runs both on one thread. `front` decides which requests are answered without
//! compiling. `client` holds the editor's capabilities, `documents` and `workspace` the open buffers and the suites compiled from them, `position` and `uri`
//! convert positions and paths, `context` determines the syntactic context of a cursor, `reading` the table that is read there, `disk` caches files, `sample`
//! generates instances, and `render` shows values as Markdown; `features` has one file per request of the protocol.

mod analysis;
mod capabilities;
mod client;
mod context;
mod disk;
mod dispatch;
mod documents;
mod edits;
mod error;
mod features;
mod front;
mod observing;
mod position;
mod reading;
mod render;
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

pub use disk::MakeHost;
pub use error::{NotificationError, ServerError};
pub use server::serve_editor;
pub use session::Session;
pub use state::{Analyze, Format, MakeObserver, ServerHooks};
