//! How long the texts of expressions and of files can be.

use model::domain::LoremUnit;
use model::functions::{Kernel, REPLACE, Reader};
use model::suite::{FileId, Scope};

use crate::facts::Facts;
use crate::terms::Texts;
use crate::texts::{LONGEST_SENTENCE, find_filler_unit, find_longest, infer_texts, is_shorter};
use crate::{Arg, Expr, ExprKind, FileContent};

/// How many names are followed for one text.
const MAX_DEPTH: u32 = 12;

/// Lengths at which it is looked whether all texts are shorter.
const LENGTHS: [usize; 2] = [65, 401];

/// The most characters that an expression can have when it is written into a text. `None` if that is not known.
pub fn measure_longest<'a>(facts: &Facts<'a>, expr: &'a Expr, scope: Scope) -> Option<usize> {
    measure_at(facts, expr, scope, MAX_DEPTH)
}

fn measure_at<'a>(facts: &Facts<'a>, expr: &'a Expr, scope: Scope, depth: u32) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    let value = |arg: &'a Arg| match arg {
        Arg::Value(value) => measure_at(facts, value, scope, depth),
        _ => None,
    };
    match &expr.kind {
        ExprKind::Name(id) if facts.task().find_computed(*id).is_some() => {
            measure_at(facts, facts.task().find_computed(*id)?, Scope::default(), depth)
        }
        ExprKind::Concat(parts) => {
            parts.iter().try_fold(0usize, |sum, part| Some(sum.saturating_add(measure_at(facts, part, scope, depth)?)))
        }
        ExprKind::Call(function, args) => match args.as_slice() {
            // Each character of the text can be replaced.
            [text, _, by] if *function == REPLACE => Some(value(text)?.saturating_mul(value(by)?.max(1))),
            [Arg::File(file)] if matches!(function.kernel, Kernel::Reads(Reader::Content)) => {
                measure_content(facts, *file, depth)
            }
            _ => measure_texts(&infer_texts(facts, expr, scope)?),
        },
        _ => measure_texts(&infer_texts(facts, expr, scope)?),
    }
}

/// The most characters of a file, with line ends of two characters and a byte order mark.
fn measure_content<'a>(facts: &Facts<'a>, file: FileId, depth: u32) -> Option<usize> {
    let file_of = facts.task().files.get(file)?;
    let form = file_of.content.form().or(file_of.form.as_deref());
    if form.is_some_and(|form| form.above.is_some() || form.below.is_some()) {
        return None;
    }
    let all = match &file_of.content {
        FileContent::ComputedText(text) => measure_at(facts, text, Scope::default(), depth)?,
        FileContent::TextLines { line, relation, .. } => {
            let rows = usize::try_from(facts.count_rows(*relation).most).ok()?;
            rows.saturating_mul(measure_at(facts, line, Scope::with_row(*relation), depth)?.saturating_add(1))
        }
        FileContent::DrawnText(draw) if find_filler_unit(draw) == Some(LoremUnit::Lines) => {
            usize::try_from(facts.count_lines(file).most).ok()?.saturating_mul(LONGEST_SENTENCE + 1)
        }
        _ => return None,
    };
    Some(all.saturating_mul(2).saturating_add(1))
}

/// The most characters of a text, or a number above it.
fn measure_texts(texts: &Texts<'_>) -> Option<usize> {
    find_longest(texts).or_else(|| LENGTHS.into_iter().find(|length| is_shorter(texts, *length)))
}
