//! `impossible_predicate`, `vacuous_predicate`, and `out_of_range_draw` in queries.

use model::suite::Op;
use model::{Date, Span, Value};

use super::super::queries::Placed;
use super::operands::{Lint, OperandFacts, decide_comparison};
use super::words::{self, MAX_QUOTED};
use crate::context::TaskCx;
use hir::facts::{Like, Truth};
use sql::predicates::{Atom, Operand, Side, Test};
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::fmt::{join_blanks, shorten_text};

/// Reports comparisons of queries that are decided before anything is drawn. Returns their spans.
pub fn report_sql_predicates<'a>(cx: &TaskCx<'a>, queries: &[Placed<'a>], said: &mut Vec<Diagnostic>) -> Vec<Span> {
    let mut decided = Vec::new();
    for Placed { sql, scope } in queries {
        let predicates = &sql.analysis.predicates;
        let lint = Lint { cx, sql, scope: *scope };
        // What is decided within a comparison decides that one, too.
        let found: Vec<(&Atom, Diagnostic)> =
            predicates.atoms.iter().filter_map(|atom| Some((atom, lint.check_atom(atom)?))).collect();
        let within = |span: Span| found.iter().any(|(inner, _)| inner.span != span && span.is_enclosing(inner.span));
        // A text that no row has, where another one is meant, can decide what is computed from it.
        let is_typo = |(atom, said): &(&Atom, Diagnostic)| {
            said.code == Code::IMPOSSIBLE_PREDICATE && !said.fixes.is_empty() && !is_about_computed(atom)
        };
        let has_typo = found.iter().any(is_typo);
        let is_first = |atom: &Atom| !(within(atom.span) || has_typo && is_about_computed(atom));
        let first: Vec<bool> = found.iter().map(|(atom, _)| is_first(atom)).collect();
        for ((atom, diagnostic), first) in found.into_iter().zip(first) {
            decided.push(atom.span);
            said.extend(first.then_some(diagnostic));
        }
        lint.report_pairs(&mut decided, said);
        lint.report_wholes(&mut decided, said);
        lint.report_zero_divisors(said);
        lint.report_ordered_digits(said);
        lint.report_negative_times(&decided, said);
    }
    decided
}

/// Whether a comparison is about a value that the query computes.
fn is_about_computed(atom: &Atom) -> bool {
    let is_computed = |operand: &Operand| matches!(operand.value, Side::Computed(_) | Side::Other);
    match &atom.test {
        Test::Compare(_, left, right) => is_computed(left) || is_computed(right),
        Test::Between { value, .. } | Test::In { value, .. } => is_computed(value),
        _ => false,
    }
}

impl<'a> Lint<'_, 'a> {
    fn check_atom(&self, atom: &Atom) -> Option<Diagnostic> {
        // Where it is null in some rows and false in others, both matter.
        if self.sql.analysis.predicates.nulls_told.contains(&atom.span) && self.terms().judge(&atom.term).is_null {
            return None;
        }
        self.check_plain_atom(atom).or_else(|| self.check_term(atom)).or_else(|| self.check_form(atom))
    }

    /// Checks a comparison of columns, literals, and parameters.
    fn check_plain_atom(&self, atom: &Atom) -> Option<Diagnostic> {
        match &atom.test {
            Test::Other { .. } => None,
            Test::Compare(op, left, right) => {
                if let Some(said) = self.with_null(atom, *op, left, right) {
                    return Some(said);
                }
                let (a, b) = (self.infer_operand(left)?, self.infer_operand(right)?);
                let Some(truth) = decide_comparison(*op, &a, &b) else {
                    return self.check_axis_comparison(atom, *op, (left, &a), (right, &b));
                };
                if a.column || !b.column {
                    Some(self.build_diagnostic(atom, truth, (left, &a), Some((right, &b))))
                } else {
                    Some(self.build_diagnostic(atom, truth, (right, &b), Some((left, &a))))
                }
            }
            Test::Between { value, low, high } => {
                if let Some(said) = self.check_reversed_bounds(atom, low, high) {
                    return Some(said);
                }
                let (known, low_known, high_known) =
                    (self.infer_operand(value)?, self.infer_operand(low)?, self.infer_operand(high)?);
                let above = decide_comparison(Op::Ge, &known, &low_known);
                let below = decide_comparison(Op::Le, &known, &high_known);
                let other = match (above, below) {
                    (Some(Truth::Never), _) => Some((low, &low_known)),
                    (_, Some(Truth::Never)) => Some((high, &high_known)),
                    (Some(Truth::Always), Some(Truth::Always)) => None,
                    _ => return None,
                };
                let truth = if other.is_some() { Truth::Never } else { Truth::Always };
                // A bound that excludes the value is enough, whatever the other one is; a null excludes nothing.
                if atom.negated && other.is_some_and(|(_, other)| other.stored.nullable) {
                    return None;
                }
                self.build_negated_diagnostic(atom, truth, (value, &known), other)
            }
            Test::In { value, items } => {
                let known = self.infer_operand(value)?;
                let others = items.iter().map(|item| self.infer_operand(item));
                let others: Vec<OperandFacts<'a>> = others.collect::<Option<_>>()?;
                let is_strange =
                    |other: &OperandFacts<'a>| decide_comparison(Op::Eq, &known, other) == Some(Truth::Never);
                if !items.is_empty() && others.iter().all(is_strange) {
                    let only = items.first().zip(others.first()).filter(|_| items.len() == 1);
                    if atom.negated && others.iter().any(|other| other.stored.nullable) {
                        return None;
                    }
                    return self.build_negated_diagnostic(atom, Truth::Never, (value, &known), only);
                }
                if let Some((item, other)) = items.iter().zip(&others).find(|(_, other)| is_strange(other)) {
                    let is_literal = matches!(item.value, Side::Literal(_));
                    return (is_literal && known.stored.closed.is_some()).then(|| {
                        self.build_unmatched_item_diagnostic(
                            value,
                            &known,
                            (item, other),
                            (&atom.test, "remove it from the list"),
                        )
                    });
                }
                let listed: Vec<&Value> = others.iter().filter_map(|other| other.stored.as_single_value()).collect();
                let every = known
                    .stored
                    .closed
                    .as_ref()
                    .filter(|values| !values.is_empty())
                    .is_some_and(|values| values.iter().all(|value| listed.iter().any(|item| item.is_same(value))));
                if every && !known.stored.nullable {
                    return self.build_negated_diagnostic(atom, Truth::Always, (value, &known), None);
                }
                None
            }
            Test::Like { value, text, pattern } => self.check_like(atom, value, (text, *pattern)),
            Test::When { value, item } => {
                let (known, other) = (self.infer_operand(value)?, self.infer_operand(item)?);
                let never = decide_comparison(Op::Eq, &known, &other)? == Truth::Never;
                let is_literal = matches!(item.value, Side::Literal(_));
                (never && is_literal).then(|| {
                    self.build_unmatched_item_diagnostic(
                        value,
                        &known,
                        (item, &other),
                        (&atom.test, "remove this WHEN"),
                    )
                })
            }
            Test::Null { value } => {
                let Side::Column { nullable: false, .. } = value.value else { return None };
                let known = self.infer_operand(value)?;
                if known.stored.nullable || known.fact.is_empty() {
                    return None;
                }
                let (code, who, label) = if atom.negated {
                    (Code::VACUOUS_PREDICATE, "every row meets", "always")
                } else {
                    (Code::IMPOSSIBLE_PREDICATE, "no row meets", "never")
                };
                let message = format!(
                    "{who} `{}`: `{}` is never null",
                    self.quote_source(atom.span),
                    self.quote_source(value.span)
                );
                Some(
                    Diagnostic::new(code, message, atom.span, label)
                        .with_labels(known.declared.map(|declared| (declared, "never null")))
                        .help("remove the condition, or make some values null: `blank 5%`"),
                )
            }
        }
    }

    /// Returns the source text at a span, shortened.
    pub fn quote_source(&self, span: Span) -> String {
        truncate_text(self.cx.sources.text(span))
    }

    /// Builds the diagnostic for NOT IN, NOT LIKE, or NOT BETWEEN.
    fn build_negated_diagnostic(
        &self,
        atom: &Atom,
        truth: Truth,
        subject: (&Operand, &OperandFacts<'a>),
        other: Option<(&Operand, &OperandFacts<'a>)>,
    ) -> Option<Diagnostic> {
        let truth = if atom.negated { truth.invert() } else { truth };
        if truth == Truth::Always && subject.1.stored.nullable {
            return None;
        }
        Some(self.build_diagnostic(atom, truth, subject, other))
    }

    fn build_diagnostic(
        &self,
        atom: &Atom,
        truth: Truth,
        (subject, known): (&Operand, &OperandFacts<'a>),
        other: Option<(&Operand, &OperandFacts<'a>)>,
    ) -> Diagnostic {
        let written = self.quote_source(atom.span);
        let word = if truth == Truth::Always { "always" } else { "never" };
        let name = self.quote_source(subject.span);
        if let Some((_, OperandFacts { drawn: Some(drawn), fact, .. })) = other
            && known.column
        {
            let data = (name.as_str(), known.declared, &known.fact);
            return words::build_draw_diagnostic((drawn, fact), data, (&written, atom.span), truth);
        }
        let (code, message) = match truth {
            Truth::Always => (Code::VACUOUS_PREDICATE, format!("`{written}` is true for every row")),
            // A null makes it null: `N IN (SPARE, 33)` where SPARE is null.
            _ if self.terms().judge(&atom.term).is_null => {
                (Code::IMPOSSIBLE_PREDICATE, format!("`{written}` is never true"))
            }
            _ => (Code::IMPOSSIBLE_PREDICATE, format!("`{written}` is false for every row")),
        };
        let said = Diagnostic::new(code, message, atom.span, word);
        let mut said = words::label_with_fact(said, known.declared, &known.fact);
        if let Some((_, other)) = other
            && let (Some(declared), Some(is)) = (other.declared, words::describe_fact(&other.fact))
        {
            said = said.label(declared, is);
        }
        if let Some((place, other)) = other
            && let Some(said) = suggest_nearest_text(&said, known, (place, &atom.test), other)
        {
            return said;
        }
        match truth {
            _ if known.column && known.fact.as_single_value().is_some() => said.help(words::suggest_more_values(&name)),
            Truth::Always => said.help("remove it, or compare with a value that only some rows have"),
            _ => said.help(format!("compare with a value that `{name}` can have, or widen what it is drawn from")),
        }
    }

    /// Builds the diagnostic for an item of `IN (…)` or `CASE` that nothing equals.
    fn build_unmatched_item_diagnostic(
        &self,
        value: &Operand,
        known: &OperandFacts<'a>,
        (item, other): (&Operand, &OperandFacts<'a>),
        (test, help): (&Test, &str),
    ) -> Diagnostic {
        let (name, shown) = (self.quote_source(value.span), self.quote_source(item.span));
        let message = format!("`{name}` is never {shown}");
        let said = Diagnostic::new(Code::IMPOSSIBLE_PREDICATE, message, item.span, "matches nothing");
        let said = words::label_with_fact(said, known.declared, &known.fact);
        suggest_nearest_text(&said, known, (item, test), other).unwrap_or_else(|| said.help(help))
    }

    /// Checks `x LIKE 'text'`.
    fn check_like(&self, atom: &Atom, value: &Operand, (text, at): (&str, Span)) -> Option<Diagnostic> {
        let known = self.infer_operand(value)?;
        let like = Like::new(text);
        let truth = match &known.stored.closed {
            Some(values) => {
                // How SQLite writes a double as text is not known here.
                let texts = values.iter().map(|value| match value {
                    Value::Text(_) | Value::Int(_) => Some(value.render_text()),
                    _ => None,
                });
                let met: Vec<bool> = texts.map(|text| text.map(|text| like.is_match(&text))).collect::<Option<_>>()?;
                match (met.is_empty(), met.contains(&true), met.contains(&false)) {
                    (false, false, _) => Truth::Never,
                    (false, _, false) => Truth::Always,
                    _ => return None,
                }
            }
            None if like.is_wildcard_only() && known.column => Truth::Always,
            None => match known.stored.domain {
                Some(domain) if !like.may_match(domain) => Truth::Never,
                _ => return None,
            },
        };
        if truth == Truth::Always {
            return self.build_negated_diagnostic(atom, truth, (value, &known), None);
        }
        let operand = Operand { value: Side::Literal(Value::from_text(text)), span: at };
        let other = self.infer_operand(&operand)?;
        let said = self.build_negated_diagnostic(atom, truth, (value, &known), Some((&operand, &other)))?;
        // A pattern with wildcards must not simply be replaced by a value.
        let near =
            like.extract_literal_core().filter(|core| core != text).and_then(|core| find_nearest_text(&known, &core));
        let help = match near {
            Some((near, _)) => format!("the nearest of its values is '{near}'; write a pattern that it meets"),
            None if said.fixes.is_empty() || !text.contains(['%', '_']) => return Some(said),
            None => format!("write a pattern that `{}` can meet", self.quote_source(value.span)),
        };
        Some(Diagnostic { fixes: Vec::new(), ..said.help(help) })
    }
}

/// Joins a text into one line and truncates it.
pub fn truncate_text(text: &str) -> String {
    shorten_text(&join_blanks(text), MAX_QUOTED)
}

/// Suggests the closest text of a closed list.
pub(super) fn suggest_nearest_text(
    said: &Diagnostic,
    known: &OperandFacts<'_>,
    (place, test): (&Operand, &Test),
    other: &OperandFacts<'_>,
) -> Option<Diagnostic> {
    let (Side::Literal(_), Some(Value::Text(word))) = (&place.value, other.stored.as_single_value()) else {
        return None;
    };
    if matches!(known.fact.find_example(), Some(Value::Date(_))) {
        return suggest_dates(said, word, place.span);
    }
    if let Some(said) = suggest_several(said, known, (place, test), word) {
        return Some(said);
    }
    let (near, clear) = find_nearest_text(known, word)?;
    let applicability = Applicability::from_clearness(clear);
    let literal = format!("'{}'", near.replace('\'', "''"));
    let said = said.clone().help(format!("did you mean {literal}?"));
    Some(said.fix(format!("replace with {literal}"), applicability, place.span, literal.clone()))
}

/// Suggests several texts for one that holds them all: `'Sales, Legal'`.
fn suggest_several(
    said: &Diagnostic,
    known: &OperandFacts<'_>,
    (place, test): (&Operand, &Test),
    word: &str,
) -> Option<Diagnostic> {
    let parts = words::split_values(word, known.stored.closed.as_ref()?.iter())?;
    let quoted: Vec<String> = parts.iter().map(|part| format!("'{}'", part.replace('\'', "''"))).collect();
    let quoted = quoted.join(", ");
    let said = said.clone().help(format!("this is one text: write `IN ({quoted})`"));
    // Only a list has room for several texts.
    Some(if matches!(test, Test::In { .. }) {
        said.fix(format!("replace with {quoted}"), Applicability::Unsafe, place.span, quoted)
    } else {
        said
    })
}

/// Suggests the dates that a text might mean if it is compared with dates but not in their stored form. Each possible date is a fix.
pub(super) fn suggest_dates(said: &Diagnostic, word: &str, span: Span) -> Option<Diagnostic> {
    let days = list_possible_dates(word);
    let listed: Vec<String> = days.iter().map(|day| format!("'{day}'")).collect();
    let said = said.clone().help(format!(
        "SQL compares dates as text, such as '2024-01-31': did you mean {}?",
        (!listed.is_empty()).then(|| listed.join(" or "))?
    ));
    Some(
        listed
            .into_iter()
            .fold(said, |said, day| said.fix(format!("replace with {day}"), Applicability::Unsafe, span, day)),
    )
}

/// Lists the dates that a text in another notation can mean.
fn list_possible_dates(word: &str) -> Vec<String> {
    let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
    let [a, b, c] = parts.as_slice() else { return Vec::new() };
    let number = |part: &str, most: usize| {
        let digits = !part.is_empty() && part.len() <= most && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let year = |part: &str| number(part, 4).filter(|_| part.len() == 4);
    let forms = match (year(a), year(c)) {
        (Some(year), None) => vec![(Some(year), number(b, 2), number(c, 2))],
        (None, Some(year)) => vec![(Some(year), number(a, 2), number(b, 2)), (Some(year), number(b, 2), number(a, 2))],
        _ => Vec::new(),
    };
    let mut days: Vec<String> = Vec::new();
    for (year, month, day) in forms {
        let (Some(year), Some(month), Some(day)) = (year, month, day) else { continue };
        let day = format!("{year:04}-{month:02}-{day:02}");
        if Date::parse_iso(&day).is_some() && day != word && !days.contains(&day) {
            days.push(day);
        }
    }
    days
}

/// Finds the closest text of a closed list, and whether it is clearly meant.
fn find_nearest_text(known: &OperandFacts<'_>, word: &str) -> Option<(String, bool)> {
    words::find_nearest_text(word, known.stored.closed.iter().flatten())
}
