//! Types of expressions, and whether they may be null.

use std::collections::BTreeSet;

use model::ValueType;
use sqlparser::ast::{BinaryOperator as Op, Expr, Ident, UnaryOperator, Value};

use super::compare::Side;
use super::scope::{Found, Of, ROW_ID, Source, Typed, lookup};
use super::select::Analyser;
use super::{ParamKind, functions, rows};

impl Analyser<'_> {
    /// The type of an expression; its names are checked on the way.
    pub fn expr(&mut self, expr: &Expr) -> Typed {
        let around = std::mem::take(&mut self.letters);
        let mut value = self.typed(expr);
        let own = std::mem::replace(&mut self.letters, around);
        // A number or a truth value does not have letters, whatever it was computed from.
        value.letters = if value.may_be_text() { own } else { BTreeSet::new() };
        self.letters.extend(value.letters.iter().cloned());
        match self.frames.last() {
            Some(frame) => frame.shown(expr, value),
            None => value,
        }
    }

    fn typed(&mut self, expr: &Expr) -> Typed {
        let compared = self.compared.take();
        self.note_test(expr);
        match expr {
            Expr::Identifier(name) => self.name(std::slice::from_ref(name), compared),
            Expr::CompoundIdentifier(parts) => self.name(parts, compared),
            Expr::Value(value) => self.literal(&value.value),
            Expr::Nested(inner) => {
                self.compared = compared;
                self.expr(inner)
            }
            Expr::Collate { expr, .. } => {
                self.compared = compared;
                self.expr(expr).computed()
            }
            Expr::BinaryOp { .. } => self.binary(expr),
            Expr::UnaryOp { op, expr } => {
                let value = self.expr(expr);
                match op {
                    UnaryOperator::Not => Typed::of(ValueType::Int, value.nullable),
                    UnaryOperator::BitwiseNot => Typed::of(ValueType::Int, value.nullable),
                    _ if value.ty.is_some_and(ValueType::is_number) => value.computed(),
                    _ => Typed { nullable: value.nullable, ..Typed::unknown() },
                }
            }
            Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsTrue(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsNotFalse(inner) => {
                self.expr(inner);
                Typed::of(ValueType::Int, false)
            }
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.pair(left, right);
                Typed::of(ValueType::Int, false)
            }
            Expr::Between { expr, low, high, .. } => {
                let value = self.expr(expr);
                let mut nullable = value.nullable;
                for bound in [low, high] {
                    nullable |= self.against(expr, &value, bound).nullable;
                }
                Typed::of(ValueType::Int, nullable)
            }
            Expr::InList { expr, list, .. } => {
                let value = self.expr(expr);
                let mut nullable = value.nullable;
                for item in list {
                    nullable |= self.against(expr, &value, item).nullable;
                }
                Typed::of(ValueType::Int, nullable)
            }
            Expr::InSubquery { expr: left, subquery, .. } => {
                let value = self.expr(left);
                let output = self.inner_query(subquery);
                let first = output
                    .columns
                    .and_then(|columns| columns.into_iter().next())
                    .map_or_else(Typed::unknown, |c| c.value);
                if !matches!(left.as_ref(), Expr::Tuple(_)) {
                    self.compare(Side { expr: left, value: &value }, Side { expr, value: &first });
                }
                Typed::of(ValueType::Int, value.nullable || first.nullable)
            }
            Expr::Like { expr, pattern, escape_char, .. } => {
                let mut nullable = self.expr(expr).nullable | self.expr(pattern).nullable;
                if let Some(escape) = escape_char {
                    nullable |= self.expr(escape).nullable;
                }
                Typed::of(ValueType::Int, nullable)
            }
            Expr::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())
            }
            Expr::Cast { expr, data_type, .. } => {
                let to = data_type.to_string();
                if to.to_ascii_uppercase().contains("INT") {
                    self.whole_is_meant(expr);
                }
                let value = self.expr(expr);
                functions::cast(&to, &value)
            }
            Expr::Exists { subquery, .. } => {
                self.rows_are(super::lints::Use::Counted);
                self.inner_query(subquery);
                Typed::of(ValueType::Int, false)
            }
            Expr::Subquery(subquery) => {
                let output = self.inner_query(subquery);
                let first = output.columns.and_then(|columns| columns.into_iter().next());
                let mut value = first.map_or_else(Typed::unknown, |column| column.value.computed());
                self.letters.extend(value.letters.iter().cloned());
                value.nullable |= output.least == 0;
                value
            }
            Expr::Tuple(items) => {
                for item in items {
                    self.expr(item);
                }
                Typed::unknown()
            }
            Expr::Function(function) => self.function(function),
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let parts = [Some(expr), substring_from.as_ref(), substring_for.as_ref()];
                self.text_of(parts.into_iter().flatten().map(AsRef::as_ref))
            }
            Expr::Trim { expr, trim_characters, trim_what, .. } => {
                let parts =
                    std::iter::once(expr.as_ref()).chain(trim_what.as_deref()).chain(trim_characters.iter().flatten());
                self.text_of(parts)
            }
            Expr::Ceil { expr: inner, .. } | Expr::Floor { expr: inner, .. } => {
                if matches!(expr, Expr::Floor { .. }) {
                    self.whole_is_meant(inner);
                }
                let expr = inner;
                let value = self.expr(expr);
                functions::whole(&value)
            }
            Expr::TypedString(_) | Expr::Interval(_) | Expr::Wildcard(_) => Typed::unknown(),
            _ => {
                self.give_up();
                Typed::unknown()
            }
        }
    }

    fn text_of<'e>(&mut self, parts: impl Iterator<Item = &'e Expr>) -> Typed {
        let mut nullable = false;
        for part in parts {
            nullable |= self.expr(part).nullable;
        }
        Typed::of(ValueType::Text, nullable)
    }

    fn name(&mut self, parts: &[Ident], compared: Option<(usize, usize)>) -> Typed {
        let words: Vec<&str> = parts.iter().map(|part| part.value.as_str()).collect();
        match lookup(&self.frames, &words) {
            Found::Column(value, (frame, relation, place)) => {
                self.met.insert((frame, relation, place));
                self.innermost = self.innermost.max(Some(frame));
                self.read(&value);
                if let Some(origin) = value.origin {
                    self.means_column(parts, origin);
                }
                self.letters.extend(value.letters());
                value
            }
            Found::Alias(value, frame) => {
                self.met.insert((frame, ROW_ID, ROW_ID));
                self.letters.extend(value.letters());
                value
            }
            Found::RowId(value, (frame, relation)) => {
                self.innermost = self.innermost.max(Some(frame));
                self.met.insert((frame, relation, ROW_ID));
                if let Some(name) = parts.last() {
                    self.row_of_file(name, (frame, relation));
                }
                value
            }
            Found::Perhaps => {
                self.met.extend((0..self.frames.len()).map(|frame| (frame, ROW_ID, ROW_ID)));
                self.give_up();
                Typed::unknown()
            }
            Found::Ambiguous(depth, relations) => {
                if let Some(name) = parts.last() {
                    self.ambiguous(name, depth, &relations);
                }
                Typed::unknown()
            }
            Found::Missing => {
                self.unknown_column(parts, compared);
                Typed::unknown()
            }
            Found::NoRelation => {
                if let Some(relation) = parts.len().checked_sub(2).and_then(|index| parts.get(index)) {
                    self.unknown_relation(relation);
                }
                Typed::unknown()
            }
        }
    }

    fn literal(&mut self, value: &Value) -> Typed {
        match value {
            Value::Number(digits, _) => {
                let whole = digits.starts_with("0x") || digits.starts_with("0X") || digits.parse::<i64>().is_ok();
                Typed::of(if whole { ValueType::Int } else { ValueType::Float }, false)
            }
            Value::SingleQuotedString(_) => Typed::of(ValueType::Text, false),
            Value::Boolean(_) => Typed::of(ValueType::Int, false),
            Value::Null => Typed::null(),
            Value::Placeholder(name) => match name.strip_prefix(':').map(|name| (self.query.request.param)(name)) {
                Some(ParamKind::Value { value_type, nullable }) => {
                    let param = name.trim_start_matches(':').to_owned();
                    self.letters.insert(Source { of: Of::Param(param), cased: false });
                    Typed { ty: value_type, nullable, ..Typed::default() }
                }
                _ => Typed::unknown(),
            },
            _ => Typed { nullable: false, ..Typed::unknown() },
        }
    }

    /// A chain of operators, from the left without recursion: chains may be as long as SQLite's limit of 1000.
    fn binary(&mut self, expr: &Expr) -> Typed {
        let mut chain = Vec::new();
        let mut first = expr;
        while let Expr::BinaryOp { left, op, right } = first {
            chain.push((left.as_ref(), op, right.as_ref()));
            first = left;
        }
        if let Some((_, op, right)) = chain.last()
            && compares(op)
        {
            self.compared = self.plain_column(right);
        }
        let mut around = None;
        let mut at = expr;
        for (left, op, right) in &chain {
            if **op == Op::Multiply {
                self.rounded_down(left, right);
            }
            if **op == Op::And && around != Some(&Op::And) {
                self.note_conjunction(at);
            }
            (around, at) = (Some(*op), *left);
        }
        let mut value = self.expr(first);
        for (left, op, right) in chain.into_iter().rev() {
            if compares(op) {
                self.note_comparison(left, op, right);
                let other = self.against(left, &value, right);
                value = Typed::of(ValueType::Int, value.nullable || other.nullable);
            } else {
                let other = self.expr(right);
                if *op == Op::Glob {
                    self.note_glob(left, &value, right);
                }
                if matches!(op, Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo) {
                    self.counts(left, &value);
                    self.counts(right, &other);
                }
                if *op == Op::Divide {
                    self.divided((left, &value), (right, &other));
                }
                value = self.operator(&value, op, &other, right);
            }
        }
        value
    }

    fn pair(&mut self, left: &Expr, right: &Expr) {
        self.compared = self.plain_column(right);
        let value = self.expr(left);
        self.against(left, &value, right);
    }

    /// The type of `right`, which is compared with `left`.
    fn against(&mut self, left: &Expr, value: &Typed, right: &Expr) -> Typed {
        self.compared = value.origin;
        let other = self.expr(right);
        self.compare(Side { expr: left, value }, Side { expr: right, value: &other });
        self.without_colon(left, right);
        other
    }

    /// The column of the request that an expression plainly is.
    fn plain_column(&self, expr: &Expr) -> Option<(usize, usize)> {
        match expr {
            Expr::Identifier(name) => origin(lookup(&self.frames, &[&name.value])),
            Expr::CompoundIdentifier(parts) => {
                origin(lookup(&self.frames, &parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>()))
            }
            Expr::Nested(inner) => self.plain_column(inner),
            _ => None,
        }
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[sqlparser::ast::CaseWhen],
        otherwise: Option<&Expr>,
    ) -> Typed {
        // What is only compared does not become a part of the result.
        let letters = self.letters.clone();
        let subject = operand.map(|operand| (operand, self.expr(operand)));
        let mut results = letters.clone();
        let mut result: Option<Typed> = None;
        for case in conditions {
            self.letters.clone_from(&letters);
            match &subject {
                Some((operand, value)) => {
                    self.note_when(operand, &case.condition);
                    self.against(operand, value, &case.condition);
                }
                None => {
                    self.expr(&case.condition);
                }
            }
            self.letters = results;
            let value = self.expr(&case.result);
            results = std::mem::take(&mut self.letters);
            result = Some(result.map_or_else(|| value.clone(), |result| result.or(&value)));
        }
        self.letters = results;
        let last = otherwise.map_or_else(Typed::null, |otherwise| self.expr(otherwise));
        result.map_or_else(Typed::unknown, |result| result.or(&last)).computed()
    }
}

fn origin(found: Found) -> Option<(usize, usize)> {
    match found {
        Found::Column(value, _) => value.origin,
        _ => None,
    }
}

/// Whether an operator compares by order or equality.
pub fn compares(op: &Op) -> bool {
    matches!(op, Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq)
}

impl Analyser<'_> {
    fn operator(&self, left: &Typed, op: &Op, right: &Typed, by: &Expr) -> Typed {
        match op {
            Op::Plus | Op::Minus | Op::Multiply => arithmetic(left, right),
            // Division by zero is null.
            Op::Divide => {
                let value = arithmetic(left, right);
                let fraction = value.ty == Some(ValueType::Float) && !divides_evenly(by);
                let value = Typed { endless: value.endless || fraction, ..value };
                if self.never_zero(by) { value } else { Typed { nullable: true, empty: false, ..value } }
            }
            // Both sides lose their fractions first.
            Op::Modulo => {
                let value = Typed { endless: false, ..arithmetic(left, right) };
                let whole = rows::literal_number(by).is_some_and(|by| by.trunc() != 0.0);
                if whole { value } else { Typed { nullable: true, empty: false, ..value } }
            }
            _ => other(left, op, right),
        }
    }

    /// Whether a divisor is a number other than 0, or counts rows of which there is one.
    fn never_zero(&self, by: &Expr) -> bool {
        match by {
            Expr::Nested(inner) => self.never_zero(inner),
            Expr::Function(function) if functions::counts_rows(function) => {
                self.frames.last().is_some_and(|frame| frame.grouped || frame.some_row)
            }
            _ => rows::literal_number(by).is_some_and(|by| by != 0.0),
        }
    }
}

/// Division by 2, 4, 5, 10 … ends after a few decimals.
fn divides_evenly(by: &Expr) -> bool {
    let Some(by) = rows::literal_number(by).map(f64::abs).filter(|by| by.fract() == 0.0 && (1.0..1e15).contains(by))
    else {
        return false;
    };
    let mut rest = by as u64;
    for prime in [2, 5] {
        while rest > 1 && rest.is_multiple_of(prime) {
            rest /= prime;
        }
    }
    rest == 1
}

fn other(left: &Typed, op: &Op, right: &Typed) -> Typed {
    let nullable = left.nullable || right.nullable;
    match op {
        Op::StringConcat => Typed::of(ValueType::Text, nullable),
        Op::And | Op::Or | Op::BitwiseAnd | Op::BitwiseOr | Op::Match | Op::Regexp | Op::Glob => {
            Typed::of(ValueType::Int, nullable)
        }
        Op::Arrow => Typed::of(ValueType::Text, true),
        _ => Typed::unknown(),
    }
}

fn arithmetic(left: &Typed, right: &Typed) -> Typed {
    use ValueType::{Bool, Int};
    let ty = match (left.ty, right.ty) {
        _ if left.null || right.null => return Typed::null(),
        (Some(Int | Bool), Some(Int | Bool)) => Some(Int),
        (Some(a), Some(b)) if [a, b].iter().all(|ty| ty.is_number() || *ty == Bool) => Some(ValueType::Float),
        _ => None,
    };
    Typed { ty, ..Typed::default() }.made_of(left, right)
}
