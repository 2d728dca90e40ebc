//! Files as picardc reads them: regular files alone, so that nothing waits for a pipe or reads a device without end; up to a size; and of
//! folders that come from elsewhere (bundles, runs, sandboxes) nothing that lies outside of them, whatever their links say. And the digests by which
//! files and bundles are known.

pub mod digest;
#[cfg_attr(target_family = "wasm", path = "no_folder.rs")]
mod folder;
mod list;
#[cfg(unix)]
mod open;
mod regular;
#[cfg(not(target_family = "wasm"))]
mod remove;
mod shown;
#[cfg(not(target_family = "wasm"))]
pub mod temporary_files;
#[cfg(not(target_family = "wasm"))]
mod walk;

#[cfg(not(target_family = "wasm"))]
pub use folder::open_in;
pub use folder::{Folder, open_within, read_within};
pub use list::list_entries;
pub use regular::{open_regular, read_regular};
#[cfg(not(target_family = "wasm"))]
pub use remove::{clear_folder, remove_folder, remove_in};
pub use shown::{Shown, is_steering, show_path};
#[cfg(not(target_family = "wasm"))]
pub use walk::{Kind, Unfinished, WalkLimits, walk_folder};
