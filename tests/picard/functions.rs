//! Each of the 47 template functions: over data that is known, its value. Which function of PICARD a test is for stands in its name.

use serde_json::{Value as Json, json};

use super::{advice, only_answer, refused};

const DATA: &str = r#"
text notes at "notes.txt" = "alpha  beta\ngamma.\n  delta\n"
csv t at "t.csv" {
  rows 4
  ID   : serial
  NAME = if ID == 1 then "Smith, J" else "n<<ID>>"
  DEPT = if mod(ID, 2) == 1 then "Eng" else "Sales"
  PAY  = ID * 100
  COST = ID * 1.25
  NOTE : word blank 100%
}
sqlite db at "shop.db" {
  table goods { rows 3  ID : serial  NAME = "g<<ID>>"  N = ID * 5 }
}
json j at "j.json" {
  region = "North"
  on     = true
  items  : [ { id : serial  name = "n<<id>>"  price = id * 10  ok = mod(id, 2) == 0 } ; 4 ]
}
yaml y at "y.yaml" {
  region = "North"
  on     = true
  items  : [ { id : serial  name = "n<<id>>"  price = id * 10  ok = mod(id, 2) == 0 } ; 4 ]
}
xml x at "x.xml" feed {
  title = " A title "
  item  : [ { @id : serial  name = "n<<id>>"  price = id * 10 } ; 4 ]
}
"#;

/// The value of an expression over the data.
#[track_caller]
fn value(expr: &str) -> Json {
    only_answer(&format!("{DATA}prompt \"x\"\nexpect reply json {{ v: {expr} }}"))["v"].clone()
}

/// Holds that an expression over the data is refused, with this code alone.
#[track_caller]
fn wrong(expr: &str, code: &str) {
    let line = DATA.lines().count() as u32 + 2;
    refused(&format!("{DATA}prompt \"x\"\nexpect reply json {{ v: {expr} }}"), &[(code, line)]);
}

/// Holds the value of a call with `FN_` and `FILE` in it, over the JSON and the YAML file alike.
#[track_caller]
fn both(call: &str, wanted: &Json) {
    for (format, file) in [("json_", "j"), ("yaml_", "y")] {
        assert_eq!(value(&call.replace("FN_", format).replace("FILE", file)), *wanted, "{format} {call}");
    }
}

/// Holds that such a call is refused over both files.
#[track_caller]
fn both_wrong(call: &str, code: &str) {
    for (format, file) in [("json_", "j"), ("yaml_", "y")] {
        wrong(&call.replace("FN_", format).replace("FILE", file), code);
    }
}

// Text

#[test]
fn file_line_is_a_line_by_position() {
    assert_eq!(value("<<file_line: notes, 1>>"), json!("alpha  beta"));
    assert_eq!(value("<<file_line: notes, 3>>"), json!("  delta"));
    wrong("<<file_line: notes, 0>>", "E0503");
}

#[test]
fn file_word_is_a_word_by_position_in_the_whole_file() {
    assert_eq!(value("<<file_word: notes, 2>>"), json!("beta"));
    assert_eq!(value("<<file_word: notes, 3>>"), json!("gamma."));
    wrong("<<file_word: notes, 0>>", "E0503");
}

#[test]
fn file_line_count_counts_no_line_behind_the_last_end() {
    assert_eq!(value("<<file_line_count: notes>>"), json!(3));
    assert_eq!(
        only_answer("text e at \"e.txt\" = \"\"\nprompt \"x\"\nexpect reply number <<file_line_count: e>>"),
        json!(0)
    );
}

#[test]
fn file_word_count_counts_words_between_blanks() {
    assert_eq!(value("<<file_word_count: notes>>"), json!(4));
}

// CSV

#[test]
fn csv_cell_counts_rows_and_columns_from_1_without_the_header() {
    assert_eq!(value("csv_cell(t, 1, 2)"), json!("Smith, J"));
    assert_eq!(value("csv_cell(t, 4, 5)"), json!("5.00"));
    wrong("csv_cell(t, 0, 1)", "E0503");
    wrong("csv_cell(t, 1, 7)", "E0503");
}

#[test]
fn csv_value_counts_rows_from_1_and_keeps_the_type() {
    assert_eq!(value("csv_value(t.PAY, 1)"), json!(100));
    assert_eq!(value("csv_value(t.NAME, 4)"), json!("n4"));
    wrong("csv_value(t.PAY, 5)", "E0503");
    wrong("csv_value(t.PAY, -1)", "E0503");
}

#[test]
fn csv_row_is_a_list_of_cells() {
    assert_eq!(value("csv_row(t, 1)"), json!(["1", "Smith, J", "Eng", "100", "1.25", ""]));
}

#[test]
fn csv_column_is_a_list_of_values() {
    assert_eq!(value("csv_column(t.NAME)"), json!(["Smith, J", "n2", "n3", "n4"]));
    assert_eq!(value("csv_column(t.NOTE)"), json!([]));
}

#[test]
fn csv_count_counts_cells_that_are_not_blank() {
    assert_eq!(value("<<csv_count: t.NAME>>"), json!(4));
    assert_eq!(value("<<csv_count: t.NOTE>>"), json!(0));
}

#[test]
fn csv_sum_of_ints_is_an_int_and_of_decimals_exact() {
    assert_eq!(value("<<csv_sum: t.PAY>>"), json!(1000));
    assert_eq!(value("\"<<csv_sum: t.COST>>\""), json!("12.50"));
    wrong("csv_sum(t.NAME)", "E0302");
}

#[test]
fn csv_avg_is_a_float() {
    assert_eq!(value("<<csv_avg: t.PAY>>"), json!(250.0));
    wrong("csv_avg(t.NAME)", "E0302");
}

#[test]
fn csv_count_where_is_csv_count_with_a_condition() {
    assert_eq!(value("<<csv_count: t.ID where DEPT == \"Eng\" and PAY >= 300>>"), json!(1));
    assert_eq!(value("count(t where contains(NAME, \"n\") or starts_with(NAME, \"S\"))"), json!(4));
    wrong("csv_count_where(t.ID)", "E0205");
    assert!(csv_where("count").contains("<<csv_count: hr.SALARY where DEPT == \"HR\">>"));
}

#[test]
fn csv_sum_where_is_csv_sum_with_a_condition() {
    assert_eq!(value("coalesce(<<csv_sum: t.PAY where DEPT != \"Eng\">>, 0)"), json!(600));
    wrong("csv_sum_where(t.PAY)", "E0205");
    assert!(csv_where("sum").contains("<<csv_sum: hr.SALARY where DEPT == \"HR\">>"));
}

#[test]
fn csv_avg_where_is_csv_avg_with_a_condition() {
    assert_eq!(value("coalesce(<<csv_avg: t.PAY where PAY > 200>>, 0 / 1)"), json!(350.0));
    wrong("csv_avg_where(t.PAY)", "E0205");
    assert!(csv_where("avg").contains("<<csv_avg: hr.SALARY where DEPT == \"HR\">>"));
}

/// What is advised where PICARD's form with `_where` is written.
fn csv_where(name: &str) -> String {
    advice(&format!("{DATA}prompt \"x\"\nexpect reply number csv_{name}_where(t.PAY, t.DEPT, \"==\", \"Eng\")"))
}

// SQLite

#[test]
fn sqlite_query_gives_a_typed_value() {
    assert_eq!(value("coalesce(<<sqlite_query: db, SELECT SUM(N) FROM goods>>, 0)"), json!(30));
    assert_eq!(value("<<sqlite_query: db, SELECT COUNT(*) FROM goods WHERE NAME LIKE 'g%'>>"), json!(3));
    wrong("<<sqlite_query: db, SELECT NAME, N FROM goods LIMIT 1>>", "E0605");
}

#[test]
fn sqlite_value_counts_rows_from_1() {
    assert_eq!(value("sqlite_value(db.goods.NAME, 1)"), json!("g1"));
    assert_eq!(value("sqlite_value(db.goods.N, 3)"), json!(15));
    wrong("sqlite_value(db.goods.N, 0)", "E0503");
    wrong("sqlite_value(db.goods.`N * 2`, 1)", "E0203");
}

// JSON and YAML

#[test]
fn json_and_yaml_path_give_what_stands_at_one_place() {
    both("<<FN_path: FILE, $.items[0].name>>", &json!("n1"));
    both("<<FN_path: FILE, $.items[1]>>", &json!({ "id": 2, "name": "n2", "price": 20, "ok": true }));
    both("<<FN_path: FILE, $['region']>>", &json!("North"));
    both_wrong("<<FN_path: FILE, $.items[9].name>>", "E0610");
    both_wrong("<<FN_path: FILE, $.items[*].name>>", "E0611");
}

#[test]
fn json_and_yaml_value_keep_the_type() {
    both("<<FN_value: FILE, $.on>>", &json!(true));
    both("<<FN_value: FILE, $.items[-1].price>>", &json!(40));
    both_wrong("<<FN_value: FILE, $.regoin>>", "E0610");
}

#[test]
fn json_and_yaml_count_items_or_keys() {
    both("<<FN_count: FILE, $.items>>", &json!(4));
    both("FN_count(FILE)", &json!(3));
    both_wrong("<<FN_count: FILE, $.region>>", "E0611");
}

#[test]
fn json_and_yaml_keys_are_a_list_in_the_order_of_the_file() {
    both("FN_keys(FILE)", &json!(["region", "on", "items"]));
    both("<<FN_keys: FILE, $.items[0]>>", &json!(["id", "name", "price", "ok"]));
    both_wrong("<<FN_keys: FILE, $.region>>", "E0611");
}

#[test]
fn json_and_yaml_sum_of_ints_is_an_int_and_a_mistyped_key_an_error() {
    both("<<FN_sum: FILE, $.items[*].price>>", &json!(100));
    both("coalesce(<<FN_sum: FILE, $.items[?@.price > 20].price>>, 0)", &json!(70));
    both_wrong("<<FN_sum: FILE, $.items[*].prize>>", "E0610");
}

#[test]
fn json_and_yaml_avg_of_perhaps_nothing_may_be_null() {
    both("<<FN_avg: FILE, $.items[*].price>>", &json!(25.0));
    both_wrong("<<FN_avg: FILE, $.items[?@.price > 20].price>>", "E0303");
}

#[test]
fn json_and_yaml_max_keep_the_type() {
    both("<<FN_max: FILE, $.items[*].price>>", &json!(40));
    both("<<FN_max: FILE, $.items[*].name>>", &json!("n4"));
}

#[test]
fn json_and_yaml_min_keep_the_type() {
    both("<<FN_min: FILE, $.items[*].price>>", &json!(10));
    both_wrong("<<FN_min: FILE, $.items[?@.ok == true].price>>", "E0303");
}

#[test]
fn json_and_yaml_collect_a_list() {
    both("<<FN_collect: FILE, $.items[*].name>>", &json!(["n1", "n2", "n3", "n4"]));
    both("<<FN_collect: FILE, $.items[1:3].price>>", &json!([20, 30]));
}

#[test]
fn json_and_yaml_count_where_take_any_filter() {
    both("<<FN_count_where: FILE, $.items[?@.ok == true && @.price > 20]>>", &json!(1));
    both("<<FN_count_where: FILE, $.items[?@.price == 20.0 || !(@.ok == true)]>>", &json!(3));
    both("<<FN_count_where: FILE, $.items[?@.name == \"n1\"]>>", &json!(1));
}

#[test]
fn json_and_yaml_filter_give_a_list() {
    both("<<FN_filter: FILE, $.items[?@.price > 20].name>>", &json!(["n3", "n4"]));
    both("<<FN_filter: FILE, $.items[?@.price > 200].name>>", &json!([]));
}

// XML

#[test]
fn xpath_value_is_typed_and_the_path_begins_at_the_root() {
    assert_eq!(value("<<xpath_value: x, /feed/item[2]/price>>"), json!(20));
    assert_eq!(value("<<xpath_value: x, /feed/title>>"), json!(" A title "));
    wrong("<<xpath_value: x, /feed/titel>>", "E0610");
}

#[test]
fn xpath_attr_is_written_in_the_path() {
    assert_eq!(value("<<xpath_attr: x, /feed/item[2]/@id>>"), json!(2));
    wrong("<<xpath_attr: x, /feed/item[2]/@no>>", "E0610");
}

#[test]
fn xpath_count_takes_any_predicate() {
    assert_eq!(value("<<xpath_count: x, //item>>"), json!(4));
    assert_eq!(value("<<xpath_count: x, /feed/item[price > 10 and @id != 4]>>"), json!(2));
}

#[test]
fn xpath_exists_is_a_bool() {
    assert_eq!(value("<<xpath_exists: x, /feed/item[price > 35]>>"), json!(true));
    assert_eq!(value("<<xpath_exists: x, /feed/item[price > 40]>>"), json!(false));
}

#[test]
fn xpath_collect_gives_a_list() {
    assert_eq!(value("<<xpath_collect: x, /feed/item/name>>"), json!(["n1", "n2", "n3", "n4"]));
    assert_eq!(value("<<xpath_collect: x, /feed/item[position() > 2]/price>>"), json!([30, 40]));
}

#[test]
fn xpath_sum_of_ints_is_an_int() {
    assert_eq!(value("<<xpath_sum: x, //price>>"), json!(100));
    wrong("<<xpath_sum: x, /feed/item[price > 20]/price>>", "E0303");
}

#[test]
fn xpath_avg_is_a_float() {
    assert_eq!(value("<<xpath_avg: x, //price>>"), json!(25.0));
    wrong("<<xpath_avg: x, //name>>", "E0611");
}

#[test]
fn xpath_max_keeps_the_type() {
    assert_eq!(value("<<xpath_max: x, //price>>"), json!(40));
}

#[test]
fn xpath_min_of_perhaps_nothing_may_be_null() {
    assert_eq!(value("<<xpath_min: x, //price>>"), json!(10));
    wrong("<<xpath_min: x, /feed/item[price > 20]/price>>", "E0303");
}
