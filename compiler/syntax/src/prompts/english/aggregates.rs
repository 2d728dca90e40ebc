//! The words of English prompts for what is computed, for extremes, and for orders.

use crate::prompts::Aggregate::{Count, Deviation, Distinct, Mean, Median, Mode, Sum};
use crate::prompts::End::{High, Low};
use crate::prompts::{Aggregate, End};
use model::suite::Op;

/// What is computed.
pub const AGGREGATES: &[(&str, Aggregate)] = &[
    ("sum", Sum),
    ("sums", Sum),
    ("total", Sum),
    ("totals", Sum),
    ("add up", Sum),
    ("altogether", Sum),
    ("together", Sum),
    ("combined", Sum),
    ("in total", Sum),
    ("overall", Sum),
    ("summed", Sum),
    ("cumulative", Sum),
    ("average", Mean),
    ("mean", Mean),
    ("avg", Mean),
    ("on average", Mean),
    ("averages", Mean),
    ("averaged", Mean),
    ("median", Median),
    ("how many", Count),
    ("number of", Count),
    ("count", Count),
    ("count the", Count),
    ("counts", Count),
    ("how often", Count),
    ("total number of", Count),
    ("total count of", Count),
    ("different", Distinct),
    ("distinct", Distinct),
    ("unique", Distinct),
    ("unlike", Distinct),
    ("most common", Mode),
    ("most frequent", Mode),
    ("most often", Mode),
    ("most frequently", Mode),
    ("mode", Mode),
    ("commonest", Mode),
    ("most commonly", Mode),
    ("most popular", Mode),
    ("standard deviation", Deviation),
    ("stdev", Deviation),
    ("deviation", Deviation),
    ("variance", Deviation),
    ("quantile", Deviation),
    ("percentile", Deviation),
    ("quartile", Deviation),
    ("range", Deviation),
    ("difference", Deviation),
    ("differ", Deviation),
    ("weighted", Deviation),
    ("geometric", Deviation),
    ("spread", Deviation),
];

/// Extremes of any values.
pub const EXTREMES: &[(&str, End)] = &[
    ("highest", High),
    ("largest", High),
    ("biggest", High),
    ("greatest", High),
    ("maximum", High),
    ("maximal", High),
    ("max", High),
    ("most expensive", High),
    ("priciest", High),
    ("dearest", High),
    ("costliest", High),
    ("heaviest", High),
    ("tallest", High),
    ("longest", High),
    ("hottest", High),
    ("warmest", High),
    ("busiest", High),
    ("top", High),
    ("peak", High),
    ("richest", High),
    ("best paid", High),
    ("highest paid", High),
    ("most", High),
    ("best selling", High),
    ("widest", High),
    ("strongest", High),
    ("lowest", Low),
    ("smallest", Low),
    ("least", Low),
    ("minimum", Low),
    ("minimal", Low),
    ("min", Low),
    ("cheapest", Low),
    ("fewest", Low),
    ("lightest", Low),
    ("shortest", Low),
    ("coldest", Low),
    ("coolest", Low),
    ("least expensive", Low),
    ("poorest", Low),
    ("bottom", Low),
    ("lowest paid", Low),
    ("narrowest", Low),
    ("weakest", Low),
    ("quietest", Low),
];

/// Extremes of dates.
pub const AGES: &[(&str, End)] = &[
    ("newest", High),
    ("latest", High),
    ("most recent", High),
    ("youngest", High),
    ("most recently", High),
    ("oldest", Low),
    ("earliest", Low),
    ("least recent", Low),
    ("least recently", Low),
    ("longest ago", Low),
];

/// Extremes of durations, and the other way round of speeds.
pub const PACES: &[(&str, End)] =
    &[("fastest", Low), ("quickest", Low), ("swiftest", Low), ("speediest", Low), ("slowest", High)];

/// Orders of durations, and the other way round of speeds.
pub const PACE_ORDERS: &[(&str, End)] = &[
    ("fastest first", Low),
    ("quickest first", Low),
    ("slowest first", High),
    ("fastest to slowest", Low),
    ("quickest to slowest", Low),
    ("slowest to fastest", High),
    ("slowest to quickest", High),
];

/// Words that describe a median.
pub const MIDDLE: &[&str] = &["middle", "midmost"];

/// Words in the names of columns that have durations.
pub const DURATIONS: &[&str] = &["time", "times", "duration", "latency", "elapsed", "hundredths", "tenths", "millis"];

/// Words in the names of columns that have speeds.
pub const SPEEDS: &[&str] = &["speed", "velocity", "kmh", "kph", "mph", "knots", "throughput"];

/// Deviations that divide by the number of values.
pub const OF_POPULATION: &[&str] = &[
    "population standard deviation",
    "population variance",
    "population stdev",
    "standard deviation of the population",
    "standard deviation of the whole population",
    "variance of the population",
];

/// A standard deviation is asked for.
pub const DEVIATIONS: &[&str] =
    &["standard deviation", "standard deviations", "standard-deviation", "stdev", "std dev", "std"];

/// Words that say which deviation is meant.
pub const TOLD_DEVIATIONS: &[&str] = &[
    "whichever",
    "either",
    "sample",
    "population",
    "bessel",
    "bessel's",
    "pstdev",
    "stdev_samp",
    "stddev_samp",
    "stddev_pop",
    "ddof",
    "unbiased",
];

/// Divisors that say it.
pub const TOLD_DIVISORS: &[&str] =
    &["n - 1", "n-1", "n − 1", "n−1", "n – 1", "n–1", "divide by n", "divided by n", "stdev.s", "stdev.p", "stdevp"];

/// A quantile is asked for.
pub const PERCENTILES: &[&str] = &[
    "percentile",
    "percentiles",
    "quartile",
    "quartiles",
    "quantile",
    "quantiles",
    "decile",
    "deciles",
    "quintile",
    "quintiles",
];

/// Beginnings of words that say how quantiles are computed.
pub const INTERPOLATED: &[&str] = &["linear", "interpolat", "nearest", "inclusive", "exclusive"];

/// Quantiles after a number, each with the percent between two of them.
pub const QUANTILES: &[(&str, i64)] =
    &[("percentile", 1), ("centile", 1), ("decile", 10), ("quintile", 20), ("quartile", 25)];

/// The word for the place at the end of a list.
pub const LAST: &str = "last";

/// Numbers before them.
pub const ORDINALS: &[&str] = &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

/// Phrases that ask to round in one direction.
pub const ONE_WAY: &[&str] = &[
    "round down",
    "rounded down",
    "rounding down",
    "round up",
    "rounded up",
    "rounding up",
    "truncate",
    "truncated",
    "rounded off downwards",
    "rounded downwards",
    "rounded upwards",
];

/// Phrases that ask to leave out decimals, if these are named after them.
pub const CUTTING: &[&str] = &["cut off", "cutting off", "drop", "dropping", "leave off", "ignore"];

/// Operations on what is named before and after them.
pub const OPERATIONS: &[(&str, Op)] =
    &[("minus", Op::Sub), ("divided by", Op::Div), ("as a share of", Op::Div), ("as a percentage of", Op::Div)];

/// Orders of any values.
pub const ORDERS: &[(&str, End)] = &[
    ("ascending", Low),
    ("ascendingly", Low),
    ("lowest first", Low),
    ("smallest first", Low),
    ("cheapest first", Low),
    ("shortest first", Low),
    ("fewest first", Low),
    ("least first", Low),
    ("lightest first", Low),
    ("increasing order", Low),
    ("rising order", Low),
    ("alphabetical", Low),
    ("alphabetically", Low),
    ("lowest to highest", Low),
    ("lowest to the highest", Low),
    ("smallest to largest", Low),
    ("smallest to biggest", Low),
    ("smallest to greatest", Low),
    ("low to high", Low),
    ("cheapest to most expensive", Low),
    ("a to z", Low),
    ("from a to z", Low),
    ("fewest to most", Low),
    ("least to most", Low),
    ("shortest to longest", Low),
    ("descending", High),
    ("descendingly", High),
    ("highest first", High),
    ("largest first", High),
    ("biggest first", High),
    ("greatest first", High),
    ("longest first", High),
    ("most expensive first", High),
    ("most first", High),
    ("heaviest first", High),
    ("decreasing order", High),
    ("falling order", High),
    ("highest to lowest", High),
    ("highest to the lowest", High),
    ("largest to smallest", High),
    ("biggest to smallest", High),
    ("greatest to smallest", High),
    ("high to low", High),
    ("most expensive to cheapest", High),
    ("z to a", High),
    ("reverse alphabetical", High),
    ("reverse alphabetically", High),
    ("most to fewest", High),
    ("most to least", High),
    ("longest to shortest", High),
];

/// Orders of dates.
pub const DATE_ORDERS: &[(&str, End)] = &[
    ("oldest first", Low),
    ("earliest first", Low),
    ("chronological", Low),
    ("chronologically", Low),
    ("oldest to newest", Low),
    ("earliest to latest", Low),
    ("newest first", High),
    ("latest first", High),
    ("most recent first", High),
    ("reverse chronological", High),
    ("newest to oldest", High),
    ("latest to earliest", High),
    ("most recent to oldest", High),
];
