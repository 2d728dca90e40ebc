//! `tools` and `calls`: what agents get of them; and the SQL on the way, scored after the run.

use records::attempt::{Attempt, Class};
use serde_json::{Value as Json, json};

use super::chat::{calls, messages, results, says};
use super::home::{Home, Ran, picardc};
use super::server::{Request, Server, stream};

/// The dearest item of a database, asked for in SQL.
const SUITE: &str = r#"
suite t { title "T" version "1.0.0" samples 2 }
task dearest {
  sqlite shop at "shop.db" {
    table items {
      rows 9
      NAME  : unique word
      PRICE : unique int 1..99
    }
  }
  text note at "note.txt" encoding "iso-8859-1" = "Café"
  prompt "Which item of <<shop>> has the highest PRICE? Reply with a query for its NAME."
  expect reply fenced "sql" sql shop <<rows: SELECT NAME FROM shop.items ORDER BY PRICE DESC LIMIT 1>>
  variant few  { tools [run_sql]  calls 3  prompt "few" }
  variant none { tools []  prompt "none" }
  variant all  { prompt "all" }
}
"#;

const RIGHT: &str = "SELECT NAME FROM items ORDER BY PRICE DESC LIMIT 1";

fn names(request: &Request) -> Vec<String> {
    let tools = request.body["tools"].as_array().cloned().unwrap_or_default();
    tools.iter().map(|tool| tool["function"]["name"].as_str().expect("a name").to_owned()).collect()
}

fn sql(text: &str) -> (&'static str, Json) {
    ("run_sql", json!({"database": "./shop.db", "sql": text}))
}

fn answer() -> String {
    format!("So:\n```sql\n{RIGHT}\n```")
}

/// The attempts by call, the first right one, and the class of the answer.
type Attempted = (Option<Vec<(u32, Class)>>, Option<u32>, Option<Class>);

/// The attempts of one variant, sample 1.
fn attempts(ran: &Ran, variant: &str) -> Attempted {
    let score = ran.scores().into_iter().find(|score| score.id == format!("dearest-{variant}-1")).expect("a score");
    let short = |attempts: Vec<Attempt>| attempts.into_iter().map(|one| (one.call, one.class)).collect();
    (score.attempts.map(short), score.first_right, score.answer_class)
}

#[test]
fn chat_models_get_exactly_what_the_variant_states() {
    let home = Home::new(SUITE);
    let server = Server::new(|request| {
        let prompt = messages(request)[1]["content"].as_str().expect("a prompt").to_owned();
        let told = results(request);
        match (prompt.lines().next_back(), told.len()) {
            (Some("few"), 0) => stream(&calls(&[
                sql("SELECT PRIZE FROM items"),
                ("read_file", json!({"path": "note.txt"})),
                sql(RIGHT),
                sql("SELECT 1"),
            ])),
            (Some("few"), 4) => {
                assert!(told[0].starts_with("error: no such column: PRIZE"), "{told:?}");
                assert_eq!(told[1], "error: unknown tool `read_file`");
                assert!(told[2].starts_with("[\"NAME\"]\n[\""), "{told:?}");
                assert_eq!(told[3], "no calls left");
                stream(&calls(&[("list_files", json!({}))]))
            }
            (Some("few"), _) => {
                assert_eq!(told[4], "no calls left");
                stream(&says(&answer()))
            }
            (Some("all"), 0) => stream(&calls(&[
                ("read_file", json!({"path": "note.txt"})),
                ("read_file", json!({"path": "note.txt", "encoding": "iso-8859-1"})),
                ("read_file", json!({"path": "note.txt", "encoding": "latin1"})),
            ])),
            (Some("all"), 3) => {
                assert_eq!(
                    told[0],
                    "error: `note.txt` is not text in utf-8: byte 0xE9 on line 1 after `Caf`; try another `encoding`"
                );
                assert_eq!(told[1], "Café");
                assert!(told[2].starts_with("error: `latin1` is not an encoding; write one of utf-8, "), "{told:?}");
                stream(&says("I do not know."))
            }
            _ => stream(&says(&answer())),
        }
    });
    let ran = home.run(&format!("openai:{}/v1#m", server.url), "run", &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    for request in server.requests() {
        let prompt = messages(&request)[1]["content"].as_str().expect("a prompt").to_owned();
        let all = ["list_files", "read_file", "write_file", "make_folder", "run_sql"];
        match prompt.lines().next_back() {
            Some("few") => assert_eq!(names(&request), ["run_sql"]),
            Some("none") => assert!(request.body.get("tools").is_none()),
            _ => assert_eq!(names(&request), all),
        }
        let system = messages(&request)[0]["content"].as_str().expect("a text").to_owned();
        assert_eq!(system.contains("Use the tools"), !prompt.ends_with("none"));
    }
    let info: Json = serde_json::from_slice(&std::fs::read(ran.folder.join("run.json")).expect("read")).expect("JSON");
    assert_eq!(info["tools"], "enforced");
    let few = ran.responses.iter().find(|response| response.id == "dearest-few-1").expect("a response");
    assert_eq!((few.tool_calls, few.sql_retries, few.rounds), (Some(3), Some(1), Some(3)));
    // The calls that were too many are no attempts, and the call of another tool is counted.
    let found = (Some(vec![(1, Class::UnknownColumn), (3, Class::Right)]), Some(2), Some(Class::Right));
    assert_eq!(attempts(&ran, "few"), found);
    assert_eq!(attempts(&ran, "none"), (Some(vec![]), None, Some(Class::Right)));
    assert_eq!(attempts(&ran, "all"), (Some(vec![]), None, None));
    // Scored again it is the same.
    let before = std::fs::read(ran.folder.join("scores.jsonl")).expect("read");
    let output = picardc().args(["score", "--quiet"]).args([home.at("bundle"), home.at("run")]).output();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read(ran.folder.join("scores.jsonl")).expect("read"), before);
}

#[test]
fn every_class_of_attempt() {
    let home = Home::new(SUITE);
    let server = Server::new(|request| match results(request).len() {
        0 => stream(&calls(&[
            sql("SELEC NAME FROM items"),
            sql("SELECT NAME FROM item"),
            sql("SELECT TITLE FROM items"),
            sql("PRAGMA table_info(items)"),
            sql("SELECT NAME FROM items WHERE PRICE > 1000"),
            sql("SELECT NAME FROM items"),
            sql(RIGHT),
            sql(&format!("  {RIGHT};\n")),
            sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 100001"),
            ("run_sql", json!({"database": "other.db", "sql": RIGHT})),
            ("run_sql", json!({"database": "other.db", "sql": "CREATE TABLE t (a)"})),
            sql("SELECT 1; SELECT 2"),
            sql("BEGIN; DELETE FROM items WHERE PRICE < 0"),
            sql(RIGHT),
        ])),
        _ => stream(&says("```sql\nSELECT NAME FROM item\n```")),
    });
    let ran = home.run(&format!("openai:{}/v1#m", server.url), "run", &["--limit", "3"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    use Class as C;
    let classes = [
        C::Syntax,
        C::UnknownTable,
        C::UnknownColumn,
        C::Refused,
        C::Empty,
        C::Differs,
        C::Right,
        C::Right,
        C::Limit,
        C::NoDatabase,
        C::Unscored,
        C::Refused,
        C::Refused,
        C::Unscored,
    ];
    let expected: Vec<(u32, Class)> = (1..).zip(classes).collect();
    assert_eq!(attempts(&ran, "all"), (Some(expected), Some(7), Some(C::UnknownTable)));
    // Three calls, of which none is right.
    let few = vec![(1, C::Syntax), (2, C::UnknownTable), (3, C::UnknownColumn)];
    assert_eq!(attempts(&ran, "few"), (Some(few), None, Some(C::UnknownTable)));
    assert!(ran.scores().iter().all(|score| !score.correct), "attempts change no score");
}

#[test]
fn programs_are_told_and_tell_their_sql() {
    let home = Home::new(SUITE);
    let source = r#"
import json, sys
question = json.loads(sys.stdin.readline())
kind = question["prompt"].splitlines()[-1]
told = {"few": (["run_sql"], 3), "none": ([], None), "all": (None, None)}[kind]
assert (question.get("tools"), question.get("calls")) == told, question
answer = {"reply": "```sql\nSELECT NAME FROM items ORDER BY PRICE DESC LIMIT 1\n```"}
if kind == "few":
    answer["sql"] = ["SELECT NAME FROM items", "SELECT NAME FROM items ORDER BY PRICE DESC LIMIT 1"]
print(json.dumps(answer))
"#;
    std::fs::write(home.at("agent.py"), source).expect("written");
    let ran = home.run(&format!("cmd:python3 '{}'", home.at("agent.py").display()), "run", &[]);
    assert_eq!(ran.status, Some(0), "{} {:?}", ran.err, ran.responses);
    assert!(ran.scores().iter().all(|score| score.correct), "{}", ran.everything());
    assert_eq!(attempts(&ran, "few").0, Some(vec![(1, Class::Differs), (2, Class::Right)]));
    assert_eq!(attempts(&ran, "all"), (None, None, Some(Class::Right)));
    let info = std::fs::read_to_string(ran.folder.join("run.json")).expect("read");
    assert!(info.contains("\"tools\": \"told\""), "{info}");
}

#[test]
fn servers_with_tools_of_their_own_need_a_flag() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| stream(&[]));
    let agent = format!("picard:{}", server.url);
    let ran = home.run(&agent, "run", &[]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("give --ignore-tools"), "{}", ran.err);
    assert!(server.requests().is_empty() && !ran.folder.exists());
    let ran = home.run("openai:http://127.0.0.1:9/v1#m", "run", &["--ignore-tools"]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("remove --ignore-tools"), "{}", ran.err);
    // It has files, and the server has a folder of its own: each fails, and that is recorded.
    let ran = home.run(&agent, "run", &["--ignore-tools"]);
    let info = std::fs::read_to_string(ran.folder.join("run.json")).expect("read");
    assert!(info.contains("\"tools\": \"ignored\""), "{info}");
}

/// An agent that calls tools over MCP, and answers with the last query that it ran.
const CLIENT: &str = r#"
import json, subprocess, sys
question = json.loads(sys.stdin.readline())
server = subprocess.Popen([sys.argv[1], "tools"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

def ask(number, method, params):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())

hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
assert ask(0, "initialize", hello)["result"]["serverInfo"]["name"] == "picardc"
server.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
names = [tool["name"] for tool in ask(1, "tools/list", {})["result"]["tools"]]
stated = question.get("tools", ["list_files", "read_file", "write_file", "make_folder", "run_sql"])
assert names == stated, names
right = "SELECT NAME FROM items ORDER BY PRICE DESC LIMIT 1"
for number, sql in enumerate(["SELECT PRIZE FROM items", right, "SELECT 1", right], 2):
    if "run_sql" in names:
        ask(number, "tools/call", {"name": "run_sql", "arguments": {"database": "shop.db", "sql": sql}})
server.stdin.close()
assert server.wait() == 0
print("```sql\n" + right + "\n```")
"#;

#[test]
fn calls_over_mcp_are_recorded_and_scored() {
    let home = Home::new(SUITE);
    std::fs::write(home.at("agent.py"), CLIENT).expect("written");
    let program = testing::find_program();
    let agent = format!("cmd:python3 '{}' '{}'", home.at("agent.py").display(), program.display());
    let ran = home.run(&agent, "run", &["--read", &program.display().to_string()]);
    assert_eq!(ran.status, Some(0), "{} {:?}", ran.err, ran.responses);
    assert!(ran.scores().iter().all(|score| score.correct), "{}", ran.everything());
    let of = |id: &str| ran.responses.iter().find(|response| response.id == id).expect("a response");
    let few = of("dearest-few-1");
    assert_eq!((few.tool_calls, few.sql_retries), (Some(3), Some(1)));
    assert!(few.first_sql_ms.is_some_and(|ms| ms <= few.wall_ms) && few.first_tool_ms == few.first_sql_ms);
    let found = vec![(1, Class::UnknownColumn), (2, Class::Right), (3, Class::Differs)];
    assert_eq!(attempts(&ran, "few"), (Some(found), Some(2), Some(Class::Right)));
    // Without a limit the fourth call is one too.
    assert_eq!(attempts(&ran, "all").0.map(|all| all.len()), Some(4));
    assert_eq!((of("dearest-none-1").tool_calls, attempts(&ran, "none").0), (None, None));
    let transcript = std::fs::read_to_string(ran.folder.join("transcripts/dearest-few-1.1.jsonl")).expect("read");
    let roles: Vec<Json> =
        transcript.lines().map(|line| serde_json::from_str::<Json>(line).expect("JSON")["role"].clone()).collect();
    assert_eq!(
        roles,
        ["user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant"]
    );
    let report = picardc().args(["report", "--by", "variant", "--against", "all"]).args([home.at("run")]).output();
    let told = String::from_utf8_lossy(&report.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.status.success() && told.contains("Correct SQL by attempt"), "{told}");
    assert!(told.contains("was told which tools it has in each arm"), "{told}");
    let page = home.at("arms.html");
    let report =
        picardc().args(["report", "--json", "--by", "variant", "--html"]).args([&page, &home.at("run")]).output();
    let json: Json = serde_json::from_slice(&report.stdout).expect("JSON");
    let arms: Vec<&str> =
        json["by"][0]["arms"].as_array().expect("arms").iter().filter_map(|arm| arm["name"].as_str()).collect();
    assert_eq!((json["by"][0]["against"].as_str(), arms), (Some("few"), vec!["few", "none", "all"]));
    let page = std::fs::read_to_string(page).expect("read");
    assert!(page.contains("<section id=\"arms\"") && page.contains("Correct SQL by attempt"), "no arms in the page");
    let wrong = picardc().args(["report", "--by", "size"]).args([home.at("run")]).output();
    assert_eq!(wrong.status.code(), Some(2));
}

/// Findings: the calls of a program whose time was up were lost, and one damaged line hid them all.
#[test]
fn calls_are_kept_after_a_timeout_and_next_to_damage() {
    let home = Home::new(SUITE);
    let late = CLIENT.replace(
        "server.stdin.close()",
        "import os, time\nopen(os.environ['PICARDC_RECORD'], 'a').write('{\\n')\ntime.sleep(60)",
    );
    std::fs::write(home.at("agent.py"), late).expect("written");
    let program = testing::find_program();
    let agent = format!("cmd:python3 '{}' '{}'", home.at("agent.py").display(), program.display());
    let ran = home.run(&agent, "run", &["--read", &program.display().to_string(), "--timeout", "12"]);
    let few = ran.responses.iter().find(|response| response.id == "dearest-few-1").expect("a response");
    assert_eq!(few.status, records::Status::Timeout, "{few:?}");
    assert_eq!((few.tool_calls, few.sql_retries, few.damaged_calls), (Some(3), Some(1), Some(1)));
    let found = vec![(1, Class::UnknownColumn), (2, Class::Right), (3, Class::Differs)];
    assert_eq!(attempts(&ran, "few"), (Some(found), Some(2), None));
    let scored = picardc().args(["score"]).args([home.at("bundle"), home.at("run")]).output();
    let said = String::from_utf8_lossy(&scored.stdout).into_owned() + &String::from_utf8_lossy(&scored.stderr);
    assert!(said.contains("with a damaged record of calls: 6"), "{said}");
}

#[test]
fn tools_by_hand() {
    let home = Home::new(SUITE);
    std::fs::create_dir(home.at("work")).expect("made");
    let run = |flags: &[&str], input: &str| {
        let mut command = picardc().args(["tools"]).args(flags).0;
        command.current_dir(home.folder.path()).stdin(std::process::Stdio::piped());
        let mut child =
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().expect("started");
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), input.as_bytes()).expect("written");
        let output = child.wait_with_output().expect("ended");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"a/b.txt","content":"x"}}}"#;
    let (status, out, err) = run(&["--sandbox", "work", "--record", "calls.jsonl"], &format!("{call}\n"));
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(out.contains("wrote 1 bytes to a/b.txt"), "{out}");
    assert_eq!(std::fs::read_to_string(home.at("work/a/b.txt")).expect("read"), "x");
    let recorded = std::fs::read_to_string(home.at("calls.jsonl")).expect("read");
    assert_eq!(recorded.lines().count(), 2, "{recorded}");
    let (status, out, _) = run(&["--sandbox", "work"], &call.replace("a/b.txt", "../escaped.txt"));
    assert!(status == Some(0) && out.contains("outside of the folder") && !home.at("escaped.txt").exists(), "{out}");
    // A server of the same record knows the calls of the one before it.
    let second = call.replace("a/b.txt", "a/c.txt");
    let flags = ["--sandbox", "work", "--record", "calls.jsonl", "--calls", "2"];
    let (_, out, _) = run(&flags, &format!("{second}\n{second}\n"));
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].contains("wrote 1 bytes") && lines[1].contains("no calls left"), "{out}");
    let remove = |path: &str| call.replace("write_file", "remove_file").replace("a/b.txt", path);
    let (_, out, _) = run(&["--sandbox", "work"], &remove("a/b.txt"));
    assert!(out.contains("unknown tool `remove_file`") && home.at("work/a/b.txt").exists(), "{out}");
    std::fs::write(home.at("kept.txt"), "x").expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink(home.at("kept.txt"), home.at("work/link")).expect("linked");
    let flags = ["--sandbox", "work", "--tools", "remove_file"];
    let all = ["a", "../kept.txt", "none", "/etc/hostname", "", "a/b.txt", "link"].map(remove).join("\n");
    let (_, out, _) = run(&flags, &all);
    let told: Vec<String> = out
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).expect("JSON")["result"]["content"][0]["text"].to_string())
        .collect();
    for (told, wanted) in told.iter().zip([
        "is a folder; only files can be removed",
        "outside of the folder",
        "does not exist",
        "is absolute",
        "is a folder",
        "removed a/b.txt",
        "removed link",
    ]) {
        assert!(told.contains(wanted), "{told}: {wanted}");
    }
    assert!(!home.at("work/a/b.txt").exists() && home.at("kept.txt").exists() && home.at("work/a").exists());
    let (status, _, err) = run(&["--tools", "bash"], "");
    assert!(status == Some(2) && err.contains("`bash` is not a tool"), "{err}");
    let (status, _, err) = run(&["--sandbox", "nowhere"], "");
    assert!(status == Some(3) && err.contains("give --sandbox a folder that exists"), "{err}");
}

/// Finding X7: on a database that does not exist, `SELECT 1` was answered `1`, and what it lacks was told as a missing table. Every statement that reads is told
/// that there is no database; one that writes creates it.
#[test]
fn a_database_that_does_not_exist_is_told() {
    const READS: [&str; 9] = [
        "SELECT 1",
        "SELECT * FROM items",
        "SELEC",
        "",
        "PRAGMA table_info(items)",
        "SELECT name FROM sqlite_schema",
        "BEGIN; SELECT 1; COMMIT",
        "INSERT INTO items VALUES (1)",
        "DROP TABLE IF EXISTS items",
    ];
    const PATHS: [&str; 4] = ["none.db", "./none.db", "a/none.db", "Shop.db"];
    let home = Home::new(SUITE);
    let asked: Vec<(&str, Json)> = PATHS
        .iter()
        .flat_map(|path| READS.map(|sql| ("run_sql", json!({"database": path, "sql": sql}))))
        .chain([
            ("list_files", json!({})),
            ("run_sql", json!({"database": "none.db", "sql": "CREATE TABLE t (a); SELECT count(*) FROM t"})),
            ("run_sql", json!({"database": "none.db", "sql": "SELECT 1"})),
        ])
        .collect();
    let planned = asked.clone();
    let server = Server::new(move |request| match results(request).len() {
        0 => stream(&calls(&planned)),
        _ => stream(&says("I do not know.")),
    });
    let ran = home.run(&format!("openai:{}/v1#m", server.url), "run", &["--limit", "3"]);
    let is_last = |one: &Request| {
        let prompt = messages(one)[1]["content"].as_str().expect("a prompt").to_owned();
        prompt.ends_with("all") && results(one).len() == asked.len()
    };
    let last = server.requests().into_iter().find(is_last).expect("all calls");
    let all = results(&last);
    let count = PATHS.len() * READS.len();
    for ((_, arguments), result) in asked.iter().zip(&all).take(count) {
        let path = arguments["database"].as_str().expect("a path").trim_start_matches("./");
        assert!(result.starts_with(&format!("error: the database does not exist: `{path}`")), "{arguments}: {result}");
    }
    assert_eq!(all[count..], ["note.txt\nshop.db", "[\"count(*)\"]\n[0]", "[\"1\"]\n[1]"]);
    let (attempts, first, _) = attempts(&ran, "all");
    let attempts = attempts.expect("attempts");
    assert_eq!((attempts.len(), first), (count + 2, None));
    assert!(attempts[..count].iter().all(|(_, class)| *class == Class::NoDatabase), "{attempts:?}");
    assert!(attempts[count..].iter().all(|(_, class)| *class == Class::Unscored), "{attempts:?}");
}
