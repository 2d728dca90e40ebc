//! Lints of the tasks that have no errors are told together with the errors of the others.

use compiler::diagnostics::Severity;

/// Bodies of tasks, each with an error.
const WRONG: [&str; 8] = [
    "a : word prompt \"Say <<a>>.\" expect reply text b",
    "a : word prompt \"Say <<a>>.\" expect reply number a",
    "a : word prompt \"Say <<a>>.\"",
    "a : wrod prompt \"Say <<a>>.\" expect reply text a",
    "csv hr at \"hr.csv\" { rows 9 PAY : int 1..9 } prompt \"Sum of <<hr>>?\" expect reply number sum(hr.PAYS)",
    "csv hr at \"hr.csv\" { rows 9 PAY : int 1..9 } prompt \"Sum of <<hr>>?\" expect reply number <<value: SELECT SUM(PAYS) FROM hr>>",
    "a : word a : int 1..9 prompt \"Say <<a>>.\" expect reply text \"x<<a>>\"",
    "csv hr at \"../hr.csv\" { rows 9 PAY : int 1..9 } prompt \"Sum of <<hr>>?\" expect reply number sum(hr.PAY)",
];

/// Bodies of tasks, each with a lint.
const WEAK: [&str; 6] = [
    "a, b : word prompt \"Say <<a>>.\" expect reply text a",
    "a : word prompt \"Write <<a>> to a file.\" expect file \"answer.txt\" text a",
    "a : word prompt \"Reply with JSON: <<a>>.\" expect reply json { first: a }",
    "csv hr at \"hr.csv\" { rows 9 PAY : int 1..9 } prompt \"Sum of PAY?\" expect reply number sum(hr.PAY)",
    "a : int 1..9 csv hr at \"hr.csv\" { rows 9 PAY : int 1..9 } prompt \"How many of <<hr>> are above <<a>>?\" expect reply number count(hr where PAY > 10)",
    "a : word allow unused_name \"kept\" b : word prompt \"Say <<a>>.\" expect reply text a",
];

/// The names of warnings and errors, each with the text at which it points.
fn said(source: &str) -> (Vec<(&'static str, String)>, usize) {
    let compiled = testing::compile_text(source);
    let warnings = compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Warning);
    let found = warnings.map(|said| (said.code.name, compiled.sources.text(said.primary.span).to_owned())).collect();
    (found, compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error).count())
}

#[test]
fn an_error_hides_no_lint_of_another_task() {
    let suite = |tasks: &[&str]| {
        let tasks = tasks.iter().enumerate().map(|(at, body)| format!("task t{at} {{ {body} }}\n"));
        format!("suite s {{ title \"S\" version \"1.0.0\" }}\n{}", tasks.collect::<String>())
    };
    for wrong in WRONG {
        assert!(said(&suite(&[wrong])).0.is_empty(), "a task with an error gets no lints: {wrong}");
        for weak in WEAK {
            let (alone, errors) = said(&suite(&[weak]));
            assert_eq!(errors, 0, "{weak}");
            assert_eq!(alone.is_empty(), weak.contains("allow"), "{weak}: {alone:?}");
            for tasks in [[wrong, weak], [weak, wrong]] {
                let (beside, errors) = said(&suite(&tasks));
                assert!(errors > 0, "{wrong}");
                assert_eq!(beside, alone, "{tasks:?}");
            }
        }
    }
}

/// An error outside of the tasks can be about all of them, and what a mistake of syntax hides is not known.
#[test]
fn other_errors_still_hide_lints() {
    for outside in ["table x { A : wrod }", "domain d = one_of []", "task u { prompt \"x\" expect reply text }"] {
        let source = format!("suite s {{ title \"S\" version \"1.0.0\" }}\n{outside}\ntask t {{ {} }}\n", WEAK[0]);
        let (warnings, errors) = said(&source);
        assert!(errors > 0 && warnings.is_empty(), "{outside}: {warnings:?}");
    }
}

/// `_NAME` says that nothing needs to use it, whatever it is.
#[test]
fn a_name_with_an_underscore_may_be_unused() {
    for (declared, name) in [
        ("NAME : word", "drawn"),
        ("NAME = \"x\"", "computed"),
        ("text NAME at \"intro.txt\" = \"Welcome\"", "a text"),
        ("csv NAME at \"x.csv\" { rows 3 A : int 1..9 }", "a file"),
        ("table NAME { rows 3 A : int 1..9 }", "a table"),
    ] {
        let body = |name: &str| {
            format!("a : word {} prompt \"Say <<a>>.\" expect reply text a", declared.replace("NAME", name))
        };
        let lints = |name: &str| super::lints(&body(name)).into_iter().map(|(lint, _)| lint).collect::<Vec<_>>();
        assert_eq!(lints("intro"), ["unused_name"], "{name}");
        assert_eq!(lints("_intro"), [] as [&str; 0], "{name}");
    }
}

/// The helps and messages of the errors of one task's body.
fn told(body: &str) -> String {
    let compiled =
        testing::compile_text(&format!("suite s {{ title \"S\" version \"1.0.0\" }}\ntask t {{ {body} }}\n"));
    let said = compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error);
    said.map(|said| format!("{}; {}\n", said.message, said.help.as_deref().unwrap_or(""))).collect()
}

#[test]
fn messages_name_what_to_write() {
    let staff = "csv staff at \"s.csv\" { rows 9 NAME : person_name PAY : int 1..9 AGE : int 1..9 }";
    let conf = "json conf at \"c.json\" { services : [ { name : word } ; 5..7 ] }";
    for (body, wanted) in [
        (
            format!("{staff} prompt \"<<staff>>?\" expect reply number sum(staff.NAME)"),
            "use a column with numbers: `staff.PAY` or `staff.AGE`",
        ),
        (
            format!("{conf} prompt \"<<conf>>?\" expect reply text <<json_value: conf, $.services[7].name>>"),
            "`[7]` is the 8th element, but there are 5 to 7",
        ),
        (
            format!("{conf} prompt \"<<conf>>?\" expect reply text <<json_value: conf, $.services[-11].name>>"),
            "`[-11]` is the 11th element from the end, but there are 5 to 7",
        ),
        ("tools [run_query] prompt \"Say yes.\" expect reply text \"yes\"".to_owned(), "did you mean `run_sql`?"),
        ("tools [delete] prompt \"Say yes.\" expect reply text \"yes\"".to_owned(), "did you mean `remove_file`?"),
        ("tools [read_sql] prompt \"Say yes.\" expect reply text \"yes\"".to_owned(), "`read_sql` is not a tool"),
    ] {
        let said = told(&body);
        assert!(said.contains(wanted), "{wanted}\n{said}\n{body}");
    }
    // A name whose words mean two tools is not guessed from them.
    assert!(
        !told("tools [open_database_query_list] prompt \"Say yes.\" expect reply text \"yes\"")
            .contains("did you mean")
    );
}

#[test]
fn a_mode_that_never_ties_is_no_tie() {
    let ties = |domain: &str, rows: &str| {
        let (found, _) = said(&format!(
            "suite s {{ title \"S\" version \"1.0.0\" }}\ntask t {{ csv hr at \"h.csv\" {{ rows {rows} D : {domain} }} prompt \"Which D is commonest in <<hr>>?\" \
             expect reply text coalesce(mode(hr.D), \"none\") }}\n"
        ));
        found.iter().any(|(name, _)| *name == "tied_answer")
    };
    for (domain, rows) in [
        ("weighted [\"a\": 95, \"b\": 4, \"c\": 1]", "40"),
        ("weighted [\"a\": 95, \"b\": 5]", "60..90"),
        ("weighted [\"a\": 8, \"b\": 1, \"c\": 1]", "200"),
        ("weighted [\"a\": 60, \"b\": 40]", "2_000"),
        ("weighted [\"a\": 3, \"b\": 1, \"c\": 1, \"d\": 1]", "600"),
        ("weighted [\"a\": 95, \"b\": 4, \"c\": 1]", "300..400"),
    ] {
        assert!(!ties(domain, rows), "{domain}, {rows} rows");
    }
    for (domain, rows) in [
        ("weighted [\"a\": 95, \"b\": 4, \"c\": 1]", "2"),
        ("weighted [\"a\": 95, \"b\": 4, \"c\": 1]", "2..400"),
        ("weighted [\"a\": 55, \"b\": 45]", "200"),
        ("weighted [\"a\": 95, \"b\": 4, \"c\": 1] blank 10%", "40"),
        ("weighted [\"a\": 5, \"b\": 5, \"c\": 1]", "4_000"),
        ("one_of [\"a\", \"b\", \"c\"]", "400"),
    ] {
        assert!(ties(domain, rows), "{domain}, {rows} rows");
    }
}

/// The first fix of the diagnostics with this code, applied to a suite with one task; the suite then compiles, without the code.
fn fix(body: &str, code: &str) -> String {
    let compiled = super::compile(body);
    let said = compiled.diagnostics.iter().find(|said| said.code.id == code);
    let said = said.unwrap_or_else(|| panic!("{code} is not told of {body}\n{:#?}", compiled.diagnostics));
    let fix = said.fixes.first().unwrap_or_else(|| panic!("{code} has no fix\n{said:#?}"));
    let texts = compiler::diagnostics::apply_fixes(&[fix], &compiled.sources).expect("edits of the source");
    let fixed = texts.into_values().next().expect("a changed source");
    let again = testing::compile_text(&fixed);
    let left: Vec<_> =
        again.diagnostics.iter().filter(|said| said.severity() == Severity::Error || said.code.id == code).collect();
    assert!(left.is_empty(), "{fixed}\n{left:#?}");
    fixed
}

#[test]
fn fixes_write_what_is_meant() {
    let staff = r#"table staff { rows 30  ID : serial  DEPT : one_of ["Sales", "Legal", "Ops"]  CODE : pattern "[0-9]{2,4}"  PAY : int 10..99 }"#;
    let database = format!("sqlite db at \"s.db\" {{ {staff} }}");
    let file = format!("csv {} ", staff.replace("table staff", "staff at \"s.csv\""));
    let sql = |asked: &str, query: &str| {
        format!("{database} prompt \"{asked} Look at <<db>>. Number only.\" expect reply number <<value: {query}>>")
    };
    let count = |asked: &str, condition: &str| {
        format!(
            "{file} prompt \"{asked} Look at <<staff>>. Number only.\" expect reply number count(staff where {condition})"
        )
    };
    let rows = format!(
        "{database} prompt \"How many staff has each DEPT of <<db>>? Give rows of DEPT and count.\" expect reply rows <<rows: SELECT DEPT, COUNT(*) FROM db.staff>> unordered"
    );
    for (body, code, wanted) in [
        (rows, "W0303", "GROUP BY DEPT"),
        (
            sql("How many staff of Sales or Legal?", "SELECT COUNT(*) FROM db.staff WHERE DEPT IN ('Sales, Legal')"),
            "W0401",
            "IN ('Sales', 'Legal')",
        ),
        (
            count("How many staff of Sales or Legal?", "DEPT in [\"Sales, Legal\"]"),
            "W0401",
            "in [\"Sales\", \"Legal\"]",
        ),
        (count("How many staff have a CODE above 500?", "CODE > 500"), "E0301", "to_int(CODE) > 500"),
        (
            sql("How many staff have a CODE above 500?", "SELECT COUNT(*) FROM db.staff WHERE CODE > 500"),
            "E0301",
            "CAST(CODE AS INTEGER) > 500",
        ),
        (
            sql("How many staff have a CODE below 500?", "SELECT COUNT(*) FROM db.staff WHERE 500 > CODE"),
            "E0301",
            "500 > CAST(CODE AS INTEGER)",
        ),
        (
            sql("How many staff have the CODE 500?", "SELECT COUNT(*) FROM db.staff WHERE CODE = 500"),
            "E0301",
            "CODE = '500'",
        ),
    ] {
        let fixed = fix(&body, code);
        assert!(fixed.contains(wanted), "{wanted}\n{fixed}");
    }
}

#[test]
fn one_text_that_is_no_list_stays_one() {
    let body = |values: &str, list: &str| {
        format!(
            "csv staff at \"s.csv\" {{ rows 30  ID : serial  DEPT : one_of [{values}]  PAY : int 10..99 }} \
             prompt \"How many rows of <<staff>> have such a DEPT and PAY above 20? Number only.\" expect reply number count(staff where DEPT in [{list}] and PAY > 20)"
        )
    };
    let fixes = |values: &str, list: &str| {
        let compiled = super::compile(&body(values, list));
        let found = compiled.diagnostics.iter().filter(|said| said.code.id == "W0401");
        found.flat_map(|said| said.fixes.iter().map(|fix| fix.message.clone())).collect::<Vec<_>>()
    };
    let values = r#""Sales", "Legal", "Ops""#;
    assert_eq!(fixes(values, r#""Sales, Marketing""#), [""; 0]);
    assert_eq!(fixes(values, r#""Sales""#), [""; 0]);
    assert_eq!(fixes(r#""Sales, Legal", "Ops""#, r#""Sales, Legal""#), [""; 0]);
    assert_eq!(fixes(values, r#""Sales; Ops""#).len(), 1);
}

#[test]
fn a_constant_bool_is_told_as_constant() {
    let told = |domain: &str| {
        let body = format!(
            "csv staff at \"s.csv\" {{ rows 30  ID : serial  OPEN : {domain}  PAY : int 10..99 }} \
             prompt \"How many rows of <<staff>> have PAY above 20? Number only.\" expect reply number count(staff where PAY > 20)"
        );
        let compiled = super::compile(&body);
        compiled.diagnostics.iter().map(|said| said.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told("bool 100%"), ["`OPEN` is always true"]);
    assert_eq!(told("bool 0%"), ["`OPEN` is always false"]);
    assert_eq!(told("bool 90%"), [""; 0]);
}
