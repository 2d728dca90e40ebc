//! The library's domains: each draws just what is written down here.

use super::*;

/// The characters a letter of a [`shape`] stands for; any other stands for itself.
fn class(letter: char) -> &'static str {
    match letter {
        'h' => "0123456789abcdef",
        'v' => "89ab",
        'l' => "26ae",
        '9' => "0123456789",
        'y' => "012345",
        'A' => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        'P' => "ABCDEFGHJKLMNPRSTUVWXYZ",
        _ => "",
    }
}

/// How many choices a letter of a shape has, and which of them a character is.
fn choice(letter: char, character: char) -> Option<(u64, u64)> {
    match class(letter) {
        "" => (letter == character).then_some((1, 0)),
        all => Some((all.len() as u64, all.find(character)? as u64)),
    }
}

/// The place of a text among all of its shape.
fn coded(text: &str, shape: &str) -> Option<Vec<(u64, u64)>> {
    (text.chars().count() == shape.len()).then_some(())?;
    shape.chars().zip(text.chars()).map(|(letter, character)| choice(letter, character)).collect()
}

/// All texts of a shape, each as likely.
fn shape(shape: &'static str) -> Law {
    let all = shape.chars().map(|letter| class(letter).len().max(1) as u64).product();
    Law::even(all, |text| Some(coded(text, shape)?.iter().fold(0, |place, (of, at)| place * of + at)))
}

/// One character of texts of a shape.
fn character(shape: &'static str, at: usize) -> Law {
    let letter = shape.chars().nth(at).expect("a letter");
    Law::even(class(letter).len() as u64, move |text| coded(text, shape)?.get(at).map(|(_, place)| *place))
}

/// A listed word and a number, each pair as likely.
fn two(words: Vec<String>, low: i128, high: i128, apart: fn(&str) -> Option<(&str, &str)>) -> Law {
    let numbers = (high - low + 1) as u64;
    let places: HashMap<String, u64> = words.into_iter().zip(0..).collect();
    Law::even(places.len() as u64 * numbers, move |text| {
        let (word, number) = apart(text)?;
        Some(places.get(word)? * numbers + within(units(number, 0)?, low, high, 1)?)
    })
}

/// A group of an IPv6 address that is not 0, without zeros before it.
fn group() -> Law {
    Law::even(65_535, |text| {
        let good = !text.starts_with('0') && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c));
        good.then(|| u64::from_str_radix(text, 16).ok()).flatten().filter(|n| (1..=65_535).contains(n)).map(|n| n - 1)
    })
}

/// A law over a part of a web address: 2 is the host, 3 and 4 the path.
fn piece(at: usize, law: Law) -> Law {
    part(law, move |text| {
        let good = text.starts_with("https://") && text.split('/').count() == 5;
        text.split('/').nth(at).filter(|_| good)
    })
}

#[test]
fn names_of_the_world_are_composed_and_varied() {
    for (name, least) in [("given_name_world", 60), ("family_name_world", 60)] {
        let names = word_list(name);
        // A combining mark would mean that the name is not in NFC: each of these letters has a composed form.
        assert!(names.iter().flat_map(|name| name.chars()).all(|c| !('\u{300}'..='\u{36f}').contains(&c)), "{name}");
        assert!(names.iter().filter(|name| !name.is_ascii()).count() >= least / 2, "{name}");
        assert!(names.len() >= least && names.iter().any(|name| name.contains('\'')), "{name}");
    }
}

#[test]
fn every_domain_of_the_library_draws_what_it_says() {
    let declared: Vec<String> = read("stdlib/1/domains.pcd")
        .lines()
        .filter_map(|line| line.strip_prefix("domain ")?.split(' ').next().map(str::to_owned))
        .collect();
    let sizes: BTreeMap<&str, usize> = [
        ("word", 184),
        ("color", 16),
        ("nature", 24),
        ("metal", 15),
        ("gem", 13),
        ("first_name", 29),
        ("last_name", 34),
        ("mail_first", 29),
        ("mail_last", 34),
        ("mail_host", 5),
        ("city", 34),
        ("company", 20),
        ("department", 10),
        ("region", 10),
        ("status", 8),
        ("product", 20),
        ("category", 10),
        ("course", 15),
        ("semester", 12),
        ("boolean", 6),
        ("file_extension", 24),
        ("web_host", 5),
        ("state", 50),
        ("state_code", 50),
        ("street", 48),
        ("place_line", 90),
        ("country", 193),
        ("country_code", 193),
        ("country_line", 193),
        ("language", 92),
        ("language_code", 92),
        ("language_line", 92),
        ("time_zone", 48),
        ("currency_code", 151),
        ("currency_name", 151),
        ("currency_line", 151),
        ("weekday_name", 7),
        ("month_name", 12),
        ("job_title", 41),
        ("job_line", 41),
        ("item_line", 42),
        ("given_name_world", 90),
        ("family_name_world", 98),
    ]
    .into();
    let law = |name: &str| -> Vec<Law> {
        if let Some(size) = sizes.get(name) {
            let items = library(name);
            assert_eq!(items.len(), *size, "{name}");
            return vec![Law::listed(items)];
        }
        match name {
            "entity_pool" => vec![Law::listed(word_list("word"))],
            "lorem_word" => vec![Law::listed(lorem())],
            "lorem_words" => vec![blind_length(2, 5), blind_word(0), blind_word(1)],
            "person_name" => vec![pair(word_list("first_name"), word_list("last_name"), " ")],
            "email" => vec![
                part(pair(word_list("mail_first"), word_list("mail_last"), "."), |mail| mail.split('@').next()),
                part(Law::listed(library("mail_host")), |mail| mail.split('@').nth(1)),
            ],
            "phone" => {
                let at = |from: usize, to: usize, low: i128, high: i128| {
                    Law::even((high - low + 1) as u64, move |text| {
                        has_shape(text, "(000) 000-0000").then_some(())?;
                        within(text[from..to].parse().ok()?, low, high, 1)
                    })
                };
                vec![at(1, 4, 200, 999), at(6, 9, 200, 999), at(10, 14, 1_000, 9_999)]
            }
            "age" => vec![Law::ints(18, 70)],
            "salary" => vec![Law::ints(30_000, 150_000)],
            "experience" => vec![Law::ints(0, 40)],
            "currency" => vec![Law::ints(1_000, 100_000)],
            "price" => vec![Law::steps(1_000, 50_099, 1, 2)],
            "score" => vec![Law::ints(60, 100)],
            "id" => vec![Law::ints(1, 9_999)],
            "date" => vec![Law::days("2020-01-01", "2025-12-31", 1)],
            "log_level" => {
                vec![Law::weighted([("INFO", 70.0), ("DEBUG", 15.0), ("WARN", 10.0), ("ERROR", 4.0), ("FATAL", 1.0)])]
            }
            "timestamp" => vec![Law::moments("2020-01-01T00:00:00", "2025-12-31T23:59:59", 1)],
            "uuid" => {
                const SHAPE: &str = "hhhhhhhh-hhhh-4hhh-vhhh-hhhhhhhhhhhh";
                [0, 15, 19, 35].map(|at| character(SHAPE, at)).into()
            }
            "sku" => vec![shape("AAA-9999")],
            "order_number" => vec![shape("ORD-999999")],
            "invoice_number" => vec![shape("INV-202y-99999")],
            "license_plate" => vec![shape("9PPP999")],
            "user_number" => vec![Law::ints(10, 999)],
            "username" => vec![two(word_list("word"), 10, 999, |text| text.split_once('_'))],
            "hostname" => {
                let roles = ["api", "auth", "build", "cache", "db", "log", "mail", "proxy", "queue", "web"];
                let numbers: Vec<String> = (1..=99).map(|n| format!("-{n:02}.example.")).collect();
                let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
                vec![Law::listed(product(&[&roles, &numbers, &["com", "net", "org"]]))]
            }
            "url" => {
                let words = || Law::listed(word_list("word"));
                vec![piece(2, Law::listed(library("web_host"))), piece(3, words()), piece(4, words())]
            }
            "ipv4" => {
                let nets = ["192.0.2.", "198.51.100.", "203.0.113."];
                vec![Law::listed(nets.iter().flat_map(|net| (1..=254).map(move |host| format!("{net}{host}"))))]
            }
            "ipv4_private" => vec![Law::even(256 * 256 * 254, |text| {
                let number = |text: &str| within(units(text, 0)?, 0, 255, 1);
                let parts: Option<Vec<u64>> = text.strip_prefix("10.")?.split('.').map(number).collect();
                let [a, b, host] = parts?.try_into().ok()?;
                Some((a * 256 + b) * 254 + within(host.into(), 1, 254, 1)?)
            })],
            "ipv6" => {
                (0..6).map(|at| part(group(), move |text| text.strip_prefix("2001:db8:")?.split(':').nth(at))).collect()
            }
            "mac_address" => vec![shape("hl:hh:hh:hh:hh:hh")],
            "http_status" => vec![Law::listed(
                "200 201 202 204 206 301 302 303 304 307 308 400 401 403 404 405 409 410 415 422 429 500 502 503"
                    .split(' '),
            )],
            "semver" => vec![Law::even(10 * 30 * 50, |text| {
                let parts: Option<Vec<i128>> = text.split('.').map(|part| units(part, 0)).collect();
                let [a, b, c] = parts?.try_into().ok()?;
                Some((within(a, 0, 9, 1)? * 30 + within(b, 0, 29, 1)?) * 50 + within(c, 0, 49, 1)?)
            })],
            "hex_color" => vec![shape("#hhhhhh")],
            "postcode" => vec![Law::even(99_000, |text| {
                has_shape(text, "00000").then_some(())?;
                within(text.parse().ok()?, 1_000, 99_999, 1)
            })],
            "house_number" => vec![Law::ints(1, 9_999)],
            "street_address" => vec![two(word_list("street"), 1, 9_999, |text| {
                let (number, street) = text.split_once(' ')?;
                Some((street, number))
            })],
            "latitude" => vec![Law::steps(-90_000_000, 90_000_000, 1, 6)],
            "longitude" => vec![Law::steps(-180_000_000, 180_000_000, 1, 6)],
            "percentage" => vec![Law::steps(0, 1_000, 1, 1)],
            "temperature" => vec![Law::steps(-200, 400, 1, 1)],
            "rating" => vec![Law::steps(10, 50, 5, 1)],
            "person_name_world" => {
                vec![Law::even(90 * 98, {
                    let names = |name: &str| word_list(name).into_iter().zip(0..).collect::<HashMap<String, u64>>();
                    let (given, family) = (names("given_name_world"), names("family_name_world"));
                    move |text| {
                        // No given name has a blank; family names may.
                        let (first, last) = text.split_once(' ')?;
                        Some(given.get(first)? * 98 + family.get(last)?)
                    }
                })]
            }
            other => panic!("say here what `{other}` draws"),
        }
    };
    let unknown: Vec<_> = sizes.keys().filter(|name| !declared.iter().any(|known| known == *name)).collect();
    assert!(unknown.is_empty(), "the library does not declare {unknown:?}");
    hold(declared.iter().map(|name| domain(name, law(name))).collect());
}
