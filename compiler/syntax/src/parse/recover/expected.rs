//! Common mistakes in an expectation: its part of a reply, its matchers, and the order of its options.

use super::Recovery;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::Kind;
use crate::words::{self, Class};

impl Recovery<'_, '_> {
    /// Explains an error in `expect …` that is evident from the words before `index`.
    pub(super) fn explain_expect_slip(&self, head: usize, index: usize) -> Option<Diagnostic> {
        if !self.is_token(head, "expect") || index < head + 2 {
            return None;
        }
        let said = |message: String| Diagnostic::new(Code::SYNTAX, message, self.span(index), "");
        let (text, before) = (self.blocks.text(index), self.blocks.text(index - 1));
        let is_value = |at: usize| matches!(self.blocks.kind(at), Some(Kind::Number | Kind::Word | Kind::Quoted));
        let is_text = |at: usize| self.blocks.kind(at) == Some(Kind::Text);
        // The texts around an answer, as they are written.
        let around = |open: usize, close: usize| match is_text(open) && is_text(close) {
            true => format!("write: expect reply in {}..{} …", self.blocks.text(open), self.blocks.text(close)),
            false => "write: expect reply in \"[[\"..\"]]\" …".to_owned(),
        };
        let after_in = self.is_token(index - 2, "in") && is_text(index - 1);
        if text == "," && after_in {
            let message = format!("two texts around an answer have `..` between them, not `{text}`");
            let place = self.walker.make_span(self.end_before(index), self.span(index).end as usize);
            return Some(said(message).help(around(index - 1, index + 1)).replace(Applicability::Safe, place, ".."));
        }
        if before == "in" && self.is_token(index - 2, "reply") && self.blocks.is_word(index) {
            let (help, quoted) = match text {
                "boxed" => ("write what is before the answer and after it", r#""\\boxed{".."}""#.to_owned()),
                _ => ("write the name of the tag in quotes", format!("\"{text}\"")),
            };
            let message = format!("`{text}` after `in` is not in quotes");
            return Some(said(message).help(help).replace(Applicability::Unsafe, self.span(index), quoted));
        }
        if text == "between" && self.is_token(head + 1, "reply") {
            let message = "the part of a reply between two texts begins with `in`".to_owned();
            return Some(said(message).help(around(index + 1, index + 3)));
        }
        if self.blocks.kind(index) == Some(Kind::Number)
            && matches!(self.blocks.text(index - 2), "rounded" | "within")
            && is_value(index - 1)
        {
            let option = self.blocks.text(index - 2);
            let message = format!("`{text}` is after the column, not after `{option}`");
            return Some(said(message).help(format!("write: {option} {text} in {before}")));
        }
        let first = (head + 1..index)
            .find(|at| words::is_of_class(Class::Matcher, self.blocks.text(*at)) && !self.blocks.is_declaration(*at))?;
        let is_second = words::is_of_class(Class::Matcher, text) && self.blocks.is_word(index);
        is_second.then(|| {
            let matcher = self.blocks.text(first);
            said(format!("an expectation has one matcher, and this one has `{matcher}`"))
                .label(self.span(first), "the first one")
                .help(format!("write a second expectation: expect {} {text} …", self.blocks.text(head + 1)))
        })
    }
}
