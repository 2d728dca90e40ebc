//! Words for samples that would stop the build.

use super::eval::describe;
use super::fault::{Fault, What};
use super::search::Witness;
use crate::context::TaskCx;
use syntax::diagnostics::wording::join_phrases;
use syntax::diagnostics::{Code, Diagnostic};

/// The maximum number of names whose values are told.
const MAX_NAMES: usize = 4;

/// Builds the diagnostic for a place, with a sample that stops there.
pub(super) fn build_diagnostic(cx: &TaskCx<'_>, witness: &Witness) -> Diagnostic {
    let Fault { what, span, why } = &witness.fault;
    let quoted = cx.sources.quote(*span);
    let when = describe_sample(cx, witness);
    let label = format!("{why}{when}");
    let new = |code: &'static Code, message: String| Diagnostic::new(code, message, *span, label.clone());
    match what {
        What::Divisor => new(Code::ZERO_DIVISION, format!("divisor `{quoted}` can be 0")).help(format!(
            "the build stops at such a sample: redraw it with `require {quoted} != 0`, or write `if {quoted} != 0 then … else …`"
        )),
        What::Computation => new(Code::MAY_FAIL, format!("`{quoted}` has no result in some samples")).help(
            "the build stops at such a sample: draw values for which it has a result, or redraw with `require`",
        ),
        What::Range => new(Code::MAY_BE_EMPTY, format!("the range `{quoted}` can be empty")).help(help_range(&quoted)),
        What::Count => new(Code::MAY_BE_EMPTY, format!("the number `{quoted}` can be below 0"))
            .help(format!("the build stops at such a sample: draw it from 0 on, or redraw it with `require {quoted} >= 0`")),
        What::Share => new(Code::MAY_FAIL, format!("the share `{quoted}` can be outside of 0% to 100%"))
            .help("the build stops at such a sample: let the number be between 0 and 100"),
        What::Exhausted => new(Code::MAY_EXHAUST, "in some samples the domain has no values left".to_owned())
            .help(help_exhausted(why)),
        What::Path => new(Code::MAY_BE_UNSAFE, format!("the path `{quoted}` can be unsafe"))
            .help("the build stops at such a sample: draw a part of the path from other values, or write a fixed letter before it"),
    }
}

fn help_range(quoted: &str) -> String {
    match quoted.split_once("..") {
        Some((low, high)) if !high.contains("..") => format!(
            "the build stops at such a sample: redraw it with `require {} <= {}`, or use bounds that cannot cross",
            low.trim(),
            high.trim()
        ),
        _ => "the build stops at such a sample: use bounds that cannot cross".to_owned(),
    }
}

fn help_exhausted(why: &str) -> &'static str {
    if why.contains("where") {
        "the build stops at such a sample: redraw it with a `require` that counts the rows, or draw what the `where` compares from the same column"
    } else if why.contains("no rows") {
        "the build stops at such a sample: give the table at least 1 row"
    } else if why.contains("null") {
        "the build stops at such a sample: leave out `blank`, or redraw it with a `require` that counts the values"
    } else {
        "the build stops at such a sample: draw from more values, or exclude fewer"
    }
}

/// Describes the drawn values: ` when lo = 50 and hi = 3`. Empty if there are none, or too many to tell.
fn describe_sample(cx: &TaskCx<'_>, witness: &Witness) -> String {
    let values: Vec<String> = witness
        .values
        .iter()
        .filter_map(|(id, value)| Some(format!("`{}` = {}", cx.task.names.get(*id)?.name, describe(value))))
        .collect();
    match values.len() {
        0 => String::new(),
        1..=MAX_NAMES => format!(" when {}", join_phrases(&values, "and", MAX_NAMES)),
        _ => " in such a sample".to_owned(),
    }
}
