//! The Python package of this tree, built as the tests are and not installed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::{Ran, root};

/// A folder for PYTHONPATH in which `import picardc` finds the package, as it is now in this tree.
///
/// # Panics
/// It cannot be built.
pub fn package() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let (deps, built) = (deps(), deps().with_file_name("python"));
        fs::create_dir_all(&built).expect("a folder");
        // Several test programs may ask at the same time.
        let lock = File::create(built.with_extension("lock")).expect("a lock");
        lock.lock().expect("locked");
        build();
        place(&deps, &built);
        built
    })
}

/// A command that runs Python with the package. The interpreter is `python`.
pub fn with_package(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.env("PYTHONPATH", package()).env("PYTHONDONTWRITEBYTECODE", "1").env_remove("PYTHONHOME");
    command
}

/// Whether tests run that install more than about 200 MB or take more than a minute; says so if not.
pub fn integrations_or_skip(what: &str) -> bool {
    let wanted = std::env::var_os("PICARDC_INTEGRATIONS").is_some_and(|value| value == "1");
    if !wanted {
        eprintln!("skipped: {what}: PICARDC_INTEGRATIONS is not 1");
    }
    wanted
}

/// Where cargo leaves what tests need: next to this test program.
fn deps() -> PathBuf {
    std::env::current_exe().expect("a path").parent().expect("a folder").into()
}

/// The test of the module has it built, with the features that it has among all tests.
fn build() {
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--workspace", "--offline", "--no-run", "--quiet", "--test", "module"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    // What cargo says to tests is not for a build.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_BIN_EXE_")) {
            command.env_remove(name);
        }
    }
    let ran = Ran::from(command.current_dir(root()).output().expect("cargo runs"));
    assert!(ran.status.success(), "the Python module cannot be built:\n{}", ran.said());
}

/// Copies the module and the sources to `picardc/` there; what has not changed is left.
fn place(deps: &Path, built: &Path) {
    let (sources, package) = (root().join("python/py/picardc"), built.join("picardc"));
    fs::create_dir_all(&package).expect("a folder");
    for entry in fs::read_dir(&sources).expect("the sources") {
        let entry = entry.expect("an entry");
        if entry.file_type().expect("a kind").is_file() {
            copy(&entry.path(), &package.join(entry.file_name()));
        }
    }
    let suffix = if cfg!(windows) { ".pyd" } else { ".abi3.so" };
    let module = format!("{}_picardc{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    copy(&deps.join(module), &package.join(format!("_picardc{suffix}")));
}

/// A process that has the old file open keeps it: the new one gets its name at once.
fn copy(from: &Path, to: &Path) {
    let bytes = fs::read(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    if fs::read(to).is_ok_and(|there| there == bytes) {
        return;
    }
    let new = to.with_extension("new");
    fs::write(&new, bytes).expect("written");
    fs::rename(&new, to).expect("renamed");
}
