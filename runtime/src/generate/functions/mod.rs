//! Calls of the standard library's functions: runs the kernels of `model::functions` on values, columns, and lists. Functions that need files or
//! databases are implemented here. The compiler has checked the types; only data can still cause a failure.

mod aggregates;
mod args;
mod csv;
mod describes;
mod edits;
mod fields;
mod files;
mod json;
mod points;
mod quantities;
mod queries;
mod states;
mod typed;
mod xml;

use model::Val;
use model::functions::{Family, Inputs, Kernel, Reader};
use model::suite::Call;

use super::context::Eval;
use super::failures::{Res, fail_computation};
use super::work::compute_value_work;
use args::{Args, find_sql};
pub(crate) use describes::collect_descriptions;
pub(crate) use states::extract_goal;

/// Calls a function.
pub(crate) fn call_function<'a>(eval: Eval<'a>, call: &'a Call) -> Res<Val<'a>> {
    let args = Args { eval, call };
    if let (Some(wanted), Some(sql)) = (call.function.query, find_sql(call)) {
        return queries::read_result(args, sql, wanted);
    }
    match call.function.kernel {
        Kernel::Values(kernel) => {
            let values = (0..call.args.len()).map(|index| args.evaluate_arg(index)).collect::<Res<Vec<_>>>()?;
            eval.count_work(values.iter().map(compute_value_work).sum())?;
            let made = kernel(Inputs { function: call.function.name, values }).or_else(fail_computation)?;
            eval.count_work(compute_value_work(&made))?;
            Ok(made)
        }
        Kernel::Fold(kernel) => aggregates::fold_values(args, kernel),
        Kernel::Points(columns, kernel) => points::apply_to_points(args, columns, kernel),
        Kernel::Fields => fields::build_object(args),
        Kernel::FirstKnown => find_first_known(args),
        Kernel::Path(Family::Json | Family::Yaml, question) => json::answer_question(args, question),
        Kernel::Path(Family::Xml, question) => xml::answer_question(args, question),
        Kernel::Query => args.reject_arg("a query"),
        Kernel::Reads(reader) => read_files(args, reader),
    }
}

/// Returns the first argument that is not null; later arguments are not evaluated.
fn find_first_known(args: Args<'_>) -> Res<Val<'_>> {
    for index in 0..args.call.args.len() {
        let value = args.evaluate_arg(index)?;
        if !value.is_null() {
            return Ok(value);
        }
    }
    Ok(Val::NULL)
}

/// Calls a function that reads files or databases.
fn read_files(args: Args<'_>, reader: Reader) -> Res<Val<'_>> {
    match reader {
        Reader::Cell => csv::read_cell(args),
        Reader::Row => csv::read_row(args),
        Reader::CellValue => csv::read_value(args),
        Reader::Line => files::read_line(args),
        Reader::Word => files::read_word(args),
        Reader::LineCount => files::count_lines(args),
        Reader::WordCount => files::count_words(args),
        Reader::Content => files::read_content(args),
        Reader::Schema => queries::render_schema(args),
        Reader::Describe => describes::describe_database(args),
        Reader::Gold => queries::run_gold_query(args),
        Reader::After => states::compute_state(args),
        Reader::Changed => states::count_changed_rows(args),
        Reader::Edited(edit) => edits::apply_edit(args, edit),
    }
}
