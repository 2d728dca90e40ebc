//! The unit of a computed value, as far as functions of dates, columns, and constant factors show it.

use model::Value;
use model::functions::{DAYS_BETWEEN, Restates};
use model::suite::{ColumnId, Op, RelationId, Scope};

use super::tokens::{Kind, Token};
use super::wording::Wording;
use hir::{Arg, Expr, ExprKind};
use sql::terms::{Gathered, Operator, Term};
use syntax::prompts::english::units::{DAY, SECOND, UNIT_LINKS};
use syntax::prompts::{Aggregate, Unit};

/// The deepest expression that is read.
const MAX_DEPTH: u32 = 24;
/// The largest number of tokens between a column and its unit.
const MAX_DISTANCE: usize = 12;
/// Functions of SQL whose value has the unit of their first argument.
const KEEPING: [&str; 7] = ["round", "coalesce", "ifnull", "abs", "total", "max", "min"];

/// A size: what is measured, and how many of its smallest units one is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Size {
    measure: &'static str,
    size: f64,
}

impl Size {
    const fn of_time(size: i64) -> Size {
        Size { measure: "time", size: size as f64 }
    }

    fn from_unit(unit: &Unit) -> Size {
        Size { measure: unit.measure, size: unit.size as f64 }
    }

    /// The size of what is divided by a number.
    fn divide_by(self, number: f64) -> Option<Size> {
        (number > 0.0).then_some(Size { size: self.size * number, ..self })
    }

    /// The size of what is multiplied by a number.
    fn multiply_by(self, number: f64) -> Option<Size> {
        (number > 0.0).then_some(Size { size: self.size / number, ..self })
    }

    fn is_same(self, other: Size) -> bool {
        self.measure == other.measure && (self.size / other.size - 1.0).abs() < 1e-9
    }
}

/// Finds the unit of a value. `None` if it is not known, or none that has a name.
pub(super) fn find_unit_of(wording: &Wording<'_, '_>, value: &Expr) -> Option<&'static Unit> {
    let size = Reader { wording }.read_expr(value, Scope::default(), 0)?;
    wording.language.units.iter().find(|unit| Size::from_unit(unit).is_same(size))
}

struct Reader<'r, 'w, 'a> {
    wording: &'r Wording<'w, 'a>,
}

impl Reader<'_, '_, '_> {
    fn read_expr(&self, value: &Expr, scope: Scope, depth: u32) -> Option<Size> {
        let value = value.resolve_name(self.wording.cx.task);
        match &value.kind {
            _ if depth > MAX_DEPTH => None,
            ExprKind::Neg(inner) => self.read_expr(inner, scope, depth + 1),
            ExprKind::Column(_) => self.read_column(value.find_cell(scope)?),
            ExprKind::Binary(op, sides) => {
                let (left, right) = (&sides.0, &sides.1);
                let read = |side: &Expr| self.read_expr(side, scope, depth + 1);
                let number =
                    |side: &Expr| side.resolve_name(self.wording.cx.task).as_constant().and_then(Value::as_f64);
                match (op, number(left), number(right)) {
                    (Op::Div, _, Some(by)) => read(left)?.divide_by(by),
                    (Op::Mul, _, Some(by)) => read(left)?.multiply_by(by),
                    (Op::Mul, Some(by), _) => read(right)?.multiply_by(by),
                    (Op::Add | Op::Sub, None, None) => {
                        read(left).filter(|one| read(right).is_some_and(|other| one.is_same(other)))
                    }
                    _ => None,
                }
            }
            ExprKind::Call(function, args) => match (args.as_slice(), function.aggregate) {
                ([Arg::Column { relation, column, .. }], Some(aggregate)) if keeps_unit(aggregate) => {
                    self.read_column((*relation, *column))
                }
                ([Arg::Each { relation, value, .. }], Some(aggregate)) if keeps_unit(aggregate) => {
                    self.read_expr(value, Scope::with_row(*relation), depth + 1)
                }
                ([Arg::Value(_), Arg::Value(_)], _) if *function == DAYS_BETWEEN => Some(Size::of_time(DAY)),
                ([Arg::Value(inner), ..], _)
                    if function.can_restate() || function.restates == Some(Restates::Rounded) =>
                {
                    self.read_expr(inner, scope, depth + 1)
                }
                ([.., Arg::Sql(sql)], _) => match sql.analysis.columns.as_slice() {
                    [only] => match (&only.term, only.origin) {
                        (Some(term), _) => self.read_term(term, 0),
                        (None, Some(place)) => self.read_column(place),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    fn read_term(&self, term: &Term, depth: u32) -> Option<Size> {
        let read = |term: &Term| self.read_term(term, depth + 1);
        match term {
            _ if depth > MAX_DEPTH => None,
            Term::Column { relation, column, .. } => self.read_column((*relation, *column)),
            Term::Cell { of, .. } => read(of),
            Term::Negative(inner) | Term::Cast(_, inner) => read(inner),
            Term::Gathered(Gathered::Picked { of, .. } | Gathered::Mean(of, ..) | Gathered::Sum { of, .. }) => read(of),
            Term::Call(name, args) if KEEPING.contains(&name.as_str()) => read(args.first()?),
            Term::Operator(operator, sides) => {
                let (left, right) = (&sides.0, &sides.1);
                let number = |side: &Term| if let Term::Literal(value) = side { value.as_f64() } else { None };
                match (operator, number(left), number(right)) {
                    (Operator::Divide, _, Some(by)) => read(left)?.divide_by(by),
                    (Operator::Multiply, _, Some(by)) => read(left)?.multiply_by(by),
                    (Operator::Multiply, Some(by), _) => read(right)?.multiply_by(by),
                    (Operator::Add | Operator::Subtract, None, None) => {
                        let moments = (read_clock(left), read_clock(right));
                        match (moments, operator) {
                            ((Some(one), Some(other)), Operator::Subtract) => {
                                Some(one).filter(|one| one.is_same(other))
                            }
                            _ => read(left).filter(|one| read(right).is_some_and(|other| one.is_same(other))),
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The unit of a column: at the end of its name, or else as the wording describes it.
    fn read_column(&self, place: (RelationId, ColumnId)) -> Option<Size> {
        let name = &self.wording.cx.task.find_column(place)?.name;
        let mut units = self.wording.language.units.iter();
        let named = units.find(|unit| unit.measure != "scale" && unit.is_in_name(name));
        named.or_else(|| self.find_told_unit(name)).map(Size::from_unit)
    }

    /// The unit that a wording gives a column: "LENGTH is in minutes".
    fn find_told_unit(&self, name: &str) -> Option<&'static Unit> {
        let (text, language) = (&self.wording.text, self.wording.language);
        let mut found: Vec<&'static Unit> = Vec::new();
        // The lines of a text can show a column by its name in other letters.
        let is_name = |token: &Token<'_>| token.text == name || token.quoted && token.text.eq_ignore_ascii_case(name);
        for (at, token) in text.tokens.iter().enumerate().filter(|(_, token)| is_name(token)) {
            let near = text.tokens.iter().enumerate().skip(at + 1).take(MAX_DISTANCE);
            let near = near.take_while(|(_, other)| other.sentence == token.sentence);
            // The unit of what is asked for is not that of the column.
            if self.wording.is_in_request(at) {
                continue;
            }
            found.extend(self.find_counted_unit(at));
            let lead = near
                .filter(|(_, other)| matches!(other.kind, Kind::Word))
                .find(|(_, other)| other.is_any(language.unit_leads));
            let Some((lead, _)) = lead else { continue };
            let is_unit = |unit: &&Unit| {
                unit.measure != "scale" && unit.words.iter().any(|word| text.match_phrase(lead + 1, word).is_some())
            };
            found.extend(language.units.iter().find(is_unit));
        }
        match found.as_slice() {
            [first, rest @ ..] if rest.iter().all(|other| std::ptr::eq(*other, *first)) => Some(*first),
            _ => None,
        }
    }
}

impl Reader<'_, '_, '_> {
    /// The unit that a wording counts in a column: "DELAY is by how many minutes", "`dwell` says how many seconds".
    fn find_counted_unit(&self, at: usize) -> Option<&'static Unit> {
        let (text, language) = (&self.wording.text, self.wording.language);
        let is_link = |at: &usize| text.tokens.get(*at).is_some_and(|token| token.is_any(UNIT_LINKS));
        let start = (at + 1..text.tokens.len()).find(|at| !is_link(at)).filter(|start| *start > at + 1)?;
        let lead = text.match_phrase(start, "how many")?;
        language.units.iter().find(|unit| unit.words.iter().any(|word| text.match_phrase(lead, word).is_some()))
    }
}

/// The unit of a moment as a number, of which a difference has it, too.
fn read_clock(term: &Term) -> Option<Size> {
    match term {
        Term::Cast(_, inner) => read_clock(inner),
        Term::Call(name, args) => match (name.as_str(), args.first()) {
            ("unixepoch", _) => Some(Size::of_time(SECOND)),
            ("julianday", _) => Some(Size::of_time(DAY)),
            ("strftime", Some(Term::Literal(Value::Text(form)))) if form == "%s" => Some(Size::of_time(SECOND)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an aggregate has the unit of its values.
fn keeps_unit(aggregate: Aggregate) -> bool {
    matches!(aggregate, Aggregate::Sum | Aggregate::Mean | Aggregate::Median | Aggregate::High | Aggregate::Low)
}
