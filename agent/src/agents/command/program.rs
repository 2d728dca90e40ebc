//! The program of `cmd:`: where it is, what it may read, what it finds in its environment.

use std::env;
use std::path::{Path, PathBuf};

use records::Error;

use crate::spec::Settings;

/// Folders of the system, which every program reads.
const SYSTEM: [&str; 16] = [
    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/etc", "/opt", "/nix", "/gnu", "/snap", "/proc",
    "/sys", "/dev", "/run",
];

/// A program that was found.
#[derive(Debug)]
pub struct Program {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// What follows it; words that name files here are absolute, for it runs elsewhere.
    pub words: Vec<String>,
    /// What it may read, besides its sandbox.
    pub readable: Vec<PathBuf>,
    env: Vec<(String, String)>,
}

impl Program {
    /// Looks for it as a shell would.
    pub fn find(words: &[String], settings: &Settings) -> Result<Program, Error> {
        let (name, rest) = words.split_first().ok_or_else(|| Error::usage("`cmd:` names no program"))?;
        let found = locate(name).ok_or_else(|| {
            let help = "name a program of PATH, or write its path";
            Error::usage(format!("there is no program `{name}`")).help(help)
        })?;
        let mut env = Vec::new();
        for variable in &settings.env {
            let value = env::var(variable).map_err(|_| {
                Error::usage(format!(
                    "--env {variable}: there is no such variable in the environment, or it is no text"
                ))
            })?;
            env.push((variable.clone(), value));
        }
        let mut roots: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        roots.extend(env::var_os("PATH").iter().flat_map(env::split_paths));
        roots.extend(settings.read.iter().cloned());
        for path in [Some(found.clone()), found.canonicalize().ok()].into_iter().flatten() {
            roots.extend(homes(&path));
        }
        let mut absolute = Vec::new();
        for word in rest {
            let path = Path::new(word);
            match path.canonicalize() {
                Ok(real) if real.is_file() => {
                    roots.extend(real.parent().map(Path::to_owned));
                    absolute.push(std::path::absolute(path).map_or(word.clone(), |path| path.display().to_string()));
                }
                _ => absolute.push(word.clone()),
            }
        }
        let hidden: Vec<PathBuf> = settings.hidden.iter().filter_map(|path| real(path)).collect();
        let mut readable = Vec::new();
        for root in roots.iter().filter_map(|root| root.canonicalize().ok()) {
            without(&root, &hidden, &mut readable);
        }
        readable.sort();
        readable.dedup();
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

/// The folder of a program, and of `X/bin/program` (or `X/shims/program`) the folder X with its libraries, unless that is a home or the root.
fn homes(program: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else { return Vec::new() };
    let mut homes = vec![folder.to_owned()];
    if let Some(prefix) =
        folder.parent().filter(|_| folder.file_name().is_some_and(|name| name == "bin" || name == "shims"))
    {
        let home = env::var_os("HOME").map(PathBuf::from);
        let private = home.is_some_and(|home| home.starts_with(prefix));
        if !private && prefix != Path::new("/") {
            homes.push(prefix.to_owned());
        }
    }
    homes
}

/// The path without links, also of what is not there yet.
fn real(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        Some(path.strip_prefix(above).map_or(real.clone(), |rest| real.join(rest)))
    })
}

/// `root`, but of a folder that holds something hidden only the rest.
fn without(root: &Path, hidden: &[PathBuf], into: &mut Vec<PathBuf>) {
    if hidden.iter().any(|hidden| root.starts_with(hidden)) {
        return;
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(root)) {
        into.push(root.to_owned());
        return;
    }
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        // A link is no folder of its own: what it leads to is judged where it is.
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            without(&entry.path(), hidden, into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        for path in ["lib", "out/bundle", "out/other"] {
            std::fs::create_dir_all(root.join(path)).expect("made");
        }
        std::fs::write(root.join("agent.py"), "").expect("written");
        let mut found = Vec::new();
        without(&root, &[root.join("out/bundle"), root.join("runs/not_yet")], &mut found);
        found.sort();
        let names = |paths: &[PathBuf]| -> Vec<String> {
            paths.iter().filter_map(|path| Some(path.strip_prefix(&root).ok()?.display().to_string())).collect()
        };
        assert_eq!(names(&found), ["agent.py", "lib", "out/other"]);
    }

    #[test]
    fn programs_are_found_as_a_shell_finds_them() {
        assert!(locate("sh").is_some_and(|path| path.is_absolute()));
        assert_eq!(locate("no-such-program-anywhere"), None);
        assert_eq!(locate("./no/such"), None);
    }
}
