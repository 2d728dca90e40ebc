//! Styles of cells, and what they make equal.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::super::fold::find_case_forms;
use super::super::{Refusal, Style, build_reading, vary_case, vary_space};
use super::*;
use crate::{Misfit, Pattern};
use model::text_style::{ByTextStyle, TextStyle};

/// Words that reach every variant.
fn words() -> impl Iterator<Item = u64> {
    (0..64).map(|step: u64| step.wrapping_mul(0x9e37_79b9_7f4a_7c15)).chain([u64::MAX])
}

fn variants(vary: fn(&str, u64) -> Option<String>, text: &str) -> Vec<String> {
    let all: Option<BTreeSet<String>> = words().map(|word| vary(text, word)).collect();
    all.map(|all| all.into_iter().collect()).unwrap_or_default()
}

#[test]
fn letters_vary_where_they_are_one_to_one() {
    for (text, varied) in [
        ("New Jersey", &["NEW JERSEY", "New jersey", "new jersey"][..]),
        ("a", &["A"]),
        ("A", &["a"]),
        ("ab", &["AB", "Ab"]),
        ("(ab)", &["(AB)", "(Ab)"]),
        ("12 / 3", &[]),
        ("", &[]),
        ("ß", &[]),
        ("Straße", &["STRAßE", "straße"]),
        ("\u{17f}İı\u{212a}", &[]),
        ("Ὀδυσσεύς", &["ὀδυσσεύς", "ὈΔΥΣΣΕΎς"]),
        ("東京a", &["東京A"]),
    ] {
        assert_eq!(variants(vary_case, text), varied, "{text}");
    }
}

#[test]
fn blanks_vary_in_front_at_the_end_and_inside() {
    for (text, varied) in [
        ("a", &[" a", "a "][..]),
        ("a b", &[" a b", "a  b", "a b "]),
        ("a b c", &[" a b c", "a  b c", "a b  c", "a b c "]),
        ("", &[]),
        (" \t", &[]),
        ("a\tb", &[" a\tb", "a\tb "]),
    ] {
        assert_eq!(variants(vary_space, text), varied, "{text:?}");
    }
}

#[test]
fn every_variant_is_the_same_when_folded_and_only_then() {
    let folds = Folds::of_all_styles();
    for text in ["New Jersey", "a  b", "Ὀδυσσεύς Dž", "é\u{301} x", "ab c", " a ", "İi"] {
        for word in words() {
            let cased = vary_case(text, word).unwrap_or_else(|| text.to_owned());
            let both = vary_space(&cased, word.rotate_left(7)).unwrap_or_else(|| cased.clone());
            assert_eq!(folds.fold_key(text), folds.fold_key(&both), "{text:?} {both:?}");
            let (clean, read) = (Value::from_text(text), Value::from_text(both.as_str()));
            assert!(folds.is_same(&clean, &read));
            assert_eq!(Folds::default().is_same(&clean, &read), text == both);
            assert_eq!(Folds::from_styles([TextStyle::Case]).is_same(&clean, &read), both == cased);
        }
    }
    for (a, b) in [("ab", "a b"), ("ß", "SS"), ("s", "\u{17f}"), ("i", "İ"), ("k", "\u{212a}"), ("σ", "ς")] {
        assert!(!folds.is_same(&Value::from_text(a), &Value::from_text(b)), "{a} {b}");
    }
    assert!(matches!(folds.fold_key("a b"), Cow::Borrowed("a b")));
}

/// Of all of Unicode: what folds to one text are the two forms of one letter. The digest is that of the edition's table: one that differs has been
/// changed by the compiler of Rust, and with it the bytes of bundles.
#[test]
fn the_fold_of_letters_is_injective_apart_from_their_two_forms() {
    let folds = Folds::from_styles([TextStyle::Case]);
    let mut origins: HashMap<String, Vec<char>> = HashMap::new();
    let (mut pairs, mut digest) = (0, 0xcbf2_9ce4_8422_2325_u64);
    for char in '\0'..=char::MAX {
        let text = char.to_string();
        origins.entry(folds.fold_key(&text).into_owned()).or_default().push(char);
        if let Some((capital, small)) = find_case_forms(char).filter(|(capital, _)| *capital == char) {
            assert_eq!(find_case_forms(small), Some((capital, small)));
            pairs += 1;
            for code in [capital, small].map(u32::from) {
                digest = (digest ^ u64::from(code)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    assert!(origins.values().all(|chars| match chars.as_slice() {
        [_] => true,
        [capital, small] => find_case_forms(*capital).is_some() && find_case_forms(*capital) == find_case_forms(*small),
        _ => false,
    }));
    assert_eq!((pairs, format!("{digest:016x}")), (PAIRS.0, PAIRS.1.to_owned()));
}

/// How many letters have two forms, and the digest of them.
const PAIRS: (u32, &str) = (1451, "fac7a758e83365f1");

#[test]
fn a_value_is_folded_by_its_kind() {
    let folds = Folds::of_all_styles();
    let decimal = |text: &str| Value::Decimal(text.parse().expect("a decimal"));
    assert!(folds.is_same(&Value::Int(2), &decimal("2.00")));
    assert!(!folds.is_same(&decimal("2.01"), &Value::Int(2)));
    assert!(folds.is_same(&Value::Null, &Value::Null));
    assert!(!folds.is_same(&Value::Null, &Value::from_text("")));
    assert!(!folds.is_same(&Value::from_text(""), &Value::Null));
    assert!(!folds.is_same(&Value::from_text("1"), &Value::Int(1)));
    assert!(folds.is_same(&Value::List(vec![Value::Int(1), Value::Int(2)]), &Value::from_text("1, 2")));
}

#[test]
fn letters_come_before_blanks_and_blanks_before_the_pattern() {
    let around = Pattern::parse("@ (est.)", CellType::Text).expect("a pattern");
    let style = Style {
        texts: ByTextStyle::from_fn(|style| Some(if style == TextStyle::Case { 0 } else { u64::MAX })),
        written: Some(&around),
        others: &[],
        missing: Some("n/a"),
    };
    assert_eq!(style.render_cell(&Val::from_text("a b")), Ok(Some(Cow::Borrowed("A  B (est.)"))));
    assert_eq!(style.render_cell(&Val::NULL), Ok(Some(Cow::Borrowed("n/a"))));
    assert_eq!(Style { missing: Some(""), ..style }.render_cell(&Val::NULL), Ok(None));
    assert_eq!(Style::default().render_cell(&Val::NULL), Ok(None));
    assert_eq!(style.render_cell(&Val::from_int(3)), Err(Refusal::Pattern));
    let euros = Pattern::parse("#.##0 €", CellType::Decimal(Some(2))).expect("a pattern");
    let style = Style { written: Some(&euros), ..Style::default() };
    let decimal = |text: &str| Val::Own(Value::Decimal(text.parse().expect("a decimal")));
    assert_eq!(style.render_cell(&decimal("1234.00")), Ok(Some(Cow::Borrowed("1.234 €"))));
    assert_eq!(style.render_cell(&decimal("1234.50")), Err(Refusal::Pattern));
}

#[test]
fn a_column_with_a_pattern_for_some_of_its_cells_reads_the_others_as_usual() {
    let pattern = |source, ty| Pattern::parse(source, ty).expect("a pattern");
    let decimal = CellType::Decimal(Some(2));
    let numbers = build_reading(decimal, false, &[], &[pattern("0,00 EUR", decimal)], true);
    let two = Value::Decimal("2.50".parse().expect("a decimal"));
    assert_eq!(numbers.read_text("2,50 EUR"), Ok(two.clone()));
    assert_eq!(numbers.read_text("2.50"), Ok(two));
    assert_eq!(numbers.read_text("2,50 USD"), Err(Misfit::Unreadable));
    // A number that both read, each in its own way, has two readings.
    let thousandths = CellType::Decimal(Some(3));
    let grouped = build_reading(thousandths, false, &[], &[pattern("#.##0,000", thousandths)], true);
    assert_eq!(grouped.read_text("1.234"), Err(Misfit::TwoReadings { first: 0, second: 1 }));
    // Any text is one as it usually is, so the pattern comes first.
    let texts = build_reading(CellType::Text, true, &[], &[pattern("@ (est.)", CellType::Text)], true);
    assert_eq!(texts.read_text("x (est.)"), Ok(Value::from_text("x")));
    assert_eq!(texts.read_text("x"), Ok(Value::from_text("x")));
    assert_eq!(texts.read_text(""), Ok(Value::Null));
    let rule = build_reading(CellType::Text, true, &["-".to_owned()], &[pattern("@!", CellType::Text)], false);
    assert_eq!(rule.read_text("x"), Err(Misfit::Unwritten));
    assert_eq!((rule.read_text("-"), rule.read_text("!")), (Ok(Value::Null), Ok(Value::from_text(""))));
}
