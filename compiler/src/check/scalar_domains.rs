//! Domains of single values: ranges, lists, patterns, templates, distributions.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use plan::domain::TemplatePart;
use plan::pattern::Pattern;
use plan::{Decimal, Domain, Span, Value, ValueType};

use super::domain::empty_range;
use super::task::TaskChecker;
use crate::ast::{self, Cooked};
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{Draw, DrawDomain, Expr};
use crate::load::plain_path;
use crate::types::{Ty, TyKind};

impl<'a> TaskChecker<'_, 'a> {
    /// `int 1..9`, `bool 80%`, `zipf 100`, `word`: a constructor where it has arguments, else a named domain.
    pub fn named_or_range(&mut self, named: &'a ast::NamedDomain, step: Option<&'a ast::Suffix>, span: Span) -> Draw {
        let name = named.name.text.as_str();
        if let Some(args) = &named.args {
            let at = args.first().map_or(named.name.span, |first| first.span);
            self.cx.say(
                Diagnostic::new(
                    Code::BAD_DOMAIN,
                    format!("`{name}` takes no arguments in parentheses"),
                    at,
                    "not here",
                )
                .help("write ranges and numbers behind the name: int 1..9"),
            );
            return Draw::unknown(span);
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
                    "from where to where?",
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
            ("normal" | "lognormal", Some(range)) => self.bell(named, &range.0, &range.1, step, span),
            ("normal" | "lognormal", None) => {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        format!("`{name}` needs bounds"),
                        named.name.span,
                        "from where to where?",
                    )
                    .help(format!("write: {name} mean 50 sd 10 0..100 step 1")),
                );
                Draw::unknown(span)
            }
            ("bool", None) => self.boolean(named, span),
            ("zipf", None) => self.zipf(named, span),
            ("serial", None) => {
                self.no_operand(named);
                Draw::fixed(Domain::Serial, span)
            }
            (_, Some(range)) => {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        format!("`{name}` takes no range"),
                        range.0.span.to(range.1.span),
                        "not here",
                    )
                    .help("ranges go with int, decimal, date, datetime, normal and lognormal"),
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
            self.cx.say(
                Diagnostic::new(
                    Code::BAD_DOMAIN,
                    format!("`{}` takes no such argument", named.name.text),
                    extra,
                    "not here",
                )
                .help("remove it"),
            );
        }
    }

    fn range(
        &mut self,
        name: &str,
        low: &'a ast::Expr,
        high: &'a ast::Expr,
        step: Option<&'a ast::Suffix>,
        span: Span,
    ) -> Draw {
        let (low, high) = (self.expr(low), self.expr(high));
        let step = step.map(|step| self.expr(&step.value));
        let (kind, step_kind) = match name {
            "int" => (TyKind::Int, TyKind::Int),
            "decimal" => (TyKind::Decimal(None), TyKind::Decimal(None)),
            "date" => (TyKind::Date, TyKind::Duration),
            _ => (TyKind::DateTime, TyKind::Duration),
        };
        let mut good = true;
        for (bound, wanted) in [(Some(&low), &kind), (Some(&high), &kind), (step.as_ref(), &step_kind)] {
            let Some(bound) = bound else { continue };
            let what = if wanted == &kind { format!("a bound of `{name}`") } else { format!("the step of `{name}`") };
            good &= self.bound_type(bound, wanted, &what);
            self.not_null(bound, "a bound");
            good &= !bound.ty.is_unknown();
        }
        if !good {
            return Draw { ty: Ty::of(kind), ..Draw::unknown(span) };
        }
        let known = |expr: &Expr| expr.value().cloned();
        let places = [Some(&low), Some(&high), step.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(|expr| match expr.ty.kind {
                TyKind::Decimal(places) => Some(places.unwrap_or(2)),
                _ => None,
            })
            .max()
            .unwrap_or(0);
        let value_type = match name {
            "int" => ValueType::Int,
            "decimal" => ValueType::Decimal(places),
            "date" => ValueType::Date,
            _ => ValueType::DateTime,
        };
        let step_known = step.as_ref().map(known);
        if let (Some(a), Some(b), None | Some(Some(_))) = (known(&low), known(&high), &step_known) {
            return self.fixed_range(value_type, (&a, low.span), (&b, high.span), step.as_ref(), span);
        }
        Draw { domain: DrawDomain::Range { value_type, low, high, step }, ty: value_type.into(), ..Draw::unknown(span) }
    }

    fn bound_type(&mut self, bound: &Expr, wanted: &TyKind, what: &str) -> bool {
        self.expect_type(bound, &Ty::of(wanted.clone()), what)
    }

    fn fixed_range(
        &mut self,
        value_type: ValueType,
        (low, low_span): (&Value, Span),
        (high, high_span): (&Value, Span),
        step: Option<&Expr>,
        span: Span,
    ) -> Draw {
        let bounds = low_span.to(high_span);
        if low.compare(high).is_some_and(std::cmp::Ordering::is_gt) {
            let (a, b) = (self.cx.sources.text(low_span).to_owned(), self.cx.sources.text(high_span).to_owned());
            self.cx.say(empty_range(bounds, &a, &b, format!("{b}..{a}")));
            return Draw { ty: value_type.into(), ..Draw::unknown(span) };
        }
        let step_value = step.and_then(Expr::value);
        let positive = match step_value {
            None => true,
            Some(Value::Duration(step)) => step.months == 0 && step.seconds > 0,
            Some(value) => value.as_decimal().is_some_and(|step| step > Decimal::from_int(0)),
        };
        let whole_days = !matches!((value_type, step_value), (ValueType::Date, Some(Value::Duration(step))) if step.seconds % 86_400 != 0);
        if !positive || !whole_days {
            let at = step.map_or(span, |step| step.span);
            self.cx.say(
                Diagnostic::new(
                    Code::BAD_DOMAIN,
                    "a step is more than 0, and of whole days between dates",
                    at,
                    "no such step",
                )
                .help(
                    "write: int 0..100 step 5, or: date 2024-01-01..2024-12-31 step 7 days (months differ in length)",
                ),
            );
            return Draw { ty: value_type.into(), ..Draw::unknown(span) };
        }
        let seconds = match step_value {
            Some(Value::Duration(step)) => step.seconds,
            _ => 0,
        };
        let domain = match (value_type, low, high) {
            (ValueType::Int, Value::Int(low), Value::Int(high)) => {
                let step = match step_value {
                    Some(Value::Int(step)) => *step,
                    _ => 1,
                };
                Some(Domain::Int { low: *low, high: *high, step })
            }
            (ValueType::Decimal(places), low, high) => {
                let unit = Decimal::new(1, places);
                match (low.as_decimal(), high.as_decimal(), step_value.map_or(unit, Value::as_decimal)) {
                    (Some(low), Some(high), Some(step)) => low
                        .rescale(places)
                        .zip(high.rescale(places))
                        .zip(step.rescale(places))
                        .map(|((low, high), step)| Domain::Decimal { low, high, step, places }),
                    _ => None,
                }
            }
            (_, Value::Date(low), Value::Date(high)) => {
                Some(Domain::Date { low: *low, high: *high, step: (seconds / 86_400).max(1) })
            }
            (_, Value::DateTime(low), Value::DateTime(high)) => {
                Some(Domain::DateTime { low: *low, high: *high, step: seconds.max(1) })
            }
            _ => None,
        };
        match domain {
            Some(domain) => Draw::fixed(domain, span),
            None => {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        "these bounds are too large for their places",
                        bounds,
                        "does not fit",
                    )
                    .help("use fewer digits"),
                );
                Draw { ty: value_type.into(), ..Draw::unknown(span) }
            }
        }
    }

    fn boolean(&mut self, named: &'a ast::NamedDomain, span: Span) -> Draw {
        let share = match &named.operand {
            None => Some(500_000),
            Some(operand) => self.share(operand, "bool 80%"),
        };
        match share {
            Some(per_million) => Draw::fixed(Domain::Bool { per_million }, span),
            None => Draw { ty: Ty::of(TyKind::Bool), ..Draw::unknown(span) },
        }
    }

    fn zipf(&mut self, named: &'a ast::NamedDomain, span: Span) -> Draw {
        let n = named.operand.as_deref().map(|operand| self.expr(operand));
        match n.as_ref().and_then(Expr::value) {
            Some(Value::Int(n @ 1..=1_000_000)) => Draw::fixed(Domain::Zipf { n: *n as u32 }, span),
            _ => {
                let at = n.map_or(named.name.span, |n| n.span);
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        "`zipf` takes the number of its values, 1 to 1,000,000",
                        at,
                        "not such a number",
                    )
                    .help("write: zipf 100"),
                );
                Draw { ty: Ty::of(TyKind::Int), ..Draw::unknown(span) }
            }
        }
    }

    fn bell(
        &mut self,
        named: &'a ast::NamedDomain,
        low: &'a ast::Expr,
        high: &'a ast::Expr,
        step: Option<&'a ast::Suffix>,
        span: Span,
    ) -> Draw {
        let name = named.name.text.as_str();
        let number = |this: &mut Self, expr: &'a ast::Expr| {
            let checked = this.expr(expr);
            let value = checked.value().and_then(Value::as_decimal);
            if value.is_none() && !checked.ty.is_unknown() {
                this.cx.say(
                    Diagnostic::new(
                        Code::NOT_CONSTANT,
                        format!("`{name}` takes fixed numbers"),
                        checked.span,
                        "not fixed",
                    )
                    .help(format!("write: {name} mean 50 sd 10 0..100 step 1")),
                );
            }
            value
        };
        let mut mean = None;
        let mut sd = None;
        for (word, value) in &named.keywords {
            let value = number(self, value);
            match word.text.as_str() {
                "mean" => mean = value,
                _ => sd = value,
            }
        }
        let (low_value, high_value) = (number(self, low), number(self, high));
        let step = match step {
            Some(step) => number(self, &step.value),
            None => {
                let places = [low_value, high_value].into_iter().flatten().map(Decimal::places).max().unwrap_or(0);
                Decimal::new(1, places)
            }
        };
        let (Some(mean), Some(sd), Some(low_value), Some(high_value), Some(step)) =
            (mean, sd, low_value, high_value, step)
        else {
            if mean.is_none() || sd.is_none() {
                self.cx.say(
                    Diagnostic::new(
                        Code::BAD_DOMAIN,
                        format!("`{name}` needs a mean and a standard deviation"),
                        named.name.span,
                        "incomplete",
                    )
                    .help(format!("write: {name} mean 50 sd 10 0..100 step 1")),
                );
            }
            return Draw::unknown(span);
        };
        let zero = Decimal::from_int(0);
        if low_value > high_value {
            let (a, b) = (low_value.to_string(), high_value.to_string());
            self.cx.say(empty_range(low.span.to(high.span), &a, &b, format!("{b}..{a}")));
            return Draw::unknown(span);
        }
        if sd <= zero || step <= zero {
            self.cx.say(
                Diagnostic::new(Code::BAD_DOMAIN, "`sd` and `step` are more than 0", span, "not so here")
                    .help(format!("write: {name} mean 50 sd 10 0..100 step 1")),
            );
            return Draw::unknown(span);
        }
        let (mean, sd, low, high) = (mean.to_f64(), sd.to_f64(), low_value, high_value);
        let domain = if name == "normal" {
            Domain::Normal { mean, sd, low, high, step }
        } else {
            Domain::Lognormal { mean, sd, low, high, step }
        };
        let logarithm = |value: Decimal| {
            if name == "lognormal" { value.to_f64().max(f64::MIN_POSITIVE).ln() } else { value.to_f64() }
        };
        // Beyond eight standard deviations nothing is ever drawn.
        if mean + 8.0 * sd < logarithm(low) || mean - 8.0 * sd > logarithm(high) {
            self.cx.say(
                Diagnostic::new(
                    Code::EMPTY_RANGE,
                    "the bounds lie so far from the mean that nothing would ever be drawn",
                    span,
                    "more than 8 sd away",
                )
                .help("put the bounds around the mean (of the logarithm, for `lognormal`)"),
            );
            return Draw::unknown(span);
        }
        if domain.cardinality() == Some(0) {
            self.cx.say(
                Diagnostic::new(
                    Code::EMPTY_RANGE,
                    format!("no multiple of {step} lies in {low}..{high}"),
                    span,
                    "no value in it",
                )
                .help("widen the bounds or make the step smaller"),
            );
            return Draw::unknown(span);
        }
        Draw::fixed(domain, span)
    }

    /// `one_of [ … ]`
    pub fn one_of(&mut self, items: &'a [ast::Expr], span: Span) -> Draw {
        let checked: Vec<Expr> = items.iter().map(|item| self.expr(item)).collect();
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
            return Draw { ty, ..Draw::fixed(Domain::OneOf { items: alike(values) }, span) };
        }
        Draw { domain: DrawDomain::OneOf(checked), ty, ..Draw::unknown(span) }
    }

    fn twice(&mut self, span: Span, first: Span, value: &str) {
        self.cx.say(
            Diagnostic::new(Code::DUPLICATE, format!("`{value}` stands twice in this list"), span, "again here")
                .label(first, "first here")
                .help("remove one; to make a value likelier write: weighted [ \"a\": 3, \"b\": 1 ]"),
        );
    }

    /// The common type of a closed list's items, which are single values and not null.
    fn item_type(&mut self, items: &[Expr], span: Span) -> Option<Ty> {
        if items.is_empty() {
            self.cx.say(
                Diagnostic::new(Code::EMPTY_RANGE, "this list of values is empty", span, "nothing to draw")
                    .help("write: one_of [\"ruby\", \"opal\"]"),
            );
            return None;
        }
        let mut ty: Option<Ty> = None;
        for item in items {
            self.not_null(item, "an item of a domain");
            let single = !matches!(item.ty.kind, TyKind::List(_) | TyKind::Object(_) | TyKind::Rows);
            let joined = match &ty {
                None => Some(item.ty.clone()),
                Some(so_far) => so_far.join(&item.ty),
            };
            match joined {
                Some(joined) if single => ty = Some(joined),
                _ => {
                    let so_far = ty.clone().map_or("single values".to_owned(), |ty| ty.to_string());
                    self.cx.say(
                        Diagnostic::new(
                            Code::TYPE_MISMATCH,
                            "the items of a domain are single values of one type",
                            item.span,
                            format!("this is {}, those before are {so_far}", item.ty),
                        )
                        .help("texts stand in double quotes, numbers without"),
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
                        format!("`{line}` stands twice in `{name}`: in lines {first} and {}", index + 1),
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
                    format!("`{name}` has no line with a value"),
                    path.span,
                    "nothing to draw",
                )
                .help("write one value a line"),
            );
            return Draw { ty: Ty::of(TyKind::Text), ..Draw::unknown(span) };
        }
        Draw::fixed(Domain::OneOf { items }, span)
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
                        "a weight is a whole number from 0 to 1,000,000,000",
                        weight.span,
                        "not so",
                    )
                    .help("write: weighted [ \"INFO\": 90, \"WARN\": 8, \"ERROR\": 2 ]"),
                );
            }
            let Some(known) = value.value() else {
                if !value.ty.is_unknown() {
                    self.cx.say(
                        Diagnostic::new(
                            Code::NOT_CONSTANT,
                            "the items of `weighted` are fixed values",
                            value.span,
                            "not fixed",
                        )
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
            Draw { ty, ..Draw::fixed(Domain::Weighted { items: weighted }, span) }
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
                    Diagnostic::new(Code::NOT_CONSTANT, "a pattern is a fixed text", text.span, "not fixed")
                        .help("use `template` to put drawn parts together"),
                );
            }
            return Draw { ty: Ty::of(TyKind::Text), ..Draw::unknown(span) };
        };
        match Pattern::new(source) {
            Ok(pattern) => Draw::fixed(Domain::Pattern(pattern), span),
            Err(error) => {
                let mut at = text.span;
                // Without escapes, the place in the pattern is the place in the source.
                let raw = self.cx.sources.text(text.span);
                if let Some((start, end)) = error.range
                    && raw.len() == source.len() + 2
                {
                    at = Span::new(at.file, at.start + 1 + start as u32, at.start + 1 + end.max(start) as u32);
                }
                self.cx.say(
                    Diagnostic::new(Code::BAD_PATTERN, format!("this pattern cannot be generated from: {}", error.message), at, "here")
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
                    let Some([name]) = super::domain::inner_path(placeholder) else {
                        self.cx.say(
                            Diagnostic::new(
                                Code::BAD_DOMAIN,
                                "in a template, a placeholder names a domain",
                                placeholder.span,
                                "no name of a domain",
                            )
                            .help("write: template \"<<first_name>> <<last_name>>\""),
                        );
                        return unknown;
                    };
                    let draw = self.by_name(name, name.span);
                    match draw.domain {
                        DrawDomain::Fixed(domain)
                            if draw.blank_per_million == 0
                                && draw.except.is_empty()
                                && !matches!(domain, Domain::Serial) =>
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
                                    .help("templates of templates multiply: use fewer"),
                                );
                                return unknown;
                            }
                        }
                        DrawDomain::Unknown => return unknown,
                        _ => {
                            self.cx.say(
                                Diagnostic::new(
                                    Code::BAD_DOMAIN,
                                    format!("`{}` cannot be part of a template", name.text),
                                    name.span,
                                    "not here",
                                )
                                .help("parts are domains without `blank` and `except`, and not `serial`"),
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

/// Numbers of one list get one type: ints beside decimals become decimals, decimals the most places.
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
