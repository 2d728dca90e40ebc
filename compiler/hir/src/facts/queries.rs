//! The facts of the results of queries: of their number of rows, and of their columns.

use model::suite::{NameId, RelationId, Scope};
use model::{Decimal, Value, ValueType};
use sql::SqlOutput;

use super::{Fact, Facts};
use crate::terms::TermFacts;
use crate::{Rows, Sql};
use syntax::bounds::Bounds;

impl<'a> Facts<'a> {
    /// The fact of the cells of an output column of a query; `None` if nothing is known of it.
    pub(super) fn infer_output(&self, sql: &'a Sql, output: &'a SqlOutput, scope: Scope) -> Option<Fact<'a>> {
        if let Some((relation, column)) = output.origin {
            let cells = self.lookup_column(relation, column);
            let nullable = output.nullable || cells.nullable;
            return Some(Fact { nullable, unique: false, ..cells });
        }
        let known = TermFacts { facts: self, sql, scope }.infer(output.term.as_deref()?);
        let ends = convert_ends(known.fact.range.as_ref()?, output.value_type?)?;
        let nullable = known.fact.nullable || output.nullable;
        match known.fact.closed {
            Some(closed) if matches!(output.value_type, Some(ValueType::Int | ValueType::Text)) => {
                Some(Fact { closed: Some(closed), range: Some(ends), nullable, ..Fact::not_null() })
            }
            _ => Some(Fact::from_range(ends.0, ends.1).with_null_if(nullable)),
        }
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
        let Rows::Query(name) = &self.task.relations.get(id)?.rows else { return None };
        let sql = self.find_named_query(*name)?;
        self.infer_output(sql, sql.analysis.columns.get(usize::try_from(at).ok()?)?, Scope::default())
    }

    /// The query whose result has this name.
    pub(super) fn find_named_query(&self, name: NameId) -> Option<&'a Sql> {
        self.task.find_computed(name)?.resolve_name(self.task).find_query()
    }

    /// The number of rows of the result of a query.
    pub fn count_query_rows(&self, sql: &Sql) -> Bounds {
        let analysis = &sql.analysis;
        if !analysis.understood {
            return Bounds::ANY;
        }
        let least = u64::from(analysis.always_a_row);
        // Joins have at most all combinations of rows; a table that is read twice can be joined with itself.
        let all = analysis.tables.iter().map(|relation| self.count_rows(*relation).most);
        let most = match () {
            () if analysis.at_most_one_row => 1,
            () if analysis.again.is_empty() && analysis.risks.is_empty() && !has_set_operation(&sql.text) => {
                all.fold(1, u64::saturating_mul).max(1)
            }
            () => u64::MAX,
        };
        Bounds { least, most }
    }
}

/// Whether a query may have more rows than its tables: by UNION, or by rows of VALUES.
fn has_set_operation(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| ["union", "values"].iter().any(|other| word.eq_ignore_ascii_case(other)))
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
