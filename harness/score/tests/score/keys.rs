//! Random answer keys that an answer can be found for.

use model::answer_key::{Answer, Expected, Slice, Subject};
use model::suite::matchers::Takes;
use model::suite::{Ignore, Matcher, Options, Within};
use model::value::RowSet;
use model::{Decimal, Value};
use proptest::prelude::*;

pub fn decimal() -> impl Strategy<Value = Decimal> {
    (any::<i64>(), 0u8..=9).prop_map(|(units, places)| Decimal::new(i128::from(units), places).expect("few places"))
}

pub fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::Int),
        (-20i64..20).prop_map(Value::Int),
        decimal().prop_map(Value::Decimal),
        prop::num::f64::NORMAL.prop_map(Value::Float),
        Just(Value::Float(0.0)),
    ]
}

/// Not blank.
pub fn text() -> impl Strategy<Value = Value> {
    let some = prop_oneof!["[ -~]{0,11}", "[a-zé東0-9 ,\n\"'|<>-]{0,11}", any::<String>()];
    (some, prop_oneof![Just('x'), Just('é'), Just('5'), Just('東')])
        .prop_map(|(text, last)| Value::from_text(format!("{text}{last}")))
}

pub fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![number(), text(), any::<bool>().prop_map(Value::Bool), Just(Value::Null), Just(Value::from_text(""))]
}

pub fn rows() -> impl Strategy<Value = Value> {
    (1usize..4).prop_flat_map(|width| {
        let columns: Vec<String> = ["A", "b c", "N"].iter().take(width).map(|name| (*name).to_owned()).collect();
        prop::collection::vec(prop::collection::vec(leaf(), width), 0..5)
            .prop_map(move |rows| Value::Rows(RowSet { columns: columns.clone(), rows }))
    })
}

pub fn json() -> impl Strategy<Value = Value> {
    prop_oneof![leaf(), rows()].prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::btree_map("[a-z/~\"é]{0,3}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

pub fn options() -> impl Strategy<Value = Options> {
    let within = prop_oneof![
        3 => Just(None),
        1 => (0i64..1000).prop_map(|by| Some(Within::Absolute(Decimal::new(i128::from(by), 3).expect("few places")))),
        1 => (0i64..100).prop_map(|by| Some(Within::Percent(Decimal::from_int(by)))),
    ];
    let ignore = prop::sample::subsequence(vec![Ignore::Case, Ignore::Space, Ignore::Punctuation], 0..=3);
    (within, prop::option::weighted(0.2, 0u8..6), ignore, any::<Option<bool>>()).prop_map(
        |(within, rounded, ignore, ordered)| Options {
            rounded: rounded.filter(|_| within.is_none()),
            within,
            ignore,
            ordered,
            ..Options::default()
        },
    )
}

/// Matcher and answer.
pub fn asked() -> impl Strategy<Value = (Matcher, Value)> {
    let of_one = Matcher::ALL.iter().copied().filter(|matcher| matcher.record().takes == Takes::One);
    prop_oneof![
        (prop::sample::select(of_one.collect::<Vec<_>>()), text()),
        prop::sample::select(vec!["[A-Z]{3}-\\d{2}", "^a+b*$", "(yes|no)", "\\w+@\\w+\\.(com|org)", ".+", "x{2,}"])
            .prop_map(|pattern| (Matcher::Matches, Value::from_text(pattern))),
        number().prop_map(|value| (Matcher::Number, value)),
        json().prop_map(|value| (Matcher::Json, value)),
        prop::collection::vec(leaf(), 0..6).prop_map(|items| (Matcher::List, Value::List(items))),
        rows().prop_map(|value| (Matcher::Rows, value)),
        rows().prop_map(|value| (Matcher::Sql, value)),
    ]
}

pub fn subject(matcher: Matcher) -> BoxedStrategy<Subject> {
    let reply = prop_oneof![
        Just(Subject::<Value>::Reply(None)),
        Just(Subject::<Value>::Reply(Some(Slice::After("Answer:".into())))),
        Just(Subject::<Value>::Reply(Some(Slice::Fenced(None)))),
        Just(Subject::<Value>::Reply(Some(Slice::Fenced(Some("sql".into()))))),
        Just(Subject::<Value>::Reply(Some(Slice::Tag("answer".into())))),
        Just(Subject::<Value>::Reply(Some(Slice::Between("begin:".into(), ":end".into())))),
    ];
    if matcher == Matcher::Sql {
        return reply.boxed();
    }
    prop_oneof![
        reply,
        prop::sample::select(vec!["a.txt", "b.csv", "c.json"]).prop_map(|path| Subject::<Value>::File(path.into()))
    ]
    .boxed()
}

pub fn expect() -> impl Strategy<Value = Expected> {
    asked().prop_flat_map(|(matcher, value)| {
        (Just((matcher, value)), subject(matcher), options(), asked(), any::<bool>()).prop_map(
            |((matcher, value), subject, mut options, other, several)| {
                // What is ignored may be all there is to a text; then no text has it.
                if matcher.record().loose && matcher.record().takes == Takes::One {
                    options.ignore.clear();
                }
                let answer = match other {
                    (same, other) if same == matcher && several => Answer::AnyOf(vec![value, other]),
                    _ => Answer::One(value),
                };
                Expected {
                    name: None,
                    at: None,
                    subject,
                    matcher,
                    answer: Some(answer),
                    options: vec![(String::new(), options)],
                    weight: Decimal::from_int(1),
                    gate: false,
                    database: (matcher == Matcher::Sql).then(|| "t.db".to_owned()),
                    among: None,
                    read: model::answer_key::Read::default(),
                    columns: Vec::new(),
                    tests: Default::default(),
                    traps: Vec::new(),
                    span: (),
                }
            },
        )
    })
}
