//! `describe` and `tokens`: descriptions of databases within a number of tokens.

use std::collections::BTreeSet;

use plan::described::{Column, Table, describe};
use serde_json::Value as Json;
use testing::{codes, compile, compile_with, has_python, instances, root, suite};

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
            match describe(&tables, budget, &hint) {
                Ok(found) => {
                    fits += 1;
                    assert_eq!(found.tokens, plan::tokens::tokens(&found.text), "{round}");
                    assert!(
                        found.tokens <= budget,
                        "{round}: {} tokens, {budget} allowed\n{}",
                        found.tokens,
                        found.text
                    );
                    assert_eq!(describe(&tables, budget, &hint).as_ref(), Ok(&found), "{round}: twice");
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
        let counts: Vec<usize> = ladder.iter().map(|text| plan::tokens::tokens(text)).collect();
        let mut budgets: Vec<usize> = counts.iter().flat_map(|count| [*count, count.saturating_sub(1)]).collect();
        budgets.sort_unstable();
        budgets.dedup();
        for budget in budgets.into_iter().step_by(1 + counts.len() / 12) {
            let expected = counts.iter().position(|count| *count <= budget).map(|at| ladder[at].as_str());
            let found = describe(tables, budget, hint);
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
    sqlite::start().expect("SQLite");
    let bird = root().join("suites/trades/bird");
    let items: Json =
        serde_json::from_slice(&std::fs::read(bird.join("dev.json")).expect("the questions")).expect("JSON");
    let (mut shares, mut all) = (Vec::new(), (0, 0));
    for item in items.as_array().expect("a list") {
        let text = |field: &str| item[field].as_str().expect("a text");
        let id = text("db_id");
        let bytes = std::fs::read(bird.join(format!("dev_databases/{id}/{id}.sqlite"))).expect("a database");
        // Queries that cannot be used are in the set, too.
        let needed = match sqlite::reads(&bytes, text("SQL")) {
            Ok(needed) => needed,
            Err(why) => {
                println!("{}: {why}", item["question_id"]);
                continue;
            }
        };
        let tables = sqlite::described(&bytes).expect("described");
        let found = describe(&tables, 2048, text("question")).expect("room");
        assert!(found.tokens <= 2048);
        let columns = needed.iter().filter(|(_, column)| column.is_some());
        let seen =
            columns.clone().filter(|one| found.visible(&std::iter::once((*one).clone()).collect()) == 1.0).count();
        all = (all.0 + seen, all.1 + columns.count());
        shares.push(found.visible(&needed));
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
    let compiled = compile(&suite("samples 1", &body));
    let made = instances(&testing::errors(compiled));
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

#[test]
fn too_few_tokens() {
    sqlite::start().expect("SQLite");
    let made = {
        let body = "CREATE TABLE observations_of_whales (A); INSERT INTO observations_of_whales VALUES (1), (2)";
        let mut connection = rusqlite::Connection::open_in_memory().expect("opened");
        connection.execute_batch(body).expect(body);
        connection.serialize("main").expect("serialized").to_vec()
    };
    let source = |budget: i64| {
        suite(
            "samples 1",
            &format!(
                "sqlite db at \"db.sqlite\" from \"db.sqlite\"\nabout = describe(db, {budget})\n\
                 prompt \"<<about>> How many rows are in <<db>>?\"\nexpect reply number count(db.observations_of_whales) + 1"
            ),
        )
    };
    for (budget, expected) in [(2, true), (-1, true), (20, false)] {
        let compiled = compile_with(&source(budget), &[("db.sqlite", &made)]);
        let said: Vec<&str> = codes(&compiled).into_iter().filter(|code| *code == "E0503").collect();
        assert_eq!(!said.is_empty(), expected, "{budget}: {:#?}", compiled.diagnostics);
    }
    let compiled = compile_with(&source(2), &[("db.sqlite", &made)]);
    let said = compiled.diagnostics.iter().find(|said| said.code.id == "E0503").expect("E0503");
    assert_eq!(said.message, "`describe` needs more than 2 tokens");
    // What is generated is known when it is built.
    let drawn = compile(&suite(
        "samples 1",
        &format!("{SHOP}prompt \"<<describe(shop, 1)>>\"\nexpect reply number count(shop.orders)"),
    ));
    let failed =
        testing::made(drawn.plan.as_ref().expect("a plan"), runtime::generate::Options::new("7")).expect_err("too few");
    assert_eq!(failed.kind, runtime::failure::FailureKind::TooFewTokens);
    assert_eq!(failed.help.as_deref(), Some("`# customers` needs 2: allow at least that many"));
}
