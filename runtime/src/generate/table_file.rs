//! Files of rows: which rows of a relation are in which file, and the parts and the layout of a row there.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use model::suite::{ColumnId, Expr, File, FileContent, FileId, Form, Relation, Style};
use model::value::write_int;
use model::{Format, Val, Value};
use tables::write::TableLayout;
use tables::{Encoding, Line, Piece};

use super::cell::InstanceDraft;
use super::column::Data;
use super::context::Eval;
use super::dirt::to_cell_type;
use super::failures::{OrSpan, Res, fail, fail_computation, fail_with_help};
use super::paths;
use super::rendered::Content;
use super::table::Table;
use crate::failure::FailureKind;

/// Maximum number of files. More are a mistake, and would exhaust the machine's memory.
const MAX_FILES: usize = 1 << 16;

/// A declared file of rows.
#[derive(Clone, Copy)]
pub(crate) struct TableFile<'a> {
    pub cell: &'a InstanceDraft<'a>,
    pub file: &'a File,
    pub form: &'a Form,
    pub relation: &'a Relation,
    pub table: &'a Table,
    /// The line of a row, in a text file.
    pub line: Option<&'a Expr>,
    /// The rows of each file of a file group that is already made.
    made: &'a [Vec<u32>],
}

/// The content of a cell in a file.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    /// The cell of a column.
    Column(ColumnId),
    /// A computed part of a line.
    Computed(&'a Expr),
}

/// A file, or one file of a group.
pub(crate) struct Group<'a> {
    pub path: String,
    /// Its rows, without duplicates.
    pub rows: Vec<u32>,
    pub dress: TableLayout,
    pub parts: Vec<Part<'a>>,
}

impl<'a> TableFile<'a> {
    /// Returns the description of a file whose relation is made; `None` if it does not consist of rows in a form.
    pub fn from_file(cell: &'a InstanceDraft<'a>, id: FileId) -> Res<Option<TableFile<'a>>> {
        let Some(file) = cell.task.files.get(id) else { return fail_computation("a file is not declared") };
        let (form, relation, line) = match &file.content {
            FileContent::Delimited { form, relation } => (form, *relation, None),
            FileContent::TextLines { relation, line, form: Some(form) } => (form.as_ref(), *relation, Some(line)),
            _ => return Ok(None),
        };
        let (table, relation) = (Eval::new(cell).find_table(relation)?, cell.find_relation(relation)?);
        let made = cell.files.get(id).and_then(Option::as_ref).map_or(&[][..], |made| made.rows.as_slice());
        Ok(Some(TableFile { cell, file, form, relation, table, line, made }))
    }

    /// Returns all its files; `path` is the path of a single file.
    pub fn list_groups(self, path: &str) -> Res<Vec<Group<'a>>> {
        if self.file.split {
            return self.group_rows()?.into_iter().map(|(path, rows)| self.build_group(path, rows)).collect();
        }
        Ok(vec![self.build_group(path.to_owned(), (0..self.table.rows as u32).collect())?])
    }

    /// Returns the columns that are parts of its path without any computation, and can be read from it.
    pub fn list_path_columns(self) -> Vec<ColumnId> {
        let parts = if self.file.split { self.file.path_parts() } else { &[] };
        let column = |part: &Expr| if let Expr::Column(id) = part { Some(*id) } else { None };
        parts.iter().filter_map(column).collect()
    }

    /// Returns the rows of each file.
    pub fn list_file_rows(self) -> Res<Cow<'a, [Vec<u32>]>> {
        if !self.made.is_empty() {
            return Ok(Cow::Borrowed(self.made));
        }
        if self.file.split {
            return Ok(self.group_rows()?.into_values().collect());
        }
        Ok(Cow::Owned(vec![(0..self.table.rows as u32).collect()]))
    }

    /// Returns the rows of each file of a group, in byte order of the paths.
    pub fn group_rows(self) -> Res<BTreeMap<String, Vec<u32>>> {
        // Keyed by the values in the path: each path is rendered and checked once, not for each row.
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut key = String::new();
        let numbers = self.find_path_numbers().unwrap_or_default();
        let mut of_numbers: hashbrown::HashMap<i64, usize> = hashbrown::HashMap::new();
        for row in 0..self.table.rows {
            let number = numbers.get(row);
            let at = match number {
                Some(number) => of_numbers.get(number),
                None => {
                    self.write_key(row, &mut key).or_span(self.file.span)?;
                    known.get(&key)
                }
            };
            if let Some(rows) = at.and_then(|at| groups.get_mut(*at)) {
                rows.push(row as u32);
                continue;
            }
            let path = Eval::new(self.cell).with_row(self.table, row).evaluate_text(&self.file.path);
            let path = path.and_then(|path| paths::ensure_safe(&path)).or_span(self.file.span)?;
            if places.contains_key(&path) {
                let message = format!("two files of `{}` came out at the same path {path:?}", self.file.name);
                let help = "separate the parts of the path: then different values have different paths";
                return fail_with_help(FailureKind::PathAtBuild, message, help).or_span(self.file.span);
            }
            if groups.len() == MAX_FILES {
                let message = format!("`{}` would be more than {MAX_FILES} files", self.file.name);
                return fail(FailureKind::TooLarge, message).or_span(self.file.span);
            }
            match number {
                Some(number) => of_numbers.insert(*number, groups.len()),
                None => known.insert(key.clone(), groups.len()),
            };
            places.insert(path, groups.len());
            groups.push(vec![row as u32]);
        }
        let mut rows = |at: usize| groups.get_mut(at).map(std::mem::take).unwrap_or_default();
        Ok(places.into_iter().map(|(path, at)| (path, rows(at))).collect())
    }

    /// Returns the ints of the only column in its path, if it contains no null: they are used directly as keys.
    fn find_path_numbers(self) -> Option<&'a [i64]> {
        let mut parts = self.file.path_parts().iter().filter(|part| !matches!(part, Expr::Const(_)));
        let Expr::Column(id) = parts.next().filter(|_| parts.next().is_none())? else { return None };
        let column = self.table.columns.get(*id).filter(|column| !column.has_nulls())?;
        match column.data() {
            Data::Int(cells) => Some(cells.as_slice()),
            _ => None,
        }
    }

    /// Replaces `key` by a text of the values in a row's path; rows with other values have another text.
    fn write_key(self, row: usize, key: &mut String) -> Res<()> {
        key.clear();
        let eval = Eval::new(self.cell).with_row(self.table, row);
        for part in self.file.path_parts().iter().filter(|part| !matches!(part, Expr::Const(_))) {
            let start = key.len();
            eval.render_into(part, key).or_else(|failure| match failure.kind {
                FailureKind::NullAtBuild => {
                    let message = format!("a part of the path of `{}` is null in row {}", self.file.name, row + 1);
                    fail_with_help(FailureKind::PathAtBuild, message, "leave such rows out with `where`")
                }
                _ => Err(failure),
            })?;
            let length = key.len() - start;
            key.push(':');
            write_int(length as i64, key);
        }
        Ok(())
    }

    /// Builds the group for a file with these rows: its layout and parts.
    fn build_group(self, path: String, rows: Vec<u32>) -> Res<Group<'a>> {
        let eval = Eval::new(self.cell);
        let eval = match rows.first() {
            Some(first) if self.file.split => eval.with_row(self.table, *first as usize),
            _ => eval,
        };
        let around = |text: &'a Option<Expr>| {
            text.as_ref().map(|text| eval.evaluate_text(text).or_span(self.file.span)).transpose()
        };
        let encoding = find_encoding(self.form)?;
        let mut dress = TableLayout {
            quoted: self.form.quoted,
            crlf: self.form.crlf,
            bom: self.form.bom,
            encoding,
            above: around(&self.form.above)?,
            below: around(&self.form.below)?,
            header: self.form.header,
            ..TableLayout::new(self.file.format, Vec::new())
        };
        let parts = match self.line {
            None => {
                dress.delimiter = u8::try_from(self.form.delimiter).unwrap_or(dress.delimiter);
                self.relation.iter_written_columns().map(|(id, _)| Part::Column(id)).collect()
            }
            Some(line) => {
                dress.format = Format::Text;
                let (pattern, parts) = self.parse_line(line)?;
                dress.line = Some(pattern);
                parts
            }
        };
        dress.columns = parts.iter().map(|part| name_of(self.relation, part).to_owned()).collect();
        Ok(Group { path, rows, dress, parts })
    }

    /// Parses the pattern of a text's lines, and the content of its fields.
    fn parse_line(self, line: &'a Expr) -> Res<(Line, Vec<Part<'a>>)> {
        let (mut pieces, mut parts) = (Vec::new(), Vec::new());
        self.collect_pieces(line, &mut pieces, &mut parts);
        match Line::new(&pieces) {
            Ok(line) if self.can_begin_with_blank(&pieces, &parts) => Ok((line.with_blanks_before(), parts)),
            Ok(line) => Ok((line, parts)),
            Err(_) if self.form.styled.is_empty() => {
                // Its parts cannot be read, but the line as a whole can.
                match Line::new(&[Piece::Column(0, tables::CellType::Text)]) {
                    Ok(whole) => Ok((whole, vec![Part::Computed(line)])),
                    Err(_) => fail_computation("a line is not a pattern"),
                }
            }
            Err(_) => {
                let message = format!("the lines of `{}` cannot be read back", self.file.name);
                let help = "write fixed text between the columns of the line, each of them once";
                fail_with_help(FailureKind::NotRecoverable, message, help).or_span(self.file.span)
            }
        }
    }

    /// Checks whether a line begins with a cell that may have an additional space before it.
    fn can_begin_with_blank(self, pieces: &[Piece], parts: &[Part<'a>]) -> bool {
        match (pieces.first(), parts.first()) {
            (Some(Piece::Column(..)), Some(Part::Column(id))) => {
                let mut styles = self.form.find_styles(*id).iter().filter_map(Style::text_style);
                styles.any(|style| style.record().pads)
            }
            _ => false,
        }
    }

    fn collect_pieces(self, expr: &'a Expr, pieces: &mut Vec<Piece>, parts: &mut Vec<Part<'a>>) {
        match expr {
            Expr::Concat(inner) => inner.iter().for_each(|part| self.collect_pieces(part, pieces, parts)),
            Expr::Const(value) if !value.is_null() => pieces.push(Piece::Text(value.render_text().into_owned())),
            Expr::Column(id) => {
                let ty = self.relation.columns.get(*id).map(|column| to_cell_type(column.cells.value_type));
                pieces.push(Piece::Column(parts.len(), ty.unwrap_or(tables::CellType::Text)));
                parts.push(Part::Column(*id));
            }
            other => {
                pieces.push(Piece::Column(parts.len(), tables::CellType::Text));
                parts.push(Part::Computed(other));
            }
        }
    }

    /// Returns the clean value of a part in a row.
    pub fn clean_value(self, part: &Part<'a>, row: usize) -> Res<Val<'a>> {
        match part {
            Part::Column(id) => Ok(self.table.read_cell(*id, row)),
            Part::Computed(expr) => {
                let mut text = String::new();
                Eval::new(self.cell).with_row(self.table, row).render_into(expr, &mut text)?;
                Ok(Val::Own(Value::Text(text)))
            }
        }
    }
}

/// Returns the name of a part.
pub(crate) fn name_of<'a>(relation: &'a Relation, part: &Part<'_>) -> &'a str {
    match part {
        Part::Column(id) => relation.columns.get(*id).map_or("", |column| column.name.as_str()),
        Part::Computed(_) => "line",
    }
}

/// Returns the encoding of a form.
pub(crate) fn find_encoding(form: &Form) -> Res<Encoding> {
    let reject = || fail_computation(format!("{:?} is not an encoding", form.encoding));
    Encoding::from_word(&form.encoding).map_or_else(reject, Ok)
}

/// Encodes a text; fails if the encoding lacks one of its characters.
pub(crate) fn encode_text(encoding: Encoding, text: String) -> Res<Content> {
    if encoding == Encoding::Utf8 {
        return Ok(Content::Text(text));
    }
    match encoding.encode(&text) {
        Ok(bytes) => Ok(Content::Encoded { bytes: bytes.into_owned(), text }),
        Err(char) => fail_computation(format!("{} does not have {char:?}", encoding.word())),
    }
}
