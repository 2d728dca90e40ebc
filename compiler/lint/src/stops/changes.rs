//! Proofs that the statements of `after` cannot be refused: they only delete rows to which no other row refers, and set columns to values that they can have.

use model::suite::{ColumnId, FileContent, RelationId};

use hir::facts::Facts;
use hir::{Relation, Sql, Task};
use sql::lex::{Kind, Token};
use sql::{Change, ChangeKind, list_changes};

/// The most rows of a table that is changed.
const MAX_ROWS: u64 = 100_000;

/// The words between the names and values of a simple condition.
const PLAIN_WORDS: &str = "AND OR NOT IN BETWEEN IS NULL LIKE";

/// Whether the statements cannot be refused.
pub(super) fn are_safe_changes<'a>(facts: &Facts<'a>, sql: &'a Sql) -> bool {
    let task = facts.task();
    let content = sql.database.and_then(|file| task.files.get(file)).map(|file| &file.content);
    let Some(FileContent::Sqlite { tables, .. }) = content else { return false };
    let (changes, all) = list_changes(&sql.text);
    all && changes.iter().all(|change| {
        let own = tables.iter().find_map(|id| {
            let relation = task.relations.get(*id)?;
            relation.table.eq_ignore_ascii_case(&change.table).then_some((*id, relation))
        });
        own.is_some_and(|(id, relation)| {
            facts.count_rows(id).most <= MAX_ROWS && is_safe_change(task, (id, relation), (sql, change))
        })
    })
}

fn is_safe_change(task: &Task, (id, relation): (RelationId, &Relation), (sql, change): (&Sql, &Change<'_>)) -> bool {
    let is_plain = !change.is_complex && change.conditions.iter().all(|condition| is_plain_condition(condition));
    is_plain
        && match change.kind {
            ChangeKind::Delete => !is_referred_to(task, id, None),
            ChangeKind::Update => change.sets.iter().all(|(column, value)| {
                let column = relation.columns.iter_enumerated().find(|(_, own)| own.name.eq_ignore_ascii_case(column));
                column.is_some_and(|(column, _)| is_free(task, (id, relation), column))
                    && is_plain_value(sql, relation, value)
            }),
            ChangeKind::Insert => false,
        }
}

/// Whether a column can have any value that is not null.
fn is_free(task: &Task, (id, relation): (RelationId, &Relation), column: ColumnId) -> bool {
    let is_constrained = relation.constraints.iter().any(|constraint| constraint.columns.contains(&column));
    let own = relation.columns.get(column);
    own.is_some_and(|own| {
        own.references.is_none() && !own.source.draw().is_some_and(|draw| draw.unique || draw.is_serial())
    }) && !is_constrained
        && !is_referred_to(task, id, Some(column))
}

/// Whether rows of a table refer to this one, or to this column of it.
fn is_referred_to(task: &Task, id: RelationId, column: Option<ColumnId>) -> bool {
    let meets = |(relation, own): (RelationId, ColumnId)| relation == id && column.is_none_or(|column| own == column);
    task.relations.iter().any(|other| {
        let of_columns = other.columns.iter().any(|own| own.references.is_some_and(meets));
        of_columns
            || other.constraints.iter().any(|constraint| match &constraint.kind {
                model::suite::ConstraintKind::References { relation, columns } => {
                    columns.iter().any(|own| meets((*relation, *own)))
                }
                _ => false,
            })
    })
}

/// Whether a value is written out, is that of a parameter, or is computed from a column and one of these.
fn is_plain_value(sql: &Sql, relation: &Relation, value: &[Token<'_>]) -> bool {
    let is_operand = |token: &Token<'_>| match token.kind {
        Kind::Number | Kind::Text => true,
        Kind::Param => {
            let name = token.text.trim_start_matches([':', '@', '$']);
            sql.find_param(name).is_some_and(|value| !value.ty.nullable && !value.ty.is_unknown())
        }
        Kind::Word => relation.columns.iter().any(|column| {
            column.name.eq_ignore_ascii_case(token.text)
                && !column.ty.nullable
                && !column.source.draw().is_some_and(hir::Draw::may_be_blank)
        }),
        _ => false,
    };
    let is_operator = |token: &Token<'_>| ["+", "-", "*"].iter().any(|operator| token.is_punct(operator));
    match value {
        [only] => is_operand(only),
        [left, operator, right] => is_operand(left) && is_operator(operator) && is_operand(right),
        _ => false,
    }
}

/// Whether a condition compares columns with values, and calls no function.
fn is_plain_condition(condition: &[Token<'_>]) -> bool {
    let next = condition.iter().skip(1).map(Some).chain([None]);
    condition.iter().zip(next).all(|(token, next)| match token.kind {
        Kind::Word => {
            token.is_any(PLAIN_WORDS) || !next.is_some_and(|next| next.is_punct("(")) && !token.is_keyword("SELECT")
        }
        Kind::Quoted | Kind::Text | Kind::Number | Kind::Param => true,
        Kind::Punct => {
            ["=", "==", "<", ">", "<=", ">=", "<>", "!=", "(", ")", ",", ".", "+", "-"].contains(&token.text)
        }
        _ => false,
    })
}
