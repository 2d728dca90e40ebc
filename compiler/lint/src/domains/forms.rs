//! `like_without_wildcard`, `digits_as_text`, `date_form` (with `moments`), and `negative_time`: comparisons in SQL that do not fit the form of the values in the database.

use model::suite::{ColumnId, Op, RelationId};
use model::{Date, Span, Value, ValueType};

use super::operands::Lint;
use super::sql::suggest_dates;
use super::words;
use hir::terms::{Known, match_texts, measure_text};
use sql::predicates::{Atom, Difference, Operand, Side, Test};
use sql::terms::MatchKind;
use sql::{ByLetters, Decides};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// The maximum number of texts that are sorted to see whether their order is that of the numbers.
const MAX_SORTED: u128 = 5000;

impl<'a> Lint<'_, 'a> {
    /// Reports a comparison that does not fit the form of a column's values in the database.
    pub fn check_form(&self, atom: &Atom) -> Option<Diagnostic> {
        match &atom.test {
            Test::Like { value, text, pattern } => self
                .check_wildcard(atom, value, (text, *pattern))
                .or_else(|| self.check_underscore(atom, value, (text, *pattern))),
            Test::Compare(op, left, right) => self
                .check_bound(atom, *op, left, right)
                .or_else(|| self.check_bound(atom, op.swap_sides(), right, left))
                .or_else(|| self.check_padding(atom, *op, left, right)),
            Test::Between { value, low, high } => self
                .check_bound(atom, Op::Ge, value, low)
                .or_else(|| self.check_bound(atom, Op::Le, value, high))
                .or_else(|| self.check_padded_order(atom, value, low))
                .or_else(|| self.check_padded_order(atom, value, high)),
            _ => None,
        }
    }

    /// Reports places at which digits that are held as text are ordered letter by letter.
    pub fn report_ordered_digits(&self, said: &mut Vec<Diagnostic>) {
        for ByLetters { span, column, what } in &self.sql.analysis.by_letters {
            if matches!(what, Decides::Order { .. }) && self.has_unordered_digits(*column) {
                let name = self.name_column(*column);
                let written = self.cx.sources.text(*span);
                let help = match written.eq_ignore_ascii_case("min") || written.eq_ignore_ascii_case("max") {
                    true => format!("write `{written}(CAST({name} AS INTEGER))`"),
                    false => format!("write `CAST({} AS INTEGER)`", self.quote_source(*span)),
                };
                said.push(self.build_digits_diagnostic(*column, *span).help(help));
            } else if matches!(what, Decides::Order { .. }) {
                said.extend(self.check_versions(*column, *span));
            }
        }
    }

    /// Reports differences of moments that are negative in every row, except in conditions that have been decided.
    pub fn report_negative_times(&self, decided: &[Span], said: &mut Vec<Diagnostic>) {
        for Difference { later, earlier, term } in &self.sql.analysis.predicates.differences {
            let span = later.span.extend_to(earlier.span);
            let known = self.terms().infer(term);
            let negative =
                known.fact.range.as_ref().is_some_and(|(_, high)| high.as_f64().is_some_and(|high| high < 0.0));
            if !negative || decided.iter().any(|decided| decided.is_enclosing(span)) {
                continue;
            }
            let (first, second) = (self.quote_source(later.span), self.quote_source(earlier.span));
            let message = format!("`{first} - {second}` is negative in every row");
            let swapped = format!("{} - {}", self.cx.sources.text(earlier.span), self.cx.sources.text(later.span));
            let is = words::describe_fact(&known.fact).unwrap_or_else(|| "negative".to_owned());
            said.push(
                Diagnostic::new(Code::NEGATIVE_TIME, message, span, is)
                    .help(format!("write the later moment first: `{second} - {first}`"))
                    .fix("swap the moments", Applicability::Unsafe, span, swapped),
            );
        }
    }

    fn build_digits_diagnostic(&self, column: (RelationId, ColumnId), span: Span) -> Diagnostic {
        let name = self.name_column(column);
        let message = format!("`{name}` holds digits as text, which are ordered letter by letter");
        let (first, second) = self.find_misordered(column).unwrap_or_else(|| ("10".to_owned(), "9".to_owned()));
        let declared = self.cx.task.find_column(column).map(|declared| declared.span);
        Diagnostic::new(Code::DIGITS_AS_TEXT, message, span, "in the order of texts")
            .with_labels(declared.map(|declared| (declared, "text")))
            .note(format!("as text, '{first}' is before '{second}'"))
    }

    /// Two texts of a column that are in another order than their numbers.
    fn find_misordered(&self, column: (RelationId, ColumnId)) -> Option<(String, String)> {
        let domain = self.cx.facts().lookup_column(column.0, column.1).domain?;
        let last = domain.cardinality()?.checked_sub(1)?;
        // The first and the last values have the fewest and the most digits.
        let texts: Vec<String> = [0, 1, 2, 8, last]
            .into_iter()
            .filter_map(|at| Some(domain.value_at(at)?.render_text().into_owned()))
            .collect();
        let number = |text: &String| text.parse::<u64>().ok();
        let pairs = texts.iter().flat_map(|first| texts.iter().map(move |second| (first, second)));
        let mut wrong = pairs.filter(|(first, second)| first < second && number(first) > number(second));
        wrong.next().map(|(first, second)| (first.clone(), second.clone()))
    }

    pub(super) fn name_column(&self, column: (RelationId, ColumnId)) -> &str {
        self.cx.task.find_column(column).map_or("", |column| column.name.as_str())
    }

    /// Whether a column holds only digits as text, in another order than that of their numbers.
    fn has_unordered_digits(&self, (relation, column): (RelationId, ColumnId)) -> bool {
        let is_text = self
            .cx
            .task
            .find_column((relation, column))
            .is_some_and(|found| found.ty.value_type() == Some(ValueType::Text));
        let fact = self.cx.facts().lookup_column(relation, column);
        let Some(known) = Known::from_stored(&fact, ValueType::Text).filter(|_| is_text) else { return false };
        let Some(texts) = known.to_texts() else { return false };
        let only_digits = match_texts(&texts, "*[^0-9]*", MatchKind::Glob).is_some_and(|(other, _)| !other);
        let lengths = measure_text(&known);
        if !only_digits || lengths.closed.as_ref().is_none_or(|lengths| lengths.len() < 2) {
            return false;
        }
        let small = fact.domain.filter(|domain| domain.cardinality().is_some_and(|size| size <= MAX_SORTED));
        match known.fact.closed.clone().or_else(|| small?.list_values()) {
            Some(values) => is_in_other_order(&values),
            None => true,
        }
    }

    /// Reports `x LIKE 'text'` without a wildcard, where texts of the column contain more than that.
    fn check_wildcard(&self, atom: &Atom, value: &Operand, (text, at): (&str, Span)) -> Option<Diagnostic> {
        if text.contains(['%', '_', '*', '?']) || !text.contains(char::is_alphanumeric) {
            return None;
        }
        let known = self.terms().infer(&value.to_term());
        if known.is_text() == Some(false) || !may_contain_more(&known, text) {
            return None;
        }
        let name = self.quote_source(value.span);
        let message = format!("`{}` has no wildcard, so it matches only the whole text", self.quote_source(atom.span));
        let pattern = format!("'%{}%'", text.replace('\'', "''"));
        let help = format!("write {pattern} for texts that contain it, or `=` for this value alone");
        let said = Diagnostic::new(Code::LIKE_WITHOUT_WILDCARD, message, at, "the whole text");
        let said = match find_longer_text(&known, text) {
            Some(longer) => said.note(format!("a row with {name} '{longer}' does not match")),
            None => said,
        };
        Some(said.help(help).fix(format!("replace with {pattern}"), Applicability::Unsafe, at, pattern))
    }

    /// Reports `column op bound` with a bound in another form than the column's values, or in the order of letters.
    fn check_bound(&self, atom: &Atom, op: Op, value: &Operand, bound: &Operand) -> Option<Diagnostic> {
        let Side::Column { relation, column, .. } = value.value else { return None };
        let column = (relation, column);
        let kind = self.cx.task.find_column(column)?.ty.value_type()?;
        if kind == ValueType::DateTime
            && let Some(day) = self.find_day(bound)
        {
            return self.check_day(atom, op, (value, column), &day);
        }
        if kind == ValueType::Text && matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge) {
            return self.check_text_order(atom, value, column, bound);
        }
        let Side::Literal(Value::Text(word)) = &bound.value else { return None };
        match kind {
            ValueType::Date if Date::parse_iso(word).is_none() => {
                let said = self.build_form_diagnostic(column, bound, "2024-01-31");
                suggest_dates(&said, word, bound.span)
            }
            ValueType::DateTime => self.check_moment_form(column, bound, word),
            _ => None,
        }
    }

    /// Reports a text that is compared letter by letter, although it is a number or a version.
    fn check_text_order(
        &self,
        atom: &Atom,
        value: &Operand,
        column: (RelationId, ColumnId),
        bound: &Operand,
    ) -> Option<Diagnostic> {
        if matches!(bound.value, Side::Literal(Value::Text(_))) && self.has_unordered_digits(column) {
            let help =
                format!("write `CAST({} AS INTEGER)`, and the number without quotes", self.quote_source(value.span));
            return Some(self.build_digits_diagnostic(column, atom.span).help(help));
        }
        let is_value = matches!(bound.value, Side::Literal(Value::Text(_)) | Side::Param(_));
        self.check_versions(column, atom.span).filter(|_| is_value)
    }

    pub(super) fn build_form_diagnostic(
        &self,
        column: (RelationId, ColumnId),
        bound: &Operand,
        form: &str,
    ) -> Diagnostic {
        let name = self.name_column(column);
        let written = self.quote_source(bound.span);
        let message = format!("`{name}` is never written like {written}: SQL compares texts such as '{form}'");
        let declared = self.cx.task.find_column(column).map(|declared| declared.span);
        Diagnostic::new(Code::DATE_FORM, message, bound.span, "another form")
            .with_labels(declared.map(|declared| (declared, "declared here")))
    }
}

/// A text of the set that contains a text, in any letter case, and more than that.
fn find_longer_text<'v>(known: &'v Known<'_>, text: &str) -> Option<&'v str> {
    let text = text.to_ascii_lowercase();
    known.fact.closed.iter().flat_map(|values| values.iter()).filter_map(Value::as_text).find(|value| {
        let value = value.to_ascii_lowercase();
        value != text && value.contains(&text)
    })
}

/// Whether a text of the set may contain a text, in any letter case, and more than that.
fn may_contain_more(known: &Known<'_>, text: &str) -> bool {
    if known.fact.closed.is_some() {
        return find_longer_text(known, text).is_some();
    }
    let Some(texts) = &known.texts else { return true };
    let may_match =
        |pattern: String| match_texts(texts, &pattern, MatchKind::Like(None)).is_none_or(|(may_match, _)| may_match);
    may_match(format!("%_{text}%")) || may_match(format!("%{text}_%"))
}

/// Whether texts of digits are in another order than their numbers.
fn is_in_other_order(values: &[Value]) -> bool {
    let mut texts: Vec<&str> = values.iter().filter_map(Value::as_text).collect();
    texts.sort_unstable();
    let number = |text: &str| {
        let digits = text.trim_start_matches('0');
        (digits.len(), digits.to_owned())
    };
    texts.windows(2).any(|pair| match pair {
        [first, second] => number(first) > number(second),
        _ => false,
    })
}
