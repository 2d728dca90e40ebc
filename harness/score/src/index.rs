//! Finds the items of a long answer that can match: looked up in one column instead of compared one by one.

use std::collections::HashMap;

use model::DateTime;

use crate::days::Days;
use crate::exact::Exact;
use crate::got::{Plain, ResponseValue, Source};
use crate::key::{Leaf, Span, Truth, Words};
use crate::matching::MAX_PAIRS;

/// Returns for each of `wanted` the places in `got` that it matches, in order. `None` if every column has too many candidates.
///
/// A cell that is `None` on either side is ignored; `fits` decides about a whole row.
pub fn find_edges(
    wanted: &[Vec<Option<&Leaf>>],
    got: &[Vec<Option<&ResponseValue>>],
    fits: impl Fn(usize, usize) -> bool,
) -> Option<Vec<Vec<usize>>> {
    let width = wanted.first()?.len();
    let columns = (0..width).filter_map(|at| Column::new(wanted, got, at));
    let (best, column) = columns
        .map(|column| {
            (wanted.iter().map(|row| column.find_candidates(row).len()).fold(0usize, usize::saturating_add), column)
        })
        .min_by_key(|(tries, _)| *tries)?;
    if best > MAX_PAIRS {
        return None;
    }
    let list = |(a, row): (usize, &Vec<Option<&Leaf>>)| {
        let mut found: Vec<usize> = column.find_candidates(row).iter().copied().filter(|b| fits(a, *b)).collect();
        found.sort_unstable();
        // Two readings of one cell can be the same text.
        found.dedup();
        found
    };
    Some(wanted.iter().enumerate().map(list).collect())
}

/// The response's values in one column, by each reading of a cell.
struct Column {
    at: usize,
    numbers: Vec<(Exact, usize)>,
    /// The places of the numbers alone.
    places_of_numbers: Vec<usize>,
    texts: HashMap<String, Vec<usize>>,
    days: HashMap<DateTime, Vec<usize>>,
    nulls: Vec<usize>,
    truths: [Vec<usize>; 2],
}

/// How the texts of a column are read: by an expected value of each kind.
#[derive(Clone, Copy, Default)]
struct Reading<'a> {
    words: Option<&'a Words>,
    span: Option<&'a Span>,
    days: Option<&'a Days>,
    truth: Option<Truth>,
}

impl Column {
    /// Creates the index of a column; `None` if a row expects nothing in this column, or two rows read texts in different ways.
    fn new(wanted: &[Vec<Option<&Leaf>>], got: &[Vec<Option<&ResponseValue>>], at: usize) -> Option<Column> {
        let mut reading = Reading::default();
        for row in wanted {
            let same = match (*row.get(at)?)? {
                Leaf::Text(own) => reading.words.replace(own).is_none_or(|words| words.has_same_reading(own)),
                Leaf::Number(own) => reading.span.replace(own).is_none_or(|span| span.has_same_reading(own)),
                Leaf::Day(own) => reading.days.replace(own).is_none_or(|days| days.has_same_reading(own)),
                Leaf::Bool(own) => {
                    reading.truth = Some(*own);
                    true
                }
                Leaf::Part(_) => false,
                Leaf::Null | Leaf::Other => true,
            };
            if !same {
                return None;
            }
        }
        let mut column = Column {
            at,
            numbers: Vec::new(),
            places_of_numbers: Vec::new(),
            texts: HashMap::new(),
            days: HashMap::new(),
            nulls: Vec::new(),
            truths: [Vec::new(), Vec::new()],
        };
        for (place, row) in got.iter().enumerate() {
            if let Some(Some(got)) = row.get(at) {
                column.add_item(got, place, &reading);
            }
        }
        column.numbers.sort_unstable();
        column.places_of_numbers = column.numbers.iter().map(|(_, place)| *place).collect();
        Some(column)
    }

    /// Adds a value under each reading by which [`Leaf::is_match`] can accept it.
    fn add_item(&mut self, got: &ResponseValue, place: usize, by: &Reading<'_>) {
        let text = match got {
            ResponseValue::Null => return self.nulls.push(place),
            ResponseValue::Bool(value) => return self.truths[usize::from(*value)].push(place),
            ResponseValue::Number(number) => {
                if number.source == Source::Integer {
                    self.truths[usize::from(number.exact != Exact::default())].push(place);
                }
                return self.numbers.push((number.exact.clone(), place));
            }
            ResponseValue::Array(_) | ResponseValue::Object(_) => return,
            ResponseValue::Text(text) => {
                if let Some(number) = by.span.and_then(|span| span.read_number_in_text(text)) {
                    self.numbers.push((number, place));
                }
                if let Some(day) = by.days.and_then(|days| days.place_string(text)) {
                    self.days.entry(day).or_default().push(place);
                }
                text
            }
            ResponseValue::Plain(plain) => {
                return plain.iter_readings().for_each(|reading| self.add_reading(reading, place, by));
            }
        };
        if let Some(words) = by.words {
            self.texts.entry(words.fold_text(text)).or_default().push(place);
        }
    }

    /// Adds one way in which a piece of text is read.
    fn add_reading(&mut self, plain: &Plain, place: usize, by: &Reading<'_>) {
        if let Some(number) = by.span.and_then(|span| span.read_number(plain)) {
            self.numbers.push((number, place));
        }
        if let Some(day) = by.days.and_then(|days| days.place_plain(&plain.text)) {
            self.days.entry(day).or_default().push(place);
        }
        if plain.is_null() {
            self.nulls.push(place);
        }
        if let Some(truth) = by.truth.and_then(|truth| truth.read_truth(plain)) {
            self.truths[usize::from(truth)].push(place);
        }
        if let Some(words) = by.words {
            self.texts.entry(words.fold_text(&plain.text)).or_default().push(place);
        }
    }

    fn find_equal(&self, leaf: &Leaf) -> &[usize] {
        match leaf {
            Leaf::Null => &self.nulls,
            Leaf::Bool(truth) => &self.truths[usize::from(truth.value)],
            Leaf::Day(days) => self.days.get(&days.place()).map(Vec::as_slice).unwrap_or_default(),
            Leaf::Text(words) => self.texts.get(words.text()).map(Vec::as_slice).unwrap_or_default(),
            Leaf::Number(_) | Leaf::Part(_) | Leaf::Other => &[],
        }
    }

    /// Returns the places of the values that may match this row.
    fn find_candidates(&self, row: &[Option<&Leaf>]) -> &[usize] {
        match row.get(self.at).copied().flatten() {
            Some(Leaf::Number(span)) => {
                let (low, high) = span.find_widest_range();
                let from = self.numbers.partition_point(|(number, _)| number < low);
                let to = self.numbers.partition_point(|(number, _)| number <= high);
                self.places_of_numbers.get(from..to).unwrap_or_default()
            }
            Some(leaf) => self.find_equal(leaf),
            None => &[],
        }
    }
}
