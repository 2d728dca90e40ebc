//! Relations as if nobody had cleaned one kind of dirt: what a mistake takes for their rows.

use std::rc::Rc;

use plan::suite::{ColumnId, FileId, Relation, RelationId, Rows, Style};
use plan::{Val, Value, ValueType};

use super::back::taken_as;
use super::cell::{Cell, Table};
use super::column::{Column, Made};
use super::dirt::{Dirt, Repeats, Which};
use super::eval::{Eval, Res, no_result};
use super::taken;
use super::traps::Misreading;
use super::written::Rowed;

/// The kinds of dirt in the cells of a column, with their words in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Case,
    Space,
    Written,
    Missing,
}

/// The mistakes that a file invites, one kind of dirt at a time, in the order of its columns: where the relation that it is written from has the column, and
/// for the file's own clean cells. Those by which nothing would be different are left out.
pub(crate) fn misreadings<'a>(cell: &'a Cell<'a>, file: FileId) -> Res<Vec<Misreading>> {
    let Some(of) = Rowed::of_file(cell, file)? else { return Ok(Vec::new()) };
    if of.form.styled.is_empty() && of.form.repeat.is_none() {
        return taken_in(of, cell);
    }
    let roots = taken::roots(cell, of.relation, of.table)?;
    let mut found = Vec::new();
    for styled in &of.form.styled {
        let Some(column) = of.relation.columns.get(styled.column) else { continue };
        let Some(cells) = of.table.columns.get(styled.column) else { continue };
        for (kind, word) in kinds(&styled.styles, column.cells.value_type) {
            // The same draws as those of the file.
            let mut dirt = Dirt::of(cell, &of.file.name, of.form, of.relation, Which::First, roots.all)?;
            let Some(dirt) = dirt.column(styled.column) else { continue };
            let mut dirty = Vec::with_capacity(of.table.rows);
            for (row, root) in roots.rows.iter().enumerate() {
                let value = cells.get(row);
                let style = dirt.style(*root);
                dirty.push(as_read(kind, &value, style, column.cells.value_type)?);
            }
            if dirty.iter().all(Option::is_none) {
                continue;
            }
            let name = format!("{}.{}.{word}", of.file.name, column.name);
            push(of, (cell, styled.column), &name, &dirty, &mut found)?;
        }
    }
    if let Some(share) = &of.form.repeat {
        let mut repeats = Repeats::of(cell, &of.file.name, share, roots.all)?;
        let mut again = Vec::new();
        let mut all = Vec::new();
        for group in of.all_groups("")? {
            let rows = repeats.among(&group.rows, &roots.rows);
            again.extend(rows.iter().filter(|(_, which)| *which == Which::Again).map(|(row, _)| *row));
            all.extend(rows.into_iter().map(|(row, _)| row));
        }
        if !again.is_empty() {
            let name = format!("{}.repeat", of.file.name);
            let own = of.file.content.relations().first().copied();
            if let Rows::Taken { from, .. } = &of.relation.rows {
                let table = Eval::new(cell).table(*from)?;
                found.push(Misreading {
                    name: name.clone(),
                    relation: *from,
                    table: Rc::new(doubled(table, of.table, &again)),
                });
            }
            found.extend(own.map(|relation| Misreading { name, relation, table: Rc::new(gathered(of.table, &all)) }));
        }
    }
    found.extend(taken_in(of, cell)?);
    Ok(found)
}

/// Of a file that is written like another one: the rows of both taken for those of the other.
fn taken_in<'a>(of: Rowed<'a>, cell: &'a Cell<'a>) -> Res<Vec<Misreading>> {
    let (Some(like), Rows::Taken { from, .. }) = (of.file.like, &of.relation.rows) else { return Ok(Vec::new()) };
    let Some(other) = Rowed::of_file(cell, like)? else { return Ok(Vec::new()) };
    let (Some(own), Some(others)) = (cell.task.relations.get(*from), of_other(other.relation)) else {
        return Ok(Vec::new());
    };
    if of.table.rows == 0 {
        return Ok(Vec::new());
    }
    let rows = of.table.origins.as_slice();
    let mut found = Vec::new();
    // Rows of the same table say nothing new of it.
    if let Some(relation) = cell.task.relations.get(others).filter(|_| others != *from) {
        let (above, below) = (Eval::new(cell).table(others)?, Eval::new(cell).table(*from)?);
        let table = Rc::new(one_below((relation, above), (own, below), rows));
        found.push(Misreading { name: of.file.name.clone(), relation: others, table });
    }
    if let Some(id) = other.file.content.relations().first().copied() {
        let rows: Vec<u32> = (0..of.table.rows as u32).collect();
        let table = Rc::new(one_below((other.relation, other.table), (of.relation, of.table), &rows));
        found.push(Misreading { name: of.file.name.clone(), relation: id, table });
    }
    Ok(found)
}

/// The relation that the rows of a file's relation are taken from.
fn of_other(relation: &Relation) -> Option<RelationId> {
    match &relation.rows {
        Rows::Taken { from, .. } => Some(*from),
        _ => None,
    }
}

/// A table with rows of another one below its own: columns by their names, nulls in those that the other one lacks.
fn one_below((relation, table): (&Relation, &Table), (other, below): (&Relation, &Table), rows: &[u32]) -> Table {
    let columns = relation.columns.iter_enumerated().map(|(id, column)| {
        let mut made = Column::new(column.cells.value_type, table.rows + rows.len());
        if let Some(cells) = table.columns.get(id) {
            (0..table.rows).for_each(|row| made.push(cells.get(row)));
        }
        let same = other.columns.position(|own| own.name == column.name && own.is_taken() == column.is_taken());
        match same.and_then(|same| below.columns.get(same)) {
            Some(cells) => rows.iter().for_each(|row| made.push(cells.get(*row as usize))),
            None => rows.iter().for_each(|_| made.push_null()),
        }
        Made::from(made)
    });
    Table { rows: table.rows + rows.len(), starts: Vec::new(), origins: Vec::new(), columns: columns.collect() }
}

/// The kinds of dirt in a column that are mistakes if they are not cleaned. Patterns of numbers and dates are not read at all then.
fn kinds(styles: &[Style], value_type: ValueType) -> Vec<(Kind, &'static str)> {
    let mut kinds: Vec<(Kind, &'static str)> = Vec::new();
    for style in styles {
        let kind = match style {
            Style::Case(_) => (Kind::Case, "case"),
            Style::Space(_) => (Kind::Space, "space"),
            Style::Written { .. } if value_type == ValueType::Text => (Kind::Written, "written"),
            Style::Missing(_) if is_number(value_type) || value_type == ValueType::Text => (Kind::Missing, "missing"),
            Style::Written { .. } | Style::Missing(_) => continue,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

fn is_number(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::Int | ValueType::Decimal(_) | ValueType::Float)
}

/// The cell as it is without that kind of dirt cleaned; `None` where that is the clean one.
fn as_read(kind: Kind, value: &Val<'_>, style: tabular::write::Style<'_>, value_type: ValueType) -> Res<Option<Value>> {
    use tabular::write::Style as Cells;
    if value.is_null() {
        let mark = style.missing.filter(|_| kind == Kind::Missing);
        return Ok(mark.map(|mark| if is_number(value_type) { Value::Int(0) } else { Value::text(mark) }));
    }
    let only = match kind {
        Kind::Case => Cells { case: style.case, ..Cells::default() },
        Kind::Space => Cells { space: style.space, ..Cells::default() },
        Kind::Written => Cells { written: style.written, ..Cells::default() },
        Kind::Missing => return Ok(None),
    };
    let Ok(cell) = only.cell(value) else { return no_result("a cell cannot be written") };
    Ok(cell.filter(|cell| value.as_text() != Some(cell)).map(|cell| Value::Text(cell.into_owned())))
}

/// Adds the relation that the file is written from with these cells, where it has the column as it is, and the file's own.
fn push<'a>(
    of: Rowed<'a>,
    (cell, id): (&'a Cell<'a>, ColumnId),
    name: &str,
    dirty: &[Option<Value>],
    found: &mut Vec<Misreading>,
) -> Res<()> {
    if let (Rows::Taken { from, .. }, Some(column)) = (&of.relation.rows, taken_as(of.relation, id)) {
        let table = Eval::new(cell).table(*from)?;
        let at = |row: usize| of.table.origins.get(row).map(|row| *row as usize);
        let cells = (0..dirty.len()).filter_map(|row| Some((at(row)?, dirty.get(row)?.as_ref()?)));
        let table = Rc::new(replaced(table, column, cells)?);
        found.push(Misreading { name: name.to_owned(), relation: *from, table });
    }
    if let Some(relation) = of.file.content.relations().first().copied() {
        let cells = dirty.iter().enumerate().filter_map(|(row, value)| Some((row, value.as_ref()?)));
        found.push(Misreading { name: name.to_owned(), relation, table: Rc::new(replaced(of.table, id, cells)?) });
    }
    Ok(())
}

/// A table with other cells in a column.
fn replaced<'v>(table: &Table, id: ColumnId, cells: impl Iterator<Item = (usize, &'v Value)>) -> Res<Table> {
    let Some(column) = table.columns.get(id) else { return no_result("a column is not made") };
    let mut values: Vec<Val<'_>> = (0..table.rows).map(|row| column.get(row)).collect();
    for (row, value) in cells {
        if let Some(slot) = values.get_mut(row) {
            *slot = Val::Ref(value);
        }
    }
    let mut made = Column::emptied(column);
    values.into_iter().for_each(|value| made.push(value));
    let mut columns = table.columns.clone();
    if let Some(slot) = columns.get_mut(id) {
        *slot = Made::from(made);
    }
    Ok(Table { rows: table.rows, starts: table.starts.clone(), origins: table.origins.clone(), columns })
}

/// The rows of a table, in this order.
fn gathered(table: &Table, rows: &[u32]) -> Table {
    let columns = table.columns.iter().map(|column| Made::from(column.gathered(rows))).collect();
    let origins = rows.iter().filter_map(|row| table.origins.get(*row as usize).copied()).collect();
    Table { rows: rows.len(), starts: Vec::new(), origins, columns }
}

/// The table that rows are taken from, in which those that the file has again come directly after themselves.
fn doubled(table: &Table, file: &Table, again: &[u32]) -> Table {
    let mut rows: Vec<u32> = (0..table.rows as u32).collect();
    rows.extend(again.iter().filter_map(|row| file.origins.get(*row as usize).copied()));
    // Stable, and the second of two equal numbers is the copy.
    rows.sort_unstable();
    gathered(table, &rows)
}

/// The mistakes that any file of the task invites.
pub(crate) fn of_task<'a>(cell: &'a Cell<'a>) -> Res<Vec<Misreading>> {
    let mut all = Vec::new();
    for id in cell.task.files.keys() {
        all.extend(misreadings(cell, id)?);
    }
    Ok(all)
}
