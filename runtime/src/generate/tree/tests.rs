//! The writers' bytes, and that what they write reads back as what it was.

use model::{Date, Decimal, Duration, Value};
use proptest::prelude::*;

use super::xml::{self, XmlNode};
use super::{json, yaml};

fn parse_decimal(text: &str) -> Value {
    Value::Decimal(text.parse().unwrap())
}

fn build_object(fields: &[(&str, Value)]) -> Value {
    Value::Object(fields.iter().map(|(key, value)| (key.to_string(), value.clone())).collect())
}

/// Something of everything.
fn build_sample() -> Value {
    build_object(&[
        ("name", Value::from_text("Äpfel \"fein\"\n")),
        ("price", parse_decimal("12.50")),
        ("count", Value::Int(-3)),
        ("share", Value::Float(43.0)),
        ("tiny", Value::Float(1.5e-7)),
        ("huge", Value::Float(1e21)),
        ("day", Value::Date(Date::new(2024, 1, 31).unwrap())),
        ("for", Value::Duration(Duration { months: 0, seconds: 3600 })),
        ("on", Value::Bool(true)),
        ("none", Value::Null),
        ("tags", Value::List(vec![Value::from_text("a"), Value::from_text("yes")])),
        ("nested", Value::List(vec![Value::List(vec![Value::Int(1), Value::Int(2)]), Value::List(vec![])])),
        (
            "rows",
            Value::List(vec![
                build_object(&[("id", Value::Int(1)), ("at", build_object(&[("x", parse_decimal("0.10"))]))]),
                build_object(&[]),
            ]),
        ),
    ])
}

#[test]
fn json_is_indented_by_two_and_keeps_digits() {
    let golden = "{\n  \"name\": \"Äpfel \\\"fein\\\"\\n\",\n  \"price\": 12.50,\n  \"count\": -3,\n  \"share\": 43.0,\n  \"tiny\": 1.5e-7,\n  \"huge\": 1e+21,\n  \"day\": \"2024-01-31\",\n  \"for\": \"PT3600S\",\n  \"on\": true,\n  \"none\": null,\n  \"tags\": [\n    \"a\",\n    \"yes\"\n  ],\n  \"nested\": [\n    [\n      1,\n      2\n    ],\n    []\n  ],\n  \"rows\": [\n    {\n      \"id\": 1,\n      \"at\": {\n        \"x\": 0.10\n      }\n    },\n    {}\n  ]\n}\n";
    assert_eq!(json::write_json(&build_sample()), golden);
}

#[test]
fn yaml_is_in_block_style_and_quotes_what_would_be_something_else() {
    let golden = "name: \"Äpfel \\\"fein\\\"\\n\"\nprice: 12.50\ncount: -3\nshare: 43.0\ntiny: 1.5e-7\nhuge: 1.0e+21\nday: \"2024-01-31\"\nfor: PT3600S\n\"on\": true\nnone: null\ntags:\n  - a\n  - \"yes\"\nnested:\n  - - 1\n    - 2\n  - []\nrows:\n  - id: 1\n    at:\n      x: 0.10\n  - {}\n";
    assert_eq!(yaml::write_yaml(&build_sample()).unwrap(), golden);
}

/// Texts that some reader takes for a number, truth, null, day, or structure.
const TRAPS: &[&str] = &[
    "",
    " ",
    "~",
    "null",
    "Null",
    "NULL",
    "yes",
    "Yes",
    "YES",
    "no",
    "on",
    "On",
    "off",
    "y",
    "n",
    "Y",
    "N",
    "true",
    "True",
    "false",
    "0",
    "017",
    "0o17",
    "0x1F",
    "0b101",
    "1e3",
    "1E3",
    "1_000",
    "1,000",
    "+1",
    "-1",
    ".5",
    "5.",
    "-.inf",
    ".NaN",
    "12:30:45",
    "1:30",
    "190:20:30.15",
    "2024-01-31",
    "2024-1-3",
    "2024-01-31T10:00:00",
    "2024-01-31 10:00:00Z",
    "- a",
    "-",
    "--",
    "---",
    "...",
    "? a",
    "?",
    ": a",
    ":",
    "a: b",
    "a:b",
    "a:",
    "a #b",
    "a#b",
    "#a",
    "&a",
    "*a",
    "!a",
    "!!str a",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "'a'",
    "\"a\"",
    "[a]",
    "{a}",
    "[",
    "{",
    "]",
    "}",
    ",",
    ", a",
    "<<",
    "=",
    "a\nb",
    "a\n",
    "\n",
    "\na",
    " a",
    "a ",
    "a\tb",
    "\ta",
    "a\\b",
    "a\rb",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\u{feff}a",
    "\u{7f}",
    "\u{80}",
    "\u{0}",
    "\u{1b}[0m",
    "\u{fffe}",
    "\u{ffff}",
    "😀",
    "日本",
    "a  b",
    "1 hour",
    "0.",
    "1e",
    "e3",
    "_",
    "1_",
    "0x",
    "__",
];

#[test]
fn traps_read_back_from_yaml_as_texts() {
    let list = Value::List(TRAPS.iter().map(|text| Value::from_text(*text)).collect());
    let read: Vec<String> = serde_saphyr::from_str(&yaml::write_yaml(&list).unwrap()).unwrap();
    assert_eq!(read, TRAPS);
    let keys = Value::Object(TRAPS.iter().map(|text| (text.to_string(), Value::from_text(*text))).collect());
    let read: serde_json::Map<String, serde_json::Value> =
        serde_saphyr::from_str(&yaml::write_yaml(&keys).unwrap()).unwrap();
    assert_eq!(read.len(), TRAPS.len());
    assert!(read.iter().all(|(key, value)| value == key));
}

#[test]
fn a_key_too_long_for_one_line_is_refused() {
    let failure = yaml::write_yaml(&build_object(&[(&"k".repeat(2000), Value::Null)])).unwrap_err();
    assert_eq!(failure.message, "a key of 2000 characters is too long for YAML");
}

fn build_element(name: &str, text: Option<Value>, children: Vec<XmlNode>) -> XmlNode {
    XmlNode { text, children, ..XmlNode::new(name) }
}

#[test]
fn xml_is_indented_except_where_text_would_change() {
    let mut item = build_element("item", Some(Value::from_text("a < b & \"c\" ]]> 'd'\r\n\t")), vec![]);
    item.attributes = vec![("id".into(), Value::Int(1)), ("note".into(), Value::from_text("<\"'>&\t\n\r"))];
    let mixed = build_element(
        "p",
        Some(Value::from_text("see ")),
        vec![build_element("b", None, vec![build_element("i", Some(parse_decimal("1.50")), vec![])])],
    );
    let root = build_element(
        "root",
        None,
        vec![item, build_element("none", None, vec![]), mixed, build_element("s", Some(Value::Bool(true)), vec![])],
    );
    let golden = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>\n  <item id=\"1\" note=\"&lt;&quot;&apos;&gt;&amp;&#9;&#10;&#13;\">a &lt; b &amp; \"c\" ]]&gt; 'd'&#13;\n\t</item>\n  <none/>\n  <p>see <b><i>1.50</i></b></p>\n  <s>true</s>\n</root>\n";
    assert_eq!(xml::write_xml(&root).unwrap(), golden);
}

#[test]
fn what_xml_cannot_hold_is_refused_by_its_place() {
    let refused = |node: XmlNode| xml::write_xml(&build_element("root", None, vec![node])).unwrap_err().message;
    assert_eq!(
        refused(build_element("a", Some(Value::from_text("x\u{1}")), vec![])),
        "`/root/a` has the character U+0001, which XML cannot hold"
    );
    assert!(refused(build_element("a b", None, vec![])).starts_with("`a b` in `/root/a b` is not a name in XML"));
    assert!(refused(build_element("p:a", None, vec![])).starts_with("the prefix of `/root/p:a` has no namespace"));
    let mut attribute = build_element("a", None, vec![]);
    attribute.attributes.push(("n".into(), Value::from_text("\u{ffff}")));
    assert_eq!(refused(attribute), "`/root/a/@n` has the character U+FFFF, which XML cannot hold");
}

/// Values as they come from shapes: no result sets.
fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![any::<String>(), prop::sample::select(TRAPS).prop_map(str::to_owned), "[a-z0-9:#' -]{0,12}"];
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(|value| Value::Float(value + 0.0)),
        (any::<i32>(), 0u8..6).prop_map(|(units, places)| Value::Decimal(Decimal::new(units.into(), places).unwrap())),
        text.clone().prop_map(Value::Text),
    ];
    scalar.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            prop::collection::btree_map(text.clone(), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Equal, numbers by their value.
fn is_same(read: &serde_json::Value, value: &serde_json::Value) -> bool {
    use serde_json::Value as Json;
    match (read, value) {
        // serde_json reads long fractions with an error in the last place.
        (Json::Number(a), Json::Number(b)) => {
            let (x, y) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            a == b || (x - y).abs() <= x.abs() * f64::EPSILON
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((x, a), (y, b))| x == y && is_same(a, b))
        }
        (a, b) => a == b,
    }
}

/// Elements as readers give them: no empty texts, texts in front of elements.
fn any_element() -> impl Strategy<Value = XmlNode> {
    let text = "[a-z <>&\"'\t\n\r\u{85}\u{2028}ä😀\\]]{1,12}".prop_map(Value::Text);
    let name = "[a-zä_][a-z0-9._-]{0,4}";
    let attributes = prop::collection::btree_map(name, text.clone(), 0..3);
    let leaf = (name, attributes.clone(), prop::option::of(text.clone())).prop_map(|(name, attributes, text)| {
        XmlNode { attributes: attributes.into_iter().collect(), text, ..XmlNode::new(&name) }
    });
    leaf.prop_recursive(3, 20, 4, move |inner| {
        (name, attributes.clone(), prop::option::of(text.clone()), prop::collection::vec(inner, 1..4)).prop_map(
            |(name, attributes, text, children)| XmlNode {
                attributes: attributes.into_iter().collect(),
                text,
                children,
                ..XmlNode::new(&name)
            },
        )
    })
}

/// Reads back what was written. Blanks between elements are the writer's own.
fn read_xml(text: &str) -> XmlNode {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(text);
    let mut open = vec![XmlNode::new("")];
    let start = |event: &quick_xml::events::BytesStart<'_>| {
        let mut node = XmlNode::new(std::str::from_utf8(event.name().as_ref()).unwrap());
        for attribute in event.attributes() {
            let attribute = attribute.unwrap();
            let value = std::str::from_utf8(&attribute.value).unwrap().to_owned();
            assert!(!value.contains(['\t', '\n', '\r']), "a reader would take blanks for plain ones");
            let value = quick_xml::escape::unescape(&value).unwrap().into_owned();
            node.attributes.push((String::from_utf8(attribute.key.as_ref().to_vec()).unwrap(), Value::Text(value)));
        }
        node
    };
    let add = |open: &mut Vec<XmlNode>, text: &str| {
        assert!(!text.contains('\r') || text == "\r");
        let node = open.last_mut().unwrap();
        let before = node.text.take().map(|text| text.render_text().into_owned()).unwrap_or_default();
        node.text = Some(Value::Text(before + text));
    };
    loop {
        match reader.read_event().unwrap() {
            Event::Start(event) => open.push(start(&event)),
            Event::Empty(event) => {
                let node = start(&event);
                open.last_mut().unwrap().children.push(node);
            }
            Event::End(_) => {
                let node = open.pop().unwrap();
                open.last_mut().unwrap().children.push(node);
            }
            Event::Text(text) => add(&mut open, std::str::from_utf8(&text).unwrap()),
            Event::GeneralRef(name) => {
                let name = std::str::from_utf8(&name).unwrap();
                add(&mut open, &quick_xml::escape::unescape(&format!("&{name};")).unwrap());
            }
            Event::Eof => break,
            _ => {}
        }
    }
    open.pop().unwrap().children.pop().unwrap()
}

/// What a reader has in `written`: line starts between elements count as text.
fn as_read(node: &XmlNode, depth: usize, inline: bool) -> XmlNode {
    let inline = inline || node.is_mixed();
    let mut out = XmlNode { children: vec![], ..node.clone() };
    let mut text = node.text.as_ref().map(|text| text.render_text().into_owned()).unwrap_or_default();
    for child in &node.children {
        out.children.push(as_read(child, depth + 1, inline));
        if !inline {
            text.push_str(&xml::build_line_start(depth + 1));
        }
    }
    if !inline && !node.children.is_empty() {
        text.push_str(&xml::build_line_start(depth));
    }
    out.text = (!text.is_empty()).then_some(Value::Text(text));
    out
}

proptest! {
    #[test]
    fn json_reads_back(value in any_value()) {
        let text = json::write_json(&value);
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        prop_assert!(is_same(&read, &value.to_json()), "{text}");
    }

    /// serde_json's own indented form, where no decimal has digits to lose.
    #[test]
    fn json_is_written_as_serde_json_does(value in any_value().prop_map(|value| without_decimals(&value))) {
        let expected = serde_json::to_string_pretty(&value.to_json()).unwrap() + "\n";
        prop_assert_eq!(json::write_json(&value), expected);
    }

    #[test]
    fn yaml_reads_back(value in any_value()) {
        let text = yaml::write_yaml(&value).unwrap();
        let read: serde_json::Value = serde_saphyr::from_str(&text).unwrap();
        prop_assert!(is_same(&read, &value.to_json()), "{text}");
    }

    #[test]
    fn xml_reads_back(node in any_element()) {
        let text = xml::write_xml(&node).unwrap();
        prop_assert_eq!(read_xml(&text), as_read(&node, 0, false), "{}", text);
    }
}

fn without_decimals(value: &Value) -> Value {
    match value {
        Value::Decimal(value) => Value::Text(value.to_string()),
        // Negative zero is written as zero here.
        Value::Float(value) if *value == 0.0 => Value::Float(0.0),
        Value::List(items) => Value::List(items.iter().map(without_decimals).collect()),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), without_decimals(value))).collect())
        }
        other => other.clone(),
    }
}
