//! What fixtures give, which is in the plan already: the values of columns, and documents.

use std::sync::{Arc, OnceLock};

use model::elements::Element;
use model::suite::{self, ColumnId, ColumnSource, Relation, RelationId, Task};
use model::{Given, TiVec, ValueType};

use super::column::{Column, SharedColumn};
use super::eval::{Res, fail_computation};
use super::tree::XmlDocument;

/// The place of one column; `None` where it is not a fixture's.
type Slot = Option<OnceLock<Arc<Column>>>;

/// What a task's fixtures give, each part made for the first instance that needs it.
pub(crate) struct GivenContent {
    /// By relation and column.
    columns: TiVec<RelationId, TiVec<ColumnId, Slot>>,
    /// By file: what XPaths read.
    documents: Vec<OnceLock<Arc<XmlDocument>>>,
}

impl GivenContent {
    /// Those of a task.
    pub fn new(task: &Task) -> GivenContent {
        let slot = |column: &suite::Column| matches!(column.source, ColumnSource::Given(_)).then(OnceLock::new);
        let slots = |relation: &Relation| relation.columns.iter().map(slot).collect();
        let documents = task.files.iter().map(|_| OnceLock::new()).collect();
        GivenContent { columns: task.relations.iter().map(slots).collect(), documents }
    }

    /// The document of a file whose root element this is.
    pub fn load_document(&self, file: usize, root: &Element) -> Res<Arc<XmlDocument>> {
        let Some(slot) = self.documents.get(file) else {
            return fail_computation("a fixture that the task does not have");
        };
        Ok(Arc::clone(slot.get_or_init(|| Arc::new(XmlDocument::from_element(root)))))
    }

    /// A column: the one that is there already, or what `make` gives.
    pub fn load_column(
        &self,
        relation: RelationId,
        column: ColumnId,
        make: impl FnOnce() -> Res<SharedColumn>,
    ) -> Res<SharedColumn> {
        let slots = self.columns.get(relation);
        let Some(Some(slot)) = slots.and_then(|slots| slots.get(column)) else {
            return make();
        };
        if let Some(known) = slot.get() {
            return Ok(Arc::clone(known));
        }
        let made = make()?;
        Ok(Arc::clone(slot.get_or_init(|| made)))
    }
}

/// A column of the fixture's values.
pub(crate) fn build_column(relation: &Relation, value_type: ValueType, given: &Given, rows: usize) -> Res<Column> {
    let values = &given.values;
    if values.len() != rows {
        return fail_computation(format!(
            "a column of `{}` has {} values for {rows} rows",
            relation.name,
            values.len()
        ));
    }
    Ok(Column::from_values(value_type, values))
}

#[cfg(test)]
mod tests {
    use model::suite::Rows;
    use model::{Decimal, Span, Value};

    use super::super::column::Data;
    use super::*;

    #[test]
    fn values_become_a_typed_column() {
        let relation = Relation {
            name: "t".to_owned(),
            table: "t".to_owned(),
            span: Span::default(),
            file: None,
            rows: Rows::Given(3),
            columns: TiVec::new(),
            order: vec![ColumnId(0)],
            constraints: Vec::new(),
            by: None,
        };
        let values = Given {
            values: [Value::Decimal(Decimal::new(150, 2).unwrap()), Value::Null, Value::Int(2)].into(),
            ..Given::default()
        };
        let made = build_column(&relation, ValueType::Decimal(2), &values, 3).unwrap();
        assert!(matches!(made.data(), Data::Decimal { places: 2, units } if *units == [150, 0, 200]));
        assert!(made.is_null(1) && !made.is_null(2));
        assert!(build_column(&relation, ValueType::Int, &values, 4).is_err());
    }
}
