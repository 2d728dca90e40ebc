//! Common mistakes in files that are written: in the rows of another table, in shares, and in the order of rows.

use model::Decimal;
use model::text_style::TextStyle;

use super::{Recovery, build_misspelt};
use crate::ast::Span;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::Kind;
use crate::words::{self, Class};
use names as suggest;

/// The maximum number of tokens between `from` and the brace of its file.
const FARTHEST: usize = 200;

impl Recovery<'_, '_> {
    /// Explains an error in `FORMAT NAME at PATH … from REL where P` that is evident from its words.
    pub(super) fn explain_taken(&self, head: usize, to: usize) -> Option<Diagnostic> {
        let from =
            (head..to).take_while(|index| !self.is_token(*index, "{")).find(|index| self.is_token(*index, "from"))?;
        let name = self.blocks.text(head + 1);
        if from == head + 2 && self.blocks.is_name(from + 1) {
            let place = self.span(head + 1).shrink_to_end();
            let (format, rel) = (self.blocks.text(head), self.blocks.text(from + 1));
            return Some(
                Diagnostic::new(
                    Code::SYNTAX,
                    format!("the place of `{name}` in the sandbox is missing"),
                    place,
                    "`at` expected",
                )
                .help(format!("write {format} {name} at \"PATH\" from {rel}")),
            );
        }
        let missing = |what: &str, at: usize| {
            let message = format!("{what} is missing after `{}`", self.blocks.text(at));
            Diagnostic::new(Code::MISSING_VALUE, message, self.span(at).shrink_to_end(), "missing here")
        };
        if self.is_token(from + 1, "{") {
            return Some(missing("a table", from).help("name a table of the task, or write a path in quotes"));
        }
        let empty = (from..to).find(|index| self.is_token(*index, "where") && self.is_token(index + 1, "{"))?;
        Some(missing("a condition", empty).help("to take every row, remove `where`"))
    }

    /// Explains an option of a path that follows the table whose rows are written.
    pub(super) fn explain_late_option(&self, head: usize, index: usize) -> Option<Diagnostic> {
        let word = self.blocks.text(index);
        if !words::is_of_class(Class::Format, self.blocks.text(head)) || !words::is_of_class(Class::Writing, word) {
            return None;
        }
        let from =
            (head..index).find(|at| self.is_token(*at, "from") && self.blocks.kind(at + 1) != Some(Kind::Text))?;
        let flag = words::iter_class(Class::Writing).any(|known| known.text == word && known.snippet == word);
        let valued = matches!(self.blocks.kind(index + 1), Some(Kind::Text | Kind::Number));
        let place = self.span(from);
        let start = self.walker.make_span(place.start as usize, place.start as usize);
        let before = self.walker.make_span(self.end_before(index), self.token_start(index));
        let said = Diagnostic::new(Code::SYNTAX, format!("`{word}` is after `from`"), self.span(index), "")
            .label(place, "options of the path precede this")
            .help("write the options of a path directly after it");
        let whole = match (flag, valued) {
            (true, _) => self.span(index),
            (false, true) => self.span(index).extend_to(self.span(index + 1)),
            (false, false) => return Some(said),
        };
        let text = format!("{} ", self.walker.text(whole));
        Some(said.fix_with_edits(
            "move it before `from`",
            Applicability::Safe,
            [(start, text.as_str()), (before.extend_to(whole), "")],
        ))
    }

    /// Explains a share without `%`, or with a blank before it, at a token that does not fit.
    pub(super) fn explain_share_slip(&self, index: usize) -> Option<Diagnostic> {
        let value = [Some(index), index.checked_sub(1), index.checked_sub(2)]
            .into_iter()
            .flatten()
            .enumerate()
            .find(|(back, value)| self.is_share_value(*value) && (*back == 0 || self.is_token(value + 1, "%")))
            .map(|(_, value)| value)?;
        let text = self.blocks.text(value);
        let end = self.span(value).shrink_to_end();
        if !self.is_token(value + 1, "%") {
            let said = Diagnostic::new(Code::SYNTAX, format!("`%` is missing after `{text}`"), end, "");
            let number = text.replace('_', "").parse::<Decimal>().ok().map(Decimal::to_f64);
            // A share of 1 does not mean 1%, and with `bool 100%` nothing would be drawn.
            let is_drawn = value
                .checked_sub(1)
                .is_some_and(|before| self.is_token(before, "bool") || self.is_token(before, "blank"));
            return Some(match number {
                Some(share) if share > 0.0 && share < 1.0 => {
                    let percent = format_percent(text);
                    let said = said.help(format!("a share is a percentage: {percent}%"));
                    said.replace(Applicability::Unsafe, self.span(value), format!("{percent}%"))
                }
                Some(share) if share <= 1.0 || share > 100.0 || share > 99.0 && is_drawn => {
                    said.help("a share is a percentage between 0% and 100%, such as 50%")
                }
                _ => said.help(format!("a share is a percentage: {text}%")).fix(
                    "insert `%`",
                    Applicability::Unsafe,
                    end,
                    "%",
                ),
            });
        }
        let gap = self.walker.make_span(end.start as usize, self.token_start(value + 1));
        (gap.start < gap.end).then(|| {
            Diagnostic::new(Code::SYNTAX, format!("`%` does not touch `{text}`"), self.span(value + 1), "")
                .help(format!("a share is written without a blank: {text}%"))
                .fix("remove the blank", Applicability::Safe, gap, "")
        })
    }

    /// Explains a comma between the styles of a column.
    pub(super) fn explain_style_comma(&self, index: usize) -> Option<Diagnostic> {
        let comma = index.checked_sub(1).filter(|comma| self.is_token(*comma, ","))?;
        let mut line =
            (0..comma).rev().take_while(|at| self.blocks.tokens.get(at + 1).is_some_and(|token| !token.first));
        let styled =
            words::is_of_class(Class::Style, self.blocks.text(index)) && line.any(|at| self.is_token(at, "as"));
        styled.then(|| {
            Diagnostic::new(Code::SYNTAX, "styles follow each other without commas", self.span(comma), "")
                .help("a comma ends the column")
                .fix("remove the comma", Applicability::Safe, self.span(comma), "")
        })
    }

    /// Explains a word that belongs before or after the domain of a column, and is in another place: `int 1..9 unique`, `int 1..9 as written "0" blank 5%`.
    pub(super) fn explain_moved_word(&self, index: usize) -> Option<Diagnostic> {
        let (word, previous) = (self.blocks.text(index), index.checked_sub(1)?);
        let is_first = |at: usize| self.blocks.tokens.get(at).is_none_or(|token| token.first);
        let line: Vec<usize> = (0..index).rev().take_while(|at| !is_first(at + 1)).collect();
        let is_style =
            |at: &&usize| self.is_token(**at, "as") && words::is_of_class(Class::Style, self.blocks.text(**at + 1));
        if is_first(index) {
            return None;
        }
        if words::is_of_class(Class::Suffix, word)
            && let Some(styles) = line.iter().find(is_style)
        {
            let message = format!("`{word}` is after the styles of its column");
            let said =
                Diagnostic::new(Code::SYNTAX, message, self.span(index), "").label(self.span(*styles), "the styles");
            return Some(said.help(format!("write it before them: … {word} … as {} …", self.blocks.text(styles + 1))));
        }
        let is_late = words::is_of_class(Class::Modifier, word)
            && !self.is_token(previous, ":")
            && line.iter().any(|at| self.is_token(*at, ":"));
        is_late.then(|| {
            let message = format!("`{word}` is after the domain");
            Diagnostic::new(Code::SYNTAX, message, self.span(index), "")
                .help(format!("write it before the domain, after the colon: … : {word} …"))
        })
    }

    /// Explains styles of a column between its name and its value.
    pub(super) fn explain_early_styles(&self, name: usize) -> Option<Diagnostic> {
        if !self.is_token(name + 1, "as") || !words::is_of_class(Class::Style, self.blocks.text(name + 2)) {
            return None;
        }
        let mut line = (name + 3..).take_while(|at| self.blocks.tokens.get(*at).is_some_and(|token| !token.first));
        let sign = line.find(|at| self.is_token(*at, "=") || self.is_token(*at, ":"))?;
        let styles = self.walker.make_span(self.token_start(name + 1), self.end_before(sign));
        let (column, sign) = (self.blocks.text(name), self.blocks.text(sign));
        let message = format!("`as` is before the value of `{column}`");
        let help = format!("write the value first: {column} {sign} … {}", self.walker.text(styles));
        Some(Diagnostic::new(Code::SYNTAX, message, styles, "").help(help))
    }

    /// Explains `where` in the braces of a file whose rows come from another table; `head` is that word.
    pub(super) fn explain_inner_where(&self, head: usize) -> Option<Diagnostic> {
        let open = (0..head)
            .rev()
            .find(|at| self.is_token(*at, "{") || self.is_token(*at, "}"))
            .filter(|at| self.is_token(*at, "{"))?;
        let from = (0..open).rev().take_while(|at| !self.is_token(*at, "{") && !self.is_token(*at, "}"));
        let from = from.take(FARTHEST).find(|at| self.is_token(*at, "from"))?;
        let table = self.blocks.text(from + 1);
        self.is_token(head, "where").then(|| {
            Diagnostic::new(Code::SYNTAX, "`where` is inside of the braces", self.span(head), "")
                .label(self.span(from), "the rows are chosen here")
                .help(format!("write the condition before `{{`: from {table} where …"))
        })
    }

    /// Whether a number or name is a share: it follows a word that takes one, on the same line.
    fn is_share_value(&self, value: usize) -> bool {
        let takes_share =
            |word: &str| matches!(word, "repeat" | "blank" | "bool") || TextStyle::from_word(word).is_some();
        let Some(before) = value.checked_sub(1) else { return false };
        let written =
            self.blocks.kind(before) == Some(Kind::Text) && before > 0 && self.is_token(before - 1, "written");
        let one = matches!(self.blocks.kind(value), Some(Kind::Number | Kind::Word));
        let same_line = self.blocks.tokens.get(value).is_some_and(|token| !token.first);
        let word = self.blocks.text(value);
        let free = !words::is_of_class(Class::Suffix, word)
            && !words::is_of_class(Class::Style, word)
            && !words::is_reserved(word);
        one && same_line && free && (written || takes_share(self.blocks.text(before)))
    }

    /// Explains common mistakes in `rows repeat` and `rows by`; `head` is the token `rows`.
    pub(super) fn explain_rows_slip(&self, head: usize, index: usize) -> Option<Diagnostic> {
        if !self.is_token(head, "rows") || self.blocks.is_declaration(head) {
            return None;
        }
        let (second, third) = (self.blocks.text(head + 1), self.blocks.text(head + 2));
        if second == "by" {
            return self.order_slip(head + 2, index);
        }
        let sorted = ["order", "ordered", "sort", "sorted"];
        if third == "by" && (sorted.contains(&second) || suggest::suggest_keyword(second, sorted).is_some()) {
            let word = self.span(head + 1);
            let gap = self.walker.make_span(word.start as usize, self.token_start(head + 2));
            return Some(
                Diagnostic::new(Code::SYNTAX, format!("`{second}` cannot follow `rows`"), word, "")
                    .help("rows are sorted with: rows by COLUMN")
                    .remove(Applicability::Safe, gap, second),
            );
        }
        let near = suggest::suggest_keyword(second, ["repeat", "by"])?;
        let message = format!("`{second}` cannot follow `rows`");
        (index > head + 1 && self.blocks.is_word(head + 1)).then(|| build_misspelt(message, self.span(head + 1), near))
    }

    /// Explains a word other than `desc` after the column of `rows by`.
    fn order_slip(&self, column: usize, index: usize) -> Option<Diagnostic> {
        let word = self.blocks.text(column + 1);
        let place = self.span(column + 1);
        if word == "," {
            return Some(
                Diagnostic::new(Code::SYNTAX, "rows are sorted by one column", place, "")
                    .help("rows that are equal in it keep the order of their table: sort that by the others first"),
            );
        }
        if index != column + 1 || self.blocks.tokens.get(index).is_none_or(|token| token.first) {
            return None;
        }
        if ["asc", "ascending"].contains(&word.to_ascii_lowercase().as_str()) {
            let gap: Span = self.walker.make_span(self.end_before(index), place.end as usize);
            return Some(
                Diagnostic::new(Code::SYNTAX, format!("`{word}` is not needed after `rows by`"), place, "").remove(
                    Applicability::Safe,
                    gap,
                    word,
                ),
            );
        }
        let meant = word.eq_ignore_ascii_case("descending") || suggest::suggest_keyword(word, ["desc"]).is_some();
        meant.then(|| build_misspelt(format!("expected `desc`, found `{word}`"), place, ("desc".to_owned(), true)))
    }
}

/// Multiplies a decimal below 1 by 100, as text: `5` for `0.05`, `12.5` for `0.125`.
fn format_percent(text: &str) -> String {
    let digits = text.split_once('.').map_or("", |(_, digits)| digits);
    let mut all: String = digits.chars().filter(char::is_ascii_digit).collect();
    while all.len() < 2 {
        all.push('0');
    }
    let (whole, places) = all.split_at(2);
    let whole = whole.trim_start_matches('0');
    let places = places.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if places.is_empty() { whole.to_owned() } else { format!("{whole}.{places}") }
}
