//! The content that fixtures provide, which is already in the plan: values of columns, and documents.

use std::sync::{Arc, OnceLock};

use model::elements::Element;
use model::suite::{self, ColumnId, ColumnSource, Relation, RelationId, Task};
use model::{Given, TiVec, ValueType};

use super::column::{Column, SharedColumn};
use super::failures::{Res, fail_computation};
use super::tree::XmlDocument;

/// The cache of one column; `None` if it is not a fixture's.
type Slot = Option<OnceLock<Arc<Column>>>;

/// The content of a task's fixtures; each part is made for the first instance that needs it.
pub(crate) struct GivenContent {
    /// The columns, by relation and column.
    columns: TiVec<RelationId, TiVec<ColumnId, Slot>>,
    /// The documents that XPaths read, by file.
    documents: Vec<OnceLock<Arc<XmlDocument>>>,
}

impl GivenContent {
    /// Creates the empty cache of a task.
    pub fn new(task: &Task) -> GivenContent {
        let slot = |column: &suite::Column| matches!(column.source, ColumnSource::Given(_)).then(OnceLock::new);
        let slots = |relation: &Relation| relation.columns.iter().map(slot).collect();
        let documents = task.files.iter().map(|_| OnceLock::new()).collect();
        GivenContent { columns: task.relations.iter().map(slots).collect(), documents }
    }

    /// Returns the document of a file with this root element.
    pub fn load_document(&self, file: usize, root: &Element) -> Res<Arc<XmlDocument>> {
        let Some(slot) = self.documents.get(file) else {
            return fail_computation("a fixture that the task does not have");
        };
        Ok(Arc::clone(slot.get_or_init(|| Arc::new(XmlDocument::from_element(root)))))
    }

    /// Returns a column: the cached one, or the result of `make`.
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

/// Builds a column of the fixture's values.
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
