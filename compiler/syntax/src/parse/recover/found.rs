//! Where reading stopped inside a statement, and what could have been there.

use super::phrases::{Phrase, find_phrase, is_value, list_domain_words, list_keywords};
use super::{Context, LONGEST_WORD, Recovery, build_misspelt};
use crate::ast::Op;
use crate::diagnostics::wording::join_phrases;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::{self, Kind};
use crate::parse::grammar::Rule;
use crate::parse::limits;
use crate::words::{self, Class};
use names as suggest;
use pest::error::{ErrorVariant, InputLocation};

/// Whether a phrase need not be listed next to "a value".
fn is_part_of_value(phrase: Phrase) -> bool {
    match phrase {
        Phrase::Said(phrase) => matches!(
            phrase,
            "a list in `[ ]`"
                | "a name"
                | "a number"
                | "a duration"
                | "a date"
                | "a percentage"
                | "a text in quotes"
                | "arguments in `( )`"
        ),
        Phrase::Word(word) => words::is_of_class(Class::Prefix, word),
        Phrase::OneOf(..) => false,
    }
}

/// Whether a phrase need not be listed next to "a domain".
fn is_part_of_domain(phrase: Phrase) -> bool {
    match phrase {
        Phrase::Said(phrase) => matches!(phrase, "a name" | "`{` and its columns"),
        Phrase::Word(word) => words::is_of_class(Class::Form, word),
        Phrase::OneOf(..) => false,
    }
}

/// Whether a word makes a domain, never a value.
fn is_domain_word(word: &str) -> bool {
    words::is_any(&[Class::Constructor, Class::Form, Class::Modifier], word)
}

/// The words after a domain or value that take one more.
fn list_suffix_words() -> impl Iterator<Item = &'static str> {
    let after = |class| matches!(class, Class::Suffix | Class::Argument | Class::Filter | Class::Option);
    words::iter_words().filter(move |word| word.takes && after(word.class)).map(|word| word.text)
}

impl Recovery<'_, '_> {
    /// Reads the tokens again with the rule that they were meant for, to find where that fails.
    pub(super) fn explain_inside(&mut self, head: usize, to: usize, context: Context) -> Diagnostic {
        let rule = match context {
            Context::Item => Rule::only_item,
            Context::Setting => Rule::only_setting,
            Context::Table => Rule::only_table,
            Context::View => Rule::only_view,
            Context::Statement => Rule::only_stmt,
            Context::Column => match self.find_column_rule(head) {
                Rule::rows => Rule::only_rows,
                Rule::line => Rule::only_line,
                Rule::unpivot => Rule::only_unpivot,
                Rule::constraint => Rule::only_constraint,
                _ => Rule::only_column,
            },
        };
        let (start, end) = (self.token_start(head), self.token_start(to));
        let slice = self.walker.source.get(start..end).unwrap_or("");
        let too_complex = |recovery: &Self| {
            Diagnostic::new(Code::TOO_COMPLEX, "the text is too deeply nested", recovery.span(head), "")
                .help("split it into several parts with their own names")
        };
        if lex::lex_source(slice).too_deep.is_some() {
            return too_complex(self);
        }
        match limits::parse_bounded(rule, slice, self.walker.most_calls) {
            Ok(_) => self.explain_leftover(head),
            Err(error) => match (error.location, error.variant) {
                (InputLocation::Pos(at), ErrorVariant::ParsingError { positives, .. }) => {
                    self.explain_at(start + at, head, to, &positives)
                }
                // The message of pest when it has no calls left.
                _ => limits::explain_too_much(
                    self.span(head),
                    self.blocks.text(head),
                    self.count_values(head, to),
                    self.walker.most_calls,
                ),
            },
        }
    }

    /// How many tokens can be values.
    fn count_values(&self, from: usize, to: usize) -> usize {
        let value = |token: &&lex::Token| matches!(token.kind, Kind::Word | Kind::Quoted | Kind::Number | Kind::Text);
        self.blocks.tokens.get(from..to).unwrap_or_default().iter().filter(value).count()
    }

    fn explain_at(&mut self, at: usize, head: usize, to: usize, expected: &[Rule]) -> Diagnostic {
        if let Some(diagnostic) = self.explain_inside_text(at, expected) {
            return diagnostic;
        }
        // The token there, or the one around it.
        let index = self.blocks.tokens.partition_point(|token| (token.end as usize) <= at).max(head);
        let before = self.blocks.text(index.saturating_sub(1));
        // After a keyword, messages do not mention that the keyword could have been a name.
        let declared = index == head + 1
            && (words::is_head(self.blocks.text(head)) || words::is_of_class(Class::Setting, self.blocks.text(head)));
        let expected: Vec<Rule> = expected
            .iter()
            .copied()
            .filter(|rule| !(declared && matches!(rule, Rule::eq | Rule::eq_hole | Rule::colon_hole)))
            .collect();
        let expected = expected.as_slice();
        let value = expected.iter().any(|rule| is_value(*rule));
        let ended = index >= to
            || self.blocks.tokens.get(index).is_some_and(|token| {
                matches!(token.kind, Kind::Close(_)) || value && token.first && self.blocks.is_fresh_start(index)
            });
        if ended && value && index > head {
            let end = self.end_before(index);
            let what = if expected.contains(&Rule::domain) { "a domain" } else { "a value" };
            let what = match expected {
                // Rules of one phrase are one thing to an author.
                [first, others @ ..] if others.iter().all(|other| find_phrase(*other) == find_phrase(*first)) => {
                    find_phrase(*first).map_or_else(|| what.to_owned(), |phrase| phrase.to_string())
                }
                _ => what.to_owned(),
            };
            if let Some(diagnostic) = self.open_exponent(index.min(to)) {
                return diagnostic;
            }
            let message = format!("{what} is missing after `{}`", truncate_text(before));
            return Diagnostic::new(Code::MISSING_VALUE, message, self.walker.make_span(end, end), "missing here");
        }
        if let Some(slip) = self.explain_expect_slip(head, index).filter(|_| index < to) {
            return slip;
        }
        let shares = expected.iter().any(|rule| matches!(rule, Rule::share | Rule::percent))
            || self.is_token(index.saturating_sub(1), "%")
            || self.is_token(index, "%");
        let slip = shares
            .then(|| self.explain_share_slip(index))
            .flatten()
            .or_else(|| self.explain_rows_slip(head, index))
            .or_else(|| self.explain_late_option(head, index))
            .or_else(|| self.explain_style_comma(index))
            .or_else(|| self.explain_early_styles(index))
            .or_else(|| self.explain_moved_word(index).filter(|_| index < to))
            .or_else(|| self.explain_column_slip(index, before).filter(|_| index < to))
            .or_else(|| self.explain_misspelt_option(index, expected).filter(|_| index < to))
            .or_else(|| self.explain_dangling_operator(index.min(to.saturating_sub(1)), to));
        if let Some(slip) = slip {
            return slip;
        }
        if expected.iter().all(|rule| find_phrase(*rule).is_none()) && index < to {
            return self.explain_leftover(index);
        }
        if let Some(diagnostic) = self
            .explain_misspelt(index, expected)
            .filter(|_| index < to)
            .or_else(|| self.explain_misspelt_before(head, index.min(to)))
        {
            return diagnostic;
        }
        if index >= to {
            let end = self.end_before(to);
            let message = format!("{} is missing after `{}`", self.describe_expected(expected), truncate_text(before));
            return Diagnostic::new(Code::SYNTAX, message, self.walker.make_span(end, end), "");
        }
        let late = if value { self.explain_late_path(self.token_start(index)) } else { None };
        late.or_else(|| self.explain_known_mistake(index, before, expected)).unwrap_or_else(|| {
            // Only a file can exist; a reply cannot.
            let of_reply = before == "reply";
            let expected: Vec<Rule> =
                expected.iter().copied().filter(|rule| !(of_reply && *rule == Rule::state)).collect();
            let message =
                format!("expected {}, found {}", self.describe_expected(&expected), self.describe_token(index));
            Diagnostic::new(Code::SYNTAX, message, self.span(index), "")
        })
    }

    /// A place inside a string, in a placeholder.
    fn explain_inside_text(&self, at: usize, expected: &[Rule]) -> Option<Diagnostic> {
        let index = self.blocks.tokens.partition_point(|token| (token.end as usize) <= at);
        let token =
            self.blocks.tokens.get(index).filter(|token| token.kind == Kind::Text && (token.start as usize) < at)?;
        let rest = self.walker.source.get(at..token.end as usize)?;
        if rest.starts_with(">>") {
            let what = if expected.iter().any(|rule| is_value(*rule)) {
                "a value".to_owned()
            } else {
                self.describe_expected(expected)
            };
            let before = self.walker.trim_end(token.start as usize, at);
            let place = self.walker.make_span(before, before);
            let message = format!("{what} is missing before `>>`");
            return Some(Diagnostic::new(Code::MISSING_VALUE, message, place, "missing here"));
        }
        if let Some(diagnostic) = self.explain_late_path(at) {
            return Some(diagnostic);
        }
        let (word, _) = words::split_first_word(rest);
        let length = if word.is_empty() { rest.chars().next().map_or(0, char::len_utf8) } else { word.len() };
        let message = format!(
            "expected {} in the placeholder, found `{}`",
            self.describe_expected(expected),
            truncate_text(rest.get(..length)?)
        );
        Some(
            Diagnostic::new(Code::SYNTAX, message, self.walker.make_span(at, at + length), "")
                .help("a placeholder is one value, up to its `>>`"),
        )
    }

    /// An operator at the end of its line.
    fn explain_dangling_operator(&self, index: usize, to: usize) -> Option<Diagnostic> {
        let text = self.blocks.text(index);
        let operator = Op::from_word(text).is_some() || matches!(text, ".." | "&&" | "||" | "not");
        let next = self.blocks.tokens.get(index + 1).filter(|_| index + 1 < to);
        let last = next.is_none_or(|next| next.first || matches!(next.kind, Kind::Close(_)));
        (operator && last && index < to).then(|| {
            let place = self.span(index).shrink_to_end();
            Diagnostic::new(Code::MISSING_VALUE, format!("a value is missing after `{text}`"), place, "missing here")
        })
    }

    /// Whether a token follows the name of a domain that is used as a value: `x = int 1..5`.
    pub(super) fn is_after_domain(&self, index: usize) -> bool {
        let named = index.checked_sub(4).is_some_and(|index| self.is_token(index, "domain"));
        index >= 2 && !named && is_domain_word(self.blocks.text(index - 1)) && self.is_token(index - 2, "=")
    }

    /// Explains something that does not belong to what comes before it.
    pub(super) fn explain_leftover(&mut self, index: usize) -> Diagnostic {
        if let Some(said) = self.explain_other_language(index) {
            return said;
        }
        let span = self.span(index);
        let found = self.describe_token(index);
        let same_line = index > 0 && self.blocks.tokens.get(index).is_some_and(|token| !token.first);
        if !same_line {
            return Diagnostic::new(Code::SYNTAX, format!("nothing starts with {found}"), span, "")
                .help("a statement starts with a name or a keyword; an operator continues the line before");
        }
        let before = self.blocks.text(index - 1);
        if self.is_after_domain(index) {
            let sign = self.span(index - 2);
            let message = format!("`{before}` is a domain, not a value");
            return Diagnostic::new(Code::SYNTAX, message, self.span(index - 1), "")
                .help("a name is drawn from a domain with `:`; `=` gives it a value")
                .fix("replace `=` with `:`", Applicability::Unsafe, sign, ":");
        }
        let message = format!("{found} cannot follow what is before it");
        let diagnostic = Diagnostic::new(Code::SYNTAX, message, span, "nothing starts like this");
        match self.blocks.text(index) {
            "=" => diagnostic.help("a name is drawn with `:` or computed with `=`, not both; to compare, write `==`"),
            "%" => diagnostic.help("use `mod(a, b)` for the remainder"),
            text @ ("," | ";") => diagnostic.help("statements and columns do not need a separator").remove(
                Applicability::Unsafe,
                span,
                text,
            ),
            _ => diagnostic,
        }
    }

    /// If a word is where a keyword is expected: did you mean.
    fn explain_misspelt(&self, index: usize, expected: &[Rule]) -> Option<Diagnostic> {
        if !self.blocks.is_word(index) || self.blocks.text(index).len() > LONGEST_WORD {
            return None;
        }
        let known: Vec<&str> = expected.iter().flat_map(|rule| list_keywords(*rule)).collect();
        if known.contains(&self.blocks.text(index)) {
            return None;
        }
        let near = suggest::suggest_keyword(self.blocks.text(index), known)?;
        let meant: Vec<Rule> =
            expected.iter().copied().filter(|rule| list_keywords(*rule).contains(&near.0.as_str())).collect();
        let message = format!("expected {}, found {}", self.describe_expected(&meant), self.describe_token(index));
        Some(build_misspelt(message, self.span(index), near))
    }

    /// A misspelled word before the position where reading stopped: it was read as a name, and only what follows shows
    /// that it is not one.
    fn explain_misspelt_before(&self, head: usize, index: usize) -> Option<Diagnostic> {
        let colon = (head..index).find(|index| self.is_token(*index, ":") || self.is_token(*index, "="))?;
        let first = colon + 1;
        let word = |index: usize| {
            Some(self.blocks.text(index)).filter(|word| self.blocks.is_word(index) && word.len() <= LONGEST_WORD)
        };
        let behind = [index.checked_sub(2), index.checked_sub(1), Some(index)]
            .into_iter()
            .flatten()
            .filter(|index| *index > first);
        let meant = word(first)
            .filter(|first| !is_domain_word(first))
            .and_then(|first| suggest::suggest_keyword(first, list_domain_words()))
            .filter(|_| self.is_token(colon, ":") || self.is_token(head, "domain"))
            .map(|meant| (first, meant))
            .or_else(|| {
                behind
                    .filter_map(|index| Some((index, suggest::suggest_keyword(word(index)?, list_suffix_words())?)))
                    .next()
            });
        let (place, near) = meant?;
        Some(build_misspelt(format!("`{}` is not defined", self.blocks.text(place)), self.span(place), near))
    }

    /// What was expected, in words.
    pub(super) fn describe_expected(&self, expected: &[Rule]) -> String {
        let mut phrases: Vec<String> = Vec::new();
        let says = |wanted: &'static str| expected.iter().any(|rule| find_phrase(*rule) == Some(Phrase::Said(wanted)));
        let (value, domain) = (says("a value"), says("a domain"));
        // What may follow the domain of a column that is read is rarely meant.
        let column = expected.contains(&Rule::suffix);
        let expected = expected.iter().filter(|rule| !(column && matches!(rule, Rule::k_from | Rule::k_as)));
        for rule in expected {
            if let Some(phrase) = find_phrase(*rule)
                && !(value && is_part_of_value(phrase))
                && !(domain && is_part_of_domain(phrase))
                && !phrases.contains(&phrase.to_string())
            {
                phrases.push(phrase.to_string());
            }
        }
        if phrases.is_empty() {
            return "something else".to_owned();
        }
        if phrases.len() > 6 {
            phrases.truncate(5);
            phrases.push("another keyword".to_owned());
        }
        join_phrases(&phrases, "or", usize::MAX)
    }

    /// The token that was found, in words.
    pub(super) fn describe_token(&self, index: usize) -> String {
        match self.blocks.kind(index) {
            None => "the end of the file".to_owned(),
            Some(Kind::Text) => "a text".to_owned(),
            Some(Kind::Raw(_)) => "raw text".to_owned(),
            Some(Kind::Doc) => "a doc comment".to_owned(),
            Some(_) => format!("`{}`", truncate_text(self.blocks.text(index))),
        }
    }
}

/// At most a few words of a text, on one line.
fn truncate_text(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= 30 && line.len() == text.len() {
        return text.to_owned();
    }
    let short: String = line.chars().take(27).collect();
    format!("{short}…")
}
