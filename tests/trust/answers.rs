//! Right answers called wrong, and wrong ones called right: what the scorer reads and compares.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use records::jsonl::Lines;
use records::{Bundle, Captured, Instance, Reason, Response, Score};
use serde_json::{Value as Json, json};
use testing::{create_folder, expect_success, run_picardc};

pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// An instance with one `expect`, of a bundle made with this scorer.
fn instance(scorer: u32, expect: &Json) -> Instance {
    let line = json!({
        "id": "task-1", "input": "?", "target": "", "files": {},
        "metadata": {"picard": {
            "schema": 1, "scorer": scorer, "suite": "s", "version": "1.0.0", "task": "task", "variant": null, "axis": {}, "sample": 1,
            "draws": {}, "folders": [], "expect": [expect], "tags": [], "canary": null
        }}
    });
    Instance::from_json(&line, None).expect("an instance")
}

/// Why a reply has its verdict; a file `a.txt` has the same content.
pub(super) fn verdict(scorer: u32, expect: &Json, reply: &str, start: &Files) -> Reason {
    let files = vec![("a.txt".to_owned(), Captured::Text { text: reply.to_owned() })];
    let response = Response { id: "task-1".into(), trial: 1, reply: reply.into(), files, ..Response::default() };
    let score = score::score_response(&instance(scorer, expect), Some(&response), 1, start);
    score.verdicts[0].reason
}

pub(super) fn key(matcher: &str, value: Json, options: Json) -> Json {
    json!({"subject": "reply", "match": matcher, "value": value, "options": {"": options}})
}

/// Each reply is right by scorer 2, and was not by scorer 1.
pub(super) fn now_right(expect: &Json, replies: &[&str]) {
    for reply in replies {
        assert_eq!(verdict(2, expect, reply, &Files::new()), Reason::Right, "{expect}\n{reply}");
        assert_ne!(verdict(1, expect, reply, &Files::new()), Reason::Right, "{expect}\n{reply}");
    }
}

/// Each reply is wrong, by both.
pub(super) fn still_wrong(expect: &Json, replies: &[&str]) {
    for reply in replies {
        for scorer in [1, 2] {
            assert_ne!(verdict(scorer, expect, reply, &Files::new()), Reason::Right, "{scorer} {expect}\n{reply}");
        }
    }
}

pub(super) fn decimal(digits: &str) -> Json {
    json!({ "decimal": digits })
}

fn frozen(part: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trust/scorer_1").join(part)
}

/// Every answer of an agent that adds with doubles is right: of 20 instances, all.
#[test]
fn a1_an_agent_that_adds_doubles_is_right_in_every_sample() {
    let suite = r#"
suite money {
  title   "Sums"
  version "1.0.0"
  samples 20
}

task sums {
  csv a at "a.csv" {
    rows 60
    AMT  : decimal 1.00..99.99
    CITY : one_of ["Kiel", "Ulm", "Jena"]
  }
  prompt "Sum the column AMT of <<a>>. Reply with the number only."
  variant number { expect reply number sum(a.AMT) }
  variant json {
    prompt "Sum the column AMT of <<a>>. Reply as JSON: total."
    expect reply json { total: sum(a.AMT) }
  }
  variant rows {
    prompt "Sum the column AMT of <<a>> for each CITY, as CSV."
    expect reply rows <<rows: SELECT CITY, SUM(AMT) AS S FROM a GROUP BY CITY>>
  }
}
"#;
    let folder = create_folder(&[("money.pcd", suite)]);
    expect_success(folder.path(), &["build", "money.pcd", "--seed", "1", "-o", "bundle"]);
    let bundle = Bundle::open_verified(&folder.path().join("bundle")).expect("a bundle");
    let mut right = BTreeMap::new();
    let mut noisy = 0;
    for instance in bundle.open_instances().expect("instances") {
        let instance = instance.expect("an instance");
        let csv = bundle.read_content(&instance.files[0].1).expect("a file");
        let mut sums: BTreeMap<String, f64> = BTreeMap::new();
        let mut total = 0.0;
        for line in std::str::from_utf8(&csv).expect("UTF-8").lines().skip(1) {
            let (amount, city) = line.split_once(',').expect("two cells");
            let amount: f64 = amount.parse().expect("a number");
            total += amount;
            *sums.entry(city.to_owned()).or_default() += amount;
        }
        noisy += u32::from(total.to_string().len() > 9);
        let reply = match instance.variant.as_deref() {
            Some("number") => total.to_string(),
            Some("json") => format!("{{\"total\": {total}}}"),
            _ => sums.iter().fold("CITY,S\n".to_owned(), |text, (city, sum)| format!("{text}{city},{sum}\n")),
        };
        let response = Response { id: instance.id.clone(), trial: 1, reply, ..Response::default() };
        let score = score::score_response(&instance, Some(&response), 1, &());
        *right.entry(instance.variant.clone().unwrap_or_default()).or_insert(0) += u32::from(score.correct);
    }
    assert!(noisy > 20, "the sums carry noise: {noisy}");
    assert_eq!(
        right.into_iter().collect::<Vec<_>>(),
        [("json".into(), 20), ("number".into(), 20), ("rows".into(), 20)]
    );
}

#[test]
fn a1_a_fraction_is_right_within_a_billionth_and_a_whole_number_is_exact() {
    let sum = decimal("88697.29");
    let noise = "88697.28999999998";
    now_right(&key("number", sum.clone(), json!({})), &[noise, "88697.29000000001", "88697.290000000001"]);
    now_right(&key("json", json!({"total": sum}), json!({})), &[&format!("{{\"total\": {noise}}}")]);
    now_right(&key("list", json!([sum, "x"]), json!({})), &[&format!("x\n{noise}")]);
    let rows = json!({"columns": ["CITY", "S"], "rows": [["Kiel", sum], ["Ulm", null]]});
    now_right(
        &key("rows", rows, json!({})),
        &[&format!("c,s\nUlm,\nKiel,{noise}"), &format!("[[\"Ulm\", null], [\"Kiel\", {noise}]]")],
    );
    // A cent off is wrong, whatever the size; so is an option that asks for all digits.
    still_wrong(&key("number", sum.clone(), json!({})), &["88697.28", "88697.3", "88697.2899", "-88697.29"]);
    still_wrong(&key("number", sum, json!({"within": "0"})), &[noise]);
    let large = key("number", decimal("98765432109876.25"), json!({}));
    now_right(&large, &["98765432109876.25390625"]);
    still_wrong(&large, &["98765432109876.26", "98765432109876.24", "98765432109876.3"]);
    // Whole numbers are exact, in every spelling.
    let whole = key("number", json!(42), json!({}));
    assert_eq!(verdict(2, &whole, "42.0", &Files::new()), Reason::Right);
    still_wrong(&whole, &["42.0000000001", "41.99999999999999"]);
    still_wrong(&key("json", json!([42]), json!({})), &["[42.0000000001]"]);
    // A decimal that is whole is a fraction all the same.
    now_right(&key("number", decimal("42.00"), json!({})), &["41.99999999999999", "42.00000000000001"]);
    still_wrong(&key("number", decimal("42.00"), json!({})), &["42.000001", "42.01"]);
    // Nothing has no size: a sum that cancels out leaves the noise of its parts.
    now_right(&key("number", decimal("0.00"), json!({})), &["-2.842170943040401e-14", "0.0000000001"]);
    now_right(&key("number", json!(0.0), json!({})), &["5.6e-17"]);
    still_wrong(&key("number", decimal("0.00"), json!({})), &["0.01", "0.000001"]);
    still_wrong(&key("number", json!(0), json!({})), &["1e-17"]);
    still_wrong(&key("number", decimal("0.00"), json!({"within": "50%"})), &["1e-300"]);
    // The last place of what is asked is never reached by noise.
    still_wrong(&key("number", json!(20_000_000.5), json!({"rounded": 2})), &["20000000.51", "20000000.49"]);
    now_right(&key("number", json!(2.3449999999999998), json!({"rounded": 2})), &["2.35"]);
    still_wrong(&key("number", json!(2.3449), json!({"rounded": 2})), &["2.35"]);
    now_right(&key("number", json!(0.30000000000000004), json!({"within": "0.1"})), &["0.2"]);
    // Each of several accepted answers has its own.
    let several = json!({"subject": "reply", "match": "number", "any_of": [decimal("0.10"), 7], "options": {}});
    now_right(&several, &["0.1000000000000001"]);
    still_wrong(&several, &["7.0000000000001"]);
}

#[test]
fn a1_sql_results_have_the_tolerance_of_what_is_expected() {
    let database = {
        sqlite::init_process().expect("SQLite");
        let mut connection = rusqlite::Connection::open_in_memory().expect("SQLite");
        connection
            .execute_batch(
                "CREATE TABLE t(a REAL, n INTEGER); INSERT INTO t VALUES (0.1, 3000000000), (0.2, 1), (0.3, 2)",
            )
            .expect("a table");
        Files::from([("t.db".to_owned(), connection.serialize("main").expect("bytes").to_vec())])
    };
    let says = |cell: Json, query: &str| {
        let expect = json!({"subject": "reply", "match": "sql", "database": "t.db", "value": {"columns": ["x"], "rows": [[cell]]}});
        [1, 2].map(|scorer| verdict(scorer, &expect, query, &database) == Reason::Right)
    };
    assert_eq!(says(decimal("0.60"), "SELECT SUM(a) FROM t"), [true, true]);
    assert_eq!(says(decimal("0.60"), "SELECT '0.60'"), [false, false]);
    assert_eq!(says(json!(3_000_000_003i64), "SELECT SUM(n) FROM t"), [true, true]);
    assert_eq!(says(json!(3_000_000_003i64), "SELECT SUM(n * 1.0) FROM t"), [true, true]);
    assert_eq!(says(json!(3_000_000_003i64), "SELECT SUM(n) + 1 FROM t"), [false, false]);
    // One more is one more, though it is a double.
    assert_eq!(says(json!(3_000_000_003i64), "SELECT SUM(n) + 1.0 FROM t"), [true, false]);
}

/// Whatever the order of both sides, as many items are paired as can be.
#[test]
fn a1_items_under_a_tolerance_are_paired_in_any_order() {
    // Both fit the first item, only one the second.
    let close =
        key("list", json!([decimal("0.1000000000"), decimal("0.1000000001")]), json!({"within": "0.0000000001"}));
    for reply in ["0.1, 0.0999999999", "0.0999999999, 0.1", "[0.1, 0.0999999999]"] {
        assert_eq!(verdict(2, &close, reply, &Files::new()), Reason::Right, "{reply}");
    }
    // Rows that only their second cell tells apart, more of them than can be tried one by one.
    let count = 3000;
    let rows: Vec<Json> = (0..count).map(|at| json!([decimal("10.10"), format!("name {at:05}")])).collect();
    let expect = key("rows", json!({"columns": ["S", "N"], "rows": rows}), json!({}));
    let line = |at: usize| format!("{},name {at:05}", ["10.1", "10.100000000000001", "10.099999999999998"][at % 3]);
    let mut lines: Vec<String> = (0..count).map(|at| line((at * 7919) % count)).collect();
    let text = format!("S,N\n{}", lines.join("\n"));
    now_right(&expect, &[&text]);
    lines[17] = lines[18].clone();
    still_wrong(&expect, &[&format!("S,N\n{}", lines.join("\n"))]);
    let items: Vec<Json> = (0..count).map(|at| json!({"s": decimal("10.10"), "n": format!("name {at:05}")})).collect();
    let expect = key("json", json!(items), json!({"ordered": false}));
    let mut found: Vec<Json> =
        (0..count).map(|at| json!({"n": format!("name {:05}", (at * 7919) % count), "s": 10.1})).collect();
    now_right(&expect, &[&Json::from(found.clone()).to_string()]);
    found[17] = found[18].clone();
    still_wrong(&expect, &[&Json::from(found).to_string()]);
}

#[test]
fn a2_number_text_and_matches_open_a_reply_that_is_one_fenced_block() {
    now_right(
        &key("number", json!(42), json!({})),
        &["```\n42\n```", "```text\n42\n```\n", "~~~\n 42 \n~~~", "```\n42"],
    );
    now_right(&key("text", json!("New York"), json!({})), &["```\nNew York\n```", "\u{feff}```\nNew York  \n```"]);
    now_right(&key("matches", json!("[A-Z]{3}-\\d{2}"), json!({})), &["```\nABC-12\n```"]);
    still_wrong(
        &key("number", json!(42), json!({})),
        &["```\n43\n```", "It is\n```\n42\n```", "```\n42\n```\n```\n42\n```", "```\n```"],
    );
    still_wrong(&key("text", json!("New York"), json!({})), &["```\nNew York City\n```", "`New York`"]);
    // An answer that is a block itself is right as it is, and inside of another.
    let block = "```\nx\n```";
    for reply in [block, "````\n```\nx\n```\n````"] {
        assert_eq!(verdict(2, &key("text", json!(block), json!({})), reply, &Files::new()), Reason::Right, "{reply}");
    }
    // Parts: what stands in the block is the last line, and what follows the mark.
    let part = |slice: Json| json!({"subject": "reply", "slice": slice, "match": "number", "value": 42});
    now_right(&part(json!("last_line")), &["```\n41\n42\n```", "I added.\n```\n42\n```\n"]);
    now_right(&part(json!({"after": "Answer:"})), &["Answer:\n```\n42\n```", "```\nAnswer: 42\n```"]);
    still_wrong(&part(json!("last_line")), &["```\n42\n41\n```", "42\n```\n41\n```"]);
    still_wrong(&part(json!({"after": "Answer:"})), &["```\nAnswer: 42\nor 43\n```"]);
    // A part that is a block already is not opened again; and a file has no fence.
    let fenced = json!({"subject": "reply", "slice": {"fenced": null}, "match": "number", "value": 42});
    assert_eq!(verdict(2, &fenced, "```\n42\n```", &Files::new()), Reason::Right);
    still_wrong(&fenced, &["````\n```\n42\n```\n````"]);
    still_wrong(&json!({"subject": {"file": "a.txt"}, "match": "number", "value": 42}), &["```\n42\n```"]);
    // A mark at the very end of the block, or in its fence, is no crash.
    for mark in ["```", "Answer:\n", "\n```", "x"] {
        let expect = json!({"subject": "reply", "slice": {"after": mark}, "match": "number", "value": 42});
        assert_ne!(verdict(2, &expect, "```x\nAnswer:\n```", &Files::new()), Reason::Right, "{mark}");
    }
}

const NFC: &str = "Zürich";
const NFD: &str = "Zu\u{308}rich";

#[test]
fn a3_texts_that_differ_in_unicode_form_only_are_one_text() {
    for (key_text, said) in [(NFC, NFD), (NFD, NFC)] {
        let quoted = |text: &str| format!("\"{text}\"");
        now_right(&key("text", json!(key_text), json!({})), &[said, &format!("```\n{said}\n```")]);
        now_right(&key("text", json!(key_text), json!({"ignore": ["case"]})), &[&said.to_uppercase()]);
        now_right(&key("contains", json!(key_text), json!({})), &[&format!("It is {said}.")]);
        now_right(&key("matches", json!(format!("{key_text}|Ulm")), json!({})), &[said]);
        now_right(
            &key("list", json!([key_text, "Ulm"]), json!({})),
            &[&format!("- Ulm\n- {said}"), &format!("[\"Ulm\", \"{said}\"]")],
        );
        now_right(&key("json", json!({"city": key_text}), json!({})), &[&format!("{{\"city\": {}}}", quoted(said))]);
        let object = format!("{{{}: 5}}", quoted(said));
        now_right(&key("json", json!({key_text: 5}), json!({})), &[&object]);
        let rows = json!({"columns": [key_text, "N"], "rows": [[key_text, 5], ["Ulm", 6]]});
        let objects = format!("[{{\"N\": 6, \"{said}\": \"Ulm\"}}, {{\"{said}\": \"{said}\", \"N\": 5}}]");
        now_right(&key("rows", rows, json!({})), &[&format!("c,n\nUlm,6\n{said},5"), &objects]);
        now_right(&json!({"subject": {"file": "a.txt"}, "match": "text", "value": key_text}), &[said]);
        now_right(
            &json!({"subject": "reply", "slice": {"after": format!("{key_text}:")}, "match": "number", "value": 5}),
            &[&format!("{said}: 5")],
        );
    }
    now_right(&key("json", json!(NFC), json!({})), &["\"Zu\\u0308rich\""]);
    still_wrong(&key("text", json!(NFC), json!({})), &["Zurich", "Zu\u{301}rich", "zürich"]);
    still_wrong(&key("contains", json!("Zu"), json!({})), &[NFC, NFD]);
    still_wrong(&key("json", json!({NFC: 5}), json!({})), &[&format!("{{\"{NFC}\": 5, \"{NFD}\": 5}}")]);
    // A query is run as it is written: the database may have either form.
    sqlite::init_process().expect("SQLite");
    let mut connection = rusqlite::Connection::open_in_memory().expect("SQLite");
    connection
        .execute_batch(&format!("CREATE TABLE t(c TEXT, n INT); INSERT INTO t VALUES ('{NFD}', 5)"))
        .expect("a table");
    let start = Files::from([("t.db".to_owned(), connection.serialize("main").expect("bytes").to_vec())]);
    let expect = json!({"subject": "reply", "match": "sql", "database": "t.db", "value": {"columns": ["n", "c"], "rows": [[5, NFC]]}});
    assert_eq!(verdict(2, &expect, &format!("SELECT n, c FROM t WHERE c = '{NFD}'"), &start), Reason::Right);
    assert_ne!(verdict(1, &expect, &format!("SELECT n, c FROM t WHERE c = '{NFD}'"), &start), Reason::Right);
    assert_ne!(verdict(2, &expect, &format!("SELECT n, c FROM t WHERE c = '{NFC}'"), &start), Reason::Right);
}

#[test]
fn a3_characters_without_width_are_blanks_at_the_ends() {
    for mark in ["\u{200b}", "\u{feff}", "\u{2060}"] {
        let around = |text: &str| format!("{mark}{text}{mark}");
        for scorer in [1, 2] {
            assert_eq!(
                verdict(scorer, &key("text", json!("Ulm"), json!({})), &around("Ulm"), &Files::new()),
                Reason::Right
            );
        }
        now_right(&key("list", json!([5, 6]), json!({})), &[&format!("{}\n{}", around("6"), around("5"))]);
        now_right(&key("number", json!(5), json!({})), &[&format!("```\n{}\n```", around("5"))]);
        let rows = json!({"columns": ["c", "n"], "rows": [["Ulm", 5]]});
        now_right(&key("rows", rows, json!({})), &[&format!("c,n\nUlm,{}", around("5"))]);
        let last = json!({"subject": "reply", "slice": "last_line", "match": "number", "value": 5});
        now_right(&last, &[&format!("```\n5\n{mark}\n```")]);
        // In the middle of a text they are part of it.
        still_wrong(&key("text", json!("Ulm"), json!({})), &[&format!("U{mark}lm")]);
    }
}

#[test]
fn a4_thoughts_inside_a_harmony_message_are_taken_out_of_it() {
    let number = key("number", json!(42), json!({}));
    let said = |message: &str| {
        format!(
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{message}<|return|>"
        )
    };
    now_right(
        &number,
        &[
            "<|channel|>final<|message|><think>a</think>42",
            &said("<thinking>a</thinking>42"),
            &said("</reasoning>42"),
            &said("<analysis>a</analysis>42"),
        ],
    );
    still_wrong(
        &number,
        &[&said("<think>42"), &said("<think>42</think>41"), "<|channel|>analysis<|message|>42<|end|>"],
    );
    // Outside of that form, each of the four words does what the manual says.
    for tag in ["think", "thinking", "reasoning", "thought"] {
        for reply in
            [format!("<{tag}>a</{tag}>42"), format!("a</{tag}>42"), format!("4<{}>a</{tag}>2", tag.to_uppercase())]
        {
            assert_eq!(verdict(2, &number, &reply, &Files::new()), Reason::Right, "{reply}");
        }
        assert_eq!(verdict(2, &number, &format!("<{tag}>42"), &Files::new()), Reason::Empty);
    }
    for tag in ["analysis", "reflection", "internal"] {
        assert_eq!(verdict(2, &number, &format!("<{tag}>a</{tag}>42"), &Files::new()), Reason::Right);
        assert_ne!(verdict(2, &number, &format!("a</{tag}>42"), &Files::new()), Reason::Right);
    }
}

/// A score without what the form of a run adds to it.
fn essence(score: &Score) -> Json {
    json!([score.trial, score.correct, score.score, score.status, score.verdicts])
}

/// A bundle made by the first scorer, with responses of every kind, keeps the scores that were written then.
#[test]
fn scorer_1_bundles_keep_their_scores() {
    let bundle = Bundle::open_verified(&frozen("bundle")).expect("a bundle");
    let instance = bundle.open_instances().expect("instances").next().expect("one").expect("an instance");
    assert_eq!(instance.scorer, model::Scorer::One);
    let start: Files = instance
        .files
        .iter()
        .map(|(path, content)| (path.clone(), bundle.read_content(content).expect("a file").into_owned()))
        .collect();
    let mut responses = Lines::open_growing(&frozen("run/responses.jsonl")).expect("responses");
    let mut scores = Lines::open_growing(&frozen("run/scores.jsonl")).expect("scores");
    let (mut count, mut moved) = (0, 0);
    while let (Some(response), Some(was)) = (responses.next_value::<Response>(), scores.next_value::<Score>()) {
        let (response, was) = (response.expect("a response"), was.expect("a score"));
        let is = score::score_response(&instance, Some(&response), response.trial, &start);
        assert_eq!(essence(&is), essence(&was), "{}", response.reply);
        let newer = Instance { scorer: model::Scorer::Two, ..instance.clone() };
        moved += usize::from(
            essence(&score::score_response(&newer, Some(&response), response.trial, &start)) != essence(&was),
        );
        count += 1;
    }
    assert!(count == 55 && moved >= 15, "{count} responses, of which {moved} tell the scorers apart");
}

/// The same through the command.
#[test]
fn scorer_1_bundles_are_scored_by_the_command_as_they_were() {
    let folder = create_folder(&[]);
    for part in ["run.json", "instances.jsonl", "responses.jsonl"] {
        testing::write_in_folder(
            folder.path(),
            &format!("run/{part}"),
            &fs::read(frozen("run").join(part)).expect("a file"),
        );
    }
    let bundle = frozen("bundle");
    expect_success(folder.path(), &["score", bundle.to_str().expect("a path"), "run"]);
    let read = |path: &Path| {
        let mut lines = Lines::open_growing(path).expect("scores");
        let mut out = Vec::new();
        while let Some(score) = lines.next_value::<Score>() {
            out.push(essence(&score.expect("a score")));
        }
        out
    };
    assert_eq!(read(&folder.path().join("run/scores.jsonl")), read(&frozen("run/scores.jsonl")));
}

#[test]
fn a_scorer_that_is_not_known_is_said_and_nothing_is_scored() {
    let folder = create_folder(&[]);
    let instances = fs::read_to_string(frozen("bundle/instances.jsonl")).expect("instances");
    let newer = instances.replacen("\"scorer\":1", "\"scorer\":4", 1);
    testing::write_in_folder(folder.path(), "bundle/instances.jsonl", newer.as_bytes());
    for part in ["files/numbers-1/t.csv", "files/numbers-1/t.db"] {
        testing::write_in_folder(
            folder.path(),
            &format!("bundle/{part}"),
            &fs::read(frozen("bundle").join(part)).expect("a file"),
        );
    }
    // A newer picardc wrote it: its manifest has the digest of these very lines.
    let manifest: Json =
        serde_json::from_slice(&fs::read(frozen("bundle/manifest.json")).expect("a file")).expect("JSON");
    testing::write_in_folder(folder.path(), "bundle/manifest.json", manifest.to_string().as_bytes());
    let error = Bundle::open_unverified(&folder.path().join("bundle")).expect_err("not known");
    assert_eq!(error.message, "instance `numbers-1`: it needs scorer 4, but this picardc has scorers 1, 2, 3");
    let output = run_picardc(folder.path(), &["run", "bundle", "--agent", "null", "-o", "run", "--unverified"]);
    assert!(!output.status.success(), "{}", output.err);
    assert!(!folder.path().join("run/scores.jsonl").exists());
}
