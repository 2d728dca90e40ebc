//! Domains of single values: ranges, lists, patterns, templates, distributions.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use model::distribution::{FAMILIES, Family};
use model::domain::TemplatePart;
use model::pattern::Pattern;
use model::{Decimal, Domain, Span, Value};

use crate::ast::{self, Cooked};
use crate::check::model::TaskChecker;
use crate::check::say::all_of_words;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{Draw, DrawDomain, Expr};
use crate::load::plain_path;
use crate::syntax::words;
use crate::types::{Ty, TyKind};

impl<'a> TaskChecker<'_, 'a> {
    /// `int 1..9`, `bool 80%`, `zipf 100`, `word`: a constructor where it has arguments, else a named domain.
    pub fn named_or_range(&mut self, named: &'a ast::NamedDomain, step: Option<&'a ast::Suffix>, span: Span) -> Draw {
        let name = named.name.text.as_str();
        if let Some(args) = &named.args {
            let at = args.first().map_or(named.name.span, |first| first.span);
            if self.cx.project.library.functions.contains_key(name) {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        format!("`{name}` is a function, not a domain"),
                        named.name.span,
                        "computes a value",
                    )
                    .help(format!("a name is computed with `=`: NAME = {name}(…)")),
                );
                return Draw::unknown(span);
            }
            self.cx.say(
                Diagnostic::new(
                    Code::BAD_DOMAIN,
                    format!("domain `{name}` does not accept arguments in parentheses"),
                    at,
                    "not here",
                )
                .help("write ranges and numbers after the name: int 1..9"),
            );
            return Draw::unknown(span);
        }
        if let Some(family) = Family::of(name) {
            return self.distribution(family, named, step, span);
        }
        match (name, &named.range) {
            ("int" | "decimal" | "date" | "datetime", Some(range)) => {
                self.no_operand(named);
                self.range(name, &range.0, &range.1, step, span)
            }
            ("int" | "decimal" | "datetime", None) => {
                let example = match name {
                    "int" => "int 1..100",
                    "decimal" => "decimal 1.00..99.99",
                    _ => "datetime 2024-01-01T00:00..2024-12-31T23:59",
                };
                let said = Diagnostic::new(
                    Code::BAD_DOMAIN,
                    format!("`{name}` needs a range"),
                    named.name.span,
                    "range expected after this",
                );
                // `int 1.9` is one dot short of `int 1..9`.
                let meant = match named.operand.as_deref().map(|operand| (&operand.kind, operand.span)) {
                    Some((ast::ExprKind::Decimal(_), at)) if name == "int" => {
                        Some((self.cx.sources.text(at).replace('.', ".."), at))
                    }
                    _ => None,
                };
                self.cx.say(match meant {
                    Some((meant, at)) => said.help(format!("did you mean `{meant}`?")).fix(
                        format!("replace with `{meant}`"),
                        crate::diagnostics::Applicability::Unsafe,
                        at,
                        meant,
                    ),
                    None => said.help(format!("write: {example}")),
                });
                Draw::unknown(span)
            }
            ("bool", None) => self.boolean(named, span),
            ("zipf", None) => self.zipf(named, span),
            ("serial", None) => {
                self.no_operand(named);
                Draw::fixed(Domain::Serial, span)
            }
            (_, Some(range)) if let Some(word) = words::domains().find(|word| word.text == name) => {
                let at = range.0.span.to(range.1.span);
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        format!("domain `{name}` does not accept a range"),
                        at,
                        "not here",
                    )
                    .help(format!("write, for example: {}", word.snippet)),
                );
                Draw::unknown(span)
            }
            // An unknown name is reported as such, whatever follows it.
            _ if self.cx.named_domain(name, Some(named.name.span)).is_none() => self.by_name(&named.name, span),
            (_, Some(range)) => {
                let distributions = FAMILIES.iter().map(|family| family.name);
                let ranged = ["int", "decimal", "date", "datetime"].into_iter().chain(distributions);
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        format!("domain `{name}` does not accept a range"),
                        range.0.span.to(range.1.span),
                        "not here",
                    )
                    .help(format!("{} accept a range", all_of_words(ranged))),
                );
                Draw::unknown(span)
            }
            (_, None) => {
                self.no_operand(named);
                self.by_name(&named.name, span)
            }
        }
    }

    fn no_operand(&mut self, named: &ast::NamedDomain) {
        let extra =
            named.operand.as_deref().map(|operand| operand.span).or(named.keywords.first().map(|(word, _)| word.span));
        if let Some(extra) = extra {
            self.no_argument(&named.name.text, extra);
        }
    }

    /// Says that a domain does not take an argument.
    pub fn no_argument(&mut self, name: &str, at: Span) {
        self.cx.say(
            Diagnostic::new(Code::BAD_DOMAIN, format!("domain `{name}` does not accept this argument"), at, "not here")
                .help("remove it"),
        );
    }

    /// `one_of [ … ]`
    pub fn one_of(&mut self, items: &'a [ast::Expr], span: Span) -> Draw {
        let checked: Vec<Expr> = items.iter().map(|item| self.expr(item)).collect();
        self.one_of_items(checked, span)
    }

    /// `one_of CITIES`
    pub fn one_of_constant(&mut self, name: &'a ast::Ident, span: Span) -> Draw {
        let Some(constant) = self.cx.constant(&name.text, Some(name.span)) else {
            let task = self.scope.get(name.text.as_str()).copied();
            let said = match task {
                Some(entity) => {
                    let at = self.entity_span(entity);
                    Diagnostic::new(
                        Code::NOT_CONSTANT,
                        format!("`one_of` needs a constant, but `{}` is declared inside the task", name.text),
                        name.span,
                        "not a constant",
                    )
                    .label(at, "declared here")
                    .help("to draw from a column write `ref`, as in: ref orders.CITY; or move the list out of the task")
                }
                None => {
                    let said = Diagnostic::new(
                        Code::UNKNOWN_NAME,
                        format!("`{}` is not defined", name.text),
                        name.span,
                        "not a constant",
                    )
                    .unknown(&name.text);
                    let known: Vec<&str> = self.cx.globals.constants.keys().copied().collect();
                    let said = crate::check::say::suggest_name(said, name.span, &name.text, known);
                    match said.help {
                        Some(_) => said,
                        None => said.help(format!("declare it outside the tasks: {} = [\"a\", \"b\"]", name.text)),
                    }
                }
            };
            self.cx.say(said);
            return Draw::unknown(span);
        };
        if constant.ty.is_unknown() {
            return Draw::unknown(span);
        }
        let (Some(Value::List(items)), TyKind::List(item)) = (constant.value(), &constant.ty.kind) else {
            self.cx.say(
                Diagnostic::new(
                    Code::TYPE_MISMATCH,
                    format!("`one_of` needs a list, but `{}` is {}", name.text, constant.ty.words()),
                    name.span,
                    format!("{}", constant.ty),
                )
                .help(format!("write the value in brackets: one_of [{}]", name.text)),
            );
            return Draw::unknown(span);
        };
        let items = items.iter().map(|value| {
            let ty = Ty { nullable: value.is_null(), ..item.as_ref().clone() };
            Expr::constant(value.clone(), ty, name.span)
        });
        self.one_of_items(items.collect(), span)
    }

    fn one_of_items(&mut self, checked: Vec<Expr>, span: Span) -> Draw {
        let Some(ty) = self.item_type(&checked, span) else { return Draw::unknown(span) };
        let mut values: Vec<Value> = Vec::new();
        let mut known = true;
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for item in &checked {
            let Some(value) = item.value() else {
                known = false;
                continue;
            };
            match seen.entry(same_key(value)) {
                Entry::Occupied(first) => self.twice(item.span, *first.get(), &value.render()),
                Entry::Vacant(free) => {
                    free.insert(item.span);
                    values.push(value.clone());
                }
            }
        }
        if known {
            return Draw { ty, ..Draw::fixed(Domain::OneOf { items: alike(values).into() }, span) };
        }
        Draw { domain: DrawDomain::OneOf(checked), ty, ..Draw::unknown(span) }
    }

    fn twice(&mut self, span: Span, first: Span, value: &str) {
        self.cx.say(
            Diagnostic::new(Code::DUPLICATE, format!("`{value}` appears twice in the list"), span, "again here")
                .label(first, "first here")
                .help("remove one; to make a value more likely, write: weighted [ \"a\": 3, \"b\": 1 ]"),
        );
    }

    /// The common type of a closed list's items, which are single values and not null.
    fn item_type(&mut self, items: &[Expr], span: Span) -> Option<Ty> {
        if items.is_empty() {
            self.cx.say(
                Diagnostic::new(Code::EMPTY_RANGE, "the list of values is empty", span, "nothing to draw")
                    .help("write: one_of [\"ruby\", \"opal\"]"),
            );
            return None;
        }
        let mut ty: Option<Ty> = None;
        for item in items {
            self.not_null(item, "an item of a domain");
            let single = item.ty.is_scalar();
            let joined = Ty::joined(ty.as_ref(), &item.ty);
            match joined {
                Some(joined) if single => ty = Some(joined),
                _ => {
                    let so_far = ty.clone().map_or("single values".to_owned(), |ty| ty.to_string());
                    self.cx.say(
                        Diagnostic::new(
                            Code::TYPE_MISMATCH,
                            "the items of the domain have different types",
                            item.span,
                            format!("this is {}, those before are {so_far}", item.ty),
                        )
                        .help("write text in double quotes, and numbers without"),
                    );
                    return None;
                }
            }
        }
        ty.filter(|ty| !ty.is_unknown())
    }

    /// `one_of lines "animals.txt"`
    pub fn one_of_lines(&mut self, path: &'a ast::StringLit, span: Span) -> Draw {
        let mut said = Vec::new();
        let name = plain_path(path, &mut said);
        for diagnostic in said {
            self.cx.say(diagnostic);
        }
        let Some(name) = name else { return Draw::unknown(span) };
        let text = match self.cx.word_list(&name, path.span) {
            Some(text) => text,
            None => return Draw { ty: Ty::of(TyKind::Text), ..Draw::unknown(span) },
        };
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut items = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            if let Some(first) = seen.insert(line, index + 1) {
                self.cx.say(
                    Diagnostic::new(
                        Code::DUPLICATE,
                        format!("`{line}` appears twice in `{name}`, in lines {first} and {}", index + 1),
                        path.span,
                        "read from here",
                    )
                    .help("remove one of the two lines"),
                );
                return Draw { ty: Ty::of(TyKind::Text), ..Draw::unknown(span) };
            }
            items.push(Value::text(line));
        }
        if items.is_empty() {
            self.cx.say(
                Diagnostic::new(
                    Code::EMPTY_RANGE,
                    format!("`{name}` does not contain a value"),
                    path.span,
                    "nothing to draw",
                )
                .help("write one value per line"),
            );
            return Draw { ty: Ty::of(TyKind::Text), ..Draw::unknown(span) };
        }
        Draw::fixed(Domain::OneOf { items: items.into() }, span)
    }

    /// `weighted [ "a": 3, "b": 1 ]`
    pub fn weighted(&mut self, items: &'a [(ast::Expr, ast::Expr)], span: Span) -> Draw {
        let values: Vec<Expr> = items.iter().map(|(value, _)| self.expr(value)).collect();
        let ty = self.item_type(&values, span);
        let mut weighted: Vec<(Value, u64)> = Vec::new();
        let mut good = ty.is_some();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for ((_, weight), value) in items.iter().zip(&values) {
            let weight = self.expr(weight);
            let number = match weight.value() {
                Some(Value::Int(number @ 0..=1_000_000_000)) => Some(*number as u64),
                _ => None,
            };
            if number.is_none() && !weight.ty.is_unknown() {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        "a weight must be a whole number from 0 to 1,000,000,000",
                        weight.span,
                        "not so",
                    )
                    .help("write: weighted [ \"INFO\": 90, \"WARN\": 8, \"ERROR\": 2 ]"),
                );
            }
            let Some(known) = value.value() else {
                if !value.ty.is_unknown() {
                    self.cx.say(
                        Diagnostic::new(Code::NOT_CONSTANT, "`weighted` needs fixed values", value.span, "not fixed")
                            .help("write the values out"),
                    );
                }
                good = false;
                continue;
            };
            match seen.entry(same_key(known)) {
                Entry::Occupied(first) => {
                    self.twice(value.span, *first.get(), &known.render());
                    continue;
                }
                Entry::Vacant(free) => drop(free.insert(value.span)),
            }
            match number {
                Some(number) => weighted.push((known.clone(), number)),
                None => good = false,
            }
        }
        if good && weighted.iter().all(|(_, weight)| *weight == 0) {
            self.cx.say(
                Diagnostic::new(Code::EMPTY_RANGE, "all weights are 0", span, "nothing to draw")
                    .help("give one item a weight of at least 1"),
            );
            good = false;
        }
        let ty = ty.unwrap_or(Ty::UNKNOWN);
        let places =
            weighted.iter().filter_map(|(value, _)| value.as_decimal()).map(Decimal::places).max().unwrap_or(0);
        if places > 0 {
            for (value, _) in &mut weighted {
                if let Some(decimal) = value.as_decimal().and_then(|decimal| decimal.rescale(places)) {
                    *value = Value::Decimal(decimal);
                }
            }
        }
        if good {
            Draw { ty, ..Draw::fixed(Domain::Weighted { items: weighted.into() }, span) }
        } else {
            Draw { ty, ..Draw::unknown(span) }
        }
    }

    /// `pattern "[A-Z]{3}"`
    pub fn pattern(&mut self, text: &'a ast::StringLit, span: Span) -> Draw {
        let checked = self.string(text);
        let Some(Value::Text(source)) = checked.value() else {
            if !checked.ty.is_unknown() {
                self.cx.say(
                    Diagnostic::new(Code::NOT_CONSTANT, "`pattern` needs a fixed text", text.span, "not fixed")
                        .help("use `template` to combine drawn parts"),
                );
            }
            return Draw { ty: Ty::of(TyKind::Text), ..Draw::unknown(span) };
        };
        match Pattern::new(source) {
            Ok(pattern) => Draw::fixed(Domain::Pattern(pattern), span),
            Err(error) => {
                let inside = error.range.and_then(|range| self.cx.sources.inside(text.span, source, range));
                let at = inside.unwrap_or(text.span);
                self.cx.say(
                    Diagnostic::new(Code::BAD_PATTERN, format!("the pattern cannot be used: {}", error.message), at, "here")
                        .help("a pattern is a regular expression of bounded length: \"[A-Z]{3}-[0-9]{4}\" (a backslash is written `\\\\`)"),
                );
                Draw { ty: Ty::of(TyKind::Text), ..Draw::unknown(span) }
            }
        }
    }

    /// `template "<<first_name>> <<last_name>>"`: placeholders name domains.
    pub fn template(&mut self, text: &'a ast::StringLit, span: Span) -> Draw {
        let mut parts = Vec::new();
        let unknown = Draw { ty: Ty::of(TyKind::Text), ..Draw::unknown(span) };
        for piece in text.cook() {
            match piece {
                Cooked::Text(text) if text.is_empty() => {}
                Cooked::Text(text) => parts.push(TemplatePart::Text(text)),
                Cooked::Placeholder(placeholder) => {
                    let Some([name]) = crate::check::domains::domain::inner_path(placeholder) else {
                        self.cx.say(
                            Diagnostic::new(
                                Code::BAD_DOMAIN,
                                "a placeholder in a template needs the name of a domain",
                                placeholder.span,
                                "not a domain",
                            )
                            .help("write: template \"<<first_name>> <<last_name>>\""),
                        );
                        return unknown;
                    };
                    let draw = self.by_name(name, name.span);
                    let blank = draw.may_be_blank();
                    match draw.domain {
                        DrawDomain::Fixed(domain)
                            if !blank && draw.except.is_empty() && !matches!(domain, Domain::Serial) =>
                        {
                            parts.push(TemplatePart::Domain(Box::new(domain)));
                            if parts.iter().map(template_size).sum::<usize>() > LARGEST_TEMPLATE {
                                self.cx.say(
                                    Diagnostic::new(
                                        Code::BAD_DOMAIN,
                                        format!("this template has more than {LARGEST_TEMPLATE} parts"),
                                        text.span,
                                        "too large",
                                    )
                                    .help("use fewer nested templates"),
                                );
                                return unknown;
                            }
                        }
                        DrawDomain::Unknown(()) => return unknown,
                        _ => {
                            self.cx.say(
                                Diagnostic::new(
                                    Code::BAD_DOMAIN,
                                    format!("`{}` cannot be part of a template", name.text),
                                    name.span,
                                    "not here",
                                )
                                .help("use domains without `blank` and `except`, other than `serial`"),
                            );
                            return unknown;
                        }
                    }
                }
            }
        }
        Draw::fixed(Domain::Template { parts }, span)
    }
}

/// The most parts of a template, those of its domains included.
const LARGEST_TEMPLATE: usize = 1000;

fn template_size(part: &TemplatePart) -> usize {
    match part {
        TemplatePart::Domain(domain) => match domain.as_ref() {
            Domain::Template { parts } => 1 + parts.iter().map(template_size).sum::<usize>(),
            _ => 1,
        },
        TemplatePart::Text(_) => 1,
    }
}

/// A text that is equal for equal values of one type: numbers by value, whatever their places.
fn same_key(value: &Value) -> String {
    match value.as_decimal() {
        Some(number) if number.is_whole() => number.round(0).map_or_else(String::new, |whole| whole.to_string()),
        Some(number) => number.to_string().trim_end_matches('0').to_owned(),
        None => value.render().into_owned(),
    }
}

/// Gives the numbers of a list one type: if any is a decimal, all become decimals with the most decimal places among
/// them.
fn alike(values: Vec<Value>) -> Vec<Value> {
    let places = values.iter().filter_map(|value| match value {
        Value::Decimal(value) => Some(value.places()),
        _ => None,
    });
    let Some(places) = places.max() else { return values };
    values
        .into_iter()
        .map(|value| match value.as_decimal().and_then(|decimal| decimal.rescale(places)) {
            Some(decimal) => Value::Decimal(decimal),
            None => value,
        })
        .collect()
}
