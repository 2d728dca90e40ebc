//! Classifies files and folders by name and content: code, picardc's own, or shared.

use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::sandbox::{MARKER, PREFIX};

/// Folders of the system, which every program can read. Only the installed parts of `/usr` are included: images have their applications in `/usr/src/app`.
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

/// Extensions of code files, which programs import, require, or source.
const CODE: [&str; 38] = [
    "py", "pyc", "pyi", "pyd", "so", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "wasm", "node", "rb", "pl",
    "pm", "lua", "sh", "bash", "zsh", "fish", "php", "r", "jl", "class", "jar", "dll", "dylib", "el", "scm", "clj",
    "ex", "exs", "hs", "ml", "tcl",
];

/// Names of files, whatever their extension, that an interpreter looks for next to code.
const CODE_NAMES: [&str; 4] = ["package.json", "tsconfig.json", "pyvenv.cfg", "py.typed"];

/// Folders that hold installed code only.
pub const CODE_FOLDERS: [&str; 3] = ["node_modules", "__pycache__", "site-packages"];

/// Files of bundles and runs. A folder with two of them counts as a bundle or a run.
pub const OURS: [&str; 6] =
    ["manifest.json", "run.json", "instances.jsonl", "keys.jsonl", "responses.jsonl", "scores.jsonl"];

/// Whether a folder is a bundle, a run, a sandbox, or an unfinished one of these.
pub fn is_ours(folder: &Path) -> bool {
    let has = |name: &&&str| folder.join(name).is_file();
    is_made_by_us(folder.file_name().unwrap_or_default()) || has(&&MARKER) || OURS.iter().filter(has).count() >= 2
}

/// Whether a folder with this name contains sandboxes, or is an unfinished bundle.
pub fn is_made_by_us(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PREFIX) || (name.starts_with('.') && name.contains(".picardc-"))
}

/// Whether the path has the name of a suite's source.
pub fn is_suite(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pcd"))
}

/// Whether answers can be read in the file: it is the source of a suite, or a file of a bundle or run, in any folder.
pub fn is_secret(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    is_suite(path) || OURS.iter().any(|known| name == *known && known.ends_with(".jsonl"))
}

/// Whether it is code, or a file that an interpreter looks for next to code.
pub fn is_code(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Libraries carry versions: libx.so.1.2
    CODE.contains(&extension.as_str()) || CODE_NAMES.iter().any(|known| name == *known) || name.contains(".so.")
}

/// Whether a folder contains unrelated files of many kinds: a home, the root, or a folder for temporary files.
pub fn is_shared(folder: &Path) -> bool {
    let shared = [PathBuf::from("/"), "/tmp".into(), "/var/tmp".into(), "/dev/shm".into(), env::temp_dir()];
    let home = env::var_os("HOME").and_then(|home| PathBuf::from(home).canonicalize().ok());
    home.is_some_and(|home| home.starts_with(folder))
        || shared.iter().filter_map(|path| path.canonicalize().ok()).any(|path| path == folder)
}

/// Whether it is a file that can be executed.
pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Whether the folder belongs to the system.
pub fn is_system(folder: &Path) -> bool {
    SYSTEM.iter().any(|system| folder.starts_with(system))
}

/// Whether the folder has the name of one in which programs are installed.
pub fn is_program_folder(folder: &Path) -> bool {
    ["bin", "sbin", "shims"].iter().any(|name| folder.ends_with(name))
}
