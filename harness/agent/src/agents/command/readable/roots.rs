//! Where programs are installed, and what they need of the system.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use super::super::kinds::{SYSTEM, is_program_folder, is_shared, is_suite};

/// Other places of the system that hold nothing of the user's.
const ALSO: [&str; 4] = ["/run/current-system", "/run/opengl-driver", "/run/systemd/resolve", "/run/resolvconf"];

/// Links of `/etc` that lead out of it on many systems; what they lead to is readable.
const LINKS: [&str; 3] = ["/etc/resolv.conf", "/etc/localtime", "/etc/hosts"];

/// What an installed program has next to its `bin`.
const INSTALLED: [&str; 12] =
    ["bin", "sbin", "lib", "lib32", "lib64", "libexec", "include", "share", "ssl", "etc", "pyvenv.cfg", "conda-meta"];

/// What is the user's in a folder where many things lie: there only these are of programs.
const PRIVATE: [&str; 4] = ["share", "etc", "ssl", "conda-meta"];

/// What a manager of versions (pyenv, rbenv, asdf, mise) has next to its `shims`.
const MANAGED: [&str; 14] = [
    "shims",
    "bin",
    "lib",
    "libexec",
    "versions",
    "version",
    "installs",
    "plugins",
    "completions",
    "pyenv.d",
    "rbenv.d",
    "nodenv.d",
    "asdf.sh",
    "defaults",
];

/// Where programs are installed that the system does not bring.
pub const LOCAL: &str = "/usr/local";

/// All of them, without links; only what is there.
pub fn find_roots(programs: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut roots: Vec<PathBuf> = SYSTEM.iter().chain(&ALSO).chain(&LINKS).map(PathBuf::from).collect();
    add_tool_roots(Path::new("/usr/local/bin"), &mut roots);
    for folder in env::var_os("PATH").iter().flat_map(env::split_paths).filter(|folder| folder.is_absolute()) {
        add_tool_roots(&folder, &mut roots);
    }
    for program in programs {
        let folder = program.parent().filter(|folder| is_program_folder(folder));
        folder.into_iter().for_each(|folder| add_tool_roots(folder, &mut roots));
        roots.push(program.clone());
    }
    roots.iter().filter_map(|root| root.canonicalize().ok()).collect()
}

/// A folder of programs, and of `X/bin` what X has installed. Of other folders of `PATH` only what can be executed.
pub fn add_tool_roots(folder: &Path, into: &mut Vec<PathBuf>) {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(prefix) =
        folder.parent().filter(|prefix| !["/", "/usr"].iter().any(|system| *prefix == Path::new(system)))
    else {
        return;
    };
    if is_program_folder(folder) {
        into.push(folder.to_owned());
        // Where somebody writes suites nothing is installed.
        if has_suite(prefix) && prefix != Path::new(LOCAL) {
            return;
        }
        let parts = if folder.ends_with("shims") { &MANAGED[..] } else { &INSTALLED[..] };
        // `~/.local/share` is where desktops keep what is private.
        let private = prefix.ends_with(".local") || is_shared(prefix);
        let installed = parts.iter().filter(|part| !(private && PRIVATE.contains(part)));
        into.extend(installed.map(|part| prefix.join(part)));
    } else {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let runs = |path: &PathBuf| {
            path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
        };
        into.extend(files.map(|entry| entry.path()).filter(runs));
    }
}

fn has_suite(folder: &Path) -> bool {
    std::fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| is_suite(&entry.path()))
}
