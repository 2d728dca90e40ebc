//! Sums that stop a build: as a divisor where no row is summed, and with more than 64 bits.

#[test]
fn divisors_that_are_sums_of_no_rows() {
    let task = |divisor: &str| {
        format!(
            r#"kind : one_of ["a", "b", "c", "d"] csv t at "t.csv" {{ rows 30  ID : serial  KIND : one_of ["a", "b", "c", "d"]  PAY : int 5..90 }} whole = {divisor} prompt "In <<t>>, what is 1000 divided by the sum of PAY of <<kind>>? Number only, with 1 decimal." expect reply number 1000 / whole rounded 1"#
        )
    };
    let told = |divisor: &str| super::list_told(&task(divisor), &["W0405"]);
    let at = [("W0405".to_owned(), "whole".to_owned())];
    assert_eq!(told("coalesce(sum(t.PAY where KIND == kind), 0)"), at);
    assert_eq!(told("coalesce(max(t.PAY where KIND == kind), 0)"), at);
    assert_eq!(told("coalesce(sum(t.PAY where KIND == kind and PAY > 80), 0)"), at);
    assert_eq!(told("coalesce(sum(t.PAY where KIND == kind), 1)"), []);
    assert_eq!(told("coalesce(sum(t.PAY), 0)"), []);
    assert_eq!(told("greatest(coalesce(sum(t.PAY where KIND == kind), 0), 1)"), []);
    let guarded = task("coalesce(sum(t.PAY where KIND == kind), 0)").replace("prompt", "require whole > 0 prompt");
    assert_eq!(super::list_told(&guarded, &["W0405"]), []);
}

#[test]
fn sums_that_are_too_large() {
    let task = |value: &str, rows: &str| {
        format!(
            r#"kind : one_of ["a", "b"] csv t at "t.csv" {{ rows {rows}  ID : serial  KIND : one_of ["a", "b"]  SIZE : int 1..9_000_000_000_000_000  LOW : int 1..9 }} n = {value} prompt "What is the sum in <<t>> for <<kind>>? Number only." expect reply number coalesce(n, 0)"#
        )
    };
    let told = |value: &str, rows: &str| {
        let all = super::list_told(&task(value, rows), &["W0421"]);
        all.into_iter().map(|(_, at)| at).collect::<Vec<_>>()
    };
    for (value, rows) in [
        ("sum(t.SIZE * 8 where KIND == kind)", "400"),
        ("sum(t.SIZE)", "3_000"),
        ("sum(t.SIZE where KIND == kind)", "2_000..4_000"),
    ] {
        assert_eq!(told(value, rows), [value]);
    }
    for (value, rows) in [
        ("sum(t.SIZE * 8 where KIND == kind)", "40"),
        ("sum(t.SIZE)", "400"),
        ("sum(t.SIZE where ID == 3)", "4_000"),
        ("sum(t.LOW)", "4_000"),
    ] {
        assert_eq!(told(value, rows), [""; 0], "{value}");
    }
}

#[test]
fn sums_of_lengths_are_small() {
    let body = r#"csv t at "t.csv" { rows 30  W : word  E = pad_left(W, 9, "0") } prompt "How many letters has E in <<t>> in all rows together? Number only." expect reply number sum(len(t.E))"#;
    assert_eq!(super::list_told(body, &["W0421"]), []);
}

#[test]
fn divisors_that_the_condition_of_their_rows_excludes() {
    let task = |value: &str| {
        format!(
            r#"csv t at "t.csv" {{ rows 9  N : int 0..5  U : int 10..40 }} prompt "What are the values of U and N in <<t>> together, for rows where N is not 0? JSON list, 3 decimals." expect reply list {value} rounded 3"#
        )
    };
    let told = |value: &str| super::list_told(&task(value), &["W0405"]).len();
    for value in ["list(t.U / t.N where N != 0)", "list(t.U / t.N where N > 0)", "list(mod(t.U, t.N) where not N == 0)"]
    {
        assert_eq!(told(value), 0, "{value}");
    }
    for value in ["list(t.U / t.N)", "list(t.U / t.N where U > 10)", "list(t.U / t.N where N >= 0)"] {
        assert_eq!(told(value), 1, "{value}");
    }
}

#[test]
fn ints_that_a_double_does_not_hold() {
    let task = |condition: &str| {
        format!(
            r#"sqlite db at "a.db" {{ table t {{ rows 20  A : int 9007199254740990..9007199254740996 }} }} n = <<sqlite_query: db, SELECT COUNT(*) FROM t WHERE {condition}>> prompt "How many rows of t in <<db>> have {condition}? Number only." expect reply number n"#
        )
    };
    for condition in ["A * 1.0 <> A", "round(A) = A", "A + 0.5 >= A", "A + A - A <> A"] {
        assert_eq!(super::list_told(&task(condition), &["W0401", "W0402"]), [], "{condition}");
    }
}
