//! Whether arguments fit a signature.

use model::functions::Kernel;
use model::suite::{ColumnId, RelationId};

use super::given::{Given, GivenArg};
use crate::ast::{Format, RawKind};
use crate::check::model::TaskChecker;
use crate::library::{Function, ParamKind, Pattern, Signature};
use crate::types::{Ty, TyKind};

impl<'a> TaskChecker<'_, 'a> {
    /// Why the arguments do not fit a signature: the index of the first that does not, or `None` where they fit.
    pub(super) fn mismatch(&self, signature: &Signature, args: &[GivenArg<'a>]) -> Option<usize> {
        let (least, most) = signature.arity();
        if args.len() < least || args.len() > most {
            return Some(args.len().min(most));
        }
        let mut var = None;
        args.iter().enumerate().find_map(|(index, arg)| {
            let param = signature.param(index)?;
            (!self.fits(&param.kind, arg, &mut var)).then_some(index)
        })
    }

    pub(super) fn fits(&self, kind: &ParamKind, arg: &GivenArg<'a>, var: &mut Option<Ty>) -> bool {
        let takes_filter = matches!(kind, ParamKind::Relation { .. } | ParamKind::Column { .. });
        if arg.filter_span.is_some() && !takes_filter {
            return false;
        }
        match (kind, &arg.given) {
            (ParamKind::Value(pattern, _), Given::Value(value) | Given::ResultSet(value, _)) => {
                pattern.admits(&value.ty, var)
            }
            // An array of plain values is a list.
            (ParamKind::Value(pattern, _), Given::Relation(relation)) if self.element_column(*relation).is_some() => {
                let item = self.relations[*relation].columns[ColumnId(0)].ty.clone();
                pattern.admits(&Ty::of(TyKind::List(Box::new(item))), var)
            }
            // A file in a value's place is its path; where a text is looked at, nobody means that.
            (ParamKind::Value(Pattern::Text, _), Given::File(..)) => false,
            (ParamKind::Value(pattern, _), Given::File(..)) => pattern.admits(&Ty::of(TyKind::Text), var),
            (
                ParamKind::Relation { delimited },
                Given::File(_, Some(relation)) | Given::Relation(relation) | Given::ResultSet(_, relation),
            ) => !delimited || self.is_delimited(*relation),
            (ParamKind::Column { delimited, of }, Given::Column(relation, column)) => {
                let ty = &self.relations[*relation].columns[*column].ty;
                (!delimited || self.is_delimited(*relation)) && of.admits(ty, var)
            }
            (ParamKind::Column { delimited, of }, Given::Each(relation, value)) => {
                (!delimited || self.is_delimited(*relation)) && of.admits(&value.ty, var)
            }
            (ParamKind::File(wanted), Given::File(file, _)) => {
                wanted.is_none_or(|wanted| self.files[*file].format.is_read_as(wanted))
            }
            (ParamKind::Sql | ParamKind::Change, Given::Raw(raw)) => raw.kind == RawKind::Sql,
            (ParamKind::JsonPath, Given::Raw(raw)) => raw.kind == RawKind::JsonPath,
            (ParamKind::Place, Given::Raw(raw)) => raw.kind == RawKind::JsonPath,
            (ParamKind::Place, Given::Value(value)) => matches!(value.value(), Some(model::Value::Text(_))),
            (ParamKind::XPath, Given::Raw(raw)) => raw.kind == RawKind::XPath,
            _ => false,
        }
    }

    pub(super) fn is_delimited(&self, relation: RelationId) -> bool {
        self.declared[relation].format.is_some_and(Format::is_cells)
    }
}

/// Whether an overload takes the rows of a relation themselves.
pub(super) fn takes_rows(overloads: &[Signature]) -> bool {
    let mut first = overloads.iter().filter_map(|signature| signature.param(0));
    first.any(|param| matches!(param.kind, ParamKind::Relation { .. }))
}

/// Whether the argument at this position can be a value for each row, instead of a column: not where cells are read as they are written.
pub(super) fn takes_each(function: &Function, at: usize) -> bool {
    !matches!(function.id.kernel, Kernel::Reads(_)) && takes_column(&function.overloads, at)
}

/// Whether an overload takes a column at this position.
pub(super) fn takes_column(overloads: &[Signature], at: usize) -> bool {
    let mut params = overloads.iter().filter_map(|signature| signature.param(at));
    params.any(|param| matches!(param.kind, ParamKind::Column { .. }))
}

/// Whether it is a value, or a list of values, of a type that only the build can tell.
pub(super) fn is_open(given: &Given<'_>) -> bool {
    let Given::Value(value) = given else { return false };
    match &value.ty.kind {
        TyKind::List(item) => item.is_unknown(),
        kind => *kind == TyKind::Unknown,
    }
}
