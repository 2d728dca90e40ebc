//! Columns of made-up cells; thousands of random ones are in `tests/infer/columns.rs`.

use super::*;

/// The way in which all of the texts are read.
fn describe_guess(texts: &[&str]) -> String {
    match infer_format(texts, None) {
        Ok(way) if find_merged_texts(&way, texts).is_none() => std::iter::once(way.ty.name().to_owned())
            .chain(way.written.into_iter().map(|told| match told.times {
                Some(times) => format!("{}×{times}", told.pattern),
                None => told.pattern,
            }))
            .collect::<Vec<_>>()
            .join(" "),
        _ => "text".to_owned(),
    }
}

#[test]
fn numbers_have_one_text_around_them_or_none() {
    for (texts, read) in [
        (&["1,5", "0,25", "-3"][..], "decimal 0,00"),
        (&["1.234,50 €", "12,00 €"], "decimal #.##0,00 €"),
        (&["12%", "3%"], "decimal 0%"),
        (&["1 234 t", "7 t"], "int # ##0 t"),
        (&["1,234", "+7", "0"], "int"),
        (&["$5", "$7"], "int $0"),
        (&["$5", "-$7"], "int $0"),
        (&["$5", "$-7"], "int"),
        (&["12.5 kg", "7 kg"], "decimal 0.0 kg"),
        (&["1.5e3", "2"], "float"),
        (&["1e3", "1E4"], "float"),
        (&["-122.41941550000001", "37.7"], "float"),
        (&["1e3", "+5"], "int"),
        (&[".5", "1.25"], "decimal"),
        (&["−5", "7"], "int"),
        // A part of what a cell says would be lost.
        (&["0.5", "0.3T"], "text"),
        (&["(1,200.00)", "5.00"], "decimal #,##0.00;(#,##0.00)"),
        (&["(1,200.00)", "(5.00)"], "decimal #,##0.00;(#,##0.00)"),
        (&["100.00-", "5.00"], "decimal 0.00;0.00-"),
        (&["1.5K", "2M"], "int 0.0K×1000 0.0M×1000000"),
        (&["1.5K", "2K"], "int 0.0K×1000"),
        (&["$1.5555K", "-$7"], "decimal $0.0000 $0.0000K×1000"),
        (&["($5)", "$7"], "int $0;($0)"),
        (&["(5 kg)", "7 kg"], "int 0 kg;(0 kg)"),
        // Two texts of one value, and marks with other signs.
        (&["1K", "1000"], "text"),
        (&["(0)", "0"], "text"),
        (&["(5)", "-7"], "text"),
        (&["(-5)", "7"], "text"),
        (&["(5K)", "7"], "text"),
        (&["5m", "7"], "text"),
        (&["(5)", "7-"], "text"),
        (&["5 kg", "700 g"], "text"),
        (&["$5", "€7"], "text"),
        (&["$5", "7"], "text"),
        (&["5%", "0.5"], "text"),
        (&["<0.5", ">100"], "text"),
        (&["127N", "127C"], "text"),
        (&["5 Cr", "5 Dr"], "text"),
        (&["5. ", "5"], "text"),
        (&["−5", "-5"], "text"),
        (&["5²", "6²"], "text"),
        (&["1-2"], "text"),
        (&["B1", "B2"], "text"),
        (&["A-1", "A-2"], "text"),
        (&["007", "12"], "text"),
        (&["123456789012345678901", "2"], "text"),
        // Digits are counted from the highest place of the column to the lowest.
        (&["0.00000123456789012", "0.000001"], "decimal"),
        (&["0.00000123456789012", "0.1"], "float"),
        (&["0,00000123456789012", "0,1"], "float 0,00000000000000000"),
        (&["0,00000123456789012", "0,000001"], "decimal 0,00000000000000000"),
        // The nearest double of the second is a zero with a minus.
        (&["0", "-1e-400"], "float"),
        (&["2024-03-01T10:00:00.000"], "datetime"),
        (&["TRUE", "False"], "bool"),
        (&["TRUE", "True"], "text"),
    ] {
        let texts: Vec<&str> = texts.iter().map(|text| text.trim()).collect();
        assert_eq!(describe_guess(&texts), read, "{texts:?}");
    }
}

#[test]
fn dates_that_have_two_readings_have_none() {
    let of = |texts: &[&str]| dates::infer_pattern(texts, None);
    assert_eq!(of(&["31.12.2024", "01.02.2024"]), Ok(Some((CellType::Date, "dd.MM.yyyy".to_owned()))));
    assert_eq!(of(&["3/14/2024", "1/2/2024"]), Ok(Some((CellType::Date, "M/d/yyyy".to_owned()))));
    let (first, second) = ("dd/MM/yyyy".to_owned(), "MM/dd/yyyy".to_owned());
    let two = TwoPatterns { first, second, cell: "03/04/2024".to_owned() };
    assert_eq!(of(&["03/04/2024"]), Err(two));
    assert_eq!(of(&["soon"]), Ok(None));
    // A part of a date is one only where its author says so.
    assert_eq!(of(&["2024-03"]), Ok(None));
    let asked = dates::infer_pattern(&["2024-03"], Some(CellType::Date));
    assert_eq!(asked, Ok(Some((CellType::Date, "yyyy-MM".to_owned()))));
}

#[test]
fn what_was_seen_is_told_with_its_count() {
    let of = |texts: &[&str]| {
        let cells: Vec<Raw<'_>> = texts.iter().map(|text| Raw::from_text(*text)).collect();
        guess_column(&cells, &[])
    };
    let found = of(&["1", "n/a", "n/a", "", "2"]);
    assert_eq!(found.reading.missing, ["", "n/a"]);
    assert_eq!(found.seen, [ColumnNote::Missing(vec![("n/a".to_owned(), 2)])]);
    let found = of(&["1", "2", "X"]);
    assert_eq!((found.reading.ty, found.reading.missing), (CellType::Text, Vec::new()));
    assert!(matches!(&found.seen[..], [ColumnNote::Others { of: 3, .. }]), "{:?}", found.seen);
    let found = of(&["1.5K", "2M", "7K"]);
    let (thousand, million) = (Decimal::from_int(1_000), Decimal::from_int(1_000_000));
    let multiples = vec![("K".to_owned(), 2, thousand), ("M".to_owned(), 1, million)];
    assert_eq!((found.reading.ty, found.seen), (CellType::Int, vec![ColumnNote::Multiples(multiples)]));
    let found = of(&["(5)", "7", "(8)"]);
    assert_eq!((found.reading.ty, found.seen), (CellType::Int, vec![ColumnNote::Negative("(…)".to_owned(), 2)]));
    let found = of(&["5 Cr", "7 Dr"]);
    let marked = ColumnNote::Marked { mark: Mark::Sign, text: "Cr".to_owned(), count: 2, of: 2 };
    assert_eq!((found.reading.ty, found.seen), (CellType::Text, vec![marked]));
    let found = of(&["5 kg", "700 g", "2 kg"]);
    let texts = vec![("g".to_owned(), 1), ("kg".to_owned(), 2)];
    assert_eq!(found.seen, [ColumnNote::Differ { texts, way: None }]);
    // `None` of a count may be 0.
    assert_eq!(of(&["1", "None", "2"]).reading.ty, CellType::Text);
}

#[test]
fn days_beside_moments_of_a_workbook_are_moments() {
    let day = Value::Date(model::Date::parse_iso("2024-03-01").expect("a date"));
    let moment = Value::DateTime(model::DateTime::parse_iso("2024-03-02T10:30:00").expect("a datetime"));
    let found = guess_column(&[Raw::Value(day.clone()), Raw::Value(moment)], &[]);
    assert_eq!(found.reading, Reading::from_type(CellType::DateTime));
    assert_eq!(guess_column(&[Raw::Value(day)], &[]).reading, Reading::from_type(CellType::Date));
}
