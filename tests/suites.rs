//! Every suite that ships compiles without a diagnostic, and asks SQLite of each query once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use compiler::host::{Prepared, SqlError, Stored, StoredTable};
use compiler::{Host, ReadError, Sqlite};
use picardc::sqlite::Prepare;

fn suites() -> Vec<PathBuf> {
    let folder = format!("{}/suites", env!("CARGO_MANIFEST_DIR"));
    let mut suites: Vec<_> = std::fs::read_dir(folder)
        .expect("suites/")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pcd"))
        .collect();
    suites.sort();
    assert!(suites.len() >= 2);
    suites
}

#[test]
fn shipped_suites_have_no_diagnostic() {
    for suite in suites() {
        let output = Command::new(env!("CARGO_BIN_EXE_picardc"))
            .args(["check", "--deny-warnings", "--format", "short"])
            .arg(&suite)
            .output()
            .expect("the binary starts");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{}: {said}", suite.display());
        assert!(!said.contains("error") && !said.contains("warning"), "{said}");
    }
}

/// A suite's folder, and how often SQLite is asked of each query.
struct Counted {
    folder: PathBuf,
    sqlite: Prepare,
    asked: RefCell<BTreeMap<(Vec<String>, String), u32>>,
}

impl Host for Counted {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(self.folder.join(path)).map_err(|error| ReadError::Other(error.to_string()))
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self
    }
}

impl Sqlite for Counted {
    fn tables(&self, database: &[u8]) -> Result<Vec<StoredTable>, String> {
        self.sqlite.tables(database)
    }

    fn columns(&self, database: &[u8], table: &str, cells: usize, texts: usize) -> Result<Vec<Vec<Stored>>, String> {
        self.sqlite.columns(database, table, cells, texts)
    }

    fn prepare(&self, ddl: &[String], sql: &str) -> Result<Prepared, SqlError> {
        *self.asked.borrow_mut().entry((ddl.to_vec(), sql.to_owned())).or_default() += 1;
        self.sqlite.prepare(ddl, sql)
    }
}

#[test]
fn sqlite_is_asked_of_a_query_as_often_as_it_is_written() {
    let mut all = 0;
    for suite in suites() {
        let folder = suite.parent().map(Path::to_path_buf).expect("a folder");
        let name = suite.file_name().expect("a name").to_string_lossy().into_owned();
        let host = Counted { folder, sqlite: Prepare::default(), asked: RefCell::default() };
        assert!(compiler::compile(&name, &host).plan.is_some(), "{name}");
        let text = std::fs::read_to_string(&suite).expect("a suite");
        for ((_, sql), times) in host.asked.borrow().iter() {
            let written = text.matches(sql.as_str()).count() as u32;
            assert!(*times <= written, "{name}: asked {times} times of what is written {written} times: {sql}");
            all += times;
        }
    }
    assert!(all >= 15, "{all} queries");
}
