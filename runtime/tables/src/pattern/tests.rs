//! Patterns: read what they write, refuse what cannot be read, and agree with Python where it has the same pattern.

use model::{Date, DateTime, Decimal, Value};
use proptest::prelude::*;

use super::*;

const DECIMAL: CellType = CellType::Decimal(None);

fn read_with_pattern(pattern: &str, ty: CellType, text: &str) -> Result<String, Misfit> {
    let pattern = Pattern::parse(pattern, ty).unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
    pattern.read(text).map(|value| value.render_text().into_owned())
}

#[test]
fn numbers_are_read_as_their_pattern_says() {
    for (pattern, ty, text, value) in [
        ("0", CellType::Int, "42", Ok("42")),
        ("0", CellType::Int, "-42", Ok("-42")),
        ("0", CellType::Int, "4.2", Err(Misfit::Places(0))),
        ("0", CellType::Int, "12.0", Ok("12")),
        ("#,##0", CellType::Int, "1,234,567", Ok("1234567")),
        ("#,##0", CellType::Int, "1234567", Ok("1234567")),
        ("#,##0", CellType::Int, "1,23", Err(Misfit::Unwritten)),
        ("#,##0", CellType::Int, "1234,567", Err(Misfit::Unwritten)),
        ("#,##0", CellType::Int, "0,123", Err(Misfit::Unwritten)),
        ("#,##0", CellType::Int, "9,223,372,036,854,775,808", Err(Misfit::TooLarge)),
        ("0,000", DECIMAL, "1,234", Ok("1.234")),
        ("#,##0", DECIMAL, "1,234", Ok("1234")),
        ("#.##0", DECIMAL, "1.234,5", Ok("1234.5")),
        ("#.##0,00 €", DECIMAL, "-1.234,50 €", Ok("-1234.50")),
        ("#.##0,00 €", DECIMAL, "1.234,50", Err(Misfit::Unwritten)),
        ("# ##0", DECIMAL, "12 345", Ok("12345")),
        ("#\u{a0}##0", DECIMAL, "12\u{a0}345", Ok("12345")),
        ("#\u{a0}##0", DECIMAL, "12 345", Err(Misfit::Unwritten)),
        ("#'##0.0", DECIMAL, "1'234.25", Ok("1234.25")),
        ("0.0T", DECIMAL, "0.3T", Ok("0.3")),
        ("0.0T", DECIMAL, "0.3", Err(Misfit::Unwritten)),
        ("$#,##0.00", DECIMAL, "-$1,234.5", Ok("-1234.5")),
        ("$#,##0.00", DECIMAL, "$-1,234.5", Err(Misfit::Unwritten)),
        ("0%", DECIMAL, "12%", Ok("0.12")),
        ("0%", DECIMAL, "12.5%", Ok("0.125")),
        ("0%", CellType::Int, "1200%", Ok("12")),
        ("0%", CellType::Int, "12%", Err(Misfit::Places(0))),
        ("0.0 %", CellType::Float, "50 %", Ok("0.5")),
        ("0.0", CellType::Float, "1e3", Err(Misfit::Unwritten)),
        ("0.0", DECIMAL, ".5", Ok("0.5")),
        ("0.0", DECIMAL, "5.", Err(Misfit::Unwritten)),
        ("0.0", DECIMAL, "--5", Err(Misfit::Unwritten)),
        ("0.0", DECIMAL, "", Err(Misfit::Unwritten)),
        ("(0)", CellType::Int, "(7)", Ok("7")),
        ("#,##0.00;(#,##0.00)", DECIMAL, "(1,200.5)", Ok("-1200.5")),
        ("#,##0.00;(#,##0.00)", DECIMAL, "1,200.50", Ok("1200.50")),
        ("#,##0.00;(#,##0.00)", DECIMAL, "-1,200.50", Err(Misfit::Unwritten)),
        ("#,##0.00;(#,##0.00)", DECIMAL, "(-1)", Err(Misfit::Unwritten)),
        ("#,##0.00;(#,##0.00)", DECIMAL, "(1", Err(Misfit::Unwritten)),
        ("0.00;0.00-", DECIMAL, "340.50-", Ok("-340.50")),
        ("0 Cr;0 Dr", CellType::Int, "5 Dr", Ok("-5")),
        ("0 Cr;0 Dr", CellType::Int, "0 Dr", Ok("0")),
        ("0 Cr;0 Dr", CellType::Int, "5", Err(Misfit::Unwritten)),
        ("0.0° N;0.0° S", DECIMAL, "3.5° S", Ok("-3.5")),
        ("0 AD;0 BC", CellType::Int, "44 BC", Ok("-44")),
        ("(0);-(0)", CellType::Int, "(5)", Ok("5")),
        ("(0);-(0)", CellType::Int, "-(5)", Ok("-5")),
        ("0%;(0%)", DECIMAL, "(12%)", Ok("-0.12")),
        ("0;", CellType::Int, "-7;", Ok("-7")),
        ("0.", CellType::Int, "7.", Ok("7")),
        ("0.00", CellType::Decimal(Some(2)), "1.5", Ok("1.50")),
        ("0.00", CellType::Decimal(Some(2)), "1.505", Err(Misfit::Places(2))),
    ] {
        assert_eq!(
            read_with_pattern(pattern, ty, text).as_deref(),
            value.as_ref().map(|value| *value),
            "{pattern} {text:?}"
        );
    }
}

#[test]
fn dates_are_read_as_their_pattern_says() {
    use CellType::{Date, DateTime};
    for (pattern, ty, text, value) in [
        ("d. MMMM yyyy", Date, "3. march 2024", Ok("2024-03-03")),
        ("dd MMM yyyy", Date, "03 MAR 2024", Ok("2024-03-03")),
        ("dd MMM yyyy", Date, "3 Mar 2024", Err(Misfit::Unwritten)),
        ("M/d/yyyy", Date, "3/4/2024", Ok("2024-03-04")),
        ("M/d/yyyy", Date, "03/04/2024", Ok("2024-03-04")),
        ("M/d/yyyy", Date, "2/30/2024", Err(Misfit::NoSuchDay)),
        ("M/d/yyyy", Date, "3/4/24", Err(Misfit::Unwritten)),
        ("yy", Date, "69", Ok("2069-01-01")),
        ("yy", Date, "70", Ok("1970-01-01")),
        ("MMM-yy", Date, "Jun-10", Ok("2010-06-01")),
        ("yyyyDDD", Date, "2024366", Ok("2024-12-31")),
        ("yyyyDDD", Date, "2023366", Err(Misfit::NoSuchDay)),
        ("yyyy D", Date, "2024 60", Ok("2024-02-29")),
        ("yyyyMMdd", Date, "20240229", Ok("2024-02-29")),
        ("EEEE, d MMMM yyyy", Date, "Thursday, 29 February 2024", Ok("2024-02-29")),
        ("EEEE, d MMMM yyyy", Date, "Friday, 29 February 2024", Err(Misfit::NoSuchDay)),
        ("yyyy'Q'1", Date, "2024Q1", Ok("2024-01-01")),
        ("d 'o''clock' M yyyy", Date, "1 o'clock 2 2024", Ok("2024-02-01")),
        ("M/d/yyyy h:mm a", DateTime, "1/2/2024 12:05 am", Ok("2024-01-02T00:05:00")),
        ("M/d/yyyy h:mm a", DateTime, "1/2/2024 12:05 PM", Ok("2024-01-02T12:05:00")),
        ("M/d/yyyy h:mm a", DateTime, "1/2/2024 13:05 PM", Err(Misfit::NoSuchDay)),
        ("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", DateTime, "2024-01-02T03:04:05.000Z", Ok("2024-01-02T03:04:05")),
        ("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", DateTime, "2024-01-02T03:04:05.120Z", Err(Misfit::Fraction)),
        ("yyyy-MM-dd HH:mm:ss.S", DateTime, "2024-01-02 03:04:05.000000", Ok("2024-01-02T03:04:05")),
        ("yyyyMMdd Hmm", DateTime, "20240102 930", Ok("2024-01-02T09:30:00")),
        ("yyyyMMdd Hmm", DateTime, "20240102 1930", Ok("2024-01-02T19:30:00")),
        ("yyyy-MM-dd HH:mm", DateTime, "2024-01-02 24:00", Err(Misfit::NoSuchDay)),
        ("yyyy", DateTime, "2024", Ok("2024-01-01T00:00:00")),
    ] {
        assert_eq!(
            read_with_pattern(pattern, ty, text).as_deref(),
            value.as_ref().map(|value| *value),
            "{pattern} {text:?}"
        );
    }
}

#[test]
fn numbers_are_multiplied_exactly() {
    for (pattern, times, ty, text, value) in [
        ("0.0K", "1000", CellType::Int, "1.5K", Ok("1500")),
        ("0.0K", "1000", CellType::Int, "1.5555K", Err(Misfit::Places(0))),
        ("0.0K", "1000", DECIMAL, "1.50K", Ok("1500")),
        ("0.0K", "1000", DECIMAL, "-1.5555K", Ok("-1555.5")),
        ("0 g", "0.001", DECIMAL, "700 g", Ok("0.700")),
        ("0 g", "0.001", CellType::Decimal(Some(1)), "700 g", Ok("0.7")),
        ("0 g", "0.001", CellType::Decimal(Some(1)), "750 g", Err(Misfit::Places(1))),
        ("0 oz", "28.3495", DECIMAL, "2 oz", Ok("56.6990")),
        // With a factor of its own, `%` is a letter.
        ("0%", "1", DECIMAL, "12%", Ok("12")),
        ("0%", "0.01", DECIMAL, "12%", Ok("0.12")),
        ("0.0M;(0.0M)", "1000000", CellType::Int, "(2.5M)", Ok("-2500000")),
        ("0K", "1000", CellType::Float, "3K", Ok("3000.0")),
        ("0K", "1000", CellType::Int, "9223372036854775807K", Err(Misfit::TooLarge)),
        ("0n", "0.000000001", DECIMAL, "0.0000000001n", Err(Misfit::Places(18))),
    ] {
        let parsed = Pattern::parse(pattern, ty).expect(pattern).with_times(times.parse().expect(times));
        let read = parsed.read(text).map(|value| value.render_text().into_owned());
        assert_eq!(read.as_deref(), value.as_ref().map(|value| *value), "{pattern} × {times}: {text:?}");
    }
}

#[test]
fn offsets_are_read_in_utc() {
    for (pattern, text, value) in [
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-30T23:33:15+02:00", Ok("2024-03-30T21:33:15")),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-30T23:33:15Z", Ok("2024-03-30T23:33:15")),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-30T23:33:15-05:30", Ok("2024-03-31T05:03:15")),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-30T23:33:15+0200", Err(Misfit::Unwritten)),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-30T23:33:15+02:60", Err(Misfit::Unwritten)),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-30T23:33:15+24:00", Err(Misfit::Unwritten)),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-30T23:33:15", Err(Misfit::Unwritten)),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-30T23:33:15z", Err(Misfit::Unwritten)),
        ("dd MMM yyyy HH:mm:ss X", "01 Jan 2024 00:30:00 +02", Ok("2023-12-31T22:30:00")),
        ("dd MMM yyyy HH:mm:ss X", "01 Jan 2024 00:30:00 +0200", Ok("2023-12-31T22:30:00")),
        ("dd MMM yyyy HH:mm:ss X", "01 Jan 2024 00:30:00 +02:00", Err(Misfit::Unwritten)),
        ("yyyy-MM-dd HH:mm:ss.SX", "2024-01-01 00:30:00.000-01", Ok("2024-01-01T01:30:00")),
        // The weekday is that of the place.
        ("EEE yyyy-MM-dd HH:mm:ssXXX", "Mon 2024-01-01 00:30:00+02:00", Ok("2023-12-31T22:30:00")),
        ("EEE yyyy-MM-dd HH:mm:ssXXX", "Sun 2024-01-01 00:30:00+02:00", Err(Misfit::NoSuchDay)),
        ("yyyy-MM-dd HH:mm:ssXXX", "0001-01-01 00:30:00+02:00", Err(Misfit::NoSuchDay)),
        // The hundred years of `yy` begin in UTC.
        ("yy-MM-dd HH:mm:ssXXX", "70-01-01 01:00:00+02:00", Ok("2069-12-31T23:00:00")),
        ("yy-MM-dd HH:mm:ssXXX", "69-12-31 23:00:00-02:00", Ok("1970-01-01T01:00:00")),
    ] {
        let read = read_with_pattern(pattern, CellType::DateTime, text);
        assert_eq!(read.as_deref(), value.as_ref().map(|value| *value), "{pattern} {text:?}");
    }
    let pattern = Pattern::parse("yyyy-MM-dd'T'HH:mm:ssXXX", CellType::DateTime).expect("a pattern");
    let moment = DateTime::parse_iso("2024-03-30T21:33:15").expect("a datetime");
    assert_eq!(pattern.write(&Value::DateTime(moment)).as_deref(), Some("2024-03-30T21:33:15Z"));
    assert!(pattern.check_writing().is_ok());
}

/// Numbers in columns with signs, factors, and units, and moments with offsets: what a pattern writes, it reads as the same value; what it does not hold
/// exactly, it does not write.
#[test]
fn marks_are_written_and_read_back() {
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 24) % below
    };
    const PAIRS: [(&str, &str); 9] = [
        ("#", "(#)"),
        ("#", "#-"),
        ("# Cr", "# Dr"),
        ("#° N", "#° S"),
        ("# AD", "# BC"),
        ("(#)", "-(#)"),
        ("$#", "($#)"),
        ("#K", "-#K"),
        ("#", ""),
    ];
    const BODIES: [&str; 5] = ["0", "0.0", "#,##0.00", "#.##0,000", "# ##0"];
    const FACTORS: [&str; 8] = ["1", "1000", "1000000", "0.001", "0.01", "25", "0.3048", "12.5"];
    let (mut held, mut refused, mut negative) = (0, 0, 0);
    for _ in 0..60_000 {
        let (first, below) = PAIRS[draw(9) as usize];
        let body = BODIES[draw(5) as usize];
        let form = |part: &str| part.replace('#', body);
        let source = if below.is_empty() { form(first) } else { format!("{};{}", form(first), form(below)) };
        let plain = Pattern::parse(&source, DECIMAL).unwrap_or_else(|error| panic!("{source}: {error:?}"));
        let times: Option<Decimal> = (draw(3) > 0).then(|| FACTORS[draw(8) as usize].parse().expect("a factor"));
        let pattern = times.map_or_else(|| plain.clone(), |times| plain.clone().with_times(times));
        let units = draw(4_000_000_000) as i128 - 2_000_000_000;
        let units = units * [1, 1_000, 250, 1_000_000][draw(4) as usize];
        let value = Value::Decimal(Decimal::new(units, draw(7) as u8).expect("a decimal"));
        match pattern.write(&value) {
            Some(text) => {
                let read =
                    pattern.read(&text).unwrap_or_else(|misfit| panic!("{source} × {times:?}: {text}: {misfit:?}"));
                assert!(read.is_same(&value), "{source} × {times:?}: {value:?} is {text}, read as {read:?}");
                held += 1;
                negative += u32::from(units < 0);
            }
            None => {
                // The quotient has more places, or none.
                let places = body
                    .rsplit_once(['.', ','])
                    .filter(|(_, zeros)| !zeros.contains('#'))
                    .map_or(0, |(_, zeros)| zeros.len());
                let scaled = |by: Decimal| 10_i128.pow(places as u32) * 10_i128.pow(u32::from(by.places()));
                let by = times.unwrap_or(Decimal::from_int(1));
                let own = value.as_decimal().expect("a number");
                let below = by.units() * 10_i128.pow(u32::from(own.places()));
                assert_ne!(own.units() * scaled(by) % below, 0, "{source} × {times:?} holds {value:?}");
                refused += 1;
            }
        }
    }
    assert!(held > 10_000 && refused > 10_000 && negative > 5_000, "{held} {refused} {negative}");
    let patterns = ["yyyy-MM-dd'T'HH:mm:ssXXX", "d MMM yyyy h:mm:ss a X"];
    let patterns = patterns.map(|source| Pattern::parse(source, CellType::DateTime).expect(source));
    for _ in 0..20_000 {
        let moment = DateTime(draw(200_000_000_000) as i64 - 60_000_000_000);
        let pattern = &patterns[draw(2) as usize];
        let text = pattern.write(&Value::DateTime(moment)).expect("a text");
        assert_eq!(pattern.read(&text), Ok(Value::DateTime(moment)), "{text}");
        // The same moment at another place.
        let minutes = draw(2 * 14 * 60) as i64 - 14 * 60;
        let local = pattern.write(&Value::DateTime(DateTime(moment.0 + minutes * 60))).expect("a text");
        let colon = if pattern.source().contains("XXX") { ":" } else { "" };
        let sign = if minutes < 0 { '-' } else { '+' };
        let offset = format!("{sign}{:02}{colon}{:02}", minutes.abs() / 60, minutes.abs() % 60);
        let local = local.replace('Z', &offset);
        assert_eq!(pattern.read(&local), Ok(Value::DateTime(moment)), "{local}");
    }
}

#[test]
fn texts_are_what_is_between() {
    for (pattern, text, value) in [
        ("@ (est.)", "12 (est.)", Ok("12")),
        ("@ (est.)", "12", Err(Misfit::Unwritten)),
        ("@", "x", Ok("x")),
        ("<@>", "<>", Ok("")),
        ("<@>", "<", Err(Misfit::Unwritten)),
    ] {
        assert_eq!(
            read_with_pattern(pattern, CellType::Text, text).as_deref(),
            value.as_ref().map(|value| *value),
            "{pattern} {text:?}"
        );
    }
}

/// The place that a pattern's error points to, and what it says to write.
fn expect_error(pattern: &str, ty: CellType) -> (PatternErrorKind, String, Option<String>) {
    let error = Pattern::parse(pattern, ty).expect_err(pattern);
    (error.kind, pattern.get(error.at).expect("a place in the pattern").to_owned(), error.instead)
}

#[test]
fn what_is_not_a_pattern_says_where_and_what_to_write() {
    use CellType::{Bool, Date, DateTime, Int, Text};
    use PatternErrorKind as Kind;
    for (pattern, ty, kind, at, instead) in [
        ("", Int, Kind::Empty, "", None),
        (" 0", Int, Kind::OuterBlank, " ", Some("0")),
        ("0 ", Int, Kind::OuterBlank, " ", Some("0")),
        ("yes", Bool, Kind::NoPatterns, "yes", None),
        ("x", Int, Kind::NoBody, "x", None),
        ("yyyy", Int, Kind::Meant(Date), "yyyy", None),
        ("@ mm", Int, Kind::Meant(Text), "@ mm", None),
        ("#,##0", Date, Kind::Meant(DECIMAL), "#,##0", None),
        ("0.0", Text, Kind::Meant(DECIMAL), "0.0", None),
        ("x", Text, Kind::NoPlace, "x", None),
        ("@@", Text, Kind::Places, "@", None),
        ("#", Int, Kind::BadBody, "#", Some("0")),
        ("00", Int, Kind::BadBody, "00", Some("0")),
        ("#,###", DECIMAL, Kind::BadBody, "#,###", Some("#,##0")),
        ("$#,###.## a", DECIMAL, Kind::BadBody, "#,###.##", Some("$#,##0.00 a")),
        ("1,234.50", DECIMAL, Kind::BadBody, "1,234.50", Some("#,##0.00")),
        ("1.234.567,8", DECIMAL, Kind::BadBody, "1.234.567,8", Some("#.##0,0")),
        ("12.5%", DECIMAL, Kind::BadBody, "12.5", Some("0.0%")),
        ("0 of 100", Int, Kind::DigitOutside, "100", None),
        ("0 m2", Int, Kind::DigitOutside, "2", None),
        ("#,##0 m2/h", Int, Kind::DigitOutside, "2", None),
        ("A1 0", Int, Kind::DigitOutside, "1", None),
        ("0 m0", Int, Kind::DigitOutside, "0", None),
        ("1 234", Int, Kind::BadBody, "1 234", Some("# ##0")),
        ("it's 0", Int, Kind::Forbidden('\''), "'", None),
        ("-0.0", DECIMAL, Kind::Minus, "-", Some("0.0")),
        ("%0%", DECIMAL, Kind::Percents, "%", None),
        ("0;0", DECIMAL, Kind::SameSections, "0", None),
        ("0 Cr;0 Cr", DECIMAL, Kind::SameSections, "0 Cr", None),
        ("0;(0);-", DECIMAL, Kind::Sections, ";-", None),
        ("0;(0) ", DECIMAL, Kind::OuterBlank, " ", Some("0;(0)")),
        ("0 ; (0)", DECIMAL, Kind::OuterBlank, "0 ", Some("0;(0)")),
        ("0;(#,###)", DECIMAL, Kind::BadBody, "#,###", Some("0;(#,##0)")),
        ("-0;0", DECIMAL, Kind::Minus, "-", None),
        ("0;--1,234", DECIMAL, Kind::BadBody, "1,234", Some("0;--#,##0")),
        ("YYYY-MM-DD", Date, Kind::Letters, "YYYY", Some("yyyy-MM-dd")),
        ("yyyy-MM-DD", Date, Kind::Letters, "DD", Some("yyyy-MM-dd")),
        ("yyyy-MM-ddTHH:mm", DateTime, Kind::Letters, "T", Some("yyyy-MM-dd'T'HH:mm")),
        ("yyyy-mm-dd", Date, Kind::NotOfDate, "mm", Some("yyyy-MM-dd")),
        ("yyyy-MM-dd HH:MM", DateTime, Kind::Again, "MM", Some("yyyy-MM-dd HH:mm")),
        ("%Y-%m-%d", Date, Kind::Letters, "%Y-%m-%d", Some("yyyy-MM-dd")),
        ("%b %d, %Y", Date, Kind::Letters, "%b %d, %Y", Some("MMM dd, yyyy")),
        ("d of MMMM yyyy", Date, Kind::Letters, "of", Some("d 'of' MMMM yyyy")),
        ("yyyy-MM-dd'T'HH:mm:ss xx", DateTime, Kind::Offset, "xx", Some("yyyy-MM-dd'T'HH:mm:ss X")),
        ("yyyy-MM-dd HH:mm ZZ", DateTime, Kind::Offset, "ZZ", Some("yyyy-MM-dd HH:mm XXX")),
        ("yyyy-MM-dd HH:mm z", DateTime, Kind::Offset, "z", None),
        ("yyyy-MM-ddXXX HH:mm:ss", DateTime, Kind::OffsetBefore, "XXX", None),
        ("yyyy-MM-dd XXX", DateTime, Kind::Needs("HH"), "XXX", None),
        ("yyyy-MM-dd XXX", Date, Kind::NotOfDate, "XXX", None),
        ("yyyy-MM-dd HH:mmX XXX", DateTime, Kind::Again, "XXX", None),
        ("YYYY-MM-DDTHH:mm:ssXXX", DateTime, Kind::Letters, "YYYY", Some("yyyy-MM-dd'T'HH:mm:ssXXX")),
        ("yyyy-MM-dd'T'HH:mm:ssZ", DateTime, Kind::Letters, "Z", Some("yyyy-MM-dd'T'HH:mm:ss'Z'")),
        ("yyyy x MM", Date, Kind::Letters, "x", Some("yyyy 'x' MM")),
        ("yyyy TAX MM", Date, Kind::Letters, "TAX", Some("yyyy 'TAX' MM")),
        ("d 'of MMMM yyyy", Date, Kind::OpenQuote, "'of MMMM yyyy", None),
        ("dd.MM.", Date, Kind::Drops(Dropped::Year), "dd.MM.", None),
        ("dd yyyy", Date, Kind::Needs("MM"), "dd", None),
        ("yyyy-MM-dd HH", Date, Kind::NotOfDate, "HH", None),
        ("yyyy-MM-dd h:mm", DateTime, Kind::Needs("a"), "h", None),
        ("yyyy-MM-dd H a", DateTime, Kind::Again, "a", None),
        ("yyyy-MM-dd mm", DateTime, Kind::Needs("HH"), "mm", None),
        ("yyyy-MM HH", DateTime, Kind::Needs("dd"), "HH", None),
        ("yyyy yy", Date, Kind::Again, "yy", None),
        ("yyyy-MM-DDD", Date, Kind::Again, "DDD", None),
        ("dMyyyy", Date, Kind::Touching, "dM", None),
        ("d0Myyyy", Date, Kind::Touching, "d0M", None),
    ] {
        assert_eq!(expect_error(pattern, ty), (kind, at.to_owned(), instead.map(str::to_owned)), "{pattern:?}");
        if let Some(instead) = instead {
            assert!(Pattern::parse(instead, ty).is_ok(), "{instead}");
        }
    }
}

#[test]
fn what_would_be_lost_is_said_before_it_is_written() {
    use CellType::{Date, DateTime, Decimal, Float, Int};
    use PatternErrorKind as Kind;
    for (pattern, ty, kind) in [
        ("#,##0", Decimal(Some(2)), Some(Kind::Drops(Dropped::Decimals { needed: 2 }))),
        ("0.0%", Decimal(Some(4)), Some(Kind::Drops(Dropped::Decimals { needed: 2 }))),
        ("0.00%", Decimal(Some(4)), None),
        ("0", Int, None),
        ("0.0", Float, Some(Kind::OfFloat)),
        ("MM/yyyy", Date, Some(Kind::Drops(Dropped::Month))),
        ("yyyy-MM", Date, Some(Kind::Drops(Dropped::Day))),
        ("yyyy-MM-dd HH:mm", DateTime, Some(Kind::Drops(Dropped::Time))),
        ("yyyy D", Date, Some(Kind::OnlyRead)),
        ("d/M/yy", Date, None),
    ] {
        let found = Pattern::parse(pattern, ty).expect(pattern).check_writing().err().map(|error| error.kind);
        let expected = if pattern == "MM/yyyy" { Some(Kind::Drops(Dropped::Day)) } else { kind };
        assert_eq!(found, expected, "{pattern}");
    }
}

fn number_pattern() -> impl Strategy<Value = (String, u8, bool)> {
    let affix = "[a-zA-Z€$() ./,;:*-]{0,3}";
    let sign = prop::sample::select(vec!["", ",", ".", "'", " ", "\u{a0}", "\u{202f}"]);
    (affix, sign, any::<bool>(), 0u8..=6, affix, any::<bool>()).prop_filter_map(
        "a pattern",
        |(prefix, sign, comma, places, suffix, percent)| {
            let point = if comma { "," } else { "." };
            let body = if sign.is_empty() { "0".to_owned() } else { format!("#{sign}##0") };
            let zeros = if places > 0 { format!("{point}{}", "0".repeat(usize::from(places))) } else { String::new() };
            let percent_sign = if percent { "%" } else { "" };
            let source = format!("{prefix}{body}{zeros}{suffix}{percent_sign}");
            let source = source.trim().to_owned();
            let written = if percent { places + 2 } else { places };
            (sign != point || places == 0).then_some((source, written, percent))
        },
    )
}

fn date_pattern() -> impl Strategy<Value = String> {
    let year = prop::sample::select(vec!["yyyy", "yy"]);
    let month = prop::sample::select(vec!["M", "MM", "MMM", "MMMM"]);
    let day = prop::sample::select(vec!["d", "dd", "EEE d", "EEEE, dd"]);
    let time = prop::sample::select(vec!["H:mm:ss", "HHmmss", "h:mm:ss a", "hh 'o''clock' mm ss a"]);
    let between = prop::sample::select(vec![" ", "/", ". ", "-", " 'of' "]);
    (year, month, day, time, between, any::<bool>()).prop_map(|(year, month, day, time, between, us)| {
        let (a, b) = if us { (month, day) } else { (day, month) };
        format!("{a}{between}{b}{between}{year} {time}")
    })
}

proptest! {
    #[test]
    fn a_number_is_read_as_it_was_written((source, places, _) in number_pattern(), units in any::<i64>()) {
        // Some of the drawn prefixes and suffixes make it another pattern, or none.
        let Ok(pattern) = Pattern::parse(&source, DECIMAL) else { return Ok(()) };
        let value = Value::Decimal(Decimal::new(i128::from(units), places).expect("few places"));
        let Some(written) = pattern.write(&value) else { return Ok(()) };
        let read = pattern.read(&written);
        prop_assert!(read.as_ref().is_ok_and(|read| read.is_same(&value)), "{} {} {:?}", source, written, read);
    }

    #[test]
    fn a_pattern_with_enough_places_writes_every_number(units in any::<i64>(), places in 0u8..=6, grouped in any::<bool>(), percent in any::<bool>()) {
        let body = if grouped { "#,##0" } else { "0" };
        let zeros = if places > 0 { format!(".{}", "0".repeat(usize::from(places))) } else { String::new() };
        let source = format!("{body}{zeros}{}", if percent { "%" } else { "" });
        let of = places + if percent { 2 } else { 0 };
        let pattern = Pattern::parse(&source, CellType::Decimal(Some(of))).expect("a pattern");
        prop_assert_eq!(pattern.check_writing(), Ok(()));
        let value = Value::Decimal(Decimal::new(i128::from(units), of).expect("few places"));
        let written = pattern.write(&value).expect("nothing is lost");
        prop_assert_eq!(pattern.read(&written), Ok(value));
    }

    #[test]
    fn a_moment_is_read_as_it_was_written(source in date_pattern(), second in -62_135_596_800i64..253_402_300_800) {
        let pattern = Pattern::parse(&source, CellType::DateTime).expect("a pattern");
        prop_assert_eq!(pattern.check_writing(), Ok(()));
        let value = Value::DateTime(DateTime(second));
        let year = DateTime(second).date().to_ymd().0;
        match pattern.write(&value) {
            Some(written) => prop_assert_eq!(pattern.read(&written), Ok(value)),
            None => prop_assert!(!source.contains("yyyy") && !(1970..2070).contains(&year)),
        }
    }

    #[test]
    fn a_pattern_without_a_day_writes_first_days_alone(day in -719_162i32..2_932_896) {
        let pattern = Pattern::parse("MMMM yyyy", CellType::Date).expect("a pattern");
        let date = Date(day);
        match pattern.write(&Value::Date(date)) {
            Some(written) => prop_assert_eq!(pattern.read(&written), Ok(Value::Date(date))),
            None => prop_assert_ne!(date.to_ymd().2, 1),
        }
    }

    #[test]
    fn a_text_is_read_as_it_was_written(prefix in "[^@]{0,4}", suffix in "[^@]{0,4}", text in ".{0,8}") {
        let Ok(pattern) = Pattern::parse(&format!("{prefix}@{suffix}"), CellType::Text) else { return Ok(()) };
        let value = Value::from_text(text);
        let written = pattern.write(&value).expect("a text");
        prop_assert_eq!(pattern.read(&written), Ok(value));
    }

    #[test]
    fn nothing_panics(source in ".{0,12}", text in ".{0,12}") {
        for ty in [CellType::Int, DECIMAL, CellType::Float, CellType::Date, CellType::DateTime, CellType::Bool, CellType::Text] {
            match Pattern::parse(&source, ty) {
                Ok(pattern) => drop(pattern.read(&text)),
                Err(error) => prop_assert!(source.get(error.at.clone()).is_some(), "{source:?} {error:?}"),
            }
        }
    }

    #[test]
    fn letters_of_dates_never_panic(source in "[yMdEHhmsaDS' :/.]{0,14}", text in "[0-9A-Za-z :/.]{0,14}") {
        match Pattern::parse(&source, CellType::DateTime) {
            Ok(pattern) => drop(pattern.read(&text)),
            Err(error) => prop_assert!(source.get(error.at.clone()).is_some(), "{source:?} {error:?}"),
        }
    }
}
