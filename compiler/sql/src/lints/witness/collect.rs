//! Collects the tables of a query that has been visited, and values that their columns and its parameters can have.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::ddl::quote_name;
use model::{Value, ValueType};

use super::super::sample::sample_value;
use super::Witness;
use super::setting::{SampleColumn, SampleParam, SampleTable, Setting};
use crate::analyser::Analyser;
use crate::attach::select_databases;
use crate::ddl::build_ddl;
use crate::lex::{Kind, Token};
use crate::request::{ParamKind, SqlColumn, SqlTable, is_same_name};

/// The maximum number of tables of a query with a witness, and of those with the tables to which they refer.
const MAX_TABLES: (usize, usize) = (4, 12);

/// The maximum number of values that are tried in a column.
const MAX_VALUES: usize = 6;

/// Words that can be between a column and the value with which it is compared.
const BETWEEN: &str = "AND OR NOT IN LIKE BETWEEN IS";

/// Gives witnesses the tables of the query, which has been visited.
pub fn set_tables(analyser: &Analyser<'_>, witnesses: Vec<&mut Witness>) {
    if witnesses.is_empty() {
        return;
    }
    let setting = Arc::new(collect_setting(analyser).unwrap_or_default());
    for witness in witnesses {
        witness.set_setting(&setting);
    }
}

/// Collects the setting of a query that has been visited; `None` if its tables are too many, or values of a column are not known.
fn collect_setting(analyser: &Analyser<'_>) -> Option<Setting> {
    let (query, meaning) = (analyser.query, &analyser.meaning);
    let all = query.request.tables;
    let order = order_tables(all, add_targets(all, &meaning.tables));
    if order.is_empty() || meaning.tables.len() > MAX_TABLES.0 || order.len() > MAX_TABLES.1 {
        return None;
    }
    let attached = select_databases(query, &mut Vec::new())?;
    let literals = collect_literals(query.tokens);
    let mut tables = Vec::new();
    for index in &order {
        let table = all.get(*index)?;
        let build = |(place, column): (usize, &SqlColumn<'_>)| {
            let read = meaning.reads.contains(&(*index, place));
            let refers = find_target(all, table, column);
            let kept = refers.and_then(|(to, at)| Some((order.iter().position(|known| *known == to)?, at)));
            // A key of a table that the query does not read.
            let source = refers.and_then(|(to, at)| all.get(to)?.columns.get(at)).unwrap_or(column);
            let mut values = list_values(source, column.name, &literals);
            if column.nullable && !column.primary_key {
                values.push(Value::Null);
            }
            let unique = column.unique || column.primary_key;
            (!values.is_empty()).then(|| SampleColumn {
                name: column.name.to_owned(),
                values,
                refers: kept,
                unique,
                read,
            })
        };
        tables.push(SampleTable {
            name: table.name.to_owned(),
            written: match table.database {
                Some(database) => format!("{}.{}", quote_name(database), quote_name(table.name)),
                None => quote_name(table.name),
            },
            columns: table.columns.iter().enumerate().map(build).collect::<Option<_>>()?,
            keys: table.keys.clone(),
            read: meaning.tables.contains(index),
        });
    }
    share_keys(&mut tables);
    let params = list_params(analyser, &tables)?;
    Some(Setting { ddl: build_ddl(all, &attached), text: query.text.to_owned(), tables, params })
}

/// Adds the tables to which tables refer.
fn add_targets(all: &[SqlTable<'_>], read: &BTreeSet<usize>) -> Vec<usize> {
    let mut found: Vec<usize> = read.iter().copied().collect();
    let mut next = 0;
    while let Some(table) = found.get(next).and_then(|index| all.get(*index)) {
        for (to, _) in table.columns.iter().filter_map(|column| find_target(all, table, column)) {
            if !found.contains(&to) {
                found.push(to);
            }
        }
        next += 1;
    }
    found
}

/// Gives the keys to which columns refer the values of these columns.
fn share_keys(tables: &mut [SampleTable]) {
    for child in (0..tables.len()).rev() {
        let links: Vec<((usize, usize), Vec<Value>)> = tables.get(child).map_or_else(Vec::new, |table| {
            let columns = table.columns.iter().filter(|column| column.read);
            columns.filter_map(|column| Some((column.refers?, column.values.clone()))).collect()
        });
        for ((table, column), values) in links {
            let key = tables.get_mut(table).and_then(|table| table.columns.get_mut(column));
            if let Some(key) = key {
                let own = std::mem::take(&mut key.values);
                let all = values.into_iter().filter(|value| !value.is_null()).chain(own);
                for value in all {
                    if !key.values.contains(&value) {
                        key.values.push(value);
                    }
                }
            }
        }
    }
}

/// Puts tables to which others refer first. In a cycle of references, the order is that of the request.
fn order_tables(all: &[SqlTable<'_>], mut open: Vec<usize>) -> Vec<usize> {
    let mut order = Vec::new();
    while !open.is_empty() {
        let refers_to_open = |index: &usize| {
            let table = all.get(*index);
            let targets = table.into_iter().flat_map(|table| {
                table.columns.iter().filter_map(move |column| find_target(all, table, column)).map(|(to, _)| to)
            });
            targets.into_iter().any(|to| to != *index && open.contains(&to))
        };
        let at = open.iter().position(|index| !refers_to_open(index)).unwrap_or(0);
        order.push(open.remove(at));
    }
    order
}

/// The column to which a column refers, as indexes of the request.
fn find_target(all: &[SqlTable<'_>], table: &SqlTable<'_>, column: &SqlColumn<'_>) -> Option<(usize, usize)> {
    let (name, target) = column.references?;
    let to = all.iter().position(|other| is_same_name(other.name, name) && other.database == table.database)?;
    Some((to, all.get(to)?.columns.iter().position(|known| is_same_name(known.name, target))?))
}

/// The literals of a query, each with the name before it, which is that of the column with which it is probably compared.
fn collect_literals<'q>(tokens: &[Token<'q>]) -> Vec<(&'q str, Token<'q>)> {
    let mut name = "";
    let mut found = Vec::new();
    for token in tokens {
        match token.kind {
            Kind::Word | Kind::Quoted if !token.is_any(BETWEEN) => name = token.text.trim_matches(['"', '`', '[', ']']),
            Kind::Text | Kind::Number | Kind::Param => found.push((name, *token)),
            _ => {}
        }
    }
    found
}

/// Values of a column: some of its domain, and those with which the query compares it.
fn list_values(column: &SqlColumn<'_>, name: &str, literals: &[(&str, Token<'_>)]) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let mut push = |value: Value| {
        if values.len() < MAX_VALUES && !values.contains(&value) {
            values.push(value);
        }
    };
    let compared = literals.iter().filter(|(before, _)| is_same_name(before, name));
    for value in compared.flat_map(|(_, token)| read_literal(column, token)) {
        push(value);
    }
    let is_key = column.unique || column.primary_key;
    // Small numbers other than 0 show best what a sum is made of.
    let indexes = if is_key { [0, 1, 2, 3, 4] } else { [1, 2, 0, 4, 5] };
    indexes.into_iter().filter_map(|index| sample_value(column, index)).for_each(&mut push);
    values
}

/// The value of a literal and its neighbors, if the column can have them.
fn read_literal(column: &SqlColumn<'_>, token: &Token<'_>) -> Vec<Value> {
    let text = token.to_unquoted();
    let is_possible = |value: &Value| match (column.domain, &column.closed) {
        (Some(domain), _) => domain.has_value(value),
        (None, Some(values)) => values.iter().any(|known| known == value),
        (None, None) => true,
    };
    let values = match (token.kind, column.value_type) {
        (Kind::Number, Some(ValueType::Int)) => {
            let number: Option<i64> = text.parse().ok();
            number.map_or_else(Vec::new, |n| {
                [Some(n), n.checked_add(1), n.checked_sub(1)].into_iter().flatten().collect()
            })
        }
        (Kind::Text, Some(ValueType::Text)) => {
            return [Value::from_text(&*text)].into_iter().filter(is_possible).collect();
        }
        _ => Vec::new(),
    };
    values.into_iter().map(Value::Int).filter(is_possible).collect()
}

/// The parameters of a query, with values of the columns with which they are compared.
fn list_params(analyser: &Analyser<'_>, tables: &[SampleTable]) -> Option<Vec<SampleParam>> {
    let tokens = analyser.query.tokens;
    let mut params: Vec<SampleParam> = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Param) {
        let mut columns = tables.iter().flat_map(|table| &table.columns);
        let compared =
            find_compared(tokens, at).and_then(|name| columns.find(|column| is_same_name(&column.name, name)));
        let values: Vec<Value> = match compared {
            Some(column) => column.values.iter().filter(|value| !value.is_null()).cloned().collect(),
            None => list_typed_values(&(analyser.query.request.param)(token.text.trim_start_matches(':')))?,
        };
        let new = SampleParam { name: token.text.to_owned(), values, known: compared.is_some() };
        match params.iter_mut().find(|param| param.name == new.name) {
            Some(param) if param.known || !new.known => {}
            Some(param) => *param = new,
            None => params.push(new),
        }
    }
    Some(params)
}

/// The name with which the value at a token is compared: `NAME = :value`, `:value < NAME`, `NAME BETWEEN :low AND :high`.
fn find_compared<'q>(tokens: &[Token<'q>], at: usize) -> Option<&'q str> {
    let get = |at: Option<usize>| at.and_then(|at| tokens.get(at));
    let is_operator = |token: &Token<'q>| token.kind == Kind::Punct && token.text.contains(['<', '>', '=']);
    let name = |token: &Token<'q>| match token.kind {
        Kind::Word | Kind::Quoted if !token.is_any(BETWEEN) => Some(token.text.trim_matches(['"', '`', '[', ']'])),
        _ => None,
    };
    let before = |steps: usize| get(at.checked_sub(steps));
    if before(1).is_some_and(|token| is_operator(token) || token.is_any("BETWEEN LIKE")) {
        return before(2).and_then(name);
    }
    if before(1).is_some_and(|token| token.is_keyword("AND"))
        && before(3).is_some_and(|token| token.is_keyword("BETWEEN"))
    {
        return before(4).and_then(name);
    }
    // A name with its table has a point before it.
    let is_qualified = get(Some(at + 3)).is_some_and(|token| token.is_punct("."));
    get(Some(at + 1)).filter(|token| is_operator(token))?;
    get(Some(if is_qualified { at + 4 } else { at + 2 })).and_then(name)
}

/// Values of a type, of which it is not known whether the parameter can have them.
fn list_typed_values(kind: &ParamKind) -> Option<Vec<Value>> {
    match kind {
        ParamKind::Value { value_type: Some(ValueType::Int | ValueType::Decimal(_) | ValueType::Float), .. } => {
            Some(vec![Value::Int(1), Value::Int(2)])
        }
        ParamKind::Value { value_type: Some(ValueType::Text), .. } => {
            Some(vec![Value::from_text("x"), Value::from_text("y")])
        }
        _ => None,
    }
}
