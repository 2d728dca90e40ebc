//! The facts of the results of queries: of their number of rows, and of their columns.

use model::suite::{ColumnId, NameId, RelationId, Scope};
use model::{Decimal, Value, ValueType};
use sql::lex::tokenize_sql;
use sql::terms::Term;
use sql::{Risk, SqlOutput};

use super::exprs::narrow_fact;
use super::{Fact, Facts};
use super::{Slot, Truth};
use crate::terms::{TermFacts, find_cell_slot};
use crate::{FileContent, Rows, Sql};
use syntax::bounds::Bounds;

impl<'a> Facts<'a> {
    /// The fact of the cells of an output column of a query; `None` if nothing is known of it.
    pub(super) fn infer_output(&self, sql: &'a Sql, output: &'a SqlOutput, scope: Scope) -> Option<Fact<'a>> {
        if let Some((relation, column)) = output.origin {
            let cells = self.narrow_by_conditions(sql, (relation, column), scope);
            let nullable = output.nullable || cells.nullable;
            return Some(Fact { nullable, unique: false, ..cells });
        }
        let known = TermFacts { facts: self, sql, scope }.infer(output.term.as_deref()?);
        let nullable = known.fact.nullable || output.nullable;
        if output.value_type == Some(ValueType::Bool) {
            let bools = [false, true].into_iter().filter(|value| known.fact.can_be(&Value::Int(i64::from(*value))));
            return Some(Fact::from_values(bools.map(Value::Bool)).with_null_if(nullable));
        }
        let ends = convert_ends(known.fact.range.as_ref()?, output.value_type?)?;
        match known.fact.closed {
            Some(closed) if matches!(output.value_type, Some(ValueType::Int | ValueType::Text)) => {
                Some(Fact { closed: Some(closed), range: Some(ends), nullable, ..Fact::not_null() })
            }
            _ => Some(Fact::from_range(ends.0, ends.1).with_null_if(nullable)),
        }
    }

    /// The fact of the cells of a column in the rows of a query, which meet its conditions. Other values than ints and texts are stored in another form.
    fn narrow_by_conditions(&self, sql: &'a Sql, place: (RelationId, ColumnId), scope: Scope) -> Fact<'a> {
        let cells = self.lookup_column(place.0, place.1);
        let declared = self.task.find_column(place).and_then(|declared| declared.ty.value_type());
        if !matches!(declared, Some(ValueType::Int | ValueType::Text)) || sql.analysis.again.contains(&place.0) {
            return cells;
        }
        let is_cell =
            |term: &Term| matches!(term, Term::Column { relation, column, .. } if (*relation, *column) == place);
        let terms = TermFacts { facts: self, sql, scope };
        sql.analysis.kept.iter().fold(cells, |fact, kept| match kept {
            Term::Compare(op, sides) if is_cell(&sides.0) => narrow_fact(&fact, *op, &terms.infer(&sides.1).fact),
            Term::Compare(op, sides) if is_cell(&sides.1) => {
                narrow_fact(&fact, op.swap_sides(), &terms.infer(&sides.0).fact)
            }
            _ => fact,
        })
    }

    /// The fact of the only value of a query; null if it has no row.
    pub(super) fn infer_query_value(&self, sql: &'a Sql, scope: Scope) -> Option<Fact<'a>> {
        let [output] = sql.analysis.columns.as_slice() else { return None };
        let fact = self.infer_output(sql, output, scope)?;
        let may_lack = !(sql.analysis.understood && sql.analysis.always_a_row);
        Some(fact.with_null_if(may_lack))
    }

    /// The fact of a column of a table that is the result of a query.
    pub(super) fn infer_result(&self, id: RelationId, at: u32) -> Option<Fact<'a>> {
        let sql = match &self.task.relations.get(id)?.rows {
            Rows::Query(name) => self.find_named_query(*name)?,
            Rows::View(_) => self.find_view_query(id)?,
            _ => return None,
        };
        self.infer_output(sql, sql.analysis.columns.get(usize::try_from(at).ok()?)?, Scope::default())
    }

    /// Whether the values of a column of a table that is the result of a query surely differ. Computed numbers can become equal when they are rounded.
    pub(super) fn is_unique_result(&self, id: RelationId, at: u32) -> bool {
        let rows = self.task.relations.get(id).map(|relation| &relation.rows);
        let Some(Rows::Query(name)) = rows else { return false };
        let Some(analysis) = self.find_named_query(*name).map(|sql| &sql.analysis) else { return false };
        let is_key = analysis.keys.iter().any(|key| matches!(key.as_slice(), [only] if *only == at as usize));
        analysis.understood
            && is_key
            && analysis.columns.get(at as usize).is_some_and(|output| {
                output.origin.is_some() || matches!(output.value_type, Some(ValueType::Int | ValueType::Text))
            })
    }

    /// The query whose result has this name.
    pub(super) fn find_named_query(&self, name: NameId) -> Option<&'a Sql> {
        self.task.find_computed(name)?.resolve_name(self.task).find_query()
    }

    /// The query of a view.
    fn find_view_query(&self, id: RelationId) -> Option<&'a Sql> {
        let relation = self.task.relations.get(id)?;
        let views = self.task.files.iter_enumerated().flat_map(|(file, declared)| match &declared.content {
            FileContent::Sqlite { views, .. } => views.iter().map(|view| (file, &view.name)).collect(),
            _ => Vec::new(),
        });
        let mut found = views.zip(&self.task.notes.views);
        found.find(|((file, name), _)| relation.file == Some(*file) && relation.table == **name).map(|(_, sql)| sql)
    }

    /// The number of rows of the result of a query.
    pub fn count_query_rows(&self, sql: &'a Sql) -> Bounds {
        let analysis = &sql.analysis;
        if !analysis.understood {
            return Bounds::ANY;
        }
        let least = u64::from(analysis.always_a_row || self.has_surely_a_row(sql));
        let most = if analysis.at_most_one_row { 1 } else { self.count_joined_rows(sql) };
        let distinct = analysis.keys.iter().filter_map(|key| self.count_distinct_outputs(sql, key)).min();
        Bounds { least, most: distinct.map_or(most, |distinct| most.min(distinct.max(least))) }
    }

    /// Whether some row of the only table of a simple query surely meets its conditions: each row, or one that has a certain number.
    fn has_surely_a_row(&self, sql: &'a Sql) -> bool {
        let [relation] = sql.analysis.tables.as_slice() else { return false };
        let rows = self.count_rows(*relation).least;
        if rows == 0 || self.is_assuming() || !sql.analysis.again.is_empty() || !is_simple_select(&sql.text) {
            return false;
        }
        let terms = TermFacts { facts: self, sql, scope: Scope::default() };
        let kept = &sql.analysis.kept;
        let is_met = || kept.iter().all(|condition| terms.judge(condition).to_truth() == Truth::Always);
        let serial = self.find_serial_cell(kept, *relation);
        self.with_cases(Scope::default(), Vec::new(), Vec::new(), || {
            is_met()
                || serial.is_some_and(|slot| {
                    list_numbers(kept, rows)
                        .into_iter()
                        .any(|number| self.assume(slot, Fact::from_value(&Value::Int(number)), is_met))
                })
        })
    }

    /// The cell with the number of the row, among those that conditions read.
    fn find_serial_cell(&self, kept: &[Term], of: RelationId) -> Option<Slot> {
        let mut found = None;
        for condition in kept {
            condition.visit(&mut |term| {
                let Term::Column { relation, column, at, .. } = term else { return };
                let draw = self.task.find_column((*relation, *column)).and_then(|declared| declared.source.draw());
                let is_counted = matches!(self.task.relations.get(of).map(|own| &own.rows), Some(Rows::Count(..)));
                if *relation == of && is_counted && draw.is_some_and(|draw| draw.is_serial() && !draw.may_be_blank()) {
                    found = found.or(Some(find_cell_slot(*relation, *column, *at)));
                }
            });
        }
        found
    }

    /// The maximum number of rows of a query, or of a query in it, before they are grouped.
    pub fn count_joined_rows(&self, sql: &Sql) -> u64 {
        let analysis = &sql.analysis;
        // A table that is read twice can be joined with itself, and a table of WITH can grow.
        let is_known = analysis.understood
            && analysis.again.is_empty()
            && !analysis.risks.iter().any(|risk| matches!(risk, Risk::Open | Risk::Growth(_)))
            && !has_set_operation(&sql.text);
        // A row that has no partner in an outer join is one row.
        let rows = analysis.tables.iter().map(|relation| self.count_rows(*relation).most.max(1));
        if is_known { rows.fold(1, u64::saturating_mul) } else { u64::MAX }
    }

    /// The number of combinations of the values of some outputs, each of which is in one row at most. `None` if it is not known, or if a value can be null.
    fn count_distinct_outputs(&self, sql: &Sql, key: &[usize]) -> Option<u64> {
        key.iter().try_fold(1u64, |all, at| {
            let output = sql.analysis.columns.get(*at).filter(|output| !output.nullable)?;
            let (relation, column) = output.origin?;
            let fact = self.lookup_column(relation, column);
            let count = fact.closed.as_ref().filter(|_| !fact.nullable)?.len();
            Some(all.saturating_mul(u64::try_from(count).ok()?))
        })
    }
}

/// Whether a text is `SELECT … FROM … WHERE …` and nothing more.
fn is_simple_select(text: &str) -> bool {
    const OTHERS: &str = "JOIN GROUP HAVING LIMIT OFFSET UNION EXCEPT INTERSECT WITH VALUES";
    let tokens = tokenize_sql(text);
    let selects = tokens.iter().filter(|token| token.is_keyword("SELECT")).count();
    selects == 1 && !tokens.iter().any(|token| token.is_any(OTHERS))
}

/// Numbers of rows, from 1 to `rows`, that conditions may single out: the ends, and those that they name.
fn list_numbers(kept: &[Term], rows: u64) -> Vec<i64> {
    const MAX_NUMBERS: usize = 12;
    let last = i64::try_from(rows).unwrap_or(i64::MAX);
    let mut numbers = vec![1, last];
    for condition in kept {
        condition.visit(&mut |term| {
            if let Term::Literal(Value::Int(number)) = term {
                let near = [*number, number.saturating_add(1), number.saturating_sub(1)];
                numbers.extend(near.into_iter().filter(|number| (1..=last).contains(number)));
            }
        });
    }
    numbers.truncate(MAX_NUMBERS);
    numbers
}

/// Whether a query may have more rows than its tables: by UNION, by rows of VALUES, or by rows of both sides of a FULL JOIN.
fn has_set_operation(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| ["union", "values", "full"].iter().any(|other| word.eq_ignore_ascii_case(other)))
}

/// The ends of a range of values as SQLite computes them, as values of the type of the column.
fn convert_ends((low, high): &(Value, Value), to: ValueType) -> Option<(Value, Value)> {
    let convert = |value: &Value| match (value, to) {
        (Value::Int(_), ValueType::Int) | (Value::Text(_), ValueType::Text) | (Value::Float(_), ValueType::Float) => {
            Some(value.clone())
        }
        (Value::Int(int), ValueType::Float) => Some(Value::Float(*int as f64)),
        (Value::Int(int), ValueType::Decimal(places)) => {
            Decimal::from_int(*int).with_places(places).map(Value::Decimal)
        }
        (Value::Float(double), ValueType::Decimal(places)) => Decimal::from_f64(*double, places).map(Value::Decimal),
        _ => None,
    };
    Some((convert(low)?, convert(high)?))
}
