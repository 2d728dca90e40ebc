//! Positions, such as line 134 of a text with 100 lines.

use model::domain::LoremUnit;
use model::functions::{FunctionId, Position};
use model::suite::{FileId, NameId, Op, RelationId};
use model::{Span, Value, ValueType};

use crate::context::{Checker, State, TaskScope};
use hir::facts::{self, Fact};
use hir::months::Months;
use hir::types::TyKind;
use hir::{Arg, DrawDomain, Expr, ExprKind, FileContent, NameSource};
use syntax::ast::{Content, Format};
use syntax::bounds::Bounds;
use syntax::diagnostics::wording::format_count;
use syntax::diagnostics::{Code, Diagnostic, Label};

impl<'a> TaskScope<'a> {
    /// Checks the positions of a call as far as they and the size of the data are known; also constant divisors, shares, and decimal places.
    pub fn check_bounds(&self, cx: &mut Checker<'a>, function: FunctionId, args: &[Arg]) {
        let value = |at: usize| match args.get(at) {
            Some(Arg::Value(value)) => Some(value),
            _ => None,
        };
        for (at, unit) in function.positions {
            if let Some(at) = value(*at) {
                self.check_position(cx, at, *unit, args);
            }
        }
        if let Some(by) = function.divisor.and_then(value)
            && by.as_constant().and_then(Value::as_f64) == Some(0.0)
        {
            let said = Diagnostic::new(Code::BAD_LITERAL, "the divisor is zero", by.span, "is 0");
            cx.report(said.help(format!("`{function}` needs a divisor other than 0")));
        }
        if let Some(length) = function.length.and_then(value) {
            self.reject_months(cx, length, &format!("`{function}`"));
        }
        if let Some(share) = function.share.and_then(value)
            && let Some(number) = share.as_constant().and_then(Value::as_f64)
            && !(0.0..=1.0).contains(&number)
        {
            let written = share.as_constant().map(Value::render_text).unwrap_or_default();
            let message = format!("`{function}` needs a share from 0 to 1, but this is {written}");
            let said = Diagnostic::new(Code::OUT_OF_BOUNDS, message, share.span, "0 to 1");
            cx.report(said.help("write a share such as 0.9 for the value that 90% of the others do not exceed"));
        }
        if let Some(places) = function.places.and_then(value)
            && let Some(Value::Int(number)) = places.as_constant()
            && !(0..=18).contains(number)
        {
            let message = format!("{number} decimal places are not possible");
            let said = Diagnostic::new(Code::OUT_OF_BOUNDS, message, places.span, "0 to 18");
            cx.report(said.help("write a number of places from 0 to 18"));
        }
    }

    /// Reports a duration with months where its length is needed. Returns whether it did.
    pub(crate) fn reject_months(&self, cx: &mut Checker<'a>, length: &Expr, user: &str) -> bool {
        let has_months = length.ty.kind == TyKind::Duration
            && Months::from_expr(length, &|expr| self.follow_names(expr)) == Months::Always;
        if has_months {
            let message = format!("{user} needs a length, but months differ in length");
            let said = Diagnostic::new(Code::WRONG_ARGUMENTS, message, length.span, "has months");
            cx.report(said.help("write days, such as `30 days`"));
        }
        has_months
    }

    /// Checks a position in the data of the other arguments.
    fn check_position(&self, cx: &mut Checker<'a>, at: &Expr, unit: Position, args: &[Arg]) {
        let relation = args.iter().find_map(|arg| match arg {
            Arg::Column { relation, .. } | Arg::Relation { relation, .. } => Some(*relation),
            _ => None,
        });
        let file = args.iter().find_map(|arg| match arg {
            Arg::File(file) => Some(*file),
            _ => None,
        });
        let in_text = |file: FileId, units| {
            let bounds = self.infer_unit_bounds(file, units).unwrap_or(Bounds::ANY);
            (bounds, self.relations.files[file].ast.name.span)
        };
        let (unit, (bounds, declared)) = match (unit, relation, file) {
            (Position::Line, _, Some(file)) => ("line", in_text(file, LoremUnit::Lines)),
            (Position::Word, _, Some(file)) => ("word", in_text(file, LoremUnit::Words)),
            // Rows are counted from the first one below the header.
            (Position::Row, Some(relation), _) => {
                ("row", (self.infer_row_bounds(relation), self.relations.checked[relation].span))
            }
            (Position::Column, Some(relation), _) => {
                let decl = &self.relations.checked[relation];
                let columns = decl.columns.iter().filter(|column| !column.helper).count() as u64;
                ("column", (Bounds::from_count(columns), decl.span))
            }
            (Position::Item, ..) => {
                if let Some((_, high @ ..=0)) = self.infer_number_fact(at).as_int_range() {
                    let message = format!("item {high} does not exist");
                    let said = Diagnostic::new(Code::OUT_OF_BOUNDS, message, at.span, "positions count from 1");
                    cx.report(said.help("the first item is item 1; the last one is last(items)"));
                }
                return;
            }
            _ => return,
        };
        self.check_within_bounds(cx, at, bounds, unit, declared);
    }

    /// Reports a position that is always out of bounds, or can be.
    fn check_within_bounds(&self, cx: &mut Checker<'a>, at: &Expr, bounds: Bounds, unit: &str, declared: Span) {
        let Some((low, high)) = self.infer_number_fact(at).as_int_range() else { return };
        let end = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let (least, most) = (end(bounds.least), end(bounds.most));
        if low < 1 {
            let message = format!("{unit} {low} does not exist");
            let said = Diagnostic::new(Code::OUT_OF_BOUNDS, message, at.span, "positions count from 1");
            cx.report(said.help(format!("the first {unit} is {unit} 1")));
        } else if high > most || (high > least && least > 0 && most < i64::MAX) {
            let has = if least == most {
                format_count(most as u64 as u32, unit)
            } else {
                format!("{least} to {} ", format_count(most as u64 as u32, unit)).trim().to_owned()
            };
            // The table of a fixture has no name except its path.
            let name = cx.sources.text(declared).trim_matches('"').to_owned();
            let (message, label) = if low > most {
                (format!("{unit} {low} does not exist: `{name}` has {has}"), "beyond the end".to_owned())
            } else {
                (format!("{unit} {high} may not exist: `{name}` has {has}"), format!("up to {high}"))
            };
            // A name that is used twice is out of bounds for one reason.
            let is_same = |known: &&mut Diagnostic| {
                let labels = known.secondary.iter().map(|label| label.span);
                known.code == Code::OUT_OF_BOUNDS
                    && known.message == message
                    && labels.clone().any(|span| span == declared)
            };
            if matches!(at.kind, ExprKind::Name(_))
                && let Some(known) = cx.diagnostics.iter_mut().rev().find(is_same)
                && cx.sources.text(known.primary.span) == cx.sources.text(at.span)
            {
                return known.secondary.push(Label { span: at.span, message: "and here".to_owned() });
            }
            cx.report(
                Diagnostic::new(Code::OUT_OF_BOUNDS, message, at.span, label)
                    .label(declared, format!("has {has}"))
                    .help(match least {
                        ..=0 if most <= 0 => format!("`{name}` is empty: give it {unit}s, or ask for something else"),
                        1 if most == 1 => format!("ask for {unit} 1, or make the data longer"),
                        _ => format!("ask for {unit} 1 to {}, or make the data longer", least.max(1)),
                    }),
            );
        }
    }

    /// Computes the possible values of an int name. This is done once, when the name has been checked.
    pub fn infer_name_fact(&self, name: NameId, source: &NameSource) -> Fact<'static> {
        match source {
            NameSource::Draw { draw, .. } => match &draw.domain {
                // The first and last of a thousand words are not computed.
                DrawDomain::Fixed(domain) if domain.value_type() == ValueType::Int => {
                    domain.find_range().map_or_else(Fact::unknown, |(low, high)| Fact::from_range(low, high))
                }
                _ => Fact::unknown(),
            },
            NameSource::Compute(value) => self.infer_number_fact(value),
            NameSource::Axis => {
                let cells = self.axes.iter().filter(|axis| axis.slot == name).flat_map(|axis| &axis.cells);
                let facts = cells.map(|(_, value)| self.infer_number_fact(value));
                facts.reduce(|all, next| all.join_fact(&next)).unwrap_or_else(Fact::unknown)
            }
            NameSource::Row => match self.find_row_cells(name) {
                Some(cells) if self.names[name].ty.kind == TyKind::Int => Fact::from_values(cells.iter().cloned()),
                _ => Fact::unknown(),
            },
        }
    }

    /// Computes the possible values of an int expression made of constants and names. Calls are unknown: a count never exceeds the number of rows,
    /// but its upper bound might.
    pub fn infer_number_fact(&self, expr: &Expr) -> Fact<'static> {
        match &expr.kind {
            ExprKind::Const(value @ Value::Int(_)) => Fact::from_value(value),
            ExprKind::Name(id) => self.names[*id].fact.clone(),
            ExprKind::Neg(inner) => facts::negate_fact(&self.infer_number_fact(inner)),
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul), sides) => {
                facts::compute_arithmetic(*op, &self.infer_number_fact(&sides.0), &self.infer_number_fact(&sides.1))
            }
            _ => Fact::unknown(),
        }
    }

    /// Returns the bounds of the number of rows of a relation.
    pub fn infer_row_bounds(&self, relation: RelationId) -> Bounds {
        if self.relations.declared[relation].state == State::Todo {
            return Bounds::ANY;
        }
        let rows = &self.relations.checked[relation].rows;
        if let hir::Rows::Count(low, _) | hir::Rows::PerRow { low, .. } = rows
            && low.ty.is_unknown()
        {
            // If the number has an error, assume enough rows for every aggregate.
            return Bounds { least: 2, ..Bounds::ANY };
        }
        let lines = |file| self.infer_unit_bounds(file, LoremUnit::Lines).unwrap_or(Bounds::ANY);
        facts::infer_row_bounds(
            rows,
            &|value| self.infer_number_fact(value),
            &|parent| self.infer_row_bounds(parent),
            &lines,
        )
    }

    /// Returns the bounds of the number of lines or words of a text file, if known.
    pub fn infer_unit_bounds(&self, file: FileId, unit: LoremUnit) -> Option<Bounds> {
        let decl = &self.relations.files[file];
        match (decl.content.as_ref()?, decl.format) {
            (FileContent::DrawnText(draw), _) => facts::infer_lorem_bounds(draw, unit),
            (FileContent::TextLines { relation, .. }, Format::Text) if unit == LoremUnit::Lines => {
                Some(self.infer_row_bounds(*relation))
            }
            (FileContent::Delimited { relation, .. }, _)
                if unit == LoremUnit::Lines && matches!(decl.ast.content, Content::Body { .. }) =>
            {
                // Plus the header line.
                Some(self.infer_row_bounds(*relation).add_count(1))
            }
            _ => None,
        }
    }
}
