//! `describe` and `tokens`: descriptions of databases within a number of tokens.

use std::collections::BTreeSet;

use model::schema_description::{Column, Table, describe_tables};
use serde_json::Value as Json;
use testing::{build_suite_source, compile_text, compile_with, expect_instances, has_python, list_codes, root};

/// A small generator of numbers: the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        // SplitMix64 (Steele, Lea, Flood 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn one<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.roll(words.len() as u64) as usize]
    }
}

const WORDS: [&str; 20] = [
    "order",
    "Orders",
    "cust",
    "ID",
    "name",
    "amount",
    "createdAt",
    "ship2",
    "City",
    "status",
    "größe",
    "X",
    "part",
    "line",
    "Total",
    "qty",
    "price",
    "note",
    "ref",
    "date",
];

/// A name that no other has.
fn name(dice: &mut Dice, known: &mut BTreeSet<String>) -> String {
    loop {
        let mut name = dice.one(&WORDS).to_owned();
        for _ in 0..dice.roll(3) {
            name = format!("{name}{}{}", dice.one(&["_", " ", "", "-"]), dice.one(&WORDS));
        }
        if known.insert(name.to_lowercase()) {
            return name;
        }
    }
}

fn schema(dice: &mut Dice) -> Vec<Table> {
    let mut known = BTreeSet::new();
    let mut tables: Vec<Table> = Vec::new();
    for _ in 0..1 + dice.roll(9) {
        let mut columns = Vec::new();
        let mut names = BTreeSet::new();
        for _ in 0..1 + dice.roll(14) {
            let to = tables.get(dice.roll(6) as usize).filter(|_| dice.roll(4) == 0);
            let target = to.map(|table| (table.name.clone(), table.columns[0].name.clone()));
            let examples: Vec<String> =
                (0..dice.roll(4)).map(|n| format!("{}{n}", dice.one(&["", "-", "'a b ", "12."]))).collect();
            columns.push(Column {
                name: name(dice, &mut names),
                declared: dice.one(&["INTEGER", "TEXT", "REAL", "", "VARCHAR(20)"]).to_owned(),
                not_null: dice.roll(2) == 0,
                key: dice.roll(4) == 0,
                references: target.into_iter().collect(),
                examples,
            });
        }
        tables.push(Table { name: name(dice, &mut known), rows: dice.roll(3) * dice.roll(1000), columns });
    }
    tables
}

fn hint(dice: &mut Dice) -> String {
    (0..dice.roll(5)).map(|_| dice.one(&WORDS)).collect::<Vec<_>>().join(dice.one(&[" ", "_", ", "]))
}

#[test]
fn never_over_budget_and_never_less_for_more() {
    let mut dice = Dice(15);
    let mut fits = 0;
    for round in 0..200 {
        let (tables, hint) = (schema(&mut dice), hint(&mut dice));
        let mut before: Option<BTreeSet<(String, Option<String>)>> = None;
        let mut budget = dice.roll(12) as usize;
        for _ in 0..12 {
            match describe_tables(&tables, budget, &hint) {
                Ok(found) => {
                    fits += 1;
                    assert_eq!(found.tokens, model::tokens::count_tokens(&found.text), "{round}");
                    assert!(
                        found.tokens <= budget,
                        "{round}: {} tokens, {budget} allowed\n{}",
                        found.tokens,
                        found.text
                    );
                    assert_eq!(describe_tables(&tables, budget, &hint).as_ref(), Ok(&found), "{round}: twice");
                    let named: BTreeSet<(String, Option<String>)> = found
                        .named
                        .iter()
                        .flat_map(|(table, columns)| {
                            let columns = columns.iter().map(|column| (table.clone(), Some(column.clone())));
                            columns.chain([(table.clone(), None)])
                        })
                        .collect();
                    if let Some(before) = &before {
                        assert!(before.is_subset(&named), "{round}: {budget} tokens tell less than fewer did");
                    }
                    before = Some(named);
                }
                Err(few) => {
                    assert!(before.is_none(), "{round}: {budget} tokens are too few, and fewer were not");
                    assert!(few.needs > budget, "{round}");
                }
            }
            budget += 1 + dice.roll(60) as usize;
        }
    }
    assert!(fits > 1000, "{fits}");
}

/// An independent program writes down all texts from the fullest to the shortest; the first that fits is the one.
#[test]
fn as_an_independent_program_describes() {
    if !has_python() {
        return;
    }
    let mut dice = Dice(3);
    let cases: Vec<(Vec<Table>, String)> = (0..200).map(|_| (schema(&mut dice), hint(&mut dice))).collect();
    let json = |(tables, hint): &(Vec<Table>, String)| {
        let tables: Vec<serde_json::Value> = tables
            .iter()
            .map(|table| {
                let columns = table.columns.iter().map(|column| {
                    serde_json::json!({
                        "name": column.name, "type": column.declared, "not_null": column.not_null, "key": column.key,
                        "references": column.references, "examples": column.examples,
                    })
                });
                serde_json::json!({"name": table.name, "rows": table.rows, "columns": columns.collect::<Vec<_>>()})
            })
            .collect();
        serde_json::json!({"tables": tables, "hint": hint})
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cases.json");
    std::fs::write(&file, serde_json::Value::from(cases.iter().map(json).collect::<Vec<_>>()).to_string())
        .expect("written");
    let script = root().join("tests/python/describe.py");
    let output = std::process::Command::new("python3").arg(script).arg(&file).output().expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ladders: Vec<Vec<String>> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(ladders.len(), cases.len());
    let mut steps = 0;
    for ((tables, hint), ladder) in cases.iter().zip(&ladders) {
        let counts: Vec<usize> = ladder.iter().map(|text| model::tokens::count_tokens(text)).collect();
        let mut budgets: Vec<usize> = counts.iter().flat_map(|count| [*count, count.saturating_sub(1)]).collect();
        budgets.sort_unstable();
        budgets.dedup();
        for budget in budgets.into_iter().step_by(1 + counts.len() / 12) {
            let expected = counts.iter().position(|count| *count <= budget).map(|at| ladder[at].as_str());
            let found = describe_tables(tables, budget, hint);
            assert_eq!(
                found.as_ref().ok().map(|found| found.text.as_str()),
                expected,
                "{budget} tokens, hint {hint:?}"
            );
            steps += 1;
        }
    }
    assert!(steps > 2000, "{steps}");
}

/// Of every gold query of the made-up data set, the share of tables and columns that a description of 2,048 tokens names.
#[test]
fn what_the_gold_queries_of_trades_need_is_visible() {
    sqlite::init_process().expect("SQLite");
    let bird = root().join("suites/trades/bird");
    let items: Json =
        serde_json::from_slice(&std::fs::read(bird.join("dev.json")).expect("the questions")).expect("JSON");
    let (mut shares, mut all) = (Vec::new(), (0, 0));
    for item in items.as_array().expect("a list") {
        let text = |field: &str| item[field].as_str().expect("a text");
        let id = text("db_id");
        let bytes = std::fs::read(bird.join(format!("dev_databases/{id}/{id}.sqlite"))).expect("a database");
        // Queries that cannot be used are in the set, too.
        let needed = match sqlite::list_reads(&bytes, text("SQL")) {
            Ok(needed) => needed,
            Err(why) => {
                println!("{}: {why}", item["question_id"]);
                continue;
            }
        };
        let tables = sqlite::describe_tables(&bytes).expect("described");
        let found = describe_tables(&tables, 2048, text("question")).expect("room");
        assert!(found.tokens <= 2048);
        let columns = needed.iter().filter(|(_, column)| column.is_some());
        let seen = columns
            .clone()
            .filter(|one| found.compute_visible_share(&std::iter::once((*one).clone()).collect()) == 1.0)
            .count();
        all = (all.0 + seen, all.1 + columns.count());
        shares.push(found.compute_visible_share(&needed));
    }
    println!("{} queries, {} of {} columns visible", shares.len(), all.0, all.1);
    assert!(shares.len() >= 50, "{}", shares.len());
    assert!(all.0 * 100 >= all.1 * 95, "{all:?}");
    let full = shares.iter().filter(|share| **share == 1.0).count();
    assert!(full * 100 >= shares.len() * 95, "{full} of {}", shares.len());
}

const SHOP: &str = r#"sqlite shop at "shop.db" {
  table customers { rows 9  ID : serial  NAME : person_name }
  table orders { rows 75  OID : serial  CUST : ref customers.ID  AMOUNT : decimal 1.00..99.99 }
}
"#;

#[test]
fn instances_record_what_is_visible() {
    let body = format!(
        "{SHOP}axis room = [4, 1000]\nabout = describe(shop, room, \"orders\")\nn = tokens(about)\n\
         prompt \"<<about>> <<n>> Write the sum of all amounts per customer, in a sql block.\"\n\
         expect reply fenced \"sql\" sql shop <<rows: SELECT NAME, SUM(AMOUNT) FROM shop.orders JOIN shop.customers ON CUST = ID GROUP BY ID>>"
    );
    let compiled = compile_text(&build_suite_source("samples 1", &body));
    let made = expect_instances(&testing::keep_errors(compiled));
    let described: Vec<_> = made.iter().map(|instance| instance.described.as_slice()).collect();
    let [[few], [all]] = described.as_slice() else { panic!("{described:?}") };
    assert_eq!((few.budget, few.tokens), (4, 2));
    // Of 2 tables and 4 columns, one table.
    assert_eq!((few.visible, all.visible), (0.1667, 1.0));
    assert!(made[0].prompt.starts_with("# orders 2 Write"), "{}", made[0].prompt);
    let text = &made[1].prompt;
    assert!(text.contains("- CUST: INTEGER not null -> customers.ID, e.g. "), "{text}");
    assert!(text.contains(&format!(" {} Write", all.tokens)), "{text}");
}

const SUM: &str = "expect reply fenced \"sql\" sql shop <<rows: SELECT SUM(AMOUNT) AS S FROM shop.orders>>";

/// The descriptions that the instances of a task have: what is visible in each.
fn visible(body: &str) -> Vec<Vec<f64>> {
    let made = expect_instances(&testing::keep_errors(compile_text(&build_suite_source("samples 1", body))));
    made.iter().map(|instance| instance.described.iter().map(|one| one.visible).collect()).collect()
}

#[test]
fn only_what_the_agent_is_given_is_visible() {
    let of_variants = format!(
        "{SHOP}about = describe(shop, 1000)\nprompt \"Write the sum of all amounts of <<shop>>, in a sql block.\"\n{SUM}\n\
         variant plain {{ prompt \"Think first.\" }}\nvariant told {{ prompt \"<<about>>\" }}"
    );
    assert_eq!(visible(&of_variants), [vec![], vec![1.0]]);
    let in_a_file = format!(
        "{SHOP}text notes at \"notes.md\" = describe(shop, 1000)\n\
         prompt \"<<notes>> describes <<shop>>. Write the sum of all amounts, in a sql block.\"\n{SUM}"
    );
    assert_eq!(visible(&in_a_file), [[1.0]]);
}

#[test]
fn a_query_of_a_view_reads_its_tables() {
    let body =
        SHOP.replace("\n}\n", "\n  view large = <<rows: SELECT CUST, AMOUNT FROM orders WHERE AMOUNT > 50>>\n}\n");
    let body = format!(
        "{body}axis room = [4, 1000]\nprompt \"<<describe(shop, room, \"orders\")>> Write the sum of all large amounts of <<shop>>, in a sql block.\"\n\
         expect reply fenced \"sql\" sql shop <<rows: SELECT SUM(AMOUNT) AS S FROM shop.large>>"
    );
    let [few, all] = visible(&body).try_into().expect("two instances");
    // `orders`, and its two columns that the view has.
    assert_eq!((few, all), (vec![0.3333], vec![1.0]));
}

/// Two budgets for each of three questions, whose queries are data.
const DATA_SET: &str = r#"suite told { title "T" version "1" }
table dev from "dev.json"
task ask {
  each q in dev key ID
  axis room = [3, 1000]
  sqlite db at "db.sqlite" from "db.sqlite"
  prompt "<<q.TEXT>> Reply with one SQLite query for <<db>> in a sql block.\n<<describe(db, room)>>"
  expect reply fenced "sql" sql db query(db, q.SQL)
}
"#;

#[test]
fn descriptions_of_data_sets_are_recorded_and_judged() {
    sqlite::init_process().expect("SQLite");
    let rows = [
        (1, "SELECT Y FROM a WHERE X > 1"),
        (2, "SELECT b.Z, COUNT(*) FROM b JOIN a ON a.X = b.X GROUP BY b.Z"),
        (3, "SELECT Z FROM b"),
    ];
    let rows: Vec<Json> = rows
        .iter()
        .map(|(id, sql)| serde_json::json!({"ID": id, "TEXT": format!("Question {id}?"), "SQL": sql}))
        .collect();
    let home = testing::create_folder(&[("s.pcd", DATA_SET), ("dev.json", &Json::from(rows).to_string())]);
    let made = rusqlite::Connection::open(home.path().join("db.sqlite")).expect("opened");
    let filled = "CREATE TABLE a (X INT, Y TEXT); CREATE TABLE b (X INT, Z REAL); INSERT INTO a VALUES (1, 'p'), (2, 'q'), (3, 'r'); \
                  INSERT INTO b VALUES (2, 0.5), (3, 1.5)";
    made.execute_batch(filled).expect("filled");
    drop(made);
    let built = |threads: &str| {
        testing::expect_success(
            home.path(),
            &["build", "s.pcd", "--seed", "7", "--threads", threads, "--out", threads],
        );
        std::fs::read_to_string(home.path().join(threads).join("instances.jsonl")).expect("written")
    };
    let lines = built("1");
    // The same everywhere.
    assert_eq!(lines, built("3"));
    let described: Vec<(String, Json)> = lines
        .lines()
        .map(|line| {
            let line: Json = serde_json::from_str(line).expect("JSON");
            (line["id"].as_str().expect("an id").to_owned(), line["metadata"]["picard"]["described"].clone())
        })
        .collect();
    let expected = [
        ("ask-1-3-1", 3, 2, 0.3333),
        ("ask-1-1000-1", 1000, 77, 1.0),
        ("ask-2-3-1", 3, 2, 0.2),
        ("ask-2-1000-1", 1000, 77, 1.0),
        ("ask-3-3-1", 3, 2, 0.0),
        ("ask-3-1000-1", 1000, 77, 1.0),
    ];
    for (id, budget, tokens, visible) in expected {
        let found = described.iter().find(|(own, _)| own == id).map(|(_, described)| described);
        let one = serde_json::json!([{"budget": budget, "tokens": tokens, "visible": visible}]);
        assert_eq!(found, Some(&one), "{id}");
    }
    let weak: Json =
        serde_json::from_str(&testing::expect_success(home.path(), &["analyze", "s.pcd", "--json"])).expect("JSON");
    let row = &weak["tasks"][0];
    assert_eq!(row["descriptions"], serde_json::json!({"count": 6, "blind": 1}), "{weak}");
    assert!(row["reasons"].as_array().expect("reasons").contains(&"blind".into()), "{weak}");
}

#[test]
fn too_few_tokens() {
    sqlite::init_process().expect("SQLite");
    let made = {
        let body = "CREATE TABLE observations_of_whales (A); INSERT INTO observations_of_whales VALUES (1), (2)";
        let mut connection = rusqlite::Connection::open_in_memory().expect("opened");
        connection.execute_batch(body).expect(body);
        connection.serialize("main").expect("serialized").to_vec()
    };
    let source = |budget: i64| {
        build_suite_source(
            "samples 1",
            &format!(
                "sqlite db at \"db.sqlite\" from \"db.sqlite\"\nabout = describe(db, {budget})\n\
                 prompt \"<<about>> How many rows are in <<db>>?\"\nexpect reply number count(db.observations_of_whales) + 1"
            ),
        )
    };
    for (budget, expected) in [(2, true), (-1, true), (20, false)] {
        let compiled = compile_with(&source(budget), &[("db.sqlite", &made)]);
        let said: Vec<&str> = list_codes(&compiled).into_iter().filter(|code| *code == "E0503").collect();
        assert_eq!(!said.is_empty(), expected, "{budget}: {:#?}", compiled.diagnostics);
    }
    let compiled = compile_with(&source(2), &[("db.sqlite", &made)]);
    let said = compiled.diagnostics.iter().find(|said| said.code.id == "E0503").expect("E0503");
    assert_eq!(said.message, "`describe` needs more than 2 tokens");
    // What is generated is known when it is built.
    let drawn = compile_text(&build_suite_source(
        "samples 1",
        &format!("{SHOP}prompt \"<<describe(shop, 1)>>\"\nexpect reply number count(shop.orders)"),
    ));
    let failed = testing::make_instances(drawn.plan.as_ref().expect("a plan"), runtime::generate::Options::new("7"))
        .expect_err("too few");
    assert_eq!(failed.kind, runtime::failure::FailureKind::TooFewTokens);
    assert_eq!(failed.help.as_deref(), Some("`# customers` needs 2: allow at least that many"));
}
