//! Items: what is at top level.

use super::grammar::{Pair, Rule};
use super::walk::Walker;
use crate::ast::{
    Allow, Compute, DomainDef, Expr, FunctionDef, Item, ItemKind, Param, Setting, Span, Suite, Task, TypeExpr,
};
use crate::diagnostics::{Applicability, Code, Diagnostic};

impl Walker<'_> {
    /// Every item of a file.
    pub fn items(&mut self, pair: Pair<'_>) -> Vec<Item> {
        pair.into_inner().filter(|inner| inner.as_rule() == Rule::item).filter_map(|item| self.item(item)).collect()
    }

    /// One item.
    pub fn item(&mut self, pair: Pair<'_>) -> Option<Item> {
        let (doc, rest) = self.documented(pair);
        let inner = rest.into_iter().next()?;
        let span = self.span(&inner);
        let kind = match inner.as_rule() {
            Rule::suite => self.suite(inner)?,
            Rule::use_item => ItemKind::Use(self.string_of(inner.into_inner().nth(1), span)),
            Rule::domain_def => ItemKind::Domain(self.domain_def(inner)?),
            Rule::table_from => ItemKind::TableFrom(self.table_from(inner)?),
            Rule::lake => ItemKind::Lake(self.lake(inner)?),
            Rule::table_def => ItemKind::Table(self.table_def(inner)?),
            Rule::task => self.task(inner)?,
            Rule::function => self.function(inner)?,
            Rule::constant => ItemKind::Constant(self.compute(inner)?),
            Rule::later => ItemKind::Reserved(self.later(inner)?),
            _ => return None,
        };
        Some(Item { doc, kind, span })
    }

    fn suite(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let mut parts = pair.into_inner();
        let name = self.head_name(parts.next()?)?;
        let settings =
            parts.filter(|part| part.as_rule() == Rule::setting).filter_map(|part| self.setting(part)).collect();
        Some(ItemKind::Suite(Suite { name, settings }))
    }

    /// The name in `suite NAME`, `task NAME`, `variant NAME`, `stage NAME`.
    pub fn head_name(&mut self, pair: Pair<'_>) -> Option<crate::ast::Ident> {
        let name = pair.into_inner().find(|part| part.as_rule() == Rule::decl)?;
        Some(self.declared(&name, false))
    }

    /// `title "…"` and the like.
    pub fn setting(&mut self, pair: Pair<'_>) -> Option<Setting> {
        let whole = pair.clone();
        let (doc, rest) = self.documented(pair);
        let mut parts = rest.into_iter();
        let first = parts.next()?;
        let key = self.ident(&first);
        let start = key.span;
        let span = self.span_from(start, &whole);
        if first.as_rule() == Rule::k_allow {
            let allow = self.lint(parts.next()?, span)?;
            return Some(Setting { doc, key, value: self.hole(span), allow: Some(allow), span });
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
                            .fix(format!("remove `{sign}`"), Applicability::Safe, before, ""),
                    );
                }
                Rule::hole_here => {
                    self.report_missing_value(before, &key.text);
                    value = Some(self.hole(before));
                }
                _ => value = Some(self.expr(part)),
            }
        }
        let value = value.unwrap_or_else(|| self.hole(start));
        Some(Setting { doc, key, value, allow: None, span })
    }

    /// `LINT "reason"`, in `span` with its keyword.
    pub fn lint(&mut self, pair: Pair<'_>, span: Span) -> Option<Allow> {
        let mut parts = pair.into_inner();
        let lint = self.ident(&parts.next()?);
        let reason = parts.next().map(|reason| self.string(reason));
        Some(Allow { lint, reason, span })
    }

    fn domain_def(&mut self, pair: Pair<'_>) -> Option<DomainDef> {
        let mut parts = pair.into_inner().skip(1);
        let name = self.declared(&parts.next()?, false);
        let mut next = parts.next()?;
        if next.as_rule() == Rule::eq_hole {
            let sign = self.span(&next);
            let domain = self.missing_domain(sign, "a domain");
            return Some(DomainDef { name, domain });
        }
        if next.as_rule() == Rule::eq {
            next = parts.next()?;
        }
        Some(DomainDef { name, domain: self.domain(next) })
    }

    fn function(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::k_fn);
        let name = self.ident(&parts.next()?);
        let mut params = Vec::new();
        let mut result = None;
        for part in parts {
            match part.as_rule() {
                Rule::param => params.extend(self.param(part)),
                Rule::type_ => result = Some(self.type_expr(part)),
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

    fn param(&mut self, pair: Pair<'_>) -> Option<Param> {
        let mut parts = pair.into_inner();
        let name = self.ident(&parts.next()?);
        let (mut optional, mut variadic, mut ty) = (false, false, None);
        for part in parts {
            match part.as_rule() {
                Rule::optional => optional = true,
                Rule::variadic => variadic = true,
                _ => ty = Some(self.type_expr(part)),
            }
        }
        Some(Param { name, optional, variadic, ty: ty? })
    }

    fn type_expr(&mut self, pair: Pair<'_>) -> TypeExpr {
        let span = self.span(&pair);
        let mut ty = TypeExpr { words: Vec::new(), nullable: false, span };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::nullable => ty.nullable = true,
                _ => ty.words.push(self.ident(&part)),
            }
        }
        ty
    }

    fn task(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let mut parts = pair.into_inner();
        let name = self.head_name(parts.next()?)?;
        let body = parts.filter(|part| part.as_rule() == Rule::stmt).filter_map(|part| self.stmt(part)).collect();
        Some(ItemKind::Task(Task { name, body }))
    }

    /// `NAME = expr`
    pub fn compute(&mut self, pair: Pair<'_>) -> Option<Compute> {
        let mut parts = pair.into_inner();
        let name = self.declared(&parts.next()?, true);
        let value = self.after_eq(parts.next()?, parts.next(), &name.text)?;
        Some(Compute { name, value })
    }

    /// The expression after `=`. If it is missing, reports that and returns a hole.
    pub fn after_eq(&mut self, first: Pair<'_>, second: Option<Pair<'_>>, name: &str) -> Option<Expr> {
        match first.as_rule() {
            Rule::eq_hole => {
                let sign = self.span(&first);
                let sign = self.at(sign.start as usize, sign.start as usize + 1);
                self.report_missing_value(sign, name);
                Some(self.hole(sign))
            }
            Rule::eq => Some(self.expr(second?)),
            _ => Some(self.expr(first)),
        }
    }

    /// Says that the value of a name is missing.
    pub fn report_missing_value(&mut self, sign: Span, name: &str) {
        self.report(Diagnostic::new(
            Code::MISSING_VALUE,
            format!("the value of `{name}` is missing"),
            sign.after(),
            "missing here",
        ));
    }

    /// A form that is planned: reported.
    pub fn later(&mut self, pair: Pair<'_>) -> Option<crate::ast::Ident> {
        let head = self.ident(&pair.into_inner().next()?.into_inner().next()?);
        self.not_yet(&head);
        Some(head)
    }

    /// Says that a form is not there yet.
    pub fn not_yet(&mut self, head: &crate::ast::Ident) {
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
