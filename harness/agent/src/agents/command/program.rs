//! The program of `cmd:`: its path, the files that it may read, and its environment.

use std::env;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use records::Error;

use super::kinds::is_executable;
use super::readable::{Readable, Sources};
use crate::settings::Settings;

/// An existing program.
#[derive(Debug)]
pub struct Program {
    /// Its absolute path.
    pub path: PathBuf,
    /// Its arguments; those that name files are absolute, because it runs in another folder.
    pub words: Vec<String>,
    /// The paths that it may read in addition to its sandbox.
    pub readable: Readable,
    env: Vec<(String, String)>,
}

impl Program {
    /// Finds the program as a shell would. Returns an error if it, its script, a `--read` path, or an `--env` variable does not exist.
    pub fn from_words(words: &[String], settings: &Settings) -> Result<Program, Error> {
        let (name, rest) = words.split_first().ok_or_else(|| Error::new_usage("`cmd:` names no program"))?;
        let found = find_executable(name).ok_or_else(|| build_not_found_error(name))?;
        if let Some(script) = find_missing_script(&found, rest) {
            let error = Error::new_usage(format!(
                "`{}`, which `{}` is to run, is not in the folder in which picardc was started",
                disk::show_path(script),
                disk::show_path(name)
            ));
            return Err(error.help("correct the path; for a file of the sandbox, write `cmd:sh -c 'PROGRAM FILE'`"));
        }
        if let Some(path) = settings.read.iter().find(|path| !path.exists()) {
            let error =
                Error::new_usage(format!("--read `{}`: this file or folder does not exist", disk::show_path(&path)));
            return Err(error.help("correct the path, or remove the option"));
        }
        let mut env = Vec::new();
        for variable in &settings.env {
            let value = env::var(variable).map_err(|_| {
                Error::new_usage(format!("--env {variable}: the variable is not set, or its value is not text"))
            })?;
            env.push((variable.clone(), value));
        }
        let mut programs = vec![found.clone()];
        programs.extend(find_interpreter(&found));
        let links: Vec<PathBuf> = programs.iter().filter_map(|path| path.canonicalize().ok()).collect();
        programs.extend(links);
        // A program that is given by path belongs to the user, as do the files among its arguments.
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
        let readable = Readable::find_paths(&sources);
        Ok(Program { path: found, words: absolute, readable, env })
    }

    /// Its file name, for messages.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }

    /// Returns its environment: `PATH`, `HOME`, `TMPDIR`, `LANG`, and the variables of `--env`.
    pub fn build_environment(&self, sandbox: &Path, temporary: &Path) -> Vec<(String, String)> {
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

fn find_executable(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return std::path::absolute(name).ok().filter(|path| is_executable(path));
    }
    let folders = env::var_os("PATH")?;
    let found = env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| is_executable(path))?;
    std::path::absolute(found).ok()
}

/// Explains why a name is not that of a program.
fn build_not_found_error(name: &str) -> Error {
    let path = Path::new(name);
    if !name.contains('/') || !path.exists() {
        let error = Error::new_usage(format!("program `{}` does not exist", disk::show_path(name)));
        return error.help("name a program of PATH, or write its path");
    }
    let shown = disk::show_path(name);
    let error = Error::new_usage(format!("`{shown}` cannot be started: it is not an executable file"));
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let reader = READERS.iter().find(|(_, endings)| endings.contains(&extension)).and_then(|(names, _)| names.first());
    error.help(match reader {
        Some(reader) => format!("write `cmd:{reader} {shown}`, or make it executable (chmod +x)"),
        None => "name a program, or make it executable (chmod +x)".to_owned(),
    })
}

/// Interpreters whose first argument is a file of code, and the extensions of such files.
const READERS: [(&[&str], &[&str]); 6] = [
    (&["python3", "python", "pypy3"], &["py"]),
    (&["node", "nodejs", "bun"], &["js", "mjs", "cjs", "ts"]),
    (&["sh", "bash", "dash", "zsh"], &["sh", "bash"]),
    (&["ruby"], &["rb"]),
    (&["perl"], &["pl"]),
    (&["Rscript"], &["R", "r"]),
];

/// Returns the file of code that an interpreter is to run if it does not exist.
fn find_missing_script<'w>(program: &Path, words: &'w [String]) -> Option<&'w str> {
    let name = program.file_name()?.to_str()?;
    let word = words.first()?;
    let extension = Path::new(word).extension()?.to_str()?;
    // `python3.12`
    let plain = name.split('.').next().unwrap_or(name);
    let reads = READERS.iter().any(|(names, endings)| names.contains(&plain) && endings.contains(&extension));
    (reads && !word.starts_with('-') && !Path::new(word).exists()).then_some(word)
}

/// Returns the interpreter of a script that begins with `#!`, looked up in `PATH` if the line uses `env`.
fn find_interpreter(script: &Path) -> Option<PathBuf> {
    let mut first = Vec::new();
    File::open(script).and_then(|file| file.take(256).read_to_end(&mut first)).ok()?;
    let line = String::from_utf8_lossy(first.strip_prefix(b"#!")?).into_owned();
    let mut words = line.lines().next()?.split_ascii_whitespace();
    let reader = Path::new(words.next()?);
    if reader.file_name().is_some_and(|name| name == "env") {
        return find_executable(words.find(|word| !word.starts_with('-') && !word.contains('='))?);
    }
    Some(reader.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_as_a_shell_finds_them() {
        assert!(find_executable("sh").is_some_and(|path| path.is_absolute()));
        assert_eq!(find_executable("no-such-program-anywhere"), None);
        assert_eq!(find_executable("./no/such"), None);
    }

    #[test]
    fn scripts_that_are_not_there() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let missing =
            |program: &str, given: &[&str]| find_missing_script(Path::new(program), &words(given)).map(str::to_owned);
        assert_eq!(missing("/usr/bin/python3", &["no/file.py", "x"]), Some("no/file.py".to_owned()));
        assert_eq!(missing("/usr/bin/python3.12", &["file.py"]), Some("file.py".to_owned()));
        for (program, given) in [
            ("/bin/sh", &["-c", "x.sh"][..]),
            ("/bin/cat", &["x.py"]),
            ("/bin/python3", &["-m", "x.py"]),
            ("/bin/sh", &[]),
        ] {
            assert_eq!(missing(program, given), None, "{program}");
        }
    }

    #[test]
    fn readers_of_scripts() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("script");
        for (text, reader) in [
            ("#!/bin/sh -e\n", Some(PathBuf::from("/bin/sh"))),
            ("#!/usr/bin/env -S A=b sh -c\n", find_executable("sh")),
            ("print(1)\n", None),
            ("", None),
        ] {
            std::fs::write(&script, text).expect("written");
            assert_eq!(find_interpreter(&script), reader, "{text}");
        }
    }
}
