//! Reads files for picardc: only regular files, so it never waits for a pipe or reads a device endlessly; only up to a maximum size; and nothing
//! outside of a folder from elsewhere (bundle, run, sandbox), regardless of its links. Also computes the digests that identify files and bundles.

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
