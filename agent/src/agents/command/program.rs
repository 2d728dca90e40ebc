//! The program of `cmd:`: where it is, what it may read, what it finds in its environment.

use std::env;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use records::Error;

use super::readable::{Readable, Sources};
use crate::settings::Settings;

/// A program that was found.
#[derive(Debug)]
pub struct Program {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// What follows it; words that name files here are absolute, for it runs elsewhere.
    pub words: Vec<String>,
    /// What it may read, besides its sandbox.
    pub readable: Readable,
    env: Vec<(String, String)>,
}

impl Program {
    /// Looks for it as a shell would.
    pub fn find(words: &[String], settings: &Settings) -> Result<Program, Error> {
        let (name, rest) = words.split_first().ok_or_else(|| Error::usage("`cmd:` names no program"))?;
        let found = locate(name).ok_or_else(|| {
            let help = "name a program of PATH, or write its path";
            Error::usage(format!("program `{name}` does not exist")).help(help)
        })?;
        let mut env = Vec::new();
        for variable in &settings.env {
            let value = env::var(variable).map_err(|_| {
                Error::usage(format!("--env {variable}: the variable is not set, or its value is not text"))
            })?;
            env.push((variable.clone(), value));
        }
        let mut programs = vec![found.clone()];
        programs.extend(interpreter(&found));
        let links: Vec<PathBuf> = programs.iter().filter_map(|path| path.canonicalize().ok()).collect();
        programs.extend(links);
        // A program that is not installed is a file of the user's, as are the files among its words.
        let mut named: Vec<PathBuf> = name.contains('/').then(|| found.clone()).into_iter().collect();
        let mut absolute = Vec::new();
        for word in rest {
            let path = Path::new(word);
            if path.is_file() {
                named.push(path.to_owned());
                absolute.push(std::path::absolute(path).map_or(word.clone(), |path| path.display().to_string()));
            } else {
                absolute.push(word.clone());
            }
        }
        let sources = Sources { programs: &programs, named: &named, given: &settings.read, hidden: &settings.hidden };
        let readable = Readable::find(&sources);
        Ok(Program { path: found, words: absolute, readable, env })
    }

    /// For people.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }

    /// All that it finds in its environment.
    pub fn environment(&self, sandbox: &Path, temporary: &Path) -> Vec<(String, String)> {
        let ours = |name: &str, or: &str| env::var(name).unwrap_or_else(|_| or.to_owned());
        let mut all = vec![
            ("PATH".to_owned(), ours("PATH", "/usr/local/bin:/usr/bin:/bin")),
            ("HOME".to_owned(), sandbox.display().to_string()),
            ("TMPDIR".to_owned(), temporary.display().to_string()),
            ("LANG".to_owned(), ours("LANG", "C.UTF-8")),
        ];
        all.extend(self.env.iter().cloned());
        all
    }
}

fn locate(name: &str) -> Option<PathBuf> {
    let runs = |path: &PathBuf| {
        use std::os::unix::fs::PermissionsExt as _;
        path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
    };
    if name.contains('/') {
        return std::path::absolute(name).ok().filter(runs);
    }
    let folders = env::var_os("PATH")?;
    let found = env::split_paths(&folders).map(|folder| folder.join(name)).find(runs)?;
    std::path::absolute(found).ok()
}

/// Of a script that begins with `#!`: the program that reads it, found in `PATH` where `env` looks for it.
fn interpreter(script: &Path) -> Option<PathBuf> {
    let mut first = Vec::new();
    File::open(script).and_then(|file| file.take(256).read_to_end(&mut first)).ok()?;
    let line = String::from_utf8_lossy(first.strip_prefix(b"#!")?).into_owned();
    let mut words = line.lines().next()?.split_ascii_whitespace();
    let reader = Path::new(words.next()?);
    if reader.file_name().is_some_and(|name| name == "env") {
        return locate(words.find(|word| !word.starts_with('-') && !word.contains('='))?);
    }
    Some(reader.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_as_a_shell_finds_them() {
        assert!(locate("sh").is_some_and(|path| path.is_absolute()));
        assert_eq!(locate("no-such-program-anywhere"), None);
        assert_eq!(locate("./no/such"), None);
    }

    #[test]
    fn readers_of_scripts() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("script");
        for (text, reader) in [
            ("#!/bin/sh -e\n", Some(PathBuf::from("/bin/sh"))),
            ("#!/usr/bin/env -S A=b sh -c\n", locate("sh")),
            ("print(1)\n", None),
            ("", None),
        ] {
            std::fs::write(&script, text).expect("written");
            assert_eq!(interpreter(&script), reader, "{text}");
        }
    }
}
