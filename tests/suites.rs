//! Every suite that ships compiles without a diagnostic, and asks SQLite of each query once.

use std::collections::BTreeMap;
use std::sync::Mutex;

use api::Memory;
use compiler::host::{DatabaseError, Prepared, SqlError, Stored, StoredTable};
use compiler::{Compute, Entry, Host, ReadError, Sqlite};
use testing::{list_below, list_sources, root, run_picardc};

#[test]
fn shipped_suites_have_no_diagnostic() {
    for suite in list_sources(root().join("suites")) {
        let ran = run_picardc(root(), &["check", "--deny-warnings", "--format", "short", &suite.to_string_lossy()]);
        assert!(ran.status.success(), "{}: {}", suite.display(), ran.join_output());
        assert!(
            !ran.join_output().contains("error") && !ran.join_output().contains("warning"),
            "{}",
            ran.join_output()
        );
    }
}

/// Counts how often SQLite is asked of each query.
struct Counted {
    files: Memory,
    asked: Mutex<BTreeMap<(Vec<String>, String), u32>>,
}

impl Host for Counted {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.files.read_file(path)
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.files.list_folder(folder)
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self
    }

    fn evaluator(&self) -> &dyn Compute {
        self.files.evaluator()
    }
}

impl Sqlite for Counted {
    fn list_tables(&self, database: &[u8]) -> Result<Vec<StoredTable>, DatabaseError> {
        self.files.sqlite().list_tables(database)
    }

    fn read_columns(
        &self,
        database: &[u8],
        table: &str,
        cells: usize,
        texts: usize,
    ) -> Result<Vec<Vec<Stored>>, DatabaseError> {
        self.files.sqlite().read_columns(database, table, cells, texts)
    }

    fn prepare_query(&self, ddl: &[String], sql: &str) -> Result<Prepared, SqlError> {
        *self.asked.lock().expect("no panic").entry((ddl.to_vec(), sql.to_owned())).or_default() += 1;
        self.files.sqlite().prepare_query(ddl, sql)
    }
}

#[test]
fn sqlite_is_asked_of_a_query_as_often_as_it_is_written() {
    let mut all = 0;
    for suite in list_sources(root().join("suites")) {
        let name = suite.file_name().expect("a name").to_string_lossy().into_owned();
        let host = Counted { files: Memory::new(testing::read_files(root().join("suites"))), asked: Mutex::default() };
        assert!(compiler::compile(&name, &host).plan.is_some(), "{name}");
        let text = std::fs::read_to_string(&suite).expect("a suite");
        for ((_, sql), times) in host.asked.lock().expect("no panic").iter() {
            let written = text.matches(sql.as_str()).count() as u32;
            assert!(*times <= written, "{name}: asked {times} times of what is written {written} times: {sql}");
            all += times;
        }
    }
    assert!(all >= 15, "{all} queries");
}

/// Files in memory, whose tasks are checked on this number of threads.
struct OnThreads {
    files: Memory,
    threads: usize,
}

impl Host for OnThreads {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.files.read_file(path)
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.files.list_folder(folder)
    }

    fn max_threads(&self) -> usize {
        self.threads
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.files.sqlite()
    }

    fn evaluator(&self) -> &dyn Compute {
        self.files.evaluator()
    }
}

#[test]
fn what_is_said_does_not_depend_on_threads() {
    let mut said = 0;
    for folder in ["suites", "tests/mistakes/wrong", "tests/codes"] {
        for suite in list_below(root().join(folder), "pcd") {
            let (folder, name) =
                (suite.parent().expect("a folder"), suite.file_name().expect("a name").to_string_lossy());
            let compile = |threads| {
                let host = OnThreads { files: Memory::new(testing::read_files(folder)), threads };
                let compiled = compiler::compile(&name, &host);
                let verdicts: Vec<String> = compiled.totality.tasks.iter().map(|task| format!("{task:?}")).collect();
                (compiled.diagnostics, verdicts)
            };
            let (alone, together) = (compile(1), compile(3));
            assert_eq!(alone, together, "{name}");
            said += alone.0.len();
        }
    }
    assert!(said >= 100, "{said} diagnostics");
}
