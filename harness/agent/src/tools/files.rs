//! Tools for files and folders.

use std::ops::ControlFlow;

use cap_std::fs::Dir;
use disk::{Kind, Unfinished, WalkLimits};
use tables::encoding::Encoding;

use super::ToolError;
use crate::sandbox::Sandbox;
use crate::sandbox::capture::{self, Content, FILE_LIMIT};

/// The maximum number of listed entries.
const ENTRIES: usize = 2000;

/// The limits of the walk for a list.
const MAX_WALK: WalkLimits = WalkLimits { entries: 1_000_000, path: 4096, bytes: 64 << 20 };

/// Lists everything below a folder: one path per line, folders with a trailing `/`. Links are listed but not followed, except those to lakes.
pub fn list_folder(sandbox: &Sandbox, path: &str) -> Result<String, ToolError> {
    let path = normalize_path(path)?;
    let found = sandbox.follow_link(path);
    let dir = found.dir.open_dir(found.path).map_err(|error| ToolError::from_io(path, &error))?;
    let mut lines = Vec::new();
    let mut links = Vec::new();
    let failed = |(below, error): (String, std::io::Error)| ToolError::from_io(&join_path(path, &below), &error);
    list_below(&dir, "", &mut lines, Some(&mut links)).map_err(failed)?;
    // Links to lakes appear as folders with their contents. They are replaced from the last to the first, so the places of the others do not change.
    for (at, link) in links.into_iter().rev() {
        let full = join_path(path, &link);
        let found = sandbox.follow_link(&full);
        if !found.is_lent {
            continue;
        }
        let lake = found.dir.open_dir(found.path).map_err(|error| ToolError::from_io(&full, &error))?;
        let mut inner = vec![format!("{link}/")];
        list_below(&lake, &format!("{link}/"), &mut inner, None).map_err(failed)?;
        lines.splice(at..=at, inner);
    }
    let cut = lines.len() > ENTRIES;
    lines.truncate(ENTRIES);
    if lines.is_empty() {
        lines.push("[empty]".to_owned());
    } else if cut {
        lines.push(format!("[cut: only {ENTRIES} entries are listed]"));
    }
    Ok(lines.join("\n"))
}

fn join_path(folder: &str, path: &str) -> String {
    if path.is_empty() { folder.to_owned() } else { format!("{folder}/{path}") }
}

/// Adds a line for each entry below a folder, until there are enough, and records which lines are links. Fails with the path of a folder that cannot be read.
fn list_below(
    dir: &Dir,
    prefix: &str,
    lines: &mut Vec<String>,
    mut links: Option<&mut Vec<(usize, String)>>,
) -> Result<(), (String, std::io::Error)> {
    let walked = disk::walk_folder(dir, MAX_WALK, |path, kind| {
        if lines.len() > ENTRIES {
            return ControlFlow::Break(());
        }
        let after = match kind {
            Kind::Folder => "/",
            Kind::Link => " [a link]",
            Kind::File | Kind::Special => "",
        };
        if kind == Kind::Link
            && let Some(links) = &mut links
        {
            links.push((lines.len(), path.to_owned()));
        }
        lines.push(format!("{prefix}{path}{after}"));
        ControlFlow::Continue(())
    });
    match walked {
        Ok(()) => Ok(()),
        Err(Unfinished::Unreadable(path, error)) => Err((format!("{prefix}{path}"), error)),
        Err(Unfinished::TooMuch(seen)) => {
            Err((prefix.to_owned(), std::io::Error::other(format!("there are {seen} entries and more"))))
        }
    }
}

/// Reads a text file from a line on, in an encoding; the default is UTF-8.
pub fn read_text(sandbox: &Sandbox, path: &str, from: u64, encoding: Option<&str>) -> Result<String, ToolError> {
    let path = normalize_path(path)?;
    let asked = match encoding {
        Some(name) => Some(Encoding::from_word(name).ok_or_else(|| {
            let known: Vec<&str> = Encoding::ALL.iter().map(|encoding| encoding.word()).collect();
            ToolError::Call(format!("`{name}` is not an encoding; write one of {}", known.join(", ")))
        })?),
        None => None,
    };
    let bytes = read_bytes(sandbox, path)?;
    let text = match (asked, std::str::from_utf8(&bytes)) {
        // The text is unchanged and may begin with a byte order mark.
        (None, Ok(text)) => text.to_owned(),
        (asked, _) => decode_text(&bytes, path, asked.unwrap_or(Encoding::Utf8))?,
    };
    if from <= 1 {
        return Ok(text);
    }
    let skip = usize::try_from(from - 1).unwrap_or(usize::MAX);
    Ok(text.split_inclusive('\n').skip(skip).collect())
}

fn decode_text(bytes: &[u8], path: &str, encoding: Encoding) -> Result<String, ToolError> {
    let text = encoding.decode(bytes).map_err(|fault| {
        let before = if fault.before.is_empty() { String::new() } else { format!(" after `{}`", fault.before) };
        let (encoding, byte, line) = (encoding.word(), fault.byte, fault.line);
        let fault =
            format!(" is not text in {encoding}: byte 0x{byte:02X} on line {line}{before}; try another `encoding`");
        ToolError::new_path(path, fault)
    })?;
    Ok(text.into_owned())
}

/// Reads a whole file.
pub fn read_bytes(sandbox: &Sandbox, path: &str) -> Result<Vec<u8>, ToolError> {
    let found = sandbox.follow_link(path);
    match capture::read_within(found.dir, found.path, FILE_LIMIT).map_err(|error| ToolError::from_io(path, &error))? {
        Content::Whole(bytes) => Ok(bytes),
        Content::TooLarge(size) => Err(ToolError::new_path(path, format!(" is too large: {size} bytes"))),
        Content::NoFile => Err(ToolError::new_path(path, " is not a file")),
    }
}

/// Writes a text file, and creates the folders above it.
pub fn write_text(sandbox: &Sandbox, path: &str, content: &str) -> Result<String, ToolError> {
    let path = normalize_path(path)?;
    write_bytes(sandbox, path, content.as_bytes())?;
    Ok(format!("wrote {} bytes to {path}", content.len()))
}

/// Writes a new file, or replaces an existing one.
pub fn write_bytes(sandbox: &Sandbox, path: &str, bytes: &[u8]) -> Result<(), ToolError> {
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(ToolError::Call(format!("{} bytes are too many for a file", bytes.len())));
    }
    check_writable(sandbox, path)?;
    // Writing to a FIFO or a device could block.
    if sandbox.dir.metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(ToolError::new_path(path, " is not a file"));
    }
    let written = sandbox.create_parent(path).and_then(|()| sandbox.dir.write(path, bytes));
    written.map_err(|error| ToolError::from_io(path, &error))
}

/// Removes a file or a link; its folder stays.
pub fn remove_file(sandbox: &Sandbox, path: &str) -> Result<String, ToolError> {
    let path = normalize_path(path)?;
    check_writable(sandbox, path)?;
    let found = sandbox.dir.symlink_metadata(path).map_err(|error| ToolError::from_io(path, &error))?;
    if found.is_dir() {
        return Err(ToolError::new_path(path, " is a folder; only files can be removed"));
    }
    sandbox.dir.remove_file(path).map_err(|error| ToolError::from_io(path, &error))?;
    Ok(format!("removed {path}"))
}

/// Creates a folder, and those above it.
pub fn make_folder(sandbox: &Sandbox, path: &str) -> Result<String, ToolError> {
    let path = normalize_path(path)?;
    check_writable(sandbox, path)?;
    sandbox.dir.create_dir_all(path).map_err(|error| ToolError::from_io(path, &error))?;
    Ok(format!("made {path}"))
}

/// Refuses to write to a lake that other sandboxes share.
fn check_writable(sandbox: &Sandbox, path: &str) -> Result<(), ToolError> {
    if sandbox.follow_link(path).is_lent {
        Err(ToolError::new_path(path, " is in a folder that can only be read"))
    } else {
        Ok(())
    }
}

/// Removes redundant parts of a path. An absolute path is refused here with a clear message; one that leaves the sandbox is refused when it is opened.
pub fn normalize_path(path: &str) -> Result<&str, ToolError> {
    let path = path.trim();
    if path.starts_with('/') {
        return Err(ToolError::new_path(path, " is absolute; write paths relative to the folder you are in"));
    }
    if path.contains('\0') {
        return Err(ToolError::Call("a path holds no NUL".to_owned()));
    }
    let path = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
    Ok(if path.is_empty() { "." } else { path })
}
