//! The `line "…"` pattern: composes a line of text from cells, and splits a line into cells.

use std::collections::HashSet;

use crate::cell::Reading;
use crate::cell_type::CellType;
use crate::misfit::Misfit;

/// A piece of a pattern as written by the author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Fixed text.
    Text(String),
    /// The cell of a column, with its index and its type.
    Column(usize, CellType),
}

/// The pattern of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    parts: Vec<Part>,
    /// Spaces at the end, which are written but ignored in reading.
    tail: String,
    /// Whether spaces at the start of a line belong to its first cell.
    blanks_before: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Matches one or more spaces; these are written.
    Blanks(String),
    /// Matches itself, without spaces.
    Text(String),
    Column(usize, CellType),
}

/// The reason why pieces are not a readable pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    /// Nothing separates the columns of this piece and the next one, and their types do not either: two texts, or two numbers.
    Touching(usize),
    /// The column of this piece already occurs in the pattern.
    Again(usize),
    /// The pattern does not contain a column.
    NoColumn,
}

/// The error for a line that needs too many attempts to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooTangled;

/// Maximum number of attempts for one line.
const MAX_STEPS: usize = 1_000_000;

/// Maximum size in bytes of a cell that is not text.
const MAX_VALUE: usize = 1_000;

impl Line {
    /// Creates the pattern of these pieces.
    ///
    /// ```
    /// use tables::{CellType, Line, LineError, Piece};
    ///
    /// let text = |text: &str| Piece::Text(text.to_owned());
    /// assert!(Line::new(&[Piece::Column(0, CellType::Text), text(": "), Piece::Column(1, CellType::Int)]).is_ok());
    /// // A number and a text have a boundary, two texts have not.
    /// assert!(Line::new(&[Piece::Column(0, CellType::Int), Piece::Column(1, CellType::Text)]).is_ok());
    /// let touching = Line::new(&[Piece::Column(0, CellType::Text), Piece::Column(1, CellType::Text)]);
    /// assert_eq!(touching, Err(LineError::Touching(0)));
    /// assert_eq!(Line::new(&[text("only text")]), Err(LineError::NoColumn));
    /// ```
    pub fn new(pieces: &[Piece]) -> Result<Line, LineError> {
        let mut parts: Vec<Part> = Vec::new();
        let mut seen = HashSet::new();
        for (index, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Text(text) => push_text(&mut parts, text),
                Piece::Column(column, ty) => {
                    if !seen.insert(*column) {
                        return Err(LineError::Again(index));
                    }
                    let open = |ty: CellType| (ty == CellType::Text, ty.is_number());
                    if let Some(Part::Column(_, before)) = parts.last()
                        && (*ty == CellType::Text || ty.is_number())
                        && open(*before) == open(*ty)
                    {
                        return Err(LineError::Touching(index.saturating_sub(1)));
                    }
                    parts.push(Part::Column(*column, *ty));
                }
            }
        }
        // Spaces at the end of a line are invisible, so they have no meaning.
        let tail = match parts.pop() {
            Some(Part::Blanks(tail)) => tail,
            last => {
                parts.extend(last);
                String::new()
            }
        };
        if seen.is_empty() { Err(LineError::NoColumn) } else { Ok(Line { parts, tail, blanks_before: false }) }
    }

    /// Returns the same pattern, in which cells of the first column may be preceded by spaces that are not part of them. Otherwise an indented line
    /// does not match.
    pub fn with_blanks_before(self) -> Line {
        Line { blanks_before: true, ..self }
    }

    /// Appends the line of these cells; `cell` returns the text for a column.
    pub fn write_cells<'c>(&self, cell: impl Fn(usize) -> &'c str, out: &mut String) {
        for part in &self.parts {
            out.push_str(match part {
                Part::Blanks(text) | Part::Text(text) => text,
                Part::Column(column, _) => cell(*column),
            });
        }
        out.push_str(&self.tail);
    }

    /// Splits a line into cells with their columns, in the order of the line; `None` if the line does not match. A number or date matches as much as
    /// its column can read, a text as little as possible.
    ///
    /// ```
    /// use tables::{CellType, Line, Piece, Reading};
    ///
    /// let line = Line::new(&[
    ///     Piece::Column(0, CellType::Date),
    ///     Piece::Text(" ".to_owned()),
    ///     Piece::Column(1, CellType::Text),
    ///     Piece::Text(": ".to_owned()),
    ///     Piece::Column(2, CellType::Int),
    /// ]);
    /// let line = line.expect("a pattern");
    /// let readings = [CellType::Date, CellType::Text, CellType::Int].map(Reading::from_type);
    /// let read = |text| line.read_cells(text, |column| readings.get(column)).expect("few attempts");
    /// assert_eq!(read("2024-02-29 sold: 12"), Some(vec![(0, "2024-02-29"), (1, "sold"), (2, "12")]));
    /// // A column reads what is of its type: no such day, no such number.
    /// assert_eq!((read("2024-02-30 sold: 12"), read("2024-02-29 sold: many")), (None, None));
    /// ```
    pub fn read_cells<'t, 'r>(
        &self,
        line: &'t str,
        reading: impl Fn(usize) -> Option<&'r Reading>,
    ) -> Result<Option<Vec<(usize, &'t str)>>, TooTangled> {
        self.search_cells(line, reading, Matching::Shortest)
    }

    /// Splits a line like [`Line::read_cells`], but only if the result is unambiguous. Returns `None` also if the text after a column occurs in its
    /// cell or in the next one, because then the boundary is unknown.
    pub fn read_surely<'t, 'r>(
        &self,
        line: &'t str,
        reading: impl Fn(usize) -> Option<&'r Reading>,
    ) -> Result<Option<Vec<(usize, &'t str)>>, TooTangled> {
        // These are the first and the last match in a fixed order; if they are equal, no other exists.
        let first = self.search_cells(line, &reading, Matching::Shortest)?;
        let last = self.search_cells(line, &reading, Matching::Longest)?;
        Ok(first.filter(|first| Some(first) == last.as_ref()))
    }

    fn search_cells<'t, 'r>(
        &self,
        line: &'t str,
        reading: impl Fn(usize) -> Option<&'r Reading>,
        matching: Matching,
    ) -> Result<Option<Vec<(usize, &'t str)>>, TooTangled> {
        let mut search = Search {
            parts: &self.parts,
            line: line.trim_end(),
            reading,
            blanks_before: self.blanks_before,
            matching,
            failed: HashSet::new(),
            cells: Vec::new(),
            steps: 0,
        };
        Ok(search.can_fit(0, 0)?.then_some(search.cells))
    }
}

/// Appends fixed text, with each run of spaces as one part.
fn push_text(parts: &mut Vec<Part>, text: &str) {
    for char in text.chars() {
        match (parts.last_mut(), char.is_whitespace()) {
            (Some(Part::Blanks(before)), true) => before.push(char),
            (_, true) => parts.push(Part::Blanks(char.to_string())),
            (Some(Part::Text(before)), false) => before.push(char),
            (_, false) => parts.push(Part::Text(char.to_string())),
        }
    }
}

/// How much a text before a fixed part matches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matching {
    Shortest,
    Longest,
}

struct Search<'p, 't, F> {
    parts: &'p [Part],
    line: &'t str,
    reading: F,
    blanks_before: bool,
    matching: Matching,
    /// Parts and positions from which the rest of the line does not match.
    failed: HashSet<(usize, usize)>,
    cells: Vec<(usize, &'t str)>,
    steps: usize,
}

impl<'t, 'r, F: Fn(usize) -> Option<&'r Reading>> Search<'_, 't, F> {
    /// Checks whether the parts from `part` on match the line from `at` on.
    fn can_fit(&mut self, part: usize, at: usize) -> Result<bool, TooTangled> {
        if self.failed.contains(&(part, at)) {
            return Ok(false);
        }
        let parts = self.parts;
        let rest = self.line.get(at..).unwrap_or_default();
        let fits = match parts.get(part) {
            None => rest.is_empty(),
            Some(Part::Text(text)) => rest.starts_with(text.as_str()) && self.can_fit(part + 1, at + text.len())?,
            Some(Part::Blanks(_)) => {
                let blanks = rest.len() - rest.trim_start().len();
                let ends: Vec<usize> = list_char_ends(rest, blanks).filter(|end| *end > 0).collect();
                self.can_fit_any(part, at, ends.into_iter().rev(), |_, _| true)?
            }
            Some(Part::Column(column, ty)) => {
                let Some(reading) = (self.reading)(*column) else { return Ok(false) };
                // Spaces at the start are visible: an indented line does not match.
                let indented = !self.blanks_before && at == 0 && rest.starts_with(char::is_whitespace);
                let cell = |cell: &str, end: usize| !(indented && end > 0) && can_read(reading, cell);
                let until_fixed = matches!(parts.get(part + 1), Some(Part::Text(_) | Part::Blanks(_)));
                let (most, is_shortest_first) = match ty {
                    CellType::Text => (rest.len(), self.matching == Matching::Shortest || !until_fixed),
                    _ => (rest.len().min(MAX_VALUE), false),
                };
                if is_shortest_first {
                    self.can_fit_any(part, at, list_char_ends(rest, most), cell)?
                } else {
                    let ends: Vec<usize> = list_char_ends(rest, most).collect();
                    self.can_fit_any(part, at, ends.into_iter().rev(), cell)?
                }
            }
        };
        if !fits {
            self.failed.insert((part, at));
        }
        Ok(fits)
    }

    /// Checks whether the part matches the text up to one of these ends, and the rest matches too.
    fn can_fit_any(
        &mut self,
        part: usize,
        at: usize,
        ends: impl Iterator<Item = usize>,
        takes: impl Fn(&str, usize) -> bool,
    ) -> Result<bool, TooTangled> {
        let line = self.line;
        let next = self.parts.get(part + 1);
        for end in ends {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(TooTangled);
            }
            let (Some(text), Some(rest)) = (line.get(at..at + end), line.get(at + end..)) else { continue };
            // Most ends are impossible for the next part, which is cheaper to check than reading the cell.
            let may_follow = match next {
                None => rest.is_empty(),
                Some(Part::Text(fixed)) => rest.starts_with(fixed.as_str()),
                Some(Part::Blanks(_)) => rest.starts_with(char::is_whitespace),
                Some(Part::Column(..)) => true,
            };
            if !may_follow || !takes(text, end) {
                continue;
            }
            let column = match self.parts.get(part) {
                Some(Part::Column(column, _)) => Some(*column),
                _ => None,
            };
            let before = self.cells.len();
            self.cells.extend(column.map(|column| (column, text.trim())));
            if self.can_fit(part + 1, at + end)? {
                return Ok(true);
            }
            self.cells.truncate(before);
        }
        Ok(false)
    }
}

/// Lists the ends of a text's characters up to `most` bytes, beginning with 0.
fn list_char_ends(text: &str, most: usize) -> impl Iterator<Item = usize> + '_ {
    let characters = text.char_indices().map(|(at, char)| at + char.len_utf8());
    std::iter::once(0).chain(characters).take_while(move |end| *end <= most)
}

/// Checks whether a text can be the cell of a column. The part of a line is trimmed.
fn can_read(reading: &Reading, cell: &str) -> bool {
    match reading.read_part(cell.trim()) {
        Ok(_) => true,
        // The line matches; the ambiguity is reported for the cell.
        Err(misfit) => matches!(misfit, Misfit::TwoReadings { .. }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern as an author writes it, with columns `i…` of ints, `d…` of dates, others of texts.
    fn pieces(pattern: &str) -> (Vec<Piece>, Vec<Reading>) {
        let (mut pieces, mut readings) = (Vec::new(), Vec::new());
        for part in pattern.split("<<") {
            let (name, text) = part.split_once(">>").unwrap_or(("", part));
            if !name.is_empty() {
                let ty = match name.as_bytes().first() {
                    Some(b'i') => CellType::Int,
                    Some(b'd') => CellType::Date,
                    _ => CellType::Text,
                };
                pieces.push(Piece::Column(readings.len(), ty));
                readings.push(Reading::from_type(ty));
            }
            if !text.is_empty() {
                pieces.push(Piece::Text(text.to_owned()));
            }
        }
        (pieces, readings)
    }

    fn read<'t>(pattern: &str, line: &'t str) -> Option<Vec<&'t str>> {
        let (pieces, readings) = pieces(pattern);
        let line = Line::new(&pieces).expect("a pattern").read_cells(line, |column| readings.get(column));
        Some(line.expect("few attempts")?.into_iter().map(|(_, cell)| cell).collect())
    }

    #[test]
    fn a_line_is_what_its_pattern_writes() {
        for (pattern, line, cells) in [
            ("<<a>>: <<i>>", "total: 12", Some(&["total", "12"][..])),
            ("<<a>>: <<i>>", "x: y:   -1,200  ", Some(&["x: y", "-1,200"])),
            ("<<a>>: <<i>>", "total: many", None),
            ("<<a>>: <<i>>", "total:12", None),
            ("<<a>>=<<b>>", "k=", Some(&["k", ""])),
            // Blanks at the ends of a cell are not a part of it, wherever it is.
            ("<<i>> bar<<a>>", "6 bar (manual)", Some(&["6", "(manual)"])),
            ("<<i>> bar<<a>>", "6 bar(manual)", Some(&["6", "(manual)"])),
            ("<<i>> bar<<a>>", "6 bar", Some(&["6", ""])),
            ("<<a>>=<<b>>", "k = v", Some(&["k", "v"])),
            ("<<a>>=<<i>>", "k =  7", Some(&["k", "7"])),
            ("<<i>> bar", "  6 bar", None),
            ("<<i>>:<<a>>", "1: z", Some(&["1", "z"])),
            ("<<i>>: <<a>>", "1: z", Some(&["1", "z"])),
            // Of two numbers around a comma, the first takes what reads as one number.
            ("<<i>>,<<ib>>", "1,234,5", Some(&["1,234", "5"])),
            ("<<i>>,<<ib>>", "1,234", Some(&["1", "234"])),
            ("<<a>>=<<b>>", "a=b=c", Some(&["a", "b=c"])),
            ("<<a>> <<b>>", "one  two three", Some(&["one", "two three"])),
            ("<<a>>", "  x", None),
            (" <<a>>", "  x", Some(&["x"])),
            ("<<d>> <<a>> (<<i>>)", "2024-02-29 a (b) (3)", Some(&["2024-02-29", "a (b)", "3"])),
            ("<<d>> <<a>>", "2024-02-30 a", None),
            ("<<i>><<a>>", "12kg", Some(&["12", "kg"])),
            ("<<a>><<i>>", "AB12", Some(&["AB", "12"])),
            ("[<<i>>]\t<<a>> ", "[7] x", Some(&["7", "x"])),
            ("A <<a>> B", "A   B", Some(&[""])),
            ("é<<a>>", "éü", Some(&["ü"])),
            ("<<a>>", "", Some(&[""])),
        ] {
            assert_eq!(read(pattern, line).as_deref(), cells, "{pattern} {line:?}");
        }
    }

    #[test]
    fn blanks_before_a_line_can_be_those_of_its_first_cell() {
        let (pieces, readings) = pieces("<<a>>;<<i>>");
        let line = Line::new(&pieces).expect("a pattern");
        let read = |line: &Line| line.read_cells("  Ann;5", |column| readings.get(column));
        assert_eq!(read(&line), Ok(None));
        assert_eq!(read(&line.with_blanks_before()), Ok(Some(vec![(0, "Ann"), (1, "5")])));
    }

    #[test]
    fn a_line_is_read_surely_in_one_way_only() {
        for (pattern, line, cells) in [
            ("<<a>>-<<b>>.csv", "x-y.csv", Some(&["x", "y"][..])),
            ("<<a>>-<<b>>.csv", "x-y-z.csv", None),
            ("<<a>>-<<b>>.csv", "-x-.csv", None),
            ("<<a>>_<<b>>-<<c>>", "x_y-z", Some(&["x", "y", "z"])),
            ("<<a>> <<b>>", "New York Hill", None),
            // The end of a line is what says where the last column ends.
            ("<<a>>.csv", "x.csv.csv", Some(&["x.csv"])),
            // Numbers and dates end where they cannot go on.
            ("<<a>>-<<i>>.csv", "x-y-12.csv", Some(&["x-y", "12"])),
            ("<<a>>-<<d>>", "x-y-2024-02-29", Some(&["x-y", "2024-02-29"])),
            ("<<i>>-<<ib>>", "1--5", Some(&["1", "-5"])),
            ("<<a>><<i>>-<<b>>", "AB12-x", Some(&["AB", "12", "x"])),
            ("<<i>><<a>>", "12kg", Some(&["12", "kg"])),
            ("<<i>>:<<a>>", "x:y", None),
        ] {
            let (pieces, readings) = pieces(pattern);
            let read = Line::new(&pieces).expect("a pattern").read_surely(line, |column| readings.get(column));
            let read = read.expect("few attempts").map(|all| all.into_iter().map(|(_, cell)| cell).collect::<Vec<_>>());
            assert_eq!(read.as_deref(), cells, "{pattern} {line:?}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_a_pattern() {
        for (pattern, error) in [
            ("<<a>><<b>>", LineError::Touching(0)),
            ("x<<i>><<i>>", LineError::Touching(1)),
            ("x", LineError::NoColumn),
            ("", LineError::NoColumn),
        ] {
            assert_eq!(Line::new(&pieces(pattern).0), Err(error), "{pattern}");
        }
        let twice = [Piece::Column(0, CellType::Int), Piece::Text(" ".to_owned()), Piece::Column(0, CellType::Int)];
        assert_eq!(Line::new(&twice), Err(LineError::Again(2)));
        assert!(Line::new(&pieces("<<d>><<a>>").0).is_ok());
    }

    #[test]
    fn a_hostile_line_ends() {
        let (pieces, readings) = pieces("<<a>>a<<b>>a<<c>>a<<e>>a<<f>>ab");
        let line = "a".repeat(100_000);
        let read = Line::new(&pieces).expect("a pattern").read_cells(&line, |column| readings.get(column));
        assert!(matches!(read, Ok(None) | Err(TooTangled)), "{read:?}");
    }
}
