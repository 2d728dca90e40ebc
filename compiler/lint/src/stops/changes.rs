//! Proofs that the statements of `after` cannot be refused: they only delete rows to which no other row refers, set columns to values that they can have, and
//! insert a row that no key forbids.

use model::functions::FunctionId;
use model::suite::{ColumnId, FileContent, Op, RelationId, Scope};

use super::inserted::{Inserted, read_insert};
use hir::facts::{Fact, Facts, Truth, compare_facts};
use hir::types::TyKind;
use hir::{Arg, DrawDomain, Expr, ExprKind, NameSource, Relation, Sql, Task};
use model::Value;
use sql::lex::{Kind, Token};
use sql::{Change, ChangeKind, list_changes};

/// The most rows of a table that is changed.
const MAX_ROWS: u64 = 100_000;

/// The words between the names and values of a simple condition.
const PLAIN_WORDS: &str = "AND OR NOT IN BETWEEN IS NULL LIKE";

/// The words and operators in the computation of a value.
const WORDS_OF_VALUES: &str = "CASE WHEN THEN ELSE END AND OR NOT CAST AS INTEGER REAL TEXT";
const OPERATORS: [&str; 13] = ["+", "-", "*", "/", "(", ")", "=", "<", ">", "<=", ">=", "<>", "!="];

/// Functions of days, which have a result for each day.
const OF_DAYS: &str = "DATE JULIANDAY UNIXEPOCH";

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
            facts.count_rows(id).most <= MAX_ROWS
                && match change.kind {
                    ChangeKind::Insert => changes.len() == 1 && is_safe_insert(facts, (id, relation), (sql, change)),
                    _ => is_safe_change(task, (id, relation), (sql, change)),
                }
        })
    })
}

fn is_safe_change(task: &Task, (id, relation): (RelationId, &Relation), (sql, change): (&Sql, &Change<'_>)) -> bool {
    let is_plain =
        !change.is_complex && change.conditions.iter().all(|condition| is_plain_condition((sql, relation), condition));
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

/// Whether an inserted row is one that the table can have: each column has a value, and no key has it already.
fn is_safe_insert<'a>(
    facts: &Facts<'a>,
    (id, relation): (RelationId, &Relation),
    (sql, change): (&'a Sql, &Change<'_>),
) -> bool {
    let Some(values) = read_insert(&sql.text, change).filter(|_| !change.is_complex) else { return false };
    let names: Vec<&str> = relation.iter_written_columns().map(|(_, column)| column.name.as_str()).collect();
    let Some(row) = values.match_columns(&names) else { return false };
    let find = |column: ColumnId| {
        let at = relation.iter_written_columns().position(|(own, _)| own == column)?;
        row.get(at)
    };
    let is_new = |column: ColumnId| find(column).is_some_and(|value| is_new_value(facts, (id, column), (sql, value)));
    let is_allowed = |column: ColumnId, own: &hir::Column| {
        let draw = own.source.draw();
        let is_key = draw.is_some_and(|draw| draw.unique || draw.is_serial()) || facts.lookup_column(id, column).unique;
        find(column).is_some_and(|value| is_of_column(sql, own, value))
            && own.references.is_none()
            && (!is_key || is_new(column))
    };
    relation.iter_written_columns().all(|(column, own)| is_allowed(column, own))
        && relation.constraints.iter().all(|constraint| match constraint.kind {
            model::suite::ConstraintKind::References { .. } => false,
            _ => !constraint.is_unique() || constraint.columns.iter().any(|column| is_new(*column)),
        })
}

/// Whether a value is never null, and of the kind of a column.
fn is_of_column(sql: &Sql, column: &hir::Column, value: &Inserted<'_>) -> bool {
    let is_number = |kind: &TyKind| matches!(kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Float);
    match value {
        Inserted::Int(_) => is_number(&column.ty.kind) || column.ty.kind == TyKind::Bool,
        Inserted::Text => column.ty.kind == TyKind::Text,
        Inserted::Param(name) => sql.find_param(name).is_some_and(|value| {
            let is_same = value.ty.kind == column.ty.kind || is_number(&value.ty.kind) && is_number(&column.ty.kind);
            !value.ty.nullable && is_same
        }),
    }
}

/// Whether a value is surely none of those of a column.
fn is_new_value<'a>(
    facts: &Facts<'a>,
    (relation, column): (RelationId, ColumnId),
    (sql, value): (&'a Sql, &Inserted<'_>),
) -> bool {
    let cells = facts.lookup_column(relation, column);
    let is_int = |fact: &Fact<'_>| matches!(fact.range, Some((Value::Int(_), Value::Int(_))));
    let fact = match value {
        Inserted::Int(number) => Fact::from_value(&Value::Int(*number)),
        Inserted::Text => return false,
        Inserted::Param(name) => {
            let Some(value) = sql.find_param(name) else { return false };
            if is_drawn_apart(facts, value, (relation, column)) {
                return true;
            }
            facts.infer_expr(value, Scope::default())
        }
    };
    is_int(&fact)
        && is_int(&cells)
        && compare_facts(Op::Eq, &Fact { unique: false, nullable: false, ..cells }, &fact) == Truth::Never
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

/// Whether a value is never null: it is computed from numbers and texts, parameters, and columns that exist. In doubt it may be null.
fn is_plain_value(sql: &Sql, relation: &Relation, value: &[Token<'_>]) -> bool {
    let count = |word: &str| value.iter().filter(|token| token.is_keyword(word)).count();
    let before = [None].into_iter().chain(value.iter().map(Some));
    let next = value.iter().skip(1).map(Some).chain([None]);
    let is_plain = |((token, before), next): ((&Token<'_>, Option<&Token<'_>>), Option<&Token<'_>>)| match token.kind {
        Kind::Number | Kind::Text => !before.is_some_and(|before| before.is_punct("/")) || is_divisor(token),
        // Nothing else is a divisor.
        _ if before.is_some_and(|before| before.is_punct("/")) => false,
        Kind::Param => {
            let name = token.text.trim_start_matches([':', '@', '$']);
            sql.find_param(name).is_some_and(|value| !value.ty.nullable && !value.ty.is_unknown())
        }
        Kind::Word if token.is_any(WORDS_OF_VALUES) => true,
        Kind::Word => !next.is_some_and(|next| next.is_punct("(")) && has_cells(relation, token.text),
        Kind::Punct => OPERATORS.contains(&token.text),
        _ => false,
    };
    count("CASE") == count("ELSE") && value.iter().zip(before).zip(next).all(is_plain)
}

/// Whether a number is not 0.
fn is_divisor(token: &Token<'_>) -> bool {
    token.kind == Kind::Number && token.text.parse::<f64>().is_ok_and(|number| number != 0.0)
}

/// Whether no cell of a column is null.
fn has_cells(relation: &Relation, name: &str) -> bool {
    relation.columns.iter().any(|column| {
        column.name.eq_ignore_ascii_case(name)
            && !column.ty.nullable
            && !column.source.draw().is_some_and(hir::Draw::may_be_blank)
    })
}

/// Whether a condition compares columns with values, and calls no function but those of days.
fn is_plain_condition((sql, relation): (&Sql, &Relation), condition: &[Token<'_>]) -> bool {
    let next = condition.iter().skip(1).map(Some).chain([None]);
    let is_day = |at: usize| match condition.get(at..at + 3) {
        Some([open, of, close]) if open.is_punct("(") && close.is_punct(")") => match of.kind {
            Kind::Param => sql
                .find_param(of.text.trim_start_matches([':', '@', '$']))
                .is_some_and(|value| value.ty.kind == TyKind::Date),
            Kind::Word => relation
                .columns
                .iter()
                .any(|column| column.name.eq_ignore_ascii_case(of.text) && column.ty.kind == TyKind::Date),
            _ => false,
        },
        _ => false,
    };
    condition.iter().zip(next).enumerate().all(|(at, (token, next))| match token.kind {
        Kind::Word if token.is_any(OF_DAYS) && is_day(at + 1) => true,
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
