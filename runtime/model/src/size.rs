//! Sizes of files, in words.

use crate::value::group_digits;

/// Describes a file that is too large to be read, as a phrase after its path. `size` and `most` are in bytes, and shown in MiB from one MiB on.
///
/// ```
/// use model::size::describe_excess;
///
/// assert_eq!(describe_excess(3_000_000, 2 << 20), "it has 3 MiB, and may have 2 MiB");
/// assert_eq!(describe_excess(1_500, 1_000), "it has 1,500 bytes, and may have 1,000");
/// ```
pub fn describe_excess(size: u64, most: u64) -> String {
    let most = format_bytes(most);
    format!("it has {}, and may have {}", format_bytes(size), most.strip_suffix(" bytes").unwrap_or(&most))
}

/// Renders a number of bytes: `12 bytes`, or `3 MiB` (rounded up) from one MiB on.
pub fn format_bytes(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} bytes", group_digits(bytes)),
        _ => format!("{} MiB", group_digits(bytes.div_ceil(1 << 20))),
    }
}
