//! The words of one language of prompts: data, without rules. A prompt in a language that is not here is not read.

use model::functions::Aggregate;
use model::suite::Op;

/// The words of a language. A phrase consists of lowercase words with single spaces.
pub struct Language {
    /// Words that occur in almost every prompt of this language, and in no other language.
    pub common: &'static [&'static str],
    /// Comparisons before their value: "more than 5".
    pub before: &'static [(&'static str, Asks)],
    /// Comparisons after their value: "5 or more".
    pub after: &'static [(&'static str, Asks)],
    /// Words that can be between a comparison and its value.
    pub fillers: &'static [&'static str],
    /// Words that turn a comparison around, or leave something out.
    pub negations: &'static [&'static str],
    /// Words before a text that is left out: "other than".
    pub exclusions: &'static [&'static str],
    /// Beginnings of words that can leave something out.
    pub leaving_out: &'static [&'static str],
    /// The beginning and the middle of a range: "between 1 and 5".
    pub ranges: &'static [(&'static str, &'static str)],
    /// Words after a range whose ends belong to it.
    pub inclusive: &'static [&'static str],
    /// Words after a range whose ends do not belong to it.
    pub exclusive: &'static [&'static str],
    /// Words that join alternatives.
    pub or: &'static [&'static str],
    /// Those between the alternatives.
    pub or_between: &'static [&'static str],
    /// Other words that can join groups of rows.
    pub joining: &'static [&'static str],
    /// Words that join conditions on one row.
    pub and: &'static [&'static str],
    /// Words for several rows, which begin another group.
    pub groups: &'static [&'static str],
    /// Numbers as words, from 0.
    pub numbers: &'static [&'static str],
    /// What is computed.
    pub aggregates: &'static [(&'static str, Aggregate)],
    /// Extremes of any values.
    pub extremes: &'static [(&'static str, End)],
    /// Extremes of dates.
    pub ages: &'static [(&'static str, End)],
    /// Phrases that only look like one of the words above.
    pub idioms: &'static [&'static str],
    /// Names of columns whose smallest number is the highest.
    pub ranks: &'static [&'static str],
    /// Words about rows that are equal, in brackets.
    pub ties: &'static [&'static str],
    /// Words that are only about rows that are equal.
    pub equals: &'static [&'static str],
    /// Words between what is computed and a column.
    pub links: &'static [&'static str],
    /// Rows of any table.
    pub rows: &'static [&'static str],
    /// Phrases after a number that make it a number of decimals.
    pub decimals: &'static [&'static str],
    /// Phrases that ask for a number of decimals.
    pub precisions: &'static [(&'static str, i64)],
    /// Words that ask for another kind of precision.
    pub digits: &'static [&'static str],
    /// Words before a number of rows that are taken: "top 5".
    pub takes: &'static [&'static str],
    /// Words before a number of rows that are chosen: "which three orders".
    pub choosing: &'static [&'static str],
    /// Parts of a text or a time, which are not rows.
    pub pieces: &'static [&'static str],
    /// Orders of any values.
    pub orders: &'static [(&'static str, End)],
    /// Orders of dates, by what is first.
    pub date_orders: &'static [(&'static str, End)],
    /// Phrases that leave the order open.
    pub any_order: &'static [&'static str],
    /// Units, by what they measure.
    pub units: &'static [Unit],
    /// Words before the unit of an answer.
    pub unit_leads: &'static [&'static str],
    /// Words before a unit of the data.
    pub unit_given: &'static [&'static str],
    /// Words for shares in percent.
    pub percent: &'static [&'static str],
    /// Words for shares from 0 to 1.
    pub shares: &'static [&'static str],
    /// Beginnings of words with which a prompt can explain percentages.
    pub hundred: &'static [&'static str],
    /// Pairs of answers to a question that can be answered with one of two words.
    pub pairs: &'static [(&'static str, &'static str)],
    /// Words of a sentence about the reply.
    pub replying: &'static [&'static str],
    /// First words of a sentence that asks for a reply.
    pub imperatives: &'static [&'static str],
    /// Words before a noun.
    pub determiners: &'static [&'static str],
    /// Words after an extreme that turn it around: the largest loss is the smallest number.
    pub turned: &'static [&'static str],
    /// Words after "different" that make it a comparison.
    pub other_than: &'static [&'static str],
    /// Phrases that ask for capital letters.
    pub upper: &'static [&'static str],
    /// Phrases that ask for small letters.
    pub lower: &'static [&'static str],
    /// Separators of items, with the text that they mean.
    pub separators: &'static [(&'static str, &'static str)],
    /// Phrases that ask for a number and nothing else.
    pub number_only: &'static [&'static str],
    /// Phrases that ask for a name and nothing else.
    pub name_only: &'static [&'static str],
    /// The months.
    pub months: &'static [&'static str],
    /// Ordinal numbers, from the first.
    pub ordinals: &'static [&'static [&'static str]],
    /// Words before a period to which all of it belongs.
    pub within: &'static [&'static str],
    /// Forms of a time of hours, minutes, and seconds.
    pub clock: &'static [&'static str],
    /// Phrases that ask for items in an order, without a direction.
    pub sequences: &'static [&'static str],
    /// Words between an extreme and its place in an order.
    pub first: &'static [&'static str],
    /// Phrases that say that one row of something is enough.
    pub at_least_one: &'static [&'static str],
    /// Articles before one row of something.
    pub one: &'static [&'static str],
    /// Phrases that ask for a number of things.
    pub how_many: &'static [&'static str],
    /// Words after a noun that begin something about it.
    pub noun_ends: &'static [&'static str],
    /// Phrases that ask for a JSON array.
    pub arrays: &'static [&'static str],
    /// Phrases that ask for a JSON object.
    pub objects: &'static [&'static str],
    /// Words for a fenced block.
    pub fences: &'static [&'static str],
    /// Phrases that ask for the answer on the last line, after other text.
    pub last_line: &'static [&'static str],
    /// Phrases that ask for the answer on the first line.
    pub first_line: &'static [&'static str],
    /// Words before the names of columns.
    pub columns: &'static [&'static str],
    /// Words for changes of files and rows.
    pub changes: &'static Changes,
}

/// What a comparison word says of the values that it selects. `None` where the word leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asks {
    /// Whether the values are larger.
    pub larger: Option<bool>,
    /// Whether the value itself does not count.
    pub strict: bool,
    /// Whether it is a larger age: the direction then depends on whether ages or dates are compared.
    pub older: Option<bool>,
    /// Whether the word can also speak of places in a sequence, so it is only a comparison next to a date.
    pub of_place: bool,
}

impl Asks {
    /// A comparison that is always the same operator.
    pub const fn new(op: Op) -> Asks {
        let (larger, strict) = (matches!(op, Op::Gt | Op::Ge), matches!(op, Op::Gt | Op::Lt));
        Asks { larger: Some(larger), strict, older: None, of_place: false }
    }

    /// A comparison of dates that is also said of places.
    pub const fn of_dates(op: Op) -> Asks {
        Asks { of_place: true, ..Asks::new(op) }
    }

    /// A comparison whose direction depends on what is compared.
    pub const OPEN: Asks = Asks { larger: None, strict: true, older: None, of_place: false };

    /// A comparison of ages: older than the value.
    pub const OLDER: Asks = Asks { older: Some(true), ..Asks::OPEN };

    /// A comparison of ages: younger than the value.
    pub const YOUNGER: Asks = Asks { older: Some(false), ..Asks::OPEN };

    /// A comparison of ages: as old as the value, or older.
    pub const OR_OLDER: Asks = Asks { strict: false, ..Asks::OLDER };

    /// A comparison of ages: as old as the value, or younger.
    pub const OR_YOUNGER: Asks = Asks { strict: false, ..Asks::YOUNGER };
}

/// The large or the small end of some values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The large one.
    High,
    /// The small one.
    Low,
}

/// Words for changes of files and rows.
pub struct Changes {
    /// Verbs after which a file has left its place.
    pub moving: &'static [&'static str],
    /// Words after which it is.
    pub copying: &'static [&'static str],
    /// Verbs that delete.
    pub removing: &'static [&'static str],
    /// Verbs that add rows.
    pub adding: &'static [&'static str],
    /// Verbs that set values.
    pub updating: &'static [&'static str],
    /// Verbs that make numbers larger.
    pub raising: &'static [&'static str],
    /// Verbs that make numbers smaller.
    pub lowering: &'static [&'static str],
    /// Words that can mean a larger number.
    pub more: &'static [&'static str],
    /// Words that can mean a smaller number.
    pub less: &'static [&'static str],
    /// Verbs that set a value.
    pub setting: &'static [&'static str],
    /// Parts of names of columns that mark rows as deleted.
    pub marks: &'static [&'static str],
    /// Words before rows.
    pub every: &'static [&'static str],
    /// Words between two steps.
    pub sequence: &'static [&'static str],
    /// Rows of a table.
    pub rows: &'static [&'static str],
    /// Tables.
    pub tables: &'static [&'static str],
    /// Words between a verb and its file.
    pub articles: &'static [&'static str],
    /// Words that turn a request around.
    pub refusing: &'static [&'static str],
    /// Phrases after a change that keep the rest.
    pub rest: &'static [&'static str],
}

/// A unit of measurement.
pub struct Unit {
    /// What is measured.
    pub measure: &'static str,
    /// Its size in the smallest unit of the measure.
    pub size: i64,
    /// Its names in prompts; the first one is used in messages.
    pub words: &'static [&'static str],
    /// Its names in names of columns, in lower case.
    pub column_words: &'static [&'static str],
}

/// Short units that are words of their own as the whole name of a column.
const AMBIGUOUS: [&str; 2] = ["hr", "us"];

impl Unit {
    /// Whether the name of a column ends with the unit: `DIST_KM`, or is one: `KG`.
    pub fn is_in_name(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let mut words: Vec<&str> = lower.split('_').collect();
        let last = words.pop().unwrap_or_default();
        let is_whole = last.len() > 1 && !AMBIGUOUS.contains(&last);
        self.column_words.contains(&last) && (!words.is_empty() || is_whole)
    }
}
