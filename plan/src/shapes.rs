//! What a checked and a compiled suite have in common: their parts have one shape, with expressions of either kind in it. Here they are
//! visited and translated; [`answer_key`](crate::answer_key) does the same for expectations.

use crate::suite::{Arg, Axis, Clutter, DomainExpr, FileContent, RelationId, Rows, Shape};

impl<E> Axis<E> {
    /// The same with other expressions.
    pub fn map<F>(&self, map: &mut dyn FnMut(&E) -> F) -> Axis<F> {
        let cells = self.cells.iter().map(|(label, value)| (label.clone(), map(value))).collect();
        Axis { name: self.name.clone(), slot: self.slot, cells }
    }
}

impl<E> Clutter<E> {
    /// Calls `visit` for every whole expression in it.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a E)) {
        visit(&self.count);
        self.within.iter().for_each(visit);
    }

    /// The same with other expressions.
    pub fn map<F>(&self, map: &mut dyn FnMut(&E) -> F) -> Clutter<F> {
        Clutter { count: map(&self.count), within: self.within.as_ref().map(map) }
    }
}

impl<E> Rows<E> {
    /// Calls `visit` for every whole expression in it.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a E)) {
        if let Rows::Count(low, high) | Rows::PerRow { low, high, .. } = self {
            visit(low);
            visit(high);
        }
    }

    /// The same with other expressions.
    pub fn map<F>(&self, map: &mut dyn FnMut(&E) -> F) -> Rows<F> {
        match self {
            Rows::Count(low, high) => Rows::Count(map(low), map(high)),
            Rows::PerRow { parent, low, high } => Rows::PerRow { parent: *parent, low: map(low), high: map(high) },
            Rows::Given(rows) => Rows::Given(*rows),
            Rows::Query(name) => Rows::Query(*name),
            Rows::Lines(file) => Rows::Lines(*file),
        }
    }
}

impl<E, D, X> DomainExpr<E, D, X> {
    /// Calls `visit` for every whole expression in it; for a predicate, with the relation whose rows it chooses from.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a E, Option<RelationId>)) {
        match self {
            DomainExpr::Unknown(_) | DomainExpr::Fixed(_) => {}
            DomainExpr::Range { low, high, step, .. } => {
                visit(low, None);
                visit(high, None);
                step.iter().for_each(|step| visit(step, None));
            }
            DomainExpr::Lorem { low, high, .. } => {
                visit(low, None);
                visit(high, None);
            }
            DomainExpr::OneOf(items) => items.iter().for_each(|item| visit(item, None)),
            DomainExpr::Ref { relation, filter, .. } => filter.iter().for_each(|filter| visit(filter, Some(*relation))),
        }
    }

    /// The same with other expressions; `fixed` translates a known domain, `unknown` what is left of a mistake.
    pub fn map<F, G, Y>(
        &self,
        fixed: impl FnOnce(&D) -> G,
        unknown: impl FnOnce(&X) -> DomainExpr<F, G, Y>,
        map: &mut dyn FnMut(&E) -> F,
    ) -> DomainExpr<F, G, Y> {
        match self {
            DomainExpr::Unknown(mistake) => unknown(mistake),
            DomainExpr::Fixed(domain) => DomainExpr::Fixed(fixed(domain)),
            DomainExpr::Range { value_type, low, high, step } => DomainExpr::Range {
                value_type: *value_type,
                low: map(low),
                high: map(high),
                step: step.as_ref().map(map),
            },
            DomainExpr::Lorem { unit, low, high } => DomainExpr::Lorem { unit: *unit, low: map(low), high: map(high) },
            DomainExpr::OneOf(items) => DomainExpr::OneOf(items.iter().map(map).collect()),
            DomainExpr::Ref { relation, column, together, filter } => DomainExpr::Ref {
                relation: *relation,
                column: *column,
                together: together.clone(),
                filter: filter.as_ref().map(map),
            },
        }
    }
}

impl<E, D, X> FileContent<E, D, X> {
    /// Calls `visit` for every whole expression in it, except those of a draw; with the relation over whose rows it is.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a E, Option<RelationId>)) {
        match self {
            FileContent::ComputedText(value) | FileContent::ComputedTree(value) => visit(value, None),
            FileContent::TextLines { relation, line } => visit(line, Some(*relation)),
            FileContent::Unknown(_)
            | FileContent::Delimited { .. }
            | FileContent::Sqlite { .. }
            | FileContent::DrawnText(_)
            | FileContent::Tree { .. }
            | FileContent::Tables(_)
            | FileContent::Fixture { .. } => {}
        }
    }

    /// The relations that are written into it row by row.
    pub fn relations(&self) -> &[RelationId] {
        match self {
            FileContent::Delimited { relation, .. } | FileContent::TextLines { relation, .. } => {
                std::slice::from_ref(relation)
            }
            FileContent::Sqlite { tables, .. } | FileContent::Tables(tables) => tables,
            FileContent::Unknown(_)
            | FileContent::DrawnText(_)
            | FileContent::ComputedText(_)
            | FileContent::Tree { .. }
            | FileContent::ComputedTree(_)
            | FileContent::Fixture { .. } => &[],
        }
    }

    /// The draw of its text.
    pub fn draw(&self) -> Option<&D> {
        match self {
            FileContent::DrawnText(draw) => Some(draw),
            _ => None,
        }
    }

    /// The shape of its values.
    pub fn shape(&self) -> Option<&Shape> {
        match self {
            FileContent::Tree { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// The same with other expressions; `draw` translates a draw, `unknown` what is left of a mistake.
    pub fn map<F, G, Y>(
        &self,
        draw: impl FnOnce(&D) -> G,
        unknown: impl FnOnce(&X) -> FileContent<F, G, Y>,
        map: &mut dyn FnMut(&E) -> F,
    ) -> FileContent<F, G, Y> {
        match self {
            FileContent::Unknown(mistake) => unknown(mistake),
            FileContent::Delimited { delimiter, quoted, crlf, bom, relation } => FileContent::Delimited {
                delimiter: *delimiter,
                quoted: *quoted,
                crlf: *crlf,
                bom: *bom,
                relation: *relation,
            },
            FileContent::Sqlite { tables, order } => {
                FileContent::Sqlite { tables: tables.clone(), order: order.clone() }
            }
            FileContent::DrawnText(text) => FileContent::DrawnText(draw(text)),
            FileContent::ComputedText(value) => FileContent::ComputedText(map(value)),
            FileContent::TextLines { relation, line } => {
                FileContent::TextLines { relation: *relation, line: map(line) }
            }
            FileContent::Tree { root, shape } => FileContent::Tree { root: root.clone(), shape: shape.clone() },
            FileContent::ComputedTree(value) => FileContent::ComputedTree(map(value)),
            FileContent::Tables(tables) => FileContent::Tables(tables.clone()),
            FileContent::Fixture { bytes, kind } => FileContent::Fixture { bytes: bytes.clone(), kind: kind.clone() },
        }
    }
}

impl<E, Q> Arg<E, Q> {
    /// The same with other expressions; `query` translates a query.
    pub fn map<F, R>(&self, query: impl FnOnce(&Q) -> R, map: &mut dyn FnMut(&E) -> F) -> Arg<F, R> {
        match self {
            Arg::Value(value) => Arg::Value(map(value)),
            Arg::Relation { relation, filter } => {
                Arg::Relation { relation: *relation, filter: filter.as_ref().map(map) }
            }
            Arg::Column { relation, column, filter } => {
                Arg::Column { relation: *relation, column: *column, filter: filter.as_ref().map(map) }
            }
            Arg::Each { relation, value, filter } => {
                Arg::Each { relation: *relation, value: map(value), filter: filter.as_ref().map(map) }
            }
            Arg::File(file) => Arg::File(*file),
            Arg::Sql(sql) => Arg::Sql(query(sql)),
            Arg::Path(path) => Arg::Path(path.clone()),
        }
    }
}
