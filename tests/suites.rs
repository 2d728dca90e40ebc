//! Every suite that ships compiles without a diagnostic, and asks SQLite of each query once.

use std::cell::RefCell;
use std::collections::BTreeMap;

use api::Memory;
use compiler::host::{Prepared, SqlError, Stored, StoredTable};
use compiler::{Compute, Entry, Host, ReadError, Sqlite};
use testing::{picardc, root, sources};

#[test]
fn shipped_suites_have_no_diagnostic() {
    for suite in sources(root().join("suites")) {
        let ran = picardc(root(), &["check", "--deny-warnings", "--format", "short", &suite.to_string_lossy()]);
        assert!(ran.status.success(), "{}: {}", suite.display(), ran.said());
        assert!(!ran.said().contains("error") && !ran.said().contains("warning"), "{}", ran.said());
    }
}

/// Counts how often SQLite is asked of each query.
struct Counted {
    files: Memory,
    asked: RefCell<BTreeMap<(Vec<String>, String), u32>>,
}

impl Host for Counted {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.files.read(path)
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.files.list(folder)
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self
    }

    fn compute(&self) -> &dyn Compute {
        self.files.compute()
    }
}

impl Sqlite for Counted {
    fn tables(&self, database: &[u8]) -> Result<Vec<StoredTable>, String> {
        self.files.sqlite().tables(database)
    }

    fn columns(&self, database: &[u8], table: &str, cells: usize, texts: usize) -> Result<Vec<Vec<Stored>>, String> {
        self.files.sqlite().columns(database, table, cells, texts)
    }

    fn prepare(&self, ddl: &[String], sql: &str) -> Result<Prepared, SqlError> {
        *self.asked.borrow_mut().entry((ddl.to_vec(), sql.to_owned())).or_default() += 1;
        self.files.sqlite().prepare(ddl, sql)
    }
}

#[test]
fn sqlite_is_asked_of_a_query_as_often_as_it_is_written() {
    let mut all = 0;
    for suite in sources(root().join("suites")) {
        let name = suite.file_name().expect("a name").to_string_lossy().into_owned();
        let host = Counted { files: Memory::new(testing::files(root().join("suites"))), asked: RefCell::default() };
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
