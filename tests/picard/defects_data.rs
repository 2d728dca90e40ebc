//! Defects 21 to 43: variables and generation, weak questions, collisions between samples.

use std::collections::BTreeSet;

use proptest::prelude::{ProptestConfig, any, prop, proptest};
use serde_json::json;
use testing::read_text;

use super::{answer, cells, compile, compile_with, instances, made, only_answer, refused, said, target};

#[test]
fn defect_21_a_name_is_drawn_once_a_sample() {
    let body = "n : int 5..500\ncsv d at \"d.csv\" { rows n  A : age }\nprompt \"There are <<n>> rows in <<d>>.\"\nexpect reply number count(d)";
    for instance in instances(body) {
        let rows = cells(&instance, "d.csv").len() - 1;
        assert_eq!(instance.prompt, format!("There are {rows} rows in d.csv."));
        assert_eq!(answer(&instance), json!(rows));
    }
}

#[test]
fn defect_22_a_name_counts_wherever_it_stands() {
    refused(
        "a : word\nprompt \"<<a>>\"\nexpect file \"<<b>>/out.txt\" text \"<<a>> <<b>>\"",
        &[("E0201", 3), ("E0201", 3)],
    );
    for instance in instances("a, b : word\nprompt \"<<a>>\"\nexpect file \"<<b>>/out.txt\" text \"<<a>> <<b>>\"") {
        assert!(!target(&instance).contains("<<"), "{}", target(&instance));
    }
}

#[test]
fn defect_23_functions_are_computed_in_the_prompt() {
    let body = "csv d at \"d.csv\" { rows 3  ID : serial  A = ID * 2 }\nprompt \"Row 3: <<csv_row(d, 3)>>, in all <<csv_sum: d.A>>\"\nexpect reply text \"x\"";
    assert_eq!(instances(body)[0].prompt, "Row 3: 3, 6, in all 12");
}

#[test]
fn defect_24_a_file_may_use_what_another_holds() {
    let body = "csv customers at \"c.csv\" { rows 3..9  ID : serial }\njson j at \"j.json\" { total_customers = csv_count(customers.ID) }\n\
                prompt \"<<customers>> <<j>>\"\nexpect reply json [<<json_value: j, $.total_customers>>]";
    for instance in instances(body) {
        assert_eq!(answer(&instance), json!([cells(&instance, "c.csv").len() - 1]));
    }
}

#[test]
fn defect_25_a_misspelt_domain_is_refused() {
    let body = "a : persn_name\ncsv d at \"d.csv\" {\n  rows 3\n  A : salry\n  B : version\n}\nprompt \"<<a>> <<d>>\"\nexpect reply text \"x\"";
    refused(body, &[("E0204", 1), ("E0204", 4), ("E0204", 5)]);
}

#[test]
fn defect_26_misspelt_words_are_refused() {
    refused("prompt \"x\"\nexpcet reply text \"42\"", &[("E0102", 2)]);
    refused("prompt \"x\"\nexpect reply txt \"42\"", &[("E0102", 2)]);
    refused("prompt \"x\"\nexpect reply text \"42\"\nsandbox_setpu { a }", &[("E0101", 3)]);
    // Without what is expected there is no task.
    refused("prompt \"x\"", &[("E0701", 0)]);
}

#[test]
fn defect_27_every_mistake_of_every_task_is_told_before_anything_runs() {
    let compiled = compile_with(
        "task a { x : colours\nprompt \"<<x>>\"\nexpect reply text x }\ntask b { n : int 10..5\nprompt \"<<n>>\"\nexpect reply number n }\n\
         task c { n : int -5..5\nprompt \"<<n>>\"\nexpect reply number n }",
        &[],
    );
    assert_eq!(said(&compiled), [("E0204", 2), ("E0401", 5)]);
    let found: BTreeSet<i64> = instances("n : int -5..5\nprompt \"<<n>>\"\nexpect reply number n")
        .iter()
        .map(|instance| answer(instance).as_i64().expect("an int"))
        .collect();
    assert!(found.iter().all(|n| (-5..=5).contains(n)) && found.iter().any(|n| *n < 0), "{found:?}");
}

#[test]
fn defect_28_shapes_hold_values_and_lists_of_them() {
    let body = "json d at \"d.json\" { env = \"production\"  size : one_of [\"a\", \"b\"]  maker : company  tags : [ one_of [1, 2] ; 3 ] }\n\
                prompt \"<<d>>\"\nexpect reply json [<<json_value: d, $.env>>, <<json_value: d, $.size>>, <<json_count: d, $.tags>>]";
    for instance in instances(body) {
        let value = answer(&instance);
        assert!(value == json!(["production", "a", 3]) || value == json!(["production", "b", 3]), "{value}");
    }
}

#[test]
fn defect_29_a_field_may_be_named_type() {
    let body = "json d at \"d.json\" { documents : [ { id : id  title : lorem_words  type : category } ; 2 ] }\nprompt \"<<d>>\"\n\
                expect reply json <<json_keys: d, $.documents[0]>>";
    assert_eq!(only_answer(body), json!(["id", "title", "type"]));
}

#[test]
fn defect_30_lengths_are_kept_and_words_are_whole() {
    let body = "csv d at \"d.csv\" { rows 50  A : pattern \"[a-z]{20,25}\"  B : lorem words 3 }\nprompt \"<<d>>\"\nexpect reply text \"x\"";
    let whole: BTreeSet<String> =
        instances("csv d at \"d.csv\" { rows 99  A : lorem_word }\nprompt \"<<d>>\"\nexpect reply text \"x\"")
            .iter()
            .flat_map(|instance| cells(instance, "d.csv").into_iter().flatten())
            .collect();
    for instance in instances(body) {
        for row in cells(&instance, "d.csv").iter().skip(1) {
            assert!((20..=25).contains(&row[0].len()), "{}", row[0]);
            assert!(row[1].split(' ').all(|word| whole.contains(word)) && row[1].split(' ').count() == 3, "{}", row[1]);
        }
    }
}

#[test]
fn defect_31_names_that_xml_does_not_have_are_refused() {
    refused(
        "xml d at \"d.xml\" root {\n  `bad name` : city\n}\nprompt \"<<d>>\"\nexpect reply text \"x\"",
        &[("E0504", 2)],
    );
}

#[test]
fn defect_32_a_foreign_key_leads_to_rows_that_are_there() {
    let with = |parents: &str, column: &str| {
        format!(
            "sqlite d at \"d.db\" {{\n  table p {{ rows {parents}  id : serial }}\n  table c {{ rows 40  {column} }}\n}}\nprompt \"<<d>>\"\n\
             expect reply json [<<sqlite_query: d, SELECT COUNT(*) FROM c WHERE r NOT IN (SELECT id FROM p)>>]"
        )
    };
    refused(&with("50", "r : ref p.idd"), &[("E0203", 3)]);
    refused(&with("0", "r : ref p.id"), &[("E0405", 3)]);
    refused(&with("50", "r : integer"), &[("E0204", 3)]);
    refused(&with("50", "r : integer 1..5"), &[("E0204", 3)]);
    assert_eq!(only_answer(&with("3", "r : ref p.id")), json!([0]));
}

#[test]
fn defect_33_names_in_sql_are_quoted_and_ids_unique() {
    let body = "sqlite d at \"d.db\" { table order { rows 100  `group by` : unique id } }\nprompt \"<<d>>\"\n\
                expect reply json [<<sqlite_query: d, SELECT COUNT(DISTINCT \"group by\") FROM \"order\">>, count(d.order.`group by`)]";
    assert_eq!(only_answer(body), json!([100, 100]));
}

#[test]
fn defect_34_clutter_is_made_and_duplicates_and_circles_are_refused() {
    for instance in instances("clutter 5\nprompt \"x\"\nexpect reply text \"y\"") {
        assert_eq!(instance.files.iter().map(|file| &file.path).collect::<BTreeSet<_>>().len(), 5);
    }
    let two = "csv d at \"a.csv\" { rows 3  A : age }\ncsv d at \"b.csv\" { rows 3  A : age }\nprompt \"<<d>>\"\nexpect reply text \"x\"";
    refused(two, &[("E0206", 2)]);
    let circle = "text a at \"a.txt\" = content(b)\ntext b at \"b.txt\" = content(a)\nprompt \"<<a>> <<b>>\"\nexpect reply text \"x\"";
    assert_eq!(
        said(&compile(circle)).iter().map(|(code, _)| *code).collect::<BTreeSet<_>>(),
        BTreeSet::from(["E0208"])
    );
    refused("depends_on nothing\nprompt \"x\"\nexpect reply text \"y\"", &[("E0101", 1)]);
}

#[test]
fn defect_35_a_seed_gives_the_same_and_a_pool_is_ones_own() {
    let items = "domain animal = one_of lines \"animals.txt\"\ntask q { a : animal\nw : word\nn : int 1..999\nclutter 2\nprompt \"<<a>> <<w>>\"\nexpect reply number n }";
    let compiled = compile_with(items, &[("animals.txt", b"heron\nbadger\n")]);
    let (one, again, other) = (made(&compiled, "1"), made(&compiled, "1"), made(&compiled, "2"));
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert!(
        one.expect("instances").iter().all(|one| one.prompt.starts_with("heron ") || one.prompt.starts_with("badger "))
    );
}

#[test]
fn defect_36_cells_may_be_blank() {
    let body = "csv d at \"d.csv\" { rows 75  ID : serial  NAME : person_name blank 20% }\nprompt \"<<d>>\"\nexpect reply number csv_count(d.NAME)";
    let counts: BTreeSet<i64> =
        instances(body).iter().map(|instance| answer(instance).as_i64().expect("an int")).collect();
    assert!(counts.len() > 5 && counts.iter().all(|count| *count < 75), "{counts:?}");
}

#[test]
fn defect_37_ties_are_ruled_out_by_unique_or_require() {
    let body = "sqlite d at \"d.db\" { table t { rows 50  NAME : person_name  SCORE : unique int 1..200  AGE : age } }\n\
                require count(d.t where AGE == oldest) == 1\noldest = max(d.t.AGE)\nprompt \"<<d>>\"\nexpect reply json [\
                <<sqlite_query: d, SELECT COUNT(*) FROM t WHERE SCORE = (SELECT MAX(SCORE) FROM t)>>, \
                <<sqlite_query: d, SELECT COUNT(*) FROM t WHERE AGE = (SELECT MAX(AGE) FROM t)>>]";
    assert_eq!(only_answer(body), json!([1, 1]));
}

#[test]
fn defect_38_keys_are_unique_and_addresses_belong_to_names() {
    let body = "csv d : person at \"d.csv\" { rows 100  ID : unique id  NO : serial }\nprompt \"<<d>>\"\nexpect reply number count(d)";
    for instance in instances(body) {
        let rows = cells(&instance, "d.csv");
        let at = |name: &str| rows[0].iter().position(|column| column == name).expect("a column");
        for key in ["ID", "NO"] {
            assert_eq!(rows.iter().skip(1).map(|row| &row[at(key)]).collect::<BTreeSet<_>>().len(), 100, "{key}");
        }
        for row in rows.iter().skip(1) {
            assert_eq!(row[at("EMAIL")], format!("{}@example.com", row[at("NAME")].replace(' ', ".").to_lowercase()));
        }
    }
}

#[test]
fn defect_39_words_without_a_full_stop_can_be_asked_for() {
    let body = "n : int 1..50\ntext d at \"d.txt\" : lorem words 50\nprompt \"<<d>> <<n>>\"\nexpect reply text <<file_word: d, n>>";
    for instance in instances(body) {
        assert!(target(&instance).bytes().all(|byte| byte.is_ascii_alphabetic()), "{}", target(&instance));
    }
    let stopped = "n : int 1..50\ntext d at \"d.txt\" : lorem lines 50\nprompt \"<<d>> <<n>>\"\nexpect reply text \"<<file_word: d, n>>\" ignore punctuation";
    assert_eq!(instances(stopped)[0].expects[0].options.len(), 1, "or the full stop does not count");
}

#[test]
fn defect_40_a_tree_draws_the_folders_that_are_not_listed() {
    let body = "paths = [\"report/README.md\"]\nprompt \"<<tree(paths)>>\"\nexpect tree paths";
    assert_eq!(instances(body)[0].prompt, "└── report/\n    └── README.md");
}

#[test]
fn defect_41_samples_do_not_share_a_sandbox() {
    let all = instances("a : one_of [\"x\", \"y\"]\nprompt \"<<a>>\"\nexpect files [\"<<a>>.log\"]");
    assert_eq!(
        all.iter().map(|instance| &instance.files_id).collect::<BTreeSet<_>>().len(),
        40,
        "each has its own folder"
    );
    assert!(all.iter().all(|instance| instance.files.is_empty()), "and what it must make is not there yet");
}

#[test]
fn defect_42_what_one_sample_writes_is_in_no_others_way() {
    // Paths are relative to the instance's own sandbox, and cannot lead out of it.
    let all = instances(
        "a : word\nb : one_of [\"x\", \"y\"]\nprompt \"<<sandbox>>/<<b>>.txt <<a>>\"\nexpect file \"<<b>>.txt\" text a",
    );
    assert!(all.iter().map(|instance| &instance.files_id).collect::<BTreeSet<_>>().len() == 40);
    refused("a : word\nprompt \"<<a>>\"\nexpect file \"../q-2/x.txt\" text a", &[("E0501", 3)]);
}

#[test]
fn defect_43_each_samples_key_is_of_its_own_file() {
    let all = instances("csv d at \"d.csv\" { rows 5  A : age }\nprompt \"<<d>>\"\nexpect reply number csv_sum(d.A)");
    for instance in &all {
        let sum: i64 =
            read_text(instance, "d.csv").lines().skip(1).map(|line| line.parse::<i64>().expect("digits")).sum();
        assert_eq!(answer(instance), json!(sum));
    }
    assert!(
        all.iter().map(|instance| read_text(instance, "d.csv")).collect::<BTreeSet<_>>().len() > 30,
        "their files differ"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Defect 21 for any number of rows and any seed.
    #[test]
    fn what_the_prompt_says_is_what_the_file_holds(least in 0u32..60, more in 0u32..60, seed in any::<u64>(), columns in prop::sample::select(vec!["A : age", "A : price", "A : bool"])) {
        let body = format!("n : int {least}..{}\ncsv d at \"d.csv\" {{ rows n  {columns} }}\nprompt \"<<n>> in <<d>>\"\nexpect reply number count(d)", least + more);
        for instance in made(&compile(&body), &seed.to_string()).expect("instances") {
            let rows = cells(&instance, "d.csv").len() - 1;
            assert_eq!(instance.prompt, format!("{rows} in d.csv"));
            assert_eq!(answer(&instance), json!(rows));
        }
    }
}
