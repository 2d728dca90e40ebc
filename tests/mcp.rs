//! `picardc mcp`: the tools for assistants, over the protocol, with the program itself.

use std::path::Path;

use serde_json::{Value as Json, json};
use testing::{InteractiveProcess, create_folder, root, run_picardc_with_input, write_in_folder};

/// A suite with one mistake, which a safe fix repairs.
const WRONG: &str = r#"suite shop { title "Shop" version "1.0.0" samples 20 }

task total {
  csv orders at "orders.csv" { rows 20..90  AMOUNT : int 1..900 }
  prompt "What is the total AMOUNT in <<orders>>? Reply with the number only."
  expect reply number coalesce(sum(orders.AMUONT), 0)
}
"#;

fn right() -> String {
    WRONG.replace("AMUONT", "AMOUNT")
}

/// The answers to these requests, in order.
fn asked(folder: impl AsRef<Path>, flags: &[&str], requests: &[(&str, Json)]) -> Vec<Json> {
    let lines: String = (1..)
        .zip(requests)
        .map(|(id, (method, params))| {
            format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
        })
        .collect();
    let ran = run_picardc_with_input(folder, &[&["mcp"], flags].concat(), &lines);
    assert_eq!((ran.status.code(), ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let answers: Vec<Json> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), requests.len(), "{}", ran.out);
    answers
}

/// What one call of a tool comes to.
fn called(folder: impl AsRef<Path>, tool: &str, arguments: Json) -> Told {
    let answers = asked(folder, &[], &[("tools/call", json!({"name": tool, "arguments": arguments}))]);
    Told::of(&answers[0])
}

struct Told {
    text: String,
    data: Json,
    is_error: bool,
}

impl Told {
    fn of(answer: &Json) -> Told {
        let result = &answer["result"];
        Told {
            text: result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned(),
            data: result["structuredContent"].clone(),
            is_error: result["isError"].as_bool().expect("it says so"),
        }
    }
}

#[test]
fn an_assistant_repairs_a_suite() {
    let home = create_folder(&[("shop.pcd", WRONG)]);
    let session = asked(
        home.path(),
        &[],
        &[
            (
                "initialize",
                json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
            ),
            ("tools/list", json!({})),
            ("tools/call", json!({"name": "explain"})),
            ("tools/call", json!({"name": "check", "arguments": {"path": "shop.pcd"}})),
            ("tools/call", json!({"name": "explain", "arguments": {"code": "E0203"}})),
            ("tools/call", json!({"name": "check", "arguments": {"path": "shop.pcd", "fix": true}})),
            ("tools/call", json!({"name": "check", "arguments": {"path": "shop.pcd", "source": right()}})),
        ],
    );
    let hello = &session[0]["result"];
    assert_eq!(hello["serverInfo"]["name"], "picardc");
    assert!(hello["instructions"].as_str().is_some_and(|text| text.contains("`explain`")), "{hello}");
    let tools = session[1]["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["check", "explain", "preview", "analyze", "selftest", "fmt"]);
    assert!(
        tools.iter().all(|tool| tool["inputSchema"]["type"] == "object" && tool["annotations"]["readOnlyHint"] == true)
    );

    let card = Told::of(&session[2]);
    assert_eq!(card.text, std::fs::read_to_string(root().join("docs/language-card.md")).expect("the card"));

    let wrong = Told::of(&session[3]);
    assert!(!wrong.is_error);
    assert!(wrong.text.starts_with("error[E0203] unknown_column"), "{}", wrong.text);
    assert!(wrong.text.contains("shop.pcd:6:43") && wrong.text.ends_with("1 error"), "{}", wrong.text);
    assert_eq!(
        (&wrong.data["errors"], &wrong.data["warnings"], &wrong.data["left_out"]),
        (&json!(1), &json!(0), &json!(0))
    );
    let said = &wrong.data["diagnostics"][0];
    assert_eq!((&said["code"], &said["line"], &said["column"]), (&json!("E0203"), &json!(6), &json!(43)));
    assert_eq!(said["fixes"][0]["edits"][0]["text"], "AMOUNT");

    assert!(Told::of(&session[4]).text.starts_with("# E0203"), "{}", Told::of(&session[4]).text);

    let fixed = Told::of(&session[5]);
    assert_eq!(fixed.data["changed"], json!([{"path": "shop.pcd", "source": right()}]));
    assert!(
        fixed.text.starts_with("fixed shop.pcd:6:43: ") && fixed.text.ends_with("no errors, no warnings"),
        "{}",
        fixed.text
    );
    let done = Told::of(&session[6]);
    assert_eq!((done.text.as_str(), &done.data["diagnostics"]), ("no errors, no warnings", &json!([])));
    // Nothing was written.
    assert_eq!(std::fs::read_to_string(home.path().join("shop.pcd")).expect("there"), WRONG);
}

/// A session is asked, the file is edited, and it is asked again: nothing is kept from before.
#[test]
fn an_edited_suite_is_read_again() {
    let home = create_folder(&[("shop.pcd", WRONG)]);
    let mut assistant = InteractiveProcess::new(home.path(), &["mcp"]);
    let mut call = |tool: &str| -> Told {
        let params = json!({"name": tool, "arguments": {"path": "shop.pcd"}});
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let line = assistant.ask_line(&request.to_string());
        Told::of(&serde_json::from_str(&line).expect("JSON"))
    };
    assert_eq!(call("check").data["errors"], 1);
    write_in_folder(home.path(), "shop.pcd", right().as_bytes());
    assert_eq!(call("check").data["errors"], 0);
    assert!(call("preview").text.contains("What is the total AMOUNT"));
    // The same length, and at once: neither size nor time tells it.
    write_in_folder(home.path(), "shop.pcd", right().replace("What is the", "Tell me the").as_bytes());
    assert!(call("preview").text.contains("Tell me the total AMOUNT"));
    assert_eq!(assistant.wait_for_end(), Some(0));
}

#[test]
fn what_a_suite_gives() {
    let home = create_folder(&[]);
    let about = |tool: &str, more: Json| {
        let mut arguments = json!({"source": right()});
        arguments.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        called(home.path(), tool, arguments)
    };
    let preview = about("preview", json!({"sample": 2, "seed": "7"}));
    assert!(preview.text.starts_with("total-2\nsample 2, seed 7\n"), "{}", preview.text);
    assert!(preview.text.contains("\nexpected\n  reply number\n"), "{}", preview.text);
    assert_eq!(preview.data, Json::Null);
    // It is what the command shows.
    write_in_folder(home.path(), "shop.pcd", right().as_bytes());
    let shown = testing::expect_success(home.path(), &["preview", "shop.pcd", "--sample", "2", "--seed", "7"]);
    assert_eq!(preview.text, shown);

    let analysis = about("analyze", json!({"samples": 50}));
    assert!(analysis.text.contains("50 instances built with seed 1"), "{}", analysis.text);
    assert_eq!((&analysis.data["good"], &analysis.data["samples"]), (&json!(true), &json!(50)));
    let command = testing::expect_success(home.path(), &["analyze", "shop.pcd", "--samples", "50", "--json"]);
    assert_eq!(analysis.data, serde_json::from_str::<Json>(&command).expect("JSON"));

    let tried = about("selftest", json!({}));
    assert_eq!((&tried.data["sound"], &tried.data["samples"]), (&json!(true), &json!(20)));
    let command = testing::expect_success(home.path(), &["selftest", "shop.pcd", "--json"]);
    assert_eq!(tried.data, serde_json::from_str::<Json>(&command).expect("JSON"));

    let laid_out = called(home.path(), "fmt", json!({"source": "suite s{title \"S\" version \"1.0.0\"}"}));
    assert_eq!(laid_out.data["changed"], true);
    assert_eq!(laid_out.text, "suite s { title \"S\"  version \"1.0.0\" }\n");
}

#[test]
fn what_is_wrong_is_said() {
    let home = create_folder(&[("part.pcd", "domain grade = one_of [\"A\", \"B\"]\n")]);
    let refused = |tool: &str, arguments: Json| {
        let told = called(home.path(), tool, arguments);
        assert!(told.is_error, "{}", told.text);
        told.text
    };
    assert_eq!(refused("check", json!({})), "error: give `source`, the text of a suite, or `path`, a .pcd file");
    assert_eq!(refused("check", json!({"path": 7})), "error: `path` must be a string");
    assert!(refused("check", json!({"path": "none.pcd"})).starts_with("error: cannot read `none.pcd`: "));
    assert_eq!(
        refused("explain", json!({"code": "unknown_colum"})),
        "error: unknown code `unknown_colum`; did you mean `unknown_column`?"
    );
    assert!(refused("preview", json!({"source": WRONG})).starts_with("the suite has errors:\n\nerror[E0203]"));
    assert!(refused("preview", json!({"source": right(), "task": "totl"})).contains("did you mean `total`?"));
    assert!(refused("fmt", json!({"source": "suite {"})).contains("call `check` for all of them"));
    let never =
        right().replace("rows 20..90", "rows n").replace("  prompt", "  n : int 20..901\n  require n > 900\n  prompt");
    assert!(refused("selftest", json!({"source": never, "samples": 200})).starts_with("error[E0902]"));
    // What suites use is not a suite, and is right.
    assert_eq!(called(home.path(), "check", json!({"path": "part.pcd"})).text, "no errors, no warnings");

    let unknown = asked(home.path(), &[], &[("tools/call", json!({"name": "build", "arguments": {}}))]);
    assert_eq!(unknown[0]["error"]["code"], -32602);
    assert!(unknown[0]["error"]["message"].as_str().is_some_and(|text| text.contains("`selftest`")), "{}", unknown[0]);
}

#[test]
fn no_path_leaves_the_folder() {
    let home = create_folder(&[("in/a.pcd", &right()), ("secret.pcd", &right()), ("words.txt", "one\ntwo\n")]);
    let inside = home.path().join("in");
    let absolute = home.path().join("secret.pcd").display().to_string();
    let mut paths = vec!["../secret.pcd", "./a.pcd", "x/../../secret.pcd", "/etc/passwd", "", &absolute];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(home.path().join("secret.pcd"), inside.join("link.pcd")).expect("linked");
        std::os::unix::fs::symlink(home.path(), inside.join("up")).expect("linked");
        std::os::unix::fs::symlink("nowhere", inside.join("lost.pcd")).expect("linked");
        paths.extend(["link.pcd", "up/secret.pcd", "up/new.pcd", "lost.pcd"]);
    }
    for path in paths {
        for arguments in [json!({"path": path}), json!({"path": path, "source": right()})] {
            let told = called(&inside, "check", arguments);
            assert!(told.is_error && told.text.contains("is not a path below the folder"), "{path}: {}", told.text);
        }
    }
    // Nor do the files that a suite uses.
    let uses = "suite s { title \"S\" version \"1.0.0\" }\ntask t { w : one_of lines \"../words.txt\"  prompt \"Say <<w>>.\" expect reply text w }\n";
    let told = called(&inside, "check", json!({"source": uses, "path": "new.pcd"}));
    assert_eq!(told.data["errors"], 1, "{}", told.text);
    // From the folder above, both are below it.
    let flags = ["--folder", home.path().to_str().expect("UTF-8")];
    let told = asked(&inside, &flags, &[("tools/call", json!({"name": "check", "arguments": {"path": "in/a.pcd"}}))]);
    assert_eq!(Told::of(&told[0]).text, "no errors, no warnings");
    let ran = run_picardc_with_input(&inside, &["mcp", "--folder", "none"], "");
    assert_eq!(ran.status.code(), Some(3), "{}", ran.err);
}

#[test]
fn what_is_returned_is_bounded() {
    let home = create_folder(&[]);
    let many: String = (0..400).map(|at| format!("  v{at} = unknown_{at}\n")).collect();
    let source = format!(
        "suite s {{ title \"S\" version \"1.0.0\" }}\ntask t {{\n{many}  prompt \"p\" expect reply number 1\n}}\n"
    );
    let told = called(home.path(), "check", json!({"source": source}));
    assert!(told.text.chars().count() < 33_000, "{}", told.text.len());
    assert_eq!(told.data["diagnostics"].as_array().expect("diagnostics").len(), 50);
    let all = told.data["errors"].as_u64().expect("a number") + told.data["warnings"].as_u64().expect("a number");
    assert_eq!(told.data["left_out"].as_u64(), Some(all - 50));
    // What steers a terminal, or hides what is read, is written out.
    let told = called(home.path(), "check", json!({"source": "suite s { title \"\u{1b}[2J\u{202e}\" }"}));
    assert!(!told.text.contains(['\u{1b}', '\u{202e}']), "{:?}", told.text);
}

/// While one call takes long, pings are answered. It is cancelled, as is one that waits, and the next is made at once.
#[test]
fn a_long_call_keeps_nobody_waiting() {
    let home = create_folder(&[]);
    let slow = right().replace("rows 20..90", "rows 200_000");
    let call = |id: u32, tool: &str, source: &str| {
        let arguments =
            if tool == "check" { json!({"source": source}) } else { json!({"source": source, "samples": 200}) };
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
    };
    let cancelled = |id: u32| {
        let params = json!({"requestId": id, "reason": "no longer needed"});
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    };
    for tool in ["analyze", "selftest"] {
        let mut assistant = InteractiveProcess::new(home.path(), &["mcp"]);
        let begun = std::time::Instant::now();
        assistant.send_line(&call(1, tool, &slow).to_string());
        assistant.send_line(&call(2, tool, &slow).to_string());
        for id in 10..20 {
            let pong = assistant.ask_line(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string());
            let pong: Json = serde_json::from_str(&pong).expect("JSON");
            assert_eq!(pong, json!({"jsonrpc": "2.0", "id": id, "result": {}}));
        }
        // Not yet: 50 seconds are the longest that a call takes.
        assistant.send_line(&cancelled(1).to_string());
        assistant.send_line(&cancelled(2).to_string());
        assistant.send_line(&cancelled(99).to_string());
        let answer: Json =
            serde_json::from_str(&assistant.ask_line(&call(3, "check", &right()).to_string())).expect("JSON");
        assert_eq!((&answer["id"], Told::of(&answer).is_error), (&json!(3), false), "{answer}");
        assert!(begun.elapsed().as_secs() < 45, "{tool}: {:?}", begun.elapsed());
        assert_eq!(assistant.wait_for_end(), Some(0));
    }
}

/// A request that is too long is answered, with its id at whatever place, and the session goes on.
#[test]
fn a_request_that_is_too_long_is_answered() {
    let home = create_folder(&[]);
    let mut assistant = InteractiveProcess::new(home.path(), &["mcp"]);
    let source = format!("# {}\n{}", "x".repeat(17 << 20), right());
    let params = json!({"name": "check", "arguments": {"source": source}});
    for (id, line) in [
        (json!(7), json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})),
        (json!("last"), json!({"method": "tools/call", "params": params, "jsonrpc": "2.0", "id": "last"})),
    ] {
        let answer: Json = serde_json::from_str(&assistant.ask_line(&line.to_string())).expect("JSON");
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(-32600)));
        let why = answer["error"]["message"].as_str().expect("text");
        assert!(why.contains("longer than 16 MiB"), "{why}");
    }
    let pong: Json = serde_json::from_str(&assistant.ask_line(r#"{"id":8,"method":"ping"}"#)).expect("JSON");
    assert_eq!(pong["id"], 8);
    assert_eq!(assistant.wait_for_end(), Some(0));
}
