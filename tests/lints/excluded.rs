//! Conditions that their terms decide together: orders of several columns, sums and their counts, texts of calls, nulls, siblings; and conditions that come near
//! and are right.

const DATA: &str = r#"
  late : int 3..20
  csv laps at "laps.csv" {
    rows 60
    A, B, C : int 50..99
    LATE  : bool exactly late
    BONUS : int 100..900 blank 25%
    MAIL  : email
    VER   : semver
    NO    : int 1..9_999
    NOTE  : lorem sentences 1
    WORD  : lorem words 2 blank 30%
    CM    : decimal 1.00..250.00
    DAY   : date 2024-01-01..2024-06-30
    SENT  : date DAY..DAY + 20 days blank 30%
  }
  sqlite lab at "lab.db" {
    table runs {
      rows 60
      ID    : serial
      KIND  : int 1..5
      A, B, C : int 1..99
      QTY   : int 1..9
      LESS  : int 0..9
      PAID  : bool 70%
      NAME  : lorem words 2 blank 30%
      CODE  : pattern "[A-Z]{3}[0-9]{2}"
      PRICE : decimal 1.00..99.99
      DAY   : date 2024-01-01..2024-06-30
      BACK  : date DAY..DAY + 40 days
    }
    view large = <<rows: SELECT ID, A FROM runs WHERE A > 50>>
  }
  json blog at "blog.json" {
    posts : [ { id : serial  a : int 1..99  b : int 1..99  c : int 1..99  tags : [ color ; 0..6 ]  parts : [ { n : int 1..9 } ; 1..4 ] } ; 20 ]
  }
  xml shop at "shop.xml" shop {
    order : [ {
      @id : serial  a : int 1..99  b : int 1..99  c : int 1..99  price : decimal 12.40..12.60  cost : decimal 1.00..99.00
      name : person_name  tag : [ color ; 0..4 ]  line : [ { qty : int 1..9 } ; 1..4 ]
    } ; 15..20 ]
  }
"#;

/// The codes of the warnings about values, with where each begins, and all errors.
fn said(value: &str) -> Vec<(String, String)> {
    let settings = "allow unused_name \"a test\" allow unused_allow \"a test\" allow unmentioned_file \"a test\"";
    let body = format!("{DATA}\n  n = {value}\n  prompt \"?\"\n  expect reply number coalesce(n, 0)");
    let compiled = testing::compile_text(&testing::build_suite_source(settings, &body));
    let own = |id: &str| id.starts_with('E') || ["W0401", "W0402", "W0404", "W0405"].contains(&id);
    let found = compiled.diagnostics.iter().filter(|said| own(said.code.id));
    found.map(|said| (said.code.id.to_owned(), compiled.sources.text(said.primary.span).to_owned())).collect()
}

fn build_where(condition: &str) -> String {
    format!("count(laps where {condition})")
}

fn build_sql(condition: &str) -> String {
    format!("<<sqlite_query: lab, SELECT COUNT(*) FROM runs WHERE {condition}>>")
}

fn build_grouped(condition: &str) -> String {
    format!("<<sqlite_query: lab, SELECT COUNT(*) FROM (SELECT KIND FROM runs GROUP BY KIND HAVING {condition})>>")
}

fn build_json(condition: &str) -> String {
    format!("<<json_count_where: blog, $.posts[?{condition}]>>")
}

fn build_xml(condition: &str) -> String {
    format!("<<xpath_count: shop, /shop/order[{condition}]>>")
}

/// Checks that each condition alone is told.
fn tell(code: &str, build: fn(&str) -> String, conditions: &[&str]) {
    let wanted = |condition: &str| vec![(code.to_owned(), condition.to_owned())];
    let found = conditions.iter().map(|condition| (condition, said(&build(condition))));
    let wrong: Vec<String> = found
        .filter(|(condition, found)| *found != wanted(condition))
        .map(|(condition, found)| format!("{condition}\n  said {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), conditions.len(), wrong.join("\n"));
}

fn be_silent(build: fn(&str) -> String, conditions: &[&str]) {
    let found =
        conditions.iter().map(|condition| (condition, said(&build(condition)))).filter(|(_, said)| !said.is_empty());
    let wrong: Vec<String> = found.map(|(condition, said)| format!("{condition}\n  said {said:?}")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn conditions_of_rows_exclude_each_other() {
    tell(
        "W0401",
        build_where,
        &[
            "A < B and B < C and C < A",
            "A <= B and B <= C and C < A",
            "A - B > 0 and B - A > 0",
            "A == B and B == C and A != C",
            "not (A < B) and not (B < A) and A != B",
            "A + B > 170 and A < 80 and B < 90",
            "BONUS == null and not (BONUS > 500)",
            "coalesce(BONUS, 0) < BONUS",
            "(if BONUS == null then 0 else BONUS) > BONUS",
            "nth(split(MAIL, \"@\"), 3) != null",
            "ends_with(MAIL, \".edu\")",
            "slice(VER, 2, 2) in [\",\", \"-\"]",
            "ceil(CM) - floor(CM) > 1",
        ],
    );
    tell(
        "W0402",
        build_where,
        &["ends_with(NOTE, \".\")", "A < B or B < C or C <= A", "len(pad_left(\"<<NO>>\", 6, \"0\")) == 6"],
    );
    be_silent(
        build_where,
        &[
            "A <= B and B <= C and C <= A",
            "A < B or B < C or C < A",
            "A == B and B != C and A != C",
            "A + B > 160 and A < 80 and B < 90",
            "BONUS == null or not (BONUS > 500)",
            "coalesce(BONUS, 0) < 500",
            "nth(split(NOTE, \" \"), 12) != null",
            "ends_with(MAIL, \".org\")",
            "slice(VER, 3, 3) == \"1\"",
            "ceil(CM) - floor(CM) > 0",
            "len(pad_left(\"<<NO>>\", 3, \"0\")) == 3",
        ],
    );
}

#[test]
fn what_a_condition_chooses_excludes_it() {
    let told = |value: &str| said(value).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    assert_eq!(told("count(laps where if LATE then not LATE else LATE)"), ["W0401"]);
    assert_eq!(told("count(laps where A > 90 or (if SENT == null then SENT > DAY else false))"), ["W0401"]);
    assert_eq!(told("if count(laps where LATE) != late then 0 else sum(laps.A)"), ["W0401"]);
    assert_eq!(
        told("if count(laps where LATE) + count(laps where not LATE) == count(laps) then late else 0"),
        ["W0402"]
    );
    assert!(told("if count(laps where LATE) + count(laps where A > 60) == count(laps) then late else 0").is_empty());
    assert!(told("count(laps where if LATE then A > 60 else A > 80)").is_empty());
    assert!(told("if count(laps where A > 60) != late then 0 else sum(laps.A)").is_empty());
}

#[test]
fn conditions_of_queries_exclude_each_other() {
    tell(
        "W0401",
        build_sql,
        &[
            "A < B AND B < C AND C < A",
            "A < B AND NOT (A <= B)",
            "CAST(CODE AS INTEGER) > 50",
            "COALESCE(NAME, '') <> NAME",
            "PAID IS NOT TRUE AND PAID IS NOT FALSE",
            "strftime('%s', BACK) + 0 < strftime('%s', DAY) + 0",
            "julianday(BACK) - julianday(DAY) > 40",
            "date(DAY, '+40 days') < BACK",
            "typeof(PRICE) = 'integer'",
            "ltrim(CODE, '0123456789') = ''",
        ],
    );
    tell("W0401", build_grouped, &["SUM(QTY) < COUNT(*)", "SUM(QTY) > 9 * COUNT(*)", "COUNT(*) > COUNT(QTY)"]);
    be_silent(
        build_sql,
        &[
            "A < B AND B < C AND A < C AND C < 90",
            "CAST(substr(CODE, 4) AS INTEGER) > 50",
            "COALESCE(NAME, '') <> CODE",
            "PAID IS NOT TRUE OR A > 50",
            "strftime('%s', BACK) + 0 <= strftime('%s', DAY) + 0",
            "julianday(BACK) - julianday(DAY) > 39",
            "date(DAY, '+39 days') < BACK",
            "ltrim(CODE, 'ABC') = CODE",
        ],
    );
    be_silent(
        build_grouped,
        &["SUM(QTY) <= COUNT(*)", "SUM(LESS) < COUNT(*)", "SUM(DISTINCT QTY) < COUNT(*)", "COUNT(*) > COUNT(NAME)"],
    );
}

#[test]
fn windows_views_and_divisors_are_decided() {
    let told = |value: &str| said(value).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    let window = |of: &str, condition: &str| {
        format!("<<sqlite_query: lab, SELECT COUNT(*) FROM (SELECT ID, A, {of} AS X FROM runs) WHERE {condition}>>")
    };
    assert_eq!(told(&window("LEAD(ID) OVER (ORDER BY ID)", "X <= ID OR A = 9")), ["W0401"]);
    assert_eq!(told(&window("LAG(ID) OVER (ORDER BY ID DESC)", "X <= ID")), ["W0401"]);
    assert!(told(&window("LEAD(A) OVER (ORDER BY A)", "X <= A")).is_empty());
    assert!(told(&window("LEAD(ID, 0) OVER (ORDER BY ID)", "X <= ID + 0")).iter().all(|code| code != "W0401"));
    assert_eq!(told("<<sqlite_query: lab, SELECT COUNT(*) FROM large WHERE A < 50>>"), ["W0401"]);
    assert!(told("<<sqlite_query: lab, SELECT COUNT(*) FROM large WHERE A < 60>>").is_empty());
    let mean = |column: &str| {
        format!("<<sqlite_query: lab, SELECT IFNULL(SUM(A) * 1.0 / (COUNT(*) - COUNT({column})), 0) FROM runs>>")
    };
    assert!(told(&mean("CODE")).contains(&"W0405".to_owned()));
    assert!(!told(&mean("NAME")).contains(&"W0405".to_owned()));
}

#[test]
fn filters_exclude_each_other() {
    tell(
        "W0401",
        build_json,
        &[
            "@.a < @.b && @.b < @.c && @.c < @.a",
            "@.tags[1] && !@.tags[0]",
            "@.tags[3] && length(@.tags) < 4",
            "count(@.parts[*].n) != count(@.parts[*])",
        ],
    );
    tell("W0402", build_json, &["length(@.tags) == count(@.tags[*])"]);
    be_silent(
        build_json,
        &[
            "@.a < @.b && @.b < @.c",
            "@.tags[0] && !@.tags[1]",
            "@.tags[3] && length(@.tags) < 5",
            "length(@.tags) == count(@.parts[*])",
        ],
    );
    tell(
        "W0401",
        build_xml,
        &[
            "a < b and b < c and c < a",
            "string(price) = '12.5'",
            "floor(cost) > cost",
            "round(cost) - cost > 1",
            "following-sibling::order[1]/@id <= @id",
            "preceding-sibling::order/@id = @id",
            "@id < ../order[1]/@id",
            "lang('en')",
            "sum(line/qty) < count(line)",
            "tag[2] and not(tag[1])",
            "tag[3] and count(tag) < 3",
            "number(price) != number(price)",
            "normalize-space(name) != name",
            "string-length(string(cost)) > 5",
        ],
    );
    be_silent(
        build_xml,
        &[
            "a < b and b < c",
            "string(price) = '12.50'",
            "ceiling(cost) > cost",
            "following-sibling::order[1]/a <= a",
            "a < ../order[1]/a",
            "sum(line/qty) <= count(line)",
            "tag[1] and not(tag[2])",
            "tag[3] and count(tag) < 4",
            "string-length(string(cost)) > 4",
        ],
    );
}
