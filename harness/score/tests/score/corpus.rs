//! Keys and responses to them, the same in every version: `frozen.txt` says what they are worth.

use std::fmt::Write as _;

use records::{Captured, Response};
use rusqlite::Connection;
use serde_json::{Value as Json, json};

use super::common::{Files, reply};

/// Numbers without a pattern, the same in every version of every library (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
pub struct Draws(pub u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    fn one<'v, V: ?Sized>(&mut self, of: &[&'v V]) -> &'v V {
        of[self.below(of.len())]
    }

    fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

const WORDS: [&str; 26] = [
    "Kiel",
    "kiel",
    "New York",
    "York",
    "C",
    "C++",
    "C#",
    "*",
    "+",
    "...",
    "U.S.A.",
    "USA",
    "Zürich",
    "Zu\u{308}rich",
    "straße",
    "STRASSE",
    "x 1",
    "x1",
    "true",
    "null",
    "12",
    "1,234",
    "2024-03-01",
    "2024-03-01T10:00:00",
    "東京",
    " - ",
];

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "12",
    "12.0",
    "12.5",
    "0.1",
    "0.30000000000000004",
    "1e3",
    "1234567",
    "-0.0",
    "12.0000000000001",
    "1000000000000",
    "0.125",
    "99.995",
    "3.14159",
];

fn number(draws: &mut Draws) -> Json {
    let text = draws.one(&NUMBERS);
    match draws.below(3) {
        0 if !text.contains('e') && *text != *"-0.0" => json!({ "decimal": text }),
        _ => serde_json::from_str(text).expect("a number"),
    }
}

fn leaf(draws: &mut Draws) -> Json {
    match draws.below(8) {
        0..=2 => draws.one(&WORDS).into(),
        3..=5 => number(draws),
        6 => Json::from(draws.is(50)),
        _ => Json::Null,
    }
}

fn list(draws: &mut Draws) -> Json {
    (0..draws.below(6)).map(|_| leaf(draws)).collect()
}

fn rows(draws: &mut Draws) -> Json {
    let width = 1 + draws.below(3);
    let rows: Vec<Json> = (0..draws.below(5)).map(|_| (0..width).map(|_| leaf(draws)).collect()).collect();
    let columns = &["A", "b c", "N"][..width];
    json!({ "columns": columns, "rows": rows })
}

fn tree(draws: &mut Draws, depth: usize) -> Json {
    match draws.below(if depth == 0 { 3 } else { 6 }) {
        0..3 => leaf(draws),
        3 => (0..draws.below(4)).map(|_| tree(draws, depth - 1)).collect(),
        4 => rows(draws),
        _ => ["a", "b", "é", "~/"][..draws.below(5)]
            .iter()
            .map(|name| ((*name).to_owned(), tree(draws, depth - 1)))
            .collect(),
    }
}

fn options(draws: &mut Draws, matcher: &str) -> Json {
    let mut options = serde_json::Map::new();
    let takes_numbers = matches!(matcher, "number" | "json" | "list" | "rows" | "sql");
    if takes_numbers && draws.is(40) {
        match draws.below(4) {
            0 => options.insert("within".to_owned(), draws.one(&["0.5", "1%", "0.001", "100"]).into()),
            1 => options.insert("rounded".to_owned(), draws.below(4).into()),
            2 => options.insert("unit".to_owned(), draws.one(&["%", "kg", "EUR", "$"]).into()),
            _ if matcher == "number" => options.insert("graded".to_owned(), true.into()),
            _ => None,
        };
    }
    if !matches!(matcher, "number" | "matches") && draws.is(50) {
        let kinds = ["case", "space", "punctuation"];
        let chosen: Vec<&str> = kinds.into_iter().filter(|_| draws.is(50)).collect();
        if !chosen.is_empty() {
            options.insert("ignore".to_owned(), chosen.into());
        }
    }
    if matches!(matcher, "json" | "list" | "rows" | "sql") && draws.is(40) {
        options.insert("ordered".to_owned(), draws.is(50).into());
    }
    if matches!(matcher, "json" | "list") && draws.is(30) {
        options.insert("open".to_owned(), true.into());
    }
    Json::Object(options)
}

/// A value of a key as a reply might say it, or something near it.
fn said(draws: &mut Draws, value: &Json) -> String {
    let text = written(draws, value);
    let text = match draws.below(24) {
        0 => format!("**{text}**"),
        1 => format!("{text}."),
        2 => format!("```\n{text}\n```"),
        3 => format!("Answer: {text}"),
        4 => format!("<think>no</think>{text}"),
        5 => text.to_uppercase(),
        6 => text.replace(' ', ""),
        7 => text.chars().filter(|char| !char.is_ascii_punctuation()).collect(),
        8 => format!("{text}\n"),
        9 => text.chars().rev().collect(),
        10 => format!("The answer is {text}"),
        11 => format!("```json\n{text}\n```\nso it is"),
        12 => text.replace('\n', ", "),
        13 => format!("$ {text}"),
        14 => format!("{text} kg"),
        15 => format!("\"{text}\""),
        _ => text,
    };
    let cut = draws.below(12);
    if cut == 0 && !text.is_empty() { text.chars().skip(1).collect() } else { text }
}

fn written(draws: &mut Draws, value: &Json) -> String {
    let plain = |value: &Json| match value {
        Json::String(text) => text.clone(),
        Json::Object(fields) if fields.contains_key("decimal") => {
            fields["decimal"].as_str().expect("digits").to_owned()
        }
        other => other.to_string(),
    };
    match value {
        Json::Array(items) => {
            let mut items: Vec<String> = items.iter().map(plain).collect();
            if draws.is(30) {
                items.reverse();
            }
            if draws.is(20) {
                items.push("more".to_owned());
            }
            match draws.below(5) {
                0 => items.join("\n"),
                1 => items.join(", "),
                2 => items.iter().map(|item| format!("- {item}\n")).collect(),
                3 => format!("[{}]", items.iter().map(|item| format!("'{item}'")).collect::<Vec<_>>().join(", ")),
                _ => json_of(value),
            }
        }
        Json::Object(fields) if fields.contains_key("rows") => {
            let rows = fields["rows"].as_array().expect("rows");
            let cells = |row: &Json| row.as_array().expect("cells").iter().map(plain).collect::<Vec<String>>();
            let names: Vec<String> = fields["columns"].as_array().expect("names").iter().map(plain).collect();
            let all = std::iter::once(names.clone()).chain(rows.iter().map(cells));
            match draws.below(4) {
                0 => all.map(|row| row.join(",") + "\n").collect(),
                1 => {
                    let rule = format!("|{}\n", "---|".repeat(names.len()));
                    let lines: Vec<String> = all.map(|row| format!("| {} |\n", row.join(" | "))).collect();
                    format!("{}{rule}{}", lines[0], lines[1..].concat())
                }
                2 => json_of(&fields["rows"]),
                _ => json_of(value),
            }
        }
        Json::Object(_) => json_of(value),
        leaf => plain(leaf),
    }
}

/// As JSON without the marks of keys.
fn json_of(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(json_of).collect::<Vec<_>>().join(", ")),
        Json::Object(fields) => match (fields.get("decimal"), fields.get("rows"), fields.get("columns")) {
            (Some(digits), ..) => digits.as_str().expect("digits").to_owned(),
            (_, Some(Json::Array(rows)), Some(Json::Array(names))) => {
                let object = |row: &Json| {
                    let cells = row.as_array().expect("cells").iter().zip(names);
                    let cells: Vec<String> = cells.map(|(cell, name)| format!("{name}: {}", json_of(cell))).collect();
                    format!("{{{}}}", cells.join(", "))
                };
                format!("[{}]", rows.iter().map(object).collect::<Vec<_>>().join(", "))
            }
            _ => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| format!("{}: {}", Json::from(name.as_str()), json_of(value)))
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
        },
        other => other.to_string(),
    }
}

pub fn database(script: &str) -> Vec<u8> {
    sqlite::init_process().expect("SQLite");
    let mut connection = Connection::open_in_memory().expect("SQLite");
    connection.execute_batch(script).expect("a script");
    connection.serialize("main").expect("bytes").to_vec()
}

pub const SHOP: &str = "CREATE TABLE items(ID INTEGER PRIMARY KEY, NAME TEXT, PRICE REAL, N INTEGER); INSERT INTO items VALUES \
                    (1, 'pen', 1.5, 12), (2, 'ink', 0.1, 3), (3, '12', 99.0, 0); CREATE TABLE bag(A, B); INSERT INTO bag VALUES (1, 'x'), (1, 'x'), (0.5, NULL);";

/// What an agent does to the database.
const DEEDS: [&str; 14] = [
    "",
    "UPDATE items SET PRICE = 2.5 WHERE ID = 1",
    "UPDATE items SET PRICE = 2.5000000000001 WHERE ID = 1",
    "UPDATE items SET N = 13 WHERE ID = 1",
    "UPDATE items SET N = 13.0000000000001 WHERE ID = 1",
    "UPDATE items SET NAME = '12.0000000000001' WHERE ID = 3",
    "DELETE FROM items WHERE ID = 2",
    "INSERT INTO items(ID, NAME, PRICE, N) VALUES (4, 'cap', 3.25, 1)",
    "VACUUM",
    "ANALYZE",
    "REINDEX",
    "CREATE TABLE more(A)",
    "INSERT INTO bag VALUES (0.50000000001, NULL)",
    "ALTER TABLE items ADD COLUMN X",
];

pub fn texts(draws: &mut Draws, matcher: &str) -> (Json, Response) {
    let value = match matcher {
        "text" | "contains" => match draws.below(6) {
            0 => Json::from(draws.is(50)),
            1 => json!(12),
            _ => draws.one(&WORDS).into(),
        },
        "matches" => draws.one(&["[A-Z][a-z]+", "(?i)kiel", "\\d+", "C\\+\\+", "..", "(a|b)*"]).into(),
        "number" => number(draws),
        "json" => tree(draws, 2),
        "list" if draws.is(20) => rows(draws),
        "list" => list(draws),
        _ => rows(draws),
    };
    let other = if draws.is(30) { leaf(draws) } else { value.clone() };
    let mut text = match matcher {
        "sql" if draws.is(70) => query(draws, &value),
        "matches" => said(draws, &draws_word(&value)),
        _ => said(draws, &other),
    };
    let mut expect = json!({"subject": "reply", "match": matcher, "options": {"": options(draws, matcher)}});
    let fields = expect.as_object_mut().expect("an object");
    if matcher == "sql" {
        fields.insert("database".to_owned(), "t.db".into());
    }
    if draws.is(20) && matcher != "sql" && !value.is_array() && value.get("rows").is_none() {
        fields.insert("any_of".to_owned(), json!([leaf_like(draws, matcher), value]));
    } else {
        fields.insert("value".to_owned(), value);
    }
    match draws.below(8) {
        0 => {
            fields.insert("slice".to_owned(), "last_line".into());
            text = format!("Well.\n{text}");
        }
        1 => {
            fields.insert("slice".to_owned(), json!({"after": "Answer:"}));
            text = format!("**Answer:** {text}");
        }
        2 => {
            fields.insert("slice".to_owned(), json!({ "fenced": null }));
            text = format!("So\n```\n{text}\n```");
        }
        3 if matcher != "sql" => {
            fields.insert("slice".to_owned(), json!({"at": "$.x"}));
            text = format!(
                "{{\"x\": {}}}",
                if serde_json::from_str::<Json>(&text).is_ok() { text } else { Json::from(text).to_string() }
            );
        }
        4 | 5 if matcher != "sql" => {
            fields.insert("subject".to_owned(), json!({"file": "a.txt"}));
            let found = if draws.is(10) {
                Captured::from_bytes(vec![0xff, b'C'])
            } else {
                Captured::from_bytes(text.into_bytes())
            };
            return (expect, Response { files: vec![("a.txt".to_owned(), found)], ..reply("") });
        }
        _ => {}
    }
    (expect, reply(&text))
}

fn leaf_like(draws: &mut Draws, matcher: &str) -> Json {
    match matcher {
        "number" => number(draws),
        "matches" => "never".into(),
        _ => draws.one(&WORDS).into(),
    }
}

fn draws_word(pattern: &Json) -> Json {
    match pattern.as_str() {
        Some("(?i)kiel") => "KIEL".into(),
        Some("\\d+") => "12".into(),
        Some("C\\+\\+") => "C++".into(),
        Some("..") => "éa".into(),
        _ => "Kiel".into(),
    }
}

fn query(draws: &mut Draws, set: &Json) -> String {
    let literal = |value: &Json| match value {
        Json::Null => "NULL".to_owned(),
        Json::Bool(truth) => i32::from(*truth).to_string(),
        Json::String(text) => format!("'{}'", text.replace('\'', "''")),
        Json::Object(fields) => fields["decimal"].as_str().expect("digits").to_owned(),
        other => other.to_string(),
    };
    let mut rows: Vec<String> = set["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| format!("({})", row.as_array().expect("cells").iter().map(literal).collect::<Vec<_>>().join(", ")))
        .collect();
    if draws.is(30) {
        rows.reverse();
    }
    if rows.is_empty() { "SELECT 1 WHERE 0".to_owned() } else { format!("VALUES {}", rows.join(", ")) }
}

pub fn of_files(draws: &mut Draws, matcher: &str, start: &Files) -> (Json, Response) {
    let path = *draws.one(&[&"a.txt", &"t.db", &"none.txt", &"latin.txt"]);
    let mut expect = json!({"subject": {"file": path}, "match": matcher});
    let contents: Vec<Captured> = vec![
        Captured::Absent,
        Captured::Folder,
        Captured::TooLarge { size: 3 },
        Captured::from_bytes(b"caf\xe9\r\n".to_vec()),
        Captured::from_bytes("café\r\n".as_bytes().to_vec()),
        Captured::from_bytes(start.get(path).cloned().unwrap_or_default()),
        Captured::from_bytes(start.get(path).cloned().unwrap_or_default()),
        Captured::from_bytes(database(&format!("{SHOP}{}", draws.one(&DEEDS)))),
    ];
    if matcher == "bytes" {
        match draws.below(3) {
            0 => expect["value"] = "café\r\n".into(),
            1 => expect["any_of"] = json!(["x", "café\r\n"]),
            _ => expect["content"] = "latin.txt".into(),
        }
    }
    let found = contents[draws.below(contents.len())].clone();
    (expect, Response { files: vec![(path.to_owned(), found)], ..reply("") })
}

pub fn of_state(draws: &mut Draws) -> (Json, Response) {
    let row = |cells: Json| cells;
    let items = json!({"name": "items", "columns": ["ID", "NAME", "PRICE", "N"], "key": ["ID"],
        "added": [], "removed": []});
    let bag = json!({"name": "bag", "columns": ["A", "B"], "key": [], "added": [], "removed": []});
    let mut value = json!({"tables": [items, bag]});
    match draws.below(5) {
        0 => {
            value["tables"][0]["removed"] = json!([row(json!([1, "pen", 1.5, 12]))]);
            value["tables"][0]["added"] = json!([[1, "pen", 2.5, 12]]);
        }
        1 => {
            value["tables"][0]["removed"] = json!([[1, "pen", 1.5, 12]]);
            value["tables"][0]["added"] = json!([[1, "pen", 1.5, 13]]);
        }
        2 => value["tables"][0]["removed"] = json!([[2, "ink", 0.1, 3]]),
        3 => value["tables"][1]["added"] = json!([[0.5, null]]),
        _ => {
            value["tables"][0]["added"] = json!([[4, "cap", 3.25, 1]]);
            value["tables"][0]["removed"] = json!([[3, "12", 99, 0]]);
        }
    }
    let options = match draws.below(4) {
        0 => json!({"within": "0.01"}),
        1 => json!({"ignore": ["items.N"]}),
        2 => json!({"ignore": ["bag"]}),
        _ => json!({}),
    };
    let expect = json!({"subject": {"file": "t.db"}, "match": "database", "value": value, "options": {"": options}});
    let mut script = SHOP.to_owned();
    for _ in 0..1 + draws.below(2) {
        write!(script, "{};", draws.one(&DEEDS)).expect("a text");
    }
    let left = Captured::from_bytes(database(
        &script
            .replace("ALTER TABLE items ADD COLUMN X;ALTER TABLE items ADD COLUMN X", "")
            .replace("CREATE TABLE more(A);CREATE TABLE more(A)", "")
            .replace("INSERT INTO items(ID, NAME, PRICE, N) VALUES (4, 'cap', 3.25, 1);INSERT INTO items(ID, NAME, PRICE, N) VALUES (4, 'cap', 3.25, 1)", ""),
    ));
    (expect, Response { files: vec![("t.db".to_owned(), left)], ..reply("") })
}
