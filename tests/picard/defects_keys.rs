//! Defects 1 to 20: answer keys that are wrong, empty or not computed.

use model::Value;
use serde_json::json;
use testing::read_text;

use super::{advice, answer, compile_with, instances, made, only_answer, refused, said, target};

#[test]
fn defect_01_a_misspelt_column_is_refused() {
    let body =
        "csv d at \"d.csv\" { rows 9  SALARY : salary }\nprompt \"<<d>>\"\nexpect reply number <<csv_sum: d.SALRY>>";
    refused(body, &[("E0203", 3)]);
    assert_eq!(advice(body), "did you mean `SALARY`?");
}

#[test]
fn defect_02_a_misspelt_file_is_refused() {
    refused(
        "csv d at \"d.csv\" { rows 9  N : age }\nprompt \"<<d>>\"\nexpect reply number <<csv_count: dd.N>>",
        &[("E0202", 3)],
    );
}

#[test]
fn defect_03_a_line_beyond_the_end_is_refused() {
    let body = "text d at \"d.txt\" : lorem lines 10\nprompt \"<<d>>\"\nexpect reply text <<file_line: d, 34>>";
    refused(body, &[("E0503", 3)]);
    assert_eq!(advice(body), "ask for line 1 to 10, or make the data longer");
}

#[test]
fn defect_04_one_bad_call_of_two_is_told_where_it_stands() {
    let body = "csv d at \"d.csv\" { rows 9  NAME : age }\nprompt \"<<d>>\"\n\
                expect reply text \"\"\"\n<<csv_count: d.NAME>>\n<<csv_count: d.NAEM>>\n\"\"\"";
    refused(body, &[("E0203", 5)]);
}

#[test]
fn defect_05_no_domain_is_guessed_from_a_columns_name() {
    let with = |column: &str| {
        format!(
            "csv d at \"d.csv\" {{\n  rows 9\n  C_ID : id\n  {column}\n}}\nprompt \"<<d>>\"\nexpect reply number avg(d.AGE_YRS) rounded 1"
        )
    };
    refused(&with("AGE_YRS"), &[("E0101", 4)]);
    refused(&with("AGE_YRS : lorem_words"), &[("E0302", 7)]);
    assert_eq!(instances(&with("AGE_YRS : age")).len(), 40);
}

#[test]
fn defect_06_braces_in_sql_are_sql() {
    let body = "sqlite d at \"d.db\" { table t { rows 1  A : serial } }\nprompt \"<<d>>\"\n\
                expect reply json [<<sqlite_query: d, SELECT json_extract('{\"a\":1}','$.a')>>]";
    assert_eq!(only_answer(body), json!([1]));
}

#[test]
fn defect_07_colons_stand_wherever_they_are_meant() {
    let body = "sqlite d at \"d.db\" { table t { rows 3  AT = 2024-03-01T10:30  S = \"10:30\" } }\nprompt \"<<d>>\"\nexpect reply json \
                [<<sqlite_query: d, SELECT COUNT(*) FROM t WHERE strftime('%H:%M', AT) = '10:30'>>, count(d.t where S == \"10:30\")]";
    assert_eq!(only_answer(body), json!([3, 3]));
    // In a path it would be no name on every system.
    refused("text t at \"x:y/a.txt\" : lorem lines 3\nprompt \"<<t>>\"\nexpect reply text \"x\"", &[("E0501", 1)]);
}

#[test]
fn defect_08_booleans_are_json_booleans() {
    let body = "json d at \"d.json\" { active : bool }\nprompt \"<<d>>\"\nexpect reply json { active: <<json_path: d, $.active>> }";
    for instance in instances(body) {
        let right: serde_json::Value = serde_json::from_str(&read_text(&instance, "d.json")).expect("JSON");
        assert_eq!(answer(&instance), right);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&target(&instance)).expect("JSON"), right);
    }
}

#[test]
fn defect_09_values_in_a_json_key_are_escaped() {
    let body = r#"text d at "d.txt" = "He said \"go\" C:\\new\n"
                  prompt "<<d>>"
                  expect reply json { line: <<file_line: d, 1>> }"#;
    let wanted = json!({ "line": "He said \"go\" C:\\new" });
    assert_eq!(only_answer(body), wanted);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&target(&instances(body)[0])).expect("JSON"), wanted);
}

#[test]
fn defect_10_a_sum_that_may_be_null_is_no_answer() {
    let with = |answer: &str| {
        format!(
            "sqlite d at \"d.db\" {{ table t {{ rows 9  V : age  W : department }} }}\nprompt \"<<d>>\"\n\
             s = <<sqlite_query: d, SELECT SUM(V) FROM t WHERE W = 'Legal'>>\n{answer}"
        )
    };
    refused(&with("expect file \"o.txt\" text s"), &[("E0303", 4)]);
    for instance in instances(&with("require s != null\nexpect file \"o.txt\" text s")) {
        assert!(answer(&instance).as_i64().is_some_and(|sum| sum >= 18));
    }
    for instance in instances(&with("expect file \"o.txt\" number coalesce(s, 0)")) {
        assert!(answer(&instance).is_i64());
    }
}

#[test]
fn defect_11_sums_of_ints_are_ints() {
    let body = "csv d at \"d.csv\" { rows 9  SALARY : salary }\nprompt \"<<d>>\"\nexpect reply json { total: csv_sum(d.SALARY) }";
    for instance in instances(body) {
        let sum: i64 =
            read_text(&instance, "d.csv").lines().skip(1).map(|line| line.parse::<i64>().expect("digits")).sum();
        assert_eq!(answer(&instance), json!({ "total": sum }));
        assert_eq!(target(&instance), format!("{{\"total\":{sum}}}"));
    }
}

#[test]
fn defect_12_means_are_rounded_and_sums_of_prices_exact() {
    let with = |answer: &str| {
        format!("csv d at \"d.csv\" {{ rows 75  P : price  A : age }}\nprompt \"<<d>>\"\nexpect reply {answer}")
    };
    refused(&with("text avg(d.A)"), &[("E0304", 3)]);
    for instance in instances(&with("number avg(d.A) rounded 2")) {
        let shown = target(&instance);
        assert_eq!(shown.split_once('.').expect("a fraction").1.len(), 2, "{shown}");
        assert_eq!(instance.expects[0].options.len(), 1, "the option goes into the key");
    }
    for instance in instances(&with("number sum(d.P)")) {
        let cents: i64 = read_text(&instance, "d.csv")
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().expect("a price").replace('.', "").parse::<i64>().expect("digits"))
            .sum();
        assert_eq!(target(&instance), format!("{}.{:02}", cents / 100, cents % 100));
    }
}

#[test]
fn defect_13_nothing_is_silently_zero() {
    let with = |call: &str, count: &str| {
        format!(
            "json d at \"d.json\" {{ items : [ {{ p = 10  q : one_of [10, 20] }} ; {count} ] }}\nprompt \"<<d>>\"\nexpect reply json [{call}]"
        )
    };
    refused(&with("<<json_sum: d, $.nope[*]>>", "3"), &[("E0610", 3)]);
    for name in ["avg", "min", "sum"] {
        refused(&with(&format!("<<json_{name}: d, $.items[*].p>>"), "0..3"), &[("E0303", 3)]);
    }
    assert_eq!(only_answer(&with("coalesce(<<json_sum: d, $.items[?@.p > 5].p>>, 0)", "4")), json!([40]));
}

#[test]
fn defect_14_xpath_is_xpath() {
    let with = |call: &str| {
        format!(
            "xml d at \"d.xml\" users {{ user : [ {{ @a = 1  @b = 2  n : serial  age = n * 10 }} ; 4 ] }}\nprompt \"<<d>>\"\nexpect reply json [{call}]"
        )
    };
    for (path, count) in
        [("//user", 4), ("/users/user[age > 26]", 2), ("//user[@a = '1' and @b = '2']", 4), ("//user[n=1]/@a", 1)]
    {
        assert_eq!(only_answer(&with(&format!("<<xpath_count: d, {path}>>"))), json!([count]), "{path}");
    }
}

#[test]
fn defect_15_names_in_a_namespace_can_be_reached() {
    let prefixed = "xml d at \"d.xml\" `n:r` { @`xmlns:n` = \"http://e.x/n\"  `n:a` = 5 }\nprompt \"<<d>>\"\nexpect reply json [<<xpath_value: d, /n:r/n:a>>]";
    assert_eq!(only_answer(prefixed), json!([5]));
    let bare = "xml d at \"d.xml\" r { @xmlns = \"http://e.x/n\"  a = 5 }\nprompt \"<<d>>\"\nexpect reply json [FORM]";
    refused(&bare.replace("FORM", "<<xpath_value: d, /r/a>>"), &[("E0610", 3)]);
    let by_name = "coalesce(<<xpath_value: d, /*[local-name() = 'r']/*[local-name() = 'a']>>, 0)";
    assert_eq!(only_answer(&bare.replace("FORM", by_name)), json!([5]));
    // The element of that name was once refused only by the build.
    refused("xml d at \"d.xml\" r {\n`xmlns:n` = \"x\"\n}\nprompt \"<<d>>\"\nexpect reply text \"x\"", &[("E0504", 2)]);
}

#[test]
fn defect_16_json_filters_compare_values() {
    let with = |path: &str| {
        format!(
            "json d at \"d.json\" {{ items : [ {{ id : serial  ok = true  s = 300.0  d : {{ z = 6 }}  q = \"a>b\" }} ; 4 ] }}\nprompt \"<<d>>\"\n\
             expect reply json [<<json_count_where: d, {path}>>]"
        )
    };
    for filter in [
        "@.ok == true",
        "@.s == 300",
        "@.s > 100 && @.ok == true",
        "(@.s > 100)",
        "@.d.z > 5",
        "@.q == \"a>b\"",
        "!(@.id > 4)",
    ] {
        assert_eq!(only_answer(&with(&format!("$.items[?{filter}]"))), json!([4]), "{filter}");
    }
    refused(&with("$.items[?@.s > 100 and @.ok == true]"), &[("E0609", 3)]);
}

#[test]
fn defect_17_words_are_no_numbers() {
    let with = |call: &str| {
        format!(
            "csv d at \"d.csv\" {{ rows 9  NAME : one_of [\"Inf\", \"5\", \"05\", \"5.0\", \"Sales\"] }}\nprompt \"<<d>>\"\nexpect reply json [{call}]"
        )
    };
    refused(&with("csv_sum(d.NAME)"), &[("E0302", 3)]);
    refused(&with("count(d where NAME > 3)"), &[("E0301", 3)]);
    for instance in instances(&with("count(d where NAME == \"5\")")) {
        assert_eq!(
            answer(&instance),
            json!([read_text(&instance, "d.csv").lines().filter(|line| *line == "5").count()])
        );
    }
    // A file that is copied in holds text as soon as one cell is no number.
    let compiled = compile_with(
        "task q { file f at \"f.csv\" from \"f.csv\"\nprompt \"<<f>>\"\nexpect reply json [csv_sum(f.A)] }",
        &[("f.csv", b"A,B\n1,x\nInf,y\n")],
    );
    assert_eq!(said(&compiled), [("E0302", 4)]);
}

#[test]
fn defect_18_rows_are_counted_and_blanks_are_null() {
    let fixture = b"d,v,k\nEngineering,1,a\nEngineering,,b\nSales,3,c\n";
    let compiled = compile_with(
        "task q { file f at \"f.csv\" from \"f.csv\"\nprompt \"<<f>>\"\nexpect reply json [count(f where d == \"Engineering\"), \
         csv_count(f.v where d == \"Engineering\"), count(f where v == null), count(f where v == null or v != 1)] }",
        &[("f.csv", fixture)],
    );
    for instance in made(&compiled, "7").expect("instances") {
        assert_eq!(answer(&instance), json!([2, 1, 1, 2]));
    }
}

#[test]
fn defect_19_large_sums_are_exact_or_refused() {
    let with = |value: &str| {
        format!("csv d at \"d.csv\" {{ rows 9  A = {value} }}\nprompt \"<<d>>\"\nexpect reply number csv_sum(d.A)")
    };
    for instance in instances(&with("900_719_925_474_099_301")) {
        assert!(matches!(instance.expects[0].single_value(), Some(Value::Int(8_106_479_329_266_893_709))));
        assert_eq!(target(&instance), "8106479329266893709");
    }
    refused(&with("12_345_678_901_234_567_890"), &[("E0107", 1)]);
    let compiled = super::compile(&with("9_000_000_000_000_000_000"));
    let failure = made(&compiled, "7").expect_err("beyond 64 bits");
    assert_eq!(failure.kind, runtime::failure::FailureKind::FailedComputation);
    assert!(failure.message.contains("81000000000000000000"), "{}", failure.message);
}

#[test]
fn defect_20_lists_keep_the_commas_of_their_items() {
    let body = "csv d at \"d.csv\" { rows 2  ID : serial  NAME = \"Smith, J\"  P = 10.5 }\njson j at \"d.json\" { n : [ { s = \"a,b\" } ; 2 ] }\n\
                prompt \"<<d>> <<j>>\"\nexpect reply json [csv_row(d, 1), csv_column(d.NAME), <<json_collect: j, $.n[*].s>>]";
    assert_eq!(only_answer(body), json!([["1", "Smith, J", "10.5"], ["Smith, J", "Smith, J"], ["a,b", "a,b"]]));
}
