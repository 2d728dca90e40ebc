//! Files as picardc reads them: regular files alone, so that nothing waits for a pipe or reads a device without end; up to a size; and of
//! folders that come from elsewhere (bundles, runs, sandboxes) nothing that lies outside of them, whatever their links say. And the digests by which
//! files and bundles are known.

pub mod digest;
#[cfg_attr(target_family = "wasm", path = "no_folder.rs")]
mod folder;
#[cfg(not(target_family = "wasm"))]
pub mod leftover;
mod list;
#[cfg(unix)]
mod open;
mod regular;
#[cfg(not(target_family = "wasm"))]
mod remove;
mod shown;
#[cfg(not(target_family = "wasm"))]
mod walk;

#[cfg(not(target_family = "wasm"))]
pub use folder::open_in;
pub use folder::{Folder, open_within, read_within};
pub use list::list;
pub use regular::{open, read};
#[cfg(not(target_family = "wasm"))]
pub use remove::{empty, remove, remove_in};
pub use shown::{Shown, shown, steers};
#[cfg(not(target_family = "wasm"))]
pub use walk::{Kind, Most, Unfinished, walk};
