//! `impossible_predicate` and `vacuous_predicate` on known rows: a column is compared with a text that its rows have only in other letters, or with the pattern of LIKE.

use model::Value;
use model::ddl::quote_name;
use model::suite::Op;
use syntax::diagnostics::{Code, Diagnostic};

use super::findings::{Finding, Probe};
use crate::predicates::{Atom, Operand, Predicates, Side, Test};
use crate::request::SqlRequest;

/// Finds comparisons with texts. The rows decide whether a column has such a text only in another letter case.
pub fn find_recased_texts(predicates: &Predicates, request: &SqlRequest<'_>) -> Vec<Finding> {
    predicates.atoms.iter().filter_map(|atom| check_atom(atom, request)).collect()
}

fn check_atom(atom: &Atom, request: &SqlRequest<'_>) -> Option<Finding> {
    let Test::Compare(op @ (Op::Eq | Op::Ne), left, right) = &atom.test else { return None };
    let (table, column, text) = read_sides(request, left, right).or_else(|| read_sides(request, right, left))?;
    // Letters are all that differs.
    if !text.chars().any(char::is_alphabetic) {
        return None;
    }
    let (code, word) = match (*op == Op::Eq) != atom.negated {
        true => (Code::IMPOSSIBLE_PREDICATE, "never"),
        false => (Code::VACUOUS_PREDICATE, "always different from"),
    };
    let message = match word {
        "never" => format!("`{column}` is never '{text}'"),
        _ => format!("`{column}` is {word} '{text}'"),
    };
    let is_pattern = text.contains('%');
    let said = Diagnostic::new(code, message, atom.span, word).help(match is_pattern {
        true => "`%` is a character like any other to `=`: write `LIKE`",
        false => "the database has this text in other letters, and a comparison distinguishes them",
    });
    let (quoted_table, quoted_column) = (quote_name(&table), quote_name(&column));
    let literal = text.replace('\'', "''");
    let exists = |collation: &str| {
        format!("EXISTS (SELECT 1 FROM {quoted_table} WHERE {quoted_column} = '{literal}'{collation})")
    };
    let probe = Probe::Returns(match is_pattern {
        true => format!("SELECT 1 WHERE NOT {}", exists("")),
        false => format!("SELECT 1 WHERE NOT {} AND {}", exists(""), exists(" COLLATE NOCASE")),
    });
    Some(Finding { probe: Some(probe), ..Finding::new_unconditional(said) })
}

/// Reads a column and the text with which it is compared: the names of table and column, and the text.
fn read_sides(request: &SqlRequest<'_>, column: &Operand, value: &Operand) -> Option<(String, String, String)> {
    let (Side::Column { relation, column, .. }, Side::Literal(Value::Text(text))) = (&column.value, &value.value)
    else {
        return None;
    };
    let table = request.tables.iter().find(|table| table.id == *relation)?;
    let column = table.columns.iter().find(|known| known.id == *column)?;
    Some((table.name.to_owned(), column.name.to_owned(), text.clone()))
}
