//! `untold_input`: an answer depends on a value that is in no wording and in no file.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, NameId, RelationId, Scope};

use super::flow::{Flow, Followed, Input};
use super::private;
use super::rounded_helper;
use super::same_row::SameRow;
use crate::context::TaskCx;
use crate::question::asked_place::locate_term;
use crate::question::prompt_content::{Telling, Way};
use crate::question::reads::collect_read_files;
use crate::question::unmentioned_file::describe_prompt;
use crate::reach::files::collect_renderings;
use hir::facts::Facts;
use hir::{DrawDomain, Expr, ExprKind, NameSource, Rows};
use syntax::diagnostics::{Code, Diagnostic, Severity};

pub(super) fn report_untold_inputs<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let mut given: Option<Flow<'a>> = None;
    let mut known: BTreeSet<Input> = BTreeSet::new();
    for way in ways {
        let mut key = Flow::new(task, Followed::Known);
        way.asked.expects.iter().for_each(|expect| key.add_expect(expect));
        if key.inputs.is_empty() {
            continue;
        }
        for telling in way.tellings.iter().filter(|telling| !telling.opaque) {
            let given = given.get_or_insert_with(|| {
                let mut given = Flow::new(task, Followed::Traced);
                given.add_given();
                given
            });
            let mut shown = given.clone();
            add_told(task, way, telling, &mut shown);
            let lint = Lint { cx, given, shown: &shown, way };
            for (input, read) in &key.inputs {
                // Another diagnostic at this place says more.
                let is_wrong = |said: &Diagnostic| {
                    let is_more = said.severity() == Severity::Error || said.code == Code::UNMENTIONED_OUTPUT;
                    let is_typo = said.code == Code::UNOPENED_PLACEHOLDER;
                    is_more && said.primary.span.is_enclosing(*read)
                        || is_typo && telling.span.is_enclosing(said.primary.span)
                };
                if !known.contains(input) && lint.is_untold(*input) {
                    known.insert(*input);
                    // One table that is not given is one slip.
                    if let Input::Column(relation, _) = input
                        && private::is_given_table(task, *relation)
                    {
                        let of_table = |other: &Input| matches!(other, Input::Column(of, _) if of == relation);
                        known.extend(key.inputs.keys().copied().filter(of_table));
                    }
                    if said.iter().any(is_wrong) || is_null_answer(task, way, *input, *read) {
                        continue;
                    }
                    said.extend(lint.build_diagnostic(*input, *read, way, telling));
                }
            }
        }
    }
}

/// Checks whether the input is the whole answer and can be null, which is an error.
fn is_null_answer(task: &hir::Task, way: &Way<'_>, input: Input, read: Span) -> bool {
    let Input::Name(id) = input else { return false };
    let is_null = task.names.get(id).is_some_and(|name| name.ty.nullable);
    is_null && way.asked.iter_answers().any(|answer| answer.span == read)
}

/// Adds what a wording tells: its values, and for a stage those of the stages before it.
fn add_told<'a>(task: &'a hir::Task, way: &Way<'a>, telling: &Telling, shown: &mut Flow<'a>) {
    for wording in &way.asked.prompts {
        // Names and values of this wording only; the wordings of a way have spans of their own.
        wording.visit_exprs(&mut |part| {
            if telling.rendered.iter().any(|rendered| rendered.span == part.span) {
                shown.add_expr(part);
            }
        });
    }
    telling.names.iter().for_each(|id| shown.add_name(*id));
    if !way.asked.is_stage {
        return;
    }
    let mut open: Vec<&hir::Stage> =
        task.stages.iter().filter(|stage| Some(stage.way.span) == way.asked.variant.map(|own| own.span)).collect();
    let mut seen: BTreeSet<Span> = BTreeSet::new();
    while let Some(stage) = open.pop() {
        for before in stage.after.iter().filter_map(|id| task.stages.get(*id)) {
            if seen.insert(before.way.span) {
                before.way.prompt.wordings.iter().for_each(|wording| shown.add_expr(wording));
                before.way.expects.iter().for_each(|expect| shown.add_expect(expect));
                open.push(before);
            }
        }
    }
}

/// Finds the place in a wording that speaks of a value without stating it; else all texts of the wording: the task's, and the variant's.
pub(super) fn locate_untold(cx: &TaskCx<'_>, way: &Way<'_>, telling: &Telling, name: &str) -> Vec<Span> {
    let at = way.tellings.iter().position(|other| std::ptr::eq(other, telling));
    let texts = at.and_then(|at| way.wordings.get(at));
    let texts: Vec<Span> = texts.into_iter().flatten().map(|text| text.span).collect();
    locate_term(cx, &texts, name).map_or(texts, |place| vec![place])
}

struct Lint<'l, 'a> {
    cx: &'l TaskCx<'a>,
    /// What the agent can see besides the wording.
    given: &'l Flow<'a>,
    /// What the agent can see.
    shown: &'l Flow<'a>,
    /// How the task is asked.
    way: &'l Way<'a>,
}

impl Lint<'_, '_> {
    /// Checks whether an input can be neither seen nor derived from what is seen.
    fn is_untold(&self, input: Input) -> bool {
        let task = self.cx.task;
        if self.shown.inputs.contains_key(&input) {
            let Input::Column(relation, column) = input else { return false };
            return self.is_one_cell_shown(relation, column)
                || rounded_helper::is_only_rounded(task, self.way, (relation, column));
        }
        match input {
            Input::Name(id) => {
                let row = SameRow { task, facts: self.cx.facts(), shown: &self.shown.names, id };
                let is_private = || private::is_private_name(self.cx, self.way, id, self.shown);
                is_name_open(self.cx.facts(), id) && !self.is_determined(id) && (!row.may_tell() || is_private())
            }
            Input::Column(relation, column) if private::is_given_table(task, relation) => {
                private::is_private_column(self.cx, self.way, (relation, column), self.shown)
            }
            Input::Column(relation, column) => {
                let fact = self.cx.facts().lookup_column(relation, column);
                // A table from which files are written is looked at by `unwritten_column`.
                fact.as_single_value().is_none() && collect_renderings(task).iter().all(|file| file.from != relation)
            }
            Input::Rows(relation) => {
                let rows = self.cx.facts().count_rows(relation);
                rows.least != rows.most
            }
        }
    }

    /// Checks whether a wording shows a column of a table without a file as one cell only, and the answer reads it next to files: nothing says which
    /// rows have this cell.
    fn is_one_cell_shown(&self, relation: RelationId, column: ColumnId) -> bool {
        let task = self.cx.task;
        let place = (relation, column);
        let is_drawn_alone = |id: &NameId| match task.names.get(*id).map(|name| &name.source) {
            Some(NameSource::Draw { draw, .. }) => match &draw.domain {
                DrawDomain::Ref { relation: of, column: at, .. } => (*of, *at) == place && !draw.is_together(),
                _ => false,
            },
            _ => false,
        };
        let own = task.relations.get(relation).filter(|own| own.file.is_none() && matches!(own.rows, Rows::Count(..)));
        let is_hidden = own.is_some() && !self.given.columns.contains(&place);
        let is_one_cell = || {
            let mut told = self.way.tellings.iter().flat_map(|telling| &telling.names);
            told.any(is_drawn_alone) && self.cx.facts().count_rows(relation).least > 1
        };
        let is_written = || collect_renderings(task).iter().any(|file| file.from == relation);
        let reads_files = || {
            let mut answers = self.way.asked.iter_answers();
            answers.any(|answer| !collect_read_files(task, answer, &BTreeSet::new()).is_empty())
        };
        is_hidden
            && is_one_cell()
            && !is_written()
            && reads_files()
            && self.cx.facts().lookup_column(relation, column).as_single_value().is_none()
    }

    /// Checks whether a name that is drawn from the rows of a table may follow from what is known.
    fn is_determined(&self, id: NameId) -> bool {
        let Some(NameSource::Draw { draw, .. }) = self.cx.task.names.get(id).map(|name| &name.source) else {
            return false;
        };
        let DrawDomain::Ref { relation, column, filter, .. } = &draw.domain else { return false };
        if self.cx.facts().count_rows(*relation).most < 2
            || self.cx.facts().lookup_column(*relation, *column).as_single_value().is_some()
        {
            return true;
        }
        filter.as_ref().is_some_and(|filter| self.is_choosing_one(filter, *relation))
    }

    /// Checks whether a filter of rows may leave only one.
    fn is_choosing_one(&self, filter: &Expr, relation: RelationId) -> bool {
        let mut may = false;
        filter.visit_with_scope(Scope::default().enter_filter(relation), &mut |part, scope| match &part.kind {
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                let cell = part.find_cell(scope);
                may |= cell.is_none_or(|(relation, column)| self.cx.facts().lookup_column(relation, column).unique);
            }
            // A name that is itself untold does not determine anything.
            ExprKind::Name(id) => may |= !self.is_untold(Input::Name(*id)),
            ExprKind::Const(_) | ExprKind::Not(_) | ExprKind::Binary(..) => {}
            _ => may = true,
        });
        let checks = |condition: &Expr| {
            condition.has_part_through_names(self.cx.task, |part| match &part.kind {
                ExprKind::Call(_, args) => args.iter().any(|arg| match arg {
                    hir::Arg::Relation { relation: of, .. }
                    | hir::Arg::Column { relation: of, .. }
                    | hir::Arg::Each { relation: of, .. } => *of == relation,
                    hir::Arg::Sql(sql) => sql.analysis.tables.contains(&relation),
                    _ => false,
                }),
                _ => false,
            })
        };
        may || self.cx.task.iter_conditions().any(checks)
    }

    fn build_diagnostic(&self, input: Input, read: Span, way: &Way<'_>, telling: &Telling) -> Option<Diagnostic> {
        let task = self.cx.task;
        let prompt = describe_prompt(way);
        let (what, declared, label, help) = match input {
            Input::Name(id) => {
                let name = task.names.get(id)?;
                let label = if name.source.draw().is_some() { "drawn here" } else { "an axis" };
                (format!("`{}`", name.name), name.span, label, format!("add <<{}>> to the prompt", name.name))
            }
            Input::Column(relation, column) if private::is_given_table(task, relation) => {
                let own = task.relations.get(relation)?;
                let column = own.columns.get(column)?;
                let what = format!("`{}.{}`", own.name, column.name);
                let help = format!("write a file from `{}`, or state its values in the prompt", own.name);
                (what, own.span, "no agent gets this table", help)
            }
            Input::Column(relation, column) => {
                let own = task.relations.get(relation)?;
                let column = own.columns.get(column)?;
                let help = match (own.file, column.name.strip_prefix('_')) {
                    (Some(_), Some(bare)) if column.helper => format!(
                        "write the column: name it `{bare}`, or compute the answer from columns that a file has"
                    ),
                    _ => format!("write a file from `{}`, or compute the answer from a table in a file", own.name),
                };
                (format!("`{}.{}`", own.name, column.name), column.span, "drawn here, and not written", help)
            }
            Input::Rows(relation) => {
                let own = task.relations.get(relation)?;
                let help = format!("write a file from `{}`, or compute the answer from a table in a file", own.name);
                (format!("the number of rows of `{}`", own.name), own.span, "no file has these rows", help)
            }
        };
        let message = match input {
            Input::Name(_) => format!("the answer depends on {what}, but {prompt} does not state it, nor does a file"),
            _ => format!("the answer depends on {what}, which no file and no prompt shows"),
        };
        let said = Diagnostic::new(Code::UNTOLD_INPUT, message, read, "decides the answer");
        let table = match input {
            Input::Column(relation, _) => task.relations.get(relation).filter(|own| own.file.is_none()),
            _ => None,
        };
        let table = table.map(|own| (own.span, "no agent gets this table")).filter(|(span, _)| *span != declared);
        let told = match input {
            Input::Name(id) => {
                let name = task.names.get(id).map_or("", |name| name.name.as_str());
                locate_untold(self.cx, way, telling, name)
            }
            _ => Vec::new(),
        };
        let told = told.into_iter().map(|span| (span, "not stated here"));
        Some(said.label(declared, label).with_labels(table).with_labels(told).help(help))
    }
}

/// Checks whether a name has several possible values.
fn is_name_open(facts: &Facts<'_>, id: NameId) -> bool {
    let fact = facts.lookup_name(id);
    fact.as_single_value().is_none() && !fact.is_empty()
}
