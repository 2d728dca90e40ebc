//! Queries that are one aggregate over the rows of a table, such as `SELECT ROUND(AVG(PAY), 2) FROM hr WHERE AGE > :age`.

use model::functions::{FunctionId, QueryResult};
use model::suite::{ColumnId, Op, RelationId};
use model::{Date, Decimal, Value};

use super::law::Law;
use super::laws::{Laws, combine_bells};
use super::rows::Cell;
use hir::types::{Ty, TyKind};
use hir::{Expr, ExprKind, Sql};
use sql::lex::{Kind, Token, tokenize_sql};

/// A query that is one aggregate.
struct Total {
    function: FunctionId,
    relation: RelationId,
    column: Option<ColumnId>,
    condition: Option<Expr>,
}

impl Laws<'_, '_> {
    /// The law of the value of a query. `None` unless the query is one aggregate over the rows of a table.
    pub(super) fn infer_total(&self, function: FunctionId, sql: &Sql) -> Option<Law> {
        if function.query != Some(QueryResult::Value) {
            return None;
        }
        let tokens = tokenize_sql(&sql.text);
        if let Some(choice) = read_choice(&tokens) {
            return self.infer_chosen(sql, choice);
        }
        let total = self.read_total(sql, &tokens)?;
        self.infer_read(&total)
    }

    fn infer_read(&self, total: &Total) -> Option<Law> {
        let cell = total.column.map(Cell::Column);
        self.infer_rows(total.function, (total.relation, cell, total.condition.as_ref()))
    }

    /// The law of `SELECT CASE WHEN COUNT(*) > 0 THEN 'yes' ELSE 'no' END FROM t`.
    fn infer_chosen(&self, sql: &Sql, choice: Choice<'_>) -> Option<Law> {
        let total = self.infer_read(&self.read_total(sql, &choice.plain)?)?;
        let limit = Law::from_value(read_literal(&choice.limit, &Ty::new(TyKind::Int))?);
        let holds = match &total {
            Law::Listed(_) => total.combine(&limit, |a, b| model::ops::apply_binary(choice.op, a, b).ok())?,
            Law::Bell(_) => combine_bells(choice.op, &total, &limit)?,
        };
        let (share, text) = (holds.as_truth()?, |token: &Token<'_>| Law::from_value(Value::Text(token.to_unquoted())));
        Law::mix(vec![(text(&choice.yes), share), (text(&choice.no), 1.0 - share)])
    }

    fn read_total(&self, sql: &Sql, tokens: &[Token<'_>]) -> Option<Total> {
        let [relation] = sql.analysis.tables.as_slice() else { return None };
        let [select, rest @ ..] = tokens else { return None };
        let from = rest.iter().position(|token| token.is_keyword("FROM"))?;
        let (value, rest) = rest.split_at(from);
        let (function, argument) = read_aggregate(value)?;
        if !select.is_keyword("SELECT") {
            return None;
        }
        let column = match argument {
            [star] if star.is_punct("*") && function.is_count() => None,
            [name] => Some(self.find_column(*relation, name)?),
            _ => return None,
        };
        let condition = match skip_table(rest)? {
            [] => None,
            [end] if end.is_punct(";") => None,
            [word, condition @ ..] if word.is_keyword("WHERE") => Some(self.read_condition(*relation, sql, condition)?),
            _ => return None,
        };
        Some(Total { function, relation: *relation, column, condition })
    }

    fn find_column(&self, relation: RelationId, name: &Token<'_>) -> Option<ColumnId> {
        let declared = self.task.relations.get(relation)?;
        declared.iter_written_columns().find(|(_, column)| name.is_named(&column.name)).map(|(id, _)| id)
    }

    /// Reads comparisons of columns with values, joined by AND.
    fn read_condition(&self, relation: RelationId, sql: &Sql, tokens: &[Token<'_>]) -> Option<Expr> {
        let parts = tokens.split(|token| token.is_keyword("AND"));
        let comparisons: Vec<Expr> =
            parts.map(|part| self.read_comparison(relation, sql, part)).collect::<Option<_>>()?;
        let ty = Ty::new(TyKind::Bool);
        comparisons.into_iter().reduce(|all, next| Expr {
            kind: ExprKind::Binary(Op::And, Box::new((all, next))),
            ty: ty.clone(),
            span: sql.span,
        })
    }

    fn read_comparison(&self, relation: RelationId, sql: &Sql, tokens: &[Token<'_>]) -> Option<Expr> {
        let column = self.find_column(relation, tokens.first()?)?;
        let declared = self.task.find_column((relation, column))?;
        let side = |kind, ty: &Ty| Expr { kind, ty: ty.clone(), span: sql.span };
        let left = side(ExprKind::Column(column), &declared.ty);
        let (op, right) = match tokens {
            // A column of bools alone.
            [_] if declared.ty.kind == TyKind::Bool => return Some(left),
            [_, op, value] => (read_operator(op.text)?, value),
            [_, first, second, value] if second.start == first.end() => {
                (read_operator(&format!("{}{}", first.text, second.text))?, value)
            }
            _ => return None,
        };
        let right = match right.kind {
            Kind::Param => sql.find_param(right.text.get(1..)?)?.clone(),
            Kind::Number | Kind::Text => side(ExprKind::Const(read_literal(right, &declared.ty)?), &declared.ty),
            _ => return None,
        };
        Some(side(ExprKind::Binary(op, Box::new((left, right))), &Ty::new(TyKind::Bool)))
    }
}

/// A query that chooses between two texts by an aggregate.
struct Choice<'s> {
    /// The query of the aggregate alone.
    plain: Vec<Token<'s>>,
    op: Op,
    limit: Token<'s>,
    yes: Token<'s>,
    no: Token<'s>,
}

/// Reads `SELECT CASE WHEN COUNT(*) > 0 THEN 'yes' ELSE 'no' END FROM …`.
fn read_choice<'s>(tokens: &[Token<'s>]) -> Option<Choice<'s>> {
    let [select, case, when, rest @ ..] = tokens else { return None };
    if !case.is_keyword("CASE") || !when.is_keyword("WHEN") {
        return None;
    }
    let then = rest.iter().position(|token| token.is_keyword("THEN"))?;
    let (condition, [_, yes, other, no, end, from @ ..]) = rest.split_at(then) else { return None };
    let [aggregate @ .., close, op, limit] = condition else { return None };
    let from = match from {
        [word, _, from @ ..] if word.is_keyword("AS") => from,
        all => all,
    };
    let is_whole = other.is_keyword("ELSE") && end.is_keyword("END") && close.is_punct(")");
    let are_texts = yes.kind == Kind::Text && no.kind == Kind::Text && limit.kind == Kind::Number;
    let plain = [select].into_iter().chain(aggregate).chain([close]).chain(from).copied().collect();
    let op = read_operator(op.text)?;
    (is_whole && are_texts).then_some(Choice { plain, op, limit: *limit, yes: *yes, no: *no })
}

/// Reads `AVG(PAY)` or `ROUND(AVG(PAY), 2)`, with a name after it or without.
fn read_aggregate<'t, 's>(tokens: &'t [Token<'s>]) -> Option<(FunctionId, &'t [Token<'s>])> {
    let tokens = match tokens {
        [rest @ .., word, name] if word.is_keyword("AS") && name.is_name() => rest,
        all => all,
    };
    match tokens {
        [round, open, inner @ .., comma, places, close]
            if round.is_keyword("ROUND")
                && open.is_punct("(")
                && comma.is_punct(",")
                && places.kind == Kind::Number
                && close.is_punct(")") =>
        {
            read_aggregate(inner)
        }
        [name, open, argument @ .., close] if open.is_punct("(") && close.is_punct(")") => {
            let aggregate = ["COUNT", "SUM", "AVG", "MIN", "MAX"].into_iter().find(|known| name.is_keyword(known))?;
            Some((FunctionId::from_name(&aggregate.to_ascii_lowercase())?, argument))
        }
        _ => None,
    }
}

/// Skips `FROM table` or `FROM database.table`.
fn skip_table<'t, 's>(tokens: &'t [Token<'s>]) -> Option<&'t [Token<'s>]> {
    match tokens {
        [_, _, dot, _, rest @ ..] if dot.is_punct(".") => Some(rest),
        [_, _, rest @ ..] => Some(rest),
        _ => None,
    }
}

fn read_operator(text: &str) -> Option<Op> {
    Some(match text {
        "=" | "==" => Op::Eq,
        "<>" | "!=" => Op::Ne,
        "<" => Op::Lt,
        "<=" => Op::Le,
        ">" => Op::Gt,
        ">=" => Op::Ge,
        _ => return None,
    })
}

/// Reads a literal as a value of the column's type.
fn read_literal(token: &Token<'_>, ty: &Ty) -> Option<Value> {
    match (token.kind, &ty.kind) {
        (Kind::Text, TyKind::Text) => Some(Value::Text(token.to_unquoted())),
        (Kind::Text, TyKind::Date) => Date::parse_iso(&token.to_unquoted()).map(Value::Date),
        (Kind::Number, TyKind::Bool) => Some(Value::Bool(token.text == "1")),
        (Kind::Number, TyKind::Int | TyKind::Decimal(_) | TyKind::Float) => match token.text.parse::<i64>() {
            Ok(number) => Some(Value::Int(number)),
            Err(_) => token.text.parse::<Decimal>().ok().map(Value::Decimal),
        },
        _ => None,
    }
}
