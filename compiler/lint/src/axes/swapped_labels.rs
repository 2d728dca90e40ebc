//! `idle_axis` for labels on the wrong values: the cell `small` of a number of rows is larger than the cell `large`. A heuristic: it reads the words of labels.

use crate::context::TaskCx;
use hir::{Axis, Checked, DrawDomain, Expr, ExprKind, Rows, Task};
use model::suite::{NameId, Op, Style};
use model::{Decimal, Value};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::lints::GRADES;
use syntax::prompts::has_listed;

/// Reports two labels of an axis whose order is not that of their values.
pub(super) fn check_swapped_labels(cx: &TaskCx<'_>, axis: &Axis) -> Option<Diagnostic> {
    let cells: Vec<Cell<'_>> = axis.cells.iter().filter_map(|(label, value)| Cell::new(label, value)).collect();
    // Equal cells are told as such.
    let is_repeated = |(at, cell): (usize, &Cell<'_>)| cells.iter().take(at).any(|other| other.number == cell.number);
    if cells.len() < axis.cells.len() || cells.iter().enumerate().any(is_repeated) {
        return None;
    }
    if let Some(cell) = cells.iter().find(|cell| cell.has_other_year()) {
        let message = format!("the label `{}` of axis `{}` is on the year {}", cell.label, axis.name, cell.number);
        let new = Diagnostic::new(Code::IDLE_AXIS, message, cell.value.span, format!("labeled `{}`", cell.label));
        return Some(new.help("correct the label, or the value: results are reported by label"));
    }
    let swapped = find_swapped_numbers(&cells).or_else(|| {
        let swapped = find_swapped_grades(&cells)?;
        is_amount(cx.task, axis.slot).then_some(swapped)
    });
    let (one, other) = swapped?;
    let message = format!(
        "the labels of axis `{}` are on the wrong values: `{}` is {}, and `{}` is {}",
        axis.name, one.label, one.number, other.label, other.number
    );
    Some(
        Diagnostic::new(Code::IDLE_AXIS, message, one.value.span, format!("labeled `{}`", one.label))
            .label(other.value.span, format!("labeled `{}`", other.label))
            .help("exchange the values: results are reported by label"),
    )
}

/// A cell whose value is a number.
struct Cell<'c> {
    label: &'c str,
    value: &'c Expr,
    number: Decimal,
}

impl<'c> Cell<'c> {
    fn new(label: &'c str, value: &'c Expr) -> Option<Cell<'c>> {
        Some(Cell { label, value, number: value.as_constant().and_then(Value::as_decimal)? })
    }

    /// The number in its label: 60 of `rows_60`.
    fn find_labeled(&self) -> Option<Decimal> {
        let mut numbers = self.label.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
        numbers.next().filter(|_| numbers.next().is_none())?.parse().ok()
    }

    /// Whether its label has one year, and its value is another one.
    fn has_other_year(&self) -> bool {
        let (first, last) = (Decimal::from_int(1900), Decimal::from_int(2100));
        let is_year = |number: &Decimal| *number > first && *number < last;
        self.find_labeled().filter(is_year).is_some_and(|labeled| is_year(&self.number) && labeled != self.number)
    }

    /// The place of its label in a scale.
    fn find_grade(&self, scale: &str) -> Option<usize> {
        let lower = self.label.to_lowercase();
        let grade = |word: &str| scale.split(", ").position(|grade| has_listed(grade, word));
        let mut grades = lower.split('_').filter_map(grade);
        grades.next().filter(|_| grades.next().is_none())
    }
}

/// Finds two cells each of which has the number of the other's label.
fn find_swapped_numbers<'c, 'v>(cells: &'c [Cell<'v>]) -> Option<(&'c Cell<'v>, &'c Cell<'v>)> {
    cells.iter().find_map(|one| {
        let labeled = one.find_labeled().filter(|labeled| *labeled != one.number)?;
        let other = cells.iter().find(|other| other.number == labeled && other.find_labeled() == Some(one.number))?;
        Some((one, other))
    })
}

/// Finds a label that is below another one on a scale, and whose value is above that of the other.
fn find_swapped_grades<'c, 'v>(cells: &'c [Cell<'v>]) -> Option<(&'c Cell<'v>, &'c Cell<'v>)> {
    GRADES.iter().find_map(|scale| {
        let mut graded: Vec<(usize, &Cell<'_>)> =
            cells.iter().filter_map(|cell| Some((cell.find_grade(scale)?, cell))).collect();
        graded.sort_by_key(|(grade, _)| *grade);
        graded
            .iter()
            .zip(graded.iter().skip(1))
            .find_map(|((low, one), (high, other))| (low < high && one.number > other.number).then_some((*one, *other)))
    })
}

/// Whether an axis is an amount: of rows, of words, or of messy cells.
fn is_amount(task: &Task, axis: NameId) -> bool {
    let grows = |expr: &Expr| is_growing(task, expr, axis);
    let is_drawn = |draw: &hir::Draw| {
        draw.blank.as_ref().is_some_and(grows)
            || match &draw.domain {
                DrawDomain::Lorem { low, high, .. } => grows(low) || grows(high),
                DrawDomain::Share(share) => grows(share),
                DrawDomain::Exactly(rows) => grows(rows),
                _ => false,
            }
    };
    let mut rows = task.relations.iter().map(|own| &own.rows);
    let mut columns = task.relations.iter().flat_map(|own| &own.columns).filter_map(|column| column.source.draw());
    let mut names = task.names.iter().filter_map(|name| name.source.draw());
    let mut forms = task.files.iter().filter_map(|file| file.content.form());
    let is_style = |style: &Style<Checked>| match style {
        Style::Text(_, share) | Style::Written { share: Some(share), .. } => grows(share),
        Style::Written { share: None, .. } | Style::Missing(_) => false,
    };
    let mut is_messy = || {
        forms.any(|form| {
            form.repeat.as_ref().is_some_and(grows)
                || form.styled.iter().flat_map(|styled| &styled.styles).any(is_style)
        })
    };
    rows.any(|rows| match rows {
        Rows::Count(low, high) | Rows::PerRow { low, high, .. } => grows(low) || grows(high),
        _ => false,
    }) || columns.any(is_drawn)
        || names.any(is_drawn)
        || is_messy()
}

/// Whether an expression is larger where a name is: the name, a multiple of it, or a sum with it.
fn is_growing(task: &Task, expr: &Expr, name: NameId) -> bool {
    let bare = expr.resolve_name(task);
    match &bare.kind {
        ExprKind::Name(id) => *id == name,
        ExprKind::Binary(Op::Add | Op::Mul, sides) => {
            is_growing(task, &sides.0, name) || is_growing(task, &sides.1, name)
        }
        _ => false,
    }
}
