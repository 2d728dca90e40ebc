//! Determines the dependencies of an instance's prompt and files, or of an expression. Data that only an answer or a `require` reads does not change
//! the instance.

use std::collections::BTreeSet;

use crate::suite::{
    Arg, Column, DomainExpr, Draw, Expect, Expr, Extra, FileContent, FileId, NameId, Prompt, RelationId, Rows, Scope,
    Sql, SqlScope, Task, Variant,
};

/// The names and relations that are needed, including their own dependencies.
pub struct Uses<'p> {
    task: &'p Task,
    /// The names.
    pub names: BTreeSet<NameId>,
    /// The relations.
    pub relations: BTreeSet<RelationId>,
    /// The files whose content is read.
    pub files: BTreeSet<FileId>,
    /// The files whose path is read.
    pub paths: BTreeSet<FileId>,
    /// Whether any of it is drawn.
    drawn: bool,
    followed: Followed,
}

/// The things whose dependencies are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Followed {
    /// Everything.
    All,
    /// Everything except drawn values.
    Undrawn,
    /// Values of computed names and result sets, but not drawn values, tables, or files.
    Computed,
    /// Nothing: only the names that are read directly, not those from which they are computed.
    First,
}

/// Checks whether the value of an expression of a task depends on draws; false if only axes and fixtures determine it.
pub fn is_drawn(task: &Task, expr: &Expr) -> bool {
    Uses::from_value(task, expr).drawn
}

/// Checks whether all samples of a task are equal: nothing is drawn in its instances' files, prompts, answers, or `require`s. Such a task is static,
/// and is built once for any number of samples. (A drawn name is recorded with the instance, so it counts even if nothing reads it.)
pub fn is_static(task: &Task) -> bool {
    let wordings = |prompt: &Prompt| prompt.wordings.len() > 1;
    let certain = task.names.iter().any(|name| name.source.draw().is_some())
        || task.extras.iter().any(Extra::is_drawn)
        || wordings(&task.prompt)
        || task.variants.iter().any(|variant| wordings(&variant.prompt));
    if certain {
        return false;
    }
    let variants = task.variants.iter().map(Some);
    let ways = variants.chain(task.variants.is_empty().then_some(None));
    let mut expects = task.expects.iter().chain(task.variants.iter().flat_map(|variant| &variant.expects));
    let mut answer = Uses::new(task);
    expects.by_ref().for_each(|expect| expect.visit_exprs(&mut |expr| answer.follow_expr(expr)));
    task.iter_conditions().for_each(|condition| answer.follow_expr(condition));
    !answer.drawn && ways.into_iter().all(|variant| !Uses::from_instances(task, variant).drawn)
}

impl<'p> Uses<'p> {
    fn new(task: &'p Task) -> Uses<'p> {
        let (names, relations) = (BTreeSet::new(), BTreeSet::new());
        let (files, paths) = (BTreeSet::new(), BTreeSet::new());
        Uses { task, names, relations, files, paths, drawn: false, followed: Followed::All }
    }

    /// Collects the dependencies of an expression's value.
    pub fn from_value(task: &'p Task, expr: &'p Expr) -> Uses<'p> {
        let mut uses = Uses::new(task);
        uses.follow_expr(expr);
        uses
    }

    /// Checks whether any of it is drawn.
    pub fn is_drawn(&self) -> bool {
        self.drawn
    }

    /// Checks whether it needs only names, tables with given rows, and existing files.
    pub fn is_given(&self) -> bool {
        let given = |id: &RelationId| self.task.relations.get(*id).is_some_and(|it| matches!(it.rows, Rows::Given(_)));
        let existing = |id: &FileId| {
            self.task.files.get(*id).is_some_and(|file| matches!(file.content, FileContent::Fixture { .. }))
        };
        self.files.iter().all(existing) && self.paths.is_empty() && self.relations.iter().all(given)
    }

    /// Collects the dependencies of the task's instances, or of those of one variant.
    pub fn from_instances(task: &'p Task, variant: Option<&'p Variant>) -> Uses<'p> {
        let mut uses = Uses::new(task);
        task.files.keys().for_each(|file| uses.follow_file(file));
        let prompts = [&task.prompt].into_iter().chain(variant.map(|variant| &variant.prompt));
        prompts.flat_map(|prompt| &prompt.wordings).for_each(|expr| uses.follow_expr(expr));
        task.extras.iter().for_each(|extra| extra.visit_exprs(&mut |_, expr, _| uses.follow_expr(expr)));
        let lakes = variant.map_or(&task.lakes, |variant| &variant.lakes);
        lakes.iter().for_each(|lake| lake.visit_exprs(&mut |_, expr, _| uses.follow_expr(expr)));
        // The other files are drawn.
        uses.drawn |= lakes.iter().any(|lake| lake.others().is_some());
        uses
    }

    /// Collects the dependencies of some answers. Drawn values are not followed: they are in the prompt or in a file of the sandbox, so their origin
    /// is not needed.
    pub fn from_answers(task: &'p Task, expects: &'p [Expect]) -> Uses<'p> {
        let mut uses = Uses { followed: Followed::Undrawn, ..Uses::new(task) };
        expects.iter().for_each(|expect| expect.visit_exprs(&mut |expr| uses.follow_expr(expr)));
        uses
    }

    /// Collects the dependencies of a value computed from tables and drawn values. The tables themselves, and files, are not followed.
    pub fn from_computation(task: &'p Task, expr: &'p Expr) -> Uses<'p> {
        Uses::from_computations(task, [expr])
    }

    /// Collects the names and relations that an expression reads itself.
    pub fn from_expr(task: &'p Task, expr: &'p Expr) -> Uses<'p> {
        let mut uses = Uses { followed: Followed::First, ..Uses::new(task) };
        uses.follow_expr(expr);
        uses
    }

    /// Collects the dependencies of several values, as [`Uses::from_computation`].
    pub fn from_computations(task: &'p Task, exprs: impl IntoIterator<Item = &'p Expr>) -> Uses<'p> {
        let mut uses = Uses { followed: Followed::Computed, ..Uses::new(task) };
        exprs.into_iter().for_each(|expr| uses.follow_expr(expr));
        uses
    }

    /// Finds the computed names that expected values read, and those from which these are computed. Tables and files are not followed, except for the
    /// rows of a query with a name.
    pub fn find_computed_names(task: &'p Task, expects: &'p [Expect]) -> BTreeSet<NameId> {
        Uses::find_answer_names(task, expects, Followed::Computed)
    }

    /// Finds only the computed names that expected values read themselves.
    pub fn find_direct_names(task: &'p Task, expects: &'p [Expect]) -> BTreeSet<NameId> {
        Uses::find_answer_names(task, expects, Followed::First)
    }

    fn find_answer_names(task: &'p Task, expects: &'p [Expect], followed: Followed) -> BTreeSet<NameId> {
        let mut uses = Uses { followed, ..Uses::new(task) };
        expects.iter().filter_map(Expect::answer_expr).for_each(|value| uses.follow_expr(value));
        uses.names.into_iter().filter(|id| task.find_computed(*id).is_some()).collect()
    }

    /// Checks whether nothing is needed.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.relations.is_empty() && self.files.is_empty()
    }

    /// Checks whether both need nothing in common.
    pub fn is_disjoint(&self, other: &Uses<'_>) -> bool {
        self.names.is_disjoint(&other.names)
            && self.relations.is_disjoint(&other.relations)
            && self.files.is_disjoint(&other.files)
    }

    /// Checks whether tables and files are not followed.
    fn is_shallow(&self) -> bool {
        matches!(self.followed, Followed::Computed | Followed::First)
    }

    fn follow_name(&mut self, id: NameId) {
        if !self.names.insert(id) || self.followed == Followed::First {
            return;
        }
        let Some(name) = self.task.names.get(id) else { return };
        if self.followed != Followed::All && name.source.draw().is_some() {
            return;
        }
        name.source.visit_exprs(&mut |_, expr, _| self.follow_expr(expr));
        self.follow_draw(name.source.draw());
    }

    /// Follows the dependencies of a draw other than its expressions.
    fn follow_draw(&mut self, draw: Option<&'p Draw>) {
        self.drawn |= draw.is_some();
        if let Some(DomainExpr::Ref { relation, .. }) = draw.map(|draw| &draw.domain) {
            self.follow_relation(*relation);
        }
    }

    fn follow_relation(&mut self, id: RelationId) {
        let Some(relation) = self.task.relations.get(id) else { return };
        if !self.relations.insert(id) {
            return;
        }
        if self.is_shallow() {
            if let Rows::Query(name) = &relation.rows {
                self.follow_name(*name);
            }
            return;
        }
        relation.rows.visit_exprs(&mut |_, expr, _| self.follow_expr(expr));
        let followed = |column: &&'p Column| self.followed == Followed::All || column.source.draw().is_none();
        let columns: Vec<&'p Column> = relation.columns.iter().filter(followed).collect();
        let scope = Scope::with_row(id);
        columns.iter().for_each(|column| column.source.visit_exprs(scope, &mut |_, expr, _| self.follow_expr(expr)));
        match &relation.rows {
            Rows::Given(_) => {}
            Rows::Count(least, most) => self.drawn |= least != most,
            Rows::PerRow { parent, low, high } => {
                self.drawn |= low != high;
                self.follow_relation(*parent);
            }
            Rows::Query(name) => self.follow_name(*name),
            Rows::Lines(file) | Rows::View(file) => self.follow_file(*file),
            Rows::Taken { from, .. } => self.follow_relation(*from),
        }
        columns.iter().for_each(|column| self.follow_draw(column.source.draw()));
    }

    fn follow_file(&mut self, id: FileId) {
        let Some(file) = self.task.files.get(id) else { return };
        if !self.files.insert(id) || self.is_shallow() {
            return;
        }
        self.follow_expr(&file.path);
        let draws = self.followed == Followed::All;
        if draws || file.content.draw().is_none() {
            file.visit_exprs(&mut |_, expr, _| self.follow_expr(expr));
        }
        file.content.relations().iter().for_each(|relation| self.follow_relation(*relation));
        if let Some(shape) = file.content.shape() {
            shape.visit_relations(&mut |relation| self.follow_relation(relation));
        }
        self.follow_draw(file.content.draw().filter(|_| draws));
    }

    fn follow_expr(&mut self, expr: &'p Expr) {
        match expr {
            Expr::Name(id) => self.follow_name(*id),
            // Only the path is read; the file itself is in the sandbox anyway.
            Expr::FilePath(id) => {
                // A path that needs itself is a mistake, which the checker reports.
                if let Some(file) = self.task.files.get(*id)
                    && self.paths.insert(*id)
                    && !self.is_shallow()
                {
                    self.follow_expr(&file.path);
                }
            }
            Expr::Call(call) => call.args.iter().for_each(|arg| self.follow_arg(arg)),
            _ => {}
        }
        expr.visit_parts(Scope::default(), &mut |part, _| self.follow_expr(part));
    }

    /// Follows what an argument names, except its expressions.
    fn follow_arg(&mut self, arg: &'p Arg) {
        match arg {
            Arg::Relation { relation, .. } | Arg::Column { relation, .. } | Arg::Each { relation, .. } => {
                self.follow_relation(*relation);
            }
            Arg::File(file) | Arg::Sql(Sql { scope: SqlScope::Database(file), .. }) => self.follow_file(*file),
            Arg::Sql(Sql { scope: SqlScope::Relations(relations), .. }) => {
                relations.iter().for_each(|relation| self.follow_relation(*relation));
            }
            Arg::Value(_) | Arg::Path(_) => {}
        }
    }
}
