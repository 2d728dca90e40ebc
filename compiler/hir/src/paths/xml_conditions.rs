//! The conditions in the predicates of an XPath, with what is known of their sides.

use model::Value;
use model::suite::Op;
use xpath_eval::{EqualityOp, Expr, FilterExpr, FunctionCall, LocationPath, PathExpr, PrimaryExpr, RelationalOp};

use super::condition::{Condition, Language, Operand, Pattern, Reached, Test};
use super::xml_nodes::Place;

/// Finds the places that a relative path leads to. `None` if they are not known.
pub type Follow<'f, 'e> = dyn Fn(&LocationPath, Vec<Place<'e>>) -> Option<Vec<Place<'e>>> + 'f;

/// The contexts of a predicate.
pub struct Contexts<'c, 'e> {
    /// The nodes that it is evaluated for.
    pub places: &'c [Place<'e>],
    /// Follows paths from them.
    pub follow: &'c Follow<'c, 'e>,
}

impl<'e> Contexts<'_, 'e> {
    /// The condition that a part of a predicate is, at its range.
    pub fn build_condition(&self, part: &str, place: (usize, usize)) -> Option<Condition> {
        let test = match xpath_eval::parse(part).ok()? {
            Expr::Equality(left, op, right) => {
                let op = if op == EqualityOp::Eq { Op::Eq } else { Op::Ne };
                Test::Compare(op, self.build_operand(&left), self.build_operand(&right))
            }
            Expr::Relational(left, op, right) => {
                let op = match op {
                    RelationalOp::Lt => Op::Lt,
                    RelationalOp::Gt => Op::Gt,
                    RelationalOp::Le => Op::Le,
                    RelationalOp::Ge => Op::Ge,
                };
                Test::Compare(op, self.build_operand(&left), self.build_operand(&right))
            }
            Expr::Path(PathExpr::Location(path)) => Test::Exists(self.build_path(&path)),
            Expr::Path(PathExpr::Filter(FilterExpr { primary: PrimaryExpr::Function(call), predicates }))
                if predicates.is_empty() =>
            {
                self.build_pattern(&call)?
            }
            _ => return None,
        };
        Some(Condition { place, language: Language::XPath, test })
    }

    /// `contains(path, 'part')`, `starts-with(path, 'part')`
    fn build_pattern(&self, call: &FunctionCall) -> Option<Test> {
        let pattern = match call.name.local.as_str() {
            "contains" => Pattern::Contains,
            "starts-with" => Pattern::Start,
            _ => return None,
        };
        let [text, part] = call.args.as_slice() else { return None };
        let Operand::Literal(Value::Text(part)) = self.build_operand(part) else { return None };
        Some(Test::Matches(self.build_operand(text), pattern, part))
    }

    fn build_operand(&self, expr: &Expr) -> Operand {
        match expr {
            Expr::Negate(inner) => match self.build_operand(inner) {
                Operand::Literal(Value::Int(int)) => {
                    int.checked_neg().map_or(Operand::Unknown, |int| Operand::Literal(Value::Int(int)))
                }
                Operand::Literal(Value::Float(double)) => Operand::Literal(Value::Float(-double)),
                _ => Operand::Unknown,
            },
            Expr::Path(PathExpr::Location(path)) => self.build_path(path),
            Expr::Path(PathExpr::Filter(FilterExpr { primary, predicates })) if predicates.is_empty() => {
                match primary {
                    PrimaryExpr::Literal(text) => Operand::Literal(Value::from_text(text.as_str())),
                    PrimaryExpr::Number(number) => Operand::Literal(to_number(*number)),
                    PrimaryExpr::Parenthesized(inner) => self.build_operand(inner),
                    PrimaryExpr::Function(call) => self.build_call(call),
                    PrimaryExpr::Variable(_) => Operand::Unknown,
                }
            }
            _ => Operand::Unknown,
        }
    }

    fn build_call(&self, call: &FunctionCall) -> Operand {
        let only = || match call.args.as_slice() {
            [Expr::Path(PathExpr::Location(path))] => Some(path),
            _ => None,
        };
        match (call.name.local.as_str(), call.args.len()) {
            ("true" | "false", 0) => Operand::Literal(Value::Bool(call.name.local == "true")),
            ("position" | "last", 0) => self.count_positions(),
            ("number" | "string", 1) => only().map_or(Operand::Unknown, |path| self.build_path(path)),
            ("substring", 3) => self.build_part(call),
            ("count", 1) => only().map_or(Operand::Unknown, |path| self.count_nodes(path)),
            ("string-length", 1) => match only().map(|path| self.build_path(path)) {
                Some(Operand::Values(reached)) => Operand::Lengths(reached),
                _ => Operand::Unknown,
            },
            _ => Operand::Unknown,
        }
    }

    /// `substring(path, from, count)`
    fn build_part(&self, call: &FunctionCall) -> Operand {
        let [text, from, count] = call.args.as_slice() else { return Operand::Unknown };
        match (self.build_operand(text), self.build_operand(from), self.build_operand(count)) {
            (
                Operand::Values(reached),
                Operand::Literal(Value::Int(from @ 1..)),
                Operand::Literal(Value::Int(count @ 0..)),
            ) => Operand::Part(reached, from, count),
            _ => Operand::Unknown,
        }
    }

    /// The positions of nodes, where all are of one kind.
    fn count_positions(&self) -> Operand {
        match self.places {
            [place] if place.here.1 < u64::MAX => Operand::Count(1, place.here.1.max(1)),
            _ => Operand::Count(1, u64::MAX),
        }
    }

    /// The number of children that a path of one step leads to.
    fn count_nodes(&self, path: &LocationPath) -> Operand {
        if path.is_absolute || path.steps.len() != 1 {
            return Operand::Unknown;
        }
        let mut bounds: Option<(u64, u64)> = None;
        for context in self.places {
            match (self.follow)(path, vec![make_single(context)]).as_deref() {
                Some([only]) => {
                    let (least, most) = only.here;
                    bounds = Some(bounds.map_or((least, most), |(low, high)| (low.min(least), high.max(most))));
                }
                _ => return Operand::Unknown,
            }
        }
        bounds.map_or(Operand::Unknown, |(least, most)| Operand::Count(least, most))
    }

    fn build_path(&self, path: &LocationPath) -> Operand {
        if path.is_absolute {
            return Operand::Unknown;
        }
        let mut reached = Reached { leaves: Vec::new(), optional: false, several: false };
        for context in self.places {
            let Some(places) = (self.follow)(path, vec![make_single(context)]) else { return Operand::Unknown };
            reached.optional |= !matches!(places.as_slice(), [only] if only.least >= 1);
            reached.several |= places.len() > 1 || places.iter().any(|place| place.many);
            for place in &places {
                let Some(leaf) = place.node.as_leaf() else { return Operand::Unknown };
                reached.leaves.push(leaf.clone());
            }
        }
        Operand::Values(reached)
    }
}

/// One node of a place.
fn make_single<'e>(place: &Place<'e>) -> Place<'e> {
    Place { least: 1, many: false, ..place.clone() }
}

fn to_number(number: f64) -> Value {
    let whole = number.fract() == 0.0 && number.abs() < 1e15;
    if whole { Value::Int(number as i64) } else { Value::Float(number) }
}
