//! Columns that determine others: keys that are computed, ties of equal values, and guards that are always met by the words of a list.

use super::list_told;

/// What is told of a query for one value of these declarations, of errors and ties.
fn told_of_value(declared: &str, query: &str) -> Vec<String> {
    let names = "r : int 1..9 c : int 0..1 code : word due : date 2024-01-02..2024-01-20";
    let body = format!(
        "{names} {declared} v = <<value: {query}>> require v != null prompt \"Which V is that of <<r>>, <<c>>, <<code>>, <<due>> in <<g>>?\" \
         expect reply number v"
    );
    list_told(&body, &["W0304"]).into_iter().map(|(code, _)| code).collect()
}

#[test]
fn a_key_can_be_computed() {
    for (columns, condition) in [
        // Known rows.
        ("rows 30 _N : serial ROW = floor((_N - 1) / 6) COL = mod(_N - 1, 6)", "ROW = :r AND COL = :c"),
        (
            "rows 24 _N : serial YEAR = 2022 + floor((_N - 1) / 12) MONTH = mod(_N - 1, 12) + 1",
            "YEAR = 2022 + :c AND MONTH = :r",
        ),
        (
            "rows 9 _N : serial TEAM = if _N <= 3 then \"a\" else if _N <= 6 then \"b\" else \"c\" NR = mod(_N, 3)",
            "TEAM = :code AND NR = :c",
        ),
        ("rows 12 _N : serial MONTH = mod(_N, 12) + 1", "MONTH = :r"),
        (
            "rows 27 _N : serial X = mod(_N, 3) Y = mod(floor(_N / 3), 3) Z = mod(floor(_N / 9), 3)",
            "X = :c AND Y = :c AND Z = :c",
        ),
        ("rows 30 _N : serial DAY = 2024-01-01 + _N * 1 days", "DAY = :due"),
        ("rows 10..40 ID : serial NO = \"P-<<pad_left(\"<<ID>>\", 4, \"0\")>>\"", "NO = :code"),
        // Read back from the value.
        ("rows 10..40 REGION : one_of [\"N\", \"S\"] _N : serial CODE = \"<<REGION>>-<<_N>>\"", "CODE = :code"),
        ("rows 30 A : int 1..9 B : int 0..99 unique (A, B) VER = \"<<A>>.<<B>>\"", "VER = :code"),
        ("rows 30 A : int 1..9 B : int 0..99 unique (A, B) NR = A * 100 + B", "NR = :r"),
        ("rows 30 ID : serial LOW = 5_000 - 3 * ID", "LOW = :r"),
        // Not decided: the build says whether two rows are equal.
        ("rows 30 SKU : unique pattern \"[A-Z]{3}[0-9]{2}\" LOW = lower(SKU)", "LOW = :code"),
        ("rows 30 ID : serial DAY : date 2024-01-01..2024-12-31 NR = ID * 10 + month(DAY)", "NR = :r"),
    ] {
        let declared = format!("csv g at \"g.csv\" {{ {columns} V : int 1..90 }}");
        assert_eq!(told_of_value(&declared, &format!("SELECT V FROM g WHERE {condition}")), [""; 0], "{columns}");
    }
    for (columns, condition) in [
        ("rows 30 _N : serial ROW = floor((_N - 1) / 6)", "ROW = :r"),
        ("rows 30 Q : int 1..9 P : int 1..9 T = Q * P", "T = :r"),
        ("rows 30 ID : serial L = if ID > 10 then \"a\" else \"b\"", "L = :code"),
        ("rows 30 _N : serial A = mod(_N, 4) B = mod(_N, 6)", "A = :c AND B = :r"),
        ("rows 30 A : int 1..30 B : int 0..99 VER = \"<<A>>.<<B>>\"", "VER = :code"),
        ("rows 30 A : int 1..9 B : int 0..99 unique (A, B) NR = A * 10 + 1", "NR = :r"),
        ("rows 30 ID : serial V2 : int 1..9", "V2 = :r"),
    ] {
        let declared = format!("csv g at \"g.csv\" {{ {columns} V : int 1..90 }}");
        assert_eq!(told_of_value(&declared, &format!("SELECT V FROM g WHERE {condition}")), ["E0605"], "{columns}");
    }
}

#[test]
fn rows_that_are_taken_keep_their_keys() {
    let hidden = "table h { rows 30 ID : serial NO = ID + 1000 GROUP_ = mod(ID, 5) V : int 1..90 }";
    for (columns, condition, said) in [
        ("ID = ID V = V", "ID = :r", None),
        ("NO = NO V = V", "NO = 1000 + :r", None),
        ("No = NO V = V GROUP_ = GROUP_", "GROUP_ = :c", Some("E0605")),
        ("V = V W = V", "W = :r", Some("E0605")),
    ] {
        let declared = format!("{hidden} csv g at \"g.csv\" from h {{ {columns} }}");
        let told = told_of_value(&declared, &format!("SELECT V FROM g WHERE {condition}"));
        assert_eq!(told, said.into_iter().collect::<Vec<_>>(), "{columns}");
    }
}

#[test]
fn equal_versions_are_no_tie() {
    let said = |columns: &str, answer: &str| {
        let body = format!(
            "csv g at \"g.csv\" {{ rows 30 _A : int 1..14 _B : int 0..29 _C : int 0..40 {columns} }} v = {answer} require v != null \
             prompt \"Which is the highest version in <<g>>?\" expect reply text v"
        );
        list_told(&body, &["W0304"])
    };
    let version = "V = \"<<_A>>.<<_B>>.<<_C>>\"";
    for (columns, answer) in [
        ("_K = _A * 10_000 + _B * 100 + _C", "first(g.V where _K == max(g._K))"),
        ("_K = (_A * 30 + _B) * 41 + _C", "last(g.V where _K == max(g._K))"),
        ("_K = 5_000_000 - _A * 10_000 - _B * 100 - _C", "first(g.V where _K == min(g._K))"),
        ("K = _A * 10_000 + _B * 100 + _C", "<<value: SELECT V FROM g ORDER BY K DESC LIMIT 1>>"),
        ("A = _A B = _B C = _C", "<<value: SELECT V FROM g ORDER BY A DESC, B DESC, C DESC LIMIT 1>>"),
        ("DAY : date 2024-01-01..2024-12-31 L = \"on <<DAY>>\"", "first(g.L where DAY == max(g.DAY))"),
        ("P : int 1..99 L = if P > 50 then \"high\" else \"low\"", "first(g.L where P == max(g.P))"),
        ("CODE = \"<<_A>>/<<_B>>\" L = \"<<_B>>\"", "first(g.L where CODE == max(g.CODE))"),
    ] {
        let told = said(&format!("{columns} {version}"), answer);
        assert!(told.is_empty(), "{columns}: {answer}: {told:?}");
    }
    for (columns, answer) in [
        ("_K = _A * 10_000 + _B * 10 + _C", "first(g.V where _K == max(g._K))"),
        ("_K = _A * 10_000 + _B * 100", "first(g.V where _K == max(g._K))"),
        ("K = _A * 100 + _B", "<<value: SELECT V FROM g ORDER BY K DESC LIMIT 1>>"),
        ("A = _A B = _B", "<<value: SELECT V FROM g ORDER BY A DESC, B DESC LIMIT 1>>"),
        ("CODE = \"<<_A>><<_B>>\" L = \"<<_B>>\"", "first(g.L where CODE == max(g.CODE))"),
        ("Q : int 1..9", "first(g.V where Q == max(g.Q))"),
    ] {
        let told = said(&format!("{columns} {version}"), answer);
        assert!(matches!(told.as_slice(), [(code, _)] if code == "W0304"), "{columns}: {answer}: {told:?}");
    }
}

#[test]
fn a_require_may_guard_against_words_of_a_list() {
    let said = |names: &str, condition: &str| {
        let body = format!(
            "{names} text note at \"n.txt\" = \"<<a>> met <<b>>.\" require {condition} prompt \"Who met <<b>> in <<note>>?\" expect reply text a"
        );
        list_told(&body, &["W0401", "W0402"])
    };
    let people = "a : first_name b : last_name";
    for (names, condition) in [
        (people, "a != b"),
        (people, "not (a == b)"),
        (people, "a not in [b]"),
        (people, "a != b and len(a) > 1"),
        (people, "lower(a) != lower(b)"),
        (people, "a != b and a != \"Zaphod\""),
        (people, "not contains(a, \"'\")"),
        ("a : city b : country", "a != b"),
        ("a : first_name b : one_of [\"Acme\", \"Globex\"]", "a != b"),
        ("a : person_name b : city", "a != b"),
    ] {
        let told = said(names, condition);
        assert!(told.is_empty(), "{condition}: {told:?}");
    }
    for (names, condition, at) in [
        ("a : one_of [\"x\", \"y\"] b : one_of [\"p\", \"q\"]", "a != b", "a != b"),
        ("a : city b : department", "b != \"Lagal\"", "b != \"Lagal\""),
        ("n : int 1..9 a : city b : country", "n < 20 and a != b", "n < 20"),
        ("n : int 1..9 a : city b : country", "n > 20 and a != b", "n > 20"),
    ] {
        let told = said(names, condition);
        assert!(matches!(told.as_slice(), [(_, place)] if place == at), "{condition}: {told:?}");
    }
}
