//! Conversions between the URIs of editors and the paths of the compiler.

use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The scheme of documents that are not files: the standard library (`picardc:/stdlib/1/functions.pcd`) and the pages of codes (`picardc:/explain/E0203.md`).
pub const SCHEME: &str = "picardc";

/// The characters of a path that a URI contains as numbers.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The path of a URI: the decoded path of a `file:` URI, or any other URI unchanged.
pub fn to_path(uri: &Uri) -> String {
    let Some(rest) = uri.as_ref().strip_prefix("file://") else { return uri.as_ref().to_owned() };
    // Hosts are not supported; `localhost` is ignored.
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = percent_decode_str(rest).decode_utf8_lossy().into_owned();
    // `/C:/suite.pcd`
    match decoded.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => decoded.get(1..).unwrap_or("").to_owned(),
        _ => decoded,
    }
}

/// The URI of a path.
pub fn from_path(path: &str) -> Uri {
    if let Some(name) = path.strip_prefix("<stdlib>/") {
        return Uri(format!("{SCHEME}:/stdlib/{name}"));
    }
    if path.starts_with('/') {
        return Uri(format!("file://{}", utf8_percent_encode(path, ENCODED)));
    }
    let drive = matches!(path.as_bytes(), [drive, b':', b'/', ..] if drive.is_ascii_alphabetic());
    if drive { Uri(format!("file:///{}", utf8_percent_encode(path, ENCODED))) } else { Uri(path.to_owned()) }
}

/// The URI of a code's page.
pub fn build_page_uri(code: &str) -> Uri {
    Uri(format!("{SCHEME}:/explain/{code}.md"))
}

/// Whether a URI names a document that is not a file.
pub fn is_virtual(uri: &Uri) -> bool {
    uri.as_ref().strip_prefix(SCHEME).is_some_and(|rest| rest.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris() {
        for (uri, wanted) in [
            ("file:///a/b.pcd", "/a/b.pcd"),
            ("file://localhost/a/b.pcd", "/a/b.pcd"),
            ("file:///a%20b/%C3%A4.pcd", "/a b/ä.pcd"),
            ("file:///C%3A/x.pcd", "C:/x.pcd"),
            ("file:///50%.pcd", "/50%.pcd"),
            ("untitled:Untitled-1", "untitled:Untitled-1"),
        ] {
            assert_eq!(to_path(&Uri(uri.to_owned())), wanted);
        }
        for path_there in ["/a/b.pcd", "/a b/ä%.pcd", "C:/x y.pcd", "untitled:Untitled-1"] {
            assert_eq!(to_path(&from_path(path_there)), path_there);
        }
        assert_eq!(from_path("<stdlib>/1/domains.pcd").as_ref(), "picardc:/stdlib/1/domains.pcd");
    }
}
