//! Which items of a long answer can fit which: looked up in one column, not tried one by one.

use std::collections::HashMap;

use crate::exact::Exact;
use crate::got::{Got, Plain, Source};
use crate::key::{Leaf, Words};
use crate::matching::MOST_PAIRS;

/// For each of `wanted`, the places of those of `got` that it fits, in order. `None` where no column tells enough apart: there would be too many to try.
///
/// A cell that is `None` on either side says nothing; `fits` says all.
pub fn edges(
    wanted: &[Vec<Option<&Leaf>>],
    got: &[Vec<Option<&Got>>],
    fits: impl Fn(usize, usize) -> bool,
) -> Option<Vec<Vec<usize>>> {
    let width = wanted.first()?.len();
    let columns = (0..width).filter_map(|at| Column::new(wanted, got, at));
    let (best, column) = columns
        .map(|column| (wanted.iter().map(|row| column.count(row)).fold(0usize, usize::saturating_add), column))
        .min_by_key(|(tries, _)| *tries)?;
    if best > MOST_PAIRS {
        return None;
    }
    let list = |(a, row): (usize, &Vec<Option<&Leaf>>)| {
        let mut found: Vec<usize> = column.candidates(row).into_iter().filter(|b| fits(a, *b)).collect();
        found.sort_unstable();
        found
    };
    Some(wanted.iter().enumerate().map(list).collect())
}

/// What the response has in one column, by all that each cell can be taken for.
struct Column<'a> {
    at: usize,
    numbers: Vec<(&'a Exact, usize)>,
    texts: HashMap<String, Vec<usize>>,
    nulls: Vec<usize>,
    truths: [Vec<usize>; 2],
}

impl<'a> Column<'a> {
    /// `None` where a row expects nothing in this column, two rows read texts in different ways, or a number may carry a unit.
    fn new(wanted: &[Vec<Option<&Leaf>>], got: &'a [Vec<Option<&'a Got>>], at: usize) -> Option<Column<'a>> {
        let mut words: Option<&Words> = None;
        for row in wanted {
            let leaf = (*row.get(at)?)?;
            if matches!(leaf, Leaf::Number(span) if span.unit.is_some()) {
                return None;
            }
            if let Leaf::Text(own) = leaf {
                if words.is_some_and(|words| !words.reads_as(own)) {
                    return None;
                }
                words = Some(own);
            }
        }
        let mut column = Column {
            at,
            numbers: Vec::new(),
            texts: HashMap::new(),
            nulls: Vec::new(),
            truths: [Vec::new(), Vec::new()],
        };
        for (place, row) in got.iter().enumerate() {
            if let Some(Some(got)) = row.get(at) {
                column.add(got, place, words);
            }
        }
        column.numbers.sort_unstable();
        Some(column)
    }

    /// Under all that [`Leaf::fits`] may take it for.
    fn add(&mut self, got: &'a Got, place: usize, words: Option<&Words>) {
        let text = match got {
            Got::Null => return self.nulls.push(place),
            Got::Bool(value) => return self.truths[usize::from(*value)].push(place),
            Got::Number(number) => {
                if number.source == Source::Integer {
                    self.truths[usize::from(number.exact != Exact::default())].push(place);
                }
                return self.numbers.push((&number.exact, place));
            }
            Got::Array(_) | Got::Object(_) => return,
            Got::Text(text) => text,
            Got::Plain(Plain { text, number }) => {
                if let Some(number) = number {
                    self.numbers.push((number, place));
                }
                if text.is_empty() || text.eq_ignore_ascii_case("null") {
                    self.nulls.push(place);
                }
                for (at, word) in ["false", "true"].iter().enumerate() {
                    if text.eq_ignore_ascii_case(word) {
                        self.truths[at].push(place);
                    }
                }
                text
            }
        };
        if let Some(words) = words {
            self.texts.entry(words.folded(text)).or_default().push(place);
        }
    }

    fn range(&self, low: &Exact, high: &Exact) -> &[(&'a Exact, usize)] {
        let from = self.numbers.partition_point(|(number, _)| *number < low);
        let to = self.numbers.partition_point(|(number, _)| *number <= high);
        self.numbers.get(from..to).unwrap_or_default()
    }

    fn listed(&self, leaf: &Leaf) -> &[usize] {
        match leaf {
            Leaf::Null => &self.nulls,
            Leaf::Bool(value) => &self.truths[usize::from(*value)],
            Leaf::Text(words) => self.texts.get(words.text()).map(Vec::as_slice).unwrap_or_default(),
            Leaf::Number(_) | Leaf::Other => &[],
        }
    }

    fn count(&self, row: &[Option<&Leaf>]) -> usize {
        match row.get(self.at).copied().flatten() {
            Some(Leaf::Number(span)) => {
                let (low, high) = span.widest();
                self.range(low, high).len()
            }
            Some(leaf) => self.listed(leaf).len(),
            None => 0,
        }
    }

    fn candidates(&self, row: &[Option<&Leaf>]) -> Vec<usize> {
        match row.get(self.at).copied().flatten() {
            Some(Leaf::Number(span)) => {
                let (low, high) = span.widest();
                self.range(low, high).iter().map(|(_, place)| *place).collect()
            }
            Some(leaf) => self.listed(leaf).to_vec(),
            None => Vec::new(),
        }
    }
}
