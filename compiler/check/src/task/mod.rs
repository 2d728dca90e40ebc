//! Checks one task, with its declarations in dependency order.

mod agent_tools;
pub(crate) mod axis;
pub(crate) mod each;
pub(crate) mod parts;
mod selection;
mod stages;
pub(crate) mod variant;

use std::collections::BTreeMap;

use model::Span;
use model::TiVec;
use model::suite::{NameId, StageMode, Step};
use model::uses::is_static;

use crate::answers::AnswerChecker;
use crate::context::{
    Checker, NameAst, Origin, Outcome, Place, Private, RequiredFacts, State, TaskChecker, TaskScope, Unit, WayKind,
};
use crate::domains::DrawChecker;
use crate::lakes::LakeChecker;
use crate::suite::settings::Settings;
use crate::task::parts::Parts;
use hir::types::Ty;
use hir::{Entity, Expr};
use syntax::ast::{self, ExprKind};
use syntax::diagnostics::wording::{build_duplicate_diagnostic, build_repeated_diagnostic};
use syntax::diagnostics::{Code, Diagnostic};

impl<'c, 'a> TaskChecker<'c, 'a> {
    /// Checks a task and lowers it to Hir.
    pub fn check_task(
        cx: &'c mut Checker<'a>,
        task: &'a ast::Task,
        span: Span,
        doc: Option<&ast::Doc>,
        settings: &Settings,
    ) -> hir::Task {
        let mut this = TaskChecker::new_global(cx);
        this.scope.in_global = false;
        let parts = Parts::from_body(&task.body);
        this.declare_task(task);
        this.scope.declare_shared(this.cx);
        this.scope.declare_lakes(this.cx);
        this.find_each();
        this.declare_by_row();
        this.scope.note_handed_out(&task.body);
        this.ensure_views();
        this.resolve_taken_tables();

        // Check `require` statements first: the names that they need are then generated first, and a failing sample is abandoned early.
        let mut requires = Vec::new();
        let names = parts.requires.iter().flat_map(|condition| find_not_null_names(condition, Outcome::True));
        this.scope.required = RequiredFacts { all: names.collect(), ..RequiredFacts::default() };
        for condition in &parts.requires {
            let checked = this.check_decision(condition, "require");
            // The facts that a condition proves hold for the conditions after it, and for everything that is generated later.
            let calls =
                this.scope.find_not_null_places(&checked, Outcome::True).into_iter().filter_map(|place| match place {
                    Place::Call(call) => Some(*call),
                    _ => None,
                });
            this.scope.required.calls.extend(calls);
            this.scope.required.names.extend(find_not_null_names(condition, Outcome::True));
            this.steps.push(Step::Require(requires.len() as u32));
            requires.push(hir::Require { span: checked.span, condition: checked });
        }
        for name in this.scope.names.keys() {
            this.ensure_name(name, None);
        }
        for relation in this.scope.relations.checked.keys() {
            // The lines of a text, the rows of a result set, and the tables of a fixture become relations only if something reads them.
            let decl = &this.scope.relations.declared[relation];
            // The same applies to the tables of the suite.
            let asked_for = matches!(decl.origin, Origin::Lines(_) | Origin::Query(_) | Origin::View(_))
                || decl.private == Some(Private::OfSuite)
                || decl.cells.is_some() && !this.cx.host.must_read_all_tables();
            if this.scope.used.contains(&Entity::Relation(relation)) || !asked_for {
                this.ensure_relation(relation, None);
            }
        }
        for file in this.scope.relations.files.keys() {
            this.ensure_file(file, None);
        }
        let extras: Vec<hir::Extra> = parts.extras.iter().filter_map(|stmt| this.check_extra(stmt)).collect();
        let lakes = LakeChecker::new(&mut this).check_lake_uses(&task.body);
        let prompt = this.check_prompts(&parts.prompts);
        this.cx.check_duplicate_labels(&[], &parts.expects);
        let expects: Vec<hir::Expect> = parts
            .expects
            .iter()
            .filter_map(|(expect, span)| AnswerChecker::new(&mut this).check_expect(expect, *span))
            .collect();

        this.scope.relations.report_odd_files(this.cx);
        let mut tags = settings.info.tags.clone();
        for value in &parts.tags {
            this.note_row_tags(value);
            for tag in this.check_tags(value) {
                if !tags.contains(&tag) {
                    tags.push(tag);
                }
            }
        }
        let means = this.check_agent_tools(&parts);
        let mut variants = Vec::new();
        let mut ways: BTreeMap<String, (Span, WayKind)> = BTreeMap::new();
        for variant in &parts.variants {
            let own = (variant.name.span, WayKind::Variant);
            if let Some((first, _)) = ways.insert(variant.name.text.to_lowercase(), own) {
                this.cx.report(build_duplicate_diagnostic(variant.name, "variant", first, "variant"));
            }
            variants.push(this.check_way(variant, WayKind::Variant, (&parts.expects, &means)));
        }
        let stages = this.check_stages((&parts, &means), &mut ways);
        this.finish_shared();
        this.scope.mark_used_by_writing();
        this.cx.check_required_parts((task, span), &parts);
        this.scope.check_path_clashes(this.cx, &extras, &stages);
        let samples = this.check_samples(&parts.samples).unwrap_or(settings.samples);
        let allows: Vec<hir::Allow> = parts.allows.iter().filter_map(|allow| this.cx.check_allow(allow)).collect();
        this.scope.check_id_length(this.cx, task, (&variants, &stages), samples);
        let mut checked = hir::Task {
            name: task.name.text.clone(),
            span: task.name.span,
            doc: doc.map(|doc| doc.text.clone()),
            samples,
            tags,
            each: None,
            axes: std::mem::take(&mut this.scope.axes),
            requires,
            steps: std::mem::take(&mut this.steps),
            extras,
            lakes,
            means,
            prompt: hir::Prompt { wordings: prompt },
            expects,
            variants,
            stages,
            asked: StageMode::Whole,
            names: this.scope.finish_names(),
            files: this.scope.relations.finish_files(),
            relations: this.scope.relations.finish_relations(),
            notes: hir::TaskNotes {
                whole: span,
                allows,
                used: std::mem::take(&mut this.scope.used),
                is_static: false,
                samples: parts.samples.last().map(|written| written.span),
                path_tests: std::mem::take(&mut this.path_tests),
                path_predicates: std::mem::take(&mut this.path_predicates),
                edited: std::mem::take(&mut this.edited),
                views: this.scope.relations.declared.iter().filter_map(|decl| decl.query.clone()).collect(),
                gold: std::mem::take(&mut this.gold),
                run: std::mem::take(&mut this.looked_at)
                    .into_iter()
                    .filter(|sql| sql.is_run)
                    .map(|sql| (sql.file, sql.sql))
                    .collect(),
            },
        };
        checked.each = this.scope.finish_each(this.cx);
        this.scope.finish_lakes(this.cx, &mut checked);
        this.cx.finish_stages(&mut checked, &parts);
        // A quick check is sufficient for most tasks.
        let drawn = checked.names.iter().any(|name| name.source.draw().is_some());
        checked.notes.is_static = !drawn && is_static(&hir::lower::lower_task(&checked));
        checked
    }

    /// Checks `samples N`.
    fn check_samples(&mut self, written: &[&'a ast::Expr]) -> Option<u32> {
        self.cx.reject_repeated("samples", written);
        let value = self.require_fixed_value(written.last()?, "`samples`")?;
        self.cx.check_sample_count(&value)
    }

    /// Checks a value that must be known before anything is drawn. Reports it and returns `None` if it is not.
    pub fn require_fixed_value(&mut self, value: &'a ast::Expr, what: &str) -> Option<Expr> {
        let checked = self.check_expr(value);
        if checked.as_constant().is_some() {
            return Some(checked);
        }
        self.scope.report_not_fixed(self.cx, &checked, what);
        None
    }

    /// Checks `tags […]`.
    pub fn check_tags(&mut self, value: &'a ast::Expr) -> Vec<String> {
        let mut words: Vec<(String, Span)> = Vec::new();
        if let ExprKind::List(items) = &value.kind {
            for item in items {
                match &item.kind {
                    // A cell of the row differs between instances.
                    _ if self.scope.is_tag_of_row(item) => {}
                    ExprKind::Path(path) if path.len() == 1 => {
                        words.extend(path.first().map(|name| (name.text.clone(), item.span)))
                    }
                    _ => {
                        let Some(value) = self.require_fixed_value(item, "a tag") else { continue };
                        match value.as_constant().and_then(model::Value::as_text) {
                            Some(text) => words.push((text.to_owned(), item.span)),
                            None => {
                                let (message, label) =
                                    ("a tag must be a word or a text", format!("this is {}", value.ty));
                                let said = Diagnostic::new(Code::BAD_SETTING, message, item.span, label);
                                self.cx.report(said.help("write: tags [csv, \"hard case\"]"));
                            }
                        }
                    }
                }
            }
        }
        self.cx.check_tag_words(value, words)
    }

    /// Checks the declaration of a name, unless that is done. `asked` is the span of its use. Reaching a name that is being checked is a cycle.
    pub fn ensure_name(&mut self, id: NameId, asked: Option<Span>) {
        // A declaration does not see the surroundings of the expression that uses it.
        let Some(around) = self.start_unit(Unit::Name(id), asked) else { return };
        let (mut ty, mut checked) = self.check_name_source(id);
        self.scope.here = around;
        // The chain that leads to it is too long, or it needs itself and has already been given no value.
        if !self.end_unit() || self.scope.names[id].checked.is_some() {
            let unknown = Expr::unknown(self.scope.names[id].ident.span);
            (ty, checked) = (Ty::UNKNOWN, hir::NameSource::Compute(unknown));
        }
        let fact = self.scope.infer_name_fact(id, &checked);
        let decl = &mut self.scope.names[id];
        (decl.ty, decl.checked, decl.fact, decl.state) = (ty, Some(checked), fact, State::Done);
        // A variant or stage generates its own names.
        if !matches!(decl.source, NameAst::Own(..) | NameAst::Misplaced) {
            self.steps.push(Step::Name(id));
        }
    }

    fn check_name_source(&mut self, id: NameId) -> (Ty, hir::NameSource) {
        let name = self.scope.names[id].ident;
        match self.scope.names[id].source {
            NameAst::Draw { domain, group, place } => {
                let draw = DrawChecker::new(self).draw_name(domain, place as usize, group.len());
                // Names without a joint constraint are drawn independently.
                let (group, place) = match group.first() {
                    Some(first) if draw.unique || draw.is_together() => (first.text.clone(), place),
                    _ => (name.text.clone(), 0),
                };
                (draw.ty.clone(), hir::NameSource::Draw { draw, group, place })
            }
            NameAst::Compute(value) | NameAst::Own(value, _) => {
                let value = self.check_expr_or_state(value);
                (value.ty.clone(), hir::NameSource::Compute(value))
            }
            NameAst::Misplaced => (Ty::UNKNOWN, hir::NameSource::Compute(Expr::unknown(name.span))),
            NameAst::Axis(cells) => (self.check_axis(id, cells), hir::NameSource::Axis),
            NameAst::Row(column) => (self.scope.infer_cell_type(column), hir::NameSource::Row),
        }
    }

    pub fn check_prompts(&mut self, prompts: &[(&'a ast::Prompt, Span)]) -> Vec<Expr> {
        if let [(_, first), (_, second), ..] = prompts {
            let help = "join them, or draw one of several wordings: prompt one_of [ \"…\", \"…\" ]";
            let said = Diagnostic::new(Code::DUPLICATE, "the task has two prompts", *second, "the second one");
            self.cx.report(said.label(*first, "the first one").help(help));
        }
        match prompts.first() {
            None | Some((ast::Prompt::Missing(_), _)) => Vec::new(),
            Some((ast::Prompt::One(text), _)) => {
                self.scope.check_prompt_placeholders(self.cx, text);
                let checked = self.check_string(text);
                self.cx.check_not_blank(&checked, "the prompt is empty", "write what the agent should do");
                vec![checked]
            }
            Some((ast::Prompt::OneOf(wordings), span)) if wordings.is_empty() => {
                let said = Diagnostic::new(Code::MISSING_PART, "the prompt has no wording", *span, "empty list");
                self.cx.report(said.help("write: prompt one_of [\"…\", \"…\"]"));
                Vec::new()
            }
            Some((ast::Prompt::OneOf(wordings), _)) => wordings
                .iter()
                .map(|wording| {
                    if let ast::ExprKind::String(text) = &wording.kind {
                        self.scope.check_prompt_placeholders(self.cx, text);
                    }
                    let checked = self.check_expr(wording);
                    self.cx.expect_type(&checked, &Ty::new(hir::types::TyKind::Text), "a wording of the prompt");
                    checked
                })
                .collect(),
        }
    }
}

impl<'a> TaskScope<'a> {
    /// Reports a value that must be known before anything is drawn, and is not.
    pub fn report_not_fixed(&self, cx: &mut Checker<'a>, value: &Expr, what: &str) {
        if !value.is_broken() {
            cx.report_not_fixed(value, what, self.find_first_named_span(value));
        }
    }

    fn finish_names(&mut self) -> TiVec<NameId, hir::Name> {
        let names = std::mem::take(&mut self.names);
        names
            .into_iter()
            .map(|decl| hir::Name {
                name: match decl.source {
                    NameAst::Row(column) => self.name_of_cell(column),
                    _ => decl.ident.text.clone(),
                },
                span: decl.ident.span,
                ty: decl.ty,
                source: decl.checked.unwrap_or(hir::NameSource::Axis),
            })
            .collect()
    }

    /// Returns the span of an entity's declaration.
    pub fn find_entity_span(&self, entity: Entity) -> Span {
        match entity {
            Entity::Name(id) => self.find_unit_span(Unit::Name(id)),
            Entity::File(id) => self.find_unit_span(Unit::File(id)),
            Entity::Relation(id) => self.find_unit_span(Unit::Relation(id)),
            Entity::Row => self.each.as_ref().map_or_else(Span::default, |each| each.ast.name.span),
            Entity::Lake(at) => self.lakes.get(at as usize).map_or_else(Span::default, |lake| lake.read.name.span),
        }
    }
}

impl Checker<'_> {
    /// Reports statements that can appear only once, each together with the one before.
    pub fn reject_repeated(&mut self, word: &str, written: &[&ast::Expr]) {
        for (first, second) in written.iter().zip(written.iter().skip(1)) {
            self.report(build_repeated_diagnostic(word, second.span, first.span));
        }
    }

    /// Reports a text that is known to be blank.
    pub fn check_not_blank(&mut self, text: &Expr, message: &str, help: &str) {
        if matches!(text.as_constant(), Some(model::Value::Text(text)) if text.trim().is_empty()) {
            self.report(Diagnostic::new(Code::MISSING_PART, message, text.span, "blank").help(help));
        }
    }
}

/// Collects the names that the outcome of a condition proves not to be null.
fn find_not_null_names(condition: &ast::Expr, outcome: Outcome) -> Vec<String> {
    use ast::Op as B;
    let (both, compared) = if outcome == Outcome::True { (B::And, B::Ne) } else { (B::Or, B::Eq) };
    match &condition.kind {
        ExprKind::Paren(inner) | ExprKind::Placeholder(inner) => find_not_null_names(inner, outcome),
        ExprKind::Unary { op: ast::UnaryOp::Not, operand } => find_not_null_names(operand, outcome.to_opposite()),
        ExprKind::Binary { op, left, right, .. } if *op == both => {
            [find_not_null_names(left, outcome), find_not_null_names(right, outcome)].concat()
        }
        ExprKind::Binary { op, left, right, .. } if *op == compared => match (&left.kind, &right.kind) {
            (ExprKind::Path(path), ExprKind::Null) | (ExprKind::Null, ExprKind::Path(path)) if path.len() == 1 => {
                path.iter().map(|name| name.text.clone()).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
