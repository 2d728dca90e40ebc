//! Error productions: mistakes recognized by their form, such as the syntax of other languages.

use super::phrases::is_value;
use super::{Recovery, build_misspelt};
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::Kind;
use crate::parse::foreign_syntax::is_capital;
use crate::parse::grammar::Rule;
use crate::parse::strings::explain_single_quotes;
use crate::words::{self, Class};
use names as suggest;

impl Recovery<'_, '_> {
    /// Explains mistakes that are recognized by their form.
    pub(super) fn explain_known_mistake(
        &mut self,
        index: usize,
        before: &str,
        expected: &[Rule],
    ) -> Option<Diagnostic> {
        let span = self.span(index);
        if let Some(said) = self.explain_other_language(index) {
            return Some(said);
        }
        let text = self.blocks.text(index);
        let domain = expected.contains(&Rule::domain) || expected.contains(&Rule::named);
        match self.blocks.kind(index)? {
            Kind::SingleQuoted => Some(explain_single_quotes(text.trim_matches('\''), span)),
            // `prompt: "…"`
            Kind::Text
                if before == ":"
                    && index >= 2
                    && words::is_statement(self.blocks.text(index - 2))
                    && self.blocks.tokens.get(index - 2).is_some_and(|head| head.first) =>
            {
                let head = self.blocks.text(index - 2);
                let sign = self.span(index - 1);
                Some(
                    Diagnostic::new(Code::SYNTAX, format!("`{head}` does not take `:`"), sign, "")
                        .help(format!("`{head}` is a keyword; its text follows it"))
                        .remove(Applicability::Safe, sign, ":"),
                )
            }
            // `one_of("a", "b")`
            Kind::Word
                if domain
                    && (self.is_token(index + 1, "(") || self.is_token(index + 1, "{"))
                    && words::iter_class(Class::Form).any(|word| word.text == text && word.snippet.contains('['))
                    && self.blocks.is_paired(index + 1) =>
            {
                let (open, close) = (index + 1, self.blocks.skip_group(index + 1).saturating_sub(1));
                let (opens, closes) = (self.blocks.text(open), self.blocks.text(close));
                let message = format!("`{text}` takes a list in `[ ]`, not in `{opens} {closes}`");
                let whole = self.span(open).extend_to(self.span(close));
                let said = Diagnostic::new(Code::SYNTAX, message, whole, "");
                Some(self.fix_brackets(said, Applicability::Unsafe, open, close))
            }
            // `rows: 75`
            Kind::Number if domain && before == ":" && index >= 2 && self.is_token(index - 2, "rows") => {
                let sign = self.span(index - 1);
                let gap = self.walker.make_span(self.end_before(index - 1), span.start as usize);
                Some(
                    Diagnostic::new(Code::SYNTAX, "`rows` does not take `:`", sign, "")
                        .help(format!("write `rows {text}`"))
                        .fix("remove `:`", Applicability::Safe, gap, " "),
                )
            }
            Kind::Number | Kind::Text if domain && before == ":" => {
                let sign = self.span(index - 1);
                Some(
                    Diagnostic::new(
                        Code::SYNTAX,
                        format!("expected a domain, found {}", self.describe_token(index)),
                        span,
                        "this is a value",
                    )
                    .help("a name gets a value with `=`; `:` is for domains, from which it is drawn")
                    .fix("replace `:` with `=`", Applicability::Unsafe, sign, "="),
                )
            }
            // After a path, a word was read as the name of XML's root element.
            Kind::Text
                if expected.contains(&Rule::body)
                    && let Some(near) = suggest::suggest_keyword(before, words::list_names(Class::Writing)) =>
            {
                Some(build_misspelt(format!("`{before}` is not an option"), self.span(index - 1), near))
            }
            Kind::Word
                if words::is_reserved(text)
                    && expected.iter().any(|rule| matches!(rule, Rule::name | Rule::expr | Rule::decl)) =>
            {
                Some(
                    Diagnostic::new(
                        Code::SYNTAX,
                        format!("expected {}, found the reserved word `{text}`", self.describe_expected(expected)),
                        span,
                        "",
                    )
                    .help("write a column of this name in backticks, or after its table: `table.column`"),
                )
            }
            Kind::Sign if text == "..." => Some(
                Diagnostic::new(Code::SYNTAX, "a range has two dots", span, "")
                    .help("write `a..b`; both ends are in it")
                    .replace(Applicability::Safe, span, ".."),
            ),
            Kind::Word if text == "to" && expected.contains(&Rule::dots) => Some(
                Diagnostic::new(Code::SYNTAX, "a range is written with two dots", span, "")
                    .help("write `a..b`; both ends are in it")
                    .replace(Applicability::Unsafe, span, ".."),
            ),
            Kind::Close(_) | Kind::Word | Kind::Quoted
                if expected.contains(&Rule::eq_hole)
                    && index > 0
                    && self.blocks.is_name(index - 1)
                    && !words::is_head(before) =>
            {
                let place = self.span(index - 1).shrink_to_end();
                let missing = |signs: &str| {
                    Diagnostic::new(Code::SYNTAX, format!("{signs} is missing after `{before}`"), place, "")
                };
                Some(if expected.contains(&Rule::colon_hole) {
                    missing("`:` or `=`").help("a name is drawn with `NAME : DOMAIN` and computed with `NAME = VALUE`")
                } else {
                    missing("`=`").fix("insert `=`", Applicability::Unsafe, place, " =")
                })
            }
            Kind::Sign if text == "%" => Some(
                Diagnostic::new(Code::SYNTAX, "`%` is not an operator", span, "")
                    .help("use `mod(a, b)` for the remainder"),
            ),
            // At a line's end it is the habit of another language.
            Kind::Sign if text == ";" && self.blocks.tokens.get(index + 1).is_none_or(|next| next.first) => Some(
                Diagnostic::new(Code::SYNTAX, "`;` is not a separator in `.pcd`", span, "")
                    .help("statements and columns do not need a separator")
                    .remove(Applicability::Safe, span, text),
            ),
            Kind::Sign if matches!(text, "," | ";") && !expected.iter().any(|rule| is_value(*rule)) => {
                let mut diagnostic = Diagnostic::new(Code::SYNTAX, format!("`{text}` does not belong here"), span, "");
                if ["tags", "authors"].contains(&self.blocks.text(index.saturating_sub(2))) {
                    diagnostic = diagnostic.help("write several in a list: `[a, b]`");
                }
                Some(diagnostic.remove(Applicability::Unsafe, span, text))
            }
            _ => None,
        }
    }

    /// Explains the syntax of another language: after a value, in `in (…)`, in `if(…, …, …)`.
    pub(super) fn explain_other_language(&self, index: usize) -> Option<Diagnostic> {
        let same_line = index > 0 && self.blocks.tokens.get(index).is_some_and(|token| !token.first);
        let named = match self.blocks.kind(index.checked_sub(1)?) {
            Some(Kind::Word | Kind::Quoted | Kind::Close(_)) => true,
            Some(Kind::Number | Kind::Text) => is_capital(self.blocks.text(index)),
            _ => false,
        };
        if same_line && named && !words::is_head(self.blocks.text(index - 1)) {
            // A path is one value, a bracket the end of one.
            let mut first = index - 1;
            while first >= 2 && self.is_token(first - 1, ".") {
                first -= 2;
            }
            let value = self.walker.make_span(self.token_start(first), self.end_before(index));
            if let Some(said) = self.walker.explain_foreign(value) {
                return Some(said);
            }
        }
        if !self.is_token(index, ",") {
            return None;
        }
        let open = (0..index).rev().find(|open| self.blocks.skip_group(*open) > index && self.is_token(*open, "("))?;
        let close = self.blocks.skip_group(open).checked_sub(1).filter(|close| self.is_token(*close, ")"))?;
        match self.blocks.text(open.checked_sub(1)?) {
            "in" | "any_of" => {
                let message = "a list is written in `[ ]`, not in `( )`";
                let whole = self.span(open).extend_to(self.span(close));
                let said = Diagnostic::new(Code::SYNTAX, message, whole, "a list in parentheses");
                Some(self.fix_brackets(said, Applicability::Safe, open, close))
            }
            "if" => {
                let commas: Vec<usize> =
                    (open + 1..close).filter(|at| self.is_token(*at, ",") && self.is_innermost(*at, open)).collect();
                let said = Diagnostic::new(
                    Code::SYNTAX,
                    "`if` is not a function",
                    self.span(open - 1),
                    "syntax of another language",
                )
                .help("write `if CONDITION then VALUE else VALUE`");
                let [then, otherwise] = commas.as_slice() else { return Some(said) };
                // An argument that is a chain of its own may need parentheses.
                Some(said.fix_with_edits(
                    "replace with `if … then … else …`",
                    Applicability::Unsafe,
                    [
                        (self.span(open), " "),
                        (self.span(*then), " then"),
                        (self.span(*otherwise), " else"),
                        (self.span(close), ""),
                    ],
                ))
            }
            _ => None,
        }
    }

    /// Adds the fix that writes a list in `[ ]` instead of the brackets at `open` and `close`.
    fn fix_brackets(&self, said: Diagnostic, applicability: Applicability, open: usize, close: usize) -> Diagnostic {
        said.fix_with_edits(
            format!("replace `{}` and `{}` with `[` and `]`", self.blocks.text(open), self.blocks.text(close)),
            applicability,
            [(self.span(open), "["), (self.span(close), "]")],
        )
    }

    /// Whether the bracket that `open` opens is the innermost around a token.
    fn is_innermost(&self, index: usize, open: usize) -> bool {
        let mut at = open + 1;
        while at < index {
            at = self.blocks.skip_group(at);
        }
        at == index
    }
}
