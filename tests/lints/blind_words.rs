//! Slips that a fifth blind look found between the words of a prompt and its key, and what only looks like one.

use super::hold;

#[test]
fn a_column_that_is_the_limit_of_another_one() {
    const T: &str = r#"csv parcels at "parcels.csv" { rows 80..120 CARRIER : one_of ["North", "South", "West"] PROMISED : date 2024-03-01..2024-05-31
      DELIVERED : date PROMISED - 6 days..PROMISED + 6 days STOCK : int 0..90 MINIMUM : int 5..80 }
    "#;
    let suite = |prompt: &str, key: &str| {
        format!(r#"{T} prompt "{prompt} Reply with the number only." expect reply number {key}"#)
    };
    let caught = [
        suite(
            "A parcel of <<parcels>> is on time if it was delivered on or before the promised day. How many were on time?",
            "count(parcels where DELIVERED < PROMISED)",
        ),
        suite(
            "How many parcels of <<parcels>> were delivered by their carrier no later than the promised date?",
            "count(parcels where DELIVERED < PROMISED)",
        ),
        suite(
            "How many parcels of <<parcels>> were delivered after the PROMISED day?",
            "count(parcels where DELIVERED >= PROMISED)",
        ),
        suite(
            "How many parcels of <<parcels>> were delivered before the PROMISED day?",
            "<<value: SELECT COUNT(*) FROM parcels WHERE DELIVERED <= PROMISED>>",
        ),
        suite("How many rows of <<parcels>> have a STOCK below the MINIMUM?", "count(parcels where STOCK <= MINIMUM)"),
        suite(
            "How many rows of <<parcels>> have a STOCK of at least the minimum?",
            "count(parcels where MINIMUM < STOCK)",
        ),
        suite(
            "How many parcels of <<parcels>> were delivered by the promised day?",
            "count(parcels where DELIVERED < PROMISED)",
        ),
        suite(
            "How many parcels of <<parcels>> were delivered later than they were promised?",
            "count(parcels where DELIVERED >= PROMISED)",
        ),
        suite("How many rows of <<parcels>> have a STOCK below the MINIMUM?", "count(rows)")
            .replace("prompt \"", "rows = <<rows: SELECT CARRIER FROM parcels WHERE STOCK <= MINIMUM>> prompt \""),
    ];
    let right = [
        suite(
            "How many rows of <<parcels>> have a STOCK that reaches or exceeds the MINIMUM?",
            "count(parcels where STOCK >= MINIMUM)",
        ),
        suite(
            "A parcel of <<parcels>> is on time if it was delivered on or before the promised day. How many were on time?",
            "count(parcels where DELIVERED <= PROMISED)",
        ),
        suite(
            "A parcel of <<parcels>> is late if it was delivered after the promised day. How many were not late?",
            "count(parcels where DELIVERED <= PROMISED)",
        ),
        suite(
            "How many parcels of <<parcels>> were delivered before the PROMISED day?",
            "<<value: SELECT COUNT(*) FROM parcels WHERE DELIVERED < PROMISED>>",
        ),
        suite("How many rows of <<parcels>> have a STOCK below the MINIMUM?", "count(parcels where STOCK < MINIMUM)"),
        suite(
            "How many rows of <<parcels>> have a STOCK that is not below the MINIMUM?",
            "count(parcels where STOCK >= MINIMUM)",
        ),
        suite(
            "The promised day of <<parcels>> is never after June. In how many rows are STOCK and MINIMUM in the wrong order (STOCK is the smaller one)?",
            "count(parcels where STOCK < MINIMUM)",
        ),
        suite(
            "How many parcels of <<parcels>> were delivered up to three days before the promised day?",
            "count(parcels where DELIVERED < PROMISED and DELIVERED >= PROMISED - 3 days)",
        ),
    ];
    hold("other_comparison", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn windows_of_a_query_whose_rows_are_counted() {
    const T: &str = r#"from_day : date 2024-06-01..2024-06-18 to_day : date from_day + 5 days..from_day + 10 days
    csv claims at "claims.csv" { rows 120..180 CLAIM : serial LOSS : date 2024-06-01..2024-06-30 RESERVE : int 400..18_000 ROOF : bool 60% }
    "#;
    let suite = |prompt: &str, condition: &str| {
        format!(
            r#"{T} hits = <<rows: SELECT CLAIM, RESERVE FROM claims WHERE ROOF = 1 AND {condition}>> require count(hits) > 3
            prompt "Take the claims of <<claims>> with ROOF true whose LOSS is {prompt}. Reply with their number only." expect reply number count(hits)"#
        )
    };
    let both = "from <<from_day>> to <<to_day>>, both days included";
    let apart = "strictly between <<from_day>> and <<to_day>>";
    let caught = [
        suite(both, "LOSS >= :from_day AND LOSS < :to_day"),
        suite(both, "LOSS > :from_day AND LOSS <= :to_day"),
        suite(apart, "LOSS > :from_day AND LOSS <= :to_day"),
        suite("after <<from_day>> and before <<to_day>>", "LOSS > :from_day AND LOSS <= :to_day"),
        suite("on or after <<from_day>> and before <<to_day>>", "LOSS > :from_day AND LOSS < :to_day"),
        suite("after <<from_day>>, but before <<to_day>>", "LOSS >= :from_day AND LOSS < :to_day"),
    ];
    let right = [
        suite(both, "LOSS >= :from_day AND LOSS <= :to_day"),
        suite(both, "LOSS BETWEEN :from_day AND :to_day"),
        suite(apart, "LOSS > :from_day AND LOSS < :to_day"),
        suite("after <<from_day>> and before <<to_day>>", "LOSS > :from_day AND LOSS < :to_day"),
        suite("from <<from_day>> to <<to_day>>", "LOSS >= :from_day AND LOSS <= :to_day"),
        suite("on or after <<from_day>> and before <<to_day>>", "LOSS >= :from_day AND LOSS < :to_day"),
    ];
    hold("other_comparison", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

/// A file of works, of radio cells, and of calls.
const WORKS: &str = r#"csv works at "works.csv" { rows 140..200 COMPOSER : person_name_world YEAR : int 1840..1935 PAGES : int 4..220 WEIGHT : int 4..220 }
csv cdr at "cdr.csv" { rows 150 CALLER : one_of ["0770", "0771", "0772"] SECS : int 3..1_800 } who : ref cdr.CALLER total = sum(cdr.SECS where CALLER == who) require total != null
"#;

fn ask_works(prompt: &str, expects: &str) -> String {
    format!(r#"{WORKS} prompt "{prompt}" {expects}"#)
}

#[test]
fn values_of_several_places() {
    let composers = r#"Write how many different COMPOSERs the works in <<works>> have to <<sandbox>>/composers.txt (only the number), and reply with the greatest PAGES among them, and nothing else."#;
    let counts = r#"expect file "composers.txt" number distinct_count(works.COMPOSER)"#;
    let most = "expect reply number max(works.PAGES)";
    let caught = [
        ask_works(composers, &format!(r#"expect file "composers.txt" number count(works.COMPOSER) {most}"#)),
        ask_works(composers, &format!("{counts} expect reply number min(works.PAGES)")),
        ask_works(
            "Write the mean PAGES of <<works>> to <<sandbox>>/a/mean.txt, rounded to one decimal place, and reply with the total PAGES.",
            r#"expect file "a/mean.txt" number median(works.PAGES) rounded 1 expect reply number sum(works.PAGES)"#,
        ),
        ask_works(
            "Save the lowest PAGES of <<works>> to <<sandbox>>/low-1.txt. Reply with the total PAGES.",
            r#"expect file "low-1.txt" number max(works.PAGES) expect reply number sum(works.PAGES)"#,
        ),
        ask_works(
            "Save the lowest PAGES of <<works>> to <<sandbox>>/low.txt. Reply with the total PAGES.",
            r#"expect file "low.txt" number min(works.PAGES) expect reply number max(works.PAGES)"#,
        ),
        ask_works(
            "Write the highest YEAR of <<works>> to <<sandbox>>/year.txt, and the mean of PAGES, rounded to one decimal place, to <<sandbox>>/mean.txt.",
            r#"expect file "year.txt" number max(works.YEAR) expect file "mean.txt" number sum(works.PAGES)"#,
        ),
    ];
    let right = [
        ask_works(composers, &format!("{counts} {most}")),
        ask_works(
            "Write the mean PAGES of <<works>> to <<sandbox>>/a/mean.txt, rounded to one decimal place, and reply with the total PAGES.",
            r#"expect file "a/mean.txt" number avg(works.PAGES) rounded 1 expect reply number sum(works.PAGES)"#,
        ),
        ask_works(
            "Save the lowest PAGES of <<works>> to <<sandbox>>/low-1.txt. Reply with the total PAGES.",
            r#"expect file "low-1.txt" number min(works.PAGES) expect reply number sum(works.PAGES)"#,
        ),
        ask_works(
            "Write the highest YEAR of <<works>> to <<sandbox>>/year.txt, and the mean of PAGES, rounded to one decimal place, to <<sandbox>>/mean.txt.",
            r#"expect file "year.txt" number max(works.YEAR) expect file "mean.txt" number avg(works.PAGES) rounded 1"#,
        ),
        ask_works(
            "Compute the lowest and the highest PAGES of <<works>>. Write the first to <<sandbox>>/low.txt and reply with the second.",
            r#"expect file "low.txt" number min(works.PAGES) expect reply number max(works.PAGES)"#,
        ),
        ask_works(
            "Write how many COMPOSERs there are in <<works>> to <<sandbox>>/n.txt. Reply with the total PAGES.",
            r#"expect file "n.txt" number count(works.COMPOSER) expect reply number sum(works.PAGES)"#,
        ),
    ];
    hold("other_aggregate", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn units_of_described_keys() {
    let write = "Write <<sandbox>>/airtime.json with two keys: `calls`, the number of calls that <<who>> made in <<cdr>>, and `minutes`, their total duration in whole minutes (add the SECS first, then drop the rest).";
    let expect = |value: &str| {
        format!(
            r#"expect file "airtime.json" at "$.calls" number count(cdr where CALLER == who) expect file "airtime.json" at "$.minutes" number {value}"#
        )
    };
    let ask = |asked: &str| {
        format!(
            "Reply with a JSON object about the calls of <<who>> in <<cdr>> with the keys `n` (how many there are) and `t` ({asked})."
        )
    };
    let json = |value: &str| format!("expect reply json {{ n: count(cdr where CALLER == who), t: {value} }}");
    let sole = "How many full minutes did the calls of <<who>> in <<cdr>> take in total? Reply with the number only.";
    let caught = [
        ask_works(write, &expect("total")),
        ask_works(&ask("their total duration in whole minutes, without the rest"), &json("total")),
        ask_works(&ask("their total time in minutes, rounded to one decimal place"), &json("total rounded 1")),
        ask_works(&ask("the sum of SECS in full hours, without the rest"), &json("total")),
        ask_works(&ask("the sum of SECS in full hours, without the rest"), &json("floor(total / 60)")),
        ask_works(sole, "expect reply number total"),
    ];
    let right = [
        ask_works(write, &expect("floor(total / 60)")),
        ask_works(&ask("their total duration in whole minutes, without the rest"), &json("floor(total / 60)")),
        ask_works(&ask("their total time in whole seconds"), &json("total")),
        ask_works(&ask("the sum of SECS in full hours, without the rest"), &json("floor(total / 3600)")),
        ask_works(&ask("the sum of SECS, in the order of the file"), &json("total")),
        ask_works(sole, "expect reply number floor(total / 60)"),
    ];
    hold("other_unit", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn columns_of_described_keys() {
    const T: &str = r#"json traffic at "traffic.json" { cells : [ { cell : unique pattern "C[0-9]{4}" site : one_of ["Oak", "Bay", "Mill"] up : int 10..900 down : int 200..9_000 } ; 40..60 ] }
    place : ref traffic.cells.site n = count(traffic.cells where site == place)
    "#;
    let suite = |about: &str, key: &str| {
        let rounded = if about.contains("rounded") { " rounded 1" } else { "" };
        let key = if key.starts_with("coalesce") { key.to_owned() } else { format!("coalesce({key}, 0){rounded}") };
        format!(
            r#"{T} prompt "<<traffic>> has the cells of a network with `up` and `down`. Reply with a JSON object about the site <<place>> with the keys `cells` (how many it has) and `uplink` ({about})." require n > 0 expect reply json {{ cells: n, uplink: {key} }}"#
        )
    };
    let caught = [
        suite("the sum of `up` over these cells", "sum(traffic.cells.down where site == place)"),
        suite("the total `up` of these cells", "sum(traffic.cells.down where site == place)"),
        suite("the highest `down` of these cells", "max(traffic.cells.up where site == place)"),
        suite("the lowest `up`", "min(traffic.cells.down where site == place)"),
        suite("the mean `up`, rounded to one decimal place", "avg(traffic.cells.down where site == place)"),
        suite("the median of `down`, rounded to one decimal place", "median(traffic.cells.up where site == place)"),
    ];
    let right = [
        suite("the sum of `up` over these cells", "sum(traffic.cells.up where site == place)"),
        suite("the highest `down` of these cells", "max(traffic.cells.down where site == place)"),
        suite("the total of all megabytes sent", "sum(traffic.cells.up where site == place)"),
        suite(
            "the sum of `up` and `down`",
            "coalesce(sum(traffic.cells.up where site == place), 0) + coalesce(sum(traffic.cells.down where site == place), 0)",
        ),
        suite(
            "the highest `down` of the cells with more than 100 in `up`",
            "max(traffic.cells.down where site == place and up > 100)",
        ),
        suite("the lowest `up`", "min(traffic.cells.up where site == place)"),
    ];
    hold("other_column", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn helpers_that_are_only_shown_rounded_and_codes() {
    let prints = |written: &str, condition: &str| {
        format!(
            r#"limit : int 3..6 csv prints at "prints.csv" {{ rows 150..220 BARCODE : unique pattern "P[0-9]{{6}}" _RAW : decimal 0.00..9.99 {written} }}
            prompt "How many prints in <<prints>> have a SCORE above <<limit>>? Reply with the number only." expect reply number count(prints where {condition})"#
        )
    };
    let caught = [
        prints("SCORE = floor(_RAW)", "_RAW > limit"),
        prints("SCORE = round(_RAW, 0)", "_RAW > limit"),
        prints("SCORE = round(_RAW, 1)", "_RAW > limit"),
        prints("SCORE = floor(_RAW)", "limit < _RAW"),
        prints("SCORE = ceil(_RAW)", "_RAW < limit").replace("above", "below"),
        prints("SCORE = format(_RAW, 1)", "_RAW > limit"),
    ];
    let right = [
        prints("SCORE = floor(_RAW)", "SCORE > limit"),
        prints("SCORE = _RAW", "_RAW > limit"),
        prints("SCORE = floor(_RAW)", "_RAW >= limit").replace("above", "of at least"),
        prints("SCORE = _RAW + 1", "_RAW > limit - 1"),
        prints("SCORE = floor(_RAW) REST = _RAW - SCORE", "_RAW > limit"),
        prints("SCORE = floor(_RAW) LABEL = \"raw <<_RAW>>\"", "_RAW > limit"),
    ];
    hold("untold_input", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn codes_of_one_letter() {
    let calls = |prompt: &str, codes: &str, code: &str| {
        format!(
            r#"csv calls at "calls.csv" {{ rows 140 CHROM : one_of ["chr1", "chr2", "chr7"] GT : one_of [{codes}] QUAL : int 10..99 }} chrom : ref calls.CHROM
            prompt "{prompt} Reply with the number only." expect reply number count(calls where CHROM == chrom and GT == "{code}")"#
        )
    };
    let ask = "How many variants of <<calls>> on <<chrom>> are heterozygous?";
    let caught = [
        calls(ask, r#""h", "k", "r""#, "k"),
        calls(ask, r#""P", "Q", "R""#, "Q"),
        calls("How many calls of <<calls>> on <<chrom>> were lost?", r#""d", "k", "z""#, "z"),
        calls("How many variants of <<calls>> on <<chrom>> did the second reviewer confirm?", r#""u", "v""#, "u"),
        calls("How many samples of <<calls>> on <<chrom>> came from the coast?", r#""k", "q", "z""#, "q"),
        calls("How many variants of <<calls>> on <<chrom>> are rare?", r#""b", "g", "z""#, "z"),
    ];
    let right = [
        calls("How many variants of <<calls>> on <<chrom>> are heterozygous (GT is k)?", r#""h", "k", "r""#, "k"),
        calls(ask, r#""h", "k", "r""#, "h"),
        calls("How many variants of <<calls>> on <<chrom>> were confirmed?", r#""Y", "N""#, "Y"),
        calls("How many women of <<calls>> are on <<chrom>>?", r#""M", "F""#, "F"),
        calls(
            "A GT of h is homozygous, k and r are not. How many variants of <<calls>> on <<chrom>> are homozygous?",
            r#""h", "k", "r""#,
            "h",
        ),
        calls("How many large boxes of <<calls>> are on <<chrom>>?", r#""S", "L", "G""#, "L"),
    ];
    hold("untold_literal", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}
