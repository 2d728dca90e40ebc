//! `date_form` for moments: a datetime that is compared with a day as if that were its last moment, or with a moment in another form.

use model::suite::{ColumnId, Op, RelationId};
use model::{Date, DateTime, Duration, Value};

use super::operands::Lint;
use hir::types::TyKind;
use sql::predicates::{Atom, Operand, Side, Test};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// A day with which a datetime is compared.
pub(super) struct Day {
    /// As it is written, such as `'2024-01-31'` or `:day`.
    shown: String,
    /// The first and the last day that it can be.
    range: (Date, Date),
}

impl<'a> Lint<'_, 'a> {
    /// The day that a side is: a text in the query, or a date of the task.
    pub(super) fn find_day(&self, bound: &Operand) -> Option<Day> {
        match &bound.value {
            Side::Literal(Value::Text(word)) => {
                let day = Date::parse_iso(word)?;
                Some(Day { shown: format!("'{day}'"), range: (day, day) })
            }
            Side::Param(name) => {
                let value = self.sql.find_param(name).filter(|value| value.ty.kind == TyKind::Date)?;
                let range = match self.cx.facts().infer_expr(value, self.scope).range? {
                    (Value::Date(low), Value::Date(high)) => (low, high),
                    _ => return None,
                };
                Some(Day { shown: self.quote_source(bound.span), range })
            }
            _ => None,
        }
    }

    /// Reports a datetime that is compared with a moment in another form.
    pub(super) fn check_moment_form(
        &self,
        column: (RelationId, ColumnId),
        bound: &Operand,
        word: &str,
    ) -> Option<Diagnostic> {
        let moment = DateTime::parse_iso(word).filter(|moment| moment.to_string() != *word)?;
        let said = self.build_form_diagnostic(column, bound, &moment.to_string());
        let instead = format!("'{moment}'");
        Some(said.help(format!("write {instead}")).fix(
            format!("replace with {instead}"),
            Applicability::Unsafe,
            bound.span,
            instead,
        ))
    }

    /// Reports a datetime that is compared with a day as if that were its last moment.
    pub(super) fn check_day(
        &self,
        atom: &Atom,
        op: Op,
        (value, column): (&Operand, (RelationId, ColumnId)),
        day: &Day,
    ) -> Option<Diagnostic> {
        let fact = self.cx.facts().lookup_column(column.0, column.1);
        let (Value::DateTime(low), Value::DateTime(high)) = fact.range.as_ref().map(|(low, high)| (low, high))? else {
            return None;
        };
        let (first, last) = (low.date(), high.date());
        if day.range.1 < first || last < day.range.0 || first == last {
            return None;
        }
        let name = self.quote_source(value.span);
        let written = self.quote_source(atom.span);
        let shown = &day.shown;
        let (code, message) = match op {
            Op::Eq => {
                (Code::IMPOSSIBLE_PREDICATE, format!("`{written}` is false for every row: `{name}` has a time of day"))
            }
            Op::Ne => {
                (Code::VACUOUS_PREDICATE, format!("`{written}` is true for every row: `{name}` has a time of day"))
            }
            Op::Le => (Code::DATE_FORM, format!("`{written}` leaves out the day {shown} itself, except midnight")),
            Op::Gt => (Code::DATE_FORM, format!("`{written}` includes the day {shown} itself, except midnight")),
            _ => return None,
        };
        let is_known = day.range.0 == day.range.1 && !matches!(atom.test, Test::Between { .. });
        let next = day.range.0.checked_add(Duration::from_days(1)).filter(|_| is_known);
        let help = match (op, next) {
            (Op::Le, Some(next)) => format!("write `{name} < '{next}'`, or `date({name}) <= {shown}`"),
            (Op::Gt, Some(next)) => format!("write `{name} >= '{next}'`, or `date({name}) > {shown}`"),
            _ => format!("compare `date({name})`"),
        };
        let instead = format!("date({})", self.cx.sources.text(value.span));
        let declared = self.cx.task.find_column(column)?.span;
        let said = Diagnostic::new(code, message, atom.span, "a day has no time").label(declared, "declared here");
        let noon = DateTime::new(day.range.0, 12, 0, 0).filter(|noon| low <= noon && noon <= high);
        let said =
            match noon.map(Value::DateTime).filter(|noon| fact.domain.is_none_or(|domain| domain.has_value(noon))) {
                Some(noon) => {
                    let (noon, day) = (noon.render_text(), day.range.0);
                    said.note(format!("as text, a row with {name} '{noon}' is after '{day}', because it is longer"))
                }
                None => said,
            };
        Some(said.help(help).fix(format!("compare `date({name})`"), Applicability::Unsafe, value.span, instead))
    }
}
