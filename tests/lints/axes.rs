//! Lints on axes, variants, samples, and draws that are probably not meant.

use super::hold;

#[test]
fn cells_with_the_same_value() {
    const REST: &str = r#"csv t at "t.csv" { rows 9..20  A : int 1..99 } prompt "How many A in <<t>> are above <<size>>? Number only." expect reply number count(t where A > size)"#;
    let with = |cells: &[&str]| cells.iter().map(|cells| format!("axis size = {cells} {REST}")).collect::<Vec<_>>();
    let caught = with(&[
        "{ small: 50, large: 50 }",
        "{ a: 1, b: 2, c: 1 }",
        "{ a: 10, b: 10.0 }",
        "{ low: 5 + 5, high: 10 }",
        "{ a: 7, b: 8, c: 9, d: 9 }",
        "{ one: 0, two: 0 }",
    ]);
    let right = with(&[
        "{ small: 50, large: 60 }",
        "[1, 2]",
        "{ a: 1, b: 2, c: 3 }",
        "[5]",
        "{ a: 1.5, b: 1 }",
        "{ a: 10, b: 100 }",
    ]);
    hold(
        "repeated_cells",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn an_axis_that_only_changes_the_prompt() {
    hold(
        "idle_axis",
        &[
            r#"axis size = [50, 500] csv t at "t.csv" { rows 100  A : int 1..99 } a : int 1..99 prompt "Among the <<size>> rows of <<t>>, how many A are above <<a>>? Number only." expect reply number count(t where A > a)"#,
            r#"axis least = [10, 20] csv t at "t.csv" { rows 9..20  A : int 1..99 } prompt "How many A in <<t>> are above <<least>>? Number only." expect reply number count(t where A > 10)"#,
            r#"axis town = ["Kiel", "Bonn"] csv t at "t.csv" { rows 9..20  CITY : one_of ["Kiel", "Bonn", "Ulm"] } prompt "How many rows of <<t>> have the CITY <<town>>? Number only." expect reply number count(t where CITY == "Kiel")"#,
            r#"axis day = { early: 2024-01-01, late: 2024-02-01 } csv t at "t.csv" { rows 9..20  D : date 2024-01-01..2024-12-31 } prompt "How many D in <<t>> are after <<day>>? Number only." expect reply number count(t where D > 2024-03-01)"#,
            r#"axis n = [2, 3] csv t at "t.csv" { rows 9..20  A : int 1..99 } note = "Take <<n>> of them." a : int 1..9 prompt "How many A in <<t>> are above <<a>>? <<note>> Number only." expect reply number count(t where A > a)"#,
            r#"axis top = [3, 5] axis size = [20, 40] csv t at "t.csv" { rows size  A : int 1..99 } prompt "The <<top>> largest A in <<t>>: what is their maximum? Number only." expect reply number max(t.A)"#,
        ],
        &[
            r#"axis size = [50, 500] csv t at "t.csv" { rows size  A : int 1..99 } a : int 1..99 prompt "Among the <<size>> rows of <<t>>, how many A are above <<a>>? Number only." expect reply number count(t where A > a)"#,
            r#"axis least = [10, 20] csv t at "t.csv" { rows 9..20  A : int 1..99 } prompt "How many A in <<t>> are above <<least>>? Number only." expect reply number count(t where A > least)"#,
            r#"axis tone = ["friendly", "terse"] csv t at "t.csv" { rows 9..20  A : int 1..99 } prompt "How many rows has <<t>>? Be <<tone>>. Number only on the last line." expect reply last line number count(t)"#,
            r#"axis words = [10, 50] csv t at "t.csv" { rows 9..20  A : int 1..99 } prompt "Describe <<t>> in at most <<words>> words. The last line is the number of rows." expect reply last line number count(t)"#,
            r#"axis hint = [true, false] csv t at "t.csv" { rows 9..20  A : int 1..99 } tip = if hint then "Count the lines." else "" prompt "How many rows has <<t>>? <<tip>> Number only." expect reply number count(t)"#,
            r#"axis n = [2, 3] csv t at "t.csv" { rows 9..20  A : int 1..9 } least = n * 2 prompt "How many A in <<t>> are above twice <<n>>? Number only." expect reply number count(t where A > least)"#,
        ],
    );
}

#[test]
fn a_draw_with_one_value() {
    const REST: &str = r#"a : int 10..90 prompt "How many A in <<t>> are above <<a>>? Number only." expect reply number count(t where A > a)"#;
    let with = |columns: &[&str]| {
        columns
            .iter()
            .map(|column| format!("csv t at \"t.csv\" {{ rows 9..20  A : int 1..99  {column} }} {REST}"))
            .collect::<Vec<_>>()
    };
    let caught = with(&[
        "B : bool 100%",
        "B : bool 0%",
        "B : word blank 100%",
        "B : int 5..5",
        "B : int 1..9 step 20",
        "B : date 2024-01-01..2024-01-31 step 60 days",
        "B : decimal 1.00..1.50 step 1.00",
        "B : normal mean 50 sd 0.1 0..100",
        r#"B : pattern "ABC""#,
    ]);
    let right = with(&[
        "B : bool 99%",
        "B : word blank 90%",
        "B : int 5..6",
        "B : int 1..1 blank 80%",
        "B : int 1..9 step 8",
        "B : date 2024-01-01..2024-01-31 step 30 days",
        "B = true",
        "B : normal mean 50 sd 5 0..100",
        r#"B : pattern "AB[CD]""#,
    ]);
    let caught =
        [caught, vec![format!("csv t at \"t.csv\" {{ rows 20  A : int 1..99  B : bool exactly 20 }} {REST}")]].concat();
    let right =
        [right, vec![format!("csv t at \"t.csv\" {{ rows 20  A : int 1..99  B : bool exactly 5 }} {REST}")]].concat();
    hold(
        "constant_draw",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn weights_and_small_shares() {
    const REST: &str = r#"a : int 10..90 prompt "How many A in <<t>> are above <<a>>? Number only." expect reply number count(t where A > a)"#;
    let with = |columns: &[&str]| {
        columns
            .iter()
            .map(|column| format!("csv t at \"t.csv\" {{ rows 40  A : int 1..99  {column} }} {REST}"))
            .collect::<Vec<_>>()
    };
    let caught = with(&[
        r#"B : weighted ["a": 60, "b": 30, "c": 20]"#,
        r#"B : weighted ["a": 50, "b": 25, "c": 10, "d": 5]"#,
        r#"B : weighted ["a": 70, "b": 15, "c": 10]"#,
        r#"B : weighted ["a": 3, "b": 0]"#,
        r#"B : weighted ["a": 0, "b": 50, "c": 50]"#,
        r#"B : weighted [1: 40, 2: 40, 3: 25]"#,
    ]);
    let right = with(&[
        r#"B : weighted ["a": 60, "b": 30, "c": 10]"#,
        r#"B : weighted ["a": 5, "b": 3, "c": 1]"#,
        r#"B : weighted ["a": 33, "b": 33, "c": 33]"#,
        r#"B : weighted ["a": 92, "b": 6, "c": 4]"#,
        r#"B : weighted ["a": 30, "b": 30, "c": 30]"#,
        r#"B : weighted ["a": 95, "b": 10]"#,
    ]);
    hold(
        "odd_weights",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let caught = with(&[
        "B : bool 0.3%",
        "B : bool 0.5%",
        "B : word blank 0.1%",
        "B : bool 99.7%",
        "B : bool 0.05%",
        "B : city blank 0.25%",
    ]);
    let right =
        with(&["B : bool 3%", "B : bool 30%", "B : word blank 2%", "B : bool 98%", "B : bool exactly 1", "B : bool"]);
    hold(
        "seldom_drawn",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn samples_of_a_task_without_draws() {
    hold(
        "idle_samples",
        &[
            r#"samples 20 prompt "What is the capital of France? Name only." expect reply text "Paris""#,
            r#"samples 5 n = 3 prompt "What is <<n>> + 1? Number only." expect reply number n + 1"#,
            r#"samples 2 text note at "note.txt" = "seven" prompt "What does <<note>> say?" expect reply text "seven""#,
            r#"axis n = [2, 3] samples 8 prompt "What is <<n>> + 1? Number only." expect reply number n + 1"#,
            r#"samples 100 csv t at "t.csv" { rows 5  A = 7 } prompt "What is the sum of A in <<t>>? Number only." expect reply number sum(t.A)"#,
            r#"samples 3 prompt "Say hello." expect reply contains "hello""#,
        ],
        &[
            r#"samples 1 prompt "What is the capital of France? Name only." expect reply text "Paris""#,
            r#"prompt "What is the capital of France? Name only." expect reply text "Paris""#,
            r#"samples 5 n : int 1..9 prompt "What is <<n>> + 1? Number only." expect reply number n + 1"#,
            r#"samples 5 csv t at "t.csv" { rows 5  A : int 1..9 } prompt "What is the sum of A in <<t>>? Number only." expect reply number sum(t.A)"#,
            r#"samples 5 csv t at "t.csv" { rows 5..9  ID : serial } prompt "How many rows has <<t>>? Number only." expect reply number count(t)"#,
            r#"samples 5 prompt one_of ["Say hello.", "Greet me with hello."] n : int 1..2 csv t at "t.csv" { rows n  ID : serial } expect reply contains "hello""#,
        ],
    );
}

#[test]
fn variants_and_wordings_that_are_equal() {
    const T: &str = r#"csv t at "t.csv" { rows 9..20  A : int 1..99 } "#;
    let with = |rest: &[&str]| rest.iter().map(|rest| format!("{T}{rest}")).collect::<Vec<_>>();
    let caught = with(&[
        r#"prompt "How many rows has <<t>>?" expect reply number count(t) variant a { prompt "Number only." } variant b { prompt "Number only." }"#,
        r#"prompt "How many rows has <<t>>?" expect reply number count(t) variant a { prompt "Number only." } variant b { prompt "Number   only." }"#,
        r#"prompt "Read <<t>>. Number only." variant a { prompt "How many rows?" expect reply number count(t) } variant b { prompt "How many rows?" expect reply number count(t) }"#,
        r#"prompt "Read <<t>>. Number only." variant a { n = count(t) prompt "How many rows?" expect reply number n } variant b { m = count(t) prompt "How many rows?" expect reply number m }"#,
        r#"prompt one_of ["How many rows has <<t>>? Number only.", "How many rows has <<t>>? Number only."] expect reply number count(t)"#,
        r#"prompt "How many rows has <<t>>?" expect reply number count(t) variant a { tags [x] prompt "Number only." } variant b { prompt "One number only." } variant c { prompt "Number only." }"#,
    ]);
    let right = with(&[
        r#"prompt "How many rows has <<t>>?" expect reply number count(t) variant a { prompt "Number only." } variant b { prompt "Only the number." }"#,
        r#"prompt "Read <<t>>. Number only." variant a { prompt "How many rows?" expect reply number count(t) } variant b { prompt "The largest A?" expect reply number max(t.A) }"#,
        r#"prompt "Read <<t>>. Number only." variant a { n = count(t) prompt "Rows?" expect reply number n } variant b { n = max(t.A) prompt "Top?" expect reply number n }"#,
        r#"prompt one_of ["How many rows has <<t>>? Number only.", "Count the rows of <<t>>. Number only."] expect reply number count(t)"#,
        r#"prompt "How many rows has <<t>>? Number only." expect reply number count(t)"#,
        r#"prompt "Read <<t>>. Number only." variant a { prompt "How many rows?" expect reply number count(t) } variant b { prompt "How many rows?" expect reply number count(t) expect file t unchanged }"#,
    ]);
    hold(
        "equal_ways",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn an_axis_that_nothing_uses_offers_the_number_of_rows() {
    let body = r#"axis size = [50, 500] csv t at "t.csv" { rows 50  A : int 1..99 } a : int 1..99 prompt "How many A in <<t>> are above <<a>>? Number only." expect reply number count(t where A > a)"#;
    let compiled = super::compile(body);
    let unused = compiled.diagnostics.iter().find(|said| said.code.name == "unused_name").expect("an unused axis");
    assert_eq!(unused.help.as_deref(), Some("use it as the number of rows: `rows size`"));
    assert_eq!(unused.fixes.len(), 1, "{unused:#?}");
}

#[test]
fn what_the_tables_of_a_view_use_is_used() {
    for (declared, table) in [
        ("axis size = [5, 8]", "rows size  P : int 1..9"),
        ("n : int 20..40", "rows n  P : int 1..9"),
        ("low : int 1..9", "rows 20  P : int low..30"),
    ] {
        let body = format!(
            r#"{declared} sqlite db at "d.db" {{ table t {{ {table} }} view w = <<rows: SELECT P FROM t WHERE P > 2>> }} prompt "How many rows has w in <<db>>? Number only." expect reply number count(db.w)"#
        );
        assert_eq!(said_of(&body, "W0101"), [], "{body}");
    }
}

/// The codes and the messages of these codes that a task gets.
fn said_of(body: &str, code: &str) -> Vec<(String, String)> {
    super::list_told(body, &[code])
}

#[test]
fn an_axis_whose_values_are_the_same_in_every_cell() {
    let task = |axis: &str, rows: &str| {
        format!(
            r#"axis {axis} size = {rows} csv t at "t.csv" {{ rows size  A : int 1..99 }} a : int 1..9 prompt "How many A in <<t>> are above <<a>>? Number only." expect reply number count(t where A > a)"#
        )
    };
    let caught = [
        ("span = { week: 7, month: 30, quarter: 90 }", "least(span, 7) * 20"),
        ("span = [7, 30]", "if span > 5 then 20 else 40"),
        ("span = [7, 30]", "greatest(span, 40)"),
        ("span = [1, 2]", "span * 0 + 20"),
    ];
    for (axis, rows) in caught {
        assert_eq!(said_of(&task(axis, rows), "W0431"), [("W0431".to_owned(), "span".to_owned())], "{rows}");
    }
    let right = [
        ("span = { week: 7, month: 30, quarter: 90 }", "greatest(span, 7) * 20"),
        ("span = [7, 30]", "if span > 10 then 20 else 40"),
        ("span = [7, 30]", "least(span, 20)"),
        ("span = [7]", "least(span, 7)"),
    ];
    for (axis, rows) in right {
        assert_eq!(said_of(&task(axis, rows), "W0431"), [], "{rows}");
    }
}

#[test]
fn another_number_of_calls() {
    let task = |calls: &str, prompt: &str| {
        format!(
            r#"axis budget = [3, 12] tools [run_sql] calls {calls} sqlite d at "d.db" {{ table t {{ rows budget  A : int 1..99 }} }} prompt "{prompt} How many A in <<d>> are above 5? Number only." expect reply number count(d.t where A > 5)"#
        )
    };
    let caught = [
        ("budget", "You have 5 calls of tools.", "budget"),
        ("12", "You have <<budget>> calls of tools.", "budget"),
        ("4", "You may use up to 6 tool calls.", "6 tool calls"),
        ("budget", "Use at most five calls of tools.", "budget"),
    ];
    for (calls, prompt, at) in caught {
        assert_eq!(said_of(&task(calls, prompt), "W0233"), [("W0233".to_owned(), at.to_owned())], "{prompt}");
    }
    let unlimited = task("4", "You have <<budget>> calls of tools.").replace("calls 4", "");
    assert_eq!(said_of(&unlimited, "W0233"), [("W0233".to_owned(), "budget".to_owned())]);
    let right = [
        ("budget", "You have <<budget>> calls of tools."),
        ("5", "You have 5 calls of tools."),
        ("20", "Try to use at most 5 calls of tools."),
        ("8", "The table has the times of 12 calls."),
        ("8", "You have 2 calls for each of the 9 tables."),
    ];
    for (calls, prompt) in right {
        assert_eq!(said_of(&task(calls, prompt), "W0233"), [], "{prompt}");
    }
}

#[test]
fn samples_of_a_suite_that_draws_nothing() {
    let suite = |settings: &str, body: &str| {
        let source = format!("suite s {{ title \"S\" version \"1.0.0\" {settings} }}\ntask a {{ {body} }}\n");
        let compiled = testing::compile_text(&source);
        compiled.diagnostics.iter().map(|said| said.code.id).collect::<Vec<_>>()
    };
    let fixed = r#"prompt "What is the capital of France? Reply with its name only." expect reply text "Paris""#;
    let drawn = r#"a : int 1..99 prompt "What is <<a>> plus 1? Number only." expect reply number a + 1"#;
    let twice = format!("{fixed} }}\ntask b {{ {drawn}");
    let both = format!("{fixed} }}\ntask b {{ {fixed}");
    assert_eq!(suite("samples 50", fixed), ["W0435"]);
    assert_eq!(suite("samples 50", &both), ["W0435"]);
    assert_eq!(suite("samples 1", fixed), [""; 0]);
    assert_eq!(suite("", fixed), [""; 0]);
    assert_eq!(suite("samples 50", drawn), [""; 0]);
    assert_eq!(suite("samples 50", &twice), [""; 0]);
    assert_eq!(suite("samples 50 allow idle_samples \"later\"", fixed), [""; 0]);
}

#[test]
fn a_reply_with_the_number_only_and_a_word() {
    let task = |common: &str, own: &str, word: &str| {
        format!(
            r#"csv t at "t.csv" {{ rows 9..20  A : int 1..9 }} n = count(t where A > 5) prompt "How many A in <<t>> are above 5? {common}" variant direct {{ prompt "Nothing else." expect reply number n }} variant filed {{ prompt "{own}" expect file "n.txt" number n expect reply text "{word}" }}"#
        )
    };
    let write = "Write the number to <<sandbox>>/n.txt, and reply with the word done.";
    assert_eq!(
        said_of(&task("Reply with the number only.", write, "done"), "W0238"),
        [("W0238".to_owned(), "\"done\"".to_owned())]
    );
    assert_eq!(
        said_of(&task("Answer with just the number.", write, "done"), "W0238"),
        [("W0238".to_owned(), "\"done\"".to_owned())]
    );
    let right = [
        ("Be brief.", write, "done"),
        ("Be brief.", "Write the number only to <<sandbox>>/n.txt, and reply with the word done.", "done"),
        ("Be brief.", "Write <<sandbox>>/n.txt with the number only. Reply with done.", "done"),
    ];
    for (common, own, word) in right {
        assert_eq!(said_of(&task(common, own, word), "W0238"), [], "{common} {own}");
    }
}

#[test]
fn cells_that_make_the_same_task() {
    let task = |axis: &str, rows: &str, prompt: &str| {
        format!(
            r#"axis {axis} size = {rows} csv t at "t.csv" {{ rows size  A : int 1..99 }} a : int 1..9 prompt "{prompt} How many A in <<t>> are above <<a>>? Number only." expect reply number count(t where A > a)"#
        )
    };
    let caught = [
        ("span = { week: 7, month: 30, quarter: 90 }", "least(span, 30) * 5", "90"),
        ("span = [7, 30, 90]", "if span > 20 then 40 else 20", "90"),
        ("span = [7, 9, 90]", "floor(span / 5) * 5", "9"),
        ("span = [1, 12, 13]", "20 + mod(span, 12)", "13"),
    ];
    for (axis, rows, at) in caught {
        assert_eq!(said_of(&task(axis, rows, ""), "W0430"), [("W0430".to_owned(), at.to_owned())], "{rows}");
    }
    let right = [
        ("span = [7, 30, 90]", "least(span, 50) * 5", ""),
        ("span = [7, 30, 90]", "least(span, 30) * 5", "It is about <<span>> days."),
        ("span = [7, 30, 90]", "least(span, 7) * 5", ""),
        ("span = [7, 30, 90]", "span", ""),
    ];
    for (axis, rows, prompt) in right {
        assert_eq!(said_of(&task(axis, rows, prompt), "W0430"), [], "{rows}");
    }
}
