//! What a file means: its tree without places, with strings as they will be read, and raw text without the indentation of its lines.
//!
//! Whatever else in the tree depends on layout counts as a difference: nothing but what is named here is taken out.

use std::fmt::{self, Write as _};

use super::multiline::may_move;
use crate::ast::*;

/// The tree as text, without places. Two files of one meaning have the same.
pub fn meaning(mut file: File) -> String {
    file.comments.clear();
    for item in &mut file.items {
        match &mut item.kind {
            ItemKind::Suite(suite) => suite.settings.iter_mut().for_each(|setting| {
                expr(&mut setting.value);
                setting.allow.iter_mut().flat_map(|allow| &mut allow.reason).for_each(string);
            }),
            ItemKind::Use(path) => string(path),
            ItemKind::Domain(def) => domain(&mut def.domain),
            ItemKind::Table(def) => body(&mut def.body),
            ItemKind::TableFrom(table) => table_from(table),
            ItemKind::Constant(constant) => expr(&mut constant.value),
            ItemKind::Task(task) => task.body.iter_mut().for_each(stmt),
            ItemKind::Function(_) | ItemKind::Reserved(_) => {}
        }
    }
    let mut out = Placeless::default();
    // Writing to a text cannot fail.
    let _ = write!(out, "{file:?}");
    out.text
}

/// Debug output without what is in `Span { … }`.
#[derive(Default)]
struct Placeless {
    text: String,
    /// Inside a text's quotes, and whether a backslash came before.
    quoted: bool,
    escaped: bool,
    /// Inside a `Span { … }`.
    place: bool,
}

/// How a place begins in Debug output.
const PLACE: &str = "Span {";

impl fmt::Write for Placeless {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if self.place {
                self.place = c != '}';
                continue;
            }
            self.text.push(c);
            match c {
                _ if self.escaped => self.escaped = false,
                '\\' if self.quoted => self.escaped = true,
                '"' => self.quoted = !self.quoted,
                '{' if !self.quoted && self.text.ends_with(PLACE) => {
                    self.text.truncate(self.text.len() - PLACE.len());
                    self.place = true;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn stmt(stmt: &mut Stmt) {
    match &mut stmt.kind {
        StmtKind::Draw { domain: drawn, .. } => domain(drawn),
        StmtKind::Compute(compute) => expr(&mut compute.value),
        StmtKind::Samples(value) | StmtKind::Require(value) | StmtKind::Tags(value) => expr(value),
        StmtKind::Axis { cells, .. } => expr(cells),
        StmtKind::Data(data) => {
            string(&mut data.path);
            for option in &mut data.options {
                if let WritingKind::Delimiter(text) = &mut option.kind {
                    string(text);
                }
            }
            match &mut data.content {
                Content::Drawn(drawn) => domain(drawn),
                Content::Computed(value) => expr(value),
                Content::Fixture(path) => string(path),
                Content::Tables(tables) => tables.iter_mut().for_each(|table| body(&mut table.body)),
                Content::Body { body: rows, .. } => body(rows),
                Content::Missing(_) => {}
            }
        }
        StmtKind::Table(table) => body(&mut table.body),
        StmtKind::TableFrom(table) => table_from(table),
        StmtKind::Clutter { count, within } => {
            expr(count);
            within.iter_mut().for_each(string);
        }
        StmtKind::Folder(path) => string(path),
        StmtKind::Prompt(Prompt::One(text)) => string(text),
        StmtKind::Prompt(Prompt::OneOf(texts)) => texts.iter_mut().for_each(expr),
        StmtKind::Prompt(Prompt::Missing(_)) | StmtKind::Reserved(_) => {}
        StmtKind::Expect(expect) => {
            match &mut expect.subject {
                Subject::Reply { slice, .. } => match slice {
                    Some(Slice::After(text)) => string(text),
                    Some(Slice::Fenced(_, text)) => text.iter_mut().for_each(string),
                    Some(Slice::LastLine(_)) | None => {}
                },
                Subject::File(value) | Subject::Files(value) | Subject::Tree(value) => expr(value),
            }
            expect.answer.iter_mut().for_each(|answer| expr(&mut answer.value));
            expect.options.iter_mut().for_each(option);
        }
        StmtKind::Variant { body, .. } => body.iter_mut().for_each(self::stmt),
        StmtKind::Allow(allow) => allow.reason.iter_mut().for_each(string),
    }
}

fn table_from(table: &mut TableFrom) {
    string(&mut table.path);
    for option in &mut table.options {
        match &mut option.kind {
            ReadingKind::Written(WritingKind::Delimiter(text)) | ReadingKind::Sheet(text) => string(text),
            ReadingKind::Written(WritingKind::Quoted | WritingKind::Crlf | WritingKind::Bom) => {}
        }
    }
}

fn option(option: &mut Opt) {
    match &mut option.kind {
        OptKind::Within(value) | OptKind::Rounded(value) | OptKind::Unit(value) | OptKind::Weight(value) => expr(value),
        OptKind::Ignore(_) | OptKind::Ordered | OptKind::Unordered | OptKind::Open | OptKind::Gate => {}
    }
}

fn body(body: &mut Body) {
    body.rows.iter_mut().for_each(|rows| count(&mut rows.count));
    body.lines.iter_mut().for_each(string);
    for column in &mut body.columns {
        match &mut column.kind {
            ColumnKind::Draw(drawn) => domain(drawn),
            ColumnKind::Compute(value) => expr(value),
        }
    }
}

fn count(count: &mut Count) {
    expr(&mut count.low);
    count.high.iter_mut().for_each(expr);
}

fn domain(drawn: &mut Domain) {
    match &mut drawn.kind {
        DomainKind::Named(named) => {
            if let Some(range) = &mut named.range {
                expr(&mut range.0);
                expr(&mut range.1);
            }
            named.args.iter_mut().flatten().for_each(expr);
            named.keywords.iter_mut().for_each(|(_, value)| expr(value));
            named.operand.iter_mut().for_each(|value| expr(value));
        }
        DomainKind::OneOfConstant(_) => {}
        DomainKind::OneOf(values) => values.iter_mut().for_each(expr),
        DomainKind::OneOfLines(text) | DomainKind::Pattern(text) | DomainKind::Template(text) => string(text),
        DomainKind::Weighted(weights) => weights.iter_mut().for_each(|(value, weight)| {
            expr(value);
            expr(weight);
        }),
        DomainKind::Ref { filter, .. } => filter.iter_mut().for_each(|filter| expr(filter)),
        DomainKind::Lorem { count: many, .. } => count(many),
        DomainKind::Object(fields) => body(fields),
        DomainKind::Array { element, count: many } => {
            domain(element);
            count(many);
        }
        DomainKind::Missing => {}
    }
    drawn.suffixes.iter_mut().for_each(|suffix| expr(&mut suffix.value));
}

fn expr(value: &mut Expr) {
    match &mut value.kind {
        ExprKind::String(text) => string(text),
        ExprKind::List(values) => values.iter_mut().for_each(expr),
        ExprKind::Object(fields) => fields.iter_mut().for_each(|field| {
            expr(&mut field.value);
            field.options.iter_mut().for_each(option);
        }),
        ExprKind::Call(call) => call.args.iter_mut().for_each(|arg| {
            match &mut arg.value {
                ArgValue::Expr(value) => expr(value),
                ArgValue::Raw(raw) => raw.text = without_indentation(raw),
            }
            arg.filter.iter_mut().for_each(expr);
        }),
        ExprKind::Placeholder(inner) | ExprKind::Paren(inner) => expr(inner),
        ExprKind::Unary { operand, .. } => expr(operand),
        ExprKind::Binary { left, right, .. } => {
            expr(left);
            expr(right);
        }
        ExprKind::If { condition, then, otherwise } => {
            expr(condition);
            expr(then);
            expr(otherwise);
        }
        _ => {}
    }
}

fn string(text: &mut StringLit) {
    for piece in &mut text.pieces {
        if let Piece::Placeholder(held) = piece {
            expr(held);
        }
    }
    if text.triple {
        let span = text.span;
        let cooked = text.cook().into_iter().map(|piece| match piece {
            Cooked::Text(text) => Piece::Text(text, span),
            Cooked::Placeholder(expr) => Piece::Placeholder(expr.clone()),
        });
        text.pieces = cooked.collect();
    }
}

/// Raw text without the blanks in front of its lines, where these may be moved.
fn without_indentation(raw: &Raw) -> String {
    if !may_move(raw) {
        return raw.text.clone();
    }
    raw.text.split_inclusive('\n').map(|line| line.trim_start_matches([' ', '\t'])).collect()
}
