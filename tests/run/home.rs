//! A folder for one test: a bundle, and runs of it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use records::{Response, Score, jsonl};

/// One instance that is answered in the reply, and one in a file.
pub const SUITE: &str = r#"
suite t {
  title   "T"
  version "1.0.0"
  samples 1
}

task reply {
  n : int 1..1_000_000
  prompt "Reply with <<n>>."
  expect reply number n
}

task sum {
  csv orders at "in/orders.csv" {
    rows 5
    AMT : int 1..1_000
  }
  prompt "Write the sum of AMT in <<orders>> to out.txt."
  expect file "out.txt" number sum(orders.AMT)
}
"#;

pub struct Home {
    pub folder: tempfile::TempDir,
}

/// What `picardc run` did.
pub struct Ran {
    pub status: Option<i32>,
    pub err: String,
    pub folder: PathBuf,
    pub responses: Vec<Response>,
}

impl Home {
    /// With a bundle of the suite.
    pub fn new(suite: &str) -> Home {
        Home::with(suite, &[])
    }

    /// The same, with files next to the suite.
    pub fn with(suite: &str, files: &[(&str, Vec<u8>)]) -> Home {
        let home = Home { folder: tempfile::tempdir().expect("a folder") };
        files.iter().for_each(|(path, content)| testing::write_in_folder(home.folder.path(), path, content));
        fs::write(home.at("s.pcd"), suite).expect("written");
        let built =
            picardc().args(["build", "--seed", "7", "--quiet", "-o"]).args([home.at("bundle"), home.at("s.pcd")]);
        let output = built.output();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        home
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the bundle.
    pub fn run(&self, agent: &str, name: &str, flags: &[&str]) -> Ran {
        let mut command = picardc();
        command.0.env("OPENAI_API_KEY", "sk-very-secret");
        let command = command.args(["run", "--agent", agent, "--retry-pause", "0.05", "-o"]);
        let output = command.args([self.at(name), self.at("bundle")]).args(flags).output();
        let responses = self.at(name).join("responses.jsonl");
        Ran {
            status: output.status.code(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            folder: self.at(name),
            responses: if responses.exists() { jsonl::read_all(&responses).expect("responses") } else { Vec::new() },
        }
    }
}

impl Ran {
    /// The response to the instance of a task.
    pub fn of(&self, task: &str) -> &Response {
        let found = self.responses.iter().find(|response| response.id == format!("{task}-1"));
        found.unwrap_or_else(|| panic!("no response: {}", self.err))
    }

    pub fn scores(&self) -> Vec<Score> {
        jsonl::read_all(&self.folder.join("scores.jsonl")).expect("scores")
    }

    pub fn correct(&self, task: &str) -> bool {
        self.scores().iter().any(|score| score.task == task && score.correct)
    }

    /// All that the run wrote, as one text.
    pub fn everything(&self) -> String {
        testing::read_files(&self.folder).values().map(|bytes| String::from_utf8_lossy(bytes)).collect()
    }
}

pub struct Picardc(pub Command);

pub fn picardc() -> Picardc {
    Picardc(Command::new(testing::find_program()))
}

impl Picardc {
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> Picardc {
        self.0.args(args);
        self
    }

    pub fn output(mut self) -> Output {
        self.0.output().expect("it starts")
    }
}
