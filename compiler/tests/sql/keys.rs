//! Keys of several columns: what fixes all of them gives at most one row.

use crate::sql::world::{look, tables};

#[test]
fn all_columns_of_a_key_together_give_at_most_one_row() {
    let mut tables = tables(None);
    // (CUST_REF, "REG DT") of orders, in another order than the columns stand.
    tables[1].keys = vec![vec![6, 1]];
    let keyless = crate::sql::world::tables(None);
    for (query, one) in [
        ("SELECT PRICE FROM orders WHERE CUST_REF = 3 AND \"REG DT\" = '2024-01-01'", true),
        ("SELECT PRICE FROM orders WHERE (\"REG DT\", CUST_REF) = ('2024-01-01', :threshold)", true),
        (
            "SELECT o.PRICE FROM customers c JOIN orders o ON o.CUST_REF = c.CUST_ID WHERE c.CUST_ID = 1 AND \"REG DT\" = '2024-01-01'",
            true,
        ),
        ("SELECT PRICE FROM orders WHERE CUST_REF = 3", false),
        ("SELECT PRICE FROM orders WHERE \"REG DT\" = '2024-01-01'", false),
        ("SELECT PRICE FROM orders WHERE CUST_REF = 3 OR \"REG DT\" = '2024-01-01'", false),
        ("SELECT PRICE FROM orders WHERE CUST_REF = 3 AND \"REG DT\" >= '2024-01-01'", false),
        ("SELECT PRICE FROM orders WHERE CUST_REF = 3 AND \"REG DT\" IN ('2024-01-01', '2024-01-02')", false),
    ] {
        let (analysis, diagnostics, _) = look(query, &tables, Some("shop"));
        assert!(diagnostics.is_empty(), "{query}: {diagnostics:?}");
        assert_eq!(analysis.at_most_one_row, one, "{query}");
        assert!(!look(query, &keyless, Some("shop")).0.at_most_one_row, "{query}: without the key nothing is known");
    }
}
