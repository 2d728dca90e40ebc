//! Proofs that a table can have an inserted row: each column has a value, no key has it already, and what it refers to is there.

use model::functions::FunctionId;
use model::suite::{ColumnId, ConstraintKind, RelationId};

use super::apart::is_apart;
use super::statements::Statement;
use hir::facts::Facts;
use hir::terms::Known;
use hir::types::TyKind;
use hir::{Arg, DrawDomain, Expr, ExprKind, NameSource, Rows};
use sql::SqlOutput;
use sql::lex::tokenize_sql;
use sql::terms::Term;

/// The columns of the row that a statement inserts, with their values. `None` if it is written in another way.
pub(super) fn list_values<'s>(statement: &Statement<'s, '_>) -> Option<Vec<(ColumnId, &'s SqlOutput)>> {
    let written: Vec<ColumnId> = statement.relation.iter_written_columns().map(|(column, _)| column).collect();
    let text = statement.terms.sql.text.get(statement.change.bytes.0..statement.change.bytes.1)?;
    let tokens = tokenize_sql(text);
    let [insert, into, table, rest @ ..] = tokens.as_slice() else { return None };
    if !insert.is_keyword("INSERT") || !into.is_keyword("INTO") || !table.is_name() {
        return None;
    }
    let columns = match rest {
        [open, rest @ ..] if open.is_punct("(") => {
            let end = rest.iter().position(|token| token.is_punct(")"))?;
            let find = |name: &str| {
                written.iter().copied().find(|column| {
                    statement.relation.columns.get(*column).is_some_and(|own| own.name.eq_ignore_ascii_case(name))
                })
            };
            let names = rest.get(..end)?.split(|token| token.is_punct(","));
            names.map(|part| if let [name] = part { find(&name.to_unquoted()) } else { None }).collect::<Option<_>>()?
        }
        _ => written,
    };
    let outputs = &statement.query.columns;
    (columns.len() == outputs.len()).then(|| columns.into_iter().zip(outputs).collect())
}

/// Whether an inserted row is one that the table can have.
pub(super) fn is_safe_insert(statement: &Statement<'_, '_>) -> bool {
    let Some(values) = list_values(statement).filter(|_| statement.is_of_one_row()) else { return false };
    let find = |column: ColumnId| {
        let mut found = values.iter().filter(|(own, _)| *own == column);
        let first = found.next().map(|(_, output)| *output);
        // A column that is named twice has only one of the values.
        first.filter(|_| found.next().is_none())
    };
    let facts = statement.terms.facts;
    let is_new_in = |column: ColumnId| find(column).is_some_and(|output| is_new(statement, column, output));
    statement.relation.iter_written_columns().all(|(column, own)| {
        let is_key = hir::is_unique(&own.source) || facts.lookup_column(statement.id, column).unique;
        find(column).is_some_and(|output| {
            statement.is_possible_value(own, output)
                && (!is_key || is_new_in(column))
                && own.references.is_none_or(|place| is_there(statement, place, output))
        })
    }) && statement.relation.constraints.iter().all(|constraint| match constraint.kind {
        ConstraintKind::References { .. } => false,
        _ => !constraint.is_unique() || constraint.columns.iter().any(|column| is_new_in(*column)),
    })
}

/// Whether a value is surely none of those of a column, also not of those that were put into it before.
pub(super) fn is_new(statement: &Statement<'_, '_>, column: ColumnId, output: &SqlOutput) -> bool {
    let (facts, place) = (statement.terms.facts, (statement.id, column));
    let value = statement.infer_output(output);
    let Some(kind) = facts.task().find_column(place).and_then(|own| own.ty.value_type()) else { return false };
    let cells = || Known::from_stored(&facts.lookup_column(place.0, place.1), kind);
    // An int stays one in a column of ints, and a text in a column of texts.
    let is_stored_alike = match value.is_text() {
        Some(is_text) => {
            is_text == matches!(facts.task().find_column(place).map(|own| &own.ty.kind), Some(TyKind::Text))
        }
        None => false,
    };
    let is_of_kind = is_stored_alike && (value.is_text() == Some(true) || value.fact.as_int_range().is_some());
    let is_drawn = find_value(statement, output).is_some_and(|value| is_drawn_apart(facts, value, place));
    let added = statement.done.added.iter().filter(|(own, _)| *own == place);
    is_of_kind
        && (is_drawn || cells().is_some_and(|cells| is_apart(&value, &cells)))
        && added.into_iter().all(|(_, other)| is_apart(&value, other))
}

/// The value of a parameter that an output is.
fn find_value<'a>(statement: &Statement<'_, 'a>, output: &SqlOutput) -> Option<&'a Expr> {
    let mut term = output.term.as_deref()?;
    while let Term::Cell { of, .. } = term {
        term = of;
    }
    let Term::Param(name) = term else { return None };
    statement.terms.sql.find_param(name)
}

/// Whether a value is drawn `except` those of a column.
fn is_drawn_apart(facts: &Facts<'_>, value: &Expr, place: (RelationId, ColumnId)) -> bool {
    let ExprKind::Name(id) = value.kind else { return false };
    let Some(NameSource::Draw { draw, .. }) = facts.task().names.get(id).map(|name| &name.source) else { return false };
    let is_list = |function: &FunctionId| function.is_value_list();
    !matches!(draw.domain, DrawDomain::Ref { .. })
        && draw.except.iter().any(|except| match &except.kind {
            ExprKind::Call(function, args) if is_list(function) => match args.as_slice() {
                [Arg::Column { relation, column, filter: None }] => (*relation, *column) == place,
                _ => false,
            },
            _ => false,
        })
}

/// Whether the rows of a table surely have a value in a column to which another one refers.
pub(super) fn is_there(statement: &Statement<'_, '_>, place: (RelationId, ColumnId), output: &SqlOutput) -> bool {
    let (facts, done) = (statement.terms.facts, statement.done);
    if done.has_other_rows(place.0) || done.has_other_values(place) {
        return false;
    }
    if output.origin == Some(place) {
        return true;
    }
    if let Some(value) = find_value(statement, output)
        && is_drawn_from(facts, value, place)
    {
        return true;
    }
    // The numbers of rows: all of them are there.
    let own = facts.task().find_column(place);
    let is_serial = own.and_then(|own| own.source.draw()).is_some_and(|draw| draw.is_serial() && !draw.may_be_blank());
    let is_counted = matches!(facts.task().relations.get(place.0).map(|own| &own.rows), Some(Rows::Count(..)));
    let value = statement.infer_output(output).fact.as_int_range();
    is_serial
        && is_counted
        && value.is_some_and(|(low, high)| {
            low >= 1 && u64::try_from(high).is_ok_and(|high| high <= facts.count_rows(place.0).least)
        })
}

/// Whether a value is drawn from the cells of a column.
fn is_drawn_from(facts: &Facts<'_>, value: &Expr, place: (RelationId, ColumnId)) -> bool {
    let ExprKind::Name(id) = value.kind else { return false };
    match facts.task().names.get(id).map(|name| &name.source) {
        Some(NameSource::Draw { draw, .. }) => match &draw.domain {
            DrawDomain::Ref { relation, column, together, .. } => {
                (*relation, *column) == place && together.is_empty() && !draw.may_be_blank()
            }
            _ => false,
        },
        _ => false,
    }
}
