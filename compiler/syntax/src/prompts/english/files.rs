//! Words of English prompts about files. Phrases are in lower case, and separated by commas.

/// Words of a prompt about files with the same rows.
pub const COPIES: &str = "copy, copies, copied, backup, backups, duplicate, duplicates, mirror, mirrors, mirrored, identical, same files, same rows, versions";

/// Phrases that leave files out.
pub const EXCLUDING: &str = "not count, don't count, doesn't count, not counted, ignore, ignored, ignoring, leave out, left out, exclude, excluded, excluding, except, skip, \
    without, do not use, do not read, not belong, not part of, other than, but not, disregard, not included";

/// Phrases that take all files.
pub const ALL_FILES: &str = "all of these files, all these files, all files, all of the files, every file, these files together, all folders, folders in it, and its folders, \
    its subfolders, all subfolders, files together, and the folders below, anywhere below";

/// Words that choose some files from others.
pub const CHOOSING: &str = "except, current, latest, newest, recent, directly, older, earlier, former, previous, old, past, year, years, ignore, exclude, \
    leave out, final, valid, released, not count, not belong, do not use, do not read";

/// Pairs of words of which a column has one and its header the other.
pub const OPPOSITES: [(&str, &str); 26] = [
    ("in", "out"),
    ("inbound", "outbound"),
    ("incoming", "outgoing"),
    ("inflow", "outflow"),
    ("input", "output"),
    ("import", "export"),
    ("imports", "exports"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("low", "high"),
    ("lowest", "highest"),
    ("start", "end"),
    ("first", "last"),
    ("opening", "closing"),
    ("open", "close"),
    ("opened", "closed"),
    ("from", "to"),
    ("origin", "destination"),
    ("departure", "arrival"),
    ("departures", "arrivals"),
    ("buy", "sell"),
    ("bid", "ask"),
    ("debit", "credit"),
    ("gross", "net"),
    ("before", "after"),
    ("received", "sent"),
];

/// Words that mean the same in names of columns.
pub const ALIKE: [(&str, &str); 10] = [
    ("inbound", "in"),
    ("incoming", "in"),
    ("outbound", "out"),
    ("outgoing", "out"),
    ("minimum", "min"),
    ("maximum", "max"),
    ("lowest", "low"),
    ("highest", "high"),
    ("destination", "to"),
    ("origin", "from"),
];

/// Phrases for the mark between cells.
pub const DELIMITERS: &[(&str, char)] = &[
    ("separated by semicolons", ';'),
    ("separated by a semicolon", ';'),
    ("separated with semicolons", ';'),
    ("semicolon separated", ';'),
    ("semicolon delimited", ';'),
    ("delimited by semicolons", ';'),
    ("semicolons between", ';'),
    ("separated by commas", ','),
    ("separated by a comma", ','),
    ("separated with commas", ','),
    ("comma separated", ','),
    ("comma delimited", ','),
    ("delimited by commas", ','),
    ("separated by tabs", '\t'),
    ("separated by a tab", '\t'),
    ("separated with tabs", '\t'),
    ("tab separated", '\t'),
    ("tab delimited", '\t'),
    ("delimited by tabs", '\t'),
    ("separated by pipes", '|'),
    ("separated by vertical bars", '|'),
    ("pipe separated", '|'),
    ("pipe delimited", '|'),
];

/// Phrases that say whether a file begins with the names of its columns.
pub const HEADERS: &[(&str, bool)] = &[
    ("no header", false),
    ("without a header", false),
    ("without header", false),
    ("without headers", false),
    ("no column names", false),
    ("without column names", false),
    ("first row is the header", true),
    ("first line is the header", true),
    ("first row has the names", true),
    ("first line has the names", true),
    ("first row has the column names", true),
    ("first line has the column names", true),
    ("first row contains the column names", true),
    ("first line contains the column names", true),
    ("first row names the columns", true),
    ("first line names the columns", true),
];

/// Names of encodings, with how the word for them begins.
pub const ENCODINGS: &[(&str, &str)] = &[
    ("utf 8", "utf-8"),
    ("utf8", "utf-8"),
    ("utf 16", "utf-16"),
    ("utf16", "utf-16"),
    ("latin 1", "iso-8859-1"),
    ("latin1", "iso-8859-1"),
    ("iso 8859 1", "iso-8859-1"),
    ("iso 8859 15", "iso-8859-15"),
    ("latin 9", "iso-8859-15"),
    ("windows 1252", "windows-1252"),
    ("cp1252", "windows-1252"),
    ("cp 1252", "windows-1252"),
];

/// Words for a file of rows.
pub const FILE_WORDS: &[&str] =
    &["file", "files", "export", "exports", "csv", "tsv", "table", "dump", "extract", "log", "list", "lists"];

/// Phrases that tell for what there is a file.
pub const GROUP_PHRASES: &[(&str, ())] = &[
    ("a file for each", ()),
    ("a file for every", ()),
    ("a file per", ()),
    ("one file for each", ()),
    ("one file for every", ()),
    ("one file per", ()),
    ("a csv file for each", ()),
    ("one csv file for each", ()),
    ("one csv file per", ()),
    ("a csv for each", ()),
    ("one csv per", ()),
    ("a list for each", ()),
    ("one list per", ()),
    ("one list for each", ()),
    ("an export for each", ()),
    ("one export per", ()),
    ("a table for each", ()),
];
