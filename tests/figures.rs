//! Four scripted agents answer the questions of `suites/trades` as four variants of one run: one is perfect, one repairs after an error, one never does, and one
//! does what the question's number says. What `picardc report` says of each equals what `tests/python/agent_figures.py` computes from the transcripts.

mod agents;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value as Json, json};
use testing::{CommandOutput, expect_success, has_python, root};

use crate::run::server::Server;
use agents::{ARMS, Agents, Gold};

/// The questions whose gold query can be used and has no text in double quotes.
fn gold() -> Vec<Gold> {
    let read = |path: &str| fs::read_to_string(root().join("suites/trades").join(path)).expect("a file");
    let good: Vec<bool> = read("verdicts.csv").lines().skip(1).map(|line| line.ends_with(",good")).collect();
    let questions: Json = serde_json::from_str(&read("bird/dev.json")).expect("JSON");
    let all = questions.as_array().expect("a list").iter().zip(good);
    // Five have a text in double quotes, which a suite does not read.
    let usable =
        all.filter(|(row, good)| *good && ![3, 17, 19, 35, 45].contains(&row["question_id"].as_i64().expect("an id")));
    usable.map(|(row, _)| of_row(row)).collect()
}

fn of_row(row: &Json) -> Gold {
    let text = |key: &str| row[key].as_str().expect("a text").to_owned();
    Gold {
        id: row["question_id"].as_u64().expect("an id"),
        db_id: text("db_id"),
        question: text("question"),
        sql: text("SQL").trim_end_matches(';').to_owned(),
    }
}

/// The agents as variants.
fn variants() -> String {
    ARMS.iter().map(|arm| format!("  variant {arm} {{ prompt \"You are {arm}.\" }}\n")).collect()
}

/// A suite with a task for each question, and a variant for each agent.
fn suite(gold: &[Gold]) -> String {
    let mut text = "suite trades { title \"Trades\" version \"1.0.0\" samples 1 }\n".to_owned();
    for Gold { id, db_id, question, sql } in gold {
        let variants = variants();
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

/// The item of a list that has this word at this key.
fn named<'a>(list: &'a Json, key: &str, word: &str) -> &'a Json {
    let found = list.as_array().expect("a list").iter().find(|item| item[key] == word);
    found.unwrap_or_else(|| panic!("{word} is missing in {list}"))
}

/// Numbers that were computed in two ways; reports have nine digits.
fn is_near(ours: &Json, theirs: &Json, what: &str) {
    let number = |json: &Json| json.as_f64().unwrap_or_else(|| panic!("{what}: {json}"));
    let (ours, theirs) = (number(ours), number(theirs));
    assert!((ours - theirs).abs() <= 1e-8 * (1.0 + ours.abs()), "{what}: {ours}, and {theirs} is reported");
}

/// Both ends of intervals, or none in both.
fn are_near(ours: &Json, theirs: &Json, what: &str) {
    if ours.is_null() || theirs.is_null() {
        return assert_eq!((ours, ours.is_null()), (theirs, theirs.is_null()), "{what}");
    }
    is_near(&ours[0], &theirs["low"], what);
    is_near(&ours[1], &theirs["high"], what);
}

/// A share with its interval.
fn same_share(ours: &Json, theirs: &Json, count: &str, what: &str) {
    assert_eq!((&ours["count"], &ours["of"]), (&theirs[count], &theirs["of"]), "{what}");
    are_near(&ours["interval"], &theirs["interval"], what);
}

/// Everything that a report says of an arm, and of its differences to the other where `test` is how their p is computed.
fn same_arm(arm: &str, ours: &Json, theirs: &Json, test: Option<&str>) {
    same_share(&ours["right"], &theirs["right"], "correct", arm);
    for (list, all) in [("means", "amounts"), ("times", "times")] {
        let all = ours[all].as_object().expect("an object");
        assert_eq!(theirs[list].as_array().expect("a list").len(), all.len(), "{arm}: {theirs}");
        for (what, own) in all {
            let (reported, what) = (named(&theirs[list], "what", what), format!("{arm}: {what}"));
            assert_eq!(own["n"], reported["n"], "{what}");
            for key in ["mean", "p50", "p95"].iter().filter(|key| !own[**key].is_null()) {
                is_near(&own[*key], &reported[*key], &what);
            }
            let (own, reported) = (&own["against"], &reported["against"]);
            if own.is_null() || reported.is_null() {
                assert_eq!(own.is_null(), reported.is_null(), "{what}");
                continue;
            }
            assert_eq!(own["pairs"], reported["pairs"], "{what}");
            are_near(&own["interval"], &reported["interval"], &what);
            for key in ["difference", "p", "p_holm"].iter().filter(|key| !own[**key].is_null()) {
                is_near(&own[*key], &reported[*key], &what);
            }
        }
    }
    let of_attempts = &theirs["attempts"];
    assert_eq!(of_attempts["responses"], ours["n"], "{arm}");
    same_share(&ours["ever"], &of_attempts["ever"], "count", arm);
    let (own, reported) = (&ours["by_attempt"], &of_attempts["by_attempt"]);
    let (own, reported) = (own.as_array().expect("shares"), reported.as_array().expect("shares"));
    assert_eq!(own.len(), reported.len(), "{arm}");
    own.iter().zip(reported).for_each(|(own, reported)| same_share(own, reported, "count", arm));
    if let Some(test) = test {
        let against = &theirs["against"];
        assert_eq!((&ours["won"], &ours["lost"]), (&against["won"], &against["lost"]), "{arm}");
        assert_eq!((&ours["test"], &against["test"]), (&test.into(), &test.into()), "{arm}");
        assert_eq!(ours["pairs_needed"], against["pairs_needed"], "{arm}");
        are_near(&ours["interval"], &against["interval"], arm);
        for key in ["difference", "p", "p_holm"] {
            is_near(&ours[key], &against[key], &format!("{arm}: {key}"));
        }
    }
}

/// What a Python script computes of the bundle and the run at `at`.
fn computed(script: &str, at: &Path, arguments: &[&str]) -> Json {
    let script = root().join("tests/python").join(script);
    let ran: CommandOutput = Command::new("python3")
        .current_dir(at)
        .arg(script)
        .args(["bundle", "run"])
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it starts")
        .into();
    assert!(ran.status.success(), "{}", ran.join_output());
    serde_json::from_str(&ran.out).expect("JSON")
}

/// Builds the suite, and has its questions answered.
fn answer(at: &Path, gold: Vec<Gold>) {
    expect_success(at, &["build", "trades.pcd", "-o", "bundle", "--seed", "1", "--quiet"]);
    let agents = Agents::new(gold);
    let server = Server::new(move |request| agents.answer(request));
    let agent = format!("openai:{}/v1#scripted", server.url);
    let mut run = Command::new(testing::find_program());
    run.env("OPENAI_API_KEY", "none").current_dir(at);
    let ran: CommandOutput =
        run.args(["run", "bundle", "--agent", &agent, "-o", "run", "--quiet"]).output().expect("it starts").into();
    assert!(ran.status.success(), "{}", ran.join_output());
}

/// The answers of all agents to a suite, reported and computed. `test` is how p values are computed: by its word in reports.
fn agree(at: &Path, gold: Vec<Gold>, test: &str) {
    let questions = gold.len() as u64;
    answer(at, gold);
    let computed = computed("agent_figures.py", at, &["perfect"]);
    let reported = expect_success(at, &["report", "run", "--by", "variant", "--against", "perfect", "--json"]);
    let reported: Json = serde_json::from_str(&reported).expect("JSON");
    let [set] = reported["by"].as_array().expect("arms").as_slice() else { panic!("one set of arms: {reported}") };
    assert_eq!((&set["instances"], &set["against"]), (&questions.into(), &"perfect".into()));
    for arm in ARMS {
        same_arm(arm, &computed["arms"][arm], named(&set["arms"], "name", arm), (arm != "perfect").then_some(test));
    }
    // Each response has the same attempts.
    let scores = fs::read_to_string(at.join("run/scores.jsonl")).expect("scores");
    for line in scores.lines() {
        let score: Json = serde_json::from_str(line).expect("JSON");
        let ours = &computed["responses"][score["id"].as_str().expect("an id")];
        let theirs = score["attempts"].as_array().expect("attempts");
        let theirs = Json::from_iter(theirs.iter().map(|attempt| json!([attempt["call"], attempt["class"]])));
        assert_eq!((&ours["attempts"], &ours["correct"]), (&theirs, &score["correct"]), "{line}");
        assert_eq!(ours["first_right"], score["first_right"], "{line}");
    }
    assert_eq!(scores.lines().count() as u64, 4 * questions);

    // The agents do what their names say.
    let of = |arm: &str, key: &str| computed["arms"][arm][key].clone();
    let count = |share: Json| share["count"].clone();
    let counts = |shares: Json| Json::from_iter(shares.as_array().expect("shares").iter().cloned().map(count));
    let (all, half) = (Json::from(questions), of("random", "right")["count"].as_u64().unwrap_or_default());
    assert_eq!(
        (count(of("perfect", "right")), count(of("repairs", "right")), count(of("never", "right"))),
        (all.clone(), all.clone(), 0.into())
    );
    assert!((1..questions).contains(&half), "{half}");
    let classes = |of: &[&str]| Json::from_iter(of.iter().map(|class| ((*class).to_owned(), all.clone())));
    assert_eq!(of("perfect", "classes"), classes(&["right"]));
    assert_eq!(of("repairs", "classes"), classes(&["right", "unknown_column"]));
    assert_eq!(of("never", "classes"), classes(&["empty", "syntax", "unknown_column", "unknown_table"]));
    let by_attempt = |arm: &str| counts(of(arm, "by_attempt"));
    assert_eq!((by_attempt("perfect"), by_attempt("repairs")), (json!([all]), json!([0, all])));
    assert!(of("random", "classes")["unscored"].as_u64() > Some(0), "{computed}");
}

/// A folder with the data set in a layout, as `trades`.
fn home(layout: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("temp");
    for (path, content) in testing::read_files(root().join("suites/trades").join(layout)) {
        testing::write_in_folder(home.path(), &format!("trades/{layout}/{path}"), &content);
    }
    home
}

#[test]
fn what_is_reported_of_tasks_is_what_python_computes() {
    if !has_python() {
        return;
    }
    let (home, gold) = (home("bird"), gold());
    fs::write(home.path().join("trades.pcd"), suite(&gold)).expect("written");
    agree(home.path(), gold, "mcnemar");
}

/// The data set in a layout, imported, with the agents as its variants.
fn imported(layout: &str) {
    if !has_python() {
        return;
    }
    let home = home(layout);
    let at = home.path();
    testing::expect_status(1, at, &["import", layout, &format!("trades/{layout}"), "-o", "trades.pcd"]);
    let imported = fs::read_to_string(at.join("trades.pcd")).expect("a suite");
    let expect = imported.lines().find(|line| line.starts_with("  expect ")).expect("an expectation");
    let with_arms = imported.replacen(expect, &format!("{expect}\n{}", variants()), 1);
    fs::write(at.join("trades.pcd"), with_arms).expect("written");
    let rows: Json = serde_json::from_str(&fs::read_to_string(at.join("trades.json")).expect("rows")).expect("JSON");
    let good = rows.as_array().expect("a list").iter().filter(|row| row["left_out"].is_null());
    agree(at, good.map(of_row).collect(), "signs");
}

/// The questions of the imported data set with a description instead of the schema, at several budgets.
#[test]
fn what_is_reported_of_descriptions_is_what_python_computes() {
    const ROOMS: [&str; 4] = ["24", "96", "256", "2048"];
    if !has_python() {
        return;
    }
    let home = home("bird");
    let at = home.path();
    testing::expect_status(1, at, &["import", "bird", "trades/bird", "-o", "trades.pcd"]);
    let imported = fs::read_to_string(at.join("trades.pcd")).expect("a suite");
    let described = imported
        .replacen(
            "  tags [q.difficulty]\n",
            &format!("  tags [q.difficulty]\n  axis room = [{}]\n", ROOMS.join(", ")),
            1,
        )
        .replacen("The SQLite database", "You are random. The SQLite database", 1)
        .replacen("<<schema(db)>>", "<<describe(db, room, q.question)>>", 1);
    fs::write(at.join("trades.pcd"), described).expect("written");
    let rows: Json = serde_json::from_str(&fs::read_to_string(at.join("trades.json")).expect("rows")).expect("JSON");
    let good: Vec<Gold> =
        rows.as_array().expect("a list").iter().filter(|row| row["left_out"].is_null()).map(of_row).collect();
    let questions = good.len();
    answer(at, good);
    let computed = computed("described_figures.py", at, &["trades.json", "room"]);
    let report = |form: &[&str]| expect_success(at, &[&["report", "run", "--by", "room"], form].concat());
    let reported: Json = serde_json::from_str(&report(&["--json"])).expect("JSON");
    let [set] = reported["by"].as_array().expect("arms").as_slice() else { panic!("one set of arms: {reported}") };
    for arm in ROOMS {
        let (ours, theirs) = (&computed[arm], &named(&set["arms"], "name", arm)["described"]);
        for what in ["visible", "tokens", "prompt_tokens"] {
            for place in ["n", "min", "p25", "median", "p75", "max"] {
                is_near(&ours[what][place], &theirs[what][place], &format!("{arm}: {what}: {place}"));
            }
        }
        let parts = |of: &Json| -> Vec<Json> {
            let parts = of["right"].as_array().expect("parts").iter();
            parts.map(|part| json!([part["from"], part["to"], part["correct"], part["of"]])).collect()
        };
        assert_eq!(parts(ours), parts(theirs), "{arm}");
        assert_eq!(ours["visible"]["n"], questions, "{arm}");
    }
    // More tokens show more, and here as much as the questions need.
    let shares: Vec<f64> = ROOMS.iter().filter_map(|arm| computed[arm]["visible"]["median"].as_f64()).collect();
    assert!(shares.is_sorted() && shares[0] < 1.0, "{computed}");
    assert_eq!(computed["2048"]["visible"]["p25"], 1.0, "{computed}");
    // The same numbers, as people read them.
    report(&["--html", "report.html"]);
    let page = fs::read_to_string(at.join("report.html")).expect("a page");
    let median = format!("{:.1}%", shares[0] * 100.0);
    for text in [report(&[]), report(&["--markdown"]), page] {
        for part in [
            "Descriptions by room: ask",
            "Accuracy by what is visible, by room: ask",
            "tokens of the description",
            &median,
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}

#[test]
fn what_is_reported_of_an_imported_data_set_is_what_python_computes() {
    imported("bird");
}

#[test]
fn what_is_reported_of_spider_is_what_python_computes() {
    imported("spider");
}
