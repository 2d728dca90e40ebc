//! Notes the parts of a query that have no result for some values.

use model::ValueType;
use sqlparser::ast::{BinaryOperator, Expr, Function};

use super::analyser::Analyser;
use super::expressions::{as_number_literal, as_text_literal, find_argument, find_last_name};
use super::functions::is_aggregate;
use super::risks::Risk;
use super::scope::{ExprType, resolve_place};
use super::terms::Term;

/// Functions that have a result for all values; perhaps null.
const TOTAL: &str = "acos acosh asin asinh atan atan2 atanh avg ceil ceiling coalesce concat cos cosh count cume_dist degrees \
    dense_rank exp first_value floor glob hex if ifnull iif instr lag last_value lead length likely ln log log10 log2 lower ltrim max min mod \
    nullif octet_length percent_rank pi pow power quote radians rank round row_number rtrim sign sin sinh sqrt substr substring tan tanh \
    total trim trunc typeof unicode unlikely upper";

/// Functions of moments, which fail only for `now`.
const OF_MOMENTS: &str = "date datetime julianday strftime time timediff unixepoch";

/// Statistics, which fail for texts and for sums that are too large.
const OF_NUMBERS: &str = "corr intercept median pstdev slope stdev";

/// Aggregates that do not depend on the order of rows, not even in their last digits.
const OF_ANY_ORDER: &str = "count max min";

impl Analyser<'_> {
    /// Notes a call that fails for some values. Its arguments have been visited.
    pub(super) fn note_call_risk(&mut self, function: &Function, args: &[ExprType]) {
        let name = find_last_name(&function.name).map(|name| name.value.to_ascii_lowercase()).unwrap_or_default();
        let is_in = |names: &str| names.split(' ').any(|known| known == name);
        let argument = |at: usize| find_argument(function, at);
        let terms = || -> Vec<Term> {
            (0..args.len()).map(|at| argument(at).map_or(Term::Unknown, |of| self.build_term(of))).collect()
        };
        if is_in(TOTAL) || is_in(OF_MOMENTS) && args.iter().all(is_steady) && self.has_plain_steps(function) {
            return;
        }
        let positive = |at: usize| argument(at).and_then(as_number_literal::<i64>).is_some_and(|n| n > 0);
        let risk = match name.as_str() {
            "sum" => Risk::Overflow(self.build_call(function)),
            "abs" => Risk::Overflow(argument(0).map_or(Term::Unknown, |of| self.build_term(of))),
            "zeroblob" => Risk::Size(argument(0).map_or(Term::Unknown, |of| self.build_term(of))),
            "json" | "json_array_length" | "json_type" if args.len() == 1 => {
                Risk::Json(argument(0).map_or(Term::Unknown, |of| self.build_term(of)))
            }
            "json_valid" if args.len() == 1 => return,
            "ntile" if positive(0) => return,
            "nth_value" if positive(1) => return,
            "like" => match argument(0).and_then(as_text_literal) {
                Some(_) if args.len() == 2 => return,
                _ => Risk::Open,
            },
            "printf" | "format" => match argument(0).and_then(as_text_literal) {
                Some(format) if is_plain_format(format) => return,
                _ => Risk::Format(argument(0).map_or(Term::Unknown, |of| self.build_term(of))),
            },
            "chi2_p" => {
                let number = |at: usize| argument(at).map_or(Term::Unknown, |of| self.build_term(of));
                let (x, freedom) = (number(0), number(1));
                self.add_risk(Risk::Beyond(x, 0.0, f64::MAX));
                Risk::Freedom(freedom)
            }
            "quantile" => {
                let share = argument(1).map_or(Term::Unknown, |of| self.build_term(of));
                self.add_risk(Risk::Beyond(share, 0.0, 1.0));
                Risk::Numbers(argument(0).map(|of| self.build_term(of)).into_iter().collect())
            }
            "interpolate" => {
                let numbers = terms();
                self.add_risk(argument(0).map_or(Risk::Open, |x| self.find_key_risk(x)));
                self.add_risk(Risk::Numbers(numbers));
                return;
            }
            _ if is_in(OF_NUMBERS) => Risk::Numbers(terms()),
            _ if is_in(OF_MOMENTS) && self.has_plain_steps(function) => Risk::Clock(terms()),
            _ => Risk::Open,
        };
        self.add_risk(risk);
    }

    /// The risk that two rows have the same value.
    fn find_key_risk(&self, expr: &Expr) -> Risk {
        let Some([only]) = self.frames.last().map(|frame| frame.relations.as_slice()) else { return Risk::Open };
        match (self.build_term(expr), resolve_place(&self.frames, expr), &only.written) {
            (term @ Term::Column { .. }, Some(_), _) if only.table.is_some() => Risk::Repeated(vec![term]),
            (_, Some((_, column)), Some(rows)) => {
                let terms: Option<Vec<Term>> = rows.iter().map(|row| row.get(column).cloned()).collect();
                terms.map_or(Risk::Open, Risk::Repeated)
            }
            _ => Risk::Open,
        }
    }

    /// Notes a call whose result can depend on the order of rows.
    pub(super) fn note_order_risk(&mut self, function: &Function) {
        let name = find_last_name(&function.name).map(|name| name.value.to_ascii_lowercase()).unwrap_or_default();
        let is_of_any_order = OF_ANY_ORDER.split(' ').any(|known| known == name);
        if function.over.is_some() || is_aggregate(function) && !is_of_any_order {
            self.add_risk(Risk::Order);
        }
    }

    /// Notes an expression that fails for some values, apart from calls.
    pub(super) fn note_risk(&mut self, expr: &Expr) {
        let is_open = match expr {
            Expr::Like { pattern, escape_char, .. } => {
                let is_long = !is_short_pattern(pattern);
                let odd = |escape: &Expr| as_text_literal(escape).is_none_or(|text| text.chars().count() != 1);
                is_long || escape_char.as_deref().is_some_and(odd)
            }
            Expr::TypedString(_) | Expr::Interval(_) | Expr::JsonAccess { .. } => true,
            _ => false,
        };
        if is_open {
            self.add_risk(Risk::Open);
        }
    }

    /// Notes an operator that fails for some values.
    pub(super) fn note_operator_risk(&mut self, op: &BinaryOperator) {
        use BinaryOperator::{Arrow, HashArrow, HashLongArrow, LongArrow, Match, Regexp};
        if matches!(op, Arrow | LongArrow | HashArrow | HashLongArrow | Match | Regexp) {
            self.add_risk(Risk::Open);
        }
    }

    /// Adds a risk, except in a first look, before all names are known.
    pub(super) fn add_risk(&mut self, risk: Risk) {
        if self.quiet == 0 {
            self.meaning.risks.push(risk);
        }
    }

    /// Whether the steps of a function of moments are written out, and none of them reads the clock.
    fn has_plain_steps(&self, function: &Function) -> bool {
        let texts = (0..).map_while(|at| find_argument(function, at)).filter_map(as_text_literal);
        texts.map(str::to_ascii_lowercase).all(|text| !matches!(text.trim(), "now" | "localtime" | "utc" | "auto"))
    }
}

/// Whether a value is not a text that could be `now`, or is a text of the query.
fn is_steady(value: &ExprType) -> bool {
    value.letters.is_empty() || matches!(value.ty, Some(ValueType::Date | ValueType::DateTime))
}

/// Whether a pattern of LIKE is written out, or a parameter with texts around it.
fn is_short_pattern(pattern: &Expr) -> bool {
    match pattern {
        Expr::Nested(inner) => is_short_pattern(inner),
        _ => as_text_literal(pattern).is_some_and(|text| text.len() <= 1000),
    }
}

/// Whether a format asks for no long texts.
pub fn is_plain_format(format: &str) -> bool {
    !format.contains('*') && format.split(|c: char| !c.is_ascii_digit()).all(|digits| digits.len() <= 3)
}
