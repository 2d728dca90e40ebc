//! Conditions of `require` that only demand a number of rows: they cannot exclude that rows tie.

use hir::facts::Facts;
use hir::{Arg, Expr, ExprKind, Rows, Sql};
use model::Value;
use model::functions::{Aggregate, LEN};
use model::suite::{Op, RelationId};

/// The words with which a query can choose its rows by their number, or compare them with each other.
const CHOOSING: [&str; 10] =
    ["DISTINCT", "LIMIT", "OFFSET", "HAVING", "OVER", "UNION", "INTERSECT", "EXCEPT", "WITH", "EXISTS"];

/// How the rows that are counted come about.
enum Counted {
    /// Each row of a table by itself.
    Rows,
    /// The groups of the rows of this table.
    Groups(RelationId),
}

/// A number of rows.
struct Size {
    counted: Counted,
    /// The largest number of rows that a query takes.
    limit: Option<i64>,
}

impl Size {
    const OF_ROWS: Size = Size { counted: Counted::Rows, limit: None };
}

/// Whether a condition is `count(t) > 5` or similar. With more rows, more of them can tie. `len(three) == 3` is such a condition where the query has `LIMIT 3`.
pub(super) fn is_only_about_size(facts: &Facts<'_>, condition: &Expr) -> bool {
    let ExprKind::Binary(op, sides) = &condition.kind else { return false };
    let (size, least) = match op {
        Op::Gt | Op::Ge | Op::Eq => (&sides.0, &sides.1),
        Op::Lt | Op::Le => (&sides.1, &sides.0),
        _ => return false,
    };
    let task = facts.task();
    let Some(Value::Int(least)) = least.resolve_name(task).as_constant() else { return false };
    let Some(size) = find_size(task, size).filter(|size| *op != Op::Eq || size.limit == Some(*least)) else {
        return false;
    };
    match size.counted {
        Counted::Rows => true,
        // As many groups as rows would exclude that two rows are in one group.
        Counted::Groups(table) => u64::try_from(*least).is_ok_and(|least| least < facts.count_rows(table).least),
    }
}

fn find_size(task: &hir::Task, size: &Expr) -> Option<Size> {
    let ExprKind::Call(function, args) = &size.resolve_name(task).kind else { return None };
    let is_length = *function == LEN;
    match args.as_slice() {
        [Arg::Relation { relation, filter }] if function.aggregate == Some(Aggregate::Count) => {
            let is_plain = filter.as_ref().is_none_or(|filter| is_about_one_row(task, filter));
            let size = match task.relations.get(*relation)?.rows {
                Rows::Query(name) => find_query_size(task, task.find_computed(name)?.resolve_name(task).find_query()?)?,
                _ => Size::OF_ROWS,
            };
            is_plain.then_some(size)
        }
        [Arg::Value(list)] if is_length => {
            let list = list.resolve_name(task);
            let ExprKind::Call(inner, args) = &list.kind else { return None };
            match args.as_slice() {
                [Arg::Sql(sql)] => find_query_size(task, sql),
                [Arg::Column { filter, .. }] if inner.is_value_list() => {
                    filter.as_ref().is_none_or(|filter| is_about_one_row(task, filter)).then_some(Size::OF_ROWS)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a condition looks at the cells of one row and at values that do not depend on other rows.
fn is_about_one_row(task: &hir::Task, filter: &Expr) -> bool {
    let reads_rows = |part: &Expr| match &part.kind {
        ExprKind::Call(_, args) => args.iter().any(|arg| !matches!(arg, Arg::Value(_))),
        _ => false,
    };
    !filter.has_part_through_names(task, reads_rows)
}

/// The number of rows of a query that does not compare them with each other.
fn find_query_size(task: &hir::Task, sql: &Sql) -> Option<Size> {
    let words: Vec<String> = sql
        .text
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_uppercase)
        .collect();
    let (words, limit) = split_limit(&words);
    let has_one_select = words.iter().filter(|word| *word == "SELECT").count() == 1;
    if !has_one_select || words.iter().any(|word| CHOOSING.contains(&word.as_str())) || !sql.analysis.again.is_empty() {
        return None;
    }
    // Joined rows, and rows of other queries, can be chosen in ways that are not seen here.
    let [only] = sql.analysis.tables.as_slice() else { return None };
    if task.relations.get(*only).is_none_or(|table| matches!(table.rows, Rows::Query(_))) {
        return None;
    }
    let is_grouped = words.iter().any(|word| word == "GROUP");
    Some(Size { counted: if is_grouped { Counted::Groups(*only) } else { Counted::Rows }, limit })
}

/// Splits the words of a query into those before a last `LIMIT 3`, and its number.
fn split_limit(words: &[String]) -> (&[String], Option<i64>) {
    match words {
        [rest @ .., word, number] if word == "LIMIT" => match number.parse() {
            Ok(number) => (rest, Some(number)),
            Err(_) => (words, None),
        },
        _ => (words, None),
    }
}
