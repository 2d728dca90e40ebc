//! The domain algebra holds for domains nobody thought of: an indexed domain is a bijection between its indexes and its values, and its
//! range bounds them.

use model::distribution::Distribution;
use model::domain::TemplatePart;
use model::pattern::Pattern;
use model::{Date, DateTime, Decimal, Domain, Duration, Value};
use proptest::prelude::*;

fn decimal(units: i128, places: u8) -> Decimal {
    Decimal::new(units, places).unwrap()
}

/// A few ints near both ends and in the middle, where overflows live.
fn edgy_int() -> impl Strategy<Value = i64> {
    prop_oneof![-1000..1000i64, any::<i64>(), Just(i64::MIN), Just(i64::MAX), Just(0)]
}

fn int() -> impl Strategy<Value = Domain> {
    (edgy_int(), edgy_int(), prop_oneof![1..100i64, 1..=i64::MAX]).prop_map(|(a, b, step)| Domain::Int {
        low: a.min(b),
        high: a.max(b),
        step,
    })
}

fn exact() -> impl Strategy<Value = Domain> {
    let units =
        || prop_oneof![-10_000..10_000i128, any::<i64>().prop_map(i128::from), Just(i128::MIN), Just(i128::MAX)];
    (units(), units(), prop_oneof![1..500i128, Just(i128::MAX)], 0..=18u8).prop_map(|(a, b, step, places)| {
        let of = |units| decimal(units, places);
        Domain::Decimal { low: of(a.min(b)), high: of(a.max(b)), step: of(step), places }
    })
}

fn date() -> impl Strategy<Value = Domain> {
    (Date::MIN.0..=Date::MAX.0, Date::MIN.0..=Date::MAX.0, prop_oneof![1..400i64, 1..=i64::MAX])
        .prop_map(|(a, b, step)| Domain::Date { low: Date(a.min(b)), high: Date(a.max(b)), step })
}

fn moment() -> impl Strategy<Value = Domain> {
    let second = || i64::from(Date::MIN.0) * 86_400..=i64::from(Date::MAX.0) * 86_400;
    (second(), second(), prop_oneof![1..100_000i64, 1..=i64::MAX]).prop_map(|(a, b, step)| Domain::DateTime {
        low: DateTime(a.min(b)),
        high: DateTime(a.max(b)),
        step,
    })
}

fn words() -> impl Strategy<Value = Domain> {
    prop::collection::btree_set("[a-c ]{0,3}", 1..8)
        .prop_map(|items| Domain::OneOf { items: items.into_iter().map(Value::from_text).collect() })
}

fn numbers() -> impl Strategy<Value = Domain> {
    prop::collection::btree_map(edgy_int(), 0..5u64, 1..8).prop_map(|mut items| {
        *items.first_entry().unwrap().get_mut() += 1;
        Domain::Weighted { items: items.into_iter().map(|(item, weight)| (Value::Int(item), weight)).collect() }
    })
}

fn pattern() -> impl Strategy<Value = Domain> {
    let sources = vec!["[A-Z]{2}-[0-9]{1,4}", "(a|ab)(c|bc)?", "x{0,5}y?", "[a-z]{1,30}", "(ja|nein|é)", ".{3}"];
    prop::sample::select(sources).prop_map(|source| Domain::Pattern(Pattern::new(source).unwrap()))
}

fn rounded() -> impl Strategy<Value = Domain> {
    (any::<bool>(), -100_000..100_000i128, 0..200_000i128, 0..=4u8, 1..500i128, 0..=3u8).prop_map(
        |(logarithmic, low, width, places, step, step_places)| {
            let (mean, sd) = (0.0, 1.0);
            let (low, high, step) = (decimal(low, places), decimal(low + width, places), decimal(step, step_places));
            let distribution = match logarithmic {
                true => Distribution::Lognormal { mean, sd },
                false => Distribution::Normal { mean, sd },
            };
            Domain::Distributed { distribution, low, high, step }
        },
    )
}

fn simple() -> impl Strategy<Value = Domain> {
    prop_oneof![
        int(),
        exact(),
        date(),
        moment(),
        words(),
        numbers(),
        pattern(),
        rounded(),
        prop::sample::select(vec![0, 1, 500_000, 1_000_000]).prop_map(|per_million| Domain::Bool { per_million }),
        (1..2_000u32).prop_map(|n| Domain::Zipf { n }),
    ]
}

fn template() -> impl Strategy<Value = Domain> {
    simple().prop_recursive(2, 8, 4, |inner| {
        let part = prop_oneof![
            2 => inner.prop_map(|domain| TemplatePart::Domain(Box::new(domain))),
            1 => prop::sample::select(vec!["", "/", "-", "a", "::"]).prop_map(|text| TemplatePart::Text(text.to_owned())),
        ];
        prop::collection::vec(part, 0..4).prop_map(|parts| Domain::Template { parts })
    })
}

/// Indexes at both ends, and one anywhere.
fn indexes(n: u128, anywhere: u128) -> Vec<u128> {
    if n == 0 {
        return vec![];
    }
    let mut indexes = vec![0, n / 2, n - 1, anywhere % n];
    indexes.extend((n > 1).then_some(1));
    indexes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_index_has_its_value_and_every_value_its_index(domain in simple(), anywhere: u128) {
        let n = domain.cardinality().unwrap();
        for index in indexes(n, anywhere) {
            let value = domain.value_at(index).expect("an index below the cardinality has a value");
            prop_assert_eq!(domain.index_of(&value), Some(index), "{:?}", value);
        }
        if n == 0 {
            prop_assert_eq!(domain.value_at(anywhere), None);
        }
    }

    #[test]
    fn the_range_bounds_every_value(domain in simple(), anywhere: u128) {
        let n = domain.cardinality().unwrap();
        prop_assert!(n > 0 || domain.find_range().is_none());
        if let Some((low, high)) = domain.find_range() {
            prop_assert!(low.compare_with(&high).is_some_and(|order| order.is_le()));
            prop_assert!(domain.index_of(&low).is_some() && domain.index_of(&high).is_some());
            for index in indexes(n, anywhere) {
                let value = domain.value_at(index).unwrap();
                prop_assert!(low.compare_with(&value).is_some_and(|order| order.is_le()), "{:?} below {:?}", value, low);
                prop_assert!(value.compare_with(&high).is_some_and(|order| order.is_le()), "{:?} above {:?}", value, high);
            }
        }
    }

    #[test]
    fn values_have_the_type_of_the_domain(domain in template(), anywhere: u128) {
        for index in indexes(domain.cardinality().unwrap(), anywhere) {
            let value = domain.value_at(index).unwrap();
            prop_assert_eq!(value.kind(), domain.value_type().name());
            if let (Value::Decimal(value), model::ValueType::Decimal(places)) = (&value, domain.value_type()) {
                prop_assert_eq!(value.places(), places);
            }
            let mut written = String::new();
            domain.write_at(index, &mut written);
            prop_assert_eq!(written, value.render_text());
        }
    }

    #[test]
    fn templates_find_the_first_index_of_a_text(domain in template(), anywhere: u128) {
        for index in indexes(domain.cardinality().unwrap(), anywhere) {
            let value = domain.value_at(index).unwrap();
            let found = domain.index_of(&value).expect("a drawn text has an index");
            prop_assert!(found <= index);
            prop_assert_eq!(domain.value_at(found), Some(value));
            if domain.is_injective() {
                prop_assert_eq!(found, index);
            }
        }
    }

    #[test]
    fn a_closed_domain_has_each_value_once_in_order_of_index(domain in template()) {
        if let Some(values) = domain.list_values() {
            prop_assert_eq!(values.len() as u128, domain.cardinality().unwrap());
            let mut rendered: Vec<_> = values.iter().map(|value| value.render_text().into_owned()).collect();
            rendered.sort();
            let all = rendered.len();
            rendered.dedup();
            prop_assert!(rendered.len() == all || !domain.is_injective());
        }
    }

    #[test]
    fn values_of_other_domains_have_no_index(domain in simple(), other in simple(), anywhere: u128) {
        for index in indexes(other.cardinality().unwrap(), anywhere) {
            let value = other.value_at(index).unwrap();
            // An index that saturates stands for a value that no index reaches.
            if let Some(found) = domain.index_of(&value).filter(|found| *found < u128::MAX) {
                prop_assert!(domain.value_at(found).unwrap().is_same(&value));
            }
        }
    }

    #[test]
    fn decimals_are_ordered_as_their_exact_values(
        a in any::<i128>(), pa in 0..=18u8, b in any::<i128>(), pb in 0..=18u8, shift in 0..=38u32,
    ) {
        let (a, b) = (decimal(a / 10i128.pow(shift), pa), decimal(b, pb));
        // As digits before and behind the point, with the sign apart.
        let key = |value: Decimal| {
            let text = value.to_string();
            let (whole, fraction) = text.trim_start_matches('-').split_once('.').map_or_else(
                || (text.trim_start_matches('-').to_owned(), String::new()),
                |(whole, fraction)| (whole.to_owned(), fraction.to_owned()),
            );
            format!("{whole:0>40}{fraction:0<18}")
        };
        let expected = match (a.units() < 0, b.units() < 0) {
            (true, false) => std::cmp::Ordering::Less,
            (false, true) => std::cmp::Ordering::Greater,
            (false, false) => key(a).cmp(&key(b)),
            (true, true) => key(b).cmp(&key(a)),
        };
        prop_assert_eq!(a.cmp(&b), expected);
        prop_assert_eq!(b.cmp(&a), expected.reverse());
    }

    #[test]
    fn decimals_read_back_as_written(units in prop_oneof![9 => any::<i128>(), 1 => Just(i128::MIN)], places in 0..=18u8) {
        let value = decimal(units, places);
        let read: Decimal = value.to_string().parse().unwrap();
        prop_assert_eq!((read.units(), read.places()), (units, places));
    }

    #[test]
    fn decimals_near_doubles_are_near(value in -1e6..1e6f64, places in 0..=18u8) {
        let rounded = Decimal::from_f64(value, places).unwrap();
        prop_assert_eq!(rounded.places(), places);
        let tolerance = 0.5000001 * 10f64.powi(-i32::from(places)) + value.abs() * f64::EPSILON;
        prop_assert!((rounded.to_f64() - value).abs() <= tolerance);
        // Doubles of this size have at most 17 digits: with enough places nothing is lost.
        if places >= 17 && value.abs() >= 1.0 {
            prop_assert_eq!(rounded.to_f64(), value);
        }
    }

    #[test]
    fn days_and_moments_read_back_as_written(day in Date::MIN.0..=Date::MAX.0, second in 0..86_400i64) {
        let date = Date(day);
        prop_assert_eq!(Date::parse_iso(&date.to_string()), Some(date));
        let moment = DateTime(i64::from(day) * 86_400 + second);
        prop_assert_eq!(DateTime::parse_iso(&moment.to_string()), Some(moment));
        prop_assert_eq!(moment.date(), date);
        prop_assert!((1..=7).contains(&date.weekday()));
    }

    #[test]
    fn calendar_arithmetic_never_leaves_the_calendar(
        day in any::<i32>(), second in any::<i64>(), months in any::<i32>(), seconds in edgy_int(),
    ) {
        let duration = Duration { months, seconds };
        let within = Date::MIN..=Date::MAX;
        // Days and moments outside the calendar exist as numbers: nothing may panic on them.
        let _ = (Date(day).weekday(), Date(day).to_string(), DateTime(second).to_string());
        for length in [duration, Duration { months: 0, seconds }, Duration { months: months % 1000, seconds: seconds % 86_400 }] {
            if let Some(moved) = Date(day).checked_add(length) {
                prop_assert!(within.contains(&moved));
            }
            if let Some(moved) = DateTime(second).checked_add(length) {
                prop_assert!(within.contains(&moved.date()));
            }
        }
    }
}

#[test]
fn the_last_place_of_a_double_is_rounded_too() {
    assert_eq!(Decimal::from_f64(0.0000000000000000005, 18).unwrap().to_string(), "0.000000000000000001");
}

#[test]
fn decimals_too_large_to_align_still_have_an_order() {
    let large: Decimal = "170141183460469231731.9".parse().unwrap();
    let small: Decimal = "170141183460469231731.687303715884105727".parse().unwrap();
    assert!(large > small);
    assert!(large.checked_neg().unwrap() < small.checked_neg().unwrap());
}

#[test]
fn a_long_range_inside_a_template_is_found() {
    let number = Domain::Int { low: -5, high: 1_000_000, step: 1 };
    let part = |domain: &Domain| TemplatePart::Domain(Box::new(domain.clone()));
    let domain = Domain::Template { parts: vec![part(&number), TemplatePart::Text("/".into()), part(&number)] };
    assert!(domain.is_injective());
    assert_eq!(domain.index_of(&Value::from_text("-5/-4")), Some(1));
    assert_eq!(domain.index_of(&Value::from_text("-5/-04")), None);
    let close = Domain::Template { parts: vec![part(&number), TemplatePart::Text("-".into()), part(&number)] };
    assert!(!close.is_injective(), "`1--1` ends its first number in two ways");
}

#[test]
fn a_template_is_injective_only_if_its_parts_are() {
    let words = |items: &[&str]| {
        let items = items.iter().map(|item| Value::from_text(*item)).collect();
        TemplatePart::Domain(Box::new(Domain::OneOf { items }))
    };
    let ambiguous = Domain::Template { parts: vec![words(&["a", "ab"]), words(&["c", "bc"])] };
    assert!(!ambiguous.is_injective());
    let around =
        Domain::Template { parts: vec![TemplatePart::Domain(Box::new(ambiguous)), TemplatePart::Text("!".into())] };
    assert!(!around.is_injective());
}
