//! Comparisons in SQL that are mistakes whatever the data is: with NULL, between swapped bounds, or with a value of an axis that no row has.

use model::Value;
use model::suite::Op;

use super::cells;
use super::operands::{Lint, OperandFacts, is_text_fact};
use super::sql::truncate_text;
use hir::facts::{Truth, compare_facts};
use sql::predicates::{Atom, Operand, Side};
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::fmt::join_blanks;

impl<'a> Lint<'_, 'a> {
    /// Reports a value of an axis with which the comparison is never true.
    pub fn check_axis_comparison(
        &self,
        atom: &Atom,
        op: Op,
        (left, a): (&Operand, &OperandFacts<'a>),
        (right, b): (&Operand, &OperandFacts<'a>),
    ) -> Option<Diagnostic> {
        let axis = |side: &Operand| {
            let Side::Param(name) = &side.value else { return None };
            cells::find_axis(self.cx.task, self.sql.find_param(name)?)
        };
        let (axis, op, place, known) = match (axis(left), axis(right)) {
            (Some(axis), None) if b.column => (axis, op.swap_sides(), right.span, b),
            (None, Some(axis)) if a.column => (axis, op, left.span, a),
            _ => return None,
        };
        let same_class = is_text_fact(&a.stored)? == is_text_fact(&b.stored)?;
        if !same_class {
            return None;
        }
        cells::check_axis_values(axis, (op, place, &known.fact), atom.span, self.cx.sources)
    }

    /// Reports `x = NULL`: a comparison with NULL is NULL, which no row satisfies.
    pub fn with_null(&self, atom: &Atom, op: Op, left: &Operand, right: &Operand) -> Option<Diagnostic> {
        let is_null = |side: &Operand| matches!(side.value, Side::Literal(Value::Null));
        let tested = match (is_null(left), is_null(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return None,
        };
        let said = Diagnostic::new(
            Code::IMPOSSIBLE_PREDICATE,
            format!("`{}` is never true: a comparison with NULL is null", self.quote_source(atom.span)),
            atom.span,
            "never",
        );
        let test = match op {
            Op::Eq => "IS NULL",
            Op::Ne => "IS NOT NULL",
            _ => return Some(said.help("use `IS NULL` or `IS NOT NULL`")),
        };
        let instead = format!("{} {test}", self.cx.sources.text(tested.span));
        Some(said.help(format!("write `{}`", truncate_text(&instead))).fix(
            format!("replace with `{}`", truncate_text(&instead)),
            Applicability::Safe,
            atom.span,
            instead,
        ))
    }

    /// Reports `BETWEEN 60 AND 30`, which no value satisfies.
    pub fn check_reversed_bounds(&self, atom: &Atom, low: &Operand, high: &Operand) -> Option<Diagnostic> {
        let (from, to) = (self.infer_operand(low)?, self.infer_operand(high)?);
        if is_text_fact(&from.stored)? != is_text_fact(&to.stored)?
            || compare_facts(Op::Gt, &from.stored, &to.stored) != Truth::Always
        {
            return None;
        }
        let (first, second) = (self.cx.sources.text(low.span), self.cx.sources.text(high.span));
        let (code, who) = match atom.negated {
            true => (Code::VACUOUS_PREDICATE, "every row that is not null there meets"),
            false => (Code::IMPOSSIBLE_PREDICATE, "no row meets"),
        };
        let more = join_blanks(&format!("{first} is more than {second}"));
        let message = format!("{who} `{}`: {more}", self.quote_source(atom.span));
        let said = Diagnostic::new(code, message, low.span.extend_to(high.span), "the lower bound comes first");
        let swapped = format!("{second} AND {first}");
        Some(said.help(format!("write `BETWEEN {}`", join_blanks(&swapped))).fix(
            "swap the bounds",
            Applicability::Unsafe,
            low.span.extend_to(high.span),
            swapped,
        ))
    }
}
