//! What the prompt and the files of an instance depend on, or an expression. What only an answer or a `require` reads makes no instance
//! different.

use std::collections::BTreeSet;

use crate::suite::{
    Arg, Column, DomainExpr, Draw, Expect, Expr, Extra, FileContent, FileId, NameId, Prompt, RelationId, Rows, Scope,
    SqlScope, Task, Variant,
};

/// Names and relations that are needed, each with all that it needs.
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
    /// Some of it is drawn.
    drawn: bool,
    followed: Followed,
}

/// What is followed to what it needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Followed {
    /// All.
    All,
    /// All but drawn values.
    Undrawn,
    /// Values of names and result sets that are computed: neither drawn values, nor tables and files.
    Computed,
    /// The first names alone: not what they are computed from.
    First,
}

/// Whether the value of an expression of a task may differ by what is drawn; not where only axes and fixtures decide.
pub fn is_drawn(task: &Task, expr: &Expr) -> bool {
    Uses::from_value(task, expr).drawn
}

/// Whether no sample of a task could differ from another: nothing is drawn in what its instances are given and asked, and in what is right. Such a task
/// is static: it is built once, whatever number of samples is asked for. (A drawn name is told with the instance, even where nothing reads it.)
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

    /// Of the value of an expression.
    pub fn from_value(task: &'p Task, expr: &'p Expr) -> Uses<'p> {
        let mut uses = Uses::new(task);
        uses.follow_expr(expr);
        uses
    }

    /// Whether some of it is drawn.
    pub fn is_drawn(&self) -> bool {
        self.drawn
    }

    /// Whether it takes nothing but names, tables whose rows are given, and existing files.
    pub fn is_given(&self) -> bool {
        let given = |id: &RelationId| self.task.relations.get(*id).is_some_and(|it| matches!(it.rows, Rows::Given(_)));
        let existing = |id: &FileId| {
            self.task.files.get(*id).is_some_and(|file| matches!(file.content, FileContent::Fixture { .. }))
        };
        self.files.iter().all(existing) && self.paths.is_empty() && self.relations.iter().all(given)
    }

    /// Of the task's instances, or of those of one variant.
    pub fn from_instances(task: &'p Task, variant: Option<&'p Variant>) -> Uses<'p> {
        let mut uses = Uses::new(task);
        task.files.keys().for_each(|file| uses.follow_file(file));
        let prompts = [&task.prompt].into_iter().chain(variant.map(|variant| &variant.prompt));
        prompts.flat_map(|prompt| &prompt.wordings).for_each(|expr| uses.follow_expr(expr));
        task.extras.iter().for_each(|extra| extra.visit_exprs(&mut |_, expr, _| uses.follow_expr(expr)));
        let lakes = variant.map_or(&task.lakes, |variant| &variant.lakes);
        lakes.iter().for_each(|lake| lake.visit_exprs(&mut |_, expr, _| uses.follow_expr(expr)));
        // The others are drawn.
        uses.drawn |= lakes.iter().any(|lake| lake.others().is_some());
        uses
    }

    /// Of some answers: what they are computed from. A drawn value is told in the prompt, or is in a file of the sandbox; where it was drawn from,
    /// nobody needs to know.
    pub fn from_answers(task: &'p Task, expects: &'p [Expect]) -> Uses<'p> {
        let mut uses = Uses { followed: Followed::Undrawn, ..Uses::new(task) };
        expects.iter().for_each(|expect| expect.visit_exprs(&mut |expr| uses.follow_expr(expr)));
        uses
    }

    /// Of a value as it is computed from tables and from what is drawn: the tables themselves, and files, are not followed to what they are
    /// made of.
    pub fn from_computation(task: &'p Task, expr: &'p Expr) -> Uses<'p> {
        Uses::from_computations(task, [expr])
    }

    /// The same of several values together.
    pub fn from_computations(task: &'p Task, exprs: impl IntoIterator<Item = &'p Expr>) -> Uses<'p> {
        let mut uses = Uses { followed: Followed::Computed, ..Uses::new(task) };
        exprs.into_iter().for_each(|expr| uses.follow_expr(expr));
        uses
    }

    /// The computed names that expected values read, with `through` also those that these are computed from. Tables and files are not looked into, but
    /// for the rows of a query that has a name.
    pub fn find_computed_names(task: &'p Task, expects: &'p [Expect], through: bool) -> BTreeSet<NameId> {
        let followed = if through { Followed::Computed } else { Followed::First };
        let mut uses = Uses { followed, ..Uses::new(task) };
        expects.iter().filter_map(Expect::answer_expr).for_each(|value| uses.follow_expr(value));
        uses.names.into_iter().filter(|id| task.find_computed(*id).is_some()).collect()
    }

    /// Whether nothing is needed.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.relations.is_empty() && self.files.is_empty()
    }

    /// Whether nothing is needed by both.
    pub fn is_disjoint(&self, other: &Uses<'_>) -> bool {
        self.names.is_disjoint(&other.names)
            && self.relations.is_disjoint(&other.relations)
            && self.files.is_disjoint(&other.files)
    }

    /// Tables and files are not looked into.
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

    /// What a draw needs besides its expressions.
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
            Expr::Const(_) | Expr::Column(_) | Expr::OuterColumn(_) | Expr::Folder(_) | Expr::Sandbox => {}
            Expr::Name(id) => self.follow_name(*id),
            // The path alone; the file itself is in the sandbox anyway.
            Expr::FilePath(id) => {
                // A path that needs itself is a mistake, which the checker tells.
                if let Some(file) = self.task.files.get(*id)
                    && self.paths.insert(*id)
                    && !self.is_shallow()
                {
                    self.follow_expr(&file.path);
                }
            }
            Expr::Neg(operand) | Expr::Not(operand) => self.follow_expr(operand),
            Expr::Binary { args, .. } => {
                self.follow_expr(&args.0);
                self.follow_expr(&args.1);
            }
            Expr::If(parts) => {
                self.follow_expr(&parts.0);
                self.follow_expr(&parts.1);
                self.follow_expr(&parts.2);
            }
            Expr::List(items) | Expr::Concat(items) => items.iter().for_each(|item| self.follow_expr(item)),
            Expr::Object(fields) => fields.iter().for_each(|(_, field)| self.follow_expr(field)),
            Expr::Call(call) => call.args.iter().for_each(|arg| self.follow_arg(arg)),
        }
    }

    fn follow_arg(&mut self, arg: &'p Arg) {
        match arg {
            Arg::Value(expr) => self.follow_expr(expr),
            Arg::Relation { relation, filter } | Arg::Column { relation, filter, .. } => {
                self.follow_relation(*relation);
                filter.iter().for_each(|expr| self.follow_expr(expr));
            }
            Arg::Each { relation, value, filter } => {
                self.follow_relation(*relation);
                self.follow_expr(value);
                filter.iter().for_each(|expr| self.follow_expr(expr));
            }
            Arg::File(file) => self.follow_file(*file),
            Arg::Path(_) => {}
            Arg::Sql(sql) => {
                match &sql.scope {
                    SqlScope::Database(file) => self.follow_file(*file),
                    SqlScope::Relations(relations) => {
                        relations.iter().for_each(|relation| self.follow_relation(*relation))
                    }
                }
                sql.params.iter().for_each(|(_, expr)| self.follow_expr(expr));
            }
        }
    }
}
