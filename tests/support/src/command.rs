//! `picardc` as a program. Only tests and benchmarks of the package `picardc` can run it, because cargo builds it for them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};

/// The output and the exit status of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    /// The exit status.
    pub status: ExitStatus,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl CommandOutput {
    /// Both streams, joined.
    pub fn join_output(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> CommandOutput {
        CommandOutput {
            status: output.status,
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// Finds the program that cargo built for the running tests.
pub fn find_program() -> PathBuf {
    std::env::var_os("CARGO_BIN_EXE_picardc").expect("cargo runs the tests of `picardc`").into()
}

/// Runs `picardc` with these arguments in a folder.
#[track_caller]
pub fn run_picardc(folder: impl AsRef<Path>, arguments: &[&str]) -> CommandOutput {
    run_picardc_with_input(folder, arguments, "")
}

/// Runs `picardc` with this text as its standard input.
#[track_caller]
pub fn run_picardc_with_input(folder: impl AsRef<Path>, arguments: &[&str], input: &str) -> CommandOutput {
    let mut command = Command::new(find_program());
    command.args(arguments).current_dir(folder).env_remove("NO_COLOR");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("picardc starts");
    let mut stdin = child.stdin.take().expect("piped");
    let text = input.to_owned();
    // The program may end before it has read all of it.
    let writer = std::thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("no panic");
    output.into()
}

/// Runs `picardc` and checks that it ends with this exit status and without a panic.
#[track_caller]
pub fn expect_status(status: i32, folder: impl AsRef<Path>, arguments: &[&str]) -> CommandOutput {
    let ran = run_picardc(folder, arguments);
    assert_eq!(ran.status.code(), Some(status), "{arguments:?}\n--- stdout\n{}\n--- stderr\n{}", ran.out, ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    ran
}

/// Runs `picardc`, checks that it succeeds, and returns its standard output.
#[track_caller]
pub fn expect_success(folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    expect_status(0, folder, arguments).out
}

/// A running `picardc` that answers each line with a line.
#[derive(Debug)]
pub struct InteractiveProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl InteractiveProcess {
    /// Starts it with these arguments in a folder.
    #[track_caller]
    pub fn new(folder: impl AsRef<Path>, arguments: &[&str]) -> InteractiveProcess {
        let mut command = Command::new(find_program());
        command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("picardc starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        InteractiveProcess { child, input, output }
    }

    /// Sends a line and returns the answer.
    #[track_caller]
    pub fn ask_line(&mut self, line: &str) -> String {
        self.send_line(line);
        self.read_line()
    }

    /// Sends a line.
    #[track_caller]
    pub fn send_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("written");
    }

    /// Reads the next line of its output; empty at the end.
    #[track_caller]
    pub fn read_line(&mut self) -> String {
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("a line");
        answer
    }

    /// Ends its input, waits for its end, and returns its exit code.
    pub fn wait_for_end(mut self) -> Option<i32> {
        drop(self.input);
        self.child.wait().expect("ended").code()
    }
}
