//! The types of files that file extensions indicate.

use crate::format::{Format, Holds, find_ending, find_noun, has_ending, strip_gzip};

/// Extensions of other files, and their types.
const OTHERS: &[(&str, &[&str])] = &[
    ("a gzip file", &["gz", "tgz"]),
    ("a compressed file", &["bz2", "xz", "zst", "lz4", "br"]),
    ("an archive", &["zip", "7z", "tar", "rar"]),
    ("an Arrow file", &["arrow", "feather"]),
    ("an Avro file", &["avro"]),
    ("an ORC file", &["orc"]),
    ("a workbook of another format", &["xls", "xlsb", "xlsm", "ods"]),
    ("a DuckDB database", &["duckdb"]),
    ("a document", &["pdf", "doc", "docx", "odt", "ppt", "pptx"]),
    ("a picture", &["png", "jpg", "jpeg", "gif", "webp"]),
];

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
        None => find_noun(OTHERS, ending).map(|noun| (ending, noun)),
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
        let others = OTHERS.iter().flat_map(|(_, endings)| endings.iter().map(|ending| (*ending, None)));
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
    fn json_is_told_by_its_endings() {
        assert!(["a.json", "a.JSONL", "b.ndjson", "a.json5"].iter().all(|path| is_json(path)));
        assert!(!["a.geojson.txt", "json", "a.js"].iter().any(|path| is_json(path)));
    }
}
