//! The option `written`: other forms in which the numbers and dates of an answer may be written.

use model::numeral::list_unit_names;
use model::suite::matchers::{Reads, Record, Takes};
use model::suite::{Matcher, Options, Told};
use model::{Date, DateTime, Decimal, Span, Value};
use tables::{CellType, Pattern};

use super::AnswerChecker;
use crate::lakes::marks::{build_left_out_diagnostic, check_factor};
use hir::types::{Ty, TyKind};
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

/// The forms of one expectation, with the places where they are written.
pub(super) type ToldPlaces = Vec<(Span, Told)>;

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks `written "PATTERN" times N` after a value of this type, or for columns of these types.
    pub(super) fn check_told(
        &mut self,
        span: Span,
        (pattern, times): (&'a ast::Expr, Option<&'a ast::Expr>),
        matcher: Matcher,
        of: &[&Ty],
    ) -> Option<Told> {
        if !self.task.cx.check_option_supported(span, "written", matcher, is_supported) {
            return None;
        }
        let fixed = self.task.require_fixed_value(pattern, "`written`")?;
        let Some(Value::Text(source)) = fixed.as_constant() else { return None };
        let times = match times {
            Some(times) => Some(check_factor(self.task, times, Code::BAD_OPTION)?),
            None => None,
        };
        let told = Told { pattern: source.clone(), times };
        let mut is_clear = true;
        for of in of {
            is_clear = is_clear && self.check_told_for(&told, of, (span, fixed.span));
        }
        is_clear.then_some(told)
    }

    /// Checks that a form fits a number or date of a value of this type. Reports it if it does not.
    fn check_told_for(&mut self, told: &Told, of: &Ty, (option, at): (Span, Span)) -> bool {
        let types = list_cell_types(of);
        let Some(first) = types.first().copied() else {
            if !of.is_unknown() {
                let message =
                    format!("`written` needs numbers or dates, but the value is {}", of.describe_with_article());
                let said = Diagnostic::new(Code::BAD_OPTION, message, option, "no number or date");
                self.task.cx.report(said.help("remove it"));
            }
            return false;
        };
        let source = &told.pattern;
        let parsed = types.iter().find_map(|ty| Some((*ty, Pattern::parse(source, *ty).ok()?)));
        let Some((ty, pattern)) = parsed else {
            if let Err(error) = Pattern::parse(source, first) {
                self.task.cx.report_pattern_error(&error, source, at, first);
            }
            return false;
        };
        if let Some(error) = pattern.check_writing().err().filter(|_| ty.is_calendar()) {
            self.task.cx.report_pattern_error(&error, source, at, ty);
            return false;
        }
        if ty.is_calendar() && told.times.is_some() {
            let said = Diagnostic::new(
                Code::BAD_OPTION,
                "`times` needs a number, but the form is that of a date",
                option,
                "a date",
            );
            self.task.cx.report(said.help("remove `times`"));
            return false;
        }
        let pattern = match told.times {
            Some(times) => pattern.with_times(times),
            None => pattern,
        };
        match build_left_out_diagnostic(&pattern, at) {
            Some(said) => {
                self.task.cx.report(said);
                false
            }
            None => true,
        }
    }

    /// Checks the forms of one value, or of one column, together: no two may read one text as two values, and none with text around its number
    /// fits a unit. Reports the first that do, and returns whether there are none.
    pub(super) fn check_told_together(
        &mut self,
        places: &[(Span, Told)],
        options: &Options,
        ty: &Ty,
        unit: Option<Span>,
    ) -> bool {
        let own = || places.iter().filter(|(_, told)| options.written.contains(told));
        for ty in list_cell_types(ty) {
            let parsed: Vec<(Span, Pattern)> =
                own().filter_map(|(at, told)| Some((*at, Pattern::parse_told(told, ty).ok()?))).collect();
            let is_wrapped = |pattern: &Pattern| pattern.list_affixes().iter().any(|around| !around.is_empty());
            // The names of currencies are known.
            let is_open =
                options.units.iter().any(|unit| list_unit_names(unit).is_none_or(|names| names.contains(&"%")));
            let wrapped = parsed.iter().find(|(_, pattern)| is_wrapped(pattern)).filter(|_| is_open);
            if let (Some(unit), Some((at, _))) = (unit, wrapped) {
                let message = "`unit` cannot be combined with a form that has text around its number";
                let said = Diagnostic::new(Code::BAD_OPTION, message, unit, "which text is next to the number?");
                self.task.cx.report(said.label(*at, "has text of its own").help("keep one of the two"));
                return false;
            }
            for (index, (at, pattern)) in parsed.iter().enumerate() {
                let others = parsed.get(..index).unwrap_or_default();
                let found = others
                    .iter()
                    .find_map(|(first, known)| Some((first, find_text_of_two_values(known, pattern, ty)?)));
                let Some((first, text)) = found else { continue };
                let what = if ty.is_calendar() { "dates" } else { "numbers" };
                let message = format!("`{text}` would be read as two {what}");
                let said = Diagnostic::new(Code::BAD_STYLE, message, *at, "reads another value");
                self.task.cx.report(said.label(*first, "read by this form, too").help("keep one of the two forms"));
                return false;
            }
        }
        true
    }
}

fn is_supported(record: &Record) -> bool {
    matches!(record.takes, Takes::Number | Takes::Date | Takes::Json | Takes::List)
        || record.takes == Takes::Rows && record.reads == Reads::Text
}

/// Lists the types of numbers and dates in a value, each once.
fn list_cell_types(ty: &Ty) -> Vec<CellType> {
    let mut found = Vec::new();
    collect_cell_types(ty, &mut found);
    found
}

fn collect_cell_types(ty: &Ty, found: &mut Vec<CellType>) {
    let mut add = |ty: CellType| {
        if !found.contains(&ty) {
            found.push(ty);
        }
    };
    match &ty.kind {
        TyKind::Int | TyKind::Decimal(_) | TyKind::Float => add(CellType::Decimal(None)),
        TyKind::Date => add(CellType::Date),
        TyKind::DateTime => add(CellType::DateTime),
        TyKind::List(item) | TyKind::Map(item) => collect_cell_types(item, found),
        TyKind::Object(fields) | TyKind::Rows(fields) => {
            fields.iter().for_each(|(_, field)| collect_cell_types(field, found));
        }
        // JSON can have several types.
        TyKind::Unknown => [CellType::Decimal(None), CellType::Date, CellType::DateTime].into_iter().for_each(add),
        _ => {}
    }
}

/// Finds a text that two forms read as different values.
fn find_text_of_two_values(first: &Pattern, second: &Pattern, ty: CellType) -> Option<String> {
    // A point or comma before three digits can be between groups, or before a fraction.
    const GROUPS: [&str; 2] = ["1.234", "1,234"];
    let samples = list_samples(ty);
    let texts = samples.iter().flat_map(|value| [first.write(value), second.write(value)]).flatten();
    let texts: Vec<String> = texts.chain(GROUPS.map(str::to_owned)).collect();
    texts.into_iter().find(|text| matches!((first.read(text), second.read(text)), (Ok(a), Ok(b)) if !a.is_same(&b)))
}

/// Lists values whose texts tell forms apart: days and months that can be swapped, groups that can be fractions.
fn list_samples(ty: CellType) -> Vec<Value> {
    let date = || Date::new(2003, 4, 5);
    match ty {
        CellType::Date => date().map(Value::Date).into_iter().collect(),
        CellType::DateTime => {
            date().and_then(|date| DateTime::new(date, 6, 7, 8)).map(Value::DateTime).into_iter().collect()
        }
        _ => [(7, 0), (-7, 0), (7_000, 0), (1_234, 0), (1_234_567, 0), (12, 2)]
            .into_iter()
            .filter_map(|(units, places)| Decimal::new(units, places).map(Value::Decimal))
            .collect(),
    }
}
