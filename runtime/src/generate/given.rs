//! Relations whose rows a fixture gives: they are in the plan already, and become columns.

use plan::suite::{Relation, RelationId, Rows};
use plan::{Value, ValueType};

use super::column::Column;
use super::eval::{OrSpan, Res, no_result};
use super::val::Val;

/// How many rows the fixture gives, checked against those of each row around them.
pub(crate) fn rows(relation: &Relation) -> Res<usize> {
    let Rows::Given { rows, parent } = &relation.rows else {
        return no_result("these rows are not of a fixture").or_span(relation.span);
    };
    let rows = *rows as usize;
    match parent {
        Some((_, counts)) if starts(parent).last() != Some(&rows) => {
            let message =
                format!("`{}` has {rows} rows, but {} rows around them have others", relation.name, counts.len());
            no_result(message).or_span(relation.span)
        }
        _ => Ok(rows),
    }
}

/// Where the rows of each row of the relation around it begin, and behind the last where they end; empty where none is around.
pub(crate) fn starts(parent: &Option<(RelationId, Vec<u32>)>) -> Vec<usize> {
    let Some((_, counts)) = parent else { return Vec::new() };
    let mut end = 0;
    let ends = counts.iter().map(|count| {
        end += *count as usize;
        end
    });
    std::iter::once(0).chain(ends).collect()
}

/// A column of the fixture's values.
pub(crate) fn column(relation: &Relation, value_type: ValueType, values: &[Value], rows: usize) -> Res<Column> {
    if values.len() != rows {
        return no_result(format!("a column of `{}` has {} values for {rows} rows", relation.name, values.len()));
    }
    let mut out = Column::new(value_type, rows);
    values.iter().for_each(|value| out.push(Val::Ref(value)));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use plan::suite::{self, ColumnSource};
    use plan::{Decimal, Span};

    use super::super::column::Data;
    use super::*;

    fn relation(rows: u32, parent: Option<(RelationId, Vec<u32>)>, values: Vec<Value>) -> Relation {
        let column = suite::Column {
            name: "A".to_owned(),
            span: Span::default(),
            helper: false,
            value_type: ValueType::Decimal(2),
            nullable: true,
            primary_key: false,
            unique: false,
            references: None,
            source: ColumnSource::Given(values),
        };
        Relation {
            name: "t".to_owned(),
            table: "t".to_owned(),
            span: Span::default(),
            file: None,
            rows: Rows::Given { rows, parent },
            columns: vec![column],
            order: vec![suite::ColumnId(0)],
        }
    }

    #[test]
    fn values_become_a_typed_column() {
        let values = [Value::Decimal(Decimal::new(150, 2).unwrap()), Value::Null, Value::Int(2)];
        let made = column(&relation(3, None, Vec::new()), ValueType::Decimal(2), &values, 3).unwrap();
        assert!(matches!(made.data(), Data::Decimal { places: 2, units } if *units == [150, 0, 200]));
        assert!(made.is_null(1) && !made.is_null(2));
        assert!(column(&relation(3, None, Vec::new()), ValueType::Int, &values, 4).is_err());
    }

    #[test]
    fn rows_are_those_of_all_the_rows_around_them() {
        let parent = Some((RelationId(0), vec![2, 0, 3]));
        assert_eq!(starts(&parent), [0, 2, 2, 5]);
        assert_eq!(rows(&relation(5, parent.clone(), Vec::new())), Ok(5));
        assert!(rows(&relation(4, parent, Vec::new())).is_err());
        assert_eq!(rows(&relation(7, None, Vec::new())), Ok(7));
        assert_eq!(rows(&relation(0, Some((RelationId(0), Vec::new())), Vec::new())), Ok(0));
    }
}
