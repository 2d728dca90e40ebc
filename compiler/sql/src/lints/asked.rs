//! What the words of a question tell about a finding. English prompts only; in doubt, a finding is not reported.

/// The words of a question on which a finding depends.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// It is reported unless the question has one of these words or phrases.
    Without(&'static str),
    /// It is reported if the question has one of these words or phrases.
    With(&'static str),
    /// It is reported if the question asks for the rows of a table that a join repeats.
    Unit(Unit),
    /// It is reported unless the question asks for each value of this column.
    NotPer(String),
    /// It is reported unless the question asks for means of groups.
    NotMeans,
    /// It is reported if the question asks for rows without a match, too.
    WithNone,
}

/// The tables of a query, one of which is counted or summed.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The table whose rows the join repeats.
    pub repeated: String,
    /// The other tables that are joined.
    pub others: Vec<String>,
    /// Whether rows are counted; otherwise values are summed.
    pub counted: bool,
    /// What the query itself says, for a question that does not name what it counts.
    pub otherwise: Otherwise,
}

/// What a query says of a question that does not name what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The repeated rows are probably meant to count once.
    Report,
    /// Nothing.
    Silence,
}

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

/// Means of groups are asked for.
const MEANS: &str = "average of, averages, mean of the mean, means, mean of the average, average these, average those, average them, \
    mean of these, mean of those, unweighted, weigh, weighs, weighted, weight, equally, macro, average across, averaged across, averaged over, per, each, every, for all";

/// The names that rows share are meant.
const SHARED_NAMES: &str = "share, shared, shares, sharing, same, namesake, namesakes, different, distinct, identical";

const COUNTS: [&str; 7] = ["how many", "number of", "count of", "count the", "count all", "count only", "total count"];
const SUMS: [&str; 8] = ["total", "sum", "average", "mean", "combined", "overall", "altogether", "add up"];
const RELATIVES: [&str; 9] = ["that", "who", "which", "with", "whose", "having", "where", "for whom", "without"];
const VERBS: [&str; 22] = [
    "have", "has", "had", "with", "that", "who", "which", "whose", "are", "is", "were", "was", "do", "does", "did",
    "in", "from", "by", "placed", "made", "having", "there",
];
const PASSIVE: [&str; 7] = ["were", "was", "are", "is", "been", "get", "got"];
const EACH: [&str; 4] = ["each", "every", "per", "any"];
/// How many words after a cue are looked at.
const NEAR: usize = 10;

impl Asked {
    /// Whether a question reports the finding.
    pub fn is_met(&self, question: &str) -> bool {
        match self {
            Asked::Without(words) => !has_any(question, words),
            Asked::With(words) => has_any(question, words),
            Asked::Unit(unit) => !has_any(question, PAIRS) && unit.is_asked(&split_words(question)),
            Asked::NotPer(column) => !is_per(&split_words(question), column) && !has_any(question, SHARED_NAMES),
            Asked::NotMeans => !has_any(question, MEANS) && !has_mean_of_means(&split_words(question)),
            Asked::WithNone => is_asking_for_none(&split_words(question)),
        }
    }
}

/// A word of a question.
struct Word {
    /// Its stem.
    stem: String,
    /// Whether it has an apostrophe: `customers'`.
    owner: bool,
    /// Whether a sentence or a part of it ends after it.
    ends: bool,
}

fn split_words(question: &str) -> Vec<Word> {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '’');
    let mut words: Vec<Word> = Vec::new();
    let mut rest = question;
    while let Some(start) = rest.find(is_inner) {
        let (gap, from) = rest.split_at(start);
        if let Some(last) = words.last_mut() {
            last.ends = gap.contains(['.', '?', '!', ';', ':', '\n']);
        }
        let end = from.find(|c| !is_inner(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        let lower = word.to_lowercase().replace('’', "'");
        let owner = lower.ends_with("'s") || lower.ends_with("s'");
        let bare = lower.trim_end_matches("'s").trim_matches('\'');
        words.push(Word { stem: stem_word(bare), owner, ends: false });
        rest = after;
    }
    words
}

/// The word without its plural.
fn stem_word(word: &str) -> String {
    if word == "people" {
        return "person".to_owned();
    }
    if let Some(root) = word.strip_suffix("ies").filter(|root| root.len() > 1) {
        return format!("{root}y");
    }
    let sibilant = ["sses", "xes", "ches", "shes", "zes"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix(if sibilant { "es" } else { "s" }) {
        Some(root) if !root.is_empty() && !root.ends_with(['s', 'u']) => root.to_owned(),
        _ => word.to_owned(),
    }
}

/// The stem of the last word in the name of a table.
fn stem_name(name: &str) -> String {
    let lower = name.to_lowercase();
    stem_word(lower.rsplit('_').find(|part| !part.is_empty()).unwrap_or(&lower))
}

fn has_any(question: &str, words: &str) -> bool {
    let spaced = |text: &str| {
        let parts = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/')));
        parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect::<Vec<_>>().join(" ")
    };
    let question = format!(" {} ", spaced(question));
    words.split(", ").any(|word| question.contains(&format!(" {} ", spaced(word))))
}

/// The places after each of these cues.
fn find_cues(words: &[Word], cues: &[&str]) -> Vec<usize> {
    let is_at = |at: usize, cue: &str| {
        let mut length = 0;
        let met = cue.split(' ').enumerate().all(|(offset, part)| {
            length = offset + 1;
            words.get(at + offset).is_some_and(|word| word.stem == part || word.stem == stem_word(part))
        });
        met.then_some(at + length)
    };
    (0..words.len()).filter_map(|at| cues.iter().find_map(|cue| is_at(at, cue))).collect()
}

/// The words after a place until the end of the sentence.
fn iter_near(words: &[Word], from: usize) -> impl Iterator<Item = (usize, &Word)> {
    let mut open = true;
    words.iter().enumerate().skip(from).take(NEAR).take_while(move |(_, word)| {
        let here = open;
        open &= !word.ends;
        here
    })
}

impl Unit {
    fn is_asked(&self, words: &[Word]) -> bool {
        let repeated = stem_name(&self.repeated);
        let others: Vec<String> = self.others.iter().map(|name| stem_name(name)).collect();
        let is_other = |word: &Word| word.stem != repeated && others.contains(&word.stem);
        // `for each order` counts every order.
        let per_other = find_cues(words, &EACH)
            .into_iter()
            .any(|at| words.iter().skip(at).take(2).any(|word| is_other(word) && !word.owner));
        if others.contains(&repeated) || per_other {
            return false;
        }
        let met = if self.counted {
            find_counted(words, |word| word.stem == repeated, is_other)
        } else {
            find_summed(words, |word| word.stem == repeated, is_other)
        };
        met.unwrap_or(self.otherwise == Otherwise::Report)
    }
}

/// Whether a word of a question is one of these.
fn is_one_of(word: &Word, words: &[&str]) -> bool {
    words.iter().any(|known| word.stem == stem_word(known))
}

/// Whether the first rows that a question counts are repeated ones; `None` if it does not name them.
fn find_counted(words: &[Word], is_repeated: impl Fn(&Word) -> bool, is_other: impl Fn(&Word) -> bool) -> Option<bool> {
    for from in find_cues(words, &COUNTS) {
        for (at, word) in iter_near(words, from) {
            if is_one_of(word, &VERBS) {
                break;
            }
            let next = words.get(at + 1).filter(|_| !word.ends);
            let is_compound = next.is_some_and(|next| is_repeated(next) || is_other(next));
            if word.owner || is_compound {
                continue;
            }
            // `products were ordered`: each time, or each product once?
            let is_passive = next.is_some_and(|next| is_one_of(next, &PASSIVE))
                && words.get(at + 2).is_none_or(|after| after.stem != "there");
            if is_repeated(word) || is_other(word) {
                return Some(is_repeated(word) && !is_passive);
            }
        }
    }
    None
}

/// Whether a question sums over repeated rows that meet a condition on others: `the customers with an open order`.
fn find_summed(words: &[Word], is_repeated: impl Fn(&Word) -> bool, is_other: impl Fn(&Word) -> bool) -> Option<bool> {
    for from in find_cues(words, &SUMS) {
        let named = iter_near(words, from).find(|(_, word)| is_repeated(word) || is_other(word));
        let Some((at, word)) = named else { continue };
        if is_other(word) {
            return Some(false);
        }
        let relative = iter_near(words, at + 1).take(3).find(|(_, word)| is_one_of(word, &RELATIVES));
        if let Some((start, _)) = relative.filter(|_| !word.ends)
            && iter_near(words, start).any(|(_, word)| is_other(word))
        {
            return Some(true);
        }
    }
    None
}

/// Whether the question asks for each value of a column: `for each NAME`, `by name`.
fn is_per(words: &[Word], column: &str) -> bool {
    let column = stem_word(&column.to_lowercase());
    let cues =
        find_cues(words, &["each", "every", "per", "by", "distinct", "different", "unique", "how many", "number of"]);
    cues.into_iter().any(|at| iter_near(words, at).take(3).any(|(_, word)| word.stem == column))
}

/// Whether a question has two means in one phrase: `the mean of the ships' mean HOURS`.
fn has_mean_of_means(words: &[Word]) -> bool {
    let is_mean = |word: &Word| is_one_of(word, &["average", "mean", "avg"]);
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| is_mean(word) && !word.ends)
        .any(|(at, _)| iter_near(words, at + 1).take(7).any(|(_, word)| is_mean(word)))
}

/// Whether the question asks for rows without a match: `including customers without orders`.
fn is_asking_for_none(words: &[Word]) -> bool {
    let none = ["without", "no", "zero", "0", "none", "never"];
    let include = find_cues(words, &["include", "including", "included", "even", "also list", "also show"]);
    let report = find_cues(
        words,
        &[
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
        ],
    );
    !report.is_empty()
        || include.into_iter().any(|at| {
            let from = at.saturating_sub(8);
            let near = iter_near(words, at).any(|(_, word)| none.contains(&word.stem.as_str()));
            let ahead = words.iter().take(at).skip(from);
            near || ahead.into_iter().any(|word| none.contains(&word.stem.as_str()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(counted: bool, otherwise: Otherwise) -> Asked {
        let (repeated, others) = ("customers".to_owned(), vec!["tbl_orders".to_owned()]);
        Asked::Unit(Unit { repeated, others, counted, otherwise })
    }

    #[test]
    fn counted_rows_are_named_after_the_cue() {
        let asked = unit(true, Otherwise::Silence);
        for (question, met) in [
            ("How many customers placed an order in March?", true),
            ("What is the number of active customers with an order?", true),
            ("How many orders from customers in Mesa are open?", false),
            ("How many of the customers' orders are open?", false),
            ("How many customer orders are open?", false),
            ("How many customers were served?", false),
            ("How many customers are there with an order?", true),
            ("How many are there? Look at customers.", false),
            ("For each order, how many customers are there?", false),
            ("Wie viele Kunden gibt es?", false),
        ] {
            assert_eq!(asked.is_met(question), met, "{question}");
        }
    }

    #[test]
    fn summed_rows_meet_a_condition() {
        for (question, silence, report) in [
            ("What is the total CREDIT of the customers with an open order?", true, true),
            ("What is the total CREDIT of customers who placed an order?", true, true),
            ("What is the total CREDIT over all orders?", false, false),
            ("The sum of CREDIT for each order's customer.", false, false),
            ("What is the total CREDIT?", false, true),
        ] {
            assert_eq!(unit(false, Otherwise::Silence).is_met(question), silence, "{question}");
            assert_eq!(unit(false, Otherwise::Report).is_met(question), report, "{question}");
        }
    }

    #[test]
    fn words_and_phrases() {
        assert!(!Asked::Without(DIFFERENT).is_met("How many DIFFERENT cities?"));
        assert!(Asked::Without(DIFFERENT).is_met("How many indifferent cities?"));
        assert!(Asked::With(PAIRS).is_met("Count the pairs."));
        assert!(!Asked::NotPer("NAME".to_owned()).is_met("The total for each NAME"));
        assert!(Asked::NotPer("NAME".to_owned()).is_met("The total for each customer: NAME and total"));
        assert!(!Asked::NotMeans.is_met("The mean of the ships' mean HOURS."));
        assert!(Asked::NotMeans.is_met("What is the average HOURS? Round the average."));
        assert!(Asked::WithNone.is_met("List every customer, including those without orders."));
        assert!(Asked::WithNone.is_met("Count 0 for a customer that has none."));
        assert!(Asked::WithNone.is_met("Customers that never ordered appear with 0."));
        assert!(!Asked::WithNone.is_met("List every customer with orders, including the date."));
    }
}
