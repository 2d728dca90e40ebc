//! Determines the type as which all cells of a column can be read without any declaration, and the first cell that prevents it. It is the type of an
//! undeclared column, and the first that `infer` and the fixes of E0507 try.

use model::value::parse_bool_word;
use model::{Date, DateTime, Decimal, ValueType, decimal::MAX_PLACES};

/// Counts the cells that can be read as each type, and keeps the first that cannot.
#[derive(Debug, Default)]
pub struct Tally {
    cells: usize,
    ints: Fits,
    decimals: Fits,
    numbers: Fits,
    bools: Fits,
    dates: Fits,
    moments: Fits,
    /// The digits of all numbers.
    digits: Digits,
    /// Whether a number has an exponent, or more places than a decimal allows.
    floats: bool,
    /// The letters of the first cell that is false, and of the first that is true: `TRUE` next to `true` may be another value.
    words: (Option<String>, Option<String>),
}

#[derive(Debug, Default)]
struct Fits {
    count: usize,
    first_misfit: Option<usize>,
}

impl Fits {
    fn count_row(&mut self, row: usize, fits: bool) {
        if fits {
            self.count += 1;
        } else {
            self.first_misfit.get_or_insert(row);
        }
    }
}

/// Infers the type as which all of these texts can be read and written again unchanged.
pub fn infer_usual_type<'t>(texts: impl IntoIterator<Item = &'t str>) -> ValueType {
    let mut tally = Tally::default();
    texts
        .into_iter()
        .enumerate()
        .filter(|(_, text)| !text.is_empty())
        .for_each(|(row, text)| tally.count_cell(row, text));
    tally.infer_value_type()
}

impl Tally {
    /// Counts a nonempty cell.
    pub fn count_cell(&mut self, row: usize, text: &str) {
        self.cells += 1;
        let shape = scan_number(text);
        // Numbers with so few digits fit every type, so parsing is not needed.
        let short = text.len() <= 18;
        let finite = shape.filter(|shape| short && !shape.exponent || text.parse::<f64>().is_ok_and(f64::is_finite));
        let decimal = finite.filter(|shape| !shape.exponent && (short || text.parse::<Decimal>().is_ok()));
        let whole = decimal.filter(|shape| shape.digits.places == 0 && (short || text.parse::<i64>().is_ok()));
        if let Some(shape) = finite {
            self.floats |= shape.exponent || shape.digits.places > usize::from(MAX_PLACES);
            self.digits = self.digits.join_digits(shape.digits);
        }
        let truth = self.is_truth(text);
        self.numbers.count_row(row, finite.is_some());
        self.decimals.count_row(row, decimal.is_some());
        self.ints.count_row(row, whole.is_some());
        self.bools.count_row(row, truth);
        self.dates.count_row(row, Date::parse_iso(text).is_some());
        self.moments.count_row(row, DateTime::parse_iso(text).is_some());
    }

    /// Checks for a bool with the letters of the earlier ones.
    fn is_truth(&mut self, text: &str) -> bool {
        let known = match parse_bool_word(text) {
            None => return false,
            Some(false) => &mut self.words.0,
            Some(true) => &mut self.words.1,
        };
        known.get_or_insert_with(|| text.to_owned()) == text
    }

    /// Returns the type of the numbers among the cells.
    fn number_type(&self) -> (ValueType, &Fits) {
        match u8::try_from(self.digits.places) {
            _ if self.floats || self.digits.is_long() => (ValueType::Float, &self.numbers),
            Ok(places @ 1..) => (ValueType::Decimal(places), &self.decimals),
            _ => (ValueType::Int, &self.ints),
        }
    }

    fn list_candidates(&self) -> [(ValueType, &Fits); 4] {
        [
            self.number_type(),
            (ValueType::Bool, &self.bools),
            (ValueType::Date, &self.dates),
            (ValueType::DateTime, &self.moments),
        ]
    }

    /// Returns the type of all cells.
    pub fn infer_value_type(&self) -> ValueType {
        let all = |(_, fits): &(ValueType, &Fits)| self.cells > 0 && fits.count == self.cells;
        self.list_candidates().into_iter().find(all).map_or(ValueType::Text, |(value_type, _)| value_type)
    }

    /// In a column of text, returns the type that nine in ten of its cells could have, and the first row that could not.
    pub fn find_spoiled(&self) -> Option<(ValueType, usize)> {
        let most = |(_, fits): &(ValueType, &Fits)| self.cells > 0 && fits.count * 10 >= self.cells * 9;
        let (value_type, fits) = self.list_candidates().into_iter().find(most)?;
        Some((value_type, fits.first_misfit?))
    }
}

/// Maximum number of digits that every double preserves. Further digits are mostly noise: 0.1 + 0.2 is 0.30000000000000004.
const EXACT_DIGITS: isize = 15;

/// The digits that numbers of one column have together, from the first that is not 0 to the last after the point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Digits {
    /// The place of the first digit that is not 0: 1 before the point, 0 after it; `None` if all of them are 0.
    first: Option<isize>,
    /// Number of digits after the point.
    places: usize,
}

impl Digits {
    /// Creates those of one number; other characters than digits are ignored.
    pub(super) fn from_parts(whole: &str, fraction: &str) -> Digits {
        let count = |part: &str| part.bytes().filter(u8::is_ascii_digit).count();
        let before = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit).position(|digit| digit != b'0');
        Digits {
            first: before.map(|before| count(whole).cast_signed() - before.cast_signed()),
            places: count(fraction),
        }
    }

    /// Returns the digits of both together.
    pub(super) fn join_digits(self, other: Digits) -> Digits {
        Digits { first: self.first.max(other.first), places: self.places.max(other.places) }
    }

    /// Checks whether a decimal of the column has more digits than SQL distinguishes, which computes with doubles.
    pub(super) fn is_long(self) -> bool {
        self.places > 0 && self.first.is_some_and(|first| first + self.places.cast_signed() > EXACT_DIGITS)
    }
}

/// The form of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    digits: Digits,
    exponent: bool,
}

/// Scans `-12`, `0.50`, `1.5e-7`: without a leading plus or needless zeros, and with digits on both sides of the point.
fn scan_number(text: &str) -> Option<Shape> {
    let digits = |bytes: &mut &[u8]| {
        let count = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
        *bytes = bytes.get(count..).unwrap_or_default();
        count
    };
    let unsigned = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let mut rest = unsigned;
    let whole = digits(&mut rest);
    if whole == 0 || whole > 1 && unsigned.first() == Some(&b'0') {
        return None;
    }
    let mut places = 0;
    // The digit of the highest place: in `0.05`, it follows a zero after the point.
    let mut first = (unsigned.first() != Some(&b'0')).then(|| whole.cast_signed());
    if let Some((b'.', after)) = rest.split_first() {
        rest = after;
        places = digits(&mut rest);
        let zeros = || after.iter().take(places).position(|byte| *byte != b'0');
        first = first.or_else(|| zeros().map(|zeros| -zeros.cast_signed()));
        if places == 0 {
            return None;
        }
    }
    let mut exponent = false;
    if let Some((b'e' | b'E', after)) = rest.split_first() {
        rest = match after.split_first() {
            Some((b'-' | b'+', digits)) => digits,
            _ => after,
        };
        exponent = true;
        if digits(&mut rest) == 0 {
            return None;
        }
    }
    rest.is_empty().then_some(Shape { digits: Digits { first, places }, exponent })
}
