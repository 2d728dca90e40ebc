//! Sizes of files, in words.

use crate::value::grouped;

/// Says that a file is too large to be read, in words that follow its path. `size` and `most` in bytes; from a mebibyte on they are shown in those.
pub fn too_large(size: u64, most: u64) -> String {
    let most = shown(most);
    format!("it has {}, and may have {}", shown(size), most.strip_suffix(" bytes").unwrap_or(&most))
}

/// A number of bytes: `12 bytes`; from a mebibyte on, `3 MiB`, rounded up.
pub fn shown(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} bytes", grouped(bytes)),
        _ => format!("{} MiB", grouped(bytes.div_ceil(1 << 20))),
    }
}
