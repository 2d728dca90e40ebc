//! What the language means, from source to instance: one small suite a rule. A bug found gets its test here first.

mod cells;
mod edits;
mod fixed;
mod keys;
mod names;
mod shares;
mod sheets;
mod statistics;
mod trees;
mod views;

use std::collections::BTreeSet;

use compiler::Compiled;
use model::Value;
use runtime::generate::{Generator, Instance, Options};
use testing::{find_answer, find_draw, read_text};

/// Compiles a task with this body. Warnings are left out: these questions need not be good ones.
fn compile(task: &str) -> Compiled {
    testing::keep_errors(testing::compile_text(&testing::build_suite_source("samples 40", task)))
}

/// The codes of all errors of a task with this body.
fn codes(task: &str) -> Vec<&'static str> {
    testing::list_codes(&compile(task))
}

/// All instances of a task with this body, which is right.
#[track_caller]
fn instances(task: &str) -> Vec<Instance> {
    testing::expect_instances(&compile(task))
}

/// Whether two expressions are the same in all instances of a task; `task`: its body, with this as an answer.
#[track_caller]
fn agree(task: impl Fn(&str) -> String, value: &str, other: &str) {
    for instance in instances(&task(&format!("[{value}, {other}]"))) {
        let Value::Object(fields) = find_answer(&instance) else { panic!("an object") };
        let [(_, Value::List(both))] = fields.as_slice() else { panic!("two values") };
        assert!(both[0].is_same(&both[1]), "{value} and {other}: {both:?}");
    }
}

/// Why no instance of a task with this body, or not the first, can be made.
fn failure(body: &str) -> String {
    let compiled = compile(body);
    let Some(plan) = compiled.plan else {
        // Of what is not drawn, `check` says what a build would.
        let said = &compiled.diagnostics[0];
        assert!(said.code.id.starts_with("E09"), "{:?}", compiled.diagnostics);
        return said.message.clone();
    };
    let generator = Generator::new(&plan, Options { samples: Some(1), ..Options::new("7") }).expect("a generator");
    generator.generate_instance(generator.resolve_address(0).expect("one")).expect_err("it fails").message
}

const TAIL: &str = "prompt \"x\" expect reply text \"y\"";

#[test]
fn names_of_one_statement_may_be_equal_unless_they_are_distinct() {
    let free = instances(&format!("a, b, c : one_of [\"x\", \"y\"] {TAIL}"));
    assert!(free.iter().any(|instance| find_draw(instance, "a").is_same(find_draw(instance, "b"))));
    assert!(free.iter().any(|instance| !find_draw(instance, "a").is_same(find_draw(instance, "b"))));
    for instance in instances(&format!("a, b : distinct one_of [\"x\", \"y\"] {TAIL}")) {
        assert!(!find_draw(&instance, "a").is_same(find_draw(&instance, "b")));
    }
}

#[test]
fn distinct_columns_differ_within_a_row_and_unique_ones_down_the_column() {
    let body = format!("csv h at \"h.csv\" {{ rows 30 A, B : distinct int 1..4 U : unique int 1..30 }} {TAIL}");
    for instance in instances(&body) {
        let text = read_text(&instance, "h.csv");
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
        assert!(rows.iter().all(|row| row[0] != row[1]), "{text}");
        assert_eq!(rows.iter().map(|row| row[2]).collect::<BTreeSet<_>>().len(), 30);
    }
}

#[test]
fn axes_may_depend_on_draws_and_cells_of_a_sample_are_paired() {
    let all = instances(
        "n : int 1..9 axis size = { small: n, large: n * 10 } csv h at \"h.csv\" { rows size A : int 1..1_000_000 } \
         prompt \"<<h>> <<size>>\" expect reply number sum(h.A) - sum(h.A) + count(h)",
    );
    assert_eq!(all.len(), 80);
    for (small, large) in all[..40].iter().zip(&all[40..]) {
        let (short, long) = (read_text(small, "h.csv"), read_text(large, "h.csv"));
        assert!(long.starts_with(short.as_str()), "row 3 of 5 is row 3 of 50");
        let (Value::Int(a), Value::Int(b)) = (find_answer(small), find_answer(large)) else { panic!("ints") };
        assert_eq!(a * 10, *b);
    }
}

#[test]
fn an_aggregate_of_surely_some_rows_is_not_null() {
    for rows in ["5", "3..9", "n", "n + 2", "size"] {
        let body = format!(
            "n : int 3..9 axis size = [50, 500] csv d at \"d.csv\" {{ rows {rows} N : int 1..9 }} prompt \"<<d>>\" expect reply number sum(d.N)"
        );
        assert_eq!(codes(&body), [""; 0], "rows {rows}");
    }
    for (rows, filter) in [("0..9", ""), ("5", " where N > 3")] {
        let body = format!(
            "csv d at \"d.csv\" {{ rows {rows} N : int 1..9 }} prompt \"<<d>>\" expect reply number sum(d.N{filter})"
        );
        assert_eq!(codes(&body), ["E0303"], "rows {rows}{filter}");
    }
}

#[test]
fn null_is_shown_not_to_be_by_require_if_and_comparison() {
    let data = "csv d at \"d.csv\" { rows 9 N : int 1..9 blank 50% }";
    for use_ in [
        "v = max(d.N) require v != null expect reply number v",
        "v = max(d.N) w = if v != null then v + 1 else 0 expect reply number w",
        "v = max(d.N) w = if v == null then 0 else v + 1 expect reply number w",
        "v = max(d.N) w = v != null and v + 1 > 3 expect reply text w",
        "expect reply number coalesce(max(d.N), 0)",
        "expect reply number count(d where N != null and N + 1 > 3)",
    ] {
        assert_eq!(codes(&format!("{data} prompt \"<<d>>\" {use_}")), [""; 0], "{use_}");
    }
    for use_ in [
        "v = max(d.N) expect reply number v",
        "v = max(d.N) w = v + 1 expect reply number coalesce(w, 0)",
        "expect reply number csv_value(d.N, 2)",
        "expect reply list <<list: SELECT N FROM d>>",
        "v = max(d.N) prompt \"<<v>>\"  expect reply text \"x\"",
    ] {
        let prompt = if use_.contains("prompt") { "" } else { "prompt \"<<d>>\"" };
        assert_eq!(codes(&format!("{data} {prompt} {use_}")), ["E0303"], "{use_}");
    }
}

#[test]
fn a_drawn_null_is_neither_true_nor_false() {
    for instance in instances(
        "b : bool blank 100% x = if not b then 1 else 2 y = if b then 1 else 2 prompt \"x\" expect reply json [x, y]",
    ) {
        assert!(find_answer(&instance).is_same(&Value::List(vec![Value::Int(2), Value::Int(2)])));
    }
}

#[test]
fn positions_are_held_against_what_is_known() {
    let text = "text t at \"t.txt\" : lorem lines 20 n : int 1..9";
    for (position, code) in [
        ("20", None),
        ("n", None),
        ("n + 11", None),
        ("21", Some("E0503")),
        ("0", Some("E0503")),
        ("n + 12", Some("E0503")),
    ] {
        let found = codes(&format!("{text} prompt \"<<t>> <<n>>\" expect reply text <<file_line: t, {position}>>"));
        assert_eq!(found, code.into_iter().collect::<Vec<_>>(), "{position}");
    }
}

#[test]
fn division_by_zero_is_refused_where_it_is_seen() {
    assert_eq!(codes(&format!("a : int 1..9 b = a / 0 {TAIL}")), ["E0107"]);
    assert_eq!(codes(&format!("a : int 1..9 b = a / (2 - 2) {TAIL}")), ["E0107"]);
}

#[test]
fn long_rows_of_needs_end_with_a_diagnostic() {
    let mut chain: String = (1..1500).rev().map(|index| format!("x{index} = x{} + 1\n", index - 1)).collect();
    chain.push_str("x0 : int 1..5 prompt \"x\" expect reply number x1499");
    assert_eq!(codes(&chain), ["E0106"]);
    let forward = |count: usize| {
        let chain: String = (1..count).map(|index| format!("x{index} = x{} + 1\n", index - 1)).collect();
        codes(&format!("x0 : int 1..5\n{chain} prompt \"x\" expect reply number x{}", count - 1))
    };
    assert_eq!(forward(2000), [""; 0]);
    assert_eq!(forward(2001), ["E0106"]);
}

#[test]
fn values_and_templates_that_multiply_are_refused() {
    let constants = |lines: &str| {
        let text = format!("suite s {{ title \"S\" version \"1\" }}\n{lines}task q {{ {TAIL} }}\n");
        testing::list_codes(&testing::compile_text(&text))
    };
    let text: String = (1..40).map(|index| format!("a{index} = \"<<a{0}>><<a{0}>>\"\n", index - 1)).collect();
    assert_eq!(constants(&format!("a0 = \"xxxxxxxxxx\"\n{text}")), ["E0106"]);
    let list: String = (1..40).map(|index| format!("a{index} = a{0} + a{0}\n", index - 1)).collect();
    assert_eq!(constants(&format!("a0 = [1, 2]\n{list}")), ["E0106"]);
    let template: String =
        (1..40).map(|index| format!("domain d{index} = template \"<<d{0}>><<d{0}>>\"\n", index - 1)).collect();
    assert_eq!(constants(&format!("domain d0 = one_of [\"a\", \"b\"]\n{template}")), ["E0404"]);
    let axes: String = (0..12).map(|index| format!("axis a{index} = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n")).collect();
    assert_eq!(codes(&format!("{axes} {TAIL}")), ["E0307"]);
}

#[test]
fn a_scalar_query_surely_gives_at_most_one_row() {
    let data = "csv h at \"h.csv\" { rows 9 ID : serial A : int 1..9 K : unique int 1..99 } prompt \"<<h>>\"";
    for query in [
        "SELECT COUNT(*) FROM h",
        "SELECT A FROM h ORDER BY A, ID LIMIT 1",
        "SELECT A FROM h WHERE K = 3",
        "VALUES (1)",
    ] {
        assert_eq!(codes(&format!("{data} expect reply number coalesce(<<value: {query}>>, 0)")), [""; 0], "{query}");
    }
    for query in ["SELECT A FROM h", "SELECT COUNT(*) FROM h GROUP BY A", "SELECT A FROM h UNION SELECT 1"] {
        assert_eq!(codes(&format!("{data} expect reply number coalesce(<<value: {query}>>, 0)")), ["E0605"], "{query}");
    }
}

#[test]
fn lists_of_mixed_numbers_have_one_number_of_places() {
    for instance in
        instances(&format!("csv h at \"h.csv\" {{ rows 50 A : one_of [1, 2.5] B : weighted [1: 3, 2.50: 1] }} {TAIL}"))
    {
        for line in read_text(&instance, "h.csv").lines().skip(1) {
            let (a, b) = line.split_once(',').expect("two cells");
            assert!(["1.0", "2.5"].contains(&a) && ["1.00", "2.50"].contains(&b), "{line}");
        }
    }
}

#[test]
fn paths_in_a_named_list_and_below_files_are_checked() {
    assert_eq!(codes("l = [\"a//x\", \"../y\"] prompt \"x\" expect tree l"), ["E0501", "E0501"]);
    assert_eq!(
        codes(
            "text f at \"a\" : lorem lines 2 text g at \"a/b\" : lorem lines 2 prompt \"<<f>> <<g>>\" expect reply text \"x\""
        ),
        ["E0502"]
    );
}

#[test]
fn require_narrows_however_it_is_written() {
    for condition in ["v != null", "not (v == null)", "not (v == null or v < 0)", "v != null and v > 0"] {
        let body = format!(
            "csv d at \"d.csv\" {{ rows 9 N : int 1..9 blank 50% }} v = max(d.N) require {condition} prompt \"<<d>>\" expect reply number v"
        );
        assert_eq!(codes(&body), [""; 0], "{condition}");
    }
}

/// V23: what a `require` shows, it shows wherever a value is a parameter of SQL, and to all that is made after it.
#[test]
fn require_narrows_parameters_of_sql() {
    let data = "sqlite d at \"d.db\" { table t { rows 9 ID : serial DAY : date 2024-01-01..2024-01-31 blank 50% N : int 1..9 blank 50% S : one_of [\"a\", \"b\"] blank 50% } }";
    let goals = [
        "g = <<after: d, DELETE FROM t WHERE DAY = :v>>",
        "g = <<after: d, UPDATE t SET DAY = :v WHERE ID = 1>>",
        "g = <<after: d, UPDATE t SET N = 3 WHERE ID = 1; DELETE FROM t WHERE DAY < :v>>",
        "g = <<after: d, INSERT INTO t VALUES (99, :v, 1, 'a')>>",
    ];
    let values = ["max(d.t.DAY)", "<<value: SELECT MAX(DAY) FROM t>>"];
    let shown = ["v != null", "not (v == null)", "v != null and v > 2023-12-31", "null != v"];
    for goal in goals {
        for value in values {
            for (at, condition) in shown.into_iter().enumerate() {
                let value = value.replace("value: SELECT", "sqlite_query: d, SELECT");
                let head = format!("{data} v = {value}");
                let tail = "prompt \"<<d>>\" expect file d database g";
                let more = if at % 2 == 0 { "require changed(g) > 0" } else { "" };
                assert_eq!(
                    codes(&format!("{head} require {condition} {more} {goal} {tail}")),
                    [""; 0],
                    "{goal} {condition}"
                );
                // The statements run before the second condition is looked at.
                let late = codes(&format!("{head} require changed(g) > 0 require {condition} {goal} {tail}"));
                assert_eq!(late, ["E0303"], "{goal} {condition}");
                assert_eq!(codes(&format!("{head} {goal} {tail}")), ["E0303"], "{goal}");
            }
        }
    }
    // The columns of the row too.
    let list = |condition: &str| {
        codes(&format!(
            "{data} csv u at \"u.csv\" {{ rows 3 M : int 1..9 blank 50% K = if {condition} then <<sqlite_query: d, SELECT COUNT(*) FROM t WHERE N > :M>> else 0 }} prompt \"<<d>> <<u>>\" expect reply number sum(u.K)"
        ))
    };
    assert_eq!(list("M != null"), [""; 0]);
}

/// V23, E0303: what the help proposes is written in the author's names, and where it is written, the error is gone.
#[test]
fn what_is_proposed_for_a_null_can_be_written() {
    let data = "sqlite d at \"d.db\" { table t { rows 9 ID : serial DAY : date 2024-01-01..2024-01-31 blank 50% N : int 1..9 blank 50% S : one_of [\"a\", \"b\"] blank 50% } }";
    let cases = [
        ("due = max(d.t.DAY) g = <<after: d, DELETE FROM t WHERE DAY = :due>>", "expect file d database g"),
        ("`last day` = max(d.t.DAY) later = `last day` + 1 days", "expect reply text \"<<later>>\""),
        ("w = max(d.t.N) v = w + 1", "expect reply number v"),
        ("s = first(d.t.S)", "expect reply text \"<<s>>\""),
        ("v = max(d.t.N) + 1", "expect reply number v"),
        ("v = [max(d.t.N), 1]", "expect reply list v"),
        ("n = max(d.t.N)", "expect reply list [n, 2]"),
        ("v = <<sqlite_query: d, SELECT MAX(N) FROM t>>", "expect reply number v"),
    ];
    let mut required = 0;
    for (body, expect) in cases {
        let of = |more: &str| format!("{data} {more} {body} prompt \"<<d>>\" {expect}");
        let compiled = compile(&of(""));
        let Some(said) = compiled.diagnostics.first().filter(|said| said.code.id == "E0303") else {
            panic!("{body}: {:?}", compiled.diagnostics)
        };
        let help = said.help.clone().unwrap_or_default();
        assert!(!help.contains(":due") && !help.contains("coalesce(x"), "{help}");
        if let Some(condition) = help.strip_prefix("redraw such samples: ").and_then(|rest| rest.split("; or ").next())
        {
            required += 1;
            assert_eq!(codes(&of(condition)), [""; 0], "{body}: {condition}");
        }
        let fallback = help.split("coalesce(").nth(1).map(|rest| format!("coalesce({rest}"));
        let fallback = fallback.unwrap_or_else(|| panic!("{help}"));
        let text = of(&format!("unused = {fallback}"));
        assert_eq!(codes(&text), ["E0303"], "{body}: {fallback}");
    }
    assert!(required >= 6, "{required}");
}

#[test]
fn texts_that_grow_without_measure_stop_the_build() {
    let text: String = (1..40).map(|index| format!("a{index} = \"<<a{0}>><<a{0}>>\"\n", index - 1)).collect();
    assert!(failure(&format!("a0 : word\n{text} prompt \"x\" expect reply text a39")).contains("too large"));
}

#[test]
fn a_row_of_a_text_is_one_line() {
    let message = failure(
        "text f at \"f.txt\" { rows 5 line \"<<M>>\" M : one_of [\"a\\nb\", \"c\\nd\"] } prompt \"<<f>>\" expect reply number count(f)",
    );
    assert!(message.contains("several lines"), "{message}");
}

#[test]
fn queries_end_and_stay_exact() {
    let large = "csv h at \"h.csv\" { rows 200 A : decimal 1_000_000_000_000_000.00..9_000_000_000_000_000.00 } prompt \"<<h>>\" \
                 expect reply number coalesce(<<value: SELECT SUM(A) FROM h>>, 0)";
    assert!(failure(large).contains("too large for SQL to be exact"), "{}", failure(large));
}

#[test]
fn commas_and_signs_go_where_they_are_meant() {
    for task in [
        "d : date 2024-01-01..2024-12-31 prompt \"<<d>>\" expect reply json { x: d + 14 days, y: 1 }",
        "prompt \"x\" expect reply json { a: [1, 2] unordered, b: \"x\" ignore case, c: 2 }",
        "prompt \"x\" expect reply json { a: \"x\" ignore case, space, b: 1 }",
        "n : normal mean 0 sd 1 -4.00..4.00 m : normal mean -5 sd 2 -9..-1 step 1 prompt \"<<n>> <<m>>\" expect reply number n",
    ] {
        assert_eq!(codes(task), [""; 0], "{task}");
    }
}

#[test]
fn functions_without_a_result_name_what_they_were_given() {
    for (call, said) in [
        ("to_int(\"<<w>>\")", "`to_int` cannot read \"abc\" as an int"),
        ("to_int(\"+7<<w>>\")", "`to_int` cannot read \"+7abc\""),
        ("to_int(\"99999999999999999999\")", "`to_int` cannot read \"99999999999999999999\""),
        ("to_decimal(w, 2)", "`to_decimal` cannot read \"abc\" as a decimal"),
        ("to_decimal(\"1.005\", 2)", "`to_decimal` cannot write \"1.005\" with 2 decimal places"),
        ("len(split(w, \"\"))", "`split` cannot look for an empty text"),
        ("len(replace(w, \"\", \"x\"))", "`replace` cannot look for an empty text"),
        ("len(pad_left(w, 9, \"xy\"))", "`pad_left` fills with one character, not with \"xy\""),
        ("len(pad_left(w, 999_999_999, \"x\"))", "too large"),
        ("ceil(f * 1_000_000_000_000.0)", "`ceil` has no int for"),
    ] {
        let message = failure(&format!(
            "w : one_of [\"abc\"] n : int 10_000_000..20_000_000 f = n / 1 prompt \"x\" expect reply json {{ a: {call} }}"
        ));
        assert!(message.contains(said), "{call}: {message}");
    }
}

#[test]
fn decimals_keep_their_places_through_functions_and_sql() {
    let task = "csv t at \"t.csv\" { rows 9 D : decimal -5.00..5.00 A = abs(D) L = least(D, 1.00) R = to_decimal(\"<<D>>\", 3) } \
                prompt \"<<t>>\" expect reply json { \
                a: coalesce(<<value: SELECT SUM(A) FROM t>>, 0.00) == sum(t.A), l: coalesce(<<value: SELECT MAX(L) FROM t>>, 0.00) == max(t.L), \
                r: coalesce(<<value: SELECT SUM(R) FROM t>>, 0.000) == sum(t.D), s: coalesce(sum(<<list: SELECT A FROM t>>), 0.00) == coalesce(sum(list(t.A)), 0.00) }";
    for instance in instances(task) {
        assert!(
            matches!(find_answer(&instance), Value::Object(fields) if fields.iter().all(|(_, holds)| *holds == Value::Bool(true))),
            "{:?}",
            find_answer(&instance)
        );
    }
}

#[test]
fn aggregates_of_lists_need_lists_of_the_right_kind() {
    let with = |call: &str| {
        codes(&format!(
            "csv t at \"t.csv\" {{ rows 9 N : int 1..9 blank 10% }} m : int 1..2 blank 50% prompt \"<<t>>\" expect reply json {{ a: {call} }}"
        ))
    };
    // A list that is written out has a value; one of a query may be empty.
    for good in [
        "sum([1, 2])",
        "max([1.5, 2])",
        "count([m, 1])",
        "coalesce(sum([m]), 0)",
        "distinct_count(<<list: SELECT N FROM t>>)",
    ] {
        assert_eq!(with(good), [""; 0], "{good}");
    }
    for (bad, code) in [
        ("sum([m])", "E0303"),
        ("stdev([1])", "E0303"),
        ("max(<<list: SELECT N FROM t>>)", "E0303"),
        ("sum([\"a\"])", "E0302"),
        ("avg(t)", "E0302"),
        ("coalesce(nth([1, 2], 0), 0)", "E0503"),
        ("to_decimal(\"1\", 19)", "E0503"),
    ] {
        assert_eq!(with(bad), [code], "{bad}");
    }
}
