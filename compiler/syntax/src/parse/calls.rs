//! Calls in either spelling, and raw text.

use super::ast_builder::AstBuilder;
use super::grammar::{Pair, Rule};
use crate::ast::{Arg, ArgValue, Call, Expr, ExprKind, Ident, Raw, RawKind};
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::lex::detect_raw_kind;
use names as suggest;

impl AstBuilder<'_> {
    /// `f(a, b)`, `f: a, b` in a placeholder
    pub fn parse_call(&mut self, pair: Pair<'_>) -> Call {
        let span = self.span(&pair);
        let placeholder = pair.as_rule() == Rule::form;
        let mut callee = None;
        let mut args = Vec::new();
        let mut parts = pair.into_inner().peekable();
        while let Some(inner) = parts.next() {
            match inner.as_rule() {
                Rule::callee | Rule::form_of => callee = inner.into_inner().next().map(|name| self.parse_ident(&name)),
                Rule::raw_arg | Rule::raw_last => {
                    args.extend(inner.into_inner().next().map(|raw| self.parse_raw(&raw)))
                }
                _ if self.report_misspelt_where(&inner, &mut parts, &mut args) => {}
                _ => self.parse_arg_or_comma(inner, &mut args),
            }
        }
        let callee = callee.unwrap_or(Ident { text: String::new(), span, quoted: false });
        Call { callee, args, placeholder }
    }

    /// `<<expr>>`, `<<f: a, b>>`
    pub fn parse_placeholder(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        let inner = match pair.into_inner().next() {
            Some(expr) => self.parse_expr(expr),
            None => self.make_hole(span),
        };
        Expr { kind: ExprKind::Placeholder(Box::new(inner)), span }
    }

    fn parse_raw(&mut self, pair: &Pair<'_>) -> Arg {
        let start = self.base + pair.as_span().start();
        let text = pair.as_str().trim_end_matches([' ', '\t', '\r', '\n']);
        let span = self.make_span(start, start + text.len());
        let kind = detect_raw_kind(text).unwrap_or(RawKind::Sql);
        Arg { value: ArgValue::Raw(Raw { kind, text: text.to_owned(), span }), filter: None, span }
    }

    /// Reports a misspelled `where` once, as in `count(hr were PAY > 1)`, instead of the two missing commas around it.
    fn report_misspelt_where<'p>(
        &mut self,
        comma: &Pair<'p>,
        parts: &mut std::iter::Peekable<pest::iterators::Pairs<'p, Rule>>,
        args: &mut [Arg],
    ) -> bool {
        let lacks = |pair: &Pair<'_>| pair.as_rule() != Rule::arg && !pair.as_str().starts_with(',');
        let mut ahead = parts.clone();
        let (true, Some(word), Some(second), Some(condition)) =
            (lacks(comma), ahead.next(), ahead.next(), ahead.next())
        else {
            return false;
        };
        let is_where = suggest::suggest_keyword(word.as_str().trim(), ["where"]).is_some();
        let (true, true, Rule::arg, Some(of)) = (is_where, lacks(&second), condition.as_rule(), args.last_mut()) else {
            return false;
        };
        let place = self.span(&word);
        let message = format!("expected `where`, found `{}`", self.text(place));
        let said = Diagnostic::new(Code::MISSPELT_KEYWORD, message, place, "");
        self.report(said.suggest(Applicability::Safe, place, "where"));
        let condition = condition.into_inner().find(|part| part.as_rule() == Rule::expr);
        of.filter = condition.map(|condition| self.parse_expr(condition));
        *parts = ahead;
        true
    }

    fn parse_arg_or_comma(&mut self, pair: Pair<'_>, args: &mut Vec<Arg>) {
        if pair.as_rule() != Rule::arg {
            // A query in a call without quotes is split into many arguments; only one error is reported.
            let last = args.last().map(|arg| arg.span);
            let query = last.is_some_and(|span| {
                ["select", "with", "values"].contains(&self.text(span).to_ascii_lowercase().as_str())
            });
            // Something else may be intended.
            return self.check_separator(&pair, last.filter(|_| !query), Applicability::Unsafe);
        }
        let span = self.span(&pair);
        let mut parts = pair.into_inner().filter(|part| part.as_rule() == Rule::expr);
        let Some(value) = parts.next() else { return };
        let value = ArgValue::Expr(self.parse_expr(value));
        let filter = parts.next().map(|part| self.parse_expr(part));
        args.push(Arg { value, filter, span });
    }
}
