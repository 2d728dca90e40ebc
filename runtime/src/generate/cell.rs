//! The state of one cell in one attempt at a sample: names, tables, and files, made in the plan's order.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use model::suite::{ColumnId, DomainId, FileId, NameId, NameSource, Relation, RelationId, Rows, Step, Task};
use model::uses::Uses;
use model::{Domain, Span, TiSlice, TiVec, Val, Value};

use super::column::{Column, SharedColumn};
use super::derived_rows;
use super::draw;
use super::eval::{Eval, OrSpan, Res, fail_computation};
use super::files;
use super::fill::{self, Waiting};
use super::fixture_content::GivenContent;
use super::functions::MadeDescription;
use super::instance::{FileBytes, Lent, SandboxFile};
use super::rows;
use super::sampler::Sampler;
use super::scratch::ScratchSlot;
use super::size;
use super::sqlite::{Database, TableSql};
use super::streams::Keys;
use super::tree::TreeFile;
use super::tuples;

/// The rows of a relation. Columns are indexed as in the plan; columns not made yet are empty.
#[derive(Clone)]
pub(crate) struct Table {
    /// Number of rows.
    pub rows: usize,
    /// For each row r of the enclosing relation, its rows here are `starts[r]..starts[r + 1]`; the last element is the number of rows. Empty if the
    /// relation is not nested.
    pub starts: Vec<usize>,
    /// For each row, the row that it comes from: a row of the relation that this one is written from, or the position at which it was drawn, if the
    /// rows were reordered. Empty if every row is where it was drawn.
    pub origins: Vec<u32>,
    /// All columns, including helpers.
    pub columns: TiVec<ColumnId, SharedColumn>,
}

impl Table {
    /// Creates a table whose rows belong to no other rows and are where they were drawn.
    pub fn new(rows: usize, columns: TiVec<ColumnId, SharedColumn>) -> Table {
        Table { rows, starts: Vec::new(), origins: Vec::new(), columns }
    }

    /// Returns a cell; null if the column or the row does not exist.
    #[inline]
    pub fn read_cell(&self, column: ColumnId, row: usize) -> Val<'_> {
        self.columns.get(column).map_or(Val::NULL, |column| column.get(row))
    }

    /// Sets a column that is made.
    pub fn put_column(&mut self, column: ColumnId, made: SharedColumn) {
        if let Some(slot) = self.columns.get_mut(column) {
            *slot = made;
        }
    }
}

/// A rendered file.
pub(crate) struct Rendered {
    /// Relative and safe path. For many files, the path of the first; empty if there are none.
    pub path: String,
    /// The content.
    pub content: Content,
    /// The path in the project of a fixture that rows of a data set share.
    pub source: Option<String>,
    /// For many files, the rows of each file, by position in its relation.
    pub rows: Vec<Vec<u32>>,
}

/// The content of a file.
pub(crate) enum Content {
    /// Text of any format.
    Text(String),
    /// A database, open for queries.
    Database(Box<Database>),
    /// JSON, YAML, or XML, open for paths.
    Tree(Box<TreeFile>),
    /// Anything else: a workbook.
    Bytes(Vec<u8>),
    /// Text in an encoding other than UTF-8.
    Encoded {
        /// The bytes of the file.
        bytes: Vec<u8>,
        /// The decoded text.
        text: String,
    },
    /// Many files, in byte order of their paths.
    Files(Vec<(String, Vec<u8>)>),
    /// A fixture, whose bytes all instances share, open for the accesses that its format supports.
    Copied(Arc<[u8]>, Reading),
}

/// The accesses that a fixture supports, apart from its tables.
pub(crate) enum Reading {
    /// Nothing.
    Nothing,
    /// Its text, which is UTF-8.
    Text,
    /// Its text, and paths.
    Tree(Box<TreeFile>),
    /// Queries.
    Database(Box<Database>),
}

impl Rendered {
    /// Returns the database, if the file is one.
    pub fn database(&self) -> Option<&Database> {
        match &self.content {
            Content::Database(database) | Content::Copied(_, Reading::Database(database)) => Some(database),
            _ => None,
        }
    }

    /// Checks whether this is many files, which have no common path.
    pub fn is_many(&self) -> bool {
        matches!(self.content, Content::Files(_))
    }

    /// Returns the paths of its files: one or many.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let (one, many) = match &self.content {
            Content::Files(files) => (None, files.as_slice()),
            _ => (Some(self.path.as_str()), &[][..]),
        };
        one.into_iter().chain(many.iter().map(|(path, _)| path.as_str()))
    }

    /// Returns the bytes of the file of rows at a path.
    pub fn find_bytes(&self, path: &str) -> Option<&[u8]> {
        match &self.content {
            Content::Files(files) => {
                let at = files.binary_search_by(|(own, _)| own.as_str().cmp(path)).ok()?;
                files.get(at).map(|(_, bytes)| bytes.as_slice())
            }
            Content::Text(text) => Some(text.as_bytes()),
            Content::Encoded { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// Returns the text to read, if it is text. A byte order mark is skipped here but stays in the file.
    pub fn text(&self) -> Option<&str> {
        self.text_with_bom().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// Returns the whole text, if it is text, including a byte order mark.
    pub fn text_with_bom(&self) -> Option<&str> {
        Some(match &self.content {
            Content::Text(text) | Content::Encoded { text, .. } => text.as_str(),
            Content::Tree(tree) => tree.text(),
            Content::Copied(bytes, Reading::Text | Reading::Tree(_)) => std::str::from_utf8(bytes).ok()?,
            _ => return None,
        })
    }

    /// Returns the tree, if the file is one.
    pub fn tree(&self) -> Option<&TreeFile> {
        match &self.content {
            Content::Tree(tree) | Content::Copied(_, Reading::Tree(tree)) => Some(tree),
            _ => None,
        }
    }

    /// Converts it to its files with their bytes: one or many.
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
    /// Converts one unshared file to its bytes.
    pub fn into_own_bytes(self) -> Res<Vec<u8>> {
        match self {
            Content::Text(text) => Ok(text.into_bytes()),
            Content::Database(database) => Ok(database.to_bytes()?.into_owned()),
            Content::Tree(tree) => Ok(tree.into_text().into_bytes()),
            Content::Bytes(bytes) | Content::Encoded { bytes, .. } => Ok(bytes),
            Content::Copied(bytes, _) => Ok(bytes.to_vec()),
            Content::Files(_) => fail_computation("many files do not have bytes together"),
        }
    }
}

/// The SQL statements of the tables of a database, by file; empty for other files.
pub(crate) type DatabaseSql = Vec<(RelationId, TableSql)>;

/// An instance during generation: the names, tables, and files made until now.
pub(crate) struct InstanceDraft<'a> {
    /// The task.
    pub task: &'a Task,
    /// All fixed domains of the plan.
    pub domains: &'a TiSlice<DomainId, Domain>,
    /// The samplers of these domains, which draw from them.
    pub samplers: &'a TiSlice<DomainId, Sampler<'a>>,
    /// SQL statements of tables, by file.
    pub databases: &'a [DatabaseSql],
    /// The content of fixtures.
    pub given: &'a GivenContent,
    /// The path by which prompts name the sandbox.
    pub sandbox_root: &'a str,
    /// The random keys of this sample and attempt.
    pub keys: Keys,
    /// The index of the cell of the axes (the last axis varies fastest).
    pub index: u32,
    /// The values of names; null until they are made.
    pub names: TiVec<NameId, Value>,
    /// The tables, by relation.
    pub tables: TiVec<RelationId, Option<Rc<Table>>>,
    /// The rendered files, by file.
    pub files: TiVec<FileId, Option<Rc<Rendered>>>,
    /// Copies of relations for SQL.
    pub scratch: ScratchSlot,
    /// Maximum number of threads that write its files. The content does not depend on it.
    pub threads: usize,
    /// The descriptions of databases, each made once.
    pub described: RefCell<Vec<MadeDescription>>,
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

    /// Sets the name at `id` to its cell in the data set row of this instance.
    fn set_row(&mut self, id: NameId) -> Res<()> {
        let row = self.task.find_row_index(self.index) as usize;
        let values = self.task.each.as_ref().and_then(|each| each.find_values(id));
        let Some(value) = values.and_then(|values| values.get(row)) else {
            return fail_computation("a row without a cell");
        };
        self.set_name(id, value.clone());
        Ok(())
    }

    /// Executes steps in order until a `require` does not hold; returns its place.
    pub fn run_steps(&mut self, steps: &[Step]) -> Res<Option<Span>> {
        let task = self.task;
        for step in steps {
            match step {
                Step::Name(name) => self.make_name(*name)?,
                Step::Relation(relation) => self.make_relation(*relation)?,
                Step::File(file) => {
                    let rendered = files::render_file(self, *file)?;
                    if let Some(slot) = self.files.get_mut(*file) {
                        *slot = Some(Rc::new(rendered));
                    }
                }
                Step::Require(require) => {
                    let Some(require) = task.requires.get(*require as usize) else { continue };
                    if !Eval::new(self).is_true(&require.condition).or_span(require.span)? {
                        return Ok(Some(require.span));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Draws or computes the value of a name.
    pub fn make_name(&mut self, id: NameId) -> Res<()> {
        let Some(name) = self.task.names.get(id) else { return fail_computation("a name is not declared") };
        let value = match &name.source {
            NameSource::Axis => return self.set_axis(id),
            NameSource::Row => return self.set_row(id),
            NameSource::Compute(expr) => Eval::new(self).evaluate(expr).or_span(name.span)?.into_value(),
            NameSource::Draw { draw, group, place } => {
                // Names taken from one row are drawn with the same words.
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

    /// Returns a database that is made.
    pub fn find_database(&self, file: FileId) -> Option<&Database> {
        self.files.get(file)?.as_ref()?.database()
    }

    /// Returns a declared relation.
    pub fn find_relation(&self, id: RelationId) -> Res<&'a Relation> {
        self.task.relations.get(id).map_or_else(|| fail_computation("a relation is not declared"), Ok)
    }

    fn make_relation(&mut self, id: RelationId) -> Res<()> {
        let relation = self.find_relation(id)?;
        let mut table = rows::count_rows(self, relation)?;
        let rows = table.rows;
        size::check_table_size(relation, rows, self.domains).or_span(relation.span)?;
        table.columns = relation.columns.iter().map(|column| Column::new(column.cells.value_type, 0).into()).collect();
        let mut waiting = Vec::new();
        for column in &relation.order {
            match Waiting::try_new(self, relation, *column, rows) {
                Ok(Some(alone)) => waiting.push(alone),
                // An earlier failure is reported first.
                Err(failure) => return fill::fill_columns(waiting, &mut table, self.threads).and(Err(failure)),
                Ok(None) => {
                    // The column may depend on the waiting ones.
                    fill::fill_columns(std::mem::take(&mut waiting), &mut table, self.threads)?;
                    let made =
                        self.given.load_column(id, *column, || draw::make_column(self, relation, *column, &table))?;
                    table.put_column(*column, made);
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

    /// Returns a cell with the same draws, files, and paths in which some relations have other rows. The names and result sets of `needed` that
    /// depend on them are computed again. Draws and `require`s are not, because they refer to the actual rows.
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
