//! The row of a plain `INSERT INTO t (a, b) VALUES (1, :b)`.

use sql::Change;
use sql::lex::{Kind, Token, tokenize_sql};

/// A value of an inserted row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Inserted<'t> {
    /// An int that is written out.
    Int(i64),
    /// A text that is written out.
    Text,
    /// That of a parameter, by its name without colon.
    Param(&'t str),
}

/// The row of a statement.
pub(super) struct Insert<'t> {
    /// The names of its columns; empty if they are those of the table.
    columns: Vec<String>,
    values: Vec<Inserted<'t>>,
}

impl<'t> Insert<'t> {
    /// The values in the order of the columns of the table. `None` if a column has none, or one has two.
    pub(super) fn match_columns(&self, names: &[&str]) -> Option<Vec<Inserted<'t>>> {
        if self.values.len() != names.len() {
            return None;
        }
        if self.columns.is_empty() {
            return Some(self.values.clone());
        }
        let find = |name: &&str| {
            let at = self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))?;
            self.values.get(at).cloned()
        };
        (self.columns.len() == names.len()).then(|| names.iter().map(find).collect())?
    }
}

/// Reads the only row that a statement inserts. `None` if it is written in another way.
pub(super) fn read_insert<'t>(text: &'t str, change: &Change<'_>) -> Option<Insert<'t>> {
    let statement = text.get(change.bytes.0..change.bytes.1)?;
    let tokens = tokenize_sql(statement);
    let [insert, into, table, rest @ ..] = tokens.as_slice() else { return None };
    let is_plain = insert.is_keyword("INSERT") && into.is_keyword("INTO") && table.is_name();
    let (columns, rest) = match rest {
        [open, rest @ ..] if open.is_punct("(") => {
            let end = rest.iter().position(|token| token.is_punct(")"))?;
            let names: Option<Vec<String>> = split_list(rest.get(..end)?)
                .map(|part| match part {
                    [name] if name.is_name() => Some(name.to_unquoted()),
                    _ => None,
                })
                .collect();
            (names?, rest.get(end + 1..)?)
        }
        rest => (Vec::new(), rest),
    };
    let [values, open, list @ .., close] = rest else { return None };
    let is_row = values.is_keyword("VALUES") && open.is_punct("(") && close.is_punct(")");
    let values: Option<Vec<Inserted<'t>>> = split_list(list).map(read_value).collect();
    (is_plain && is_row).then_some(Insert { columns, values: values? })
}

/// The parts of a list between its commas.
fn split_list<'s, 't>(tokens: &'s [Token<'t>]) -> impl Iterator<Item = &'s [Token<'t>]> {
    tokens.split(|token| token.is_punct(","))
}

fn read_value<'t>(part: &[Token<'t>]) -> Option<Inserted<'t>> {
    let [token] = part else { return None };
    match token.kind {
        Kind::Number => token.text.parse().ok().map(Inserted::Int),
        Kind::Text => Some(Inserted::Text),
        Kind::Param => token.text.strip_prefix(':').map(Inserted::Param),
        _ => None,
    }
}
