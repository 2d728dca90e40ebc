//! What is proved of a suite holds in what it draws: random small suites, each compiled and then drawn many times.
//!
//! Held: `constant_answer`, `impossible_predicate`, `vacuous_predicate`, answers that need no `coalesce`, and scalar queries of one row.

use std::collections::BTreeMap;

use model::answer_key::{Answer, Subject};
use model::suite::{Arg, Call, Expect, Expr, Matcher, RelationId};
use model::{Decimal, Value};
use runtime::generate::{Generator, Options};

const SUITES: u64 = 680;
const SAMPLES: u32 = 5;
const SEEDS: [&str; 2] = ["1", "sound"];

/// A generator of choices: splitmix64.
pub(super) struct Choice(pub(super) u64);

impl Choice {
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    pub(super) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Int,
    Decimal,
    Text,
    Date,
    Bool,
}

const KINDS: [Kind; 5] = [Kind::Int, Kind::Decimal, Kind::Text, Kind::Date, Kind::Bool];

/// A domain of narrow range, so that literals and names often lie beyond it.
fn domain(c: &mut Choice, kind: Kind) -> String {
    let low = c.below(8);
    let high = low + c.below(5) * c.below(2);
    let domain = match kind {
        Kind::Int if c.below(3) == 0 => format!("int {low}..{} step 3", high + 6),
        Kind::Int if c.below(4) == 0 => format!("weighted [ {low}: 3, {}: 1 ]", high + 1),
        Kind::Int => format!("int {low}..{high}"),
        Kind::Decimal => format!("decimal {low}.00..{high}.50 step 0.25"),
        Kind::Text => c
            .of(&[
                "one_of [\"a\", \"b\"]",
                "one_of [\"c\"]",
                "weighted [ \"a\": 3, \"d\": 1 ]",
                "one_of [\"b\", \"c\", \"d\"]",
            ])
            .to_owned(),
        Kind::Date => format!("date 2024-01-0{}..2024-01-{}", low + 1, high + 10),
        Kind::Bool => format!("bool {}%", c.of(&["50", "90", "100", "0"])),
    };
    if c.below(4) == 0 { format!("{domain} blank 30%") } else { domain }
}

/// A condition, as an expression and in SQL.
struct Condition {
    own: String,
    sql: String,
    conjunction: bool,
    plain: bool,
}

/// Columns are `C0` and on, names `t0` and on; both have the kinds of `KINDS` by turns.
fn atom(c: &mut Choice) -> (String, String) {
    let at = c.below(KINDS.len() as u64) as usize;
    let left =
        if c.below(8) == 0 { (format!("t{at}"), format!(":t{at}")) } else { (format!("C{at}"), format!("C{at}")) };
    let left = if at == 0 && c.below(4) == 0 { ("CX".to_owned(), "CX".to_owned()) } else { left };
    if c.below(12) == 0 {
        let not = c.below(2) == 0;
        let (own, sql) = if not { ("!=", "IS NOT NULL") } else { ("==", "IS NULL") };
        return (format!("{} {own} null", left.0), format!("{} {sql}", left.1));
    }
    let kind = KINDS[at];
    if kind == Kind::Bool {
        return if c.below(3) == 0 { (format!("not {}", left.0), format!("NOT {}", left.1)) } else { left };
    }
    if kind == Kind::Text && left.0.starts_with('C') && c.below(3) == 0 {
        let (like, own) =
            c.of(&[("a%", "starts_with"), ("%D", "ends_with"), ("%b%", "contains"), ("e%", "starts_with")]);
        let word = like.trim_matches('%').to_lowercase();
        return (format!("coalesce({own}({}, \"{word}\"), false)", left.0), format!("{} LIKE '{like}'", left.1));
    }
    let n = c.below(18);
    let right = match c.below(4) {
        0 => (format!("t{at}"), format!(":t{at}")),
        1 => (format!("D{at}"), format!("D{at}")),
        _ => match kind {
            Kind::Int => (n.to_string(), n.to_string()),
            Kind::Decimal => (format!("{n}.25"), format!("{n}.25")),
            Kind::Date => (format!("2024-01-{:02}", n + 1), format!("'2024-01-{:02}'", n + 1)),
            Kind::Text | Kind::Bool => {
                let word = c.of(&["a", "b", "c", "d"]);
                (format!("\"{word}\""), format!("'{word}'"))
            }
        },
    };
    let signs = [("==", "="), ("!=", "<>"), ("<", "<"), ("<=", "<="), (">", ">"), (">=", ">=")];
    let sign = signs[c.below(if kind == Kind::Text { 2 } else { 6 }) as usize];
    (format!("{} {} {}", left.0, sign.0, right.0), format!("{} {} {}", left.1, sign.1, right.1))
}

fn condition(c: &mut Choice) -> Condition {
    let (own, sql) = atom(c);
    let plain = |own, sql| Condition { own, sql, conjunction: true, plain: true };
    match c.below(6) {
        0 | 1 => {
            let (other, in_sql) = atom(c);
            let plain = false;
            Condition {
                own: format!("{own} and {other}"),
                sql: format!("{sql} AND {in_sql}"),
                conjunction: true,
                plain,
            }
        }
        2 => {
            let (other, in_sql) = atom(c);
            let (conjunction, plain) = (false, false);
            Condition { own: format!("{own} or {other}"), sql: format!("{sql} OR {in_sql}"), conjunction, plain }
        }
        _ => plain(own, sql),
    }
}

struct Case {
    text: String,
    /// The condition, where the answer is the count of the rows that meet it.
    counted: Option<(String, bool, bool)>,
}

fn case(c: &mut Choice) -> Case {
    let names: String = (0..5).map(|at| format!("  t{at} : {}\n", domain(c, KINDS[at]))).collect();
    let mut columns = String::new();
    for (at, kind) in KINDS.iter().enumerate() {
        columns += &format!("    C{at} : {}\n    D{at} : {}\n", domain(c, *kind), domain(c, *kind));
    }
    let computed = c.of(&["coalesce(C0, 1) * 2", "coalesce(C0, 3) + coalesce(D0, 2)", "coalesce(D0, 0) - 1"]);
    let rows = c.of(&["0..3", "1..20", "5", "2..9", "1"]);
    let body = format!("rows {rows}\n    ID : serial\n{columns}    CX = {computed}\n");
    let (table, data) = if c.below(2) == 0 {
        ("d", format!("  csv d at \"d.csv\" {{\n    {body}  }}\n"))
    } else {
        ("db.d", format!("  sqlite db at \"x.db\" {{ table d {{\n    {body}  }} }}\n"))
    };
    let condition = condition(c);
    let (own, sql) = (&condition.own, &condition.sql);
    let at = c.below(4);
    let column = format!("C{at}");
    let mut counted = None;
    let answer = match c.below(14) {
        0..=3 => {
            counted = Some((own.clone(), condition.conjunction, condition.plain));
            format!("count({table} where {own})")
        }
        4..=6 => {
            counted = Some((sql.clone(), condition.conjunction, condition.plain));
            format!("<<value: SELECT COUNT(*) FROM {table} WHERE {sql}>>")
        }
        7 | 8 => {
            let function = c.of(&["min", "max", "first", "mode", "count", "sum", "avg"]);
            let filter = if c.below(3) == 0 { String::new() } else { format!(" where {own}") };
            let column = if matches!(function, "sum" | "avg") { format!("C{}", at % 2) } else { column };
            format!("{function}({table}.{column}{filter})")
        }
        9 => {
            let function = c.of(&["MIN", "MAX", "COUNT", "SUM", "AVG"]);
            format!("<<value: SELECT {function}(C{}) FROM {table} WHERE {sql}>>", at % 2)
        }
        10 => match c.below(4) {
            3 => format!("<<value: SELECT {column} FROM {table} WHERE ID = {}>>", c.below(4)),
            0 => format!("<<value: SELECT {column} FROM {table} WHERE {sql} ORDER BY 1 LIMIT 1>>"),
            1 => format!("<<value: SELECT {column} FROM {table} WHERE {sql}>>"),
            _ => format!("<<value: SELECT {column} FROM {table} WHERE {sql} GROUP BY 1>>"),
        },
        11 if c.below(2) == 0 => format!("<<value: SELECT {}({column}) FROM {table}>>", c.of(&["COUNT", "MIN", "MAX"])),
        11 => c.of(&["count(TABLE)", "<<value: SELECT COUNT(*) FROM TABLE>>"]).replace("TABLE", table),
        12 => format!("t{at}"),
        _ => format!("<<list: SELECT {column} FROM {table} WHERE {sql} AND {column} IS NOT NULL ORDER BY 1>>"),
    };
    let text = testing::build_suite_source("", &format!("{names}{data}  prompt \"?\"\n  expect reply json {answer}"));
    Case { text, counted }
}

/// An answer key that is the number of rows.
fn all_rows() -> Expect {
    let span = model::Span::default();
    let args = vec![Arg::Relation { relation: RelationId(0), filter: None }];
    Expect {
        name: None,
        at: None,
        subject: Subject::Reply(None),
        matcher: Matcher::Json,
        answer: Some(Answer::One(Expr::Call(Box::new(Call { function: model::functions::COUNT, args, span })))),
        options: Vec::new(),
        weight: Decimal::from_int(1),
        gate: false,
        database: None,
        among: None,
        read: model::answer_key::Read::default(),
        columns: Vec::new(),
        tests: Default::default(),
        traps: Vec::new(),
        span,
    }
}

#[test]
fn what_is_proved_holds_in_what_is_drawn() {
    let mut choice = Choice(7);
    let mut fired: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let (mut drawn, mut accepted) = (0, 0);
    for _ in 0..SUITES {
        let case = case(&mut choice);
        let mut compiled = testing::compile_text(&case.text);
        if compiled.diagnostics.iter().any(|said| said.code.name == "nullable") {
            // What may be null is asked for again, with an answer for it: of the kind that the message wants or not.
            *fired.entry("nullable").or_default() += 1;
            for instead in ["0", "0.00", "\"none\"", "2024-01-01", "false"] {
                let (head, answer) = case.text.split_once("reply json ").expect("an answer");
                let answer = answer.trim_end().trim_end_matches('}').trim_end();
                let again = testing::compile_text(&format!("{head}reply json coalesce({answer}, {instead})\n}}\n"));
                if again.plan.is_some() {
                    compiled = again;
                    break;
                }
            }
        }
        for said in &compiled.diagnostics {
            *fired.entry(said.code.name).or_default() += 1;
        }
        let Some(mut plan) = compiled.plan.take() else { continue };
        accepted += 1;
        let said = |lint: &str| {
            let of = compiled.diagnostics.iter().filter(|said| said.code.name == lint);
            of.map(|said| compiled.sources.text(said.primary.span)).collect::<Vec<_>>()
        };
        let constant = !said("constant_answer").is_empty();
        let (mut none, mut every) = (false, false);
        if let Some((whole, conjunction, plain)) = &case.counted {
            let (impossible, vacuous) = (said("impossible_predicate"), said("vacuous_predicate"));
            none = impossible.iter().any(|at| *conjunction || at == whole);
            every = vacuous.iter().any(|at| *plain || at == whole);
            *fired.entry("count of none").or_default() += usize::from(none);
            *fired.entry("count of all").or_default() += usize::from(every);
        }
        plan.tasks[0].expects.push(all_rows());
        let mut first: Option<Value> = None;
        let mut broken: Option<String> = None;
        for seed in SEEDS {
            let options = Options { samples: Some(SAMPLES), ..Options::new(seed) };
            let generator = Generator::new(&plan, options).expect("a generator");
            for index in 0..generator.count_instances() {
                drawn += 1;
                let instance = match generator.generate_instance(generator.resolve_address(index).expect("in range")) {
                    Ok(instance) => instance,
                    Err(error) => {
                        broken = Some(format!("not built: {error}"));
                        continue;
                    }
                };
                let value = instance.expects[0].single_value().cloned().expect("a value");
                let rows = instance.expects[1].single_value().cloned().expect("a value");
                if value == Value::Null {
                    broken = Some("an answer is null".to_owned());
                }
                if none && value != Value::Int(0) {
                    broken = Some(format!("impossible, and {value:?} rows"));
                }
                if every && value != rows {
                    broken = Some(format!("vacuous, and {value:?} of {rows:?}"));
                }
                let before = first.get_or_insert_with(|| value.clone());
                if constant && !before.is_same(&value) {
                    broken = Some(format!("constant, and {before:?} and {value:?}"));
                }
            }
        }
        if let Some(broken) = broken {
            wrong.push(format!("{broken}\n{}", case.text));
        }
    }
    println!("{drawn} instances of {accepted} suites: {fired:?}");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(6)].join("\n"));
    assert!(drawn >= 5_000, "{drawn}");
    for lint in
        ["constant_answer", "impossible_predicate", "vacuous_predicate", "count of none", "count of all", "nullable"]
    {
        let times = fired.get(lint).copied().unwrap_or_default();
        assert!(times >= 20, "{lint}: said {times} times");
    }
}
