//! What paths and queries see of JSON files.

use model::Value;
use testing::find_answer;

use super::{codes, instances};

const DATA: &str = "json c at \"c.json\" = { s: [{ name: \"a\", tags: [\"x\", \"y\"] }, { name: \"b\", tags: [\"y\"] }], lone: [] } prompt \"<<c>>\"";

fn names(filter: &str) -> Vec<String> {
    let body = format!("{DATA} n : int 1..2 expect reply json <<json_collect: c, $.s[?{filter}].name>>");
    let Value::List(names) = find_answer(&instances(&body)[0]).clone() else { panic!("{filter}: a list") };
    names.iter().map(|name| name.render_text().into_owned()).collect()
}

#[test]
fn indexes_from_the_end_are_compared_in_filters() {
    for (filter, wanted) in [
        ("@.tags[-1] == 'y'", &["a", "b"][..]),
        ("@.tags[-2] == 'x'", &["a"]),
        ("'y' != @['tags'][-2]", &["a", "b"]),
        ("@.name == $.s[-1].name", &["b"]),
        ("length(@.tags[-2]) == 1 && match(@.tags[-1], '[xy]')", &["a"]),
        ("count(@.tags[-2]) == 0 || value(@.tags[-1]) == 'z'", &["b"]),
        ("@.tags[-2]", &["a"]),
    ] {
        assert_eq!(names(filter), wanted, "{filter}");
    }
}

#[test]
fn a_filter_below_two_points_may_fit_some_of_the_arrays() {
    let body = "json c at \"c.json\" { a : [ { n : int 1..9 } ; 3 ] b : [ { m : int 1..9 } ; 2 ] } prompt \"<<c>>\"";
    assert_eq!(codes(&format!("{body} expect reply number <<json_count: c, $..[?@.n > 0]>>")), [""; 0]);
    assert_eq!(codes(&format!("{body} expect reply number <<json_count: c, $..[?@.x > 0]>>")), ["E0610"]);
}

#[test]
fn a_result_set_in_a_computed_file_is_an_array_of_objects() {
    let body = "csv t at \"t.csv\" { rows 4 N : int 1..9 } json c at \"c.json\" = { all: <<rows: SELECT N FROM t ORDER BY N>> } prompt \"<<c>>\"";
    for instance in instances(&format!("{body} expect reply json [<<json_count: c, $.all>>]")) {
        assert!(find_answer(&instance).is_same(&Value::List(vec![Value::Int(4)])));
    }
    assert_eq!(codes(&format!("{body} expect reply number <<json_count: c, $.all[*].M>>")), ["E0610"]);
}

#[test]
fn a_file_of_lists_alone_is_no_table_of_sql() {
    let body = "json c at \"c.json\" { tags = [\"a\", \"b\"] more : [ { n : int 1..9 } ; 3 ] } prompt \"<<c>>\"";
    for instance in instances(&format!("{body} expect reply number <<value: SELECT COUNT(*) FROM c.more>>")) {
        assert!(find_answer(&instance).is_same(&Value::Int(3)));
    }
}

#[test]
fn rows_that_are_written_elsewhere_keep_the_fields_of_inner_objects() {
    let body = "json j at \"j.json\" { xs : [ { id : int 1..5 name : word w : { z : int 1..3 v : { q : int 1..3 } } } ; 5..10 ] }\nprompt \"<<j>>, m\"\n";
    let agree = |file: &str, count: &str| {
        let source = format!("{body} {file}\nexpect reply list [{count}, count(j.xs where w.z == 2)]");
        assert_eq!(codes(&source), [""; 0], "{source}");
        for instance in instances(&source) {
            let Value::List(both) = find_answer(&instance) else { panic!("{source}") };
            assert!(both[0].is_same(&both[1]), "{source}: {both:?}");
        }
    };
    agree("csv m at \"m.csv\" from j.xs { Id = id Z = w.z + 1 }", "count(m where Z == 3)");
    agree("csv m at \"m.csv\" from j.xs { Id = id Z = `w.z` + 1 }", "count(m where Z == 3)");
    agree("csv m at \"m.csv\" from j.xs { Id = id Z = w.z Q = w.v.q }", "count(m where Z == 2 and Q > 0)");
    agree("csv m at \"m.csv\" from j.xs", "count(m where w.z == 2)");
    agree("csv m at \"m.csv\" from j.xs where w.z > 0", "count(m where w.z == 2)");
    agree("csv m at \"m.csv\" from j.xs csv n at \"n.csv\" from m { Z = w.z }", "count(n where Z == 2)");
    agree("csv m at \"m/<<w.z>>.csv\" from j.xs { Id = id Z = w.z }", "count(m where Z == 2)");
    // What is a table elsewhere has no such fields.
    let none = "table s { rows 3 A : int 1..3 }\ncsv m at \"m.csv\" from s { A = A.z }";
    assert_eq!(codes(&format!("{body} {none}\nexpect reply number count(m)")), ["E0202"]);
    let missing = "csv m at \"m.csv\" from j.xs { Z = w.y }";
    assert_eq!(codes(&format!("{body} {missing}\nexpect reply number count(m)")), ["E0202"]);
}
