//! Explanations of tokens that cannot be parsed, one diagnostic each.

use super::{Context, LONGEST_WORD, Recovery, build_misspelt};
use crate::ast::RawKind;
use crate::diagnostics::wording::join_names;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::{Kind, Unclosed, detect_raw_kind};
use crate::parse::literals::{is_missing_exponent, without_exponent};
use crate::words::{self, Class, Head};
use names as suggest;

impl Recovery<'_, '_> {
    /// Explains the error in the tokens `from..to`.
    pub(super) fn explain_tokens(&mut self, from: usize, to: usize, context: Context) -> Diagnostic {
        let head = self.skip_docs(from, to);
        if let Some((what, at)) = self.find_unclosed(self.token_start(from), self.token_start(to)) {
            return self.explain_unclosed(what, at);
        }
        let evident = self.explain_bracket(from, to).or_else(|| self.explain_head(head, to, context));
        if let Some(diagnostic) = evident {
            return diagnostic;
        }
        if self.is_leftover(head)
            && let Some((start, _)) = self.last
        {
            let start = self.skip_docs(start, to);
            if (self.is_token(start, "lake") || words::is_of_class(Class::Format, self.blocks.text(start)))
                && let Some(said) = self.explain_read(start, to, context)
            {
                return said;
            }
            return self.explain_inside(start, to, context);
        }
        self.explain_inside(head, to, context)
    }

    /// Whether a token directly follows a parsed part, on the same line.
    pub(super) fn is_leftover(&self, index: usize) -> bool {
        let same_line = self.blocks.tokens.get(index).is_some_and(|token| !token.first);
        same_line && self.last.is_some_and(|(_, next)| next == index)
    }

    fn explain_unclosed(&self, what: Unclosed, at: usize) -> Diagnostic {
        let (code, message, length, help) = match what {
            Unclosed::Text => {
                let help = "add `\"` on this line, or use `\"\"\"` for several lines";
                (Code::UNCLOSED_STRING, "the string has no closing quote", 1, help)
            }
            Unclosed::Triple => (Code::UNCLOSED_STRING, "the string is never closed", 3, "close it with `\"\"\"`"),
            Unclosed::Placeholder => {
                let help = "add `>>`, or write `\\<<` for a literal `<<`";
                (Code::UNCLOSED_PLACEHOLDER, "the placeholder has no closing `>>`", 2, help)
            }
        };
        Diagnostic::new(code, message, self.walker.make_span(at, at + length), "opened here").help(help)
    }

    /// Explains an unmatched bracket: an opening one before a closing one.
    fn explain_bracket(&mut self, from: usize, to: usize) -> Option<Diagnostic> {
        if self.broken.get(from) == self.broken.get(to) {
            return None;
        }
        let lone = |index: &usize| !self.blocks.is_paired(*index);
        let opening = (from..to).filter(|index| matches!(self.blocks.kind(*index), Some(Kind::Open(_)))).find(lone);
        if let Some(index) = opening {
            let bracket = self.blocks.text(index);
            if bracket == "<<" {
                return Some(self.explain_unclosed(Unclosed::Placeholder, self.token_start(index)));
            }
            let partner = match bracket {
                "{" => "}",
                "[" => "]",
                _ => ")",
            };
            self.mark_block_unread(index);
            let message = format!("`{bracket}` is never closed");
            let said = Diagnostic::new(Code::UNCLOSED_BLOCK, message, self.span(index), "opened here");
            return Some(said.help(format!("close it with `{partner}`")));
        }
        let closing = (from..to).filter(|index| matches!(self.blocks.kind(*index), Some(Kind::Close(_)))).find(lone)?;
        Some(self.explain_stray_bracket(closing))
    }

    fn explain_stray_bracket(&self, index: usize) -> Diagnostic {
        let bracket = self.blocks.text(index);
        if let Some(said) = self.explain_query_placeholder(index) {
            return said;
        }
        let message = format!("`{bracket}` does not close anything");
        Diagnostic::new(Code::SYNTAX, message, self.span(index), "no bracket is open here").remove(
            Applicability::Unsafe,
            self.span(index),
            bracket,
        )
    }

    /// Explains a placeholder inside a query, `<<value: SELECT … > <<t>>>>`: the query ended at the `>>` before the one at `index`.
    fn explain_query_placeholder(&self, index: usize) -> Option<Diagnostic> {
        let before = self.walker.source.get(..self.token_start(index))?;
        let inner = before.strip_suffix(">>").filter(|_| self.is_token(index, ">>"))?;
        let (outer, name) = inner.rsplit_once("<<")?;
        let (_, query) = outer.rsplit_once("<<")?;
        let is_query =
            query.split_once(':').is_some_and(|(_, query)| detect_raw_kind(query.trim_start()) == Some(RawKind::Sql));
        if !is_query || name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return None;
        }
        let span = self.walker.make_span(outer.len(), before.len());
        Some(
            Diagnostic::new(Code::SYNTAX, format!("a query cannot contain `<<{name}>>`"), span, "the query ends here")
                .help(format!("write the value of the task as `:{name}`"))
                .replace(Applicability::Safe, span, format!(":{name}")),
        )
    }

    /// Explains the number before the sign before `index` if its exponent lacks digits: `1e+`.
    pub(super) fn open_exponent(&self, index: usize) -> Option<Diagnostic> {
        let (number, sign) = (index.checked_sub(2)?, index.checked_sub(1)?);
        let [text, sign_text] = [number, sign].map(|index| self.blocks.text(index));
        let adjacent = self.blocks.tokens.get(number)?.end == self.blocks.tokens.get(sign)?.start;
        (adjacent && matches!(sign_text, "+" | "-") && is_missing_exponent(text))
            .then(|| without_exponent(text, sign_text, self.span(number)))
    }

    /// Explains a `/` at `at` where a value should begin: the first path of an XPath that begins with something else, such as `2 * count(//x)`.
    pub(super) fn explain_late_path(&self, at: usize) -> Option<Diagnostic> {
        let (before, rest) = self.walker.source.split_at_checked(at)?;
        let line = before.rsplit('\n').next()?;
        let (_, call) = line.rsplit_once("xpath_")?;
        if !rest.starts_with('/') || call.contains(">>") {
            return None;
        }
        let span = self.walker.make_span(at, at + 1);
        let help = "an XPath begins with `/`, or with the brackets and functions directly before it, such as count(//x); compute outside of it: 2 * xpath_value(feed, count(//x))";
        Some(Diagnostic::new(Code::SYNTAX, "the XPath does not begin with its path", span, "its first path").help(help))
    }

    /// Explains an error that is evident from the first words.
    fn explain_head(&mut self, head: usize, to: usize, context: Context) -> Option<Diagnostic> {
        if !self.blocks.is_word(head) {
            return self.explain_other(head, to, context);
        }
        let word = self.blocks.text(head);
        if word.len() > LONGEST_WORD {
            return Some(self.explain_leftover(head));
        }
        let span = self.span(head);
        if words::is_of_class(Class::Planned, word)
            && !self.blocks.is_declaration(head)
            && matches!(context, Context::Item | Context::Statement)
        {
            let ident = crate::ast::Ident { text: word.to_owned(), span, quoted: false };
            self.walker.report_not_yet(&ident);
            return self.walker.diagnostics.pop();
        }
        if self.is_token(head + 1, "==") && !self.is_leftover(head) && !matches!(context, Context::Setting) {
            let sign = self.span(head + 1);
            return Some(
                Diagnostic::new(
                    Code::SYNTAX,
                    format!("`{word}` is compared, but nothing uses the result"),
                    sign,
                    "`==` compares",
                )
                .help("to give a value to a name write `=`")
                .replace(Applicability::Safe, sign, "="),
            );
        }
        if let Some(said) = self.explain_read(head, to, context).filter(|_| !self.blocks.is_declaration(head)) {
            return Some(said);
        }
        if self.blocks.is_declaration(head) {
            let around = match context {
                Context::View => {
                    Some(("view", "write the columns of a view in its own braces: csv NAME from \"*.csv\" { … }"))
                }
                Context::Table => Some(("table", "only tables belong here: `table NAME { … }`")),
                _ => None,
            };
            if let Some((what, help)) = around {
                let message = format!("column `{word}` is not in a {what}");
                return Some(Diagnostic::new(Code::MISPLACED, message, span, "").help(help));
            }
            let drawn = context == Context::Item && self.is_token(head + 1, ":");
            return drawn.then(|| {
                Diagnostic::new(
                    Code::SYNTAX,
                    format!("`{word}` is drawn outside a task"),
                    span,
                    "values are drawn in a task",
                )
                .help(format!("draw it inside a task; to name a domain write `domain {word} = …`"))
            });
        }
        let (heads, what): (Vec<&str>, &str) = match context {
            Context::Item => (words::list_names(Class::Item), "top-level item"),
            Context::Setting => return None,
            Context::Statement => (words::list_statements(), "statement"),
            Context::Table => (vec!["table", "view"], "statement"),
            Context::View => (words::list_names(Class::Format), "view"),
            Context::Column if self.is_token(head + 1, "(") => (words::list_names(Class::Constraint), "constraint"),
            Context::Column => (words::list_names(Class::Body), "statement"),
        };
        if words::is_of_class(Class::Format, word)
            && self.blocks.kind(head + 1) == Some(Kind::Text)
            && self.is_token(head + 2, "at")
        {
            let place = self.span(head + 1);
            let text = self.blocks.text(head + 1);
            let name = text.trim_matches('"');
            let said = Diagnostic::new(Code::SYNTAX, "a name has no quotes", place, "this is a text");
            let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let name = if plain { name.to_owned() } else { format!("`{}`", name.replace(['`', '\n'], "")) };
            return Some(said.help(format!("write {word} {name} at …")).fix(
                format!("replace {text} with {name}"),
                Applicability::Safe,
                place,
                name,
            ));
        }
        if words::is_of_class(Class::Format, word)
            && self.is_token(head + 1, "at")
            && self.blocks.kind(head + 2) == Some(Kind::Text)
        {
            let place = span.shrink_to_end();
            return Some(
                Diagnostic::new(Code::MISSING_VALUE, format!("a name is missing after `{word}`"), place, "")
                    .help(format!("name the file: {word} NAME at {}", self.blocks.text(head + 2))),
            );
        }
        if context == Context::Statement
            && let Some(said) = self.explain_prompt(head, word)
        {
            return Some(said);
        }
        if heads.contains(&word) {
            return self.explain_missing_brace(head, word);
        }
        if context == Context::Statement
            && let Some(said) = self.explain_format(head, word)
        {
            return Some(said);
        }
        if context == Context::Column && !self.is_leftover(head) {
            if let Some(diagnostic) = self.explain_column(head, to, word) {
                return Some(diagnostic);
            }
        } else if words::is_statement(word) && context == Context::Item {
            return Some(
                Diagnostic::new(Code::MISPLACED, format!("`{word}` is outside a task"), span, "not at top level")
                    .help("write it inside `task NAME { … }`, or remove an extra `}` before it"),
            );
        } else if words::is_of_class(Class::Item, word) || words::is_statement(word) {
            return Some(Diagnostic::new(Code::MISPLACED, format!("`{word}` does not belong here"), span, "").help(
                match context {
                    Context::Table => "only tables belong here",
                    Context::View => "a lake contains views, such as: csv NAME from \"*.csv\"",
                    Context::Column if word == "table" => "a database or workbook can contain only tables",
                    Context::Column => "it belongs to the task, outside this block: add a missing `}` before it",
                    _ => "it belongs at top level, outside any block",
                },
            ));
        }
        let block = (head..to).find(|index| self.is_token(*index, "{")).is_some_and(|open| open <= head + 2);
        let likely: Vec<&str> = heads
            .iter()
            .copied()
            .filter(|head| !block || matches!(words::find_head(head), Some(Head::Block | Head::Columns)))
            .collect();
        let best = suggest::suggest_keyword(word, likely.iter().copied())
            .or_else(|| suggest::suggest_keyword(word, heads.iter().copied()));
        if let Some((nearest, clear)) = best {
            return Some(build_misspelt(format!("`{word}` is not a {what}"), span, (nearest, clear)));
        }
        if self.is_leftover(head) {
            return None;
        }
        if words::is_reserved(word) {
            return Some(self.explain_leftover(head));
        }
        let help = match context {
            Context::Item => {
                format!(
                    "a file contains {} and `NAME = VALUE`",
                    join_names(words::list_names(Class::Item), "and", usize::MAX)
                )
            }
            Context::Column => "a column is `NAME : DOMAIN` or `NAME = VALUE`".to_owned(),
            Context::Table => "only tables belong here: `table NAME { … }`".to_owned(),
            Context::View => "a lake contains views: csv NAME from \"*.csv\"".to_owned(),
            _ => format!("to draw a name write `{word} : DOMAIN`, to compute it `{word} = VALUE`"),
        };
        Some(Diagnostic::new(Code::SYNTAX, format!("`{word}` is not a {what}"), span, "").help(help))
    }

    /// Explains the head of a block with a statement or setting in its line, but without `{`: `task sums samples 5`.
    fn explain_missing_brace(&self, head: usize, word: &str) -> Option<Diagnostic> {
        let is_word = self.blocks.is_word(head + 2) && self.blocks.tokens.get(head + 2).is_some_and(|next| !next.first);
        if !matches!(word, "suite" | "task" | "variant") || !self.blocks.is_name(head + 1) || !is_word {
            return None;
        }
        let (name, next) = (self.blocks.text(head + 1), self.blocks.text(head + 2));
        let place = self.span(head + 1).shrink_to_end();
        let message = format!("`{{` is missing after `{name}`");
        let help = format!("write what belongs to `{name}` in braces: {word} {name} {{ {next} … }}");
        Some(Diagnostic::new(Code::SYNTAX, message, place, "its block begins here").help(help))
    }

    /// Explains names of other tools for a prompt: a list of texts, of which one is drawn here, or a system prompt.
    fn explain_prompt(&self, head: usize, word: &str) -> Option<Diagnostic> {
        if word == "prompt" && self.is_token(head + 1, "[") {
            let list = self.span(head + 1);
            return Some(
                Diagnostic::new(Code::SYNTAX, "`prompt` does not take a list", list, "a list of texts")
                    .help("write `prompt one_of [ … ]`: each sample gets one of the texts")
                    .fix("insert `one_of`", Applicability::Unsafe, self.span(head).shrink_to_end(), " one_of"),
            );
        }
        (word == "system" && self.blocks.kind(head + 1) == Some(Kind::Text)).then(|| {
            Diagnostic::new(Code::SYNTAX, "`system` is not a statement", self.span(head), "not part of a suite")
                .help("give the system prompt to `picardc run` with `--system FILE`, or write it into `prompt`")
        })
    }

    /// Explains a file in an unsupported format: `arrow data at "data.arrow" { … }`.
    fn explain_format(&self, head: usize, word: &str) -> Option<Diagnostic> {
        let is_name = self.blocks.is_name(head + 1);
        let place = ["at", "from"].into_iter().any(|word| self.is_token(head + 2, word))
            && matches!(self.blocks.kind(head + 3), Some(Kind::Text));
        if !is_name || !place || suggest::suggest_keyword(word, words::list_statements()).is_some() {
            return None;
        }
        Some(
            Diagnostic::new(Code::SYNTAX, format!("`{word}` is not a file format"), self.span(head), "unknown format")
                .help(format!("the formats are {}", join_names(words::list_names(Class::Format), "and", usize::MAX))),
        )
    }

    /// Explains a column without `:` or `=`.
    fn explain_column(&mut self, head: usize, to: usize, word: &str) -> Option<Diagnostic> {
        let next = self.blocks.tokens.get(head + 1).filter(|next| head + 1 < to && !next.first)?;
        let place = self.span(head).shrink_to_end();
        if let Some(slip) = self.explain_inner_where(head).or_else(|| self.explain_early_styles(head)) {
            return Some(slip);
        }
        if words::is_of_class(Class::Constraint, word) && matches!(next.kind, Kind::Word | Kind::Quoted) {
            let columns = self.blocks.text(head + 1);
            return Some(
                Diagnostic::new(Code::SYNTAX, format!("`(` is missing after `{word}`"), place, "")
                    .help(format!("write its columns in parentheses: {word} ({columns}, …)")),
            );
        }
        if next.kind == Kind::Word && suggest::suggest_keyword(word, words::list_names(Class::Body)).is_none() {
            return Some(
                Diagnostic::new(Code::SYNTAX, format!("`:` is missing after `{word}`"), place, "")
                    .help("a column is `NAME : DOMAIN` or `NAME = VALUE`")
                    .fix("insert `:`", Applicability::Unsafe, place, " :"),
            );
        }
        None
    }

    /// Explains a token other than a word where a statement should begin.
    fn explain_other(&mut self, head: usize, to: usize, context: Context) -> Option<Diagnostic> {
        if head >= to || self.blocks.is_declaration(head) {
            return None;
        }
        match self.blocks.kind(head)? {
            Kind::Close(_) => Some(self.explain_stray_bracket(head)),
            Kind::Quoted => None,
            _ if self.is_token(head, "@") && context == Context::Column => None,
            _ if self.is_leftover(head) && !self.is_after_domain(head) => None,
            _ => Some(self.explain_leftover(head)),
        }
    }
}
