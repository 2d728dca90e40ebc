//! Writes file content as `data:` URIs, inside the line of an instance.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::Format;

/// Appends `data:<mime>;base64,…`, in which no character needs escaping. The media type follows from the path's extension.
pub(super) fn write_data_uri(out: &mut Vec<u8>, path: &str, bytes: &[u8]) {
    out.extend_from_slice(b"data:");
    out.extend_from_slice(choose_media_type(path).as_bytes());
    out.extend_from_slice(b";base64,");
    let start = out.len();
    // `encoded_len` is exact, and `None` only beyond the address space.
    let room = base64::encoded_len(bytes.len(), true).unwrap_or(0);
    out.resize(start + room, 0);
    let written = STANDARD.encode_slice(bytes, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
}

/// Returns the media type of a path. It has no parameters, because some readers of data URIs (Inspect among them) reject them.
fn choose_media_type(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match (Format::from_path(path), ending.to_ascii_lowercase().as_str()) {
        (Some(format), _) => format.media_type,
        (None, "html" | "htm") => "text/html",
        (None, "md") => "text/markdown",
        (None, _) => Format::File.media_type,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(path: &str, bytes: &[u8]) -> String {
        let mut out = Vec::new();
        write_data_uri(&mut out, path, bytes);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn data_uris() {
        assert_eq!(uri("a/b.CSV", b"x,y\n"), "data:text/csv;base64,eCx5Cg==");
        assert_eq!(uri("empty", b""), "data:application/octet-stream;base64,");
        assert_eq!(uri("shop.db", &[0xff, 0, 0x10]), "data:application/vnd.sqlite3;base64,/wAQ");
    }
}
