//! Examples in notes: a few rows, with values that their columns can have, for which two readings differ.

use crate::analyser::Analyser;
use crate::request::SqlColumn;
use crate::scope::{Frame, Place, Relation};

/// The column of the request that a column of the innermost SELECT is.
pub fn find_request_column<'a>(analyser: &'a Analyser<'_>, place: Place) -> Option<&'a SqlColumn<'a>> {
    let column = analyser.frames.last()?.get_column(place)?;
    let (table, column) = column.value.origin?;
    analyser.query.request.tables.get(table)?.columns.get(column)
}

/// The name of a relation for people: that of its table, or else its alias.
pub fn name_relation<'a>(analyser: &'a Analyser<'_>, relation: &'a Relation) -> &'a str {
    relation.find_table(analyser.query.request).map_or(relation.alias.as_str(), |table| table.name)
}

/// The name of a relation of the innermost SELECT for people.
pub fn name_relation_at<'a>(analyser: &'a Analyser<'_>, index: usize) -> &'a str {
    analyser
        .frames
        .last()
        .and_then(|frame| frame.relations.get(index))
        .map_or("", |relation| name_relation(analyser, relation))
}

/// A column as it is written in this query: with its alias where there are several relations.
pub fn qualify_column(frame: &Frame, (relation, place): Place) -> Option<String> {
    let known = frame.relations.get(relation)?;
    let name = model::ddl::quote_name(&known.get_column(place)?.name);
    Some(if frame.relations.len() > 1 { format!("{}.{name}", known.alias) } else { name })
}
