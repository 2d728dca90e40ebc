//! The bytes are read by others, so a change of one must be meant; what is written is read back.

use proptest::prelude::*;

use super::*;
use crate::suite::Ignore;
use crate::value::RowSet;

fn parse_decimal(text: &str) -> Decimal {
    text.parse().expect("a decimal")
}

fn build_expected() -> Expected {
    Expected {
        name: None,
        at: None,
        subject: Subject::File("cust.json".into()),
        matcher: Matcher::Json,
        answer: None,
        options: Vec::new(),
        weight: Decimal::from_int(1),
        gate: false,
        database: None,
        among: None,
        read: Read::default(),
        columns: Vec::new(),
        tests: Default::default(),
        traps: Vec::new(),
        span: (),
    }
}

fn write_to_string(expect: &Expected) -> String {
    let mut out = Vec::new();
    write_expected(&mut out, expect);
    String::from_utf8(out).expect("UTF-8")
}

fn read_back(line: &str) -> Result<Expected, KeyError> {
    read_expected(&serde_json::from_str(line).expect("JSON"), Scorer::CURRENT)
}

fn assert_round_trip(expect: Expected, line: &str) {
    assert_eq!(write_to_string(&expect), line);
    assert_eq!(read_back(line), Ok(expect));
}

#[test]
fn every_form_of_expect() {
    let options = Options {
        within: Some(Within::Percent(Decimal::from_int(1))),
        rounded: Some(2),
        graded: None,
        ignore: vec![Ignore::Case, Ignore::Space],
        ordered: Some(false),
        units: vec!["kg".into()],
        written: vec![
            Told { pattern: "0,00".into(), times: None },
            Told { pattern: "0K".into(), times: Some(Decimal::from_int(1000)) },
        ],
        open: true,
        ..Options::default()
    };
    assert_round_trip(
        Expected {
            subject: Subject::Reply(Some(Slice::After("Answer:".into()))),
            matcher: Matcher::Text,
            answer: Some(Answer::AnyOf(vec![Value::from_text("a"), Value::Int(1 << 60)])),
            options: vec![(String::new(), options)],
            weight: parse_decimal("2.5"),
            gate: true,
            ..build_expected()
        },
        concat!(
            r#"{"subject":"reply","slice":{"after":"Answer:"},"match":"text","any_of":["a",{"int":"1152921504606846976"}],"#,
            r#""options":{"":{"within":"1%","rounded":2,"ignore":["case","space"],"ordered":false,"unit":"kg","#,
            r#""written":[{"pattern":"0,00"},{"pattern":"0K","times":"1000"}],"open":true}},"weight":2.5,"gate":true}"#
        ),
    );
    assert_round_trip(
        Expected {
            subject: Subject::Reply(Some(Slice::Fenced(None))),
            matcher: Matcher::Sql,
            answer: Some(Answer::One(Value::Rows(RowSet {
                columns: vec!["n".into()],
                rows: vec![vec![Value::Int(1)]],
            }))),
            database: Some("shop.db".into()),
            ..build_expected()
        },
        concat!(
            r#"{"subject":"reply","slice":{"fenced":null},"match":"sql","value":{"columns":["n"],"rows":[[1]]},"#,
            r#""options":{},"weight":1,"database":"shop.db"}"#
        ),
    );
    for (slice, written) in [
        (Slice::Tag("answer".into()), r#"{"in":"answer"}"#),
        (Slice::Between("[[".into(), "]]".into()), r#"{"between":["[[","]]"]}"#),
    ] {
        assert_round_trip(
            Expected {
                subject: Subject::Reply(Some(slice)),
                matcher: Matcher::Number,
                answer: Some(Answer::One(Value::Int(4))),
                ..build_expected()
            },
            &format!(r#"{{"subject":"reply","slice":{written},"match":"number","value":4,"options":{{}},"weight":1}}"#),
        );
    }
    assert!(read_back(r#"{"subject":"reply","slice":{"between":["[["]},"match":"number","value":4}"#).is_err());
    assert_round_trip(
        Expected { subject: Subject::Tree(vec!["a/".into()]), matcher: Matcher::Exists, ..build_expected() },
        r#"{"subject":{"tree":["a/"]},"match":"exists","options":{},"weight":1}"#,
    );
    assert_round_trip(
        Expected {
            subject: Subject::Only(vec!["a/".into(), "b.txt".into()]),
            matcher: Matcher::Exists,
            ..build_expected()
        },
        r#"{"subject":{"only":["a/","b.txt"]},"match":"exists","options":{},"weight":1}"#,
    );
    let read = Read { databases: vec!["shop.db".into()], ..Read::default() };
    assert_round_trip(
        Expected {
            subject: Subject::Unchanged(vec!["out/".into()]),
            matcher: Matcher::Unchanged,
            read,
            ..build_expected()
        },
        concat!(
            r#"{"subject":{"unchanged":["out/"]},"match":"unchanged","options":{},"weight":1,"#,
            r#""read":{"databases":["shop.db"]}}"#
        ),
    );
    let read = Read {
        delimiter: Some(';'),
        header: Some(2),
        skip: Some(1),
        until_blank: true,
        missing: vec!["-".into()],
        ..Read::default()
    };
    assert_round_trip(
        Expected { matcher: Matcher::Exists, read, ..build_expected() },
        concat!(
            r#"{"subject":{"file":"cust.json"},"match":"exists","options":{},"weight":1,"#,
            r#""read":{"delimiter":";","header":2,"skip":1,"until_blank":true,"missing":["-"]}}"#
        ),
    );
    let read = Read {
        skip_to: Some("ID".into()),
        until: Some("Total".into()),
        sheet: Some("Low".into()),
        cell: Some("Sum!B7".into()),
        ..Read::default()
    };
    assert_round_trip(
        Expected { matcher: Matcher::Exists, read, ..build_expected() },
        concat!(
            r#"{"subject":{"file":"cust.json"},"match":"exists","options":{},"weight":1,"#,
            r#""read":{"skip_to":"ID","until":"Total","sheet":"Low","cell":"Sum!B7"}}"#
        ),
    );
    for wrong in
        [r#"{"delimiter":"ab"}"#, r#"{"delimiter":"§"}"#, r#"{"header":3}"#, r#"{"skip":-1}"#, r#"{"area":"A1"}"#]
    {
        let line = format!(r#"{{"subject":{{"file":"a.csv"}},"match":"exists","read":{wrong}}}"#);
        assert!(read_back(&line).is_err(), "{line}");
    }
    assert_round_trip(
        Expected { matcher: Matcher::Bytes, answer: Some(Answer::Content("in.bin".into())), ..build_expected() },
        r#"{"subject":{"file":"cust.json"},"match":"bytes","options":{},"weight":1,"content":"in.bin"}"#,
    );
    assert_round_trip(
        Expected {
            matcher: Matcher::Database,
            answer: Some(Answer::One(Value::Object(vec![("decimal".into(), Value::from_text("x"))]))),
            options: vec![(
                String::new(),
                Options { parts: vec!["items.CHANGED".into()], schema: true, ..Options::default() },
            )],
            ..build_expected()
        },
        concat!(
            r#"{"subject":{"file":"cust.json"},"match":"database","value":{"object":{"decimal":"x"}},"#,
            r#""options":{"":{"ignore":["items.CHANGED"],"schema":true}},"weight":1}"#
        ),
    );
}

#[test]
fn names_places_and_grades_are_written() {
    assert_round_trip(
        Expected {
            name: Some("share".into()),
            at: Some(At { path: Singular::parse("$.a[0]").expect("a path"), yaml: true }),
            options: vec![(String::new(), Options { graded: Some(Graded::Score), ..Options::default() })],
            ..build_expected()
        },
        concat!(
            r#"{"name":"share","subject":{"file":"cust.json"},"slice":{"at":"$.a[0]","yaml":true},"match":"json","#,
            r#""options":{"":{"graded":true}},"weight":1}"#
        ),
    );
    let above = Some(Graded::Above("0.9".parse().expect("a decimal")));
    assert_round_trip(
        Expected {
            subject: Subject::Reply(None),
            at: Some(At { path: Singular::parse("$").expect("a path"), yaml: false }),
            options: vec![(String::new(), Options { graded: above, ..Options::default() })],
            ..build_expected()
        },
        concat!(
            r#"{"subject":"reply","slice":{"at":"$"},"match":"json","#,
            r#""options":{"":{"graded":{"above":"0.9"}}},"weight":1}"#
        ),
    );
}

#[test]
fn traps_are_written_last() {
    let trap = |name: &str, at: &str, value: Value| Trap { name: name.into(), at: at.into(), value };
    assert_round_trip(
        Expected {
            answer: Some(Answer::One(Value::Object(vec![("a".into(), Value::Int(1))]))),
            traps: vec![
                trap("gross", "/a", Value::Decimal(parse_decimal("2.50"))),
                trap("by fraud", "", Value::List(vec![])),
            ],
            ..build_expected()
        },
        concat!(
            r#"{"subject":{"file":"cust.json"},"match":"json","value":{"a":1},"options":{},"weight":1,"#,
            r#""traps":[{"name":"gross","at":"/a","value":{"decimal":"2.50"}},{"name":"by fraud","at":"","value":[]}]}"#
        ),
    );
}

#[test]
fn what_is_left_out_has_its_default() {
    let least = read_back(r#"{"subject":{"file":"cust.json"},"match":"json"}"#);
    assert_eq!(least, Ok(build_expected()));
}

#[test]
fn says_what_it_cannot_read() {
    let said = |line: &str| read_back(line).expect_err("wrong").to_string();
    assert_eq!(said(r#"{"subject":"reply","match":"guess"}"#), "unknown matcher \"guess\"");
    assert_eq!(said(r#"{"subject":{"page":"x"},"match":"text"}"#), "unknown subject {\"page\":\"x\"}");
    assert_eq!(said(r#"{"subject":"reply","match":"text","weight":0}"#), "the weight 0 is not greater than 0");
    assert_eq!(
        said(r#"{"subject":"reply","match":"text","options":{"":{"within":1}}}"#),
        "`within` 1 is not a tolerance"
    );
    assert_eq!(
        said(r#"{"subject":"reply","slice":{"at":"$.*"},"match":"text"}"#),
        "the path \"$.*\" of a slice cannot be read"
    );
    assert_eq!(said(r#"{"subject":"reply","match":"text","traps":{}}"#), "the `traps` of an `expect` are not an array");
    let nameless = r#"{"at":"","value":1}"#;
    assert_eq!(
        said(&format!(r#"{{"subject":"reply","match":"text","traps":[{nameless}]}}"#)),
        format!("the trap {nameless} cannot be read")
    );
}

fn generate_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (any::<i32>(), 0u8..6)
            .prop_map(|(units, places)| Value::Decimal(Decimal::new(units.into(), places).expect("it fits"))),
        any::<f64>()
            .prop_filter("finite and a fraction", |number| number.is_finite() && number.fract() != 0.0)
            .prop_map(Value::Float),
        ".{0,8}".prop_map(Value::from_text),
    ];
    let name = prop_oneof!["[a-z]{1,3}", Just("decimal".to_owned()), Just("int".to_owned()), Just("object".to_owned())];
    leaf.prop_recursive(3, 12, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::btree_map(name.clone(), inner.clone(), 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            prop::collection::vec(inner, 2)
                .prop_map(|row| Value::Rows(RowSet { columns: vec!["a".into(), "b".into()], rows: vec![row] })),
        ]
    })
}

fn generate_subject() -> impl Strategy<Value = Subject> {
    let paths = || prop::collection::vec("[a-z]{1,4}/?", 1..3);
    let slice = prop_oneof![
        Just(Slice::<Value>::LastLine),
        ".{1,6}".prop_map(Slice::<Value>::After),
        prop::option::of("[a-z]{1,4}").prop_map(Slice::<Value>::Fenced),
    ];
    prop_oneof![
        prop::option::of(slice).prop_map(Subject::<Value>::Reply),
        ".{1,6}".prop_map(Subject::<Value>::File),
        paths().prop_map(Subject::<Value>::Files),
        paths().prop_map(Subject::<Value>::Tree),
    ]
}

fn generate_options(matcher: Matcher) -> impl Strategy<Value = Options> {
    let within = (any::<bool>(), 0i32..1_000_000).prop_map(|(percent, units)| {
        let by = Decimal::new(units.into(), 4).expect("it fits");
        if percent { Within::Percent(by) } else { Within::Absolute(by) }
    });
    let words = prop::sample::subsequence(vec![Ignore::Case, Ignore::Space, Ignore::Punctuation], 0..=3);
    let parts = prop::collection::vec("[a-z]{1,4}(\\.[A-Z]{1,3})?", 0..3);
    let flags = (prop::option::of(any::<bool>()), any::<bool>());
    let above = (1i32..1000).prop_map(|units| Graded::Above(Decimal::new(units.into(), 3).expect("it fits")));
    let graded = prop::option::of(prop_oneof![Just(Graded::Score), above]);
    (
        prop::option::of(within),
        (prop::option::of(0u8..12), graded),
        words,
        parts,
        prop::option::of("[a-z%]{1,3}"),
        flags,
    )
        .prop_map(move |(within, (rounded, graded), ignore, parts, unit, (ordered, open))| {
            let of_database = matcher == Matcher::Database;
            Options {
                within,
                rounded,
                graded,
                ignore: if of_database { Vec::new() } else { ignore },
                ordered,
                written: unit
                    .iter()
                    .map(|unit| Told { pattern: unit.clone(), times: within.map(|_| Decimal::from_int(1000)) })
                    .collect(),
                units: unit
                    .iter()
                    .flat_map(|unit| [unit.clone(), "h".to_owned()])
                    .take(if open { 2 } else { 1 })
                    .collect(),
                open,
                parts: if of_database { parts } else { Vec::new() },
                schema: of_database && open,
                sorted_by: match ordered {
                    None => vec![SortKey { column: "N".into(), is_descending: open }],
                    Some(_) => Vec::new(),
                },
                cells: open.then_some(CellMatch::Contains),
            }
        })
}

fn generate_at() -> impl Strategy<Value = At> {
    let path = "\\$(\\.[a-z]{1,3}|\\['[a-z ]{0,3}'\\]|\\[-?[1-9]\\]){0,3}";
    (path, any::<bool>()).prop_map(|(path, yaml)| At { path: Singular::parse(&path).expect("a path"), yaml })
}

fn generate_trap() -> impl Strategy<Value = Trap> {
    (".{1,6}", "(/[a-z~]{1,3}){0,2}", generate_value().boxed()).prop_map(|(name, at, value)| Trap { name, at, value })
}

fn generate_expected() -> impl Strategy<Value = Expected> {
    let answer = prop_oneof![
        generate_value().prop_map(Answer::<Value>::One),
        prop::collection::vec(generate_value(), 0..3).prop_map(Answer::<Value>::AnyOf),
        ".{1,6}".prop_map(Answer::<Value>::Content),
    ];
    (
        prop::sample::select(Matcher::ALL),
        generate_subject(),
        prop::option::of(answer),
        any::<bool>(),
        prop::option::of(".{1,6}"),
        1u32..10_000,
        (prop::option::of("[a-z]{1,6}"), prop::option::of(generate_at()), prop::collection::vec(generate_trap(), 0..3)),
    )
        .prop_flat_map(|(matcher, subject, answer, gate, database, weight, (name, at, traps))| {
            let at_pointer = |(pointer, options): (String, Options)| match pointer.as_str() {
                "" => (pointer, options),
                _ => (pointer, Options { parts: Vec::new(), ..options }),
            };
            let governed = prop::collection::btree_map("(/[a-z~]{1,3}){0,2}", generate_options(matcher), 0..3)
                .prop_map(move |governed| {
                    governed.into_iter().map(at_pointer).collect::<std::collections::BTreeMap<_, _>>()
                });
            // A place is all of the slice.
            let subject = match subject {
                Subject::Reply(Some(_)) if at.is_some() => Subject::Reply(None),
                subject => subject,
            };
            governed.prop_map(move |options| Expected {
                name: name.clone(),
                at: at.clone(),
                subject: subject.clone(),
                matcher,
                answer: answer.clone(),
                options: options.into_iter().collect(),
                weight: Decimal::new(weight.into(), 2).expect("it fits"),
                gate,
                database: database.clone(),
                among: (matcher == Matcher::Contains && gate).then(|| vec![Value::from_text("x"), Value::Int(7)]),
                read: Read::default(),
                columns: Vec::new(),
                tests: Default::default(),
                traps: traps.clone(),
                span: (),
            })
        })
}

proptest! {
    #[test]
    fn a_key_is_read_as_it_was_written(expect in generate_expected()) {
        let line = write_to_string(&expect);
        prop_assert_eq!(read_back(&line), Ok(expect), "{}", line);
    }
}
