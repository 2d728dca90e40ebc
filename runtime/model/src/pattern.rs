//! Texts that a regular expression matches, counted and indexed: an acyclic deterministic automaton.
//!
//! A pattern matches a whole text, so `^` at the start and `$` at the end change nothing. Every pattern is a
//! list of texts a person would type: classes are narrower than a search engine's. `\d` is `[0-9]`, `\w` is
//! `[0-9A-Za-z_]`, `\s` is one blank, and `.` and whatever is negated (`[^a]`, `\D`) keep to printable ASCII, U+0020 to
//! U+007E. Other characters match themselves.
//!
//! Compilation: the syntax tree of `regex-syntax` (its spans are the author's) → an automaton with empty moves, built from the
//! end backwards (`nfa`) → subset construction over disjoint ranges of characters → equal states merged, counted (`dfa`).

mod dfa;
mod error;
mod nfa;

use std::collections::BTreeSet;

use regex::Regex;
use regex_syntax::ast;
use serde::{Deserialize, Serialize};

use self::dfa::{State, build_dfa, fill_counts, merge_equal_states};
pub use self::error::PatternError;
use self::error::build_error;
use self::nfa::{Builder, Ends, Node, count_characters};

/// A bounded regular expression as an automaton without cycles. Every text it accepts has one path, so counting and indexing are exact;
/// indexes follow the order of code points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// As written.
    pub source: String,
    /// State 0 is the start.
    states: Vec<State>,
}

/// Compiles the regular expression that a whole text has to fit (`expect … matches`, where repetition needs no end): `^` and `$` at its ends change
/// nothing. Fails, with the reason in a few words, if it cannot be read or is too large once it is compiled.
///
/// ```
/// use model::pattern::compile_anchored;
///
/// let whole = compile_anchored("[0-9]+|n/a").expect("a pattern");
/// // Each alternative has to fit the whole text.
/// assert!(whole.is_match("120") && whole.is_match("n/a") && !whole.is_match("120 km"));
/// assert!(compile_anchored("[0-9").is_err());
/// ```
pub fn compile_anchored(source: &str) -> Result<Regex, String> {
    match regex_syntax::Parser::new().parse(source) {
        Ok(_) => {}
        Err(regex_syntax::Error::Parse(error)) => return Err(error.kind().to_string()),
        Err(regex_syntax::Error::Translate(error)) => return Err(error.kind().to_string()),
        Err(_) => return Err("its form is unknown".to_owned()),
    }
    // The line end closes a comment of an expression with `(?x)`, where it does not count.
    let whole = Regex::new(&format!(r"\A(?:{source})\z")).or_else(|_| Regex::new(&format!("\\A(?:{source}\n)\\z")));
    whole.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        other => other.to_string(),
    })
}

impl Pattern {
    /// Reads a regular expression. Errors: what cannot be read, repetition without an upper end, look-around other than `^` at the start and
    /// `$` at the end, flags, classes without or with more than 2,000 characters, more than 10,000 states.
    ///
    /// ```
    /// use model::pattern::Pattern;
    ///
    /// let code = Pattern::new("[A-C]-?[0-9]{2}").expect("a bounded pattern");
    /// assert_eq!(code.count_texts(), 3 * 2 * 100);
    /// // Texts are in the order of code points, and their indexes are exact.
    /// assert_eq!(code.text_at(0).as_deref(), Some("A-00"));
    /// assert_eq!((code.index_of("A-07"), code.index_of("D-07")), (Some(7), None));
    /// // A text that fits in two ways counts once.
    /// assert_eq!(Pattern::new("a?a?").expect("a bounded pattern").count_texts(), 3);
    /// // Without an end, no number of texts is known; the error has the place.
    /// let error = Pattern::new("[A-Z]+").expect_err("unbounded");
    /// assert_eq!(error.range, Some((5, 6)), "{}", error.message);
    /// ```
    pub fn new(source: &str) -> Result<Pattern, PatternError> {
        let tree = ast::parse::Parser::new()
            .parse(source)
            .map_err(|error| build_error(error.span(), format!("the pattern cannot be read: {}", error.kind())))?;
        let mut builder = Builder { source, nodes: vec![Node::Accept] };
        let start = builder.add_tree(&tree, 0, Ends::WHOLE)?;
        Ok(Pattern {
            source: source.to_owned(),
            states: fill_counts(merge_equal_states(build_dfa(&builder.nodes, start)?)),
        })
    }

    /// Iterates over the characters of all texts; a character may come several times.
    pub fn iter_characters(&self) -> impl Iterator<Item = char> + '_ {
        self.states.iter().flat_map(|state| &state.transitions).flat_map(|(low, high, _)| *low..=*high)
    }

    /// Iterates over the ranges of characters in its texts.
    pub fn iter_ranges(&self) -> impl Iterator<Item = (char, char)> + '_ {
        self.states.iter().flat_map(|state| &state.transitions).map(|(low, high, _)| (*low, *high))
    }

    /// The texts of which each character is one of those that `choose` returns for its range; `None` if there are more than `most`.
    ///
    /// ```
    /// use model::pattern::Pattern;
    ///
    /// let code = Pattern::new("[A-Z]-?[0-9]").expect("a bounded pattern");
    /// let ends = code.list_texts(&|low, high| vec![low, high], 100).expect("few texts");
    /// assert_eq!(ends, ["A-0", "A-9", "A0", "A9", "Z-0", "Z-9", "Z0", "Z9"]);
    /// assert_eq!(code.list_texts(&|low, high| vec![low, high], 7), None);
    /// ```
    pub fn list_texts(&self, choose: &dyn Fn(char, char) -> Vec<char>, most: usize) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        let mut open = vec![(0_u32, String::new())];
        while let Some((at, text)) = open.pop() {
            let state = self.states.get(at as usize)?;
            for &(low, high, to) in state.transitions.iter().rev() {
                let mut chosen = choose(low, high);
                chosen.dedup();
                open.extend(chosen.iter().rev().map(|c| (to, format!("{text}{c}"))));
            }
            if state.accepts {
                texts.push(text);
            }
            // Every open text leads to at least one more.
            if texts.len() + open.len() > most {
                return None;
            }
        }
        Some(texts)
    }

    /// Counts the texts that it matches; saturates at `u128::MAX`.
    pub fn count_texts(&self) -> u128 {
        self.states[0].count
    }

    /// The text at `index` in the order of code points; `None` beyond the count.
    pub fn text_at(&self, index: u128) -> Option<String> {
        let mut out = String::new();
        let mut rest = index;
        let mut state = self.states.first()?;
        if rest >= state.count {
            return None;
        }
        loop {
            if state.accepts {
                match rest.checked_sub(1) {
                    None => return Some(out),
                    Some(less) => rest = less,
                }
            }
            let mut next = None;
            for &(low, high, to) in &state.transitions {
                // A saturated block is larger than any index, and so is the true one: both are entered at the same place.
                let each = self.states.get(to as usize)?.count;
                let block = each.saturating_mul(count_characters(low, high));
                if rest < block {
                    next = Some((low, to, rest / each, rest % each));
                    break;
                }
                rest -= block;
            }
            let (low, to, offset, within) = next?;
            out.push(char::from_u32(u32::from(low) + u32::try_from(offset).ok()?)?);
            rest = within;
            state = self.states.get(to as usize)?;
        }
    }

    /// The index of `text`, if it matches; `u128::MAX` for every text whose index is that or more.
    pub fn index_of(&self, text: &str) -> Option<u128> {
        let mut index: u128 = 0;
        let mut state = self.states.first()?;
        for char in text.chars() {
            index = index.saturating_add(u128::from(state.accepts));
            let mut next = None;
            for &(low, high, to) in &state.transitions {
                let target = self.states.get(to as usize)?;
                if (low..=high).contains(&char) {
                    index = index.saturating_add(target.count.saturating_mul(count_characters(low, char) - 1));
                    next = Some(target);
                    break;
                }
                index = index.saturating_add(target.count.saturating_mul(count_characters(low, high)));
            }
            state = next?;
        }
        state.accepts.then_some(index)
    }

    /// Finds the positions that a reader of characters can reach with one of the texts, from one of the positions `from`.
    /// `step` returns the positions after a character of `low..=high`, from the position before it.
    pub fn find_reachable(
        &self,
        from: &BTreeSet<usize>,
        step: &dyn Fn(usize, char, char) -> BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let mut met: BTreeSet<(u32, usize)> = from.iter().map(|place| (0, *place)).collect();
        let mut open: Vec<(u32, usize)> = met.iter().copied().collect();
        let mut ends = BTreeSet::new();
        while let Some((at, place)) = open.pop() {
            let Some(state) = self.states.get(at as usize) else { continue };
            if state.accepts {
                ends.insert(place);
            }
            for &(low, high, to) in &state.transitions {
                for next in step(place, low, high) {
                    if met.insert((to, next)) {
                        open.push((to, next));
                    }
                }
            }
        }
        ends
    }

    /// Whether one of its texts contains `char`.
    pub(crate) fn may_contain(&self, char: char) -> bool {
        self.states.iter().flat_map(|state| &state.transitions).any(|(low, high, _)| (*low..=*high).contains(&char))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::error::build_size_error;
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let pattern = Pattern::new(source).unwrap();
        (0..pattern.count_texts()).map(|index| pattern.text_at(index).unwrap()).collect()
    }

    fn refusal(source: &str) -> (String, &str) {
        let error = Pattern::new(source).unwrap_err();
        let (start, end) = error.range.unwrap_or((0, 0));
        (error.message, &source[start..end])
    }

    #[test]
    fn lists_its_texts_in_the_order_of_code_points() {
        assert_eq!(texts("b|ab?|[cé]{2}"), ["a", "ab", "b", "cc", "cé", "éc", "éé"]);
        assert_eq!(texts(""), [""]);
        assert_eq!(texts("(a|b){0,2}"), ["", "a", "aa", "ab", "b", "ba", "bb"]);
    }

    #[test]
    fn counts_a_text_once_however_often_it_matches() {
        assert_eq!(texts("a?a?|aa|(a|aa)"), ["", "a", "aa"]);
        assert_eq!(Pattern::new("(a{0,3}){3}").unwrap().count_texts(), 10);
    }

    #[test]
    fn counts_large_patterns_and_saturates() {
        assert_eq!(Pattern::new("[A-Z]{3}-[0-9]{4}").unwrap().count_texts(), 17_576 * 10_000);
        let huge = Pattern::new("[a-z]{40}").unwrap();
        assert_eq!(huge.count_texts(), u128::MAX);
        let text = huge.text_at(u128::MAX - 1).unwrap();
        assert_eq!(huge.index_of(&text), Some(u128::MAX - 1));
        assert_eq!(huge.text_at(u128::MAX), None);
        assert_eq!(huge.index_of(&"z".repeat(40)), Some(u128::MAX));
    }

    #[test]
    fn classes_are_ascii_unless_written() {
        let count = |source: &str| Pattern::new(source).unwrap().count_texts();
        assert_eq!(count(r"\d"), 10);
        assert_eq!(count(r"\w"), 63);
        assert_eq!(count(r"[\w-]"), 64);
        assert_eq!(texts(r"\s"), [" "]);
        assert_eq!(count("."), 95);
        assert_eq!(count("[^a]"), 94);
        assert_eq!(count(r"\D"), 85);
        assert_eq!(count(r"[^\d]"), 85);
        assert_eq!(count(r"\S"), 94);
        assert_eq!(count(r"[[:^alpha:]]"), 43);
        assert_eq!(count("[a-zé&&[^b]]"), 25);
        assert_eq!(count("[^é]"), 95);
        assert_eq!(texts("[\u{D7FF}-\u{E000}]"), ["\u{D7FF}", "\u{E000}"]);
    }

    #[test]
    fn anchors_hold_where_nothing_is_around() {
        assert_eq!(texts("^ab$"), ["ab"]);
        assert_eq!(texts("^(^a|b$)$$"), ["a", "b"]);
        assert_eq!(texts("^a|b$"), ["a", "b"]);
        assert_eq!(refusal("a^b").1, "^");
        assert_eq!(refusal("(^a){2}").1, "^");
        assert_eq!(refusal("a$b").1, "$");
        assert_eq!(refusal(r"a\b").1, r"\b");
    }

    #[test]
    fn what_has_no_end_is_refused_where_it_stands() {
        assert_eq!(refusal("ab*c").1, "*");
        assert_eq!(refusal("a[0-9]+").1, "+");
        assert!(refusal("a[0-9]+").0.contains("`{1,9}`"));
        assert_eq!(refusal("a{3,}").1, "{3,}");
        assert!(refusal("a{4294967295,}").0.contains("no upper limit"));
    }

    #[test]
    fn what_cannot_be_read_is_refused_where_it_stands() {
        assert_eq!(refusal("a(b").1, "(");
        assert_eq!(refusal("a{3,2}").1, "{3,2}");
        assert_eq!(refusal("(?i)a").1, "(?i)");
        assert_eq!(refusal("(?i:a)").1, "i");
        assert_eq!(refusal("x[a&&b]").1, "[a&&b]");
        assert_eq!(refusal(r"\p{L}").1, r"\p{L}");
        assert!(Pattern::new(r"(a)\1").is_err());
    }

    #[test]
    fn hostile_patterns_end_in_a_message() {
        for source in [
            "((a{1000}){1000}){1000}",
            "(a?){20000}",
            "(a|b|ab){300}(a|b){0,300}.{0,300}",
            "(.{0,200}){200}",
            "(a|b){0,20}a(a|b){20}",
            "[ab]{0,5000}c[ab]{5000}",
        ] {
            assert_eq!(Pattern::new(source).map(|pattern| pattern.count_texts()), Err(build_size_error()), "{source}");
        }
        assert_eq!(texts("((){4000000000}){0,4000000000}"), [""]);
        assert_eq!(texts("(a{0}){3}b"), ["b"]);
        assert!(Pattern::new(&"(".repeat(100_000)).is_err());
        assert!(Pattern::new(&format!("{}a{}", "(".repeat(5000), ")".repeat(5000))).is_err());
    }

    #[test]
    fn equal_states_are_merged() {
        assert_eq!(Pattern::new("(a|b)(a|b)(a|b)").unwrap().states.len(), 4);
        assert_eq!(Pattern::new("ax|bx").unwrap().states.len(), 3);
    }

    /// A small expression, listed by brute force.
    #[derive(Clone, Debug)]
    enum Small {
        Class(&'static str, &'static str),
        Repeat(Box<Small>, usize, usize),
        Then(Vec<Small>),
        Or(Vec<Small>),
    }

    impl Small {
        fn source(&self) -> String {
            let join = |parts: &[Small], by| parts.iter().map(Small::source).collect::<Vec<_>>().join(by);
            match self {
                Small::Class(source, _) => (*source).to_owned(),
                Small::Repeat(body, 0, 1) => format!("(?:{})?", body.source()),
                Small::Repeat(body, low, high) if low == high => format!("({}){{{low}}}", body.source()),
                Small::Repeat(body, low, high) => format!("({}){{{low},{high}}}", body.source()),
                Small::Then(parts) => join(parts, ""),
                Small::Or(parts) => format!("({})", join(parts, "|")),
            }
        }

        fn texts(&self) -> BTreeSet<String> {
            let pairs = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
                a.iter().flat_map(|a| b.iter().map(move |b| format!("{a}{b}"))).collect::<BTreeSet<_>>()
            };
            let empty = || BTreeSet::from([String::new()]);
            match self {
                Small::Class(_, chars) => chars.chars().map(String::from).collect(),
                Small::Repeat(body, low, high) => {
                    let body = body.texts();
                    let power = |n| (0..n).fold(empty(), |texts, _| pairs(&texts, &body));
                    (*low..=*high).flat_map(power).collect()
                }
                Small::Then(parts) => parts.iter().fold(empty(), |texts, part| pairs(&texts, &part.texts())),
                Small::Or(parts) => parts.iter().flat_map(Small::texts).collect(),
            }
        }
    }

    fn small() -> impl Strategy<Value = Small> {
        let classes =
            vec![("a", "a"), ("b", "b"), ("[a-c]", "abc"), ("[bé]", "bé"), (r"\.", "."), ("[a-d&&[^c]]", "abd")];
        let leaf = prop::sample::select(classes).prop_map(|(source, chars)| Small::Class(source, chars));
        leaf.prop_recursive(3, 6, 3, |inner| {
            prop_oneof![
                (inner.clone(), 0..3usize, 0..2usize).prop_map(|(body, low, more)| Small::Repeat(
                    Box::new(body),
                    low,
                    low + more
                )),
                prop::collection::vec(inner.clone(), 0..3).prop_map(Small::Then),
                prop::collection::vec(inner, 1..3).prop_map(Small::Or),
            ]
        })
        .prop_filter("so few texts that they can be listed", |small| small.size() <= 3_000)
    }

    impl Small {
        /// At least as many as there are texts.
        fn size(&self) -> usize {
            match self {
                Small::Class(_, chars) => chars.chars().count(),
                Small::Repeat(body, _, high) => (body.size() + 1).saturating_pow(*high as u32),
                Small::Then(parts) => parts.iter().fold(1, |size, part| size.saturating_mul(part.size())),
                Small::Or(parts) => parts.iter().fold(0, |size, part| size.saturating_add(part.size())),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn small_patterns_are_what_brute_force_lists(small in small(), probe in "[a-dé.]{0,6}") {
            let pattern = Pattern::new(&small.source()).unwrap();
            let listed = small.texts(); // in the order of UTF-8, which is that of code points
            prop_assert_eq!(pattern.count_texts(), listed.len() as u128, "{}", small.source());
            for (index, text) in listed.iter().enumerate() {
                let drawn = pattern.text_at(index as u128);
                prop_assert_eq!(drawn.as_deref(), Some(text.as_str()));
                prop_assert_eq!(pattern.index_of(text), Some(index as u128));
            }
            prop_assert_eq!(pattern.text_at(pattern.count_texts()), None);
            prop_assert_eq!(pattern.index_of(&probe).is_some(), listed.contains(&probe));
        }

        #[test]
        fn no_text_makes_the_reader_panic(source in r"[ab01(){}|?*+,.^$&\[\]\\\-pdDwWsSbé:!=<]{0,24}") {
            if let Ok(pattern) = Pattern::new(&source) {
                let text = pattern.text_at(pattern.count_texts() / 2).unwrap();
                prop_assert_eq!(pattern.index_of(&text), Some(pattern.count_texts() / 2));
                let copy: Pattern = serde_json::from_str(&serde_json::to_string(&pattern).unwrap()).unwrap();
                prop_assert_eq!(copy, pattern);
            }
        }
    }
}
