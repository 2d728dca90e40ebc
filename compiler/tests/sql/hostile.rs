//! Nothing that can be written makes it panic, overflow the stack, or point outside the query.

use proptest::prelude::*;

use crate::sql::world::{BEFORE, in_shop};

fn survives(sql: &str) {
    let (_, found, source) = in_shop(sql);
    let query = BEFORE.len() as u32..=(BEFORE.len() + sql.len()) as u32;
    for diagnostic in found {
        let span = diagnostic.primary.span;
        assert!(query.contains(&span.start) && query.contains(&span.end), "{sql:?}: {diagnostic:?}");
        assert!(
            source.is_char_boundary(span.start as usize) && source.is_char_boundary(span.end as usize),
            "{sql:?}: {diagnostic:?}"
        );
    }
}

#[test]
fn deep_and_long_queries_end() {
    for depth in [49, 60, 200, 5_000, 50_000] {
        survives(&format!("SELECT {}1{}", "(".repeat(depth), ")".repeat(depth)));
        survives(&format!("SELECT {}1", "(".repeat(depth)));
        survives(&format!("SELECT {}1", "-".repeat(depth)));
        survives(&format!("SELECT {}1", "NOT ".repeat(depth)));
        survives(&format!("SELECT 1{}", " + 1".repeat(depth)));
        survives(&format!("SELECT ORD_ID FROM orders WHERE 1{}", " AND ORD_ID = ORD_AMT".repeat(depth.min(5_000))));
        survives(&format!("SELECT 1{}", " UNION SELECT 1".repeat(depth.min(5_000))));
        survives(&format!("{}1{}", "SELECT * FROM (SELECT ".repeat(depth.min(5_000)), ")".repeat(depth.min(5_000))));
        survives(&format!(
            "SELECT {}1{}",
            "CASE WHEN 1 THEN ".repeat(depth.min(5_000)),
            " END".repeat(depth.min(5_000))
        ));
    }
}

#[test]
fn tables_of_with_inside_each_other_take_no_long_time() {
    let mut sql = "SELECT 1".to_owned();
    for depth in 0..24 {
        sql = format!("WITH RECURSIVE c{depth}(x) AS ({sql} UNION SELECT x FROM c{depth}) SELECT x FROM c{depth}");
    }
    survives(&sql);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        survives(&text);
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(vec![
        "SELECT", "FROM", "WHERE", "orders", "customers", "o", "ORD_AMT", "\"REG DT\"", "*", ",", "(", ")", "'x'", ":dept", ":", "?", "=",
        "IS", "NOT", "NULL", "IN", "GROUP BY", "COUNT", "SUM", ".", "WITH", "AS", "UNION", "JOIN", "ON", "USING", "CASE", "WHEN", "END",
        "<<", ">>", "->>", "5", "1.5", "OVER", "EXCLUDE", "INDEXED", "BY", "ORDER BY", "LIMIT", "[x", "`", "é", ";", "--", "/*", "\n",
    ]), 0..30)) {
        survives(&format!("SELECT {}", words.join(" ")));
    }
}
