//! Lists of English words and phrases, by what they say. Phrases are separated by commas.

/// Pairs of rows are asked for.
pub const PAIRS: &str = "pair, pairs, combination, combinations, couple, couples, twice, both directions, join, joined, joins, match, matched, matching, matches, with the same";

/// Values that occur several times count once.
pub const DIFFERENT: &str = "different, distinct, unique, deduplicate, deduplicated, duplicate, duplicates, once, without repetition, \
    without repeats, ignoring repeats, no matter how often";

/// The fraction of a quotient does not count.
pub const WHOLE_PARTS: &str = "dropped, drop, truncate, truncated, truncating, rounded down, round down, rounding down, round it down, whole part, floor, \
    integer division, integer part, without the fraction, without fractions, fractions are ignored, ignore fractions, ignore the fraction, full, complete";

/// Missing values are mentioned.
pub const BLANKS: &str = "blank, blanks, empty, missing, null, nulls, unknown, unset, unassigned, undefined, unrecorded, unfilled, no value, not set, \
    not known, not given, not recorded, not filled, filled in, filled, recorded, known, is set, are set, available, specified, n/a, either way, \
    regardless, absent, lack, lacks, lacking, omitted, optional, without one, has none, have none";

/// Rows are left out.
pub const LEFT_OUT: &str = "leave out, leaves out, left out, leaving out, skip, skipped, skips, ignore, ignored, ignores, ignoring, exclude, excluded, excluding, \
    does not count, do not count, don't count, not counted, only rows, only those, both, without, have a, has a, with a, where both, except";

/// A mean or a median is asked for.
pub const MEAN: &str = "mean, average, median, on average";

/// Something is 0.
pub const ZEROS: &str = "0, zero, zeros, zeroes, nil";

/// Something did not occur.
pub const NOTHING: &str = "no, none, nothing, nobody, never, without, free";

/// Means of groups are asked for.
pub const MEANS: &str = "average of, averages, mean of the mean, means, mean of the average, average these, average those, average them, \
    mean of these, mean of those, unweighted, weigh, weighs, weighted, weight, equally, macro, average across, averaged across, averaged over";

/// The names that rows share are meant.
pub const SHARED_NAMES: &str =
    "share, shared, shares, sharing, same, namesake, namesakes, different, distinct, identical";

/// Different rows can have one name.
pub const CAN_SHARE: &str = "can have the same, may have the same, might have the same, could have the same, can share, may share, might share, \
    could share, names can repeat, names may repeat, name is not unique, names are not unique";

/// Words for groups, in a sentence about means.
pub const GROUPS: &str = "per, each, every, for all";

/// Words for places after the first.
pub const PLACES: [&str; 10] = ["second", "third", "fourth", "fifth", "sixth", "2nd", "3rd", "4th", "5th", "6th"];

/// Words that say whether equal values count once.
pub const EQUALS_RULES: &str = "different, distinct, unique, duplicate, duplicates, once, repeated, repeats, separately, twice, equal, equally, equals, tie, ties, tied, tying, \
    same, several, rank, ranked, sorted, ordered, row, place";

/// A missing value counts as 0.
pub const AS_ZERO: &str = "counts as 0, counts as zero, count as 0, count as zero, counted as 0, counted as zero, counting as 0, counting as zero, \
    is taken as 0, is taken as zero, taken as 0, taken as zero, treat as 0, treat as zero, treat it as 0, treat it as zero, treat them as 0, \
    treat them as zero, treat these as 0, treat those as 0, treated as 0, treated as zero, means 0, means zero, \
    counts 0, counts for 0, read as 0, read as zero, as a 0, as a zero, values as 0, cells as 0, blanks as 0, nulls as 0, values as zero, cells as zero, \
    blanks as zero, nulls as zero";

/// Words for what is summed.
pub const SUMS: [&str; 8] = ["total", "sum", "average", "mean", "combined", "overall", "altogether", "add up"];

/// Words that begin a condition on rows.
pub const RELATIVES: [&str; 9] = ["that", "who", "which", "with", "whose", "having", "where", "for whom", "without"];

/// Words after what is counted.
pub const VERBS: [&str; 22] = [
    "have", "has", "had", "with", "that", "who", "which", "whose", "are", "is", "were", "was", "do", "does", "did",
    "in", "from", "by", "placed", "made", "having", "there",
];

/// Verbs before what happened to rows.
pub const PASSIVE: [&str; 7] = ["were", "was", "are", "is", "been", "get", "got"];

/// Words that refer to what the sentence before is about.
pub const BACK: [&str; 5] = ["their", "these", "those", "its", "they"];

/// Words after which how often does not matter.
pub const EVER: [&str; 3] = ["ever", "never", "already"];

/// Words before each of several things.
pub const EACH: [&str; 4] = ["each", "every", "per", "any"];

/// Phrases before what is counted.
pub const COUNTS: [&str; 7] =
    ["how many", "number of", "count of", "count the", "count all", "count only", "total count"];

/// The prompt asks for rows of any of several parts, each once.
pub const SETS: &str = "different, distinct, unique, duplicate, duplicates, once, either, both, any of, at least one, appear in, or, without repetition, \
    deduplicated, no matter how often";

/// The prompt asks for both orders of a pair.
pub const ORDERED_PAIRS: &str =
    "ordered, order matters, directed, both orders, both directions, permutation, permutations, twice";

/// Questions that begin with these ask for one number.
pub const ONE_VALUE: [&str; 8] = [
    "how many ",
    "how much ",
    "what is the total ",
    "what is the average ",
    "what is the number of ",
    "what is the sum ",
    "what is the mean ",
    "what percentage ",
];

/// Words with which a question that begins so asks for several values.
pub const SEVERAL: &str = "each, every, per, by, for all, respectively, both, and, or, list, grouped, group, breakdown, different, of the following";

/// Phrases that say where 0 is expected.
pub const ZERO_CUES: [&str; 22] = [
    "0 for",
    "zero for",
    "0 if",
    "zero if",
    "0 when",
    "zero when",
    "count of 0",
    "count 0",
    "appear with 0",
    "appears with 0",
    "appear with zero",
    "have 0",
    "has 0",
    "gets 0",
    "get 0",
    "or 0 if",
    "as 0",
    "as zero",
    "show 0",
    "write 0",
    "give 0",
    "list 0",
];
