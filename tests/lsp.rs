//! The language server, spoken to as an editor does: in process, over a connection in memory.
//!
//! Fixtures are found by folder, `tests/lsp/fixtures/<feature>/*.pcd`, with `‸` where a cursor stands, each asked for on its own; what the server
//! says stands beside them as a snapshot.

mod data_sets;
mod editor;
mod features;
mod lakes;
mod observed;
mod projects;
mod protocol;
mod robust;
mod speed;
mod threads;
