//! What an agent's program may read: a list that is made once for a run. Landlock only allows, so what is next to the program is found by looking.
//!
//! | of | readable is |
//! | --- | --- |
//! | the system, folders of `PATH`, installed interpreters | everything but what is hidden |
//! | a file that `--agent` names | the file, and the code next to it |
//! | `--read` | everything but what is picardc's: bundles, runs, sandboxes, `.pcd` files |

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use super::kinds::{CODE_FOLDERS, SYSTEM, holds_tools, is_code, is_ours, is_secret, is_shared, is_system};
use crate::sandbox::PREFIX;

/// Other places of the system that hold nothing of the user's.
const ALSO: [&str; 5] =
    ["/snap", "/run/current-system", "/run/opengl-driver", "/run/systemd/resolve", "/run/resolvconf"];

/// Links of `/etc` that lead out of it on many systems; what they lead to is readable.
const LINKS: [&str; 3] = ["/etc/resolv.conf", "/etc/localtime", "/etc/hosts"];

/// Of these, root sees more than users do.
const ROOTS_OWN: [&str; 3] = ["/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/bpf"];

/// What an installed program has next to its `bin`.
const INSTALLED: [&str; 10] =
    ["bin", "lib", "lib64", "libexec", "include", "share", "ssl", "etc", "pyvenv.cfg", "conda-meta"];

/// The most entries of a folder, and all below it, that are looked at.
const MOST: usize = 100_000;

/// The deepest folder below a named one that is looked at.
const DEEPEST: usize = 32;

/// What may be read, as absolute paths without links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readable {
    /// Files, and folders with all in them.
    pub paths: Vec<PathBuf>,
    /// Folders of which only the names in them are readable: where some of the files next to each other are, and others are not.
    pub listed: Vec<PathBuf>,
    /// Folders of picardc's that were found there: bundles, runs, sandboxes.
    pub ours: Vec<PathBuf>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// From what the list is made.
#[derive(Debug, Default)]
pub struct Sources<'a> {
    /// Programs and interpreters that were found.
    pub programs: &'a [PathBuf],
    /// Files that the user named.
    pub named: &'a [PathBuf],
    /// `--read`.
    pub given: &'a [PathBuf],
    /// The bundle and the run.
    pub hidden: &'a [PathBuf],
}

impl Readable {
    /// Looks for everything.
    pub fn find(sources: &Sources) -> Readable {
        let mut hidden: Vec<PathBuf> = sources.hidden.iter().filter_map(|path| real(path)).collect();
        // No file has this name; a folder that holds sandboxes is never readable as one, but only what it holds by now and is not ours.
        hidden.extend(real(&env::temp_dir().join(format!("{PREFIX}none"))));
        let mut looked = Look { hidden: &hidden, left: MOST, deep: false, found: Readable::default() };
        for file in sources.named.iter().filter_map(|path| path.canonicalize().ok()) {
            looked.named(&file);
        }
        for root in sources.given.iter().filter_map(|path| path.canonicalize().ok()) {
            looked.left = MOST;
            looked.given(&root);
        }
        // Earlier runs and bundles lie where these do, whatever else is readable there.
        for folder in hidden.iter().filter_map(|path| path.parent()) {
            looked.neighbours(folder);
        }
        let mut found = looked.found;
        hidden.extend(found.ours.iter().cloned());
        if rustix::process::geteuid().is_root() {
            hidden.extend(ROOTS_OWN.map(PathBuf::from));
            roots_own(Path::new("/etc"), 3, &mut hidden);
        }
        let mut roots: Vec<PathBuf> = SYSTEM.iter().chain(&ALSO).chain(&LINKS).map(PathBuf::from).collect();
        for folder in env::var_os("PATH").iter().flat_map(env::split_paths).filter(|folder| folder.is_absolute()) {
            tools(&folder, &mut roots);
        }
        for program in sources.programs {
            let folder = program.parent().filter(|folder| holds_tools(folder));
            folder.into_iter().for_each(|folder| tools(folder, &mut roots));
            roots.push(program.clone());
        }
        let roots: BTreeSet<PathBuf> = roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
        for root in roots {
            without(&root, &hidden, &mut found);
        }
        found.tidy();
        found
    }

    /// Sorted, and nothing twice or below another.
    fn tidy(&mut self) {
        let all: BTreeSet<PathBuf> = std::mem::take(&mut self.paths).into_iter().collect();
        for path in all {
            // Sorted by component: what is below a folder follows it.
            if !self.paths.last().is_some_and(|last| path.starts_with(last)) {
                self.paths.push(path);
            }
        }
        for list in [&mut self.listed, &mut self.ours] {
            list.sort();
            list.dedup();
        }
    }
}

/// A look at folders that may hold what is picardc's.
struct Look<'a> {
    hidden: &'a [PathBuf],
    /// How many entries more are looked at.
    left: usize,
    /// Whether a folder was too deep to be looked at.
    deep: bool,
    found: Readable,
}

/// How much of a folder is readable.
enum Part {
    All,
    Some(Vec<PathBuf>),
}

impl Look<'_> {
    /// A file that the user named, and the code next to it.
    fn named(&mut self, file: &Path) {
        let Some(folder) = file.parent() else { return };
        if self.is_hidden(file) || is_secret(file) || folder.ancestors().any(is_ours) {
            self.found.notes.push(not_readable(file));
            return;
        }
        self.found.paths.push(file.to_owned());
        if is_shared(folder) || is_system(folder) {
            return;
        }
        (self.left, self.deep) = (MOST, false);
        let code = self.code(folder, DEEPEST);
        if self.left == 0 {
            self.found.notes.push(format!(
                "`{}` holds too many files: only those that --agent names are readable; give --read for more",
                folder.display()
            ));
            return;
        }
        self.found.listed.push(folder.to_owned());
        match code {
            Part::All => self.found.paths.push(folder.to_owned()),
            Part::Some(parts) => self.found.paths.extend(parts),
        }
    }

    /// The code in a folder; all of it if there is nothing else.
    fn code(&mut self, folder: &Path, levels: usize) -> Part {
        let mut parts = Vec::new();
        // An empty folder may hold anything later.
        let mut all = false;
        let mut other = false;
        for (path, kind) in self.entries(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if kind.is_dir() {
                let tools = path.join("pyvenv.cfg").is_file() || CODE_FOLDERS.iter().any(|known| name == *known);
                if self.is_hidden(&path) || self.note_ours(&path) || (name.starts_with('.') && !tools) || levels == 0 {
                    other = true;
                } else if tools {
                    parts.push(path);
                } else {
                    match self.code(&path, levels - 1) {
                        Part::All => parts.push(path),
                        Part::Some(within) => {
                            other = true;
                            parts.extend(within);
                        }
                    }
                }
            } else if kind.is_file() && is_code(&path) && !self.is_hidden(&path) {
                all = true;
                parts.push(path);
            } else if !kind.is_symlink() {
                other = true;
            }
        }
        if all && !other { Part::All } else { Part::Some(parts) }
    }

    /// What `--read` names: all but what is ours.
    fn given(&mut self, root: &Path) {
        if self.is_hidden(root) || is_secret(root) || root.ancestors().any(is_ours) {
            self.found.notes.push(not_readable(root));
            return;
        }
        self.deep = false;
        match self.rest(root, DEEPEST) {
            Part::All => self.found.paths.push(root.to_owned()),
            Part::Some(parts) => self.found.paths.extend(parts),
        }
        if self.left == 0 || self.deep {
            self.found.notes.push(format!(
                "`{}` holds too many files to look for bundles and runs in all of it: name a smaller folder with --read",
                root.display()
            ));
        }
    }

    /// What is not ours of a file or folder.
    fn rest(&mut self, root: &Path, levels: usize) -> Part {
        if !root.is_dir() {
            return Part::All;
        }
        if levels == 0 {
            self.deep = true;
            return Part::Some(Vec::new());
        }
        let mut parts = Vec::new();
        let (mut whole, mut any) = (true, false);
        for (path, kind) in self.entries(root) {
            any = true;
            if self.is_hidden(&path) || is_secret(&path) || (kind.is_dir() && self.note_ours(&path)) {
                whole = false;
            } else if kind.is_dir() {
                match self.rest(&path, levels - 1) {
                    Part::All => parts.push(path),
                    Part::Some(within) => {
                        whole = false;
                        parts.extend(within);
                    }
                }
            } else if !kind.is_symlink() {
                parts.push(path);
            }
        }
        let splits = self.hidden.iter().any(|hidden| hidden.starts_with(root));
        if any && whole && !splits && self.left > 0 {
            return Part::All;
        }
        self.found.listed.push(root.to_owned());
        Part::Some(parts)
    }

    /// Notes bundles and runs of a folder, but looks no deeper.
    fn neighbours(&mut self, folder: &Path) {
        self.left = MOST;
        for (path, kind) in self.entries(folder) {
            if kind.is_dir() {
                self.note_ours(&path);
            }
        }
    }

    /// Entries in the order of their names; none when enough were looked at.
    fn entries(&mut self, folder: &Path) -> Vec<(PathBuf, std::fs::FileType)> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(self.left);
        let mut entries: Vec<_> = entries.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?))).collect();
        self.left = self.left.saturating_sub(entries.len());
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries
    }

    fn is_hidden(&self, path: &Path) -> bool {
        self.hidden.iter().any(|hidden| path.starts_with(hidden))
    }

    fn note_ours(&mut self, folder: &Path) -> bool {
        let ours = is_ours(folder);
        if ours {
            self.found.ours.push(folder.to_owned());
        }
        ours
    }
}

fn not_readable(path: &Path) -> String {
    format!("the program cannot read `{}`: it belongs to a bundle, a run, or a suite", path.display())
}

/// A folder of programs, and of `X/bin` what X has installed. Of other folders of `PATH` only what can be executed.
fn tools(folder: &Path, into: &mut Vec<PathBuf>) {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(prefix) = folder.parent().filter(|prefix| *prefix != Path::new("/")) else {
        return;
    };
    if folder.ends_with("shims") {
        // Of a manager of versions: pyenv, rbenv, asdf.
        into.push(prefix.to_owned());
    } else if holds_tools(folder) {
        into.push(folder.to_owned());
        // `~/.local/share` is where desktops keep what is private.
        let installed = INSTALLED.iter().filter(|part| **part != "share" || !prefix.ends_with(".local"));
        into.extend(installed.map(|part| prefix.join(part)));
    } else {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let runs = |path: &PathBuf| {
            path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
        };
        into.extend(files.map(|entry| entry.path()).filter(runs));
    }
}

/// What others may not read below a folder: a program of root's may not either.
fn roots_own(folder: &Path, levels: usize, into: &mut Vec<PathBuf>) {
    use std::os::unix::fs::PermissionsExt as _;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_symlink() {
            continue;
        }
        let needed = if metadata.is_dir() { 0o005 } else { 0o004 };
        if metadata.permissions().mode() & needed != needed {
            into.push(entry.path());
        } else if metadata.is_dir() && levels > 0 {
            roots_own(&entry.path(), levels - 1, into);
        }
    }
}

/// The path without links, also of what is not there yet.
pub fn real(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        Some(path.strip_prefix(above).map_or(real.clone(), |rest| real.join(rest)))
    })
}

/// `root`, but of a folder that holds something hidden only the rest.
fn without(root: &Path, hidden: &[PathBuf], into: &mut Readable) {
    if hidden.iter().any(|hidden| root.starts_with(hidden)) {
        return;
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(root)) {
        into.paths.push(root.to_owned());
        return;
    }
    into.listed.push(root.to_owned());
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        // A link is not a folder of its own: what it leads to is judged where it is.
        let ours = || is_secret(&entry.path()) || is_ours(&entry.path());
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) && !ours() {
            without(&entry.path(), hidden, into);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with an agent, code next to it, and what picardc left there.
    fn project() -> tempfile::TempDir {
        // Not of the folder for temporary files itself, of which nothing is taken.
        let folder = tempfile::tempdir().expect("a folder");
        for path in [
            "agent.py",
            "helper.py",
            "package/__init__.py",
            "package/deep/more.py",
            "prompts/first.txt",
            "notes.md",
            "suite.pcd",
            "report.html",
            ".git/config",
            "bundle/instances.jsonl",
            "bundle/keys.jsonl",
            "runs/oracle/run.json",
            "runs/oracle/responses.jsonl",
            "runs/oracle/cheat.py",
            "venv/pyvenv.cfg",
            "venv/lib/x.txt",
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, "x").expect("written");
        }
        fs::create_dir(folder.path().join("empty")).expect("made");
        folder
    }

    fn within(folder: &Path, paths: &[PathBuf]) -> Vec<String> {
        let folder = folder.canonicalize().expect("a path");
        let inside = paths.iter().filter_map(|path| path.strip_prefix(&folder).ok());
        inside.map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn code_next_to_a_named_file() {
        let folder = project();
        let named = [folder.path().join("agent.py")];
        let hidden = [folder.path().join("bundle"), folder.path().join("runs/new")];
        let found = Readable::find(&Sources { named: &named, hidden: &hidden, ..Sources::default() });
        assert_eq!(within(folder.path(), &found.paths), ["agent.py", "helper.py", "package", "venv"]);
        assert_eq!(within(folder.path(), &found.listed), [""]);
        assert_eq!(within(folder.path(), &found.ours), ["bundle", "runs/oracle"]);
        // A file of a run is not readable by naming it.
        let named = [folder.path().join("runs/oracle/cheat.py"), folder.path().join("suite.pcd")];
        let found = Readable::find(&Sources { named: &named, ..Sources::default() });
        assert!(within(folder.path(), &found.paths).is_empty(), "{found:?}");
    }

    #[test]
    fn what_is_given_is_readable_but_for_what_is_ours() {
        let folder = project();
        let given = [folder.path().to_owned()];
        let found = Readable::find(&Sources { given: &given, ..Sources::default() });
        assert_eq!(
            within(folder.path(), &found.paths),
            [".git", "agent.py", "helper.py", "notes.md", "package", "prompts", "report.html", "venv"]
        );
        let given = [folder.path().join("prompts"), folder.path().join("bundle")];
        let found = Readable::find(&Sources { given: &given, ..Sources::default() });
        assert_eq!(within(folder.path(), &found.paths), ["prompts"]);
        assert!(found.notes.iter().any(|note| note.contains("bundle")), "{found:?}");
    }

    #[test]
    fn a_folder_for_temporary_files_is_not_taken_as_a_whole() {
        let given = [env::temp_dir()];
        let found = Readable::find(&Sources { given: &given, ..Sources::default() });
        let temporary = env::temp_dir().canonicalize().expect("a path");
        assert!(!found.paths.contains(&temporary), "{:?}", found.paths);
        assert!(is_shared(&temporary));
    }

    #[test]
    fn what_is_hidden_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        for path in ["lib", "out/bundle", "out/other"] {
            fs::create_dir_all(root.join(path)).expect("made");
        }
        fs::write(root.join("agent.py"), "").expect("written");
        let mut found = Readable::default();
        without(&root, &[root.join("out/bundle"), root.join("runs/not_yet")], &mut found);
        found.tidy();
        assert_eq!(within(&root, &found.paths), ["agent.py", "lib", "out/other"]);
    }

    #[test]
    fn a_home_is_not_installed() {
        let mut roots = Vec::new();
        tools(Path::new("/home/me/.local/bin"), &mut roots);
        assert!(roots.contains(&PathBuf::from("/home/me/.local/lib")), "{roots:?}");
        assert!(
            !roots.contains(&PathBuf::from("/home/me/.local/share")) && !roots.contains(&PathBuf::from("/home/me"))
        );
    }
}
