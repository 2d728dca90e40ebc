//! Whether a row with known cells meets a predicate.

use model::Value;
use model::suite::{ColumnId, RelationId};

use super::cells::Cells;
use super::judging::Judging;
use super::truth::Judge;
use super::values::{Class, Kind, Values};
use hir::facts::Fact;
use hir::paths::leaf::Source;
use hir::paths::predicate::{Language, Nodes, Predicate, Relation, TermKind};
use hir::terms::Known;

/// Whether a row meets a predicate; `read` has its cells. `None` if that is not known.
pub(crate) fn is_met_by_row(
    predicate: &Predicate,
    read: &dyn Fn(RelationId, ColumnId) -> Option<Value>,
) -> Option<bool> {
    let [case] = predicate.cases.as_slice() else { return None };
    let (mut cells, mut is_known) = (Cells::default(), true);
    case.visit_parts(&mut |part| match &part.kind {
        TermKind::Nodes(nodes) => match read_nodes(nodes, predicate.language, read) {
            Some(values) => cells.insert(&nodes.key, values),
            None => is_known = false,
        },
        TermKind::Position(..) | TermKind::Last(..) | TermKind::Unknown => is_known = false,
        _ => {}
    });
    let judge = Judge { facts: None, language: predicate.language, cells };
    let possible = is_known.then(|| judge.judge(case))?;
    possible.is_decided().then_some(possible.is_true)
}

fn read_nodes<'a>(
    nodes: &Nodes,
    language: Language,
    read: &dyn Fn(RelationId, ColumnId) -> Option<Value>,
) -> Option<Values<'a>> {
    let [node] = nodes.kinds.as_slice() else { return None };
    let Source::Cells(relation, column) = node.leaf.as_ref()?.source else { return None };
    if nodes.relation != Relation::Own || nodes.most != 1 {
        return None;
    }
    let values = match read(relation, column)? {
        Value::Null if language == Language::XPath => Values::nothing(),
        Value::Date(day) => {
            let text = Known::from_fact(Fact::from_value(&Value::from_text(day.to_string())));
            Values::from_kind(Kind { of_time: true, ..Kind::new(Class::Text, text) })
        }
        value @ (Value::Null | Value::Bool(_) | Value::Int(_) | Value::Decimal(_) | Value::Text(_)) => {
            Values::from_literal(&value)
        }
        _ => return None,
    };
    Some(Values { of_nodes: true, literal: false, ..values })
}
