//! Columns whose values a fixture gives: they are in the plan already.

use plan::suite::Relation;
use plan::{Given, ValueType};

use super::column::Column;
use super::eval::{Res, no_result};
use super::val::Val;

/// A column of the fixture's values.
pub(crate) fn column(relation: &Relation, value_type: ValueType, given: &Given, rows: usize) -> Res<Column> {
    let values = &given.values;
    if values.len() != rows {
        return no_result(format!("a column of `{}` has {} values for {rows} rows", relation.name, values.len()));
    }
    let mut out = Column::new(value_type, rows);
    values.iter().for_each(|value| out.push(Val::Ref(value)));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use plan::suite::{ColumnId, Rows};
    use plan::{Decimal, Span, Value};

    use super::super::column::Data;
    use super::*;

    #[test]
    fn values_become_a_typed_column() {
        let relation = Relation {
            name: "t".to_owned(),
            table: "t".to_owned(),
            span: Span::default(),
            file: None,
            rows: Rows::Given { rows: 3 },
            columns: Vec::new(),
            order: vec![ColumnId(0)],
            constraints: Vec::new(),
        };
        let values = Given {
            values: [Value::Decimal(Decimal::new(150, 2).unwrap()), Value::Null, Value::Int(2)].into(),
            ..Given::default()
        };
        let made = column(&relation, ValueType::Decimal(2), &values, 3).unwrap();
        assert!(matches!(made.data(), Data::Decimal { places: 2, units } if *units == [150, 0, 200]));
        assert!(made.is_null(1) && !made.is_null(2));
        assert!(column(&relation, ValueType::Int, &values, 4).is_err());
    }
}
