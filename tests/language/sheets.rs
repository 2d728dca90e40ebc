//! A workbook that is read: `sheet` says which of its sheets.

use compiler::Compiled;
use model::Value;
use runtime::generate::Instance;
use testing::{build_suite_source, compile_with, find_answer};

/// A workbook of two sheets, as a task of ours makes it.
fn workbook() -> Instance {
    let task = "xlsx book at \"book.xlsx\" { \
        table First { rows 3 ID : serial } \
        table Second { rows 6 ID : serial N : int 1..9 blank 40% DAY : date } \
        } prompt \"<<book>>\" expect reply rows <<rows: SELECT * FROM book.Second ORDER BY ID>>";
    super::instances(task).swap_remove(0)
}

fn bytes(instance: &Instance, path: &str) -> Vec<u8> {
    instance.files.iter().find(|file| file.path == path).expect("the workbook").bytes.to_vec()
}

/// A task about the workbook, declared with these options.
fn about(made: &Instance, options: &str, expected: &str) -> Compiled {
    let task = format!(
        "xlsx book at \"in/book.xlsx\" from \"book.xlsx\" {options} prompt \"<<book>>\" expect reply rows {expected}"
    );
    testing::keep_errors(compile_with(
        &build_suite_source("samples 1", &task),
        &[("book.xlsx", &bytes(made, "book.xlsx"))],
    ))
}

/// `sheet` without columns: their names and types are those of that sheet alone, and the agent gets the whole workbook.
#[test]
fn a_fixture_is_one_sheet_of_a_workbook() {
    let made = workbook();
    let compiled = about(&made, "sheet \"Second\"", "<<rows: SELECT * FROM book ORDER BY ID>>");
    assert!(compiled.diagnostics.is_empty(), "{:?}", compiled.diagnostics);
    let instances = testing::expect_instances(&compiled);
    assert_eq!(find_answer(&instances[0]), find_answer(&made));
    assert!(bytes(&instances[0], "in/book.xlsx") == bytes(&made, "book.xlsx"), "the bytes are those of the file");
}

#[test]
fn a_workbook_without_sheet_has_all_of_them() {
    let made = workbook();
    let compiled =
        about(&made, "", "<<rows: SELECT s.* FROM book.First f JOIN book.Second s ON s.ID = f.ID ORDER BY s.ID>>");
    let Value::Rows(of_two) = find_answer(&testing::expect_instances(&compiled)[0]).clone() else { panic!("rows") };
    let Value::Rows(of_one) = find_answer(&made).clone() else { panic!("rows") };
    assert_eq!(of_two.rows, of_one.rows[..3]);
    assert_eq!(of_two.columns, of_one.columns);
}

#[test]
fn a_sheet_that_is_not_there_is_told() {
    let made = workbook();
    let compiled = about(&made, "sheet \"second\"", "<<rows: SELECT 1>>");
    assert_eq!(testing::list_codes(&compiled), ["E0202"]);
    let said = &compiled.diagnostics[0];
    assert_eq!(said.message, "`book.xlsx` has no sheet `second`");
    assert!(format!("{said:?}").contains("its sheets are `First` and `Second`"), "{said:?}");
}
