//! For `leaked_answer`: an aggregate over the rows of one table that meet conditions, perhaps for each group, and whether a summary by groups has it.

use std::collections::BTreeSet;

use model::functions::Aggregate;
use model::suite::{ColumnId, Op, RelationId};

use hir::{Arg, Expr, ExprKind, Sql, Task};
use sql::lex::{Kind, Token, tokenize_sql};

/// Aggregates over rows. Names are in upper case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Summary {
    relation: RelationId,
    /// Such as `SUM(KG)`.
    aggregates: BTreeSet<String>,
    /// The columns of the groups.
    groups: BTreeSet<String>,
    /// Such as `DOSE=2`.
    conditions: BTreeSet<String>,
}

impl Summary {
    /// Reads a query of one table. `None` if it has other parts than conditions and groups.
    pub fn from_query(sql: &Sql) -> Option<Summary> {
        let [relation] = sql.analysis.tables.as_slice() else { return None };
        let tokens = tokenize_sql(&sql.text);
        let tokens: Vec<&Token<'_>> =
            tokens.iter().filter(|token| !matches!(token.kind, Kind::Blank | Kind::Comment)).collect();
        let is_plain =
            |token: &&&Token<'_>| token.is_any("SELECT FROM JOIN HAVING OVER UNION EXCEPT INTERSECT DISTINCT");
        let words: Vec<String> = tokens.iter().filter(is_plain).map(|token| token.text.to_uppercase()).collect();
        if words != ["SELECT", "FROM"] || tokens.iter().any(|token| token.is_any("OR BETWEEN CASE OFFSET")) {
            return None;
        }
        let clause = |keyword: &str| find_clause(&tokens, keyword);
        let items = split(clause("SELECT")?, ",");
        let aggregates = items.iter().filter(|item| is_aggregate(item)).map(|item| write_tokens(item)).collect();
        let groups = clause("GROUP").map(|group| group.get(1..).unwrap_or_default()).unwrap_or_default();
        let conditions = clause("WHERE").map(|tokens| split(tokens, "AND")).unwrap_or_default();
        Some(Summary {
            relation: *relation,
            aggregates,
            groups: split(groups, ",").iter().map(|group| write_tokens(group)).collect(),
            conditions: conditions.iter().map(|condition| write_tokens(condition)).collect(),
        })
    }

    /// Reads a call such as `sum(t.KG where SITE == site)`.
    pub fn from_call(task: &Task, call: &Expr) -> Option<Summary> {
        let ExprKind::Call(function, args) = &call.kind else { return None };
        let (relation, column, filter) = match args.as_slice() {
            [Arg::Relation { relation, filter }] => (*relation, None, filter),
            [Arg::Column { relation, column, filter }] => (*relation, Some(*column), filter),
            _ => return None,
        };
        let own = task.relations.get(relation)?;
        let name = match column {
            Some(column) => own.columns.get(column)?.name.to_uppercase(),
            None => "*".to_owned(),
        };
        let aggregate = match function.aggregate? {
            Aggregate::Count => "COUNT",
            Aggregate::Sum => "SUM",
            Aggregate::Mean => "AVG",
            _ => return None,
        };
        let (mut conditions, mut groups) = (BTreeSet::new(), BTreeSet::new());
        let mut open: Vec<&Expr> = filter.iter().collect();
        while let Some(part) = open.pop() {
            match &part.kind {
                ExprKind::Binary(Op::And, sides) => open.extend([&sides.0, &sides.1]),
                // One value for each row of another table.
                ExprKind::Binary(Op::Eq, sides) if let Some(column) = find_group(&sides.0, &sides.1) => {
                    groups.insert(own.columns.get(column)?.name.to_uppercase());
                }
                _ => {
                    conditions.insert(write_condition(task, own, part)?);
                }
            }
        }
        let aggregates = BTreeSet::from([format!("{aggregate}({name})")]);
        Some(Summary { relation, aggregates, groups, conditions })
    }

    /// Checks whether it has several values.
    pub fn is_grouped(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Checks whether this summary has a value of another one: the same aggregates of the same rows, for each value of columns that the other one compares.
    pub fn has(&self, wanted: &Summary) -> bool {
        let is_of_group =
            |condition: &&String| condition.split_once('=').is_some_and(|(column, _)| self.groups.contains(column));
        let mut further = wanted.conditions.difference(&self.conditions);
        self.relation == wanted.relation
            && !wanted.aggregates.is_empty()
            && wanted.aggregates.is_subset(&self.aggregates)
            && self.conditions.is_subset(&wanted.conditions)
            && wanted.groups.is_subset(&self.groups)
            && further.all(|condition| is_of_group(&condition))
            && (!self.groups.is_empty() || wanted.groups.is_empty())
    }
}

/// Returns the column of a comparison with a column of the surrounding row.
fn find_group(left: &Expr, right: &Expr) -> Option<ColumnId> {
    match (&left.kind, &right.kind) {
        (ExprKind::Column(column), ExprKind::OuterColumn(_)) | (ExprKind::OuterColumn(_), ExprKind::Column(column)) => {
            Some(*column)
        }
        _ => None,
    }
}

/// Returns the tokens of a clause, after its keyword.
fn find_clause<'t, 's>(tokens: &'t [&'s Token<'s>], keyword: &str) -> Option<&'t [&'s Token<'s>]> {
    let start = tokens.iter().position(|token| token.is_keyword(keyword))? + 1;
    let rest = tokens.get(start..)?;
    let end = rest.iter().position(|token| token.is_any("FROM WHERE GROUP ORDER LIMIT") || token.is_punct(";"));
    rest.get(..end.unwrap_or(rest.len()))
}

/// Splits tokens at a mark or word that is not in brackets.
fn split<'t, 's>(tokens: &'t [&'s Token<'s>], at: &str) -> Vec<&'t [&'s Token<'s>]> {
    let mut depth = 0i32;
    let parts = tokens.split(|token| {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0 && (token.is_punct(at) || token.is_keyword(at))
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// Checks whether a selected value is an aggregate.
fn is_aggregate(item: &[&Token<'_>]) -> bool {
    item.first().is_some_and(|first| first.is_any("COUNT SUM AVG TOTAL"))
}

/// Writes tokens without aliases, qualifiers, and blanks, in upper case.
fn write_tokens(tokens: &[&Token<'_>]) -> String {
    let end = tokens.iter().position(|token| token.is_keyword("AS")).unwrap_or(tokens.len());
    let tokens = tokens.get(..end).unwrap_or_default();
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_qualifier = tokens.get(at + 1).is_some_and(|next| next.is_punct("."));
        if is_qualifier || token.is_punct(".") {
            continue;
        }
        match token.text {
            "==" => out.push('='),
            "!=" => out.push_str("<>"),
            text if token.kind == Kind::Text => out.push_str(text),
            text => out.push_str(&text.trim_matches(['"', '`', '[', ']']).to_uppercase()),
        }
    }
    strip_truth(out)
}

/// Writes `FLAG=1` as `FLAG`.
fn strip_truth(condition: String) -> String {
    let plain = ["=1", "=TRUE", "=true"].iter().find_map(|end| condition.strip_suffix(end).map(str::to_owned));
    plain.unwrap_or(condition)
}

/// Writes a comparison of a column in the same way.
fn write_condition(task: &Task, own: &hir::Relation, part: &Expr) -> Option<String> {
    let column = |expr: &Expr| Some(own.columns.get(expr.as_column_id()?)?.name.to_uppercase());
    let ExprKind::Binary(op, sides) = &part.kind else { return column(part) };
    let (op, left, right) = match sides.0.as_column_id() {
        Some(_) => (*op, &sides.0, &sides.1),
        None => (op.swap_sides(), &sides.1, &sides.0),
    };
    let op = match op {
        Op::Eq => "=",
        Op::Ne => "<>",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Gt => ">",
        Op::Ge => ">=",
        _ => return None,
    };
    let value = match &right.kind {
        ExprKind::Name(id) => format!(":{}", task.names.get(*id)?.name.to_uppercase()),
        ExprKind::Const(value) => match value.as_text() {
            Some(text) => format!("'{text}'"),
            None => value.render_text().into_owned(),
        },
        _ => column(right)?,
    };
    Some(strip_truth(format!("{}{op}{value}", column(left)?)))
}
