//! The words of the language, each with what to write and what it does: for completion and hover.

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    /// What is inserted, with places to fill in as `${1:…}`.
    pub snippet: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
}

const fn word(word: &'static str, snippet: &'static str, doc: &'static str) -> Word {
    Word { word, snippet, doc }
}

/// At top level.
pub const ITEMS: &[Word] = &[
    word(
        "suite",
        "suite ${1:name} {\n  title   \"${2:Title}\"\n  version \"1.0.0\"\n  samples ${3:20}\n}",
        "The suite itself, once in a compiled file.",
    ),
    word(
        "task",
        "task ${1:name} {\n  ${2:value} : ${3:word}\n  prompt \"${4:Reply with this word only: <<value>>}\"\n  expect reply text ${2:value}\n}",
        "A question with its data and answer key.",
    ),
    word("domain", "domain ${1:name} = ${2:one_of [\"a\", \"b\"]}", "Names a set of values to draw from."),
    word("table", "table ${1:name} {\n  ${2:COLUMN} : ${3:word}\n}", "Columns to be used by several files."),
    word("table from", "table ${1:name} from \"${2:data.csv}\"", "Rows of a file that is read and never handed out."),
    word("use", "use \"${1:shared.pcd}\"", "Brings in the domains, tables and constants of another file."),
];

/// In `suite`.
pub const SETTINGS: &[Word] = &[
    word("title", "title \"${1:Title}\"", "The suite's title; required."),
    word("version", "version \"${1:1.0.0}\"", "The suite's version; required."),
    word("description", "description \"${1:What it asks}\"", "What the suite asks."),
    word("license", "license \"${1:MIT}\"", "The licence of the suite."),
    word("authors", "authors [\"${1:name}\"]", "A text or a list of texts."),
    word("samples", "samples ${1:20}", "How many samples: of each task, or of this one instead of the suite's number."),
    word(
        "canary",
        "canary \"${1:text}\"",
        "A text that marks the bundle, so that it can be recognised where it should not be.",
    ),
    word("tags", "tags [${1:tag}]", "Words or texts; tasks and variants add theirs."),
    word("edition", "edition ${1:1}", "Which standard library and random streams; 1 is the only one."),
    ALLOW,
];

const ALLOW: Word = word(
    "allow",
    "allow ${1:lint} \"${2:why}\"",
    "Silences a lint, in a task or in the whole suite; the reason is required.",
);

/// In `task`.
pub const STATEMENTS: &[Word] = &[
    word("prompt", "prompt \"${1:text}\"", "What the agent is told; of `one_of [ … ]` one wording is drawn."),
    word("expect", "expect ${1:reply} ${2:text} ${3:value}", "What is right: a subject, a matcher and a value."),
    word("require", "require ${1:condition}", "Samples that do not meet it are drawn again, at most 1,000 times."),
    word(
        "csv",
        "csv ${1:name} at \"${2:name.csv}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
        "A CSV file: rows and columns, a fixture, or a reusable table's columns.",
    ),
    word(
        "tsv",
        "tsv ${1:name} at \"${2:name.tsv}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
        "A file of cells between tabs.",
    ),
    word(
        "sqlite",
        "sqlite ${1:db} at \"${2:data.db}\" {\n  table ${3:orders} {\n    rows ${4:50}\n    ${5:ID} : serial\n  }\n}",
        "An SQLite database of one or more tables.",
    ),
    word(
        "json",
        "json ${1:name} at \"${2:name.json}\" {\n  ${3:key} : ${4:word}\n}",
        "A JSON file of declared shape, or computed.",
    ),
    word(
        "yaml",
        "yaml ${1:name} at \"${2:name.yaml}\" {\n  ${3:key} : ${4:word}\n}",
        "A YAML file of declared shape, or computed.",
    ),
    word(
        "xml",
        "xml ${1:name} at \"${2:name.xml}\" ${3:root} {\n  ${4:element} : ${5:word}\n}",
        "An XML file of declared shape.",
    ),
    word(
        "text",
        "text ${1:name} at \"${2:notes.txt}\" : ${3:lorem lines 100}",
        "A text: drawn, computed, or a line for each row.",
    ),
    word(
        "xlsx",
        "xlsx ${1:name} at \"${2:book.xlsx}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
        "An Excel workbook, one sheet a table.",
    ),
    word("file", "file ${1:name} at \"${2:name}\" from \"${3:fixtures/name}\"", "A file that is copied in as it is."),
    word("table from", "table ${1:name} from \"${2:data.csv}\"", "Rows of a file that is read and never handed out."),
    word("table", "table ${1:name} {\n  rows ${2:20}\n  ${3:COLUMN} : ${4:word}\n}", "A relation without a file."),
    word(
        "axis",
        "axis ${1:size} = [${2:10}, ${3:100}]",
        "The same question at several values: one cell for every combination.",
    ),
    word(
        "variant",
        "variant ${1:name} {\n  expect ${2:reply text value}\n}",
        "The same data, asked or answered in another way.",
    ),
    word("samples", "samples ${1:20}", "How many samples: of this task instead of the suite's number."),
    word("clutter", "clutter ${1:20}", "So many noise files, in a folder with `in PATH`."),
    word("folder", "folder \"${1:empty}\"", "An empty folder."),
    word("tags", "tags [${1:tag}]", "Added to the suite's."),
    ALLOW,
];

/// In `variant`: nothing else may stand there.
pub const IN_VARIANT: [&str; 4] = ["prompt", "expect", "tags", "allow"];

/// In the body of a table.
pub const IN_BODY: &[Word] = &[
    word("rows", "rows ${1:75}", "How many rows: `N`, or `A..B` to have the number drawn."),
    word("line", "line \"${1:<<NAME>>}\"", "How each row of a text is written."),
    word("unique", "unique (${1:A}, ${2:B})", "No two rows have the same values in these columns."),
    word("key", "key (${1:A}, ${2:B})", "The primary key of a table in a database."),
    word("index", "index (${1:A})", "An index of a database."),
];

/// Before a domain.
pub const MODIFIERS: &[Word] = &[
    word("unique", "unique ", "No value twice in the column."),
    word("distinct", "distinct ", "The names drawn together differ."),
    word("sorted", "sorted ", "The column ascends."),
];

/// Behind a domain.
pub const SUFFIXES: &[Word] = &[
    word("blank", "blank ${1:5}%", "So many of the values are null."),
    word("except", "except ${1:\"value\"}", "All values but these."),
    word("step", "step ${1:10}", "Only values this far apart."),
];

/// Behind `expect`.
pub const SUBJECTS: &[Word] = &[
    word("reply", "reply ", "The whole reply, or a part: `last line`, `after \"…\"`, `fenced`."),
    word("file", "file \"${1:answer.txt}\" ", "A file's content."),
    word("files", "files [\"${1:a.txt}\"]", "All these files are there; takes no matcher."),
    word("tree", "tree [\"${1:folder/}\"]", "All these files and folders are there; takes no matcher."),
];

/// Behind `reply`.
pub const SLICES: &[Word] = &[
    word("last line", "last line ", "The last line that is not blank."),
    word("after", "after \"${1:Answer:}\" ", "What follows the last place where this stands."),
    word("fenced", "fenced ", "The last fenced block, of a language with `fenced \"sql\"`."),
];

/// Behind a subject.
pub const MATCHERS: &[Word] = &[
    word("text", "text ", "The same text after cleaning."),
    word("contains", "contains ", "It stands there, at word boundaries."),
    word("matches", "matches \"${1:regular expression}\"", "A regular expression that fits."),
    word("number", "number ", "Exactly one number, equal to it."),
    word(
        "json",
        "json {\n  ${1:key}: ${2:value},\n}",
        "The same JSON: no other keys unless `open`; arrays are ordered unless `unordered`.",
    ),
    word("list", "list ", "The same items, in any order unless `ordered`."),
    word("rows", "rows ", "The same rows, in any order unless `ordered`."),
    word("sql", "sql ${1:database} ", "The reply is SQL that gives these rows."),
];

/// Behind `expect file PATH`, beside the matchers: for files only.
pub const OF_FILES: &[Word] = &[
    word("database", "database ", "The database is in this state, as `<<after: DB, …>>` gives it."),
    word("bytes", "bytes ", "The file is this text, byte for byte; the name of a declared file means its content."),
    word("exists", "exists", "The file is there."),
    word("absent", "absent", "The file is not there."),
    word("unchanged", "unchanged", "The file is as it was given."),
];

/// Behind a value that is expected.
pub const OPTIONS: &[Word] = &[
    word("within", "within ${1:0.01}", "This far off is right, ends included; a share is one of the expected value."),
    word("rounded", "rounded ${1:2}", "Right within half a unit of this place; the target shows it rounded."),
    word("ignore", "ignore ${1:case}", "Differences in `case`, `space`, `punctuation` do not count."),
    word("ordered", "ordered", "Order counts."),
    word("unordered", "unordered", "Order does not count."),
    word("unit", "unit \"${1:%}\"", "The number may carry this unit, and no other."),
    word("open", "open", "Objects may hold keys that are not expected."),
    word("weight", "weight ${1:2}", "Its share of the score; 1 without it."),
    word("gate", "gate", "If it fails, the score is 0."),
];

/// Behind the path of a file.
pub const WRITING: &[Word] = &[
    word("from", "from \"${1:fixture.csv}\"", "A fixture: the file is copied in, and read when checked."),
    word("delimiter", "delimiter \"${1:;}\"", "What stands between cells."),
    word("quoted", "quoted", "Every cell in quotes."),
    word("crlf", "crlf", "Lines end in `\\r\\n`."),
    word("bom", "bom", "The file begins with a byte order mark."),
];

/// Behind the path of a table that is read.
pub const READING: &[Word] = &[
    word("delimiter", "delimiter \"${1:;}\"", "What stands between cells."),
    word("sheet", "sheet \"${1:Sheet1}\"", "Which sheet of a workbook."),
];

/// In expressions.
pub const EXPRESSIONS: &[Word] = &[
    word("if", "if ${1:condition} then ${2:a} else ${3:b}", "One of two values."),
    word("not", "not ", "The opposite."),
    word("true", "true", "True."),
    word("false", "false", "False."),
    word("null", "null", "No value."),
    word("sandbox", "sandbox", "The root of the agent's sandbox."),
];

/// Between expressions.
pub const OPERATORS: &[Word] = &[
    word("and", "and ", "Both hold."),
    word("or", "or ", "One of the two holds, or both."),
    word("in", "in ", "Is among the items of a list."),
    word("then", "then ", "The value if the condition holds."),
    word("else", "else ", "The value if it does not."),
    word("where", "where ", "Only the rows that meet a condition."),
];

/// Units of `lorem`.
pub const LOREM: [&str; 4] = ["words", "sentences", "paragraphs", "lines"];

/// What `ignore` takes.
pub const IGNORED: [&str; 3] = ["case", "space", "punctuation"];

/// Keywords of SQL.
pub const SQL: &[&str] = &[
    "SELECT",
    "DISTINCT",
    "FROM",
    "WHERE",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "GROUP BY",
    "HAVING",
    "ORDER BY",
    "ASC",
    "DESC",
    "LIMIT",
    "OFFSET",
    "AS",
    "AND",
    "OR",
    "NOT",
    "IN",
    "LIKE",
    "BETWEEN",
    "IS NULL",
    "IS NOT NULL",
    "EXISTS",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "UNION",
    "UNION ALL",
    "INTERSECT",
    "EXCEPT",
    "WITH",
    "OVER",
    "PARTITION BY",
];

/// Functions of SQL that are asked for often.
pub const SQL_FUNCTIONS: &[&str] = &[
    "COUNT",
    "SUM",
    "AVG",
    "MIN",
    "MAX",
    "TOTAL",
    "GROUP_CONCAT",
    "COALESCE",
    "IFNULL",
    "NULLIF",
    "ROUND",
    "ABS",
    "LENGTH",
    "LOWER",
    "UPPER",
    "SUBSTR",
    "TRIM",
    "REPLACE",
    "INSTR",
    "DATE",
    "STRFTIME",
    "JULIANDAY",
    "CAST",
    "ROW_NUMBER",
    "RANK",
    "DENSE_RANK",
    "LAG",
    "LEAD",
    "MEDIAN",
];

/// What a word does, wherever it stands.
pub fn doc(written: &str) -> Option<&'static str> {
    let all = [
        ITEMS, SETTINGS, STATEMENTS, IN_BODY, MODIFIERS, SUFFIXES, SUBJECTS, MATCHERS, OF_FILES, OPTIONS, WRITING,
        READING,
    ];
    all.iter()
        .flat_map(|words| words.iter())
        .chain(EXPRESSIONS)
        .chain(OPERATORS)
        .find(|word| word.word == written)
        .map(|word| word.doc)
}
