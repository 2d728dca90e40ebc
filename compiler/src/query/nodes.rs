//! Every node of a parsed file, outermost first.

use crate::ast::*;

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Node<'a> {
    Item(&'a Item),
    Setting(&'a Setting),
    Stmt(&'a Stmt),
    Table(&'a TableStmt),
    Body(&'a Body),
    Column(&'a Column),
    Domain(&'a Domain),
    Named(&'a NamedDomain),
    Suffix(&'a Suffix),
    Expr(&'a Expr),
    Call(&'a Call, Span),
    Arg(&'a Arg),
    Field(&'a Field),
    Option(&'a Opt),
    String(&'a StringLit),
    Raw(&'a Raw),
    /// A name that stands for something declared elsewhere, or declares something.
    Name(&'a Ident),
}

impl Node<'_> {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            Node::Item(node) => node.span,
            Node::Setting(node) => node.span,
            Node::Stmt(node) => node.span,
            Node::Table(node) => node.span,
            Node::Body(node) => node.span,
            Node::Column(node) => node.span,
            Node::Domain(node) => node.span,
            Node::Named(node) => node.name.span,
            Node::Suffix(node) => node.span,
            Node::Expr(node) => node.span,
            Node::Call(_, span) => *span,
            Node::Arg(node) => node.span,
            Node::Field(node) => node.key.span.to(node.value.span),
            Node::Option(node) => node.span,
            Node::String(node) => node.span,
            Node::Raw(node) => node.span,
            Node::Name(node) => node.span,
        }
    }
}

/// Calls `visit` for every node of a file, outermost first, in source order as far as the tree keeps it.
pub fn each<'a>(file: &'a File, visit: &mut dyn FnMut(Node<'a>)) {
    let mut walk = Walk { visit };
    for item in &file.items {
        walk.item(item);
    }
}

struct Walk<'v, 'a> {
    visit: &'v mut dyn FnMut(Node<'a>),
}

impl<'a> Walk<'_, 'a> {
    fn item(&mut self, item: &'a Item) {
        (self.visit)(Node::Item(item));
        match &item.kind {
            ItemKind::Suite(suite) => {
                self.name(&suite.name);
                for setting in &suite.settings {
                    (self.visit)(Node::Setting(setting));
                    match &setting.allow {
                        Some(allow) => self.allow(allow),
                        None => self.expr(&setting.value),
                    }
                }
            }
            ItemKind::Use(path) => self.string(path),
            ItemKind::Domain(def) => {
                self.name(&def.name);
                self.domain(&def.domain);
            }
            ItemKind::Table(def) => {
                self.name(&def.name);
                self.body(&def.body);
            }
            ItemKind::TableFrom(table) => self.table_from(table),
            ItemKind::Constant(def) => {
                self.name(&def.name);
                self.expr(&def.value);
            }
            ItemKind::Task(task) => {
                self.name(&task.name);
                task.body.iter().for_each(|stmt| self.stmt(stmt));
            }
            ItemKind::Function(def) => self.name(&def.name),
            ItemKind::Reserved(_) => {}
        }
    }

    fn allow(&mut self, allow: &'a Allow) {
        self.name(&allow.lint);
        allow.reason.iter().for_each(|reason| self.string(reason));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        (self.visit)(Node::Stmt(stmt));
        match &stmt.kind {
            StmtKind::Draw { names, domain } => {
                names.iter().for_each(|name| self.name(name));
                self.domain(domain);
            }
            StmtKind::Compute(compute) => {
                self.name(&compute.name);
                self.expr(&compute.value);
            }
            StmtKind::Samples(value) | StmtKind::Require(value) | StmtKind::Tags(value) => self.expr(value),
            StmtKind::Axis { name, cells } => {
                self.name(name);
                self.expr(cells);
            }
            StmtKind::Data(data) => self.data(data),
            StmtKind::Table(table) => self.table(table),
            StmtKind::TableFrom(table) => self.table_from(table),
            StmtKind::Clutter { count, within } => {
                self.expr(count);
                within.iter().for_each(|path| self.string(path));
            }
            StmtKind::Folder(path) => self.string(path),
            StmtKind::Prompt(Prompt::One(text)) => self.string(text),
            StmtKind::Prompt(Prompt::OneOf(texts)) => texts.iter().for_each(|text| self.expr(text)),
            StmtKind::Prompt(Prompt::Missing(_)) | StmtKind::Reserved(_) => {}
            StmtKind::Expect(expect) => self.expect(expect),
            StmtKind::Variant { name, body } => {
                self.name(name);
                body.iter().for_each(|stmt| self.stmt(stmt));
            }
            StmtKind::Allow(allow) => self.allow(allow),
        }
    }

    fn table_from(&mut self, table: &'a TableFrom) {
        self.name(&table.name);
        self.string(&table.path);
        table.options.iter().filter_map(|option| option.kind.text()).for_each(|text| self.string(text));
    }

    fn data(&mut self, data: &'a Data) {
        self.name(&data.name);
        data.table.iter().for_each(|table| self.name(table));
        self.string(&data.path);
        for option in &data.options {
            if let WritingKind::Delimiter(text) = &option.kind {
                self.string(text);
            }
        }
        match &data.content {
            Content::Drawn(domain) => self.domain(domain),
            Content::Computed(value) => self.expr(value),
            Content::Fixture(path) => self.string(path),
            Content::Tables(tables) => {
                for table in tables {
                    (self.visit)(Node::Table(table));
                    self.table(table);
                }
            }
            Content::Body { root, body } => {
                root.iter().for_each(|root| self.name(root));
                self.body(body);
            }
            Content::Missing(_) => {}
        }
    }

    fn table(&mut self, table: &'a TableStmt) {
        self.name(&table.name);
        table.table.iter().for_each(|shared| self.name(shared));
        self.body(&table.body);
    }

    fn body(&mut self, body: &'a Body) {
        (self.visit)(Node::Body(body));
        body.rows.iter().for_each(|rows| self.count(&rows.count));
        body.lines.iter().for_each(|line| self.string(line));
        for column in &body.columns {
            (self.visit)(Node::Column(column));
            column.keys.iter().for_each(|key| self.name(&key.name));
            match &column.kind {
                ColumnKind::Draw(domain) => self.domain(domain),
                ColumnKind::Compute(value) => self.expr(value),
            }
        }
        body.constraints.iter().flat_map(|clause| &clause.columns).for_each(|name| self.name(name));
    }

    fn count(&mut self, count: &'a Count) {
        self.expr(&count.low);
        count.high.iter().for_each(|high| self.expr(high));
    }

    fn domain(&mut self, domain: &'a Domain) {
        (self.visit)(Node::Domain(domain));
        match &domain.kind {
            DomainKind::Missing => {}
            DomainKind::Named(named) => {
                (self.visit)(Node::Named(named));
                if let Some(range) = &named.range {
                    self.expr(&range.0);
                    self.expr(&range.1);
                }
                named.args.iter().flatten().for_each(|arg| self.expr(arg));
                named.keywords.iter().for_each(|(_, value)| self.expr(value));
                named.operand.iter().for_each(|value| self.expr(value));
            }
            DomainKind::OneOfConstant(_) => {}
            DomainKind::OneOf(items) => items.iter().for_each(|item| self.expr(item)),
            DomainKind::OneOfLines(text) | DomainKind::Pattern(text) | DomainKind::Template(text) => self.string(text),
            DomainKind::Weighted(items) => {
                for (value, weight) in items {
                    self.expr(value);
                    self.expr(weight);
                }
            }
            DomainKind::Ref { path, tuple, filter } => {
                path.iter().chain(tuple.iter().skip(1)).for_each(|name| self.name(name));
                filter.iter().for_each(|filter| self.expr(filter));
            }
            DomainKind::Lorem { count, .. } => self.count(count),
            DomainKind::Object(body) => self.body(body),
            DomainKind::Array { element, count } => {
                self.domain(element);
                self.count(count);
            }
        }
        for suffix in &domain.suffixes {
            (self.visit)(Node::Suffix(suffix));
            self.expr(&suffix.value);
        }
    }

    fn expect(&mut self, expect: &'a Expect) {
        match &expect.subject {
            Subject::Reply { slice, .. } => match slice {
                Some(Slice::After(text)) => self.string(text),
                Some(Slice::Fenced(_, Some(language))) => self.string(language),
                Some(Slice::Fenced(_, None) | Slice::LastLine(_)) | None => {}
            },
            Subject::File(paths) | Subject::Files(paths) | Subject::Tree(paths) => self.expr(paths),
        }
        expect.database.iter().for_each(|name| self.name(name));
        expect.answer.iter().for_each(|answer| self.expr(&answer.value));
        self.options(&expect.options);
    }

    fn options(&mut self, options: &'a [Opt]) {
        for option in options {
            (self.visit)(Node::Option(option));
            match &option.kind {
                OptKind::Within(value) | OptKind::Rounded(value) | OptKind::Unit(value) | OptKind::Weight(value) => {
                    self.expr(value);
                }
                OptKind::Ignore(_) | OptKind::Ordered | OptKind::Unordered | OptKind::Open | OptKind::Gate => {}
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        (self.visit)(Node::Expr(expr));
        match &expr.kind {
            ExprKind::String(text) => self.string(text),
            ExprKind::List(items) => items.iter().for_each(|item| self.expr(item)),
            ExprKind::Object(fields) => {
                for field in fields {
                    (self.visit)(Node::Field(field));
                    self.expr(&field.value);
                    self.options(&field.options);
                }
            }
            ExprKind::Path(path) => path.iter().for_each(|name| self.name(name)),
            ExprKind::Call(call) => {
                (self.visit)(Node::Call(call, expr.span));
                for arg in &call.args {
                    (self.visit)(Node::Arg(arg));
                    match &arg.value {
                        ArgValue::Expr(value) => self.expr(value),
                        ArgValue::Raw(raw) => (self.visit)(Node::Raw(raw)),
                    }
                    arg.filter.iter().for_each(|filter| self.expr(filter));
                }
            }
            ExprKind::Placeholder(inner) | ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            _ => {}
        }
    }

    fn string(&mut self, text: &'a StringLit) {
        (self.visit)(Node::String(text));
        for piece in &text.pieces {
            if let Piece::Placeholder(expr) = piece {
                self.expr(expr);
            }
        }
    }

    fn name(&mut self, name: &'a Ident) {
        (self.visit)(Node::Name(name));
    }
}
