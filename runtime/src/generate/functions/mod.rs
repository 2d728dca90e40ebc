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
mod queries;
mod states;
mod typed;
mod xml;

use model::Val;
use model::functions::{Edit, Family, Inputs, Kernel, Question, Reader};
use model::suite::Call;

use super::eval::{Eval, Res, fail_computation};
use args::Args;
pub(crate) use describes::{Made as MadeDescription, collect_descriptions};
pub(crate) use files::split_lines;
pub(crate) use states::extract_goal;

/// An implementation that reads its arguments itself, because some are relations, files, or queries.
type Function = for<'a> fn(Args<'a>) -> Res<Val<'a>>;

/// Calls a function.
pub(crate) fn call_function<'a>(eval: Eval<'a>, call: &'a Call) -> Res<Val<'a>> {
    let args = Args { eval, call };
    if let (Some(wanted), Some(_)) = (call.function.query, args.find_sql()) {
        return queries::read_result(args, wanted);
    }
    match call.function.kernel {
        Kernel::Values(kernel) => {
            let values = (0..call.args.len()).map(|index| args.evaluate_arg(index)).collect::<Res<_>>()?;
            kernel(Inputs { function: call.function, values }).or_else(fail_computation)
        }
        Kernel::Fold(kernel) => aggregates::fold_values(args, kernel),
        Kernel::Points(columns, kernel) => points::apply_to_points(args, columns, kernel),
        Kernel::Fields => fields::build_object(args),
        Kernel::FirstKnown => find_first_known(args),
        Kernel::Path(family, question) => match find_path_function(family, question) {
            Some(answer) => answer(args),
            None => args.reject_arg("another kind of file"),
        },
        Kernel::Query => args.reject_arg("a query"),
        Kernel::Reads(reader) => choose_reader(reader)(args),
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

fn choose_reader(reader: Reader) -> Function {
    match reader {
        Reader::Cell => csv::read_cell,
        Reader::Row => csv::read_row,
        Reader::CellValue => csv::read_value,
        Reader::Line => files::read_line,
        Reader::Word => files::read_word,
        Reader::LineCount => files::count_lines,
        Reader::WordCount => files::count_words,
        Reader::Content => files::read_content,
        Reader::Schema => queries::render_schema,
        Reader::Describe => describes::describe_database,
        Reader::Gold => queries::run_gold_query,
        Reader::After => states::compute_state,
        Reader::Changed => states::count_changed_rows,
        Reader::Edited(Edit::Replace) => edits::replace_values,
        Reader::Edited(Edit::Remove) => edits::remove_values,
        Reader::Edited(Edit::Append) => edits::append_values,
    }
}

/// Returns the function for a question about a path into such a file; `None` if the question does not exist for it.
fn find_path_function(family: Family, question: Question) -> Option<Function> {
    match family {
        Family::Json | Family::Yaml => json::find_function(question),
        Family::Xml => xml::find_function(question),
    }
}

#[cfg(test)]
mod tests {
    use model::functions::{Kernel, iter_functions};

    #[test]
    fn every_question_that_a_function_asks_has_an_answer() {
        for function in iter_functions() {
            if let Kernel::Path(family, question) = function.kernel {
                assert!(super::find_path_function(family, question).is_some(), "nothing answers `{function}`");
            }
        }
    }
}
