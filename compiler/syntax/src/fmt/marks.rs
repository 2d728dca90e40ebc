//! Positions in the text whose role is known from the parser's tree.

use std::collections::BTreeSet;

use crate::ast::*;

/// Roles by position. Positions are bytes of the text.
#[derive(Default)]
pub(super) struct Marks<'a> {
    /// Strings and raw text, each of which is one token.
    pub texts: Vec<(Span, Text<'a>)>,
    /// Braces that contain parts rather than fields of an object.
    pub blocks: Vec<Parts>,
    /// The items at top level.
    pub items: Vec<Part>,
    /// The positions of `(` that enclose an expression.
    pub parens: BTreeSet<u32>,
    /// The positions of `-` that are signs rather than operators.
    pub signs: BTreeSet<u32>,
    /// The positions of constraints such as `unique (A, B)`.
    pub constraints: BTreeSet<u32>,
}

/// A token whose content is not tokenized.
#[derive(Clone, Copy)]
pub(super) enum Text<'a> {
    /// `"…"`, `"""…"""`
    String(&'a StringLit),
    /// SQL, JSONPath, XPath.
    Raw(&'a Raw),
    /// The key of an object, if quoted.
    Key,
}

/// A block: the first `{` from `from` on.
pub(super) struct Parts {
    /// The position from which to search for it.
    pub from: u32,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// A statement, item, setting, or column, each of which has its own line.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Its range.
    pub span: Span,
    /// Its kind.
    pub kind: PartKind,
}

/// The kind of a part, as far as it affects the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PartKind {
    /// `NAME : …`, `NAME = …`
    Named,
    /// `title "…"`
    Setting,
    /// Anything else.
    Other,
}

/// Collects the marks of a file.
pub(super) fn collect_marks(file: &File) -> Marks<'_> {
    let part = |item: &Item| Part {
        span: item.span,
        kind: if matches!(item.kind, ItemKind::Constant(_)) { PartKind::Named } else { PartKind::Other },
    };
    let mut marks = Marks { items: file.items.iter().map(part).collect(), ..Marks::default() };
    visit_nodes(file, &mut |node| marks.mark_node(node));
    marks.texts.sort_by_key(|(span, _)| (span.start, span.end));
    marks
}

impl<'a> Marks<'a> {
    /// The string or raw text at exactly this range.
    pub fn find_text(&self, start: u32, end: u32) -> Option<Text<'a>> {
        let at = self.texts.binary_search_by_key(&(start, end), |(span, _)| (span.start, span.end)).ok()?;
        self.texts.get(at).map(|(_, text)| *text)
    }

    fn mark_node(&mut self, node: Node<'a>) {
        match node {
            Node::Item(Item { kind: ItemKind::Suite(suite), .. }) => {
                self.add_block(suite.name.span.end, list_setting_parts(suite))
            }
            Node::Item(Item { kind: ItemKind::Task(task), .. }) => {
                self.add_block(task.name.span.end, list_statement_parts(&task.body))
            }
            Node::Item(Item { kind: ItemKind::Lake(lake), .. }) => {
                self.add_block(lake.from.span.end, lake.views.iter().map(|view| make_other_part(view.span)));
            }
            Node::Stmt(Stmt { kind: StmtKind::Variant { name, body }, .. }) => {
                self.add_block(name.span.end, list_statement_parts(body));
            }
            Node::Stmt(Stmt { kind: StmtKind::Stage(stage), .. }) => {
                let head = stage.after.last().unwrap_or(&stage.name);
                self.add_block(head.span.end, list_statement_parts(&stage.body));
            }
            Node::Stmt(Stmt { kind: StmtKind::Data(data), .. }) => {
                if let Content::Tables(tables) = &data.content {
                    let from = data.options.last().map_or(data.path.span.end, |option| option.span.end);
                    self.add_block(from, tables.iter().map(|table| make_other_part(table.span)));
                }
            }
            Node::Body(body) => {
                self.add_block(body.span.start, list_body_parts(body));
                self.constraints.extend(body.constraints.iter().map(|constraint| constraint.span.start));
            }
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Paren(_) => self.parens.extend([expr.span.start]),
                ExprKind::Unary { op: UnaryOp::Neg, .. } => self.signs.extend([expr.span.start]),
                _ => {}
            },
            // The tree has the value of a quoted key, not its spelling; a name cannot contain the quotes of a string.
            Node::Field(field) => self.texts.push((field.key.span, Text::Key)),
            Node::String(string) => self.texts.push((string.span, Text::String(string))),
            Node::Raw(raw) => self.texts.push((raw.span, Text::Raw(raw))),
            _ => {}
        }
    }

    fn add_block(&mut self, from: u32, parts: impl Iterator<Item = Part>) {
        let mut parts: Vec<Part> = parts.collect();
        parts.sort_by_key(|part| part.span.start);
        self.blocks.push(Parts { from, parts });
    }
}

fn make_other_part(span: Span) -> Part {
    Part { span, kind: PartKind::Other }
}

fn list_setting_parts(suite: &Suite) -> impl Iterator<Item = Part> {
    suite.settings.iter().map(|setting| Part {
        span: setting.span,
        kind: if setting.allow.is_some() { PartKind::Other } else { PartKind::Setting },
    })
}

fn list_statement_parts(body: &[Stmt]) -> impl Iterator<Item = Part> {
    body.iter().map(|stmt| Part {
        span: stmt.span,
        kind: match stmt.kind {
            StmtKind::Draw { .. } | StmtKind::Compute(_) => PartKind::Named,
            _ => PartKind::Other,
        },
    })
}

fn list_body_parts(body: &Body) -> impl Iterator<Item = Part> {
    let rows = body.iter_rows_clauses().map(make_other_part);
    // The tree has only the string. The keyword is included, because a part extends back to the end of the part before it.
    let lines = body.lines.iter().map(|line| make_other_part(line.span));
    let lines = lines.chain(body.cell_lines.iter().map(|line| make_other_part(line.span)));
    let columns = body.columns.iter().map(|column| Part { span: column.span, kind: PartKind::Named });
    let unpivots = body.unpivots.iter().map(|unpivot| make_other_part(unpivot.span));
    let constraints = body.constraints.iter().map(|constraint| make_other_part(constraint.span));
    let allows = body.allows.iter().map(|allow| make_other_part(allow.span));
    rows.chain(lines).chain(columns).chain(unpivots).chain(constraints).chain(allows)
}
