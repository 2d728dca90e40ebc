//! Evaluates simple queries in an imagined sample: one aggregate over the rows of one table that meet comparisons joined by AND.

use model::functions::{AVG, COUNT, FunctionId, Kernel, MAX, MIN, SUM};
use model::suite::{ColumnId, Op, RelationId};
use model::{Val, Value, ops};

use super::fault::{Res, Stop};
use super::world::{Table, World};
use hir::Sql;
use sql::predicates::{Atom, Operand, Side, Test};

/// Words that make a query more than one aggregate over rows that meet all comparisons.
const OTHERS: [&str; 17] = [
    "OR",
    "JOIN",
    "GROUP",
    "HAVING",
    "LIMIT",
    "DISTINCT",
    "NOT",
    "CASE",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "WITH",
    "OVER",
    "FILTER",
    "LIKE",
    "BETWEEN",
    "COLLATE",
];

/// An aggregate over the rows of a table.
struct Aggregate {
    function: FunctionId,
    relation: RelationId,
    column: Option<ColumnId>,
}

/// A query in a sample, with the values of its parameters in their order.
struct Asked<'e> {
    world: &'e World<'e>,
    sql: &'e Sql,
    params: &'e [Value],
}

/// The value of a query with these values of its parameters, if it is simple enough.
pub(super) fn evaluate_query(world: &World<'_>, sql: &Sql, params: &[Value]) -> Res<Value> {
    let asked = Asked { world, sql, params };
    let aggregate = read_aggregate(&asked).ok_or(Stop::Unknown)?;
    let Kernel::Fold(kernel) = aggregate.function.kernel else { return Err(Stop::Unknown) };
    let table = world.read_table(aggregate.relation)?;
    let (mut values, mut rows) = (Vec::new(), 0);
    for row in 0..table.count_known_rows()? {
        world.spend_work(1)?;
        if is_match(&asked, table, row)? {
            rows += 1;
            if let Some(column) = aggregate.column {
                values.push(table.read_cell(column, row)?);
            }
        }
    }
    if aggregate.column.is_none() {
        return Ok(Value::Int(rows));
    }
    let mut known = values.iter().filter(|value| !value.is_null()).map(Val::Ref);
    kernel(aggregate.function.name, &mut known).map(Val::into_value).map_err(|_| Stop::Unknown)
}

/// Reads `SELECT AGGREGATE(COLUMN) FROM TABLE [WHERE …]`.
fn read_aggregate(asked: &Asked<'_>) -> Option<Aggregate> {
    let sql = asked.sql;
    let text = sql.text.trim();
    let words = || text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let count = |wanted: &str| words().filter(|word| word.eq_ignore_ascii_case(wanted)).count();
    if OTHERS.iter().any(|other| count(other) > 0) || count("SELECT") != 1 || count("FROM") != 1 {
        return None;
    }
    let relation = match sql.analysis.tables.as_slice() {
        [relation] => *relation,
        _ => return None,
    };
    let rest = text.get(6..).filter(|_| text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select")))?;
    let (name, rest) = rest.split_once('(')?;
    let (argument, rest) = rest.split_once(')')?;
    // Otherwise the aggregate is a part of something larger.
    let from = rest.trim_start();
    if !from.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("from")) || rest.contains('(') && count("IN") == 0 {
        return None;
    }
    let comparisons = if count("WHERE") == 0 { 0 } else { count("AND") + 1 };
    if sql.analysis.predicates.atoms.len() != comparisons {
        return None;
    }
    let name = name.trim();
    let function = [COUNT, MIN, MAX, AVG, SUM].into_iter().find(|function| function.name.eq_ignore_ascii_case(name))?;
    let argument = argument.trim();
    let column = match argument {
        "*" => None,
        _ => {
            let own = argument.rsplit('.').next().unwrap_or(argument).trim_matches('"');
            let columns = &asked.world.task.relations.get(relation)?.columns;
            Some(columns.iter_enumerated().find(|(_, column)| column.name.eq_ignore_ascii_case(own))?.0)
        }
    };
    Some(Aggregate { function, relation, column })
}

fn is_match(asked: &Asked<'_>, table: &Table, row: usize) -> Res<bool> {
    for atom in &asked.sql.analysis.predicates.atoms {
        if !is_met(asked, atom, (table, row))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_met(asked: &Asked<'_>, atom: &Atom, place: (&Table, usize)) -> Res<bool> {
    let read = |operand: &Operand| read_side(asked, operand, place);
    let is_true = |op: Op, a: &Value, b: &Value| {
        let (a, b) = (to_stored(a), to_stored(b));
        // SQLite compares a number with a text by rules of its own.
        let alike = a.is_null() || b.is_null() || a.as_f64().is_some() == b.as_f64().is_some();
        let made = ops::apply_binary(op, &a, &b).ok().filter(|_| alike);
        made.map(|value| value == Value::Bool(true)).ok_or(Stop::Unknown)
    };
    let met = match &atom.test {
        Test::Compare(op, a, b) => is_true(*op, &read(a)?, &read(b)?)?,
        Test::In { value, items } => {
            let value = read(value)?;
            let mut found = false;
            for item in items {
                found = found || is_true(Op::Eq, &value, &read(item)?)?;
            }
            found
        }
        Test::Between { .. } | Test::Like { .. } | Test::When { .. } | Test::Null { .. } | Test::Other { .. } => {
            return Err(Stop::Unknown);
        }
    };
    if atom.negated { Err(Stop::Unknown) } else { Ok(met) }
}

fn read_side(asked: &Asked<'_>, operand: &Operand, (table, row): (&Table, usize)) -> Res<Value> {
    match &operand.value {
        Side::Column { column, .. } => table.read_cell(*column, row),
        Side::Literal(value) => Ok(value.clone()),
        Side::Param(name) => {
            let at = asked.sql.params.iter().position(|(known, _)| known == name);
            at.and_then(|at| asked.params.get(at)).cloned().ok_or(Stop::Unknown)
        }
        _ => Err(Stop::Unknown),
    }
}

/// A value as SQLite stores it: dates are texts, and truth is 0 or 1.
fn to_stored(value: &Value) -> Value {
    match value {
        Value::Bool(value) => Value::Int(i64::from(*value)),
        Value::Date(_) => Value::Text(value.render_text().into_owned()),
        other => other.clone(),
    }
}
