//! Generation from plans built by hand: what a draw, a step and an instance give.

use std::collections::BTreeSet;

use crate::generate_support::*;
use model::answer_key::Subject;
use model::distribution::Distribution;
use model::domain::LoremUnit;
use model::suite::*;
use model::{Domain, Value, ValueType};
use runtime::failure::FailureKind;
use runtime::generate::{Address, Generator, Options as Build};

/// A suite with something of everything.
fn everything() -> Suite {
    let mut suite = Suite::new();
    let pool = suite.domain(many_words(154));
    let dir = suite.draw("dir", draw(pool.clone()));
    suite.draw_in("a", unique(pool.clone()), "a", 0);
    suite.draw_in("b", unique(pool.clone()), "a", 1);
    let n = suite.axis("n", &[("small", 50), ("large", 200)]);
    let person = suite.domain(person());
    let age = suite.domain(ints(18, 70));
    let dept = suite.domain(words(&["Sales", "Legal", "IT"]));
    let key = serial(&mut suite, "ID");
    let columns = vec![
        key,
        column("NAME", ValueType::Text, draw(person.clone())),
        column("AGE", ValueType::Int, draw(age)),
        column("DEPT", ValueType::Text, Draw { blank_per_million: 100_000, ..draw(dept) }),
    ];
    let hr = suite.relation_rows("hr", (Expr::Name(n), Expr::Name(n)), columns);
    let path = Expr::Concat(vec![Expr::Name(dir), text("/hr.csv")]);
    let file = suite.file("hr", path, delimited(hr));

    let key = serial(&mut suite, "C_ID");
    let customers = suite.relation("db.customers", (20, 20), vec![key, column("C_NM", ValueType::Text, draw(person))]);
    let key = serial(&mut suite, "O_ID");
    let to_customer = DomainExpr::Ref { relation: customers, column: ColumnId(0), together: vec![], filter: None };
    let mut reference = column("CUST", ValueType::Int, draw(to_customer));
    reference.references = Some((customers, ColumnId(0)));
    let amount = suite.domain(Domain::Decimal { low: d("0.01"), high: d("999.99"), step: d("0.01"), places: 2 });
    let orders =
        suite.relation("db.orders", (75, 75), vec![key, reference, column("AMT", ValueType::Decimal(2), draw(amount))]);
    let tables = vec![customers, orders];
    let db = suite.file(
        "db",
        text("shop.db"),
        FileContent::Sqlite { tables: tables.clone(), order: tables, views: Vec::new() },
    );
    let lines = suite.domain(lorem(LoremUnit::Lines, 20));
    suite.file("notes", text("notes.txt"), FileContent::DrawnText(draw(lines)));

    let total = sql("SELECT SUM(AMT) FROM orders", SqlScope::Database(db), vec![], vec![Some(ValueType::Decimal(2))]);
    let total = suite.compute("total", call("sqlite_query", vec![Arg::File(db), total]));
    suite.require(binary(Expr::Name(total), Op::Gt, dec("39000.00")));
    suite.prompt(Expr::Concat(vec![text("Read "), Expr::FilePath(file), text(" in "), Expr::Sandbox]));
    suite.prompt(text("Other words"));
    let mut one = variant("one", "first way");
    one.expects.push(expect(Subject::Reply(None), Matcher::Number, Some(Expr::Name(total))));
    let mut two = variant("two", "second way");
    let average = call("avg", vec![of(hr, 2)]);
    two.expects.push(expect(
        Subject::File(text("./out.json")),
        Matcher::Json,
        Some(Expr::Object(vec![("avg".into(), average)])),
    ));
    suite.task().variants = vec![one, two];
    suite.task().extras =
        vec![Extra::Folder(text("empty")), Extra::Clutter { count: int(3), within: Some(Expr::Name(dir)) }];
    suite
}

#[test]
fn the_same_address_gives_the_same_instance_in_any_order_and_thread() {
    let suite = everything();
    let generator = suite.generator();
    let addresses: Vec<Address> =
        (0..generator.count_instances()).map(|at| generator.resolve_address(at).unwrap()).collect();
    assert_eq!(addresses.len(), 3 * 2 * 2);
    assert_eq!(generator.resolve_address(generator.count_instances()), None);
    let first: Vec<_> = addresses.iter().map(|at| generator.generate_instance(*at).unwrap()).collect();
    let other = suite.generator();
    let mut backwards: Vec<_> = addresses.iter().rev().map(|at| other.generate_instance(*at).unwrap()).collect();
    backwards.reverse();
    assert_eq!(first, backwards);
    let third = suite.generator();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (at, wanted) in addresses.iter().zip(&first) {
                    assert_eq!(&third.generate_instance(*at).unwrap(), wanted);
                }
            });
        }
    });
}

#[test]
fn ids_files_and_cells_fit_together() {
    let all = everything().all();
    let ids: BTreeSet<&str> = all.iter().map(|instance| instance.id.as_str()).collect();
    assert_eq!(ids.len(), all.len());
    assert_eq!(all[0].id, "t-small-one-1");
    assert_eq!(all[0].files_id, "t-small-1");
    assert!(all.iter().any(|instance| instance.attempt > 0), "the require was meant to fail sometimes");
    for a in &all {
        for b in &all {
            if a.files_id == b.files_id {
                assert_eq!(a.files, b.files);
            }
            if a.sample == b.sample {
                assert_eq!((a.attempt, &a.draws), (b.attempt, &b.draws), "cells of a sample are paired");
            }
        }
        assert_eq!(a.files.len(), 3 + 3);
        assert_eq!(a.folders, ["empty"]);
        assert!(a.prompt.starts_with("Read ") || a.prompt.starts_with("Other words"));
        let way = if a.variant.as_deref() == Some("one") { "\nfirst way" } else { "\nsecond way" };
        assert!(a.prompt.ends_with(way) && a.wording.is_some());
    }
    // Rows 1 to 50 of 200 are rows 1 to 50 of 50.
    let (small, large) =
        (&all[0].files[0].bytes, &all.iter().find(|one| one.files_id == "t-large-1").unwrap().files[0].bytes);
    assert!(large.starts_with(small));
    assert_eq!(all[3].expects[0].subject, Subject::File("out.json".into()));
    assert_eq!(all[0].axis, [("n".to_owned(), "small".to_owned(), Value::Int(50))]);
}

#[test]
fn prompts_name_files_below_the_sandbox_root() {
    let mut suite = Suite::new();
    let file = suite.file("f", text("a/b.txt"), FileContent::ComputedText(text("x")));
    suite.prompt(Expr::Concat(vec![Expr::FilePath(file), text(" "), Expr::Sandbox, text("/c")]));
    suite.expect(Matcher::Text, Expr::Concat(vec![Expr::FilePath(file)]));
    let build = |root: &str| Build { sandbox_root: root.into(), ..Build::new("7") };
    let prompt = |root: &str| {
        let generator = Generator::new(&suite.plan, build(root)).unwrap();
        let instance = generator.generate_instance(generator.resolve_address(0).unwrap()).unwrap();
        assert_eq!(instance.expects[0].single_value(), Some(&Value::from_text("a/b.txt")));
        instance.prompt
    };
    assert_eq!(prompt("."), "a/b.txt ./c");
    assert_eq!(prompt("/work"), "/work/a/b.txt /work/c");
}

#[test]
fn adding_a_name_column_row_or_sample_changes_no_other_value() {
    let make = |more: bool| {
        let mut suite = Suite::new();
        if more {
            suite.task().samples = 9;
            let extra = suite.domain(ints(1, 9));
            suite.draw("zero", draw(extra));
        }
        let pool = suite.domain(many_words(400));
        suite.draw("dir", draw(pool.clone()));
        suite.draw_in("a", unique(pool.clone()), "a", 0);
        suite.draw_in("b", unique(pool.clone()), "a", 1);
        if more {
            suite.draw_in("c", unique(pool.clone()), "a", 2);
        }
        let person = suite.domain(person());
        let mut columns = vec![
            column("NAME", ValueType::Text, draw(person)),
            column("CODE", ValueType::Text, unique(pool.clone())),
            column(
                "MSG",
                ValueType::Text,
                Draw {
                    blank_per_million: 300_000,
                    ..draw(DomainExpr::Lorem { unit: LoremUnit::Words, low: int(1), high: int(4) })
                },
            ),
        ];
        if more {
            columns.insert(0, column("NEW", ValueType::Text, draw(pool)));
        }
        let (_, relation) = suite.csv("hr", if more { (60, 60) } else { (40, 40) }, columns);
        let shift = u32::from(more);
        let items = (0..3).map(|at| call("list", vec![of(relation, at + shift)])).collect();
        suite.expect(Matcher::Json, Expr::List(items));
        suite
    };
    let (few, many) = (make(false).all(), make(true).all());
    for (few, many) in few.iter().zip(&many) {
        for (name, value) in &few.draws {
            assert!(many.draws.iter().any(|(other, also)| other == name && also == value), "{name}");
        }
        let lists = |instance: &runtime::generate::Instance| list_of(instance.expects[0].single_value().unwrap());
        for (few, many) in lists(few).iter().zip(lists(many)) {
            let few = list_of(few);
            assert_eq!(few[..], list_of(&many)[..few.len()]);
        }
    }
}

#[test]
fn blank_moves_no_value_and_hits_its_share() {
    let values = |blank: u32| {
        let mut suite = Suite::new();
        let domain = suite.domain(ints(1, 1_000_000));
        let (_, relation) = suite.csv(
            "t",
            (1000, 1000),
            vec![column("V", ValueType::Int, Draw { blank_per_million: blank, ..draw(domain) })],
        );
        suite.expect(Matcher::Json, call("csv_row", vec![rows_of(relation), Arg::Value(int(1))]));
        String::from_utf8(suite.instance().unwrap().files[0].bytes.to_vec()).unwrap()
    };
    let (full, blank) = (values(0), values(250_000));
    let mut nulls = 0;
    for (full, blank) in full.lines().zip(blank.lines()).skip(1) {
        if blank == "\"\"" { nulls += 1 } else { assert_eq!(full, blank) }
    }
    assert!((200..300).contains(&nulls), "{nulls}");
}

#[test]
fn distinct_differs_within_a_row_and_unique_down_the_column() {
    let mut suite = Suite::new();
    let pool = suite.domain(many_words(10));
    let weighted = suite
        .domain(Domain::Weighted { items: vec![(Value::Int(1), 1000), (Value::Int(2), 1), (Value::Int(3), 1)].into() });
    let grouped = |name: &str, place: u32, draw: Draw| {
        let mut column = column(name, ValueType::Text, draw.clone());
        column.source = ColumnSource::Draw { draw, group: "A".into(), place, of: 3 };
        column
    };
    let columns = vec![
        grouped("A", 0, draw(pool.clone())),
        grouped("B", 1, draw(pool.clone())),
        grouped("C", 2, draw(pool.clone())),
        column("U", ValueType::Text, unique(pool)),
        column("W", ValueType::Int, draw(weighted)),
    ];
    let (_, relation) = suite.csv("t", (10, 10), columns);
    let lists = (0..4).map(|at| call("list", vec![of(relation, at)])).collect();
    suite.expect(Matcher::Json, Expr::List(lists));
    for instance in suite.all() {
        let lists: Vec<Vec<Value>> = list_of(instance.expects[0].single_value().unwrap()).iter().map(list_of).collect();
        for ((a, b), c) in lists[0].iter().zip(&lists[1]).zip(&lists[2]) {
            assert!(a != b && b != c && a != c);
        }
        let different: BTreeSet<String> = lists[3].iter().map(|value| value.render_text().into_owned()).collect();
        assert_eq!(different.len(), 10);
    }
}

#[test]
fn a_unique_weighted_column_uses_up_even_rare_items() {
    let mut suite = Suite::new();
    let items = vec![(Value::Int(1), 1_000_000_000_000), (Value::Int(2), 1), (Value::Int(3), 1)];
    let weighted = suite.domain(Domain::Weighted { items: items.into() });
    let (_, relation) = suite.csv("t", (3, 3), vec![column("W", ValueType::Int, unique(weighted))]);
    assert_eq!(suite.value(call("sum", vec![of(relation, 0)])).unwrap(), Value::Int(6));
    suite.task().relations[RelationId(0)].rows = model::suite::Rows::Count(int(4), int(4));
    assert_eq!(suite.instance().unwrap_err().kind, FailureKind::ExhaustedDomain);
}

#[test]
fn except_takes_values_out() {
    let mut suite = Suite::new();
    let pool = suite.domain(many_words(5));
    let person = suite.domain(person());
    let (_, hr) = suite.csv(
        "hr",
        (900, 900),
        vec![column("NAME", ValueType::Text, draw(person.clone())), column("P", ValueType::Text, draw(pool.clone()))],
    );
    let all = call("list", vec![of(hr, 0)]);
    let ghost = suite.draw("ghost", Draw { except: vec![all.clone()], ..draw(person) });
    let odd = suite.domain(ints(1, 3));
    let two = suite.draw("two", Draw { except: vec![int(1), Expr::List(vec![int(3)])], ..draw(odd.clone()) });
    let none = binary(Expr::Name(ghost), Op::In, all);
    let answer = Expr::List(vec![none, Expr::Name(two)]);
    suite.task().samples = 20;
    suite.expect(Matcher::Json, answer);
    for instance in suite.all() {
        assert_eq!(instance.expects[0].single_value(), Some(&Value::List(vec![Value::Bool(false), Value::Int(2)])));
    }
    suite.draw("never", Draw { except: vec![int(1), int(2), int(3)], ..draw(odd) });
    let failure = suite.instance().unwrap_err();
    assert_eq!(failure.kind, FailureKind::ExhaustedDomain);
    assert_eq!(failure.at.unwrap().sample, 1);
}

#[test]
fn bounds_and_references_may_depend_on_the_row() {
    let mut suite = Suite::new();
    let low = suite.domain(ints(1, 50));
    let columns = vec![
        column("LOW", ValueType::Int, draw(low.clone())),
        column(
            "HIGH",
            ValueType::Int,
            draw(DomainExpr::Range {
                value_type: ValueType::Int,
                low: col(0),
                high: binary(col(0), Op::Add, int(5)),
                step: None,
            }),
        ),
        computed("_GAP", ValueType::Int, binary(col(1), Op::Sub, col(0))),
    ];
    let (_, a) = suite.csv("a", (300, 300), columns);
    // A reference to a row of `a` that has the same LOW as this row.
    let same = DomainExpr::Ref {
        together: vec![],
        relation: a,
        column: ColumnId(1),
        filter: Some(binary(col(0), Op::Eq, Expr::OuterColumn(ColumnId(0)))),
    };
    let columns = vec![
        column(
            "LOW",
            ValueType::Int,
            draw(DomainExpr::Ref { relation: a, column: ColumnId(0), together: vec![], filter: None }),
        ),
        column("FOUND", ValueType::Int, draw(same)),
        computed("GAP", ValueType::Int, binary(col(1), Op::Sub, col(0))),
        column("SORTED", ValueType::Int, Draw { sorted: true, ..draw(low) }),
    ];
    let (_, b) = suite.csv("b", (200, 200), columns);
    let ends = Expr::List(
        ["min", "max"].iter().flat_map(|name| [call(name, vec![of(a, 2)]), call(name, vec![of(b, 2)])]).collect(),
    );
    let sorted = call("list", vec![of(b, 3)]);
    let value = list_of(&suite.value(Expr::List(vec![ends, sorted])).unwrap());
    assert_eq!(value[0], Value::List(vec![Value::Int(0), Value::Int(0), Value::Int(5), Value::Int(5)]));
    assert!(list_of(&value[1]).windows(2).all(|pair| pair[0].compare_with(&pair[1]).unwrap().is_le()));
    let csv = String::from_utf8(suite.instance().unwrap().files[0].bytes.to_vec()).unwrap();
    assert!(csv.starts_with("LOW,HIGH\n"), "helpers are not written");
}

#[test]
fn a_reference_is_never_null_and_unique_references_differ() {
    let mut suite = Suite::new();
    let v = suite.domain(ints(1, 1000));
    let (_, a) =
        suite.csv("a", (40, 40), vec![column("V", ValueType::Int, Draw { blank_per_million: 500_000, ..draw(v) })]);
    let to = DomainExpr::Ref { relation: a, column: ColumnId(0), together: vec![], filter: None };
    let (_, b) = suite.csv("b", (10, 10), vec![column("R", ValueType::Int, unique(to.clone()))]);
    let answer = Expr::List(vec![
        call("count", vec![of(b, 0)]),
        call("len", vec![Arg::Value(call("dedupe", vec![Arg::Value(call("list", vec![of(b, 0)]))]))]),
    ]);
    assert_eq!(suite.value(answer).unwrap(), Value::List(vec![Value::Int(10), Value::Int(10)]));
    let none = DomainExpr::Ref {
        relation: a,
        column: ColumnId(0),
        together: vec![],
        filter: Some(binary(col(0), Op::Gt, int(2000))),
    };
    suite.draw("x", draw(none));
    let failure = suite.instance().unwrap_err();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::ExhaustedDomain, "`a` has no row that meets the `where` to refer to")
    );
}

#[test]
fn require_draws_the_whole_sample_again_and_gives_up_in_the_end() {
    let mut suite = Suite::new();
    let v = suite.domain(ints(1, 10));
    let v = suite.draw("v", draw(v));
    suite.require(binary(Expr::Name(v), Op::Eq, int(3)));
    suite.task().samples = 30;
    let all = suite.all();
    assert!(all.iter().all(|instance| instance.draws[0].1 == Value::Int(3)));
    assert!(all.iter().any(|instance| instance.attempt > 5));
    suite.require(binary(Expr::Name(v), Op::Eq, int(4)));
    let failure = suite.instance().unwrap_err();
    assert_eq!(failure.kind, FailureKind::RequireNeverHeld);
    assert_eq!(failure.message, "`require` held in none of 1000 draws of sample 1");
    assert_eq!(failure.at.unwrap().attempt, 999);
}

#[test]
fn nulls_and_failed_computations_name_themselves() {
    let suite = Suite::new();
    let fails = |expr: Expr| suite.value(expr).unwrap_err();
    assert_eq!(fails(null()).kind, FailureKind::NullAtBuild);
    assert_eq!(fails(Expr::Concat(vec![text("a"), null()])).kind, FailureKind::NullAtBuild);
    let answer = Expr::Object(vec![("total".into(), binary(null(), Op::Add, int(1)))]);
    assert_eq!(fails(answer).message, "the answer under the key `total` came out null");
    let overflow = fails(binary(int(i64::MAX), Op::Add, int(1)));
    assert_eq!(overflow.kind, FailureKind::FailedComputation);
    assert_eq!(overflow.message, "9223372036854775807 + 1 overflows the 64 bits of an int");
    assert!(overflow.span.is_some());
    assert_eq!(fails(binary(int(1), Op::Div, int(0))).message, "division by zero: 1 / 0");
}

#[test]
fn drawn_paths_are_checked() {
    let mut suite = Suite::new();
    suite.file("f", text("../x"), FileContent::ComputedText(text("")));
    assert_eq!(suite.instance().unwrap_err().kind, FailureKind::PathAtBuild);
    let mut suite = Suite::new();
    suite.file("f", text("a/X"), FileContent::ComputedText(text("")));
    suite.file("g", text("a/x"), FileContent::ComputedText(text("")));
    let failure = suite.instance().unwrap_err();
    assert_eq!(failure.message, "the paths \"a/X\" and \"a/x\" differ only in case");
}

#[test]
fn only_tasks_that_match_are_built() {
    let mut suite = Suite::new();
    suite.plan.tasks.push(task("other", 5));
    let generator = suite.try_generator(Some("o*")).unwrap();
    // Nothing of it is drawn.
    assert_eq!((generator.count_instances(), generator.list_sample_counts()), (1, vec![(1, 1)]));
    assert!(generator.generate_instance(Address { task: 0, cell: 0, variant: 0, sample: 0 }).is_err());
    assert_eq!(suite.try_generator(Some("q*")).err().unwrap().kind, FailureKind::Usage);
}

fn distributed(distribution: Distribution, [low, high, step]: [&str; 3]) -> Domain {
    Domain::Distributed { distribution, low: d(low), high: d(high), step: d(step) }
}

/// Domains of every kind, some of them small.
fn domains() -> Vec<Domain> {
    let day = |text: &str| model::Date::parse_iso(text).unwrap();
    let at = |text: &str| model::DateTime::parse_iso(text).unwrap();
    vec![
        Domain::Int { low: -7, high: 2000, step: 3 },
        Domain::Int { low: i64::MIN, high: i64::MAX, step: 1 },
        Domain::Decimal { low: d("-1.00"), high: d("99.99"), step: d("0.01"), places: 2 },
        Domain::Decimal { low: d("0"), high: d("100000000000000000000"), step: d("0.000000000001"), places: 12 },
        Domain::Date { low: day("2020-01-31"), high: day("2024-02-29"), step: 2 },
        Domain::DateTime { low: at("2024-01-01T00:00"), high: at("2024-01-02T00:00"), step: 60 },
        Domain::Bool { per_million: 300_000 },
        many_words(300),
        Domain::OneOf { items: (0..300).map(Value::Int).collect() },
        Domain::Weighted { items: (0..300).map(|at| (Value::Int(at), at as u64)).collect() },
        Domain::Pattern(model::pattern::Pattern::new("[A-Z]{3}-[0-9]{4}").unwrap()),
        Domain::Pattern(model::pattern::Pattern::new("[a-z]{20}").unwrap()),
        person(),
        Domain::Template {
            parts: vec![
                model::domain::TemplatePart::Domain(Box::new(ints(1, 1_000_000))),
                model::domain::TemplatePart::Text("/".into()),
                model::domain::TemplatePart::Domain(Box::new(many_words(40))),
            ],
        },
        Domain::Serial,
        lorem(LoremUnit::Words, 6),
        distributed(Distribution::Normal { mean: 0.0, sd: 50.0 }, ["-200", "200", "0.5"]),
        distributed(Distribution::Lognormal { mean: 5.0, sd: 1.0 }, ["10", "100000", "1"]),
        Domain::Zipf { n: 5000 },
    ]
}

#[test]
fn drawn_values_belong_to_their_domain_and_unique_ones_differ() {
    for domain in domains() {
        let mut suite = Suite::new();
        let value_type = domain.value_type();
        let fixed = suite.domain(domain.clone());
        let is_small = domain.cardinality().is_some_and(|n| n < 200);
        let mut columns = vec![column("PLAIN", value_type, draw(fixed.clone()))];
        if !is_small {
            columns.push(column("UNIQUE", value_type, unique(fixed.clone())));
        }
        let (_, relation) = suite.csv("t", (200, 200), columns);
        suite.draw("name", draw(fixed));
        let lists = (0..if is_small { 1 } else { 2 }).map(|at| call("list", vec![of(relation, at)])).collect();
        let lists = list_of(&suite.value(Expr::List(lists)).unwrap());
        for values in &lists {
            let values = list_of(values);
            assert_eq!(values.len(), 200, "{domain:?}");
            // A template with a part too long to list finds its indexes by trying; the others at once.
            if domain.cardinality().is_some() {
                assert!(values.iter().all(|value| domain.index_of(value).is_some()), "{domain:?} {values:?}");
            }
        }
        if let Some(values) = lists.get(1) {
            let different: BTreeSet<String> =
                list_of(values).iter().map(|value| value.render_text().into_owned()).collect();
            assert_eq!(different.len(), 200, "{domain:?}");
        }
    }
}

#[test]
fn clutter_stands_clear_of_files_and_answers() {
    let mut suite = Suite::new();
    suite.file("f", text("a.txt"), FileContent::ComputedText(text("x")));
    suite.task().extras = vec![
        Extra::Clutter { count: int(50), within: None },
        Extra::Clutter { count: int(5), within: Some(text("deep/er")) },
    ];
    suite.task().expects.push(expect(
        Subject::Files(Expr::List(vec![text("out/a.txt"), text("a.txt")])),
        Matcher::Exists,
        None,
    ));
    for instance in suite.all() {
        let paths: BTreeSet<String> = instance.files.iter().map(|file| file.path.to_lowercase()).collect();
        assert_eq!(paths.len(), 56);
        assert!(instance.files[51..].iter().all(|file| file.path.starts_with("deep/er/")));
        assert!(instance.files.iter().all(|file| !file.bytes.is_empty()));
    }
}

#[test]
fn a_row_count_may_be_drawn() {
    let mut suite = Suite::new();
    suite.task().samples = 40;
    let v = suite.domain(ints(1, 9));
    let (_, relation) = suite.csv("t", (2, 4), vec![column("rows", ValueType::Int, draw(v))]);
    suite.expect(Matcher::Number, call("count", vec![rows_of(relation)]));
    let counts: BTreeSet<String> =
        suite.all().iter().map(|one| one.expects[0].single_value().unwrap().render_text().into_owned()).collect();
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), ["2", "3", "4"]);
}

mod tuples;
