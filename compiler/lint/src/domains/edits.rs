//! `idle_goal` of files: an `edit` that sets a value that the place already has, or can have.

use model::functions::Edit;
use model::suite::{FileId, Matcher, Scope};
use model::{Span, Value};

use super::paths::infer_source;
use crate::context::TaskCx;
use hir::facts::Fact;
use hir::paths::leaf::Source;
use hir::{Arg, EditedPlaces, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_idle_edits<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) {
    let edits = Edits { cx };
    let mut idle: Vec<Span> = Vec::new();
    cx.task.visit_exprs(&mut |_, expr, scope| {
        expr.visit_with_scope(scope, &mut |expr, scope| {
            let Some(step) =
                edits.find_last_step(expr, scope).filter(|step| step.is_idle && !idle.contains(&step.path))
            else {
                return;
            };
            idle.push(step.path);
            said.push(edits.build_diagnostic(&step));
        });
    });
    for expect in cx.task.iter_expects() {
        let Some(goal) = expect.answer_expr().filter(|_| expect.matcher == Matcher::Json) else { continue };
        let Some((file, steps)) = edits.collect_steps(goal) else { continue };
        // If one step always changes something, the goal always differs from the file.
        let first = steps
            .first()
            .filter(|_| steps.iter().all(|step| step.may_be_idle) && !steps.iter().all(|step| step.is_idle));
        if let Some(step) = first.filter(|step| !idle.contains(&step.path) && !edits.is_required(file)) {
            idle.push(step.path);
            said.push(edits.build_diagnostic(step));
        }
    }
}

struct Edits<'l, 'a> {
    cx: &'l TaskCx<'a>,
}

/// One edit of a file.
struct Step<'l> {
    path: Span,
    places: Option<&'l EditedPlaces>,
    /// The value that is set.
    value: Option<Value>,
    /// The edit always sets the value that the place already has.
    is_idle: bool,
    /// There is at most one place, and it can already have the value.
    may_be_idle: bool,
}

impl<'a> Edits<'_, 'a> {
    /// Collects the edits of a declared file that result in a goal, in order. Returns `None` if the goal is computed in another way.
    fn collect_steps(&self, goal: &'a Expr) -> Option<(FileId, Vec<Step<'a>>)> {
        let goal = self.resolve_name(goal);
        let ExprKind::Call(function, args) = &goal.kind else { return None };
        function.content_edit()?;
        let (file, mut steps) = match args.first()? {
            Arg::File(file) => (*file, Vec::new()),
            Arg::Value(inner) => self.collect_steps(inner)?,
            _ => return None,
        };
        steps.push(self.find_last_step(goal, Scope::default())?);
        Some((file, steps))
    }

    /// Returns the last edit that a call makes, if it is an edit.
    fn find_last_step(&self, call: &'a Expr, scope: Scope) -> Option<Step<'a>> {
        let ExprKind::Call(function, args) = &call.kind else { return None };
        let edit = function.content_edit()?;
        let Some(Arg::Path(path)) = args.get(1) else { return None };
        let places = self.cx.task.notes.edited.iter().find(|known| known.path == path.span);
        let value = match args.get(2) {
            Some(Arg::Value(value)) => self.cx.facts().infer_expr(value, scope).as_single_value().cloned(),
            _ => None,
        };
        let mut step = Step { path: path.span, places, value, is_idle: false, may_be_idle: false };
        let (Edit::Replace, Some(known), Some(value)) = (edit, places, &step.value) else { return Some(step) };
        // An earlier edit could have set another value there.
        if !self.is_untouched(args.first()?, known) {
            return Some(step);
        }
        let there: Option<Vec<Fact<'a>>> = known.sources.iter().map(|source| self.infer_source(source)).collect();
        let Some(there) = there.filter(|there| !there.is_empty()) else { return Some(step) };
        step.is_idle = there.iter().all(|fact| fact.as_single_value() == Some(value));
        step.may_be_idle = step.is_idle || known.at_most_one && there.iter().all(|fact| fact.can_be(value));
        Some(step)
    }

    /// Checks that none of the edits in an argument touches these places.
    fn is_untouched(&self, source: &'a Arg, places: &EditedPlaces) -> bool {
        match source {
            Arg::File(_) => true,
            Arg::Value(inner) => {
                let inner = self.resolve_name(inner);
                let ExprKind::Call(_, args) = &inner.kind else { return false };
                let (Some(first), Some(step)) = (args.first(), self.find_last_step(inner, Scope::default())) else {
                    return false;
                };
                let is_other = step.places.is_some_and(|known| {
                    let all = || known.sources.iter().chain(&places.sources);
                    all().all(|source| *source != Source::Unknown)
                        && known.sources.iter().all(|source| !places.sources.contains(source))
                });
                is_other && self.is_untouched(first, places)
            }
            _ => false,
        }
    }

    /// Returns the known values of a source.
    fn infer_source(&self, source: &Source) -> Option<Fact<'a>> {
        let is_known = |fact: &Fact<'_>| fact.closed.is_some() || fact.domain.is_some();
        infer_source(self.cx.facts(), source).filter(|fact| matches!(source, Source::Texts(_)) || is_known(fact))
    }

    /// Resolves a name to its computed value; returns other expressions unchanged.
    fn resolve_name(&self, expr: &'a Expr) -> &'a Expr {
        let ExprKind::Name(id) = expr.kind else { return expr };
        self.cx.task.find_computed(id).unwrap_or(expr)
    }

    /// Checks whether a condition reads the file, in which case the author has probably considered the problem.
    fn is_required(&self, file: FileId) -> bool {
        let of_file = |arg: &Arg| matches!(arg, Arg::File(known) if *known == file);
        let reads = |expr: &Expr| matches!(&expr.kind, ExprKind::Call(_, args) if args.iter().any(of_file));
        self.cx.task.iter_conditions().any(|condition| {
            // A name is resolved; any other expression is its own part.
            condition.has_part(|expr| self.resolve_name(expr).has_part(reads))
        })
    }

    /// Builds the diagnostic for an edit that never changes anything, or need not.
    fn build_diagnostic(&self, step: &Step<'_>) -> Diagnostic {
        let path = self.cx.sources.text(step.path);
        let value = step.value.as_ref().map(format_value).unwrap_or_default();
        let (message, label, help) = match step.is_idle {
            true => (
                format!("the edit changes nothing: {path} is {value} already"),
                format!("always {value}"),
                "set another value, or remove the edit",
            ),
            false => (
                format!("the edited file can equal the starting file: {path} can be {value} already"),
                format!("can be {value}"),
                "set a value that is never there, or draw such samples again with `require`",
            ),
        };
        // The columns in which the edited cells are.
        let columns = step.places.into_iter().flat_map(|places| &places.sources).filter_map(|source| match source {
            Source::Cells(relation, column) => self.cx.task.find_column((*relation, *column)),
            _ => None,
        });
        let said = Diagnostic::new(Code::IDLE_GOAL, message, step.path, label);
        said.with_labels(columns.map(|column| (column.span, "declared here"))).help(help)
    }
}

/// Formats a value as code.
fn format_value(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("`\"{text}\"`"),
        other => format!("`{}`", other.render_text()),
    }
}
