//! Folders where programs are installed, and paths of the system that they need.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use super::super::kinds::{SYSTEM, is_executable, is_program_folder, is_shared, is_suite};

/// Other paths of the system that contain nothing of the user's.
const ALSO: [&str; 4] = ["/run/current-system", "/run/opengl-driver", "/run/systemd/resolve", "/run/resolvconf"];

/// Links in `/etc` that lead out of it on many systems; their targets are readable.
const LINKS: [&str; 3] = ["/etc/resolv.conf", "/etc/localtime", "/etc/hosts"];

/// Entries next to the `bin` folder of an installation.
const INSTALLED: [&str; 12] =
    ["bin", "sbin", "lib", "lib32", "lib64", "libexec", "include", "share", "ssl", "etc", "pyvenv.cfg", "conda-meta"];

/// Entries that belong to the user in `.local` and in shared folders such as a home; the others belong to programs.
const PRIVATE: [&str; 4] = ["share", "etc", "ssl", "conda-meta"];

/// Entries next to the `shims` folder of a version manager (pyenv, rbenv, asdf, mise).
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

/// The prefix of locally installed programs.
pub const LOCAL: &str = "/usr/local";

/// Returns all roots that exist, without links.
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

/// Adds a folder of programs, and for `X/bin` the installed entries of `X`. For other folders of `PATH`, adds only the executable files.
pub fn add_tool_roots(folder: &Path, into: &mut Vec<PathBuf>) {
    let Some(prefix) =
        folder.parent().filter(|prefix| !["/", "/usr"].iter().any(|system| *prefix == Path::new(system)))
    else {
        return;
    };
    if is_program_folder(folder) {
        into.push(folder.to_owned());
        // A folder with suites is not an installation.
        if has_suite(prefix) && prefix != Path::new(LOCAL) {
            return;
        }
        let parts = if folder.ends_with("shims") { &MANAGED[..] } else { &INSTALLED[..] };
        // Desktops keep private files in `~/.local/share`.
        let private = prefix.ends_with(".local") || is_shared(prefix);
        let installed = parts.iter().filter(|part| !(private && PRIVATE.contains(part)));
        into.extend(installed.map(|part| prefix.join(part)));
    } else {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        into.extend(files.map(|entry| entry.path()).filter(|path| is_executable(path)));
    }
}

fn has_suite(folder: &Path) -> bool {
    std::fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| is_suite(&entry.path()))
}
