//! Parsing of top-level items.

use super::ast_builder::{AstBuilder, NameOf};
use super::grammar::{Pair, Rule};
use crate::ast::{
    Allow, Compute, DomainDef, Expr, FunctionDef, Item, ItemKind, Param, Setting, Span, Suite, Task, TypeExpr,
};
use crate::diagnostics::{Applicability, Code, Diagnostic};

impl AstBuilder<'_> {
    /// Parses all items of a file.
    pub fn parse_items(&mut self, pair: Pair<'_>) -> Vec<Item> {
        pair.into_inner()
            .filter(|inner| inner.as_rule() == Rule::item)
            .filter_map(|item| self.parse_item(item))
            .collect()
    }

    /// Parses an item.
    pub fn parse_item(&mut self, pair: Pair<'_>) -> Option<Item> {
        let (doc, rest) = self.split_doc(pair);
        let inner = rest.into_iter().next()?;
        let span = self.span(&inner);
        let kind = match inner.as_rule() {
            Rule::suite => self.parse_suite(inner)?,
            Rule::use_item => ItemKind::Use(self.parse_string_or_missing(inner.into_inner().nth(1), span)),
            Rule::domain_def => ItemKind::Domain(self.parse_domain_def(inner)?),
            Rule::table_from => ItemKind::TableFrom(self.parse_table_from(inner)?),
            Rule::lake => ItemKind::Lake(self.parse_lake(inner)?),
            Rule::table_def => ItemKind::Table(self.parse_table_def(inner)?),
            Rule::task => self.parse_task(inner)?,
            Rule::function => self.parse_function(inner)?,
            Rule::constant => ItemKind::Constant(self.parse_compute(inner)?),
            Rule::later => ItemKind::Reserved(self.parse_reserved(inner)?),
            _ => return None,
        };
        Some(Item { doc, kind, span })
    }

    fn parse_suite(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let mut parts = pair.into_inner();
        let name = self.parse_head_name(parts.next()?)?;
        let settings =
            parts.filter(|part| part.as_rule() == Rule::setting).filter_map(|part| self.parse_setting(part)).collect();
        Some(ItemKind::Suite(Suite { name, settings }))
    }

    /// The name in `suite NAME`, `task NAME`, `variant NAME`, `stage NAME`.
    pub fn parse_head_name(&mut self, pair: Pair<'_>) -> Option<crate::ast::Ident> {
        let name = pair.into_inner().find(|part| part.as_rule() == Rule::decl)?;
        Some(self.parse_declared(&name, NameOf::Part))
    }

    /// Parses `title "…"` and other settings.
    pub fn parse_setting(&mut self, pair: Pair<'_>) -> Option<Setting> {
        let whole = pair.clone();
        let (doc, rest) = self.split_doc(pair);
        let mut parts = rest.into_iter();
        let first = parts.next()?;
        let key = self.parse_ident(&first);
        let start = key.span;
        let span = self.join_span(start, &whole);
        if first.as_rule() == Rule::k_allow {
            let allow = self.parse_allow(parts.next()?, span)?;
            return Some(Setting { doc, key, value: self.make_hole(span), allow: Some(allow), span });
        }
        let mut value: Option<Expr> = None;
        let mut before = start;
        for part in parts {
            match part.as_rule() {
                Rule::set_by => {
                    before = self.span(&part);
                    let sign = part.as_str();
                    self.report(
                        Diagnostic::new(Code::SYNTAX, format!("a setting does not take `{sign}`"), before, "")
                            .help(format!("write `{} VALUE`", key.text))
                            .remove(Applicability::Safe, before, sign),
                    );
                }
                Rule::hole_here => {
                    self.report_missing_value(before, &key.text);
                    value = Some(self.make_hole(before));
                }
                _ => value = Some(self.parse_expr(part)),
            }
        }
        let value = value.unwrap_or_else(|| self.make_hole(start));
        Some(Setting { doc, key, value, allow: None, span })
    }

    /// `LINT "reason"`; `span` includes the keyword.
    pub fn parse_allow(&mut self, pair: Pair<'_>, span: Span) -> Option<Allow> {
        let mut parts = pair.into_inner();
        let lint = self.parse_ident(&parts.next()?);
        let reason = parts.next().map(|reason| self.parse_string(reason));
        Some(Allow { lint, reason, span })
    }

    fn parse_domain_def(&mut self, pair: Pair<'_>) -> Option<DomainDef> {
        let mut parts = pair.into_inner().skip(1);
        let name = self.parse_declared(&parts.next()?, NameOf::Part);
        let next = parts.find(|part| part.as_rule() != Rule::eq)?;
        let domain = match next.as_rule() {
            Rule::eq_hole => self.report_missing_domain(self.span(&next), "a domain"),
            _ => self.parse_domain(next),
        };
        Some(DomainDef { name, domain })
    }

    fn parse_function(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::k_fn);
        let name = self.parse_ident(&parts.next()?);
        let mut params = Vec::new();
        let mut result = None;
        for part in parts {
            match part.as_rule() {
                Rule::param => params.extend(self.parse_param(part)),
                Rule::type_ => result = Some(self.parse_type_expr(part)),
                _ => {}
            }
        }
        if !self.library {
            self.report(
                Diagnostic::new(Code::SYNTAX, "functions cannot be declared in a suite", span, "")
                    .help("all functions are in the standard library"),
            );
        }
        Some(ItemKind::Function(FunctionDef { name, params, result: result? }))
    }

    fn parse_param(&mut self, pair: Pair<'_>) -> Option<Param> {
        let mut parts = pair.into_inner();
        let name = self.parse_ident(&parts.next()?);
        let (mut optional, mut variadic, mut ty) = (false, false, None);
        for part in parts {
            match part.as_rule() {
                Rule::optional => optional = true,
                Rule::variadic => variadic = true,
                _ => ty = Some(self.parse_type_expr(part)),
            }
        }
        Some(Param { name, optional, variadic, ty: ty? })
    }

    fn parse_type_expr(&mut self, pair: Pair<'_>) -> TypeExpr {
        let span = self.span(&pair);
        let mut ty = TypeExpr { words: Vec::new(), nullable: false, span };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::nullable => ty.nullable = true,
                _ => ty.words.push(self.parse_ident(&part)),
            }
        }
        ty
    }

    fn parse_task(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let mut parts = pair.into_inner();
        let name = self.parse_head_name(parts.next()?)?;
        Some(ItemKind::Task(Task { name, body: self.parse_block(parts) }))
    }

    /// `NAME = expr`
    pub fn parse_compute(&mut self, pair: Pair<'_>) -> Option<Compute> {
        self.parse_value_of(pair.into_inner(), NameOf::Value)
    }

    /// A name, `=`, and its value.
    pub fn parse_value_of<'p>(&mut self, mut parts: impl Iterator<Item = Pair<'p>>, of: NameOf) -> Option<Compute> {
        let name = self.parse_declared(&parts.next()?, of);
        let value = self.parse_after_eq(parts.next()?, parts.next(), &name.text)?;
        Some(Compute { name, value })
    }

    /// Parses the expression after `=`. Reports a missing one, and returns a placeholder node.
    pub fn parse_after_eq(&mut self, first: Pair<'_>, second: Option<Pair<'_>>, name: &str) -> Option<Expr> {
        match first.as_rule() {
            Rule::eq_hole => {
                let sign = self.span(&first);
                let sign = self.make_span(sign.start as usize, sign.start as usize + 1);
                self.report_missing_value(sign, name);
                Some(self.make_hole(sign))
            }
            Rule::eq => Some(self.parse_expr(second?)),
            _ => Some(self.parse_expr(first)),
        }
    }

    /// Reports that the value of a name is missing.
    pub fn report_missing_value(&mut self, sign: Span, name: &str) {
        let message = format!("the value of `{name}` is missing");
        self.report(Diagnostic::new(Code::MISSING_VALUE, message, sign.shrink_to_end(), "missing here"));
    }

    /// Parses a form that is planned, and reports that it is not supported yet.
    pub fn parse_reserved(&mut self, pair: Pair<'_>) -> Option<crate::ast::Ident> {
        let head = self.parse_ident(&pair.into_inner().next()?.into_inner().next()?);
        self.report_not_yet(&head);
        Some(head)
    }

    /// Reports that a form is not supported yet.
    pub fn report_not_yet(&mut self, head: &crate::ast::Ident) {
        let help = match head.text.as_str() {
            "repeat" | "by" => "write how many: `rows 50`",
            "judged" => {
                "ask for what can be compared: a number, a list, words with `contains`, or JSON with a key for each point"
            }
            _ => "an answer is compared once, with the data of its own sample",
        };
        self.report(
            Diagnostic::new(Code::NOT_YET, format!("`{}` is not supported yet", head.text), head.span, "").help(help),
        );
    }
}
