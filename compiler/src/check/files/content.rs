//! Files: their paths and what is in them.

use plan::Span;
use plan::suite::{FileId, RelationId, Step};

use crate::ast::{self, Content, Format};
use crate::check::model::{State, TaskChecker, Unit};
use crate::check::say::twice;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::FileContent;
use crate::types::{Ty, TyKind};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks a file's path and content.
    pub fn ensure_file(&mut self, id: FileId, asked: Option<Span>) {
        match self.files[id].state {
            State::Done => return self.needed(Unit::File(id)),
            State::Doing => return self.cycle(Unit::File(id), asked),
            State::Todo => {}
        }
        if !self.begin(Unit::File(id), asked) {
            return;
        }
        self.files[id].state = State::Doing;
        let (row, outer, narrowed) = (self.row.take(), self.outer.take(), std::mem::take(&mut self.narrowed));
        let data = self.files[id].ast;
        let relations = self.files[id].relations.clone();
        for relation in &relations {
            // A fixture is copied whatever is in its tables.
            if self.relations[*relation].cells.is_none() {
                self.ensure_relation(*relation, asked);
            }
        }
        let path = self.file_path(&data.path);
        self.writing_options(data);
        let content = self.content(id, data, &relations);
        (self.row, self.outer, self.narrowed) = (row, outer, narrowed);
        self.end();
        let decl = &mut self.files[id];
        (decl.path, decl.content, decl.state) = (Some(path), Some(content), State::Done);
        self.steps.push(Step::File(id));
    }

    fn content(&mut self, file: FileId, data: &'a ast::Data, relations: &[RelationId]) -> FileContent {
        let format = data.format;
        if !matches!(data.content, Content::Missing(_) | Content::Fixture(_))
            && matches!(format, Format::Json | Format::Yaml | Format::Xml)
        {
            return self.tree_content(file, data).unwrap_or_else(|| self.bad_content(data));
        }
        match &data.content {
            Content::Missing(_) => FileContent::Unknown(()),
            Content::Fixture(_) => match self.files[file].fixture.take() {
                Some(fixture) => FileContent::Fixture { bytes: fixture.bytes, kind: fixture.kind },
                None => FileContent::Unknown(()),
            },
            Content::Body { body, .. } => {
                let Some(relation) = relations.first().copied() else { return self.bad_content(data) };
                match (format, body.lines.as_slice()) {
                    (Format::Xlsx, []) => FileContent::Workbook { sheets: vec![relation] },
                    (Format::Csv | Format::Tsv, []) => self.delimited(data, relation),
                    (Format::Text, [line]) => {
                        self.row = Some(relation);
                        let line = self.string(line);
                        self.row = None;
                        FileContent::TextLines { relation, line }
                    }
                    (Format::Text, []) => {
                        self.cx.say(
                            Diagnostic::new(
                                Code::MISSING_PART,
                                "the text file does not define its lines",
                                data.name.span,
                                "no `line`",
                            )
                            .help("add: line \"<<COLUMN>> …\""),
                        );
                        FileContent::Unknown(())
                    }
                    (Format::Text, [first, second, ..]) => {
                        self.cx.say(twice("line", second.span, first.span));
                        FileContent::Unknown(())
                    }
                    (_, [line, ..]) => {
                        self.cx.say(
                            Diagnostic::new(
                                Code::MISPLACED,
                                "`line` works only in a text file",
                                line.span,
                                "not a text file",
                            )
                            .help("write: text NAME at \"app.log\" { rows 100  line \"…\"  … }"),
                        );
                        FileContent::Unknown(())
                    }
                    _ => self.bad_content(data),
                }
            }
            Content::Tables(_) if format == Format::Sqlite => {
                FileContent::Sqlite { tables: relations.to_vec(), order: self.parents_first(relations) }
            }
            Content::Tables(_) if format == Format::Xlsx => FileContent::Workbook { sheets: relations.to_vec() },
            Content::Drawn(domain) if format == Format::Text => {
                let draw = self.draw_name(domain, 0, 1);
                self.text_content(&draw.ty, draw.span);
                if draw.blank_per_million > 0 {
                    self.cx.say(
                        Diagnostic::new(Code::NULLABLE, "the content of a file can be null", draw.span, "can be null")
                            .help("remove `blank`"),
                    );
                }
                FileContent::DrawnText(draw)
            }
            Content::Computed(value) if format == Format::Text => {
                let value = self.expr(value);
                self.not_null(&value, "a file's content");
                self.text_content(&value.ty, value.span);
                FileContent::ComputedText(value)
            }
            _ => self.bad_content(data),
        }
    }

    fn text_content(&mut self, ty: &Ty, span: Span) {
        if !matches!(ty.kind, TyKind::Text | TyKind::Unknown) {
            self.cx.say(
                Diagnostic::new(
                    Code::TYPE_MISMATCH,
                    "the content of a text file must be text",
                    span,
                    format!("this is {ty}"),
                )
                .help("put the value into a string: \"<<x>>\"; a list of lines: join(list, \"\\n\")"),
            );
        }
    }

    fn bad_content(&mut self, data: &ast::Data) -> FileContent {
        let name = &data.name.text;
        let help = match data.format {
            Format::Csv => format!("write: csv {name} at \"file.csv\" {{ rows 50  NAME : person_name  … }}"),
            Format::Tsv => format!("write: tsv {name} at \"file.tsv\" {{ rows 50  NAME : person_name  … }}"),
            Format::Sqlite => {
                format!("write: sqlite {name} at \"file.db\" {{ table people {{ rows 50  ID : serial  … }} }}")
            }
            Format::Json | Format::Yaml => {
                let word = if data.format == Format::Json { "json" } else { "yaml" };
                format!(
                    "write: {word} {name} at \"file.{word}\" {{ region : region  items : [ {{ … }} ; 5 ] }}   or: … : [ {{ … }} ; 5 ]   or: … = {{ a: 1 }}"
                )
            }
            Format::Xml => {
                format!("write: xml {name} at \"file.xml\" catalog {{ @id : serial  item : [ {{ … }} ; 5 ] }}")
            }
            Format::Xlsx => {
                format!("write: xlsx {name} at \"file.xlsx\" {{ table people {{ rows 50  ID : serial  … }} }}")
            }
            Format::File => {
                format!("a `file` is copied from a fixture: file {name} at \"data.csv\" from \"fixture.csv\"")
            }
            Format::Text => format!(
                "write: text {name} at \"file.txt\" : lorem lines 100   or: … = \"text\"   or: … {{ rows 50  line \"…\"  … }}"
            ),
        };
        let wants = match data.format {
            Format::Sqlite => "a database needs tables",
            Format::Text => "a text file needs a domain, a value, or lines",
            Format::Json | Format::Yaml => "such a file needs fields, an array, or a computed value",
            Format::Xml => "an XML file needs elements",
            Format::Xlsx => "a workbook needs tables",
            Format::File => "a `file` needs a fixture",
            _ => "a table file needs rows and columns",
        };
        let (is, at) = match &data.content {
            Content::Drawn(domain) => ("a domain", domain.span),
            Content::Computed(value) => ("a value", value.span),
            Content::Tables(tables) => ("tables", tables.first().map_or(data.name.span, |table| table.span)),
            Content::Body { body, .. } => ("rows and columns", body.span),
            Content::Fixture(path) => ("a fixture", path.span),
            Content::Missing(span) => ("nothing", *span),
        };
        self.cx.say(
            Diagnostic::new(
                Code::BAD_CONTENT,
                format!("{wants}, but this is {is}"),
                at,
                format!("does not fit `{name}`"),
            )
            .label(data.format_span, "the format")
            .help(help),
        );
        FileContent::Unknown(())
    }

    /// Tables in an order that fills parents before children.
    fn parents_first(&self, tables: &[RelationId]) -> Vec<RelationId> {
        // Relations are complete in the order of their needs, and a `ref` is a need.
        let mut order = tables.to_vec();
        let at =
            |id: &RelationId| self.steps.iter().position(|step| *step == Step::Relation(*id)).unwrap_or(usize::MAX);
        order.sort_by_key(at);
        order
    }
}
