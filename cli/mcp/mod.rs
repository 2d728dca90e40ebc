//! `picardc mcp`: tools for assistants that write and repair suites, over the Model Context Protocol.
//!
//! `catalog` describes the tools, `source` resolves the source of a `call`, and `tool_calls` runs it. The protocol is in `agent::tools::mcp`. Nothing is
//! written to disk.

mod call;
mod catalog;
mod source;
mod tool_calls;

use std::path::{Path, PathBuf};

use ::agent::tools::mcp::{Answer, Cancelled, Offer};
use ::agent::tools::shorten_output;
use serde_json::Value as Json;

use crate::command_error::CommandError;
use crate::console::{Style, escape_for_terminal};
use crate::exit::Exit;
use crate::source_files::catch_panic;
use crate::tools::serve_tools;
use call::ToolResult;
use catalog::Tool;
use source::Folder;

/// Serve check, explain, preview, and more to AI assistants over MCP
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Serve tools to AI assistants that write and repair suites, over the Model Context Protocol, on standard input and standard \
                  output: `check`, `explain`, `preview`, `analyze`, `selftest`, and `fmt`. A call names a file below the folder, or has the source \
                  itself. Nothing is written: assistants edit files with their own tools. Editors start this command; you rarely need to.",
    after_help = "Exit status: 0 the client closed the input; 3 I/O error.\n\nExample (Claude Code):\n  claude mcp add picardc -- picardc mcp"
)]
pub struct Args {
    /// The folder whose files can be read [default: the current folder]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args) -> Result<Exit, CommandError> {
    let folder = args.folder.as_deref().unwrap_or(Path::new("."));
    let folder = Folder::enter_folder(folder).map_err(|error| {
        CommandError::new_io("open the folder", folder, error).help("give --folder a folder that exists")
    })?;
    serve_tools(&mut Assistant { folder })
}

/// The running tools.
struct Assistant {
    folder: Folder,
}

impl Offer for Assistant {
    fn instructions(&self) -> Option<String> {
        Some(catalog::INSTRUCTIONS.to_owned())
    }

    fn list_tools(&self) -> Vec<Json> {
        Tool::ALL.iter().map(|tool| tool.describe_tool()).collect()
    }

    fn call_tool(&mut self, name: &str, arguments: &str, cancelled: &Cancelled) -> std::io::Result<Answer> {
        let Some(tool) = Tool::from_word(name) else {
            let known: Vec<String> = Tool::ALL.iter().map(|tool| format!("`{}`", tool.word())).collect();
            return Ok(Answer::Unknown(format!("unknown tool `{name}`; the tools are {}", known.join(", "))));
        };
        let done = catch_panic(|| {
            let arguments = tool.parse_arguments(arguments)?;
            tool_calls::run_tool(tool, &self.folder, &arguments, cancelled)
        });
        let report = "this is a defect of picardc, please report it with the source";
        let ToolResult { text, data, is_error } = done
            .unwrap_or_else(|panicked| Err(ToolResult::new_error(format!("{panicked}; {report}"))))
            .unwrap_or_else(|failure| failure);
        Ok(Answer::Made { text: shorten_output(&escape_for_terminal(&text, Style::Plain)), data, is_error })
    }
}
