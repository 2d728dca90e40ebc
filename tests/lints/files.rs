//! What the prompt says of files, against how they are declared, written, and read.

use super::hold;

/// Visits, written with a pattern.
fn visits(pattern: &str, prompt: &str) -> String {
    format!(
        r##"since : date 2024-03-01..2024-09-30 table visits {{ rows 60 NO : serial DAY : date 2024-01-01..2024-12-31 FEE : decimal 1_000.00..9_000.00 }}
        csv badges at "badges.csv" delimiter ";" from visits {{ No = NO Day = DAY as written "{pattern}" Fee = FEE as written "#.##0,00" }}
        prompt "{prompt} Reply with the number only." expect reply number count(visits where DAY > since and FEE > 2_000.00)"##
    )
}

#[test]
fn other_notation() {
    let asks = "How many visits in <<badges>> were after <<since>> and had a Fee above 2000?";
    let caught = [
        visits("dd/MM/yyyy", &format!("Dates are written month/day/year. {asks}")),
        visits("dd/MM/yyyy", &format!("Dates are MM/DD/YYYY. {asks}")),
        visits("M/d/yyyy", &format!("The dates have the day first. {asks}")),
        visits("M/d/yyyy", &format!("Dates are in the form DD/MM/YYYY. {asks}")),
        visits("dd.MM.yyyy", &format!("In the dates, the month comes before the day. {asks}")),
        visits("yyyy-MM-dd", &format!("Dates are day/month/year. {asks}")),
        visits("dd.MM.yyyy", &format!("Numbers have commas between thousands. {asks}")),
    ];
    let right = [
        visits("dd/MM/yyyy", &format!("Dates are written day/month/year. {asks}")),
        visits("M/d/yyyy", &format!("Dates are MM/DD/YYYY. {asks}")),
        visits("M/d/yyyy", &format!("Dates have the month first. {asks}")),
        visits("d MMMM yyyy", &format!("Dates have the day first. {asks}")),
        visits("dd.MM.yyyy", &format!("Numbers have a decimal comma and points between thousands. {asks}")),
        visits("yyyy-MM-dd", &format!("Dates are year-month-day. {asks}")),
        visits("dd/MM/yyyy", &format!("{asks} Day, month, and year do not matter.")),
    ];
    hold("other_notation", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

/// Readings, some of which have a mark.
fn readings(styles: &str, prompt: &str, key: &str) -> String {
    format!(
        r#"table readings {{ rows 60 METER : unique pattern "PM[0-9]{{4}}" KWH : int 100..900 blank 10% }}
        csv sheet at "meters.csv" from readings {{ Meter = METER kWh = KWH as {styles} }}
        prompt "{prompt} Reply with the number only." expect reply number {key}"#
    )
}

#[test]
fn other_mark() {
    let (starred, dashed) = (r#"written "0" written "0*" 15% missing ["n/a"]"#, r#"missing ["-"]"#);
    let (sum, mean) = ("coalesce(sum(readings.KWH), 0)", "coalesce(avg(readings.KWH), 0) rounded 2");
    let caught = [
        readings(
            starred,
            "n/a means that nothing was measured. What is the sum of kWh in <<sheet>>? Leave out values with a star.",
            sum,
        ),
        readings(
            starred,
            "n/a means that nothing was measured. Add up kWh in <<sheet>>, but skip the readings that have an asterisk behind them.",
            sum,
        ),
        readings(starred, "n/a is missing. What is the sum of kWh in <<sheet>>, without those marked with `*`?", sum),
        readings(dashed, "A dash means 0. What is the mean kWh in <<sheet>>, to two decimals?", mean),
        readings(
            dashed,
            "A dash means that there was no kWh. What is the mean of the kWh in <<sheet>>, to two decimals?",
            mean,
        ),
        readings(dashed, "Readings with a dash count as 0. What is the mean kWh in <<sheet>>, to two decimals?", mean),
    ];
    let right = [
        readings(
            starred,
            "n/a means that nothing was measured. A star means nothing. What is the sum of kWh in <<sheet>>?",
            sum,
        ),
        readings(
            starred,
            "n/a means that nothing was measured. A star after a number is to be ignored. What is the sum of kWh in <<sheet>>?",
            sum,
        ),
        readings(
            dashed,
            "A dash means that nothing was measured. What is the mean kWh in <<sheet>>, to two decimals?",
            mean,
        ),
        readings(dashed, "A dash means none. What is the sum of kWh in <<sheet>>?", sum),
        readings(
            dashed,
            "A dash means 0. What is the mean kWh in <<sheet>>, to two decimals?",
            "coalesce(sum(readings.KWH), 0) / count(readings) rounded 2",
        ),
        readings(dashed, "Leave out the rows with a dash. What is the mean kWh in <<sheet>>, to two decimals?", mean),
    ];
    hold("other_mark", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

/// Stock of two years.
fn stock(decoy: &str, prompt: &str, key: &str) -> String {
    format!(
        r#"zone : one_of ["A", "B", "C"]
        table stock {{ rows 60 SKU : unique sku ZONE : one_of ["A", "B", "C"] KIND : one_of ["new", "used"] QTY : int 0..400 }}
        table before {{ rows 60 SKU : unique sku ZONE : one_of ["A", "B", "C"] KIND : one_of ["new", "used"] QTY : int 0..400 }}
        table apart {{ rows 60 SKU : unique sku ZONE : one_of ["X", "Y"] KIND : one_of ["new", "used"] QTY : int 0..400 }}
        {decoy}
        prompt "{prompt} Reply with the number only." expect reply number {key}"#
    )
}

const FILES: &str =
    r#"csv counted at "2024/stock.csv" from stock { Article = SKU Zone = ZONE Kind = KIND Pieces = QTY }"#;

#[test]
fn idle_file() {
    let asks = "How many Pieces were counted in the zone <<zone>> in 2024, by <<counted>>?";
    let (key, query) = (
        "coalesce(sum(stock.QTY where ZONE == zone), 0)",
        "coalesce(<<value: SELECT SUM(QTY) FROM stock WHERE ZONE = :zone>>, 0)",
    );
    let with = |decoy: &str| format!("{FILES} {decoy}");
    let caught = [
        stock(&with(r#"csv _old : counted at "2023/stock.csv" from stock"#), asks, key),
        stock(&with(r#"csv _old : counted at "2023/stock.csv" above "2023\n" from stock"#), asks, query),
        stock(&with(r#"csv _old : counted at "2023/stock.csv" from apart"#), asks, key),
        stock(&with(r#"csv _old : counted at "2023/stock.csv" from apart"#), asks, query),
        stock(
            r#"csv counted at "stock.csv" from stock where KIND == "new" { Article = SKU Zone = ZONE Pieces = QTY Kind = KIND }"#,
            "How many new Pieces (Kind) are in <<counted>> in the zone <<zone>>?",
            r#"coalesce(sum(stock.QTY where ZONE == zone and KIND == "new"), 0)"#,
        ),
        stock(
            r#"csv counted at "stock.csv" from stock where KIND == "used" { Article = SKU Zone = ZONE Pieces = QTY Kind = KIND }"#,
            "How many used Pieces (Kind) are in <<counted>> in the zone <<zone>>?",
            r#"coalesce(<<value: SELECT SUM(QTY) FROM stock WHERE ZONE = :zone AND KIND = 'used'>>, 0)"#,
        ),
    ];
    let right = [
        stock(FILES, asks, key),
        stock(&with(r#"csv _old : counted at "2023/stock.csv" from before"#), asks, key),
        stock(&with(r#"csv _old : counted at "2023/stock.csv" from before"#), asks, query),
        stock(
            &with(r#"csv _old : counted at "backup/stock.csv" from stock"#),
            &format!("{asks} The folder backup has copies."),
            key,
        ),
        stock(
            &with(r#"csv _old : counted at "2023/stock.csv" from apart"#),
            asks,
            "coalesce(sum(stock.QTY), 0) + len(zone)",
        ),
        stock(
            r#"csv counted at "new.csv" from stock where KIND == "new" { Article = SKU Zone = ZONE Pieces = QTY } csv used at "used.csv" from stock where KIND == "used" { Article = SKU Zone = ZONE Pieces = QTY }"#,
            "<<counted>> has new and <<used>> used articles. How many new Pieces are in the zone <<zone>>?",
            r#"coalesce(sum(stock.QTY where ZONE == zone and KIND == "new"), 0)"#,
        ),
    ];
    hold("idle_file", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

/// The names of the lints of a suite that reads `t.csv`.
fn list_names(file: &str, declared: &str, prompt: &str, key: &str) -> Vec<&'static str> {
    let text = format!(
        "suite s {{ title \"S\" version \"1\" }}\nlake l from \"d\" {{ csv t from \"**/*.csv\" {declared} }}\ntask q {{\nsamples 1 lake l\nprompt \"{prompt} Reply with the number only.\"\nexpect reply number {key}\n}}\n"
    );
    // The files are not copies of each other.
    let (second, third) = (file.replace("\na,", "\nx,"), file.replace("\na,", "\ny,"));
    let files = [("d/a.csv", file), ("d/b.csv", second.as_str()), ("d/old/c.csv", third.as_str())];
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    testing::compile_with(&text, &files).diagnostics.iter().map(|said| said.code.name).collect()
}

#[test]
fn misread_file() {
    let own = |file: &str, declared: &str, prompt: &str, key: &str| {
        let names = list_names(file, declared, prompt, key);
        names
            .into_iter()
            .filter(|name| ["misread_file", "other_mark", "other_notation"].contains(name) || name.starts_with('E'))
            .collect::<Vec<_>>()
    };
    let none: Vec<&str> = Vec::new();
    let asks = "What is the sum of N in <<l>>?";
    let total = "KIND,N\na,1\nb,5\nc,7\nTotal,13\n";
    assert_eq!(own(total, "{ KIND : text N : int }", asks, "sum(l.t.N)"), ["misread_file"]);
    assert_eq!(own(total, "{ N : int }", asks, "sum(l.t.N)"), ["misread_file"], "the sums alone say so");
    assert_eq!(own(total, "until \"Total\" { KIND : text N : int }", asks, "sum(l.t.N)"), none);
    assert_eq!(own(total, "{ KIND : text N : int }", asks, "sum(l.t.N where KIND != \"Total\")"), none);
    assert_eq!(own("KIND,N\na,1\nb,5\nc,7\nd,2\n", "{ KIND : text N : int }", asks, "sum(l.t.N)"), none);
    let plain = "KIND,N\na,1\nb,-99\nc,7\nd,2\n";
    assert_eq!(
        own(
            plain,
            "{ KIND : text N : int }",
            "What is the sum of N in <<l>>? Files in the folder old do not count.",
            "sum(l.t.N)"
        ),
        ["misread_file"]
    );
    assert_eq!(
        own(plain, "{ KIND : text N : int }", "What is the sum of N in <<l>>, also in the folder old?", "sum(l.t.N)"),
        none
    );
    assert_eq!(
        own(
            plain,
            "{ F = file.folder N : int }",
            "What is the sum of N in <<l>>? Files in the folder old do not count.",
            "sum(l.t.N where F != \"old\")"
        ),
        none
    );
    let copied = format!("{plain}{}", plain.replace("KIND,N\n", ""));
    assert_eq!(own(&copied.replace("a,", "q,"), "{ N : int }", asks, "sum(l.t.N)"), ["misread_file"], "equal files");
    let marked = "-99 means that nothing was measured. What is the sum of N in <<l>>?";
    assert_eq!(own(plain, "{ KIND : text N : int }", marked, "sum(l.t.N)"), ["other_mark"]);
    assert_eq!(own(plain, "{ KIND : text N : int as missing [\"-99\"] }", marked, "sum(l.t.N)"), none);
    assert_eq!(own(plain, "{ KIND : text N : int }", marked, "sum(l.t.N where N >= 0)"), none);
    let traffic = "In (MB),Out (MB)\n1,2\n3,4\n";
    assert_eq!(
        own(
            traffic,
            "{ INBOUND : int from \"Out (MB)\" }",
            "What is the incoming traffic in <<l>>?",
            "sum(l.t.INBOUND)"
        ),
        ["misread_file"]
    );
    assert_eq!(
        own(
            traffic,
            "{ INBOUND : int from \"In (MB)\" }",
            "What is the incoming traffic in <<l>>?",
            "sum(l.t.INBOUND)"
        ),
        none
    );
    assert_eq!(
        own(traffic, "{ N : int from \"Out (MB)\" }", "What is the outgoing traffic in <<l>>?", "sum(l.t.N)"),
        none
    );
    let days = "DAY,N\n03/04/2024,1\n05/06/2024,2\n";
    let dated = "Dates are day/month/year. How many rows of <<l>> are from April?";
    assert_eq!(
        own(days, "{ DAY : date as written \"MM/dd/yyyy\" N : int }", dated, "count(l.t where month(DAY) == 4)"),
        ["other_notation"]
    );
    assert_eq!(
        own(days, "{ DAY : date as written \"dd/MM/yyyy\" N : int }", dated, "count(l.t where month(DAY) == 4)"),
        none
    );
}

#[test]
fn files_that_count() {
    let of = |prompt: &str| {
        let body = format!(
            r#"table calls {{ rows 60 ID : unique int 1..9999 MIN : int 1..90 }} table older {{ rows 60 ID : unique int 1..9999 MIN : int 1..90 }}
            csv cdr at "cdr/a.csv" from calls {{ Id = ID Min = MIN }} csv _archive : cdr at "cdr/archive/b.csv" from older
            prompt "{prompt} Reply with the number only." expect reply number sum(calls.MIN)"#
        );
        super::lints(&body).into_iter().map(|(name, _)| name).filter(|name| *name == "untold_convention").count()
    };
    assert_eq!(
        of("Take all files in <<sandbox>>/cdr and the folders in it together. How many minutes (Min) were there?"),
        1
    );
    assert_eq!(of("Take all files below <<sandbox>>/cdr. How many minutes (Min) were there?"), 1);
    assert_eq!(
        of("Take all files in <<sandbox>>/cdr, but not those in its archive. How many minutes (Min) were there?"),
        0
    );
    assert_eq!(of("How many minutes (Min) were there, according to <<cdr>>?"), 0);
    assert_eq!(of("Take all files in <<sandbox>>/cdr, except older ones. How many minutes (Min) were there?"), 0);
}

#[test]
fn dates_of_answers_and_examples() {
    let asks = "How many visits in <<badges>> were after <<since>> and had a Fee above 2000?";
    let caught =
        [visits("M/d/yyyy", &format!("Dates are written as day/month/year, and amounts like 1.234,50. {asks}"))];
    let right = [
        visits("M/d/yyyy", &format!("We would like day/month/year in all dates. {asks}")),
        r#"csv log at "log.csv" { rows 60 NO : serial DAY : unique date 2024-01-01..2024-12-31 } d = max(log.DAY)
        prompt "What is the latest DAY in <<log>>? It is needed as day.month.year, with two digits for day and month, as in 09.03.2024. Reply with it only."
        expect reply text "<<day(d)>>.<<month(d)>>.<<year(d)>>""#
            .to_owned(),
    ];
    super::hold_also("other_notation", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}
