//! Lists the files of a lake: all regular files in its folder, except hidden ones unless the lake has the word `hidden`.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::Span;
use model::listing::{Entry, EntryKind, IS_LINK, MAX_FILES};
use model::value::group_digits;

use crate::context::{Checker, LakeFile};
use syntax::ast;
use syntax::diagnostics::wording::{format_count, join_with_and};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::host::{Host, ReadError};

/// The maximum number of unsuitable files of a lake that are reported individually.
const SHOWN: usize = 5;

/// The maximum size in bytes of a file whose name begins with `.`, which is read to learn its size.
const MAX_HIDDEN: u64 = 256 << 20;

impl Checker<'_> {
    /// Lists the files in the folder of a lake, sorted by the bytes of their paths. Returns `None` after reporting an error.
    pub(super) fn list_lake_files(&mut self, name: &str, lake: &ast::Lake) -> Option<Arc<[LakeFile]>> {
        let at = lake.from.span;
        let folder = format!("{}{name}", self.project.folder);
        let listed = match lake.hidden {
            Some(_) => list_with_hidden(self.host, &folder),
            None => self.host.list_folder(&folder),
        };
        let mut entries = match listed {
            Ok(entries) => entries,
            Err(error) => {
                let (message, label, help) = match error {
                    ReadError::NotFound => (
                        format!("folder `{name}` does not exist"),
                        "no such folder".to_owned(),
                        "paths are relative to the folder of the suite file",
                    ),
                    ReadError::Other(why) => (
                        format!("folder `{name}` cannot be listed: {why}"),
                        why,
                        "give a folder below that of the suite file; links are not followed",
                    ),
                };
                let said = Diagnostic::new(Code::UNREADABLE_FILE, message, at, label);
                self.report(said.help(help));
                return None;
            }
        };
        entries.sort();
        let wrong: Vec<EntryProblem> =
            entries.iter().filter_map(find_entry_problem).chain(find_case_clashes(&entries)).collect();
        for found in wrong.iter().take(SHOWN) {
            let message = format!("a file of `{name}` cannot be in a lake: {}", found.message);
            let said = Diagnostic::new(found.code, message, at, "a lake is all files of this folder");
            let help = match wrong.len().checked_sub(SHOWN) {
                Some(more @ 1..) => {
                    format!("{}; {} more cannot be in it", found.help, format_count(more as u32, "file"))
                }
                _ => found.help.to_owned(),
            };
            self.report(said.help(help));
        }
        if !wrong.is_empty() {
            return None;
        }
        self.report_left_out(name, &entries, at);
        let files = entries.into_iter().filter_map(|entry| match entry.kind {
            EntryKind::File(size) => Some(LakeFile { path: entry.path, size }),
            EntryKind::Link | EntryKind::Special | EntryKind::NotUtf8 | EntryKind::Hidden => None,
        });
        Some(files.collect())
    }

    /// Reports the number of files and folders that are left out of a lake because their names begin with `.`.
    fn report_left_out(&mut self, name: &str, entries: &[Entry], at: Span) {
        let hidden = || entries.iter().filter(|entry| entry.kind == EntryKind::Hidden);
        let count = hidden().count();
        if count == 0 {
            return;
        }
        let what = if count == 1 {
            "1 file or folder".to_owned()
        } else {
            format!("{} files and folders", group_digits(count as u64))
        };
        let message = format!("{what} of `{name}` {} not in the lake", if count == 1 { "is" } else { "are" });
        let shown = join_with_and(hidden().take(SHOWN).map(|entry| entry.path.as_str()));
        let more = match count.checked_sub(SHOWN) {
            Some(more @ 1..) => format!("; {} more", group_digits(more as u64)),
            _ => String::new(),
        };
        let said = Diagnostic::new(Code::LEFT_OUT, message, at, "names with a leading `.` stay out");
        self.report(said.note(format!("left out: {shown}{more}")).help(
            "if agents need them, add `hidden` after the folder; otherwise write in `suite`: allow left_out \"agents do not need it\"",
        ));
    }
}

/// Lists a folder with everything whose name begins with `.`: a host lists such a folder if it is asked for it.
fn list_with_hidden(host: &dyn Host, folder: &str) -> Result<Vec<Entry>, ReadError> {
    let mut found: Vec<Entry> = Vec::new();
    let mut waiting: Vec<Entry> = host.list_folder(folder)?;
    while let Some(entry) = waiting.pop() {
        if found.len() + waiting.len() > MAX_FILES {
            let most = group_digits(MAX_FILES as u64);
            return Err(ReadError::Other(format!("it has more than {most} files")));
        }
        if entry.kind != EntryKind::Hidden {
            found.push(entry);
            continue;
        }
        let path = format!("{folder}/{}", entry.path);
        match host.list_folder(&path) {
            Ok(inner) => waiting.extend(
                inner.into_iter().map(|inside| Entry { path: format!("{}/{}", entry.path, inside.path), ..inside }),
            ),
            Err(ReadError::Other(why)) if why == IS_LINK => found.push(Entry { kind: EntryKind::Link, ..entry }),
            // It is not a folder.
            Err(_) => {
                let size = host.read_at_most(&path, MAX_HIDDEN)?.len() as u64;
                found.push(Entry { kind: EntryKind::File(size), ..entry });
            }
        }
    }
    Ok(found)
}

/// The reason why a file cannot be in a lake.
struct EntryProblem {
    code: &'static Code,
    message: String,
    help: &'static str,
}

fn find_entry_problem(entry: &Entry) -> Option<EntryProblem> {
    let path = &entry.path;
    let (message, help) = match entry.kind {
        EntryKind::Link => {
            (format!("`{path}` is a link"), "put the file itself there, or move the link out of the folder")
        }
        EntryKind::Special => (format!("`{path}` is not a regular file"), "move it out of the folder"),
        EntryKind::Hidden => return None,
        EntryKind::NotUtf8 => (format!("the name of `{path}` is not UTF-8"), "rename the file"),
        EntryKind::File(_) if !model::path::is_composed(path) => (
            format!("`{path}` has a letter in two characters, which some systems store as one"),
            "rename the file in the composed form of Unicode (NFC)",
        ),
        EntryKind::File(_) => {
            (format!("its path `{path}` {}", model::path::describe_problem(path)?), "rename the file")
        }
    };
    Some(EntryProblem { code: Code::UNSAFE_PATH, message, help })
}

/// Finds files whose paths are the same on some systems.
fn find_case_clashes(entries: &[Entry]) -> impl Iterator<Item = EntryProblem> {
    let mut folded: BTreeMap<String, &str> = BTreeMap::new();
    entries.iter().filter(|entry| entry.kind != EntryKind::Hidden).filter_map(move |entry| {
        let first = folded.insert(model::path::fold_path(&entry.path), &entry.path)?;
        let message = format!("`{first}` and `{}` differ only in letter case", entry.path);
        Some(EntryProblem { code: Code::PATH_CLASH, message, help: "rename one of the two" })
    })
}
