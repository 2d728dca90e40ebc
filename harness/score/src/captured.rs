//! The kind of what is at a path: nothing, a file, a folder.

use records::{Captured, Reason};

/// Returns why it is not a file; `None` if it is one.
pub fn refuse_file(found: &Captured) -> Option<Reason> {
    match found {
        Captured::Absent => Some(Reason::NoFile),
        file => (!file.is_file()).then_some(Reason::WrongKind),
    }
}

/// Returns why it is not a folder; `None` if it is one.
pub fn refuse_folder(found: &Captured) -> Option<Reason> {
    match found {
        Captured::Absent => Some(Reason::NoFile),
        Captured::Folder => None,
        _ => Some(Reason::WrongKind),
    }
}

/// Describes the content of a path for people.
pub fn describe_kind(found: &Captured) -> String {
    match found {
        Captured::Absent => "nothing".to_owned(),
        Captured::Folder => "a folder".to_owned(),
        Captured::Other { what } => what.clone(),
        Captured::Paths { .. } => "a list of paths".to_owned(),
        _ => "a file".to_owned(),
    }
}
