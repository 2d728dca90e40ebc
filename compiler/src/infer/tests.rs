//! Declarations of made-up files; random dirty files are in `tests/infer.rs`.

use super::numbers::patterns;
use super::*;
use tabular::CellType;

#[test]
fn numbers_are_read_by_the_fewest_patterns() {
    let of = |texts: &[&str]| patterns(texts).map(|(ty, written)| (ty, written.join(" ")));
    let decimal = CellType::Decimal(None);
    assert_eq!(of(&["1,5", "0,25", "-3"]), Some((decimal, "0,00".to_owned())));
    assert_eq!(of(&["1.234,50 €", "12,00 €"]), Some((decimal, "#.##0,00 €".to_owned())));
    assert_eq!(of(&["12%", "3%"]), Some((decimal, "0%".to_owned())));
    assert_eq!(of(&["0.5", "0.3T"]), Some((decimal, "0.0 0.0T".to_owned())));
    assert_eq!(of(&["1 234 t", "7 t"]), Some((CellType::Int, "# ##0 t".to_owned())));
    assert_eq!(of(&["1-2"]), None);
    assert_eq!(of(&["B1", "B2"]), None);
    assert_eq!(of(&["1 kg", "1 t", "1 g", "1 lb"]), None);
}

#[test]
fn dates_that_have_two_readings_have_none() {
    assert_eq!(dates::pattern(&["31.12.2024", "01.02.2024"]), Ok((CellType::Date, "dd.MM.yyyy".to_owned())));
    assert_eq!(dates::pattern(&["3/14/2024", "1/2/2024"]), Ok((CellType::Date, "M/d/yyyy".to_owned())));
    let two = dates::Unclear::Two("MM/dd/yyyy".to_owned(), "dd/MM/yyyy".to_owned());
    assert_eq!(dates::pattern(&["03/04/2024"]), Err(two));
    assert_eq!(dates::pattern(&["soon"]), Err(dates::Unclear::None));
}
