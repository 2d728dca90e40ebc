//! Number types, pools, file generators and scoring types of PICARD: the form here gives what they give.

use std::collections::BTreeSet;

use model::answer_key::Subject;
use model::suite::Matcher;
use serde_json::{Value as Json, json};
use testing::read_text;

use super::{answer, cells, compile_with, instances, made, only_answer};

#[test]
fn number_types_are_ranges_with_a_step() {
    for (domain, places, low, high, step) in [
        ("int 5..500", 0, 5, 500, 1),
        ("int -5..5", 0, -5, 5, 1),
        ("int 1_000..100_000", 0, 1_000, 100_000, 1),
        ("decimal 5.00..500.00", 2, 500, 50_000, 1),
        ("decimal 0.0..100.0", 1, 0, 1_000, 1),
        ("int 100..5_000 step 100", 0, 100, 5_000, 100),
        ("int 1_000..90_000 step 1_000", 0, 1_000, 90_000, 1_000),
        ("int 10_000..90_000 step 10_000", 0, 10_000, 90_000, 10_000),
        ("int 500..9_000 step 500", 0, 500, 9_000, 500),
        ("int 250..9_000 step 250", 0, 250, 9_000, 250),
    ] {
        let mut seen = BTreeSet::new();
        for instance in instances(&format!("x : {domain}\nprompt \"<<x>>\"\nexpect reply number x")) {
            let text = &instance.prompt;
            assert_eq!(text.split_once('.').map_or(0, |(_, fraction)| fraction.len()), places, "{domain}: {text}");
            let units: i64 = text.replace('.', "").parse().expect("digits");
            assert!((low..=high).contains(&units) && (units - low) % step == 0, "{domain}: {text}");
            seen.insert(units);
        }
        assert!(seen.len() > 5, "{domain}: {seen:?}");
    }
    let round = |n: i64| only_answer(&format!("n = {n}\nprompt \"x\"\nexpect reply json [round(n / 100, 0) * 100]"));
    assert_eq!(
        [round(149), round(150), round(250), round(-150)],
        [json!([100]), json!([200]), json!([300]), json!([-200])]
    );
}

#[test]
fn pools_are_domains() {
    for (domain, least, known) in [
        ("word", 154, "harbor"),
        ("color", 12, "crimson"),
        ("nature", 12, "meadow"),
        ("metal", 12, "platinum"),
        ("gem", 12, "sapphire"),
    ] {
        let body = format!(
            "csv t at \"t.csv\" {{ rows 80  ID : serial  X : {domain} }}\nprompt \"<<t>>\"\nexpect reply text \"y\""
        );
        let found: BTreeSet<String> = instances(&body)
            .iter()
            .flat_map(|instance| cells(instance, "t.csv").into_iter().skip(1))
            .map(|row| row[1].clone())
            .collect();
        assert!(found.len() >= least, "{domain}: {}", found.len());
        assert!(domain == "word" || found.contains(known), "{domain}: {found:?}");
        assert!(found.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())), "{domain}");
    }
}

#[test]
fn create_files_is_text() {
    for (unit, count) in [("lines", 10), ("sentences", 4), ("paragraphs", 3), ("words", 12)] {
        let body = format!("text t at \"t.txt\" : lorem {unit} {count}\nprompt \"<<t>>\"\nexpect reply text \"y\"");
        let text = read_text(&instances(&body)[0], "t.txt");
        let found = match unit {
            "lines" => text.lines().count(),
            "sentences" => text.matches('.').count(),
            "paragraphs" => text.trim_end().split("\n\n").count(),
            _ => text.split_whitespace().count(),
        };
        assert_eq!(found, count, "{unit}: {text}");
    }
    let custom = "w : word\ntext t at \"t.txt\" = \"Dear <<w>>,\\n\"\nprompt \"<<w>>\"\nexpect reply text w";
    for instance in instances(custom) {
        assert_eq!(read_text(&instance, "t.txt"), format!("Dear {},\n", instance.prompt));
    }
}

#[test]
fn create_csv_is_csv() {
    let body = "n : int 3..9\ncsv t at \"d/t.csv\" { rows n  NAME : person_name  `START DT` : date }\nprompt \"<<n>>\"\nexpect reply number n";
    for instance in instances(body) {
        let rows = cells(&instance, "d/t.csv");
        assert_eq!(rows[0], ["NAME", "START DT"]);
        assert_eq!(json!(rows.len() - 1), answer(&instance));
    }
}

#[test]
fn create_sqlite_is_sqlite() {
    let body = "sqlite d at \"d.db\" {\n  table p { rows 5  ID : serial  NAME : person_name }\n  table c { rows 9  P : ref p.ID  X : decimal 1.00..9.99  B : bool }\n}\n\
                prompt \"<<d>>\"\nexpect reply json [<<sqlite_query: d, SELECT MAX(ID) FROM p>>, <<sqlite_query: d, SELECT COUNT(*) FROM c JOIN p ON P = ID>>, \
                <<sqlite_query: d, SELECT COUNT(DISTINCT typeof(X) || typeof(B)) FROM c>>]";
    assert_eq!(only_answer(body), json!([5, 9, 1]));
    assert!(instances(body)[0].files[0].bytes.starts_with(b"SQLite format 3\0"));
}

#[test]
fn create_json_and_yaml_are_shapes() {
    let shape = "{ env = \"prod\"  n : int 1..9  none = null  list : [ int 1..9 ; 3 ]  items : [ { name : word  on : bool } ; 2..4 ] }";
    let body = format!(
        "json j at \"j.json\" {shape}\nyaml y at \"y.yaml\" {shape}\nprompt \"<<j>> <<y>>\"\nexpect reply json <<yaml_path: y, $.items[0].on>>"
    );
    for instance in instances(&body) {
        let json: Json = serde_json::from_str(&read_text(&instance, "j.json")).expect("JSON");
        assert_eq!(json["env"], "prod");
        assert!(json["n"].is_i64() && json["none"].is_null(), "{json}");
        assert_eq!(json["list"].as_array().map(Vec::len), Some(3));
        assert!(json["items"].as_array().is_some_and(|items| (2..=4).contains(&items.len()) && items.iter().all(|item| item["on"].is_boolean())));
        assert!(answer(&instance).is_boolean());
        assert!(read_text(&instance, "y.yaml").starts_with("env: prod\n"));
    }
}

#[test]
fn create_xml_is_a_shape() {
    let body = "xml x at \"x.xml\" root {\n  @xmlns = \"http://e.x/n\"\n  item : [ { @id : serial  name = \"a<b\" } ; 2 ]\n}\nprompt \"<<x>>\"\nexpect reply text \"y\"";
    let text = read_text(&instances(body)[0], "x.xml");
    assert!(
        text.contains("<root xmlns=\"http://e.x/n\">")
            && text.contains("<item id=\"2\">")
            && text.contains("<name>a&lt;b</name>"),
        "{text}"
    );
}

#[test]
fn scoring_types_are_matchers() {
    let compiled = compile_with(
        "task q {\nprompt \"x\"\nexpect reply text \"42\"\nexpect reply json { total: 42 }\nexpect file \"out.txt\" text \"42\"\n\
         expect file \"out.json\" json { total: 42 }\nexpect files [\"a.log\"]\nexpect tree [\"b/\"]\n}",
        &[],
    );
    let all = made(&compiled, "7").expect("instances");
    let found: Vec<(&Subject, Matcher)> =
        all[0].expects.iter().map(|expect| (&expect.subject, expect.matcher)).collect();
    let (out, json): (Subject, Subject) = (Subject::File("out.txt".into()), Subject::File("out.json".into()));
    let (files, tree): (Subject, Subject) = (Subject::Files(vec!["a.log".into()]), Subject::Tree(vec!["b/".into()]));
    let wanted = [
        (&Subject::Reply(None), Matcher::Text),
        (&Subject::Reply(None), Matcher::Json),
        (&out, Matcher::Text),
        (&json, Matcher::Json),
        (&files, Matcher::Exists),
        (&tree, Matcher::Exists),
    ];
    assert_eq!(found, wanted);
}
