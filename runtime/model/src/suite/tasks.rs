//! A task, and what is in it besides names, relations, and files.

use serde::Serialize;

use super::{
    AgentTools, Axis, Compile, Compiled, Each, EachRow, Extra, File, FileId, LakeUse, Name, NameId, NameSource, Phase,
    Printed, Relation, RelationId, Role, Scope, Stage, StageId, StageMode, Visit,
};
use crate::answer_key::Expect;
use crate::{Span, TiVec};

/// Several expressions. (By this name a derived `Default` does not ask for an expression by default.)
pub type Exprs<S> = Vec<<S as Phase>::Expr>;

/// Several answer keys.
pub type Expects<S> = Vec<Expect<<S as Phase>::Expr>>;

/// A question template.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Task<S: Phase = Compiled> {
    /// Its name, `[A-Za-z0-9_]+`.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its documentation.
    pub doc: Option<String>,
    /// How many samples, at least 1.
    pub samples: u32,
    /// The suite's tags and its own.
    pub tags: Vec<String>,
    /// The rows of a data set, of which each is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<Each>,
    /// Its axes; the cells are the product of the rows and the axes, the last axis fastest.
    pub axes: Vec<Axis<S>>,
    /// Its values: drawn, computed and axis names, indexed by [`NameId`].
    pub names: TiVec<NameId, Name<S>>,
    /// Its files, indexed by [`FileId`].
    pub files: TiVec<FileId, File<S>>,
    /// Its relations, indexed by [`RelationId`]: of its files, and those without a file.
    pub relations: TiVec<RelationId, Relation<S>>,
    /// What to do for one cell of one sample, in dependency order. Every name, file and relation is in it once; a
    /// `require` comes right after what it needs.
    pub steps: Vec<Step>,
    /// Its `require` statements.
    pub requires: Vec<Require<S>>,
    /// What else is put into the sandbox, in source order.
    pub extras: Vec<Extra<S>>,
    /// The lakes that are handed out, by their order in the source. A task with variants has them there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lakes: Vec<LakeUse<S>>,
    /// What an agent may use. A task with variants has it there.
    #[serde(skip_serializing_if = "AgentTools::is_empty")]
    pub means: AgentTools,
    /// Wordings, of which one is drawn.
    pub prompt: Prompt<S>,
    /// The answer key of the task itself (used if it has no variants).
    pub expects: Expects<S>,
    /// Ways to ask; where there are any, they alone are instances.
    pub variants: Vec<Variant<S>>,
    /// Its steps, each with an answer of its own, in source order.
    #[serde(skip_serializing_if = "is_empty")]
    pub stages: TiVec<StageId, Stage<S>>,
    /// How its stages are asked.
    #[serde(skip_serializing_if = "StageMode::is_whole")]
    pub asked: StageMode,
    /// What else is known of it.
    #[serde(skip)]
    pub notes: S::OfTask,
}

/// One thing to do for a cell of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Draw or compute a name, or set an axis to its cell's value.
    Name(NameId),
    /// Make a relation's rows.
    Relation(RelationId),
    /// Render a file (its relations are made); from here on its path and content are known.
    File(FileId),
    /// Draw again if this is not true: an index into [`Task::requires`].
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

/// Wordings of a prompt: none (a variant may have none of its own), one, or several.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Prompt<S: Phase = Compiled> {
    /// Each a text.
    pub wordings: Exprs<S>,
}

/// `variant NAME { … }`
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Variant<S: Phase = Compiled> {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    #[serde(skip)]
    pub span: Span,
    /// Its own computed names, in dependency order: set before its prompt and answers.
    pub steps: Vec<NameId>,
    /// Added to the task's prompt on a new line.
    pub prompt: Prompt<S>,
    /// Its own answers; once it is compiled, after those of the task.
    pub expects: Expects<S>,
    /// All lakes that its instances are given: those of the task, and its own instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lakes: Vec<LakeUse<S>>,
    /// What an agent may use: what the task says, and its own instead.
    #[serde(skip_serializing_if = "AgentTools::is_empty")]
    pub means: AgentTools,
    /// Tags in addition to the task's.
    pub tags: Vec<String>,
    /// What else is known of it.
    #[serde(skip)]
    pub notes: S::OfVariant,
}

impl<S: Phase> Task<S> {
    /// Every way to ask something of its data: its variants, and its stages.
    pub fn iter_ways(&self) -> impl Iterator<Item = &Variant<S>> {
        self.variants.iter().chain(self.stages.iter().map(|stage| &stage.way))
    }

    /// Every answer key: its own, and those of its variants and stages.
    pub fn iter_expects(&self) -> impl Iterator<Item = &Expect<S::Expr>> {
        self.expects.iter().chain(self.iter_ways().flat_map(|way| &way.expects))
    }

    /// How many cells its rows and its axes span: 1 without either.
    pub fn count_cells(&self) -> u32 {
        self.count_rows().saturating_mul(self.count_cells_per_row())
    }

    /// How many rows of a data set it is asked for: 1 where it has none.
    pub fn count_rows(&self) -> u32 {
        self.each.as_ref().map_or(1, |each| each.rows.len() as u32)
    }

    /// How many cells its axes span: 1 without axes.
    pub fn count_cells_per_row(&self) -> u32 {
        self.axes.iter().map(|axis| axis.cells.len() as u32).product()
    }

    /// For each axis the position of its cell in the product, the last axis fastest. The rows of a data set are slower than every axis.
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

    /// The number of the row of a cell, from 0; 0 where it has no rows.
    pub fn find_row_index(&self, cell: u32) -> u32 {
        cell / self.count_cells_per_row().max(1)
    }

    /// The row of a cell.
    pub fn find_row(&self, cell: u32) -> Option<&EachRow> {
        self.each.as_ref()?.rows.get(self.find_row_index(cell) as usize)
    }

    /// The key of a cell's row and the labels of its axes (the last axis fastest), joined with `-`; empty without either.
    pub fn build_cell_label(&self, cell: u32) -> String {
        let mut rest = cell as usize;
        let mut labels: Vec<&str> = Vec::new();
        for axis in self.axes.iter().rev() {
            let count = axis.cells.len().max(1);
            labels.extend(axis.cells.get(rest % count).map(|(label, _)| label.as_str()));
            rest /= count;
        }
        labels.extend(self.find_row(cell).map(|row| row.key.as_str()));
        labels.reverse();
        labels.join("-")
    }

    /// How many instances a sample gives: cells × variants.
    pub fn count_instances(&self) -> u32 {
        self.count_cells().saturating_mul((self.variants.len() as u32).max(1))
    }

    /// What has to be true: the conditions of its `require`s.
    pub fn iter_conditions(&self) -> impl Iterator<Item = &S::Expr> {
        self.requires.iter().map(|require| &require.condition)
    }

    /// What a name is computed from; nothing for one that is drawn, and for an axis.
    pub fn find_computed(&self, id: NameId) -> Option<&S::Expr> {
        match &self.names.get(id)?.source {
            NameSource::Compute(value) => Some(value),
            _ => None,
        }
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
        // A variant or stage repeats those of the task.
        let own = self.iter_ways().flat_map(|way| &way.lakes);
        own.filter(|lake| self.lakes.iter().all(|of_task| of_task.span != lake.span))
            .for_each(|lake| lake.visit_exprs(visit));
        let prompts = [&self.prompt].into_iter().chain(self.iter_ways().map(|way| &way.prompt));
        prompts.flat_map(|prompt| &prompt.wordings).for_each(|wording| visit(Role::Value, wording, top));
        for expect in self.iter_expects() {
            expect.visit_exprs(&mut |expr| visit(Role::Value, expr, top));
            expect.traps.iter().for_each(|trap| visit(Role::Value, &trap.value, top));
        }
    }

    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Task {
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
    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Require {
        Require { condition: by.compile_expr(&self.condition), span: self.span }
    }
}

impl<S: Phase> Prompt<S> {
    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Prompt {
        Prompt { wordings: self.wordings.iter().map(|wording| by.compile_expr(wording)).collect() }
    }
}

impl<S: Phase> Variant<S> {
    /// The same, compiled: it answers what the task expects, and its own.
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

/// Tasks without stages are printed as before there were any.
fn is_empty<S: Phase>(stages: &TiVec<StageId, Stage<S>>) -> bool {
    stages.is_empty()
}

fn compile_expects<S: Phase>(expects: &[Expect<S::Expr>], by: &mut impl Compile<S>) -> Vec<Expect<super::Expr>> {
    expects.iter().map(|expect| expect.map_exprs(&mut |expr| by.compile_expr(expr))).collect()
}
