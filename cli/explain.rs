//! `picardc explain`: shows the page of an error or lint.

use std::fmt::Write as _;

use compiler::diagnostics::{CODES, Code, Severity, find_code_by_id, find_code_by_name};
use names as suggest;

use crate::command_error::CommandError;
use crate::console::Console;
use crate::exit::Exit;

/// Explain an error or lint warning, or list all codes
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show the page of an error or lint warning: what it means, why it matters, and an incorrect and a correct example. \
                  Without an argument, list all codes.",
    after_help = "Example:\n  picardc explain E0203\n  picardc explain unknown_column"
)]
pub struct Args {
    /// A code (`E0203`) or its name (`unknown_column`)
    #[arg(value_name = "CODE|NAME")]
    code: Option<String>,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    let Some(wanted) = &args.code else { return Ok(console.print_data(&list_codes(), Exit::Done)) };
    let page = find_page(wanted).map_err(|near| {
        let help = near.unwrap_or_else(|| "`picardc explain` lists all codes".to_owned());
        CommandError::new_usage(format!("unknown code `{wanted}`"), help)
    })?;
    Ok(console.print_data(&format!("{page}\n"), Exit::Done))
}

/// Returns the page of a code, given as the code or its name. An error contains a suggestion, if there is a similar one.
pub(crate) fn find_page(wanted: &str) -> Result<&'static str, Option<String>> {
    find_code(wanted).map(|code| code.page.trim_end()).ok_or_else(|| {
        let near = suggest_codes(wanted);
        (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
    })
}

fn find_code(wanted: &str) -> Option<&'static Code> {
    find_code_by_id(wanted).or_else(|| find_code_by_name(&wanted.to_ascii_lowercase().replace('-', "_")))
}

/// Lists all codes, one per line.
pub(crate) fn list_codes() -> String {
    let mut out = String::new();
    for code in CODES {
        let severity = if code.severity == Severity::Error { "error" } else { "warning" };
        let _ = writeln!(out, "{}  {severity:<7}  {}", code.id, code.name);
    }
    out
}

/// Suggests the most similar name and the most similar code.
fn suggest_codes(wanted: &str) -> Vec<String> {
    let name = suggest::find_closest(wanted, CODES.iter().map(|code| code.name));
    let id = suggest::find_closest(wanted, CODES.iter().map(|code| code.id))
        .filter(|_| wanted.chars().any(|c| c.is_ascii_digit()));
    name.into_iter().chain(id).map(|near| format!("`{near}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_in_any_case() {
        for wanted in ["E0203", "e0203", "unknown_column", "Unknown-Column"] {
            assert_eq!(find_code(wanted).map(|code| code.id), Some("E0203"), "{wanted}");
        }
        assert_eq!(suggest_codes("unknown_colum"), ["`unknown_column`"]);
        assert!(suggest_codes("zzz").is_empty());
    }

    #[test]
    fn the_list_has_every_code_once() {
        assert_eq!(list_codes().lines().count(), CODES.len());
    }
}
