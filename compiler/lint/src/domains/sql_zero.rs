//! `zero_division` in queries: a divisor that is 0 in some rows, where SQL returns null instead of failing.

use super::operands::Lint;
use super::terms::has_gathered;
use hir::cases::is_met_by_a_row;
use hir::facts::Truth;
use hir::order::compare_terms;
use model::suite::{ColumnId, Op, RelationId};
use model::{Span, Value};
use sql::terms::Term;
use syntax::diagnostics::{Code, Diagnostic};

impl Lint<'_, '_> {
    /// Reports divisors that are 0 in some rows, unless another condition of the query reads the same columns.
    pub(super) fn report_zero_divisors(&self, said: &mut Vec<Diagnostic>) {
        let predicates = &self.sql.analysis.predicates;
        for divisor in &predicates.divisors {
            let term = divisor.to_term();
            if term.has_unknown() {
                continue;
            }
            if has_gathered(&term) {
                said.extend(self.check_constant_divisor(&term, divisor.span));
                continue;
            }
            let columns = list_columns(&term);
            // The comparison in which it is divided does not leave its zeros out on purpose.
            let is_guarded = |atom: &sql::predicates::Atom| {
                !atom.span.is_enclosing(divisor.span)
                    && list_columns(&atom.term).iter().any(|column| columns.contains(column))
            };
            let is_zero = Term::Compare(Op::Eq, Box::new((term, Term::Literal(Value::Int(0)))));
            if predicates.atoms.iter().any(is_guarded) || !is_met_by_a_row(&self.terms(), &is_zero) {
                continue;
            }
            let written = self.quote_source(divisor.span);
            let new = Diagnostic::new(
                Code::ZERO_DIVISION,
                format!("divisor `{written}` can be 0, where SQL returns null"),
                divisor.span,
                "0 in some rows",
            );
            let declared = columns.iter().filter_map(|column| self.cx.task.find_column(*column));
            let new = new.with_labels(declared.map(|column| (column.span, "drawn here")));
            let help = format!("leave these rows out: `WHERE {written} <> 0`; or draw values that never give 0");
            said.push(new.help(help));
        }
    }

    /// Reports a divisor of aggregates that is always 0: `COUNT(*) - COUNT(CITY)`, where each row has a city.
    fn check_constant_divisor(&self, term: &Term, span: Span) -> Option<Diagnostic> {
        let zero = Term::Literal(Value::Int(0));
        if compare_terms(&self.terms(), Op::Eq, term, &zero) != Truth::Always {
            return None;
        }
        let written = self.quote_source(span);
        let message = format!("divisor `{written}` is always 0, where SQL returns null");
        let said = Diagnostic::new(Code::ZERO_DIVISION, message, span, "always 0");
        Some(said.help("divide by a number that is not 0"))
    }
}

/// The columns that a term reads.
fn list_columns(term: &Term) -> Vec<(RelationId, ColumnId)> {
    let mut columns = Vec::new();
    term.visit(&mut |term| {
        if let Term::Column { relation, column, .. } = term
            && !columns.contains(&(*relation, *column))
        {
            columns.push((*relation, *column));
        }
    });
    columns
}
