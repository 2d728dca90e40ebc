//! Pairs items and rows by sorting both sides: equal ones are then at the same position. This is fast for correct answers of any length.

use model::DateTime;

use crate::days::Days;
use crate::exact::Exact;
use crate::got::{Plain, ResponseValue};
use crate::index;
use crate::key::{Leaf, Span, Truth, Words};
use crate::matching::{MAX_PAIRS, match_edges, match_pairs};
use crate::rules::Rules;

/// The sort key of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Null,
    Bool(bool),
    Number(Exact),
    Day(DateTime),
    Text(String),
}

/// Finds a partner among `got` for each row of `wanted`. First by sorting; if some rows are left, by a maximum matching over the candidates of an index, or
/// over all pairs if there are not too many.
pub fn match_rows<G: AsRef<[ResponseValue]>>(wanted: &[Vec<&Leaf>], got: &[G], rules: &Rules) -> Vec<Option<usize>> {
    let fits = |a: usize, b: usize| wanted[a].iter().zip(got[b].as_ref()).all(|(leaf, got)| leaf.is_match(got));
    let merged = merge_sorted(wanted, got, fits);
    let whole = wanted.len() == got.len() && merged.iter().all(Option::is_some);
    if whole {
        return merged;
    }
    if rules.indexed_pairs {
        let wanted: Vec<Vec<Option<&Leaf>>> =
            wanted.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
        let found: Vec<Vec<Option<&ResponseValue>>> =
            got.iter().map(|row| row.as_ref().iter().map(Some).collect()).collect();
        if let Some(edges) = index::find_edges(&wanted, &found, fits) {
            return match_edges(edges, got.len());
        }
    }
    if wanted.len().saturating_mul(got.len()) > MAX_PAIRS {
        return merged;
    }
    match_pairs(wanted.len(), got.len(), fits)
}

fn merge_sorted<G: AsRef<[ResponseValue]>>(
    wanted: &[Vec<&Leaf>],
    got: &[G],
    fits: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut left: Vec<(Vec<Place>, usize)> =
        wanted.iter().enumerate().map(|(at, row)| (row.iter().copied().map(place_leaf).collect(), at)).collect();
    let width = wanted.first().map_or(0, Vec::len);
    let columns: Vec<Column<'_>> = (0..width).map(|at| Column::new(wanted, at)).collect();
    let mut right: Vec<(Vec<Place>, usize)> = got
        .iter()
        .enumerate()
        .map(|(at, row)| (row.as_ref().iter().zip(&columns).map(|(got, column)| column.place_got(got)).collect(), at))
        .collect();
    left.sort();
    right.sort();
    let mut partners = vec![None; wanted.len()];
    let (mut a, mut b) = (left.iter().peekable(), right.iter().peekable());
    while let (Some((expected, at)), Some((found, with))) = (a.peek(), b.peek()) {
        if fits(*at, *with) {
            partners[*at] = Some(*with);
            a.next();
            b.next();
        } else if expected <= found {
            a.next();
        } else {
            b.next();
        }
    }
    partners
}

fn place_leaf(leaf: &Leaf) -> Place {
    match leaf {
        Leaf::Null | Leaf::Other | Leaf::Part(_) => Place::Null,
        Leaf::Bool(truth) => Place::Bool(truth.value),
        Leaf::Day(days) => Place::Day(days.place()),
        // The smallest number that is correct, so that correct numbers sort directly after it.
        Leaf::Number(span) => Place::Number(span.low.clone()),
        Leaf::Text(words) => Place::Text(words.text().to_owned()),
    }
}

/// The expected kinds of values in a column, which determine how a piece of text is read.
struct Column<'a> {
    /// The last expected number: all have the same unit.
    number: Option<&'a Span>,
    nulls: bool,
    truth: Option<Truth>,
    days: Option<&'a Days>,
    text: Option<&'a Words>,
    /// Whether parts of texts are expected, which have no order.
    has_parts: bool,
}

impl<'a> Column<'a> {
    fn new(wanted: &[Vec<&'a Leaf>], at: usize) -> Column<'a> {
        let mut column = Column { number: None, nulls: false, truth: None, days: None, text: None, has_parts: false };
        for leaf in wanted.iter().filter_map(|row| row.get(at).copied()) {
            match leaf {
                Leaf::Null | Leaf::Other => column.nulls = true,
                Leaf::Part(_) => column.has_parts = true,
                Leaf::Bool(truth) => column.truth = Some(*truth),
                Leaf::Day(days) => column.days = Some(days),
                Leaf::Number(span) => column.number = Some(span),
                Leaf::Text(words) => column.text = Some(words),
            }
        }
        column
    }

    fn place_got(&self, got: &ResponseValue) -> Place {
        match got {
            _ if self.has_parts => Place::Null,
            ResponseValue::Null | ResponseValue::Array(_) | ResponseValue::Object(_) => Place::Null,
            ResponseValue::Bool(value) => Place::Bool(*value),
            ResponseValue::Number(number) if self.truth.is_some() && self.number.is_none() => {
                Place::Bool(number.exact != Exact::default())
            }
            ResponseValue::Number(number) => Place::Number(number.exact.clone()),
            ResponseValue::Text(text) => match self.number.and_then(|span| span.read_number_in_text(text)) {
                Some(number) => Place::Number(number),
                None => match self.days.and_then(|days| days.place_string(text)) {
                    Some(day) => Place::Day(day),
                    None => self.place_text(text),
                },
            },
            ResponseValue::Plain(plain) => self.place_plain(plain.iter_readings().last().unwrap_or(plain)),
        }
    }

    fn place_plain(&self, plain: &Plain) -> Place {
        let number = self.number.and_then(|span| span.read_number(plain)).map(Place::Number);
        let null = || (self.nulls && plain.is_null()).then_some(Place::Null);
        let truth = || self.truth.and_then(|truth| truth.read_truth(plain)).map(Place::Bool);
        let day = || self.days.and_then(|days| days.place_plain(&plain.text)).map(Place::Day);
        number.or_else(null).or_else(truth).or_else(day).unwrap_or_else(|| self.place_text(&plain.text))
    }

    fn place_text(&self, text: &str) -> Place {
        Place::Text(self.text.map_or_else(|| text.trim().to_owned(), |words| words.build_sort_key(text)))
    }
}
