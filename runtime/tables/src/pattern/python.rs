//! Patterns against Python: `strftime` writes what we read and what we write, `decimal` says what a number is.

use model::{Date, DateTime, Value};

use super::*;
use crate::python::run_python;

#[test]
fn dates_are_written_as_strftime_writes_them_and_read_back() {
    const FORMS: [(&str, &str); 6] = [
        ("yyyy-MM-dd'T'HH:mm:ss", "%Y-%m-%dT%H:%M:%S"),
        ("EEEE, dd MMMM yyyy hh:mm:ss a", "%A, %d %B %Y %I:%M:%S %p"),
        ("EEE MMM dd yyyy HHmmss", "%a %b %d %Y %H%M%S"),
        ("MM/dd/yy HH:mm:ss", "%m/%d/%y %H:%M:%S"),
        ("d.M.yyyy H:mm:ss", "%-d.%-m.%Y %-H:%M:%S"),
        ("MMM d, yyyy h:mm:ss a", "%b %-d, %Y %-I:%M:%S %p"),
    ];
    // Moments of 1970 to 2069, which two digits of a year can mean too.
    let seconds: Vec<i64> = (0..300).map(|step| step * 10_456_789 % 3_155_000_000).collect();
    let formats: Vec<&str> = FORMS.iter().map(|(_, format)| *format).collect();
    let script = format!(
        "import datetime as d\nfor s in {seconds:?}:\n  t = d.datetime(1970, 1, 1) + d.timedelta(seconds=s)\n  for f in {formats:?}: print(t.strftime(f))"
    );
    let Some(said) = run_python(&script) else { return };
    let mut said = said.iter();
    for second in seconds {
        let value = Value::DateTime(DateTime(second));
        for (form, _) in FORMS {
            let pattern = Pattern::parse(form, CellType::DateTime).expect(form);
            let text = said.next().expect("a line for each");
            assert_eq!(pattern.write(&value).as_ref(), Some(text), "{form}");
            assert_eq!(pattern.read(text), Ok(value.clone()), "{form}");
        }
    }
    assert_eq!(said.next(), None);
}

#[test]
fn days_of_the_year_are_those_of_python() {
    let days: Vec<i32> = (0..200).map(|step| -700_000 + step * 17_951).collect();
    let script = format!(
        "import datetime as d\nfor n in {days:?}: print((d.date(1970, 1, 1) + d.timedelta(days=n)).strftime('%j'))"
    );
    let Some(said) = run_python(&script) else { return };
    let pattern = Pattern::parse("yyyyDDD", CellType::Date).expect("a pattern");
    for (day, of_year) in days.into_iter().zip(said) {
        let year = Date(day).to_ymd().0;
        assert_eq!(pattern.read(&format!("{year:04}{of_year}")), Ok(Value::Date(Date(day))));
    }
}

#[test]
fn numbers_are_those_of_decimal() {
    let script = "from decimal import Decimal as D\nfor n in range(-400, 400):\n  v = D(n * 7919337) / 1000\n  print(f'{v:,.3f}'); print(f'{v:.3f}'); print(f'{v:,.3f}'.replace(',', '_').replace('.', ',').replace('_', '.'))";
    let Some(said) = run_python(script) else { return };
    let pattern = |source| Pattern::parse(source, CellType::Decimal(Some(3))).expect(source);
    let patterns = [pattern("#,##0.000"), pattern("0.000"), pattern("#.##0,000")];
    for three in said.chunks(3) {
        let plain: model::Decimal = three[1].parse().expect("a decimal");
        for (pattern, text) in patterns.iter().zip(three) {
            assert_eq!(pattern.read(text), Ok(Value::Decimal(plain)), "{}", pattern.source());
            assert_eq!(pattern.write(&Value::Decimal(plain)).as_ref(), Some(text));
        }
    }
}
