//! What a file or folder is, by its name and by what is in it: code, picardc's own, shared by many things.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::sandbox::{MARKER, PREFIX};

/// Folders of the system, which every program reads. Of `/usr` only what systems install there: images have their applications in `/usr/src/app`.
pub const SYSTEM: [&str; 20] = [
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/libexec",
    "/usr/share",
    "/usr/include",
    "/etc",
    "/nix/store",
    "/gnu/store",
    "/proc",
    "/sys",
];

/// Endings of files that are code: what a program imports, requires, or sources.
const CODE: [&str; 38] = [
    "py", "pyc", "pyi", "pyd", "so", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "wasm", "node", "rb", "pl",
    "pm", "lua", "sh", "bash", "zsh", "fish", "php", "r", "jl", "class", "jar", "dll", "dylib", "el", "scm", "clj",
    "ex", "exs", "hs", "ml", "tcl",
];

/// Files that an interpreter looks for next to code, whatever their ending.
const CODE_NAMES: [&str; 4] = ["package.json", "tsconfig.json", "pyvenv.cfg", "py.typed"];

/// Folders that hold installed code only.
pub const CODE_FOLDERS: [&str; 3] = ["node_modules", "__pycache__", "site-packages"];

/// Files of bundles and runs. A folder with two of them is a bundle or a run.
pub const OURS: [&str; 6] =
    ["manifest.json", "run.json", "instances.jsonl", "keys.jsonl", "responses.jsonl", "scores.jsonl"];

/// Whether a folder is a bundle, a run, a sandbox, or one of these in the making.
pub fn is_ours(folder: &Path) -> bool {
    let has = |name: &&&str| folder.join(name).is_file();
    is_made_by_us(folder.file_name().unwrap_or_default()) || has(&&MARKER) || OURS.iter().filter(has).count() >= 2
}

/// Whether the name is that of a folder of sandboxes, or of a bundle in the making.
pub fn is_made_by_us(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PREFIX) || (name.starts_with('.') && name.contains(".picardc-"))
}

/// Whether the name is that of a suite's source.
pub fn is_suite(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pcd"))
}

/// Whether it is a file in which answers can be read: the source of a suite, or of a bundle or run, wherever it is.
pub fn is_secret(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    is_suite(path) || OURS.iter().any(|known| name == *known && known.ends_with(".jsonl"))
}

/// Whether it is code, or what an interpreter looks for next to code.
pub fn is_code(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Libraries carry versions: libx.so.1.2
    CODE.contains(&extension.as_str()) || CODE_NAMES.iter().any(|known| name == *known) || name.contains(".so.")
}

/// Folders in which many things lie that have nothing to do with each other: a home, the root, folders for temporary files.
pub fn is_shared(folder: &Path) -> bool {
    let shared = [PathBuf::from("/"), "/tmp".into(), "/var/tmp".into(), "/dev/shm".into(), env::temp_dir()];
    let home = env::var_os("HOME").and_then(|home| PathBuf::from(home).canonicalize().ok());
    home.is_some_and(|home| home.starts_with(folder))
        || shared.iter().filter_map(|path| path.canonicalize().ok()).any(|path| path == folder)
}

/// Whether the system's own files lie there.
pub fn is_system(folder: &Path) -> bool {
    SYSTEM.iter().any(|system| folder.starts_with(system))
}

/// Whether programs are installed there, by its name.
pub fn is_program_folder(folder: &Path) -> bool {
    ["bin", "sbin", "shims"].iter().any(|name| folder.ends_with(name))
}
