//! The rows in notes for which two readings of a query differ.

use compiler::diagnostics::Severity;

/// Declarations that every case has.
const TABLES: &str = r#"
  sqlite shop at "shop.db" {
    table customers { rows 20  ID : serial  NAME : person_name  CREDIT : int 100..900  BOSS : int 1..20 blank 20% }
    table orders {
      rows 90
      NO     : serial
      CUST   : ref customers.ID
      STATUS : one_of ["open", "paid", "sent"] blank 10%
      AMOUNT : int 10..500
      BONUS  : int 0..9 blank 20%
    }
    table tickets { rows 40  NO : serial  CUST : ref customers.ID  HOURS : int 1..9 }
  }
"#;

/// The note of the only diagnostic with this name about a query; errors fail.
fn read_note(lint: &str, prompt: &str, sql: &str) -> String {
    let body = format!(
        "{TABLES}\n  prompt \"{prompt} Look at <<shop>>: customers, orders, tickets.\"\n  expect reply rows <<rows: {sql}>>"
    );
    let compiled = testing::compile_text(&testing::build_suite_source("", &body));
    let errors: Vec<_> = compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error).collect();
    assert!(errors.is_empty(), "{sql}\n{errors:#?}");
    let mut own = compiled.diagnostics.iter().filter(|said| said.code.name == lint);
    let found = own.next().unwrap_or_else(|| panic!("{lint} is not told of {sql}\n{:#?}", compiled.diagnostics));
    assert!(own.next().is_none(), "{lint} is told twice of {sql}");
    found.note.clone().unwrap_or_default()
}
