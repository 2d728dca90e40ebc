//! One cell of one attempt at a sample, while it is made: names, tables, files, in the plan's order.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use model::suite::{ColumnId, DomainId, File, FileId, NameId, NameSource, RelationId, Rows, Step, Task};
use model::uses::Uses;
use model::{Domain, Span, TiSlice, TiVec, Value};

use super::column::{Column, SharedColumn};
use super::derived_rows;
use super::draw;
use super::eval::{Eval, OrSpan, Res, fail_computation};
use super::files;
use super::fill::{self, Waiting};
use super::fixture_content::GivenContent;
use super::functions::MadeDescription;
use super::instance::{FileBytes, Lent, SandboxFile};
use super::rows::{self, Counted};
use super::sampler::Sampler;
use super::scratch::ScratchSlot;
use super::size;
use super::sqlite::{Database, TableSql};
use super::streams::Keys;
use super::tree::TreeFile;
use super::tuples;

/// The rows of a relation. Columns are indexed as in the plan; those not made yet are empty.
pub(crate) struct Table {
    /// How many rows.
    pub rows: usize,
    /// For each row r of the enclosing relation, its rows here are `starts[r]..starts[r + 1]`; the last element is the
    /// number of rows. Empty if the relation is not nested.
    pub starts: Vec<usize>,
    /// Of each row, which row it is taken from: of the relation that this one is written from, or of this one as its rows were drawn, where they are in
    /// another order now. Empty if each row is where it was drawn.
    pub origins: Vec<u32>,
    /// Helpers included.
    pub columns: TiVec<ColumnId, SharedColumn>,
}

/// A file, rendered.
pub(crate) struct Rendered {
    /// Relative and safe. Where it is many files, that of the first; empty if there are none.
    pub path: String,
    /// What is in it.
    pub content: Content,
    /// Of a fixture that rows of a data set share: its path in the project.
    pub source: Option<String>,
    /// Of many files: the rows of each, by place in its relation.
    pub rows: Vec<Vec<u32>>,
}

/// The content of a file.
pub(crate) enum Content {
    /// A text of any kind.
    Text(String),
    /// A database, open for queries.
    Database(Box<Database>),
    /// JSON, YAML or XML, open for paths.
    Tree(Box<TreeFile>),
    /// Anything else: a workbook.
    Bytes(Vec<u8>),
    /// A text in an encoding that is not UTF-8.
    Encoded {
        /// What is in the file.
        bytes: Vec<u8>,
        /// The text.
        text: String,
    },
    /// Many files, in byte order of their paths.
    Files(Vec<(String, Vec<u8>)>),
    /// A fixture, whose bytes all instances share, open for what can be asked of it.
    Copied(Arc<[u8]>, Reading),
}

/// What can be asked of a fixture, besides its tables.
pub(crate) enum Reading {
    /// Nothing.
    Nothing,
    /// Its text: it is UTF-8.
    Text,
    /// Its text, and paths.
    Tree(Box<TreeFile>),
    /// Queries.
    Database(Box<Database>),
}

impl Rendered {
    /// The database, if it is one.
    pub fn database(&self) -> Option<&Database> {
        match &self.content {
            Content::Database(database) | Content::Copied(_, Reading::Database(database)) => Some(database),
            Content::Text(_)
            | Content::Tree(_)
            | Content::Bytes(_)
            | Content::Encoded { .. }
            | Content::Files(_)
            | Content::Copied(..) => None,
        }
    }

    /// Whether it is many files: then it does not have a path.
    pub fn is_many(&self) -> bool {
        matches!(self.content, Content::Files(_))
    }

    /// The paths of its files: one, or many.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let (one, many) = match &self.content {
            Content::Files(files) => (None, files.as_slice()),
            _ => (Some(self.path.as_str()), &[][..]),
        };
        one.into_iter().chain(many.iter().map(|(path, _)| path.as_str()))
    }

    /// The bytes of the file of rows at a path.
    pub fn find_bytes(&self, path: &str) -> Option<&[u8]> {
        match &self.content {
            Content::Files(files) => {
                let at = files.binary_search_by(|(own, _)| own.as_str().cmp(path)).ok()?;
                files.get(at).map(|(_, bytes)| bytes.as_slice())
            }
            Content::Text(text) => Some(text.as_bytes()),
            Content::Encoded { bytes, .. } => Some(bytes),
            Content::Database(_) | Content::Tree(_) | Content::Bytes(_) | Content::Copied(..) => None,
        }
    }

    /// What is to be read in it, if it is a text: without a byte order mark, which stays in the file.
    pub fn text(&self) -> Option<&str> {
        self.text_with_bom().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// All that is in it, if it is a text.
    pub fn text_with_bom(&self) -> Option<&str> {
        Some(match &self.content {
            Content::Text(text) | Content::Encoded { text, .. } => text.as_str(),
            Content::Tree(tree) => tree.text(),
            Content::Copied(bytes, Reading::Text | Reading::Tree(_)) => std::str::from_utf8(bytes).ok()?,
            Content::Database(_) | Content::Bytes(_) | Content::Files(_) | Content::Copied(..) => return None,
        })
    }

    /// The tree, if it is one.
    pub fn tree(&self) -> Option<&TreeFile> {
        match &self.content {
            Content::Tree(tree) | Content::Copied(_, Reading::Tree(tree)) => Some(tree),
            Content::Text(_)
            | Content::Database(_)
            | Content::Bytes(_)
            | Content::Encoded { .. }
            | Content::Files(_)
            | Content::Copied(..) => None,
        }
    }

    /// Its files with their bytes: one, or many.
    pub fn into_files(self) -> Res<Vec<SandboxFile>> {
        let file = |path, bytes| SandboxFile { path, bytes };
        match self.content {
            Content::Files(files) => Ok(files.into_iter().map(|(path, bytes)| file(path, bytes.into())).collect()),
            Content::Copied(bytes, _) => {
                let bytes = match self.source {
                    Some(source) => FileBytes::Lent(Arc::new(Lent { source, bytes })),
                    None => FileBytes::Shared(bytes),
                };
                Ok(vec![file(self.path, bytes)])
            }
            content => Ok(vec![file(self.path, content.into_own_bytes()?.into())]),
        }
    }
}

impl Content {
    /// The bytes of one file that is not shared.
    pub fn into_own_bytes(self) -> Res<Vec<u8>> {
        match self {
            Content::Text(text) => Ok(text.into_bytes()),
            Content::Database(database) => database.to_bytes(),
            Content::Tree(tree) => Ok(tree.into_text().into_bytes()),
            Content::Bytes(bytes) | Content::Encoded { bytes, .. } => Ok(bytes),
            Content::Copied(bytes, _) => Ok(bytes.to_vec()),
            Content::Files(_) => fail_computation("many files do not have bytes together"),
        }
    }
}

/// The statements of the tables of a database, by file; empty for other files.
pub(crate) type DatabaseSql = Vec<(RelationId, TableSql)>;

/// What is known so far.
pub(crate) struct InstanceDraft<'a> {
    /// The task.
    pub task: &'a Task,
    /// All fixed domains of the plan, and how to draw from them.
    pub domains: &'a TiSlice<DomainId, Domain>,
    /// The same.
    pub samplers: &'a TiSlice<DomainId, Sampler<'a>>,
    /// By file.
    pub databases: &'a [DatabaseSql],
    /// What fixtures give.
    pub given: &'a GivenContent,
    /// How prompts name the sandbox.
    pub sandbox_root: &'a str,
    /// Of this sample and attempt.
    pub keys: Keys,
    /// Which cell of the axes (the last axis fastest).
    pub index: u32,
    /// Null until they are known.
    pub names: TiVec<NameId, Value>,
    /// By relation.
    pub tables: TiVec<RelationId, Option<Rc<Table>>>,
    /// By file.
    pub files: TiVec<FileId, Option<Rc<Rendered>>>,
    /// Copies of relations for SQL.
    pub scratch: ScratchSlot,
    /// How many threads may write its files. What is written does not depend on it.
    pub threads: usize,
    /// The descriptions of databases that were made, each once.
    pub described: RefCell<Vec<MadeDescription>>,
}

/// How a cell's steps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All `require`s hold.
    Holds,
    /// This one does not.
    Fails(Span),
}

impl<'a> InstanceDraft<'a> {
    /// Sets the value of the axis whose slot is `id`, for this cell.
    fn set_axis(&mut self, id: NameId) -> Res<()> {
        let at = self.task.axes.iter().zip(self.task.find_axis_positions(self.index)).find(|(axis, _)| axis.slot == id);
        if let Some((_, value)) = at.and_then(|(axis, at)| axis.cells.get(at)) {
            let value = Eval::new(self).evaluate(value)?.into_value();
            self.set_name(id, value);
        }
        Ok(())
    }

    /// Sets a cell of the row that is asked.
    fn set_row(&mut self, id: NameId) -> Res<()> {
        let row = self.task.find_row_index(self.index) as usize;
        let values = self.task.each.as_ref().and_then(|each| each.find_values(id));
        let Some(value) = values.and_then(|values| values.get(row)) else {
            return fail_computation("a row without a cell");
        };
        self.set_name(id, value.clone());
        Ok(())
    }

    /// Does steps in order until a `require` fails.
    pub fn run_steps(&mut self, steps: &[Step]) -> Res<Verdict> {
        let task = self.task;
        for step in steps {
            match step {
                Step::Name(name) => self.make_name(*name)?,
                Step::Relation(relation) => self.make_relation(*relation)?,
                Step::File(file) => {
                    let Some(declared): Option<&File> = task.files.get(*file) else {
                        return fail_computation("a file is not declared");
                    };
                    let rendered = files::render_file(self, usize::from(*file), declared).or_span(declared.span)?;
                    if let Some(slot) = self.files.get_mut(*file) {
                        *slot = Some(Rc::new(rendered));
                    }
                }
                Step::Require(require) => {
                    let Some(require) = task.requires.get(*require as usize) else { continue };
                    if !Eval::new(self).is_true(&require.condition).or_span(require.span)? {
                        return Ok(Verdict::Fails(require.span));
                    }
                }
            }
        }
        Ok(Verdict::Holds)
    }

    /// Draws or computes a name.
    pub fn make_name(&mut self, id: NameId) -> Res<()> {
        let Some(name) = self.task.names.get(id) else { return fail_computation("a name is not declared") };
        let value = match &name.source {
            NameSource::Axis => return self.set_axis(id),
            NameSource::Row => return self.set_row(id),
            NameSource::Compute(expr) => Eval::new(self).evaluate(expr).or_span(name.span)?.into_value(),
            NameSource::Draw { draw, group, place } => {
                // What is taken from one row is drawn with the same words.
                let own = if tuples::find_joint_columns(draw).is_some() { group } else { &name.name };
                draw::draw_name(self, own, draw, draw.unique.then_some((group.as_str(), *place)))?
            }
        };
        self.set_name(id, value);
        Ok(())
    }

    fn set_name(&mut self, id: NameId, value: Value) {
        if let Some(slot) = self.names.get_mut(id) {
            *slot = value;
        }
    }

    fn make_relation(&mut self, id: RelationId) -> Res<()> {
        let Some(relation) = self.task.relations.get(id) else {
            return fail_computation("a relation is not declared");
        };
        let Counted { rows, starts, origins } = rows::count_rows(self, relation)?;
        size::check_table_size(relation, rows, self.domains).or_span(relation.span)?;
        let columns = relation.columns.iter().map(|column| Column::new(column.cells.value_type, 0).into()).collect();
        let mut table = Table { rows, starts, origins, columns };
        let mut waiting = Vec::new();
        for column in &relation.order {
            match Waiting::try_new(self, relation, *column, rows) {
                Ok(Some(alone)) => waiting.push(alone),
                // What failed before it is said first.
                Err(failure) => return fill::fill_columns(waiting, &mut table, self.threads).and(Err(failure)),
                Ok(None) => {
                    // It may be made of them.
                    fill::fill_columns(std::mem::take(&mut waiting), &mut table, self.threads)?;
                    let made =
                        self.given.load_column(id, *column, || draw::make_column(self, relation, *column, &table))?;
                    if let Some(slot) = table.columns.get_mut(*column) {
                        *slot = made;
                    }
                }
            }
        }
        fill::fill_columns(waiting, &mut table, self.threads)?;
        if let Some(by) = relation.by {
            table = derived_rows::sort_table(relation, table, by).or_span(relation.span)?;
        }
        if let Some(slot) = self.tables.get_mut(id) {
            *slot = Some(Rc::new(table));
        }
        Ok(())
    }

    /// A cell of the same draws, files, and paths in which relations have other rows, and the names and result sets of `needed` that are
    /// computed from them are computed anew. Draws and `require`s are not: they are about the rows that there are.
    pub fn with_replaced(&self, replaced: &[(RelationId, Rc<Table>)], needed: &Uses<'_>) -> Res<InstanceDraft<'a>> {
        let others: Vec<RelationId> = replaced.iter().map(|(relation, _)| *relation).collect();
        let mut cell = InstanceDraft {
            names: self.names.clone(),
            tables: self.tables.clone(),
            files: self.files.clone(),
            keys: self.keys.clone(),
            scratch: RefCell::new(self.scratch.borrow().with_replaced(self.task, others.clone())),
            described: self.described.clone(),
            ..*self
        };
        for (relation, table) in replaced {
            if let Some(slot) = cell.tables.get_mut(*relation) {
                *slot = Some(Rc::clone(table));
            }
        }
        let task = self.task;
        let is_computed_from = |name: NameId| {
            let computed = task.find_computed(name).filter(|_| needed.names.contains(&name));
            computed.is_some_and(|value| {
                let read = Uses::from_computation(task, value).relations;
                others.iter().any(|other| read.contains(other))
            })
        };
        let of_ways = task.iter_ways().flat_map(|way| &way.steps).map(|name| Step::Name(*name));
        for step in task.steps.iter().copied().chain(of_ways) {
            match step {
                Step::Name(name) if is_computed_from(name) => cell.make_name(name)?,
                Step::Relation(id) if !others.contains(&id) && needed.relations.contains(&id) => {
                    let rows = task.relations.get(id).map(|of| &of.rows);
                    if matches!(rows, Some(Rows::Query(name)) if is_computed_from(*name)) {
                        cell.make_relation(id)?;
                    }
                }
                _ => {}
            }
        }
        Ok(cell)
    }
}
