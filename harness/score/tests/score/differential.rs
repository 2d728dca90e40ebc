//! The scorer against Python's own readers: json, decimal and fractions, csv, sqlite3. Skipped, with a reason, where there is no python3.

use std::io::Write as _;
use std::process::{Command, Stdio};

use model::Value;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use rusqlite::Connection;
use serde_json::{Value as Json, json};

use super::common::{Files, reply, scored, verdict, word};
use super::keys;

/// What `script` says to each case, one JSON a line in and out.
fn python(script: &str, cases: &[Json]) -> Option<Vec<Json>> {
    let child = Command::new("python3")
        .args(["-c", script])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            println!("skipped: python3 cannot be run: {error}");
            return None;
        }
    };
    let mut input = child.stdin.take().expect("a pipe");
    let lines: String = cases.iter().map(|case| format!("{case}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("output");
    writer.join().expect("no panic").expect("written");
    assert!(output.status.success());
    let answers: Vec<Json> = String::from_utf8(output.stdout)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), cases.len());
    Some(answers)
}

fn draw<S: Strategy>(strategy: S, count: usize) -> Vec<S::Value> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| strategy.new_tree(&mut runner).expect("a value").current()).collect()
}

const JSON: &str = r#"
import sys, json
from fractions import Fraction
def constant(word): raise ValueError(word)
def number(text): return ("number", Fraction(text))
def form(v):
    if isinstance(v, list): return ("array", tuple(form(x) for x in v))
    return v if isinstance(v, tuple) else (type(v).__name__, v)
def hashable(items):
    if len({k for k, _ in items}) != len(items): raise ValueError("twice")
    return ("object", frozenset((k, form(v)) for k, v in items))
def read(text): return form(json.loads(text, object_pairs_hook=hashable, parse_int=number, parse_float=number, parse_constant=constant))
for line in sys.stdin:
    key, said = json.loads(line)
    key = read(key)
    try: answer = "right" if read(said) == key else "differs"
    except (ValueError, RecursionError): answer = "not_json"
    print(json.dumps(answer))
"#;

/// The value as JSON, in one of several spellings, and perhaps with something changed.
fn spelled(value: &Value, how: &mut impl Iterator<Item = u8>, change: bool) -> String {
    let mut next = || how.next().unwrap_or(0);
    match value {
        Value::Int(number) if change && next() % 4 == 0 => format!("{}", number.wrapping_add(1)),
        Value::Int(number) => match next() % 4 {
            0 => format!("{number}.0"),
            1 => format!("{number}e0"),
            2 => format!("{number}0E-1"),
            _ => number.to_string(),
        },
        Value::Decimal(_) if change && next() % 4 == 0 => format!("{}1", value.render_text().replace('.', "")),
        Value::Text(text) if change && next() % 4 == 0 => serde_json::to_string(&text.to_uppercase()).expect("JSON"),
        Value::Text(text) if next() % 3 == 0 => {
            let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            format!("\"{units}\"")
        }
        Value::Text(text) => serde_json::to_string(text).expect("JSON"),
        Value::List(items) => {
            let mut items: Vec<String> = items.iter().map(|item| spelled(item, how, change)).collect();
            if change && how.next().unwrap_or(0).is_multiple_of(5) {
                items.reverse();
            }
            format!("[{}]", items.join(" ,\n"))
        }
        Value::Object(fields) => {
            let mut fields: Vec<String> = fields
                .iter()
                .map(|(name, field)| {
                    format!("{}: {}", serde_json::to_string(name).expect("JSON"), spelled(field, how, change))
                })
                .collect();
            fields.reverse();
            if change && how.next().unwrap_or(0).is_multiple_of(5) {
                fields.pop();
            }
            format!("{{{}}}", fields.join(","))
        }
        Value::Null => "null".to_owned(),
        other => other.render_text().into_owned(),
    }
}

/// Floats have a tolerance of their own, and result sets are not JSON's.
fn plain(value: Value) -> Value {
    match value {
        Value::Float(number) => Value::Int(number as i64),
        Value::Rows(_) => Value::Null,
        Value::List(items) => Value::List(items.into_iter().map(plain).collect()),
        Value::Object(fields) => Value::Object(fields.into_iter().map(|(name, value)| (name, plain(value))).collect()),
        other => other,
    }
}

#[test]
fn json_is_the_same_as_python_says() {
    let junk = "(\\[|\\]|\\{|\\}|\"|\"a\"|,|:|1|-|0|\\.|e|true|null|NaN| |\n|\\\\n|\\\\x|\\\\u00e9){0,9}";
    let drawn = draw((keys::json(), prop::collection::vec(any::<u8>(), 40), any::<bool>(), junk), 3000);
    let mut cases = Vec::new();
    for (at, (value, how, change, junk)) in drawn.into_iter().enumerate() {
        let value = plain(value);
        let exact = spelled(&value, &mut std::iter::repeat(7), false);
        let said = if at % 3 == 0 { junk } else { spelled(&value, &mut how.into_iter(), change) };
        cases.push((value, json!([exact, said]), said));
    }
    let asked: Vec<Json> = cases.iter().map(|(_, case, _)| case.clone()).collect();
    let Some(answers) = python(JSON, &asked) else { return };
    let mut seen = std::collections::BTreeMap::new();
    for ((value, _, said), answer) in cases.iter().zip(&answers) {
        let expect = json!({"subject": "reply", "match": "json", "value": value.to_key_json()});
        let verdict = verdict(&expect, said);
        let got = word(&verdict);
        // A blank reply is empty before it is not JSON.
        let got = if got == "empty" { "not_json".to_owned() } else { got };
        assert_eq!(Json::from(got.as_str()), *answer, "{expect}\n{said}\n{:?}", verdict.differences);
        *seen.entry(got).or_insert(0) += 1;
    }
    assert!(seen.len() == 3 && seen.values().all(|count| *count > 200), "{seen:?}");
}

const NUMBERS: &str = r#"
import sys, json, re
from fractions import Fraction
FORM = re.compile(r"([+-]?)\$?((?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)?)(\.[0-9]+|(?<=[0-9])\.(?=[eE]))?([eE][+-]?[0-9]+)?\.?")
for line in sys.stdin:
    key, by, percent, rounded, said = json.loads(line)
    places = len(key.partition(".")[2])
    key = Fraction(key)
    # A comma after one zero is not between groups.
    said = re.sub(r"^([+-]?\$?0),([0-9]{3}(?:[eE][+-]?[0-9]+)?\.?)$", r"\1.\2", said)
    m = FORM.fullmatch(said)
    if not m or not (m[2] or m[3]):
        print(json.dumps("not_a_number")); continue
    got = Fraction(m[1] + (m[2].replace(",", "") or "0") + (m[3] or "") + (m[4] or ""))
    if rounded is not None: tolerance = Fraction(1, 2) / 10 ** rounded
    elif by is None: tolerance = min((abs(key) or 1) / Fraction(10) ** 9, Fraction(1, 2) / 10 ** places)
    else: tolerance = abs(key) * Fraction(by) / 100 if percent else Fraction(by)
    print(json.dumps("right" if abs(got - key) <= tolerance else "differs"))
"#;

#[test]
fn numbers_are_the_same_as_fractions_say() {
    let options = (prop::option::of(0i64..2000), any::<bool>(), prop::option::weighted(0.3, 0u8..4));
    let said = prop_oneof![
        (-3000i64..3000, 0u32..5).prop_map(|(units, places)| (Some((units, places)), String::new())),
        "[+-]?\\$?([0-9]{1,3}(,[0-9]{3}){0,2}|[0-9]{0,5})(\\.[0-9]{0,3})?(e[+-]?[0-9]{1,2})?[.,%]?"
            .prop_map(|text| (None, text)),
    ];
    let drawn = draw((-2_000_000i64..2_000_000, 0u8..5, options, said, 0u8..3), 4000);
    let mut cases = Vec::new();
    for (units, places, (by, percent, rounded), (off, mut text), way) in drawn {
        let key = model::Decimal::new(i128::from(units), places).expect("places");
        if let Some((off, places)) = off {
            let off = model::Decimal::new(i128::from(off), places as u8).expect("places");
            text = key.checked_add(off).expect("a sum").to_string();
            if way == 0 {
                text.push('.');
            }
        }
        if text.is_empty() {
            continue;
        }
        let by = by
            .filter(|_| rounded.is_none())
            .map(|by| model::Decimal::new(i128::from(by), 2).expect("places").to_string());
        let within = by.as_ref().map(|by| format!("{by}{}", if percent { "%" } else { "" }));
        let mut governs = json!({});
        if let Some(within) = within {
            governs["within"] = within.into();
        }
        if let Some(places) = rounded {
            governs["rounded"] = places.into();
        }
        let expect = json!({"subject": "reply", "match": "number", "value": {"decimal": key.to_string()}, "options": {"": governs}});
        cases.push((expect, json!([key.to_string(), by, percent, rounded, text]), text));
    }
    let asked: Vec<Json> = cases.iter().map(|(_, case, _)| case.clone()).collect();
    let Some(answers) = python(NUMBERS, &asked) else { return };
    let mut seen = std::collections::BTreeMap::new();
    for ((expect, _, said), answer) in cases.iter().zip(&answers) {
        let got = word(&verdict(expect, said));
        assert_eq!(Json::from(got.as_str()), *answer, "{expect} {said}");
        *seen.entry(got).or_insert(0) += 1;
    }
    assert!(seen.len() == 3 && seen.values().all(|count| *count > 200), "{seen:?}");
}

const CSV: &str = r#"
import sys, json, csv, io
for line in sys.stdin:
    rows, text, quoting, end = json.loads(line)
    if rows is not None:
        out = io.StringIO()
        csv.writer(out, quoting=quoting, lineterminator=end).writerows(rows)
        text = out.getvalue()
    def read(text): return [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    print(json.dumps([text, read(text), read(text + "\n#")[-1] != [chr(35)]]))
"#;

#[test]
fn csv_is_read_as_python_reads_it() {
    let cell = "[a-c \",\n'é5]{0,4}";
    let rows = (1usize..4).prop_flat_map(move |width| prop::collection::vec(prop::collection::vec(cell, width), 1..5));
    let loose = "([a-b]|[0-9]|,|\"[ab,]?\"|\"\"|\n| ){1,12}";
    let drawn = draw((rows, loose, any::<bool>(), 0u8..2, prop::sample::select(vec!["\n", "\r\n"])), 2000);
    let cases: Vec<Json> =
        drawn
            .into_iter()
            .map(|(rows, loose, written, quoting, end)| {
                if written {
                    json!([rows, null, quoting, end])
                } else {
                    json!([null, format!("h{loose}"), quoting, end])
                }
            })
            .collect();
    let Some(answers) = python(CSV, &cases) else { return };
    let (mut tables, mut ragged) = (0, 0);
    for answer in answers {
        let text = answer[0].as_str().expect("a text");
        let rows: Vec<Vec<String>> = serde_json::from_value(answer[1].clone()).expect("rows");
        let Some((names, rows)) = rows.split_first() else { continue };
        // Read as something else: a rule of Markdown, JSON. Blank text around the table is not part of it.
        if text.trim() != text.trim_matches('\n').trim_matches(['\r', '\n']) || text.trim().is_empty() {
            continue;
        }
        let key = json!({"subject": "reply", "match": "rows", "value": {"columns": names, "rows": rows}, "options": {"": {"ordered": true}}});
        let verdict = verdict(&key, text);
        // Python takes what follows an open quote for one cell, to the end; we say so instead.
        let open = answer[2].as_bool().expect("a bool");
        if open || rows.iter().any(|row| row.len() != names.len()) {
            assert_eq!(word(&verdict), "not_rows", "{text:?} {rows:?}");
            ragged += 1;
        } else {
            assert_eq!(word(&verdict), "right", "{text:?} {names:?} {rows:?} {:?}", verdict.differences);
            tables += 1;
        }
    }
    assert!(tables > 800 && ragged > 100, "{tables} {ragged}");
}

const SQL: &str = r#"
import sys, json, sqlite3
connection = sqlite3.connect(":memory:")
connection.executescript(json.loads(sys.stdin.readline()))
print("[]")
for line in sys.stdin:
    cursor = connection.execute(json.loads(line))
    print(json.dumps([[c[0] for c in cursor.description], cursor.fetchall()]))
"#;

#[test]
fn queries_give_what_pythons_sqlite_gives() {
    let mut script =
        "CREATE TABLE t(id INTEGER PRIMARY KEY, city TEXT, pay REAL, n INT); CREATE TABLE u(tid INT, tag TEXT);"
            .to_owned();
    for id in 1..=60 {
        let city = ["'Boston'", "'O''Hare'", "NULL", "''", "'Zürich'"][id % 5];
        script.push_str(&format!(
            "INSERT INTO t VALUES ({id}, {city}, {}, {});",
            (id * 37 % 101) as f64 / 8.0 + 0.1,
            id * id % 17
        ));
        script.push_str(&format!("INSERT INTO u VALUES ({}, 'g{}');", id * 7 % 60, id % 4));
    }
    let mut queries = Vec::new();
    for filter in ["", " WHERE n > 5", " WHERE city IS NULL", " WHERE pay BETWEEN 2 AND 9.5", " WHERE city LIKE '%o%'"]
    {
        for what in [
            "*",
            "city, COUNT(*), SUM(pay), AVG(n)",
            "COUNT(DISTINCT city), MAX(pay), MIN(n), TOTAL(n), GROUP_CONCAT(n)",
            "id, ROUND(n / 3.0, 1), n * 1.0 / 3, UPPER(city), COALESCE(city, '?')",
            "CASE WHEN n > 8 THEN 'high' ELSE NULL END, n % 3, -id, pay || ''",
        ] {
            let group = if what.starts_with("city, COUNT") { " GROUP BY city" } else { "" };
            queries.push(format!("SELECT {what} FROM t{filter}{group}"));
        }
        queries.push(format!("SELECT t.id, tag FROM t JOIN u ON u.tid = t.id{filter}"));
        queries.push(format!(
            "WITH x AS (SELECT city c, SUM(n) s FROM t{filter} GROUP BY 1) SELECT c, s, RANK() OVER (ORDER BY s) FROM x"
        ));
    }
    let asked: Vec<Json> = std::iter::once(Json::from(script.as_str()))
        .chain(queries.iter().map(|sql| Json::from(sql.as_str())))
        .collect();
    let Some(answers) = python(SQL, &asked) else { return };
    sqlite::init_process().expect("SQLite");
    let mut connection = Connection::open_in_memory().expect("SQLite");
    connection.execute_batch(&script).expect("tables");
    let start = Files::from([("t.db".to_owned(), connection.serialize("main").expect("bytes").to_vec())]);
    for (query, answer) in queries.iter().zip(&answers[1..]) {
        let key = json!({
            "subject": "reply", "match": "sql", "database": "t.db",
            "value": {"columns": answer[0], "rows": answer[1]}
        });
        let verdict = scored(&key, &reply(query), &start).verdicts.remove(0);
        assert_eq!(word(&verdict), "right", "{query} {:?}", verdict.differences);
        // Another query gives other rows, unless there are none.
        let verdict = scored(&key, &reply(&format!("SELECT * FROM ({query}) LIMIT 0")), &start).verdicts.remove(0);
        assert_eq!(word(&verdict) == "right", answer[1].as_array().is_some_and(Vec::is_empty), "{query}");
    }
}
