//! Words about the data of a prompt. Each list is separated by commas (phrases) or blanks (words), in lower case.

/// Phrases before a limit.
pub const COMPARISONS: &str = "above, over, exceeding, exceeds, exceed, exceeded, more than, greater than, higher than, larger than, \
    bigger than, longer than, older than, later than, earlier than, less than, fewer than, lower than, smaller than, younger than, \
    shorter than, than, below, under, at least, at most, up to, minimum of, maximum of, or equal to, >=, <=, >, <, ≥, ≤";

/// Phrases before the limit of a time.
pub const TIMES: &str =
    "before, after, since, until, till, from, between, on, in, by the end of, on or after, on or before, as of, during";

/// Phrases before a value that rows have.
pub const BELONGS: &str = "in, of, is, are, equals, equal to, =, ==, named, called, only, except, excluding, other than, not, at, within, \
    belonging to, belongs to, belong to, assigned to, marked, labeled, whose";

/// Phrases after a limit.
pub const LIMITS_AFTER: &str = "or more, or less, or fewer, or higher, or lower, or later, or earlier, or above, or below, or over, or under, \
    and above, and below, and over, and under, or greater, or older, or younger, or longer, or shorter, and later, and earlier";

/// The same, if the sentence asks something before them: they can also introduce a name that is not a condition.
pub const BELONGS_IF_ASKED: &str = "for, from, by, with, to, on, the, all, and, or";

/// Words that begin a question, or name what is computed.
pub const QUESTIONS: &str = "how what which who whose when count sum total average mean median number maximum minimum highest lowest largest \
    smallest most least list find compute calculate determine report name";

/// Words after a number that limit the reply or the work and not the data.
pub const EFFORT: &str = "word words character characters letter letters line lines sentence sentences paragraph paragraphs minute minutes \
    second seconds hour hours step steps query queries call calls tool tools attempt attempts try tries token tokens bullet bullets point \
    points time times decimal decimals digit digits place places item items entry entries page pages file files percent command commands action actions operation operations edit edits";

/// Words at the beginning of a sentence about the reply or the work.
pub const REPLIES: &str = "use answer reply respond explain keep be limit spend finish stop";

/// Words before the column that is computed.
pub const AGGREGATES: &str = "total sum average mean median highest lowest largest smallest biggest greatest maximum minimum max min \
    maximal minimal most least latest earliest longest shortest cheapest oldest youngest newest distinct different unique combined \
    overall";

/// Names of columns that are words for any reply: "reply with the name".
pub const GENERIC_NAMES: &str = "name date day time year month amount number value code id key text word line row entry item total count result answer unit place";

/// Verbs of requests that can also be parts of names, such as `LIST_PRICE`.
pub const REQUESTS: &str = "list count name state show report record order sort rate number value return note mark";

/// Words of prompts that say nothing about which rows or values count.
pub const PLAIN: &str = "a about according add all also am among an and answer answers any appear appears are as at attached available based be \
 been below box by calculate can cell cells check column columns combined compute computed contain contained contains containing content \
 contents count counted counting csv currency data database dataset decimal decimals determine digit digits directory do does dollar dollars each \
 either entire entries entry euro euros every everything exact exactly exist exists fence fenced field fields figure file files find folder for found from \
 get give given good has have having header help here how i if in included including information inside integer into is it item items its json \
 just kept key keys know let line lines list listed local look made make many may me much must my name named names need no nothing now number numbers numeric object \
 of on one only open or order our output over overall part per place places please plain present print provide provided question quotes read record \
 recorded records reply report respond response result results return round rounded row rows sandbox say see separators sheet \
 should show single so some sqlite sql state states stored such sum summed table tables tell text than that the their them then there these they this \
 those to together total totalled totals tsv txt unit units up us use used using value values view was we well were what when where which whole whose will with \
 within without work workbook would write xlsx xml yaml yml you your separator comma commas symbol thousands average mean median max min maximum minimum highest lowest \
 largest smallest biggest greatest most least range distinct different unique query queries run select task team alphabetically alphabetical ascending \
 descending sorted sort first last format two nothing else explanation sign amount amounts shown exported export log listing holds hold \
 called keeps keep kept lists tracks track contains company people person persons employee employees staff worker workers customer customers \
 order orders product products user users client clients member members patient patients \
 student students quantity did take takes took taken taking add adds adding added come comes came go goes went cost costs weigh weighs \
 weighed earn earns earned spend spends spent altogether";

/// Words that can mean a limit without naming its number.
pub const VAGUE: &str = "pensioner pensioners kid kids baby babies toddler toddlers infant infants vote voters majority fever obese obesity war pandemic brexit adult adults minor minors senior seniors child children teenager teenagers retired young old teen full empty zero positive negative \
    nonzero missing several pair pairs multiple double triple repeated twice passed passing pass fail failed failing perfect overweight \
    underweight freezing boiling weekend weekends weekday weekdays morning afternoon evening night daytime nighttime twenties thirties forties fifties nineties eighties seventies sixties century millennium decade noon midnight \
    recent recently today yesterday tomorrow current currently quarter half spring summer autumn fall winter standard statutory usual legal german french british swiss austrian";

/// Words with one meaning, one group a line.
pub const SYNONYMS: [&str; 35] = [
    "none no not without nothing missing unknown lack lacking",
    "completed complete completion done finished finish closed fulfilled concluded",
    "closed close shut resolved solved done",
    "open unresolved pending outstanding active unsolved ongoing",
    "pending waiting awaiting open outstanding unprocessed",
    "cancelled canceled cancel cancellation dropped withdrawn",
    "active current live enabled working operational running",
    "inactive disabled dormant stopped deactivated",
    "paid settled pay payment cleared",
    "unpaid outstanding due owed open owing",
    "overdue late past delayed",
    "late delayed overdue tardy behind",
    "approved accepted granted approve authorized",
    "rejected refused denied declined reject turned",
    "failed fail failure failing error unsuccessful errors broken",
    "passed pass passing success successful",
    "success successful succeeded ok passed",
    "error errors failed failure fault faulty",
    "warning warnings warn",
    "high urgent important severe top",
    "critical severe urgent highest",
    "low minor unimportant",
    "shipped sent dispatched shipping shipment ship",
    "delivered arrived received delivery delivering",
    "returned refunded back return sent",
    "refunded refund reimbursed returned",
    "female woman women girl girls she f",
    "male man men boy boys he m",
    "yes true y",
    "no false n not",
    "admin administrator administrators admins",
    "eu europe european",
    "us usa america american united states",
    "uk britain british england united kingdom",
    "remote remotely home telework distant",
];

/// Numbers as words; the first are those from 0 to 20.
pub const NUMBERS: [(&str, f64); 41] = [
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
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("dozen", 12.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("hundred", 100.0),
    ("thousand", 1000.0),
    ("million", 1_000_000.0),
    ("half", 0.5),
    ("halves", 0.5),
    ("quarter", 0.25),
    ("third", 3.0),
    ("fourth", 0.25),
    ("fifth", 0.2),
    ("fifths", 0.2),
    ("eighth", 0.125),
    ("tenth", 0.1),
];

/// Days with names: the month, and the day of it.
pub const NAMED_DAYS: [(&str, u8, u8); 9] = [
    ("leap day", 2, 29),
    ("new year", 1, 1),
    ("new year's eve", 12, 31),
    ("valentine", 2, 14),
    ("valentine's", 2, 14),
    ("halloween", 10, 31),
    ("christmas", 12, 25),
    ("christmas eve", 12, 24),
    ("boxing day", 12, 26),
];

/// The months.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Units in which a prompt says how long a range of dates is.
pub const LENGTHS: &str = "day days week weeks fortnight fortnights month months quarter quarters year years";

/// Words that say when a range of dates ends.
pub const ENDINGS: &str = "until till end ended ends last lasted lasts";

/// Words of dates besides months.
pub const DATE_WORDS: &str = "q1 q2 q3 q4 quarter half year years month months week weeks day days monday tuesday wednesday thursday friday \
    saturday sunday spring summer autumn fall winter today yesterday recent recently decade century current";

/// How many of one unit another has: minutes and hours, centimeters and feet.
pub const UNITS: [f64; 24] = [
    7.0,
    12.0,
    24.0,
    30.0,
    52.0,
    60.0,
    100.0,
    365.0,
    1000.0,
    1024.0,
    1440.0,
    3600.0,
    10_000.0,
    86_400.0,
    1_000_000.0,
    2.54,
    30.48,
    3.28,
    1.609,
    2.205,
    1.8,
    0.0254,
    3.785,
    28.35,
];

/// Phrases of a sentence about something that does not count.
pub const DISMISSING: &str = "not matter, n't matter, not count, n't count, ignore, never mind, regardless, whatever, disregard, irrelevant, no say, does not decide";
/// Phrases that exclude the values after them.
pub const EXCLUDING: &str = "except, other than, excluding, apart from, but not, is not, are not, without, all but";

/// Last words of names of columns that explain the question of a row.
pub const EVIDENCE: &str = "evidence evidences hint hints knowledge definition definitions glossary background context";

/// Words in the names of variants that show it.
pub const INFORMED: &str =
    "told informed hinted hint hints evidence explained guided knowledge definitions glossary context with";

/// Words of prompts that leave the choice to the agent.
pub const ANY: &str = "any, some, invent, arbitrary, random, make up, choose, pick, of your choice";

/// Words before an example: of the form of the answer, in a question that has one.
pub const SUCH: &str = "example, examples, such as, e.g";

/// Phrases about the columns and rows of a file that is to be written.
pub const TABULAR: &str = "the columns, columns, header line, header row, a row for each, one row for each, a line for each, one line for each, one row per, \
    a row per, one line per, a line per";

/// Words of prompts that say what a file contains.
pub const CONTENT: &str = "column, columns, key, keys, field, fields, header, row, rows, sorted, sum, sums, total, totals, average, mean, median, \
    number of, highest, lowest, largest, smallest, latest, earliest, percentage, share, for each, one line, json object, json array";

/// Words of a question that has one answer.
pub const WHICH: &str = "which, what, whether, who";

/// How sentences begin that say what stays.
pub const LEAVING: &[&str] =
    &["leave ", "keep ", "do not change ", "do not touch ", "don't change ", "don't touch ", "never change "];

/// Phrases that choose days of the week.
pub const OF_WEEK: &[&str] = &[
    "weekday",
    "weekdays",
    "weekend",
    "weekends",
    "monday to friday",
    "monday through friday",
    "mondays to fridays",
    "saturday and sunday",
    "saturdays and sundays",
    "saturday or sunday",
    "saturdays or sundays",
    "working days",
];

/// Parts of names of what knows the day of the week.
pub const WEEKDAY_NAMES: &[&str] = &["week", "dow", "sunday", "saturday", "monday", "friday", "workday", "holiday"];
