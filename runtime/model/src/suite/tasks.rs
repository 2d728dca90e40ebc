//! A task, and its parts other than names, relations, and files.

use serde::Serialize;

use super::{
    AgentTools, Axis, Column, ColumnId, Compile, CompileRelation, Compiled, Each, EachRow, Extra, File, FileId,
    LakeUse, Name, NameId, NameSource, Phase, Printed, Relation, RelationId, Role, Scope, Stage, StageId, StageMode,
    Visit,
};
use crate::answer_key::Expect;
use crate::{Span, TiVec};

/// Several expressions. (With this alias, a derived `Default` does not require that expressions have a default.)
pub type Exprs<S> = Vec<<S as Phase>::Expr>;

/// Several answer keys.
pub type Expects<S> = Vec<Expect<<S as Phase>::Expr>>;

/// A question template.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Task<S: Phase = Compiled> {
    /// Its name, `[A-Za-z0-9_]+`.
    pub name: String,
    /// The place of its declaration.
    pub span: Span,
    /// Its documentation.
    pub doc: Option<String>,
    /// Number of samples, at least 1.
    pub samples: u32,
    /// The tags of the suite and the task.
    pub tags: Vec<String>,
    /// The data set whose rows are asked one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<Each>,
    /// Its axes. The cells are the product of the rows and the axes; the last axis varies fastest.
    pub axes: Vec<Axis<S>>,
    /// Its names (drawn, computed, and axes), indexed by [`NameId`].
    pub names: TiVec<NameId, Name<S>>,
    /// Its files, indexed by [`FileId`].
    pub files: TiVec<FileId, File<S>>,
    /// Its relations, with or without a file, indexed by [`RelationId`].
    pub relations: TiVec<RelationId, Relation<S>>,
    /// The steps for one cell of one sample, in dependency order. Every name, file, and relation occurs once; a `require` follows directly after its
    /// dependencies.
    pub steps: Vec<Step>,
    /// Its `require` statements.
    pub requires: Vec<Require<S>>,
    /// Other sandbox content, in source order.
    pub extras: Vec<Extra<S>>,
    /// The lakes, in source order. In a task with variants, these contain them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lakes: Vec<LakeUse<S>>,
    /// The tools of the agent. In a task with variants, these contain them.
    #[serde(skip_serializing_if = "AgentTools::is_empty")]
    pub means: AgentTools,
    /// The wordings, one of which is drawn.
    pub prompt: Prompt<S>,
    /// The answer key of the task itself (used if it has no variants).
    pub expects: Expects<S>,
    /// The variants; if there are any, only they are instances.
    pub variants: Vec<Variant<S>>,
    /// Its stages, each with its own answer, in source order.
    #[serde(skip_serializing_if = "is_empty")]
    pub stages: TiVec<StageId, Stage<S>>,
    /// The mode in which its stages are asked.
    #[serde(skip_serializing_if = "StageMode::is_whole")]
    pub asked: StageMode,
    /// Other properties.
    #[serde(skip)]
    pub notes: S::OfTask,
}

/// A step in making a cell of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Draws or computes a name, or sets an axis to its cell's value.
    Name(NameId),
    /// Makes a relation's rows.
    Relation(RelationId),
    /// Renders a file (its relations are made); afterwards its path and content are known.
    File(FileId),
    /// Rejects the attempt if this is not true: an index into [`Task::requires`].
    Require(u32),
}

/// `require expr`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Require<S: Phase = Compiled> {
    /// A bool; null counts as false.
    pub condition: S::Expr,
    /// Its place in the source.
    pub span: Span,
}

/// The wordings of a prompt: none (a variant may have no prompt of its own), one, or several.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Prompt<S: Phase = Compiled> {
    /// The texts.
    pub wordings: Exprs<S>,
}

/// `variant NAME { … }`
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Variant<S: Phase = Compiled> {
    /// Its name.
    pub name: String,
    /// The place of its declaration.
    #[serde(skip)]
    pub span: Span,
    /// Its own computed names, in dependency order; they are computed before its prompt and answers.
    pub steps: Vec<NameId>,
    /// The addition to the task's prompt, on a new line.
    pub prompt: Prompt<S>,
    /// Its own answers; in a compiled suite, after those of the task.
    pub expects: Expects<S>,
    /// All lakes of its instances: those of the task, replaced by its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lakes: Vec<LakeUse<S>>,
    /// The tools of the agent: those of the task, replaced by its own.
    #[serde(skip_serializing_if = "AgentTools::is_empty")]
    pub means: AgentTools,
    /// Tags in addition to the task's.
    pub tags: Vec<String>,
    /// Other properties.
    #[serde(skip)]
    pub notes: S::OfVariant,
}

impl<S: Phase> Task<S> {
    /// Returns its variants and stages.
    pub fn iter_ways(&self) -> impl Iterator<Item = &Variant<S>> {
        self.variants.iter().chain(self.stages.iter().map(|stage| &stage.way))
    }

    /// Returns all answer keys: its own, and those of its variants and stages.
    pub fn iter_expects(&self) -> impl Iterator<Item = &Expect<S::Expr>> {
        self.expects.iter().chain(self.iter_ways().flat_map(|way| &way.expects))
    }

    /// Returns the number of cells, the product of its rows and axes; 1 without either.
    pub fn count_cells(&self) -> u32 {
        self.count_rows().saturating_mul(self.count_cells_per_row())
    }

    /// Returns the number of data set rows; 1 without a data set.
    pub fn count_rows(&self) -> u32 {
        self.each.as_ref().map_or(1, |each| each.rows.len() as u32)
    }

    /// Returns the number of cells of its axes; 1 without axes.
    pub fn count_cells_per_row(&self) -> u32 {
        self.axes.iter().map(|axis| axis.cells.len() as u32).product()
    }

    /// Returns the index of the cell's value in each axis; the last axis varies fastest. The rows of a data set vary slower than every axis.
    pub fn find_axis_positions(&self, cell: u32) -> Vec<usize> {
        let mut rest = (cell % self.count_cells_per_row().max(1)) as usize;
        let mut positions: Vec<usize> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let size = axis.cells.len().max(1);
                let at = rest % size;
                rest /= size;
                at
            })
            .collect();
        positions.reverse();
        positions
    }

    /// Returns the index of a cell's row, from 0; 0 without a data set.
    pub fn find_row_index(&self, cell: u32) -> u32 {
        cell / self.count_cells_per_row().max(1)
    }

    /// Returns the row of a cell.
    pub fn find_row(&self, cell: u32) -> Option<&EachRow> {
        self.each.as_ref()?.rows.get(self.find_row_index(cell) as usize)
    }

    /// Joins the key of a cell's row and the labels of its axes (the last axis varies fastest) by `-`; empty without either.
    pub fn build_cell_label(&self, cell: u32) -> String {
        let row = self.find_row(cell).map(|row| row.key.as_str());
        let labels = self.axes.iter().zip(self.find_axis_positions(cell)).filter_map(|(axis, at)| axis.cells.get(at));
        row.into_iter().chain(labels.map(|(label, _)| label.as_str())).collect::<Vec<_>>().join("-")
    }

    /// Returns the number of instances per sample: cells × variants.
    pub fn count_instances(&self) -> u32 {
        self.count_cells().saturating_mul((self.variants.len() as u32).max(1))
    }

    /// Returns the conditions of its `require`s.
    pub fn iter_conditions(&self) -> impl Iterator<Item = &S::Expr> {
        self.requires.iter().map(|require| &require.condition)
    }

    /// Returns the expression of a computed name; `None` for a drawn name and for an axis.
    pub fn find_computed(&self, id: NameId) -> Option<&S::Expr> {
        match &self.names.get(id)?.source {
            NameSource::Compute(value) => Some(value),
            _ => None,
        }
    }

    /// Returns a column of one of its relations.
    pub fn find_column(&self, (relation, column): (RelationId, ColumnId)) -> Option<&Column<S>> {
        self.relations.get(relation)?.columns.get(column)
    }

    /// Calls `visit` for every whole expression in it, in source order by kind.
    pub fn visit_exprs<'a>(&'a self, visit: &mut Visit<'_, 'a, S>) {
        let top = Scope::default();
        for (_, value) in self.axes.iter().flat_map(|axis| &axis.cells) {
            visit(Role::Value, value, top);
        }
        self.names.iter().for_each(|name| name.source.visit_exprs(visit));
        self.relations.iter_enumerated().for_each(|(id, relation)| relation.visit_exprs(id, visit));
        self.files.iter().for_each(|file| file.visit_exprs(visit));
        self.requires.iter().for_each(|require| visit(Role::Require, &require.condition, top));
        self.extras.iter().for_each(|extra| extra.visit_exprs(visit));
        self.lakes.iter().for_each(|lake| lake.visit_exprs(visit));
        // Variants and stages repeat the lakes of the task.
        let own = self.iter_ways().flat_map(|way| &way.lakes);
        own.filter(|lake| self.lakes.iter().all(|of_task| of_task.span != lake.span))
            .for_each(|lake| lake.visit_exprs(visit));
        let prompts = [&self.prompt].into_iter().chain(self.iter_ways().map(|way| &way.prompt));
        prompts.flat_map(|prompt| &prompt.wordings).for_each(|wording| visit(Role::Value, wording, top));
        for expect in self.iter_expects() {
            expect.visit_exprs(&mut |expr| visit(Role::Value, expr, top));
            expect.traps.iter().for_each(|trap| visit(Role::Value, &trap.value, top));
            let examples = expect.tests.examples.iter().filter_map(|example| example.expr());
            examples.for_each(|expr| visit(Role::Value, expr, top));
        }
    }

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl CompileRelation<S>) -> Task {
        let expects = compile_expects(&self.expects, by);
        Task {
            name: self.name.clone(),
            span: self.span,
            doc: self.doc.clone(),
            samples: self.samples,
            tags: self.tags.clone(),
            each: self.each.clone(),
            axes: self.axes.iter().map(|axis| axis.compile_with(by)).collect(),
            names: self.names.iter().map(|name| name.compile_with(by)).collect(),
            files: self.files.iter().map(|file| file.compile_with(by)).collect(),
            relations: self.relations.iter().map(|relation| relation.compile_with(by)).collect(),
            steps: self.steps.clone(),
            requires: self.requires.iter().map(|require| require.compile_with(by)).collect(),
            extras: self.extras.iter().map(|extra| extra.compile_with(by)).collect(),
            lakes: self.lakes.iter().map(|lake| lake.compile_with(by)).collect(),
            means: self.means.clone(),
            prompt: self.prompt.compile_with(by),
            variants: self.variants.iter().map(|variant| variant.compile_with(&expects, by)).collect(),
            stages: self.stages.iter().map(|stage| stage.compile_with(by)).collect(),
            asked: self.asked,
            expects,
            notes: (),
        }
    }
}

impl<S: Phase> Require<S> {
    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Require {
        Require { condition: by.compile_expr(&self.condition), span: self.span }
    }
}

impl<S: Phase> Prompt<S> {
    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Prompt {
        Prompt { wordings: self.wordings.iter().map(|wording| by.compile_expr(wording)).collect() }
    }
}

impl<S: Phase> Variant<S> {
    /// Compiles it; its expectations are those of the task, and its own.
    pub fn compile_with(&self, of_task: &[Expect<super::Expr>], by: &mut impl Compile<S>) -> Variant {
        Variant {
            name: self.name.clone(),
            span: self.span,
            steps: self.steps.clone(),
            prompt: self.prompt.compile_with(by),
            expects: of_task.iter().cloned().chain(compile_expects(&self.expects, by)).collect(),
            lakes: self.lakes.iter().map(|lake| lake.compile_with(by)).collect(),
            means: self.means.clone(),
            tags: self.tags.clone(),
            notes: (),
        }
    }
}

/// Checks for the default, which is omitted: tasks without stages are printed as before stages existed.
fn is_empty<S: Phase>(stages: &TiVec<StageId, Stage<S>>) -> bool {
    stages.is_empty()
}

fn compile_expects<S: Phase>(expects: &[Expect<S::Expr>], by: &mut impl Compile<S>) -> Vec<Expect<super::Expr>> {
    expects.iter().map(|expect| expect.map_exprs(&mut |expr| by.compile_expr(expr))).collect()
}
