//! Each of the 26 semantic types: the domain of that name draws what PICARD draws, as numbers and dates where PICARD has texts, and over forty tables
//! every value of a short list comes up. How often each value comes is held by `tests/distribution/library.rs`.

use std::collections::BTreeSet;

use super::{advice, cells, instances, refused};

/// 3200 values of a domain, as they stand in CSV files.
#[track_caller]
fn drawn(domain: &str) -> Vec<String> {
    let body = format!(
        "csv t at \"t.csv\" {{ rows 80  ID : serial  X : {domain} }}\nprompt \"<<t>>\"\nexpect reply number count(t)"
    );
    let all: Vec<String> = instances(&body)
        .iter()
        .flat_map(|instance| cells(instance, "t.csv").into_iter().skip(1))
        .map(|row| row[1].clone())
        .collect();
    assert_eq!(all.len(), 3_200);
    all
}

/// Holds that a domain draws each of these values, and no other.
#[track_caller]
fn draws_all_of(domain: &str, values: &[&str]) {
    let found: BTreeSet<String> = drawn(domain).into_iter().collect();
    let wanted: BTreeSet<String> = values.iter().map(|value| (*value).to_owned()).collect();
    assert_eq!(found, wanted, "{domain}");
}

/// Holds that a domain draws whole numbers of this range, near both of its ends too.
#[track_caller]
fn draws_ints(domain: &str, low: i64, high: i64) {
    let found: Vec<i64> = drawn(domain).iter().map(|text| text.parse().expect("digits")).collect();
    let (least, most) = (*found.iter().min().expect("some"), *found.iter().max().expect("some"));
    let near = (high - low) / 50;
    assert!((low..=low + near).contains(&least) && (high - near..=high).contains(&most), "{domain}: {least}..{most}");
}

const FIRST: &str = "John Jane Michael Sarah David Lisa Robert Emily James Amanda Christopher Jessica Daniel Ashley Matthew Jennifer Anthony Elizabeth \
                     Mark Deborah Donald Dorothy Steven Paul Nancy Andrew Karen Joshua Betty";
const LAST: &str = "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor \
                    Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King";

fn words(list: &str) -> Vec<&str> {
    list.split_whitespace().collect()
}

fn items(list: &str) -> Vec<&str> {
    list.split(", ").collect()
}

#[test]
fn first_name_draws_the_29_names() {
    draws_all_of("first_name", &words(FIRST));
}

#[test]
fn last_name_draws_the_34_names() {
    draws_all_of("last_name", &words(LAST));
}

#[test]
fn person_name_is_a_first_and_a_last_name() {
    for name in drawn("person_name") {
        let (first, last) = name.split_once(' ').expect("two names");
        assert!(words(FIRST).contains(&first) && words(LAST).contains(&last), "{name}");
    }
}

#[test]
fn email_is_first_last_at_a_host_that_is_nobodys() {
    for address in drawn("email") {
        let (person, host) = address.split_once('@').expect("an address");
        let (first, last) = person.split_once('.').expect("two names");
        let known = |list: &str, name: &str| words(&list.to_lowercase()).contains(&name);
        assert!(known(FIRST, first) && known(LAST, last), "{address}");
        assert!(["example.com", "example.net", "example.org"].iter().any(|free| host.ends_with(free)), "{address}");
    }
}

#[test]
fn city_draws_the_34_cities() {
    draws_all_of(
        "city",
        &items(
            "New York, Los Angeles, Chicago, Houston, Phoenix, Philadelphia, San Antonio, San Diego, Dallas, San Jose, Austin, \
        Jacksonville, Fort Worth, Columbus, Charlotte, San Francisco, Indianapolis, Seattle, Denver, Washington, Boston, Nashville, Baltimore, \
        Louisville, Portland, Oklahoma City, Milwaukee, Las Vegas, Albuquerque, Tucson, Fresno, Sacramento, Kansas City, Mesa",
        ),
    );
}

#[test]
fn company_draws_the_20_companies() {
    draws_all_of(
        "company",
        &items(
            "Acme Corp, Global Industries, Tech Solutions, Dynamic Systems, Innovation Labs, Premier Group, Elite Services, \
        Advanced Tech, Modern Solutions, Future Corp, Digital Dynamics, Smart Systems, Optimal Solutions, Peak Performance, Alpha Industries, \
        Beta Corp, Gamma Systems, Delta Tech, Epsilon Group, Zeta Solutions",
        ),
    );
}

#[test]
fn product_draws_the_20_products() {
    draws_all_of(
        "product",
        &items(
            "Widget Pro, Super Gadget, Ultra Tool, Mega Device, Power Unit, Smart Sensor, Digital Display, Advanced Controller, \
        Precision Meter, Compact Module, Premium Kit, Professional Set, Enterprise Solution, Standard Package, Deluxe Edition, Basic Model, \
        Enhanced Version, Ultimate Bundle, Complete System, Essential Package",
        ),
    );
}

#[test]
fn aliases_are_told_by_their_domain() {
    for (alias, domain) in [("city_name", "city"), ("company_name", "company"), ("product_name", "product")] {
        let body = format!("x : {alias}\nprompt \"<<x>>\"\nexpect reply text \"y\"");
        refused(&body, &[("E0204", 1)]);
        assert_eq!(advice(&body), format!("did you mean `{domain}`?"));
    }
}

#[test]
fn age_is_an_int_of_18_to_70() {
    draws_ints("age", 18, 70);
}

#[test]
fn salary_is_an_int_of_30_000_to_150_000() {
    draws_ints("salary", 30_000, 150_000);
}

#[test]
fn currency_is_an_int_of_1_000_to_100_000() {
    draws_ints("currency", 1_000, 100_000);
}

#[test]
fn price_is_an_exact_decimal_with_two_places() {
    for price in drawn("price") {
        let (whole, cents) = price.split_once('.').expect("cents");
        assert!(cents.len() == 2 && (10..=500).contains(&whole.parse::<i64>().expect("digits")), "{price}");
    }
}

#[test]
fn phone_has_the_form_with_parentheses() {
    for phone in drawn("phone") {
        let digits: Vec<i64> = phone
            .split(['(', ')', ' ', '-'])
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().expect("digits"))
            .collect();
        let [area, exchange, line] = digits[..] else { panic!("{phone}") };
        assert!((200..=999).contains(&area) && (200..=999).contains(&exchange) && (1_000..=9_999).contains(&line));
        assert_eq!(phone, format!("({area}) {exchange}-{line}"));
    }
}

#[test]
fn date_is_a_day_of_2020_to_2025_the_last_of_a_month_too() {
    let days = drawn("date");
    for day in &days {
        let parts: Vec<u32> = day.split('-').map(|part| part.parse().expect("digits")).collect();
        assert!(
            day.len() == 10
                && (2020..=2025).contains(&parts[0])
                && (1..=12).contains(&parts[1])
                && (1..=31).contains(&parts[2]),
            "{day}"
        );
    }
    assert!(days.iter().any(|day| day.ends_with("-31")), "PICARD stops at 28");
}

#[test]
fn experience_is_an_int_of_0_to_40() {
    draws_ints("experience", 0, 40);
}

#[test]
fn score_is_an_int_of_60_to_100() {
    draws_ints("score", 60, 100);
}

#[test]
fn id_is_an_int_of_1_to_9_999_and_may_repeat() {
    draws_ints("id", 1, 9_999);
    let found = drawn("id");
    assert!(found.iter().collect::<BTreeSet<_>>().len() < found.len());
}

#[test]
fn status_draws_the_8_words() {
    draws_all_of("status", &words("active inactive completed pending cancelled approved rejected processing"));
}

#[test]
fn department_draws_the_10_departments() {
    draws_all_of(
        "department",
        &items("Engineering, Sales, Marketing, Finance, HR, Operations, IT, Legal, Customer Service, Research"),
    );
}

#[test]
fn region_draws_the_10_regions() {
    draws_all_of("region", &words("North South East West Central Northeast Southeast Southwest Northwest Midwest"));
}

#[test]
fn category_draws_the_10_categories() {
    draws_all_of(
        "category",
        &items("Electronics, Clothing, Books, Home & Garden, Sports, Toys, Automotive, Health, Beauty, Food"),
    );
}

#[test]
fn course_draws_the_15_courses() {
    draws_all_of(
        "course",
        &items(
            "Math 101, Physics 201, Chemistry 301, Biology 101, Engineering 401, Computer Science 202, Statistics 301, \
        Calculus 401, Data Science 501, Machine Learning 601, Economics 101, Psychology 201, History 101, Literature 301, Art 201",
        ),
    );
}

#[test]
fn semester_draws_the_12_terms() {
    let terms: Vec<String> = ["Spring", "Summer", "Fall", "Winter"]
        .iter()
        .flat_map(|season| (2023..=2025).map(move |year| format!("{season} {year}")))
        .collect();
    draws_all_of("semester", &terms.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn boolean_draws_the_6_words_and_bool_a_clean_one() {
    draws_all_of("boolean", &words("true false yes no 1 0"));
    draws_all_of("bool", &words("true false"));
}

#[test]
fn entity_pool_is_a_single_word_safe_in_paths() {
    let found: BTreeSet<String> = drawn("entity_pool").into_iter().collect();
    assert!(found.len() >= 154, "{} words", found.len());
    assert!(found.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())), "{found:?}");
    assert_eq!(drawn("word").into_iter().collect::<BTreeSet<_>>(), found, "`word` is the same pool");
}

#[test]
fn lorem_word_is_one_word() {
    assert!(
        drawn("lorem_word").iter().all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
    );
}

#[test]
fn lorem_words_are_two_to_five() {
    let counts: BTreeSet<usize> = drawn("lorem_words").iter().map(|words| words.split(' ').count()).collect();
    assert_eq!(counts, BTreeSet::from([2, 3, 4, 5]));
}
