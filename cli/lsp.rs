//! `picardc lsp`: the language server, on standard input and output.

use std::sync::Arc;

use ::lsp::ServerHooks;
use analysis::RunOptions;
use api::Net;
use lsp_server::Connection;
use model::Plan;
use runtime::Failure;

use crate::command_error::CommandError;
use crate::exit::Exit;
use crate::progress::read_nanos;
use host::Disk;

/// The number of samples for the analysis of a task in the editor.
const SAMPLES: u32 = 200;

/// Run the language server on standard input and output
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Run the language server of .pcd on standard input and output (Language Server Protocol 3.18): diagnostics with fixes, \
                  hover with sample values, completion (also in SQL and JSONPath), go to definition, references, rename, outline, hints, \
                  and previews of instances. Editors start this command; you rarely need to.",
    after_help = "Exit status: 0 the editor ended the session; 3 the connection was lost.\n\nExample \
                  (Neovim):\n  vim.lsp.config('picardc', { cmd = { 'picardc', 'lsp' }, filetypes = { 'pcd' } \
                  })\n  vim.lsp.enable('picardc')"
)]
pub struct Args {
    /// Accepted because many editors pass it; standard input and output are always used
    #[arg(long)]
    stdio: bool,
}

/// Runs the command and returns its exit status.
pub fn run_command(_args: &Args) -> Result<Exit, CommandError> {
    let (connection, threads) = Connection::stdio();
    let served = ::lsp::serve_editor(&connection, build_outside());
    // The threads end when the connection is closed.
    drop(connection);
    // After a failure, the reading thread may wait forever, so it is not joined.
    served.map_err(|why| CommandError::new(Exit::Outside, why.to_string()))?;
    threads.join().map_err(|error| {
        CommandError::new(Exit::Outside, format!("the connection to the editor broke off: {error}"))
    })?;
    Ok(Exit::Done)
}

/// The functions of this crate that the server uses.
pub fn build_outside() -> ServerHooks {
    ServerHooks {
        host: Arc::new(|root| Box::new(Disk::new(root))),
        analyze: Arc::new(|plan, task| {
            render_analysis(plan, task).map_err(|failure| match failure.help {
                Some(help) => format!("{}\n{help}", failure.message),
                None => failure.message,
            })
        }),
        format: Some(Arc::new(|text| compiler::fmt::format_source(text).map_err(|refusal| refusal.to_string()))),
        observe: Some(Arc::new(|root| Box::new(host::build_net(root, Net::SAMPLES)))),
    }
}

/// Returns the report of `analyze` on a task, as Markdown.
fn render_analysis(plan: &Plan, task: &str) -> Result<String, Failure> {
    let effort = RunOptions { threads: 0, clock: Some(&read_nanos), progress: &(), stop: None };
    let report = analysis::analyze_task(plan, task, SAMPLES, effort)?;
    Ok(format!("# {task}\n\n```text\n{}\n```\n\n{SAMPLES} samples, seed 1.\n", report.trim_end()))
}
