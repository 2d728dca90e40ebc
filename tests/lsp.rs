//! The language server, spoken to as an editor does: in process, over a connection in memory.
//!
//! Fixtures are found by folder, `tests/lsp/fixtures/<feature>/*.pcd`, with `‸` where a cursor stands, each asked for on its own; what the server
//! says stands beside them as a snapshot.

#[path = "lsp/data_sets.rs"]
mod data_sets;
#[path = "lsp/editor.rs"]
mod editor;
#[path = "lsp/features.rs"]
mod features;
#[path = "lsp/lakes.rs"]
mod lakes;
#[path = "lsp/projects.rs"]
mod projects;
#[path = "lsp/protocol.rs"]
mod protocol;
#[path = "lsp/robust.rs"]
mod robust;
#[path = "lsp/speed.rs"]
mod speed;
#[path = "lsp/threads.rs"]
mod threads;
