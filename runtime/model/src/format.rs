//! The formats of files: one record for each, with all its properties except writing and reading. The writers are in the runtime
//! (`runtime/src/generate`), the readers of fixtures in the compiler (`compiler/hir/src/fixture`).

use std::ops::Deref;

crate::worded! {
    /// The format of a file. It dereferences to its record.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum Format {
        Csv = "csv",
        Tsv = "tsv",
        Sqlite = "sqlite",
        // Before `json`: the grammar tries the words in this order.
        Jsonl = "jsonl",
        Json = "json",
        Yaml = "yaml",
        Xml = "xml",
        Text = "text",
        Xlsx = "xlsx",
        Parquet = "parquet",
        Html = "html",
        File = "file",
    }
}

crate::words_in_json!(Format);

/// The content of files of a format, which determines their declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// One table with a header. This character separates cells, unless an option names another; 0 if each row is an object of JSON on a line of
    /// its own, whose keys are the header.
    Cells(u8),
    /// Several tables that SQL can read: a database.
    Database,
    /// One or several tables, each with a name and a header.
    Tables,
    /// One table whose columns have names and types, and whose cells have values.
    Columns,
    /// Objects, arrays, and single values, declared or computed.
    Tree,
    /// XML: elements with attributes and text, below a named root element.
    Elements,
    /// Text: drawn, computed, or one line for each row.
    Text,
    /// A page with tables. It is only read, never written.
    Page,
    /// Any bytes, which are only copied from a fixture.
    Bytes,
}

/// The properties of a format. Fields that a record omits have the values of [`Record::BASE`].
#[derive(Debug)]
pub struct Record {
    /// The noun for such a file in messages, with its article: `a CSV file`.
    pub noun: &'static str,
    /// The content that it can have.
    pub holds: Holds,
    /// Whether the file is UTF-8 text whose lines and words can be read.
    pub text: bool,
    /// Whether its numbers are doubles, which have 15 significant digits.
    pub doubles: bool,
    /// File extensions, in lower case and without the dot.
    pub endings: &'static [&'static str],
    /// Its media type, without parameters.
    pub media_type: &'static str,
    /// Options allowed after the path of a written file.
    pub writing: &'static [&'static str],
    /// Options allowed after the path of a table that is read.
    pub reading: &'static [&'static str],
    /// Whether a fixture with such an extension is read as a whole, without any option.
    pub fixture: bool,
    /// The format whose functions read it too: `csv_value` reads TSV files.
    pub library: Option<Format>,
    /// The content that such a file needs, for a message about other content.
    pub needs: &'static str,
    /// An example of a declaration, for the same message. The file's name replaces `NAME` after the word.
    pub example: &'static str,
    /// The text that an editor inserts, with placeholders such as `${1:…}`.
    pub snippet: &'static str,
    /// Its description, in one sentence.
    pub doc: &'static str,
}

const CELLS: &str = "a table file needs rows and columns";
const TREE: &str = "such a file needs fields, an array, or a computed value";

impl Record {
    const BASE: Record = Record {
        noun: "a file",
        holds: Holds::Bytes,
        text: false,
        doubles: false,
        endings: &[],
        media_type: "application/octet-stream",
        writing: &[],
        reading: &[],
        fixture: true,
        library: None,
        needs: "",
        example: "",
        snippet: "",
        doc: "",
    };
}

impl Format {
    /// Returns the record of the format.
    pub const fn record(self) -> &'static Record {
        match self {
            Format::Csv => &Record {
                noun: "a CSV file",
                holds: Holds::Cells(b','),
                text: true,
                endings: &["csv"],
                media_type: "text/csv",
                writing: &["delimiter", "encoding", "quoted", "crlf", "bom", "above", "below", "header"],
                reading: &["delimiter", "encoding", "header", "skip", "until", "missing"],
                needs: CELLS,
                example: "write: csv NAME at \"file.csv\" { rows 50  NAME : person_name  … }",
                snippet: "csv ${1:name} at \"${2:name.csv}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
                doc: "A CSV file: rows and columns, a fixture, or a reusable table's columns.",
                ..Record::BASE
            },
            Format::Tsv => &Record {
                noun: "a TSV file",
                holds: Holds::Cells(b'\t'),
                text: true,
                endings: &["tsv"],
                media_type: "text/tab-separated-values",
                writing: &["encoding", "quoted", "crlf", "bom", "above", "below", "header"],
                reading: &["encoding", "header", "skip", "until", "missing"],
                library: Some(Format::Csv),
                needs: CELLS,
                example: "write: tsv NAME at \"file.tsv\" { rows 50  NAME : person_name  … }",
                snippet: "tsv ${1:name} at \"${2:name.tsv}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
                doc: "A file of cells between tabs.",
                ..Record::BASE
            },
            Format::Sqlite => &Record {
                noun: "a database",
                holds: Holds::Database,
                endings: &["db", "sqlite", "sqlite3"],
                media_type: "application/vnd.sqlite3",
                needs: "a database needs tables",
                example: "write: sqlite NAME at \"file.db\" { table people { rows 50  ID : serial  … } }",
                snippet: "sqlite ${1:db} at \"${2:data.db}\" {\n  table ${3:orders} {\n    rows ${4:50}\n    ${5:ID} : serial\n  }\n}",
                doc: "An SQLite database of one or more tables.",
                ..Record::BASE
            },
            Format::Jsonl => &Record {
                noun: "a JSON Lines file",
                holds: Holds::Cells(0),
                text: true,
                endings: &["jsonl", "ndjson"],
                writing: &["encoding", "crlf", "bom"],
                reading: &["encoding", "missing"],
                fixture: false,
                needs: CELLS,
                example: "write: jsonl NAME at \"file.jsonl\" { rows 50  NAME : person_name  … }",
                snippet: "jsonl ${1:name} at \"${2:name.jsonl}\" {\n  rows ${3:75}\n  ${4:key} : ${5:word}\n}",
                doc: "A table with a JSON object on each line.",
                ..Record::BASE
            },
            Format::Json => &Record {
                noun: "a JSON file",
                holds: Holds::Tree,
                text: true,
                endings: &["json"],
                media_type: "application/json",
                reading: &["at"],
                needs: TREE,
                example: "write: json NAME at \"file.json\" { region : region  items : [ { … } ; 5 ] }   or: … : [ { … } ; 5 ]   or: … = { a: 1 }",
                snippet: "json ${1:name} at \"${2:name.json}\" {\n  ${3:key} : ${4:word}\n}",
                doc: "A JSON file of declared shape, or computed.",
                ..Record::BASE
            },
            Format::Yaml => &Record {
                noun: "a YAML file",
                holds: Holds::Tree,
                text: true,
                endings: &["yaml", "yml"],
                media_type: "application/yaml",
                reading: &["at"],
                needs: TREE,
                example: "write: yaml NAME at \"file.yaml\" { region : region  items : [ { … } ; 5 ] }   or: … : [ { … } ; 5 ]   or: … = { a: 1 }",
                snippet: "yaml ${1:name} at \"${2:name.yaml}\" {\n  ${3:key} : ${4:word}\n}",
                doc: "A YAML file of declared shape, or computed.",
                ..Record::BASE
            },
            Format::Xml => &Record {
                noun: "an XML file",
                holds: Holds::Elements,
                text: true,
                endings: &["xml"],
                media_type: "application/xml",
                reading: &["at", "missing"],
                fixture: false,
                needs: "an XML file needs elements",
                example: "write: xml NAME at \"file.xml\" catalog { @id : serial  item : [ { … } ; 5 ] }",
                snippet: "xml ${1:name} at \"${2:name.xml}\" ${3:root} {\n  ${4:element} : ${5:word}\n}",
                doc: "An XML file of declared shape.",
                ..Record::BASE
            },
            Format::Text => &Record {
                noun: "a text file",
                holds: Holds::Text,
                text: true,
                endings: &["txt", "log"],
                media_type: "text/plain",
                writing: &["encoding", "crlf", "bom", "above", "below"],
                reading: &["encoding", "skip", "until", "missing"],
                needs: "a text file needs a domain, a value, or lines",
                example: "write: text NAME at \"file.txt\" : lorem lines 100   or: … = \"text\"   or: … { rows 50  line \"…\"  … }",
                snippet: "text ${1:name} at \"${2:notes.txt}\" : ${3:lorem lines 100}",
                doc: "A text: drawn, computed, or a line for each row.",
                ..Record::BASE
            },
            Format::Xlsx => &Record {
                noun: "a workbook",
                holds: Holds::Tables,
                doubles: true,
                endings: &["xlsx"],
                media_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                reading: &["sheet", "header", "skip", "until", "missing"],
                needs: "a workbook needs tables",
                example: "write: xlsx NAME at \"file.xlsx\" { table people { rows 50  ID : serial  … } }",
                snippet: "xlsx ${1:name} at \"${2:book.xlsx}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
                doc: "An Excel workbook, one sheet a table.",
                ..Record::BASE
            },
            Format::Parquet => &Record {
                noun: "a Parquet file",
                holds: Holds::Columns,
                endings: &["parquet"],
                media_type: "application/vnd.apache.parquet",
                reading: &["missing"],
                fixture: false,
                needs: CELLS,
                example: "write: parquet NAME at \"file.parquet\" { rows 50  NAME : person_name  … }",
                snippet: "parquet ${1:name} at \"${2:name.parquet}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
                doc: "A table as a Parquet file, whose columns have types.",
                ..Record::BASE
            },
            Format::Html => &Record {
                noun: "an HTML page",
                holds: Holds::Page,
                text: true,
                endings: &["html", "htm"],
                media_type: "text/html",
                reading: &["at", "encoding", "header", "skip", "until", "missing"],
                fixture: false,
                needs: "an HTML page needs a fixture",
                example: "an HTML page is read, not written: html NAME at \"page.html\" from \"page.html\"",
                snippet: "html ${1:name} at \"${2:page.html}\" from \"${3:fixtures/page.html}\"",
                doc: "An HTML page whose tables are read.",
                ..Record::BASE
            },
            Format::File => &Record {
                needs: "a `file` needs a fixture",
                example: "a `file` is copied from a fixture: file NAME at \"data.csv\" from \"fixture.csv\"",
                snippet: "file ${1:name} at \"${2:name}\" from \"${3:fixtures/name}\"",
                doc: "A file that is copied in as it is.",
                ..Record::BASE
            },
        }
    }

    /// Returns the format that the extension of a path indicates, in any letter case.
    ///
    /// ```
    /// use model::Format;
    ///
    /// assert_eq!(Format::from_path("data/a.b.CSV"), Some(Format::Csv));
    /// assert_eq!(Format::from_path("conf.yml"), Some(Format::Yaml));
    /// assert_eq!((Format::from_path("a.csv.gz"), Format::from_path("csv")), (None, None));
    /// ```
    pub fn from_path(path: &str) -> Option<Format> {
        let ending = find_ending(path)?;
        Format::ALL.iter().copied().find(|format| has_ending(format.endings, ending))
    }

    /// Returns the formats that accept an option after the path of a written file, or of a table that is read.
    pub fn filter_by_option(
        option: &str,
        options: fn(&Record) -> &'static [&'static str],
    ) -> impl Iterator<Item = Format> {
        Format::ALL.iter().copied().filter(move |format| options(format).contains(&option))
    }

    /// Returns the noun for such a file in messages, without its article: `CSV file`.
    pub fn bare_noun(self) -> &'static str {
        self.noun.split_once(' ').map_or(self.noun, |(_, bare)| bare)
    }

    /// Returns the same without `file`: `CSV`.
    pub fn name(self) -> &'static str {
        self.bare_noun().strip_suffix(" file").unwrap_or(self.bare_noun())
    }

    /// Renders an example of a declaration with this name.
    pub fn build_example(self, name: &str) -> String {
        let word = self.word();
        self.example.replacen(&format!("{word} NAME"), &format!("{word} {name}"), 1)
    }

    /// Checks whether it is one table of cells.
    pub fn is_cells(self) -> bool {
        matches!(self.holds, Holds::Cells(_))
    }

    /// Checks whether a reader of rows finds values with types in it: a workbook or a Parquet file.
    pub fn has_typed_cells(self) -> bool {
        matches!(self.holds, Holds::Tables | Holds::Columns)
    }

    /// Checks whether it contains objects and arrays: JSON, YAML, or XML.
    pub fn is_tree(self) -> bool {
        matches!(self.holds, Holds::Tree | Holds::Elements)
    }

    /// Checks whether the cells of a record are found by their keys, never by their positions: JSON, JSON Lines, YAML, XML, or Parquet.
    pub fn has_keys(self) -> bool {
        self.is_tree() || matches!(self, Format::Jsonl | Format::Parquet)
    }

    /// Checks whether files whose names end in `.gz` are packed: those of a text format that is written.
    pub fn is_packable(self) -> bool {
        self.text && self.holds != Holds::Page
    }

    /// Checks whether functions for a file of the other format also read one of this format.
    pub fn is_read_as(self, other: Format) -> bool {
        self == other || self.library == Some(other) || other == Format::Text && self.text
    }
}

impl Deref for Format {
    type Target = Record;

    fn deref(&self) -> &Record {
        self.record()
    }
}

/// Returns a path without its last extension `.gz`, in any letter case; otherwise the whole path.
///
/// ```
/// use model::format::strip_gzip;
///
/// assert_eq!(["a.csv.gz", "a.GZ", "a.csv", ".gz"].map(strip_gzip), ["a.csv", "a", "a.csv", ".gz"]);
/// ```
pub fn strip_gzip(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((inner, ending)) if ending.eq_ignore_ascii_case("gz") && !inner.is_empty() && !inner.ends_with('/') => {
            inner
        }
        _ => path,
    }
}

/// Checks whether the name of a file ends in `.gz`.
pub fn is_gzip(path: &str) -> bool {
    strip_gzip(path).len() < path.len()
}

/// Returns the extension of a path.
pub(crate) fn find_ending(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.rsplit_once('.').map(|(_, ending)| ending)
}

/// Checks for an extension, in any letter case.
pub(crate) fn has_ending(endings: &[&str], ending: &str) -> bool {
    endings.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_the_format_by_its_ending() {
        let found = ["data/Sales.CSV", "a.b.yml", "x.sqlite3", "notes.txt", "a.xml"].map(Format::from_path);
        assert_eq!(found, [Format::Csv, Format::Yaml, Format::Sqlite, Format::Text, Format::Xml].map(Some));
        assert_eq!(["notes.md", "dir.csv/picture.png", "README", ""].map(Format::from_path), [None; 4]);
    }

    #[test]
    fn no_ending_means_two_formats() {
        let mut endings: Vec<&str> = Format::ALL.iter().flat_map(|format| format.endings).copied().collect();
        let count = endings.len();
        endings.sort_unstable();
        endings.dedup();
        assert_eq!(endings.len(), count);
    }

    #[test]
    fn an_example_declares_a_file_of_the_name() {
        for format in Format::ALL {
            assert!(format.build_example("hr").contains(&format!("{} hr at \"", format.word())), "{format:?}");
            assert!(format.snippet.starts_with(format.word()), "{format:?}");
        }
        assert_eq!((Format::Xml.bare_noun(), Format::Xml.name(), Format::Xlsx.name()), ("XML file", "XML", "workbook"));
    }
}
