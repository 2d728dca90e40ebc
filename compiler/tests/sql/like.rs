//! LIKE as the compiler reads it, against SQLite's.

use compiler::facts::Like;
use proptest::prelude::*;
use rusqlite::Connection;

proptest! {
    #[test]
    fn matches_what_sqlite_matches(cases in prop::collection::vec(("[aAbé%_]{0,7}", "[aAbBéÉ]{0,7}"), 64)) {
        let connection = Connection::open_in_memory().expect("SQLite");
        let mut asked = connection.prepare("SELECT ?1 LIKE ?2").expect("a query");
        for (pattern, text) in cases {
            let wanted: bool = asked.query_row([&text, &pattern], |row| row.get(0)).expect("a row");
            prop_assert_eq!(Like::new(&pattern).is_match(&text), wanted, "{} LIKE {}", text, pattern);
        }
    }
}
