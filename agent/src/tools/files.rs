//! Tools on files and folders.

use std::io::ErrorKind;
use std::path::Path;

use cap_std::fs::Dir;
use tabular::encoding::Encoding;

use crate::sandbox::Sandbox;
use crate::sandbox::capture::{self, Content, FILE_LIMIT};

/// The most entries that are listed.
const ENTRIES: usize = 2000;

/// A folder and all below it, a path a line, folders with a trailing `/`; links are named and not followed, except those to lakes.
pub fn list(sandbox: &Sandbox, path: &str) -> Result<String, String> {
    let path = inside(path)?;
    let found = sandbox.followed(path);
    let dir = found.dir.open_dir(found.path).map_err(|error| told(path, &error))?;
    let mut lines = Vec::new();
    below(sandbox, &dir, (path, ""), &mut lines).map_err(|error| told(path, &error))?;
    let cut = lines.len() > ENTRIES;
    lines.truncate(ENTRIES);
    if lines.is_empty() {
        lines.push("[empty]".to_owned());
    } else if cut {
        lines.push(format!("[cut: only {ENTRIES} entries are listed]"));
    }
    Ok(lines.join("\n"))
}

/// `root` is the path of the folder that is listed, and `prefix` what is between it and `dir`.
fn below(sandbox: &Sandbox, dir: &Dir, (root, prefix): (&str, &str), lines: &mut Vec<String>) -> std::io::Result<()> {
    let mut entries = dir.entries()?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(cap_std::fs::DirEntry::file_name);
    for entry in entries {
        if lines.len() > ENTRIES {
            return Ok(());
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type()?;
        if kind.is_dir() {
            lines.push(format!("{prefix}{name}/"));
            below(sandbox, &entry.open_dir()?, (root, &format!("{prefix}{name}/")), lines)?;
        } else if kind.is_symlink()
            && let lent = format!("{root}/{prefix}{name}")
            && let found = sandbox.followed(&lent)
            && found.is_lent
        {
            lines.push(format!("{prefix}{name}/"));
            below(sandbox, &found.dir.open_dir(found.path)?, (root, &format!("{prefix}{name}/")), lines)?;
        } else if kind.is_symlink() {
            lines.push(format!("{prefix}{name} [a link]"));
        } else {
            lines.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

/// A text file from a line on, in an encoding; without one it is UTF-8.
pub fn read(sandbox: &Sandbox, path: &str, from: u64, encoding: Option<&str>) -> Result<String, String> {
    let path = inside(path)?;
    let asked = match encoding {
        Some(name) => Some(Encoding::of(name).ok_or_else(|| {
            let known: Vec<&str> = Encoding::ALL.iter().map(|encoding| encoding.word()).collect();
            format!("`{name}` is not an encoding; write one of {}", known.join(", "))
        })?),
        None => None,
    };
    let bytes = bytes(sandbox, path)?;
    let text = match (asked, std::str::from_utf8(&bytes)) {
        // As it is, with its byte order mark.
        (None, Ok(text)) => text.to_owned(),
        (asked, _) => decoded(&bytes, path, asked.unwrap_or(Encoding::Utf8))?,
    };
    if from <= 1 {
        return Ok(text);
    }
    let skip = usize::try_from(from - 1).unwrap_or(usize::MAX);
    Ok(text.split_inclusive('\n').skip(skip).collect())
}

fn decoded(bytes: &[u8], path: &str, encoding: Encoding) -> Result<String, String> {
    let text = encoding.decode(bytes).map_err(|fault| {
        let before = if fault.before.is_empty() { String::new() } else { format!(" after `{}`", fault.before) };
        format!(
            "`{path}` is not text in {}: byte 0x{:02X} on line {}{before}; try another `encoding`",
            encoding.word(),
            fault.byte,
            fault.line
        )
    })?;
    Ok(text.into_owned())
}

/// All of a file.
pub fn bytes(sandbox: &Sandbox, path: &str) -> Result<Vec<u8>, String> {
    let found = sandbox.followed(path);
    match capture::read(found.dir, found.path, FILE_LIMIT).map_err(|error| told(path, &error))? {
        Content::Whole(bytes) => Ok(bytes),
        Content::TooLarge(size) => Err(format!("`{path}` is too large: {size} bytes")),
        Content::NoFile => Err(format!("`{path}` is not a file")),
    }
}

/// Writes a file, and the folders above it.
pub fn write(sandbox: &Sandbox, path: &str, content: &str) -> Result<String, String> {
    let path = inside(path)?;
    put(sandbox, path, content.as_bytes())?;
    Ok(format!("wrote {} bytes to {path}", content.len()))
}

/// Writes bytes in place of a file, or where nothing is.
pub fn put(sandbox: &Sandbox, path: &str, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(format!("{} bytes are too many for a file", bytes.len()));
    }
    not_lent(sandbox, path)?;
    // A FIFO or a device would keep us waiting.
    if sandbox.dir.metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(format!("`{path}` is not a file"));
    }
    let folder = Path::new(path).parent().filter(|folder| *folder != Path::new(""));
    let made = folder.map_or(Ok(()), |folder| sandbox.dir.create_dir_all(folder));
    made.and_then(|()| sandbox.dir.write(path, bytes)).map_err(|error| told(path, &error))
}

/// Removes a file, or a link; the folder that it was in stays.
pub fn remove(sandbox: &Sandbox, path: &str) -> Result<String, String> {
    let path = inside(path)?;
    not_lent(sandbox, path)?;
    let found = sandbox.dir.symlink_metadata(path).map_err(|error| told(path, &error))?;
    if found.is_dir() {
        return Err(format!("`{path}` is a folder; only files can be removed"));
    }
    sandbox.dir.remove_file(path).map_err(|error| told(path, &error))?;
    Ok(format!("removed {path}"))
}

/// Makes a folder, and those above it.
pub fn make_folder(sandbox: &Sandbox, path: &str) -> Result<String, String> {
    let path = inside(path)?;
    not_lent(sandbox, path)?;
    sandbox.dir.create_dir_all(path).map_err(|error| told(path, &error))?;
    Ok(format!("made {path}"))
}

/// Refuses to write to a lake that other sandboxes have too.
fn not_lent(sandbox: &Sandbox, path: &str) -> Result<(), String> {
    if sandbox.followed(path).is_lent { Err(format!("`{path}` is in a folder that can only be read")) } else { Ok(()) }
}

/// The path without what means nothing in it. What would leave the sandbox is refused when it is followed; an absolute one here, in plain words.
pub fn inside(path: &str) -> Result<&str, String> {
    let path = path.trim();
    if path.starts_with('/') {
        return Err(format!("`{path}` is absolute; write paths relative to the folder you are in"));
    }
    if path.contains('\0') {
        return Err("a path holds no NUL".to_owned());
    }
    let path = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
    Ok(if path.is_empty() { "." } else { path })
}

/// What went wrong, without telling where the sandbox is.
pub fn told(path: &str, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("`{path}` does not exist"),
        ErrorKind::IsADirectory => format!("`{path}` is a folder"),
        ErrorKind::NotADirectory => format!("`{path}`: there is a file where a folder should be"),
        ErrorKind::PermissionDenied => format!("`{path}` is outside of the folder you are in, or may not be used"),
        _ => format!("`{path}`: {error}"),
    }
}
