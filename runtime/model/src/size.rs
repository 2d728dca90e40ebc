//! Sizes of files, in words.

use crate::value::group_digits;

/// Says that a file is too large to be read, in words that follow its path. `size` and `most` in bytes; from a mebibyte on they are shown in those.
pub fn describe_excess(size: u64, most: u64) -> String {
    let most = format_bytes(most);
    format!("it has {}, and may have {}", format_bytes(size), most.strip_suffix(" bytes").unwrap_or(&most))
}

/// A number of bytes: `12 bytes`; from a mebibyte on, `3 MiB`, rounded up.
pub fn format_bytes(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} bytes", group_digits(bytes)),
        _ => format!("{} MiB", group_digits(bytes.div_ceil(1 << 20))),
    }
}
