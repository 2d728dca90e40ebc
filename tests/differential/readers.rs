//! A Python with the readers of `tests/python/readers.txt`: PICARDC_PYTHON, else `python3`, else an environment in `target/readers-venv`, made
//! where there is none yet.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const IMPORTS: &str = "import jsonpath_rfc9535, lxml.etree, openpyxl, yaml";

/// The interpreter, or why there is none, which is said once.
pub fn interpreter() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND
        .get_or_init(|| match find() {
            Ok(interpreter) => Some(interpreter),
            Err(reason) => {
                eprintln!("skipped: no Python has the packages of tests/python/readers.txt: {reason}");
                None
            }
        })
        .as_deref()
}

fn find() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("PICARDC_PYTHON").map(PathBuf::from) {
        // Whoever names one wants no other.
        return if has_them(&named) { Ok(named) } else { Err("PICARDC_PYTHON lacks one".to_owned()) };
    }
    if has_them(Path::new("python3")) {
        return Ok("python3".into());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("target/readers-venv");
    let interpreter = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !has_them(&interpreter) {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let install = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20", "-r"];
        run(Command::new(&interpreter).args(install).arg(root.join("tests/python/readers.txt")))?;
    }
    if has_them(&interpreter) { Ok(interpreter) } else { Err("installed, and yet one cannot be imported".to_owned()) }
}

fn has_them(interpreter: &Path) -> bool {
    Command::new(interpreter).args(["-c", IMPORTS]).output().is_ok_and(|output| output.status.success())
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text.trim().lines().last().unwrap_or("no reason given").to_owned())
}
