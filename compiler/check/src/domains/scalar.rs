//! Domains of single values: constructors (`int 1..9`, `bool 80%`, `zipf 100`), patterns, and templates.

use model::distribution::{FAMILIES, Family};
use model::domain::TemplatePart;
use model::pattern::Pattern;
use model::{Domain, Span, Value};

use crate::context::Checker;
use crate::domains::DrawChecker;
use hir::types::{Ty, TyKind};
use hir::{Draw, DrawDomain};
use syntax::ast::{self, Cooked};
use syntax::diagnostics::wording::join_with_and;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::words;

impl<'a> DrawChecker<'_, '_, 'a> {
    /// `int 1..9`, `bool 80%`, `zipf 100`, `word`: a constructor where it has arguments, else a named domain.
    pub fn check_domain_constructor(
        &mut self,
        named: &'a ast::NamedDomain,
        step: Option<&'a ast::Suffix>,
        span: Span,
    ) -> Draw {
        let name = named.name.text.as_str();
        if let Some(args) = &named.args {
            let said = if self.task.cx.project.library.functions.contains_key(name) {
                let message = format!("`{name}` is a function, not a domain");
                Diagnostic::new(Code::BAD_DOMAIN, message, named.name.span, "computes a value")
                    .help(format!("a name is computed with `=`: NAME = {name}(…)"))
            } else {
                let at = args.first().map_or(named.name.span, |first| first.span);
                let message = format!("domain `{name}` does not accept arguments in parentheses");
                Diagnostic::new(Code::BAD_DOMAIN, message, at, "not here")
                    .help("write ranges and numbers after the name: int 1..9")
            };
            self.task.cx.report(said);
            return Draw::new_unknown(span);
        }
        if let Some(family) = Family::from_name(name) {
            return self.check_distribution(family, named, step, span);
        }
        match (name, &named.range) {
            ("int" | "decimal" | "date" | "datetime", Some(range)) => {
                self.task.cx.reject_operand(named);
                self.check_range(name, &range.0, &range.1, step, span)
            }
            ("int" | "decimal" | "datetime", None) => {
                let example = match name {
                    "int" => "int 1..100",
                    "decimal" => "decimal 1.00..99.99",
                    _ => "datetime 2024-01-01T00:00..2024-12-31T23:59",
                };
                let message = format!("`{name}` needs a range");
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, named.name.span, "range expected after this");
                // `int 1.9` is one dot short of `int 1..9`.
                let meant = match named.operand.as_deref().map(|operand| (&operand.kind, operand.span)) {
                    Some((ast::ExprKind::Decimal(_), at)) if name == "int" => {
                        Some((self.task.cx.sources.text(at).replace('.', ".."), at))
                    }
                    _ => None,
                };
                self.task.cx.report(match meant {
                    Some((meant, at)) => said.suggest(Applicability::Unsafe, at, meant),
                    None => said.help(format!("write: {example}")),
                });
                Draw::new_unknown(span)
            }
            ("bool", None) => self.check_bool_domain(named, span),
            ("zipf", None) => self.check_zipf(named, span),
            ("serial", None) => {
                self.task.cx.reject_operand(named);
                Draw::from_domain(Domain::Serial, span)
            }
            (_, Some(range)) if let Some(word) = words::iter_domains().find(|word| word.text == name) => {
                let help = format!("write, for example: {}", word.snippet);
                self.task.cx.report(build_extra_range_diagnostic(name, range).help(help));
                Draw::new_unknown(span)
            }
            // An unknown name is reported as such, whatever follows it.
            _ if self.task.cx.resolve_named_domain(name, Some(named.name.span)).is_none() => {
                self.task.cx.check_domain_name(&named.name, span)
            }
            (_, Some(range)) => {
                let distributions = FAMILIES.iter().map(|family| family.name);
                let ranged = ["int", "decimal", "date", "datetime"].into_iter().chain(distributions);
                let help = format!("{} accept a range", join_with_and(ranged));
                self.task.cx.report(build_extra_range_diagnostic(name, range).help(help));
                Draw::new_unknown(span)
            }
            (_, None) => {
                self.task.cx.reject_operand(named);
                self.task.cx.check_domain_name(&named.name, span)
            }
        }
    }

    /// `pattern "[A-Z]{3}"`
    pub fn check_pattern_domain(&mut self, text: &'a ast::StringLit, span: Span) -> Draw {
        let checked = self.task.check_string(text);
        let Some(Value::Text(source)) = checked.as_constant() else {
            if !checked.ty.is_unknown() {
                let said = Diagnostic::new(Code::NOT_CONSTANT, "`pattern` needs a fixed text", text.span, "not fixed");
                self.task.cx.report(said.help("use `template` to combine drawn parts"));
            }
            return Draw { ty: Ty::new(TyKind::Text), ..Draw::new_unknown(span) };
        };
        match Pattern::new(source) {
            Ok(pattern) => Draw::from_domain(Domain::Pattern(pattern), span),
            Err(error) => {
                let inside =
                    error.range.and_then(|range| self.task.cx.sources.find_in_string(text.span, source, range));
                let at = inside.unwrap_or(text.span);
                self.task.cx.report(
                    Diagnostic::new(Code::BAD_PATTERN, format!("the pattern cannot be used: {}", error.message), at, "here")
                        .help("a pattern is a regular expression of bounded length: \"[A-Z]{3}-[0-9]{4}\" (a backslash is written `\\\\`)"),
                );
                Draw { ty: Ty::new(TyKind::Text), ..Draw::new_unknown(span) }
            }
        }
    }
}

impl<'a> Checker<'a> {
    fn reject_operand(&mut self, named: &ast::NamedDomain) {
        let extra =
            named.operand.as_deref().map(|operand| operand.span).or(named.keywords.first().map(|(word, _)| word.span));
        if let Some(extra) = extra {
            self.report_extra_argument(&named.name.text, extra);
        }
    }

    /// Reports an argument that the domain does not accept.
    pub fn report_extra_argument(&mut self, name: &str, at: Span) {
        let message = format!("domain `{name}` does not accept this argument");
        let said = Diagnostic::new(Code::BAD_DOMAIN, message, at, "not here");
        self.report(said.help("remove it"));
    }

    /// `template "<<first_name>> <<last_name>>"`: placeholders name domains.
    pub fn check_template(&mut self, text: &'a ast::StringLit, span: Span) -> Draw {
        let mut parts = Vec::new();
        let unknown = Draw { ty: Ty::new(TyKind::Text), ..Draw::new_unknown(span) };
        for piece in text.cook() {
            match piece {
                Cooked::Text(text) if text.is_empty() => {}
                Cooked::Text(text) => parts.push(TemplatePart::Text(text)),
                Cooked::Placeholder(placeholder) => {
                    let Some([name]) = crate::domains::domain::as_bare_path(placeholder) else {
                        let message = "a placeholder in a template needs the name of a domain";
                        let said = Diagnostic::new(Code::BAD_DOMAIN, message, placeholder.span, "not a domain");
                        self.report(said.help("write: template \"<<first_name>> <<last_name>>\""));
                        return unknown;
                    };
                    let draw = self.check_domain_name(name, name.span);
                    let blank = draw.may_be_blank();
                    match draw.domain {
                        DrawDomain::Fixed(domain)
                            if !blank && draw.except.is_empty() && !matches!(domain, Domain::Serial) =>
                        {
                            parts.push(TemplatePart::Domain(Box::new(domain)));
                            if parts.iter().map(count_template_parts).sum::<usize>() > LARGEST_TEMPLATE {
                                let message = format!("this template has more than {LARGEST_TEMPLATE} parts");
                                let said = Diagnostic::new(Code::BAD_DOMAIN, message, text.span, "too large");
                                self.report(said.help("use fewer nested templates"));
                                return unknown;
                            }
                        }
                        DrawDomain::Unknown(()) => return unknown,
                        _ => {
                            let message = format!("`{}` cannot be part of a template", name.text);
                            let said = Diagnostic::new(Code::BAD_DOMAIN, message, name.span, "not here");
                            self.report(said.help("use domains without `blank` and `except`, other than `serial`"));
                            return unknown;
                        }
                    }
                }
            }
        }
        Draw::from_domain(Domain::Template { parts }, span)
    }
}

/// The maximum number of parts of a template, including the parts of its domains.
const LARGEST_TEMPLATE: usize = 1000;

fn count_template_parts(part: &TemplatePart) -> usize {
    match part {
        TemplatePart::Domain(domain) => match domain.as_ref() {
            Domain::Template { parts } => 1 + parts.iter().map(count_template_parts).sum::<usize>(),
            _ => 1,
        },
        TemplatePart::Text(_) => 1,
    }
}

/// Builds the diagnostic for a range that a domain does not accept.
fn build_extra_range_diagnostic(name: &str, range: &(ast::Expr, ast::Expr)) -> Diagnostic {
    let message = format!("domain `{name}` does not accept a range");
    Diagnostic::new(Code::BAD_DOMAIN, message, range.0.span.extend_to(range.1.span), "not here")
}
