//! Dirt: what is drawn for the cells and rows of a file between its relation, which is clean, and its bytes.
//!
//! | who asks | what | where |
//! | --- | --- | --- |
//! | `files` | the file | `table_file::render_files` |
//! | `table_writer` | how a cell is written, and which rows are there once more | [`Dirt`], [`Repeats`] |
//! | the reader | the rows of a file, read from its bytes | `readback::read_back_rows` |
//! | traps | a relation as read by an agent that ignores one kind of dirt | `misread::collect_misreadings` |
//!
//! A cell is known by the row that it is of at the root (`derived_rows::resolve_roots`): each style of a column has a stream of its own, and row r has its r-th word. It
//! says whether the cell has the style, and as the key of more words how. So neither more styles, nor other shares, rows, or orders change what another
//! cell has, and with a greater share dirty cells stay as dirty as they are.

use model::suite::{Column, ColumnId, Expr, Form, Relation, Style};
use model::{Decimal, Value};
use tables::{CellType, Pattern};

use super::cell::InstanceDraft;
use super::choice::fail_share;
use super::eval::{Eval, OrSpan, Res, fail_computation};
use super::streams::{self, Stream};

/// Which rows of a file: each has dirt of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowCopy {
    /// Those of the relation.
    First,
    /// Those that are there once more.
    Again,
}

impl RowCopy {
    /// The word of it in random keys.
    fn key(self) -> &'static str {
        match self {
            RowCopy::First => "as",
            RowCopy::Again => "copy",
        }
    }
}

/// How the cells of a file's columns are written.
pub(crate) struct Dirt<'a>(Vec<(ColumnId, ColumnDirt<'a>)>);

impl<'a> Dirt<'a> {
    /// Of the rows of a file; `rows` is how many there are at the root.
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

    /// Of a column that has styles.
    pub fn find_column(&self, column: ColumnId) -> Option<&ColumnDirt<'a>> {
        self.0.iter().find(|(id, _)| *id == column).map(|(_, dirt)| dirt)
    }
}

/// A pattern that the checker has parsed before.
pub(crate) fn parse_pattern(pattern: &str, value_type: model::ValueType) -> Res<Pattern> {
    let ty = to_cell_type(value_type);
    match Pattern::parse(pattern, ty) {
        Ok(pattern) => Ok(pattern),
        Err(_) => fail_computation(format!("{pattern:?} is not a pattern for {} values", ty.name())),
    }
}

/// As what the cells of a column are read.
pub(crate) fn to_cell_type(value_type: model::ValueType) -> CellType {
    match value_type {
        model::ValueType::Int => CellType::Int,
        model::ValueType::Decimal(places) => CellType::Decimal(Some(places)),
        model::ValueType::Float => CellType::Float,
        model::ValueType::Bool => CellType::Bool,
        model::ValueType::Date => CellType::Date,
        model::ValueType::DateTime => CellType::DateTime,
        // A duration is in its cell as its text.
        model::ValueType::Text | model::ValueType::Duration => CellType::Text,
    }
}

/// How the cells of a column are written, row by row.
#[derive(Default)]
pub(crate) struct ColumnDirt<'a> {
    /// Of those that are not written in another way.
    rule: Option<Pattern>,
    /// Each of a share of the cells: the first that a cell has.
    shared: Vec<(Pattern, Chance)>,
    /// What null is written as.
    marks: &'a [String],
    /// By row at the root: which of them.
    mark: Vec<u64>,
    case: Option<Chance>,
    space: Option<Chance>,
}

impl<'a> ColumnDirt<'a> {
    /// What these styles give the cells of a column: nothing else is drawn.
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
                Style::Case(share) => dirt.case = Some(chance(share, "case", &[])?),
                Style::Space(share) => dirt.space = Some(chance(share, "space", &[])?),
                Style::Missing(marks) => {
                    dirt.marks = marks;
                    dirt.mark = stream("missing", &[]).draw_words(rows);
                }
                Style::Written { pattern, share } => {
                    let parsed = parse_pattern(pattern, column.cells.value_type)?;
                    match share {
                        None => dirt.rule = Some(parsed),
                        Some(share) => dirt.shared.push((parsed, chance(share, "written", &[pattern])?)),
                    }
                }
            }
        }
        Ok(dirt)
    }

    /// How the cell of a row is written; `root` is that row at the root.
    pub fn choose_style(&self, root: u32) -> tables::write::Style<'_> {
        tables::write::Style { missing: self.choose_null_mark(root), ..self.choose_value_style(root) }
    }

    /// As [`ColumnDirt::choose_style`], for a cell that is not null.
    pub fn choose_value_style(&self, root: u32) -> tables::write::Style<'_> {
        let word = |chance: &Option<Chance>| chance.as_ref().and_then(|chance| chance.draw_word(root));
        let shared = self.shared.iter().find(|(_, chance)| chance.is_hit(root)).map(|(pattern, _)| pattern);
        let written = shared.or(self.rule.as_ref());
        tables::write::Style { case: word(&self.case), space: word(&self.space), written, missing: None }
    }

    /// What null is written as in a row; `None` where nothing is said of that.
    pub fn choose_null_mark(&self, root: u32) -> Option<&'a str> {
        let word = self.mark.get(root as usize)?;
        let at = streams::to_index(*word, self.marks.len() as u128);
        self.marks.get(at as usize).map(String::as_str)
    }
}

/// Which cells or rows have something, by a share of them, and how.
pub(crate) struct Chance {
    /// By row at the root, 64 rows each: which have it, and how many before them have it. So what is asked for every cell is small and near.
    hits: Vec<(u64, u32)>,
    /// Their words.
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
                    // Words below have it.
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

    /// Whether the row has it.
    fn is_hit(&self, root: u32) -> bool {
        self.find_hit(root).is_some()
    }

    /// Where the row has it: a word that says how.
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

/// The least number that a word w is not below if it has a share of P%: w < it just where w · 100 < P · 2⁶⁴. `None` outside of 0 to 100.
fn compute_word_threshold(share: Decimal) -> Option<u128> {
    let units = u128::try_from(share.units()).ok()?;
    let whole = 100 * 10u128.checked_pow(u32::from(share.places()))?;
    if units > whole {
        return None;
    }
    // In two steps of 32 bits: 2⁶⁴ times the units may be more than 128 bits.
    let (high, rest) = (units / whole, (units % whole) << 32);
    let (middle, rest) = (rest / whole, (rest % whole) << 32);
    let (low, rest) = (rest / whole, rest % whole);
    Some((high << 64) + (middle << 32) + low + u128::from(rest > 0))
}

/// Says of which column it is.
fn prefix_message(mut failure: Box<crate::Failure>, column: &str) -> Box<crate::Failure> {
    failure.message = format!("`{column}`: {}", failure.message);
    failure
}

/// The rows of a file that are there once more.
pub(crate) struct Repeats(Chance);

impl Repeats {
    /// Of a file; `rows` is how many there are at the root.
    pub fn new<'a>(cell: &'a InstanceDraft<'a>, file: &str, share: &'a Expr, rows: usize) -> Res<Repeats> {
        let stream = cell.keys.derive_dirt_stream(file, &["repeat"]);
        let chance =
            Chance::new(Eval::new(cell), share, stream, rows).map_err(|failure| prefix_message(failure, file))?;
        Ok(Repeats(chance))
    }

    /// Whether a row is; `root` is that row at the root.
    pub fn is_repeated(&self, root: u32) -> bool {
        self.0.is_hit(root)
    }

    /// All rows of a file in the order written, given those that are there once.
    pub fn expand_rows(&self, rows: &[u32], roots: &[u32]) -> Vec<(u32, RowCopy)> {
        let row = |(at, which): (u32, RowCopy)| Some((*rows.get(at as usize)?, which));
        self.expand_places(rows, roots).into_iter().filter_map(row).collect()
    }

    /// The same, each by its place among those that are there once.
    pub fn expand_places(&self, rows: &[u32], roots: &[u32]) -> Vec<(u32, RowCopy)> {
        let mut again: Vec<(u64, u32)> = Vec::new();
        for (at, row) in (0..).zip(rows) {
            let root = roots.get(*row as usize).copied().unwrap_or_default();
            if let Some(word) = self.0.draw_word(root) {
                again.push((streams::to_index(word, rows.len() as u128 + 1), at));
            }
        }
        // Those at one place are in the order of their rows.
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
