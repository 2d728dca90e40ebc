//! JSON, YAML and XML files from plans built by hand: rows inside of rows, what is written, and what paths find in it.

use crate::generate_support::*;
use model::suite::*;
use model::value::RowSet;
use model::{Domain, Format, Value, ValueType};
use proptest::prelude::*;

fn cell(relation: RelationId, column: u32) -> Shape {
    Shape::Cell(relation, ColumnId(column))
}

fn field(key: &str, shape: Shape) -> Field {
    Field { key: key.into(), attribute: false, shape }
}

fn attribute(key: &str, shape: Shape) -> Field {
    Field { attribute: true, ..field(key, shape) }
}

fn per_row(suite: &mut Suite, name: &str, parent: RelationId, rows: (i64, i64), columns: Vec<Column>) -> RelationId {
    let id = suite.relation(name, rows, columns);
    suite.task().relations[id].rows = Rows::PerRow { parent, low: int(rows.0), high: int(rows.1) };
    id
}

fn given(name: &str, value_type: ValueType, value: Value) -> Column {
    computed(name, value_type, Expr::Const(value))
}

fn list(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| Value::from_text(*item)).collect())
}

/// A shop: its own fields, an array of two orders, in each an array of lines.
struct Shop {
    suite: Suite,
    file: FileId,
}

fn shop(format: Format, lines_each: (i64, i64)) -> Shop {
    let mut suite = Suite::new();
    let top = suite.relation(
        "shop",
        (1, 1),
        vec![
            given("name", ValueType::Text, Value::from_text("Ö & Co")),
            given("tags", ValueType::Text, list(&["a", "yes"])),
            given("gone", ValueType::Int, Value::Null),
            given("uri", ValueType::Text, Value::from_text("urn:x")),
        ],
    );
    let id = serial(&mut suite, "id");
    let day = given("day", ValueType::Date, Value::Date(model::Date::new(2024, 1, 31).unwrap()));
    let orders = suite.relation("shop.orders", (2, 2), vec![id, day]);
    let no = serial(&mut suite, "no");
    let price = Expr::If(Box::new((binary(col(0), Op::Eq, int(2)), null(), binary(dec("12.50"), Op::Mul, col(0)))));
    let lines = per_row(
        &mut suite,
        "shop.orders.lines",
        orders,
        lines_each,
        vec![
            no,
            computed("price", ValueType::Decimal(2), price),
            computed("half", ValueType::Float, binary(col(0), Op::Div, int(2))),
        ],
    );
    let line = Shape::Object(vec![
        attribute("no", cell(lines, 0)),
        field("price", cell(lines, 1)),
        field("half", cell(lines, 2)),
    ]);
    let order = vec![
        attribute("id", cell(orders, 0)),
        field("day", cell(orders, 1)),
        field("line", Shape::Array(lines, Box::new(line))),
    ];
    let mut fields = vec![
        field("name", cell(top, 0)),
        field("tag", cell(top, 1)),
        field("gone", cell(top, 2)),
        field("order", Shape::Array(orders, Box::new(Shape::Object(order)))),
    ];
    if format == Format::Xml {
        fields.push(attribute("xmlns:p", cell(top, 3)));
        fields.push(field("p:name", cell(top, 0)));
    }
    let file = suite.file_as(
        format,
        "f",
        text("f.txt"),
        FileContent::Tree { root: root_of(format), shape: Shape::Object(fields) },
    );
    Shop { suite, file }
}

impl Shop {
    fn text(&self) -> String {
        String::from_utf8(self.suite.instance().unwrap().files[0].bytes.to_vec()).unwrap()
    }

    fn call(&self, function: &str, path: Option<&str>, value_type: Option<ValueType>) -> Result<Value, String> {
        let mut args = vec![Arg::File(self.file)];
        args.extend(path.map(|path| Arg::Path(PathQuery { text: path.into(), value_type, span: span() })));
        // An answer may not be null: a text stands for it.
        let args = vec![Arg::Value(call(function, args)), Arg::Value(text("(null)"))];
        match self.suite.value(call("coalesce", args)) {
            Ok(value) if value == Value::from_text("(null)") => Ok(Value::Null),
            other => other.map_err(|failure| failure.message),
        }
    }

    fn ask(&self, function: &str, path: &str) -> Result<Value, String> {
        self.call(function, Some(path), None)
    }
}

fn root_of(format: Format) -> Option<String> {
    (format == Format::Xml).then(|| "shop".into())
}

fn json_of(text: &str) -> Value {
    Value::Decimal(d(text))
}

#[test]
fn json_has_what_the_tables_have() {
    let golden = r#"{
  "name": "Ö & Co",
  "tag": [
    "a",
    "yes"
  ],
  "gone": null,
  "order": [
    {
      "id": 1,
      "day": "2024-01-31",
      "line": [
        {
          "no": 1,
          "price": 12.50,
          "half": 0.5
        }
      ]
    },
    {
      "id": 2,
      "day": "2024-01-31",
      "line": [
        {
          "no": 2,
          "price": null,
          "half": 1.0
        }
      ]
    }
  ]
}
"#;
    assert_eq!(shop(Format::Json, (1, 1)).text(), golden);
}

#[test]
fn yaml_has_what_the_tables_have() {
    let golden = r#"name: Ö & Co
tag:
  - a
  - "yes"
gone: null
order:
  - id: 1
    day: "2024-01-31"
    line:
      - "no": 1
        price: 12.50
        half: 0.5
  - id: 2
    day: "2024-01-31"
    line:
      - "no": 2
        price: null
        half: 1.0
"#;
    assert_eq!(shop(Format::Yaml, (1, 1)).text(), golden);
}

#[test]
fn xml_has_what_the_tables_have() {
    let golden = r#"<?xml version="1.0" encoding="UTF-8"?>
<shop xmlns:p="urn:x">
  <name>Ö &amp; Co</name>
  <tag>a</tag>
  <tag>yes</tag>
  <order id="1">
    <day>2024-01-31</day>
    <line no="1">
      <price>12.50</price>
      <half>0.5</half>
    </line>
  </order>
  <order id="2">
    <day>2024-01-31</day>
    <line no="2">
      <half>1.0</half>
    </line>
  </order>
  <p:name>Ö &amp; Co</p:name>
</shop>
"#;
    assert_eq!(shop(Format::Xml, (1, 1)).text(), golden);
}

#[test]
fn jsonpath_finds_typed_values() {
    for (format, family) in [(Format::Json, "json"), (Format::Yaml, "yaml")] {
        let shop = shop(format, (2, 2));
        let ask = |function: &str, path: &str| shop.ask(&format!("{family}_{function}"), path);
        // Prices: 12.50, null, 37.50, 50.00.
        assert_eq!(ask("path", "$.order[0].line[0].price").unwrap().render_text(), "12.50");
        assert_eq!(ask("path", "$.tag"), Ok(list(&["a", "yes"])));
        assert_eq!(ask("path", "$.nothing"), Ok(Value::Null));
        assert_eq!(ask("value", "$.order[1].day").unwrap().kind(), "date");
        assert_eq!(ask("value", "$.gone"), Ok(Value::Null));
        assert_eq!(ask("sum", "$..price").unwrap().render_text(), "100.00");
        assert_eq!(ask("sum", "$..no"), Ok(Value::Int(10)));
        assert_eq!(ask("sum", "$..nothing"), Ok(Value::Null));
        assert_eq!(ask("avg", "$.order[*].line[*].price"), Ok(Value::Float(100.0 / 3.0)));
        assert_eq!(ask("max", "$..price").unwrap().render_text(), "50.00");
        assert_eq!(ask("min", "$..half"), Ok(Value::Float(0.5)));
        assert_eq!(ask("max", "$.tag[*]"), Ok(Value::from_text("yes")));
        assert_eq!(ask("min", "$..day").unwrap().render_text(), "2024-01-31");
        assert_eq!(ask("collect", "$..price").unwrap().render_text(), "12.50, 37.50, 50.00");
        assert_eq!(ask("filter", "$.order[*].line[?@.price > 40].no"), Ok(Value::List(vec![Value::Int(4)])));
        assert_eq!(ask("count", "$.order"), Ok(Value::Int(2)));
        assert_eq!(ask("count", "$['order'][-1]"), Ok(Value::Int(3)));
        assert_eq!(ask("count", "$.order[*].line[*]"), Ok(Value::Int(4)));
        assert_eq!(ask("count_where", "$.order"), Ok(Value::Int(1)));
        assert_eq!(ask("count_where", "$..line[?@.price == 37.5]"), Ok(Value::Int(1)));
        assert_eq!(ask("keys", "$.order[0]"), Ok(list(&["id", "day", "line"])));
        assert_eq!(shop.call(&format!("{family}_keys"), None, None), Ok(list(&["name", "tag", "gone", "order"])));
        assert_eq!(shop.call(&format!("{family}_count"), None, None), Ok(Value::Int(4)));
    }
}

#[test]
fn what_a_jsonpath_does_not_fit_is_told() {
    let shop = shop(Format::Yaml, (2, 2));
    let told = |function: &str, path: &str| shop.ask(function, path).unwrap_err();
    assert_eq!(
        told("yaml_path", "$..no"),
        "the path gives 4 nodes where one is asked; collect them with `yaml_collect`"
    );
    assert_eq!(told("json_value", "$.order"), "no single value is at `/order`; use `json_path` for all of it");
    assert_eq!(told("json_count", "$.name"), "\"Ö & Co\" at `/name` has nothing to count");
    assert_eq!(told("json_count", "$.x"), "nothing exists there to count");
    assert_eq!(told("json_keys", "$.tag"), "list a, yes at `/tag` has no keys");
    assert_eq!(told("json_sum", "$.tag[*]"), "`json_sum` needs numbers, but \"a\" is at `/tag/0`");
    assert_eq!(
        told("json_max", "$.order[0]['id', 'day']"),
        "`json_max` needs values that are all numbers, all texts or all days, but date 2024-01-31 is at `/order/0/day`"
    );
    assert!(told("json_path", "$.[").starts_with("`$.[` is not a valid JSONPath"));
    assert_eq!(told("xpath_count", "/shop"), "`xpath_count` needs an XML file and an XPath");
}

#[test]
fn xpath_finds_typed_values() {
    let shop = shop(Format::Xml, (2, 2));
    let ask = |function: &str, path: &str| shop.ask(function, path);
    let typed = |function: &str, path: &str, wanted| shop.call(function, Some(path), Some(wanted));
    assert_eq!(ask("xpath_value", "/shop/name"), Ok(Value::from_text("Ö & Co")));
    assert_eq!(ask("xpath_value", "//name[. = 'x']"), Ok(Value::Null));
    assert_eq!(ask("xpath_value", "//line[@no = 3]/price"), Ok(Value::from_text("37.50")));
    assert_eq!(typed("xpath_value", "//line[@no = 3]/price", ValueType::Decimal(2)), Ok(json_of("37.50")));
    assert_eq!(typed("xpath_value", "//line[@no = 2]/price", ValueType::Decimal(2)), Ok(Value::Null));
    assert_eq!(typed("xpath_value", "//order[1]/day", ValueType::Date).unwrap().kind(), "date");
    assert_eq!(ask("xpath_value", "count(//line)"), Ok(Value::Int(4)));
    assert_eq!(ask("xpath_value", "/shop/p:name"), Ok(Value::from_text("Ö & Co")));
    assert_eq!(ask("xpath_count", "//name"), Ok(Value::Int(1)));
    assert_eq!(ask("xpath_count", "//p:*"), Ok(Value::Int(1)));
    assert_eq!(ask("xpath_count", "//@*"), Ok(Value::Int(6)));
    assert_eq!(ask("xpath_count", "/shop/namespace::*"), Ok(Value::Int(2)));
    assert_eq!(ask("xpath_attr", "//order[last()]/@id"), Ok(Value::from_text("2")));
    assert_eq!(typed("xpath_attr", "//order[last()]/@id", ValueType::Int), Ok(Value::Int(2)));
    assert_eq!(ask("xpath_exists", "//line[price > 40]"), Ok(Value::Bool(true)));
    assert_eq!(ask("xpath_exists", "//line[price > 50]"), Ok(Value::Bool(false)));
    assert_eq!(ask("xpath_exists", "count(//line) = 5"), Ok(Value::Bool(false)));
    assert_eq!(ask("xpath_collect", "//tag | //@id"), Ok(list(&["a", "yes", "1", "2"])));
    assert_eq!(typed("xpath_collect", "//price", ValueType::Decimal(2)).unwrap().render_text(), "12.50, 37.50, 50.00");
    assert_eq!(ask("xpath_sum", "//@no"), Ok(Value::Int(10)));
    assert_eq!(ask("xpath_sum", "//price").unwrap().render_text(), "100.00");
    assert_eq!(ask("xpath_sum", "//half"), Ok(Value::Float(5.0)));
    assert_eq!(ask("xpath_avg", "//price"), Ok(Value::Float(100.0 / 3.0)));
    assert_eq!(ask("xpath_max", "//line/@no"), Ok(Value::Int(4)));
    assert_eq!(ask("xpath_min", "//nothing"), Ok(Value::Null));
    // Line starts between elements are text, as in the written file.
    assert_eq!(ask("xpath_count", "/shop/order[1]/text()"), Ok(Value::Int(4)));
}

#[test]
fn what_an_xpath_does_not_fit_is_told() {
    let shop = shop(Format::Xml, (2, 2));
    let told = |function: &str, path: &str| shop.ask(function, path).unwrap_err();
    assert_eq!(
        told("xpath_value", "//line"),
        "the path gives 4 nodes where one is asked; collect them with `xpath_collect`"
    );
    assert_eq!(
        told("xpath_attr", "//order[2]/day"),
        "`/shop/order[2]/day` is not an attribute; end the path with `/@` and the attribute's name"
    );
    assert_eq!(told("xpath_sum", "//tag"), "\"a\" at `/shop/tag[1]` is not a number");
    assert_eq!(
        told("xpath_sum", "//order[1]/day"),
        "`xpath_sum` needs numbers, but date 2024-01-31 is at `/shop/order[1]/day`"
    );
    assert_eq!(told("xpath_count", "1 + 1"), "`xpath_count` needs a path to nodes, and this one computes int 2");
    assert_eq!(
        told("xpath_count", "//q:a"),
        "the prefix `q` in `//q:a` has no namespace: the root element does not declare `xmlns:q`"
    );
    assert_eq!(
        shop.call("xpath_value", Some("/shop/name"), Some(ValueType::Int)).unwrap_err(),
        "\"Ö & Co\" at `/shop/name` does not read as int"
    );
    assert_eq!(told("json_count", "$.x"), "`json_count` needs a JSON or YAML file");
}

#[test]
fn texts_in_xml_are_read_as_numbers_where_numbers_are_needed() {
    for (texts, sum) in [
        (&["1", " 2 "][..], Value::Int(3)),
        (&["1", "2.50"], Value::Decimal(d("3.50"))),
        (&["1", "2.5e0"], Value::Float(3.5)),
        (&["1", ""], Value::Int(1)),
    ] {
        let mut suite = Suite::new();
        let top = suite.relation("t", (1, 1), vec![given("n", ValueType::Text, list(texts))]);
        let shape = Shape::Object(vec![field("n", cell(top, 0))]);
        let file =
            suite.file_as(Format::Xml, "f", text("f.xml"), FileContent::Tree { root: root_of(Format::Xml), shape });
        assert_eq!(Shop { suite, file }.ask("xpath_sum", "//n"), Ok(sum));
    }
}

#[test]
fn a_computed_file_says_its_value_and_is_text_too() {
    let mut suite = Suite::new();
    let set =
        RowSet { columns: vec!["a".into(), "b".into()], rows: vec![vec![Value::Int(1), Value::Decimal(d("2.50"))]] };
    let value = Expr::Object(vec![("rows".into(), Expr::Const(Value::Rows(set)))]);
    let file = suite.file_as(Format::Yaml, "f", text("f.yaml"), FileContent::ComputedTree(value));
    let shop = Shop { suite, file };
    assert_eq!(shop.text(), "rows:\n  - a: 1\n    b: 2.50\n");
    assert_eq!(shop.ask("yaml_path", "$.rows[0].b"), Ok(Value::Decimal(d("2.50"))));
    assert_eq!(shop.suite.value(call("content", vec![Arg::File(file)])).unwrap(), Value::from_text(shop.text()));
    let second = call("file_line", vec![Arg::File(file), Arg::Value(int(2))]);
    assert_eq!(shop.suite.value(second).unwrap(), Value::from_text("  - a: 1"));
}

#[test]
fn an_array_at_the_root_is_json() {
    let mut suite = Suite::new();
    let id = serial(&mut suite, "id");
    let rows = suite.relation("f", (2, 2), vec![id]);
    let shape = Shape::Array(rows, Box::new(cell(rows, 0)));
    let file = suite.file_as(Format::Json, "f", text("f.json"), FileContent::Tree { root: None, shape });
    let shop = Shop { suite, file };
    assert_eq!(shop.text(), "[\n  1,\n  2\n]\n");
    assert_eq!(shop.call("json_count", None, None), Ok(Value::Int(2)));
}

#[test]
fn a_result_set_and_lines_are_relations() {
    let mut suite = Suite::new();
    let (csv, people) = {
        let id = serial(&mut suite, "ID");
        suite.csv("people", (5, 5), vec![id])
    };
    let query = sql(
        "SELECT ID, ID * 2 AS twice FROM people WHERE ID > 2",
        SqlScope::Relations(vec![people]),
        vec![],
        vec![None, None],
    );
    let found = suite.compute("found", call("rows", vec![query]));
    let result = |name: &str, value_type, at| Column {
        source: ColumnSource::Result(at),
        ..given(name, value_type, Value::Null)
    };
    let rows =
        suite.relation("found", (0, 0), vec![result("ID", ValueType::Int, 0), result("twice", ValueType::Int, 1)]);
    suite.task().relations[rows].rows = Rows::Query(found);
    let lines = suite.relation("people.lines", (0, 0), vec![result("line", ValueType::Text, 0)]);
    suite.task().relations[lines].rows = Rows::Lines(csv);
    let ask = |function: &str, relation, column| suite.value(call(function, vec![of(relation, column)])).unwrap();
    assert_eq!(ask("sum", rows, 1), Value::Int(24));
    assert_eq!(ask("list", lines, 0), list(&["ID", "1", "2", "3", "4", "5"]));
    let where_4 = of_where(rows, 0, binary(col(1), Op::Eq, int(8)));
    assert_eq!(suite.value(call("count", vec![where_4])).unwrap(), Value::Int(1));
}

/// Frozen: how many rows each parent row has is drawn word by word.
#[test]
fn rows_of_rows_are_drawn_word_by_word() {
    let sizes = |orders: i64| {
        let mut suite = Suite::new();
        let id = serial(&mut suite, "id");
        let parent = suite.relation("o", (orders, orders), vec![id]);
        let no = serial(&mut suite, "no");
        let child = per_row(&mut suite, "o.l", parent, (0, 9), vec![no]);
        let item = Shape::Array(child, Box::new(cell(child, 0)));
        let shape = Shape::Array(parent, Box::new(item));
        let file = suite.file_as(Format::Json, "f", text("f.json"), FileContent::Tree { root: None, shape });
        let shop = Shop { suite, file };
        let counts =
            (0..orders).map(|at| shop.ask("json_count", &format!("$[{at}]")).unwrap().render_text().into_owned());
        let all = shop.ask("json_collect", "$[*][*]").unwrap();
        let expected: Vec<Value> = (1..=list_of(&all).len() as i64).map(Value::Int).collect();
        assert_eq!(list_of(&all), expected);
        counts.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sizes(8), "1 3 7 7 2 5 9 1");
    assert_eq!(sizes(3), sizes(8)[..5]);
}

proptest! {
    /// Every child row stands under one parent row, in order, and no parent has too few or too many.
    #[test]
    fn rows_of_rows_belong_to_one_row_each(parents in 0i64..12, low in 0i64..4, more in 0i64..5) {
        let mut suite = Suite::new();
        let id = serial(&mut suite, "id");
        let parent = suite.relation("p", (parents, parents), vec![id]);
        let no = serial(&mut suite, "no");
        let child = per_row(&mut suite, "p.c", parent, (low, low + more), vec![no]);
        let domain = suite.domain(Domain::Serial);
        let deep = per_row(&mut suite, "p.c.d", child, (1, 2), vec![column("k", ValueType::Int, draw(domain))]);
        let inner = Shape::Array(deep, Box::new(cell(deep, 0)));
        let item = Shape::Object(vec![field("no", cell(child, 0)), field("p", cell(parent, 0)), field("d", inner)]);
        let shape = Shape::Array(parent, Box::new(Shape::Array(child, Box::new(item))));
        let file = suite.file_as(Format::Json, "f", text("f.json"), FileContent::Tree { root: None, shape });
        let all = list_of(&Shop { suite, file }.ask("json_path", "$").unwrap());
        prop_assert_eq!(all.len() as i64, parents);
        let (mut no, mut k) = (0, 0);
        for (row, children) in all.iter().enumerate() {
            let children = list_of(children);
            prop_assert!((low..=low + more).contains(&(children.len() as i64)));
            for child in children {
                let Value::Object(fields) = child else { panic!("no object") };
                no += 1;
                prop_assert_eq!(&fields[0].1, &Value::Int(no));
                prop_assert_eq!(&fields[1].1, &Value::Int(row as i64 + 1));
                for item in list_of(&fields[2].1) {
                    k += 1;
                    prop_assert_eq!(item, Value::Int(k));
                }
            }
        }
    }
}
