//! The matchers: one record for each, used by the checker, the lints, the editors, and the scorer. The comparison itself is in the scorer.

/// The properties of a matcher, except for the comparison. Fields that a row omits have the values of [`Record::BASE`].
#[derive(Debug)]
pub struct Record {
    /// The text that an editor inserts, with placeholders such as `${1:…}`.
    pub snippet: &'static str,
    /// The condition for a correct answer, in one sentence.
    pub doc: &'static str,
    /// The input that it reads.
    pub reads: Reads,
    /// The expected value that it takes.
    pub takes: Takes,
    /// Whether it supports `within`, `rounded`, and `unit`.
    pub numbers: bool,
    /// The items that `ignore` lists.
    pub ignores: Ignores,
    /// Whether order counts by default; `None` if it has no order, or no choice.
    pub ordered: Option<bool>,
    /// Whether it compares objects by their keys and therefore supports `open`.
    pub keys: bool,
    /// Whether its answers have parts, which are shown to people as JSON.
    pub structured: bool,
    /// Whether texts that contain more than the value, or differ from it, are correct. Then a reply is not also read unchanged, and the oracle may
    /// write other text around the value if several expectations ask for parts of one reply.
    pub loose: bool,
    /// The part that it reads of a text that is one fenced block.
    pub fence: Fence,
    /// Whether the agent must leave something at the path of a file.
    pub leaves: bool,
}

/// The input that a matcher reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// A text: the reply, a part of it, or the text of a file.
    Text,
    /// The reply, as a query.
    Query,
    /// A file, unchanged.
    File,
}

/// The expected value that a matcher takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A single value, as text.
    One,
    /// A single value, or a list of such values, as texts.
    Texts,
    /// A regular expression.
    Pattern,
    /// A number.
    Number,
    /// A date or datetime.
    Date,
    /// True or false.
    Bool,
    /// Any value that JSON can represent.
    Json,
    /// A list, or a result set.
    List,
    /// A result set.
    Rows,
    /// A text, or the content of a file.
    Content,
    /// The state of a database.
    State,
}

/// The items that `ignore` lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignores {
    /// Nothing; the option is not supported.
    Nothing,
    /// Kinds of difference: `case`, `space`, `punctuation`.
    Differences,
    /// Tables and columns of a database.
    Parts,
}

/// The part that is read of a text that is one fenced block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// The whole text, including the fence.
    Kept,
    /// The content of the fence.
    Opened,
    /// Either of them, because the answer may ask for the fence itself.
    Either,
}

impl Record {
    /// Checks whether it supports `trap`: it must compare a text with a value, so the value identifies the mistake.
    pub fn has_traps(&self) -> bool {
        matches!(self.reads, Reads::Text) && !matches!(self.takes, Takes::Nothing | Takes::Pattern | Takes::Texts)
    }

    /// Checks whether the marks around a whole answer do not belong to it: emphasis, code, quotation marks, mathematics.
    pub fn is_unwrapped(&self) -> bool {
        matches!(self.reads, Reads::Text) && !self.loose && !matches!(self.takes, Takes::Json)
    }

    /// The default: a text matcher without options.
    const BASE: Record = Record {
        snippet: "",
        doc: "",
        reads: Reads::Text,
        takes: Takes::One,
        numbers: false,
        ignores: Ignores::Nothing,
        ordered: None,
        keys: false,
        structured: false,
        loose: false,
        fence: Fence::Kept,
        leaves: true,
    };
}

macro_rules! matchers {
    ($($member:ident = $word:literal { $($field:ident: $value:expr,)* })*) => {
        crate::worded! {
            /// The comparison with the expected answer.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[allow(missing_docs)]
            pub enum Matcher { $($member = $word,)* }
        }

        crate::words_in_json!(Matcher);

        impl Matcher {
            /// Returns the record of the matcher.
            pub const fn record(self) -> &'static Record {
                match self {
                    $(Matcher::$member => {
                        const RECORD: Record = Record { $($field: $value,)* ..Record::BASE };
                        &RECORD
                    })*
                }
            }
        }
    };
}

matchers! {
    Text = "text" {
        snippet: "text ",
        doc: "The same text after cleaning.",
        ignores: Ignores::Differences,
        fence: Fence::Either,
    }
    Contains = "contains" {
        snippet: "contains ",
        doc: "The text appears there, at word boundaries.",
        ignores: Ignores::Differences,
        loose: true,
    }
    Lacks = "lacks" {
        snippet: "lacks ",
        doc: "None of these texts appears there, at word boundaries.",
        takes: Takes::Texts,
        ignores: Ignores::Differences,
        loose: true,
    }
    Matches = "matches" {
        snippet: "matches \"${1:regular expression}\"",
        doc: "A regular expression that fits.",
        takes: Takes::Pattern,
        loose: true,
        fence: Fence::Either,
    }
    Number = "number" {
        snippet: "number ",
        doc: "Exactly one number, equal to it.",
        takes: Takes::Number,
        numbers: true,
        fence: Fence::Either,
    }
    Date = "date" {
        snippet: "date ",
        doc: "The same date, or date and time, in any form that has one meaning.",
        takes: Takes::Date,
        fence: Fence::Either,
    }
    Bool = "bool" {
        snippet: "bool ",
        doc: "Yes or no, or true or false.",
        takes: Takes::Bool,
        fence: Fence::Either,
    }
    Json = "json" {
        snippet: "json {\n  ${1:key}: ${2:value},\n}",
        doc: "The same JSON: no other keys unless `open`; arrays are ordered unless `unordered`.",
        takes: Takes::Json,
        numbers: true,
        ignores: Ignores::Differences,
        ordered: Some(true),
        keys: true,
        structured: true,
        fence: Fence::Opened,
    }
    List = "list" {
        snippet: "list ",
        doc: "The same items, in any order unless `ordered`.",
        takes: Takes::List,
        numbers: true,
        ignores: Ignores::Differences,
        ordered: Some(false),
        keys: true,
        structured: true,
        fence: Fence::Opened,
    }
    Rows = "rows" {
        snippet: "rows ",
        doc: "The same rows, in any order unless `ordered`.",
        takes: Takes::Rows,
        numbers: true,
        ignores: Ignores::Differences,
        ordered: Some(false),
        structured: true,
        fence: Fence::Opened,
    }
    Bytes = "bytes" {
        snippet: "bytes ",
        doc: "The file is this text, byte for byte, or the reply, character by character; the name of a declared file means its content.",
        reads: Reads::File,
        takes: Takes::Content,
    }
    Sql = "sql" {
        snippet: "sql ${1:database} ",
        doc: "The reply is SQL that gives these rows.",
        reads: Reads::Query,
        takes: Takes::Rows,
        numbers: true,
        ignores: Ignores::Differences,
        ordered: Some(false),
        structured: true,
        fence: Fence::Opened,
    }
    Database = "database" {
        snippet: "database ",
        doc: "The database is in this state, as `<<after: DB, …>>` gives it.",
        reads: Reads::File,
        takes: Takes::State,
        numbers: true,
        ignores: Ignores::Parts,
        structured: true,
    }
    Exists = "exists" {
        snippet: "exists",
        doc: "The file is there.",
        reads: Reads::File,
        takes: Takes::Nothing,
    }
    Absent = "absent" {
        snippet: "absent",
        doc: "The file is not there.",
        reads: Reads::File,
        takes: Takes::Nothing,
        leaves: false,
    }
    Unchanged = "unchanged" {
        snippet: "unchanged",
        doc: "The file is as it was given.",
        reads: Reads::File,
        takes: Takes::Nothing,
        leaves: false,
    }
}

impl Takes {
    /// Checks whether dates of the expected value are known as dates, and not as texts: the reply may write them in several forms.
    pub fn has_days(self) -> bool {
        matches!(self, Takes::Date | Takes::List | Takes::Rows)
    }
}

impl Matcher {
    /// Checks whether it reads the rows of a sheet of a workbook.
    pub fn reads_sheet(self) -> bool {
        let record = self.record();
        record.reads == Reads::Text && matches!(record.takes, Takes::Json | Takes::List | Takes::Rows)
    }

    /// Checks whether it reads one cell of a workbook.
    ///
    /// ```
    /// use model::suite::Matcher;
    ///
    /// assert!(Matcher::Number.reads_cell() && !Matcher::Number.reads_sheet());
    /// // Rows are in a sheet, and the bytes of a workbook are not read at all.
    /// assert!(!Matcher::Rows.reads_cell() && !Matcher::Bytes.reads_cell());
    /// ```
    pub fn reads_cell(self) -> bool {
        self.record().reads == Reads::Text && !self.reads_sheet()
    }

    /// Checks whether it reads files unchanged, not a text.
    pub fn is_of_files(self) -> bool {
        self.record().reads == Reads::File
    }

    /// Checks whether it compares files only: exact bytes can also be those of a reply.
    pub const fn needs_file(self) -> bool {
        matches!(self.record().reads, Reads::File) && !matches!(self.record().takes, Takes::Content)
    }

    /// Checks whether it compares with one text, which is never empty.
    pub fn is_of_one_text(self) -> bool {
        matches!(self.record().takes, Takes::One | Takes::Pattern)
    }
}
