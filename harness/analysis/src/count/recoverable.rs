//! Finds the drawn values that can certainly be read back from the prompt and files of an instance: instances that differ in one of them are different.

use std::borrow::Cow;
use std::collections::BTreeSet;

use model::Domain;
use model::domain::LoremUnit;
use model::suite::{
    ColumnId, ColumnSource, Expr, FileContent, NameId, NameSource, Prompt, Relation, RelationId, Shape, Variant,
};

use super::draws::CountScope;

/// The values that can be read back.
#[derive(Debug, Default)]
pub struct Shown {
    /// The drawn values.
    pub drawn: BTreeSet<Drawn>,
    /// Relations whose rows can be counted in a file.
    pub counted: BTreeSet<RelationId>,
}

/// Where a string is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// In a prompt: paths of files are known, because they can also be read in the sandbox.
    Prompt,
    /// In the sandbox.
    Sandbox,
}

/// A drawn value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drawn {
    /// A name.
    Name(NameId),
    /// The cells of a column.
    Column(RelationId, ColumnId),
}

/// A piece of a string.
enum Piece<'p> {
    /// Text that is the same in every sample of the cell, or known from elsewhere.
    Text(String),
    /// Text that is known from elsewhere, but whose first character is not.
    Known,
    /// A drawn value, with its domain.
    Drawn(Drawn, Cow<'p, Domain>),
    /// Anything else.
    Other,
}

impl Shown {
    /// Finds the values of the task's instances, or of those of one variant.
    pub fn new<'p>(here: CountScope<'p>, variant: Option<&'p Variant>) -> Shown {
        let mut shown = Shown::default();
        for file in &here.task.files {
            shown.add_string(here, &file.path, None);
            match &file.content {
                FileContent::Unknown(never) => match *never {},
                FileContent::Delimited { relation, .. } => shown.add_table(here, *relation),
                FileContent::Sqlite { tables, .. } => tables.iter().for_each(|table| shown.add_table(here, *table)),
                FileContent::Tables(tables) => tables.iter().for_each(|table| shown.add_table(here, *table)),
                FileContent::TextLines { relation, line, .. } => shown.add_lines(here, *relation, line),
                FileContent::Tree { shape, .. } => shown.add_shape(here, shape),
                FileContent::ComputedText(text) => shown.add_string(here, text, None),
                FileContent::ComputedTree(value) => shown.add_tree(here, value),
                FileContent::DrawnText(_) | FileContent::Fixture { .. } | FileContent::FixtureByRow(_) => {}
            }
            if file.format.doubles {
                file.content.relations().iter().for_each(|relation| shown.as_doubles(here, *relation));
            }
        }
        // If there are several wordings, it is unknown which one is used.
        let one = |prompt: &'p Prompt| match prompt.wordings.as_slice() {
            [] => Some(None),
            [one] => Some(Some(one)),
            _ => None,
        };
        let prompts = (one(&here.task.prompt), variant.map_or(Some(None), |variant| one(&variant.prompt)));
        if let (Some(first), Some(second)) = prompts {
            let mut pieces = Vec::new();
            for (at, text) in first.into_iter().chain(second).enumerate() {
                if at > 0 {
                    pieces.push(Piece::Text("\n".to_owned()));
                }
                split_string(here, text, None, Source::Prompt, &mut pieces);
            }
            shown.read_pieces(pieces);
        }
        shown
    }

    fn add_table<'p>(&mut self, here: CountScope<'p>, id: RelationId) {
        self.counted.insert(id);
        let Some(relation) = here.relation(id) else { return };
        for (column, declared) in relation.columns.iter_enumerated() {
            if !declared.helper {
                self.add_cell(here, id, relation, column);
            }
        }
    }

    /// Removes columns of numbers with more than 15 digits: they are written as doubles, so different numbers may look the same.
    fn as_doubles<'p>(&mut self, here: CountScope<'p>, id: RelationId) {
        let Some(relation) = here.relation(id) else { return };
        self.drawn.retain(|drawn| {
            let Drawn::Column(of, column) = drawn else { return true };
            let digits = relation.columns.get(*column).and_then(|column| match &column.source {
                ColumnSource::Draw { draw, .. } if column.cells.value_type.is_number() => {
                    Some(here.count_choices(draw).most)
                }
                _ => None,
            });
            *of != id || digits.is_none_or(|digits| digits < 15.0)
        });
    }

    /// Adds a cell that is written unchanged in each row.
    fn add_cell<'p>(&mut self, here: CountScope<'p>, id: RelationId, relation: &'p Relation, column: ColumnId) {
        self.drawn.insert(Drawn::Column(id, column));
        if let Some(ColumnSource::Compute(expr)) = relation.columns.get(column).map(|column| &column.source)
            && here.compute_row_bounds(relation).0 > 0
        {
            self.add_string(here, expr, Some(id));
        }
    }

    fn add_shape<'p>(&mut self, here: CountScope<'p>, shape: &'p Shape) {
        match shape {
            Shape::Cell(id, column) => {
                if let Some(relation) = here.relation(*id) {
                    self.add_cell(here, *id, relation, *column);
                }
            }
            Shape::Object(fields) => fields.iter().for_each(|field| self.add_shape(here, &field.shape)),
            Shape::Array(id, element) => {
                self.counted.insert(*id);
                self.add_shape(here, element);
            }
        }
    }

    fn add_tree<'p>(&mut self, here: CountScope<'p>, value: &'p Expr) {
        match value {
            Expr::List(items) => items.iter().for_each(|item| self.add_tree(here, item)),
            Expr::Object(fields) => fields.iter().for_each(|(_, field)| self.add_tree(here, field)),
            leaf => self.add_string(here, leaf, None),
        }
    }

    /// Adds the values in lines if the lines can be separated, because no value may contain a line end.
    fn add_lines<'p>(&mut self, here: CountScope<'p>, id: RelationId, line: &'p Expr) {
        let mut pieces = Vec::new();
        split_string(here, line, Some(id), Source::Sandbox, &mut pieces);
        let apart = pieces.iter().all(|piece| match piece {
            Piece::Text(text) => !text.contains('\n'),
            Piece::Drawn(_, domain) => !may_hold(domain, '\n'),
            Piece::Known | Piece::Other => false,
        });
        if apart && here.relation(id).is_some_and(|relation| here.compute_row_bounds(relation).0 > 0) {
            self.counted.insert(id);
            self.read_pieces(pieces);
        }
    }

    /// Adds the values in a whole string, such as a path. `row`: the relation of the current row.
    fn add_string<'p>(&mut self, here: CountScope<'p>, expr: &'p Expr, row: Option<RelationId>) {
        let mut pieces = Vec::new();
        split_string(here, expr, row, Source::Sandbox, &mut pieces);
        self.read_pieces(pieces);
    }

    /// Reads values from both ends: a value ends where the next text begins, if the value cannot contain that text's first character. If only one value
    /// remains, it is the rest of the string.
    fn read_pieces(&mut self, pieces: Vec<Piece<'_>>) {
        let pieces = merge_texts(pieces);
        self.read_on(pieces.iter(), |text| text.chars().next());
        self.read_on(pieces.iter().rev(), |text| text.chars().next_back());
        let mut left = pieces.iter().filter(|piece| match piece {
            Piece::Drawn(drawn, _) => !self.drawn.contains(drawn),
            Piece::Other => true,
            Piece::Text(_) | Piece::Known => false,
        });
        if let (Some(Piece::Drawn(drawn, _)), None) = (left.next(), left.next()) {
            let drawn = *drawn;
            // A value that appears several times cannot be found as the rest.
            let times =
                pieces.iter().filter(|piece| matches!(piece, Piece::Drawn(other, _) if *other == drawn)).count();
            if times == 1 {
                self.drawn.insert(drawn);
            }
        }
    }

    fn read_on<'a, 'p: 'a>(
        &mut self,
        pieces: impl Iterator<Item = &'a Piece<'p>>,
        near: impl Fn(&str) -> Option<char>,
    ) {
        let mut pieces = pieces.peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Text(_) | Piece::Known => {}
                Piece::Other => return,
                Piece::Drawn(drawn, _) if self.drawn.contains(drawn) => {}
                Piece::Drawn(drawn, domain) => {
                    let ends = match pieces.peek() {
                        None => true,
                        Some(Piece::Text(text)) => near(text).is_some_and(|first| !may_hold(domain, first)),
                        Some(_) => false,
                    };
                    if !ends {
                        return;
                    }
                    self.drawn.insert(*drawn);
                }
            }
        }
    }
}

/// Whether a value may contain the character; a wrong `true` is harmless.
fn may_hold(domain: &Domain, char: char) -> bool {
    match domain {
        Domain::Lorem { unit: LoremUnit::Words, .. } => char == ' ' || char.is_ascii_lowercase(),
        Domain::Lorem { unit: LoremUnit::Sentences, .. } => " .".contains(char) || char.is_ascii_alphabetic(),
        other => other.may_contain(char),
    }
}

/// Splits a string into pieces.
fn split_string<'p>(
    here: CountScope<'p>,
    expr: &'p Expr,
    row: Option<RelationId>,
    source: Source,
    out: &mut Vec<Piece<'p>>,
) {
    if let Some(value) = here.resolve_constant(expr) {
        out.push(Piece::Text(value.render_text().into_owned()));
        return;
    }
    match expr {
        Expr::Concat(items) => items.iter().for_each(|item| split_string(here, item, row, source, out)),
        Expr::Name(id) => match here.task.names.get(*id).map(|name| &name.source) {
            Some(NameSource::Compute(expr @ (Expr::Concat(_) | Expr::Name(_)))) => {
                split_string(here, expr, row, source, out)
            }
            Some(NameSource::Draw { draw, .. }) if !draw.may_be_blank() => out.push(match here.resolve_domain(draw) {
                Some(domain) => Piece::Drawn(Drawn::Name(*id), domain),
                None => Piece::Other,
            }),
            _ => out.push(Piece::Other),
        },
        Expr::Column(column) => {
            out.push(row.and_then(|row| find_column_piece(here, row, *column)).unwrap_or(Piece::Other))
        }
        Expr::FilePath(_) | Expr::Folder(_) if source == Source::Prompt => out.push(Piece::Known),
        Expr::Folder(path) => out.push(Piece::Text(path.clone())),
        Expr::FilePath(id) => match here.task.files.get(*id) {
            Some(file) => split_string(here, &file.path, row, source, out),
            None => out.push(Piece::Other),
        },
        Expr::Sandbox => out.push(Piece::Known),
        _ => out.push(Piece::Other),
    }
}

fn find_column_piece<'p>(here: CountScope<'p>, row: RelationId, column: ColumnId) -> Option<Piece<'p>> {
    match &here.relation(row)?.columns.get(column)?.source {
        ColumnSource::Draw { draw, .. } if !draw.may_be_blank() => {
            Some(Piece::Drawn(Drawn::Column(row, column), here.resolve_domain(draw)?))
        }
        _ => None,
    }
}

/// Joins adjacent texts, and removes empty ones.
fn merge_texts(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    let mut out: Vec<Piece<'_>> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (out.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => out.push(piece),
        }
    }
    out
}
