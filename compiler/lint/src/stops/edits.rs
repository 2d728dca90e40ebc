//! Proofs that the path of an edit selects a place: in a file, or in a file after other edits.

use model::functions::{Edit, Family, Kernel, Reader};
use model::suite::{ColumnId, FileId, Op, PathQuery, RelationId, Scope, Shape};
use model::{Value, ops};

use hir::facts::steps::{Step, Target, follow_json_step, follow_steps, read_steps};
use hir::facts::{Fact, Facts, Truth, compare_facts};
use hir::paths::leaf::Source;
use hir::paths::predicate::{Operation, Relation, Term, TermKind};
use hir::types::TyKind;
use hir::{Arg, DrawDomain, Expr, ExprKind};

/// An edit of what is in a file.
struct Edited<'a> {
    edit: Edit,
    path: &'a PathQuery,
    steps: Vec<Step>,
}

/// Whether the path of an edit surely selects a place that can be edited so. `holds` are conditions that hold where it is computed.
pub(super) fn is_safe_edit<'a>(facts: &Facts<'a>, edit: Edit, args: &'a [Arg], holds: &[&'a Expr]) -> bool {
    let mut edits = Vec::new();
    let Some(file) = collect_edits(facts, (edit, args), &mut edits) else { return false };
    let Some((last, before)) = edits.split_last() else { return false };
    let Some(shape) = facts.task().files.get(file).and_then(|file| file.content.shape()) else { return false };
    !last.steps.is_empty()
        && before.iter().all(|earlier| leaves_place(earlier, last))
        && has_place(facts, shape, last, holds)
}

/// Collects the edits of a file, the first one first. Returns the file.
fn collect_edits<'a>(
    facts: &Facts<'a>,
    (edit, args): (Edit, &'a [Arg]),
    edits: &mut Vec<Edited<'a>>,
) -> Option<FileId> {
    let [source, Arg::Path(path), ..] = args else { return None };
    let file = match source {
        Arg::File(file) => *file,
        Arg::Value(value) => match &value.resolve_name(facts.task()).kind {
            ExprKind::Call(function, args) => match function.kernel {
                Kernel::Reads(Reader::Edited(edit)) => collect_edits(facts, (edit, args), edits)?,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    edits.push(Edited { edit, path, steps: read_steps(Family::Json, &path.text)? });
    Some(file)
}

/// Whether the places of a path still exist after an edit: the edit is below them, or in another field, or only adds to them.
fn leaves_place(earlier: &Edited<'_>, later: &Edited<'_>) -> bool {
    for (at, own) in later.steps.iter().enumerate() {
        let Some(other) = earlier.steps.get(at) else {
            // Items were added at the end of an array.
            return earlier.edit == Edit::Append && !matches!(own, Step::Back(_));
        };
        match (own, other) {
            (Step::Field(own), Step::Field(other)) if own != other => return true,
            (Step::Field(_), Step::Field(_)) => {}
            // Its condition can read what was changed.
            (Step::Filter, _) | (Step::Field(_), _) | (_, Step::Field(_)) => return false,
            _ => {}
        }
    }
    let is_below = earlier.steps.len() > later.steps.len();
    is_below || earlier.edit == Edit::Append || earlier.edit == Edit::Replace && later.edit != Edit::Append
}

/// Whether a path selects a place in a file, one of the kind that the edit needs.
fn has_place<'a>(facts: &Facts<'a>, shape: &'a Shape, edit: &Edited<'a>, holds: &[&'a Expr]) -> bool {
    let steps = edit.steps.as_slice();
    let target = match steps.iter().position(|step| *step == Step::Filter) {
        None => follow_steps(facts, shape, Family::Json, steps),
        Some(at) => follow_filter(facts, shape, edit, (at, holds)),
    };
    let is_array = |shape: &Shape| match shape {
        Shape::Array(..) => true,
        Shape::Cell(relation, column) => find_list(facts, (*relation, *column)).is_some(),
        Shape::Object(_) => false,
    };
    match target {
        Some(target) => target.exists && (edit.edit != Edit::Append || is_array(target.shape)),
        None => edit.edit != Edit::Append && has_item(facts, shape, steps),
    }
}

/// Follows a path whose first condition is after `at` steps. `None` if no item surely meets it.
fn follow_filter<'a>(
    facts: &Facts<'a>,
    shape: &'a Shape,
    edit: &Edited<'a>,
    (at, holds): (usize, &[&'a Expr]),
) -> Option<Target<'a>> {
    let (before, rest) = edit.steps.split_at_checked(at)?;
    // All rows of the table are in one array.
    if !before.iter().all(|step| matches!(step, Step::Field(_))) {
        return None;
    }
    let target = follow_steps(facts, shape, Family::Json, before)?;
    let Shape::Array(relation, item) = target.shape else { return None };
    let mut noted = facts.task().notes.path_predicates.iter().filter(|noted| noted.path == edit.path.span);
    let (Some(noted), None) = (noted.next(), noted.next()) else { return None };
    let [predicate] = noted.predicate.cases.as_slice() else { return None };
    let mut tests = Vec::new();
    collect_tests(predicate, *relation, &mut tests)?;
    is_met_by_some(facts, *relation, &tests, holds).then_some(())?;
    rest.iter().skip(1).try_fold(target.enter_items(item), |target, step| match step {
        Step::Field(_) => follow_json_step(facts, target, step),
        _ => None,
    })
}

/// `column op value`, of a row of a table.
struct Test {
    column: ColumnId,
    op: Op,
    value: Value,
}

/// Collects the comparisons that are joined by `&&` in a condition on the rows of a table. `None` if there is anything else in it.
fn collect_tests(term: &Term, relation: RelationId, tests: &mut Vec<Test>) -> Option<()> {
    match &term.kind {
        TermKind::And(parts) => parts.iter().try_for_each(|part| collect_tests(part, relation, tests)),
        TermKind::Operation(Operation::Compare(op), sides) => {
            let (nodes, op, value) = match (&sides.0.kind, &sides.1.kind) {
                (TermKind::Nodes(nodes), TermKind::Literal(value)) => (nodes, *op, value),
                (TermKind::Literal(value), TermKind::Nodes(nodes)) => (nodes, op.swap_sides(), value),
                _ => return None,
            };
            let [kind] = nodes.kinds.as_slice() else { return None };
            let Source::Cells(of, column) = kind.leaf.as_ref()?.source else { return None };
            let is_own = nodes.relation == Relation::Own && of == relation;
            is_own.then(|| tests.push(Test { column, op, value: value.clone() }))
        }
        _ => None,
    }
}

/// Whether a row surely meets all tests: a condition that holds says so, or the number of such rows is declared.
fn is_met_by_some<'a>(facts: &Facts<'a>, relation: RelationId, tests: &[Test], holds: &[&'a Expr]) -> bool {
    let has_plain_cells = tests.iter().all(|test| {
        let declared = facts.task().find_column((relation, test.column));
        declared.is_some_and(|declared| matches!(declared.ty.kind, TyKind::Int | TyKind::Text | TyKind::Bool))
    });
    let is_required = |condition: &&'a Expr| {
        condition.list_conjuncts().into_iter().filter_map(|part| find_counted_rows(facts, relation, part)).any(
            |filter| {
                let parts = filter.list_conjuncts();
                tests.iter().all(|test| parts.iter().any(|part| is_same_test(part, test)))
            },
        )
    };
    has_plain_cells
        && (holds.iter().any(is_required)
            || is_declared(facts, relation, tests)
            || facts.count_rows(relation).least > 0 && tests.iter().all(|test| is_always_met(facts, relation, test)))
}

/// Whether each cell of a column meets a test.
fn is_always_met(facts: &Facts<'_>, relation: RelationId, test: &Test) -> bool {
    let cells = facts.lookup_column(relation, test.column);
    let is_number = cells.as_int_range().is_some() && matches!(test.value, Value::Int(_));
    (is_number || test.op == Op::Eq) && compare_facts(test.op, &cells, &Fact::from_value(&test.value)) == Truth::Always
}

/// The condition of rows of which a part of a `require` says that there is one: `count(t where …) > 0`.
fn find_counted_rows<'a>(facts: &Facts<'a>, relation: RelationId, part: &'a Expr) -> Option<&'a Expr> {
    let task = facts.task();
    let ExprKind::Binary(op, sides) = &part.resolve_name(task).kind else { return None };
    let (counted, op, limit) = match (sides.0.as_constant(), sides.1.as_constant()) {
        (None, Some(limit)) => (&sides.0, *op, limit),
        (Some(limit), None) => (&sides.1, op.swap_sides(), limit),
        _ => return None,
    };
    // Not met by the number 0.
    let is_met_by_none = ops::apply_binary(op, &Value::Int(0), limit).ok()?;
    match &counted.resolve_name(task).kind {
        ExprKind::Call(function, args) if function.is_count() && is_met_by_none == Value::Bool(false) => {
            match args.as_slice() {
                [Arg::Relation { relation: of, filter: Some(filter) }] if *of == relation => Some(filter),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a condition on a row is a test.
fn is_same_test(part: &Expr, test: &Test) -> bool {
    match &part.kind {
        ExprKind::Column(column) => *column == test.column && test.op == Op::Eq && test.value == Value::Bool(true),
        ExprKind::Not(inner) => {
            matches!(inner.kind, ExprKind::Column(column) if column == test.column)
                && test.op == Op::Eq
                && test.value == Value::Bool(false)
        }
        ExprKind::Binary(op, sides) => match (&sides.0.kind, sides.1.as_constant()) {
            (ExprKind::Column(column), Some(value)) => *column == test.column && *op == test.op && *value == test.value,
            _ => false,
        },
        _ => false,
    }
}

/// Whether the only test is of a bool that a number of rows has, as its statement says: `bool exactly 3`.
fn is_declared(facts: &Facts<'_>, relation: RelationId, tests: &[Test]) -> bool {
    let [Test { column, op: Op::Eq, value: Value::Bool(true) }] = tests else { return false };
    let draw = facts.task().find_column((relation, *column)).and_then(|column| column.source.draw());
    draw.is_some_and(|draw| match &draw.domain {
        DrawDomain::Exactly(count) if !draw.may_be_blank() => {
            facts.infer_expr(count, Scope::default()).as_int_range().is_some_and(|(least, _)| least > 0)
        }
        _ => false,
    })
}

/// The least number of items of a cell that is always a list.
fn find_list(facts: &Facts<'_>, (relation, column): (RelationId, ColumnId)) -> Option<usize> {
    let cells = facts.lookup_column(relation, column);
    let lists = cells.closed.as_deref().filter(|lists| !cells.nullable && !lists.is_empty())?;
    lists.iter().map(|list| list.as_list().map(<[Value]>::len)).try_fold(usize::MAX, |least, len| Some(least.min(len?)))
}

/// Whether the last step of a path leads to an item of a list that is surely there.
fn has_item<'a>(facts: &Facts<'a>, shape: &'a Shape, steps: &[Step]) -> bool {
    let Some((last, before)) = steps.split_last() else { return false };
    let target = follow_steps(facts, shape, Family::Json, before).filter(|target| target.exists);
    let Some(Shape::Cell(relation, column)) = target.map(|target| target.shape) else { return false };
    let least = find_list(facts, (*relation, *column)).map_or(0, |least| least as u64);
    match last {
        Step::All => least > 0,
        Step::Item(at) => least > *at,
        Step::Back(at) => least >= *at,
        _ => false,
    }
}
