//! Words of English prompts about files: how they write dates and numbers, and what marks in them mean. Phrases are in lower case.

/// Words for the parts of a date, with the letter of a pattern.
pub const DATE_PARTS: [(&str, char); 11] = [
    ("day", 'd'),
    ("dd", 'd'),
    ("d", 'd'),
    ("month", 'M'),
    ("mm", 'M'),
    ("m", 'M'),
    ("mmm", 'M'),
    ("year", 'y'),
    ("yyyy", 'y'),
    ("yy", 'y'),
    ("y", 'y'),
];

/// Phrases about the order of days and months, with what is first.
pub const FIRST_PARTS: [(&str, char); 14] = [
    ("day first", 'd'),
    ("the day comes first", 'd'),
    ("day before month", 'd'),
    ("day before the month", 'd'),
    ("day comes before the month", 'd'),
    ("day precedes the month", 'd'),
    ("month first", 'M'),
    ("the month comes first", 'M'),
    ("month before day", 'M'),
    ("month before the day", 'M'),
    ("month comes before the day", 'M'),
    ("month precedes the day", 'M'),
    ("american dates", 'M'),
    ("us dates", 'M'),
];

/// Phrases about numbers with a decimal comma, or points between thousands.
pub const COMMA_DECIMALS: [&str; 15] = [
    "decimal comma",
    "decimal commas",
    "comma as decimal",
    "comma as the decimal",
    "comma as a decimal",
    "comma before decimals",
    "comma before the decimals",
    "comma is the decimal",
    "points between thousands",
    "dots between thousands",
    "points between the thousands",
    "point between thousands",
    "points separate thousands",
    "dots separate thousands",
    "german numbers",
];

/// Phrases about numbers with a decimal point, or commas between thousands.
pub const POINT_DECIMALS: [&str; 10] = [
    "commas between thousands",
    "comma between thousands",
    "commas between the thousands",
    "commas separate thousands",
    "comma separates thousands",
    "comma as thousands separator",
    "comma as the thousands separator",
    "commas as thousands separators",
    "point is the decimal",
    "points are decimal points",
];

/// Verbs between a mark and what it means.
pub const MEANS: [&str; 12] = [
    "means",
    "mean",
    "stands for",
    "stand for",
    "marks",
    "mark",
    "denotes",
    "denote",
    "indicates",
    "indicate",
    "is written for",
    "is written if",
];

/// Words of a meaning that says that a value is not known.
pub const MISSING: &str = "missing, unknown, not known, not measured, nothing was measured, was measured, nobody counted, not recorded, nothing was recorded, \
    no value, no values, no data, no reading, no readings, no measurement, no record, not available, unavailable, did not answer, null, absent, invalid, \
    failed, not taken, not weighed, not tested, no answer, not counted, no observation, not observed, gap, gaps, faulty, out of order";

/// Words of a meaning that says that a value is 0.
pub const ZERO: &str = "0, zero, none";

/// Phrases by which a prompt says that a 0 is a number like any other.
pub const ZERO_COUNTS: &str = "0 counts, 0 is counted, 0 also counts, 0 is a reading, 0 is a value, 0 is a valid, 0 is a real, 0 is a measurement, \
    zero counts, zero is a reading, zero is a value, zero is a valid, zero is a real, zero is a measurement, zeros count, zeroes count, zeros are counted, \
    zeroes are counted, zeros are readings, zeros are values, zeros are valid, zeros are real, zeros included, including zeros, include zeros";

/// Marks of missing values, as prompts write them in quotes; the first one also without.
pub const NULL_MARKS: &[&str] =
    &["n/a", "na", "n.a.", "#n/a", "-", "--", "---", "–", "—", "?", "??", ".", "..", "x", "nil", "none", "unknown"];

/// Words for a cell without text.
pub const EMPTY_CELL: &str =
    "is empty, is blank, are empty, are blank, an empty, a blank, empty cell, empty cells, blank cell, blank cells";

/// Phrases by which a prompt says that something is 0.
pub const COUNTS_AS_ZERO: &str = "counts as 0, count as 0, counts as zero, count as zero, counted as 0, counted as zero, is 0, are 0, is zero, are zero, \
    as zero, as 0, treat it as 0, treat them as 0, taken as 0, taken as zero, means 0, means zero, mean 0, mean zero";

/// Phrases that leave values out.
pub const LEAVE_OUT: &str = "leave out, leaving out, left out, exclude, excluded, excluding, skip, skipping, omit, omitting, drop, do not count, does not count, \
    don't count, doesn't count, not counted, without those, except those, except for those, only those, only count";
/// Words between values and the mark that they have.
pub const MARKED: &str = "with, have, has, having, marked, carry, carries, bear, bears, followed by, behind, after";

/// The names of marks.
pub const MARK_NAMES: [(&str, &str); 16] = [
    ("star", "*"),
    ("stars", "*"),
    ("asterisk", "*"),
    ("asterisks", "*"),
    ("dash", "-"),
    ("dashes", "-"),
    ("hyphen", "-"),
    ("minus", "-"),
    ("question mark", "?"),
    ("exclamation mark", "!"),
    ("dagger", "†"),
    ("tilde", "~"),
    ("plus", "+"),
    ("hash", "#"),
    ("bracket", "("),
    ("brackets", "("),
];

/// Words of a sentence that asks for another form than that of the files.
pub const WISHES: &[&str] =
    &["want", "wants", "wanted", "prefer", "prefers", "like", "likes", "need", "needs", "expect", "expects"];

/// Words before "like" where it is a wish, and does not begin an example.
pub const WISHING: &[&str] = &["i", "we", "you", "they", "he", "she", "would", "should", "d", "users", "people"];
