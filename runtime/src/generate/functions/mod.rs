//! Calls of the standard library's functions: kernels of `model::functions` are run on values, columns, and lists; what needs files or
//! databases is here. Types were checked by the compiler; what can still go wrong here is data.

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

use super::eval::{Eval, Res, no_result};
use args::Args;
pub(crate) use describes::{Made as MadeDescription, recorded};
pub(crate) use files::lines;
pub(crate) use states::goal;

/// An implementation that reads its arguments itself, for some are relations, files, or queries.
type Function = for<'a> fn(Args<'a>) -> Res<Val<'a>>;

/// Calls a function.
pub(crate) fn call<'a>(eval: Eval<'a>, call: &'a Call) -> Res<Val<'a>> {
    let args = Args { eval, call };
    if let (Some(wanted), Some(_)) = (call.function.query, args.sql()) {
        return queries::result(args, wanted);
    }
    match call.function.kernel {
        Kernel::Values(kernel) => {
            let values = (0..call.args.len()).map(|index| args.value(index)).collect::<Res<_>>()?;
            kernel(Inputs { function: call.function, values }).or_else(no_result)
        }
        Kernel::Fold(kernel) => aggregates::folded(args, kernel),
        Kernel::Points(columns, kernel) => points::worked_out(args, columns, kernel),
        Kernel::Fields => fields::object(args),
        Kernel::FirstKnown => first_known(args),
        Kernel::Path(family, question) => match of_path(family, question) {
            Some(answer) => answer(args),
            None => args.misfit("another kind of file"),
        },
        Kernel::Query => args.misfit("a query"),
        Kernel::Reads(reader) => of_reader(reader)(args),
    }
}

/// The first argument that is not null; those after it are not evaluated.
fn first_known(args: Args<'_>) -> Res<Val<'_>> {
    for index in 0..args.call.args.len() {
        let value = args.value(index)?;
        if !value.is_null() {
            return Ok(value);
        }
    }
    Ok(Val::NULL)
}

fn of_reader(reader: Reader) -> Function {
    match reader {
        Reader::Cell => csv::cell,
        Reader::Row => csv::row,
        Reader::CellValue => csv::value,
        Reader::Line => files::line,
        Reader::Word => files::word,
        Reader::LineCount => files::line_count,
        Reader::WordCount => files::word_count,
        Reader::Content => files::content,
        Reader::Schema => queries::schema,
        Reader::Describe => describes::describe,
        Reader::Gold => queries::gold,
        Reader::After => states::after,
        Reader::Changed => states::changed,
        Reader::Edited(Edit::Replace) => edits::edit,
        Reader::Edited(Edit::Remove) => edits::remove,
        Reader::Edited(Edit::Append) => edits::append,
    }
}

/// What answers a question about a path into such a file; `None` where that is not asked.
fn of_path(family: Family, question: Question) -> Option<Function> {
    match family {
        Family::Json | Family::Yaml => json::answer(question),
        Family::Xml => xml::answer(question),
    }
}

#[cfg(test)]
mod tests {
    use model::functions::{Kernel, all};

    #[test]
    fn every_question_that_a_function_asks_has_an_answer() {
        for function in all() {
            if let Kernel::Path(family, question) = function.kernel {
                assert!(super::of_path(family, question).is_some(), "nothing answers `{function}`");
            }
        }
    }
}
