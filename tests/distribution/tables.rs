//! The library's tables: what stands in a row agrees.

use super::*;

const MANY: usize = 10_000;

/// The columns of a CSV file of a table of the library.
fn drawn(table: &str, rows: usize) -> BTreeMap<String, Vec<String>> {
    let suite = Suite::new(&[format!("  csv t : {table} at \"t.csv\" {{ rows {rows} }}")]);
    let generator = suite.generator(None);
    let instance = generator.generate_instance(generator.resolve_address(0).expect("one")).expect("made");
    columns(std::str::from_utf8(&instance.files[0].bytes).expect("UTF-8"))
        .into_iter()
        .map(|(name, cells)| (name, cells.into_iter().map(|cell| cell.expect("no blank")).collect()))
        .collect()
}

/// The states by the first three digits of their ZIP codes, as the United States Postal Service gives them out.
const ZIPS: [(&str, &[(u32, u32)]); 50] = [
    ("AL", &[(350, 352), (354, 369)]),
    ("AK", &[(995, 999)]),
    ("AZ", &[(850, 853), (855, 857), (859, 860), (863, 865)]),
    ("AR", &[(716, 729)]),
    ("CA", &[(900, 908), (910, 928), (930, 961)]),
    ("CO", &[(800, 816)]),
    ("CT", &[(60, 69)]),
    ("DE", &[(197, 199)]),
    ("FL", &[(320, 339), (341, 342), (344, 344), (346, 347), (349, 349)]),
    ("GA", &[(300, 319), (398, 399)]),
    ("HI", &[(967, 968)]),
    ("ID", &[(832, 838)]),
    ("IL", &[(600, 620), (622, 629)]),
    ("IN", &[(460, 479)]),
    ("IA", &[(500, 516), (520, 528)]),
    ("KS", &[(660, 662), (664, 679)]),
    ("KY", &[(400, 427)]),
    ("LA", &[(700, 701), (703, 708), (710, 714)]),
    ("ME", &[(39, 49)]),
    ("MD", &[(206, 212), (214, 219)]),
    ("MA", &[(10, 27)]),
    ("MI", &[(480, 499)]),
    ("MN", &[(550, 551), (553, 567)]),
    ("MS", &[(386, 397)]),
    ("MO", &[(630, 631), (633, 641), (644, 658)]),
    ("MT", &[(590, 599)]),
    ("NE", &[(680, 681), (683, 693)]),
    ("NV", &[(889, 891), (893, 895), (897, 898)]),
    ("NH", &[(30, 38)]),
    ("NJ", &[(70, 89)]),
    ("NM", &[(870, 871), (873, 875), (877, 884)]),
    ("NY", &[(100, 149)]),
    ("NC", &[(270, 289)]),
    ("ND", &[(580, 588)]),
    ("OH", &[(430, 459)]),
    ("OK", &[(730, 731), (734, 741), (743, 749)]),
    ("OR", &[(970, 979)]),
    ("PA", &[(150, 196)]),
    ("RI", &[(28, 29)]),
    ("SC", &[(290, 299)]),
    ("SD", &[(570, 577)]),
    ("TN", &[(370, 385)]),
    ("TX", &[(750, 770), (772, 799)]),
    ("UT", &[(840, 847)]),
    ("VT", &[(50, 54), (56, 59)]),
    ("VA", &[(201, 201), (220, 246)]),
    ("WA", &[(980, 986), (988, 994)]),
    ("WV", &[(247, 268)]),
    ("WI", &[(530, 532), (534, 535), (537, 549)]),
    ("WY", &[(820, 831)]),
];

/// The mail address that a name of two words has.
fn address_of(name: &str) -> String {
    format!("{}@example.com", name.to_lowercase().replace(' ', "."))
}

/// Lines of a word list, taken apart.
fn parts(list: &str) -> Vec<Vec<String>> {
    word_list(list).iter().map(|line| line.split('|').map(str::to_owned).collect()).collect()
}

#[test]
fn people_have_addresses_of_their_own_names() {
    for table in ["person", "employee"] {
        let rows = drawn(table, MANY);
        for (name, mail) in rows["NAME"].iter().zip(&rows["EMAIL"]) {
            assert_eq!(*mail, address_of(name), "{table}");
        }
        assert!(rows["NAME"].iter().collect::<HashSet<_>>().len() > 900, "{table}");
    }
}

#[test]
fn addresses_have_city_state_and_code_that_belong_together() {
    let rows = drawn("address", MANY);
    let places: HashSet<Vec<String>> = parts("place_line").into_iter().collect();
    let mut seen = HashSet::new();
    for ((city, state), code) in rows["CITY"].iter().zip(&rows["STATE_CODE"]).zip(&rows["POSTCODE"]) {
        let (_, ranges) = ZIPS.iter().find(|(known, _)| known == state).expect("a state");
        assert!(has_shape(code, "00000"), "{code}");
        let first: u32 = code[..3].parse().expect("digits");
        assert!(ranges.iter().any(|(low, high)| (low..=high).contains(&&first)), "{city}, {state} {code}");
        let place = vec![city.clone(), state.clone(), code.clone()];
        assert!(places.contains(&place), "{place:?}");
        seen.insert(place);
    }
    assert_eq!(seen, places, "all of them are drawn");
    let codes = library("state_code");
    assert!(ZIPS.iter().map(|(code, _)| *code).eq(codes.iter().map(String::as_str)));
}

#[test]
fn things_cost_what_they_may() {
    let rows = drawn("product_item", MANY);
    let mut ends = BTreeSet::new();
    for ((item, category), price) in rows["ITEM"].iter().zip(&rows["CATEGORY"]).zip(&rows["PRICE"]) {
        let all = parts("item_line");
        let of = all.iter().find(|line| line[0] == *item).expect("an item");
        let [price, low, high] = [price, &of[2], &of[3]].map(|text| units(text, 2).expect("cents"));
        assert!(of[1] == *category && (low..=high).contains(&price), "{item} {category} {price}");
        // Prices come from the whole of the band.
        let third = (price - low) * 3 / (high - low + 1);
        ends.insert((item.clone(), third));
    }
    assert_eq!(ends.len(), 3 * parts("item_line").len());
    assert_eq!(rows["SKU"].iter().collect::<HashSet<_>>().len(), MANY);
}

#[test]
fn titles_belong_to_their_departments_and_pay_what_is_usual() {
    let rows = drawn("employee", MANY);
    let jobs = parts("job_line");
    let departments = library("department");
    for ((title, department), pay) in rows["JOB_TITLE"].iter().zip(&rows["DEPARTMENT"]).zip(&rows["SALARY"]) {
        let job = jobs.iter().find(|job| job[0] == *title).expect("a job");
        let [pay, low, high] = [pay, &job[2], &job[3]].map(|text| units(text, 0).expect("dollars"));
        assert!(job[1] == *department && departments.contains(department), "{title}, {department}");
        assert!((low..=high).contains(&pay) && (pay - low) % 100 == 0, "{title}: {pay}");
    }
}

#[test]
fn codes_belong_to_their_names() {
    for (table, names, codes) in [
        ("countries", "country", "country_code"),
        ("languages", "language", "language_code"),
        ("currencies", "currency_name", "currency_code"),
    ] {
        let (names, codes) = (library(names), library(codes));
        let rows = drawn(table, names.len());
        let wanted: BTreeMap<&String, &String> = names.iter().zip(&codes).collect();
        let found: BTreeMap<&String, &String> = rows["NAME"].iter().zip(&rows["CODE"]).collect();
        assert_eq!(found, wanted, "{table}");
    }
}

#[test]
fn what_an_author_names_alike_does_not_change_the_library() {
    let suite = Suite::new(&[
        "  csv t : person at \"t.csv\" { rows 20 }\n  csv u : employee at \"u.csv\" { rows 5 }".to_owned()
    ]);
    let own = Suite::with(
        "domain first_name = one_of [\"X\"]\ndomain job_line = int 1..3\ntable employee { WHO : first_name }\n",
        &["  csv t : person at \"t.csv\" { rows 20 }\n  csv u : employee at \"u.csv\" { rows 5 }".to_owned()],
    );
    let files = |suite: &Suite| {
        let generator = suite.generator(None);
        generator.generate_instance(generator.resolve_address(0).expect("one")).expect("made").files
    };
    let (plain, own) = (files(&suite), files(&own));
    assert_eq!(plain[0].bytes, own[0].bytes, "the library's table draws from the library's domains");
    assert_eq!(own[1].bytes.as_slice(), b"WHO\nX\nX\nX\nX\nX\n", "the author's table hides the library's");
}
