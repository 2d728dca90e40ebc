//! What the parser's tree knows of places in the text.

use std::collections::BTreeSet;

use crate::ast::*;

/// What stands where. Places are bytes of the text.
#[derive(Default)]
pub(super) struct Marks<'a> {
    /// Strings and raw text, which are one token each whatever is in them.
    pub texts: Vec<(Span, Text<'a>)>,
    /// Braces that hold parts rather than fields of an object.
    pub blocks: Vec<Parts>,
    /// What stands at top level.
    pub items: Vec<Part>,
    /// Where `(` stands around an expression.
    pub parens: BTreeSet<u32>,
    /// Where `-` is a sign rather than between two values.
    pub signs: BTreeSet<u32>,
    /// Where `unique (A, B)` and the like begin.
    pub constraints: BTreeSet<u32>,
}

/// A token that is not looked into.
#[derive(Clone, Copy)]
pub(super) enum Text<'a> {
    /// `"…"`, `"""…"""`
    String(&'a StringLit),
    /// SQL, JSONPath, XPath.
    Raw(&'a Raw),
    /// The key of an object, in quotes.
    Key,
}

/// A block: the first `{` from `from` on.
pub(super) struct Parts {
    /// Where to look for it.
    pub from: u32,
    /// What is in it, in order.
    pub parts: Vec<Part>,
}

/// A statement, item, setting, column: what has a line of its own.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Its range.
    pub span: Span,
    /// Which.
    pub kind: PartKind,
}

/// What kind of part, as far as layout goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PartKind {
    /// `NAME : …`, `NAME = …`
    Named,
    /// `title "…"`
    Setting,
    /// Anything else.
    Other,
}

/// Walks over a file.
pub(super) fn marks(file: &File) -> Marks<'_> {
    let mut marks = Marks::default();
    for item in &file.items {
        let kind = match &item.kind {
            ItemKind::Constant(_) => PartKind::Named,
            _ => PartKind::Other,
        };
        marks.items.push(Part { span: item.span, kind });
        marks.item(item);
    }
    marks.texts.sort_by_key(|(span, _)| (span.start, span.end));
    marks
}

impl<'a> Marks<'a> {
    /// The string or raw text at a place.
    pub fn text(&self, start: u32, end: u32) -> Option<Text<'a>> {
        let at = self.texts.binary_search_by_key(&(start, end), |(span, _)| (span.start, span.end)).ok()?;
        self.texts.get(at).map(|(_, text)| *text)
    }

    fn block(&mut self, from: u32, parts: impl IntoIterator<Item = Part>) {
        let mut parts: Vec<Part> = parts.into_iter().collect();
        parts.sort_by_key(|part| part.span.start);
        self.blocks.push(Parts { from, parts });
    }

    fn item(&mut self, item: &'a Item) {
        match &item.kind {
            ItemKind::Suite(suite) => {
                let part = |setting: &Setting| Part {
                    span: setting.span,
                    kind: if setting.allow.is_some() { PartKind::Other } else { PartKind::Setting },
                };
                self.block(suite.name.span.end, suite.settings.iter().map(part));
                for setting in &suite.settings {
                    match &setting.allow {
                        Some(allow) => self.strings(&allow.reason),
                        None => self.expr(&setting.value),
                    }
                }
            }
            ItemKind::Use(path) => self.string(path),
            ItemKind::Domain(def) => self.domain(&def.domain),
            ItemKind::Table(def) => self.body(&def.body),
            ItemKind::TableFrom(table) => self.table_from(table),
            ItemKind::Constant(constant) => self.expr(&constant.value),
            ItemKind::Task(task) => self.statements(&task.name, &task.body),
            ItemKind::Function(_) | ItemKind::Reserved(_) => {}
        }
    }

    fn statements(&mut self, name: &Ident, body: &'a [Stmt]) {
        let part = |stmt: &Stmt| Part {
            span: stmt.span,
            kind: match stmt.kind {
                StmtKind::Draw { .. } | StmtKind::Compute(_) => PartKind::Named,
                _ => PartKind::Other,
            },
        };
        self.block(name.span.end, body.iter().map(part));
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Draw { domain, .. } => self.domain(domain),
            StmtKind::Compute(compute) => self.expr(&compute.value),
            StmtKind::Samples(expr) | StmtKind::Require(expr) | StmtKind::Tags(expr) => self.expr(expr),
            StmtKind::Axis { cells, .. } => self.expr(cells),
            StmtKind::Data(data) => self.data(data),
            StmtKind::Table(table) => self.body(&table.body),
            StmtKind::TableFrom(table) => self.table_from(table),
            StmtKind::Clutter { count, within } => {
                self.expr(count);
                self.strings(within);
            }
            StmtKind::Folder(path) => self.string(path),
            StmtKind::Prompt(Prompt::One(string)) => self.string(string),
            StmtKind::Prompt(Prompt::OneOf(strings)) => self.exprs(strings),
            StmtKind::Prompt(Prompt::Missing(_)) | StmtKind::Reserved(_) => {}
            StmtKind::Expect(expect) => self.expect(expect),
            StmtKind::Variant { name, body } => self.statements(name, body),
            StmtKind::Allow(allow) => self.strings(&allow.reason),
        }
    }

    fn table_from(&mut self, table: &'a TableFrom) {
        self.string(&table.path);
        table.options.iter().filter_map(|option| option.kind.text()).for_each(|text| self.string(text));
    }

    fn data(&mut self, data: &'a Data) {
        self.string(&data.path);
        for option in &data.options {
            if let WritingKind::Delimiter(string) = &option.kind {
                self.string(string);
            }
        }
        match &data.content {
            Content::Drawn(domain) => self.domain(domain),
            Content::Computed(expr) => self.expr(expr),
            Content::Fixture(path) => self.string(path),
            Content::Tables(tables) => {
                let from = data.options.last().map_or(data.path.span.end, |option| option.span.end);
                self.block(from, tables.iter().map(|table| Part { span: table.span, kind: PartKind::Other }));
                for table in tables {
                    self.body(&table.body);
                }
            }
            Content::Body { body, .. } => self.body(body),
            Content::Missing(_) => {}
        }
    }

    fn body(&mut self, body: &'a Body) {
        let other = |span| Part { span, kind: PartKind::Other };
        let rows = body.rows.iter().map(|rows| other(rows.span));
        // The tree has the string alone; a part begins where the one before ends, so the keyword is in it.
        let lines = body.lines.iter().map(|line| other(line.span));
        let columns = body.columns.iter().map(|column| Part { span: column.span, kind: PartKind::Named });
        let constraints = body.constraints.iter().map(|constraint| other(constraint.span));
        self.block(body.span.start, rows.chain(lines).chain(columns).chain(constraints));
        for rows in &body.rows {
            self.count(&rows.count);
        }
        for line in &body.lines {
            self.string(line);
        }
        for column in &body.columns {
            match &column.kind {
                ColumnKind::Draw(domain) => self.domain(domain),
                ColumnKind::Compute(expr) => self.expr(expr),
            }
        }
        self.constraints.extend(body.constraints.iter().map(|constraint| constraint.span.start));
    }

    fn count(&mut self, count: &'a Count) {
        self.expr(&count.low);
        if let Some(high) = &count.high {
            self.expr(high);
        }
    }

    fn domain(&mut self, domain: &'a Domain) {
        match &domain.kind {
            DomainKind::Missing => {}
            DomainKind::Named(named) => {
                if let Some(range) = &named.range {
                    self.expr(&range.0);
                    self.expr(&range.1);
                }
                self.exprs(named.args.iter().flatten());
                self.exprs(named.keywords.iter().map(|(_, value)| value));
                self.exprs(named.operand.as_deref());
            }
            DomainKind::OneOfConstant(_) => {}
            DomainKind::OneOf(values) => self.exprs(values),
            DomainKind::OneOfLines(string) | DomainKind::Pattern(string) | DomainKind::Template(string) => {
                self.string(string);
            }
            DomainKind::Weighted(weights) => {
                for (value, weight) in weights {
                    self.expr(value);
                    self.expr(weight);
                }
            }
            DomainKind::Ref { filter, .. } => self.exprs(filter.as_deref()),
            DomainKind::Lorem { count, .. } => self.count(count),
            DomainKind::Object(body) => self.body(body),
            DomainKind::Array { element, count } => {
                self.domain(element);
                self.count(count);
            }
        }
        for suffix in &domain.suffixes {
            self.expr(&suffix.value);
        }
    }

    fn expect(&mut self, expect: &'a Expect) {
        match &expect.subject {
            Subject::Reply { slice, .. } => match slice {
                Some(Slice::After(string)) => self.string(string),
                Some(Slice::Fenced(_, language)) => self.strings(language),
                Some(Slice::LastLine(_)) | None => {}
            },
            Subject::File(expr) | Subject::Files(expr) | Subject::Tree(expr) => self.expr(expr),
        }
        if let Some(answer) = &expect.answer {
            self.expr(&answer.value);
        }
        self.options(&expect.options);
    }

    fn options(&mut self, options: &'a [Opt]) {
        for option in options {
            match &option.kind {
                OptKind::Within(expr) | OptKind::Rounded(expr) | OptKind::Unit(expr) | OptKind::Weight(expr) => {
                    self.expr(expr);
                }
                OptKind::Ignore(_) | OptKind::Ordered | OptKind::Unordered | OptKind::Open | OptKind::Gate => {}
            }
        }
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::String(string) => self.string(string),
            ExprKind::List(values) => self.exprs(values),
            ExprKind::Object(fields) => {
                for field in fields {
                    // The parser keeps what a quoted key says, not how it is written; a name cannot hold what a string is quoted with.
                    self.texts.push((field.key.span, Text::Key));
                    self.expr(&field.value);
                    self.options(&field.options);
                }
            }
            ExprKind::Call(call) => {
                for arg in &call.args {
                    match &arg.value {
                        ArgValue::Expr(expr) => self.expr(expr),
                        ArgValue::Raw(raw) => self.texts.push((raw.span, Text::Raw(raw))),
                    }
                    self.exprs(&arg.filter);
                }
            }
            ExprKind::Placeholder(inner) => self.expr(inner),
            ExprKind::Paren(inner) => {
                self.parens.insert(expr.span.start);
                self.expr(inner);
            }
            ExprKind::Unary { op, operand } => {
                if *op == UnaryOp::Neg {
                    self.signs.insert(expr.span.start);
                }
                self.expr(operand);
            }
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Missing
            | ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Float(_)
            | ExprKind::Percent(_)
            | ExprKind::Date(_)
            | ExprKind::DateTime(_)
            | ExprKind::Duration(_)
            | ExprKind::Path(_) => {}
        }
    }

    fn strings(&mut self, string: &'a Option<StringLit>) {
        if let Some(string) = string {
            self.string(string);
        }
    }

    fn string(&mut self, string: &'a StringLit) {
        self.texts.push((string.span, Text::String(string)));
    }
}
