//! Comparisons of which no values meet all: what they bound, together, is on the other side of 0.

use model::Decimal;
use model::suite::Op;

use super::differences::{Reader, Sum};
use super::judging::Judging;
use hir::paths::predicate::{Language, Operation, Term, TermKind};

/// How many comparisons are looked at together, and how many of them exclude each other.
const MAX_COMPARISONS: usize = 8;
const MAX_ADDED: usize = 4;

/// A sum that is at most 0, or below 0.
#[derive(Debug)]
struct Constraint {
    sum: Sum,
    strict: bool,
}

/// Whether some of these comparisons exclude each other: what they bound, together, is on the other side of 0.
pub fn are_contradictory(judge: &dyn Judging<'_>, parts: &[Term]) -> bool {
    let (mut reader, mut constraints) = (Reader::new(judge), Vec::new());
    for part in parts.iter().take(MAX_COMPARISONS) {
        let TermKind::Operation(Operation::Compare(op), sides) = &part.kind else { continue };
        (reader.is_exact, reader.is_present) = (true, true);
        let Some(sum) = reader.subtract_sides(&sides.0, &sides.1).filter(|sum| !sum.parts.is_empty()) else { continue };
        if reader.is_rounded {
            continue;
        }
        let Some(turned) = sum.negate() else { continue };
        let is_present = reader.is_present || judge.language() == Language::XPath;
        match op {
            Op::Lt => constraints.push(Constraint { sum, strict: true }),
            Op::Gt => constraints.push(Constraint { sum: turned, strict: true }),
            Op::Le if is_present => constraints.push(Constraint { sum, strict: false }),
            Op::Ge if is_present => constraints.push(Constraint { sum: turned, strict: false }),
            Op::Eq if is_present => {
                constraints.extend([sum, turned].map(|sum| Constraint { sum, strict: false }));
            }
            _ => {}
        }
    }
    constraints.len() > 1 && excludes_from(&reader, &constraints, &Sum::default(), (false, 0))
}

/// Whether some of the constraints exclude those whose sum is `sum`: `added` of them, of which one is strict or none.
fn excludes_from(
    reader: &Reader<'_, '_>,
    constraints: &[Constraint],
    sum: &Sum,
    (strict, added): (bool, usize),
) -> bool {
    if added >= MAX_ADDED {
        return false;
    }
    constraints.iter().enumerate().any(|(at, next)| {
        let Some(sum) = sum.clone().add(&next.sum, Decimal::from_int(1)) else { return false };
        let strict = strict || next.strict;
        let zero = Decimal::default();
        let is_above = |least: Decimal| least > zero || strict && least == zero;
        let rest = constraints.get(at + 1..).unwrap_or_default();
        (added > 0 && reader.find_least(&sum, 1).is_some_and(is_above))
            || excludes_from(reader, rest, &sum, (strict, added + 1))
    })
}
