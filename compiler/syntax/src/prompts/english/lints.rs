//! Words of English prompts on which one lint each depends. In lists, words are separated by blanks, and phrases by commas.

/// Words that say which of several rows counts.
pub const ROW_RULES: &str = "first, last, any, earliest, latest, oldest, newest, recent, recently, top, bottom, order, ordered, sorted, row, rows, line, lines, listed, \
    alphabet, alphabetical, alphabetically, one of, lowest, highest, smallest, largest, most, least, next, previous, before, after, several, tie, ties";

/// Words that say that values of two tables are compared.
pub const JOIN_RULES: &str = "agree, agrees, correspond, corresponds, equal, equals, identical, join, joined, link, linked, \
    match, matched, matches, matching, pair, paired, same";

/// Superlatives by which ties are resolved.
pub const SMALL_EXTREMES: [&str; 3] = ["earliest", "lowest", "smallest"];

/// Words that say how ties are resolved.
pub const TIE_RULES: &str = "alphabet, alphabetic, alphabetical, alphabetically, earlier, equal, equally, equals, greater, \
    higher, identical, larger, later, lexicographic, lexicographically, lower, newer, older, same, \
    several, smaller, tie, tied, ties, tying";

/// Phrases that say how ties are resolved.
pub const TIE_PHRASES: &str = "as many, as much, first by, in order of, more than one, ordered by, sorted by, then by, \
    tie-break";

/// Words that say how a half is rounded.
pub const HALF_RULES: &str = "half, halves, halfway, midpoint, midpoints, banker, bankers, banker's, commercial, commercially, \
    fives";

/// Phrases that say how a half is rounded. The last six are rules of programs.
pub const HALF_PHRASES: &str = "away from zero, to even, nearest even, half-up, half-even, half_up, half_even, half_down, \
    5 is rounded, 5 rounds, 5 up, 5 down, ties up, ties down, ties round, ties are rounded, \
    python's round, round of python, round() of python, excel's round, round of excel, sqlite's round";

/// Words that ask for a number of decimal places.
pub const ROUNDING: &str = "decimal, decimals, round, rounded, rounding, rounds, cent, cents";

/// Words about the marks of a sentence.
pub const PUNCTUATION: &str = "punctuation, full stop, period, comma, commas";

/// Words with which a prompt does not ask for any of several values.
pub const SUPERLATIVES: &str = "highest, largest, biggest, greatest, lowest, smallest, fewest, most, least, best, worst, first, last, oldest, youngest, newest, \
    latest, earliest, longest, shortest, cheapest, dearest, maximum, minimum, top";

/// Phrases that ask for what a text states.
pub const STATED: &str = "summary, footer, header, stated, states, printed total, printed sum, total printed, is printed, total line, last line, first line, at the end, at the top, at the bottom";

/// Words of prompts that ask to compute.
pub const COMPUTED: &str = "how many, add up, sum up, calculate, compute, count, over all, altogether, in total";

/// Words after a number in a prompt that say how long the reply should be: nothing else has to depend on such a number.
pub const REPLY_LENGTHS: &str = "word words sentence sentences character characters letter letters line lines token tokens paragraph paragraphs bullet bullets step steps minute minutes second seconds call calls";

/// Words next to a column that compare it.
pub const COMPARED: &str = "above below over under before after exceeding than least most";

/// Words of a question that lists possible answers.
pub const CHOICES: &str = "or, between, either, options, choices, among, which of";

/// Words of a sentence about the whole reply.
pub const WHOLE_REPLY: &[&str] = &["reply", "answer", "respond"];

/// Phrases of a sentence about the reply after which nothing else is accepted.
pub const SOLE: &[&str] = &["only", "alone", "nothing else", "nothing but", "no other text", "just"];

/// Words of a reply that only says that the work is done.
pub const CONFIRMATIONS: &[&str] = &[
    "word",
    "words",
    "confirmation",
    "acknowledgement",
    "acknowledgment",
    "sentence",
    "line",
    "message",
    "note",
    "summary",
    "ok",
];

/// Words between "with" and what a reply has.
pub const BEFORE_THING: &[&str] = &["the", "a", "an", "its", "their", "this", "that", "just", "only"];

/// Phrases that ask for a word as the reply.
pub const WORD: &[&str] =
    &["with the word", "with just the word", "with only the word", "only with the word", "with the single word"];

/// Words and marks before the next thing that is asked.
pub const STEPS: &[&str] = &["and", "then", "finally", ",", ";", ":", "please"];

/// Words of a sentence that asks for something only in some cases.
pub const CASES: &[&str] = &["if", "when", "where", "unless", "otherwise", "once", "after"];

/// Words of a sentence about a file.
pub const OF_FILES: &[&str] = &["write", "file", "save", "store", "put", "create"];

/// Words that ask for something only where nothing else does.
pub const WEAK: &[&str] =
    &["together", "combined", "overall", "count", "counts", "altogether", "top", "bottom", "unlike"];

/// Words of a prompt that can refer to all files.
pub const ALL_FILES: &str = "files, folder, folders, directory, directories, sandbox, workspace, project, repository, repo, tree, \
    attached, attachment, attachments";

/// Words that define the precision of an answer.
pub const PRECISION: &str = "decimal, decimals, place, places, digit, digits, round, rounded, rounding, rounds, nearest, whole, \
    integer, integers, precision, precise, precisely, exact, exactly, significant, truncate, truncated, \
    floor, ceiling, cent, cents, fraction, fractional, accuracy, accurate, tolerance, approximately";

/// Words of names of constants that do not say what they limit.
pub const GENERIC: &str = "limit limits value values number numbers count size minimum maximum least most start begin first last date year month week days hours \
    minutes seconds time times threshold base default factor rate total amount price cost length width code codes list name names";

/// Words for a limit without its number.
pub const LIMITING: &str = "large big small long short heavy expensive cheap late slow fast frequent limit threshold target cutoff quota allowance tolerance";

/// The same, but also words for a few grades.
pub const GRADING: &str = "high low hot cold deep tall overloaded overdue oversized undersized overcrowded congested busy crowded excessive substantial considerable \
    popular profitable eligible frail loyal dormant stale idle bulky underused overused generous lengthy sizeable sizable";

/// Words before a word for a limit that ask for an amount.
pub const ASKING: &str = "how as so";

/// Beginnings of words about repeated rows.
pub const REPEATS: &str = "twice, double, duplicate, dedup, de-dup, repeat, repetition, recur, reappear, once, one time, second time, several times, \
    same row, same record, same line, same entry, distinct, unique, identical, copies";

/// Beginnings of words about missing values.
pub const NULLS: &str =
    "missing, null, unknown, not known, no value, empty, blank, absent, without, unavailable, available, lack";

/// Beginnings of words for the numbers by which a change is asked for. Unlike a number of the data, a quarter is 25 here, of a hundred.
pub const AMOUNTS: &[(&str, f64)] = &[
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("double", 2.0),
    ("twice", 2.0),
    ("triple", 3.0),
    ("half", 0.5),
    ("halve", 0.5),
    ("third", 3.0),
    ("quarter", 25.0),
    ("dozen", 12.0),
    ("hundred", 100.0),
];

/// What is between a column of bools and its value.
pub const FLAG_LINKS: &[&str] = &[" is ", " = ", " ", " equals ", " is set to ", " is still ", " == ", "="];

/// How a prompt writes the value of a bool.
pub const FLAG_VALUES: &[(&str, bool)] = &[("0", false), ("1", true), ("false", false), ("true", true)];

/// Words of the names of bools that a prompt leaves out.
pub const FLAG_PREFIXES: &[&str] = &["is", "has", "was", "flag"];

/// Words after a value that begin an explanation of it.
pub const MEANING_STARTS: &[&str] =
    &["if", "for", "when", "means", "where", "or", "marks", "says", "unless", "otherwise"];

/// Words before a column of which a row has no value.
pub const FLAG_MISSING: &[&str] =
    &["no", "without", "without a", "without an", "without any", "missing", "lacks", "lacking", "lack"];

/// The same after the column.
pub const FLAG_GONE: &[&str] = &[
    "is missing",
    "is empty",
    "is null",
    "is blank",
    "is not known",
    "is unknown",
    "is not set",
    "is not filled",
    "is still empty",
];

/// Superlatives before the column by which one row is chosen.
pub const FLAG_EXTREMES: &[&str] = &[
    "highest",
    "largest",
    "biggest",
    "greatest",
    "lowest",
    "smallest",
    "oldest",
    "youngest",
    "newest",
    "latest",
    "earliest",
    "longest",
    "shortest",
    "most recent",
];

/// Words and marks between a key and its description.
pub const KEY_LINKS: &[&str] =
    &[":", "=", "is", "for", "with", "has", "holds", "contains", "should", "must", "the", "a", "an"];

/// Phrases before each of several things.
pub const GROUP_PHRASES: &[&str] =
    &["does each", "do each", "has each", "for each", "of each", "in each", "for every", "of every", "per"];

/// Words with which a sentence chooses items by a key.
pub const ITEM_CHOICES: &str = "whose, where, with, only, if, that have, that has, which have, which has, having, when, that are, which are, who are";

/// Words that leave something out and are only parts of others: "keep Byrd out of it".
pub const LEFT_OUT: &[&str] = &["out"];

/// The words of labels for amounts, from less to more. Each scale has its grades, and each grade its words.
pub const GRADES: &[&str] = &[
    "tiny mini xs, small little s, medium middle mid moderate m, large big l, huge giant enormous xl, xxl",
    "none no, few fewer, some, many more, most all",
    "minimal, short shorter brief, average, long longer, longest maximal",
    "light lighter, medium, heavy heavier",
    "low lower, medium moderate, high higher",
    "sparse thin, dense full",
    "min minimum, max maximum",
    "clean tidy pristine, messy dirty noisy, filthy",
    "rare rarely, sometimes, often frequent",
];

/// Phrases that ask for a JSON string.
pub const AS_STRING: &[&str] =
    &["as a string", "as strings", "as a text", "as a json string", "a string such", "in quotes"];

/// Phrases that ask for a JSON number.
pub const AS_NUMBER: &[&str] = &["as a number", "as numbers", "as an integer", "as a json number", "not as a string"];
