//! The draws of names and columns.

use serde::Serialize;

use super::{ColumnId, Compile, Compiled, Phase, Printed, RelationId, Role, Scope, Visit};
use crate::domain::LoremUnit;
use crate::{Domain, Span, ValueType};

/// The draw of a name or column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Draw<S: Phase = Compiled> {
    /// The domain.
    pub domain: DomainExpr<S>,
    /// The type of its values.
    #[serde(skip)]
    pub ty: S::Type,
    /// Whether no value may repeat in the column, or, for names, in the group (`distinct`).
    pub unique: bool,
    /// Whether the values of the column are in ascending order.
    pub sorted: bool,
    /// Probability of null in millionths, if it is known at compile time.
    pub blank_per_million: u32,
    /// Probability of null in percent, if the task computes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank: Option<S::Expr>,
    /// Excluded values: scalars or lists, evaluated at the time of the draw.
    pub except: Vec<S::Expr>,
    /// Its place in the source.
    pub span: Span,
}

/// A domain whose bounds may have to be computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum DomainExpr<S: Phase = Compiled> {
    /// A mistake that has been reported.
    Unknown(S::Mistake),
    /// A domain that is known at compile time.
    Fixed(S::Domain),
    /// `low..high [step S]` with computed bounds, of this type: int, decimal, date, or datetime.
    Range {
        /// The type, with the places of a decimal.
        value_type: ValueType,
        /// The minimum.
        low: S::Expr,
        /// The maximum.
        high: S::Expr,
        /// The step: an int for ints, a decimal for decimals, a duration for dates and datetimes. `None` is one unit of the last place, day, or second.
        step: Option<S::Expr>,
    },
    /// `lorem UNIT low..high`
    Lorem {
        /// The unit that is counted.
        unit: LoremUnit,
        /// The minimum, an int.
        low: S::Expr,
        /// The maximum, an int.
        high: S::Expr,
    },
    /// `one_of [ … ]` with computed items.
    OneOf(Vec<S::Expr>),
    /// `bool NAME%`: true with this probability.
    Share(S::Expr),
    /// `bool exactly K`: true in K rows of the table, and false in the others.
    Exactly(S::Expr),
    /// `ref REL.COLUMN [where P]`: a value of the column (never a null).
    Ref {
        /// The relation.
        relation: RelationId,
        /// Its column.
        column: ColumnId,
        /// For `a, b : ref REL.(A, B)`: all columns taken from one row, which has no null in them. Draws of the statement share the group. Empty for
        /// a single column.
        together: Vec<ColumnId>,
        /// The filter of its rows ([`Expr::Column`](super::Expr::Column) is the candidate row).
        filter: Option<S::Expr>,
    },
}

impl<S: Phase> Draw<S> {
    /// Checks whether other draws take their values from the same row.
    pub fn is_together(&self) -> bool {
        matches!(&self.domain, DomainExpr::Ref { together, .. } if !together.is_empty())
    }

    /// Checks whether `blank` allows null.
    pub fn may_be_blank(&self) -> bool {
        self.blank_per_million > 0 || self.blank.is_some()
    }

    /// Calls `visit` for every whole expression in it.
    pub fn visit_exprs<'a>(&'a self, scope: Scope, visit: &mut Visit<'_, 'a, S>) {
        self.domain.visit_exprs(scope, visit);
        for value in self.blank.iter().chain(&self.except) {
            visit(Role::Value, value, scope);
        }
    }

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Draw {
        Draw {
            domain: self.domain.compile_with(by),
            ty: (),
            unique: self.unique,
            sorted: self.sorted,
            blank_per_million: self.blank_per_million,
            blank: self.blank.as_ref().map(|share| by.compile_expr(share)),
            except: self.except.iter().map(|except| by.compile_expr(except)).collect(),
            span: self.span,
        }
    }
}

impl<S: Phase<Domain = Domain, Mistake = ()>> Draw<S> {
    /// Creates a draw for a mistake that has been reported.
    pub fn new_unknown(span: Span) -> Draw<S> {
        Draw {
            domain: DomainExpr::Unknown(()),
            ty: S::Type::default(),
            unique: false,
            sorted: false,
            blank_per_million: 0,
            blank: None,
            except: Vec::new(),
            span,
        }
    }

    /// Creates a draw of a known domain.
    pub fn from_domain(domain: Domain, span: Span) -> Draw<S>
    where
        S::Type: From<ValueType>,
    {
        Draw { ty: domain.value_type().into(), domain: DomainExpr::Fixed(domain), ..Draw::new_unknown(span) }
    }

    /// Checks whether it counts 1, 2, 3, …
    pub fn is_serial(&self) -> bool {
        matches!(self.domain, DomainExpr::Fixed(Domain::Serial))
    }
}

impl<S: Phase> DomainExpr<S> {
    /// Calls `visit` for every whole expression in it.
    pub fn visit_exprs<'a>(&'a self, scope: Scope, visit: &mut Visit<'_, 'a, S>) {
        match self {
            DomainExpr::Unknown(_) | DomainExpr::Fixed(_) => {}
            DomainExpr::Range { low, high, step, .. } => {
                [low, high].into_iter().chain(step).for_each(|bound| visit(Role::Value, bound, scope));
            }
            DomainExpr::Lorem { low, high, .. } => {
                [low, high].into_iter().for_each(|bound| visit(Role::Value, bound, scope));
            }
            DomainExpr::OneOf(items) => items.iter().for_each(|item| visit(Role::Value, item, scope)),
            DomainExpr::Share(number) | DomainExpr::Exactly(number) => visit(Role::Value, number, scope),
            DomainExpr::Ref { relation, filter, .. } => {
                filter.iter().for_each(|filter| visit(Role::Filter, filter, scope.enter_filter(*relation)));
            }
        }
    }

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> DomainExpr {
        match self {
            // A suite with a mistake is never built.
            DomainExpr::Unknown(_) => DomainExpr::OneOf(Vec::new()),
            DomainExpr::Fixed(domain) => DomainExpr::Fixed(by.compile_domain(domain)),
            DomainExpr::Range { value_type, low, high, step } => DomainExpr::Range {
                value_type: *value_type,
                low: by.compile_expr(low),
                high: by.compile_expr(high),
                step: step.as_ref().map(|step| by.compile_expr(step)),
            },
            DomainExpr::Lorem { unit, low, high } => {
                DomainExpr::Lorem { unit: *unit, low: by.compile_expr(low), high: by.compile_expr(high) }
            }
            DomainExpr::OneOf(items) => DomainExpr::OneOf(items.iter().map(|item| by.compile_expr(item)).collect()),
            DomainExpr::Share(share) => DomainExpr::Share(by.compile_expr(share)),
            DomainExpr::Exactly(count) => DomainExpr::Exactly(by.compile_expr(count)),
            DomainExpr::Ref { relation, column, together, filter } => DomainExpr::Ref {
                relation: *relation,
                column: *column,
                together: together.clone(),
                filter: filter.as_ref().map(|filter| by.compile_expr(filter)),
            },
        }
    }
}
