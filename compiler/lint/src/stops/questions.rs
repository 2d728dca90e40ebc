//! Proofs that a function that reads a file has a result: that a path leads to what is asked for, and that a line or a word is there.

use model::functions::{Edit, Family, Question, Reader};
use model::suite::{FileId, RelationId, Scope, Shape};

use super::safe::is_within;
use hir::facts::{Facts, Truth, sum_range};
use hir::types::TyKind;
use hir::{Arg, Expr};

/// Numbers up to this one can be added up.
const MAX_ADDED: f64 = 1e12;

/// A step of a path.
enum Step<'p> {
    /// A field, or an attribute.
    Field(&'p str),
    /// All items of an array, or those that meet a condition.
    Items,
    /// An item of an array, from 0; in XML from 1.
    Item(u64),
}

/// What a path leads to.
struct Target<'a> {
    shape: &'a Shape,
    /// Whether it can be several places.
    many: bool,
    /// Whether it is surely there.
    exists: bool,
    /// The rows of which it is one: elements of one name.
    rows: Option<RelationId>,
}

/// Whether a question about a path into a file always has an answer.
pub(super) fn is_safe_question<'a>(
    facts: &Facts<'a>,
    (family, question): (Family, Question),
    (file, path): (FileId, &str),
) -> bool {
    let Some(shape) = facts.task().files.get(file).and_then(|file| file.content.shape()) else { return false };
    let steps = match family {
        Family::Json | Family::Yaml => read_json_steps(path),
        Family::Xml => read_xml_steps(path),
    };
    let Some(steps) = steps else { return false };
    let Some(target) = follow_steps(facts, shape, family, &steps) else { return false };
    let is_singular = !steps.iter().any(|step| matches!(step, Step::Items));
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

/// The steps of a JSONPath of names, indices, stars, and conditions.
fn read_json_steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut rest = path.trim().strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let end = find_bracket(after)?;
            let inside = after.get(..end)?.trim();
            steps.push(match inside.strip_prefix('?') {
                Some(_) => Step::Items,
                None if inside == "*" => Step::Items,
                None => Step::Item(inside.parse().ok()?),
            });
            rest = after.get(end + 1..)?;
        } else {
            let after = rest.strip_prefix('.')?;
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let name = after.get(..end).filter(|name| is_name(name))?;
            steps.push(Step::Field(name));
            rest = after.get(end..)?;
        }
    }
    Some(steps)
}

/// The steps of an XPath of names and conditions, without the root.
fn read_xml_steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut rest = path.trim();
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let after = rest.strip_prefix('/')?;
        let end = after.find(['/', '[']).unwrap_or(after.len());
        let name = after.get(..end)?;
        is_name(name.strip_prefix('@').unwrap_or(name)).then_some(())?;
        steps.push(Step::Field(name));
        rest = after.get(end..)?;
        while let Some(after) = rest.strip_prefix('[') {
            // Functions can have no result.
            let end =
                find_bracket(after).filter(|end| after.get(..*end).is_some_and(|inside| !inside.contains('(')))?;
            steps.push(match after.get(..end).and_then(|inside| inside.trim().parse().ok()) {
                Some(at) => Step::Item(at),
                None => Step::Items,
            });
            rest = after.get(end + 1..)?;
        }
    }
    matches!(steps.first(), Some(Step::Field(_))).then(|| steps.split_off(1))
}

/// The place of the bracket that closes the one before a text.
fn find_bracket(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (1u32, None);
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('[', None) => depth += 1,
            (']', None) => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_name(step: &str) -> bool {
    !step.is_empty() && step.chars().all(|char| char.is_alphanumeric() || char == '_')
}

fn follow_steps<'a>(facts: &Facts<'a>, root: &'a Shape, family: Family, steps: &[Step<'_>]) -> Option<Target<'a>> {
    let mut target = Target { shape: root, many: false, exists: true, rows: None };
    for step in steps {
        target = match (step, target.shape) {
            (Step::Field(name), Shape::Object(fields)) => {
                let (key, attribute) = match name.strip_prefix('@') {
                    Some(key) => (key, true),
                    None => (*name, false),
                };
                let field = fields.iter().find(|field| field.key == key && field.attribute == attribute)?;
                match &field.shape {
                    // Each item is an element of this name.
                    Shape::Array(relation, item) if family == Family::Xml => {
                        let rows = (!target.many).then_some(*relation);
                        Target { shape: item, many: true, exists: false, rows }
                    }
                    shape => Target { shape, rows: None, ..target },
                }
            }
            // A condition on elements.
            (Step::Items, _) if family == Family::Xml => Target { exists: false, rows: None, ..target },
            (Step::Item(at), _) if family == Family::Xml => {
                let exists = facts.count_rows(target.rows?).least >= (*at).max(1);
                Target { exists, many: false, rows: None, ..target }
            }
            (Step::Items, Shape::Array(_, item)) => Target { shape: item, many: true, exists: false, rows: None },
            (Step::Item(at), Shape::Array(relation, item)) => {
                let exists = target.exists && facts.count_rows(*relation).least > *at;
                Target { shape: item, exists, ..target }
            }
            _ => return None,
        };
    }
    Some(target)
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

/// Whether a JSONPath surely selects a place that can be edited so.
fn is_safe_edit(facts: &Facts<'_>, edit: Edit, (file, path): (FileId, &str)) -> bool {
    let shape = facts.task().files.get(file).and_then(|file| file.content.shape());
    let steps = read_json_steps(path).filter(|steps| !steps.is_empty());
    let target = shape.zip(steps).and_then(|(shape, steps)| follow_steps(facts, shape, Family::Json, &steps));
    target.is_some_and(|target| target.exists && (edit != Edit::Append || matches!(target.shape, Shape::Array(..))))
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
        (Reader::Line, Some(Arg::File(file))) => known(1, facts.count_lines(*file).least),
        (Reader::Word, Some(Arg::File(file))) => known(1, facts.count_words(*file).least),
        (Reader::Edited(edit), Some(Arg::File(file))) => match args.get(1) {
            Some(Arg::Value(path)) => path
                .as_constant()
                .and_then(|path| path.as_text())
                .is_some_and(|path| is_safe_edit(facts, edit, (*file, path))),
            Some(Arg::Path(path)) => is_safe_edit(facts, edit, (*file, &path.text)),
            _ => false,
        },
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
