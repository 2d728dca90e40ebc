//! Whole predicates of JSONPath and XPath that are always or never true: conditions together, positions, functions of texts, counts, and columns in order.

const DATA: &str = r#"
  json store at "store.json" {
    limit : int 100..200
    quota : { cpu : int 1..8  disk : int 1..50 }
    items : [ {
      code  : pattern "[A-Z]{2}[0-9]{4}"
      kind  : one_of ["Tool", "Toy", "Game"]
      least : int 1..40
      most  : int least + 1..100
      price : decimal 1.00..9.99
      note  : word blank 20%
      dice  : [ int 1..6 ; 2..4 ]
      tags  : [ one_of ["a", "b"] ; 0..3 ]
    } ; 5..10 ]
  }
  xml list at "list.xml" list {
    item : [ {
      @code : pattern "[A-Z]{2}[0-9]{4}"
      @low  : int 1..40
      @high : int low + 1..100
      @note : word blank 20%
      kind  : one_of ["Tool", "Toy", "Game"]
      share : decimal 0.10..0.90
      name  : person_name
      mail  : email
      die   : [ int 1..6 ; 2..5 ]
    } ; 5..10 ]
    remark : [ lorem words 2 ; 5..9 ]
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
    let found = rows.iter().map(|(at, expect)| (at, expect, said(expect)));
    let wrong: Vec<String> = found
        .filter(|(at, _, found)| *found != [(code.to_owned(), (**at).to_owned())])
        .map(|(at, expect, found)| format!("{expect}\n  said   {found:?}\n  wanted {at}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn silent(rows: &[String]) {
    let found = rows.iter().map(|expect| (said(expect), expect)).filter(|(said, _)| !said.is_empty());
    let wrong: Vec<String> = found.map(|(said, expect)| format!("{expect}\n  said {said:?}")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn whole_filters_of_json_are_judged() {
    let whole = |condition: &'static str| (condition, json(condition));
    hold(
        "W0401",
        &[
            whole("@.kind == 'Tool' && @.kind == 'Toy'"),
            whole("@.least > 30 && @.least < 20"),
            whole("@.price > 5.50 && @.price < 5.51"),
            whole("@.note == 'eager' && @.note == null"),
            whole("@.least >= @.most"),
            whole("@.most == @.least"),
            whole("@.most > $.limit"),
            whole("@.least != @.least"),
            whole("match(@.code, '[0-9]+')"),
            whole("search(@.code, '[a-z]')"),
            whole("search(@.code, '^[0-9]')"),
            whole("value(@.dice[*]) > 3"),
            whole("count(@.*) == 7"),
            whole("count(@.tags[0:2]) > 2"),
            whole("length(@.code) < length(@.tags)"),
            ("@.most > $.limit", json("@.kind == 'Toy' || @.most > $.limit")),
            ("@ > 50", "<<json_count_where: store, $.quota[?@ > 50]>>".to_owned()),
            ("@.least > 20", "<<json_count_where: store, $.items[*][?@.least > 20]>>".to_owned()),
        ],
    );
    hold(
        "W0402",
        &[
            whole("@.kind != 'Tool' || @.kind != 'Toy'"),
            whole("@.least < 20 || @.least >= 20"),
            whole("@.least < @.most"),
            whole("match(@.code, '[A-Z]+[0-9]+')"),
            whole("search(@.code, '[0-9]$')"),
            whole("count(@.*) == 8"),
        ],
    );
    hold("E0610", &[("-12", "<<json_count_where: store, $.items[-12, 0].dice[?@ > 3]>>".to_owned())]);
    silent(
        &[
            "@.kind == 'Tool' || @.kind == 'Toy'",
            "@.kind != 'Tool' && @.kind != 'Toy'",
            "@.least > 20 && @.least < 30",
            "@.price > 5.50 && @.price < 5.52",
            "@.note == 'eager' || @.note == null",
            "@.most > 50 && @.least < 10",
            "@.most > $.quota.disk",
            "match(@.code, 'AB.*')",
            "search(@.code, '9$')",
            "search(@.code, '^A')",
            "value(@.tags[*]) == 'a'",
            "count(@.tags[0:2]) > 1",
            "count(@.dice[?@ > 3]) > 1",
            "length(@.tags) > 2",
            "!@.tags[2]",
        ]
        .map(json),
    );
}

#[test]
fn whole_predicates_of_xpath_are_judged() {
    let whole = |condition: &'static str| (condition, xml(condition));
    hold(
        "W0401",
        &[
            whole("kind = 'Tool' and kind = 'Toy'"),
            whole("@low > 30 and @low < 20"),
            whole("@low >= @high"),
            whole("@high - @low < 1"),
            whole("position() > last()"),
            whole("position() = last() + 1"),
            whole("position() = last() - 10"),
            whole("last() - 10"),
            whole("position() = 1 and name != ../item[1]/name"),
            whole("normalize-space(name) = ''"),
            whole("number(kind) = number(kind)"),
            whole("translate(@code, '0123456789', '') = ''"),
            whole("substring(@code, 0, 2) = 'AB'"),
            whole("substring(@code, 3) = 'ABCD'"),
            whole("substring-before(mail, '@') = ''"),
            whole("substring-after(kind, 'T') = 'Tool'"),
            whole("concat(kind, '-', kind) = 'Tool'"),
            whole("sum(die) > 30"),
            whole("sum(die) < 2"),
            whole("ceiling(share) = 0"),
            whole("floor(share) > 0"),
            whole("@low mod 7 = 7"),
            whole("@low * 2 > 80"),
            whole("share div 2 > 0.5"),
            whole("contains('Tools', concat(kind, 'x'))"),
            whole("count(. | ../item[1]) = 3"),
            whole("count(../item) > 10"),
            whole("../item/@low > 40"),
            whole("local-name() = 'Item'"),
            whole("string-length(kind) > string-length(@code)"),
            whole("boolean(@code = 'A')"),
            ("@low > 30][@low < 20", xml("@low > 30][@low < 20")),
            ("../@low > 40", "<<xpath_count: list, //die[../@low > 40 or . > 3]>>".to_owned()),
            (
                "local-name() = 'Remark'",
                "<<xpath_count: list, /list/*[local-name() = 'Remark' or kind = 'Toy']>>".to_owned(),
            ),
        ],
    );
    hold(
        "W0402",
        &[
            whole("kind = 'Tool' or kind != 'Tool'"),
            whole("@low < @high"),
            whole("position() <= last()"),
            whole("@code = ../item/@code"),
            whole("@code = //item/@code"),
            whole("string-length(normalize-space(name)) > 0"),
            whole("floor(share) = 0"),
            ("'Toy'", xml("kind = 'Tool' or 'Toy'")),
            ("kind = 'Tool' or kind != 'Tool'", xml("not(kind = 'Tool' or kind != 'Tool')")),
        ],
    );
    hold(
        "E0610",
        &[("item", "<<xpath_count: list, /list/item[last()]/following-sibling::item[@low > 3]>>".to_owned())],
    );
    silent(
        &[
            "kind = 'Tool' or kind = 'Toy'",
            "@low > 20 and @low < 30",
            "@low > 20][@high < 60",
            "@high - @low > 30",
            "position() = last() - 4",
            "position() < last()",
            "position() = 2 and name != ../item[1]/name",
            "@note = ../item/@note",
            "@code = preceding-sibling::item/@code",
            "@low > following-sibling::item[1]/@low",
            "string-length(normalize-space(name)) > 12",
            "translate(@code, 'ABCDEFGHIJKLM', '') = '1234'",
            "substring(@code, 1, 2) = 'AB'",
            "substring-after(mail, '@') = 'example.com'",
            "sum(die) > 20",
            "ceiling(share * 10) = 5",
            "@low mod 7 = 6",
            "contains(concat('Tool', 'Toy'), kind)",
            "count(../item) > 8",
            "die = 6 and die = 1",
            "not(die > 3)",
            "die > 3 and not(die > 4)",
            "ancestor::list/item/@low > 30",
        ]
        .map(xml),
    );
}

#[test]
fn divisors_read_from_files_can_be_0() {
    let told = |expect: &str| {
        let data = r#"json plan at "plan.json" { step : int 0..4  total : int 50..99  rows : [ { n : int 1..9 } ; 2..5 ] }
  xml memo at "memo.xml" memo { @step : int 0..5  words : int 10..99  tag : [ word ; 0..3 ]  line : [ { qty : int 1..9 } ; 3..6 ] }"#;
        let settings = "allow unused_name \"a test\" allow unmentioned_file \"a test\"";
        let body = format!("{data}\n  expect reply number {expect} rounded 2\n  prompt \"?\"");
        let compiled = testing::compile_text(&testing::build_suite_source(settings, &body));
        compiled.diagnostics.iter().any(|said| said.code.id == "W0405")
    };
    assert!(told("mod(<<json_value: plan, $.total>>, <<json_value: plan, $['step']>>)"));
    assert!(told("5 / <<xpath_count: memo, //tag>>"));
    assert!(told("mod(coalesce(<<xpath_sum: memo, /memo/words>>, 0), coalesce(<<xpath_attr: memo, /memo/@step>>, 1))"));
    assert!(told("5 / (coalesce(<<json_max: plan, $.rows[*].n>>, 0) - coalesce(<<json_min: plan, $.rows[*].n>>, 0))"));
    assert!(told("5 / <<json_count_where: plan, $.rows[?@.n > 5]>>"));
    assert!(told("5 / coalesce(<<json_sum: plan, $.rows[?@.n > 8].n>>, 0)"));
    assert!(told("5 / <<xpath_count: memo, /memo/line[qty > 7 or qty = 2]>>"));
    assert!(!told("5 / <<xpath_count: memo, //line[qty]>>"));
    assert!(!told("5 / (<<xpath_count: memo, /memo/line[qty > 7]>> + 1)"));
    assert!(!told("5 / <<json_count: plan, $.rows>>"));
    assert!(!told("mod(<<json_value: plan, $.total>>, <<json_value: plan, $.step>> + 1)"));
}
