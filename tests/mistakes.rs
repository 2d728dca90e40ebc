//! The corpus of mistakes: small suites in `tests/mistakes/wrong/<area>/`, each with one mistake that authors make. The first line of each
//! (`# E0203 at 9:31`) tells the code and the place that were decided from the source; `check` must say that and nothing else. One
//! snapshot an area shows every source and what people read about it.

use std::fs;
use std::path::{Path, PathBuf};

use compiler::diagnostics::Diagnostic;
use compiler::{Host, ReadError, Sqlite};
use picardc::console::Console;
use picardc::render::{Tally, human};
use picardc::sqlite::Prepare;

/// So many there are at least.
const LEAST: usize = 600;

/// The suite's own folder: fixtures stand beside it.
struct Folder<'f> {
    folder: &'f Path,
    sqlite: &'f Prepare,
}

impl Host for Folder<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        fs::read(self.folder.join(path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ReadError::NotFound,
            _ => ReadError::Other(error.to_string()),
        })
    }

    fn sqlite(&self) -> &dyn Sqlite {
        self.sqlite
    }
}

/// What the first line of a suite announces.
#[derive(Debug, PartialEq, Eq)]
struct Announced {
    code: String,
    line: u32,
    column: u32,
}

impl Announced {
    /// Reads `# E0203 at 9:31`.
    fn read(text: &str) -> Option<Announced> {
        let (code, place) = text.lines().next()?.strip_prefix("# ")?.split_once(" at ")?;
        let (line, column) = place.split_once(':')?;
        Some(Announced { code: code.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
    }
}

/// What stands in a folder, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    all.sort();
    all
}

/// A suite checked: what is wrong with what was said, and the page of the snapshot.
fn checked(path: &Path, sqlite: &Prepare) -> (Option<String>, String) {
    let folder = path.parent().expect("a folder");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let text = fs::read_to_string(path).expect("a suite");
    let compiled = compiler::compile(&name, &Folder { folder, sqlite });
    let found: Vec<Announced> = compiled
        .diagnostics
        .iter()
        .map(|said| {
            let start = compiled.sources.start(said.primary.span);
            Announced { code: said.code.id.to_owned(), line: start.line, column: start.column }
        })
        .collect();
    let wanted = Announced::read(&text).unwrap_or_else(|| panic!("{name}: the first line announces no mistake"));
    let wrong = (found.len() != 1 || found.first() != Some(&wanted))
        .then(|| format!("{name}: {wanted:?} is announced, {found:?} was said"));
    let said: Vec<&Diagnostic> = compiled.diagnostics.iter().collect();
    let console = Console { colour: false, terminal: false };
    let drawn = human::all(&said, &compiled.sources, &console, &mut Tally::default());
    (wrong, format!("════ {name}\n{text}────\n{drawn}"))
}

#[test]
fn every_planted_mistake_is_told_once_in_its_place() {
    let areas = entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes/wrong"));
    let sqlite = Prepare::default();
    let mut count = 0;
    let mut wrong = Vec::new();
    for area in areas {
        let name = area.file_name().expect("a name").to_string_lossy().into_owned();
        let suites: Vec<PathBuf> =
            entries(&area).into_iter().filter(|path| path.extension().is_some_and(|end| end == "pcd")).collect();
        // Sources that a suite uses lie in folders of their own, so that every `.pcd` here is a suite.
        let mut pages = String::new();
        for suite in &suites {
            let (told, page) = checked(suite, &sqlite);
            wrong.extend(told.map(|told| format!("{name}/{told}")));
            pages.push_str(&page);
        }
        count += suites.len();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("mistakes/snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, pages));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= LEAST, "{count} suites");
}
