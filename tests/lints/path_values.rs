//! Conditions in the filters of JSONPath and XPath that are always or never true.

/// Files for every row.
const DATA: &str = r#"
  json store at "store.json" {
    items : [ {
      sku    : pattern "[A-Z]{2}-[0-9]{3}"
      kind   : one_of ["Tool", "Toy"]
      qty    : int 1..9
      price  : decimal 1.00..9.99
      active : bool
      day    : date 2024-01-01..2024-03-31
      note   : word blank 20%
      tags   : [ one_of ["a", "b"] ; 1..3 ]
    } ; 5..10 ]
  }
  xml list at "list.xml" list {
    item : [ {
      @sku  : pattern "[A-Z]{2}-[0-9]{3}"
      @qty  : int 1..9
      @paid : bool
      @note : word blank 20%
      name  : one_of ["Anvil", "Bolt"]
      day   : date 2024-01-01..2024-03-31
      price : decimal 1.00..9.99
    } ; 5..10 ]
  }
"#;

/// The codes of the warnings about values, with where each begins, and all errors.
fn said(expect: &str) -> Vec<(String, String)> {
    let settings = "allow unused_name \"a test\" allow unused_allow \"a test\" allow unmentioned_file \"a test\"";
    let body = format!("{DATA}\n  expect reply number {expect}\n  prompt \"?\"");
    let compiled = testing::compile_text(&testing::build_suite_source(settings, &body));
    let own = |id: &str| id.starts_with('E') || ["W0401", "W0402", "W0404"].contains(&id);
    let found = compiled.diagnostics.iter().filter(|said| own(said.code.id));
    found.map(|said| (said.code.id.to_owned(), compiled.sources.text(said.primary.span).to_owned())).collect()
}

fn json(filter: &str) -> String {
    format!("<<json_count_where: store, $.items[?{filter}]>>")
}

fn xml(predicate: &str) -> String {
    format!("<<xpath_count: list, /list/item[{predicate}]>>")
}

fn hold(code: &str, rows: &[(&str, String)]) {
    let mut wrong = Vec::new();
    for (at, expect) in rows {
        let found = said(expect);
        if found != [(code.to_owned(), (*at).to_owned())] {
            wrong.push(format!("{expect}\n  said   {found:?}\n  wanted {at}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn silent(rows: &[String]) {
    let found = rows.iter().map(|expect| (said(expect), expect)).filter(|(said, _)| !said.is_empty());
    let wrong: Vec<String> = found.map(|(said, expect)| format!("{expect}\n  said {said:?}")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_filter_of_json_never_or_always_meets_is_said() {
    let whole = |condition: &'static str| (condition, json(condition));
    hold(
        "W0401",
        &[
            whole("@.qty > 9"),
            whole("@.qty < 1"),
            whole("@.qty == 0"),
            whole("@.qty == '5'"),
            whole("@.price >= 10"),
            whole("@.active == 'true'"),
            whole("@.active == 1"),
            whole("@.day == '2024-04-01'"),
            whole("@.day > '2024-03-31'"),
            whole("@.day == '2024-3-1'"),
            whole("length(@.sku) == 5"),
            whole("length(@.qty) > 1"),
            whole("length(@.tags) > 3"),
            whole("count(@.tags[*]) == 0"),
            whole("match(@.kind, 'tool')"),
            whole("search(@.kind, 'x')"),
            whole("match(@.kind, 'To')"),
            whole("@.qty == null"),
            ("@.qty > 9", json("@.kind == 'Tool' && @.qty > 9")),
            ("@.qty > 9", json("!(@.qty > 9)")),
            ("'tool'", json("@.kind == 'tool'")),
        ],
    );
    hold(
        "W0402",
        &[
            whole("@.qty >= 1"),
            whole("@.qty != 0"),
            whole("@.qty"),
            whole("@.note"),
            whole("@.price < 10"),
            whole("@.day >= '2024-01-01'"),
            whole("length(@.sku) == 6"),
            whole("length(@.tags) >= 1"),
            whole("match(@.kind, 'To.+')"),
            whole("@.qty != '5'"),
            ("@.qty >= 1", json("@.kind == 'Tool' || @.qty >= 1")),
        ],
    );
    silent(
        &[
            "@.qty > 5",
            "@.price > 5",
            "@.active == true",
            "@.note != null",
            "@.note == null",
            "@.day >= '2024-02-01'",
            "length(@.note) > 3",
            "length(@.tags) == 2",
            "count(@.tags[*]) > 1",
            "match(@.kind, 'Too.*')",
            "search(@.sku, '^A')",
            "@.sku < 'M'",
            "@.qty > $.items[0].qty",
            "@.tags[?@ == 'a']",
            "@.kind == 'Tool' && @.qty > 3 || @.active == true",
        ]
        .map(json),
    );
    silent(&[
        "<<json_count_where: store, $.items[2:4]>>".to_owned(),
        "<<json_count_where: store, $.items[-3:]>>".to_owned(),
    ]);
    hold(
        "E0610",
        &[
            ("20:30", "<<json_count_where: store, $.items[20:30]>>".to_owned()),
            ("4:2", "<<json_count_where: store, $.items[4:2]>>".to_owned()),
        ],
    );
}

#[test]
fn what_a_predicate_of_xpath_never_or_always_meets_is_said() {
    let whole = |condition: &'static str| (condition, xml(condition));
    hold(
        "W0401",
        &[
            whole("@qty > 9"),
            whole("@qty = 0"),
            whole("9 < @qty"),
            whole("price >= 10"),
            whole("day > '2024-02-01'"),
            whole("@paid = 1"),
            whole("@paid = 'yes'"),
            whole("contains(name, 'x')"),
            whole("contains(@sku, 'a')"),
            whole("starts-with(name, 'C')"),
            whole("starts-with(@sku, '-')"),
            whole("string-length(@sku) > 6"),
            whole("position() > 10"),
            whole("count(name) > 1"),
            whole("number(@qty) > 9"),
            whole("substring(day, 1, 4) = '2023'"),
            ("@qty > 9", xml("name = 'Bolt' and @qty > 9")),
            ("@qty > 9", xml("not(@qty > 9)")),
            ("'bolt'", xml("name = 'bolt'")),
        ],
    );
    hold(
        "W0402",
        &[
            whole("@qty >= 1"),
            whole("@qty"),
            whole("@paid = true()"),
            whole("contains(@sku, '-')"),
            whole("string-length(@sku) = 6"),
            whole("position() >= 1"),
            whole("count(name) = 1"),
            ("price < 10", xml("name = 'Bolt' or price < 10")),
        ],
    );
    silent(
        &[
            "@qty > 5",
            "@qty = 5",
            "price > 5.5",
            "@paid = 'true'",
            "contains(name, 'A')",
            "starts-with(@sku, 'A')",
            "@note",
            "not(@note)",
            "string-length(@note) > 3",
            "position() > 3",
            "position() <= 5",
            "day = '2024-02-01'",
            "starts-with(day, '2024-02')",
            "name = 'Bolt' and (@qty > 5 or @paid = 'true')",
        ]
        .map(xml),
    );
}
