//! How near two names are: what it costs to explain one by the other.
//!
//! Words are paired, one with one, or a short form with the words that it abbreviates. What is left over may be a word that says little:
//! the table's own name, a technical prefix, a unit, a word such as `code`. Where a column alone has all the words that were asked for, what
//! else it has does not matter.

use std::collections::BTreeSet;

use super::edits::{self, Slip};
use super::vocabulary;
use super::words::{fold, is_number, singular, split};

/// Singular for plural.
const NUMBER: u32 = 1;
/// A short form for its word; another form of a word; another word for a moment.
const SHORT: u32 = 2;
/// A slip of the hand.
const SLIP: u32 = 3;
/// A word for the same thing, other words in another order, the table's name in front.
const OTHER_WORD: u32 = 4;
/// A short form that is in no list; a word too many that says little.
pub(super) const UNLISTED: u32 = 5;
/// What costs more is only a guess.
const MOST: u32 = 9;
/// Guesses begin here.
const GUESS: u32 = 20;
/// Names that contain one another.
const PART: u32 = 40;
/// Longer names are compared by their layout alone.
const LONGEST: usize = 80;
/// Names of more words are compared in order alone.
const MOST_WORDS: usize = 7;

/// Words for a moment, which replace each other.
const MOMENT: &[&str] =
    &["at", "on", "date", "dt", "time", "tm", "datetime", "dttm", "timestamp", "ts", "tstamp", "day", "when"];
/// Words that join others.
const FILLERS: &[&str] = &["of", "the", "and", "for"];
/// What technical prefixes and endings say is the kind of the table or of the value.
const TECHNICAL: &[&str] = &[
    "tbl",
    "tb",
    "dim",
    "fact",
    "stg",
    "src",
    "col",
    "fld",
    "fk",
    "pk",
    "str",
    "int",
    "num",
    "txt",
    "vc",
    "chr",
    "char",
    "bool",
    "bln",
    "flg",
    "dbl",
    "dec",
    "flt",
    "lng",
    "var",
    "varchar",
    "is",
    "has",
    "flag",
    "ind",
    "indicator",
    "bit",
    "yn",
    "field",
    "column",
];
/// What of them is before a name alone.
const NOTATION: &[&str] = &[
    "dt", "ts", "nr", "no", "attr", "param", "raw", "val", "s", "n", "i", "b", "d", "f", "c", "t", "v", "u", "z", "x",
];
/// Words that join others, and mean something at either end.
const LINKS: &[&str] = &["in", "per", "a", "an", "as", "by"];
/// Words that say, like a participle, that something has come to pass: the moment need not be named.
const EVENTS: &[&str] = &[
    "start", "end", "begin", "finish", "birth", "death", "expiry", "due", "paid", "sent", "left", "sold", "built",
    "made", "taken", "born", "begun", "expires", "opened",
];
/// Words before several things for how many they are.
const HOW_MANY: &[&str] = &["number", "no", "num", "nr", "nbr", "n", "count", "cnt", "qty", "quantity", "total"];
/// Units, which the other name may leave out.
const UNITS: &[&str] = &[
    "kg",
    "kgs",
    "g",
    "gr",
    "mg",
    "lb",
    "lbs",
    "oz",
    "t",
    "ton",
    "tons",
    "tonnes",
    "km",
    "m",
    "cm",
    "mm",
    "mi",
    "miles",
    "ft",
    "feet",
    "inch",
    "inches",
    "yd",
    "ha",
    "acres",
    "sqm",
    "sqft",
    "m2",
    "m3",
    "l",
    "ml",
    "liters",
    "litres",
    "gal",
    "usd",
    "eur",
    "gbp",
    "cents",
    "dollars",
    "euros",
    "pct",
    "percent",
    "pc",
    "ms",
    "us",
    "ns",
    "s",
    "sec",
    "secs",
    "seconds",
    "min",
    "mins",
    "minutes",
    "h",
    "hr",
    "hrs",
    "hours",
    "days",
    "weeks",
    "wks",
    "months",
    "years",
    "yrs",
    "c",
    "celsius",
    "f",
    "fahrenheit",
    "k",
    "kelvin",
    "v",
    "volts",
    "w",
    "watts",
    "kw",
    "kwh",
    "mwh",
    "mw",
    "hz",
    "khz",
    "mhz",
    "ghz",
    "kb",
    "mb",
    "gb",
    "tb",
    "bytes",
    "bits",
    "pa",
    "kpa",
    "hpa",
    "bar",
    "psi",
    "mbar",
    "rpm",
    "kmh",
    "kph",
    "mph",
    "ppm",
    "ppb",
    "db",
    "lux",
    "deg",
    "degrees",
    "mah",
    "nm",
    "kn",
    "knots",
    "kcal",
    "cal",
    "ug",
    "mcg",
    "iu",
    "mmol",
    "bpm",
    "mmhg",
    "px",
    "dpi",
    "meter",
    "meters",
    "metre",
    "metres",
    "centimeters",
    "millimeters",
    "kilogram",
    "kilograms",
    "gram",
    "grams",
    "milligrams",
    "pound",
    "pounds",
    "ounce",
    "ounces",
    "kilometer",
    "kilometers",
    "kilometres",
    "mile",
    "inches",
    "liter",
    "litre",
    "milliliters",
    "milliseconds",
    "millis",
    "second",
    "minute",
    "hour",
    "week",
    "month",
    "percentage",
    "euro",
    "dollar",
    "yen",
    "acre",
    "hectare",
    "hectares",
    "tonne",
    "watt",
    "volt",
    "kilowatts",
    "degree",
    "knot",
    "carat",
    "carats",
    "hg",
    "dl",
    "gallons",
    "cubic",
    "sq",
];
/// Words that say little: of two names, one may lack them.
const LIGHT: &[&str] = &[
    "code",
    "cd",
    "id",
    "number",
    "no",
    "nr",
    "num",
    "nbr",
    "name",
    "nm",
    "value",
    "val",
    "amount",
    "amt",
    "text",
    "txt",
    "full",
    "current",
    "primary",
    "main",
    "actual",
    "exact",
    "official",
    "info",
    "information",
    "data",
    "details",
    "type",
    "at",
    "on",
    "date",
    "dt",
    "time",
    "datetime",
    "timestamp",
    "ts",
    "day",
    "total",
    "overall",
    "description",
    "desc",
    "title",
    "label",
    "quantity",
    "qty",
    "count",
    "year",
    "yr",
    "per",
    "measured",
    "recorded",
    "list",
    "record",
    "reading",
    "own",
    "contact",
    "home",
    "personal",
    "registered",
    "given",
    "assigned",
    "stated",
    "legal",
    "preferred",
    "standard",
    "regular",
    "selling",
    "unit",
    "individual",
    "specific",
    "respective",
    "associated",
    "related",
    "official",
    "daily",
];
/// Ends that make a column say something else of a thing than what it is.
const OF_ANOTHER: &[&str] = &[
    "id",
    "key",
    "code",
    "cd",
    "type",
    "kind",
    "unit",
    "units",
    "count",
    "cnt",
    "by",
    "flag",
    "flg",
    "ind",
    "url",
    "uri",
    "link",
    "note",
    "notes",
    "comment",
    "comments",
    "remark",
    "remarks",
    "version",
    "currency",
    "ccy",
    "hash",
    "format",
    "method",
    "source",
    "status",
    "reason",
    "target",
    "limit",
    "threshold",
    "min",
    "max",
    "avg",
    "pct",
    "percent",
];

/// Words that tell one of several like things from the others: none of them is said in vain.
const TELLING_APART: &[&str] = &[
    "min",
    "max",
    "minimum",
    "maximum",
    "avg",
    "average",
    "mean",
    "median",
    "first",
    "last",
    "start",
    "end",
    "begin",
    "old",
    "new",
    "previous",
    "prior",
    "next",
    "parent",
    "child",
    "sub",
    "net",
    "gross",
    "not",
    "non",
    "no",
    "by",
    "at",
    "on",
    "to",
    "from",
    "in",
    "out",
    "up",
    "down",
    "high",
    "low",
    "upper",
    "lower",
    "left",
    "right",
    "inner",
    "outer",
    "source",
    "target",
    "origin",
    "destination",
    "home",
    "away",
    "shipping",
    "billing",
    "ship",
    "bill",
    "mailing",
    "expected",
    "actual",
    "planned",
    "estimated",
    "before",
    "after",
    "created",
    "updated",
    "deleted",
    "opened",
    "closed",
    "sum",
    "total",
    "count",
    "id",
    "key",
    "code",
    "type",
    "unit",
    "url",
    "note",
    "date",
    "time",
    "year",
    "month",
    "day",
    "hour",
    "middle",
    "maiden",
    "second",
    "third",
    "secondary",
    "alternate",
    "emergency",
    "buyer",
    "seller",
    "payer",
    "payee",
    "mother",
    "father",
    "internal",
    "external",
    "public",
    "private",
    "local",
    "remote",
    "daily",
    "weekly",
    "monthly",
    "yearly",
    "annual",
    "tax",
    "discount",
    "cost",
    "rate",
    "percent",
    "pct",
    "name",
    "email",
    "phone",
    "address",
    "number",
    "status",
    "limit",
    "level",
    "version",
    "hash",
    "size",
    "reason",
    "currency",
];

/// How near a candidate is. Less is nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kin {
    /// It is a guess: never clear.
    pub doubtful: bool,
    /// What the explanation costs.
    pub cost: u32,
    /// One merely contains the other.
    pub part: bool,
    /// It is a guess by meaning, not by letters.
    pub loose: bool,
    /// The word of few letters in which the slip is, counted from the last: a name that differs only there may be a sibling.
    pub short: Option<usize>,
}

impl Kin {
    fn sure(cost: u32) -> Kin {
        Kin { doubtful: cost > MOST, cost, part: false, loose: false, short: None }
    }

    fn guess(cost: u32) -> Kin {
        Kin { doubtful: true, cost: GUESS + cost, part: false, loose: false, short: None }
    }
}

/// A name and its words.
pub struct Name {
    fold: String,
    words: Vec<String>,
}

impl Name {
    /// Takes a name apart.
    pub fn new(written: &str) -> Name {
        Name { fold: fold(written), words: split(written) }
    }

    /// Whether the words are the same but for this one, counted from the last.
    pub fn differs_only_at(&self, other: &Name, at: usize) -> bool {
        self.words.len() == other.words.len()
            && self.words.len() > 1
            && self.words.iter().zip(&other.words).rev().enumerate().all(|(index, (a, b))| index == at || same(a, b))
    }
}

/// What can precede a column's name without changing what it means.
#[derive(Default)]
pub struct Prefix {
    table: Vec<String>,
    /// A word that all columns begin with.
    shared: Option<String>,
}

impl Prefix {
    /// Of a table ("" for none) and its columns.
    pub fn of(table: &str, columns: &BTreeSet<&str>) -> Prefix {
        if table.is_empty() {
            return Prefix::default();
        }
        let mut firsts = columns.iter().map(|column| {
            let words = split(column);
            words.first().cloned().filter(|_| words.len() > 1)
        });
        let first = firsts.next().flatten();
        let shared = first.filter(|first| columns.len() > 2 && firsts.all(|other| other.as_ref() == Some(first)));
        Prefix { table: split(table), shared }
    }

    /// Whether all columns begin with the same letter, so that another letter there is another table's.
    fn lettered(&self) -> bool {
        self.shared.as_ref().is_some_and(|shared| shared.chars().count() == 1)
    }

    /// Whether a word is of the table.
    fn has(&self, word: &str, at: usize) -> bool {
        let initials: String = self.table.iter().filter_map(|word| word.chars().next()).collect();
        let initial = at == 0 && (word == initials || word.chars().count() == 1 && initials.starts_with(word));
        at == 0 && self.shared.as_deref() == Some(word)
            || self.table.iter().any(|of| stands_for(word, of))
            || !initials.is_empty() && initial
    }
}

/// The nearest explanation of one name by the other, if there is any.
pub fn kin(word: &Name, candidate: &Name, prefix: &Prefix) -> Option<Kin> {
    if word.fold == candidate.fold && !word.fold.is_empty() {
        return Some(Kin::sure(0));
    }
    let longest = word.fold.chars().count().max(candidate.fold.chars().count());
    if longest > LONGEST {
        return None;
    }
    let mut nearest = spelt_together(word, candidate, longest);
    let others = readings(&candidate.words);
    for (extra, words) in readings(&word.words) {
        for (more, others) in &others {
            let found =
                Pairing::of(&words, others, prefix).filter(|found| !found.part || extra + more == 0).map(|found| Kin {
                    doubtful: found.doubtful || !found.part && found.cost + extra + more > MOST,
                    cost: found.cost + extra + more,
                    ..found
                });
            nearest = [nearest, found].into_iter().flatten().min();
        }
    }
    // Among columns `amount` may be `amount_due`; among tables `order_lines` is not `orders`.
    nearest.or_else(|| part(&word.words, &candidate.words).filter(|_| !prefix.table.is_empty()))
}

/// The ways in which the words of a name can be read, each with its cost.
fn readings(words: &[String]) -> Vec<(u32, Vec<String>)> {
    let mut readings = vec![(0, words.to_vec())];
    for (at, word) in words.iter().enumerate() {
        let rest = words.get(at + 1..).unwrap_or_default();
        for phrase in vocabulary::phrases(word) {
            let before = words.iter().take(at).cloned();
            let phrase = phrase.iter().map(|word| (*word).to_owned());
            readings.push((OTHER_WORD, before.chain(phrase).chain(rest.iter().cloned()).collect()));
        }
    }
    // `number_of_beds` and `num_beds` are how many, as in `bed_count`.
    if let [first, rest @ ..] = words
        && HOW_MANY.contains(&first.as_str())
    {
        let rest = if rest.first().is_some_and(|word| word == "of") { rest.get(1..).unwrap_or_default() } else { rest };
        if rest.first().is_some_and(|word| singular(word) != *word) {
            readings.push((NUMBER, rest.iter().cloned().chain(["count".to_owned()]).collect()));
        }
    }
    readings.retain(|(_, words)| !words.is_empty());
    readings
}

/// What may be left over of a name.
struct Spare {
    cost: u32,
    /// A word that says something: a unit, `code`.
    says: bool,
    /// A technical prefix or ending.
    technical: bool,
}

/// A search for the cheapest way to pair the words of two names.
struct Pairing<'a> {
    words: &'a [String],
    others: &'a [String],
    prefix: &'a Prefix,
    /// What it costs to pair each word with each other.
    steps: Vec<Vec<Option<Kin>>>,
    best: Option<Kin>,
}

/// A state of the search.
#[derive(Clone, Copy)]
struct Way {
    kin: Kin,
    /// The words that have been paired or left over, and the others that have been paired: a bit each.
    left: u32,
    used: u32,
    last: Option<usize>,
    turned: bool,
    /// Whether a pair is of words that tell something.
    telling: bool,
}

impl<'a> Pairing<'a> {
    fn of(words: &'a [String], others: &'a [String], prefix: &'a Prefix) -> Option<Kin> {
        if words.is_empty() || others.is_empty() || words.len() > MOST_WORDS || others.len() > MOST_WORDS {
            return in_order(words, others);
        }
        let steps = words.iter().map(|word| others.iter().map(|other| pair(word, other)).collect()).collect();
        let mut search = Pairing { words, others, prefix, steps, best: None };
        search.go(0, Way { kin: Kin::sure(0), left: 0, used: 0, last: None, turned: false, telling: false });
        search.best
    }

    fn go(&mut self, at: usize, way: Way) {
        if self.best.is_some_and(|best| !best.doubtful && !best.part && best.cost < way.kin.cost) {
            return;
        }
        let words = self.words;
        if at >= words.len() {
            let end = self.end(way);
            self.best = [self.best, end].into_iter().flatten().min();
            return;
        }
        for other in 0..self.others.len() {
            if way.used & 1 << other != 0 {
                continue;
            }
            if let Some(Some(step)) = self.steps.get(at).and_then(|row| row.get(other)) {
                let step = *step;
                self.go(at + 1, self.with(way, at, step, other, 1));
            }
            // One word for several, and several for one.
            for length in 2..=5 {
                if let (Some(word), Some(block)) = (words.get(at), self.others.get(other..other + length))
                    && (other..other + length).all(|index| way.used & 1 << index == 0)
                    && let Some(step) = together(word, block)
                {
                    self.go(at + 1, self.with(way, at, step, other, length));
                }
                if let (Some(word), Some(block)) = (self.others.get(other), words.get(at..at + length))
                    && let Some(step) = together(word, block)
                {
                    self.go(at + length, self.with(way, at, step, other, 1));
                }
            }
        }
        self.go(at + 1, Way { left: way.left | 1 << at, ..way });
    }

    fn with(&self, way: Way, at: usize, step: Kin, other: usize, length: usize) -> Way {
        let says = |word: &String| {
            let word = word.as_str();
            word.chars().count() > 1
                && !is_number(word)
                && !FILLERS.contains(&word)
                && !LIGHT.contains(&word)
                && !self.prefix.has(word, 0)
        };
        let telling = self.words.get(at).is_some_and(says);
        Way {
            kin: Kin {
                doubtful: way.kin.doubtful || step.doubtful,
                cost: way.kin.cost + step.cost,
                part: false,
                loose: way.kin.loose || step.loose,
                // A slip in one of several words may also be another column.
                short: way.kin.short.or(step.short.map(|_| self.words.len() - 1 - at)),
            },
            used: way.used | ((1 << length) - 1) << other,
            last: Some(other),
            turned: way.turned || way.last.is_some_and(|last| last > other),
            telling: way.telling || telling,
            ..way
        }
    }

    /// What is left over once all words have been looked at.
    fn end(&self, way: Way) -> Option<Kin> {
        if way.used == 0 {
            return None;
        }
        let mut kin = way.kin;
        if way.turned {
            kin.cost += OTHER_WORD;
        }
        let spare = |words: &[String], bits: u32, paired: bool| -> Vec<(usize, usize)> {
            (0..words.len()).filter(|at| (bits & 1 << at != 0) != paired).map(|at| (at, words.len())).collect()
        };
        let mine = spare(self.words, way.left, false);
        let theirs = spare(self.others, way.used, true);
        let theirs = self.spared(self.others, &theirs).ok_or(theirs);
        let Some(spare) = self.spared(self.words, &mine) else {
            // One word too many that does not make it another thing.
            let [(at, _)] = mine.as_slice() else { return None };
            let more = theirs.ok()?.cost;
            let added =
                self.words.get(*at).is_some_and(|word| !is_number(word) && !TELLING_APART.contains(&word.as_str()));
            let sure =
                added && !self.prefix.table.is_empty() && way.telling && !kin.doubtful && kin.cost + more <= OTHER_WORD;
            return sure.then(|| Kin { loose: true, short: kin.short, ..Kin::guess(kin.cost + more + UNLISTED) });
        };
        match theirs {
            // What says little may be left over on one side, not on both: `ward_name` is not `ward_code`.
            Ok(other) if spare.says && other.says => None,
            Ok(other) => {
                kin.cost += spare.cost + other.cost;
                kin.loose &= spare.cost + other.cost == 0;
                kin.doubtful |= kin.cost > MOST;
                let plain = !spare.says && !other.says && !spare.technical && !other.technical;
                (way.telling || plain).then_some(kin)
            }
            // It has all the words, and more.
            Err(more) => {
                let last = self.others.last()?;
                let of_another = more.last().is_some_and(|(at, count)| at + 1 == *count)
                    && (OF_ANOTHER.contains(&last.as_str()) || MOMENT.contains(&last.as_str()));
                let fits = mine.is_empty()
                    && !kin.doubtful
                    && kin.cost <= MOST
                    && !of_another
                    && !self.prefix.table.is_empty();
                let telling = self
                    .words
                    .iter()
                    .any(|word| !self.prefix.has(word, 0) && word.chars().count() > 2 && !is_number(word));
                let doubtful = kin.cost > NUMBER;
                let cost = PART + kin.cost + more.len() as u32;
                (telling && fits).then_some(Kin { doubtful, cost, part: true, loose: true, short: kin.short })
            }
        }
    }

    /// What it costs to leave words over, and whether one of them says something; `None` where one says too much.
    fn spared(&self, words: &[String], spare: &[(usize, usize)]) -> Option<Spare> {
        let (mut cost, mut says, mut technical) = (0, false, false);
        // Where the units at the end begin.
        let measured = words.iter().rposition(|word| {
            !UNITS.contains(&word.as_str()) && !["per", "sq", "cubic", "in"].contains(&word.as_str())
        });
        // `shipped` is when it was; `pay` is not the day.
        let event = words.iter().any(|word| word.len() > 4 && word.ends_with("ed") || EVENTS.contains(&word.as_str()));
        for (at, count) in spare {
            let word = words.get(*at)?.as_str();
            let edge = *at == 0 || at + 1 == *count;
            let several = *count > 1;
            let inside = *at > 0 && at + 1 < *count;
            cost += match () {
                () if FILLERS.contains(&word) => NUMBER,
                () if several && self.prefix.has(word, *at) => {
                    if *at == 0 {
                        OTHER_WORD
                    } else {
                        UNLISTED
                    }
                }
                () if several
                    && (edge && TECHNICAL.contains(&word)
                        || *at == 0 && !self.prefix.lettered() && NOTATION.contains(&word)) =>
                {
                    technical = true;
                    SLIP
                }
                () if inside && LINKS.contains(&word) => NUMBER,
                () if MOMENT.contains(&word) && !event => return None,
                () if several && measured.is_some_and(|last| *at > last) => {
                    says = true;
                    OTHER_WORD
                }
                () if several && LIGHT.contains(&word) => {
                    says = true;
                    UNLISTED
                }
                () => return None,
            };
        }
        Some(Spare { cost, says, technical })
    }
}

/// Two rows of as many words, one against the other.
fn in_order(words: &[String], others: &[String]) -> Option<Kin> {
    if words.len() != others.len() || words.is_empty() {
        return None;
    }
    words.iter().zip(others).try_fold(Kin::sure(0), |total, (word, other)| {
        let step = pair(word, other)?;
        Some(Kin {
            doubtful: total.doubtful || step.doubtful || total.cost + step.cost > MOST,
            cost: total.cost + step.cost,
            ..total
        })
    })
}

/// A word for several: their initials, or all of them written together.
fn together(word: &str, block: &[String]) -> Option<Kin> {
    if word == block.concat() {
        return Some(Kin::sure(NUMBER));
    }
    if is_number(word) || block.iter().any(|word| is_number(word)) {
        return None;
    }
    let initials: String = block.iter().filter_map(|word| word.chars().next()).collect();
    let telling: Vec<&str> = block.iter().map(String::as_str).filter(|word| !FILLERS.contains(word)).collect();
    let without: String = telling.iter().filter_map(|word| word.chars().next()).collect();
    if vocabulary::is_word(word) || word.len() == 2 && vocabulary::is_known(word) {
        return None;
    }
    if word == initials || word == without && without.len() > 1 || word.len() > 3 && joined(word, &telling) {
        return Some(Kin::sure(SLIP));
    }
    None
}

/// Whether a word is several, abbreviated and written together: `custname`, `empno`, `lname`.
fn joined(word: &str, block: &[&str]) -> bool {
    let Some((first, rest)) = block.split_first() else { return word.is_empty() };
    let ends = word.char_indices().map(|(at, letter)| at + letter.len_utf8());
    ends.filter_map(|end| word.split_at_checked(end)).any(|(part, behind)| {
        let initial = part.chars().count() == 1 && first.starts_with(part);
        (initial || part.len() > 1 && vocabulary::abbreviates(part, first)) && joined(behind, rest)
    })
}

/// One word against another.
fn pair(word: &str, other: &str) -> Option<Kin> {
    if word == other {
        return Some(Kin::sure(0));
    }
    if same(word, other) {
        return Some(Kin::sure(NUMBER));
    }
    if is_number(word) || is_number(other) {
        return None;
    }
    if stands_for(word, other) || MOMENT.contains(&word) && MOMENT.contains(&other) {
        return Some(Kin::sure(SHORT));
    }
    let (one, another) = (singular(word), singular(other));
    if !opposed(word, other) && !opposed(other, word) && vocabulary::forms(&one, &another) {
        return Some(Kin::sure(SHORT));
    }
    if vocabulary::synonyms(&one, &another) || vocabulary::synonyms(word, other) {
        return Some(Kin::sure(OTHER_WORD));
    }
    if let Some(kin) = slipped(word, other) {
        return Some(kin);
    }
    if vocabulary::drawn_from(word, &another) || vocabulary::drawn_from(other, &one) {
        return Some(Kin::sure(UNLISTED));
    }
    let (short, long) = if word.len() < other.len() { (word, other) } else { (other, word) };
    let begins = short.len() >= 3 && long.len() >= short.len() + 2 && long.starts_with(short);
    let near = vocabulary::near(&one, &another);
    (near || begins).then(|| Kin { loose: near, ..Kin::guess(OTHER_WORD) })
}

/// A typing slip in one word. Two words that both exist are not slips of each other; the fewer letters they have, the
/// fewer of them may differ.
fn slipped(word: &str, other: &str) -> Option<Kin> {
    let known = |word: &str| vocabulary::is_known(&singular(word)) || vocabulary::is_known(word);
    let is_word = |word: &str| vocabulary::is_word(&singular(word)) || vocabulary::is_word(word);
    // Letters that changed places are a slip where one of the two is but a short form: `prot` is `port`, or `protein`.
    let swapped = edits::slip(word, other) == Some(Slip::Swapped) && !(is_word(word) && is_word(other));
    if known(word) && known(other) && !swapped {
        return None;
    }
    if opposed(word, other) || opposed(other, word) {
        return None;
    }
    let longest = word.chars().count().max(other.chars().count());
    let Some(slip) = edits::slip(word, other) else {
        let distance = edits::distance(word, other);
        return (distance * 4 <= longest).then(|| Kin::sure(SLIP * distance as u32));
    };
    let sure = match slip {
        Slip::Swapped => true,
        Slip::Dropped => longest > 2,
        Slip::NextKey => longest > 3,
        Slip::OtherKey => longest > 4,
    };
    let kin = if sure { Kin::sure(SLIP) } else { return None };
    Some(Kin { short: (longest < 4 && slip != Slip::Swapped).then_some(0), ..kin })
}
/// Whether one does and the other is done to: `payer` and `payee`.
fn opposed(one: &str, another: &str) -> bool {
    let Some(stem) = one.strip_suffix("ee").filter(|stem| stem.len() > 1) else { return false };
    ["er", "or"].iter().any(|end| another.strip_suffix(end) == Some(stem))
}

/// Words that are parted in different ways, and guesses by the number of letters that differ.
fn spelt_together(word: &Name, candidate: &Name, longest: usize) -> Option<Kin> {
    let distance = edits::distance(&word.fold, &candidate.fold);
    let few = longest >= 3 && distance <= (longest / 3).max(1);
    // `pay` is not nearly `day`.
    let known = |name: &Name| vocabulary::is_word(&name.fold);
    if !few || longest < 5 && known(word) && known(candidate) {
        return None;
    }
    let numbers = |name: &Name| name.words.iter().filter(|word| is_number(word)).cloned().collect::<Vec<_>>();
    let parted = word.words.len() != candidate.words.len()
        && numbers(word) == numbers(candidate)
        && !within(&word.words, &candidate.words)
        && !within(&candidate.words, &word.words);
    let sure = parted && longest > 4 && (distance == 1 || distance * 4 <= longest);
    Some(if sure { Kin::sure(SLIP * distance as u32 + 1) } else { Kin::guess(distance as u32) })
}

/// One name is part of the other, and not the lesser part.
fn part(words: &[String], others: &[String]) -> Option<Kin> {
    let (few, many) = if words.len() < others.len() { (words, others) } else { (others, words) };
    let telling = few.iter().any(|word| word.chars().count() > 2 && !is_number(word));
    (telling && within(few, many) && few.len() * 2 >= many.len()).then(|| {
        let missing = (many.len() - few.len()) as u32;
        Kin { doubtful: true, cost: PART + missing, part: true, loose: false, short: None }
    })
}

/// Whether all words are among the others.
fn within(words: &[String], others: &[String]) -> bool {
    words.iter().all(|word| others.iter().any(|other| same(word, other)))
}

fn same(word: &str, other: &str) -> bool {
    // What ends in an `s` of its own takes `es`: `bonuses`, `gases`.
    let plural = |one: &str, many: &str| one.ends_with('s') && many.strip_suffix("es") == Some(one);
    singular(word) == singular(other) || plural(word, other) || plural(other, word)
}

/// The same word, or a short form of it.
fn stands_for(word: &str, other: &str) -> bool {
    same(word, other)
        || vocabulary::short_form(word, other)
        || vocabulary::short_form(&singular(word), &singular(other))
}
