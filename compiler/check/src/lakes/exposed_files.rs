//! `lake NAME [needed [LIST] [+ N]]` in a task or variant, and the needs of stages: the files of a lake that instances contain, and whether they suffice
//! for the answer.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::glob::is_path_match;
use model::path::fold_path;
use model::suite::{self, Lake, LakeId, LakeSelection};
use model::uses::Uses;
use model::{Span, TiVec, Value};

use crate::context::{Checker, LakeFile, TaskScope};
use crate::lakes::LakeChecker;
use hir::types::{Ty, TyKind};
use hir::{Entity, Expr, ExprKind, LakeUse};
use syntax::ast::{self, Stmt, StmtKind};
use syntax::diagnostics::wording::{build_repeated_diagnostic, build_unknown_diagnostic, format_count};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Checks the lakes that a task or variant gives to the agent, still without the files that its answer needs.
    pub(crate) fn check_lake_uses(&mut self, body: &'a [Stmt]) -> Vec<LakeUse> {
        let mut uses: Vec<LakeUse> = Vec::new();
        for stmt in body {
            let StmtKind::Lake(lake) = &stmt.kind else { continue };
            let Some(at) = self.task.scope.resolve_lake(self.task.cx, &lake.name) else { continue };
            if let Some(first) = uses.iter().find(|first| first.lake == LakeId(at)) {
                let said = build_repeated_diagnostic(&format!("lake {}", lake.name.text), stmt.span, first.span);
                self.task.cx.report(said);
                continue;
            }
            let files = match &lake.needed {
                None => LakeSelection::All,
                Some(needed) => LakeSelection::Needed {
                    files: needed.globs.as_ref().map_or_else(Vec::new, |globs| self.match_globs(at, globs)),
                    others: needed.others.as_ref().map(|others| self.check_others_count(others)),
                },
            };
            uses.push(LakeUse { lake: LakeId(at), span: stmt.span, files });
        }
        uses
    }

    /// Returns the indexes of the files that a list of globs matches. Reports a glob without a match.
    fn match_globs(&mut self, at: u32, globs: &'a ast::Expr) -> Vec<u32> {
        let checked = self.task.check_expr(globs);
        let items: Vec<(Option<Value>, Span)> = match (&checked.kind, checked.as_constant()) {
            (_, Some(Value::List(items))) => {
                let spans: Vec<Span> = match &globs.kind {
                    ast::ExprKind::List(written) => written.iter().map(|item| item.span).collect(),
                    _ => Vec::new(),
                };
                let span = |index: usize| spans.get(index).copied().unwrap_or(globs.span);
                items.iter().enumerate().map(|(index, item)| (Some(item.clone()), span(index))).collect()
            }
            (ExprKind::List(items), _) => items.iter().map(|item| (item.as_constant().cloned(), item.span)).collect(),
            _ => vec![(None, globs.span)],
        };
        let mut found = BTreeSet::new();
        for (item, span) in items {
            let Some(Value::Text(glob)) = item else {
                if !checked.is_broken() {
                    self.task.cx.report_not_fixed(&checked, "a list of files", None);
                }
                break;
            };
            let Some(decl) = self.task.scope.lakes.get(at as usize) else { break };
            let files = (0u32..).zip(decl.read.files.iter());
            let matched: Vec<u32> =
                files.filter(|(_, file)| is_path_match(&glob, &file.path)).map(|(at, _)| at).collect();
            if matched.is_empty() {
                let message = format!("no file of lake `{}` matches `{glob}`", decl.read.name.text);
                let said = Diagnostic::new(Code::UNREADABLE_FILE, message, span, "no such file");
                let first = decl.read.files.first().map_or("", |file| file.path.as_str());
                self.task.cx.report(said.help(format!(
                    "its {} have paths such as `{first}`; `*` is any part of a name, and `**` any folders",
                    format_count(decl.read.files.len() as u32, "file")
                )));
            }
            found.extend(matched);
        }
        found.into_iter().collect()
    }

    fn check_others_count(&mut self, others: &'a ast::Expr) -> Expr {
        let what = "the number of other files";
        let checked = self.task.check_expr(others);
        self.task.cx.expect_type(&checked, &Ty::new(TyKind::Int), what);
        self.task.scope.check_not_null(self.task.cx, &checked, what);
        checked
    }
}

impl<'a> TaskScope<'a> {
    /// Records which lakes the task or one of its variants gives to the agent. Their names are then paths.
    pub(crate) fn note_handed_out(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Lake(lake) => {
                    if let Some(Entity::Lake(at)) = self.entities.get(lake.name.text.as_str()).copied()
                        && let Some(decl) = self.lakes.get_mut(at as usize)
                    {
                        decl.handed = true;
                    }
                }
                StmtKind::Variant { body, .. } => self.note_handed_out(body),
                _ => {}
            }
        }
    }

    /// Returns the folder of a lake as a path, if the task gives the lake to the agent.
    pub(crate) fn find_lake_folder(&self, at: u32, span: Span) -> Option<Expr> {
        let decl = self.lakes.get(at as usize).filter(|decl| decl.handed)?;
        Some(Expr { kind: ExprKind::Folder(decl.read.at.clone()), ty: Ty::new(TyKind::Text), span })
    }

    fn resolve_lake(&mut self, cx: &mut Checker<'a>, name: &'a ast::Ident) -> Option<u32> {
        match self.entities.get(name.text.as_str()).copied() {
            Some(Entity::Lake(at)) => {
                self.refer_entity(cx, name.span, Entity::Lake(at));
                self.used.insert(Entity::Lake(at));
                return Some(at);
            }
            Some(other) => {
                let word = crate::scope::declare::describe_entity(other);
                let message = format!("`{}` is a {word}, not a lake", name.text);
                let said = Diagnostic::new(Code::UNKNOWN_NAME, message, name.span, "not a lake");
                cx.report(said.label(self.find_entity_span(other), "declared here").help(
                    "declare the lake outside of tasks: lake NAME from \"FOLDER\" { }, and hand it out under its name",
                ));
            }
            None => {
                let known = self.lakes.iter().map(|decl| decl.read.name.text.as_str());
                let message = format!("lake `{}` is not declared", name.text);
                let said = build_unknown_diagnostic(Code::UNKNOWN_NAME, name, message, "no such lake", known);
                let help = format!("declare it outside of tasks: lake {} from \"FOLDER\" {{ }}", name.text);
                cx.report(said.with_default_help(help));
            }
        }
        None
    }

    /// Completes the lakes of a task that has otherwise been checked. A variant has the lakes of the task unless it overrides them. The files that an
    /// answer needs are added.
    pub(crate) fn finish_lakes(&self, cx: &mut Checker<'a>, task: &mut hir::Task) {
        if self.lakes.is_empty() {
            return;
        }
        let of_task = std::mem::take(&mut task.lakes);
        let lowered = hir::lower::lower_task(task);
        self.assign_stage_lakes(cx, task, &of_task, &lowered);
        if task.variants.is_empty() {
            let read = self.read_by(&lowered, &lowered.expects);
            let spans: Vec<Span> = task.expects.iter().map(answer_span).collect();
            task.lakes = self.complete_lake_uses(cx, of_task, &read, &spans, (&task.name, None));
            return;
        }
        let mut said = BTreeSet::new();
        for (variant, lowered_variant) in task.variants.iter_mut().zip(&lowered.variants) {
            let own = std::mem::take(&mut variant.lakes);
            let inherited = of_task.iter().filter(|lake| own.iter().all(|own| own.lake != lake.lake));
            let mut uses: Vec<LakeUse> = inherited.cloned().collect();
            uses.extend(own);
            uses.sort_by_key(|lake| lake.lake);
            let read = self.read_by(&lowered, &lowered_variant.expects);
            let spans: Vec<Span> = task.expects.iter().chain(&variant.expects).map(answer_span).collect();
            let before = cx.diagnostics.len();
            variant.lakes = self.complete_lake_uses(
                cx,
                uses,
                &read,
                &spans,
                (&task.name, Some(format!("variant `{}`", variant.name))),
            );
            // An error in the task's own answer occurs in all of its variants, but is reported once.
            let new = cx.diagnostics.split_off(before);
            cx.diagnostics.extend(new.into_iter().filter(|one| said.insert((one.primary.span, one.message.clone()))));
        }
        task.lakes = of_task;
    }

    /// Assigns the lakes of the task to its stages, with the files that the answer of each stage needs.
    fn assign_stage_lakes(
        &self,
        cx: &mut Checker<'a>,
        task: &mut hir::Task,
        of_task: &[LakeUse],
        lowered: &model::suite::Task,
    ) {
        for (stage, lowered_stage) in task.stages.iter_mut().zip(&lowered.stages) {
            let read = self.read_by(lowered, &lowered_stage.way.expects);
            let spans: Vec<Span> = stage.way.expects.iter().map(answer_span).collect();
            let whose = Some(format!("stage `{}`", stage.way.name));
            // A stage that needs no file of a lake does not get it.
            let all: BTreeSet<u32> = read.iter().flatten().map(|(at, _)| *at).collect();
            let is_read = |used: &&LakeUse| match &used.files {
                LakeSelection::Needed { files, others } => {
                    !files.is_empty() || others.is_some() || all.contains(&used.lake.0)
                }
                LakeSelection::All => true,
            };
            let uses: Vec<LakeUse> = of_task.iter().filter(is_read).cloned().collect();
            stage.way.lakes = self.complete_lake_uses(cx, uses, &read, &spans, (&task.name, whose));
        }
    }

    /// Returns the views that each answer reads, as indexes of lakes and of their views.
    fn read_by(&self, task: &model::suite::Task, expects: &[model::suite::Expect]) -> Vec<Vec<(u32, usize)>> {
        let views = |expect: &model::suite::Expect| {
            let uses = Uses::from_answers(task, std::slice::from_ref(expect));
            let lakes = (0u32..).zip(&self.lakes);
            lakes
                .flat_map(|(at, decl)| {
                    let read = decl.relations.iter().enumerate().filter(|(_, id)| uses.relations.contains(id));
                    read.map(|(view, _)| (at, view)).collect::<Vec<_>>()
                })
                .collect()
        };
        expects.iter().map(views).collect()
    }

    /// Adds the files of the views that are read. Reports a lake that is read but not given to the agent, and `needed` without any needed file.
    fn complete_lake_uses(
        &self,
        cx: &mut Checker<'a>,
        mut uses: Vec<LakeUse>,
        read: &[Vec<(u32, usize)>],
        spans: &[Span],
        (task, way): (&str, Option<String>),
    ) -> Vec<LakeUse> {
        let all: BTreeSet<(u32, usize)> = read.iter().flatten().copied().collect();
        for used in &mut uses {
            let LakeId(at) = used.lake;
            let Some(decl) = self.lakes.get(at as usize) else { continue };
            let (name, there) = (decl.read.name.text.clone(), decl.read.files.len());
            let views = all.iter().filter(|(lake, _)| *lake == at).filter_map(|(_, view)| decl.read.views.get(*view));
            let needed: BTreeSet<u32> = views.flat_map(|view| view.files.iter().copied()).collect();
            let LakeSelection::Needed { files, others } = &mut used.files else { continue };
            if files.is_empty() && needed.is_empty() {
                let message = "`needed` finds no view in the answer";
                let said = Diagnostic::new(Code::MISSING_PART, message, used.span, format!("which files of `{name}`?"));
                let first = decl.read.files.first().map_or("FILE", |file| file.path.as_str());
                cx.report(said.help(format!("list the files: lake {name} needed [\"{first}\"]")));
                continue;
            }
            let whole: BTreeSet<u32> = files.iter().copied().chain(needed).collect();
            *files = whole.into_iter().collect();
            let left = there - files.len().min(there);
            if let Some(others) = others
                && let Some(Value::Int(wanted)) = others.as_constant()
                && !usize::try_from(*wanted).is_ok_and(|wanted| wanted <= left)
            {
                let (span, wanted) = (others.span, *wanted);
                let said = if wanted < 0 {
                    let message = format!("lake `{name}` cannot add {wanted} other files");
                    Diagnostic::new(Code::TOO_FEW_VALUES, message, span, "negative").help("write 0 or more")
                } else {
                    let s = if left == 1 { "" } else { "s" };
                    let message = format!("lake `{name}` has only {left} other file{s}");
                    let said = Diagnostic::new(Code::TOO_FEW_VALUES, message, span, format!("takes {wanted}"));
                    said.help(format!("write {left} or fewer, or hand out all: lake {name}"))
                };
                cx.report(said);
            }
        }
        let mut told = BTreeSet::new();
        for (reads, span) in read.iter().zip(spans) {
            for (at, view) in reads {
                let handed = uses.iter().any(|used| used.lake == LakeId(*at));
                let Some(decl) = self.lakes.get(*at as usize).filter(|_| !handed && told.insert(*at)) else { continue };
                let name = &decl.read.name.text;
                let view = decl.read.views.get(*view).map_or("", |view| view.name.text.as_str());
                let whose = way.clone().unwrap_or_else(|| format!("task `{task}`"));
                let message = format!("the answer reads `{name}.{view}`, but {whose} has no lake `{name}`");
                let said = Diagnostic::new(Code::MISSING_PART, message, *span, "read here")
                    .label(decl.read.name.span, "declared here");
                let help = format!(
                    "add `lake {name}` to the task; or read the file as `table {view} from`, if agents must not see it"
                );
                cx.report(said.help(help));
            }
        }
        uses
    }

    /// Reports files of lakes with the path of another file, or of a file of another lake.
    pub(crate) fn check_lake_clashes(&self, cx: &mut Checker<'a>, others: &[(String, Span, String)]) {
        let mut seen: Vec<(&str, Span, BTreeSet<String>)> = Vec::new();
        for decl in self.lakes.iter().filter(|decl| decl.handed) {
            let (name, place) = (decl.read.name.text.as_str(), fold_path(&decl.read.at));
            let paths: BTreeSet<String> =
                decl.read.files.iter().map(|file| format!("{place}/{}", fold_path(&file.path))).collect();
            let around = |path: &str| {
                let below = format!("{path}/");
                path == place || place.starts_with(&below) || has_path_below(&paths, path)
            };
            let within = |path: &str| {
                path.match_indices('/').any(|(at, _)| path.get(..at).is_some_and(|head| paths.contains(head)))
            };
            for (path, span, what) in others {
                let file = what.starts_with("file");
                if paths.contains(path) || within(path) || (file && around(path)) {
                    let message = format!("the {what} and a file of lake `{name}` have the same path");
                    let said = Diagnostic::new(Code::PATH_CLASH, message, *span, "the same path on some systems");
                    cx.report(said.label(decl.read.name.span, "the lake is declared here").help(format!(
                        "give the {} another path, or the lake another folder: at \"PATH\"",
                        if file { "file" } else { "folder" }
                    )));
                }
            }
            for (other, at, taken) in &seen {
                if let Some(path) = paths.iter().find(|path| taken.contains(*path) || has_path_below(taken, path)) {
                    let message = format!("lakes `{other}` and `{name}` both have a file `{path}`");
                    let own = decl.read.name.span;
                    let said = Diagnostic::new(Code::PATH_CLASH, message, own, "the same path on some systems");
                    let help = "give one of them another folder: lake NAME at \"PATH\" from \"FOLDER\"";
                    cx.report(said.label(*at, "the other lake").help(help));
                }
            }
            seen.push((name, decl.read.name.span, paths));
        }
    }
}

impl Checker<'_> {
    /// Collects the lakes that any task gives to the agent, and renumbers the lakes of all tasks accordingly.
    pub(crate) fn collect_used_lakes(&self, tasks: &mut [hir::Task]) -> TiVec<LakeId, Arc<Lake>> {
        let uses = |task: &hir::Task| -> Vec<LakeId> {
            let of_ways = task.iter_ways().flat_map(|way| &way.lakes);
            task.lakes.iter().chain(of_ways).map(|used| used.lake).collect()
        };
        let used: Vec<LakeId> = tasks.iter().flat_map(uses).collect::<BTreeSet<_>>().into_iter().collect();
        for task in tasks {
            let of_variants = task.variants.iter_mut().flat_map(|variant| &mut variant.lakes);
            let of_stages = task.stages.iter_mut().flat_map(|stage| &mut stage.way.lakes);
            for lake in task.lakes.iter_mut().chain(of_variants).chain(of_stages) {
                lake.lake = used.binary_search(&lake.lake).map_or(lake.lake, LakeId::from);
            }
        }
        let declared: Vec<_> = self.globals.lakes.values().collect();
        let digests = self.sources.list_digests();
        let lake = |id: &LakeId| {
            let read = declared.get(usize::from(*id))?;
            let file = |file: &LakeFile| {
                let path = format!("{}{}/{}", self.project.folder, read.folder, file.path);
                let sha256 = digests.get(path.as_str()).map(|digest| model::encode_hex(*digest));
                suite::LakeFile { path: file.path.clone(), size: file.size, sha256 }
            };
            Some(Arc::new(Lake {
                name: read.name.text.clone(),
                span: read.name.span,
                at: read.at.clone(),
                from: read.folder.clone(),
                files: read.files.iter().map(file).collect(),
            }))
        };
        used.iter().filter_map(lake).collect()
    }
}

/// Checks whether one of these paths is below a folder.
fn has_path_below(paths: &BTreeSet<String>, folder: &str) -> bool {
    let below = format!("{folder}/");
    paths.range(below.clone()..).next().is_some_and(|next| next.starts_with(&below))
}

/// Returns the span of the expected value.
fn answer_span(expect: &hir::Expect) -> Span {
    expect.answer_expr().map_or(expect.span, |value| value.span)
}
