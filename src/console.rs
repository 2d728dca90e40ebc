//! Where a command speaks: people read stderr, programs read stdout.

use std::io::{self, IsTerminal as _, Write as _};

use crate::exit::Exit;

/// Columns of text where there is no terminal to ask, so that output is the same everywhere.
pub const WIDTH: usize = 100;

/// The standard streams.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Whether people's output may be coloured.
    pub colour: bool,
    /// Whether people see what is written as it is written.
    pub terminal: bool,
}

impl Console {
    /// Colours only on a terminal, and never where `NO_COLOR` asks for none.
    pub fn standard() -> Console {
        let terminal = io::stderr().is_terminal();
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Console { colour: terminal && !unwanted && !dumb, terminal }
    }

    /// To people. That nobody reads it is no failure.
    pub fn say(&self, text: &str) {
        let mut err = io::stderr().lock();
        let _ = err
            .write_all(text.as_bytes())
            .and_then(|()| if text.ends_with('\n') { Ok(()) } else { err.write_all(b"\n") });
    }

    /// To people, if there is anything to say.
    pub fn say_block(&self, text: &str) {
        if !text.is_empty() {
            self.say(text);
        }
    }

    /// An error that has no place in a source: `error: …`, and advice.
    pub fn error(&self, message: &str, help: Option<&str>) {
        let (red, off) = if self.colour { ("\u{1b}[31;1m", "\u{1b}[0m") } else { ("", "") };
        let help = help.map(|help| format!("\n  help: {help}")).unwrap_or_default();
        self.say(&format!("{red}error{off}: {message}{help}"));
    }

    /// To programs. Whoever stopped reading (`| head`) has what they wanted: `exit` stays. That it cannot be written is a failure.
    pub fn data(&self, text: &str, exit: Exit) -> Exit {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => exit,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
            Err(error) => {
                self.error(&format!("cannot write to standard output: {error}"), None);
                Exit::Outside
            }
        }
    }
}
