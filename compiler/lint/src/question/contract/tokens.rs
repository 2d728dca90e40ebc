//! A wording of a prompt as tokens: words, numbers, dates, marks, and the expressions of its placeholders.

use std::collections::BTreeSet;

use model::domain::TemplatePart;
use model::suite::NameId;
use model::{Date, Decimal, Domain, Value};

use hir::{DrawDomain, Expr, ExprKind, NameSource};
use syntax::prompts::Language;

/// The number of tokens of a wording that are read.
const MAX_TOKENS: usize = 2_000;
/// The largest number of names that consist of each other.
const MAX_DEPTH: u32 = 64;
/// The number of values of a placeholder that are read.
const MAX_VALUES: usize = 50;

/// A token of a wording.
pub(super) struct Token<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// Its text as written; empty for a placeholder.
    pub text: String,
    /// Its text in lowercase.
    pub lower: String,
    /// Whether it is in backticks or quotes.
    pub quoted: bool,
    /// The number of its sentence.
    pub sentence: usize,
}

/// The kinds of token.
pub(super) enum Kind<'a> {
    /// A word.
    Word,
    /// A number or an ISO date.
    Literal(Value),
    /// A placeholder.
    Placeholder(&'a Expr),
    /// Any other character.
    Mark,
}

impl Token<'_> {
    /// Whether it is one of these words.
    pub fn is_any(&self, words: &[&str]) -> bool {
        !matches!(self.kind, Kind::Placeholder(_)) && words.contains(&self.lower.as_str())
    }

    /// Whether it is this word.
    pub fn is_word(&self, word: &str) -> bool {
        !matches!(self.kind, Kind::Placeholder(_)) && self.lower == word
    }

    /// Whether it is a placeholder or a literal.
    pub fn is_operand(&self) -> bool {
        matches!(self.kind, Kind::Placeholder(_) | Kind::Literal(_))
    }
}

/// The tokens of a wording.
#[derive(Default)]
pub(super) struct Text<'a> {
    /// The tokens.
    pub tokens: Vec<Token<'a>>,
    /// Texts that placeholders can contain.
    pub values: BTreeSet<String>,
    /// Whether a placeholder can contain a sentence that is not known here.
    pub opaque: bool,
    beginnings: Beginnings,
    quote: Option<char>,
    sentence: usize,
    /// Whether the rest was not read.
    is_cut: bool,
    /// Names whose values are known.
    seen: BTreeSet<NameId>,
}

/// A phrase found in a wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found<M> {
    /// The index of its first token.
    pub start: usize,
    /// The index of the token after it.
    pub end: usize,
    /// What it means.
    pub means: M,
}

/// A set of the first letters of words, by their hash: which phrases cannot be in a text is known without a look at its tokens.
#[derive(Default)]
struct Beginnings([u64; 16]);

impl Beginnings {
    fn add(&mut self, word: &str) {
        let (block, bit) = Self::place_word(word);
        if let Some(block) = self.0.get_mut(block) {
            *block |= bit;
        }
    }

    /// Whether a phrase may begin with one of the words.
    fn can_begin(&self, phrase: &str) -> bool {
        let (block, bit) = Self::place_word(phrase);
        self.0.get(block).is_some_and(|block| block & bit != 0)
    }

    /// The place of the first word of a text in the set.
    fn place_word(text: &str) -> (usize, u64) {
        let letters = text.bytes().take(3).take_while(|letter| *letter != b' ');
        let hash = letters.fold(0_usize, |hash, letter| hash * 31 + usize::from(letter)) % 1024;
        (hash / 64, 1 << (hash % 64))
    }
}

impl<'a> Text<'a> {
    /// Reads the texts of a prompt, which follow each other.
    pub fn new(task: &'a hir::Task, wordings: &[&'a Expr]) -> Text<'a> {
        let mut text = Text::default();
        for wording in wordings {
            text.add_expr(task, wording, 0);
            text.sentence += 1;
        }
        text
    }

    /// Reads a text without placeholders.
    pub fn from_plain(text: &str) -> Text<'a> {
        let mut tokens = Text::default();
        tokens.add_text(text);
        tokens
    }

    fn add_expr(&mut self, task: &'a hir::Task, expr: &'a Expr, depth: u32) {
        // Names that consist of names can double each time, so the first limit ends the reading.
        if self.is_cut || depth > MAX_DEPTH || self.tokens.len() > MAX_TOKENS {
            self.is_cut = true;
            self.opaque = true;
            return;
        }
        match &expr.kind {
            ExprKind::Concat(pieces) => pieces.iter().for_each(|piece| self.add_expr(task, piece, depth + 1)),
            ExprKind::Const(Value::Text(text)) => self.add_text(text),
            ExprKind::Name(id) => match task.find_computed(*id) {
                Some(source) if is_prose(source) => self.add_expr(task, source, depth + 1),
                _ => self.add_placeholder(task, expr),
            },
            _ => self.add_placeholder(task, expr),
        }
    }

    fn add_placeholder(&mut self, task: &hir::Task, expr: &'a Expr) {
        let is_new = !matches!(expr.kind, ExprKind::Name(id) if !self.seen.insert(id));
        if is_new {
            self.note_values(task, expr);
        }
        let sentence = self.sentence;
        let (quoted, kind) = (self.quote.is_some(), Kind::Placeholder(expr));
        self.tokens.push(Token { kind, text: String::new(), lower: String::new(), quoted, sentence });
    }

    /// Notes the texts that a placeholder can contain.
    fn note_values(&mut self, task: &hir::Task, expr: &'a Expr) {
        expr.visit_through_names(task, &mut |part| match &part.kind {
            ExprKind::Const(Value::Text(text)) => self.values.extend([text.clone()]),
            ExprKind::Name(id) => match task.names.get(*id).map(|name| &name.source) {
                Some(NameSource::Draw { draw, .. }) => self.note_draw(&draw.domain),
                Some(NameSource::Row) => {
                    let cells = task.each.as_ref().and_then(|each| each.find_values(*id));
                    let is_sentence = |cell: &Value| cell.as_text().is_some_and(|text| text.split(' ').count() > 3);
                    self.opaque |= cells.is_some_and(|cells| cells.iter().any(is_sentence));
                }
                Some(NameSource::Axis) => {
                    let cells = task.axes.iter().filter(|axis| axis.slot == *id).flat_map(|axis| &axis.cells);
                    self.values
                        .extend(cells.filter_map(|(_, value)| value.as_constant()?.as_text().map(str::to_owned)));
                }
                _ => {}
            },
            _ => {}
        });
    }

    /// Notes the values of a draw. Large pools of plain words are left out.
    fn note_draw(&mut self, draw: &DrawDomain) {
        match draw {
            DrawDomain::Fixed(domain) => self.note_domain(domain),
            DrawDomain::OneOf(items) => {
                let texts = items.iter().filter_map(|item| item.as_constant()?.as_text().map(str::to_owned));
                self.values.extend(texts);
            }
            _ => {}
        }
    }

    fn note_domain(&mut self, domain: &Domain) {
        match domain {
            Domain::OneOf { .. } | Domain::Weighted { .. } => {
                let values = domain.list_values().unwrap_or_default();
                if values.len() <= MAX_VALUES {
                    self.values.extend(values.iter().filter_map(|value| value.as_text().map(str::to_owned)));
                }
            }
            Domain::Template { parts } => parts.iter().for_each(|part| match part {
                TemplatePart::Text(text) => self.values.extend([text.clone()]),
                TemplatePart::Domain(domain) => self.note_domain(domain),
            }),
            _ => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if self.tokens.len() > MAX_TOKENS {
                self.opaque = true;
                return;
            }
            let length = match first {
                '0'..='9' => self.add_number(rest),
                c if c.is_alphanumeric() || c == '_' => self.add_word(rest),
                c => {
                    self.add_mark(c, rest.get(c.len_utf8()..).unwrap_or_default());
                    c.len_utf8()
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
    }

    fn add_mark(&mut self, mark: char, rest: &str) {
        match mark {
            '`' | '"' => self.quote = if self.quote == Some(mark) { None } else { Some(mark) },
            '\n' if rest.starts_with('\n') => self.sentence += 1,
            c if c.is_whitespace() || c == '-' => {}
            c => {
                self.push(Kind::Mark, c.to_string());
                let ends = matches!(c, '?' | '!' | ':') || c == '.' && !rest.starts_with(|c: char| c.is_alphanumeric());
                if ends {
                    self.sentence += 1;
                    // A quotation mark that is never closed does not quote the rest.
                    self.quote = self.quote.filter(|_| rest.starts_with(['`', '"']));
                }
            }
        }
    }

    fn push(&mut self, kind: Kind<'a>, text: String) {
        let lower = text.to_lowercase();
        self.beginnings.add(&lower);
        self.tokens.push(Token { kind, text, lower, quoted: self.quote.is_some(), sentence: self.sentence });
    }

    fn add_word(&mut self, rest: &str) -> usize {
        let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '’');
        let end = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or(rest).trim_end_matches(['\'', '’']);
        self.push(Kind::Word, word.replace('’', "'"));
        word.len().max(1)
    }

    fn add_number(&mut self, rest: &str) -> usize {
        if let Some(date) = rest.get(..10).and_then(Date::parse_iso) {
            let ends = !rest.get(10..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()));
            if ends {
                self.push(Kind::Literal(Value::Date(date)), rest.get(..10).unwrap_or_default().to_owned());
                return 10;
            }
        }
        let is_inside = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '_');
        let end = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        let digits = rest.get(..end).unwrap_or(rest).trim_end_matches([',', '.', '_']);
        let glued = rest.get(digits.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()));
        if glued {
            return self.add_word(rest);
        }
        let kind = match parse_number(digits) {
            Some(number) => Kind::Literal(number),
            None => Kind::Word,
        };
        self.push(kind, digits.to_owned());
        digits.len().max(1)
    }

    /// The end of a phrase that begins at a token.
    pub fn match_phrase(&self, start: usize, phrase: &str) -> Option<usize> {
        let mut at = start;
        for word in phrase.split(' ') {
            self.tokens.get(at).filter(|token| token.is_word(word))?;
            at += 1;
        }
        Some(at)
    }

    /// The longest of the phrases that begins at a token.
    pub fn match_longest<M: Copy>(&self, start: usize, phrases: &[(&str, M)]) -> Option<Found<M>> {
        let first = self.tokens.get(start)?.lower.as_bytes();
        let letter = first.first()?;
        // Most phrases begin with another letter.
        let begins =
            |phrase: &&(&str, M)| phrase.0.as_bytes().first() == Some(letter) && phrase.0.as_bytes().starts_with(first);
        let ends = phrases
            .iter()
            .filter(begins)
            .filter_map(|(phrase, means)| Some(Found { start, end: self.match_phrase(start, phrase)?, means: *means }));
        ends.max_by_key(|found| found.end)
    }

    /// Finds phrases from the left: the longest at each place, without overlaps.
    pub fn find_phrases<M: Copy>(&self, phrases: &[(&str, M)]) -> Vec<Found<M>> {
        self.find_all(phrases.iter().copied())
    }

    /// Like [`Text::find_phrases`], for phrases that are not in one list.
    pub fn find_all<'p, M: Copy>(&self, phrases: impl Iterator<Item = (&'p str, M)>) -> Vec<Found<M>> {
        let likely = self.list_likely(phrases);
        let mut found: Vec<Found<M>> = Vec::new();
        if likely.is_empty() {
            return found;
        }
        for start in 0..self.tokens.len() {
            if found.last().is_none_or(|last| last.end <= start) {
                found.extend(self.match_longest(start, &likely));
            }
        }
        found
    }

    /// The phrases that can be in the text, by their first letters.
    fn list_likely<'p, M>(&self, phrases: impl Iterator<Item = (&'p str, M)>) -> Vec<(&'p str, M)> {
        phrases.filter(|(phrase, _)| self.beginnings.can_begin(phrase)).collect()
    }

    /// Finds the first of some phrases.
    pub fn find_any(&self, phrases: &[&str]) -> Option<Found<()>> {
        let likely = self.list_likely(phrases.iter().map(|phrase| (*phrase, ())));
        if likely.is_empty() {
            return None;
        }
        (0..self.tokens.len()).find_map(|start| self.match_longest(start, &likely))
    }

    /// Whether a word begins with one of these.
    pub fn has_word_beginning(&self, beginnings: &[&str]) -> bool {
        let begins = |token: &Token<'_>| {
            !matches!(token.kind, Kind::Placeholder(_)) && beginnings.iter().any(|word| token.lower.starts_with(word))
        };
        self.tokens.iter().any(|token| begins(token) || token.lower.ends_with("n't"))
    }

    /// The words from one token to another, as the author wrote them.
    pub fn quote(&self, start: usize, end: usize) -> String {
        let words = self.tokens.iter().skip(start).take(end.saturating_sub(start)).map(|token| token.text.as_str());
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether a placeholder can contain a word that the lints read, or a sentence.
    pub fn can_vary(&self, language: &Language) -> bool {
        self.opaque || self.values.iter().any(|value| has_vocabulary(value, language))
    }
}

/// Whether a text contains words that say what to compute.
fn has_vocabulary(text: &str, language: &Language) -> bool {
    let tokens = Text::from_plain(text);
    let has = |start: usize| {
        tokens.match_longest(start, language.aggregates).is_some()
            || tokens.match_longest(start, language.extremes).is_some()
            || tokens.match_longest(start, language.ages).is_some()
            || tokens.match_longest(start, language.orders).is_some()
            || tokens.match_longest(start, language.before).is_some()
            || tokens.match_longest(start, language.after).is_some()
            || tokens.tokens.get(start).is_some_and(|token| token.is_any(language.negations))
    };
    (0..tokens.tokens.len()).any(has)
}

/// Whether the value of a name is a part of the prompt's text, rather than a value in it.
fn is_prose(source: &Expr) -> bool {
    match &source.kind {
        ExprKind::Concat(_) => true,
        ExprKind::Const(Value::Text(text)) => text.contains(' '),
        _ => false,
    }
}

/// Parses a number whose digits can be grouped.
fn parse_number(text: &str) -> Option<Value> {
    let grouped = |text: &str| {
        let mut groups = text.split(',');
        groups.next().is_some_and(|first| (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3)
    };
    let (whole, rest) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    if whole.contains(',') && !grouped(whole) || rest.is_some_and(|rest| rest.contains(['.', ','])) {
        return None;
    }
    let plain = text.replace([',', '_'], "");
    match plain.parse::<i64>() {
        Ok(number) => Some(Value::Int(number)),
        Err(_) => plain.parse::<Decimal>().ok().map(Value::Decimal),
    }
}
