//! Lints on what the questions of data sets tell.

use compiler::Compiled;

/// Compiles a task that asks the rows of `dev.json`.
fn compile_rows(rows: &str, body: &str) -> Compiled {
    let shop = "sqlite shop at \"shop.db\" { table orders { rows 40..60 OID : serial CITY : one_of [\"Boston\", \"Austin\"] AMOUNT : int 10..900 } }";
    let text = format!(
        "suite s {{ title \"S\" version \"1\" }}\ntable dev from \"dev.json\"\ntask q {{\neach q in dev key ID\n{shop}\n{body}\n}}\n"
    );
    testing::compile_with(&text, &[("dev.json", rows.as_bytes())])
}

fn list_names(rows: &str, body: &str) -> Vec<&'static str> {
    compile_rows(rows, body).diagnostics.iter().map(|said| said.code.name).collect()
}

const ASKS_FOR_SQL: &str =
    "prompt \"<<q.TEXT>> Reply with one query for <<shop>>.\" expect reply sql shop query(shop, q.SQL)";
const ASKS_FOR_TEXT: &str = "prompt \"<<q.TEXT>> See <<shop>>.\" expect reply text q.ANSWER";

#[test]
fn questions_that_contain_their_query_or_answer() {
    let sql = r#"[{ "ID": 1, "TEXT": "How many orders are there? SELECT COUNT(*)  FROM orders", "SQL": "SELECT count(*) FROM orders" },
        { "ID": 2, "TEXT": "What is the highest AMOUNT?", "SQL": "SELECT MAX(AMOUNT) FROM orders" }]"#;
    assert_eq!(list_names(sql, ASKS_FOR_SQL), ["leaked_answer"]);
    let told = "prompt \"<<q.TEXT>> Use <<shop>>: <<q.SQL>>\" expect reply sql shop query(shop, q.SQL)";
    let right = r#"[{ "ID": 1, "TEXT": "How many orders are there?", "SQL": "SELECT COUNT(*) FROM orders" }]"#;
    assert_eq!(list_names(right, told), ["leaked_answer"]);
    assert_eq!(list_names(right, ASKS_FOR_SQL), Vec::<&str>::new());
    let answers = r#"[{ "ID": 1, "TEXT": "The capital of Australia, Canberra, lies where?", "ANSWER": "Canberra" },
        { "ID": 2, "TEXT": "What is the largest planet?", "ANSWER": "Jupiter" }]"#;
    assert_eq!(list_names(answers, ASKS_FOR_TEXT), ["leaked_answer"]);
    let choice = r#"[{ "ID": 1, "TEXT": "Is Canberra or Sydney the capital?", "ANSWER": "Canberra" }]"#;
    assert_eq!(list_names(choice, ASKS_FOR_TEXT), Vec::<&str>::new());
    let direct = "prompt \"<<q.TEXT>> (<<q.ANSWER>>) See <<shop>>.\" expect reply text q.ANSWER";
    assert_eq!(list_names(choice, direct), ["leaked_answer"]);
}

#[test]
fn queries_with_another_value_than_the_question() {
    let caught = [
        r#"[{ "ID": 1, "TEXT": "How many orders are above 500?", "SQL": "SELECT COUNT(*) FROM orders WHERE AMOUNT > 400" }]"#,
        r#"[{ "ID": 1, "TEXT": "How many orders are from \"Boston\"?", "SQL": "SELECT COUNT(*) FROM orders WHERE CITY = 'Austin'" }]"#,
    ];
    for rows in caught {
        assert_eq!(list_names(rows, ASKS_FOR_SQL), ["untold_literal"], "{rows}");
    }
    let right = [
        r#"[{ "ID": 1, "TEXT": "How many orders are above 1,500?", "SQL": "SELECT COUNT(*) FROM orders WHERE AMOUNT > 1500" }]"#,
        r#"[{ "ID": 1, "TEXT": "How many orders are above five hundred?", "SQL": "SELECT COUNT(*) FROM orders WHERE AMOUNT > 500" }]"#,
        r#"[{ "ID": 1, "TEXT": "Which share of the orders is above 50%?", "SQL": "SELECT COUNT(*) FROM orders WHERE AMOUNT > 0.5 * 900" }]"#,
        r#"[{ "ID": 1, "TEXT": "How many orders are from 'Boston'?", "SQL": "SELECT COUNT(*) FROM orders WHERE CITY = 'Boston'" }]"#,
    ];
    for rows in right {
        assert_eq!(list_names(rows, ASKS_FOR_SQL), Vec::<&str>::new(), "{rows}");
    }
}

#[test]
fn questions_without_their_evidence() {
    let rows = r#"[{ "ID": 1, "TEXT": "How many orders are in total large?", "evidence": "An order is large if its AMOUNT exceeds 700.", "SQL": "SELECT COUNT(*) FROM orders WHERE AMOUNT > 700" }]"#;
    assert_eq!(list_names(rows, ASKS_FOR_SQL), ["untold_evidence"]);
    let told = "prompt \"<<q.TEXT>> <<q.evidence>> Reply with one query for <<shop>>.\" expect reply sql shop query(shop, q.SQL)";
    assert_eq!(list_names(rows, told), Vec::<&str>::new());
    let known = r#"[{ "ID": 1, "TEXT": "How many orders are above 700?", "evidence": "An order is large if its AMOUNT exceeds 700.", "SQL": "SELECT COUNT(*) FROM orders WHERE AMOUNT > 700" }]"#;
    assert_eq!(list_names(known, ASKS_FOR_SQL), Vec::<&str>::new());
    let remark = r#"[{ "ID": 1, "TEXT": "How many orders are in total large?", "remark": "An order is large if its AMOUNT exceeds 700.", "SQL": "SELECT COUNT(*) FROM orders WHERE AMOUNT > 700" }]"#;
    assert!(!list_names(remark, ASKS_FOR_SQL).contains(&"untold_evidence"));
}

#[test]
fn conditions_on_rows_with_a_misspelt_text() {
    let rows = r#"[{ "ID": 1, "STATE": "draft", "TEXT": "How many orders are there?", "SQL": "SELECT COUNT(*) FROM orders" },
        { "ID": 2, "STATE": "ready", "TEXT": "What is the highest AMOUNT?", "SQL": "SELECT MAX(AMOUNT) FROM orders" }]"#;
    let names = |condition: &str| {
        let shop = "sqlite shop at \"shop.db\" { table orders { rows 40..60 OID : serial AMOUNT : int 10..900 } }";
        let text = format!(
            "suite s {{ title \"S\" version \"1\" }}\ntable dev from \"dev.json\"\ntask q {{\neach q in dev key ID where {condition}\n{shop}\n{ASKS_FOR_SQL}\n}}\n"
        );
        let compiled = testing::compile_with(&text, &[("dev.json", rows.as_bytes())]);
        compiled.diagnostics.iter().map(|said| said.code.name).collect::<Vec<_>>()
    };
    assert_eq!(names("STATE != \"drafts\""), ["vacuous_predicate"]);
    assert_eq!(names("STATE not in [\"drafts\"]"), ["vacuous_predicate"]);
    assert_eq!(names("STATE == \"redy\" or ID == 1"), ["impossible_predicate"]);
    assert_eq!(names("STATE != \"draft\""), Vec::<&str>::new());
    assert_eq!(names("STATE != \"withdrawn\""), Vec::<&str>::new());
}

#[test]
fn periods_of_questions_and_days_of_their_queries() {
    let names = |asked: &str, condition: &str| {
        let rows = format!(
            "[{{ \"ID\": 1, \"TEXT\": \"How many orders came {asked}?\", \"SQL\": \"SELECT COUNT(*) FROM orders WHERE {condition}\" }}]"
        );
        let shop = "sqlite shop at \"shop.db\" { table orders { rows 40..60 OID : serial DAY : date 2023-01-01..2024-12-31 } }";
        let text = format!(
            "suite s {{ title \"S\" version \"1\" }}\ntable dev from \"dev.json\"\ntask q {{\neach q in dev key ID\n{shop}\n{ASKS_FOR_SQL}\n}}\n"
        );
        let compiled = testing::compile_with(&text, &[("dev.json", rows.as_bytes())]);
        compiled.diagnostics.iter().map(|said| said.code.name).collect::<Vec<_>>()
    };
    for (asked, condition) in [
        ("in the first quarter of 2024", "DAY >= '2024-01-01' AND DAY < '2024-05-01'"),
        ("in May 2024", "DAY BETWEEN '2024-05-01' AND '2024-05-30'"),
        ("in the second half of 2023", "DAY >= '2023-06-01' AND DAY <= '2023-12-31'"),
    ] {
        assert_eq!(names(asked, condition), ["other_condition"], "{asked} {condition}");
    }
    for (asked, condition) in [
        ("in the first quarter of 2024", "DAY >= '2024-01-01' AND DAY < '2024-04-01'"),
        ("in May 2024", "DAY BETWEEN '2024-05-01' AND '2024-05-31'"),
        ("before May 2024", "DAY >= '2024-01-01' AND DAY < '2024-05-01'"),
        ("in May 2024 or June 2024", "DAY >= '2024-05-01' AND DAY < '2024-07-01'"),
    ] {
        assert_eq!(names(asked, condition), Vec::<&str>::new(), "{asked} {condition}");
    }
}
