//! Four scripted agents answer the questions of `suites/trades` as four variants of one run: one is perfect, one repairs after an error, one never does, and one
//! does what the question's number says. What `picardc report` says of each equals what `tests/python/agent_figures.py` computes from the transcripts.

#![cfg(unix)]

#[path = "figures/agents.rs"]
mod agents;
#[allow(dead_code, reason = "shared with the tests of runs")]
#[path = "run/chat.rs"]
mod chat;
#[allow(dead_code, reason = "shared with the tests of runs")]
#[path = "run/server.rs"]
mod server;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use serde_json::Value as Json;
use testing::{Ran, has_python, root, succeeds};

use agents::{ARMS, Agents, Gold};
use server::Server;

/// The questions whose gold query can be used and has no text in double quotes.
fn gold() -> Vec<Gold> {
    let read = |path: &str| fs::read_to_string(root().join("suites/trades").join(path)).expect("a file");
    let good: Vec<bool> = read("verdicts.csv").lines().skip(1).map(|line| line.ends_with(",good")).collect();
    let questions: Json = serde_json::from_str(&read("bird/dev.json")).expect("JSON");
    let text = |row: &Json, key: &str| row[key].as_str().expect("a text").to_owned();
    let all = questions.as_array().expect("a list").iter().zip(good);
    let usable =
        all.filter(|(row, good)| *good && ![3, 17, 19, 35, 45].contains(&row["question_id"].as_i64().expect("an id")));
    usable
        .map(|(row, _)| Gold {
            id: row["question_id"].as_u64().expect("an id"),
            db_id: text(row, "db_id"),
            question: text(row, "question"),
            sql: text(row, "SQL").trim_end_matches(';').to_owned(),
        })
        .collect()
}

/// A suite with a task for each question, and a variant for each agent.
fn suite(gold: &[Gold]) -> String {
    let mut text = "suite trades { title \"Trades\" version \"1.0.0\" samples 1 }\n".to_owned();
    for Gold { id, db_id, question, sql } in gold {
        let variants: String =
            ARMS.iter().map(|arm| format!("  variant {arm} {{ prompt \"You are {arm}.\" }}\n")).collect();
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\ntask q{id} {{\n  sqlite {db_id} at \"{db_id}.sqlite\" from \"trades/bird/dev_databases/{db_id}/{db_id}.sqlite\"\n  \
             prompt \"{question} Reply with one query for <<{db_id}>> in a fenced block marked `sql`.\"\n  \
             expect reply fenced \"sql\" sql {db_id} <<rows: {}>>\n{variants}}}\n",
            of(db_id, sql)
        );
    }
    text
}

/// The same query with its tables under the names that a suite gives them. `line` and `y` are names of the queries' own.
fn of(db_id: &str, sql: &str) -> String {
    let table = regex::Regex::new(r#"\b(FROM|JOIN) ("[^"]+"|\w+)"#).expect("a pattern");
    let named = |found: &regex::Captures<'_>| match &found[2] {
        own @ ("line" | "y") => format!("{} {own}", &found[1]),
        table => format!("{} {db_id}.{table}", &found[1]),
    };
    table.replace_all(sql, named).into_owned()
}

/// The sum of a measure over all tasks, in one variant.
fn total(reported: &Json, what: &str, arm: &str) -> u64 {
    let costs = reported["costs"].as_array().expect("costs");
    let cost = costs.iter().find(|cost| cost["what"] == what).unwrap_or_else(|| panic!("{what} is not reported"));
    let tasks = cost["arms"].as_array().expect("arms").iter().flat_map(|task| task["arms"].as_array().expect("arms"));
    tasks.filter(|of| of["name"] == arm).map(|of| of["spread"]["total"].as_f64().expect("a total") as u64).sum()
}

/// What Python computes.
fn computed(bundle: &std::path::Path, run: &std::path::Path) -> BTreeMap<String, Json> {
    let script = root().join("tests/python/agent_figures.py");
    let ran: Ran = Command::new("python3")
        .arg(script)
        .args([bundle, run])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it starts")
        .into();
    assert!(ran.status.success(), "{}", ran.said());
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn what_is_reported_of_agents_is_what_python_computes() {
    if !has_python() {
        return;
    }
    let home = tempfile::tempdir().expect("temp");
    let at = home.path();
    for (path, content) in testing::files(root().join("suites/trades/bird")) {
        testing::write(at, &format!("trades/bird/{path}"), &content);
    }
    let gold = gold();
    fs::write(at.join("trades.pcd"), suite(&gold)).expect("written");
    succeeds(at, &["build", "trades.pcd", "-o", "bundle", "--seed", "1", "--quiet"]);
    let questions = gold.len() as u64;
    let agents = Agents::new(gold);
    let server = Server::new(move |request| agents.answer(request));
    let agent = format!("openai:{}/v1#scripted", server.url);
    let mut run = Command::new(testing::program());
    run.env("OPENAI_API_KEY", "none").current_dir(at);
    let ran: Ran =
        run.args(["run", "bundle", "--agent", &agent, "-o", "run", "--quiet"]).output().expect("it starts").into();
    assert!(ran.status.success(), "{}", ran.said());

    let computed = computed(&at.join("bundle"), &at.join("run"));
    let reported = succeeds(at, &["report", "run", "--json"]);
    let reported: Json = serde_json::from_str(&reported).expect("JSON");
    let reported = &reported["runs"][0];
    assert_eq!(computed.keys().map(String::as_str).collect::<Vec<_>>(), ["never", "perfect", "random", "repairs"]);
    for arm in ARMS {
        let ours = &computed[arm];
        assert_eq!(ours["n"], questions, "{arm}");
        let shares = reported["variants"].as_array().expect("variants");
        let counted = |key: &str| -> u64 {
            let of_arm = shares.iter().filter(|share| share["name"].as_str().is_some_and(|name| name.ends_with(arm)));
            of_arm.map(|share| share[key].as_u64().expect("a count")).sum()
        };
        assert_eq!((&ours["correct"], &ours["n"]), (&counted("correct").into(), &counted("of").into()), "{arm}");
        for what in ["rounds", "tool_calls", "sql_retries", "prompt_tokens", "completion_tokens"] {
            assert_eq!(ours[what].as_u64().unwrap_or_default(), total(reported, what, arm), "{arm}: {what}");
        }
    }
    // The agents do what their names say.
    let of = |arm: &str, key: &str| computed[arm][key].as_u64().unwrap_or_default();
    assert_eq!((of("perfect", "correct"), of("repairs", "correct"), of("never", "correct")), (questions, questions, 0));
    assert!((1..questions).contains(&of("random", "correct")));
    assert_eq!(computed["perfect"]["first_right"], serde_json::json!({"1": questions}));
    assert_eq!(computed["repairs"]["first_right"], serde_json::json!({"2": questions}));
    assert_eq!(computed["never"]["first_right"], serde_json::json!({"none": questions}));
}
