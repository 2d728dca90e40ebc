//! Questions of data sets against their SQL, on a database whose rows are known.

use compiler::diagnostics::Severity;

const SUITE: &str = r#"suite mini { title "Mini" version "1.0.0" }
table dev from "dev.json"
task ask {
  each q in dev key id
  sqlite db at "db.sqlite" from "kept.db"
  prompt "<<q.question>> The database is <<db>>. Reply with one SQLite query in a sql block. <<schema(db)>>"
  expect reply fenced "sql" sql db query(db, q.SQL)
}"#;

/// Rows whose SQL answers their question.
const GOOD: [(&str, &str); 4] = [
    ("How many people work in IT?", "SELECT COUNT(*) FROM staff WHERE dept = 'IT'"),
    ("What is the mean pay of all staff?", "SELECT AVG(pay) FROM staff"),
    ("Which people have the highest pay?", "SELECT name FROM staff WHERE pay = (SELECT MAX(pay) FROM staff)"),
    ("How many sales were made in total?", "SELECT COUNT(*) FROM sales"),
];

fn build_database() -> Vec<u8> {
    let mut kept = picardc::sqlite::Database::new_empty(&picardc::sqlite::TOOL).expect("opened");
    let filled = "CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT NOT NULL, dept TEXT NOT NULL, pay INTEGER NOT NULL, hired TEXT NOT NULL);
        CREATE TABLE sales (id INTEGER PRIMARY KEY, staff_id INTEGER NOT NULL REFERENCES staff (id), day TEXT NOT NULL, amount INTEGER NOT NULL, quantity INTEGER NOT NULL, state TEXT NOT NULL);
        INSERT INTO staff VALUES (1, 'Ann', 'IT', 4000, '2020-01-05'), (2, 'Bob', 'IT', 3000, '2021-03-01'), (3, 'Cid', 'HR', 3500, '2019-07-07'),
            (4, 'Dan', 'HR', 3400, '2022-02-02'), (5, 'Eve', 'Ops', 2500, '2024-06-30');
        INSERT INTO sales VALUES (1, 1, '2022-03-05', 15, 1, 'open'), (2, 1, '2023-03-05', 25, 2, 'paid'), (3, 2, '2023-05-06', 35, 3, 'open'),
            (4, 3, '2024-01-07', 45, 4, 'open'), (5, 5, '2024-03-09', 155, 1, 'paid');";
    kept.connection().execute_batch(filled).expect("filled");
    kept.to_bytes().expect("serialized")
}

/// The names of what is told of rows, besides errors.
fn list_told(rows: &[(&str, &str)]) -> Vec<String> {
    let quote = |text: &str| text.replace('"', "\\\"");
    let rows = rows.iter().enumerate().map(|(at, (question, sql))| {
        format!(r#"{{"id": {}, "question": "{}", "SQL": "{}"}}"#, at + 1, quote(question), quote(sql))
    });
    let data = format!("[{}]", rows.collect::<Vec<_>>().join(", "));
    let compiled = testing::compile_with(SUITE, &[("dev.json", data.as_bytes()), ("kept.db", &build_database())]);
    let told = compiled.diagnostics.iter();
    told.map(|said| match said.severity() {
        Severity::Error => format!("{}: {}", said.code.id, said.message),
        _ => said.code.name.to_owned(),
    })
    .collect()
}

/// Checks rows, each among good ones: the lint is told, or nothing.
fn check(cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (question, sql, lint) in cases {
        let found = list_told(&[&GOOD[..], &[(question, sql)]].concat());
        let wanted: Vec<String> = Some((*lint).to_owned()).filter(|lint| !lint.is_empty()).into_iter().collect();
        if found != wanted {
            wrong.push(format!("{question}\n  {sql}\n  said   {found:?}\n  wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn years_and_values_that_the_sql_does_not_read() {
    check(&[
        ("What is the total amount of the sales in 2024?", "SELECT SUM(amount) FROM sales", "other_condition"),
        ("How many people were hired before 2021?", "SELECT COUNT(*) FROM staff", "other_condition"),
        (
            "How many people in HR earn more than 3000?",
            "SELECT COUNT(*) FROM staff WHERE pay > 3000",
            "other_condition",
        ),
        ("How many people work in HR or in Ops?", "SELECT COUNT(*) FROM staff WHERE dept = 'HR'", "other_condition"),
        ("What is the highest pay of 'Ops'?", "SELECT MAX(pay) FROM staff", "other_condition"),
        (
            "How many sales with the state open are there?",
            "SELECT COUNT(*) FROM sales WHERE state = 'paid'",
            "other_condition",
        ),
        ("How many sales were not paid?", "SELECT COUNT(*) FROM sales WHERE state = 'paid'", "other_condition"),
        (
            "How many sales in March 2023 had an amount above 20?",
            "SELECT COUNT(*) FROM sales WHERE day LIKE '2023-03-%'",
            "other_condition",
        ),
        (
            "How many sales were made in 2023?",
            "SELECT COUNT(*) FROM sales WHERE day BETWEEN '2024-01-01' AND '2024-12-31'",
            "other_condition",
        ),
        (
            "Which people were hired before 2021? Give their names.",
            "SELECT name FROM staff WHERE hired > '2021-01-01'",
            "other_condition",
        ),
        (
            "What is the total amount of the sales in 2024?",
            "SELECT SUM(amount) FROM sales WHERE day >= '2024-01-01'",
            "",
        ),
        (
            "What is the total amount of the sales in 2024?",
            "SELECT SUM(amount) FROM sales WHERE strftime('%Y', day) = '2024'",
            "",
        ),
        ("How many people were hired before 2021?", "SELECT COUNT(*) FROM staff WHERE hired < '2021-01-01'", ""),
        (
            "How many people in HR earn more than 3000?",
            "SELECT COUNT(*) FROM staff WHERE dept = 'HR' AND pay > 3000",
            "",
        ),
        (
            "How many people are there in each of the departments IT, HR, and Ops?",
            "SELECT dept, COUNT(*) FROM staff GROUP BY dept",
            "",
        ),
        ("Who of HR made a sale? Give the ids.", "SELECT id FROM sales WHERE staff_id IN (3, 4)", ""),
        ("How many open sales are not settled?", "SELECT COUNT(*) FROM sales WHERE state = 'open'", ""),
        ("How many sales were not paid?", "SELECT COUNT(*) FROM sales WHERE state <> 'paid'", ""),
        (
            "How many sales in March 2023 had an amount above 20?",
            "SELECT COUNT(*) FROM sales WHERE day LIKE '2023-03-%' AND amount > 20",
            "",
        ),
        (
            "How many sales were made in 2023?",
            "SELECT COUNT(*) FROM sales WHERE day BETWEEN '2023-01-01' AND '2023-12-31'",
            "",
        ),
        (
            "How many sales were made between 2022 and 2023?",
            "SELECT COUNT(*) FROM sales WHERE day BETWEEN '2022-01-01' AND '2023-12-31'",
            "",
        ),
        ("How many sales were made after 2022?", "SELECT COUNT(*) FROM sales WHERE day > '2022-12-31'", ""),
    ]);
}

#[test]
fn many_questions_with_other_values_are_not_understood() {
    let total = "SELECT SUM(amount) FROM sales";
    let rows = [
        ("Sum up the amounts of 2022.", total),
        ("Sum up the amounts of 2023.", "SELECT SUM(amount) + 0 FROM sales"),
        ("How many in HR?", "SELECT COUNT(*) FROM staff"),
    ];
    assert_eq!(list_told(&rows), Vec::<String>::new());
}

#[test]
fn aggregates_orders_and_columns_of_questions() {
    check(&[
        ("What is the median amount?", "SELECT AVG(amount) FROM sales", "other_aggregate"),
        ("What is the sum of the amounts?", "SELECT AVG(amount) FROM sales", "other_aggregate"),
        (
            "Which department has the highest mean pay?",
            "SELECT dept FROM staff GROUP BY dept ORDER BY AVG(pay) LIMIT 1",
            "other_aggregate",
        ),
        ("Who was hired most recently?", "SELECT name FROM staff ORDER BY hired LIMIT 1", "other_aggregate"),
        ("How many people does each department have?", "SELECT COUNT(*) FROM staff s", "other_aggregate"),
        (
            "Which three sales had the largest amount? Give their ids.",
            "SELECT id FROM sales ORDER BY amount DESC LIMIT 4",
            "other_count",
        ),
        (
            "List the names of the staff in HR, in alphabetical order.",
            "SELECT name FROM staff WHERE dept = 'HR' ORDER BY name DESC",
            "other_order",
        ),
        (
            "What is the total quantity of the sales that are open?",
            "SELECT SUM(amount) FROM sales WHERE state = 'open'",
            "other_column",
        ),
        ("Give the names of the staff in HR.", "SELECT id FROM staff WHERE dept = 'HR'", "other_column"),
        (
            "What percentage of the sales is paid?",
            "SELECT SUM(state = 'paid') * 1.0 / COUNT(*) FROM sales",
            "other_unit",
        ),
        (
            "Which people earn more than the average?",
            "SELECT name FROM staff WHERE pay < (SELECT AVG(pay) FROM staff)",
            "other_comparison",
        ),
        ("What is the mean amount?", "SELECT SUM(amount) * 1.0 / COUNT(*) FROM sales", ""),
        (
            "Which department has the highest mean pay?",
            "SELECT dept FROM staff GROUP BY dept ORDER BY AVG(pay) DESC LIMIT 1",
            "",
        ),
        ("Who was hired most recently?", "SELECT name FROM staff ORDER BY hired DESC LIMIT 1", ""),
        (
            "Who is the person with the lowest pay, and who was hired earliest?",
            "SELECT name FROM staff ORDER BY pay LIMIT 1",
            "",
        ),
        ("How many people does each department have?", "SELECT dept, COUNT(*) FROM staff GROUP BY dept", ""),
        (
            "How many sales per person are there on average?",
            "SELECT COUNT(*) * 1.0 / COUNT(DISTINCT staff_id) FROM sales",
            "",
        ),
        (
            "Which three sales had the largest amount? Give their ids.",
            "SELECT id FROM sales ORDER BY amount DESC LIMIT 3",
            "",
        ),
        ("List the names of the staff, by descending pay.", "SELECT name FROM staff ORDER BY pay DESC", ""),
        ("Give the names of the staff in HR.", "SELECT name FROM staff WHERE dept = 'HR'", ""),
        ("Give the ids of the staff in HR by their names.", "SELECT id FROM staff WHERE dept = 'HR' ORDER BY name", ""),
        ("What percentage of the sales is paid?", "SELECT SUM(state = 'paid') * 100.0 / COUNT(*) FROM sales", ""),
        (
            "Which people earn less than the average?",
            "SELECT name FROM staff WHERE pay < (SELECT AVG(pay) FROM staff)",
            "",
        ),
    ]);
}

#[test]
fn comparisons_that_no_row_decides() {
    check(&[
        (
            "How many sales were made in 2023?",
            "SELECT COUNT(*) FROM sales WHERE strftime('%Y', day) = 2023",
            "impossible_predicate",
        ),
        (
            "How many sales were made in March?",
            "SELECT COUNT(*) FROM sales WHERE strftime('%m', day) = '3'",
            "impossible_predicate",
        ),
        (
            "How many sales were made from 2023 on?",
            "SELECT COUNT(*) FROM sales WHERE substr(day, 1, 4) >= 2023",
            "vacuous_predicate",
        ),
        ("How many names begin with A?", "SELECT COUNT(*) FROM staff WHERE name = 'A%'", "impossible_predicate"),
        (
            "How many sales were made in 2023?",
            "SELECT COUNT(*) FROM sales WHERE CAST(strftime('%Y', day) AS INTEGER) = 2023",
            "",
        ),
        ("How many sales were made in March?", "SELECT COUNT(*) FROM sales WHERE strftime('%m', day) = '03'", ""),
        ("How many names begin with A?", "SELECT COUNT(*) FROM staff WHERE name LIKE 'A%'", ""),
        ("How many sales were made in month 3?", "SELECT COUNT(*) FROM sales WHERE strftime('%m', day) + 0 = 3", ""),
    ]);
}

#[test]
fn rows_that_occur_twice() {
    check(&[
        ("How many persons are employed in IT?", "SELECT COUNT(*)  FROM staff WHERE dept='IT';", "doubtful_gold"),
        ("List the different states of sales.", "SELECT state FROM sales", "doubtful_gold"),
        ("How many people work in HR?", "SELECT COUNT(*) FROM staff WHERE dept = 'HR'", ""),
        ("List the different states of sales.", "SELECT DISTINCT state FROM sales", ""),
        ("List the different names of the staff.", "SELECT name FROM staff", ""),
        ("List the state of each sale.", "SELECT state FROM sales", ""),
    ]);
    // A data set that asks each question in two ways.
    let first = GOOD.iter().copied();
    let second = GOOD.iter().map(|(question, sql)| (question.trim_end_matches('?'), *sql));
    assert_eq!(list_told(&first.chain(second).collect::<Vec<_>>()), Vec::<String>::new());
    let drawn = SUITE.replace("from \"kept.db\"", "{ table staff { rows 9 id : serial pay : int 1..9 } }");
    let data = r#"[{"id": 1, "question": "How many?", "SQL": "SELECT COUNT(*) FROM staff"}, {"id": 2, "question": "how  many?", "SQL": "SELECT COUNT(id) FROM staff"}]"#;
    let compiled = testing::compile_with(&drawn, &[("dev.json", data.as_bytes())]);
    let names: Vec<&str> = compiled.diagnostics.iter().map(|said| said.code.name).collect();
    assert_eq!(names, ["doubtful_gold"]);
}

#[test]
fn years_and_superlatives() {
    let by_year = |year: &str| format!("SELECT COUNT(*) FROM sales WHERE strftime('%Y', day) = '{year}'");
    check(&[
        ("How many sales were there in 2023?", &by_year("2022"), "other_condition"),
        ("How many sales were there in March 2023?", &by_year("2022"), "other_condition"),
        ("How many sales were there in 2023?", &by_year("2023"), ""),
        ("How many sales were there in 2023?", "SELECT COUNT(*) FROM sales WHERE strftime('%Y', day) IN ('2023')", ""),
    ]);
}
