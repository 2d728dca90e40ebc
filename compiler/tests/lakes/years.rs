//! Years of two digits: of the bounds of their column, else of 1970 to 2069.

use model::{Date, DateTime, Value};
use tables::{CellType, Pattern, Reading};
use testing::compile_with;

/// Numbers that are the same in every run.
struct Draw(u64);

impl Draw {
    fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + i64::try_from((self.0 >> 16) % u64::try_from(high - low + 1).expect("a range")).expect("small")
    }
}

/// V12: within bounds of at most 100 years, each of their days is read as itself; what is not between them is read as a day of the hundred years that begin
/// with them. Without such bounds, it is a day of 1970 to 2069.
#[test]
fn a_short_year_is_the_one_between_the_bounds() {
    let mut draw = Draw(12);
    let mut leap = 0;
    for round in 0..4000 {
        let low = Date(i32::try_from(draw.between(-60_000, 60_000)).expect("a day"));
        // A hundred years have 36,524 or 36,525 days.
        let high = Date(low.0 + i32::try_from(draw.between(0, 36_523)).expect("a day"));
        let (source, ty) = match round % 4 {
            0 => ("d/M/yy", CellType::Date),
            1 => ("MMMM d, yy", CellType::Date),
            2 => ("yy D", CellType::Date),
            _ => ("dd.MM.yy HH:mm:ss", CellType::DateTime),
        };
        let plain = Pattern::parse(source, ty).expect("a pattern");
        let moment = |date: Date, second: i64| DateTime(i64::from(date.0) * 86_400 + second);
        let (first, last) = match ty {
            CellType::DateTime => (moment(low, draw.between(0, 86_399)), moment(high, 86_399)),
            _ => (moment(low, 0), moment(high, 0)),
        };
        let bounded = plain.clone().with_range(first, last);
        assert!(plain.is_year_guessed() && !bounded.is_year_guessed());
        for _ in 0..4 {
            let day = Date(i32::try_from(draw.between(low.0.into(), high.0.into())).expect("a day"));
            let second = if ty == CellType::DateTime { draw.between(0, 86_399) } else { 0 };
            let value = moment(day, second).max(first);
            let (year, month, day) = value.date().to_ymd();
            leap += i32::from((month, day) == (2, 29));
            let short = year.rem_euclid(100);
            let (hour, minute, second) = value.time();
            let text = match round % 4 {
                0 => format!("{day}/{month}/{short:02}"),
                1 => format!("{} {day}, {short:02}", MONTHS[usize::from(month) - 1]),
                2 => format!("{short:02} {}", value.date().0 - Date::new(year, 1, 1).expect("a day").0 + 1),
                _ => format!("{day:02}.{month:02}.{short:02} {hour:02}:{minute:02}:{second:02}"),
            };
            let expected = match ty {
                CellType::Date => Value::Date(value.date()),
                _ => Value::DateTime(value),
            };
            assert_eq!(bounded.read(&text), Ok(expected), "{text} between {low:?} and {high:?}");
            // The usual hundred years.
            let usual = if short < 70 { 2000 + short } else { 1900 + short };
            let read = plain.read(&text).ok();
            assert_eq!(read.map(|read| year_of(&read)), Date::new(usual, month, day).map(|_| usual), "{text}");
        }
        // More than a hundred years say nothing.
        let far = moment(Date(low.0 + 36_526), 0);
        assert!(plain.clone().with_range(first, far).is_year_guessed());
    }
    assert!(leap > 3, "{leap}");
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn year_of(value: &Value) -> i32 {
    match value {
        Value::Date(date) => date.to_ymd().0,
        Value::DateTime(moment) => moment.date().to_ymd().0,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_hundred_years_that_begin_within_a_year_are_whole() {
    let day = |year, month, day| DateTime::new(Date::new(year, month, day).expect("a day"), 0, 0, 0).expect("a moment");
    let read = |first, last, text: &str| {
        let pattern = Pattern::parse("d/M/yy", CellType::Date).expect("a pattern").with_range(first, last);
        pattern.read(text).map(|value| value.render_text().into_owned())
    };
    let (first, last) = (day(1950, 6, 1), day(2050, 5, 31));
    assert_eq!(read(first, last, "31/5/50").as_deref(), Ok("2050-05-31"));
    assert_eq!(read(first, last, "1/6/50").as_deref(), Ok("1950-06-01"));
    assert_eq!(read(first, last, "1/1/49").as_deref(), Ok("2049-01-01"));
    // One day more, and a text is two days.
    assert_eq!(read(first, day(2050, 6, 1), "1/6/50").as_deref(), Ok("2050-06-01"));
    assert_eq!(read(first, day(2050, 6, 1), "1/6/71").as_deref(), Ok("1971-06-01"));
    // 1900 does not have the day, and 2000 is not meant.
    assert!(read(day(1900, 1, 1), day(1999, 12, 31), "29/2/00").is_err());
    assert_eq!(read(day(1901, 1, 1), day(2000, 12, 31), "29/2/00").as_deref(), Ok("2000-02-29"));
    let reading = Reading {
        written: vec![Pattern::parse("yy", CellType::Date).expect("a pattern")],
        ..Reading::from_type(CellType::Date)
    };
    assert_eq!(reading.read_text("69").map(|value| value.render_text().into_owned()).as_deref(), Ok("2069-01-01"));
}

/// What is said of a column of dates, and the greatest date.
fn said(domain: &str, cells: &str) -> (Vec<String>, Option<String>) {
    let text = format!(
        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntable v from \"t.csv\" {{ D : {domain} }}\ntask t {{\n  prompt \"What is the last D in the list? Reply with the date only.\"\n  expect reply json {{ it: coalesce(max(v.D), {}) }}\n}}\n",
        if domain.starts_with("datetime") { "1900-01-01T00:00" } else { "1900-01-01" }
    );
    let compiled = compile_with(&text, &[("t.csv", format!("D\n{cells}").as_bytes())]);
    let said = compiled
        .diagnostics
        .iter()
        .filter(|said| said.code.name != "unmentioned_key" && said.code.name != "constant_answer");
    let said = said.map(|said| {
        let notes: Vec<&str> = said.iter_notes().map(|(_, text)| text).collect();
        format!("{} {} / {}", said.code.id, said.message, notes.join(" / "))
    });
    let said = said.collect();
    let compiled = testing::keep_errors(compiled);
    let found = compiled.plan.is_some().then(|| match testing::find_answer(&testing::expect_instances(&compiled)[0]) {
        Value::Object(fields) => fields[0].1.render_text().into_owned(),
        other => panic!("{other:?}"),
    });
    (said, found)
}

/// W0409, and what bounds make of it.
#[test]
fn years_of_two_centuries_are_told_unless_bounds_say_which() {
    let both = "1/15/69\n2/3/71\n";
    let (found, last) = said("date as written \"M/d/yy\"", both);
    assert_eq!(last.as_deref(), Some("2069-01-15"));
    let [one] = found.as_slice() else { panic!("{found:#?}") };
    assert!(one.starts_with("W0409 two-digit years of `D` are read as 1970 to 2069"), "{one}");
    assert!(one.contains("line 3 of `t.csv` is read as 1971-02-03\nline 2 of `t.csv` is read as 2069-01-15"), "{one}");
    for (domain, cells, last) in [
        ("date 1930-01-01..2010-12-31 as written \"M/d/yy\"", both, "1971-02-03"),
        ("date 1970-01-01..2069-12-31 as written \"M/d/yy\"", both, "2069-01-15"),
        ("date as written \"M/d/yy\"", "1/15/98\n2/3/71\n", "1998-01-15"),
        ("date as written \"M/d/yy\"", "1/15/05\n2/3/24\n", "2024-02-03"),
        ("date as written \"M/d/yyyy\"", "1/15/2069\n2/3/1971\n", "2069-01-15"),
        (
            "datetime 1950-01-01T00:00..2040-01-01T00:00 as written \"M/d/yy HH:mm\"",
            "1/15/69 10:00\n2/3/31 10:00\n",
            "2031-02-03T10:00:00",
        ),
    ] {
        let (found, read) = said(domain, cells);
        assert_eq!(found, [""; 0], "{domain}");
        assert_eq!(read.as_deref(), Some(last), "{domain}");
    }
    // Bounds of more than a hundred years do not say which.
    let (found, last) = said("date 1900-01-01..2069-12-31 as written \"M/d/yy\"", both);
    assert!(found.iter().any(|one| one.starts_with("W0409")), "{found:?}");
    assert_eq!(last.as_deref(), Some("2069-01-15"));
    // What is not between the bounds is said.
    let (found, _) = said("date 1980-01-01..2010-12-31 as written \"M/d/yy\"", both);
    assert!(found.iter().any(|one| one.starts_with("E0507")), "{found:?}");
    let (found, _) = said("date as written \"M/d/yy\"  allow two_digit_years \"all dates are recent\"", both);
    assert_eq!(found, [""; 0]);
}
