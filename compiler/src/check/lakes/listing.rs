//! The files of a lake: all regular files below its folder, but for those that are hidden.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::Span;
use model::listing::{Entry, EntryKind};

use crate::check::model::{Checker, LakeFile};
use crate::check::say::{all_of_words, counted};
use crate::diagnostics::{Code, Diagnostic};
use crate::host::ReadError;

/// The most files of one lake that are told to be wrong one by one.
const SHOWN: usize = 5;

impl Checker<'_> {
    /// The files below a lake's folder, by the bytes of their paths; `None` where they cannot be told, which has been said.
    pub(super) fn lake_files(&mut self, name: &str, at: Span) -> Option<Arc<[LakeFile]>> {
        let folder = format!("{}{name}", self.project.folder);
        let mut entries = match self.host.list(&folder) {
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
                self.say(said.help(help));
                return None;
            }
        };
        entries.sort();
        let wrong: Vec<Wrong> = entries.iter().filter_map(wrong_with).chain(twins(&entries)).collect();
        for found in wrong.iter().take(SHOWN) {
            let message = format!("a file of `{name}` cannot be in a lake: {}", found.message);
            let said = Diagnostic::new(found.code, message, at, "a lake is all files of this folder");
            let help = match wrong.len().checked_sub(SHOWN) {
                Some(more @ 1..) => format!("{}; {} more cannot be in it", found.help, counted(more as u32, "file")),
                _ => found.help.to_owned(),
            };
            self.say(said.help(help));
        }
        if !wrong.is_empty() {
            return None;
        }
        self.say_left_out(name, &entries, at);
        let files = entries.into_iter().filter_map(|entry| match entry.kind {
            EntryKind::File(size) => Some(LakeFile { path: entry.path, size }),
            EntryKind::Link | EntryKind::Special | EntryKind::NotUtf8 | EntryKind::Hidden => None,
        });
        Some(files.collect())
    }

    /// Says how many files and folders are left out of a lake because their names begin with `.`.
    fn say_left_out(&mut self, name: &str, entries: &[Entry], at: Span) {
        let hidden = || entries.iter().filter(|entry| entry.kind == EntryKind::Hidden);
        let count = hidden().count();
        if count == 0 {
            return;
        }
        let what = if count == 1 {
            "1 file or folder".to_owned()
        } else {
            format!("{} files and folders", model::value::grouped(count as u64))
        };
        let message = format!("{what} of `{name}` {} not in the lake", if count == 1 { "is" } else { "are" });
        let shown = all_of_words(hidden().take(SHOWN).map(|entry| entry.path.as_str()));
        let more = match count.checked_sub(SHOWN) {
            Some(more @ 1..) => format!("; {} more", model::value::grouped(more as u64)),
            _ => String::new(),
        };
        let said = Diagnostic::new(Code::LEFT_OUT, message, at, "names with a leading `.` stay out");
        self.say(said.note(format!("left out: {shown}{more}")).help(
            "rename what agents need; if they do not need it, write in `suite`: allow left_out \"agents do not need it\"",
        ));
    }
}

/// Why a file cannot be in a lake.
struct Wrong {
    code: &'static Code,
    message: String,
    help: &'static str,
}

fn wrong_with(entry: &Entry) -> Option<Wrong> {
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
        EntryKind::File(_) => (format!("its path `{path}` {}", model::path::wrong_with(path)?), "rename the file"),
    };
    Some(Wrong { code: Code::UNSAFE_PATH, message, help })
}

/// Files whose paths are one on some systems.
fn twins(entries: &[Entry]) -> impl Iterator<Item = Wrong> {
    let mut folded: BTreeMap<String, &str> = BTreeMap::new();
    entries.iter().filter(|entry| entry.kind != EntryKind::Hidden).filter_map(move |entry| {
        let first = folded.insert(model::path::folded(&entry.path), &entry.path)?;
        let message = format!("`{first}` and `{}` differ only in letter case", entry.path);
        Some(Wrong { code: Code::PATH_CLASH, message, help: "rename one of the two" })
    })
}
