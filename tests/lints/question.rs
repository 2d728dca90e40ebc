//! Lints on what the agent is told.

use super::{hold, said};

const HR: &str = "csv hr at \"hr.csv\" { rows 30 NAME : person_name DEPT : department PAY : int 30_000..90_000 }\n";

/// Bodies behind the CSV file `hr`.
fn with_hr(bodies: &[&str]) -> Vec<String> {
    bodies.iter().map(|body| format!("{HR}{body}")).collect()
}

fn hold_with_hr(lint: &str, caught: &[&str], right: &[&str]) {
    let (caught, right) = (with_hr(caught), with_hr(right));
    hold(
        lint,
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn unmentioned_file() {
    hold_with_hr(
        "unmentioned_file",
        &[
            r#"prompt "What is the highest PAY? Reply with the number only." expect reply number max(hr.PAY)"#,
            r#"best = max(hr.PAY) prompt "What is the highest PAY?" expect reply number best"#,
            r#"prompt "How many people earn more than 50000?" expect reply number <<value: SELECT COUNT(*) FROM hr WHERE PAY > 50000>>"#,
            r#"prompt "Write the highest PAY to <<sandbox>>/best.txt." expect file "best.txt" number max(hr.PAY)"#,
            r#"prompt one_of ["What is the highest PAY in <<hr>>?", "What is the highest PAY?"] expect reply number max(hr.PAY)"#,
            r#"prompt "What is the highest PAY?"
               variant told { prompt "Look into <<hr>>." expect reply number max(hr.PAY) }
               variant untold { prompt "Reply with the number." expect reply number max(hr.PAY) }"#,
            r#"csv other at "others.csv" { rows 5 N : int 1..9 }
               prompt "Add the sum of N to the highest PAY of <<hr>>." expect reply number max(hr.PAY) + sum(other.N)"#,
            r#"prompt "What does line 3 say?" expect reply text <<file_line: hr, 3>>"#,
        ],
        &[
            r#"prompt "What is the highest PAY in <<hr>>?" expect reply number max(hr.PAY)"#,
            r#"prompt "What is the highest PAY in hr.csv?" expect reply number max(hr.PAY)"#,
            r#"place = "the file <<hr>>" prompt "What is the highest PAY in <<place>>?" expect reply number max(hr.PAY)"#,
            r#"prompt "Look through all files. What is the highest PAY?" expect reply number max(hr.PAY)"#,
            r#"prompt "What is the highest PAY of the HR staff?" expect reply number max(hr.PAY)"#,
            r#"text note at "note.txt" = "Take the highest PAY of <<hr>>." prompt "Do what <<note>> says." expect reply number max(hr.PAY)"#,
            r#"names = join(list(hr.NAME), ", ") prompt "Which of these stands first: <<names>>?" expect reply text first(hr.NAME)"#,
            r#"prompt "What is the highest PAY?"
               variant a { prompt "Look into <<hr>>." expect reply number max(hr.PAY) }
               variant b { prompt "It stands in <<hr>>. Reply with the number." expect reply number max(hr.PAY) }"#,
            r#"allow unmentioned_file "to be found" prompt "What is the highest PAY?" expect reply number max(hr.PAY)"#,
            r#"dir : word csv other at "<<dir>>/others.csv" { rows 5 N : int 1..9 }
               prompt "Beside <<hr>>, in the data of <<dir>>: what is the sum of N?" expect reply number sum(other.N)"#,
        ],
    );
}

#[test]
fn unmentioned_output() {
    hold(
        "unmentioned_output",
        &[
            r#"a : word prompt "Write <<a>> to a file." expect file "answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to <<sandbox>>/answers.txt." expect file "answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to <<sandbox>>/Answer.txt." expect file "answer.txt" text a"#,
            r#"a, b : word prompt "Write <<a>> to <<sandbox>>/<<a>>.txt and not to another." expect file "<<b>>.txt" text a"#,
            r#"prompt "Create a.txt and b.txt." expect files ["a.txt", "c.txt"]"#,
            r#"prompt "Create the folder src and in it main.rs." expect tree ["src/", "src/main.rs", "docs/"]"#,
            r#"a : word prompt one_of ["Write <<a>> to word.txt.", "Write <<a>> down."] expect file "word.txt" text a"#,
            r#"a : word prompt "Take <<a>>."
               variant here { prompt "Write it to here.txt." expect file "here.txt" text a }
               variant there { prompt "Write it to here.txt." expect file "there.txt" text a }"#,
            r#"a : word prompt "Write <<a>> to `out/answer.txt`." expect file "answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to <<sandbox>>/out/answer.txt." expect file "answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to `answer.txt`." expect file "report/answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to `Report/answer.txt`." expect file "report/answer.txt" text a"#,
            r#"a : word text todo at "todo.txt" = "Write <<a>> to out/answer.txt." prompt "Do what <<todo>> says." expect file "answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to <<a>>.txt." expect file "report/<<a>>.txt" text a"#,
        ],
        &[
            r#"a : word prompt "Write <<a>> to <<sandbox>>/answer.txt." expect file "answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to `answer.txt` in the folder out." expect file "out/answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to `./answer.txt`." expect file "answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to out/answer.txt, then copy answer.txt to the top." expect file "answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to a/answer.txt." expect x: file "a/answer.txt" text a expect y: file "answer.txt" absent"#,
            r#"text old at "old/answer.txt" = "x" a : word prompt "Move <<old>> to the top, and write <<a>> in it." expect file "answer.txt" text a"#,
            r#"a : word prompt "For each day, write <<a>> to DAY/answer.txt: mon and tue." expect files ["mon/answer.txt", "tue/answer.txt"]"#,
            r#"a : word prompt "Write <<a>> to day1/a.txt, …, day5/a.txt." expect files ["day1/a.txt", "day3/a.txt"]"#,
            r#"a : word dir : word prompt "Write <<a>> to <<dir>>/answer.txt." expect file "<<dir>>/answer.txt" text a"#,
            r#"a : word prompt "Write <<a>> to /srv/out/answer.txt, which is answer.txt." expect file "answer.txt" text a"#,
            r#"a, b : distinct word prompt "Create <<a>>.log and <<b>>.log in <<sandbox>>." expect files ["<<a>>.log", "<<b>>.log"]"#,
            r#"a, b : distinct word layout = ["<<a>>/", "<<a>>/<<b>>.md"] prompt "Make this: <<tree(layout)>>" expect tree layout"#,
            r#"prompt "Create step1.txt to step5.txt." expect files ["step1.txt", "step3.txt", "step5.txt"]"#,
            r#"out = "answer.txt" a : word prompt "Write <<a>> to <<out>>." expect file "<<out>>" text a"#,
            r#"text note at "note.txt" = "old" a : word prompt "Replace what <<note>> says by <<a>>." expect file "<<note>>" text a"#,
            r#"text note at "note.txt" = "keep me" a : word prompt "Reply with <<a>>, and read <<note>>." expect reply text a expect file "other.txt" absent expect file "note.txt" unchanged"#,
            r#"a : word prompt "Write <<a>> to a text file named `answer`." expect file "answer.txt" text a"#,
            r#"a : word text todo at "todo.txt" = "Write <<a>> to answer.txt." prompt "Do what <<todo>> says." expect file "answer.txt" text a"#,
        ],
    );
    let said = said(r#"a : word prompt "Write <<a>> to cust.json." expect file "custs.json" text a"#);
    assert_eq!(
        said.first().map(|(_, message)| message.as_str()),
        Some("the prompt says `cust.json`, but `expect` reads `custs.json`")
    );
}

/// Every pair of a path in the prompt and a path in the key, from few folders: the lint comes exactly where an agent that writes the first
/// does not write the second.
#[test]
fn paths_of_prompt_and_key_are_compared_as_a_whole() {
    let folders = ["", "out/", "Out/", "data/", "out/data/", "data/out/"];
    let names = ["total.txt", "Total.txt", "sum.txt"];
    let mut wrong = Vec::new();
    for (number, (asked, read)) in pairs(&folders).enumerate() {
        for (written, expected) in [(names[number % 3], names[number % 3]), (names[number % 3], names[number % 2])] {
            for prompt in [
                format!("Write <<a>> to `{asked}{written}`."),
                format!("Write <<a>> to <<sandbox>>/{asked}{written}, please."),
                format!("Put <<a>> into ./{asked}{written}"),
            ] {
                let body = format!("a : word prompt \"{prompt}\" expect file \"{read}{expected}\" text a");
                let said = said(&body);
                let found = said.iter().any(|(name, _)| *name == "unmentioned_output");
                if found != (format!("{asked}{written}") != format!("{read}{expected}")) {
                    wrong.push(format!("{body}\n{said:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Every pair of these.
fn pairs<'a>(of: &'a [&'a str]) -> impl Iterator<Item = (&'a str, &'a str)> {
    of.iter().flat_map(move |one| of.iter().map(move |other| (*one, *other)))
}

/// Keys in every letter case, in every form in which a prompt shows a key: the lint comes exactly where the case differs.
#[test]
fn keys_of_prompt_and_answer_are_compared_exactly() {
    let mut wrong = Vec::new();
    for word in ["top", "total", "best_pay", "rowsSeen"] {
        let capital = word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect::<String>();
        let cases = [word.to_owned(), capital, word.to_uppercase(), word.to_lowercase()];
        let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
        for (asked, read) in pairs(&cases) {
            for prompt in [
                format!("Reply with JSON, the highest PAY in <<hr>> under the key `{asked}`."),
                format!("Reply with JSON like {{\\\"{asked}\\\": 1}}: the highest PAY in <<hr>>."),
                format!("Reply with JSON: '{asked}' is the highest PAY in <<hr>>."),
            ] {
                let body = format!("{HR}prompt \"{prompt}\" expect reply json {{ {read}: max(hr.PAY) }}");
                let said = said(&body);
                let found = said.iter().any(|(name, _)| *name == "unmentioned_key");
                if found != (asked != read) {
                    wrong.push(format!("{body}\n{said:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn untold_definition() {
    let ask =
        |prompt: &str, key: &str| format!("prompt \"{prompt} Reply with the number only.\" expect reply number {key}");
    let deviation = "coalesce(stdev(hr.PAY), 0) rounded 2";
    let population = "coalesce(pstdev(hr.PAY), 0) rounded 2";
    let share = "coalesce(quantile(hr.PAY, 0.9), 0) rounded 2";
    let sql = "<<value: SELECT COALESCE(STDEV(PAY), 0) FROM hr>> rounded 2";
    let caught = [
        ask("What is the standard deviation of PAY in <<hr>>, to 2 decimals?", deviation),
        ask("What is the standard deviation of PAY in <<hr>>, to 2 decimals?", population),
        ask("How large is the std of PAY in <<hr>>, to 2 decimals?", deviation),
        ask("What is the standard deviation of PAY in <<hr>>, to 2 decimals?", sql),
        ask("What is the 90th percentile of PAY in <<hr>>, to 2 decimals?", share),
        ask("What is the 0.9 quantile of PAY in <<hr>>, to 2 decimals?", share),
    ];
    let right = [
        ask("What is the sample standard deviation of PAY in <<hr>>, to 2 decimals?", deviation),
        ask("What is the population standard deviation of PAY in <<hr>>, to 2 decimals?", population),
        ask("What is the standard deviation of PAY in <<hr>> (divide by n - 1), to 2 decimals?", deviation),
        ask(
            "What is the standard deviation of PAY in <<hr>>, to 2 decimals?",
            "any_of [coalesce(stdev(hr.PAY), 0), coalesce(pstdev(hr.PAY), 0)] rounded 2",
        ),
        ask("What is the 90th percentile of PAY in <<hr>>, with linear interpolation, to 2 decimals?", share),
        ask("What is the mean of PAY in <<hr>>, to 2 decimals?", "avg(hr.PAY) rounded 2"),
    ];
    hold_with_hr(
        "untold_definition",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn columns_that_are_found_by_their_names() {
    const BY_DEPT: &str =
        "<<rows: SELECT DEPT, COUNT(*) AS PEOPLE, AVG(PAY) AS MEAN FROM hr GROUP BY DEPT ORDER BY PEOPLE DESC, DEPT>>";
    let ask = |prompt: &str, options: &str| format!("prompt \"{prompt}\" expect reply rows {BY_DEPT} {options}");
    let caught = [
        ask(
            "For each DEPT of <<hr>>, the number of rows and the MEAN of PAY, to 2 decimals.",
            "open rounded 2 in MEAN",
        ),
        ask("For each DEPT of <<hr>>, PEOPLE (its rows) and the average PAY, to 2 decimals.", "open rounded 2 in MEAN"),
        ask(
            "For each DEPT of <<hr>>, its number of rows, the most first, and MEAN, its PAY to 2 decimals.",
            "ordered by PEOPLE desc rounded 2 in MEAN",
        ),
        ask("A table of <<hr>>, for each DEPT.", "open rounded 2 in MEAN"),
        ask("A table of <<hr>> with DEPT, `persons`, and MEAN (of PAY, 2 decimals).", "open rounded 2 in MEAN"),
        ask(
            "A table of <<hr>> with DEPT, `persons`, and MEAN (of PAY, 2 decimals).",
            "open ordered by PEOPLE desc rounded 2 in MEAN",
        ),
    ];
    let right = [
        ask("For each DEPT of <<hr>>, PEOPLE (its rows) and MEAN (of PAY, 2 decimals).", "open rounded 2 in MEAN"),
        ask("For each DEPT of <<hr>>, people (its rows) and mean (of PAY, 2 decimals).", "open rounded 2 in MEAN"),
        ask("For each DEPT of <<hr>>, its number of rows and its average PAY, 2 decimals.", "rounded 2 in MEAN"),
        ask(
            "For each dept of <<hr>>, PEOPLE (its rows), most first, and the MEAN, 2 decimals.",
            "ordered by PEOPLE desc rounded 2 in MEAN",
        ),
        ask(
            "For each DEPT of <<hr>>, PEOPLE (its rows), most first, and the average, 2 decimals.",
            "ordered by PEOPLE desc rounded 2 in MEAN",
        ),
        ask(
            "Columns DEPT, PEOPLE, MEAN for <<hr>>: PEOPLE are the rows, MEAN is of PAY, 2 decimals.",
            "open ordered by PEOPLE desc rounded 2 in MEAN",
        ),
    ];
    hold_with_hr(
        "unmentioned_key",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn unmentioned_key() {
    hold_with_hr(
        "unmentioned_key",
        &[
            r#"prompt "Reply with a JSON object: the highest PAY in <<hr>>." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON: `best`, the highest PAY in <<hr>>, and the lowest." expect reply json { best: max(hr.PAY), worst: min(hr.PAY) }"#,
            r#"prompt "Reply with JSON: `pay`, an object of the highest PAY in <<hr>>." expect reply json { pay: { best: max(hr.PAY) } }"#,
            r#"all = { best: max(hr.PAY) } prompt "Reply with JSON: the highest PAY in <<hr>>." expect reply json all"#,
            r#"prompt "Write JSON with the key num_order to a.json: rows of <<hr>>." expect file "a.json" json { num_orders: count(hr) }"#,
            r#"prompt "Is there anybody in <<hr>>? Reply with JSON." expect reply json { there: true, rows_seen: count(hr) }"#,
            r#"prompt "Reply with a JSON array of an object each: the highest PAY in <<hr>>." expect reply json [{ best: max(hr.PAY) }]"#,
            r#"prompt "Reply with a JSON object: the highest PAY in <<hr>>." expect reply at "$.best" number max(hr.PAY)"#,
            r#"prompt "Reply with JSON: `pay`, an object of the highest PAY in <<hr>>." expect reply at "$.pay.best" number max(hr.PAY)"#,
            r#"prompt "Write JSON to a.json: the highest PAY in <<hr>>." expect file "a.json" at "$['best']" number max(hr.PAY)"#,
            r#"prompt "Reply with JSON: `best`, the highest PAY in <<hr>>, and the lowest." expect a: reply at "$.best" number max(hr.PAY) expect b: reply at "$.worst" number min(hr.PAY)"#,
            r#"prompt "Reply with JSON: `Best`, the highest PAY in <<hr>>." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON with the key `Top`: the top PAY in <<hr>>." expect reply json { top: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON like {\"Top\": 1}: the top PAY in <<hr>>." expect reply json { top: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON, the highest PAY in <<hr>> as \"Top\"." expect reply at "$.top" number max(hr.PAY)"#,
        ],
        &[
            r#"prompt "Reply with a JSON object: `best`, the highest PAY in <<hr>>." expect reply at "$.best" number max(hr.PAY)"#,
            r#"prompt "Reply with a JSON array: the highest PAY in <<hr>>, and the lowest." expect a: reply at "$[0]" number max(hr.PAY) expect b: reply at "$[1]" number min(hr.PAY)"#,
            r#"json conf at "conf.json" = { limit: 7 } prompt "Double the number in <<conf>>. There are <<hr>>." expect file conf at "$.limit" number 14"#,
            r#"prompt "Reply with JSON: `best`, the highest PAY in <<hr>>." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON that has the best PAY of <<hr>>." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Best of PAY in <<hr>> is wanted, in JSON." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "JSON with the key `pay`: the highest `PAY` in <<hr>>." expect reply json { pay: max(hr.PAY) }"#,
            r#"prompt "JSON with the key pay: the highest of the keys `PAY` in <<hr>>." expect reply json { pay: max(hr.PAY) }"#,
            r#"prompt "Count the \"Paid\" rows of <<hr>> in JSON, key paid: those with PAY." expect reply json { paid: count(hr) }"#,
            r#"keys = ["best", "worst"] prompt "Reply with JSON of <<keys>> PAY in <<hr>>." expect reply json { best: max(hr.PAY), worst: min(hr.PAY) }"#,
            r#"prompt "Reply with the first row of <<hr>> as JSON." expect reply json { NAME: first(hr.NAME), DEPT: first(hr.DEPT), PAY: first(hr.PAY) }"#,
            r#"form = "{\"best\": …}" prompt "Reply in this form: <<form>>, with the highest PAY of <<hr>>." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Reply with a JSON array of the PAY in <<hr>>." expect reply json list(hr.PAY)"#,
            r#"prompt "Reply with a JSON object of `best`: the highest PAY, or of `most`, from <<hr>>." expect reply json any_of [{ best: max(hr.PAY) }, { top: max(hr.PAY) }]"#,
        ],
    );
}

#[test]
fn unexpected_key() {
    hold_with_hr(
        "unexpected_key",
        &[
            r#"prompt "Reply with JSON about <<hr>>: `best` (the highest PAY) and `worst`." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON about <<hr>> with the fields best, worst and rows." expect reply json { best: max(hr.PAY), rows: count(hr) }"#,
            r#"prompt "Reply with JSON like {\"best\": 1, \"more\": {\"worst\": 2}} about <<hr>>." expect reply json { best: max(hr.PAY), more: {} }"#,
            "prompt \"\"\"\n  Write a.json about <<hr>>:\n  1. `best`: the highest PAY\n  2. `worst`: the lowest\n  \"\"\" expect file \"a.json\" json { best: max(hr.PAY) }",
            r#"all = { best: max(hr.PAY) } prompt "Reply with JSON about <<hr>>: 'best' and 'worst'." expect reply json all"#,
            r#"prompt "Reply with JSON about <<hr>>: an array of `DEPT` and `people` and `share`." expect reply json <<rows: SELECT DEPT, COUNT(*) AS people FROM hr GROUP BY DEPT ORDER BY DEPT>>"#,
            r#"prompt "Reply with JSON objects about <<hr>>: `best`, `worst`." expect reply list [{ best: max(hr.PAY) }]"#,
        ],
        &[
            r#"prompt "Reply with JSON about <<hr>>: `best` (the highest PAY) and `worst`." expect reply json { best: max(hr.PAY) } open"#,
            r#"prompt "Reply with JSON about <<hr>>: `best` and `worst`." expect reply json { best: max(hr.PAY), worst: min(hr.PAY) }"#,
            r#"prompt "Reply with JSON: `best` of PAY in <<hr>>, over NAME, DEPT." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON: `best`, the highest of `PAY` and `NAME`, in <<hr>>." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "The keys of <<hr>> are `NAME` and `PAY`. Reply with JSON: `best`." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON with the key best and nothing else, about PAY in <<hr>>." expect reply json { best: max(hr.PAY) }"#,
            r#"prompt "Reply with JSON: `best` or `most` of PAY in <<hr>>." expect reply json any_of [{ best: max(hr.PAY) }, { most: max(hr.PAY) }]"#,
            r#"extra : one_of ["x", "y"] prompt "Reply with JSON: `best` of PAY in <<hr>>, and `<<extra>>`." expect reply json { best: max(hr.PAY) }"#,
        ],
    );
}

#[test]
fn leaked_answer() {
    hold_with_hr(
        "leaked_answer",
        &[
            r#"best = max(hr.PAY) prompt "Somebody in <<hr>> has <<best>>. What is the highest PAY?" expect reply number best"#,
            r#"prompt "In <<hr>> the highest is <<max(hr.PAY)>>. What is it?" expect reply number max(hr.PAY)"#,
            r#"best = max(hr.PAY) prompt "In <<hr>> the highest is <<max(hr.PAY)>>. What is it?" expect reply number best"#,
            r#"best = max(hr.PAY) hint = "it is <<best>>" prompt "In <<hr>>, what is the highest? A hint: <<hint>>." expect reply number best"#,
            r#"best = max(hr.PAY) prompt "In <<hr>>, <<best>> is highest. Reply with JSON: `best` and `worst`." expect reply json { best: best, worst: min(hr.PAY) }"#,
            r#"who : ref hr.NAME prompt "In <<hr>> there is <<who>>. Who is it?" expect reply text who"#,
            r#"code : pattern "[A-Z]{5}" text letter at "letter.txt" = "The code is <<code>>." prompt "<<letter>> tells the code <<code>>; which is it? Rows of <<hr>> do not matter." expect reply text code"#,
        ],
        &[
            r#"best = max(hr.PAY) prompt "What is the highest PAY in <<hr>>?" expect reply number best"#,
            r#"dept : department prompt "How many of <<dept>> are in <<hr>>? Reply with JSON: `dept`, `rows`." expect reply json { dept: dept, rows: count(hr where DEPT == dept) }"#,
            r#"a : word prompt "Beside <<hr>>, reply with <<a>>." expect reply text a"#,
            r#"who, other : ref hr.NAME require who != other prompt "Who of <<who>> and <<other>> earns more, by <<hr>>?" expect reply text who"#,
            r#"best = max(hr.PAY) prompt "In <<hr>> the highest PAY has <<len("<<best>>")>> digits. What is it?" expect reply number best"#,
            r#"best = max(hr.PAY) worst = min(hr.PAY) prompt "In <<hr>>, which is the highest: <<best>> or <<worst>>?" expect reply number best"#,
            r#"prompt "In <<hr>>, who earns less than <<max(hr.PAY)>>? One a line." expect reply list list(hr.NAME where PAY < 90_000)"#,
        ],
    );
    assert_eq!(said("a : word prompt \"Say <<a>>.\" expect reply text a"), []);
}

#[test]
fn ambiguous_precision() {
    hold_with_hr(
        "ambiguous_precision",
        &[
            r#"prompt "What is the average PAY in <<hr>>?" expect reply number avg(hr.PAY)"#,
            r#"share = count(hr where PAY > 50_000) / count(hr) prompt "Which share of <<hr>> earns more than 50000?" expect reply number share"#,
            r#"prompt "Reply with JSON: `mean` of PAY in <<hr>>." expect reply json { mean: avg(hr.PAY) }"#,
            r#"prompt "Reply with JSON: `mean` and `sum` of PAY in <<hr>>." expect reply json { mean: avg(hr.PAY), sum: sum(hr.PAY) within 1 }"#,
            r#"mean = <<value: SELECT AVG(PAY) FROM hr>> require mean != null prompt "What is the mean of PAY in <<hr>>?" expect reply number mean"#,
            r#"prompt "What are the mean PAY and its half in <<hr>>? One a line." expect reply list [avg(hr.PAY), avg(hr.PAY) / 2]"#,
            r#"prompt "For each DEPT of <<hr>>: the mean PAY, as CSV." expect reply rows <<rows: SELECT DEPT, AVG(PAY) AS MEAN FROM hr GROUP BY DEPT>>"#,
            r#"prompt "What is the average PAY?"
               variant a { prompt "Look into <<hr>>, 2 decimals." expect reply number avg(hr.PAY) rounded 2 }
               variant b { prompt "Look into <<hr>>." expect reply number avg(hr.PAY) }"#,
        ],
        &[
            r#"prompt "What is the average PAY in <<hr>>?" expect reply number avg(hr.PAY) within 0.01"#,
            r#"prompt "What is the average PAY in <<hr>>?" expect reply number avg(hr.PAY) rounded 2"#,
            r#"prompt "Reply with JSON: `mean` of PAY in <<hr>>." expect reply json { mean: avg(hr.PAY) } within 1%"#,
            r#"prompt "What is half of the sum of PAY in <<hr>>?" expect reply number sum(hr.PAY) / 2"#,
            r#"prompt "What is the median PAY in <<hr>>?" expect reply number median(hr.PAY)"#,
            r#"prompt "What is the average PAY in <<hr>>? Take it down to the next thousand." expect reply number floor(avg(hr.PAY) / 1000) * 1000"#,
            r#"prompt "What is the average PAY in <<hr>>? Round half up." expect reply number round(avg(hr.PAY), 2)"#,
            r#"prompt "What is the sum of PAY in <<hr>>?" expect reply number sum(hr.PAY)"#,
        ],
    );
}

#[test]
fn unshared_rounding() {
    // The mean of 40 whole numbers can be halfway between two cents; that of 30 cannot.
    let with_forty = |bodies: &[&str]| -> Vec<String> {
        bodies.iter().map(|body| format!("{}{body}", HR.replace("rows 30", "rows 40"))).collect()
    };
    let (caught, right) = (
        with_forty(&[
            r#"prompt "What is the average PAY in <<hr>>, rounded to 2 decimals?" expect reply number round(avg(hr.PAY), 2)"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded to 2 decimals?" expect reply number <<value: SELECT ROUND(AVG(PAY), 2) FROM hr>>"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded to 2 decimals?" expect reply number avg(hr.PAY)"#,
            r#"mean = round(avg(hr.PAY), 1) prompt "What is the average PAY in <<hr>>?" expect reply number mean"#,
            r#"prompt "Reply with JSON: the `mean` of PAY in <<hr>> to 2 decimals, and the `sum`." expect reply json { mean: avg(hr.PAY), sum: sum(hr.PAY) }"#,
            r#"prompt "Reply with JSON: the `mean` of PAY in <<hr>>." expect reply json { mean: coalesce(round(avg(hr.PAY), 2), 0.00) }"#,
            r#"prompt "For each DEPT of <<hr>>: the mean PAY with 1 decimal, as CSV." expect reply rows <<rows: SELECT DEPT, ROUND(AVG(PAY), 1) AS MEAN FROM hr GROUP BY DEPT>>"#,
            r#"prompt "Which share of <<hr>> earns more than 50000? As 0.00." expect reply number count(hr where PAY > 50_000) / count(hr)"#,
            r#"prompt "One a line: PAY of <<hr>> a month, rounded." expect reply list list(round(hr.PAY * 0.0833, 2))"#,
            r#"prompt "Reply with JSON: the `mean` of PAY in <<hr>> to 2 decimals." expect reply at "$.mean" number avg(hr.PAY)"#,
        ]),
        with_forty(&[
            r#"prompt "What is the average PAY in <<hr>>, rounded to 2 decimals?" expect reply number avg(hr.PAY) graded"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded to 2 decimals?" expect reply number round(avg(hr.PAY), 2) graded"#,
            r#"prompt "One a line: PAY of <<hr>> a month, rounded." expect reply list list(round(hr.PAY * 0.0833, 2)) graded above 0.9"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded to 2 decimals?" expect reply number avg(hr.PAY) rounded 2"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded to 2 decimals?" expect reply number round(avg(hr.PAY), 2) within 0.01"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded half up to 2 decimals?" expect reply number round(avg(hr.PAY), 2)"#,
            r#"prompt "Reply with JSON: the `mean` of PAY in <<hr>> to 2 decimals." expect reply json { mean: avg(hr.PAY) } rounded 2"#,
            r#"prompt "What is the sum of PAY in <<hr>>, rounded to a whole number?" expect reply number sum(hr.PAY)"#,
            r#"prompt "What is the sum of PAY in <<hr>>?" expect reply number round(sum(hr.PAY), 2)"#,
            r#"prompt "What is half of the sum of PAY in <<hr>>, with 1 decimal?" expect reply number sum(hr.PAY) / 2"#,
            r#"prompt "How many in <<hr>> have a PAY above the average, rounded?" expect reply number count(hr where PAY > round(avg(hr.PAY), 0))"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded down?" expect reply number floor(avg(hr.PAY))"#,
        ]),
    );
    hold(
        "unshared_rounding",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn punctuated_word() {
    hold(
        "punctuated_word",
        &[
            r#"text t at "t.txt" : lorem lines 20 prompt "Which is word 30 of <<t>>?" expect reply text <<file_word: t, 30>>"#,
            r#"text t at "t.txt" : lorem sentences 9 prompt "Which is word 8 of <<t>>?" expect reply text <<file_word: t, 8>>"#,
            r#"text t at "t.txt" : lorem paragraphs 2..4 w = file_word(t, 20) prompt "Which is word 20 of <<t>>?" expect reply text w"#,
            r#"n : int 1..40 text t at "t.txt" : lorem lines 20 prompt "Which is word <<n>> of <<t>>?" expect reply text <<file_word: t, n>>"#,
            r#"text t at "t.txt" : lorem lines 20 prompt "Write word 30 of <<t>> to w.txt." expect file "w.txt" text <<file_word: t, 30>>"#,
            r#"text t at "t.txt" : lorem lines 20 prompt "Which is word 30 of <<t>>, in small letters?" expect reply text lower(file_word(t, 30))"#,
            r#"text t at "t.txt" : lorem lines 20 prompt "Which is word 30 of <<t>>?" expect reply text <<file_word: t, 30>> ignore case"#,
        ],
        &[
            r#"text t at "t.txt" : lorem words 60 prompt "Which is word 30 of <<t>>?" expect reply text <<file_word: t, 30>>"#,
            r#"text t at "t.txt" : lorem lines 20 prompt "Which is word 30 of <<t>>?" expect reply text <<file_word: t, 30>> ignore punctuation"#,
            r#"text t at "t.txt" : lorem lines 20 prompt "Which is word 7 of <<t>>?" expect reply text <<file_word: t, 7>>"#,
            r#"text t at "t.txt" : lorem lines 20 prompt "Which is line 7 of <<t>>?" expect reply text <<file_line: t, 7>>"#,
            r#"text t at "t.txt" : lorem lines 20 prompt "Which is word 30 of <<t>>? Keep its punctuation." expect reply text <<file_word: t, 30>>"#,
            r#"text t at "t.txt" : lorem lines 20 prompt "Say a word that stands in word 30 of <<t>>." expect reply contains <<file_word: t, 30>>"#,
            r#"a : word text t at "t.txt" = "one two <<a>> four" prompt "Which is word 3 of <<t>>?" expect reply text <<file_word: t, 3>>"#,
        ],
    );
}

#[test]
fn nothing_expected() {
    hold(
        "nothing_expected",
        &[
            r#"a : word prompt "Say <<a>>." expect file "x.txt" absent"#,
            r#"text t at "t.txt" = "keep" prompt "Leave <<t>> as it is." expect file "t.txt" unchanged"#,
            r#"text t at "t.txt" = "keep" prompt "Make <<t>>." expect file "t.txt" exists"#,
            r#"text t at "d/t.txt" = "keep" prompt "Make the folder d with <<t>>." expect tree ["d/", "d/t.txt"]"#,
            r#"text t at "t.txt" = "keep" prompt "Leave <<t>>, make no x.txt." expect file "t.txt" unchanged expect file "x.txt" absent"#,
            r#"folder "logs" prompt "Make the folder logs." expect tree ["logs/"]"#,
            r#"text t at "t.txt" = "keep" prompt "Keep <<t>>, make no other files." expect tree only []"#,
            r#"text t at "t.txt" = "keep" prompt "Keep <<t>>, make no other files." expect tree only ["t.txt"]"#,
            r#"text t at "t.txt" = "keep" prompt "Let <<t>> be." expect file "<<t>>" text content(t)"#,
            r#"text t at "t.txt" = "keep" prompt "Let <<t>> be." expect tree unchanged"#,
            r#"text t at "t.txt" = "keep" prompt "Let <<t>> be, but you may write to `out/`." expect tree unchanged except ["out/"]"#,
            r#"text t at "t.txt" = "keep" prompt "Read <<t>>."
               variant a { prompt "Keep it." expect file "t.txt" unchanged }
               variant b { prompt "Say keep." expect reply text "keep" }"#,
        ],
        &[
            r#"text t at "t.txt" = "go" prompt "Delete <<t>>." expect file "t.txt" absent"#,
            r#"text t at "t.txt" = "keep" a : word prompt "Say <<a>>, and keep <<t>>." expect reply text a expect file "t.txt" unchanged"#,
            r#"a : word prompt "Create <<a>>.txt." expect file "<<a>>.txt" exists"#,
            r#"a : word text t at "<<a>>.txt" = "go" prompt "Delete <<t>>, so that t.txt is not there." expect file "<<t>>" absent"#,
            r#"a : word text t at "<<a>>.txt" = "go" prompt "Delete notes.txt, if <<t>> is it." expect file "notes.txt" absent"#,
            r#"folder "logs" prompt "Make a file a.log in logs." expect tree ["logs/", "logs/a.log"]"#,
            r#"folder "logs" prompt "Make a file a.log in logs, and no other." expect tree only ["logs/a.log"]"#,
            r#"a : word prompt "Say <<a>>." expect reply contains a"#,
            r#"text t at "t.txt" = "keep" a : word prompt "Say <<a>>, and keep <<t>>." expect reply text a expect tree unchanged gate"#,
            r#"none = [] prompt "List nothing." expect reply list none"#,
            r#"text t at "d/t.txt" = "go" prompt "Delete the folder d with <<t>>." expect file "d" absent"#,
        ],
    );
}

#[test]
fn may_collide() {
    const ONE: &str = r#"prompt "Say ok, with <<x>> and <<y>> at hand." expect reply text "ok""#;
    let with = |body: &str| format!("{body} {ONE}");
    let caught = [
        with(r#"a, b : word text x at "<<a>>.log" = "x" text y at "<<b>>.log" = "y""#),
        with(r#"a, b : int 1..9 text x at "d/<<a>>.log" = "x" text y at "D/<<b>>.LOG" = "y""#),
        with(r#"a, b : word text x at "<<a>>/x.log" = "x" text y at "<<b>>/x.log" = "y""#),
        with(r#"a : one_of ["notes", "todo"] text x at "<<a>>.txt" = "x" text y at "Notes.txt" = "y""#),
        with(r#"a, b : distinct one_of ["Ada", "ada", "eve"] text x at "<<a>>.log" = "x" text y at "<<b>>.log" = "y""#),
        with(r#"a : one_of ["u", "v"] b : one_of ["v", "w"] text x at "<<a>>" = "x" text y at "<<b>>" = "y""#),
        with(r#"a, b : word text x at "<<a>>" = "x" text y at "<<b>>/y.log" = "y""#),
        r#"a, b : word prompt "Create <<a>>.log and <<b>>.log." expect files ["<<a>>.log", "<<b>>.log"]"#.to_owned(),
        r#"a, b : word text x at "<<a>>.txt" = "x" prompt "Copy <<x>> to <<b>>.txt." expect file "<<b>>.txt" text "x""#
            .to_owned(),
    ];
    let right = [
        with(r#"a, b : distinct word text x at "<<a>>.log" = "x" text y at "<<b>>.log" = "y""#),
        with(r#"a, b : word text x at "<<a>>.log" = "x" text y at "<<b>>.txt" = "y""#),
        with(r#"a, b : word require a != b text x at "<<a>>.log" = "x" text y at "<<b>>.log" = "y""#),
        with(r#"a : word b : word except a text x at "<<a>>.log" = "x" text y at "<<b>>.log" = "y""#),
        with(r#"a : word text x at "<<a>>/x.log" = "x" text y at "<<a>>/y.log" = "y""#),
        with(r#"a : word except "notes" text x at "<<a>>.log" = "x" text y at "notes.log" = "y""#),
        with(r#"a : one_of ["u", "v"] b : one_of ["w", "z"] text x at "<<a>>" = "x" text y at "<<b>>" = "y""#),
        with(r#"a : int 1..9 b : word text x at "<<a>>.log" = "x" text y at "<<b>>.log" = "y""#),
        r#"text x at "x.txt" = "x" a : word prompt "Write <<a>> over <<x>>." expect file "<<x>>" text a"#.to_owned(),
    ];
    hold(
        "may_collide",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

/// Names of names that double each time: the lints give up, and say nothing that they have not seen.
#[test]
fn names_that_double_take_no_time() {
    let mut body = String::from("a : word b : int 1..9 t0 = \"<<a>>\" n0 = b / 3 o0 = [a]\n");
    for at in 1..40 {
        let last = at - 1;
        body.push_str(&format!("t{at} = \"<<t{last}>><<t{last}>>\" n{at} = n{last} + n{last}\n"));
    }
    let tell = "prompt \"<<t39>> <<o0>>\" expect file \"<<t39>>.txt\" json { k: n39 } expect reply number b";
    let names: Vec<&str> = said(&format!("{body}{tell}")).iter().map(|(name, _)| *name).collect();
    assert!(names.iter().all(|name| *name == "unused_name"), "{names:?}");
}
