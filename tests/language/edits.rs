//! `edit`, `remove`, `append`: what JSON and YAML files should be after an edit.

use model::Value;
use testing::find_answer;

use super::{codes, instances};

const CONF: &str = "json c at \"c.json\" = { a: 1, list: [1, 2], hosts: [{ p: 1, t: [8] }, { p: 2, t: [9] }], deep: { a: { b: 5 } }, \"x/y~z\": 0 }";

/// The edited content of the file, as JSON.
fn edited(expr: &str) -> String {
    let body = format!("{CONF} prompt \"<<c>>\" goal = {expr} expect file c json goal");
    find_answer(&instances(&body)[0]).to_json().to_string()
}

#[test]
fn every_place_of_the_path_is_edited_at_once() {
    let rest = |hosts: &str| format!(r#"{{"a":1,"list":[1,2],"hosts":{hosts},"deep":{{"a":{{"b":5}}}},"x/y~z":0}}"#);
    let hosts = r#"[{"p":1,"t":[8]},{"p":2,"t":[9]}]"#;
    let as_it_was = rest(hosts);
    for (expr, wanted) in [
        (r#"edit(c, "$.a", null)"#, as_it_was.replace(r#""a":1"#, r#""a":null"#)),
        (r#"edit(c, "$['x/y~z']", [{ k: "v" }])"#, as_it_was.replace(r#"z":0"#, r#"z":[{"k":"v"}]"#)),
        (r#"edit(c, "$.hosts[*].p", 443)"#, rest(r#"[{"p":443,"t":[8]},{"p":443,"t":[9]}]"#)),
        (r#"edit(c, "$.hosts[?@.p == 2].p", 3)"#, rest(r#"[{"p":1,"t":[8]},{"p":3,"t":[9]}]"#)),
        (r#"edit(c, "$.hosts[-1].p", 3)"#, rest(r#"[{"p":1,"t":[8]},{"p":3,"t":[9]}]"#)),
        // A place inside another one goes with it: the outer `a` takes `b` along, and there is no third one.
        (r#"edit(c, "$..a", 0)"#, as_it_was.replace(r#""a":1"#, r#""a":0"#).replace(r#""a":{"b":5}"#, r#""a":0"#)),
        // Positions are those before the edit.
        (r#"remove(c, "$.hosts[0, 1]")"#, rest("[]")),
        (r#"remove(c, "$.hosts[0]")"#, rest(r#"[{"p":2,"t":[9]}]"#)),
        (r#"remove(c, "$.hosts[*].t")"#, rest(r#"[{"p":1},{"p":2}]"#)),
        (r#"append(c, "$.hosts[*].t", "new")"#, rest(r#"[{"p":1,"t":[8,"new"]},{"p":2,"t":[9,"new"]}]"#)),
        (r#"append(c, "$.list", c)"#, as_it_was.replace("[1,2]", r#"[1,2,"c.json"]"#)),
        // One after another: the second sees what the first did.
        (r#"append(edit(c, "$.list", []), "$.list", 7)"#, as_it_was.replace("[1,2]", "[7]")),
        (r#"remove(append(c, "$.list", 3), "$.list[2]")"#, as_it_was.clone()),
        (r#"<<remove: c, $.a>>"#, as_it_was.replace(r#""a":1,"#, "")),
    ] {
        assert_eq!(edited(expr), wanted, "{expr}");
    }
}

#[test]
fn a_path_that_leads_nowhere_is_a_mistake() {
    let of = |body: &str| codes(&format!("{body} prompt \"<<c>>\" expect file c json goal"));
    let with = |expr: &str| of(&format!("{CONF} goal = {expr}"));
    for (expr, code) in [
        (r#"edit(c, "$.b", 1)"#, "E0610"),
        (r#"remove(c, "$.deep.a.c")"#, "E0610"),
        (r#"edit(remove(c, "$.a"), "$.nope", 1)"#, "E0610"),
        (r#"append(edit(c, "$.a", 5), "$.lists", 1)"#, "E0610"),
        (r#"edit(c, "$.[", 1)"#, "E0609"),
        (r#"append(c, "$.a", 1)"#, "E0611"),
        (r#"append(c, "$.deep", 1)"#, "E0611"),
        (r#"remove(c, "$")"#, "E0611"),
        // Neither a file of JSON nor an object.
        (r#"edit("text", "$.a", 1)"#, "E0302"),
        (r#"edit(c, 5, 1)"#, "E0302"),
    ] {
        assert_eq!(with(expr), [code], "{expr}");
    }
    assert_eq!(of("csv c at \"c.csv\" { rows 3 N : int 1..9 } goal = edit(c, \"$.a\", 1)"), ["E0302"]);
    // What an edit puts there may have any places.
    let body = format!(
        "{CONF} prompt \"<<c>>\" goal = edit(append(c, \"$.list\", {{ k: 1 }}), \"$.list[2].k\", 2) expect file c json goal"
    );
    assert_eq!(codes(&body), [""; 0]);
    let nowhere = format!(
        "{CONF} prompt \"<<c>>\" n : int 1..9 goal = edit(append(c, \"$.list\", n), \"$.list[7]\", n) expect file c json goal"
    );
    let compiled = testing::compile_text(&testing::build_suite_source("samples 2", &nowhere));
    let failed = testing::make_instances(compiled.plan.as_ref().expect("a plan"), runtime::generate::Options::new("7"));
    assert_eq!(failed.expect_err("no such place").message, "the path leads nowhere");
}

#[test]
fn a_yaml_file_is_edited_and_read_as_yaml() {
    let body = "yaml c at \"c.yaml\" { n : int 1..9  s = \"a\"  tags = [\"x\"] } prompt \"<<c>>\" goal = append(edit(c, \"$.n\", 0.5), \"$.tags\", \"y\") expect file c json goal";
    for instance in instances(body) {
        assert_eq!(find_answer(&instance).to_json().to_string(), r#"{"n":0.5,"s":"a","tags":["x","y"]}"#);
        let at = instance.expects[0].at.as_ref().expect("all of the document");
        assert!(at.yaml && at.path.as_str() == "$");
        assert!(matches!(find_answer(&instance), Value::Object(_)));
    }
}
