//! `impossible_predicate` and `vacuous_predicate` for conditions of queries with computed values: calls, operators, CASE, aggregates, and subqueries.

use model::suite::Op;
use model::{Span, Value};

use super::operands::Lint;
use super::words::{self, has_large_ints};
use hir::cases::decide_term;
use hir::facts::Truth;
use hir::order::compare_terms;
use hir::terms::{Known, Outcomes};
use sql::predicates::{Atom, Operand, Side, Test};
use sql::terms::{Gathered, MatchKind, Term};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The value that a diagnostic describes, and where it is written.
struct Subject<'a> {
    term: Term,
    span: Span,
    known: Known<'a>,
}

/// A literal that could be replaced.
struct Literal<'t> {
    value: &'t Value,
    span: Span,
}

impl<'a> Lint<'_, 'a> {
    /// Reports a condition that is always or never true.
    pub fn check_term(&self, atom: &Atom) -> Option<Diagnostic> {
        if !atom.term.is_of_rows() || self.reads_large_ints(&atom.term) {
            return None;
        }
        let outcomes = self.terms().judge(&atom.term);
        let truth = match outcomes.to_truth() {
            Truth::Open => self.decide_further(&atom.term),
            known => known,
        };
        match (truth, &atom.test) {
            (Truth::Open, Test::In { value, items }) => self.check_items(value, items),
            (Truth::Open, _) | (Truth::Always, Test::When { .. }) => None,
            (Truth::Always, _) if is_guard(&atom.term) => None,
            _ => Some(self.build_term_diagnostic(atom, truth, outcomes)),
        }
    }

    /// Whether a term reads ints that a double does not hold: SQLite computes with them exactly or not, as the types of the operands want.
    pub(super) fn reads_large_ints(&self, term: &Term) -> bool {
        let mut found = false;
        term.visit(&mut |part| {
            if let Term::Column { relation, column, .. } = part {
                found |= has_large_ints(&self.cx.facts().lookup_column(*relation, *column));
            }
        });
        found
    }

    /// The truth of a condition that facts do not decide: by the order of its sides, or else case by case.
    fn decide_further(&self, term: &Term) -> Truth {
        let terms = self.terms();
        let by_order = match term {
            // A column that is compared with itself has a lint of its own.
            Term::Compare(_, sides) if sides.0 == sides.1 => return Truth::Open,
            Term::Compare(op, sides) => match compare_terms(&terms, *op, &sides.0, &sides.1) {
                Truth::Always if terms.judge(term).is_null => Truth::Open,
                known => known,
            },
            _ => Truth::Open,
        };
        if by_order == Truth::Open { decide_term(&terms, term) } else { by_order }
    }

    fn build_term_diagnostic(&self, atom: &Atom, truth: Truth, outcomes: Outcomes) -> Diagnostic {
        let written = self.quote_source(atom.span);
        let gathered = has_gathered(&atom.term);
        let (code, holds) = match (truth, gathered) {
            (Truth::Always, false) => (Code::VACUOUS_PREDICATE, "true for every row"),
            (Truth::Always, true) => (Code::VACUOUS_PREDICATE, "always true"),
            (_, false) if !outcomes.is_null => (Code::IMPOSSIBLE_PREDICATE, "false for every row"),
            _ => (Code::IMPOSSIBLE_PREDICATE, "never true"),
        };
        let subject = self.find_subject(atom);
        let word = if truth == Truth::Always { "always" } else { "never" };
        let label = subject.as_ref().and_then(|subject| {
            let is = words::describe_fact(&subject.known.fact)?;
            (subject.span != atom.span).then(|| format!("`{}` {is}", self.quote_source(subject.span)))
        });
        let label = label.unwrap_or_else(|| word.to_owned());
        let mut said = Diagnostic::new(code, format!("`{written}` is {holds}"), atom.span, label);
        if let Some(column) = atom.term.find_only_column()
            && let Some(declared) = self.cx.task.find_column(column)
        {
            let fact = self.cx.facts().lookup_column(column.0, column.1);
            said = words::label_with_fact(said, Some(declared.span), &fact);
        }
        self.add_advice(said, atom, truth, subject.as_ref())
    }

    /// The side of a condition that depends on rows.
    fn find_subject(&self, atom: &Atom) -> Option<Subject<'a>> {
        let operand = match &atom.test {
            Test::Compare(_, left, right) if left.to_term().is_of_rows() || !right.to_term().is_of_rows() => left,
            Test::Compare(_, _, right) => right,
            Test::Between { value, .. }
            | Test::In { value, .. }
            | Test::Like { value, .. }
            | Test::When { value, .. }
            | Test::Null { value } => value,
            Test::Other { value } => {
                let term = match &atom.term {
                    Term::Match { text, .. } => text.as_ref().clone(),
                    other => other.clone(),
                };
                let known = self.terms().infer(&term);
                return Some(Subject { term, span: value.span, known });
            }
        };
        let term = operand.to_term();
        let known = self.terms().infer(&term);
        Some(Subject { term, span: operand.span, known })
    }

    /// Adds what to write instead.
    fn add_advice(&self, said: Diagnostic, atom: &Atom, truth: Truth, subject: Option<&Subject<'a>>) -> Diagnostic {
        let Some(subject) = subject else { return said };
        if truth == Truth::Never
            && let Some(said) = self.suggest_other_pattern(&said, atom)
        {
            return said;
        }
        if let Some(help) = advise_on_time(&subject.term, &subject.known) {
            return said.help(help);
        }
        if let Some(literal) = find_literal(atom)
            && truth == Truth::Never
            && let Some(said) = self.suggest_literal(&said, subject, &literal)
        {
            return said;
        }
        let name = self.quote_source(subject.span);
        match truth {
            _ if subject.known.fact.as_single_value().is_some() && subject.span != atom.span => {
                said.help(format!("`{name}` has only this value: compare another one, or remove the condition"))
            }
            Truth::Always if subject.span == atom.span => {
                said.help("remove it, or write a condition that only some rows meet")
            }
            Truth::Always => said.help("remove it, or compare with a value that only some rows have"),
            _ if subject.span == atom.span => said.help("write a condition that some rows meet"),
            _ => said.help(format!("compare with a value that `{name}` can have")),
        }
    }

    /// Suggests a literal that is meant: one with leading zeros, in the other letter case, or the closest value.
    fn suggest_literal(&self, said: &Diagnostic, subject: &Subject<'a>, literal: &Literal<'_>) -> Option<Diagnostic> {
        let Value::Text(word) = literal.value else { return None };
        let values = subject.known.fact.closed.iter().flatten();
        let padded = values.clone().filter_map(Value::as_text).find(|text| {
            text.len() > word.len()
                && !word.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_digit())
                && text.trim_start_matches('0') == word.trim_start_matches('0')
        });
        let cased = [word.to_ascii_uppercase(), word.to_ascii_lowercase()].into_iter().find(|other| {
            let other = Known::from_fact(hir::facts::Fact::from_value(&Value::from_text(other.as_str())));
            hir::terms::compare_known(Op::Eq, &subject.known, &other).is_true
                && (subject.known.texts.is_some() || subject.known.fact.closed.is_some())
        });
        let (near, clear) = match (padded, cased) {
            (Some(text), _) => (text.to_owned(), true),
            (None, Some(other)) => (other, true),
            (None, None) => words::find_nearest_text(word, values)?,
        };
        let written = format!("'{}'", near.replace('\'', "''"));
        let said = said.clone().help(format!("did you mean {written}?"));
        // The other letter case may be wanted of the column rather than of the literal.
        let applicability = Applicability::from_clearness(clear && padded.is_some());
        Some(said.fix(format!("replace with {written}"), applicability, literal.span, written))
    }

    /// Suggests the wildcards of the operator, if the pattern has those of the other one.
    fn suggest_other_pattern(&self, said: &Diagnostic, atom: &Atom) -> Option<Diagnostic> {
        let Term::Match { text, pattern, kind } = without_not(&atom.term) else { return None };
        let Term::Literal(Value::Text(written)) = pattern.as_ref() else { return None };
        let (other, rule) = match kind {
            MatchKind::Like(_) => (written.replace('*', "%").replace('?', "_"), "`LIKE` has the wildcards `%` and `_`"),
            MatchKind::Glob => (written.replace('%', "*").replace('_', "?"), "`GLOB` has the wildcards `*` and `?`"),
        };
        let pattern = Box::new(Term::Literal(Value::from_text(other.as_str())));
        let meant = Term::Match { text: text.clone(), pattern, kind: *kind };
        let Outcomes { is_true, .. } = self.terms().judge(&meant);
        if other == *written || !is_true {
            return None;
        }
        let quoted = format!("'{}'", other.replace('\'', "''"));
        let said = said.clone().help(format!("{rule}: write {quoted}"));
        match self.find_text(atom.span, written) {
            Some(span) => Some(said.fix(format!("replace with {quoted}"), Applicability::Unsafe, span, quoted)),
            None => Some(said),
        }
    }

    /// The place of a literal in a part of the query, if it is written there once.
    fn find_text(&self, within: Span, text: &str) -> Option<Span> {
        let quoted = format!("'{}'", text.replace('\'', "''"));
        let mut places = self.cx.sources.text(within).match_indices(&quoted).map(|(at, _)| at);
        let (Some(at), None) = (places.next(), places.next()) else { return None };
        let start = within.start.checked_add(u32::try_from(at).ok()?)?;
        Some(Span::new(within.file, start, start.checked_add(u32::try_from(quoted.len()).ok()?)?))
    }

    /// Reports a literal in `IN (…)` that a computed value never equals.
    fn check_items(&self, value: &Operand, items: &[Operand]) -> Option<Diagnostic> {
        let term = value.to_term();
        if !matches!(value.value, Side::Computed(_)) {
            return None;
        }
        let known = self.terms().infer(&term);
        known.fact.closed.as_ref().filter(|values| !values.is_empty())?;
        let never = |item: &&Operand| {
            let other = self.terms().infer(&item.to_term());
            let outcomes = hir::terms::compare_known(Op::Eq, &known, &other);
            matches!(item.value, Side::Literal(_)) && !outcomes.is_true && outcomes.is_false
        };
        let item = items.iter().find(never)?;
        let (name, shown) = (self.quote_source(value.span), self.quote_source(item.span));
        let said = Diagnostic::new(
            Code::IMPOSSIBLE_PREDICATE,
            format!("`{name}` is never {shown}"),
            item.span,
            "matches nothing",
        );
        let is = words::describe_fact(&known.fact);
        let said = said.with_labels(is.map(|is| (value.span, is)));
        let subject = Subject { term, span: value.span, known };
        let Side::Literal(literal) = &item.value else { return None };
        let literal = Literal { value: literal, span: item.span };
        Some(self.suggest_literal(&said, &subject, &literal).unwrap_or_else(|| said.help("remove it from the list")))
    }
}

/// The literal of a comparison with one.
fn find_literal(atom: &Atom) -> Option<Literal<'_>> {
    let operand = match &atom.test {
        Test::Compare(_, left, right) => match (&left.value, &right.value) {
            (_, Side::Literal(_)) => right,
            (Side::Literal(_), _) => left,
            _ => return None,
        },
        Test::When { item, .. } => item,
        Test::In { items, .. } => match items.as_slice() {
            [only] => only,
            _ => return None,
        },
        _ => return None,
    };
    match &operand.value {
        Side::Literal(value) => Some(Literal { value, span: operand.span }),
        _ => None,
    }
}

/// Whether a condition guards against no rows, `COUNT(*) > 0`, or against a null that only its facts exclude: `date(DAY, '+7 days') IS NOT NULL`.
fn is_guard(term: &Term) -> bool {
    if let Term::Not(inner) = term
        && let Term::Is(sides) = inner.as_ref()
    {
        return sides.1 == Term::NULL && !matches!(sides.0, Term::Column { .. } | Term::Cell { .. });
    }
    let Term::Compare(_, sides) = term else { return false };
    let zero = |term: &Term| *term == Term::Literal(Value::Int(0));
    let count = |term: &Term| matches!(term, Term::Gathered(Gathered::Count(..)));
    (zero(&sides.0) && count(&sides.1)) || (count(&sides.0) && zero(&sides.1))
}

fn without_not(term: &Term) -> &Term {
    match term {
        Term::Not(inner) => without_not(inner),
        other => other,
    }
}

/// Whether a term contains an aggregate or a function of a window.
pub fn has_gathered(term: &Term) -> bool {
    let mut gathered = false;
    term.visit(&mut |term| gathered |= matches!(term, Term::Gathered(_)));
    gathered
}

/// Explains the time of day of a day, which is always midnight.
fn advise_on_time(term: &Term, known: &Known<'_>) -> Option<String> {
    known.fact.as_single_value()?;
    let mut format = None;
    term.visit(&mut |term| {
        if let Term::Call(name, args) = term
            && name == "strftime"
            && let Some(Term::Literal(Value::Text(written))) = args.first()
        {
            format = Some(written.clone());
        }
    });
    let format = format?;
    let letter = ["%M", "%H", "%S", "%I"].into_iter().find(|letter| format.contains(letter))?;
    Some(match letter {
        "%M" => "a day has no time: `%M` is the minute, and `%m` is the month".to_owned(),
        "%S" => "a day has no time: `%S` is the second".to_owned(),
        letter => format!("a day has no time: `{letter}` is the hour"),
    })
}
