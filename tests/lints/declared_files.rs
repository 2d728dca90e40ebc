//! What files say of themselves, against how they are declared: encodings, orders of dates, units in titles; and answers that do not depend on their mess.

use super::hold_also;

/// The lints on files of a suite that reads `d/*.csv`, and errors.
fn list_names(files: &[(&str, &str)], declared: &str, key: &str) -> Vec<&'static str> {
    let text = format!(
        "suite s {{ title \"S\" version \"1\" }}\nlake l from \"d\" {{ csv t from \"*.csv\" {declared} }}\ntask q {{\nsamples 1 lake l\nprompt \"What is asked of <<l>>? Reply with the number only.\"\nexpect reply number {key}\n}}\n"
    );
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    let told = testing::compile_with(&text, &files);
    let names = told.diagnostics.iter().map(|said| said.code.name);
    let mut errors = told.diagnostics.iter().filter(|said| said.code.id.starts_with('E'));
    assert!(errors.next().is_none(), "{:?}", told.diagnostics);
    names.filter(|name| *name == "misread_file").collect()
}

#[test]
fn encodings() {
    let own = |text: &str, options: &str| {
        list_names(&[("d/a.csv", text)], &format!("{options} {{ A : text N : int }}"), "sum(l.t.N)")
    };
    let (french, plain) = ("A,N\nBételgeuse,3\nVéga,4\n", "A,N\nRigel,3\nSirius,4\n");
    for encoding in ["windows-1252", "iso-8859-1", "iso-8859-15"] {
        assert_eq!(own(french, &format!("encoding \"{encoding}\"")), ["misread_file"], "{encoding}");
        assert!(own(plain, &format!("encoding \"{encoding}\"")).is_empty(), "{encoding}");
    }
    assert!(own(french, "").is_empty());
    assert!(own(french, "encoding \"utf-8\"").is_empty());
    // Signs are no letters.
    assert!(own("A,N\n3 €,3\n", "encoding \"windows-1252\"").is_empty());
}

#[test]
fn orders_in_headers() {
    let own = |header: &str, pattern: &str, from: &str| {
        let text = format!("{header},N\n3/4/2024,1\n5/6/2024,2\n");
        list_names(
            &[("d/a.csv", &text)],
            &format!("{{ D : date {from} as written \"{pattern}\" N : int }}"),
            "sum(l.t.N where day(D) > 3)",
        )
    };
    let told = "from \"Date (m/d/yyyy)\"";
    assert_eq!(own("Date (m/d/yyyy)", "d/M/yyyy", "from 1"), ["misread_file"]);
    assert_eq!(own("Date (m/d/yyyy)", "d/M/yyyy", told), ["misread_file"]);
    assert_eq!(own("Day [DD/MM/YYYY]", "M/d/yyyy", "from 1"), ["misread_file"]);
    assert!(own("Date (m/d/yyyy)", "M/d/yyyy", told).is_empty());
    assert!(own("Date (dd/mm/yyyy)", "d/M/yyyy", "from 1").is_empty());
    assert!(own("Date", "d/M/yyyy", "from 1").is_empty());
    assert!(own("Date m/d", "d/M/yyyy", "from 1").is_empty());
}

#[test]
fn units_in_titles() {
    let own = |first: &str, second: &str| {
        let (first, second) = (format!("{first}\nTree,N\n1,5\n"), format!("{second}\nTree,N\n1,52\n"));
        let files = [("d/a.csv", first.as_str()), ("d/b.csv", second.as_str())];
        list_names(&files, "skip \"Tree\" { TREE : int from \"Tree\" N : int }", "sum(l.t.N)")
    };
    assert_eq!(own("Diameter in cm", "Diameter in mm"), ["misread_file"]);
    assert_eq!(own("Weights (kg)", "Weights (g)"), ["misread_file"]);
    assert_eq!(own("Use in kWh.", "Use in MWh."), ["misread_file"]);
    assert!(own("Diameter in cm", "Diameter in cm").is_empty());
    let files = [("d/a.csv", "In cm\nTree,N\n1,5\n"), ("d/b.csv", "In mm\nTree,N\n1,52\n")];
    let computed = "skip \"Tree\" { _N : int from \"N\" F = file.stem N = if F == \"b\" then _N * 0.1 else _N * 1.0 }";
    assert!(list_names(&files, computed, "round(sum(l.t.N), 1)").is_empty(), "converted");
    let chosen = "skip \"Tree\" { F = file.stem N : int from \"N\" }";
    assert!(list_names(&files, chosen, "sum(l.t.N where F == \"a\")").is_empty(), "one of the files");
    assert!(own("Plot north", "Plot south").is_empty());
    assert!(own("Diameter in centimetres", "Diameter in cm").is_empty());
    assert!(own("North, in cm", "South, in mm").is_empty(), "they differ in more than that");
}

#[test]
fn answers_without_repeated_rows() {
    let task = |key: &str, more: &str| {
        format!(
            r#"axis mess = {{ clean: 0, much: 30 }} table games {{ rows 60 NO : serial TEAM : one_of ["a", "b"] POINTS : int 1..900 }}
            csv sheet at "sheet.csv" from games {{ rows repeat mess% No = NO Team = TEAM Points = POINTS {more} }}
            prompt "Some rows of <<sheet>> were entered twice; they count once. What is asked? Reply with the number only." expect reply number {key}"#
        )
    };
    let caught = [
        task("max(games.POINTS)", ""),
        task("min(games.POINTS)", ""),
        task("distinct_count(games.POINTS)", ""),
        task("max(games.POINTS) - min(games.POINTS)", ""),
    ];
    let right = [
        task("sum(games.POINTS)", ""),
        task("count(games where POINTS > 300)", ""),
        task("max(games.POINTS) - count(games)", ""),
        task("median(games.POINTS)", ""),
        task("<<value: SELECT COUNT(*) FROM games>>", ""),
        task("max(games.POINTS)", "").replace("Team = TEAM", "Team = TEAM as case mess%"),
    ];
    hold_also("idle_axis", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn events_in_time() {
    let task = |rows: &str, asks: &str| {
        format!(
            r#"csv log at "log.csv" {{ rows 90 {rows} AT : datetime 2024-02-01T00:00..2024-03-01T00:00 HOST : hostname }}
            prompt "{asks} Reply with the name only." expect reply text last(log.HOST)"#
        )
    };
    let asks = "Which host had the last event of <<log>>?";
    let caught = [task("", asks), task("", "Which host had the last outage in <<log>>?")];
    let right = [
        task("", "Which host is in the last row of <<log>>?"),
        task("", "Which host is in the last entry of <<log>>?"),
        task("", "Which host had the last event of <<log>>, that is, the one in the last line of the file?"),
    ];
    hold_also("other_order", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn sums_that_can_be_zero() {
    let task = |rest: &str, shots: &str| {
        format!(
            r#"player : ref games.PLAYER csv games at "g.csv" {{ rows 40 PLAYER : one_of ["a", "b", "c", "d", "e", "f"] SHOTS : int {shots} GOALS : int 0..6 }}
            goals = sum(games.GOALS where PLAYER == player) shots = sum(games.SHOTS where PLAYER == player)
            {rest} prompt "Which share of the SHOTS of <<player>> in <<games>> were GOALS? Reply with a number, rounded to 3 decimals." expect reply number goals / shots rounded 3"#
        )
    };
    let caught = [
        task("require goals != null and shots != null", "0..6"),
        task("require goals != null require shots != null", "0..3"),
    ];
    let right = [
        task("require goals != null and shots != null", "1..6"),
        task("require goals != null and shots != null and shots > 0", "0..6"),
        task("require goals != null and shots != null and shots != 0", "0..6"),
        task("require goals != null and shots != null and goals < shots", "0..6"),
    ];
    hold_also("zero_division", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn rows_that_another_table_draws_from() {
    let names = |more: &str| {
        let text = format!(
            "suite s {{ title \"S\" version \"1\" }}\ntask q {{\nsamples 1\ncsv rates at \"fx/rates.csv\" from \"fx/rates.csv\" {{ CODE : text RATE : decimal key (CODE) }}\n{more}\nprompt \"What is the sum of N in <<pays>>? Reply with the number only.\"\nexpect reply number sum(pays.N)\n}}\n"
        );
        let told = testing::compile_with(&text, &[("fx/rates.csv", b"CODE,RATE\nEUR,1.5\nUSD,1.2\nGBP,0.9\n")]);
        let errors = told.diagnostics.iter().filter(|said| said.code.id.starts_with('E'));
        assert!(errors.map(|said| &said.message).collect::<Vec<_>>().is_empty());
        told.diagnostics.iter().map(|said| said.code.name).filter(|name| *name == "unused_name").collect::<Vec<_>>()
    };
    assert!(names("csv pays at \"p.csv\" { rows 30 CODE : ref rates.CODE N : int 1..90 }").is_empty());
    assert_eq!(
        names("csv pays at \"p.csv\" { rows 30 CODE : one_of [\"EUR\", \"USD\"] N : int 1..90 }"),
        ["unused_name"]
    );
}
