//! Proofs that rows can be deleted: no other row refers to them.

use model::suite::{ColumnId, ConstraintKind, RelationId};

use super::sql::MAX_COMBINED;
use super::statements::{Deletion, Statement, is_referred_to};
use hir::{Relation, Task};
use sql::lex::{Kind, Token};

/// A reference: the table and column that refer, and the column to which they do.
struct Reference<'a> {
    relation: RelationId,
    own: &'a Relation,
    column: ColumnId,
    to: ColumnId,
}

/// Whether no row refers to a row that a statement deletes.
pub(super) fn leaves_references(statement: &Statement<'_, '_>) -> bool {
    let task = statement.terms.facts.task();
    if !is_referred_to(task, statement.id, None) {
        return true;
    }
    let Some(references) = list_references(task, statement.id) else { return false };
    let count = |id: RelationId| statement.terms.facts.count_rows(id).most.max(1);
    references.iter().all(|reference| {
        // SQLite may look at each row of it for each one that is deleted.
        count(statement.id).saturating_mul(count(reference.relation)) <= MAX_COMBINED
            && (statement.change.conditions.iter().any(|part| excludes_referred(statement, reference, part))
                || was_deleted(statement, reference))
    })
}

/// All references to a table. `None` if one has several columns, or is from the table itself.
fn list_references(task: &Task, id: RelationId) -> Option<Vec<Reference<'_>>> {
    let mut found = Vec::new();
    for (relation, own) in task.relations.iter_enumerated() {
        let is_own = |(to, _): (RelationId, ColumnId)| to == id;
        for (column, declared) in own.columns.iter_enumerated() {
            if let Some((_, to)) = declared.references.filter(|to| is_own(*to)) {
                found.push(Reference { relation, own, column, to });
            }
        }
        let has_wide = own.constraints.iter().any(
            |constraint| matches!(&constraint.kind, ConstraintKind::References { relation, .. } if *relation == id),
        );
        if has_wide {
            return None;
        }
    }
    found.iter().all(|reference| reference.relation != id).then_some(found)
}

impl Reference<'_> {
    /// Whether a token is the column that refers.
    fn is_column(&self, token: &str) -> bool {
        self.own.columns.get(self.column).is_some_and(|own| own.name.eq_ignore_ascii_case(token))
    }
}

/// Whether a condition is `key NOT IN (SELECT ref FROM others)`.
fn excludes_referred(statement: &Statement<'_, '_>, reference: &Reference<'_>, part: &[Token<'_>]) -> bool {
    let [key, not, is_in, open, select, column, from, table, close] = part else { return false };
    is_key(statement, reference.to, key)
        && not.is_keyword("NOT")
        && is_in.is_keyword("IN")
        && open.is_punct("(")
        && select.is_keyword("SELECT")
        && column.is_name()
        && reference.is_column(&column.to_unquoted())
        && from.is_keyword("FROM")
        && table.is_named(&reference.own.table)
        && close.is_punct(")")
}

/// Whether a token is the column of the table to which rows refer.
fn is_key(statement: &Statement<'_, '_>, column: ColumnId, token: &Token<'_>) -> bool {
    token.is_name()
        && statement.relation.columns.get(column).is_some_and(|own| own.name.eq_ignore_ascii_case(&token.to_unquoted()))
}

/// Whether an earlier statement has deleted all rows that refer to the rows that this one deletes.
fn was_deleted(statement: &Statement<'_, '_>, reference: &Reference<'_>) -> bool {
    let of_reference = |deletion: &&Deletion| deletion.relation == reference.relation;
    statement.done.deletions.iter().filter(of_reference).any(|deletion| match deletion.conditions.as_slice() {
        [] => true,
        [part] => is_same_condition(statement, reference, part) || is_of_same_rows(statement, reference, part),
        _ => false,
    })
}

/// Whether rows with `ref = value` were deleted, and now those with `key = value` are. The value is the same for all rows.
fn is_same_condition(statement: &Statement<'_, '_>, reference: &Reference<'_>, part: &[String]) -> bool {
    let [column, rest @ ..] = part else { return false };
    reference.is_column(unquote(column))
        && statement.change.conditions.iter().any(|own| match own.as_slice() {
            [key, tokens @ ..] => {
                is_key(statement, reference.to, key)
                    && tokens.iter().all(is_constant_part)
                    && tokens.iter().map(|token| token.text).eq(rest.iter().map(String::as_str))
            }
            [] => false,
        })
}

/// Whether a token can be in the condition that follows a column, and means the same for each table.
fn is_constant_part(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Number | Kind::Text | Kind::Param => true,
        Kind::Word => token.is_any("IN BETWEEN AND"),
        Kind::Punct => ["=", "==", "<", ">", "<=", ">=", "(", ")", ",", "-"].contains(&token.text),
        _ => false,
    }
}

/// Whether rows with `ref IN (SELECT key FROM table WHERE conditions)` were deleted, and now those of the table that meet these conditions are.
fn is_of_same_rows(statement: &Statement<'_, '_>, reference: &Reference<'_>, part: &[String]) -> bool {
    let texts: Vec<&str> = part.iter().map(String::as_str).collect();
    let [column, is_in, "(", select, key, from, table, rest @ .., ")"] = texts.as_slice() else { return false };
    let has_words =
        [(is_in, "IN"), (select, "SELECT"), (from, "FROM")].iter().all(|(own, word)| own.eq_ignore_ascii_case(word));
    let is_of_table = reference.is_column(unquote(column))
        && unquote(table).eq_ignore_ascii_case(&statement.relation.table)
        && statement.relation.columns.get(reference.to).is_some_and(|own| own.name.eq_ignore_ascii_case(unquote(key)));
    // All rows of the table.
    let [word, conditions @ ..] = rest else { return has_words && is_of_table };
    // A condition in brackets, or one of a query, can mean something else there.
    let is_plain = |token: &&str| !["(", ")", ".", "SELECT"].iter().any(|other| token.eq_ignore_ascii_case(other));
    let own = statement.change.conditions.iter().map(|part| part.iter().map(|token| token.text).collect::<Vec<_>>());
    let own: Vec<&str> = own.collect::<Vec<_>>().join(&"AND");
    let upper = |token: &&str| if token.eq_ignore_ascii_case("AND") { "AND".to_owned() } else { (*token).to_owned() };
    has_words
        && is_of_table
        && word.eq_ignore_ascii_case("WHERE")
        && conditions.iter().all(is_plain)
        && conditions.iter().map(upper).eq(own.iter().map(upper))
}

/// A name without its quotes.
fn unquote(token: &str) -> &str {
    token.trim_matches(['"', '`', '[', ']'])
}
