//! Domains.

use super::ast_builder::AstBuilder;
use super::grammar::{Pair, Rule};
use crate::ast::{Count, Domain, DomainKind, Expr, Ident, LoremUnit, Modifier, NamedDomain, Span, Suffix, SuffixKind};

impl AstBuilder<'_> {
    /// A domain with its modifiers and suffixes.
    pub fn parse_domain(&mut self, pair: Pair<'_>) -> Domain {
        let span = self.span(&pair);
        let mut domain = Domain::new_missing(span);
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::modifier => {
                    let modifier = Modifier::from_word(inner.as_str());
                    domain.modifiers.extend(modifier.map(|modifier| (modifier, self.span(&inner))));
                }
                Rule::suffix => domain.suffixes.extend(self.parse_suffix(inner)),
                _ => domain.kind = self.parse_domain_kind(inner),
            }
        }
        domain
    }

    /// Reports that a domain is missing, and returns a placeholder node.
    pub fn report_missing_domain(&mut self, before: Span, what: &str) -> Domain {
        self.report_missing(before, what);
        Domain::new_missing(before.shrink_to_end())
    }

    fn parse_suffix(&mut self, pair: Pair<'_>) -> Option<Suffix> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let kind = SuffixKind::from_word(parts.next()?.as_str())?;
        let value = parts.next()?;
        let value = if value.as_rule() == Rule::share { self.parse_share(value)? } else { self.parse_expr(value) };
        Some(Suffix { kind, value, span })
    }

    fn parse_domain_kind(&mut self, pair: Pair<'_>) -> DomainKind {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let mut parts =
            pair.clone().into_inner().filter(|part| !is_keyword(part.as_rule()) && part.as_rule() != Rule::semicolon);
        match rule {
            Rule::named => self.parse_named(pair),
            Rule::object_domain => match parts.next() {
                Some(body) => DomainKind::Object(self.parse_body(body)),
                None => DomainKind::Missing,
            },
            Rule::array => match (parts.next(), parts.next()) {
                (Some(element), Some(count)) => {
                    let element = Box::new(self.parse_domain(element));
                    DomainKind::Array { element, count: Box::new(self.parse_count(count)) }
                }
                _ => DomainKind::Missing,
            },
            Rule::one_of => match parts.next() {
                Some(name) if name.as_rule() == Rule::one_of_name => match name.into_inner().next() {
                    Some(name) => DomainKind::OneOfConstant(self.parse_ident(&name)),
                    None => DomainKind::Missing,
                },
                Some(list) => DomainKind::OneOf(self.parse_exprs(list)),
                None => DomainKind::Missing,
            },
            Rule::one_of_lines => DomainKind::OneOfLines(self.parse_string_or_missing(parts.next(), span)),
            Rule::pattern => DomainKind::Pattern(self.parse_string_or_missing(parts.next(), span)),
            Rule::template => DomainKind::Template(self.parse_string_or_missing(parts.next(), span)),
            Rule::weighted => DomainKind::Weighted(self.parse_weights(pair)),
            Rule::ref_ => {
                let (path, tuple) = match parts.next() {
                    Some(together) if together.as_rule() == Rule::together => self.parse_tuple_path(together),
                    Some(path) => (self.parse_path(path), Vec::new()),
                    None => (Vec::new(), Vec::new()),
                };
                let filter = parts.next().map(|filter| Box::new(self.parse_expr(filter)));
                DomainKind::Ref { path, tuple, filter }
            }
            Rule::lorem => match (parts.next().and_then(|unit| LoremUnit::from_word(unit.as_str())), parts.next()) {
                (Some(unit), Some(count)) => DomainKind::Lorem { unit, count: Box::new(self.parse_count(count)) },
                _ => DomainKind::Missing,
            },
            _ => DomainKind::Missing,
        }
    }

    /// `stock.(STORE, DAY)`: returns the path of the first column, and all columns.
    fn parse_tuple_path(&mut self, pair: Pair<'_>) -> (Vec<Ident>, Vec<Ident>) {
        let (mut path, mut tuple): (Vec<Ident>, Vec<Ident>) = (Vec::new(), Vec::new());
        for part in pair.into_inner() {
            if part.as_rule() == Rule::tuple {
                tuple = self.parse_tuple(part);
            } else {
                path.push(self.parse_ident(&part));
            }
        }
        path.extend(tuple.first().cloned());
        (path, tuple)
    }

    fn parse_weights(&mut self, pair: Pair<'_>) -> Vec<(Expr, Expr)> {
        let mut weights: Vec<(Expr, Expr)> = Vec::new();
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::weight_of => {
                    let mut parts = inner.into_inner();
                    if let (Some(value), Some(weight)) = (parts.next(), parts.next()) {
                        let value = self.parse_expr(value);
                        weights.push((value, self.parse_expr(weight)));
                    }
                }
                Rule::comma => self.check_comma(&inner, weights.last().map(|(_, weight)| weight.span)),
                _ => {}
            }
        }
        weights
    }

    fn parse_named(&mut self, pair: Pair<'_>) -> DomainKind {
        let mut named: Option<NamedDomain> = None;
        for inner in pair.into_inner() {
            match (inner.as_rule(), &mut named) {
                (Rule::domain_name, _) => {
                    named = Some(NamedDomain {
                        name: self.parse_ident(&inner),
                        range: None,
                        args: None,
                        keywords: Vec::new(),
                        operand: None,
                    });
                }
                (Rule::args, Some(named)) => named.args = Some(self.parse_exprs(inner)),
                (Rule::keyword_arg, Some(named)) => {
                    let mut parts = inner.into_inner();
                    if let (Some(keyword), Some(value)) = (parts.next(), parts.next()) {
                        let keyword = self.parse_ident(&keyword);
                        named.keywords.push((keyword, self.parse_expr(value)));
                    }
                }
                (Rule::range, Some(named)) => {
                    let mut parts = inner.into_inner().filter(|part| part.as_rule() != Rule::dots);
                    if let (Some(low), Some(high)) = (parts.next(), parts.next()) {
                        let low = self.parse_expr(low);
                        named.range = Some(Box::new((low, self.parse_expr(high))));
                    }
                }
                (Rule::operand, Some(named)) => {
                    named.operand = inner.into_inner().next().map(|number| Box::new(self.parse_expr(number)));
                }
                (Rule::share, Some(named)) => named.operand = self.parse_share(inner).map(Box::new),
                _ => {}
            }
        }
        named.map_or(DomainKind::Missing, DomainKind::Named)
    }

    /// `N` or `A..B`
    pub fn parse_count(&mut self, pair: Pair<'_>) -> Count {
        let span = self.span(&pair);
        let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::dots);
        let low = match parts.next() {
            Some(low) => self.parse_expr(low),
            None => self.make_hole(span),
        };
        Count { low, high: parts.next().map(|high| self.parse_expr(high)) }
    }
}

/// Whether a rule is a keyword, which the builder skips.
pub(super) fn is_keyword(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::k_one_of
            | Rule::k_lines
            | Rule::k_weighted
            | Rule::k_pattern
            | Rule::k_template
            | Rule::k_ref
            | Rule::k_lorem
            | Rule::k_where
    )
}
