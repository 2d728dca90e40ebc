//! Dirt: the draws for the cells and rows of a file that turn its clean relation into its bytes.
//!
//! | who asks | what | where |
//! | --- | --- | --- |
//! | `files` | the file | `table_writer::render_files` |
//! | `table_writer` | the form of each cell, and the duplicate rows | [`Dirt`], [`Repeats`] |
//! | the reader | the rows of a file, read from its bytes | `readback::read_back_rows` |
//! | traps | a relation as read by an agent that ignores one kind of dirt | `misread::collect_misreadings` |
//!
//! A cell is identified by its row at the root (`derived_rows::resolve_roots`): each style of a column has its own stream, and row r uses the r-th
//! word. That word decides whether the cell has the style and, as the key of further words, in which form. So other styles, shares, rows, or orders
//! never change the dirt of a cell, and a greater share only adds dirty cells.

use model::suite::{Column, ColumnId, Expr, Form, Relation, Style};
use model::text_style::ByTextStyle;
use model::{Decimal, Value};
use tables::{CellType, Pattern};

use super::cell::InstanceDraft;
use super::choice::fail_share;
use super::context::Eval;
use super::failures::{OrSpan, Res, fail_computation};
use super::streams::{self, Stream};

/// The two copies of a row in a file, each with its own dirt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowCopy {
    /// The row of the relation.
    First,
    /// Its duplicate.
    Again,
}

impl RowCopy {
    /// Returns the word for this copy in random keys.
    fn key(self) -> &'static str {
        match self {
            RowCopy::First => "as",
            RowCopy::Again => "copy",
        }
    }
}

/// The dirt of a file's columns.
pub(crate) struct Dirt<'a>(Vec<(ColumnId, ColumnDirt<'a>)>);

impl<'a> Dirt<'a> {
    /// Draws the dirt of a file's rows; `rows` is the number of rows at the root.
    pub fn new(
        cell: &'a InstanceDraft<'a>,
        file: &str,
        form: &'a Form,
        relation: &Relation,
        which: RowCopy,
        rows: usize,
    ) -> Res<Dirt<'a>> {
        let columns = form.styled.iter().filter_map(|styled| Some((styled, relation.columns.get(styled.column)?)));
        let columns = columns.map(|(styled, column)| {
            let dirt = ColumnDirt::new(cell, (file, column, which), &styled.styles, rows);
            Ok((styled.column, dirt.or_span(relation.span)?))
        });
        columns.collect::<Res<_>>().map(Dirt)
    }

    /// Returns the dirt of a column; `None` if the column has no styles.
    pub fn find_column(&self, column: ColumnId) -> Option<&ColumnDirt<'a>> {
        self.0.iter().find(|(id, _)| *id == column).map(|(_, dirt)| dirt)
    }
}

/// Parses a pattern that the checker has already accepted.
pub(crate) fn parse_pattern(pattern: &str, times: Option<Decimal>, value_type: model::ValueType) -> Res<Pattern> {
    let ty = to_cell_type(value_type);
    match Pattern::parse(pattern, ty) {
        Ok(pattern) => Ok(match times {
            Some(times) => pattern.with_times(times),
            None => pattern,
        }),
        Err(_) => fail_computation(format!("{pattern:?} is not a pattern for {} values", ty.name())),
    }
}

/// Returns the type as which the cells of a column are read.
pub(crate) fn to_cell_type(value_type: model::ValueType) -> CellType {
    match value_type {
        model::ValueType::Int => CellType::Int,
        model::ValueType::Decimal(places) => CellType::Decimal(Some(places)),
        model::ValueType::Float => CellType::Float,
        model::ValueType::Bool => CellType::Bool,
        model::ValueType::Date => CellType::Date,
        model::ValueType::DateTime => CellType::DateTime,
        // The cell of a duration contains its text.
        model::ValueType::Text | model::ValueType::Duration => CellType::Text,
    }
}

/// The style of each cell of a column, by row.
#[derive(Default)]
pub(crate) struct ColumnDirt<'a> {
    /// The patterns of all cells to which no other pattern applies: one, or several with factors, of which the first that holds the number is used.
    rules: Vec<Pattern>,
    /// Patterns for a share of the cells each; the first that applies to a cell is used.
    shared: Vec<(Pattern, Chance)>,
    /// The texts that represent null.
    marks: &'a [String],
    /// The word that chooses one of them, by row at the root.
    mark: Vec<u64>,
    /// Styles of texts, each for a share of the cells.
    texts: ByTextStyle<Option<Chance>>,
}

impl<'a> ColumnDirt<'a> {
    /// Draws what these styles need for a column, and nothing else.
    pub fn new(
        cell: &'a InstanceDraft<'a>,
        (file, column, which): (&str, &Column, RowCopy),
        styles: impl IntoIterator<Item = &'a Style>,
        rows: usize,
    ) -> Res<ColumnDirt<'a>> {
        let stream = |word: &str, pattern: &[&str]| {
            let path = [&[which.key(), column.name.as_str(), word], pattern].concat();
            cell.keys.derive_dirt_stream(file, &path)
        };
        let chance = |share: &'a Expr, word: &str, pattern: &[&str]| {
            let chance = Chance::new(Eval::new(cell), share, stream(word, pattern), rows);
            chance.map_err(|failure| prefix_message(failure, &column.name))
        };
        let mut dirt = ColumnDirt::default();
        for style in styles {
            match style {
                Style::Text(style, share) => dirt.texts[*style] = Some(chance(share, style.word(), &[])?),
                Style::Missing(marks) => {
                    dirt.marks = marks;
                    dirt.mark = stream("missing", &[]).draw_words(rows);
                }
                Style::Written { pattern, times, share } => {
                    let parsed = parse_pattern(pattern, *times, column.cells.value_type)?;
                    let Some(share) = share else {
                        dirt.rules.push(parsed);
                        continue;
                    };
                    let factor = times.map(|times| times.to_string());
                    let path: Vec<&str> = std::iter::once(pattern.as_str()).chain(factor.as_deref()).collect();
                    dirt.shared.push((parsed, chance(share, "written", &path)?));
                }
            }
        }
        // A number that a pattern with a factor does not hold has the usual form, unless another one is for all cells.
        if dirt.rules.is_empty() && dirt.shared.iter().any(|(pattern, _)| pattern.times().is_some()) {
            dirt.rules.push(Pattern::from_type(to_cell_type(column.cells.value_type)));
        }
        Ok(dirt)
    }

    /// Returns the style of the cell in a row; `root` is the number of that row at the root.
    pub fn choose_style(&self, root: u32) -> tables::write::Style<'_> {
        tables::write::Style { missing: self.choose_null_mark(root), ..self.choose_value_style(root) }
    }

    /// Returns the same as [`ColumnDirt::choose_style`], for a cell that is not null.
    pub fn choose_value_style(&self, root: u32) -> tables::write::Style<'_> {
        let texts = ByTextStyle::from_fn(|style| self.texts[style].as_ref()?.draw_word(root));
        let shared = self.shared.iter().find(|(_, chance)| chance.is_hit(root)).map(|(pattern, _)| pattern);
        let others = match shared {
            Some(pattern) if pattern.times().is_some() => self.rules.as_slice(),
            Some(_) => &[],
            None => self.rules.get(1..).unwrap_or_default(),
        };
        tables::write::Style { texts, written: shared.or(self.rules.first()), others, missing: None }
    }

    /// Returns the text that represents null in a row; `None` if the column has no such style.
    pub fn choose_null_mark(&self, root: u32) -> Option<&'a str> {
        let word = self.mark.get(root as usize)?;
        let at = streams::to_index(*word, self.marks.len() as u128);
        self.marks.get(at as usize).map(String::as_str)
    }
}

/// Cells or rows that are hit with a given probability, and random words for the hits.
pub(crate) struct Chance {
    /// For each 64 rows at the root: a mask of the hits, and the number of hits before them. The data read for every cell is therefore small and contiguous.
    hits: Vec<(u64, u32)>,
    /// The words of the hits.
    words: Vec<u64>,
    how: Stream,
}

impl Chance {
    fn new<'a>(eval: Eval<'a>, share: &'a Expr, mut stream: Stream, rows: usize) -> Res<Chance> {
        let value = eval.evaluate(share)?;
        let below = value.as_value().and_then(Value::as_decimal).and_then(compute_word_threshold);
        let Some(below) = below else {
            return fail_share(&value);
        };
        let (mut hits, mut words) = (Vec::with_capacity(rows.div_ceil(64)), Vec::new());
        if below > 0 {
            for first in (0..rows).step_by(64) {
                let before = words.len() as u32;
                let mut mask = 0;
                for at in 0..(rows - first).min(64) {
                    // Words below the threshold are hits.
                    let word = stream.next();
                    if u128::from(word) < below {
                        mask |= 1 << at;
                        words.push(word);
                    }
                }
                hits.push((mask, before));
            }
        }
        Ok(Chance { hits, words, how: stream })
    }

    /// Checks whether the row is hit.
    fn is_hit(&self, root: u32) -> bool {
        self.find_hit(root).is_some()
    }

    /// Returns a word that decides the form of the dirt in a row that is hit.
    fn draw_word(&self, root: u32) -> Option<u64> {
        self.find_hit(root).map(|word| streams::next(&mut self.how.derive_own_child(word)))
    }

    fn find_hit(&self, root: u32) -> Option<u64> {
        let (mask, before) = self.hits.get(root as usize / 64).copied()?;
        let bit = 1u64 << (root % 64);
        if mask & bit == 0 {
            return None;
        }
        self.words.get(before as usize + (mask & (bit - 1)).count_ones() as usize).copied()
    }
}

/// Computes the threshold of words for a share of P%: a word w is a hit exactly if w · 100 < P · 2⁶⁴. `None` for a share outside of 0 to 100.
fn compute_word_threshold(share: Decimal) -> Option<u128> {
    let units = u128::try_from(share.units()).ok()?;
    let whole = 100 * 10u128.checked_pow(u32::from(share.places()))?;
    if units > whole {
        return None;
    }
    // In two steps of 32 bits, because 2⁶⁴ times the units can exceed 128 bits.
    let (high, rest) = (units / whole, (units % whole) << 32);
    let (middle, rest) = (rest / whole, (rest % whole) << 32);
    let (low, rest) = (rest / whole, rest % whole);
    Some((high << 64) + (middle << 32) + low + u128::from(rest > 0))
}

/// Prefixes the message with the column's name.
fn prefix_message(mut failure: Box<crate::Failure>, column: &str) -> Box<crate::Failure> {
    failure.message = format!("`{column}`: {}", failure.message);
    failure
}

/// The duplicate rows of a file.
pub(crate) struct Repeats(Chance);

impl Repeats {
    /// Draws the duplicates of a file; `rows` is the number of rows at the root.
    pub fn new<'a>(cell: &'a InstanceDraft<'a>, file: &str, share: &'a Expr, rows: usize) -> Res<Repeats> {
        let stream = cell.keys.derive_dirt_stream(file, &["repeat"]);
        let chance =
            Chance::new(Eval::new(cell), share, stream, rows).map_err(|failure| prefix_message(failure, file))?;
        Ok(Repeats(chance))
    }

    /// Checks whether a row is duplicated; `root` is the number of that row at the root.
    pub fn is_repeated(&self, root: u32) -> bool {
        self.0.is_hit(root)
    }

    /// Lists all rows of a file in the order written, with duplicates; `rows` are the rows without them.
    pub fn expand_rows(&self, rows: &[u32], roots: &[u32]) -> Vec<(u32, RowCopy)> {
        let row = |(at, which): (u32, RowCopy)| Some((*rows.get(at as usize)?, which));
        self.expand_places(rows, roots).into_iter().filter_map(row).collect()
    }

    /// Does the same, but returns the position of each row among `rows`.
    pub fn expand_places(&self, rows: &[u32], roots: &[u32]) -> Vec<(u32, RowCopy)> {
        let mut again: Vec<(u64, u32)> = Vec::new();
        for (at, row) in (0..).zip(rows) {
            let root = roots.get(*row as usize).copied().unwrap_or_default();
            if let Some(word) = self.0.draw_word(root) {
                again.push((streams::to_index(word, rows.len() as u128 + 1), at));
            }
        }
        // Duplicates inserted at one position keep the order of their rows.
        again.sort_by_key(|(place, _)| *place);
        let mut again = again.into_iter().peekable();
        let mut all = Vec::with_capacity(rows.len() + again.len());
        for at in 0..rows.len() as u32 {
            while let Some((_, copy)) = again.next_if(|(place, _)| *place <= u64::from(at)) {
                all.push((copy, RowCopy::Again));
            }
            all.push((at, RowCopy::First));
        }
        all.extend(again.map(|(_, copy)| (copy, RowCopy::Again)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_exact() {
        let below = |share: &str| compute_word_threshold(share.parse().unwrap());
        assert_eq!((below("0"), below("100"), below("100.0")), (Some(0), Some(1 << 64), Some(1 << 64)));
        assert_eq!((below("-1"), below("100.1"), below("101")), (None, None, None));
        assert_eq!((below("50"), below("25.000000000000000000")), (Some(1 << 63), Some(1 << 62)));
        // w · 100 < 2⁶⁴, where 2⁶⁴ is not a multiple of 100.
        assert_eq!(below("1"), Some((1u128 << 64) / 100 + 1));
        assert_eq!(below("0.000000000000000001"), Some(1), "a word in 10²⁰ would be less than one of them");
    }
}
