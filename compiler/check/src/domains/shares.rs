//! Shares of values, cells, and rows, and domains of true and false: `bool 80%`, `bool exactly 3`, `blank 5%`.

use model::suite::RelationId;
use model::{Decimal, Domain, Span, Value};

use crate::context::{Checker, RowScope, TaskScope};
use crate::domains::DrawChecker;
use crate::domains::domain::as_bare_path;
use hir::types::{Ty, TyKind};
use hir::{Draw, DrawDomain, Expr};
use syntax::ast::{self, ExprKind};
use syntax::diagnostics::wording::{build_repeated_diagnostic, format_count};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> DrawChecker<'_, '_, 'a> {
    /// Checks `bool`, `bool 80%`, `bool mess%`, or `bool exactly 3`.
    pub fn check_bool_domain(&mut self, named: &'a ast::NamedDomain, span: Span) -> Draw {
        let unknown = Draw { ty: Ty::new(TyKind::Bool), ..Draw::new_unknown(span) };
        match (named.keywords.as_slice(), &named.operand) {
            ([], None) => Draw::from_domain(Domain::Bool { per_million: 500_000 }, span),
            ([], Some(operand)) => match self.check_share(operand, "bool 80%") {
                None => unknown,
                Some(share) => match to_per_million(&share) {
                    Some(per_million) => Draw::from_domain(Domain::Bool { per_million }, span),
                    None => Draw { domain: DrawDomain::Share(share), ..unknown },
                },
            },
            ([(word, count)], None) if word.text == "exactly" => match self.check_true_count(count) {
                Some(count) => Draw { domain: DrawDomain::Exactly(count), ..unknown },
                None => unknown,
            },
            ([(first, _), .., (again, _)], None) if first.text == "exactly" && again.text == "exactly" => {
                self.task.cx.report(build_repeated_diagnostic("exactly", again.span, first.span));
                unknown
            }
            (keywords, operand) => {
                let other = keywords.iter().find(|(word, _)| word.text != "exactly").map(|(word, _)| word.span);
                let extra = other.or(operand.as_deref().map(|operand| operand.span)).unwrap_or(span);
                self.task.cx.report_extra_argument(&named.name.text, extra);
                unknown
            }
        }
    }

    /// Checks the number of rows after `exactly`, which must be the same for all rows of the table.
    fn check_true_count(&mut self, count: &'a ast::Expr) -> Option<Expr> {
        let checked = self.task.check_within(RowScope::default(), |task| task.check_expr(count));
        if !self.task.cx.expect_type(&checked, &Ty::new(TyKind::Int), "a number of rows") || checked.ty.is_unknown() {
            return None;
        }
        self.task.scope.check_not_null(self.task.cx, &checked, "a number of rows");
        if checked.ty.nullable {
            return None;
        }
        if let Some(most @ ..0) = self.task.scope.infer_int_range(&checked).1 {
            let message = format!("`exactly {}` is negative", self.task.cx.sources.quote(checked.span));
            let said = Diagnostic::new(Code::BAD_DOMAIN, message, checked.span, format!("at most {most}"));
            self.task.cx.report(said.help("write: bool exactly 3"));
            return None;
        }
        Some(checked)
    }

    /// Checks `blank 5%` or `blank mess%`.
    pub(super) fn check_blank_share(&mut self, share: &'a ast::Expr, draw: &mut Draw) {
        let Some(share) = self.check_share(share, "blank 5%") else { return };
        match to_per_million(&share) {
            Some(per_million) => draw.blank_per_million = per_million,
            None => draw.blank = Some(share),
        }
        draw.ty = draw.ty.clone().with_null_if(draw.may_be_blank());
    }

    /// Checks a share of values, rows, or cells, from 0 to 100: a literal, or a number known to the task.
    pub(crate) fn check_share(&mut self, value: &'a ast::Expr, example: &str) -> Option<Expr> {
        let checked = match &value.kind {
            ExprKind::Missing => return None,
            ExprKind::Percent(percent) => {
                let (of, kind) = match percent.to_int().filter(|whole| Decimal::from_int(*whole) == *percent) {
                    Some(whole) => (Value::Int(whole), TyKind::Int),
                    None => (Value::Decimal(*percent), TyKind::Decimal(Some(percent.places()))),
                };
                Expr::constant(of, Ty::new(kind), value.span)
            }
            ExprKind::PercentOf(named) => self.task.check_within(RowScope::default(), |task| task.check_expr(named)),
            _ => {
                let help = match as_bare_path(value) {
                    Some([name]) => format!("write `%` directly after the name: {}%", name.text),
                    _ => format!("write: {example}"),
                };
                let said = Diagnostic::new(Code::BAD_DOMAIN, "the share has no `%`", value.span, "not a percentage");
                self.task.cx.report(said.help(help));
                return None;
            }
        };
        if checked.ty.is_unknown() {
            return None;
        }
        if !matches!(checked.ty.kind, TyKind::Int | TyKind::Decimal(_)) {
            let written = self.task.cx.sources.quote(checked.span);
            let message = format!("the share `{written}` is {}", checked.ty.describe_with_article());
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, checked.span, "not a number");
            self.task.cx.report(said.help(format!("name a number, or write: {example}")));
            return None;
        }
        self.task.scope.check_not_null(self.task.cx, &checked, "a share");
        if checked.ty.nullable {
            return None;
        }
        self.task.scope.is_share(self.task.cx, &checked, example).then_some(checked)
    }
}

impl<'a> TaskScope<'a> {
    /// Infers the least and the greatest value of a number, as far as they are known.
    fn infer_int_range(&self, number: &Expr) -> (Option<i64>, Option<i64>) {
        let whole = |value: &Value| value.as_decimal().and_then(Decimal::to_int);
        match (number.as_constant(), self.infer_number_fact(number).range) {
            (Some(value), _) => (whole(value), whole(value)),
            (None, Some((least, most))) => (whole(&least), whole(&most)),
            (None, None) => (None, None),
        }
    }

    /// Reports `exactly` with more rows than the table has.
    pub(super) fn check_enough_rows(&self, cx: &mut Checker<'a>, draw: &Draw, relation: RelationId) {
        let DrawDomain::Exactly(count) = &draw.domain else { return };
        let (Some(wanted), Some(most)) = (self.infer_int_range(count).0, self.infer_row_bounds(relation).known_max())
        else {
            return;
        };
        if u64::try_from(wanted).is_ok_and(|wanted| wanted > most) {
            let name = self.relations.checked[relation].name.clone();
            let message = format!("`exactly {wanted}` needs {wanted} rows, but `{name}` has {most}");
            let label = format_count(u32::try_from(most).unwrap_or(u32::MAX), "row");
            let said = Diagnostic::new(Code::TOO_FEW_VALUES, message, draw.span, label);
            cx.report(said.help(format!("write a number up to {most}, or add rows")));
        }
    }

    /// Checks whether a number can be a share. Reports a number that can be below 0 or above 100.
    fn is_share(&self, cx: &mut Checker<'a>, share: &Expr, example: &str) -> bool {
        let (low, high) = (Decimal::from_int(0), Decimal::from_int(100));
        let outside = |value: &Value| match value.as_decimal() {
            Some(value) if value < low => Some("below 0%"),
            Some(value) if value > high => Some("above 100%"),
            _ => None,
        };
        let found = match share.as_constant() {
            Some(value) => outside(value).map(|side| {
                (format!("the share {}% is {side}", value.render_text()), "shares are between 0% and 100%".to_owned())
            }),
            None => self.infer_number_fact(share).range.and_then(|(least, most)| {
                let side = outside(&least).or_else(|| outside(&most))?;
                let name = cx.sources.quote(share.span);
                let label = format!("this is {} to {}", least.render_text(), most.render_text());
                Some((format!("the share `{name}` can be {side}"), label))
            }),
        };
        let Some((message, label)) = found else { return true };
        let declared = self.find_named_span(share).map(|declared| (declared, "declared here"));
        let said = Diagnostic::new(Code::BAD_DOMAIN, message, share.span, label).with_labels(declared);
        cx.report(said.help(format!("write: {example}, or name a number from 0 to 100")));
        false
    }
}

impl Checker<'_> {
    /// Reports `exactly` outside of tables.
    pub(super) fn reject_exactly_outside_table(&mut self, draw: &Draw) {
        if let DrawDomain::Exactly(_) = draw.domain {
            let said =
                Diagnostic::new(Code::BAD_DOMAIN, "`exactly` is not in a table", draw.span, "counts rows of a table");
            self.report(said.help("for one value write: bool 50%"));
        }
    }

    /// Reports a suffix that would change the number of true rows.
    pub(super) fn reject_suffix_with_exactly(&mut self, draw: &Draw, suffix: Span, word: &str) {
        if let DrawDomain::Exactly(_) = draw.domain {
            let message = format!("`{word}` would change how many rows are true");
            let said = Diagnostic::new(Code::BAD_DOMAIN, message, suffix, "not with `exactly`");
            self.report(said.help(format!("remove `{word}`")));
        }
    }
}

/// Converts a share to parts per million, if it is known.
fn to_per_million(share: &Expr) -> Option<u32> {
    model::domain::to_per_million(share.as_constant()?.as_decimal()?)
}
