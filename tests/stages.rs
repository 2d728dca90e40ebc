//! Stages: the four ways to ask them, from the source to the report, with an agent that fails at a known stage.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use testing::{CommandOutput, has_python, run_picardc};

/// `STAGES` is where the stages are.
const SUITE: &str = r#"suite pipeline {
  title   "Pipeline"
  version "1.0.0"
  samples 6
}

task total {
  tags [prices]
  least : int 10..40
  csv parts at "parts.csv" {
    rows 30
    PRICE : int 1..99
  }
  chosen = count(parts where PRICE > least)
  worth  = coalesce(sum(parts.PRICE where PRICE > least), 0)
  answer = worth - chosen
  prompt "Question T: in <<parts>>, subtract the number of PRICEs above <<least>> from their sum. Reply with the number only."
  expect reply number answer
  STAGES
}
"#;

const STAGES: &str = r#"
  stage add {
    tags [summing]
    prompt "Question A: what is the sum of the PRICEs above <<least>> in <<parts>>? Reply with the number only."
    expect reply last line number worth
  }
  stage subtract {
    tags [arithmetic]
    prompt "Question S: in <<parts>>, subtract the number of PRICEs above <<least>> from their sum. Reply with the number only."
    expect reply number answer
  }
  stage pick {
    tags [filtering]
    prompt "Question P: how many PRICEs in <<parts>> are above <<least>>? Reply with the number only."
    expect reply number chosen
  }
"#;

/// Answers from the file; its sums are one too high. A sum that it is told it takes as it is.
const AGENT: &str = r#"import csv, json, re, sys
prompt = json.loads(sys.stdin.readline())["prompt"]
least = int(re.search(r"above (\d+)", prompt).group(1))
prices = [int(row["PRICE"]) for row in csv.DictReader(open("parts.csv"))]
chosen = [price for price in prices if price > least]
told = re.search(r"^- `add`: (\d+)$", prompt, re.M)
total = int(told.group(1)) if told else sum(chosen) + 1
answers = {"P": len(chosen), "A": sum(chosen) + 1, "S": total - len(chosen), "T": total - len(chosen)}
steps = re.findall(r"^- `(\w+)`: Question (\w)", prompt, re.M)
if steps:
    with open("steps.json", "w") as out:
        json.dump({name: answers[letter] for name, letter in steps}, out)
print(answers[re.search(r"Question (\w)", prompt).group(1)])
"#;

fn home() -> tempfile::TempDir {
    let (whole, without) = (SUITE.replace("STAGES", STAGES), SUITE.replace("STAGES", ""));
    testing::create_folder(&[("pipeline.pcd", &whole), ("without.pcd", &without), ("agent.py", AGENT)])
}

fn run(folder: &Path, arguments: &[&str]) -> CommandOutput {
    run_picardc(folder, arguments)
}

fn done(folder: &Path, arguments: &str) -> String {
    let ran = run(folder, &arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.status.code(), Some(0), "{arguments}: {}", ran.join_output());
    ran.join_output()
}

/// The one JSON document that a command prints.
fn document(folder: &Path, arguments: &str) -> Json {
    let ran = run(folder, &arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.status.code(), Some(0), "{arguments}: {}", ran.join_output());
    serde_json::from_str(&ran.out).expect("JSON")
}

fn lines(path: &Path) -> Vec<Json> {
    let text = fs::read_to_string(path).expect("lines");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Builds the suite in a mode.
fn build(at: &Path, mode: &str) -> Vec<Json> {
    done(at, &format!("build pipeline.pcd -o {mode} --seed 7 --stages {mode}"));
    lines(&at.join(mode).join("instances.jsonl"))
}

#[test]
fn whole_is_as_without_stages() {
    let home = home();
    let at = home.path();
    assert!(done(at, "check pipeline.pcd").contains("no errors, no warnings"));
    build(at, "whole");
    done(at, "build pipeline.pcd -o default --seed 7");
    done(at, "build without.pcd -o without --seed 7");
    let bytes = |folder: &str| fs::read(at.join(folder).join("instances.jsonl")).expect("instances");
    assert_eq!(bytes("whole"), bytes("without"));
    assert_eq!(bytes("default"), bytes("without"));
    let manifest = fs::read_to_string(at.join("whole/manifest.json")).expect("a manifest");
    assert!(manifest.contains("\"schema\": 1") && !manifest.contains("stages"), "{manifest}");
}

#[test]
fn each_stage_is_an_instance() {
    let home = home();
    let at = home.path();
    let all = build(at, "each");
    assert_eq!(all.len(), 18);
    let by_id = |id: &str| all.iter().find(|line| line["id"] == id).unwrap_or_else(|| panic!("no {id}"));
    let subtract = &by_id("total-subtract-3")["metadata"]["picard"];
    let stage = json!({"name": "subtract", "after": ["add", "pick"], "tags": ["arithmetic"]});
    assert_eq!((&subtract["stage"], &subtract["variant"]), (&stage, &Json::Null));
    assert_eq!(subtract["tags"], json!(["prices", "arithmetic"]));
    assert_eq!(by_id("total-add-1")["metadata"]["picard"]["stage"], json!({"name": "add", "tags": ["summing"]}));
    let prompt = by_id("total-pick-2")["input"].as_str().expect("a prompt");
    assert!(prompt.starts_with("Question P") && !prompt.contains("Question T") && !prompt.contains('\n'), "{prompt}");
    let manifest: Json = serde_json::from_slice(&fs::read(at.join("each/manifest.json")).expect("read")).expect("JSON");
    assert_eq!((&manifest["options"]["stages"], &manifest["schema"]), (&json!("each"), &json!(2)));
    // The draws are those of the task, and the files lie once.
    let whole = build(at, "whole");
    assert_eq!(by_id("total-pick-2")["files"], whole[1]["files"]);
    assert_eq!(by_id("total-pick-2")["metadata"]["picard"]["draws"], whole[1]["metadata"]["picard"]["draws"]);
}

#[test]
fn given_tells_the_answers_before() {
    let home = home();
    let all = build(home.path(), "given");
    let target = |id: &str| all.iter().find(|line| line["id"] == id).expect("an instance")["target"].clone();
    for line in &all {
        let (id, prompt) = (line["id"].as_str().expect("an id"), line["input"].as_str().expect("a prompt"));
        let Some(sample) = id.strip_prefix("total-subtract-") else {
            assert!(!prompt.contains("earlier questions"), "{prompt}");
            continue;
        };
        let answer = |stage: &str| target(&format!("total-{stage}-{sample}")).as_str().expect("a target").to_owned();
        let told = format!(
            "\nThese answers to earlier questions are right:\n- `add`: {}\n- `pick`: {}",
            answer("add"),
            answer("pick")
        );
        assert!(prompt.ends_with(&told), "{prompt}");
    }
    let page = include_str!("../docs/src/language/stages.md");
    assert!(page.contains("\nThese answers to earlier questions are right:\n- `"), "the manual shows it otherwise");
}

#[test]
fn trace_asks_for_all_in_a_file() {
    let home = home();
    let at = home.path();
    let all = build(at, "trace");
    assert_eq!(all.len(), 6);
    let (prompt, picard) = (all[0]["input"].as_str().expect("a prompt"), &all[0]["metadata"]["picard"]);
    let added: Vec<&str> = prompt.lines().skip(1).collect();
    assert_eq!(added[0], "Write ./steps.json too, a JSON object with a key for each of these questions:");
    assert!(added[1].starts_with("- `add`: Question A: what is the sum"), "{prompt}");
    assert!(
        added[2].starts_with("- `subtract`: Question S") && added[3].starts_with("- `pick`: Question P"),
        "{prompt}"
    );
    assert_eq!(added.len(), 4);
    assert_eq!(picard["stages"].as_array().expect("stages").len(), 3);
    let expect = &picard["stages"][0]["expect"][0];
    assert_eq!((&expect["subject"], &expect["match"]), (&json!({"file": "steps.json"}), &json!("number")), "{expect}");
    assert_eq!(expect["slice"], json!({"at": "$.add"}));

    done(at, "build pipeline.pcd -o split --seed 7 --stages trace --split-keys");
    let (shown, keys) = (lines(&at.join("split/instances.jsonl")), lines(&at.join("split/keys.jsonl")));
    assert!(shown.iter().all(|line| line["metadata"]["picard"].get("stages").is_none()));
    assert_eq!(keys[0]["stages"], picard["stages"]);
}

#[test]
fn the_report_names_the_stage_that_fails() {
    if !has_python() {
        return;
    }
    let home = home();
    let at = home.path();
    let agent = format!("cmd:python3 '{}'", at.join("agent.py").display());
    for mode in ["each", "given", "trace"] {
        build(at, mode);
        let out = format!("runs/{mode}");
        let ran = run(at, &["run", mode, "--agent", &agent, "-o", &out, "--quiet"]);
        assert_eq!(ran.status.code(), Some(0), "{mode}: {}", ran.join_output());
        let report = document(at, &format!("report {out} --json"));
        let stages = &report["runs"][0]["stages"];
        let task = &stages["tasks"][0];
        assert_eq!((&stages["traced"], &task["weakest"]), (&json!(mode == "trace"), &json!("add")), "{mode}: {task}");
        assert_eq!(task["pipelines"], 6);
        let rows = task["stages"].as_array().expect("rows");
        // In the order of the graph, not in that of the source.
        let names: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
        assert_eq!(names, ["add", "pick", "subtract"], "{mode}");
        let broken: Vec<u64> = rows.iter().filter_map(|row| row["broken"]["count"].as_u64()).collect();
        assert_eq!(broken, [6, 0, 0], "{mode}");
        let right: Vec<u64> = rows.iter().filter_map(|row| row["right"]["count"].as_u64()).collect();
        assert_eq!(right, [0, 6, if mode == "given" { 6 } else { 0 }], "{mode}");
        let tag = |name: &str| stages["tags"].as_array().expect("tags").iter().find(|tag| tag["tag"] == name).cloned();
        assert_eq!(tag("summing").expect("a tag")["broken"]["count"], 6);
        let table = done(at, &format!("report {out} --all"));
        assert!(table.contains("Where pipelines break: total"), "{table}");
        assert!(table.contains("Most pipelines that break do so at `add`"), "{table}");
        assert!(done(at, &format!("report {out} --markdown")).contains("Where pipelines break: total"));
        done(at, &format!("report {out} --html {mode}.html"));
        let page = fs::read_to_string(at.join(format!("{mode}.html"))).expect("a page");
        assert!(page.contains("Where pipelines break: total"));
    }
    // Stages are not in the score of the task.
    for score in lines(&at.join("runs/trace/scores.jsonl")) {
        assert_eq!((&score["score"], score["verdicts"].as_array().expect("verdicts").len()), (&json!(0.0), 1));
        let found: Vec<(&str, bool, &str)> = score["stages"]
            .as_array()
            .expect("stages")
            .iter()
            .filter_map(|stage| Some((stage["name"].as_str()?, stage["correct"].as_bool()?, stage["reason"].as_str()?)))
            .collect();
        assert_eq!(found, [("add", false, "differs"), ("subtract", false, "differs"), ("pick", true, "right")]);
        // What the figures follow from.
        let verdict = &score["stages"][0]["verdicts"][0];
        let shown = ["subject", "matcher", "score", "weight", "gate", "reason"].map(|key| verdict[key].clone());
        let said = [
            json!("file steps.json at \"$.add\""),
            json!("number"),
            json!(0.0),
            json!(1.0),
            json!(false),
            json!("differs"),
        ];
        assert_eq!(shown, said, "{verdict}");
    }
    // A stage that is not worth what its verdicts say is not reported.
    let path = at.join("runs/trace/scores.jsonl");
    let kept = fs::read_to_string(&path).expect("scores");
    let other = kept.replacen(
        "\"score\":0.0,\"correct\":false,\"reason\":\"differs\"",
        "\"score\":1.0,\"correct\":true,\"reason\":\"right\"",
        1,
    );
    assert_ne!(kept, other);
    fs::write(&path, other).expect("written");
    let ran = run(at, &["report", "runs/trace", "--all"]);
    assert!(ran.join_output().contains("stage `add`, do not give its score"), "{}", ran.join_output());
    fs::write(&path, kept).expect("written");
    // What the wrong sums cost.
    let both = document(at, "report runs/each runs/given --json");
    let gain = &both["propagation"][0]["stages"];
    assert_eq!(gain.as_array().expect("stages").len(), 1, "{gain}");
    assert_eq!(
        (&gain[0]["name"], &gain[0]["difference"], &gain[0]["won"]),
        (&json!("subtract"), &json!(1.0), &json!(6))
    );
    assert!(done(at, "compare runs/each runs/given").contains("Error propagation"));
}

#[test]
fn oracles_pass_every_stage() {
    let home = home();
    let at = home.path();
    for mode in ["whole", "each", "given", "trace"] {
        let said = done(at, &format!("selftest pipeline.pcd --samples 3 --stages {mode}"));
        assert!(said.contains("1 of 1 tasks sound"), "{said}");
    }
    build(at, "trace");
    for agent in ["oracle", "null", "guess"] {
        done(at, &format!("run trace --agent {agent} -o runs/{agent} --quiet"));
    }
    let stages = |agent: &str| -> Vec<bool> {
        let scores = lines(&at.join(format!("runs/{agent}/scores.jsonl")));
        let all = scores.iter().flat_map(|score| score["stages"].as_array().cloned().unwrap_or_default());
        all.filter_map(|stage| stage["correct"].as_bool()).collect()
    };
    assert_eq!(stages("oracle"), [true; 18]);
    assert_eq!(stages("null"), [false; 18]);
    assert_eq!(stages("guess"), [false; 18]);
    let analyzed = document(at, "analyze pipeline.pcd --samples 40 --stages each --json");
    let rows: Vec<&Json> = analyzed["tasks"].as_array().expect("tasks").iter().map(|row| &row["variants"]).collect();
    assert_eq!(rows, [&json!(["add"]), &json!(["subtract"]), &json!(["pick"])]);
    let shown = done(at, "preview pipeline.pcd --stage subtract --sample 2 --seed 7");
    assert!(shown.starts_with("total-subtract-2\n") && !shown.contains("earlier"), "{shown}");
    assert!(done(at, "preview pipeline.pcd --stage subtract --stages given").contains("- `add`: "));
    assert!(done(at, "preview pipeline.pcd --stages trace").contains("\nstage pick\n"));
}

#[test]
fn what_cannot_be_is_said() {
    let home = home();
    let at = home.path();
    for (command, said) in [
        ("build without.pcd -o out --stages each", "no task of the suite has a stage"),
        ("preview pipeline.pcd --stage ad", "did you mean `add`?"),
        ("preview pipeline.pcd --stage add --stages trace", "--stage add asks one stage alone"),
        ("build pipeline.pcd -o out --stages some", "possible values: whole, each, given, trace"),
    ] {
        let ran = run(at, &command.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status.code(), Some(2), "{command}: {}", ran.join_output());
        assert!(ran.join_output().contains(said), "{command}: {}", ran.join_output());
    }
    done(at, "run pipeline.pcd --seed 7 --samples 2 --stages each --agent null -o runs/null --quiet");
    let other = run(at, &["run", "pipeline.pcd", "--agent", "null", "-o", "runs/null"]);
    assert!(other.join_output().contains("its --stages was another"), "{}", other.join_output());
}

/// What `check` says of a task with these stages: code and message.
fn said(task: &str) -> Vec<String> {
    let source = format!("suite s {{ title \"S\" version \"1.0.0\" }}\n\ntask t {{\n{task}\n}}\n");
    let compiled = testing::compile_text(&source);
    compiled.diagnostics.iter().map(|said| format!("{} {}", said.code.id, said.message)).collect()
}

const BASE: &str =
    "a : int 1..9\nb = a + 1\nc = b * 2\nprompt \"Double <<a>>+1. Number only.\"\nexpect reply number c\n";

fn stage(head: &str, value: &str) -> String {
    format!("stage {head} {{ prompt \"What of <<a>>? Number only.\" expect reply number {value} }}\n")
}

#[test]
fn the_graph_follows_what_answers_read_unless_it_is_said() {
    let after = |stages: &str| -> Vec<(String, Vec<u32>)> {
        let source = format!("suite s {{ title \"S\" version \"1.0.0\" }}\n\ntask t {{\n{BASE}{stages}\n}}\n");
        let compiled = testing::compile_text(&source);
        let plan = compiled.plan.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
        let stages = plan.tasks[0].stages.iter();
        stages.map(|stage| (stage.way.name.clone(), stage.after.iter().map(|id| id.0).collect())).collect()
    };
    let graph = |stages: &str| after(stages).into_iter().map(|(_, after)| after).collect::<Vec<_>>();
    assert_eq!(graph(&[stage("last", "c"), stage("first", "b")].concat()), [vec![1], vec![]]);
    // Drawn names do not count, and what both build on orders neither.
    assert_eq!(graph(&[stage("x", "a * 3"), stage("y", "a + 2")].concat()), [vec![], vec![]] as [Vec<u32>; 2]);
    assert_eq!(graph(&[stage("x", "b * 3"), stage("y", "b + 2")].concat()), [vec![], vec![]] as [Vec<u32>; 2]);
    // Those that are named, all and only.
    let three = [stage("x", "b"), stage("y", "a + 2"), stage("z after y", "c")].concat();
    assert_eq!(graph(&three), [vec![], vec![], vec![1]] as [Vec<u32>; 3]);
    // A stage's own names are followed.
    let own = "stage z { n = c + 1 prompt \"What of <<a>>? Number only.\" expect reply number n }\n";
    assert_eq!(graph(&[own.to_owned(), stage("y", "b")].concat()), [vec![1], vec![]]);
}

#[test]
fn mistakes_in_stages_are_said() {
    let table: [(String, &str); 9] = [
        (
            format!("{BASE}{}{}", stage("x after y", "b"), stage("y after x", "c")),
            "E0208 stage `x` precedes itself: `x` after `y` after `x`",
        ),
        (format!("{BASE}{}", stage("x after x", "b")), "E0208 stage `x` precedes itself"),
        (format!("{BASE}{}", stage("x after z", "b")), "E0201 stage `z` is not defined"),
        (format!("{BASE}{}{}", stage("x", "b"), stage("x", "c")), "E0206 stage `x` is defined twice"),
        (
            format!("{BASE}variant x {{ expect reply number c }}\n{}", stage("x", "b")),
            "E0206 `x` names a stage, but it is already defined",
        ),
        (format!("{BASE}stage x {{ expect reply number b }}"), "E0701 stage `x` has no `prompt`"),
        (format!("{BASE}stage x {{ prompt \"What of <<a>>?\" }}"), "E0701 stage `x` has no `expect`"),
        (
            format!("{BASE}stage x {{ d : int 1..2 prompt \"What of <<a>>?\" expect reply number b }}"),
            "E0702 drawn names cannot be in a stage: stages share the task's draws and data",
        ),
        (
            format!("{BASE}text notes at \"steps.json\" = \"x\"\n{}", stage("x", "b")),
            "E0502 the file `notes` and the file of the stages have the same path",
        ),
    ];
    for (task, expected) in table {
        assert!(said(&task).iter().any(|said| said == expected), "{task}: {:?}", said(&task));
    }
    let reads = format!("{BASE}expect file \"steps.json\" exists\n{}", stage("x", "b"));
    assert!(said(&reads).iter().any(|said| said.starts_with("E0502")), "{:?}", said(&reads));
    let idle = format!("{BASE}o : int 1..9\n{}", stage("x", "o * 2"));
    assert!(said(&idle).contains(&"W0309 stage `x` is not needed for the answer".to_owned()), "{:?}", said(&idle));
    let leaked = format!("{BASE}{}{}", stage("x", "b"), stage("y after x", "a + 1"));
    assert!(
        said(&leaked).iter().any(|said| said.starts_with("W0204 stage `y` is given its answer")),
        "{:?}",
        said(&leaked)
    );
}

#[test]
fn with_trace_a_tree_also_has_what_stages_ask_for() {
    let source = r#"suite tree { title "Tree" version "1.0.0" samples 3 }

task t {
  a : int 1..9
  b = a + 1
  prompt "Write <<a>> + 1 to <<sandbox>>/n.txt. Create nothing else."
  expect file "n.txt" number b
  expect tree only ["n.txt"]
  stage x {
    prompt "Write twice that to <<sandbox>>/m.txt, and nothing else; <<a>>"
    expect file "m.txt" number b * 2
    expect tree only ["m.txt"]
  }
}
"#;
    let home = testing::create_folder(&[("tree.pcd", source)]);
    let at = home.path();
    for mode in ["whole", "each", "given", "trace"] {
        let said = done(at, &format!("selftest tree.pcd --samples 3 --stages {mode}"));
        assert!(said.contains("1 of 1 tasks sound"), "{mode}: {said}");
    }
    done(at, "build tree.pcd -o trace --seed 7 --stages trace");
    let picard = &lines(&at.join("trace/instances.jsonl"))[0]["metadata"]["picard"];
    let only = |expects: &Json| expects[1]["subject"]["only"].clone();
    assert_eq!(only(&picard["expect"]), json!(["n.txt", "steps.json", "m.txt"]));
    assert_eq!(only(&picard["stages"][0]["expect"]), json!(["m.txt", "steps.json", "n.txt"]));
}

#[test]
fn with_trace_one_file_cannot_have_two_contents() {
    let suite = |task: &str, stages: &str| {
        format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 2 }}\n\ntask t {{\n  a : int 4..9\n  b = a + 1\n  \
             prompt \"Write <<a>> + 1 to <<sandbox>>/n.txt, as asked.\"\n  {task}\n{stages}}}\n"
        )
    };
    let stage = |name: &str, expect: &str| {
        format!("  stage {name} {{ prompt \"What of <<a>>? To <<sandbox>>/n.txt and o.txt.\" {expect} }}\n")
    };
    let number = "expect file \"n.txt\" number b";
    let help = "use another path in one of them, or another mode than `--stages trace`";
    for (task, stages, said) in [
        (
            number,
            stage("x", "expect file \"n.txt\" number b * 2"),
            "the task expects `number 9` in `n.txt`, where stage `x` expects `number 18`",
        ),
        (
            "expect reply number b",
            [stage("x", number), stage("y", "expect file \"N.txt\" number 100 rounded 1")].concat(),
            "stage `x` expects `number 9` in `n.txt`, where stage `y` expects `number 100`",
        ),
        (number, stage("x", "expect file \"n.txt\" absent"), "in `n.txt`, where stage `x` expects `absent`"),
        (number, stage("x", "expect file \"n.txt\" list [a, b, 3]"), "in `n.txt`, where stage `x` expects `list "),
        (
            "expect file \"n.txt\" at \"$.k\" number b",
            stage("x", "expect file \"n.txt\" at \"$.k\" number a"),
            "the task expects `number 9` in `n.txt`, where stage `x` expects `number 8`",
        ),
    ] {
        let home = testing::create_folder(&[("s.pcd", &suite(task, &stages))]);
        let at = home.path();
        for mode in ["whole", "each", "given"] {
            done(at, &format!("build s.pcd -o {mode} --seed 7 --stages {mode}"));
        }
        for command in ["build s.pcd -o trace", "selftest s.pcd", "analyze s.pcd", "preview s.pcd"] {
            let ran = run(at, &format!("{command} --seed 7 --stages trace").split(' ').collect::<Vec<_>>());
            assert_ne!(ran.status.code(), Some(0), "{command} {stages}: {}", ran.join_output());
            let told = ran.join_output().replace("\n", " ");
            assert!(
                told.contains("E0904") && told.contains(said) && told.contains(help),
                "{command}: {}",
                ran.join_output()
            );
        }
    }
    for (task, stages) in [
        // The same, or what is right for both.
        (number, stage("x", number)),
        (number, stage("x", "expect file \"n.txt\" number b + 1 within 1")),
        (number, stage("x", "expect file \"n.txt\" exists")),
        (number, stage("x", "expect file \"o.txt\" number a")),
        (number, stage("x", "expect file \"n.txt\" text \"<<b>>\"")),
        ("expect file \"n.txt\" contains \"<<b>>\"", stage("x", "expect file \"n.txt\" contains \"<<a>>\"")),
        ("expect file \"n.txt\" at \"$.k\" number b", stage("x", "expect file \"n.txt\" at \"$.l\" number a")),
    ] {
        let home = testing::create_folder(&[("s.pcd", &suite(task, &stages))]);
        done(home.path(), "build s.pcd -o trace --seed 7 --stages trace");
    }
}
