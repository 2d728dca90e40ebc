//! What all cells of a column can be read as without anything said of how: as what, and the first cell that spoils it.

use model::{Date, DateTime, Decimal, ValueType, decimal::MAX_PLACES};

/// How many cells can be read as what, and the first that cannot.
#[derive(Debug, Default)]
pub struct Tally {
    cells: usize,
    ints: Fits,
    decimals: Fits,
    numbers: Fits,
    bools: Fits,
    dates: Fits,
    moments: Fits,
    /// The most digits after a point.
    places: usize,
    /// The most digits before one.
    whole: usize,
    /// Whether some number has an exponent, or more places than a decimal.
    floats: bool,
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

/// What all of these texts can be read as, each as its value is written.
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
    /// Of cells whose numbers with a fraction are doubles, if they are.
    pub fn with_doubles(doubles: bool) -> Tally {
        Tally { floats: doubles, ..Tally::default() }
    }

    /// Counts a cell that is not empty.
    pub fn count_cell(&mut self, row: usize, text: &str) {
        self.cells += 1;
        let shape = scan_number(text);
        // This many digits fit every type, so parsing is not needed.
        let short = text.len() <= 18;
        let finite = shape.filter(|shape| short && !shape.exponent || text.parse::<f64>().is_ok_and(f64::is_finite));
        let decimal = finite.filter(|shape| !shape.exponent && (short || text.parse::<Decimal>().is_ok()));
        let whole = decimal.filter(|shape| shape.places == 0 && (short || text.parse::<i64>().is_ok()));
        if let Some(shape) = finite {
            self.floats |= shape.exponent || shape.places > usize::from(MAX_PLACES);
            self.places = self.places.max(shape.places);
            self.whole = self.whole.max(shape.whole);
        }
        self.numbers.count_row(row, finite.is_some());
        self.decimals.count_row(row, decimal.is_some());
        self.ints.count_row(row, whole.is_some());
        self.bools.count_row(row, matches!(text, "true" | "false"));
        self.dates.count_row(row, Date::parse_iso(text).is_some());
        self.moments.count_row(row, DateTime::parse_iso(text).is_some());
    }

    /// The type of the numbers among the cells.
    fn number_type(&self) -> (ValueType, &Fits) {
        match u8::try_from(self.places) {
            _ if self.floats => (ValueType::Float, &self.numbers),
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

    /// What all of them are.
    pub fn infer_value_type(&self) -> ValueType {
        let all = |(_, fits): &(ValueType, &Fits)| self.cells > 0 && fits.count == self.cells;
        self.list_candidates().into_iter().find(all).map_or(ValueType::Text, |(value_type, _)| value_type)
    }

    /// Whether a decimal of the column has more digits than SQL, which counts in doubles, tells apart.
    pub fn is_long(&self) -> bool {
        self.places > 0 && self.whole + self.places > EXACT_DIGITS
    }

    /// Of a column of text: what nine in ten of its cells could be, and the first row that could not.
    pub fn find_spoiled(&self) -> Option<(ValueType, usize)> {
        let most = |(_, fits): &(ValueType, &Fits)| self.cells > 0 && fits.count * 10 >= self.cells * 9;
        let (value_type, fits) = self.list_candidates().into_iter().find(most)?;
        Some((value_type, fits.first_misfit?))
    }
}

/// The most digits that every double keeps. Of more, most are noise: 0.1 + 0.2 is 0.30000000000000004.
pub const EXACT_DIGITS: usize = 15;

/// The significant digits of a number with a fraction; of a whole number 0.
pub fn count_significant_digits(number: &str) -> usize {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    if !mantissa.contains('.') {
        return 0;
    }
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').len()
}

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    /// Digits before the point.
    whole: usize,
    /// Digits after it.
    places: usize,
    exponent: bool,
}

/// `-12`, `0.50`, `1.5e-7`: no plus in front, no needless zeros, digits on both sides of the point.
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
    if let Some((b'.', after)) = rest.split_first() {
        rest = after;
        places = digits(&mut rest);
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
    // The zero before a point is no significant digit.
    let whole = if unsigned.first() == Some(&b'0') { 0 } else { whole };
    rest.is_empty().then_some(Shape { whole, places, exponent })
}
