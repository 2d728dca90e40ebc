//! Columns of typed values, the content of relations. No cell has an allocation of its own.

use std::fmt::Write as _;
use std::sync::Arc;

use model::value::write_int;
use model::{Date, DateTime, Decimal, Val, Value, ValueType};
use tables::write::{CellKind, Folds};

/// A column that tables share: a fixture's with all instances, and an unchanged one with the copy of a table in which other columns differ.
pub(crate) type SharedColumn = Arc<Column>;

/// The values of a column, top to bottom.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    data: Data,
    /// Flags of null cells; `None` if no cell is null. The entry of a null cell in `data` is a filler.
    nulls: Option<Vec<bool>>,
}

/// Typed cells.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// Integers.
    Int(Vec<i64>),
    /// Decimals, all with the same number of places.
    Decimal {
        /// Number of digits after the point.
        places: u8,
        /// Values in units of the last place.
        units: Vec<i128>,
    },
    /// Doubles.
    Float(Vec<f64>),
    /// Booleans.
    Bool(Vec<bool>),
    /// Dates.
    Date(Vec<Date>),
    /// Datetimes.
    DateTime(Vec<DateTime>),
    /// Texts, concatenated.
    Text {
        /// The concatenation.
        buf: String,
        /// The end of each text in `buf`, in bytes.
        ends: Vec<usize>,
    },
    /// Other values (durations), or values that do not have the column's type.
    Mixed(Vec<Value>),
}

impl Column {
    /// Creates an empty column with capacity for `rows` cells.
    pub fn new(value_type: ValueType, rows: usize) -> Column {
        let data = match value_type {
            ValueType::Int => Data::Int(Vec::with_capacity(rows)),
            ValueType::Decimal(places) => Data::Decimal { places, units: Vec::with_capacity(rows) },
            ValueType::Float => Data::Float(Vec::with_capacity(rows)),
            ValueType::Bool => Data::Bool(Vec::with_capacity(rows)),
            ValueType::Date => Data::Date(Vec::with_capacity(rows)),
            ValueType::DateTime => Data::DateTime(Vec::with_capacity(rows)),
            ValueType::Text => Data::Text { buf: String::with_capacity(rows * 12), ends: Vec::with_capacity(rows) },
            ValueType::Duration => Data::Mixed(Vec::with_capacity(rows)),
        };
        Column { data, nulls: None }
    }

    /// Creates a column of these values.
    pub fn from_values(value_type: ValueType, values: &[Value]) -> Column {
        let mut column = Column::new(value_type, values.len());
        values.iter().for_each(|value| column.push_value(Val::Ref(value)));
        column
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        match &self.data {
            Data::Int(cells) => cells.len(),
            Data::Decimal { units, .. } => units.len(),
            Data::Float(cells) => cells.len(),
            Data::Bool(cells) => cells.len(),
            Data::Date(cells) => cells.len(),
            Data::DateTime(cells) => cells.len(),
            Data::Text { ends, .. } => ends.len(),
            Data::Mixed(cells) => cells.len(),
        }
    }

    /// Returns the typed cells for direct writing. Only appending keeps the null flags correct.
    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    /// Returns the typed cells.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Checks whether the cell is null.
    #[inline]
    pub fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.get(row).copied().unwrap_or(false))
    }

    /// Checks whether some cell may be null.
    pub fn has_nulls(&self) -> bool {
        self.nulls.is_some()
    }

    /// Marks the cell of `row` as null, before or after it is filled.
    fn mark_null(&mut self, row: usize) {
        let nulls = self.nulls.get_or_insert_default();
        if nulls.len() <= row {
            nulls.resize(row + 1, false);
        }
        nulls[row] = true;
    }

    /// Appends a null.
    pub fn push_null(&mut self) {
        self.mark_null(self.len());
        match &mut self.data {
            Data::Int(cells) => cells.push(0),
            Data::Decimal { units, .. } => units.push(0),
            Data::Float(cells) => cells.push(0.0),
            Data::Bool(cells) => cells.push(false),
            Data::Date(cells) => cells.push(Date(0)),
            Data::DateTime(cells) => cells.push(DateTime(0)),
            Data::Text { buf, ends } => ends.push(buf.len()),
            Data::Mixed(cells) => cells.push(Value::Null),
        }
    }

    /// Appends a value, converted to the column's type if that loses nothing; otherwise the column becomes a mixed one.
    pub fn push_value(&mut self, value: Val<'_>) {
        if value.is_null() {
            return self.push_null();
        }
        if let Some(text) = value.as_text() {
            if let Data::Text { buf, ends } = &mut self.data {
                buf.push_str(text);
                return ends.push(buf.len());
            }
        } else if let Some(value) = value.as_value()
            && self.push_scalar(value)
        {
            return;
        }
        self.convert_to_mixed();
        if let Data::Mixed(cells) = &mut self.data {
            cells.push(value.into_value());
        }
    }

    fn push_scalar(&mut self, value: &Value) -> bool {
        match (&mut self.data, value) {
            (Data::Int(cells), Value::Int(value)) => cells.push(*value),
            (Data::Decimal { places, units }, Value::Int(_) | Value::Decimal(_)) => {
                match value.as_decimal().and_then(|value| value.with_places(*places)) {
                    Some(value) => units.push(value.units()),
                    None => return false,
                }
            }
            (Data::Float(cells), value) => match value.as_f64() {
                Some(value) => cells.push(value),
                None => return false,
            },
            (Data::Bool(cells), Value::Bool(value)) => cells.push(*value),
            (Data::Date(cells), Value::Date(value)) => cells.push(*value),
            (Data::DateTime(cells), Value::DateTime(value)) => cells.push(*value),
            (Data::Mixed(cells), value) => cells.push(value.clone()),
            _ => return false,
        }
        true
    }

    /// Returns the type of its cells; that of durations if they are mixed.
    fn value_type(&self) -> ValueType {
        match &self.data {
            Data::Int(_) => ValueType::Int,
            Data::Decimal { places, .. } => ValueType::Decimal(*places),
            Data::Float(_) => ValueType::Float,
            Data::Bool(_) => ValueType::Bool,
            Data::Date(_) => ValueType::Date,
            Data::DateTime(_) => ValueType::DateTime,
            Data::Text { .. } => ValueType::Text,
            Data::Mixed(_) => ValueType::Duration,
        }
    }

    /// Returns an empty column of the same type.
    pub fn to_empty(&self) -> Column {
        Column::new(self.value_type(), 0)
    }

    fn convert_to_mixed(&mut self) {
        if !matches!(self.data, Data::Mixed(_)) {
            let cells = (0..self.len()).map(|row| self.get(row).into_value()).collect();
            self.data = Data::Mixed(cells);
        }
    }

    /// Returns the cell of a row; null after the last row.
    #[inline]
    pub fn get(&self, row: usize) -> Val<'_> {
        if self.is_null(row) {
            return Val::NULL;
        }
        let value = match &self.data {
            Data::Text { .. } => return self.text_at(row).map_or(Val::NULL, Val::from_text),
            Data::Mixed(cells) => return cells.get(row).map_or(Val::NULL, Val::Ref),
            Data::Int(cells) => cells.get(row).copied().map(Value::Int),
            Data::Decimal { places, units } => {
                units.get(row).and_then(|units| Decimal::new(*units, *places)).map(Value::Decimal)
            }
            Data::Float(cells) => cells.get(row).copied().map(Value::Float),
            Data::Bool(cells) => cells.get(row).copied().map(Value::Bool),
            Data::Date(cells) => cells.get(row).copied().map(Value::Date),
            Data::DateTime(cells) => cells.get(row).copied().map(Value::DateTime),
        };
        value.map_or(Val::NULL, Val::Own)
    }

    /// Returns the text of a cell in a text column.
    #[inline]
    pub fn text_at(&self, row: usize) -> Option<&str> {
        let (buf, ends) = match &self.data {
            Data::Text { buf, ends } => (buf, ends),
            Data::Mixed(cells) => match cells.get(row)? {
                Value::Text(text) => return Some(text),
                _ => return None,
            },
            _ => return None,
        };
        let start = if row == 0 { 0 } else { *ends.get(row - 1)? };
        buf.get(start..*ends.get(row)?)
    }

    /// Checks whether a cell read as `read` equals the value of a row, as [`Folds::is_same_val`] does, without allocating a value if both have one type.
    pub fn is_read_as(&self, row: usize, folds: Folds, read: &Val<'_>) -> bool {
        let general = || folds.is_same_val(&self.get(row), read);
        if self.is_null(row) {
            return general();
        }
        match (&self.data, read.as_value()) {
            (Data::Text { .. }, None) => {
                (self.text_at(row).is_some() && self.text_at(row) == read.as_text()) || general()
            }
            (Data::Int(cells), Some(Value::Int(read))) => cells.get(row) == Some(read),
            (Data::Date(cells), Some(Value::Date(read))) => cells.get(row) == Some(read),
            (Data::DateTime(cells), Some(Value::DateTime(read))) => cells.get(row) == Some(read),
            (Data::Decimal { places, units }, Some(Value::Decimal(read))) if read.places() == *places => {
                units.get(row) == Some(&read.units())
            }
            _ => general(),
        }
    }

    /// Appends the rendering of a cell (nothing for null).
    pub fn render_into(&self, row: usize, out: &mut String) {
        if self.is_null(row) {
            return;
        }
        match &self.data {
            Data::Text { .. } => out.push_str(self.text_at(row).unwrap_or_default()),
            Data::Int(cells) => write_int(cells.get(row).copied().unwrap_or_default(), out),
            Data::Date(cells) => write_date(cells.get(row).copied().unwrap_or(Date(0)), out),
            Data::Decimal { places, units } => write_decimal(units.get(row).copied().unwrap_or_default(), *places, out),
            _ => self.get(row).render_into(out),
        }
    }

    /// Returns the kind of a cell, which decides about its quotes in a file.
    pub fn cell_kind(&self, row: usize) -> CellKind {
        match &self.data {
            Data::Int(_) | Data::Decimal { .. } | Data::Float(_) | Data::Bool(_) => CellKind::Number,
            Data::Date(_) | Data::DateTime(_) => CellKind::Day,
            Data::Mixed(_) => CellKind::from_val(&self.get(row)),
            Data::Text { .. } => CellKind::Text,
        }
    }

    /// Returns a column of the cells in these rows, in this order.
    pub fn gather_rows(&self, rows: &[u32]) -> Column {
        fn gather_cells<T: Copy>(cells: &[T], rows: &[u32]) -> Vec<T> {
            let mut some = Vec::with_capacity(rows.len());
            some.extend(rows.iter().filter_map(|row| cells.get(*row as usize).copied()));
            some
        }
        let data = match &self.data {
            Data::Int(cells) => Data::Int(gather_cells(cells, rows)),
            Data::Decimal { places, units } => Data::Decimal { places: *places, units: gather_cells(units, rows) },
            Data::Float(cells) => Data::Float(gather_cells(cells, rows)),
            Data::Bool(cells) => Data::Bool(gather_cells(cells, rows)),
            Data::Date(cells) => Data::Date(gather_cells(cells, rows)),
            Data::DateTime(cells) => Data::DateTime(gather_cells(cells, rows)),
            Data::Text { buf, ends } => gather_texts(buf, ends, rows),
            Data::Mixed(cells) => {
                Data::Mixed(rows.iter().filter_map(|row| cells.get(*row as usize).cloned()).collect())
            }
        };
        let nulls = self.nulls.as_ref().map(|_| rows.iter().map(|row| self.is_null(*row as usize)).collect());
        Column { data, nulls: nulls.filter(|nulls: &Vec<bool>| nulls.contains(&true)) }
    }

    /// Checks whether both columns store the same type, and cells can be copied without conversion.
    pub fn is_like(&self, other: &Column) -> bool {
        self.value_type() == other.value_type()
    }

    /// Returns the row numbers sorted by cell: ascending with nulls first, or descending with nulls last. Equal cells keep their order.
    pub fn compute_sort_order(&self, descending: bool) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..self.len() as u32).collect();
        // Equal cells keep their order if it is reversed before and after the sort.
        if descending {
            rows.reverse();
        }
        let (mut order, mut rows): (Vec<u32>, Vec<u32>) = rows.into_iter().partition(|row| self.is_null(*row as usize));
        match &self.data {
            Data::Int(cells) => rows.sort_by_key(|row| cells[*row as usize]),
            Data::Decimal { units, .. } => rows.sort_by_key(|row| units[*row as usize]),
            Data::Date(cells) => rows.sort_by_key(|row| cells[*row as usize]),
            Data::DateTime(cells) => rows.sort_by_key(|row| cells[*row as usize]),
            Data::Text { .. } => rows.sort_by_key(|row| self.text_at(*row as usize)),
            _ => rows.sort_by(|a, b| self.get(*a as usize).compare_total(&self.get(*b as usize))),
        }
        order.append(&mut rows);
        if descending {
            order.reverse();
        }
        order
    }

    /// Returns a copy in which some rows, in ascending order, have these values.
    pub fn with_cells<'v>(&self, cells: impl Iterator<Item = (usize, &'v Value)>) -> Column {
        let mut made = self.clone();
        let mut cells = cells.peekable();
        while let Some((row, value)) = cells.next_if(|(row, value)| made.replace_cell(*row, value)) {
            debug_assert!(made.get(row).is_same(&Val::Ref(value)));
        }
        if cells.peek().is_none() {
            return made;
        }
        // The new texts may have other lengths, and values of another type make the column mixed.
        let done = std::mem::replace(&mut made, self.to_empty());
        for row in 0..done.len() {
            match cells.next_if(|(at, _)| *at == row) {
                Some((_, value)) => made.push_value(Val::Ref(value)),
                None => made.push_value(done.get(row)),
            }
        }
        made
    }

    /// Replaces a cell of a number column by a number of its type. Returns `false` if it cannot.
    fn replace_cell(&mut self, row: usize, value: &Value) -> bool {
        match (&mut self.data, value) {
            (Data::Int(cells), Value::Int(value)) => match cells.get_mut(row) {
                Some(cell) => *cell = *value,
                None => return false,
            },
            (Data::Decimal { places, units }, Value::Int(_) | Value::Decimal(_)) => {
                match (value.as_decimal().and_then(|value| value.with_places(*places)), units.get_mut(row)) {
                    (Some(value), Some(cell)) => *cell = value.units(),
                    _ => return false,
                }
            }
            _ => return false,
        }
        if let Some(is_null) = self.nulls.as_mut().and_then(|nulls| nulls.get_mut(row)) {
            *is_null = false;
        }
        true
    }

    /// Returns a copy with the non-null cells in ascending order; nulls keep their rows.
    pub fn to_sorted(&self) -> Column {
        let order = self.compute_sort_order(false);
        let mut next = order.into_iter().map(|row| row as usize).skip_while(|row| self.is_null(*row));
        let mut out = self.to_empty();
        for row in 0..self.len() {
            if self.is_null(row) {
                out.push_null();
            } else if let Some(from) = next.next() {
                out.push_value(self.get(from));
            }
        }
        out
    }
}

/// Concatenates the texts of these rows.
fn gather_texts(texts: &str, ends: &[usize], rows: &[u32]) -> Data {
    let end = |row: usize| ends.get(row).copied().unwrap_or(texts.len());
    let from: Vec<(usize, usize)> =
        rows.iter().map(|row| *row as usize).map(|row| (row.checked_sub(1).map_or(0, end), end(row))).collect();
    // Rows of one file are far from each other. Reading a byte of each text before the first copy lets the processor wait for many at once, instead
    // of once per copy (measured: half the time).
    let first = |(start, _): &(usize, usize)| texts.as_bytes().get(*start).copied().unwrap_or_default();
    std::hint::black_box(from.iter().map(first).fold(0, |all, byte| all ^ byte));
    let mut gathered = String::with_capacity(from.iter().map(|(start, end)| end - start).sum());
    let mut gathered_ends = Vec::with_capacity(rows.len());
    for (start, end) in from {
        gathered.push_str(texts.get(start..end).unwrap_or_default());
        gathered_ends.push(gathered.len());
    }
    Data::Text { buf: gathered, ends: gathered_ends }
}

fn write_decimal(units: i128, places: u8, out: &mut String) {
    match (i64::try_from(units), places) {
        (Ok(units), 1..=9) => {
            let by = 10u64.pow(u32::from(places));
            if units < 0 {
                out.push('-');
            }
            write_int((units.unsigned_abs() / by) as i64, out);
            out.push('.');
            let fraction = units.unsigned_abs() % by;
            // A leading 1 keeps the zeros after the point and is removed again.
            let at = out.len();
            write_int((by + fraction) as i64, out);
            out.remove(at);
        }
        _ => {
            if let Some(value) = Decimal::new(units, places) {
                let _ = write!(out, "{value}");
            }
        }
    }
}

fn write_date(date: Date, out: &mut String) {
    let (year, month, day) = date.to_ymd();
    let year = year as u32;
    let two = |value: u32| [b'0' + (value / 10 % 10) as u8, b'0' + (value % 10) as u8];
    let ([a, b], [c, d], [e, f], [g, h]) = (two(year / 100), two(year), two(month.into()), two(day.into()));
    let text = [a, b, c, d, b'-', e, f, b'-', g, h];
    out.push_str(std::str::from_utf8(&text).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_render_as_values_do() {
        let d = |text: &str| Value::Decimal(text.parse().unwrap());
        let values = [
            Value::Int(i64::MIN),
            Value::Int(0),
            Value::Int(-7),
            d("-0.05"),
            d("12.50"),
            d("0.00"),
            d("99999999999.99"),
            Value::Date(Date::MIN),
            Value::Date(Date::MAX),
            Value::from_text("a b"),
            Value::Bool(true),
            Value::Float(0.1),
        ];
        for value in values {
            let value_type = match &value {
                Value::Decimal(value) => ValueType::Decimal(value.places()),
                Value::Int(_) => ValueType::Int,
                Value::Date(_) => ValueType::Date,
                Value::Bool(_) => ValueType::Bool,
                Value::Float(_) => ValueType::Float,
                _ => ValueType::Text,
            };
            let mut column = Column::new(value_type, 1);
            column.push_null();
            column.push_value(Val::Ref(&value));
            let mut out = String::new();
            column.render_into(1, &mut out);
            assert_eq!(out, value.render_text());
            assert!(column.is_null(0) && !matches!(column.data(), Data::Mixed(_)));
        }
    }

    #[test]
    fn a_value_of_another_type_is_kept_as_it_is() {
        let mut column = Column::new(ValueType::Int, 2);
        column.push_value(Val::from_int(1));
        column.push_value(Val::from_text("x"));
        assert_eq!((column.get(0).into_value(), column.get(1).into_value()), (Value::Int(1), Value::from_text("x")));
    }

    #[test]
    fn rows_are_gathered_with_their_nulls() {
        let d = |text: &str| Value::Decimal(text.parse().unwrap());
        let columns = [
            (ValueType::Int, vec![Value::Int(1), Value::Null, Value::Int(3), Value::Int(4), Value::Int(5)]),
            (
                ValueType::Text,
                vec![
                    Value::from_text("é"),
                    Value::from_text(""),
                    Value::Null,
                    Value::from_text("b c"),
                    Value::from_text("d"),
                ],
            ),
            (ValueType::Decimal(1), vec![d("0.1"), d("0.2"), d("0.3"), d("0.4"), Value::Null]),
            (ValueType::Int, vec![Value::Int(1), Value::from_text("x"), Value::Null, Value::Int(4), Value::Int(5)]),
        ];
        let parts: [&[u32]; 3] = [&[1, 4], &[], &[0, 2]];
        for (value_type, values) in columns {
            let column = Column::from_values(value_type, &values);
            for rows in parts {
                let gathered = column.gather_rows(rows);
                let wanted: Vec<Value> = rows.iter().map(|row| values[*row as usize].clone()).collect();
                let made: Vec<Value> = (0..gathered.len()).map(|row| gathered.get(row).into_value()).collect();
                assert_eq!((made, gathered.has_nulls()), (wanted.clone(), wanted.contains(&Value::Null)));
            }
        }
    }

    #[test]
    fn sorting_leaves_nulls_where_they_are() {
        let mut column = Column::new(ValueType::Int, 4);
        for value in [Some(3), None, Some(1), Some(2)] {
            column.push_value(value.map_or(Val::NULL, Val::from_int));
        }
        let sorted: Vec<Value> = (0..4).map(|row| column.to_sorted().get(row).into_value()).collect();
        assert_eq!(sorted, [Value::Int(1), Value::Null, Value::Int(2), Value::Int(3)]);
    }
}
