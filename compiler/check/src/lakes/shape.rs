//! The columns of a file that is read: where their cells are, and how they are read.

use model::format::Holds;
use model::{Format, Span};
use tables::{CellType, Column, Headers, Layout, Line, Piece, Place, Reading, Shape, Unpivot, Values};

use super::cell_lines::{collect_line_pieces, list_names};
use super::domain::CellDomain;
use super::styles::Lined;
use crate::context::Checker;
use crate::lakes::LakeChecker;
use syntax::ast::{self, ColumnKind, PlaceKind, StyleKind};
use syntax::diagnostics::wording::{build_duplicate_diagnostic, build_repeated_diagnostic};
use syntax::diagnostics::{Code, Diagnostic};

/// The declaration of a table of a file.
pub(super) struct DeclaredTable<'a> {
    /// The columns to read and how to find them.
    pub shape: Shape,
    /// Other declared properties of the columns that are read, in the order of [`tables::TableData::columns`].
    pub read: Vec<DeclaredColumn<'a>>,
    /// All columns in source order.
    pub slots: Vec<Slot<'a>>,
    /// `key (A, B)` and `unique (A, B)`.
    pub constraints: Vec<&'a ast::Constraint>,
}

/// A column that is read.
pub(super) struct DeclaredColumn<'a> {
    pub name: &'a ast::Ident,
    /// The span that determines which cells belong to it.
    pub at: Span,
    pub domain: CellDomain,
    /// Whether cells can be null because the column has its own null marks, even if no cell is.
    pub nullable: bool,
    /// The spans at which the reading of its cells can be changed.
    pub spots: Spots<'a>,
}

/// The spans in the declaration of a column that determine how its cells are found and read.
#[derive(Clone, Copy)]
pub(super) struct Spots<'a> {
    /// The span of `from …`, or the position to insert it. `None` if several columns share one declaration, or if the place is declared in another way.
    pub place: Option<Span>,
    /// The styles.
    pub styles: &'a [ast::Style],
    /// The position to insert `as …` if it is missing. `None` for a column that cannot have styles.
    pub end: Option<Span>,
}

/// A column.
#[derive(Clone, Copy)]
pub(super) enum Slot<'a> {
    /// A column that is read, with its index among these.
    Read(usize),
    /// A column that is computed from others.
    Computed(&'a ast::Ident, &'a ast::Column),
}

impl<'a> Slot<'a> {
    pub fn name(self, declared: &DeclaredTable<'a>) -> Option<&'a ast::Ident> {
        match self {
            Slot::Read(at) => declared.read.get(at).map(|column| column.name),
            Slot::Computed(name, _) => Some(name),
        }
    }
}

/// The results so far.
pub(super) struct ShapeBuilder<'a> {
    pub layout: Layout,
    pub columns: Vec<(Column, DeclaredColumn<'a>)>,
    /// With the index of its body.
    unpivot: Option<(usize, &'a ast::Unpivot, Unpivot, Vec<DeclaredColumn<'a>>)>,
    /// The position of each other column in the source, and the column.
    order: Vec<(usize, u32, Slot<'a>)>,
    names: Vec<&'a ast::Ident>,
    /// The names of columns that are parts of cells, with the indexes of these.
    parts: Vec<(&'a str, usize)>,
    pub sound: bool,
}

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Checks the columns that `bodies` declare for a file with this layout. Returns `None` after reporting an error.
    pub(super) fn check_declared_shape(
        &mut self,
        layout: Layout,
        bodies: &[&'a ast::Body],
    ) -> Option<DeclaredTable<'a>> {
        let mut found = ShapeBuilder {
            layout,
            columns: Vec::new(),
            unpivot: None,
            order: Vec::new(),
            names: Vec::new(),
            parts: Vec::new(),
            sound: true,
        };
        for (at, line) in bodies.iter().flat_map(|body| &body.cell_lines).enumerate() {
            found.parts.extend(list_names(&line.text).map(|name| (name, at)));
        }
        for (index, body) in bodies.iter().enumerate() {
            self.read_body_columns(index, body, &mut found);
        }
        let splits = self.check_cell_lines(bodies, &mut found);
        let line = self.task.cx.check_line_pattern(bodies, &mut found);
        if !found.sound {
            return None;
        }
        let plain = found.columns.len();
        let (columns, mut read): (Vec<Column>, Vec<DeclaredColumn<'a>>) = found.columns.into_iter().unzip();
        let unpivot = found.unpivot.map(|(body, _, unpivot, columns)| {
            let slots = (plain..).zip(&columns).map(|(at, column)| (body, column.name.span.start, Slot::Read(at)));
            found.order.extend(slots);
            read.extend(columns);
            unpivot
        });
        found.order.sort_by_key(|(body, start, _)| (*body, *start));
        let slots = found.order.into_iter().map(|(_, _, slot)| slot);
        let constraints = bodies.iter().flat_map(|body| &body.constraints).collect();
        let shape = Shape { layout: found.layout, columns, unpivot, line, splits };
        Some(DeclaredTable { shape, read, slots: slots.collect(), constraints })
    }

    fn read_body_columns(&mut self, index: usize, body: &'a ast::Body, found: &mut ShapeBuilder<'a>) {
        let rows = body.iter_rows_clauses();
        self.task.cx.reject_clauses(rows, "a file that is read has its own rows", "not here", "remove `rows`");
        for column in &body.columns {
            found.sound &= self.read_column(index, column, found).is_some();
        }
        for unpivot in &body.unpivots {
            found.sound &= self.read_unpivot(index, unpivot, found).is_some();
        }
        let indexes = body.constraints.iter().filter(|constraint| constraint.kind == ast::ConstraintKind::Index);
        self.task.cx.reject_clauses(
            indexes.map(|index| index.span),
            "`index` does not apply to a file that is read",
            "not a database",
            "remove it, because it does not change any row",
        );
    }

    /// Reads a column. Returns `None` after reporting an error.
    fn read_column(&mut self, index: usize, column: &'a ast::Column, found: &mut ShapeBuilder<'a>) -> Option<()> {
        if found.layout.format != Format::Xml {
            column.keys.iter().for_each(|key| self.task.cx.reject_attribute(key));
        }
        let domain = match &column.kind {
            ColumnKind::Compute(_) => {
                let misplaced = column.place.as_ref().map(|place| place.span);
                for at in misplaced.into_iter().chain(column.styles.iter().map(|style| style.span)) {
                    let message = "a computed column is not read from a cell";
                    self.task.cx.report(Diagnostic::new(Code::MISPLACED, message, at, "not here").help("remove this"));
                    found.sound = false;
                }
                for key in &column.keys {
                    if found.add_name(self.task.cx, &key.name) {
                        found.order.push((index, key.name.span.start, Slot::Computed(&key.name, column)));
                    }
                }
                return Some(());
            }
            ColumnKind::Draw(domain) => self.check_cell_domain(domain)?,
        };
        let reading = self.check_cell_reading(&column.styles, &domain, &found.layout)?;
        if let (Some(place), [_, _, ..]) = (&column.place, column.keys.as_slice()) {
            let message = "one place cannot be that of several columns";
            let said = Diagnostic::new(Code::MISPLACED, message, place.span, "of which column?");
            self.task.cx.report(said.help("declare each column by itself: A : int from 1  B : int from 2"));
            return None;
        }
        for key in &column.keys {
            let Some(place) = self.place_of(key, column.place.as_ref(), found) else {
                found.sound = false;
                continue;
            };
            if !found.add_name(self.task.cx, &key.name) {
                continue;
            }
            found.order.push((index, key.name.span.start, Slot::Read(found.columns.len())));
            let nullable = is_nullable(&column.styles);
            let at = column.place.as_ref().map_or(key.name.span, |place| place.span);
            let written = column.place.as_ref().map(|place| place.span);
            let here = written.or_else(|| (column.keys.len() == 1).then_some(domain.span.shrink_to_end()));
            let end = Some(written.unwrap_or(domain.span).shrink_to_end());
            let spots = Spots { place: here, styles: &column.styles, end };
            let proved = DeclaredColumn { name: &key.name, at, domain: domain.clone(), nullable, spots };
            found.columns.push((Column { name: key.name.text.clone(), place, reading: reading.clone() }, proved));
        }
        Some(())
    }

    /// Determines where the cells of a column are.
    fn place_of(&mut self, key: &ast::Key, place: Option<&'a ast::Place>, found: &ShapeBuilder<'a>) -> Option<Place> {
        let name = &key.name;
        let layout = &found.layout;
        let format = layout.format;
        let Some(place) = place else {
            if format.holds == Holds::Text {
                return Some(Place::Line);
            }
            if let Some((_, split)) = found.parts.iter().find(|(part, _)| *part == name.text) {
                return Some(Place::Part(*split));
            }
            if layout.header == 0 && !format.has_keys() {
                let message = format!("the column `{}` has no header to be found by", name.text);
                let said = Diagnostic::new(Code::MISSING_PART, message, name.span, "where is it?");
                self.task.cx.report(said.help(format!("write its position: {} : … from 1", name.text)));
                return None;
            }
            let at = if key.attribute { "@" } else { "" };
            return Some(Place::Header(format!("{at}{}", name.text)));
        };
        self.find_place(place, layout)
    }

    /// Determines the place that is declared.
    pub(super) fn find_place(&mut self, place: &'a ast::Place, layout: &Layout) -> Option<Place> {
        let format = layout.format;
        let in_text = format.holds == Holds::Text;
        let (span, message, help) = match &place.kind {
            PlaceKind::Header(_) | PlaceKind::Position(_) if in_text => {
                (place.span, "lines of text do not have cells".to_owned(), "write its characters: from 1..10")
            }
            PlaceKind::Header(text) if layout.header == 0 && !format.has_keys() => {
                let message = "a file without a header has no column of this name".to_owned();
                (text.span, message, "write its position: from 1")
            }
            PlaceKind::Header(text) => return self.require_nonblank_text(text, "a header").map(Place::Header),
            PlaceKind::Position(_) if format.has_keys() => {
                let message = format!("fields of {} do not have positions", format.noun);
                (place.span, message, "write its key: from \"key\"")
            }
            PlaceKind::Position(at) if at.value == 0 => {
                let message = "columns are counted from 1".to_owned();
                (at.span, message, "write the position of the first column: from 1")
            }
            PlaceKind::Position(at) => return Some(Place::Position(at.value)),
            PlaceKind::Characters(..) if !in_text => {
                let message = format!("{} is not read by its characters", format.noun);
                (place.span, message, "write the header, or the position of the column: from 1")
            }
            PlaceKind::Characters(first, last) if first.value == 0 => {
                (first.span.extend_to(last.span), "characters are counted from 1".to_owned(), "begin with 1")
            }
            PlaceKind::Characters(first, last) if last.value < first.value => {
                let span = first.span.extend_to(last.span);
                let text = format!("{}..{}", last.value, first.value);
                let (low, high) = (first.value.to_string(), last.value.to_string());
                self.task.cx.report(crate::domains::domain::build_empty_range_diagnostic(span, &low, &high, text));
                return None;
            }
            PlaceKind::Characters(first, last) => return Some(Place::Characters(first.value, last.value)),
        };
        self.task.cx.report(Diagnostic::new(Code::MISPLACED, message, span, "does not fit").help(help));
        None
    }

    /// Determines how the cells of a column of this type are read.
    fn check_cell_reading(
        &mut self,
        styles: &'a [ast::Style],
        domain: &CellDomain,
        layout: &Layout,
    ) -> Option<Reading> {
        let ty = domain.ty;
        let bounds = domain.compute_moment_bounds();
        let mut reading = Reading::from_type(ty);
        let mut missing: Option<(Vec<String>, Span)> = None;
        let mut sound = true;
        for style in styles {
            match &style.kind {
                StyleKind::Missing(marks) => match missing {
                    Some((_, first)) => self.task.cx.report(build_repeated_diagnostic("missing", style.span, first)),
                    None => missing = Some((self.check_null_marks(marks)?, style.span)),
                },
                StyleKind::Written(written) => {
                    if let Some(share) = &written.share {
                        let message = "a share does not apply to a file that is read";
                        let said = Diagnostic::new(Code::MISPLACED, message, share.span, "nothing is drawn here");
                        self.task.cx.report(said.help("remove it: every cell must fit one of the patterns"));
                        sound = false;
                    }
                    match self.parse_written_pattern(written, ty) {
                        Some(pattern) => reading.written.push(match bounds {
                            Some((first, last)) => pattern.with_range(first, last),
                            None => pattern,
                        }),
                        None => sound = false,
                    }
                }
                StyleKind::Text(kind, _) => {
                    let message = format!("`{}` is not a style of a file that is read", kind.word());
                    let help = format!("read the cells as text, and compute: X = {}", kind.record().evened);
                    let said = Diagnostic::new(Code::MISPLACED, message, style.span, "does not fit");
                    self.task.cx.report(said.help(help));
                    sound = false;
                }
            }
        }
        sound = sound && self.task.cx.can_leave_out(styles, &reading.written);
        reading.missing = missing.map_or_else(|| layout.missing.clone(), |(marks, _)| marks);
        sound.then_some(reading)
    }

    /// Reads an `unpivot`; a second one is ignored. Returns `None` after reporting an error.
    fn read_unpivot(&mut self, index: usize, unpivot: &'a ast::Unpivot, found: &mut ShapeBuilder<'a>) -> Option<()> {
        if let Some((_, first, ..)) = &found.unpivot {
            self.task.cx.report(build_repeated_diagnostic("unpivot", unpivot.span, first.span));
            return Some(());
        }
        if found.layout.format.holds == Holds::Text || found.layout.header == 0 {
            let message = "`unpivot` needs columns with headers";
            let said = Diagnostic::new(Code::MISPLACED, message, unpivot.span, "needs a header");
            self.task.cx.report(said.help("remove it, or read a header: header 1"));
            return None;
        }
        let domain = match &unpivot.domain {
            None => CellDomain::from_type(CellType::Text, unpivot.name.span),
            Some(domain) => self.check_cell_domain(domain)?,
        };
        let mut columns = Vec::new();
        let mut values = Vec::new();
        let ty = domain.ty;
        let spots = Spots { place: None, styles: &[], end: None };
        columns.push(DeclaredColumn { name: &unpivot.name, at: unpivot.name.span, domain, nullable: false, spots });
        for value in &unpivot.values {
            let domain = self.check_cell_domain(&value.domain);
            let headers = self.check_headers(&value.headers);
            let (Some(domain), Some(headers)) = (domain, headers) else {
                found.sound = false;
                continue;
            };
            let Some(reading) = self.check_cell_reading(&value.styles, &domain, &found.layout) else {
                found.sound = false;
                continue;
            };
            let nullable = is_nullable(&value.styles);
            let spots = Spots { place: None, styles: &value.styles, end: Some(value.span.shrink_to_end()) };
            columns.push(DeclaredColumn { name: &value.name, at: value.span, domain, nullable, spots });
            values.push(Values { name: value.name.text.clone(), reading, headers });
        }
        for column in &columns {
            found.add_name(self.task.cx, column.name);
        }
        let made = Unpivot { name: unpivot.name.text.clone(), reading: Reading::from_type(ty), values };
        let sound = self.task.cx.can_unpivot(&made, unpivot);
        found.unpivot = Some((index, unpivot, made, columns));
        sound.then_some(())
    }

    fn check_headers(&mut self, headers: &'a ast::Headers) -> Option<Headers> {
        Some(match headers {
            ast::Headers::List(items) => Headers::List(self.check_null_marks(items)?),
            ast::Headers::Span(first, last) => Headers::Span(
                self.require_nonblank_text(first, "a header")?,
                self.require_nonblank_text(last, "a header")?,
            ),
            ast::Headers::Pattern(text) => Headers::Star(self.require_nonblank_text(text, "a header")?),
        })
    }
}

impl<'a> ShapeBuilder<'a> {
    /// Adds a column name. Reports a duplicate, ignoring letter case as SQL does.
    fn add_name(&mut self, cx: &mut Checker<'_>, name: &'a ast::Ident) -> bool {
        if let Some(first) = self.names.iter().find(|known| known.text.eq_ignore_ascii_case(&name.text)) {
            cx.report(build_duplicate_diagnostic(name, "column", first.span, "column"));
            self.sound = false;
            return false;
        }
        self.names.push(name);
        true
    }
}

impl<'a> Checker<'a> {
    /// Checks `line "…"`, the pattern in which cells form a line.
    fn check_line_pattern(&mut self, bodies: &[&'a ast::Body], found: &mut ShapeBuilder<'a>) -> Option<Line> {
        let mut lines = bodies.iter().flat_map(|body| &body.lines);
        let line = lines.next()?;
        if let Some(second) = lines.next() {
            self.report(build_repeated_diagnostic("line", second.span, line.span));
        }
        if found.layout.format.holds != Holds::Text {
            let said =
                Diagnostic::new(Code::MISPLACED, "`line` works only in a text file", line.span, "not a text file");
            self.report(said.help("remove it: columns are found by their headers"));
            found.sound = false;
            return None;
        }
        let pieces = collect_line_pieces(self, line, found);
        let named =
            |at: usize| pieces.iter().any(|(piece, _)| matches!(piece, Piece::Column(column, _) if *column == at));
        for (at, (column, proved)) in found.columns.iter().enumerate() {
            if column.place == Place::Line && !named(at) && found.sound {
                let message = format!("`{}` is not in `line`", column.name);
                let said = Diagnostic::new(Code::MISSING_PART, message, proved.name.span, "where is it?");
                self.report(
                    said.help(format!("name it in `line` as <<{}>>, or write its characters: from 1..10", column.name)),
                );
                found.sound = false;
            }
        }
        if !found.sound {
            return None;
        }
        let names: Vec<String> = found.columns.iter().map(|(column, _)| column.name.clone()).collect();
        let built = self.build_line(&pieces, &names, line.span, Lined::Read);
        found.sound &= built.is_some();
        built
    }
}

/// Checks whether a column has its own null marks.
pub(super) fn is_nullable(styles: &[ast::Style]) -> bool {
    styles.iter().any(|style| matches!(&style.kind, StyleKind::Missing(marks) if !marks.is_empty()))
}

/// Checks whether a format supports declared columns.
pub(super) fn has_columns(format: Format) -> bool {
    !matches!(format.holds, Holds::Database | Holds::Bytes)
}
