//! The command line of picardc: the only crate that reads flags, renders for a terminal, and accesses the outside.
//!
//! Each command has one file. Output for people goes to stderr, data to stdout; see [`exit::Exit`] for the exit status.

pub mod analyze;
pub mod build;
pub mod check;
pub mod command_error;
pub mod compare;
pub mod console;
pub mod exit;
pub mod explain;
pub mod export;
pub mod fix;
pub mod fmt;
pub mod grade;
pub mod import;
pub mod infer;
pub mod init;
pub mod load;
pub mod lsp;
mod mcp;
pub mod merge;
mod option_values;
mod overlay;
pub mod preview;
mod preview_file;
mod progress;
mod refused;
pub mod render;
pub mod report;
mod request;
pub mod run;
mod sampling_args;
pub mod score;
pub mod selftest;
pub mod source_files;
pub mod stages;
pub use ::{host, sqlite};
pub mod tools;
pub mod whole_file;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use console::Console;

/// Compiler for .pcd, a language for evaluation suites of AI agents.
#[derive(Debug, Parser)]
#[command(
    name = "picardc",
    version,
    about,
    long_about = "Compiler for .pcd, a language for evaluation suites of AI agents.\n\nA suite describes question templates, the files \
                  they are about, and how answers are scored. picardc checks the suite before anything runs. From the suite and a seed, \
                  it builds any number of instances (prompts, files, and answer keys) with identical bytes on every machine.",
    after_help = "Exit status: 0 success; 1 errors, denied warnings, or a failed check; 2 usage error; 3 I/O, network, or agent \
                  error.\n\nExample:\n  picardc check suites/past.pcd\n  picardc build suites/past.pcd -o out/past --seed 7",
    arg_required_else_help = true,
    subcommand_required = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Args),
    Check(check::Args),
    Build(build::Args),
    Preview(preview::Args),
    Analyze(analyze::Args),
    Selftest(selftest::Args),
    Fmt(fmt::Args),
    Infer(infer::Args),
    Explain(explain::Args),
    Merge(merge::Args),
    Import(import::Args),
    Export(Box<export::Args>),
    Run(Box<run::Args>),
    Score(score::Args),
    Grade(grade::Args),
    Report(report::Args),
    Compare(compare::Args),
    Tools(tools::Args),
    Lsp(lsp::Args),
    Mcp(mcp::Args),
}

/// Parses the flags, runs the command, and returns its exit status.
pub fn main() -> ExitCode {
    #[cfg(unix)]
    if let Some(exit) = run_confined() {
        return exit;
    }
    let cli = Cli::try_parse().unwrap_or_else(|error| refused::without_secrets(error).exit());
    let console = Console::from_environment();
    let done = match cli.command {
        Command::Init(args) => init::run_command(&args, &console),
        Command::Check(args) => check::run_command(&args, &console),
        Command::Build(args) => build::run_command(&args, &console),
        Command::Preview(args) => preview::run_command(&args, &console),
        Command::Analyze(args) => analyze::run_command(&args, &console),
        Command::Selftest(args) => selftest::run_command(&args, &console),
        Command::Fmt(args) => fmt::run_command(&args, &console),
        Command::Infer(args) => infer::run_command(&args, &console),
        Command::Explain(args) => explain::run_command(&args, &console),
        Command::Merge(args) => merge::run_command(&args, &console),
        Command::Import(args) => import::run_command(&args, &console),
        Command::Export(args) => export::run_command(&args, &console),
        Command::Run(args) => run::run_command(&args, &console),
        Command::Score(args) => score::run_command(&args, &console),
        Command::Grade(args) => grade::run_command(&args, &console),
        Command::Report(args) => report::run_command(&args, &console),
        Command::Compare(args) => compare::run_command(&args, &console),
        Command::Tools(args) => tools::run_command(&args),
        Command::Lsp(args) => lsp::run_command(&args),
        Command::Mcp(args) => mcp::run_command(&args),
    };
    done.unwrap_or_else(|error| error.report_to(&console)).into()
}

/// Runs as the process that confines an agent's program (`run --agent cmd:…`), if the command line requests it; people never call this command.
#[cfg(unix)]
fn run_confined() -> Option<ExitCode> {
    use ::agent::agents::command::{HIDDEN_COMMAND, confined_main};
    let mut words = std::env::args_os().skip(1);
    if words.next()? != HIDDEN_COMMAND {
        return None;
    }
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    Some(confined_main(&words))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{}", command.get_name());
        }
    }
}
