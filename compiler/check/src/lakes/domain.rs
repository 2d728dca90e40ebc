//! The domain of a column that is read: the type of its cells, and the conditions that are proved of their values.

use model::{DateTime, Domain, Span, Value};
use tables::CellType;

use crate::domains::DrawChecker;
use crate::lakes::LakeChecker;
use hir::types::TyKind;
use hir::{DrawDomain, Expr};
use syntax::ast::{self, DomainKind, Modifier, SuffixKind};
use syntax::diagnostics::{Code, Diagnostic};

/// The type of the cells of a column, and the conditions on their values.
#[derive(Clone, Debug)]
pub(super) struct CellDomain {
    pub ty: CellType,
    /// The domain that must contain the values.
    pub within: Option<Domain>,
    /// The values that are excluded.
    pub except: Vec<Value>,
    /// Whether all values must differ.
    pub unique: bool,
    pub span: Span,
}

impl CellDomain {
    /// Returns the domain that contains all values of a type.
    pub fn from_type(ty: CellType, span: Span) -> CellDomain {
        CellDomain { ty, within: None, except: Vec::new(), unique: false, span }
    }

    /// Computes the first and the last datetime of a bounded or listed domain of dates or datetimes.
    pub fn compute_moment_bounds(&self) -> Option<(DateTime, DateTime)> {
        let moment = |value: &Value| match value {
            Value::Date(date) => DateTime::new(*date, 0, 0, 0),
            Value::DateTime(moment) => Some(*moment),
            _ => None,
        };
        match self.within.as_ref()? {
            Domain::Date { low, high, .. } => Some((moment(&Value::Date(*low))?, moment(&Value::Date(*high))?)),
            Domain::DateTime { low, high, .. } => Some((*low, *high)),
            listed => {
                let moments: Vec<DateTime> = listed.list_values()?.iter().filter_map(moment).collect();
                Some((*moments.iter().min()?, *moments.iter().max()?))
            }
        }
    }

    /// Builds a key that is equal for domains with the same values, wherever they are declared.
    pub fn build_equality_key(&self) -> String {
        format!("{:?} {:?} {:?}", self.ty, self.within, self.except)
    }
}

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Checks the domain of cells that are read. Returns `None` after reporting an error.
    pub(super) fn check_cell_domain(&mut self, domain: &'a ast::Domain) -> Option<CellDomain> {
        let mut sound = true;
        for (modifier, span) in &domain.modifiers {
            let help = match modifier {
                Modifier::Unique => continue,
                Modifier::Distinct => "to prove that the values of a column differ, write `unique`",
                Modifier::Sorted => "remove it: the rows are in the order of the file",
            };
            let message = format!("`{}` does not apply to a column that is read", modifier.word());
            self.task.cx.report(Diagnostic::new(Code::MISPLACED, message, *span, "nothing is drawn here").help(help));
            sound = false;
        }
        if let Some(blank) = domain.suffixes.iter().find(|suffix| suffix.kind == SuffixKind::Blank) {
            let message = "`blank` does not apply to a column that is read";
            let said = Diagnostic::new(Code::MISPLACED, message, blank.span, "nothing is drawn here");
            self.task.cx.report(said.help("write which cells are null: as missing [\"\"]"));
            sound = false;
        }
        if !sound {
            return None;
        }
        let unique = domain.has_modifier(Modifier::Unique);
        if domain.suffixes.is_empty()
            && let Some(ty) = parse_bare_type(&domain.kind)
        {
            return Some(CellDomain { unique, ..CellDomain::from_type(ty, domain.span) });
        }
        let draw = DrawChecker::new(self.task).check_domain(domain);
        let except = draw.except.iter().filter_map(Expr::as_constant).flat_map(|value| match value {
            Value::List(items) => items.clone(),
            value => vec![value.clone()],
        });
        let except: Vec<Value> = except.collect();
        let within = match draw.domain {
            DrawDomain::Fixed(within) => within,
            DrawDomain::Unknown(()) => return None,
            _ => {
                let message = "a column that is read needs a domain with fixed bounds";
                let help = "write fixed bounds, or the type alone: int, decimal, float, date, datetime, bool, text";
                let said = Diagnostic::new(Code::NOT_CONSTANT, message, domain.span, "depends on other values");
                self.task.cx.report(said.help(help));
                return None;
            }
        };
        let ty = match draw.ty.cell_type() {
            Some(ty) if !matches!(draw.ty.kind, TyKind::Null | TyKind::Duration) => ty,
            _ => {
                let message = "a column that is read has single values";
                let said = Diagnostic::new(Code::BAD_DOMAIN, message, domain.span, format!("this is {}", draw.ty));
                self.task.cx.report(said.help("write a type: int, decimal, float, date, datetime, bool, text"));
                return None;
            }
        };
        let unique = unique || within == Domain::Serial;
        Some(CellDomain { ty, within: Some(within), except, unique, span: domain.span })
    }
}

/// Parses a type without bounds, which is sufficient if nothing is drawn.
fn parse_bare_type(kind: &DomainKind) -> Option<CellType> {
    let DomainKind::Named(named) = kind else { return None };
    if named.range.is_some() || named.args.is_some() || !named.keywords.is_empty() || named.operand.is_some() {
        return None;
    }
    CellType::from_name(&named.name.text)
}
