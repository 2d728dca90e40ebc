//! Checks whether arguments fit a signature.

use model::functions::Kernel;
use model::suite::{ColumnId, RelationId};

use super::arguments::{ArgKind, GivenArg};
use crate::context::Relations;
use crate::library::{Function, ParamKind, Pattern, Signature};
use hir::types::{Ty, TyKind};
use syntax::ast::{Format, RawKind};

impl<'a> Relations<'a> {
    /// Returns the index of the first argument that does not fit a signature, or `None` if all fit.
    pub(super) fn find_mismatch(&self, signature: &Signature, args: &[GivenArg<'a>]) -> Option<usize> {
        let (least, most) = signature.arity();
        if args.len() < least || args.len() > most {
            return Some(args.len().min(most));
        }
        let mut var = None;
        args.iter().enumerate().find_map(|(index, arg)| {
            let param = signature.find_param(index)?;
            (!self.match_argument(&param.kind, arg, &mut var)).then_some(index)
        })
    }

    pub(super) fn match_argument(&self, kind: &ParamKind, arg: &GivenArg<'a>, var: &mut Option<Ty>) -> bool {
        let takes_filter = matches!(kind, ParamKind::Relation { .. } | ParamKind::Column { .. });
        if arg.filter_span.is_some() && !takes_filter {
            return false;
        }
        match (kind, &arg.given) {
            (ParamKind::Value(pattern, _), ArgKind::Value(value) | ArgKind::ResultSet(value, _)) => {
                pattern.try_unify(&value.ty, var)
            }
            // An array of plain values is a list.
            (ParamKind::Value(pattern, _), ArgKind::Relation(relation))
                if self.find_element_column(*relation).is_some() =>
            {
                let item = self.checked[*relation].columns[ColumnId(0)].ty.clone();
                pattern.try_unify(&Ty::new(TyKind::List(Box::new(item))), var)
            }
            // A file used as a value is its path, but never where the content of a text is needed.
            (ParamKind::Value(Pattern::Single(TyKind::Text), _), ArgKind::File(..)) => false,
            (ParamKind::Value(pattern, _), ArgKind::File(..)) => pattern.try_unify(&Ty::new(TyKind::Text), var),
            (
                ParamKind::Relation { delimited },
                ArgKind::File(_, Some(relation)) | ArgKind::Relation(relation) | ArgKind::ResultSet(_, relation),
            ) => !delimited || self.is_delimited(*relation),
            (ParamKind::Column { delimited, of }, ArgKind::Column(relation, column)) => {
                let ty = &self.checked[*relation].columns[*column].ty;
                (!delimited || self.is_delimited(*relation)) && of.try_unify(ty, var)
            }
            (ParamKind::Column { delimited, of }, ArgKind::Each(relation, value)) => {
                (!delimited || self.is_delimited(*relation)) && of.try_unify(&value.ty, var)
            }
            (ParamKind::File(wanted), ArgKind::File(file, _)) => {
                wanted.is_none_or(|wanted| self.files[*file].format.is_read_as(wanted))
            }
            (ParamKind::Sql | ParamKind::Change, ArgKind::Raw(raw)) => raw.kind == RawKind::Sql,
            (ParamKind::JsonPath, ArgKind::Raw(raw)) => raw.kind == RawKind::JsonPath,
            (ParamKind::Place, ArgKind::Raw(raw)) => raw.kind == RawKind::JsonPath,
            (ParamKind::Place, ArgKind::Value(value)) => matches!(value.as_constant(), Some(model::Value::Text(_))),
            (ParamKind::XPath, ArgKind::Raw(raw)) => raw.kind == RawKind::XPath,
            _ => false,
        }
    }

    pub(super) fn is_delimited(&self, relation: RelationId) -> bool {
        self.declared[relation].format.is_some_and(Format::is_cells)
    }
}

/// Checks whether an overload takes a relation.
pub(super) fn can_take_rows(overloads: &[Signature]) -> bool {
    let mut first = overloads.iter().filter_map(|signature| signature.find_param(0));
    first.any(|param| matches!(param.kind, ParamKind::Relation { .. }))
}

/// Checks whether the argument at this position can be a value for each row instead of a column. Functions that read cells as written need a column.
pub(super) fn can_take_row_values(function: &Function, at: usize) -> bool {
    !matches!(function.id.kernel, Kernel::Reads(_)) && can_take_column(&function.overloads, at)
}

/// Checks whether an overload takes a column at this position.
pub(super) fn can_take_column(overloads: &[Signature], at: usize) -> bool {
    let mut params = overloads.iter().filter_map(|signature| signature.find_param(at));
    params.any(|param| matches!(param.kind, ParamKind::Column { .. }))
}

/// Checks whether an argument is a value, or a list of values, whose type is known only at build.
pub(super) fn is_open(given: &ArgKind<'_>) -> bool {
    let ArgKind::Value(value) = given else { return false };
    match &value.ty.kind {
        TyKind::List(item) => item.is_unknown(),
        kind => *kind == TyKind::Unknown,
    }
}
