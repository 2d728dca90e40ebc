//! The Python package of this tree, built for tests and not installed. If `PICARDC_WHEELS` names a folder with wheels, they are installed and used instead.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::{CommandOutput, root};

/// Returns a folder for PYTHONPATH in which `import picardc` finds the current package of this tree.
///
/// # Panics
/// If it cannot be built.
pub fn build_package() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(wheels) = find_wheels() {
            return from_wheels(&wheels);
        }
        let (deps, built) = (find_deps(), find_deps().with_file_name("python"));
        fs::create_dir_all(&built).expect("a folder");
        // Several test programs may ask at the same time.
        let lock = File::create(built.with_extension("lock")).expect("a lock");
        lock.lock().expect("locked");
        build_module();
        place_files(&deps, &built);
        built
    })
}

/// The folder of the wheels that tests use instead of the tree, as created by `./dist quick` and `./dist wheels`.
fn find_wheels() -> Option<PathBuf> {
    std::env::var_os("PICARDC_WHEELS").map(PathBuf::from)
}

/// Finds the command that belongs to the package: the one of the wheels, if they are used.
pub fn find_package_command() -> PathBuf {
    match find_wheels() {
        Some(_) => build_package().join("bin/picardc"),
        None => crate::find_program(),
    }
}

/// Installs wheels into a folder, without a registry, unless the same files are already installed.
fn from_wheels(wheels: &Path) -> PathBuf {
    let folder = find_deps().with_file_name("python-wheels");
    fs::create_dir_all(&folder).expect("a folder");
    let lock = File::create(folder.with_extension("lock")).expect("a lock");
    lock.lock().expect("locked");
    let mut found: Vec<String> = fs::read_dir(wheels)
        .unwrap_or_else(|error| panic!("PICARDC_WHEELS: {}: {error}", wheels.display()))
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            let about = entry.metadata().expect("readable");
            format!("{:?} {} {:?}\n", entry.path(), about.len(), about.modified().ok())
        })
        .collect();
    found.sort_unstable();
    let (stamp, found) = (folder.join("wheels.txt"), found.concat());
    if fs::read_to_string(&stamp).is_ok_and(|there| there == found) {
        return folder;
    }
    fs::remove_dir_all(&folder).expect("removed");
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-index",
        "--only-binary",
        ":all:",
    ]);
    pip.arg("--find-links").arg(wheels).arg("--target").arg(&folder).arg("picardc");
    let ran = CommandOutput::from(pip.output().expect("pip runs"));
    assert!(ran.status.success(), "the wheels cannot be installed:\n{}", ran.join_output());
    fs::write(stamp, found).expect("written");
    folder
}

/// Returns a command that runs the Python interpreter `python` with the package.
pub fn with_package(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.env("PYTHONPATH", build_package()).env("PYTHONDONTWRITEBYTECODE", "1").env_remove("PYTHONHOME");
    command
}

/// Creates a folder for PYTHONPATH in which the package looks installed: with its entry points, which other tools look up, and with further packages of
/// `python/`, each given by the folder above it. The folder is removed when the value is dropped.
///
/// # Panics
/// If it cannot be made.
pub fn install_package(further: &[&Path]) -> tempfile::TempDir {
    // Inspect AI accepts only files below a folder with this name as a package.
    let folder = tempfile::Builder::new().prefix("site-packages").tempdir().expect("a folder");
    for above in std::iter::once(build_package()).chain(further.iter().copied()) {
        for entry in fs::read_dir(above).expect("packages").map(|entry| entry.expect("an entry").path()) {
            if entry.join("__init__.py").is_file() {
                let to = folder.path().join(entry.file_name().expect("a name"));
                fs::create_dir(&to).expect("a folder");
                for file in fs::read_dir(&entry)
                    .expect("files")
                    .map(|file| file.expect("a file").path())
                    .filter(|file| file.is_file())
                {
                    let name = to.join(file.file_name().expect("a name"));
                    fs::hard_link(&file, &name).or_else(|_| fs::copy(&file, &name).map(|_| ())).expect("placed");
                }
            }
        }
    }
    if find_wheels().is_some() {
        copy_wheel_facts(folder.path());
        return folder;
    }
    let project = fs::read_to_string(root().join("bindings/python/pyproject.toml")).expect("read");
    let (_, points) = project.split_once("[project.entry-points.inspect_ai]\n").expect("entry points");
    let points = points.split("\n\n").next().unwrap_or_default().replace('"', "");
    let facts = folder.path().join("picardc-0.1.0.dist-info");
    fs::create_dir(&facts).expect("a folder");
    fs::write(facts.join("METADATA"), "Metadata-Version: 2.1\nName: picardc\nVersion: 0.1.0\n").expect("written");
    fs::write(facts.join("entry_points.txt"), format!("[inspect_ai]\n{points}\n")).expect("written");
    folder
}

/// Copies the metadata of the wheels.
fn copy_wheel_facts(to: &Path) {
    for entry in fs::read_dir(build_package()).expect("packages").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("picardc-") && name.ends_with(".dist-info") {
            let facts = to.join(&name);
            fs::create_dir(&facts).expect("a folder");
            for file in ["METADATA", "entry_points.txt"] {
                fs::copy(entry.path().join(file), facts.join(file)).expect("copied");
            }
        }
    }
}

/// The folder in which cargo puts the dependencies of tests: the folder of this test program.
fn find_deps() -> PathBuf {
    std::env::current_exe().expect("a path").parent().expect("a folder").into()
}

/// Creates a command that calls the cargo that runs the tests.
pub fn create_cargo_command() -> Command {
    // Not `env!`: a toolchain at another path would rebuild this crate and all that use it.
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Builds the module through its test, with the features that it has among all tests.
fn build_module() {
    let mut command = create_cargo_command();
    command.args(["test", "--workspace", "--offline", "--no-run", "--quiet", "--test", "module"]);
    // The profile of this program, by the folder that cargo builds it in.
    let profile =
        find_deps().parent().and_then(|folder| folder.file_name()).map(|name| name.to_string_lossy().into_owned());
    command.args(["--profile", profile.as_deref().map_or("dev", |name| if name == "debug" { "dev" } else { name })]);
    // The variables that cargo sets for tests must not affect a build.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_BIN_EXE_")) {
            command.env_remove(name);
        }
    }
    let ran = CommandOutput::from(command.current_dir(root()).output().expect("cargo runs"));
    assert!(ran.status.success(), "the Python module cannot be built:\n{}", ran.join_output());
}

/// Copies the module and the sources to `picardc/` there. Unchanged files are not written.
fn place_files(deps: &Path, built: &Path) {
    let (sources, package) = (root().join("bindings/python/py/picardc"), built.join("picardc"));
    fs::create_dir_all(&package).expect("a folder");
    for entry in fs::read_dir(&sources).expect("the sources") {
        let entry = entry.expect("an entry");
        if entry.file_type().expect("a kind").is_file() {
            copy_if_changed(&entry.path(), &package.join(entry.file_name()));
        }
    }
    let suffix = if cfg!(windows) { ".pyd" } else { ".abi3.so" };
    let module = format!("{}_picardc{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    copy_if_changed(&deps.join(module), &package.join(format!("_picardc{suffix}")));
}

/// Replaces a file by renaming, because a process that has the old file open must keep it.
fn copy_if_changed(from: &Path, to: &Path) {
    let bytes = fs::read(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    if fs::read(to).is_ok_and(|there| there == bytes) {
        return;
    }
    let new = to.with_extension("new");
    fs::write(&new, bytes).expect("written");
    fs::rename(&new, to).expect("renamed");
}
