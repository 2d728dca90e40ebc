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

/// Means of groups are asked for.
pub(super) const MEANS: &str = "average of, averages, mean of the mean, means, mean of the average, average these, average those, average them, \
    mean of these, mean of those, unweighted, weigh, weighs, weighted, weight, equally, macro, average across, averaged across, averaged over";

/// The names that rows share are meant.
pub(super) const SHARED_NAMES: &str =
    "share, shared, shares, sharing, same, namesake, namesakes, different, distinct, identical";
