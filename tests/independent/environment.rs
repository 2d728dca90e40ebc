//! Interpreters that have what a checker imports. Where Python's own has not, an environment is made below `target/`.

use std::path::PathBuf;
use std::process::{Command, Output};

use super::root;

/// What both streams say.
pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Whether there is a Python to ask; says so if not.
pub fn python() -> bool {
    let there = runs("python3".as_ref(), "pass");
    if !there {
        eprintln!("skipped: there is no python3 here");
    }
    there
}

/// Packages of one purpose, pinned.
pub struct Environment {
    /// The folder below `target/`.
    pub folder: &'static str,
    /// What pip is told.
    pub packages: &'static [&'static str],
    /// Python that runs where they are there.
    pub probe: &'static str,
}

impl Environment {
    /// An interpreter with the packages: Python's own if it has them, else one made for them; or why there is none.
    pub fn interpreter(&self) -> Result<PathBuf, String> {
        let own = PathBuf::from("python3");
        if runs(&own, self.probe) {
            return Ok(own);
        }
        let folder = root().join("target").join(self.folder);
        let interpreter = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        if runs(&interpreter, self.probe) {
            return Ok(interpreter);
        }
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&interpreter)
            .args(["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20"])
            .args(self.packages))?;
        if runs(&interpreter, self.probe) {
            Ok(interpreter)
        } else {
            Err("installed, and yet it cannot be imported".to_owned())
        }
    }
}

fn runs(interpreter: &std::path::Path, program: &str) -> bool {
    Command::new(interpreter).args(["-c", program]).output().is_ok_and(|output| output.status.success())
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = said(&output);
    Err(text.trim().lines().last().unwrap_or("no reason given").to_owned())
}
