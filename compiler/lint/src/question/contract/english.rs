//! The words of English prompts.

use model::suite::Op;

use super::language::Aggregate::{Count, Deviation, Distinct, Mean, Median, Mode, Sum};
use super::language::End::{High, Low};
use super::language::{Aggregate, Asks, End, Language};
use super::units::UNITS;

const GT: Asks = Asks::new(Op::Gt);
const GE: Asks = Asks::new(Op::Ge);
const LT: Asks = Asks::new(Op::Lt);
const LE: Asks = Asks::new(Op::Le);

pub(super) const ENGLISH: Language = Language {
    common: &["the", "what", "how", "which", "of", "is", "are", "with", "and", "reply", "write", "list", "each"],
    before: BEFORE,
    after: AFTER,
    fillers: &["the", "a", "an", "of", "value", "date", "day", "year", "threshold", "limit", "amount", "number"],
    negations: &[
        "not", "no", "never", "nor", "neither", "without", "cannot", "don't", "doesn't", "didn't", "isn't", "aren't",
        "wasn't", "weren't", "haven't", "hasn't", "except", "excluding", "unless", "but", "other", "none", "nobody",
    ],
    exclusions: &[
        "other than", "different from", "not equal to", "except", "except for", "excluding", "apart from", "but not",
        "is not", "are not", "was not", "were not", "isn't", "aren't", "not in", "not from", "not", "outside",
        "outside of", "all but", "besides", "without",
    ],
    leaving_out: &[
        "not", "n't", "no", "non", "never", "other", "except", "exclu", "without", "outside", "beside", "else", "differ",
        "unlike", "rest", "remain", "apart", "away", "but", "leav", "left", "ignor", "skip", "drop", "omit", "minus",
        "another", "neither", "nor", "remov", "delet", "instead", "than", "unequal", "lack", "miss", "still", "yet",
        "invalid", "change", "separate",
    ],
    ranges: &[("between", "and"), ("from", "to"), ("from", "through"), ("from", "until"), ("from", "up to")],
    inclusive: &["inclusive", "inclusively", "included", "including", "includes", "include", "counting"],
    exclusive: &["exclusive", "exclusively", "excluded", "excluding", "strictly"],
    or: &["or", "either", "any", "one of", "at least one", "and/or", "nor", "neither"],
    joining: &["plus", "also", "as well", "together", "combined", "union", "each", "respectively", "all", "total"],
    and: &["and", "both", "with", "whose", "who", "that", "which", "where", "while"],
    groups: &["those", "ones", "rows", "people", "orders", "records", "entries", "items", "lines", "them", "these"],
    numbers: &[
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ],
    aggregates: AGGREGATES,
    extremes: EXTREMES,
    ages: AGES,
    idioms: &[
        "at least", "at most", "at the most", "at the least", "a minimum of", "a maximum of", "minimum of",
        "maximum of", "no less than", "for each", "per", "first of all", "most of", "total number of", "total count of",
        "total amount of", "sum of squares",
    ],
    ranks: &["rank", "priority", "place", "position", "grade", "level", "tier", "class", "order", "standing", "seed"],
    links: &[
        "of", "the", "all", "in", "value", "values", "number", "column", "a", "an", "its", "their", "any", "for", "over",
        "field", "figure", "amount", "from", "across",
    ],
    rows: &["rows", "records", "entries", "lines", "row"],
    decimals: &[
        "decimals", "decimal", "decimal places", "decimal place", "decimal digits", "decimal digit",
        "digits after the point", "digits after the decimal point", "places", "fractional digits", "places after the decimal point",
    ],
    precisions: &[
        ("no decimals", 0), ("without decimals", 0), ("nearest whole number", 0), ("nearest whole", 0),
        ("nearest integer", 0), ("a whole number", 0), ("whole numbers", 0), ("as an integer", 0), ("to an integer", 0),
        ("to the integer", 0), ("as a whole", 0), ("nearest tenth", 1), ("nearest hundredth", 2), ("nearest thousandth", 3),
        ("nearest ten", -1), ("nearest hundred", -2), ("nearest thousand", -3),
        ("nearest 10", -1), ("nearest 100", -2), ("nearest 1000", -3), ("nearest 0.1", 1), ("nearest 0.01", 2), ("nearest 0.001", 3),
        ("nearest million", -6), ("one tenth", 1), ("full euros", 0), ("whole euros", 0), ("whole dollars", 0),
    ],
    digits: &["significant", "figures", "sig"],
    takes: &["top", "first", "bottom", "last"],
    pieces: &[
        "character", "characters", "letter", "letters", "digit", "digits", "word", "words", "day", "days", "week",
        "weeks", "month", "months", "year", "years", "hour", "hours", "minute", "minutes", "second", "seconds", "column",
        "columns", "place", "places", "decimal", "decimals", "time", "times", "quarter", "quarters", "half", "halves",
        "percent", "per", "line", "lines", "sentence", "sentences", "paragraph", "paragraphs", "quarterly", "of",
    ],
    orders: ORDERS,
    date_orders: DATE_ORDERS,
    any_order: &[
        "in any order", "any order", "no particular order", "order does not matter", "order doesn't matter",
        "order is irrelevant", "order is not important", "order is free", "order of your choice", "in arbitrary order",
        "regardless of order", "whatever order",
    ],
    units: UNITS,
    unit_leads: &["in", "as", "into"],
    unit_given: &[
        "are", "is", "given", "measured", "stored", "recorded", "written", "listed", "kept", "noted", "logged", "values",
        "counts", "stands", "stand", "was", "were", "has", "column", "be", "amounts", "prices", "expressed",
    ],
    percent: &["percent", "percentage", "per cent", "percentages"],
    shares: &["share", "fraction", "proportion", "ratio", "between 0 and 1", "from 0 to 1"],
    hundred: &["percent", "per", "hundred", "100", "cent"],
    pairs: &[("yes", "no"), ("true", "false")],
    replying: &["reply", "answer", "respond", "return", "output", "write", "give", "format", "formatted", "state", "say", "as", "print"],
    upper: &["in upper case", "in uppercase", "in capitals", "in capital letters", "in all caps", "uppercased", "all uppercase", "uppercase letters"],
    lower: &["in lower case", "in lowercase", "in small letters", "lowercased", "all lowercase", "lowercase letters"],
    separators: &[
        ("comma separated", ","), ("separated by commas", ","), ("separated by a comma", ","), ("separated with commas", ","),
        ("semicolon separated", ";"), ("separated by semicolons", ";"), ("separated by a semicolon", ";"), ("separated with semicolons", ";"),
        ("one per line", "\n"), ("each on its own line", "\n"), ("one on each line", "\n"), ("separated by line breaks", "\n"), ("separated by newlines", "\n"),
        ("separated by spaces", " "), ("separated by a space", " "), ("separated by single spaces", " "), ("space separated", " "),
        ("separated by slashes", "/"), ("separated by a slash", "/"), ("separated by hyphens", "-"), ("separated by a hyphen", "-"),
        ("separated by pipes", "|"), ("pipe separated", "|"), ("separated by tabs", "\t"), ("tab separated", "\t"),
    ],
    number_only: &["the number only", "number only", "only the number", "only a number", "just the number", "a number only", "a single number", "the number alone"],
    name_only: &["the name only", "name only", "only the name", "just the name", "its name only", "the name alone", "the word only", "only the word"],
    arrays: &["json array", "json list", "json arrays"],
    objects: &["json object", "json objects"],
    fences: &["fenced", "fence", "block", "blocks", "code", "codeblock", "markdown", "backticks", "```"],
    last_line: &[
        "on the last line", "in the last line", "as the last line", "on the final line", "the last line must", "the last line of your",
        "last line of the reply", "on a last line", "as the final line", "end with a line", "end your reply with", "finish with a line",
    ],
    first_line: &["on the first line", "in the first line", "as the first line", "first line of your reply", "first line of the reply", "begin your reply with"],
    columns: &["column", "columns", "header", "headers", "headings", "fields"],
};

const BEFORE: &[(&str, Asks)] = &[
    ("above", GT), ("over", GT), ("more than", GT), ("greater than", GT), ("higher than", GT), ("larger than", GT),
    ("bigger than", GT), ("exceeding", GT), ("exceeds", GT), ("exceed", GT), ("exceeded", GT), ("beyond", GT),
    ("in excess of", GT), ("longer than", GT), ("taller than", GT), ("heavier than", GT), ("strictly above", GT),
    ("strictly more than", GT), ("strictly greater than", GT), ("costlier than", GT), ("later than", Asks::of_dates(Op::Gt)),
    ("after", Asks::of_dates(Op::Gt)), ("strictly after", Asks::of_dates(Op::Gt)), ("past", Asks::of_dates(Op::Gt)),
    ("warmer than", GT), ("hotter than", GT), ("surpassing", GT), ("surpasses", GT), ("surpass", GT), ("in more than", GT),
    ("at least", GE), ("no less than", GE), ("not less than", GE), ("no fewer than", GE), ("not fewer than", GE),
    ("not below", GE), ("not under", GE), ("no lower than", GE), ("not lower than", GE), ("a minimum of", GE), ("minimum of", GE),
    ("no smaller than", GE), ("not smaller than", GE), ("no shorter than", GE), ("greater than or equal to", GE), ("more than or equal to", GE),
    ("above or equal to", GE), ("over or equal to", GE), ("after or on", GE), ("below or equal to", LE), ("under or equal to", LE),
    ("before or on", LE), ("at or above", GE), ("on or above", GE), ("equal to or greater than", GE), ("equal to or above", GE), ("equal to or more than", GE),
    ("not before", GE), ("no earlier than", GE), ("not earlier than", GE), ("on or after", GE), ("at or after", GE),
    ("on or later than", GE), ("since", Asks::of_dates(Op::Ge)), ("starting from", Asks::of_dates(Op::Ge)), ("starting on", Asks::of_dates(Op::Ge)),
    ("larger than or equal to", GE), ("higher than or equal to", GE), ("reaching", GE), ("reaches", GE), ("reached", GE), ("reach", GE),
    ("below", LT), ("under", LT), ("less than", LT), ("fewer than", LT), ("lower than", LT), ("smaller than", LT),
    ("shorter than", LT), ("cheaper than", LT), ("lighter than", LT), ("strictly below", LT), ("strictly less than", LT),
    ("colder than", LT), ("cooler than", LT),
    ("before", Asks::of_dates(Op::Lt)), ("strictly before", Asks::of_dates(Op::Lt)), ("earlier than", Asks::of_dates(Op::Lt)), ("prior to", Asks::of_dates(Op::Lt)),
    ("at most", LE), ("up to", LE), ("up to and including", LE), ("no more than", LE), ("not more than", LE), ("not above", LE),
    ("not over", LE), ("no greater than", LE), ("not greater than", LE), ("no higher than", LE), ("not higher than", LE),
    ("no larger than", LE), ("not larger than", LE), ("no longer than", LE), ("not longer than", LE), ("a maximum of", LE), ("maximum of", LE),
    ("less than or equal to", LE), ("fewer than or equal to", LE), ("lower than or equal to", LE), ("smaller than or equal to", LE),
    ("at or below", LE), ("at or under", LE), ("on or below", LE), ("equal to or less than", LE), ("equal to or below", LE),
    ("no later than", LE), ("not later than", LE), ("not after", LE), ("on or before", LE), ("at or before", LE), ("does not exceed", LE),
    ("do not exceed", LE), ("doesn't exceed", LE), ("don't exceed", LE), ("not exceeding", LE), ("without exceeding", LE), ("not exceed", LE),
    ("older than", Asks::open(true)), ("younger than", Asks::open(true)), ("newer than", Asks::open(true)),
    ("more recent than", Asks::open(true)), ("better than", Asks::open(true)), ("worse than", Asks::open(true)),
    ("faster than", Asks::open(true)), ("slower than", Asks::open(true)),
];

const AFTER: &[(&str, Asks)] = &[
    ("or more", GE), ("or above", GE), ("or higher", GE), ("or greater", GE), ("or over", GE), ("or larger", GE), ("or longer", GE),
    ("or later", GE), ("or after", GE), ("or upwards", GE), ("and above", GE), ("and over", GE), ("and up", GE), ("and later", GE),
    ("and upwards", GE), ("and higher", GE), ("and more", GE), ("or bigger", GE), ("or heavier", GE), ("at least", GE), ("onwards", GE), ("onward", GE),
    ("or less", LE), ("or fewer", LE), ("or below", LE), ("or lower", LE), ("or under", LE), ("or earlier", LE), ("or before", LE),
    ("or smaller", LE), ("or shorter", LE), ("and below", LE), ("and under", LE), ("and earlier", LE), ("and lower", LE), ("and less", LE),
    ("or cheaper", LE), ("at most", LE), ("at the most", LE),
    ("or older", Asks::open(false)), ("or younger", Asks::open(false)), ("or newer", Asks::open(false)), ("and older", Asks::open(false)),
    ("and newer", Asks::open(false)),
];

const AGGREGATES: &[(&str, Aggregate)] = &[
    ("sum", Sum), ("sums", Sum), ("total", Sum), ("totals", Sum), ("add up", Sum), ("altogether", Sum), ("together", Sum),
    ("combined", Sum), ("in total", Sum), ("overall", Sum), ("summed", Sum), ("cumulative", Sum),
    ("average", Mean), ("mean", Mean), ("avg", Mean), ("on average", Mean), ("averages", Mean), ("averaged", Mean),
    ("median", Median), ("how many", Count), ("number of", Count), ("count", Count), ("count the", Count), ("counts", Count), ("how often", Count),
    ("total number of", Count), ("total count of", Count),
    ("different", Distinct), ("distinct", Distinct), ("unique", Distinct), ("unlike", Distinct),
    ("most common", Mode), ("most frequent", Mode), ("most often", Mode), ("most frequently", Mode), ("mode", Mode), ("commonest", Mode),
    ("most commonly", Mode), ("most popular", Mode),
    ("standard deviation", Deviation), ("stdev", Deviation), ("deviation", Deviation),
    ("variance", Deviation), ("quantile", Deviation), ("percentile", Deviation), ("quartile", Deviation), ("range", Deviation),
    ("difference", Deviation), ("differ", Deviation), ("weighted", Deviation), ("geometric", Deviation), ("spread", Deviation),
];

const EXTREMES: &[(&str, End)] = &[
    ("highest", High), ("largest", High), ("biggest", High), ("greatest", High), ("maximum", High), ("maximal", High), ("max", High),
    ("most expensive", High), ("priciest", High), ("dearest", High), ("costliest", High), ("heaviest", High), ("tallest", High), ("longest", High),
    ("hottest", High), ("warmest", High), ("busiest", High), ("top", High), ("peak", High), ("richest", High), ("best paid", High),
    ("highest paid", High), ("most", High), ("best selling", High), ("widest", High), ("deepest", High), ("strongest", High),
    ("lowest", Low), ("smallest", Low), ("least", Low), ("minimum", Low), ("minimal", Low), ("min", Low), ("cheapest", Low), ("fewest", Low),
    ("lightest", Low), ("shortest", Low), ("coldest", Low), ("coolest", Low), ("least expensive", Low), ("poorest", Low), ("bottom", Low),
    ("lowest paid", Low), ("narrowest", Low), ("weakest", Low), ("shallowest", Low), ("quietest", Low),
];

const AGES: &[(&str, End)] = &[
    ("newest", High), ("latest", High), ("most recent", High), ("youngest", High), ("most recently", High),
    ("oldest", Low), ("earliest", Low), ("least recent", Low), ("least recently", Low), ("longest ago", Low),
];

const ORDERS: &[(&str, End)] = &[
    ("ascending", Low), ("ascendingly", Low), ("lowest first", Low), ("smallest first", Low), ("cheapest first", Low), ("shortest first", Low), ("fewest first", Low),
    ("least first", Low), ("lightest first", Low), ("increasing order", Low), ("rising order", Low), ("alphabetical", Low), ("alphabetically", Low), ("lowest to highest", Low),
    ("lowest to the highest", Low), ("smallest to largest", Low), ("smallest to biggest", Low), ("smallest to greatest", Low), ("low to high", Low), ("cheapest to most expensive", Low), ("a to z", Low),
    ("from a to z", Low), ("fewest to most", Low), ("least to most", Low), ("shortest to longest", Low),
    ("descending", High), ("descendingly", High), ("highest first", High), ("largest first", High), ("biggest first", High), ("greatest first", High), ("longest first", High),
    ("most expensive first", High), ("most first", High), ("heaviest first", High), ("decreasing order", High), ("falling order", High), ("highest to lowest", High),
    ("highest to the lowest", High), ("largest to smallest", High), ("biggest to smallest", High), ("greatest to smallest", High), ("high to low", High), ("most expensive to cheapest", High), ("z to a", High),
    ("reverse alphabetical", High), ("reverse alphabetically", High), ("most to fewest", High), ("most to least", High), ("longest to shortest", High),
];

const DATE_ORDERS: &[(&str, End)] = &[
    ("oldest first", Low), ("earliest first", Low), ("chronological", Low), ("chronologically", Low), ("oldest to newest", Low), ("earliest to latest", Low),
    ("newest first", High), ("latest first", High), ("most recent first", High), ("reverse chronological", High), ("newest to oldest", High), ("latest to earliest", High),
    ("most recent to oldest", High),
];
