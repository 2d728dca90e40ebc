//! Labels, marks, orders, and replies that say something else than the key, in the words of several trades.

use super::{hold, hold_also, said_by};

#[test]
fn labels_on_the_wrong_values() {
    let rows = |axis: &str, rows: &str| {
        format!(
            r#"axis herd = {axis} csv t at "t.csv" {{ rows {rows}  A : int 1..99 }} a : int 1..9 prompt "How many A in <<t>> are above <<a>>? Number only." expect reply number count(t where A > a)"#
        )
    };
    let share = |axis: &str| {
        format!(
            r#"axis mess = {axis} csv t at "t.csv" {{ rows 40  A : int 1..99 blank mess% }} a : int 1..9 prompt "How many A in <<t>> are above <<a>>? Leave out empty ones. Number only." expect reply number count(t where A > a)"#
        )
    };
    let caught = [
        rows("{ small: 3_000, large: 60 }", "herd"),
        rows("{ s: 60, m: 6_000, l: 600 }", "herd"),
        rows("{ few: 900, many: 30 }", "herd..herd * 2"),
        rows("{ short_log: 500, long_log: 50 }", "herd + 5"),
        rows("{ rows_60: 600, rows_600: 60 }", "herd"),
        rows("{ low: 200, high: 20 }", "herd * 2"),
        share("{ clean: 25, messy: 0 }"),
    ];
    let right = [
        rows("{ small: 60, large: 3_000 }", "herd"),
        rows("{ large: 3_000, small: 60 }", "herd"),
        rows("{ s: 60, m: 600, l: 6_000 }", "herd"),
        rows("{ low: 200, high: 20 }", "4000 - herd"),
        rows("{ y2023: 24, y2024: 23 }", "herd"),
        rows("{ easy: 300, hard: 30 }", "herd"),
        share("{ clean: 0, messy: 25 }"),
    ];
    hold("idle_axis", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn a_size_that_no_file_shows() {
    let task = |filter: &str, key: &str| {
        format!(
            r#"axis size = {{ small: 60, medium: 600 }} zone : one_of ["cold", "dry"] table store {{ rows size ID : serial ZONE : one_of ["cold", "dry"] PIECES : int 1..90 }}
            csv stock at "stock.csv" from store where {filter} {{ Item = ID Zone = ZONE Pieces = PIECES }}
            prompt "How many Pieces are in the Zone <<zone>> of <<stock>>? Reply with the number only." expect reply number coalesce({key}, 0)"#
        )
    };
    let of_file = "sum(stock.Pieces where Zone == zone)";
    let caught = [task("ID <= 50", of_file), task("ID < 61", of_file), task("60 >= ID and PIECES > 3", of_file)];
    let right = [
        task("ID <= 100", of_file),
        task("ID <= size", of_file),
        task("PIECES <= 50", of_file),
        task("ID >= 50", of_file),
    ];
    hold_also("idle_axis", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn marks_that_the_file_does_not_have() {
    let task = |style: &str, prompt: &str| {
        format!(
            r#"table projects {{ rows 60 NO : serial BOSS : last_name blank 25% HOURS : int 4..60 }} csv export at "p.csv" from projects {{ Project = NO Hours = HOURS Supervisor = BOSS {style} }}
            prompt "<<export>> lists projects. {prompt} Reply with the number only." expect reply number coalesce(sum(projects.HOURS where BOSS == null), 0)"#
        )
    };
    let marked = r#"as missing ["-", "?"]"#;
    let caught = [
        task(marked, "Where the Supervisor is n/a, nobody is responsible. How many Hours are that?"),
        task(marked, "How many Hours have the projects whose Supervisor is `none`?"),
        task("", "A Supervisor of N/A is one who is not known. How many Hours are these?"),
        task(r#"as missing ["n/a"]"#, "How many Hours have the projects with `-` as Supervisor?"),
        task(marked, "How many Hours have the projects where the Supervisor is empty?"),
        task(r#"as missing ["tba"]"#, "How many Hours have the projects with an empty Supervisor?"),
    ];
    let right = [
        task(marked, "Where the Supervisor is `-` or `?`, nobody is responsible. How many Hours are that?"),
        task(r#"as missing ["N/A"]"#, "Where the Supervisor is n/a, nobody is responsible. How many Hours are that?"),
        task("", "How many Hours have the projects where the Supervisor is empty?"),
        task(r#"as missing ["-", ""]"#, "How many Hours have the projects with an empty Supervisor?"),
        task(
            marked,
            "How many Hours have the projects without a Supervisor? If there are none, the answer is 0, not n/a.",
        ),
        task(marked, "How many Hours have the projects whose Supervisor is missing?"),
    ];
    hold("other_mark", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn arrays_without_an_order() {
    let task = |key: &str, prompt: &str| {
        format!(
            r#"y : ref t.YEAR csv t at "t.csv" {{ rows 60 LABEL : company YEAR : int 1968..1979 COPIES : int 1..90 }} prompt "{prompt} The reply is a JSON object with `labels` and `n`, and nothing else." expect reply json {{ labels: {key}, n: count(t where YEAR == y) }}"#
        )
    };
    let asks = "Which different LABELs does <<t>> have in the YEAR <<y>>, and how many rows are these?";
    let seen = "dedupe(list(t.LABEL where YEAR == y))";
    let caught = [
        task(seen, asks),
        task(
            seen,
            "`labels` is an array of the LABELs of <<t>> in the YEAR <<y>>, each once, and `n` counts the rows.",
        ),
        task("dedupe(list(t.COPIES where YEAR == y))", asks),
    ];
    let right = [
        task(&format!("{seen} unordered"), asks),
        task("sort(dedupe(list(t.LABEL where YEAR == y)))", &format!("{asks} Sort them alphabetically.")),
        task(seen, &format!("{asks} Keep the order of the file.")),
        task(seen, &format!("{asks} List each where it appears first.")),
        task("list(t.COPIES where YEAR == y)", asks),
    ];
    hold_also("other_order", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn means_of_nulls_as_zero() {
    let sun = |prompt: &str| {
        format!(
            r#"csv sun at "sun.csv" {{ rows 60 FARM : one_of ["a", "b"] SUN_H : decimal 0.0..15.5 blank 18% RAIN : int 0..9 }} mean = <<value: SELECT AVG(COALESCE(SUN_H, 0)) FROM sun WHERE FARM = 'a'>> require mean != null prompt "{prompt} Reply with the number only, with two decimals." expect reply number mean rounded 2"#
        )
    };
    let tips = |prompt: &str| {
        format!(
            r#"csv tips at "tips.csv" {{ rows 60 TIP : int 1..25 blank 30% BILL : int 9..90 }} prompt "{prompt} Reply with the number only, with two decimals." expect reply number coalesce(avg(coalesce(tips.TIP, 0)), 0) rounded 2"#
        )
    };
    let caught = [
        sun(
            "What is the mean of the measured SUN_H of farm a in <<sun>>? An empty cell means that the recorder was off.",
        ),
        sun("What is the average SUN_H of farm a in <<sun>>?"),
        sun("What is the mean SUN_H of farm a in <<sun>>? Where it is empty, nothing was measured."),
        tips("What is the mean TIP in <<tips>>?"),
        tips("What is the average of the TIPs that were noted in <<tips>>?"),
        tips("What is the mean TIP in <<tips>>? Guests who paid by card have an empty TIP."),
    ];
    let right = [
        sun("What is the mean SUN_H of farm a in <<sun>>? An empty cell counts as 0."),
        sun("What is the mean SUN_H of farm a in <<sun>>? An empty cell means that there was no sun."),
        tips("What is the mean TIP in <<tips>>? An empty TIP is zero."),
        tips("What is the mean TIP in <<tips>>? Guests without a TIP gave nothing."),
        sun("What is the mean SUN_H of farm a in <<sun>>? Nobody saw the sun where it is empty."),
        sun("")
            .replace("AVG(COALESCE(SUN_H, 0))", "AVG(COALESCE(RAIN, 0))")
            .replace("prompt \"", "prompt \"What is the mean RAIN of farm a in <<sun>>?"),
    ];
    hold("nulls_left_out", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn replies_of_the_task_and_of_a_variant() {
    let task = |common: &str, own: &str, expects: &str| {
        format!(
            r#"csv t at "t.csv" {{ rows 20 NAME : unique last_name A : unique int 1..99 }} n = max(t.A) name = first(t.NAME where A == n) prompt "{common}" variant direct {{ prompt "Write no file." expect reply text name }} variant filed {{ prompt "{own}" {expects} }}"#
        )
    };
    let done = r#"expect file "n.txt" text name expect reply text "done""#;
    let write = "Write it to <<sandbox>>/n.txt, and reply with the word done.";
    let codes = |body: &str| {
        said_by("other_form", body)
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| *name == "other_form")
            .collect::<Vec<_>>()
    };
    for common in [
        "Who has the largest A in <<t>>? Reply with the NAME and nothing else.",
        "Who has the largest A in <<t>>? Reply with just the NAME.",
        "Who has the largest A in <<t>>? Answer only with the NAME.",
    ] {
        assert_eq!(codes(&task(common, write, done)), ["other_form"], "{common}");
    }
    for (common, own) in [
        ("Who has the largest A in <<t>>?", write),
        ("Who has the largest A in <<t>>? Reply with one word only.", write),
        (
            "Who has the largest A in <<t>>?",
            "Write the NAME only to <<sandbox>>/n.txt. Reply with the word done and nothing else.",
        ),
        ("Who has the largest A in <<t>>? If there are several, reply with the first NAME only.", write),
    ] {
        assert_eq!(codes(&task(common, own, done)), [""; 0], "{common} {own}");
    }
    let number = |own: &str| {
        format!(
            r#"csv t at "t.csv" {{ rows 9..20 A : int 1..9 }} n = count(t where A > 5) prompt "How many A in <<t>> are above 5? {own}" expect reply number n"#
        )
    };
    assert_eq!(codes(&number("Reply with the word done.")), ["other_form"]);
    assert_eq!(codes(&number("Reply with the number.")), [""; 0]);
    assert_eq!(codes(&number("Reply with the number. If the file is broken, reply with the word broken.")), [""; 0]);
}

#[test]
fn a_require_on_the_other_rows() {
    let task = |require: &str, key: &str| {
        format!(
            r#"csv claims at "c.csv" {{ rows 55..70 CLAIM : serial DENIED : bool 9% }} denied = count(claims where DENIED) granted = count(claims) - denied {require}
            prompt "How many claims in <<claims>> were granted (DENIED is false) for each one that was denied? Reply with the number, rounded to two decimals." expect reply number {key} rounded 2"#
        )
    };
    let caught = [
        task("require granted > 0", "granted / denied"),
        task("require count(claims) - denied >= 10", "granted / denied"),
        task("", "granted / denied"),
    ];
    let right = [
        task("require denied > 0", "granted / denied"),
        task("require granted > 0 and denied > 0", "granted / denied"),
        task("require granted < 50", "granted / denied"),
        task("require granted > 0", "denied / granted"),
        task("require granted > 65", "granted / denied"),
    ];
    hold_also("zero_division", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

/// The names of what is said of a suite that reads `rows.csv`.
fn said_of_file(file: &str, declared: &str, prompt: &str, key: &str) -> Vec<&'static str> {
    let text = format!(
        "suite s {{ title \"S\" version \"1\" }}\nlake l from \"d\" {{ csv t from \"*/rows.csv\" {declared} }}\ntask q {{\nsamples 1 lake l\nprompt \"{prompt} Reply with the number only.\"\nexpect reply number {key}\n}}\n"
    );
    let second = file.replace("a,", "x,").replace("Ardle", "Ash");
    let files = [("d/1/rows.csv", file), ("d/2/rows.csv", second.as_str())];
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    testing::compile_with(&text, &files).diagnostics.iter().map(|said| said.code.name).collect()
}

#[test]
fn rows_of_totals_by_other_names() {
    let file = |label: &str| format!("PLACE,TONS,FARMS\nArdle,1,3\nBenton,5,4\nCorran,4,6\n{label},10,99\n");
    let own = |label: &str, until: &str| {
        let said = said_of_file(
            &file(label),
            &format!("{until} {{ PLACE : text TONS : int FARMS : int }}"),
            "What is the sum of TONS in <<l>>?",
            "sum(l.t.TONS)",
        );
        said.contains(&"misread_file")
    };
    for label in ["All counties", "Total of the county", "Sum of all", "County total", "Whole county", "Wards combined"]
    {
        assert!(own(label, ""), "{label}");
        assert!(!own(label, &format!("until \"{label}\"")), "{label}");
    }
    for label in ["Allton", "Totalling", "Eskmouth"] {
        assert!(!own(label, ""), "{label}");
    }
    let other = "PLACE,TONS\nArdle,1\nBenton,5\nCorran,4\nAll Saints,11\n";
    assert!(
        !said_of_file(other, "{ PLACE : text TONS : int }", "What is the sum of TONS in <<l>>?", "sum(l.t.TONS)")
            .contains(&"misread_file")
    );
}

#[test]
fn a_zero_that_counts() {
    let file = "METER,M3\na,1\nb,0\nc,4\nd,7\n";
    let own = |declared: &str, prompt: &str| {
        said_of_file(file, declared, &format!("{prompt} What is the mean M3 in <<l>>?"), "avg(l.t.M3) rounded 2")
            .contains(&"other_mark")
    };
    let zero = r#"missing ["", "0"] { METER : text M3 : int }"#;
    let plain = r#"missing [""] { METER : text M3 : int }"#;
    for prompt in [
        "An empty cell means that nobody read the meter, and 0 that nothing was used.",
        "A 0 means that the tap was closed.",
        "Zeros count like any other reading.",
        "A 0 is a reading, too.",
    ] {
        assert!(own(zero, prompt), "{prompt}");
        assert!(!own(plain, prompt), "{prompt}");
    }
    for prompt in
        ["A 0 means that nothing was measured.", "Leave out meters that were not read.", "The files are of 2 years."]
    {
        assert!(!own(zero, prompt), "{prompt}");
    }
}

#[test]
fn places_from_an_end() {
    let task = |prompt: &str, key: &str| {
        format!(
            r#"csv bids at "bids.csv" {{ rows 30 BIDDER : unique last_name BID : unique int 100..9000 }} w = {key} require w != null prompt "{prompt} Reply with the BIDDER only." expect reply text w"#
        )
    };
    let first = "<<value: SELECT BIDDER FROM bids ORDER BY BID DESC LIMIT 1>>";
    let last = "<<value: SELECT BIDDER FROM bids ORDER BY BID LIMIT 1>>";
    let caught = [
        task("Who has the second highest BID in <<bids>>?", first),
        task("Who has the 2nd highest BID in <<bids>>?", first),
        task("Who has the third-largest BID in <<bids>>?", first),
        task("Who has the second lowest BID in <<bids>>?", last),
    ];
    let right = [
        task("Who has the highest BID in <<bids>>?", first),
        task("Who has the second highest BID in <<bids>>?", "<<value: SELECT BIDDER FROM bids ORDER BY BID DESC LIMIT 1 OFFSET 1>>"),
        task("Who has the second highest BID in <<bids>>?", "<<value: SELECT BIDDER FROM bids WHERE BID < (SELECT MAX(BID) FROM bids) ORDER BY BID DESC LIMIT 1>>"),
        r#"csv c at "c.csv" { rows 120 CALL : serial SECONDS : unique int 5..1_800 } two = <<list: SELECT CALL FROM c ORDER BY SECONDS DESC LIMIT 2>> prompt "The two longest calls of <<c>> by SECONDS: their CALL numbers, longest then second longest, with a comma." expect reply list two ordered"#.to_owned(),
    ];
    hold_also("other_aggregate", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn turned_differences() {
    let task = |prompt: &str, key: &str| {
        format!(
            r#"csv t at "p.csv" {{ rows 30 ITEM : unique last_name OLD : int 100..900 NEW : int 100..900 }} i, o, n : ref t.(ITEM, OLD, NEW) prompt "{prompt} Item: <<i>>. Reply with the number only." expect reply number {key}"#
        )
    };
    let asks = "By how much did the price of an item change in <<t>> (NEW minus OLD)? A fall is negative.";
    let caught = [
        task(asks, "o - n"),
        task("In <<t>>, what is OLD minus NEW of the item?", "coalesce(sum(t.NEW - t.OLD where ITEM == i), 0)"),
        task(asks, "coalesce(<<value: SELECT SUM(OLD - NEW) FROM t WHERE ITEM = :i>>, 0)"),
    ];
    let right = [
        task(asks, "n - o"),
        task("By how much do NEW and OLD differ in <<t>> (NEW minus OLD, without its sign)?", "abs(o - n)"),
        task(asks, "coalesce(<<value: SELECT SUM(NEW - OLD) FROM t WHERE ITEM = :i>>, 0)"),
        task("In <<t>>, by how much is OLD above NEW for the item?", "o - n"),
    ];
    hold_also("other_aggregate", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn rounding_in_one_direction() {
    let task = |prompt: &str, key: &str| {
        format!(
            r#"csv t at "t.csv" {{ rows 30 PAY : int 100..900 }} prompt "What is the mean PAY in <<t>>? {prompt}" expect reply number {key}"#
        )
    };
    let nearest = "coalesce(avg(t.PAY), 0) rounded 0";
    let caught = [
        task("Cut off the decimals. Reply with the whole number only.", nearest),
        task("Reply with the whole number, rounded down.", nearest),
        task("Reply with the whole number, rounded up.", nearest),
        task("Drop the fraction, do not round. Reply with the whole number only.", nearest),
    ];
    let right = [
        task("Reply with the whole number, rounded down.", "floor(coalesce(avg(t.PAY), 0))"),
        task("Reply with the whole number, rounded up.", "ceil(coalesce(avg(t.PAY), 0))"),
        task("Reply with the whole number, rounded half up.", nearest),
        task("Do not cut off the decimals, but reply with the nearest whole number.", nearest),
        task("Reply with the nearest whole number.", nearest),
    ];
    hold_also("other_precision", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn days_of_the_week() {
    let task = |columns: &str, prompt: &str, key: &str| {
        format!(
            r#"d : date 2024-03-01..2024-03-31 csv t at "t.csv" {{ rows 90 NO : serial SOLD : date 2024-01-01..2024-12-31 {columns} }} prompt "{prompt} Reply with the number only." expect reply number {key}"#
        )
    };
    let all = "count(t where SOLD >= d)";
    let caught = [
        task(
            "",
            "How many rows of <<t>> were sold from Monday to Friday? Only those since the day <<d>>. In doubt, count.",
            all,
        ),
        task("", "How many rows of <<t>> were SOLD at weekends? They are from <<d>> or later.", all)
            .replace("at weekends? They are from <<d>> or later.", "at weekends?")
            .replace("SOLD >= d", "NO > 5"),
    ];
    let right = [
        task(
            "",
            "How many rows of <<t>> were sold from Monday to Friday, since <<d>>?",
            "count(t where SOLD >= d and weekday(SOLD) <= 5)",
        ),
        task("", "On weekdays the shop opens at 9. How many rows of <<t>> were SOLD on <<d>> or later?", all),
        task(
            "WEEKEND = weekday(SOLD) > 5",
            "How many rows of <<t>> were sold at weekends? Only those since the day <<d>>.",
            "count(t where SOLD >= d and WEEKEND)",
        ),
        task(
            "",
            "How many rows of <<t>> were sold at weekends? Only those since the day <<d>>.",
            "coalesce(<<value: SELECT COUNT(*) FROM t WHERE strftime('%w', SOLD) IN ('0', '6') AND SOLD >= :d>>, 0)",
        ),
    ];
    let said = |body: &String| {
        said_by("unread_condition", body).into_iter().any(|(_, message)| message.contains("day of the week"))
    };
    caught.iter().for_each(|body| assert!(said(body), "{body}"));
    right.iter().for_each(|body| assert!(!said(body), "{body}"));
}

#[test]
fn another_table_than_the_prompt_names() {
    let task = |prompt: &str, key: &str| {
        format!(
            r#"shop : ref b.sold.SHOP xlsx b at "b.xlsx" {{ table sold {{ rows 40 SHOP : one_of ["N", "S"] A : int 1..99 }} table kept {{ rows 40 SHOP : one_of ["N", "S"] A : int 1..99 }} }} prompt "{prompt} Reply with the number only." expect reply number coalesce({key}, 0)"#
        )
    };
    let sold = "sum(b.sold.A where SHOP == shop)";
    let caught = [
        task("In the sheet `kept` of <<b>>, what is the sum of A for SHOP <<shop>>?", sold),
        task("Sheet kept of <<b>>: what is the sum of A for SHOP <<shop>>?", sold),
    ];
    let right = [
        task("In the sheet `sold` of <<b>>, what is the sum of A for SHOP <<shop>>?", sold),
        task("Do not use the sheet `kept` of <<b>>. What is the sum of A for SHOP <<shop>>?", sold),
        task("The sheets of <<b>> are `sold` and `kept`. What is the sum of A for SHOP <<shop>> in the former?", sold),
        task("What is the sum of A for SHOP <<shop>> that was sold, and not kept, by <<b>>?", sold),
    ];
    hold_also("other_column", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn bounds_of_the_same_function() {
    let task = |filter: &str| {
        format!(
            r#"csv calls at "calls.csv" {{ rows 80 NO : serial AT : datetime 2024-03-01T00:00..2024-03-31T23:59 }} prompt "How many calls in <<calls>> came at night? AT is the time. Reply with the number only." expect reply number count(calls where {filter})"#
        )
    };
    let caught = [task("hour(AT) >= 22 and hour(AT) < 6"), task("day(AT) > 20 and day(AT) < 10")];
    let right = [
        task("hour(AT) >= 22 or hour(AT) < 6"),
        task("hour(AT) >= 6 and hour(AT) < 22"),
        task("hour(AT) >= 22 and day(AT) < 6"),
    ];
    let said = |body: &String| {
        said_by("impossible_predicate", body).into_iter().any(|(name, _)| name == "impossible_predicate")
    };
    caught.iter().for_each(|body| assert!(said(body), "{body}"));
    right.iter().for_each(|body| assert!(!said(body), "{body}"));
}

#[test]
fn labels_with_another_year() {
    let task = |axis: &str| {
        format!(
            r#"axis year = {axis} csv t at "t.csv" {{ rows 90 NO : serial SOLD : date 2021-01-01..2024-12-31 }} prompt "How many rows of <<t>> were SOLD in <<year>>? Reply with the number only." expect reply number count(t where year(SOLD) == year)"#
        )
    };
    let caught = [task("{ y2022: 2021, y2024: 2024 }"), task("{ in_2023: 2024, in_2022: 2022 }")];
    let right = [task("{ y2022: 2022, y2024: 2024 }"), task("{ y22: 2022, y24: 2024 }"), task("[2022, 2024]")];
    hold_also("idle_axis", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}
