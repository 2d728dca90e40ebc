//! `picardc tools`: the tools of chat agents, for any agent that supports MCP.

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ::agent::sandbox::Sandbox;
use ::agent::tools::Tools;
use ::agent::tools::call_log::{CALLS, Log, RECORD, TOOLS};
use ::agent::tools::mcp::{self, Offer};
use ::agent::tools::served::ToolServer;
use model::tools::Tool;

use crate::command_error::CommandError;
use crate::exit::Exit;

/// Serve the built-in tools over MCP on stdin and stdout
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Serve the tools that chat endpoints get (`list_files`, `read_file`, `write_file`, `make_folder`, and `run_sql`; by name also \
                  `resolve_column` and `remove_file`) over the Model Context Protocol, on standard input and standard output. Any agent that speaks MCP \
                  can then be measured with the same tools. No path can leave the folder.\n\nIn a program that `picardc run --agent cmd:…` starts, the folder is the sandbox, the tools and the \
                  number of calls are those that the task states, and calls are recorded in the transcript of the run and scored with it.",
    after_help = "Exit status: 0 the client closed the input; 2 usage error; 3 I/O error.\n\nExample:\n  picardc tools --sandbox work --tools run_sql \
                  --calls 8 --record calls.jsonl"
)]
pub struct Args {
    /// The folder that the tools work in [default: the current folder]
    #[arg(long, value_name = "DIR")]
    sandbox: Option<PathBuf>,
    /// The tools to offer, separated by commas [default: those that the task states, or those that chat endpoints get]
    #[arg(long, value_name = "NAMES")]
    tools: Option<String>,
    /// Maximum number of calls; each further call is answered `no calls left` [default: as the task states, or no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    calls: Option<u32>,
    /// Append each call and its result to this file, as messages of a transcript
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args) -> Result<Exit, CommandError> {
    let told = |name: &str| std::env::var(name).ok();
    let named = args.tools.clone().or_else(|| told(TOOLS));
    let offered = named.map_or_else(|| Ok(Tool::list_defaults()), |names| parse_tools(&names))?;
    let calls = args.calls.or_else(|| told(CALLS)?.parse().ok());
    let folder = args.sandbox.clone().unwrap_or_else(|| PathBuf::from("."));
    let sandbox = Sandbox::open_existing(&folder)
        .map_err(|error| CommandError::new(Exit::Outside, error.message).help("give --sandbox a folder that exists"))?;
    let record = args.record.clone().or_else(|| told(RECORD).map(PathBuf::from));
    let open = |path: &PathBuf| {
        Log::open_or_create(path)
            .map_err(|error| CommandError::new_io("write", path, error).help("give --record another file"))
    };
    let log = record.as_ref().map(open).transpose()?;
    let mut tools = Tools::new(&sandbox, Instant::now(), Duration::MAX, offered, calls);
    serve_tools(&mut ToolServer::new(&mut tools, log))
}

/// Serves tools on standard input and output until the client closes the input.
pub(crate) fn serve_tools(offer: &mut impl Offer) -> Result<Exit, CommandError> {
    match mcp::serve_requests(BufReader::new(io::stdin()), io::stdout(), offer, env!("CARGO_PKG_VERSION")) {
        // The client closed the connection.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CommandError::new(Exit::Outside, format!("cannot go on: {error}")))
        }
        _ => Ok(Exit::Done),
    }
}

/// Parses a list of tools, up to the first unknown one.
fn parse_tools(names: &str) -> Result<Vec<Tool>, CommandError> {
    let unknown = |name: &str| {
        let known: Vec<String> = Tool::ALL.iter().map(|tool| format!("`{}`", tool.word())).collect();
        CommandError::new_usage(format!("`{name}` is not a tool"), format!("the tools are {}", known.join(", ")))
    };
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| Tool::from_word(name).ok_or_else(|| unknown(name))).collect()
}
