//! Checks variants, the parts that they share with stages, and the required parts of a task, variant, or stage.

use model::Span;
use model::TiVec;
use model::suite::{AgentTools, NameId, StageId};

use crate::answers::AnswerChecker;
use crate::context::{Checker, NameAst, TaskChecker, TaskScope, WayKind};
use crate::lakes::LakeChecker;
use crate::task::each::MAX_OF_ROWS;
use crate::task::parts::{Parts, WayAst};
use syntax::ast::{self, StmtKind};
use syntax::diagnostics::wording::format_count;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::words::{self, Class};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a variant or stage. The expectations of the task also apply to the instances of a variant. The tools of the task apply to both.
    pub fn check_way(
        &mut self,
        variant: &WayAst<'a>,
        kind: WayKind,
        (of_task, means): (&[(&'a ast::Expect, Span)], &AgentTools),
    ) -> hir::Variant {
        let outside = self.scope.entities.clone();
        let first = self.scope.names.len();
        let parts = Parts::from_body(variant.body);
        for stmt in variant.body {
            match &stmt.kind {
                StmtKind::Compute(compute) => {
                    self.scope.declare_name(self.cx, &compute.name, NameAst::Own(&compute.value, kind))
                }
                StmtKind::Draw { names, .. } => {
                    self.cx.report_misplaced(kind, "drawn names", stmt.span);
                    // The names are declared anyway to avoid further errors about them.
                    names.iter().for_each(|name| self.scope.declare_name(self.cx, name, NameAst::Misplaced));
                }
                StmtKind::Reserved(_) => {}
                _ => {
                    let (keyword, _) = words::split_first_word(self.cx.sources.text(stmt.span));
                    if !words::iter_class(Class::Statement).any(|word| word.text == keyword && kind.can_contain(word)) {
                        self.cx.report_misplaced(kind, &format!("`{keyword}`"), stmt.span);
                    }
                }
            }
        }
        let own: Vec<NameId> = self.scope.names.keys().skip(first).collect();
        for name in &own {
            self.ensure_name(*name, None);
        }
        let lakes =
            if kind == WayKind::Variant { LakeChecker::new(self).check_lake_uses(variant.body) } else { Vec::new() };
        let prompt = self.check_prompts(&parts.prompts);
        self.cx.check_duplicate_labels(of_task, &parts.expects);
        let expects = parts
            .expects
            .iter()
            .filter_map(|(expect, span)| AnswerChecker::new(self).check_expect(expect, *span))
            .collect();
        let means =
            if kind == WayKind::Variant { self.check_agent_tools(&parts).fill_from_task(means) } else { means.clone() };
        let tags = parts.tags.iter().flat_map(|value| self.check_tags(value)).collect();
        let allows = parts.allows.iter().filter_map(|allow| self.cx.check_allow(allow)).collect();
        self.scope.entities = outside;
        hir::Variant {
            name: variant.name.text.clone(),
            span: variant.name.span,
            steps: self.sort_variant_names(&own),
            prompt: hir::Prompt { wordings: prompt },
            expects,
            lakes,
            means,
            tags,
            notes: hir::VariantNotes { whole: variant.span, allows },
        }
    }

    /// Sorts the names of a variant in dependency order. (They were checked on demand, so any order of completion is valid; source order with
    /// needed names moved forward is the least surprising.)
    fn sort_variant_names(&self, own: &[NameId]) -> Vec<NameId> {
        // Names in a cycle, which has been reported, are reached again while they wait.
        fn place_name(checker: &TaskChecker<'_, '_>, id: NameId, waiting: &mut Vec<NameId>, out: &mut Vec<NameId>) {
            let Some(at) = waiting.iter().position(|name| *name == id) else { return };
            waiting.remove(at);
            if let Some(hir::NameSource::Compute(value)) = &checker.scope.names[id].checked {
                value.visit_names(&mut |needed| place_name(checker, needed, waiting, out));
            }
            out.push(id);
        }
        let (mut waiting, mut out) = (own.to_vec(), Vec::new());
        for id in own {
            place_name(self, *id, &mut waiting, &mut out);
        }
        out
    }
}

impl<'a> TaskScope<'a> {
    /// Checks that ids have at most 200 bytes, and that there are not too many cells and instances.
    pub fn check_id_length(
        &self,
        cx: &mut Checker<'a>,
        task: &ast::Task,
        (variants, stages): (&[hir::Variant], &TiVec<StageId, hir::Stage>),
        samples: u32,
    ) {
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().map_or(0, |longest| longest + 1);
        let mut bytes = task.name.text.len() + 1 + samples.to_string().len();
        let names = variants.iter().chain(stages.iter().map(|stage| &stage.way)).map(|way| way.name.len());
        bytes += longest(&mut names.into_iter());
        let rows = self.find_asked_rows();
        if let Some(rows) = rows {
            bytes += rows.measure_longest_key() + 1;
        }
        let of_rows = rows.map_or(0, |rows| rows.len());
        for axis in &self.axes {
            bytes += longest(&mut axis.cells.iter().map(|(label, _)| label.len()));
        }
        let cells = self
            .axes
            .iter()
            .try_fold(variants.len().max(stages.len()).max(1), |cells, axis| cells.checked_mul(axis.cells.len()));
        if cells.is_none_or(|cells| cells > 10_000) {
            let message = "axes and variants multiply to more than 10,000 cells";
            let said = Diagnostic::new(Code::BAD_SETTING, message, task.name.span, "too many");
            cx.report(said.help("use fewer values, or several tasks"));
        }
        if cells.and_then(|cells| cells.checked_mul(of_rows)).is_none_or(|all| all > MAX_OF_ROWS) {
            let span = self.each.as_ref().map_or(task.name.span, |each| each.span);
            let message = "rows, axes, and variants multiply to more than 1,000,000 instances";
            let said = Diagnostic::new(Code::BAD_SETTING, message, span, "too many");
            cx.report(said.help("leave rows out with `where`"));
        }
        if bytes > 200 {
            let message = format!("the ids of this task's instances would have {}", format_count(bytes as u32, "byte"));
            let said = Diagnostic::new(Code::BAD_SETTING, message, task.name.span, "too long together");
            cx.report(
                said.help(
                    "an id (task, axis labels, variant, sample) has at most 200 bytes: shorten a name or a label",
                ),
            );
        }
    }
}

impl<'a> Checker<'a> {
    /// Reports a statement that is not allowed in a variant, or in a stage.
    fn report_misplaced(&mut self, kind: WayKind, what: &str, span: Span) {
        let way = kind.word();
        let message = format!("{what} cannot be in a {way}: {way}s share the task's draws and data");
        let keywords = words::iter_class(Class::Statement).filter(|word| kind.can_contain(word)).map(|word| word.text);
        let mut all: Vec<String> =
            ["NAME = value"].into_iter().chain(keywords).map(|word| format!("`{word}`")).collect();
        let last = all.pop().unwrap_or_default();
        let help = format!("move it into the task; a {way} can have {}, and {last}", all.join(", "));
        self.report(Diagnostic::new(Code::MISPLACED, message, span, format!("not in a {way}")).help(help));
    }

    /// Reports a task, variant, or stage without a prompt or an expectation.
    pub fn check_required_parts(&mut self, (task, block): (&'a ast::Task, Span), parts: &Parts<'a>) {
        const PROMPT: &str = "add the question: prompt \"…\"";
        const EXPECT: &str = "add the expected value: expect reply text …, or: expect file \"…\" json { … }";
        let has = |way: &WayAst<'_>, wanted: fn(&StmtKind) -> bool| way.body.iter().any(|stmt| wanted(&stmt.kind));
        let is_prompt = |kind: &StmtKind| matches!(kind, StmtKind::Prompt(_));
        let is_expect = |kind: &StmtKind| matches!(kind, StmtKind::Expect(_));
        let mut check = |of: &str, name: &ast::Ident, [has_prompt, has_expect]: [bool; 2]| {
            for (what, help, there) in [("prompt", PROMPT, has_prompt), ("expect", EXPECT, has_expect)] {
                let message = format!("{of} `{}` has no `{what}`", name.text);
                let label = format!("`{what}` is missing");
                let said = Diagnostic::new(Code::MISSING_PART, message, name.span, label).help(help);
                if !there {
                    self.report_missing(block, said);
                }
            }
        };
        let (has_prompt, has_expect) = (!parts.prompts.is_empty(), !parts.expects.is_empty());
        if parts.variants.is_empty() {
            check("task", &task.name, [has_prompt, has_expect]);
        }
        for variant in &parts.variants {
            let own = [has_prompt || has(variant, is_prompt), has_expect || has(variant, is_expect)];
            check("variant", variant.name, own);
        }
        for stage in &parts.stages {
            check("stage", stage.name, [has(stage, is_prompt), has(stage, is_expect)]);
        }
    }
}
