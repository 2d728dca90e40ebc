//! The matchers: one record for each, which the checker, the lints, the editors, and the scorer ask. How a text is compared is in the scorer.

/// Everything about a matcher but how it compares. What a row of the table does not mention is as in [`Record::BASE`].
#[derive(Debug)]
pub struct Record {
    /// What an editor inserts, with places to fill in as `${1:…}`.
    pub snippet: &'static str,
    /// What is correct, in one sentence.
    pub doc: &'static str,
    /// Where it looks.
    pub reads: Reads,
    /// What it compares with.
    pub takes: Takes,
    /// Whether `within`, `rounded`, and `unit` work with it.
    pub numbers: bool,
    /// What `ignore` names.
    pub ignores: Ignores,
    /// Whether order counts without an option; `None`: it has no order, or no choice of one.
    pub ordered: Option<bool>,
    /// Whether it compares objects by their keys, so that `open` works with it.
    pub keys: bool,
    /// Whether its answers have parts, which people are shown as JSON.
    pub structured: bool,
    /// Whether texts that are more than the value, or other than it, are correct: then a reply is not read again as it came, and the oracle
    /// may put other text before and after the value, where several expectations ask for parts of one reply.
    pub loose: bool,
    /// What it reads of a text that is one fenced block.
    pub fence: Fence,
    /// Whether the agent has to leave something at the path of a file.
    pub leaves: bool,
}

/// Where a matcher looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// A text: the reply, a part of it, or the text of a file.
    Text,
    /// The reply, as a query.
    Query,
    /// A file as it is.
    File,
}

/// What a matcher compares with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A single value, as text.
    One,
    /// A regular expression.
    Pattern,
    /// A number.
    Number,
    /// Anything that JSON can say.
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

/// What `ignore` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignores {
    /// Nothing: the option does not work with it.
    Nothing,
    /// Kinds of difference: `case`, `space`, `punctuation`.
    Differences,
    /// Tables and columns of a database.
    Parts,
}

/// What is read of a text that is one fenced block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// The text with its fence.
    Kept,
    /// What is in the fence.
    Opened,
    /// One of both: the answer may ask for the fence itself.
    Either,
}

impl Record {
    /// Whether `trap` works with it: it compares a text with a value, so that a mistake is told by the value that it gives.
    pub fn has_traps(&self) -> bool {
        matches!(self.reads, Reads::Text) && !matches!(self.takes, Takes::Nothing | Takes::Pattern)
    }

    /// A matcher of texts that takes no option.
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
            /// How an answer is compared.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[allow(missing_docs)]
            pub enum Matcher { $($member = $word,)* }
        }

        crate::words_in_json!(Matcher);

        impl Matcher {
            /// What is known of it.
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
        doc: "The file is this text, byte for byte; the name of a declared file means its content.",
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

impl Matcher {
    /// Whether it looks at files as they are, not at a text.
    pub fn is_of_files(self) -> bool {
        self.record().reads == Reads::File
    }

    /// Whether it compares with one text, which is never empty.
    pub fn is_of_one_text(self) -> bool {
        matches!(self.record().takes, Takes::One | Takes::Pattern)
    }
}
