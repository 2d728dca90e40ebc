//! What a page asks and is answered, natively: the same code runs in the browser (`tests/playground.rs`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use picardc_wasm::Playground;
use picardc_wasm::tables::encode_content;
use serde_json::{Value, json};
use sqlite::Database;
use testing::{read_files, root};

const SUITE: &str = r#"suite sums { title "Sums" version "1.0.0" samples 3 }

## The total of a column.
task total {
  csv orders at "orders.csv" { rows 20  AMOUNT : int 1..900 }
  prompt "What is the total AMOUNT in <<orders>>? Reply with the number only."
  expect reply number sum(orders.AMOUNT)
}
"#;

fn ask(page: &mut Playground, request: &Value) -> Result<Value, String> {
    let answer: Value = serde_json::from_str(&page.answer_request(&request.to_string())).expect("JSON");
    match (answer.get("ok"), answer.get("error")) {
        (Some(ok), None) => Ok(ok.clone()),
        (None, Some(error)) => Err(error.as_str().expect("a sentence").to_owned()),
        _ => panic!("neither ok nor error: {answer}"),
    }
}

fn ok(page: &mut Playground, request: &Value) -> Value {
    ask(page, request).unwrap_or_else(|why| panic!("{request}: {why}"))
}

fn with(text: &str) -> Playground {
    let mut page = Playground::default();
    ok(&mut page, &json!({ "do": "files", "files": [{ "path": "suites/sums.pcd", "text": text }] }));
    page
}

/// One that has an editor's session, with the text open.
fn edited(text: &str) -> Playground {
    let mut page = with(text);
    let capabilities =
        json!({ "textDocument": { "publishDiagnostics": {} }, "workspace": { "textDocumentContent": {} } });
    let begin = json!({ "id": 0, "method": "initialize", "params": { "processId": null, "rootUri": null, "capabilities": capabilities } });
    let begun = ok(&mut page, &json!({ "do": "lsp", "message": begin }));
    assert_eq!(begun[0]["result"]["serverInfo"]["name"], "picardc");
    assert_eq!(begun[0]["jsonrpc"], "2.0");
    let document = json!({ "uri": URI, "languageId": "pcd", "version": 1, "text": text });
    let open = json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } });
    assert_eq!(ok(&mut page, &json!({ "do": "lsp", "message": open })), json!([]));
    page
}

const URI: &str = "file:///suites/sums.pcd";

fn request(page: &mut Playground, method: &str, params: &Value) -> Value {
    let answer = ok(page, &json!({ "do": "lsp", "message": { "id": 7, "method": method, "params": params } }));
    assert_eq!(answer[0]["id"], 7, "{answer}");
    assert!(answer[0].get("error").is_none(), "{answer}");
    answer[0]["result"].clone()
}

#[test]
fn a_suite_is_checked_and_its_instances_are_those_of_a_bundle() {
    let mut page = with(SUITE);
    let checked = ok(&mut page, &json!({ "do": "check", "path": "suites/sums.pcd" }));
    assert_eq!((&checked["errors"], &checked["diagnostics"]), (&json!(0), &json!([])));
    assert_eq!(checked["tasks"][0]["doc"], "The total of a column.");
    assert_eq!((&checked["tasks"][0]["cells"], &checked["tasks"][0]["variants"]), (&json!([""]), &json!([])));
    let lines = ok(&mut page, &json!({ "do": "lines", "path": "suites/sums.pcd", "seed": "7", "from": 1, "to": 9 }));
    assert_eq!((&lines["count"], lines["lines"].as_array().map(Vec::len)), (&json!(3), Some(2)));
    let host = api::Memory::new([("suites/sums.pcd", SUITE)]);
    let suite = api::Suite::compile("suites/sums.pcd", &host);
    let instances = suite.select_instances(api::Options::new("7")).expect("instances");
    let second = instances.get(1).expect("an instance");
    assert_eq!(lines["lines"][0], instances.render_inline(second.made()).expect("no lakes"));
    let shown = ok(&mut page, &json!({ "do": "preview", "path": "suites/sums.pcd", "sample": 2, "seed": "7" }));
    assert_eq!((&shown["id"], &shown["prompt"]), (&json!(second.id()), &json!(second.prompt())));
    assert_eq!(shown["files"][0]["text"].as_str().map(str::as_bytes), Some(&second.files()[0].bytes[..]));
    assert_eq!(shown["expected"][0]["accepted"], json!(second.target()));
    assert_eq!(shown["expected"][0]["subject"], "reply");
}

/// What the page shows, makes, and scores after an edit is of the edited suite.
#[test]
fn an_edited_suite_is_made_again() {
    let mut page = with(SUITE);
    let of =
        |what: &str| json!({ "do": what, "path": "suites/sums.pcd", "task": "total", "seed": "7", "from": 0, "to": 1 });
    let before = ["preview", "lines", "solve", "check"].map(|what| ok(&mut page, &of(what)));
    let other = SUITE.replace("sum(orders.AMOUNT)", "max(orders.AMOUNT)").replace("the total", "the highest");
    ok(&mut page, &json!({ "do": "files", "files": [{ "path": "suites/sums.pcd", "text": other }] }));
    let after = ["preview", "lines", "solve", "check"].map(|what| ok(&mut page, &of(what)));
    for (before, after) in before.iter().zip(&after).take(3) {
        assert_ne!(before, after);
    }
    assert!(
        after[0]["prompt"].as_str().is_some_and(|prompt| prompt.starts_with("What is the highest")),
        "{}",
        after[0]
    );
    let graded = |page: &mut Playground, reply: &Value| {
        let request = json!({ "do": "grade", "path": "suites/sums.pcd", "task": "total", "seed": "7", "reply": reply });
        ok(page, &request)["correct"].clone()
    };
    assert_eq!(graded(&mut page, &after[2]["reply"]), true);
    assert_eq!(graded(&mut page, &before[2]["reply"]), false);
}

#[test]
fn a_reply_is_scored_and_the_oracle_is_right() {
    let mut page = with(SUITE);
    let of = |what: Value| {
        let mut request = json!({ "path": "suites/sums.pcd", "task": "total", "seed": "7" });
        request.as_object_mut().expect("an object").extend(what.as_object().expect("an object").clone());
        request
    };
    let solved = ok(&mut page, &of(json!({ "do": "solve" })));
    let right = ok(&mut page, &of(json!({ "do": "grade", "reply": solved["reply"] })));
    assert_eq!((&right["correct"], &right["score"]), (&json!(true), &json!(1.0)));
    let wrong = ok(&mut page, &of(json!({ "do": "grade", "reply": "-1" })));
    assert_eq!((&wrong["correct"], &wrong["verdicts"][0]["reason"]), (&json!(false), &json!("differs")));
    let file = ok(&mut page, &of(json!({ "do": "file", "file": "orders.csv" })));
    assert!(file["base64"].as_str().is_some_and(|text| text.starts_with("QU1PVU5U")), "AMOUNT: {file}");
    let none = ask(&mut page, &of(json!({ "do": "file", "file": "nope.csv" })));
    assert_eq!(none, Err("`total-1` has no file `nope.csv`".to_owned()));
}

#[test]
fn what_cannot_be_done_is_said_in_a_sentence() {
    let mut page = with("suite s { title \"t\" version \"1\" }\ntask a { prompt \"x\" expct reply text \"y\" }\n");
    let error = ask(&mut page, &json!({ "do": "preview", "path": "suites/sums.pcd" })).expect_err("it has errors");
    assert!(error.starts_with("the suite has "), "{error}");
    let mut page = with(SUITE);
    let error = ask(&mut page, &json!({ "do": "preview", "path": "suites/sums.pcd", "task": "totl" }));
    assert_eq!(error, Err("the suite has no task `totl`".to_owned()));
    let missing = ok(&mut page, &json!({ "do": "check", "path": "suites/none.pcd" }));
    assert_eq!(missing["diagnostics"][0]["code"], "E0211");
    for (request, words) in [
        (json!({ "do": "nothing" }), "the request is not understood"),
        (json!({ "do": "files", "files": [{ "path": "a" }] }), "needs either `text` or `base64`"),
        (json!({ "do": "files", "files": [{ "path": "a", "base64": "?" }] }), "is not base64"),
        (json!({ "do": "explain", "code": "E9999" }), "unknown code `E9999`"),
        (
            json!({ "do": "lsp", "message": { "id": 1, "method": "textDocument/hover", "params": {} } }),
            "send `initialize` first",
        ),
    ] {
        let why = ask(&mut page, &request).expect_err("refused");
        assert!(why.contains(words), "{why}");
    }
    assert!(serde_json::from_str::<Value>(&page.answer_request("{")).is_ok_and(|answer| answer.get("error").is_some()));
}

#[test]
fn pages_of_codes() {
    let mut page = Playground::default();
    let by_id = ok(&mut page, &json!({ "do": "explain", "code": "e0203" }));
    let by_name = ok(&mut page, &json!({ "do": "explain", "code": "unknown_column" }));
    assert_eq!(by_id, by_name);
    assert!(by_id["page"].as_str().is_some_and(|page| page.contains("E0203")));
}

#[test]
fn an_editor_has_diagnostics_fixes_and_the_text_that_is_open() {
    let wrong = SUITE.replace("sum(orders.AMOUNT)", "sum(orders.AMOUN)");
    let mut page = edited(&wrong);
    let told = ok(&mut page, &json!({ "do": "publish" }));
    assert_eq!(told[0]["method"], "textDocument/publishDiagnostics");
    let said = &told[0]["params"]["diagnostics"][0];
    assert_eq!((&said["code"], &said["range"]["start"]["line"]), (&json!("E0203"), &json!(6)));
    assert_eq!(ok(&mut page, &json!({ "do": "publish" })), json!([]), "told once");

    let of = json!({ "textDocument": { "uri": URI }, "range": said["range"], "context": { "diagnostics": [] } });
    let fixes = request(&mut page, "textDocument/codeAction", &of);
    let edit = &fixes[0]["edit"]["changes"][URI][0];
    assert_eq!(edit["newText"], "AMOUNT");
    let change = json!({ "range": edit["range"], "text": edit["newText"] });
    let changed = json!({ "method": "textDocument/didChange", "params": { "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [change] } });
    ok(&mut page, &json!({ "do": "lsp", "message": changed }));
    assert_eq!(ok(&mut page, &json!({ "do": "publish" }))[0]["params"]["diagnostics"], json!([]));
    // The open text is the file.
    let lines = ok(&mut page, &json!({ "do": "lines", "path": "suites/sums.pcd", "seed": "7", "from": 0, "to": 1 }));
    let fresh =
        ok(&mut with(SUITE), &json!({ "do": "lines", "path": "suites/sums.pcd", "seed": "7", "from": 0, "to": 1 }));
    assert_eq!(lines, fresh);
}

#[test]
fn an_editor_is_answered_from_what_was_compiled_last() {
    let mut page = edited(SUITE);
    ok(&mut page, &json!({ "do": "publish" }));
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
    let hover = request(&mut page, "textDocument/hover", &at(6, 30));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("AMOUNT")), "{hover}");
    // A text that was never compiled: completion comes from the last one that was.
    let insert = json!({ "range": { "start": { "line": 6, "character": 22 }, "end": { "line": 6, "character": 40 } }, "text": "sum(orders." });
    let changed = json!({ "method": "textDocument/didChange", "params": { "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [insert] } });
    ok(&mut page, &json!({ "do": "lsp", "message": changed }));
    let offered = request(&mut page, "textDocument/completion", &at(6, 33)).to_string();
    assert!(offered.contains("AMOUNT"), "{offered}");
    let tokens = request(&mut page, "textDocument/semanticTokens/full", &json!({ "textDocument": { "uri": URI } }));
    assert!(tokens["data"].as_array().is_some_and(|data| data.len() > 50));
    let library =
        request(&mut page, "workspace/textDocumentContent", &json!({ "uri": "picardc:/stdlib/1/domains.pcd" }));
    assert!(library["text"].as_str().is_some_and(|text| text.contains("domain word")), "{library}");
}

/// The editor and the page ask about the same text: it is compiled once, so both must see every change.
#[test]
fn what_the_editor_compiled_is_what_the_page_is_given() {
    let mut page = edited(SUITE);
    let told = ok(&mut page, &json!({ "do": "publish" }));
    assert_eq!(told[0]["params"]["diagnostics"], json!([]));
    let check = json!({ "do": "check", "path": "suites/sums.pcd" });
    let lines = json!({ "do": "lines", "path": "suites/sums.pcd", "seed": "7", "from": 0, "to": 3 });
    let alone = |text: &str, request: &Value| ok(&mut with(text), request);
    assert_eq!(ok(&mut page, &check), alone(SUITE, &check));
    assert_eq!(ok(&mut page, &lines), alone(SUITE, &lines));

    // An edit, before and after its diagnostics were asked for.
    let longer = SUITE.replace("rows 20", "rows 25");
    for (version, published) in [(2, false), (3, true)] {
        let text = if published { SUITE } else { &longer };
        let changed = json!({ "method": "textDocument/didChange", "params": { "textDocument": { "uri": URI, "version": version }, "contentChanges": [{ "text": text }] } });
        ok(&mut page, &json!({ "do": "lsp", "message": changed }));
        if published {
            ok(&mut page, &json!({ "do": "publish" }));
        }
        assert_eq!(ok(&mut page, &lines), alone(text, &lines), "version {version}");
    }
    // Other files, while the old text is still open.
    let other = SUITE.replace("1..900", "1..9");
    ok(&mut page, &json!({ "do": "files", "files": [{ "path": "suites/sums.pcd", "text": other }] }));
    assert_eq!(ok(&mut page, &lines), alone(&other, &lines));

    // A file that the open text reads.
    let text = SUITE.replace(
        "csv orders at \"orders.csv\" { rows 20  AMOUNT : int 1..900 }",
        "csv orders at \"orders.csv\" from \"o.csv\"",
    );
    let given = |amount: u32| {
        let read = json!({ "path": "suites/o.csv", "text": format!("AMOUNT\n{amount}\n2\n") });
        json!({ "do": "files", "files": [{ "path": "suites/sums.pcd", "text": text }, read] })
    };
    let mut page = edited(&text);
    for amount in [5, 6] {
        ok(&mut page, &given(amount));
        ok(&mut page, &json!({ "do": "publish" }));
        let made = ok(&mut page, &lines);
        let line: Value = serde_json::from_str(made["lines"][0].as_str().expect("a line")).expect("JSON");
        assert_eq!(line["target"], (amount + 2).to_string(), "{line}");
    }
}

/// The page hands over the same folders.
#[test]
fn every_suite_that_ships_opens() {
    let files: Vec<Value> = read_files(root().join("suites"))
        .into_iter()
        .map(|(name, bytes)| match String::from_utf8(bytes) {
            Ok(text) => json!({ "path": format!("suites/{name}"), "text": text }),
            Err(error) => json!({ "path": format!("suites/{name}"), "base64": STANDARD.encode(error.as_bytes()) }),
        })
        .collect();
    let suites: Vec<String> = files
        .iter()
        .filter_map(|file| file["path"].as_str())
        .filter(|path| path.ends_with(".pcd"))
        .map(str::to_owned)
        .collect();
    assert!(suites.len() >= 16, "{suites:?}");
    let mut page = Playground::default();
    ok(&mut page, &json!({ "do": "files", "files": files }));
    for path in suites {
        let checked = ok(&mut page, &json!({ "do": "check", "path": path }));
        assert_eq!(checked["diagnostics"], json!([]), "{path}");
        for task in checked["tasks"].as_array().expect("tasks") {
            let which = json!({ "path": path, "task": task["name"], "seed": "5" });
            let of = |what: &str| {
                let mut request = which.clone();
                request["do"] = what.into();
                request
            };
            let shown = ok(&mut page, &of("preview"));
            assert!(shown["prompt"].as_str().is_some_and(|prompt| !prompt.is_empty()), "{shown}");
            let solved = ok(&mut page, &of("solve"));
            let mut grade = of("grade");
            grade["reply"] = solved["reply"].clone();
            grade["solved"] = true.into();
            assert_eq!(ok(&mut page, &grade)["correct"], true, "{path} {}", task["name"]);
        }
    }
}

#[test]
fn texts_tables_and_other_bytes() {
    let text = encode_content("a/b.csv", "é,b\n1,2\n".as_bytes());
    assert_eq!(text, json!({ "kind": "text", "format": "csv", "text": "é,b\n1,2\n", "cut": false }));
    let long = encode_content("a", "é".repeat(60_000).as_bytes());
    assert_eq!((long["text"].as_str().map(str::len), &long["cut"]), (Some(60_000), &json!(true)));
    assert_eq!(encode_content("a", b"\xff\0"), json!({ "kind": "binary" }));
    let mut database = Database::new_empty(&sqlite::TOOL).expect("opens");
    let made = "CREATE TABLE \"a \"\"b\" (N INTEGER, T TEXT); INSERT INTO \"a \"\"b\" VALUES (1, NULL), (2, x'00')";
    database.connection().execute_batch(made).expect("runs");
    let shown = encode_content("s.db", &database.to_bytes().expect("serializes"));
    let table =
        json!({ "name": "a \"b", "count": "2", "columns": ["N", "T"], "rows": [["1", "null"], ["2", "1 bytes"]] });
    assert_eq!(shown, json!({ "kind": "database", "tables": [table] }));
}
