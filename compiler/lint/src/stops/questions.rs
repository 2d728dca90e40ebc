//! Proofs that a function that reads a file has a result: that a path leads to what is asked for, and that a line or a word is there.

use model::functions::{Family, Question, Reader};
use model::suite::{FileId, RelationId, Scope, Shape};
use model::tokens::count_tokens;

use super::safe::is_within;
use hir::facts::steps::{Step, follow_steps, read_steps};
use hir::facts::{Facts, Truth, sum_range};
use hir::paths::xml_results::always_selects;
use hir::types::TyKind;
use hir::{Arg, Expr, FileContent};

/// Numbers up to this one can be added up.
const MAX_ADDED: f64 = 1e12;

/// The most rows of a table that is described.
const MAX_DESCRIBED: u64 = 100_000;

/// Whether a question about a path into a file always has an answer.
pub(super) fn is_safe_question<'a>(
    facts: &Facts<'a>,
    (family, question): (Family, Question),
    (file, path): (FileId, &str),
) -> bool {
    let Some(content) = facts.task().files.get(file).map(|file| &file.content) else { return false };
    let Some(shape) = content.shape() else { return false };
    if family == Family::Xml {
        if !always_selects(path) {
            return false;
        }
        if matches!(question, Question::Count | Question::Exists) {
            return true;
        }
    }
    let Some(steps) = read_steps(family, path) else { return false };
    // The root is not in the structure.
    if let FileContent::Tree { root: Some(root), .. } = content
        && steps.iter().any(|step| matches!(step, Step::Deep(name) if name == root))
    {
        return false;
    }
    let Some(target) = follow_steps(facts, shape, family, &steps) else { return false };
    let is_singular = !steps.iter().any(Step::is_many);
    match question {
        Question::Whole => !target.many,
        Question::Value | Question::Attribute => !target.many && is_scalar(facts, target.shape),
        Question::Keys => !target.many && target.exists && matches!(target.shape, Shape::Object(_)),
        Question::Count if family != Family::Xml && is_singular => {
            target.exists && matches!(target.shape, Shape::Object(_) | Shape::Array(..))
        }
        Question::Count | Question::CountWhere | Question::Exists | Question::Collect => true,
        Question::Sum | Question::Avg => has_small_sum(facts, target.shape),
        Question::Max | Question::Min => is_ordered(facts, target.shape),
    }
}

fn find_type<'a>(facts: &Facts<'a>, shape: &Shape) -> Option<&'a TyKind> {
    let Shape::Cell(relation, column) = shape else { return None };
    facts.task().find_column((*relation, *column)).map(|column| &column.ty.kind)
}

/// Whether the content is one value.
fn is_scalar(facts: &Facts<'_>, shape: &Shape) -> bool {
    find_type(facts, shape).is_some_and(|kind| {
        matches!(
            kind,
            TyKind::Int
                | TyKind::Decimal(_)
                | TyKind::Float
                | TyKind::Text
                | TyKind::Bool
                | TyKind::Date
                | TyKind::DateTime
        )
    })
}

/// Whether all present values are of one kind that has an order.
fn is_ordered(facts: &Facts<'_>, shape: &Shape) -> bool {
    let Shape::Cell(relation, column) = shape else { return false };
    let kind = find_type(facts, shape);
    !facts.lookup_column(*relation, *column).nullable
        && kind.is_some_and(|kind| {
            matches!(kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Float | TyKind::Date | TyKind::DateTime)
        })
}

/// Whether all present values are numbers whose sum is not too large.
fn has_small_sum(facts: &Facts<'_>, shape: &Shape) -> bool {
    let Shape::Cell(relation, column) = shape else { return false };
    let cells = facts.lookup_column(*relation, *column);
    let most = facts.count_rows(*relation).most;
    let is_exact = cells.range.as_ref().is_some_and(|range| sum_range(range, 0, most).is_some());
    !cells.nullable && is_ordered(facts, shape) && (is_exact || is_within(&cells, MAX_ADDED) && most < 1_000_000)
}

/// The number of tokens that the shortest description of a small database needs: the name of one of its tables.
fn measure_least_description(facts: &Facts<'_>, file: FileId) -> Option<i64> {
    let FileContent::Sqlite { tables, .. } = &facts.task().files.get(file)?.content else { return None };
    let measure = |id: &RelationId| {
        let own = facts.task().relations.get(*id)?;
        let is_small = facts.count_rows(*id).most <= MAX_DESCRIBED;
        is_small.then(|| i64::try_from(count_tokens(&format!("# {}", own.table))).ok())?
    };
    tables.iter().try_fold(0, |most, id| Some(measure(id)?.max(most)))
}

/// Whether a function that reads a file has a result: what is read is there.
pub(super) fn is_safe_reader<'a>(facts: &Facts<'a>, reader: Reader, args: &'a [Arg], scope: Scope) -> bool {
    let known = |at: usize, most: u64| {
        let position = match args.get(at) {
            Some(Arg::Value(value)) => facts.infer_expr(value, scope).as_int_range(),
            _ => None,
        };
        position.is_some_and(|(low, high)| low >= 1 && u64::try_from(high).is_ok_and(|high| high <= most))
    };
    match (reader, args.first()) {
        (Reader::LineCount | Reader::WordCount | Reader::Content | Reader::Schema, _) => true,
        (Reader::Describe, Some(Arg::File(file))) => match args.get(1) {
            Some(Arg::Value(budget)) => {
                let least = facts.infer_expr(budget, scope).as_int_range().map(|(low, _)| low);
                least.zip(measure_least_description(facts, *file)).is_some_and(|(least, needed)| least >= needed)
            }
            _ => false,
        },
        (Reader::Line, Some(Arg::File(file))) => known(1, facts.count_lines(*file).least),
        (Reader::Word, Some(Arg::File(file))) => known(1, facts.count_words(*file).least),
        (Reader::Row | Reader::Cell, Some(Arg::Relation { relation, filter })) => {
            let of_all = |filter: &'a Expr| facts.infer_truth(filter, scope.enter_filter(*relation)) == Truth::Always;
            let columns = facts.task().relations.get(*relation).map_or(0, |own| own.iter_written_columns().count());
            filter.as_ref().is_none_or(of_all)
                && known(1, facts.count_rows(*relation).least)
                && (reader == Reader::Row || known(2, columns as u64))
        }
        _ => false,
    }
}
