//! One task: its declarations, in the order in which they need each other.

use std::collections::{BTreeMap, BTreeSet};

use plan::Span;
use plan::suite::{ColumnId, FileIx, NameId, RelationId, Step};

use super::globals::duplicate;
use super::settings::Settings;
use super::{Checker, one_of_words};
use crate::ast::{self, ExprKind, StmtKind};
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, Expr};
use crate::types::Ty;

/// A task being checked; without declarations also the place where global expressions are checked.
pub(crate) struct TaskChecker<'c, 'a> {
    pub cx: &'c mut Checker<'a>,
    /// What a bare name means.
    pub scope: BTreeMap<&'a str, Entity>,
    pub names: Vec<NameDecl<'a>>,
    pub files: Vec<FileDecl<'a>>,
    pub relations: Vec<RelationDecl<'a>>,
    pub axes: Vec<hir::Axis>,
    /// Complete, in the order of completion.
    pub steps: Vec<Step>,
    /// What is being checked, innermost last.
    pub open: Vec<Unit>,
    /// Names that a `require` shows not to be null.
    pub required: BTreeSet<String>,
    /// What conditions around the expression at hand show not to be null.
    pub narrowed: Vec<Place>,
    /// The row at hand.
    pub row: Option<RelationId>,
    /// The row being made, while `row` is a candidate of a `ref`.
    pub outer: Option<RelationId>,
    /// Paths render as the agent is given them only in prompts; elsewhere below the sandbox.
    pub in_global: bool,
}

/// What a bare name means in a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    Name(NameId),
    File(FileIx),
    Relation(RelationId),
}

/// Something that is made as a whole and can be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Name(NameId),
    File(FileIx),
    Relation(RelationId),
    Column(RelationId, ColumnId),
}

/// Something that may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Name(NameId),
    Column(RelationId, ColumnId),
}

/// How far the checking of a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Todo,
    Doing,
    Done,
}

/// A declared name.
pub(crate) struct NameDecl<'a> {
    pub ident: &'a ast::Ident,
    pub source: NameAst<'a>,
    pub state: State,
    pub ty: Ty,
    pub checked: Option<hir::NameSource>,
    pub used: bool,
}

/// Where a name is declared.
#[derive(Clone, Copy)]
pub(crate) enum NameAst<'a> {
    Draw { domain: &'a ast::Domain, group: &'a [ast::Ident], place: u32 },
    Compute(&'a ast::Expr),
    Axis(&'a ast::Expr),
    Variant(&'a ast::Expr),
}

/// A declared file.
pub(crate) struct FileDecl<'a> {
    pub ast: &'a ast::Data,
    pub state: State,
    /// Its relations in source order.
    pub relations: Vec<RelationId>,
    pub path: Option<Expr>,
    pub content: Option<hir::FileContent>,
    pub used: bool,
}

/// A declared relation.
pub(crate) struct RelationDecl<'a> {
    /// `hr`, `db.table`.
    pub name: String,
    pub ident: &'a ast::Ident,
    pub file: Option<FileIx>,
    pub format: Option<ast::Format>,
    pub body: &'a ast::Body,
    pub state: State,
    pub rows: Option<(Expr, Expr)>,
    pub columns: Vec<ColumnDecl<'a>>,
    pub order: Vec<ColumnId>,
    pub used: bool,
}

/// A declared column.
pub(crate) struct ColumnDecl<'a> {
    pub ident: &'a ast::Ident,
    pub ast: &'a ast::Column,
    pub group: &'a str,
    pub place: u32,
    pub of: u32,
    pub state: State,
    pub ty: Ty,
    pub source: Option<hir::ColumnSource>,
    pub references: Option<(RelationId, ColumnId)>,
}

impl<'c, 'a> TaskChecker<'c, 'a> {
    /// For expressions and domains at top level: nothing of a task is in scope.
    pub fn global(cx: &'c mut Checker<'a>) -> TaskChecker<'c, 'a> {
        TaskChecker {
            cx,
            scope: BTreeMap::new(),
            names: Vec::new(),
            files: Vec::new(),
            relations: Vec::new(),
            axes: Vec::new(),
            steps: Vec::new(),
            open: Vec::new(),
            required: BTreeSet::new(),
            narrowed: Vec::new(),
            row: None,
            outer: None,
            in_global: true,
        }
    }

    /// Checks a task.
    pub fn task(
        cx: &'c mut Checker<'a>,
        task: &'a ast::Task,
        doc: Option<&ast::Doc>,
        settings: &Settings,
    ) -> hir::Task {
        let mut this = TaskChecker { in_global: false, ..TaskChecker::global(cx) };
        let parts = this.declare(task);
        this.required = task
            .body
            .iter()
            .filter_map(|stmt| if let StmtKind::Require(condition) = &stmt.kind { Some(condition) } else { None })
            .flat_map(not_null_names)
            .collect();

        // Requires first: what they need is made first, and a sample that fails is given up early.
        let mut requires = Vec::new();
        for condition in &parts.requires {
            let required = std::mem::take(&mut this.required);
            let checked = this.condition(condition, "require");
            this.required = required;
            this.steps.push(Step::Require(requires.len() as u32));
            requires.push(checked);
        }
        for index in 0..this.names.len() {
            this.ensure_name(NameId(index as u32), None);
        }
        for index in 0..this.relations.len() {
            this.ensure_relation(RelationId(index as u32), None);
        }
        for index in 0..this.files.len() {
            this.ensure_file(FileIx(index as u32), None);
        }
        let folders: Vec<Expr> = parts.folders.iter().map(|path| this.path(path)).collect();
        let clutter = parts.clutter.iter().map(|(count, within)| this.clutter(count, *within)).collect();
        let prompt = this.prompts(&parts.prompts);
        let expects: Vec<hir::Expect> =
            parts.expects.iter().filter_map(|(expect, span)| this.expect(expect, *span)).collect();

        let mut tags = settings.info.tags.clone();
        for tag in parts.tags.iter().flat_map(|value| this.cx.tags(value)) {
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        let mut variants = Vec::new();
        let mut variant_names: BTreeMap<String, Span> = BTreeMap::new();
        for variant in &parts.variants {
            if let Some(first) = variant_names.insert(variant.name.text.to_lowercase(), variant.name.span) {
                this.cx.say(duplicate(variant.name, "variant", first, "variant"));
            }
            variants.push(this.variant(variant));
        }
        this.well_formed(task, &parts, &prompt, &expects, &variants);
        this.path_clashes(&folders);
        let samples = parts.samples.and_then(|value| this.cx.samples(value)).unwrap_or(settings.samples);
        let allows: Vec<hir::Allow> = parts.allows.iter().filter_map(|allow| this.cx.allow(allow)).collect();
        this.id_length(task, &variants, samples);
        let checked = hir::Task {
            name: task.name.text.clone(),
            name_span: task.name.span,
            doc: doc.map(|doc| doc.text.clone()),
            samples,
            tags,
            axes: std::mem::take(&mut this.axes),
            requires,
            steps: std::mem::take(&mut this.steps),
            folders,
            clutter,
            prompt,
            expects,
            variants,
            allows,
            names: this.finish_names(),
            files: this.finish_files(),
            relations: this.finish_relations(),
        };
        this.lints(&checked, &settings.allows);
        checked
    }

    /// Checks the names' declaration, unless that is done. `asked` is where it is named; meeting it while it is being checked is a cycle.
    pub fn ensure_name(&mut self, id: NameId, asked: Option<Span>) {
        match self.names[id.0 as usize].state {
            State::Done => return,
            State::Doing => return self.cycle(Unit::Name(id), asked),
            State::Todo => {}
        }
        self.names[id.0 as usize].state = State::Doing;
        self.open.push(Unit::Name(id));
        // A declaration is checked in its own light, not in that of the expression that asks for it.
        let (row, outer, narrowed) = (self.row.take(), self.outer.take(), std::mem::take(&mut self.narrowed));
        let (ty, checked) = match self.names[id.0 as usize].source {
            NameAst::Draw { domain, group, place } => {
                let draw = self.draw_name(domain, group.len());
                let group = group.first().map_or_else(String::new, |first| first.text.clone());
                (draw.ty.clone(), hir::NameSource::Draw { draw, group, place })
            }
            NameAst::Compute(value) => {
                let value = self.expr(value);
                (value.ty.clone(), hir::NameSource::Compute(value))
            }
            NameAst::Variant(value) => {
                let value = self.expr(value);
                (value.ty.clone(), hir::NameSource::Variant(value))
            }
            NameAst::Axis(cells) => {
                let ty = self.axis(id, cells);
                (ty, hir::NameSource::Axis)
            }
        };
        (self.row, self.outer, self.narrowed) = (row, outer, narrowed);
        self.open.pop();
        let variant = matches!(checked, hir::NameSource::Variant(_));
        let decl = &mut self.names[id.0 as usize];
        (decl.ty, decl.checked, decl.state) = (ty, Some(checked), State::Done);
        if !variant {
            self.steps.push(Step::Name(id));
        }
    }

    /// Says that something needs itself, once.
    pub fn cycle(&mut self, unit: Unit, asked: Option<Span>) {
        let start = self.open.iter().position(|open| *open == unit).unwrap_or(0);
        let circle: Vec<Unit> = self.open[start..].to_vec();
        let names: Vec<String> = circle.iter().chain([&unit]).map(|unit| format!("`{}`", self.unit_name(*unit))).collect();
        let declared = self.unit_span(unit);
        let at = asked.unwrap_or(declared);
        let message = if circle.len() <= 1 {
            format!("`{}` needs itself", self.unit_name(unit))
        } else {
            format!("{} need each other: {}", one_word(circle.len()), names.join(" → "))
        };
        let mut said = Diagnostic::new(Code::CYCLE, message, at, "closes the circle");
        for other in circle {
            let span = self.unit_span(other);
            if span != at {
                said = said.label(span, format!("`{}` is declared here", self.unit_name(other)));
            }
        }
        self.cx.say(said.help("break the circle: one of them must stand on its own (a file or table is made as a whole)"));
        // From here on its type is unknown, so nothing more is said.
        match unit {
            Unit::Name(id) => self.names[id.0 as usize].ty = Ty::UNKNOWN,
            Unit::Column(relation, column) => {
                self.relations[relation.0 as usize].columns[column.0 as usize].ty = Ty::UNKNOWN;
            }
            Unit::File(_) | Unit::Relation(_) => {}
        }
    }

    fn unit_name(&self, unit: Unit) -> String {
        match unit {
            Unit::Name(id) => self.names[id.0 as usize].ident.text.clone(),
            Unit::File(id) => self.files[id.0 as usize].ast.name.text.clone(),
            Unit::Relation(id) => self.relations[id.0 as usize].name.clone(),
            Unit::Column(relation, column) => {
                let relation = &self.relations[relation.0 as usize];
                format!("{}.{}", relation.name, relation.columns[column.0 as usize].ident.text)
            }
        }
    }

    fn unit_span(&self, unit: Unit) -> Span {
        match unit {
            Unit::Name(id) => self.names[id.0 as usize].ident.span,
            Unit::File(id) => self.files[id.0 as usize].ast.name.span,
            Unit::Relation(id) => self.relations[id.0 as usize].ident.span,
            Unit::Column(relation, column) => {
                self.relations[relation.0 as usize].columns[column.0 as usize].ident.span
            }
        }
    }

    /// `axis NAME = [50, 500]` or `{ small: 50 }`: gives the cells' common type.
    fn axis(&mut self, slot: NameId, cells: &'a ast::Expr) -> Ty {
        let labelled: Vec<(Option<&'a ast::Ident>, &'a ast::Expr)> = match &cells.kind {
            ExprKind::List(items) => items.iter().map(|item| (None, item)).collect(),
            ExprKind::Object(fields) => fields.iter().map(|field| (Some(&field.key), &field.value)).collect(),
            ExprKind::Missing => return Ty::UNKNOWN,
            _ => {
                self.cx.say(
                    Diagnostic::new(Code::TYPE_MISMATCH, "an axis takes a list or labelled values", cells.span, "neither")
                        .help("write: axis size = [50, 500]  or: axis size = { small: 50, large: 5_000 }"),
                );
                return Ty::UNKNOWN;
            }
        };
        let name = self.names[slot.0 as usize].ident;
        if labelled.is_empty() {
            self.cx.say(
                Diagnostic::new(Code::MISSING_PART, format!("axis `{}` has no value", name.text), cells.span, "empty")
                    .help("write: axis size = [50, 500]"),
            );
        }
        let mut ty: Option<Ty> = None;
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        let mut checked = Vec::new();
        for (label, value) in labelled {
            let value = self.expr(value);
            self.not_null(&value, "an axis value");
            let at = label.map_or(value.span, |label| label.span);
            let label = match label {
                Some(label) if is_id_part(&label.text) => label.text.clone(),
                Some(_) => {
                    self.bad_label(at);
                    continue;
                }
                None => match value.value() {
                    Some(value) if is_id_part(&value.render()) && value.render().len() <= 40 => value.render().into_owned(),
                    _ if value.ty.is_unknown() => continue,
                    _ => {
                        self.bad_label(at);
                        continue;
                    }
                },
            };
            if let Some(first) = seen.insert(label.to_lowercase(), at) {
                self.cx.say(
                    Diagnostic::new(Code::DUPLICATE, format!("axis `{}` has two cells named `{label}`", name.text), at, "again")
                        .label(first, "first here")
                        .help("labels name instances: give each its own (case does not count)"),
                );
                continue;
            }
            let joined = match &ty {
                None => Some(value.ty.clone()),
                Some(so_far) => so_far.join(&value.ty),
            };
            match joined {
                Some(joined) => ty = Some(joined),
                None => {
                    let so_far = ty.clone().unwrap_or(Ty::UNKNOWN);
                    self.cx.say(
                        Diagnostic::new(
                            Code::TYPE_MISMATCH,
                            format!("the values of axis `{}` are of one type", name.text),
                            value.span,
                            format!("this is {}, those before are {so_far}", value.ty),
                        )
                        .help("use values of one type, or several axes"),
                    );
                }
            }
            checked.push((label, value));
        }
        self.axes.push(hir::Axis { name: name.text.clone(), slot, cells: checked });
        ty.unwrap_or(Ty::UNKNOWN)
    }

    fn bad_label(&mut self, span: Span) {
        self.cx.say(
            Diagnostic::new(
                Code::BAD_SETTING,
                "this axis value needs a label",
                span,
                "names no instance: letters, digits and `_` only",
            )
            .help("write labels: axis size = { small: 50, large: 5_000 }"),
        );
    }

    /// `variant NAME { … }`
    fn variant(&mut self, variant: &VariantAst<'a>) -> hir::Variant {
        let outside = self.scope.clone();
        let first = self.names.len();
        let mut parts = Parts::default();
        for stmt in variant.body {
            match &stmt.kind {
                StmtKind::Compute(compute) => {
                    self.declare_name(&compute.name, NameAst::Variant(&compute.value));
                }
                StmtKind::Prompt(prompt) => parts.prompts.push((prompt, stmt.span)),
                StmtKind::Expect(expect) => parts.expects.push((expect, stmt.span)),
                StmtKind::Tags(value) => parts.tags.push(value),
                StmtKind::Allow(allow) => parts.allows.push(allow),
                StmtKind::Reserved(_) => {}
                other => {
                    let what = stmt_word(other);
                    self.cx.say(
                        Diagnostic::new(
                            Code::MISPLACED,
                            format!("a variant holds no {what}: all variants share the task's draws and data"),
                            stmt.span,
                            "not in a variant",
                        )
                        .help("move it into the task; a variant holds `prompt`, `expect`, `NAME = value`, `tags`, `allow`"),
                    );
                }
            }
        }
        let last = self.names.len();
        for index in first..last {
            self.ensure_name(NameId(index as u32), None);
        }
        let prompt = self.prompts(&parts.prompts);
        let expects = parts.expects.iter().filter_map(|(expect, span)| self.expect(expect, *span)).collect();
        let tags = parts.tags.iter().flat_map(|value| self.cx.tags(value)).collect();
        let allows = parts.allows.iter().filter_map(|allow| self.cx.allow(allow)).collect();
        self.scope = outside;
        hir::Variant {
            name: variant.name.text.clone(),
            span: variant.name.span,
            steps: self.variant_order(first, last),
            prompt,
            expects,
            tags,
            allows,
        }
    }

    /// A variant's names, each behind those it needs. (They were checked on demand, so any order of completion works; source order
    /// with needed ones moved forward is the least surprising.)
    fn variant_order(&self, first: usize, last: usize) -> Vec<NameId> {
        fn place(checker: &TaskChecker<'_, '_>, id: usize, range: &std::ops::Range<usize>, out: &mut Vec<NameId>) {
            if out.contains(&NameId(id as u32)) || !range.contains(&id) {
                return;
            }
            if let Some(hir::NameSource::Variant(value)) = &checker.names[id].checked {
                value.each_name(&mut |needed| {
                    if needed.0 as usize != id {
                        place(checker, needed.0 as usize, range, out);
                    }
                });
            }
            if !out.contains(&NameId(id as u32)) {
                out.push(NameId(id as u32));
            }
        }
        let mut out = Vec::new();
        for id in first..last {
            place(self, id, &(first..last), &mut out);
        }
        out
    }

    fn prompts(&mut self, prompts: &[(&'a ast::Prompt, Span)]) -> Vec<Expr> {
        if let [(_, first), (_, second), ..] = prompts {
            self.cx.say(
                Diagnostic::new(Code::DUPLICATE, "there are two prompts", *second, "the second one")
                    .label(*first, "the first one")
                    .help("join them into one, or write: prompt one_of [ \"…\", \"…\" ] to have one of several wordings drawn"),
            );
        }
        match prompts.first() {
            None | Some((ast::Prompt::Missing(_), _)) => Vec::new(),
            Some((ast::Prompt::One(text), _)) => vec![self.string(text)],
            Some((ast::Prompt::OneOf(wordings), _)) => wordings
                .iter()
                .map(|wording| {
                    let checked = self.expr(wording);
                    self.expect_type(&checked, &Ty::of(crate::types::TyKind::Text), "a wording of the prompt");
                    checked
                })
                .collect(),
        }
    }

    fn clutter(&mut self, count: &'a ast::Expr, within: Option<&'a ast::StringLit>) -> (Expr, Option<Expr>) {
        let count = self.expr(count);
        self.expect_type(&count, &Ty::of(crate::types::TyKind::Int), "the number of clutter files");
        self.not_null(&count, "the number of clutter files");
        if let Some(plan::Value::Int(number)) = count.value()
            && !(0..=10_000).contains(number)
        {
            self.cx.say(
                Diagnostic::new(Code::BAD_SETTING, "clutter is 0 to 10,000 files", count.span, format!("this is {number}"))
                    .help("write: clutter 20"),
            );
        }
        (count, within.map(|path| self.path(path)))
    }

    /// What a task must have.
    fn well_formed(
        &mut self,
        task: &'a ast::Task,
        parts: &Parts<'a>,
        prompt: &[Expr],
        expects: &[hir::Expect],
        variants: &[hir::Variant],
    ) {
        let name = &task.name;
        let mut missing = |what: &str, help: &str, span: Span, of: String| {
            self.cx.say(
                Diagnostic::new(Code::MISSING_PART, format!("{of} has no `{what}`"), span, format!("`{what}` is missing")).help(help),
            );
        };
        const PROMPT: &str = "tell the agent what to do: prompt \"…\"";
        const EXPECT: &str = "say what is right: expect reply text …, or: expect file \"…\" json { … }";
        if variants.is_empty() {
            if prompt.is_empty() && parts.prompts.is_empty() {
                missing("prompt", PROMPT, name.span, format!("task `{}`", name.text));
            }
            if expects.is_empty() && parts.expects.is_empty() {
                missing("expect", EXPECT, name.span, format!("task `{}`", name.text));
            }
        } else {
            for (variant, ast) in variants.iter().zip(&parts.variants) {
                let has = |wanted: fn(&StmtKind) -> bool| ast.body.iter().any(|stmt| wanted(&stmt.kind));
                if parts.prompts.is_empty() && !has(|kind| matches!(kind, StmtKind::Prompt(_))) {
                    missing("prompt", PROMPT, variant.span, format!("variant `{}`", variant.name));
                }
                if parts.expects.is_empty() && !has(|kind| matches!(kind, StmtKind::Expect(_))) {
                    missing("expect", EXPECT, variant.span, format!("variant `{}`", variant.name));
                }
            }
        }
    }

    /// Ids have at most 200 bytes.
    fn id_length(&mut self, task: &ast::Task, variants: &[hir::Variant], samples: u32) {
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().map_or(0, |longest| longest + 1);
        let mut bytes = task.name.text.len() + 1 + samples.to_string().len();
        bytes += longest(&mut variants.iter().map(|variant| variant.name.len()));
        for axis in &self.axes {
            bytes += longest(&mut axis.cells.iter().map(|(label, _)| label.len()));
        }
        if bytes > 200 {
            self.cx.long_id(task.name.span, bytes);
        }
    }

    fn finish_names(&mut self) -> Vec<hir::Name> {
        let names = std::mem::take(&mut self.names);
        names
            .into_iter()
            .map(|decl| hir::Name {
                name: decl.ident.text.clone(),
                span: decl.ident.span,
                ty: decl.ty,
                source: decl.checked.unwrap_or(hir::NameSource::Axis),
                used: decl.used,
            })
            .collect()
    }

    /// Reads all declarations, so that they can be used before they stand.
    fn declare(&mut self, task: &'a ast::Task) -> Parts<'a> {
        let mut parts = Parts::default();
        for stmt in &task.body {
            match &stmt.kind {
                StmtKind::Draw { names, domain } => {
                    for (place, name) in names.iter().enumerate() {
                        self.declare_name(name, NameAst::Draw { domain, group: names, place: place as u32 });
                    }
                }
                StmtKind::Compute(compute) => self.declare_name(&compute.name, NameAst::Compute(&compute.value)),
                StmtKind::Axis { name, cells } => self.declare_name(name, NameAst::Axis(cells)),
                StmtKind::Data(data) => self.declare_file(data),
                StmtKind::Table(table) => self.declare_table(table),
                StmtKind::Samples(value) => {
                    if let Some(first) = parts.samples.replace(value) {
                        self.cx.say(
                            Diagnostic::new(Code::DUPLICATE, "`samples` stands twice", value.span, "again here")
                                .label(first.span, "first here")
                                .help("keep one of the two"),
                        );
                    }
                }
                StmtKind::Clutter { count, within } => parts.clutter.push((count, within.as_ref())),
                StmtKind::Folder(path) => parts.folders.push(path),
                StmtKind::Require(condition) => parts.requires.push(condition),
                StmtKind::Prompt(prompt) => parts.prompts.push((prompt, stmt.span)),
                StmtKind::Expect(expect) => parts.expects.push((expect, stmt.span)),
                StmtKind::Variant { name, body } => parts.variants.push(VariantAst { name, body }),
                StmtKind::Tags(value) => parts.tags.push(value),
                StmtKind::Allow(allow) => parts.allows.push(allow),
                StmtKind::Reserved(_) => {}
            }
        }
        parts
    }

    fn declare_name(&mut self, ident: &'a ast::Ident, source: NameAst<'a>) {
        let id = NameId(self.names.len() as u32);
        if self.enter(ident, Entity::Name(id)) {
            self.names.push(NameDecl { ident, source, state: State::Todo, ty: Ty::UNKNOWN, checked: None, used: false });
        }
    }

    /// Puts a name into scope; says so where it is taken.
    pub fn enter(&mut self, ident: &'a ast::Ident, entity: Entity) -> bool {
        if let Some(first) = self.scope.get(ident.text.as_str()).copied() {
            let said = duplicate(ident, entity_word(entity), self.entity_span(first), entity_word(first));
            self.cx.say(said);
            return false;
        }
        if self.cx.globals.constants.contains_key(ident.text.as_str()) {
            let first = self.cx.globals.constants[ident.text.as_str()].name.span;
            let said = duplicate(ident, entity_word(entity), first, "constant");
            self.cx.say(said);
        }
        if ident.text == "sandbox" {
            self.cx.say(
                Diagnostic::new(Code::RESERVED_WORD, "`sandbox` is the root of the agent's sandbox", ident.span, "taken")
                    .help("choose another name"),
            );
        }
        self.scope.insert(&ident.text, entity);
        true
    }

    /// Where an entity is declared.
    pub fn entity_span(&self, entity: Entity) -> Span {
        match entity {
            Entity::Name(id) => self.unit_span(Unit::Name(id)),
            Entity::File(id) => self.unit_span(Unit::File(id)),
            Entity::Relation(id) => self.unit_span(Unit::Relation(id)),
        }
    }
}

/// What a task's body holds beside declarations.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    pub samples: Option<&'a ast::Expr>,
    pub requires: Vec<&'a ast::Expr>,
    pub folders: Vec<&'a ast::StringLit>,
    pub clutter: Vec<(&'a ast::Expr, Option<&'a ast::StringLit>)>,
    pub prompts: Vec<(&'a ast::Prompt, Span)>,
    pub expects: Vec<(&'a ast::Expect, Span)>,
    pub variants: Vec<VariantAst<'a>>,
    pub tags: Vec<&'a ast::Expr>,
    pub allows: Vec<&'a ast::Allow>,
}

/// A variant as written.
pub(crate) struct VariantAst<'a> {
    pub name: &'a ast::Ident,
    pub body: &'a [ast::Stmt],
}

/// What an entity is, in the author's words.
pub(crate) fn entity_word(entity: Entity) -> &'static str {
    match entity {
        Entity::Name(_) => "value",
        Entity::File(_) => "file",
        Entity::Relation(_) => "table",
    }
}

fn one_word(n: usize) -> String {
    match n {
        2 => "two values".to_owned(),
        n => format!("{n} values"),
    }
}

fn stmt_word(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Draw { .. } => "drawn names",
        StmtKind::Samples(_) => "`samples`",
        StmtKind::Axis { .. } => "`axis`",
        StmtKind::Data(_) => "files",
        StmtKind::Table(_) => "tables",
        StmtKind::Clutter { .. } => "`clutter`",
        StmtKind::Folder(_) => "folders",
        StmtKind::Require(_) => "`require`",
        StmtKind::Variant { .. } => "other variant",
        _ => "such statement",
    }
}

/// Letters, digits, `_`: what may be part of an id.
fn is_id_part(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Names that a condition shows not to be null: `x != null`, alone or joined by `and`.
fn not_null_names(condition: &ast::Expr) -> Vec<String> {
    match &condition.kind {
        ExprKind::Paren(inner) | ExprKind::Placeholder(inner) => not_null_names(inner),
        ExprKind::Binary { op: ast::BinaryOp::And, left, right, .. } => {
            [not_null_names(left), not_null_names(right)].concat()
        }
        ExprKind::Binary { op: ast::BinaryOp::Ne, left, right, .. } => match (&left.kind, &right.kind) {
            (ExprKind::Path(path), ExprKind::Null) | (ExprKind::Null, ExprKind::Path(path)) if path.len() == 1 => {
                path.iter().map(|name| name.text.clone()).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// For messages that list what is in scope.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    one_of_words(names)
}
