//! Positions: line 134 of a text of 100.

use plan::domain::{Domain, LoremUnit};
use plan::suite::{FileIx, NameId, Op, RelationId};
use plan::{Span, Value, ValueType};

use crate::ast::{Content, Format};
use crate::check::model::TaskChecker;
use crate::check::say::counted;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{Arg, DrawDomain, Expr, ExprKind, FileContent, NameSource};

/// A sentence of lorem has 8 to 15 words, a paragraph 4 to 8 sentences (edition 1).
const WORDS_A_SENTENCE: (i64, i64) = (8, 15);
const SENTENCES_A_PARAGRAPH: (i64, i64) = (4, 8);

impl TaskChecker<'_, '_> {
    /// Checks the positions that a call asks for, where they and the data's size are known.
    pub fn check_bounds(&mut self, name: &str, args: &[Arg]) {
        match (name, args) {
            ("file_line", [Arg::File(file), Arg::Value(at)]) => {
                let lines = self.units_of(*file, LoremUnit::Lines);
                self.position(at, lines, "line", *file);
            }
            ("file_word", [Arg::File(file), Arg::Value(at)]) => {
                let words = self.units_of(*file, LoremUnit::Words);
                self.position(at, words, "word", *file);
            }
            ("csv_cell", [Arg::Relation { relation, .. }, Arg::Value(row), Arg::Value(column)]) => {
                self.row_position(row, *relation);
                let columns =
                    self.relations[relation.0 as usize].columns.iter().filter(|column| !column.helper).count() as i64;
                self.within(column, (columns, columns), "column", self.relations[relation.0 as usize].ident.span);
            }
            ("csv_row", [Arg::Relation { relation, .. }, Arg::Value(row)]) => self.row_position(row, *relation),
            ("csv_value" | "sqlite_value", args) => {
                let relation = args.iter().find_map(|arg| match arg {
                    Arg::Column { relation, .. } | Arg::Relation { relation, .. } => Some(*relation),
                    _ => None,
                });
                let row = args.iter().find_map(|arg| match arg {
                    Arg::Value(row) => Some(row),
                    _ => None,
                });
                if let (Some(relation), Some(row)) = (relation, row) {
                    self.row_position(row, relation);
                }
            }
            ("mod", [_, Arg::Value(by)]) if by.value().and_then(Value::as_f64) == Some(0.0) => self.cx.say(
                Diagnostic::new(Code::BAD_LITERAL, "this divides by zero", by.span, "is 0")
                    .help("`mod` needs another divisor than 0"),
            ),
            ("nth", [_, Arg::Value(at)]) => {
                if let Some((_, high @ ..=0)) = self.range_of(at) {
                    self.cx.say(
                        Diagnostic::new(
                            Code::OUT_OF_BOUNDS,
                            format!("there is no item {high}"),
                            at.span,
                            "positions count from 1",
                        )
                        .help("the first item is item 1; the last one is last(items)"),
                    );
                }
            }
            ("round" | "format" | "to_decimal", [_, Arg::Value(places)]) => {
                if let Some(Value::Int(number)) = places.value()
                    && !(0..=18).contains(number)
                {
                    self.cx.say(
                        Diagnostic::new(
                            Code::OUT_OF_BOUNDS,
                            format!("there are no {number} decimal places"),
                            places.span,
                            "0 to 18",
                        )
                        .help("write a number of places from 0 to 18"),
                    );
                }
            }
            _ => {}
        }
    }

    /// A row's position: rows count from the first below the header.
    fn row_position(&mut self, at: &Expr, relation: RelationId) {
        let bounds = self.row_bounds(relation);
        let declared = self.relations[relation.0 as usize].ident.span;
        self.within(at, bounds, "row", declared);
    }

    fn position(&mut self, at: &Expr, units: Option<(i64, i64)>, unit: &str, file: FileIx) {
        let declared = self.files[file.0 as usize].ast.name.span;
        self.within(at, units.unwrap_or((0, i64::MAX)), unit, declared);
    }

    /// Says so where a position is surely outside, or may be.
    fn within(&mut self, at: &Expr, (least, most): (i64, i64), unit: &str, declared: Span) {
        let Some((low, high)) = self.range_of(at) else { return };
        if low < 1 {
            self.cx.say(
                Diagnostic::new(
                    Code::OUT_OF_BOUNDS,
                    format!("there is no {unit} {low}"),
                    at.span,
                    "positions count from 1",
                )
                .help(format!("the first {unit} is {unit} 1")),
            );
        } else if high > most || (high > least && least > 0 && most < i64::MAX) {
            let has = if least == most {
                counted(most as u64 as u32, unit)
            } else {
                format!("{least} to {} ", counted(most as u64 as u32, unit)).trim().to_owned()
            };
            // A fixture's table has no name but its path.
            let name = self.cx.sources.text(declared).trim_matches('"').to_owned();
            let (message, label) = if low > most {
                (format!("there is no {unit} {low}: `{name}` has {has}"), "beyond the end".to_owned())
            } else {
                (format!("there may be no {unit} {high}: `{name}` has {has}"), format!("up to {high}"))
            };
            self.cx.say(
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

    /// The least and greatest value of a name that is an int, where known: told once, when the name is done.
    pub fn range_of_name(&self, name: NameId, source: &NameSource) -> Option<(i64, i64)> {
        match source {
            NameSource::Draw { draw, .. } => match &draw.domain {
                // The ends of a thousand words are not looked for.
                DrawDomain::Fixed(domain) if domain.value_type() == ValueType::Int => match domain.range()? {
                    (Value::Int(low), Value::Int(high)) => Some((low, high)),
                    _ => None,
                },
                _ => None,
            },
            NameSource::Compute(value) | NameSource::Variant(value) => self.range_of(value),
            NameSource::Axis => {
                let axis = self.axes.iter().find(|axis| axis.slot == name)?;
                let mut range: Option<(i64, i64)> = None;
                for (_, value) in &axis.cells {
                    let (low, high) = self.range_of(value)?;
                    range = Some(range.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
                }
                range
            }
        }
    }

    /// The least and greatest value of an int expression, where known.
    pub fn range_of(&self, expr: &Expr) -> Option<(i64, i64)> {
        match &expr.kind {
            ExprKind::Const(Value::Int(value)) => Some((*value, *value)),
            ExprKind::Name(id) => self.names[id.0 as usize].range,
            ExprKind::Neg(inner) => {
                let (low, high) = self.range_of(inner)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            ExprKind::Binary(op, sides) => {
                let ((a, b), (c, d)) = (self.range_of(&sides.0)?, self.range_of(&sides.1)?);
                match op {
                    Op::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
                    Op::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
                    Op::Mul => {
                        let corners = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
                        Some((*corners.iter().min()?, *corners.iter().max()?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// How many lines or words a text file has, where known.
    pub fn units_of(&self, file: FileIx, unit: LoremUnit) -> Option<(i64, i64)> {
        let decl = &self.files[file.0 as usize];
        match (decl.content.as_ref()?, decl.format) {
            (FileContent::DrawnText(draw), _) => match &draw.domain {
                DrawDomain::Fixed(Domain::Lorem { unit: has, low, high }) => {
                    let (low, high) = (i64::from(*low), i64::from(*high));
                    let per = |range: (i64, i64)| (low * range.0, high * range.1);
                    let (a, b) = (WORDS_A_SENTENCE, SENTENCES_A_PARAGRAPH);
                    Some(match (has, unit) {
                        (LoremUnit::Lines, LoremUnit::Lines) | (LoremUnit::Words, LoremUnit::Words) => (low, high),
                        (LoremUnit::Words | LoremUnit::Sentences, LoremUnit::Lines) => (1, 1),
                        // Paragraphs are one line each, with a blank line between.
                        (LoremUnit::Paragraphs, LoremUnit::Lines) => (low * 2 - 1, high * 2 - 1),
                        (LoremUnit::Lines | LoremUnit::Sentences, LoremUnit::Words) => per(a),
                        (LoremUnit::Paragraphs, LoremUnit::Words) => per((a.0 * b.0, a.1 * b.1)),
                        _ => return None,
                    })
                }
                _ => None,
            },
            (FileContent::TextLines { relation, .. }, Format::Text) if unit == LoremUnit::Lines => {
                Some(self.row_bounds(*relation))
            }
            (FileContent::Delimited { relation, .. }, _)
                if unit == LoremUnit::Lines && matches!(decl.ast.content, Content::Body { .. }) =>
            {
                let (low, high) = self.row_bounds(*relation);
                Some((low.saturating_add(1), high.saturating_add(1)))
            }
            _ => None,
        }
    }
}
