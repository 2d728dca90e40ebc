//! The value that a statement sets, as a linear function of the old value: `ROUND(PAY * (100 + :percent) / 100.0, 2)`.

use model::{Decimal, Value};
use sql::lex::{Kind, Token};

use super::goals::Step;
use hir::facts::Facts;
use model::suite::Scope;

/// The deepest nesting of brackets that is read.
const MAX_DEPTH: u32 = 32;

/// All numbers from the first to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Between {
    pub low: f64,
    pub high: f64,
}

impl Between {
    fn new(one: f64, other: f64) -> Between {
        Between { low: one.min(other), high: one.max(other) }
    }

    fn point(at: f64) -> Between {
        Between { low: at, high: at }
    }

    fn add(self, other: Between) -> Between {
        Between { low: self.low + other.low, high: self.high + other.high }
    }

    fn multiply(self, other: Between) -> Between {
        let ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let pick = |better: fn(f64, f64) -> f64| ends.into_iter().reduce(better).unwrap_or(0.0);
        Between { low: pick(f64::min), high: pick(f64::max) }
    }

    fn invert(self) -> Option<Between> {
        (self.low > 0.0 || self.high < 0.0).then(|| Between::new(1.0 / self.low, 1.0 / self.high))
    }

    fn is_zero(self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }
}

/// The new value: `factor` times the old one, plus `shift`, up to `slack`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linear {
    pub factor: Between,
    pub shift: Between,
    /// By how much rounding can change it.
    pub slack: f64,
}

impl Linear {
    fn constant(shift: Between) -> Linear {
        Linear { factor: Between::point(0.0), shift, slack: 0.0 }
    }

    fn add(self, other: Linear) -> Linear {
        Linear {
            factor: self.factor.add(other.factor),
            shift: self.shift.add(other.shift),
            slack: self.slack + other.slack,
        }
    }

    fn scale(self, by: Between) -> Linear {
        let most = by.low.abs().max(by.high.abs());
        Linear { factor: self.factor.multiply(by), shift: self.shift.multiply(by), slack: self.slack * most }
    }

    fn multiply(self, other: Linear) -> Option<Linear> {
        let is_number = |side: &Linear| side.factor.is_zero() && side.slack == 0.0;
        match (is_number(&self), is_number(&other)) {
            (_, true) => Some(self.scale(other.shift)),
            (true, _) => Some(other.scale(self.shift)),
            _ => None,
        }
    }
}

/// Which values of parameters count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drawn {
    /// All that can be drawn.
    All,
    /// The one in the middle.
    Middle,
}

/// Reads the value that a statement sets for a column. `None` if it is not linear, or if a parameter is not a number with known bounds.
pub(super) fn read_set_value<'a>(
    facts: &Facts<'a>,
    step: &Step<'a>,
    column: &str,
    value: &[Token<'_>],
    drawn: Drawn,
) -> Option<Linear> {
    let mut reader = Reader { facts, step, column, rest: value, drawn, depth: 0 };
    let read = reader.read_sum()?;
    reader.rest.is_empty().then_some(read)
}

struct Reader<'r, 'a, 't> {
    facts: &'r Facts<'a>,
    step: &'r Step<'a>,
    column: &'r str,
    rest: &'r [Token<'t>],
    drawn: Drawn,
    depth: u32,
}

impl Reader<'_, '_, '_> {
    fn skip_mark(&mut self, mark: &str) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if first.is_punct(mark) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn read_sum(&mut self) -> Option<Linear> {
        let mut sum = self.read_product()?;
        loop {
            if self.skip_mark("+") {
                sum = sum.add(self.read_product()?);
            } else if self.skip_mark("-") {
                sum = sum.add(self.read_product()?.scale(Between::point(-1.0)));
            } else {
                return Some(sum);
            }
        }
    }

    fn read_product(&mut self) -> Option<Linear> {
        let mut product = self.read_factor()?;
        loop {
            if self.skip_mark("*") {
                product = product.multiply(self.read_factor()?)?;
            } else if self.skip_mark("/") {
                let is_whole = self.rest.first().is_some_and(|token| !token.text.contains('.'));
                let divisor = self.read_factor()?;
                let by = divisor.shift.invert().filter(|_| divisor.factor.is_zero() && divisor.slack == 0.0)?;
                product = product.scale(by);
                // Whole numbers are divided without a remainder.
                product.slack += if is_whole { 1.0 } else { 0.0 };
            } else {
                return Some(product);
            }
        }
    }

    fn read_factor(&mut self) -> Option<Linear> {
        self.depth += 1;
        let (first, rest) = self.rest.split_first().filter(|_| self.depth <= MAX_DEPTH)?;
        self.rest = rest;
        let read = match first.kind {
            Kind::Number => Linear::constant(Between::point(first.text.parse::<Decimal>().ok()?.to_f64())),
            Kind::Param => Linear::constant(self.find_param(first)?),
            _ if first.is_punct("(") => {
                let inner = self.read_sum()?;
                self.skip_mark(")").then_some(inner)?
            }
            _ if first.is_punct("-") => self.read_factor()?.scale(Between::point(-1.0)),
            _ if first.is_keyword("ROUND") => self.read_rounded()?,
            _ if first.is_named(self.column) => {
                Linear { factor: Between::point(1.0), shift: Between::point(0.0), slack: 0.0 }
            }
            _ => return None,
        };
        self.depth -= 1;
        Some(read)
    }

    /// Reads `(value, places)` after ROUND.
    fn read_rounded(&mut self) -> Option<Linear> {
        let mut inner = self.skip_mark("(").then(|| self.read_sum())??;
        let mut places = 0.0;
        if self.skip_mark(",") {
            let (first, rest) = self.rest.split_first()?;
            places = first.text.parse::<f64>().ok()?;
            self.rest = rest;
        }
        inner.slack += 0.5 / libm::pow(10.0, places);
        self.skip_mark(")").then_some(inner)
    }

    fn find_param(&self, token: &Token<'_>) -> Option<Between> {
        let value = self.step.sql.find_param(token.text.get(1..)?)?;
        let fact = self.facts.infer_expr(value, Scope::default());
        let (low, high) = match fact.as_single_value().and_then(Value::as_f64) {
            Some(only) => (only, only),
            None => {
                let (low, high) = fact.range.as_ref()?;
                (low.as_f64()?, high.as_f64()?)
            }
        };
        Some(match self.drawn {
            Drawn::All => Between::new(low, high),
            Drawn::Middle => Between::point((low + high) / 2.0),
        })
    }
}
