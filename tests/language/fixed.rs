//! What depends on no draw is known at check: a `require` that cannot hold, and whether a value is null.

use compiler::diagnostics::Severity;
use runtime::generate::{Generator, Options};
use testing::{build_suite_source, compile_with};

const FILES: &[(&str, &[u8])] = &[("t.csv", b"A,B,C\n1,,4\n2,5,\n3,6,\n")];
const TABLE: &str =
    "table t from \"t.csv\" missing [\"\"] {\n  A : int\n  B : int\n  C : int\n  N = if A > 9 then null else A\n}\n";

/// The errors of a task with this body, as code and message.
#[track_caller]
fn errors(body: &str) -> Vec<String> {
    let source =
        format!("{TABLE}{}", build_suite_source("samples 4", &format!("prompt \"How many? Digits only.\"\n{body}")));
    let found = compile_with(&source, FILES).diagnostics;
    let errors = found.iter().filter(|said| said.severity() == Severity::Error);
    errors.map(|said| format!("{} {}", said.code.id, said.message)).collect()
}

#[test]
fn a_require_that_no_draw_can_change_is_decided() {
    let never = ["E0902 `require` is false, and depends on nothing that is drawn"];
    assert_eq!(errors("d : int 1..9\nrequire sum(t.A) > 6\nexpect reply number d"), never);
    assert_eq!(errors("d : int 1..9\nrequire sum(t.A) > 5\nexpect reply number d"), [""; 0]);
    // Null is as good as false.
    assert_eq!(errors("d : int 1..9\nrequire sum(t.A where A > 7) > 5\nexpect reply number d"), never);
    let query = "x = <<value: SELECT MAX(A) FROM t WHERE B > 5>>\n";
    assert_eq!(errors(&format!("d : int 1..9\n{query}require x == 3\nexpect reply number d")), [""; 0]);
    assert_eq!(errors(&format!("d : int 1..9\n{query}require x == 2\nexpect reply number d")), never);
    // In one cell of an axis it fails, and then no sample can be made.
    let axis = "d : int 1..9\naxis a = [5, 6]\nrequire sum(t.A) > a\nexpect reply number d";
    assert_eq!(errors(axis), never);
    assert_eq!(errors(&axis.replace("[5, 6]", "[4, 5]")), [""; 0]);
    // What is drawn is left to the build: a name, the number of rows, a condition.
    for drawn in ["d > 9 - 1", "count(g) > 40", "count(t where A > d) > 1"] {
        let body = format!(
            "d : int 1..9\ncsv g at \"g.csv\" {{ rows 30..50  A = 1 }}\nrequire {drawn}\nexpect reply number d"
        );
        assert_eq!(errors(&body), [""; 0], "{drawn}");
    }
}

#[test]
fn a_fixed_value_is_null_or_not() {
    let answer = |value: &str| errors(&format!("d : int 1..9\nx = {value}\nexpect reply number x"));
    let null = ["E0303 `x` can be null, but an answer cannot"];
    assert_eq!(answer("sum(t.B)"), [""; 0]);
    assert_eq!(answer("sum(t.B where A == 1)"), null);
    assert_eq!(answer("max(t.A where A > 2)"), [""; 0]);
    assert_eq!(answer("max(t.A where A > 3)"), null);
    assert_eq!(answer("<<value: SELECT A FROM t WHERE B = 5>>"), [""; 0]);
    assert_eq!(answer("<<value: SELECT A FROM t WHERE B = 50>>"), null);
    // A draw decides: it can be null.
    assert_eq!(answer("max(t.A where A > d)"), null);
    // In every cell of an axis.
    assert_eq!(errors("axis a = [1, 2]\nx = max(t.A where A > a)\nexpect reply number x"), [""; 0]);
    assert_eq!(errors("axis a = [1, 3]\nx = max(t.A where A > a)\nexpect reply number x"), null);
    // Names of a variant are computed too.
    let variant = |most: u32| format!("variant v {{\n y = max(t.A where A > {most})\n expect reply number y\n}}");
    assert_eq!(errors(&variant(2)), [""; 0]);
    assert_eq!(errors(&variant(3)), ["E0303 `y` can be null, but an answer cannot"]);
    // A list without nulls, and one with.
    let list = |column: &str| {
        errors(&format!(
            "r = <<rows: SELECT A, {column} AS V FROM t WHERE A > 1 ORDER BY A>>\nexpect reply number sum(r.V)"
        ))
    };
    assert_eq!(list("B"), [""; 0]);
    // Other mistakes come first: until they are corrected, nothing is said of what may be right.
    assert_eq!(errors("x = sum(t.B)\ny = sum(t.D)\nexpect reply number x"), ["E0203 `t` has no column `D`"]);
}

#[test]
fn what_no_build_can_compute_is_said_as_a_build_says_it() {
    let answer = |value: &str| errors(&format!("x = {value}\nexpect reply number 1"));
    assert_eq!(answer("1 / (sum(t.A) - 6)"), ["E0903 division by zero: 1 / 0"]);
    let overflows = "<<value: SELECT abs(-9223372036854775807 - MIN(A)) FROM t>>";
    assert_eq!(answer(overflows), ["E0905 SQLite says: integer overflow"]);
    assert_eq!(answer("9223372036854775804 + count(t)"), [""; 0]);
    let [outside] = &answer("9223372036854775807 + count(t)")[..] else { panic!("one is said") };
    assert!(outside.starts_with("E0903"), "{outside}");
    // In an answer, and in that of a variant; once, whoever reads it, and not that it can be null.
    let zero = ["E0903 division by zero: 5 / 0"];
    assert_eq!(errors("expect reply number 5 / (count(t) - 3)"), zero);
    assert_eq!(errors("variant v { expect reply number 5 / (count(t) - 3) }"), zero);
    assert_eq!(errors("x = 5 / (count(t) - 3)\ny = x + 1\nexpect reply number y + max(t.B) * x"), zero);
    assert_eq!(errors("x = 5 / (count(t) - 3) + max(t.B)\nexpect reply number x"), zero);
    // In one cell of an axis.
    assert_eq!(errors("axis a = [2, 3]\nexpect reply number 5 / (count(t) - a)"), zero);
    assert_eq!(errors("axis a = [2, 4]\nexpect reply number 5 / (count(t) - a)"), [""; 0]);
    // In a `require`, as far as a build looks at it.
    assert_eq!(errors("require 5 / (count(t) - 3) > 1\nexpect reply number 1"), zero);
    let guarded = "n = max(t.B where A > 7)\nrequire count(t) > 3 and 5 / (count(t) - 3) > 1\nexpect reply number 1";
    assert_eq!(errors(guarded), ["E0902 `require` is false, and depends on nothing that is drawn"]);
    // Where a file is, is known when it is made: nothing fails for want of it.
    let folder = "csv kept at \"<<sandbox>>/k.csv\" { rows 3  N : serial }\n";
    assert_eq!(
        errors(&format!("{folder}x = len(\"<<kept>>\")\nexpect reply number x\nexpect file kept unchanged")),
        [""; 0]
    );
    // An `if` keeps it from being computed; a draw decides; another mistake comes first.
    assert_eq!(answer("if count(t) == 3 then 0 else 5 / (count(t) - 3)"), [""; 0]);
    assert_eq!(errors("d : int 1..9\nx = d / (count(t) - 3)\nexpect reply number d"), [""; 0]);
    assert_eq!(errors("require count(t) > 3\nexpect reply number 5 / (count(t) - 3)").len(), 1);
}

#[test]
fn a_path_that_needs_itself_is_told() {
    let circle = "text a at \"<<b>>.txt\" = \"x\"\ntext b at \"<<a>>.txt\" = \"y\"\nexpect reply number 1";
    assert!(errors(circle).iter().all(|said| said.starts_with("E0208")), "{:?}", errors(circle));
    assert!(!errors("text a at \"<<a>>.txt\" = \"x\"\nexpect reply number 1").is_empty());
}

#[test]
fn a_failure_at_check_has_the_message_and_the_place_of_the_build() {
    for value in [
        "1 / (count(t) - 3)",
        "<<value: SELECT abs(-9223372036854775807 - MIN(A)) FROM t>>",
        "9223372036854775807 + count(t)",
    ] {
        let drawn =
            format!("d : int 3..3\nx = {}\nexpect reply number 1", value.replace("count(t)", "count(t where A <= d)"));
        let drawn = drawn.replace("FROM t", "FROM t WHERE A <= :d");
        let source = |body: &str| {
            format!("{TABLE}{}", build_suite_source("samples 4", &format!("prompt \"What? Digits.\"\n{body}")))
        };
        let compiled = compile_with(&source(&drawn), FILES);
        let plan = compiled.plan.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
        let generator = Generator::new(&plan, Options::new("1")).expect("ready");
        let failure =
            generator.generate_instance(generator.resolve_address(0).expect("an address")).expect_err("it fails");
        let said = errors(&format!("x = {value}\nexpect reply number 1"));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].ends_with(&format!(" {}", failure.message)), "{said:?} and {failure}");
    }
}

#[test]
fn a_computed_column_of_a_file_says_which_row_fails() {
    let said = |column: &str| {
        let table = format!("table t from \"t.csv\" missing [\"\"] {{\n  A : int\n  C : int\n  N = {column}\n}}\n");
        let body = "d : int 1..9\nprompt \"How many? Digits only.\"\nexpect reply number d + count(t)";
        let found = compile_with(&format!("{table}{}", build_suite_source("samples 4", body)), FILES).diagnostics;
        let errors = found.into_iter().filter(|said| said.severity() == Severity::Error);
        errors.map(|said| format!("{} {}: {}", said.code.id, said.message, said.primary.message)).collect::<Vec<_>>()
    };
    let failed = |why: &str, line: u32| {
        [format!("E0903 a value of the column cannot be computed: {why}: in line {line} of `t.csv`")]
    };
    assert_eq!(said("6 / (A - 2)"), failed("division by zero: 6 / 0", 3));
    assert_eq!(said("if A == 2 then null else 6 / (A - 2)"), [""; 0]);
    assert_eq!(said("if C == null then 0 else 9223372036854775803 + C"), [""; 0]);
    assert_eq!(said("9223372036854775805 + A"), failed("9223372036854775805 + 3 overflows the 64 bits of an int", 4));
    let all = "E0702 a column of a file that is read is computed from other columns of its row alone: reads more than its row";
    assert_eq!(said("<<value: SELECT 1>> + A"), [all]);
}

#[test]
fn functions_of_a_row_let_nulls_pass_in_aggregates() {
    let answer = |value: &str| errors(&format!("d : int 1..9\nexpect reply number {value}"));
    assert_eq!(answer("sum(abs(t.B - 9))"), [""; 0]);
    assert_eq!(answer("count(t where A > d) + sum(abs(t.B))"), [""; 0]);
    // Outside of aggregates nothing skips a null.
    let cell = "csv g at \"g.csv\" { rows 3  A : int 1..9 blank 10%  B = abs(A) }\nexpect reply number count(g)";
    assert_eq!(errors(cell), ["E0303 `A` can be null, but `x` of `abs` cannot"]);
}

#[test]
fn a_value_of_a_row_that_is_wrong_is_said_once() {
    let said = errors("csv g at \"g.csv\" { rows 3  A : int 1..9 }\nexpect reply number csv_value(g.A + 1, 2)");
    assert_eq!(said.len(), 1, "{said:?}");
}

#[test]
fn the_row_id_of_a_view_is_refused() {
    let said = errors("expect reply number <<value: SELECT COUNT(*) FROM t WHERE rowid > 1>>");
    assert_eq!(said, ["E0203 `rowid` says nothing of the rows of `t`"]);
    // Of a table that is made, it is the order of the file.
    let made = "csv g at \"g.csv\" { rows 3  A : int 1..9 }\nexpect reply number <<value: SELECT COUNT(*) FROM g WHERE rowid > 1>>";
    assert_eq!(errors(made), [""; 0]);
}

#[test]
fn a_computation_that_never_ends_is_left_to_the_build() {
    let query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) + MAX(t.A) FROM n, t";
    let began = std::time::Instant::now();
    let said = errors(&format!("d : int 1..9\nrequire <<value: {query}>> > 3\nexpect reply number d"));
    assert_eq!(said, [""; 0]);
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

/// How many instances a build with 7 samples has.
#[track_caller]
fn built(body: &str) -> u64 {
    let source = format!("{TABLE}{}", build_suite_source("samples 4", body));
    let compiled = compile_with(&source, FILES);
    let plan = compiled.plan.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
    let [own, more] = [None, Some(7)].map(|samples| {
        let generator = Generator::new(&plan, Options { samples, ..Options::new("1") }).expect("ready");
        for index in 0..generator.count_instances() {
            let address = generator.resolve_address(index).expect("an address");
            generator.generate_instance(address).expect("an instance");
        }
        generator.count_instances()
    });
    assert!(own == more || (own, more) == (4, 7), "{own} and {more}");
    more
}

#[test]
fn a_static_task_is_built_once() {
    let asks = "prompt \"What is it? Digits only.\"\n";
    assert_eq!(built(&format!("{asks} expect reply number sum(t.A)")), 1);
    // Once for each cell and variant.
    assert_eq!(built(&format!("axis a = [1, 2]\n{asks} expect reply number sum(t.A) + a")), 2);
    let variants = "variant v { expect reply number sum(t.A) }\nvariant w { expect reply number 1 }";
    assert_eq!(built(&format!("{asks}{variants}")), 2);
    // A file that is the same each time.
    assert_eq!(built(&format!("csv g at \"g.csv\" {{ rows 3  A = 1 }}\n{asks} expect reply number count(g)")), 1);
    for drawn in [
        format!("d : int 1..9\n{asks} expect reply number d"),
        format!("csv g at \"g.csv\" {{ rows 3..9  A = 1 }}\n{asks} expect reply number count(t)"),
        format!("csv g at \"g.csv\" {{ rows 3  A : int 1..9 }}\n{asks} expect reply number count(t)"),
        format!("clutter 2\n{asks} expect reply number 1"),
        format!("table u {{ rows 9  V : int 1..9 }}\n{asks} expect reply number sum(u.V)"),
        "prompt one_of [\"What? Digits.\", \"What is it? Digits.\"]\nexpect reply number 1".to_owned(),
    ] {
        assert_eq!(built(&drawn), 7, "{drawn}");
    }
}

#[test]
fn lints_on_samples_are_silent_about_static_tasks() {
    let said = |body: &str| {
        let source = format!(
            "{TABLE}{}",
            build_suite_source("samples 4", &format!("prompt \"How many? Digits only.\"\n{body}"))
        );
        let found = compile_with(&source, FILES).diagnostics;
        found.iter().map(|said| said.code.name).collect::<Vec<_>>()
    };
    let one = "expect reply number count(t where A > 0)";
    // What is told is that it has one sample.
    assert_eq!(said(one), ["idle_samples"]);
    assert!(said(&format!("d : int 1..9\nrequire d > 1\n{one}")).contains(&"vacuous_predicate"));
}
