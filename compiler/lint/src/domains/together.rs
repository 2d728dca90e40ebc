//! Comparisons of the same column that are joined by AND in a query and cannot both hold.

use model::suite::Op;
use model::{Span, Value};

use super::operands::{Lint, is_text_fact};
use hir::facts::{Fact, is_contradiction};
use sql::predicates::{Bounded, Operand, Side};
use syntax::diagnostics::{Code, Diagnostic};

/// A bound `column op value`.
struct Bound<'l, 'a> {
    op: Op,
    /// The facts about the other side if it is in the same comparison class as the column. `None` if nothing is known.
    value: Option<Fact<'a>>,
    /// The name of the other side if it is a parameter.
    param: Option<&'l str>,
}

impl Bound<'_, '_> {
    /// Checks whether no value satisfies both bounds.
    fn is_disjoint_from(&self, other: &Bound<'_, '_>) -> bool {
        if self.param.is_some() && self.param == other.param {
            // The same parameter has the same value, whatever it is.
            let any = Fact::from_value(&Value::Int(0));
            return is_contradiction((self.op, &any), (other.op, &any));
        }
        match (&self.value, &other.value) {
            (Some(a), Some(b)) => is_contradiction((self.op, a), (other.op, b)),
            _ => false,
        }
    }
}

impl<'a> Lint<'_, 'a> {
    /// Finds the first comparison that contradicts an earlier one. Returns its diagnostic and its span.
    pub fn check_conjunction(&self, parts: &[Bounded]) -> Option<(Diagnostic, Span)> {
        let bounds: Vec<(&Bounded, Vec<Bound<'_, 'a>>)> =
            parts.iter().filter_map(|part| Some((part, self.collect_bounds(part)?))).collect();
        let (later, first) = bounds.iter().enumerate().find_map(|(index, (later, its))| {
            let excludes = |(first, others): &&(&Bounded, Vec<Bound<'_, 'a>>)| {
                first.at == later.at
                    && others.iter().any(|first| its.iter().any(|second| first.is_disjoint_from(second)))
            };
            bounds.iter().take(index).find(excludes).map(|(first, _)| (later, first))
        })?;
        let said = Diagnostic::new(
            Code::IMPOSSIBLE_PREDICATE,
            format!("no row meets both `{}` and `{}`", self.quote_source(first.span), self.quote_source(later.span)),
            later.span,
            "excludes the other",
        )
        .label(first.span, "the other one")
        .help("fix one of the two bounds, or write OR between them");
        Some((said, later.span))
    }

    /// Collects the bounds that a comparison sets for its column.
    fn collect_bounds<'l>(&self, part: &'l Bounded) -> Option<Vec<Bound<'l, 'a>>> {
        let text = self.is_text(&part.column)?;
        let bounds = part.bounds.iter().map(|(op, items)| Bound {
            op: *op,
            value: self.combine_facts(items, text),
            param: match items.as_slice() {
                [Operand { value: Side::Param(name), .. }] => Some(name),
                _ => None,
            },
        });
        Some(bounds.collect())
    }

    /// Combines the facts about several values, if all are known and in the same comparison class.
    fn combine_facts(&self, items: &[Operand], text: bool) -> Option<Fact<'a>> {
        let one = |item| Some(self.infer_operand(item)?.stored).filter(|stored| is_text_fact(stored) == Some(text));
        items.iter().map(one).reduce(|all, next| Some(all?.join_fact(&next?))).flatten()
    }
}
