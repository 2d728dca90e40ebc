//! Expected values that no reply can be held against: answers that `ignore` makes one, files that are not text, durations.

use model::suite::matchers::{Reads, Takes};
use model::suite::{Ignore, Matcher};
use model::{Value, failure::FailureKind};
use runtime::generate::Options;

use crate::lints::{compile, hold};

/// A table with a column of these values, a row of it, and an expectation.
fn body(values: &str, expect: &str) -> String {
    format!(
        "csv jobs at \"jobs.csv\" {{ rows 30  ID : serial  LANG : {values}  PAY : int 1..999 }}\n\
         id, lang : ref jobs.(ID, LANG)\n\
         prompt \"In <<jobs>>, which LANG has the row with ID <<id>>? Keys are `lang` and `n`.\"\n{expect}"
    )
}

const LANGS: &str = r#"one_of ["C", "C++", "C#", "Rust"]"#;

#[test]
fn merged_answers() {
    let case = r#"one_of ["Go", "GO", "Rust"]"#;
    let space = r#"one_of ["a b", "ab", "c"]"#;
    let both = r#"one_of ["a.b", "AB", "c"]"#;
    let caught = [
        body(LANGS, "expect reply text lang ignore punctuation"),
        body(LANGS, "expect reply text lang ignore case, punctuation"),
        body(LANGS, "expect reply contains lang ignore punctuation"),
        body(case, "expect reply text lang ignore case"),
        body(space, "expect reply text lang ignore space"),
        body(both, "expect reply text lang ignore case, punctuation"),
        body(LANGS, "expect reply json { lang: lang ignore punctuation }"),
        body(LANGS, "expect reply json { lang: lang, n: id } ignore punctuation"),
        body(LANGS, "expect reply list list(jobs.LANG where PAY > 500) ignore punctuation"),
        body(
            LANGS,
            "expect reply rows <<rows: SELECT LANG, COUNT(*) AS n FROM jobs GROUP BY LANG>> ignore punctuation",
        ),
        body(LANGS, "expect reply text coalesce(mode(jobs.LANG), \"none\") ignore punctuation"),
        body(LANGS, "expect reply text coalesce(max(jobs.LANG), \"none\") ignore punctuation"),
        body(LANGS, "expect reply list sort(list(jobs.LANG)) ordered ignore punctuation"),
        body(LANGS, "one = if id > 10 then lang else \"none\"\nexpect reply text one ignore punctuation"),
        body(
            LANGS,
            "expect reply text coalesce(<<value: SELECT LANG FROM jobs ORDER BY PAY, ID LIMIT 1>>, \"none\") ignore punctuation",
        ),
        body(
            LANGS,
            "expect file \"out.txt\" text lang ignore punctuation\nvariant v { prompt \"Write it to out.txt.\" }",
        ),
        body("word", "expect reply list [\"C\", \"C++\", lang] ignore punctuation"),
    ];
    let right = [
        body(LANGS, "expect reply text lang"),
        body(LANGS, "expect reply text lang ignore case"),
        body(LANGS, "expect reply text lang ignore case, space"),
        body(r#"one_of ["*", "+", "..."]"#, "expect reply text lang ignore punctuation"),
        body(r#"one_of ["Kiel", "Ulm", "Bad Tölz"]"#, "expect reply text lang ignore case, space, punctuation"),
        body(LANGS, "expect reply text any_of [\"C\", \"C++\"] ignore punctuation"),
        body(LANGS, "expect reply number count(jobs where PAY > 500)"),
        body(LANGS, "expect reply json { lang: lang, n: id ignore punctuation }"),
        body(LANGS, "expect reply list [\"C\", \"D\"] ignore punctuation"),
        body("city", "expect reply text lang ignore case, punctuation"),
        body("person_name", "expect reply text lang ignore case, space, punctuation"),
    ];
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    hold("merged_answers", &caught, &right);
    let said = compile(caught[0]).diagnostics;
    let first = said.iter().find(|said| said.code.id == "E0309").expect("said");
    assert_eq!(first.message, "`ignore punctuation` makes `C` and `C++` one answer");
    assert_eq!(first.help.as_deref(), Some("remove `ignore punctuation`"));
}

#[test]
fn answers_that_differ_in_marks_are_one() {
    let caught = [
        body(r#"one_of ["Ulm", "Ulm.", "Kiel"]"#, "expect reply text lang"),
        body(r#"one_of ["x", "_x_", "y"]"#, "expect reply text lang"),
        body(r#"one_of ["a", "'a'"]"#, "expect reply last line text lang"),
        body(r#"one_of ["a", "«A»"]"#, "expect reply text lang ignore case"),
        body(r#"one_of ["a", "**a**"]"#, "expect reply list sort(list(jobs.LANG))"),
        body(r#"one_of ["a", "a."]"#, "expect reply rows <<rows: SELECT LANG, COUNT(*) AS n FROM jobs GROUP BY LANG>>"),
    ];
    let right = [
        body(r#"one_of ["Ulm", "Ulm!", "(Ulm)"]"#, "expect reply text lang"),
        body(r#"one_of ["a.", "b.", "c."]"#, "expect reply text lang"),
        body(r#"one_of ["a", "a..."]"#, "expect reply text lang"),
        body(r#"one_of ["a", "a."]"#, "expect reply contains lang"),
        body(r#"one_of ["a", "a."]"#, "expect reply json { lang: lang, n: id }"),
        body(
            r#"one_of ["a", "a."]"#,
            "expect file \"out.txt\" text lang\nvariant v { prompt \"Write it to out.txt.\" }",
        ),
        body(r#"one_of ["_", "__", "a"]"#, "expect reply text lang"),
    ];
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    hold("merged_answers", &caught, &right);
    let said = compile(caught[0]).diagnostics;
    let first = said.iter().find(|said| said.code.id == "E0309").expect("said");
    assert_eq!(first.message, "`Ulm.` and `Ulm` are one answer");
}

/// Numbers without a pattern.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most) as usize
    }

    fn kinds(&mut self) -> Vec<Ignore> {
        let drawn = self.below(7) + 1;
        [Ignore::Case, Ignore::Space, Ignore::Punctuation]
            .into_iter()
            .enumerate()
            .filter(|(at, _)| drawn >> at & 1 == 1)
            .map(|(_, kind)| kind)
            .collect()
    }
}

fn words(kinds: &[Ignore]) -> String {
    kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(", ")
}

/// What is left of a text of ASCII, worked out in another way than the product does.
fn left(text: &str, kinds: &[Ignore]) -> String {
    let has = |kind| kinds.contains(&kind);
    let kept = |char: &char| {
        !(has(Ignore::Space) && char.is_ascii_whitespace() || has(Ignore::Punctuation) && char.is_ascii_punctuation())
    };
    let left: String = text.chars().filter(kept).collect();
    let left = if has(Ignore::Case) { left.to_ascii_lowercase() } else { left };
    let left = if has(Ignore::Punctuation) { left.trim().to_owned() } else { left };
    if left.is_empty() { text.to_owned() } else { left }
}

/// A text without a period at its end, which does not belong to a reply.
fn without_period(text: &str) -> &str {
    let inside = text.strip_suffix('.').filter(|inside| !inside.ends_with('.')).map(str::trim);
    inside.filter(|inside| inside.contains(char::is_alphanumeric)).map_or(text, without_period)
}

/// Of random closed domains, exactly those are told that have two values which are one.
#[test]
fn merged_pairs_of_closed_domains_are_always_told() {
    let mut draws = Draws(5);
    let (mut told, mut quiet) = (0, 0);
    for _ in 0..300 {
        let mut values: Vec<String> = Vec::new();
        while values.len() < 3 {
            let length = 1 + draws.below(3);
            let text: String = (0..length).map(|_| ["a", "A", "b", "+", ".", " "][draws.below(6)]).collect();
            let text = text.trim().to_owned();
            if !text.is_empty() && !values.contains(&text) {
                values.push(text);
            }
        }
        let kinds = draws.kinds();
        let list = values.iter().map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(", ");
        let body = body(&format!("one_of [{list}]"), &format!("expect reply text lang ignore {}", words(&kinds)));
        let is_told = compile(&body).diagnostics.iter().any(|said| said.code.id == "E0309");
        let is_one = |a: &String, b: &String| {
            left(a, &kinds) == left(b, &kinds) || left(without_period(a), &kinds) == left(b, &kinds)
        };
        let merges = (0..3).any(|a| (0..3).any(|b| a != b && is_one(&values[a], &values[b])));
        assert_eq!(is_told, merges, "{values:?} {kinds:?}");
        told += usize::from(merges);
        quiet += usize::from(!merges);
    }
    assert!(told > 30 && quiet > 50, "{told} {quiet}");
}

/// Of columns that are drawn from patterns or computed, the build tells it, or there is nothing to tell.
#[test]
fn merged_pairs_of_other_columns_are_told_by_the_build() {
    let mut draws = Draws(11);
    let (mut told, mut quiet) = (0, 0);
    let columns = [
        "pattern \"[ab][+.]?\"",
        "one_of [\"a\", \"b\"]  _B : one_of [\"\", \"+\", \"A\"]  LANG = \"<<_A>><<_B>>\"",
        "one_of [\"a\", \"b c\", \"bc\"]  _B : int 1..3  LANG = \"<<_A>><<_B>>\"",
        "pattern \"[a-f]{3}[0-9]{2}[+.]?\"",
    ];
    for round in 0..120 {
        let kinds = draws.kinds();
        let expect = [
            format!("expect reply text lang ignore {}", words(&kinds)),
            format!("expect reply json {{ lang: lang }} ignore {}", words(&kinds)),
            format!("expect reply list sort(list(jobs.LANG where PAY > 700)) ignore {}", words(&kinds)),
            format!("expect reply rows <<rows: SELECT LANG FROM jobs WHERE PAY > 700>> ignore {}", words(&kinds)),
        ];
        let body = body(columns[draws.below(4)], &expect[draws.below(4)]);
        let body = if body.contains("_A>>") { body.replace("LANG : ", "_A : ") } else { body };
        let compiled = testing::keep_errors(compile(&body));
        if !compiled.diagnostics.is_empty() {
            // Few values, all known: check has told it.
            assert!(
                compiled.diagnostics.iter().all(|said| said.code.id == "E0309"),
                "{:?}\n{body}",
                compiled.diagnostics
            );
            told += 1;
            continue;
        }
        let mut options = Options::new(round.to_string());
        options.samples = Some(1);
        let plan = compiled.plan.as_ref().expect("a plan");
        // What the answer could have been, without what is ignored.
        let free = body.split(" ignore ").next().expect("a body").to_owned();
        let free = testing::keep_errors(compile(&free));
        let instance =
            testing::make_instances(free.plan.as_ref().expect("a plan"), options.clone()).expect("made").remove(0);
        let cells: Vec<String> = testing::read_text(&instance, "jobs.csv")
            .lines()
            .skip(1)
            .filter_map(|line| Some(line.split(',').nth(1)?.to_owned()))
            .collect();
        let mut expected = Vec::new();
        texts(testing::find_answer(&instance), &mut expected);
        let merges = expected.iter().any(|text| {
            cells
                .iter()
                .any(|cell| cell != text && cell.trim() != text.trim() && left(cell, &kinds) == left(text, &kinds))
        });
        match testing::make_instances(plan, options) {
            Ok(_) => assert!(!merges, "not told: {expected:?} in {cells:?}\n{body}"),
            Err(failure) => {
                assert!(merges, "{failure:?}\n{body}");
                assert_eq!(failure.kind, FailureKind::FailedComputation);
                assert!(
                    failure.message.starts_with("`ignore ") && failure.message.ends_with("one answer"),
                    "{}",
                    failure.message
                );
            }
        }
        told += usize::from(merges);
        quiet += usize::from(!merges);
    }
    assert!(told > 15 && quiet > 10, "{told} {quiet}");
}

fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Text(text) => found.push(text.to_string()),
        Value::List(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.iter().for_each(|(_, field)| texts(field, found)),
        Value::Rows(set) => set.rows.iter().flatten().for_each(|cell| texts(cell, found)),
        _ => {}
    }
}

/// A matcher with a value that it can take.
fn expectation(path: &str, matcher: Matcher) -> Option<String> {
    let word = matcher.word();
    let value = match matcher.record().takes {
        Takes::One | Takes::Texts | Takes::Content => format!("{word} \"x\""),
        Takes::Pattern => format!("{word} \"x+\""),
        Takes::Number => format!("{word} n"),
        Takes::Date => format!("{word} 2024-03-01"),
        Takes::Bool => format!("{word} n > 3"),
        Takes::Json => format!("{word} {{ a: n }}"),
        Takes::List => format!("{word} [n, 2]"),
        Takes::Rows if matcher.record().reads == Reads::Text => {
            format!("{word} <<rows: SELECT ID FROM t WHERE ID < 3>>")
        }
        Takes::Nothing if matcher != Matcher::Unchanged => word.to_owned(),
        Takes::Rows | Takes::State | Takes::Nothing => return None,
    };
    Some(format!(
        "n : int 1..9\ncsv t at \"t.csv\" {{ rows 5  ID : serial }}\nprompt \"Of <<t>>, write `a` and <<n>> to {path}.\"\nexpect file \"{path}\" {value}"
    ))
}

/// Every ending with every matcher: those of texts read texts, and nothing else.
#[test]
fn matchers_of_texts_read_texts() {
    let texts = ["txt", "csv", "json", "yaml", "xml", "md", "html", "jsonl", "py", "svg", ""];
    let others = [
        "xlsx", "XLSX", "xlsm", "ods", "xls", "db", "sqlite", "sqlite3", "png", "jpg", "gif", "zip", "gz", "tar", "7z",
        "parquet", "feather", "pdf", "docx", "mp3", "pkl", "npy", "h5", "bin",
    ];
    for (endings, is_text) in [(&texts[..], true), (&others[..], false)] {
        for ending in endings {
            for matcher in Matcher::ALL {
                let path = if ending.is_empty() { "out".to_owned() } else { format!("a.b/out.{ending}") };
                let Some(body) = expectation(&path, *matcher) else { continue };
                let said = testing::keep_errors(compile(&body)).diagnostics;
                let codes: Vec<&str> = said.iter().map(|said| said.code.id).collect();
                let has_types = ending.eq_ignore_ascii_case("xlsx") || *ending == "parquet";
                let is_sheet = has_types && matcher.reads_sheet();
                // An object is not the array that such a file is read as.
                let has_items = has_types || *ending == "jsonl";
                let is_object = has_items && matcher.record().takes == Takes::Json;
                // The tables of a page are not read.
                let is_page = ending.starts_with("htm") && *matcher == Matcher::Rows;
                let is_packed = *ending == "gz" && *matcher == Matcher::Bytes;
                let is_refused = !is_text && !matcher.is_of_files() && !is_sheet || is_object || is_page || is_packed;
                assert_eq!(
                    codes,
                    if is_refused { vec!["E0702"] } else { vec![] },
                    "{ending} {}: {said:#?}",
                    matcher.word()
                );
            }
        }
    }
    // A path whose ending is drawn is refused by the build; a declared workbook at another ending, by check.
    let drawn =
        "e : one_of [\"xlsx\", \"png\"]\nprompt \"Write it to out.<<e>>.\"\nexpect file \"out.<<e>>\" text \"x\"";
    let compiled = testing::keep_errors(compile(drawn));
    let failure =
        testing::make_instances(compiled.plan.as_ref().expect("a plan"), Options::new("7")).expect_err("refused");
    assert_eq!(failure.kind, FailureKind::PathAtBuild);
    assert!(failure.message.starts_with("`text` cannot read `out."), "{}", failure.message);
    let declared = "xlsx book at \"book.data\" { rows 5  ID : serial }\nprompt \"Change <<book>>.\"\nexpect file book contains \"x\"";
    let said = testing::keep_errors(compile(declared)).diagnostics;
    assert_eq!(
        said.iter().map(|said| said.message.as_str()).collect::<Vec<_>>(),
        ["`contains` cannot read a workbook"]
    );
}

/// A duration is never expected, wherever it is in the answer, and the help is a form that compiles.
#[test]
fn durations_are_not_expected() {
    let body = |expect: &str| {
        format!(
            "csv log at \"log.csv\" {{ rows 9  ID : serial  AT : datetime 2024-01-01T00:00..2024-02-01T00:00 }}\nfirst = min(log.AT)\nlast = max(log.AT)\n\
             require first != null and last != null\nlong = last - first\nprompt \"How long does <<log>> last? `a` is in seconds.\"\n{expect}"
        )
    };
    for expect in [
        "expect reply text long",
        "expect reply text last - first",
        "expect reply contains long",
        "expect reply number long",
        "expect reply json { a: long }",
        "expect reply json { a: { b: [1, last - first] } }",
        "expect reply json long",
        "expect reply list [long, 2 hours]",
        "expect reply text any_of [long, 1 hour]",
        "expect reply text 2 hours",
        "expect reply json [90 days]",
    ] {
        let said = testing::keep_errors(compile(&body(expect))).diagnostics;
        assert_eq!(said.iter().map(|said| said.code.id).collect::<Vec<_>>(), ["E0304"], "{expect}: {said:#?}");
        let help = said[0].help.clone().unwrap_or_default();
        if expect.contains("long") || expect.contains("first") {
            assert!(help.contains("seconds("), "{expect}: {help}");
        }
    }
    for expect in [
        "expect reply number <<value: SELECT unixepoch(:last) - unixepoch(:first)>>",
        "expect reply number days_between(date(first), date(last))",
        "expect reply text long > 2 hours",
        "expect reply text last + 2 hours",
        "expect reply json { a: count(log where AT > first + 3 days) }",
    ] {
        let compiled = testing::keep_errors(compile(&body(expect)));
        assert!(compiled.diagnostics.is_empty(), "{expect}: {:#?}", compiled.diagnostics);
        testing::make_instances(compiled.plan.as_ref().expect("a plan"), Options::new("7")).expect("made");
    }
}

/// The expectations of every matcher that can hold the text `E`.
fn list_expectations_of_text() -> Vec<String> {
    let of = |matcher: &Matcher| match matcher.record().takes {
        Takes::One => &[
            "expect reply WORD E",
            "expect reply WORD any_of [\"b\", E]",
            "expect file \"o.txt\" WORD E",
            "expect reply after \"so:\" WORD E",
            "expect reply at \"$.a\" WORD E",
        ] as &[&str],
        Takes::Texts => &["expect reply WORD E", "expect file \"o.txt\" WORD [\"b\", E]"],
        Takes::Pattern => &["expect reply matches E", "expect reply matches any_of [E, \"b\"]"],
        Takes::Content => &["expect file \"o.txt\" bytes E", "expect file \"o.txt\" bytes any_of [\"b\", E]"],
        Takes::Json => &[
            "expect reply json E",
            "expect reply json { a: E }",
            "expect file \"o.json\" json { n: 1, a: { b: [1, [E]] } }",
            "expect file conf json edit(conf, \"$.a\", E)",
        ],
        Takes::List => &["expect reply list [E, \"b\"]", "expect reply list [1, { a: E }]"],
        // Result sets are those of queries, below.
        Takes::Rows | Takes::State | Takes::Number | Takes::Date | Takes::Bool | Takes::Nothing => &[],
    };
    let all = Matcher::ALL.iter().flat_map(|matcher| of(matcher).iter().map(|one| one.replace("WORD", matcher.word())));
    all.collect()
}

/// A duration in an expected text is never expected, however the text is made, by any matcher.
#[test]
fn durations_in_texts_are_not_expected() {
    let suite = |declared: &str, expect: &str| {
        format!(
            "SPAN = 2 days\nSPAN_TEXT = \"<<SPAN>> in all\"\nsuite s {{ title \"S\" version \"1\" }}\ntable jobs from \"jobs.csv\" {{\n  FROM : datetime\n  TO : datetime\n  T = \"took <<TO - FROM>>\"\n  U = \"x <<T>>\"\n  V = \"from <<FROM>>\"\n}}\n\
             task q {{\n  csv log at \"log.csv\" {{ rows 9  ID : serial  AT : datetime 2024-01-01T00:00..2024-02-01T00:00 }}\n  json conf at \"conf.json\" {{ a : word }}\n\
             first = min(log.AT)\nlast = max(log.AT)\nrequire first != null and last != null\nlong = last - first\n{declared}\n\
             prompt \"How long does <<log>> last? Change <<conf>>: `a`, `b`, `n`.\"\n{expect}\n}}\n"
        )
    };
    let jobs: &[u8] = b"FROM,TO\n2024-01-01T00:00:00,2024-01-01T02:00:00\n2024-01-02T00:00:00,2024-01-02T03:00:00\n";
    let compile = |declared: &str, expect: &str| {
        testing::keep_errors(testing::compile_with(&suite(declared, expect), &[("jobs.csv", jobs)]))
    };
    let ways = [
        ("", "\"<<long>>\""),
        ("", "\"It took <<last - first>>.\""),
        ("", "\"<<2 hours>>\""),
        ("", "\"<<[long, 1 hour]>>\""),
        ("", "\"<<SPAN>>\""),
        ("", "SPAN_TEXT"),
        ("", "\"<<SPAN_TEXT>>!\""),
        ("t = \"<<long>>\"", "t"),
        ("t = \"<<long>>\"\nu = \"a <<t>>\"", "\"<<u>> b\""),
        ("t = \"<<2 hours>>\"", "(t)"),
        ("t : one_of [\"<<long>>\", \"b\"]", "t"),
        ("t : one_of [\"<<2 hours>>\", \"b\"]", "t"),
        ("axis t = [\"<<2 hours>>\", \"b\"]", "t"),
        ("", "if count(log) > 3 then \"none\" else \"<<long>>\""),
        ("", "upper(\"<<long>>\")"),
        ("", "slice(\"<<long>>\", 1, 3)"),
        ("", "replace(\"x y\", \"x\", \"<<long>>\")"),
        ("", "join([long, 2 hours], \", \")"),
        ("", "lines([\"<<long>>\", \"b\"])"),
        ("", "coalesce(nth([\"<<long>>\", \"b\"], 1), \"none\")"),
        ("", "coalesce(<<value: SELECT 'took ' || :long>>, \"none\")"),
        ("t = \"<<long>>\"", "coalesce(<<value: SELECT :t>>, \"none\")"),
        ("t = \"<<long>>\"", "coalesce(<<value: SELECT group_concat(upper(:t) || ID) FROM log>>, \"none\")"),
        ("", "coalesce(<<value: SELECT CASE WHEN COUNT(*) > 1 THEN :SPAN_TEXT ELSE 'x' END FROM log>>, \"none\")"),
        ("s = <<rows: SELECT ID, 'took ' || :long AS X FROM log>>", "coalesce(max(s.X), \"none\")"),
        ("", "coalesce(max(jobs.T), \"none\")"),
        ("", "join(list(jobs.U), \", \")"),
        ("", "coalesce(<<value: SELECT MIN(U) FROM jobs>>, \"none\")"),
    ];
    let mut wrong = Vec::new();
    for expect in list_expectations_of_text() {
        for (declared, text) in ways {
            let expect = expect.replace('E', text);
            let said = compile(declared, &expect).diagnostics;
            if said.iter().map(|said| said.code.id).collect::<Vec<_>>() != ["E0304"]
                || !said[0].message.starts_with("the expected text contains a duration")
                || !said[0].help.as_ref().is_some_and(|help| help.contains("seconds("))
            {
                wrong.push(format!("{declared}\n{expect}: {said:#?}"));
            }
        }
    }
    for (declared, expect) in [
        ("", "expect reply rows <<rows: SELECT ID, 'took ' || :long AS X FROM log>>"),
        ("", "expect reply rows <<rows: SELECT ID, :long AS X FROM log>>"),
        ("", "expect reply list <<rows: SELECT ID, 'took ' || :SPAN AS X FROM log>>"),
        ("", "expect reply list <<list: SELECT ID || :long FROM log>>"),
        ("", "expect reply json edit(conf, \"$.a\", long)"),
        ("", "expect reply json edit(edit(conf, \"$.a\", [1 hour]), \"$.a\", 1)"),
        ("", "expect reply list jobs_of"),
    ] {
        let declared = format!("{declared}\njobs_of = list(jobs.T)");
        let said = compile(&declared, expect).diagnostics;
        if said.iter().map(|said| said.code.id).collect::<Vec<_>>() != ["E0304"] {
            wrong.push(format!("{expect}: {said:#?}"));
        }
    }
    // What is compared, counted, cut out, or copied from a file is not a duration that a reply writes.
    for (declared, expect) in [
        ("", "expect reply text if long > 2 hours then \"long\" else \"short\""),
        ("", "expect reply number len(\"<<long>>\")"),
        ("", "expect reply json { a: contains(\"<<long>>\", \"PT\"), n: count(log where AT > first + 3 days) }"),
        ("", "expect reply text replace(\"a b\", \"<<long>>\", \"c\")"),
        ("", "expect reply text \"<<last + 2 hours>>\""),
        ("", "expect reply text coalesce(<<value: SELECT CASE WHEN :long > 'PT' THEN 'a' ELSE 'b' END>>, \"none\")"),
        ("", "expect reply text coalesce(<<value: SELECT 's' || (unixepoch(:last) - unixepoch(:first))>>, \"none\")"),
        ("text note at \"note.txt\" = \"It took <<long>>.\"", "expect file \"copy.txt\" bytes note"),
        (
            "text note at \"note.txt\" = \"It took <<long>>.\"",
            "expect file note text replace(content(note), \"It\", \"He\")",
        ),
        (
            "csv runs at \"runs.csv\" { rows 5  A : datetime 2024-01-01T00:00..2024-02-01T00:00  NOTE = \"took <<A - 2024-01-01T00:00>>\" }",
            "expect reply text coalesce(max(runs.NOTE), \"none\")",
        ),
        ("", "expect reply text coalesce(max(jobs.V), \"none\")"),
        ("t = \"<<long>>\"\nrequire len(t) > 1", "expect reply number count(log)"),
    ] {
        let compiled = compile(declared, expect);
        if !compiled.diagnostics.is_empty() {
            wrong.push(format!("{declared}\n{expect}: {:#?}", compiled.diagnostics));
        } else if let Err(failure) = testing::make_instances(compiled.plan.as_ref().expect("a plan"), Options::new("7"))
        {
            wrong.push(format!("{declared}\n{expect}: {failure:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n{} in all",
        wrong.iter().take(12).map(String::as_str).collect::<Vec<_>>().join("\n"),
        wrong.len()
    );
}

/// An expected text that the encoding of its file cannot have is refused by the build.
#[test]
fn an_encoding_has_every_expected_letter() {
    let body = |expect: &str| {
        format!(
            "text motd at \"motd.txt\" encoding \"iso-8859-1\" = \"café\\n\"\nw : one_of [\"Ω\", \"Ж\"]\nprompt \"Change <<motd>> to <<w>>.\"\n{expect}"
        )
    };
    for (expect, is_good) in [
        ("expect file motd bytes replace(content(motd), \"café\", w)", false),
        ("expect file motd text w", false),
        ("expect file motd contains w", false),
        ("expect file motd bytes replace(content(motd), \"c\", \"é\")", true),
        ("expect file motd json { a: w }", true),
        ("expect file \"other.txt\" text w", true),
    ] {
        let compiled = testing::keep_errors(compile(&body(expect)));
        assert!(compiled.diagnostics.is_empty(), "{expect}: {:#?}", compiled.diagnostics);
        let made = testing::make_instances(compiled.plan.as_ref().expect("a plan"), Options::new("7"));
        assert_eq!(
            made.as_ref().err().map(|failure| failure.kind),
            (!is_good).then_some(FailureKind::NotRecoverable),
            "{expect}: {made:?}"
        );
    }
}

/// What a key says of how a file is read.
#[test]
fn keys_say_how_files_are_read() {
    let read = |body: &str| {
        let compiled = testing::keep_errors(compile(body));
        assert!(compiled.diagnostics.is_empty(), "{body}: {:#?}", compiled.diagnostics);
        let made = testing::make_instances(compiled.plan.as_ref().expect("a plan"), Options::new("7"))
            .expect("made")
            .remove(0);
        (made.expects[0].read.encoding.clone(), made.expects[0].read.database, made.expects[0].list_read_paths())
    };
    for encoding in ["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1", "iso-8859-15"] {
        let own = (encoding != "utf-8").then(|| encoding.to_owned());
        for file in [
            format!("text f at \"f.txt\" encoding \"{encoding}\" = \"x\\n\""),
            format!("text f at \"f.txt\" encoding \"{encoding}\" {{ rows 3  line \"<<A>>\"  A : int 1..9 }}"),
            format!("csv f at \"f.txt\" encoding \"{encoding}\" {{ rows 3  A : int 1..9 }}"),
        ] {
            for expect in [
                "file f bytes \"y\\n\"",
                "file \"f.txt\" text \"y\"",
                "file f contains \"y\"",
                "file f number 5",
                "file f list [1, 2]",
            ] {
                let found = read(&format!("{file}\nprompt \"Change <<f>>.\"\nexpect {expect}"));
                assert_eq!(found, (own.clone(), false, vec!["f.txt".to_owned()]), "{file} {expect}");
            }
            let found = read(&format!("{file}\nprompt \"Change <<f>>.\"\nexpect file \"g.txt\" text \"y\""));
            assert_eq!(found.0, None);
        }
    }
    // A file that is read as declared is written in the same encoding.
    let body =
        "csv f at \"f.csv\" encoding \"iso-8859-1\" from \"f.csv\"\nprompt \"Change <<f>>.\"\nexpect file f text \"y\"";
    let compiled =
        testing::keep_errors(testing::compile_with(&testing::build_suite_source("", body), &[("f.csv", b"A\n1\n")]));
    assert!(compiled.diagnostics.is_empty(), "{:#?}", compiled.diagnostics);
    let made =
        testing::make_instances(compiled.plan.as_ref().expect("a plan"), Options::new("7")).expect("made").remove(0);
    assert_eq!(made.expects[0].read.encoding.as_deref(), Some("iso-8859-1"));
    let sqlite = "sqlite f at \"f.data\" { table t { rows 3  A : serial } }\nprompt \"Look at <<f>>.\"";
    let beside = ["f.data", "f.data-wal", "f.data-journal"].map(str::to_owned).to_vec();
    assert_eq!(read(&format!("{sqlite}\nexpect file f unchanged")), (None, true, beside.clone()));
    assert_eq!(read(&format!("{sqlite}\nexpect file \"f.data\" unchanged")), (None, true, beside));
    assert_eq!(read(&format!("{sqlite}\nexpect file f bytes f")), (None, false, vec!["f.data".to_owned()]));
    assert!(!read("text f at \"f.txt\" = \"x\"\nprompt \"Look at <<f>>.\"\nexpect file f unchanged").1);
}
