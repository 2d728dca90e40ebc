//! Domains prepared for drawing, once for all instances: sizes are counted, closed lists rendered, and weights summed.

use std::borrow::Cow;
use std::sync::OnceLock;

use model::domain::{LoremUnit, TemplatePart};
use model::pattern::Pattern;
use model::steps::Steps;
use model::{Date, Domain, Val, Value, ValueType};

use super::column::{Column, Data};
use super::distributions::{Cumulative, Truncated};
use super::lorem;
use super::streams::{self, Words};

/// Maximum number of values of a text domain that is rendered in advance.
const RENDERED: u128 = 4096;

/// A domain prepared for drawing.
pub(crate) enum Sampler<'a> {
    /// Values at equal distances.
    Steps(Steps),
    /// True with this probability, in millionths.
    Bool { per_million: u32 },
    /// Texts, concatenated in index order.
    Texts { buf: String, ends: Vec<u32>, sorted: OnceLock<Vec<u32>>, injective: OnceLock<bool> },
    /// A closed list of values other than texts.
    Items(Cow<'a, [Value]>),
    /// Items with weights.
    Weighted { items: &'a [(Value, u64)], sums: Cumulative },
    /// Texts that match a regular expression.
    Pattern { pattern: &'a Pattern, n: u128 },
    /// A template that is too large to render in advance, or has parts that are not uniform.
    Parts { parts: Vec<Part<'a>>, n: Option<u128>, injective: bool },
    /// Row numbers, from 1.
    Serial,
    /// Filler text.
    Lorem { unit: LoremUnit, low: u32, high: u32 },
    /// A distribution within bounds.
    Truncated(Truncated),
    /// 1 to n, where k has the weight 1/k.
    Zipf(Cumulative),
    /// Cells of another column, by row.
    Rows { column: &'a Column, rows: Option<Vec<u32>> },
    /// The empty domain.
    Empty,
}

/// A part of a template.
pub(crate) enum Part<'a> {
    Text(&'a str),
    Drawn(Sampler<'a>),
}

/// The chances of a value that is in several rows of a `ref`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Each row counts.
    Rows,
    /// Each value counts once.
    Values,
}

impl<'a> Sampler<'a> {
    /// Prepares a domain.
    pub fn new(domain: &'a Domain) -> Sampler<'a> {
        let n = domain.cardinality();
        if n == Some(0) {
            return Sampler::Empty;
        }
        if domain.is_uniform()
            && n.is_some_and(|n| n <= RENDERED)
            && !matches!(domain, Domain::Bool { .. })
            && let Some(texts) = domain.list_values().and_then(|values| Sampler::from_texts(&values))
        {
            return texts;
        }
        match domain {
            Domain::Int { .. } | Domain::Decimal { .. } | Domain::Date { .. } | Domain::DateTime { .. } => {
                domain.to_steps().map_or(Sampler::Empty, Sampler::from_steps)
            }
            Domain::Bool { per_million } => Sampler::Bool { per_million: *per_million },
            Domain::OneOf { items } => Sampler::from_items(Cow::Borrowed(&**items)),
            Domain::Weighted { items } => match Cumulative::new(items.iter().map(|(_, weight)| *weight)) {
                Some(sums) => Sampler::Weighted { items, sums },
                None => Sampler::Empty,
            },
            Domain::Pattern(pattern) => Sampler::Pattern { pattern, n: pattern.count_texts() },
            Domain::Template { parts } => {
                let uniform = if domain.is_uniform() { n } else { None };
                let parts = parts
                    .iter()
                    .map(|part| match part {
                        TemplatePart::Text(text) => Part::Text(text),
                        TemplatePart::Domain(domain) => Part::Drawn(Sampler::new(domain)),
                    })
                    .collect();
                Sampler::Parts { parts, n: uniform.filter(|n| *n <= 1 << 64), injective: domain.is_injective() }
            }
            Domain::Serial => Sampler::Serial,
            Domain::Lorem { unit, low, high } => Sampler::new_lorem(*unit, *low, *high),
            Domain::Distributed { distribution, low, high, step } => {
                Truncated::new(*distribution, *low, *high, *step).map_or(Sampler::Empty, Sampler::Truncated)
            }
            Domain::Zipf { n } => Cumulative::new_zipf(*n).map_or(Sampler::Empty, Sampler::Zipf),
        }
    }

    /// Creates a sampler of values at equal distances.
    pub fn from_steps(steps: Steps) -> Sampler<'a> {
        if steps.n == 0 { Sampler::Empty } else { Sampler::Steps(steps) }
    }

    /// Creates a sampler of filler text with `low` to `high` units.
    pub fn new_lorem(unit: LoremUnit, low: u32, high: u32) -> Sampler<'a> {
        if low > high { Sampler::Empty } else { Sampler::Lorem { unit, low, high } }
    }

    /// Creates a sampler of a closed list.
    pub fn from_items(items: Cow<'a, [Value]>) -> Sampler<'a> {
        if items.is_empty() {
            return Sampler::Empty;
        }
        Sampler::from_texts(&items).unwrap_or(Sampler::Items(items))
    }

    /// Concatenates the texts in one buffer; `None` if a value is not a text, or if the total is too long.
    fn from_texts(values: &[Value]) -> Option<Sampler<'a>> {
        let (mut buf, mut ends) = (String::new(), Vec::with_capacity(values.len()));
        for value in values {
            let Value::Text(text) = value else { return None };
            buf.push_str(text);
            ends.push(u32::try_from(buf.len()).ok()?);
        }
        (!ends.is_empty()).then(|| Sampler::Texts { buf, ends, sorted: OnceLock::new(), injective: OnceLock::new() })
    }

    /// Returns the number of indexes, all with the same probability, at most 2⁶⁴; `None` if values are drawn in another way.
    pub fn count_uniform(&self) -> Option<u128> {
        match self {
            Sampler::Steps(Steps { n, .. }) | Sampler::Pattern { n, .. } => Some(*n),
            Sampler::Texts { ends, .. } => Some(ends.len() as u128),
            Sampler::Items(items) => Some(items.len() as u128),
            Sampler::Parts { n, .. } => *n,
            Sampler::Rows { column, rows } => Some(rows.as_ref().map_or(column.len(), Vec::len) as u128),
            Sampler::Bool { per_million: 500_000 } => Some(2),
            _ => None,
        }
        .filter(|n| *n <= 1 << 64)
    }

    /// Returns the number of values, if they can be listed but do not all have the same probability.
    pub fn count_listed(&self) -> Option<u128> {
        match self {
            Sampler::Bool { .. } => Some(2),
            Sampler::Weighted { items, .. } => Some(items.len() as u128),
            Sampler::Truncated(shape) => Some(shape.count_values()),
            Sampler::Zipf(sums) => Some(sums.len() as u128),
            _ => None,
        }
    }

    /// Returns the value at an index below [`Sampler::count_listed`]; `None` if its probability is 0.
    pub fn listed_value_at(&self, place: u64) -> Option<Value> {
        match self {
            Sampler::Bool { per_million } => {
                let holds = place == 1;
                (if holds { *per_million > 0 } else { *per_million < 1_000_000 }).then_some(Value::Bool(holds))
            }
            Sampler::Weighted { items, .. } => {
                items.get(place as usize).filter(|(_, weight)| *weight > 0).map(|(value, _)| value.clone())
            }
            Sampler::Truncated(shape) => Some(shape.value_at(place)),
            Sampler::Zipf(_) => Some(Value::Int(place as i64 + 1)),
            _ => None,
        }
    }

    /// Checks whether different indexes always result in different values; those of the rows of a `ref` do where each value counts once.
    pub fn is_injective_for(&self, counting: Counting) -> bool {
        match self {
            Sampler::Parts { injective, .. } => *injective,
            Sampler::Texts { injective, .. } => *injective.get_or_init(|| {
                self.sort_indexes().windows(2).all(|pair| self.text_at(pair[0]) != self.text_at(pair[1]))
            }),
            Sampler::Rows { .. } => counting == Counting::Values,
            _ => true,
        }
    }

    /// Returns the value at an index below [`Sampler::count_uniform`].
    pub fn value_at(&self, index: u64) -> Value {
        match self {
            Sampler::Steps(_) | Sampler::Pattern { .. } => self.wide_value_at(index.into()),
            Sampler::Bool { .. } => Value::Bool(index == 1),
            Sampler::Texts { .. } => Value::from_text(self.text_at(index as u32)),
            Sampler::Items(items) => items.get(index as usize).cloned().unwrap_or(Value::Null),
            Sampler::Parts { .. } => {
                let mut out = String::new();
                self.write_at(index, &mut out);
                Value::Text(out)
            }
            Sampler::Rows { column, rows } => column.get(resolve_row(rows, index)).into_value(),
            _ => Value::Null,
        }
    }

    /// Does the same as [`Sampler::value_at`], also for sizes above 2⁶⁴.
    fn wide_value_at(&self, index: u128) -> Value {
        match self {
            Sampler::Steps(steps) => steps.value_at(index).unwrap_or(Value::Null),
            Sampler::Pattern { pattern, .. } => pattern.text_at(index).map_or(Value::Null, Value::Text),
            _ => Value::Null,
        }
    }

    /// Appends the value at an index to a column, without an intermediate [`Value`] where possible.
    #[inline]
    pub fn push_at(&self, index: u64, column: &mut Column) {
        match (self, column.data_mut()) {
            (Sampler::Steps(Steps { of: ValueType::Int, low, step, .. }), Data::Int(cells)) => {
                cells.push((*low as i64).wrapping_add((index as i64).wrapping_mul(*step as i64)));
            }
            (Sampler::Steps(Steps { of: ValueType::Date, low, step, .. }), Data::Date(cells)) => {
                cells.push(Date((*low as i64 + index as i64 * *step as i64) as i32));
            }
            (
                Sampler::Steps(Steps { of: ValueType::Decimal(places), low, step, .. }),
                Data::Decimal { places: same, units },
            ) if places == same => units.push(low + i128::from(index) * step),
            (Sampler::Texts { .. }, Data::Text { buf, ends }) => {
                buf.push_str(self.text_at(index as u32));
                ends.push(buf.len());
            }
            (Sampler::Parts { .. }, Data::Text { buf, ends }) => {
                self.write_at(index, buf);
                ends.push(buf.len());
            }
            (Sampler::Rows { column: from, rows }, _) => column.push_value(from.get(resolve_row(rows, index))),
            _ => column.push_value(Val::Own(self.value_at(index))),
        }
    }

    /// Appends the rendering of a template at an index: mixed radix, the last part varies fastest.
    fn write_at(&self, index: u64, out: &mut String) {
        let Sampler::Parts { parts, n, .. } = self else { return self.value_at(index).render_into(out) };
        let (mut rest, mut index) = (n.unwrap_or(1), u128::from(index));
        for part in parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Drawn(Sampler::Texts { buf, ends, .. }) => {
                    rest /= ends.len() as u128;
                    out.push_str(extract_text(buf, ends, (index / rest) as u32));
                    index %= rest;
                }
                Part::Drawn(sampler) => {
                    rest /= sampler.count_uniform().unwrap_or(1);
                    sampler.write_at((index / rest) as u64, out);
                    index %= rest;
                }
            }
        }
    }

    /// Checks whether a value needs more than one word.
    pub fn is_multi_word(&self) -> bool {
        match self {
            Sampler::Lorem { .. } => true,
            Sampler::Parts { n, .. } => n.is_none(),
            Sampler::Steps(Steps { n, .. }) | Sampler::Pattern { n, .. } => *n > 1 << 64,
            _ => false,
        }
    }

    /// Converts a word to a value, for samplers that need one word and may not be [`Sampler::count_uniform`].
    pub fn draw_from_word(&self, word: u64, row: u64) -> Value {
        match self {
            Sampler::Bool { per_million } => Value::Bool(streams::to_index(word, 1_000_000) < u64::from(*per_million)),
            Sampler::Weighted { items, sums } => {
                items.get(sums.pick_item(word)).map_or(Value::Null, |(item, _)| item.clone())
            }
            Sampler::Serial => Value::Int(row as i64 + 1),
            Sampler::Truncated(shape) => shape.draw_value(word),
            Sampler::Zipf(sums) => Value::Int(sums.pick_item(word) as i64 + 1),
            _ => self.count_uniform().map_or(Value::Null, |n| self.value_at(streams::to_index(word, n))),
        }
    }

    /// Appends a text drawn from several words.
    pub fn write_from(&self, words: &mut Words, row: u64, out: &mut String) {
        match self {
            Sampler::Lorem { unit, low, high } => {
                let choices = u128::from(high - low) + 1;
                let count = u64::from(*low) + streams::to_index(streams::next(words), choices);
                lorem::write_text(*unit, count, words, out);
            }
            Sampler::Parts { parts, n: None, .. } => {
                for part in parts {
                    match part {
                        Part::Text(text) => out.push_str(text),
                        Part::Drawn(sampler) => sampler.write_from(words, row, out),
                    }
                }
            }
            _ => self.draw_from_words(words, row).render_into(out),
        }
    }

    /// Draws a value from as many words as it needs.
    pub fn draw_from_words(&self, words: &mut Words, row: u64) -> Value {
        match self {
            Sampler::Lorem { .. } | Sampler::Parts { n: None, .. } => {
                let mut out = String::new();
                self.write_from(words, row, &mut out);
                Value::Text(out)
            }
            Sampler::Steps(Steps { n, .. }) | Sampler::Pattern { n, .. } if *n > 1 << 64 => {
                let high = streams::next(words);
                self.wide_value_at(streams::to_wide_index(high, streams::next(words), *n))
            }
            _ => self.draw_from_word(streams::next(words), row),
        }
    }

    /// Returns the indexes of a value; `None` if they cannot be found without trying all indexes.
    pub fn find_indexes(&self, value: &Val<'_>) -> Option<Vec<u64>> {
        Some(match self {
            Sampler::Steps(steps) => {
                let index = value.as_value().and_then(|value| steps.index_of(value));
                index.and_then(|index| u64::try_from(index).ok()).into_iter().collect()
            }
            Sampler::Texts { .. } => {
                let Some(text) = value.as_text() else { return Some(Vec::new()) };
                let sorted = self.sort_indexes();
                let start = sorted.partition_point(|at| self.text_at(*at) < text);
                sorted[start..].iter().take_while(|at| self.text_at(**at) == text).map(|at| u64::from(*at)).collect()
            }
            Sampler::Items(items) => {
                let same = |item: &Value| Val::Ref(item).is_same(value);
                items.iter().enumerate().filter(|(_, item)| same(item)).map(|(at, _)| at as u64).collect()
            }
            Sampler::Pattern { pattern, .. } => match value.as_text().and_then(|text| pattern.index_of(text)) {
                Some(at) => u64::try_from(at).into_iter().collect(),
                None => Vec::new(),
            },
            _ => return None,
        })
    }

    /// Returns the indexes of texts, sorted by text.
    fn sort_indexes(&self) -> &[u32] {
        let Sampler::Texts { buf, ends, sorted, .. } = self else { return &[] };
        sorted.get_or_init(|| {
            let mut order: Vec<u32> = (0..ends.len() as u32).collect();
            order.sort_by(|a, b| extract_text(buf, ends, *a).cmp(extract_text(buf, ends, *b)));
            order
        })
    }

    fn text_at(&self, index: u32) -> &str {
        match self {
            Sampler::Texts { buf, ends, .. } => extract_text(buf, ends, index),
            _ => "",
        }
    }
}

#[inline]
fn extract_text<'t>(buf: &'t str, ends: &[u32], index: u32) -> &'t str {
    let index = index as usize;
    let start = if index == 0 { 0 } else { ends.get(index - 1).copied().unwrap_or_default() as usize };
    let end = ends.get(index).copied().unwrap_or_default() as usize;
    buf.get(start..end).unwrap_or_default()
}

fn resolve_row(rows: &Option<Vec<u32>>, index: u64) -> usize {
    match rows {
        Some(rows) => rows.get(index as usize).copied().unwrap_or_default() as usize,
        None => index as usize,
    }
}
