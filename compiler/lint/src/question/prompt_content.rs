//! The content of a wording of the prompt: its text, the values and files that it names, and the content of those files.

use std::collections::BTreeSet;

use memchr::memmem::find_iter;
use model::domain::TemplatePart;
use model::functions::{FunctionId, Kernel, Reader};
use model::suite::{FileId, FixtureKind, NameId, RelationId, Shape};
use model::{Domain, Span, Value};

use crate::context::{Asked, TaskCx};
use hir::types::TyKind;
use hir::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, FileContent, NameSource, Rows};
use names::prose::{DRAWN, SANDBOX};

/// A closed list with more values counts as a pool of words, which are not searched individually.
const POOL: usize = 50;
/// The number of cells of `each` rows that are searched.
const MAX_CELLS: usize = 1000;
/// The number of bytes of a fixture, or of its cells, that are searched.
const MAX_SEARCHED: usize = 1 << 20;
/// The number of steps after which a wording is abandoned, because names composed of names can double each time.
const STEPS: u32 = 50_000;

/// One way of asking the task, and the content of its prompts.
pub(super) struct Way<'a> {
    /// The variant and its expectations.
    pub asked: Asked<'a>,
    /// One for each text that the agent can get: a wording of the task with one of the variant.
    pub tellings: Vec<Telling>,
    /// The texts of each of these, in order.
    pub wordings: Vec<Vec<&'a Expr>>,
}

/// The content of one wording.
pub(super) struct Telling {
    /// The span of the wording (the variant's, if it has one).
    pub span: Span,
    /// The prompt itself, containing [`DRAWN`] and [`SANDBOX`].
    pub prompt: String,
    /// The whole content, one text per line: first the prompt, then the texts that the values and files in it can contain.
    pub text: String,
    /// The prompt in lower case.
    pub lower_prompt: String,
    /// The whole content in lower case.
    pub lower_text: String,
    /// Names whose values the prompt contains.
    pub names: BTreeSet<NameId>,
    /// The expressions that the prompt renders, each with its span in the prompt.
    pub rendered: Vec<Expr>,
    /// Files whose path or content the prompt contains.
    pub files: BTreeSet<FileId>,
    /// Whether the prompt contains something that cannot be read here, such as a picture, so nothing can be reported as missing.
    pub opaque: bool,
}

/// Collects the ways of asking the task, with the content of their prompts.
pub(super) fn collect_ways<'a>(cx: &TaskCx<'a>) -> Vec<Way<'a>> {
    let of_task: Vec<Option<&'a Expr>> = wrap_wordings(&cx.task.prompt.wordings);
    cx.list_questions()
        .into_iter()
        .map(|asked| {
            let own = asked.variant.map_or(&[][..], |variant| variant.prompt.wordings.as_slice());
            let first = if asked.is_stage { &[None][..] } else { of_task.as_slice() };
            let wordings: Vec<Vec<&'a Expr>> = first
                .iter()
                .flat_map(|first| wrap_wordings(own).into_iter().map(move |second| (*first, second)))
                .map(|(first, second)| first.into_iter().chain(second).collect::<Vec<_>>())
                .filter(|texts| !texts.is_empty())
                .collect();
            let tellings = wordings.iter().map(|texts| build_telling(cx.task, asked.span, texts)).collect();
            Way { asked, tellings, wordings }
        })
        .collect()
}

fn wrap_wordings(wordings: &[Expr]) -> Vec<Option<&Expr>> {
    if wordings.is_empty() { vec![None] } else { wordings.iter().map(Some).collect() }
}

/// Returns a text together with the texts that the values and files in it can contain.
pub(super) fn collect_told_text(task: &hir::Task, text: &Expr) -> String {
    build_telling(task, text.span, &[text]).text
}

fn build_telling(task: &hir::Task, asked: Span, texts: &[&Expr]) -> Telling {
    let span = texts.last().map_or(asked, |wording| wording.span);
    let mut teller = Teller::new(task);
    let mut prompt = String::new();
    for wording in texts {
        teller.note_rendered(wording);
        teller.render_expr(wording, &mut prompt);
        prompt.push('\n');
    }
    let mut text = prompt.clone();
    for aside in &teller.asides {
        text.push_str(aside);
        text.push('\n');
    }
    let (lower_prompt, lower_text) = (prompt.to_lowercase(), text.to_lowercase());
    let Teller { rendered, names, files, opaque, .. } = teller;
    Telling { span, prompt, text, lower_prompt, lower_text, names, rendered, files, opaque }
}

impl Telling {
    /// Checks whether a word appears in the content as a whole word.
    pub fn has_word(&self, word: &str) -> bool {
        has_word(&self.text, word)
    }

    /// Finds words of the prompt that look like file names, without folders: `cust.json`.
    pub fn find_file_words(&self) -> Vec<&str> {
        let part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | DRAWN);
        self.prompt
            .split(|c| !part(c))
            .map(|word| word.trim_end_matches(['.', '-', '_']))
            .filter(|word| !word.contains(DRAWN))
            .filter(|word| {
                word.rsplit_once('.').is_some_and(|(stem, extension)| {
                    !stem.is_empty()
                        && (1..=8).contains(&extension.len())
                        && extension.chars().all(|c| c.is_ascii_alphanumeric())
                        && extension.chars().any(|c| c.is_ascii_alphabetic())
                })
            })
            .collect()
    }
}

/// Checks whether `word` appears in `text` without a letter, digit, underscore, or unknown value next to it.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | DRAWN);
    has_delimited_part(text, word, inner, inner)
}

/// Checks whether any of `words`, which are separated by commas, appears in `text` in this way.
pub(super) fn has_any_word(text: &str, words: &str) -> bool {
    words.split(", ").any(|word| has_word(text, word))
}

/// Checks whether `part` appears in `text` and the characters next to it do not belong to the same word. Two functions decide
/// which characters before and after it would.
pub(super) fn has_delimited_part(
    text: &str,
    part: &str,
    before: impl Fn(char) -> bool,
    behind: impl Fn(char) -> bool,
) -> bool {
    !part.is_empty()
        && find_iter(text.as_bytes(), part.as_bytes()).any(|at| {
            let ahead = text.get(..at).and_then(|text| text.chars().next_back());
            let after = text.get(at + part.len()..).and_then(|text| text.chars().next());
            !ahead.is_some_and(&before) && !after.is_some_and(&behind)
        })
}

/// Collects the content of a wording.
struct Teller<'a> {
    task: &'a hir::Task,
    asides: Vec<String>,
    rendered: Vec<Expr>,
    names: BTreeSet<NameId>,
    /// Names whose possible values have been added.
    seen: BTreeSet<NameId>,
    files: BTreeSet<FileId>,
    opened: BTreeSet<FileId>,
    relations: BTreeSet<RelationId>,
    opaque: bool,
    steps: u32,
}

impl<'a> Teller<'a> {
    fn new(task: &'a hir::Task) -> Teller<'a> {
        Teller {
            task,
            asides: Vec::new(),
            rendered: Vec::new(),
            names: BTreeSet::new(),
            seen: BTreeSet::new(),
            files: BTreeSet::new(),
            opened: BTreeSet::new(),
            relations: BTreeSet::new(),
            opaque: false,
            steps: 0,
        }
    }

    /// Records the expressions that a wording renders: its placeholders, and those of names whose values are texts with placeholders.
    fn note_rendered(&mut self, expr: &Expr) {
        if self.is_tired() {
            return;
        }
        match &expr.kind {
            ExprKind::Concat(pieces) => pieces.iter().for_each(|piece| self.note_rendered(piece)),
            ExprKind::Const(_) | ExprKind::Sandbox | ExprKind::Folder(_) | ExprKind::FilePath(_) => {}
            ExprKind::Name(id) => {
                self.rendered.push(expr.clone());
                if let Some(source) = self.task.find_computed(*id)
                    && matches!(source.kind, ExprKind::Concat(_) | ExprKind::Name(_))
                {
                    // Use the span at which the prompt contains them.
                    let first = self.rendered.len();
                    self.note_rendered(source);
                    self.rendered.iter_mut().skip(first).for_each(|inner| inner.span = expr.span);
                }
            }
            _ => self.rendered.push(expr.clone()),
        }
    }

    fn is_tired(&mut self) -> bool {
        self.steps = self.steps.saturating_add(1);
        self.opaque |= self.steps > STEPS;
        self.steps > STEPS
    }

    /// Adds the rendered text of a value.
    fn render_expr(&mut self, expr: &Expr, out: &mut String) {
        if self.is_tired() {
            return;
        }
        match &expr.kind {
            ExprKind::Const(value) => render_constant(value, out),
            ExprKind::Concat(pieces) => pieces.iter().for_each(|piece| self.render_expr(piece, out)),
            ExprKind::List(items) => {
                for item in items {
                    self.render_expr(item, out);
                    out.push_str(", ");
                }
            }
            ExprKind::Sandbox => out.push(SANDBOX),
            ExprKind::Folder(path) => out.push_str(path),
            ExprKind::FilePath(file) => {
                self.files.insert(*file);
                if let Some(path) = self.task.files.get(*file).map(|file| &file.path) {
                    self.render_expr(path, out);
                }
                self.open_file(*file);
            }
            ExprKind::Name(id) => {
                self.names.insert(*id);
                match find_name_source(self.task, *id) {
                    Some(NameSource::Compute(source)) => return self.render_expr(source, out),
                    _ if !self.seen.insert(*id) => {}
                    Some(NameSource::Draw { draw, .. }) => self.add_draw(draw),
                    Some(NameSource::Axis) => {
                        for axis in self.task.axes.iter().filter(|axis| axis.slot == *id) {
                            axis.cells.iter().for_each(|(_, value)| self.add_aside(value));
                        }
                    }
                    Some(NameSource::Row) => self.add_row_values(*id),
                    None => {}
                }
                out.push(DRAWN);
            }
            _ => {
                out.push(DRAWN);
                self.add_parts(expr);
            }
        }
    }

    /// Adds the different values of the cells of a row.
    fn add_row_values(&mut self, id: NameId) {
        let cells = self.task.each.as_ref().and_then(|each| each.find_values(id));
        let texts: BTreeSet<String> = cells
            .into_iter()
            .flat_map(|cells| cells.iter())
            .filter(|cell| !cell.is_null())
            .take(MAX_CELLS)
            .map(|cell| cell.render_text().into_owned())
            .collect();
        self.asides.extend(texts);
    }

    fn add_aside(&mut self, expr: &Expr) {
        let mut text = String::new();
        self.render_expr(expr, &mut text);
        self.asides.push(text);
    }

    /// Adds the texts that the parts of a computed value can contain.
    fn add_parts(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Neg(inner) | ExprKind::Not(inner) => self.add_aside(inner),
            ExprKind::Binary(_, sides) => {
                self.add_aside(&sides.0);
                self.add_aside(&sides.1);
            }
            ExprKind::If(parts) => {
                self.add_aside(&parts.1);
                self.add_aside(&parts.2);
            }
            ExprKind::Object(fields) => {
                for (key, value) in fields {
                    self.asides.push(key.clone());
                    self.add_aside(value);
                }
            }
            ExprKind::Call(function, args) => {
                let pasted = matches!(expr.ty.kind, TyKind::List(_) | TyKind::Rows(_));
                for arg in args {
                    self.add_arg(*function, arg, pasted);
                }
            }
            _ => {}
        }
    }

    fn add_arg(&mut self, function: FunctionId, arg: &Arg, pasted: bool) {
        match arg {
            Arg::Value(value) => self.add_aside(value),
            Arg::File(file) => {
                if matches!(function.kernel, Kernel::Reads(Reader::Schema | Reader::Content)) {
                    self.files.insert(*file);
                }
                self.open_file(*file);
            }
            Arg::Relation { relation, .. } | Arg::Column { relation, .. } | Arg::Each { relation, .. } => {
                self.open_relation(*relation, pasted);
            }
            Arg::Sql(sql) => {
                self.asides.push(sql.text.clone());
                match sql.database {
                    Some(file) => {
                        if pasted {
                            self.files.insert(file);
                        }
                        self.open_file(file);
                    }
                    None => sql.analysis.tables.iter().for_each(|relation| self.open_relation(*relation, pasted)),
                }
            }
            Arg::Path(_) => {}
        }
    }

    fn open_relation(&mut self, relation: RelationId, whole: bool) {
        self.add_relation(relation);
        if let Some(file) = self.task.relations.get(relation).and_then(|relation| relation.file) {
            if whole {
                self.files.insert(file);
            }
            self.open_file(file);
        }
    }

    /// Adds the content of a file.
    fn open_file(&mut self, file: FileId) {
        if !self.opened.insert(file) {
            return;
        }
        let Some(file) = self.task.files.get(file) else { return };
        match &file.content {
            FileContent::Fixture {
                bytes,
                kind: FixtureKind::Text | FixtureKind::Tree(_) | FixtureKind::Elements(_),
            } if bytes.0.len() <= MAX_SEARCHED => {
                self.asides.push(String::from_utf8_lossy(&bytes.0).into_owned());
            }
            FileContent::Unknown(()) | FileContent::Fixture { .. } | FileContent::FixtureByRow(_) => self.opaque = true,
            content => {
                content.visit_exprs(file.surrounding_scope(), &mut |_, expr, _| self.add_aside(expr));
                content.relations().iter().for_each(|relation| self.add_relation(*relation));
                content.draw().into_iter().for_each(|draw| self.add_draw(draw));
                content.shape().into_iter().for_each(|shape| self.add_shape(shape));
            }
        }
    }

    fn add_shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Cell(relation, _) => self.add_relation(*relation),
            Shape::Object(fields) => {
                for field in fields {
                    self.asides.push(field.key.clone());
                    self.add_shape(&field.shape);
                }
            }
            Shape::Array(relation, inner) => {
                self.add_relation(*relation);
                self.add_shape(inner);
            }
        }
    }

    /// Adds the name of a relation, the names of its columns, and the texts that the columns can contain.
    fn add_relation(&mut self, relation: RelationId) {
        if !self.relations.insert(relation) {
            return;
        }
        let Some(relation) = self.task.relations.get(relation) else { return };
        self.asides.push(relation.table.clone());
        if let Rows::Taken { from, .. } = relation.rows {
            self.add_relation(from);
        }
        for (_, column) in relation.iter_own_columns() {
            self.asides.push(column.name.clone());
            match &column.source {
                ColumnSource::Draw { draw, .. } => self.add_draw(draw),
                ColumnSource::Compute(value) => self.add_aside(value),
                ColumnSource::Given(given) => {
                    let mut text = String::new();
                    for value in given.cells.values.iter() {
                        render_constant(value, &mut text);
                        text.push('\n');
                    }
                    self.opaque |= text.len() > MAX_SEARCHED;
                    self.asides.push(text);
                }
                ColumnSource::Result(_) | ColumnSource::Taken(_) => {}
            }
        }
    }

    /// Adds the texts that a drawn value can contain. Pools of plain words are skipped, because they do not name files or keys.
    fn add_draw(&mut self, draw: &hir::Draw) {
        match &draw.domain {
            DrawDomain::Fixed(domain) => self.add_domain(domain),
            DrawDomain::OneOf(items) => items.iter().for_each(|item| self.add_aside(item)),
            DrawDomain::Ref { relation, .. } => self.add_relation(*relation),
            DrawDomain::Unknown(()) => self.opaque = true,
            DrawDomain::Range { .. } | DrawDomain::Lorem { .. } | DrawDomain::Share(_) | DrawDomain::Exactly(_) => {}
        }
    }

    fn add_domain(&mut self, domain: &Domain) {
        match domain {
            Domain::OneOf { items } => self.add_pool(items.iter()),
            Domain::Weighted { items } => {
                self.add_pool(items.iter().filter(|(_, weight)| *weight > 0).map(|(item, _)| item));
            }
            Domain::Template { parts } => {
                for part in parts {
                    match part {
                        TemplatePart::Text(text) => self.asides.push(text.clone()),
                        TemplatePart::Domain(domain) => self.add_domain(domain),
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the values from which one is drawn.
    fn add_pool<'v>(&mut self, values: impl Iterator<Item = &'v Value> + Clone) {
        if values.clone().nth(POOL).is_none() || values.clone().any(is_telling) {
            self.asides.extend(values.map(|value| value.render_text().into_owned()));
        }
    }
}

/// Checks whether a value of a pool could name a file or key.
fn is_telling(value: &Value) -> bool {
    let text = value.render_text();
    let marks = |byte: &u8| matches!(byte, b'.' | b'/' | b'`' | b'_');
    text.bytes().any(|byte| marks(&byte)) || text.bytes().filter(|byte| *byte == b' ').count() > 2
}

/// Returns the source of a name's value.
pub(super) fn find_name_source(task: &hir::Task, id: NameId) -> Option<&NameSource> {
    task.names.get(id).map(|name| &name.source)
}

fn render_constant(value: &Value, out: &mut String) {
    match value {
        Value::List(items) => {
            for item in items {
                render_constant(item, out);
                out.push_str(", ");
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                out.push_str(key);
                out.push_str(": ");
                render_constant(value, out);
                out.push('\n');
            }
        }
        Value::Rows(rows) => {
            rows.columns.iter().for_each(|column| {
                out.push_str(column);
                out.push('\n');
            });
            rows.rows.iter().flatten().for_each(|cell| {
                render_constant(cell, out);
                out.push('\n');
            });
        }
        other => other.render_into(out),
    }
}
