//! Computes how well a column fits a name: words are paired, each pair is weighted by its meaning, and unpaired words are subtracted.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use super::super::words::{find_shared_word, is_number, list_first_words, split_words};
use super::read::{Reading, list_readings};
use super::similarity::{Compared, compute_similarity};
use super::{classes, lexicon};

/// Minimum similarity of paired words.
const PAIRED: f64 = 0.5;
/// Maximum number of words; the rest of a longer name is ignored.
const MAX_WORDS: usize = 9;

/// A table as the context of its columns.
pub struct Table {
    words: Vec<String>,
    /// The words that the table's words abbreviate.
    spelt: Vec<String>,
    /// The first word of all columns, if they have the same.
    shared: Option<String>,
    /// Whether the table was requested; then its words add no information.
    given: bool,
    /// Whether most columns have the prefixes of a naming convention.
    notation: bool,
    /// Cached results of the word lookup.
    known: RefCell<HashMap<String, bool>>,
}

impl Table {
    /// Creates the context from a table's name and its columns.
    pub fn new(name: &str, columns: &BTreeSet<&str>, given: bool) -> Table {
        let firsts = list_first_words(columns);
        let shared = find_shared_word(&firsts);
        let technical = firsts.iter().flatten().filter(|word| classes::is_technical(word)).count();
        let notation = technical >= 2 && technical * 3 >= columns.len() * 2;
        let words = split_words(name);
        let words = words.into_iter().filter(|word| !["tbl", "tb", "t", "dim", "fact", "mst"].contains(&word.as_str()));
        let words: Vec<String> = words.collect();
        let spelt = words.iter().flat_map(|word| lexicon::find_phrases(word)).flatten().map(|word| (*word).to_owned());
        let spelt = spelt.collect();
        Table { words, spelt, shared, given, notation, known: RefCell::default() }
    }

    /// Checks whether a word is one of the table's words, not only a similar one.
    fn is_named(&self, word: &str) -> bool {
        self.words.iter().any(|of| compute_similarity(word, of) >= 0.9)
    }

    /// Checks whether a word is one of the table's words, or a short form or synonym of one.
    fn has_word(&self, word: &str) -> bool {
        if let Some(known) = self.known.borrow().get(word) {
            return *known;
        }
        let has = self.lookup_word(word);
        self.known.borrow_mut().insert(word.to_owned(), has);
        has
    }

    fn lookup_word(&self, word: &str) -> bool {
        self.shared.as_deref() == Some(word)
            || self.words.iter().any(|of| lexicon::is_same_or_like(word, of))
            || self.spelt.iter().any(|of| of == word)
            || self.words.concat() == word
            || word.len() > 1 && word.chars().eq(self.words.iter().filter_map(|word| word.chars().next()))
            || self.words.iter().any(|of| of.len() > 3 && word.len() == 1 && of.starts_with(word))
    }
}

/// The fit of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// The score, from 0 to 1.
    pub score: f64,
    /// The share of the name that is in the column, from 0 to 1.
    pub asked: f64,
    /// Whether all words of both are the same or short forms of each other.
    pub literal: bool,
    /// Whether the name is only a kind of value, and the column has this kind: `type` and `leave_type`.
    pub kind: bool,
}

/// Computes how well a column of a table fits a name.
pub fn compute_fit(name: &str, column: &str, table: &Table, compared: &Compared) -> Fit {
    let (asked, had) = (split_words(name), split_words(column));
    let mut best = Fit::default();
    for mine in list_readings(name, &had) {
        for theirs in list_readings(column, if mine.words.len() > asked.len() { &mine.words } else { &asked }) {
            if mine.spelt && theirs.spelt {
                continue;
            }
            let found = pair_words(&mine, &theirs, table, compared);
            if found.score > best.score {
                best = found;
            }
        }
    }
    best
}

/// The weights of a word in its name.
struct Weighed {
    /// Weight of the word if it is paired.
    paired: f64,
    /// Weight that is missing if it is unpaired.
    left: f64,
    /// The kind of value, if the word represents one.
    role: Option<&'static str>,
    /// Whether the word is the actual content of the name.
    content: bool,
    of_table: bool,
}

/// One of the two compared names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The requested name.
    Requested,
    /// The name of a column.
    Column,
}

impl Side {
    fn choose(self, requested: f64, column: f64) -> f64 {
        if self == Side::Requested { requested } else { column }
    }
}

fn weigh_words(words: &[String], table: &Table, side: Side) -> Vec<Weighed> {
    let count = words.len();
    let of = |at: usize, word: &String| -> Weighed {
        let word = word.as_str();
        let role = classes::find_role(word);
        let unit = at > 0 && classes::is_unit(word);
        let last = at + 1 == count;
        let plain = |paired: f64, left: f64| Weighed { paired, left, role: None, content: false, of_table: false };
        match () {
            () if is_number(word) => Weighed { content: true, ..plain(1.2, 1.2) },
            () if at == 0 && count > 1 && side == Side::Column && table.shared.as_deref() == Some(word) => {
                Weighed { of_table: true, ..plain(0.1, 0.0) }
            }
            () if count > 1 && at == 0 && table.notation && classes::is_technical(word) => plain(0.35, 0.0),
            () if count > 1 && classes::is_joining(word) => plain(0.1, 0.03),
            () if at > 0 && !last && classes::is_joining_between(word) => plain(0.3, 0.1),
            () if count > 1 && role == Some("flag") => Weighed { role, ..plain(0.3, 0.12) },
            () if count > 1 && role.is_none() && table.has_word(word) => {
                let left = side.choose(0.06, 0.1);
                Weighed { of_table: true, ..plain(if table.given { 0.25 } else { 0.6 }, left) }
            }
            () if role.is_some() => {
                Weighed { role, ..plain(0.45, weigh_leftover_kind(role.unwrap_or_default(), side)) }
            }
            () if unit && last => plain(0.35, 0.3),
            () if classes::is_light(word) && count > 1 => plain(0.5, 0.35),
            () if classes::is_distinguishing(word) => Weighed { content: true, ..plain(1.0, side.choose(1.3, 0.9)) },
            () => Weighed { content: true, ..plain(1.0, side.choose(1.0, 0.8)) },
        }
    };
    words.iter().enumerate().map(|(at, word)| of(at, word)).collect()
}

/// Returns the missing weight of an unpaired word for a kind of value.
fn weigh_leftover_kind(kind: &str, side: Side) -> f64 {
    match kind {
        "by" => 1.0,
        "share" | "link" if side == Side::Requested => 0.9,
        "type" | "text" | "count" | "year" | "level" => 0.6,
        "key" => 0.55,
        "moment" => 0.3,
        "name" | "title" => 0.32,
        _ => 0.4,
    }
}

fn pair_words(mine: &Reading, theirs: &Reading, table: &Table, compared: &Compared) -> Fit {
    let (words, others) = (take_first_words(&mine.words), take_first_words(&theirs.words));
    let (weights, other_weights) =
        (weigh_words(words, table, Side::Requested), weigh_words(others, table, Side::Column));
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for (other_at, other) in others.iter().enumerate() {
            let alike = compared.find_similarity(word, other);
            if alike >= PAIRED {
                pairs.push((alike, at, other_at));
            }
        }
    }
    // A word for a kind of value never weighs more than the kind itself, regardless of its partner. A word of the table inside a name is there for a
    // reason, so it has full weight.
    let weight = |at: usize, other: usize| -> f64 {
        let (Some(one), Some(another)) = (weights.get(at), other_weights.get(other)) else { return 0.0 };
        match () {
            () if one.role.is_some() || another.role.is_some() => one.paired.min(another.paired),
            () if one.of_table && another.of_table && at > 0 => 1.0,
            () => one.paired.max(another.paired),
        }
    };
    pairs.sort_by(|a, b| {
        let (one, another) = (a.0 * weight(a.1, a.2), b.0 * weight(b.1, b.2));
        another.total_cmp(&one).then(b.0.total_cmp(&a.0)).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
    });
    let (mut used, mut other_used) = (vec![false; words.len()], vec![false; others.len()]);
    let (mut least, mut contents): (f64, usize) = (1.0, 0);
    let (mut sum, mut total, mut telling, mut last, mut turned) = (0.0, 0.0, false, None, false);
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for (alike, at, other) in pairs {
        if used.get(at).copied().unwrap_or(true) || other_used.get(other).copied().unwrap_or(true) {
            continue;
        }
        if let (Some(one), Some(another)) = (used.get_mut(at), other_used.get_mut(other)) {
            (*one, *another) = (true, true);
        }
        least = least.min(alike);
        contents +=
            usize::from(weights.get(at).is_some_and(|one| one.role.is_none() && !one.of_table && one.paired > 0.4));
        sum += alike * weight(at, other);
        total += weight(at, other);
        if let (Some(one), Some(another)) = (weights.get(at), other_weights.get(other)) {
            telling |= (one.content || another.content) && one.role.is_none() && another.role.is_none();
        }
        chosen.push((at, other));
    }
    chosen.sort_unstable();
    for (_, other) in &chosen {
        turned |= last.is_some_and(|last| last > *other);
        last = Some(*other);
    }
    // Words of the table that the name has and the column lacks identify the table, if none was requested.
    let left = |weights: &[Weighed], used: &[bool]| -> f64 {
        weights.iter().zip(used).filter(|(_, used)| !**used).map(|(one, _)| one.left).sum()
    };
    let named =
        weights.iter().zip(&used).zip(words).any(|((one, used), word)| !*used && one.of_table && table.is_named(word));
    if named && !table.given {
        sum += 0.4;
        total += 0.4;
    }
    if total == 0.0 {
        return Fit::default();
    }
    let (mine_left, theirs_left) = (left(&weights, &used), left(&other_weights, &other_used));
    let (asked, had) = (sum / (total + mine_left), sum / (total + theirs_left));
    let mut score = 0.68 * asked + 0.32 * had;
    let conflict = compute_conflict_factor(words, others, (&weights, &other_weights), (&used, &other_used), table);
    score *= conflict;
    // A similar word next to the same word is another column: `list_cost` and `list_price`.
    if least < 0.8 && contents > 1 {
        score *= 0.82;
    }
    // Whether something happened, and by whom, is not the same as when.
    let of_kind = |weights: &[Weighed], kind: &str| weights.iter().any(|one| one.role == Some(kind));
    for kind in ["flag", "by"] {
        let (one, another) = (of_kind(&weights, kind), of_kind(&other_weights, kind));
        if one && !another && of_kind(&other_weights, "moment") || another && !one && of_kind(&weights, "moment") {
            score *= 0.55;
        }
    }
    let literal = conflict == 1.0 && least >= 0.97 && mine_left + theirs_left < 0.15 && !mine.spelt && !theirs.spelt;
    let is_kind = |one: &Weighed| one.role.is_some_and(|role| !["key", "by"].contains(&role)) || one.of_table;
    let kind = least >= 0.97 && asked > 0.85 && weights.iter().all(is_kind);
    let role_only = !telling && weights.iter().chain(&other_weights).any(|one| one.content);
    if role_only {
        score *= 0.75;
    }
    if turned {
        score -= 0.005;
    }
    Fit { score: (score - mine.doubt - theirs.doubt).clamp(0.0, 1.0), asked, literal, kind }
}

/// Returns the factor for the score if both names have unpaired words that exclude each other.
fn compute_conflict_factor(
    words: &[String],
    others: &[String],
    (weights, other_weights): (&[Weighed], &[Weighed]),
    (used, other_used): (&[bool], &[bool]),
    table: &Table,
) -> f64 {
    let mut factor: f64 = 1.0;
    // Two prefixes of a naming convention are two kinds of values.
    if let (Some(one), Some(another)) = (words.first(), others.first())
        && table.notation
        && classes::is_technical(one)
        && classes::is_technical(another)
        && compute_similarity(one, another) == 0.0
    {
        factor = 0.6;
    }
    for ((word, weight), _) in words.iter().zip(weights).zip(used).filter(|(_, used)| !**used) {
        for ((other, other_weight), _) in others.iter().zip(other_weights).zip(other_used).filter(|(_, used)| !**used) {
            let units = weight.role.is_none() && classes::is_unit(word) && classes::is_unit(other);
            factor = factor.min(match () {
                () if classes::is_opposite(word, other) => 0.6,
                () if weight.role.is_some() && other_weight.role.is_some() => 0.5,
                () if units => 0.55,
                () if classes::is_unit(word) && other_weight.role == Some("moment") => 0.55,
                () if classes::is_unit(other) && weight.role == Some("moment") => 0.55,
                () if classes::is_unit(word) && other_weight.content || classes::is_unit(other) && weight.content => {
                    0.85
                }
                () if weight.content && other_weight.content => 0.85,
                () if weight.content && other_weight.role.is_some() => 0.9,
                () => 1.0,
            });
        }
    }
    factor
}

fn take_first_words(words: &[String]) -> &[String] {
    words.get(..MAX_WORDS.min(words.len())).unwrap_or_default()
}
