//! Patterns: the forms of values in cells. A pattern reads everything that it writes, and more: it fixes what could be ambiguous, and leaves the rest
//! open (grouping, the number of places, one or two digits of a day).
//!
//! | file | values | example |
//! | --- | --- | --- |
//! | `number` | int, decimal, float | `#,##0.00 €`, `0.0%`, `0.00;(0.00)` |
//! | `date`, `fields` | date, datetime | `d. MMMM yyyy`, `MM/dd/yy h:mm a` |
//! | `text` | text | `@ (est.)` |

mod date;
mod error;
mod fields;
mod number;
#[cfg(test)]
mod python;
#[cfg(test)]
mod tests;
mod text;

pub use error::{Dropped, PatternError, PatternErrorKind};
pub use fields::MONTHS;
use model::suite::Told;
use model::{Date, DateTime, Decimal, Val, Value};

use crate::affixes::Affixes;
use crate::cell_type::CellType;
use crate::misfit::Misfit;
use crate::plain::read_plain;
use crate::raw::trim_blanks;

/// The form of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    source: String,
    ty: CellType,
    tree: Tree,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Tree {
    Number(number::Number),
    Date(date::Form),
    Text(text::Around),
    /// The usual form of values of the type.
    Usual,
}

impl Pattern {
    /// Parses a text as a pattern for values of a type.
    ///
    /// ```
    /// use tables::{CellType, Pattern, PatternErrorKind};
    ///
    /// let date = Pattern::parse("d. MMMM yyyy", CellType::Date).expect("a pattern");
    /// assert_eq!(date.read("3. May 2024").map(|value| value.render_text().into_owned()).as_deref(), Ok("2024-05-03"));
    /// // A number is not a date; the error says for which values the pattern would be one.
    /// let error = Pattern::parse("#,##0.00", CellType::Date).expect_err("of numbers");
    /// assert!(matches!(error.kind, PatternErrorKind::Meant(_)), "{error:?}");
    /// assert_eq!(Pattern::parse("", CellType::Int).expect_err("empty").kind, PatternErrorKind::Empty);
    /// ```
    pub fn parse(source: &str, ty: CellType) -> Result<Pattern, PatternError> {
        Pattern::try_parse(source, ty).map_err(|mut error| {
            // The suggested replacement must be a pattern, so several slips are fixed at once.
            let mut meant = error.instead.take();
            for _ in 0..MAX_SLIPS {
                let Some(instead) = meant else { break };
                match Pattern::try_parse(&instead, ty) {
                    Ok(_) => return error.with_suggestion(instead),
                    Err(next) => meant = next.instead,
                }
            }
            error
        })
    }

    /// Returns the usual form of values of a type, with an empty source, for a column with patterns for some of its cells.
    pub fn from_type(ty: CellType) -> Pattern {
        Pattern { source: String::new(), ty, tree: Tree::Usual }
    }

    /// Returns the same pattern for values between the two datetimes. A two-digit year gets the century of these values, if it is unique.
    ///
    /// ```
    /// use model::DateTime;
    /// use tables::{CellType, Pattern};
    ///
    /// let read = |pattern: &Pattern| pattern.read("31.12.31").map(|value| value.render_text().into_owned());
    /// let pattern = Pattern::parse("dd.MM.yy", CellType::Date).expect("a pattern");
    /// // Without known values, two digits are a year from 1970 to 2069.
    /// assert!(pattern.is_year_guessed());
    /// assert_eq!(read(&pattern).as_deref(), Ok("2031-12-31"));
    /// let at = |text| DateTime::parse_iso(text).expect("a datetime");
    /// let thirties = pattern.with_range(at("1930-01-01T00:00"), at("1939-12-31T00:00"));
    /// assert_eq!(read(&thirties).as_deref(), Ok("1931-12-31"));
    /// ```
    pub fn with_range(mut self, first: DateTime, last: DateTime) -> Pattern {
        if let Tree::Date(form) = self.tree {
            let (year, month, day) = first.date().to_ymd();
            // A century later; if that year lacks the day, the next day.
            let next = Date::new(year + 100, month, day).or_else(|| Date::new(year + 100, month + 1, 1));
            let one = next.is_some_and(|next| last.0 - first.0 < i64::from(next.0 - first.date().0) * 86_400);
            self.tree = Tree::Date(if one { form.with_first_short(first) } else { form });
        }
        self
    }

    /// Returns the same pattern, of numbers that are multiplied by this factor above 0 when they are read, and divided when they are written. Then `%`
    /// is a letter. Patterns of other values stay as they are.
    ///
    /// ```
    /// use model::{Decimal, Value};
    /// use tables::{CellType, Pattern};
    ///
    /// let thousands = Pattern::parse("0.0K", CellType::Int).expect("a pattern").with_times(Decimal::from_int(1000));
    /// assert_eq!(thousands.read("1.5K"), Ok(Value::Int(1500)));
    /// assert_eq!(thousands.write(&Value::Int(1500)).as_deref(), Some("1.5K"));
    /// // Nothing is rounded.
    /// assert_eq!(thousands.write(&Value::Int(1550)), None);
    /// ```
    pub fn with_times(mut self, times: Decimal) -> Pattern {
        if let Tree::Number(number) = self.tree {
            self.tree = Tree::Number(number.with_times(times));
        }
        self
    }

    /// Returns the factor of numbers, if they have one of their own.
    pub fn times(&self) -> Option<Decimal> {
        match &self.tree {
            Tree::Number(number) => number.times(),
            _ => None,
        }
    }

    /// Returns the pattern and the factor as the author wrote them.
    pub fn to_told(&self) -> Told {
        Told { pattern: self.source.clone(), times: self.times() }
    }

    /// Parses a pattern with its factor. Fails as [`Pattern::parse`] does.
    pub fn parse_told(told: &Told, ty: CellType) -> Result<Pattern, PatternError> {
        let pattern = Pattern::parse(&told.pattern, ty)?;
        Ok(match told.times {
            Some(times) => pattern.with_times(times),
            None => pattern,
        })
    }

    /// Checks whether the written number is divided by 100.
    pub fn is_percent(&self) -> bool {
        matches!(&self.tree, Tree::Number(number) if number.is_percent())
    }

    /// Checks whether it has a two-digit year in an unknown century, which defaults to 1970 to 2069.
    pub fn is_year_guessed(&self) -> bool {
        matches!(&self.tree, Tree::Date(form) if form.is_year_guessed())
    }

    /// Checks whether every text matches.
    pub(crate) fn is_any_text(&self) -> bool {
        self.tree == Tree::Usual && self.ty == CellType::Text
    }

    fn try_parse(source: &str, ty: CellType) -> Result<Pattern, PatternError> {
        if source.trim().is_empty() {
            return Err(PatternError::new(PatternErrorKind::Empty, 0..source.len()));
        }
        // Spaces at the ends of a cell are ignored, so a pattern with a space there would match nothing.
        if source.starts_with(char::is_whitespace) {
            let end = source.len() - source.trim_start().len();
            return Err(PatternError::new(PatternErrorKind::OuterBlank, 0..end).with_suggestion(source.trim()));
        }
        if source.ends_with(char::is_whitespace) {
            let error = PatternError::new(PatternErrorKind::OuterBlank, source.trim_end().len()..source.len());
            return Err(error.with_suggestion(source.trim()));
        }
        let tree = parse_tree(source, ty).map_err(|error| suggest_other_type(error, source, ty))?;
        Ok(Pattern { source: source.to_owned(), ty, tree })
    }

    /// Returns the pattern as the author wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Reads a value in this form.
    ///
    /// ```
    /// use tables::{CellType, Misfit, Pattern};
    ///
    /// let read = |pattern: &str, ty, text: &str| {
    ///     let pattern = Pattern::parse(pattern, ty).expect("a pattern");
    ///     pattern.read(text).map(|value| value.render_text().into_owned())
    /// };
    /// // It reads more than it writes: other groups, other places.
    /// let amount = CellType::Decimal(Some(2));
    /// assert_eq!(read("#.##0,00 €", amount, "1.234,50 €").as_deref(), Ok("1234.50"));
    /// assert_eq!(read("#.##0,00 €", amount, "1234,5 €").as_deref(), Ok("1234.50"));
    /// assert!(read("#.##0,00 €", amount, "1,234.50 €").is_err());
    /// assert_eq!(read("#.##0,00 €", amount, "1.234,50"), Err(Misfit::Unwritten));
    /// // The number before `%` is divided by 100.
    /// assert_eq!(read("0.0%", CellType::Decimal(None), "12.5%").as_deref(), Ok("0.125"));
    /// assert_eq!(read("@ (est.)", CellType::Text, "12 (est.)").as_deref(), Ok("12"));
    /// ```
    pub fn read(&self, text: &str) -> Result<Value, Misfit> {
        self.read_val(text).map(Val::into_value)
    }

    /// Does the same as [`Pattern::read`], but borrows text.
    pub(crate) fn read_val<'t>(&self, text: &'t str) -> Result<Val<'t>, Misfit> {
        match &self.tree {
            Tree::Number(number) => number.read(trim_blanks(text), self.ty).map(Val::Own),
            Tree::Date(form) => form.read(trim_blanks(text), self.ty).map(Val::Own),
            Tree::Text(around) => around.read(text).map(Val::from_text).ok_or(Misfit::Unwritten),
            Tree::Usual => read_plain(self.ty, text),
        }
    }

    /// Writes a value in this form; `None` if a part of it would be lost, or if it is of another kind.
    ///
    /// ```
    /// use model::{Date, Decimal, Value};
    /// use tables::{CellType, Pattern};
    ///
    /// let price = Pattern::parse("#,##0.00", CellType::Decimal(Some(2))).expect("a pattern");
    /// assert_eq!(price.write(&Value::Decimal(Decimal::new(123_450, 2).unwrap())).as_deref(), Some("1,234.50"));
    /// // What the pattern has no place for is not written.
    /// assert_eq!(price.write(&Value::Decimal(Decimal::new(1_234, 3).unwrap())), None);
    /// assert_eq!(price.write(&Value::from_text("1,234.50")), None);
    /// let short = Pattern::parse("dd.MM.yy", CellType::Date).expect("a pattern");
    /// assert_eq!(short.write(&Value::Date(Date::new(2024, 5, 3).unwrap())).as_deref(), Some("03.05.24"));
    /// ```
    pub fn write(&self, value: &Value) -> Option<String> {
        let mut out = String::new();
        self.write_into(&Val::Ref(value), &mut out).map(|()| out)
    }

    /// Does the same as [`Pattern::write`], but appends the text. With `None`, a part of it may have been appended.
    pub(crate) fn write_into(&self, value: &Val<'_>, out: &mut String) -> Option<()> {
        match (&self.tree, value.as_text(), value.as_value()) {
            (Tree::Number(number), _, Some(value @ (Value::Int(_) | Value::Decimal(_)))) => {
                number.write(value.as_decimal()?, out)
            }
            (Tree::Date(form), _, Some(value @ (Value::Date(_) | Value::DateTime(_)))) => form.write(value, out),
            (Tree::Text(around), Some(text), _) => {
                around.write(text, out);
                Some(())
            }
            (Tree::Usual, ..) => {
                value.render_into(out);
                Some(())
            }
            _ => None,
        }
    }

    /// Returns the text before and after the digits of a pattern of numbers; of one with two forms, for numbers from 0, then for those below 0.
    ///
    /// ```
    /// use tables::{CellType, Pattern};
    ///
    /// let pattern = Pattern::parse("0.00 Cr;0.00 Dr", CellType::Decimal(Some(2))).expect("a pattern");
    /// assert_eq!(pattern.list_affixes().iter().map(|around| around.after).collect::<Vec<_>>(), [" Cr", " Dr"]);
    /// assert!(Pattern::parse("yyyy", CellType::Date).expect("a pattern").list_affixes().is_empty());
    /// ```
    pub fn list_affixes(&self) -> Vec<Affixes<'_>> {
        match &self.tree {
            Tree::Number(number) => number.list_affixes(),
            _ => Vec::new(),
        }
    }

    /// Checks whether it has hours and minutes.
    pub fn has_minutes(&self) -> bool {
        matches!(&self.tree, Tree::Date(form) if form.has_minutes())
    }

    /// Checks whether no part of any value of its type is lost in this form. (Which years fit into `yy` depends on the values.)
    ///
    /// ```
    /// use tables::{CellType, Dropped, Pattern, PatternErrorKind};
    ///
    /// let check = |pattern: &str, ty| Pattern::parse(pattern, ty).expect("a pattern").check_writing().map_err(|error| error.kind);
    /// assert_eq!(check("yyyy-MM-dd", CellType::Date), Ok(()));
    /// assert_eq!(check("yyyy-MM", CellType::Date), Err(PatternErrorKind::Drops(Dropped::Day)));
    /// assert_eq!(check("yyyy-MM-dd", CellType::DateTime), Err(PatternErrorKind::Drops(Dropped::Time)));
    /// ```
    pub fn check_writing(&self) -> Result<(), PatternError> {
        let all = 0..self.source.len();
        match &self.tree {
            Tree::Number(number) => number.check_writing(self.ty, all),
            Tree::Date(form) => form.check_writing(self.ty, all),
            Tree::Text(_) | Tree::Usual => Ok(()),
        }
    }
}

/// Maximum number of slips in a pattern that are fixed.
const MAX_SLIPS: usize = 8;

fn parse_tree(source: &str, ty: CellType) -> Result<Tree, PatternError> {
    match ty {
        CellType::Int | CellType::Decimal(_) | CellType::Float => number::Number::parse(source).map(Tree::Number),
        CellType::Date | CellType::DateTime => date::Form::parse(source, ty).map(Tree::Date),
        CellType::Text => text::Around::parse(source).map(Tree::Text),
        CellType::Bool => Err(PatternError::new(PatternErrorKind::NoPatterns, 0..source.len())),
    }
}

/// Returns the error, or the error that the text is a pattern for values of another type.
fn suggest_other_type(error: PatternError, source: &str, ty: CellType) -> PatternError {
    let others = [CellType::Decimal(None), CellType::Date, CellType::Text];
    let same = |other: &CellType| other.is_number() == ty.is_number() && other.is_calendar() == ty.is_calendar();
    let says_little = matches!(
        error.kind,
        PatternErrorKind::NoBody
            | PatternErrorKind::NoPlace
            | PatternErrorKind::Letters
            | PatternErrorKind::Drops(Dropped::Year)
    );
    // A pattern with a time can be meant for a date, too.
    let fits =
        |other: &CellType| parse_tree(source, if other.is_calendar() { CellType::DateTime } else { *other }).is_ok();
    match others.into_iter().filter(|other| !same(other)).find(fits) {
        Some(other) if says_little && error.instead.is_none() => {
            PatternError::new(PatternErrorKind::Meant(other), 0..source.len())
        }
        _ => error,
    }
}
