//! The words of English prompts about the order of rows in time, and about the limits of the agent.

/// Words for the greatest time.
pub const LATEST: &[&str] = &["latest", "most recent", "most recently", "newest"];

/// Words for the smallest time.
pub const EARLIEST: &[&str] = &["earliest", "oldest"];

/// Words that speak of places in a file, too; they speak of time next to what happened: "last scanned".
pub const LAST: &str = "last";
/// The same, for the smallest time.
pub const FIRST: &str = "first";

/// What happened, where it does not end in `ed`.
pub const HAPPENED: &[&str] = &[
    "seen", "sent", "read", "made", "written", "held", "set", "sold", "paid", "left", "known", "taken", "given", "met",
    "built", "driven", "flown", "ran", "run", "went", "came", "spoke", "bought", "lost", "won", "time",
];

/// What happens at a time, after "last" or "first".
pub const EVENTS: &[&str] = &[
    "event",
    "alarm",
    "incident",
    "outage",
    "crash",
    "failure",
    "login",
    "visit",
    "payment",
    "deployment",
    "measurement",
];

/// Words about the places of rows in a file, in a sentence that asks for one.
pub const PLACES: &[&str] = &[
    "row", "rows", "line", "lines", "entry", "entries", "record", "records", "listed", "appear", "appears", "position",
    "bottom", "file",
];

/// Words about the order of the rows of a file.
pub const ORDERED: &[&str] =
    &["order", "ordered", "sorted", "chronological", "chronologically", "ascending", "descending", "appended"];

/// Words next to the name of a table.
pub const TABLES: &[&str] = &["table", "tables", "sheet", "worksheet", "tab", "view"];

/// Words of a prompt that can be about the order of what is listed.
pub const OF_ORDER: &[&str] = &[
    "order",
    "ordered",
    "sort",
    "sorted",
    "alphabetical",
    "alphabetically",
    "chronological",
    "chronologically",
    "ascending",
    "descending",
    "sequence",
    "first",
    "last",
    "next",
    "appear",
    "appears",
    "appearance",
    "occur",
    "occurs",
    "occurrence",
    "encountered",
    "met",
    "top",
    "down",
    "earliest",
    "latest",
    "oldest",
    "newest",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "most",
    "least",
    "rank",
    "ranked",
    "numerically",
];

/// Words for calls of tools.
pub const CALLS: &[&str] = &["call", "calls"];

/// Words between a number and its calls.
pub const CALL_FILLERS: &[&str] = &["tool", "function", "more", "further"];

/// Words of a sentence about the calls of the agent.
pub const OF_AGENT: &[&str] = &["you", "your", "tool", "tools"];

/// Words that make it a number of calls for each of several things.
pub const FOR_EACH: &[&str] = &["per", "each", "every"];

/// Phrases before the column by which items are sorted.
pub const SORTED_BY: &[&str] = &[
    "sorted by",
    "ordered by",
    "sort by",
    "order by",
    "sort them by",
    "order them by",
    "sorted ascending by",
    "sorted descending by",
    "in the order of",
    "in order of",
    "in ascending order of",
    "in descending order of",
    "arranged by",
];

/// Words between a column and its meaning.
pub const MEANING_LINKS: &[&str] =
    &["is", "means", "has", "gives", "holds", "shows", "contains", "states", "the", "a", "an", "its", "their"];

/// Words that end a meaning.
pub const MEANING_ENDS: &[&str] =
    &["and", "or", "in", "of", "at", "on", "for", "from", "to", "with", "which", "that", "as", "when"];

/// Extremes of times that have not ended, in a clause with one of the words below: who has been waiting longest came first.
pub const LENGTHS: &[&str] = &["longest", "shortest"];

/// Words for times that have not ended.
pub const STAYS: &[&str] = &[
    "been",
    "waiting",
    "waited",
    "waits",
    "pending",
    "serving",
    "served",
    "standing",
    "sitting",
    "unanswered",
    "unresolved",
    "still",
    "overdue",
    "outstanding",
];

/// Words between a column and its value.
pub const STATES: &[&str] = &["is", "are", "="];
/// Values of a column that is true.
pub const IS_TRUE: &[&str] = &["true", "yes", "1", "set"];
/// Values of a column that is false.
pub const IS_FALSE: &[&str] = &["false", "no", "0", "unset"];
/// Words of a sentence that says what a value means: rows with it did not happen.
pub const DENYING: &[&str] =
    &["not", "never", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "no"];
/// Beginnings of words that leave rows out.
pub const EXCLUDING: &[&str] = &[
    "exclu",
    "without",
    "except",
    "ignor",
    "skip",
    "omit",
    "leav",
    "left",
    "drop",
    "disregard",
    "other",
    "unless",
    "but",
    "remov",
    "apart",
    "beside",
    "discard",
    "neither",
    "nor",
];

/// Phrases for the order of the rows of a file.
pub const FILE_ORDERS: &[&str] = &[
    "in the order of the file",
    "in file order",
    "in the order in which they appear",
    "in order of appearance",
    "in the order they appear",
    "in their original order",
    "in the order of the rows",
    "in the same order as in the file",
];

/// Words of a sentence about sorted rows.
pub const SORTED: &[&str] = &["sorted", "ordered"];
