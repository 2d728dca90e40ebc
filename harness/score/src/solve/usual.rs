//! The answer in forms that nobody told: the usual ones of dates, bools, and numbers, which are right, and dates with day and month in an order that is not told, which are
//! wrong.

use model::answer_key::Expected;
use model::suite::matchers::{Reads, Takes};
use model::suite::{Matcher, Options};
use model::value::group_digits;
use model::{Date, Value};
use tables::{CellType, Pattern};

use super::told::rewrite_values;
use super::write::render_forms;
use crate::rules::Rules;
use crate::told::ToldForms;

/// Forms of dates that have one meaning.
const DAYS: [&str; 6] = ["yyyy/M/d", "yyyy.MM.dd", "yyyyMMdd", "d MMMM yyyy", "MMM d, yyyy", "EEE, d MMM yyyy"];

/// Forms of dates in digits, with day and month in each order.
const ORDERS: [&str; 6] = ["dd.MM.yyyy", "MM.dd.yyyy", "dd/MM/yyyy", "M/d/yyyy", "yyyy-dd-MM", "yyyyddMM"];

/// Words for true and false.
const BOOLS: [[&str; 2]; 4] = [["true", "false"], ["Yes", "No"], ["y", "n"], ["T", "F"]];

/// What separates groups of three digits.
const GROUPS: [&str; 3] = [",", " ", "'"];

/// Writes the expected value once in each usual form.
pub fn list_usual_styles(expect: &Expected, rules: &Rules) -> Vec<String> {
    let Some(value) = expect.single_value() else { return Vec::new() };
    let is_cell = match expect.matcher {
        Matcher::Number | Matcher::Date | Matcher::Bool => false,
        // Texts of JSON are read as ISO 8601 or as told.
        Matcher::Rows if rules.typed_items && rules.written_bools => true,
        _ => return Vec::new(),
    };
    let most = DAYS.len().max(BOOLS.len()).max(GROUPS.len());
    let value = expect.round_value(value);
    let styles = (0..most).filter_map(|index| {
        let write = |value: &Value, options: Option<&Options>| match value {
            Value::Date(_) | Value::DateTime(_) => write_day(value, DAYS.get(index)?, options, |told| told.is_none()),
            Value::Bool(truth) => {
                let [yes, no] = BOOLS.get(index)?;
                Some((if *truth { *yes } else { *no }).to_owned())
            }
            Value::Int(_) | Value::Decimal(_) if !is_cell => write_grouped(value, GROUPS.get(index)?, options),
            _ => None,
        };
        let written = rewrite_values(expect, &value, write)?;
        // As a table; in JSON, texts would be something else.
        render_forms(expect.matcher, &written, "").into_iter().next().filter(|form| !is_cell || !form.starts_with('['))
    });
    styles.collect()
}

/// Writes the expected value once in each form of dates in digits that is not told, with one date of it whose day could be a month.
pub fn list_swapped_days(expect: &Expected) -> Vec<String> {
    let record = expect.matcher.record();
    if record.reads == Reads::Query || !(record.takes.has_days() || record.takes == Takes::Json) {
        return Vec::new();
    }
    let Some(value) = expect.single_value() else { return Vec::new() };
    let styles = ORDERS.into_iter().filter_map(|order| {
        let mut is_done = false;
        let write = |value: &Value, options: Option<&Options>| {
            if is_done || !could_be_swapped(value) {
                return None;
            }
            let text = write_day(value, order, options, |told| told != Some(value))?;
            is_done = true;
            Some(text)
        };
        Some(render_forms(expect.matcher, &rewrite_values(expect, value, write)?, ""))
    });
    styles.flatten().collect()
}

/// Whether a date is another one if its day and month are exchanged.
fn could_be_swapped(value: &Value) -> bool {
    let Some((_, month, day)) = find_date(value).map(Date::to_ymd) else { return false };
    day <= 12 && day != month
}

fn find_date(value: &Value) -> Option<Date> {
    match value {
        Value::Date(date) => Some(*date),
        Value::DateTime(moment) => Some(moment.date()),
        _ => None,
    }
}

/// Writes a date or datetime, if `fits` accepts the value that a told form reads in the text.
fn write_day(
    value: &Value,
    form: &str,
    options: Option<&Options>,
    fits: impl Fn(Option<&Value>) -> bool,
) -> Option<String> {
    let (form, ty) = match value {
        Value::Date(_) => (form.to_owned(), CellType::Date),
        _ => (format!("{form} HH:mm:ss"), CellType::DateTime),
    };
    let text = Pattern::parse(&form, ty).ok()?.write(value)?;
    let told = options.and_then(|options| ToldForms::new(options, ty).read_day(&text));
    let told = told.map(|day| match (value, day.moment) {
        (Value::DateTime(_), Some(moment)) => Value::DateTime(moment),
        _ => Value::Date(day.date),
    });
    fits(told.as_ref()).then_some(text)
}

/// Writes a number with its digits in groups of three; `None` if it has one group, or if a told form reads the text.
fn write_grouped(value: &Value, separator: &str, options: Option<&Options>) -> Option<String> {
    let text = value.render_text();
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = whole.split_at(whole.len() - whole.trim_start_matches('-').len());
    let grouped = group_digits(digits.parse().ok().filter(|number| *number >= 1000)?).replace(',', separator);
    let text = format!("{sign}{grouped}{fraction}");
    let told = options.and_then(|options| ToldForms::new(options, CellType::Decimal(None)).read_number(&text));
    told.is_none().then_some(text)
}
