//! The output of commands: stderr for people, stdout for programs. All text for people passes [`escape_for_terminal`], the only function that keeps foreign
//! text (sources, file names, output of agents and servers) from controlling their terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use crate::exit::Exit;

/// The width of text in columns. It does not depend on the terminal, so output is the same everywhere.
pub const WIDTH: usize = 100;

/// The style of text for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// With ANSI sequences that set colours.
    Ansi,
}

/// The standard streams.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// The style of the output for people.
    pub style: Style,
    /// Whether stderr is a terminal, where people see output at once.
    pub terminal: bool,
    /// Whether progress, results, and warnings about suites are left out (`--quiet`).
    pub quiet: bool,
}

impl Console {
    /// No terminal, and no colours.
    pub const PLAIN: Console = Console { style: Style::Plain, terminal: false, quiet: false };

    /// Detects the properties of stderr. Colours are used only on a terminal, and neither if `NO_COLOR` is set nor if `TERM` is `dumb`.
    pub fn from_environment() -> Console {
        let terminal = io::stderr().is_terminal();
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let style = if terminal && !unwanted && !dumb { Style::Ansi } else { Style::Plain };
        Console { style, terminal, ..Console::PLAIN }
    }

    /// Prints to stderr, for people. A failed write is ignored, because nobody reads the output.
    pub fn print_message(&self, text: &str) {
        let text = escape_for_terminal(text, self.style);
        let mut err = io::stderr().lock();
        let _ = err
            .write_all(text.as_bytes())
            .and_then(|()| if text.ends_with('\n') { Ok(()) } else { err.write_all(b"\n") });
    }

    /// Prints a text to stderr, for people, unless it is empty.
    pub fn print_block(&self, text: &str) {
        if !text.is_empty() {
            self.print_message(text);
        }
    }

    /// Prints an error without a place in a source, as `error: …`, with an optional help text.
    pub fn print_error(&self, message: &str, help: Option<&str>) {
        let (red, off) = if self.style == Style::Ansi { ("\u{1b}[31;1m", "\u{1b}[0m") } else { ("", "") };
        let help = help.map(|help| format!("\n  help: {help}")).unwrap_or_default();
        self.print_message(&format!("{red}error{off}: {message}{help}"));
    }

    /// Prints a text for people to stdout: a table, page, or preview.
    pub fn print_page(&self, text: &str, exit: Exit) -> Exit {
        self.print_data(&escape_for_terminal(text, self.style), exit)
    }

    /// Writes to stdout: for programs byte for byte, on a terminal escaped for people. If the reader has stopped (`| head`), the exit status does not
    /// change; any other failed write is a failure.
    pub fn print_data(&self, text: &str, exit: Exit) -> Exit {
        let mut out = io::stdout().lock();
        let text = if out.is_terminal() { escape_for_terminal(text, self.style) } else { Cow::Borrowed(text) };
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => exit,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
            Err(error) => {
                self.print_error(&format!("cannot write to standard output: {error}"), None);
                Exit::Outside
            }
        }
    }
}

/// The start of commands of GitHub Actions, which it reads from every line of a log that begins so, after optional white space.
const WORKFLOW: &str = "::";

/// Escapes every character that controls a terminal or hides text as `\u{…}`: control characters except for line feed and tab, marks of writing
/// direction, and Unicode's line separators. With [`Style::Ansi`], sequences that only set colours (`ESC [ … m`) are kept. Lines that begin
/// like a command of GitHub Actions are escaped, too.
pub fn escape_for_terminal(text: &str, style: Style) -> Cow<'_, str> {
    let text = escape_controls(text, style);
    if !text.lines().any(|line| line.trim_start().starts_with(WORKFLOW)) {
        return text;
    }
    let lines = text.split_inclusive('\n').map(|line| match line.trim_start().strip_prefix(WORKFLOW) {
        Some(rest) => {
            let blanks = line.strip_suffix(rest).and_then(|start| start.strip_suffix(WORKFLOW)).unwrap_or_default();
            format!("{blanks}\\u{{3a}}:{rest}")
        }
        None => line.to_owned(),
    });
    Cow::Owned(lines.collect())
}

fn escape_controls(text: &str, style: Style) -> Cow<'_, str> {
    if !text.chars().any(is_steering) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(is_steering) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let (Style::Ansi, Some(length)) = (style, measure_colour_sequence(rest)) {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        let mut chars = rest.chars();
        match chars.next() {
            Some('\r') if chars.as_str().starts_with('\n') => {}
            // Writing to a String cannot fail.
            Some(c) => drop(write!(out, "\\u{{{:x}}}", u32::from(c))),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn is_steering(c: char) -> bool {
    disk::is_steering(c) && !matches!(c, '\n' | '\t')
}

/// Returns the length of the sequence at the start of the text, if it only sets colours.
fn measure_colour_sequence(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then_some("\u{1b}[".len() + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        for (text, seen) in [
            ("plain\ttext é 中\n", "plain\ttext é 中\n"),
            ("a\u{1b}]0;owned\u{7}b", "a\\u{1b}]0;owned\\u{7}b"),
            ("\u{1b}[2J\u{9b}2J\u{7f}", "\\u{1b}[2J\\u{9b}2J\\u{7f}"),
            ("x\u{202e}y\u{2066}z\u{200f}", "x\\u{202e}y\\u{2066}z\\u{200f}"),
            ("one\r\ntwo\rthree", "one\ntwo\\u{d}three"),
            ("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m"),
            ("a::b\n::error::x\n  ::y", "a::b\n\\u{3a}:error::x\n  \\u{3a}:y"),
        ] {
            assert_eq!(escape_for_terminal(text, Style::Plain), seen);
        }
    }

    #[test]
    fn colours_stay_where_there_are_colours() {
        assert_eq!(
            escape_for_terminal("\u{1b}[38;5;9mred\u{1b}[0m \u{1b}[2J\u{1b}[", Style::Ansi),
            "\u{1b}[38;5;9mred\u{1b}[0m \\u{1b}[2J\\u{1b}["
        );
    }
}
