//! The types of files that file extensions indicate.

use crate::format::{Format, Holds, find_ending, has_ending, strip_gzip};

/// Types of files that are not text, with an article, and their extensions. Text matchers do not read them.
const UNREADABLE: &[(&str, &[&str])] = &[
    ("a workbook", &["xlsx"]),
    ("a workbook of another format", &["xls", "xlsb", "xlsm", "xltx", "ods"]),
    ("a database", &["db", "db3", "sqlite", "sqlite3", "sqlitedb"]),
    ("a database of another format", &["duckdb", "mdb", "accdb"]),
    ("a Parquet file", &["parquet"]),
    ("an Arrow file", &["arrow", "feather"]),
    ("an Avro file", &["avro"]),
    ("an ORC file", &["orc"]),
    ("a gzip file", &["gz", "tgz"]),
    ("a compressed file", &["bz2", "xz", "zst", "lz4", "br"]),
    ("an archive", &["zip", "7z", "tar", "rar", "jar", "whl", "deb", "rpm", "iso", "dmg"]),
    ("a document", &["pdf", "doc", "docx", "dotx", "odt", "ppt", "pptx", "odp", "epub"]),
    ("an image", &["png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "webp", "ico", "heic", "avif"]),
    ("a recording", &["mp3", "wav", "ogg", "flac", "m4a", "mp4", "mkv", "mov", "avi", "webm"]),
    (
        "a binary file",
        &[
            "bin", "exe", "dll", "so", "dylib", "o", "class", "pyc", "wasm", "pkl", "pickle", "npy", "npz", "h5",
            "hdf5", "mat", "rds",
        ],
    ),
];

/// Returns the type of a file with this path, if its extension indicates that it is not text. For a gzip file, the extension before `.gz` counts, if there
/// is one.
///
/// ```
/// use model::file_extensions::describe_unreadable;
///
/// assert_eq!(["a.csv", "a.csv.gz", "a"].map(describe_unreadable), [None; 3]);
/// assert_eq!(["a.gz", "a.tar.gz"].map(describe_unreadable), [Some("a gzip file"), Some("an archive")]);
/// ```
pub fn describe_unreadable(path: &str) -> Option<&'static str> {
    let inner = find_ending(strip_gzip(path));
    find_noun(inner.or_else(|| find_ending(path))?)
}

/// Finds the noun for files with an extension.
fn find_noun(ending: &str) -> Option<&'static str> {
    UNREADABLE.iter().find(|(_, endings)| has_ending(endings, ending)).map(|(noun, _)| *noun)
}

/// All extensions that begin with this are JSON.
const JSON: &str = "json";

/// Returns the extension of a path and the type of file that it indicates, if that is not a file of the format: `("gz", "a gzip file")`. Extensions
/// such as `.txt` and `.log` fit every text format, and `.gz` can follow
/// the extension of one. A text of the author's own may have any text extension, but not one for another type of file.
///
/// ```
/// use model::Format;
/// use model::file_extensions::find_wrong_ending;
///
/// assert_eq!(find_wrong_ending(Format::Csv, "orders.csv"), None);
/// assert_eq!(find_wrong_ending(Format::Csv, "orders.log"), None);
/// assert_eq!(find_wrong_ending(Format::Csv, "orders.csv.gz"), None);
/// assert_eq!(find_wrong_ending(Format::Sqlite, "orders.db.gz"), Some(("gz", "a gzip file")));
/// assert_eq!(find_wrong_ending(Format::Csv, "orders.JSON"), Some(("JSON", "a JSON file")));
/// ```
pub fn find_wrong_ending(format: Format, path: &str) -> Option<(&str, &'static str)> {
    let path = if format.is_packable() { strip_gzip(path) } else { path };
    let ending = find_ending(path)?;
    let is_text =
        |other: Format| other.text && format.text && (other.holds == Holds::Text || format.holds == Holds::Text);
    match Format::from_path(path) {
        _ if format.holds == Holds::Bytes => None,
        Some(own) if own == format || is_text(own) => None,
        Some(other) => Some((ending, other.noun)),
        None => find_noun(ending).map(|noun| (ending, noun)),
    }
}

/// Checks whether a path indicates JSON, or lines of JSON.
pub fn is_json(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.get(..JSON.len()).is_some_and(|start| start.eq_ignore_ascii_case(JSON))
        || has_ending(Format::Jsonl.endings, ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every format at every ending that is known, in any letter case and behind another one.
    #[test]
    fn only_its_own_endings_fit_a_format() {
        let own =
            Format::ALL.iter().flat_map(|format| format.endings.iter().map(move |ending| (*ending, Some(*format))));
        let others = UNREADABLE.iter().flat_map(|(_, endings)| endings.iter().map(|ending| (*ending, None)));
        let others = others.filter(|(ending, _)| Format::from_path(&format!("a.{ending}")).is_none());
        let unknown = ["md", "dat", "geojson", "py", "1"];
        let all: Vec<(&str, Option<Format>)> = own.chain(others).collect();
        for format in Format::ALL {
            for (ending, of) in &all {
                for path in [format!("a.{ending}"), format!("x/b.csv.{}", ending.to_uppercase())] {
                    let fits = match (format, of) {
                        (Format::File, _) => true,
                        // What is packed has the extension before it: `a.gz` has none.
                        (format, None) if *ending == "gz" && format.is_packable() => {
                            path == "a.gz" || matches!(format, Format::Csv | Format::Text)
                        }
                        (format, Some(of)) if format == of => true,
                        // A text of any kind.
                        (Format::Text, Some(of)) => of.text,
                        (format, Some(Format::Text)) => format.text,
                        _ => false,
                    };
                    assert_eq!(find_wrong_ending(*format, &path).is_none(), fits, "{format:?} at {path}");
                }
            }
            for ending in unknown {
                assert_eq!(find_wrong_ending(*format, &format!("a.{ending}")), None);
            }
            assert_eq!(find_wrong_ending(*format, "folder.arrow/name"), None);
        }
        assert_eq!(find_wrong_ending(Format::Csv, "t.json.gz"), Some(("json", "a JSON file")));
        assert_eq!(find_wrong_ending(Format::Csv, "t.JSON"), Some(("JSON", "a JSON file")));
    }

    #[test]
    fn no_ending_of_a_text_is_unreadable() {
        let texts = Format::ALL.iter().filter(|format| format.text).flat_map(|format| format.endings);
        for ending in
            texts.copied().chain(["md", "py", "sql", "toml", "ini", "svg", "jsonl", "ndjson", "geojson", "srt", ""])
        {
            assert_eq!(describe_unreadable(&format!("a.png/b.{ending}")), None, "{ending}");
        }
        for format in Format::ALL.iter().filter(|format| !format.text) {
            for ending in format.endings {
                assert_eq!(
                    describe_unreadable(&format!("a/b.{}", ending.to_uppercase())),
                    Some(format.noun),
                    "{ending}"
                );
            }
        }
        let mut endings: Vec<&str> = UNREADABLE.iter().flat_map(|(_, endings)| *endings).copied().collect();
        let count = endings.len();
        endings.sort_unstable();
        endings.dedup();
        assert_eq!(endings.len(), count);
    }

    #[test]
    fn json_is_told_by_its_endings() {
        assert!(["a.json", "a.JSONL", "b.ndjson", "a.json5"].iter().all(|path| is_json(path)));
        assert!(!["a.geojson.txt", "json", "a.js"].iter().any(|path| is_json(path)));
    }
}
