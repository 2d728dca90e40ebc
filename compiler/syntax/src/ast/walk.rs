//! A walk over all nodes of a parsed file, outermost first: the children of each node.

use super::{
    Allow, Arg, ArgValue, Body, Call, Column, ColumnKind, Compute, Content, Count, Data, Domain, DomainKind, Examples,
    Expect, Expr, ExprKind, Field, File, FromDisk, Headers, Ident, Item, ItemKind, LakeUse, NamedDomain, Opt, OptKind,
    PathOption, PathOptionKind, Piece, PlaceKind, Prompt, Raw, Setting, Skip, Slice, Stmt, StmtKind, StringLit, Style,
    StyleKind, Subject, Suffix, TableFrom, TableStmt, Unpivot, Until, View,
};
use model::Span;

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Node<'a> {
    Item(&'a Item),
    Setting(&'a Setting),
    Stmt(&'a Stmt),
    Table(&'a TableStmt),
    View(&'a View),
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
    /// A name that refers to a declaration, or is declared.
    Name(&'a Ident),
}

impl Node<'_> {
    /// The range of the node.
    pub fn span(&self) -> Span {
        match self {
            Node::Item(node) => node.span,
            Node::Setting(node) => node.span,
            Node::Stmt(node) => node.span,
            Node::Table(node) => node.span,
            Node::View(node) => node.span,
            Node::Body(node) => node.span,
            Node::Column(node) => node.span,
            Node::Domain(node) => node.span,
            Node::Named(node) => node.name.span,
            Node::Suffix(node) => node.span,
            Node::Expr(node) => node.span,
            Node::Call(_, span) => *span,
            Node::Arg(node) => node.span,
            Node::Field(node) => node.key.span.extend_to(node.value.span),
            Node::Option(node) => node.span,
            Node::String(node) => node.span,
            Node::Raw(node) => node.span,
            Node::Name(node) => node.span,
        }
    }
}

/// Calls `visit` for every node of a file, outermost first, in source order where the tree preserves it.
pub fn visit_nodes<'a>(file: &'a File, visit: &mut dyn FnMut(Node<'a>)) {
    let mut walk = Walk { visit };
    file.items.iter().for_each(|item| walk.visit_item(item));
}

/// Passes each node to `visit`, and then its children.
struct Walk<'v, 'a> {
    visit: &'v mut dyn FnMut(Node<'a>),
}

impl<'a> Walk<'_, 'a> {
    /// Visits a node, without its children.
    fn visit_node(&mut self, node: Node<'a>) {
        (self.visit)(node);
    }

    fn visit_item(&mut self, item: &'a Item) {
        self.visit_node(Node::Item(item));
        match &item.kind {
            ItemKind::Suite(suite) => {
                self.visit_name(&suite.name);
                suite.settings.iter().for_each(|setting| self.visit_setting(setting));
            }
            ItemKind::Use(path) => self.visit_string(path),
            ItemKind::Domain(def) => {
                self.visit_name(&def.name);
                self.visit_domain(&def.domain);
            }
            ItemKind::Table(def) => {
                self.visit_name(&def.name);
                self.visit_body(&def.body);
            }
            ItemKind::TableFrom(table) => self.visit_table_from(table),
            ItemKind::Lake(lake) => {
                self.visit_name(&lake.name);
                self.visit_strings(&lake.at);
                self.visit_string(&lake.from);
                lake.views.iter().for_each(|view| self.visit_view(view));
            }
            ItemKind::Constant(constant) => self.visit_compute(constant),
            ItemKind::Task(task) => {
                self.visit_name(&task.name);
                self.visit_stmts(&task.body);
            }
            ItemKind::Function(def) => self.visit_name(&def.name),
            ItemKind::Reserved(_) => {}
        }
    }

    fn visit_setting(&mut self, setting: &'a Setting) {
        self.visit_node(Node::Setting(setting));
        match &setting.allow {
            Some(allow) => self.visit_allow(allow),
            None => self.visit_expr(&setting.value),
        }
    }

    fn visit_stmts(&mut self, stmts: &'a [Stmt]) {
        stmts.iter().for_each(|stmt| self.visit_stmt(stmt));
    }

    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.visit_node(Node::Stmt(stmt));
        match &stmt.kind {
            StmtKind::Draw { names, domain } => {
                self.visit_names(names);
                self.visit_domain(domain);
            }
            StmtKind::Compute(compute) => self.visit_compute(compute),
            StmtKind::Samples(value)
            | StmtKind::Require(value)
            | StmtKind::Tags(value)
            | StmtKind::Tools(value)
            | StmtKind::Calls(value) => self.visit_expr(value),
            StmtKind::Axis { name, cells } => {
                self.visit_name(name);
                self.visit_expr(cells);
            }
            StmtKind::Each(each) => {
                self.visit_name(&each.name);
                self.visit_expr(&each.rel);
                self.visit_names(&each.key);
                self.visit_names(&each.by);
                self.visit_exprs(&each.filter);
            }
            StmtKind::Data(data) => self.visit_data(data),
            StmtKind::Table(table) => self.visit_table_parts(table),
            StmtKind::TableFrom(table) => self.visit_table_from(table),
            StmtKind::Lake(lake) => self.visit_lake_use(lake),
            StmtKind::Clutter { count, within } => {
                self.visit_expr(count);
                self.visit_strings(within);
            }
            StmtKind::Folder(path) => self.visit_string(path),
            StmtKind::Prompt(Prompt::One(text)) => self.visit_string(text),
            StmtKind::Prompt(Prompt::OneOf(texts)) => self.visit_exprs(texts),
            StmtKind::Prompt(Prompt::Missing(_)) | StmtKind::Reserved(_) => {}
            StmtKind::Expect(expect) => self.visit_expect(expect),
            StmtKind::Variant { name, body } => {
                self.visit_name(name);
                self.visit_stmts(body);
            }
            StmtKind::Stage(stage) => {
                self.visit_name(&stage.name);
                self.visit_names(&stage.after);
                self.visit_stmts(&stage.body);
            }
            StmtKind::Allow(allow) => self.visit_allow(allow),
        }
    }

    fn visit_compute(&mut self, compute: &'a Compute) {
        self.visit_name(&compute.name);
        self.visit_expr(&compute.value);
    }

    fn visit_allow(&mut self, allow: &'a Allow) {
        self.visit_name(&allow.lint);
        self.visit_strings(&allow.reason);
    }

    fn visit_lake_use(&mut self, lake: &'a LakeUse) {
        self.visit_name(&lake.name);
        if let Some(needed) = &lake.needed {
            self.visit_exprs(&needed.globs);
            self.visit_exprs(&needed.others);
        }
    }

    fn visit_view(&mut self, view: &'a View) {
        self.visit_node(Node::View(view));
        self.visit_name(&view.name);
        self.visit_names(&view.table);
        self.visit_from_disk(&view.from);
    }

    fn visit_data(&mut self, data: &'a Data) {
        self.visit_name(&data.name);
        self.visit_names(&data.table);
        self.visit_string(&data.path);
        self.visit_path_options(&data.options);
        match &data.content {
            Content::Drawn(domain) => self.visit_domain(domain),
            Content::Computed(value) => self.visit_expr(value),
            Content::Fixture(from) => self.visit_from_disk(from),
            Content::Taken(from) => {
                self.visit_expr(&from.rel);
                self.visit_exprs(&from.filter);
                from.body.iter().for_each(|body| self.visit_body(body));
            }
            Content::Tables(tables) => {
                for table in tables {
                    self.visit_node(Node::Table(table));
                    self.visit_table_parts(table);
                }
            }
            Content::Body { root, body } => {
                self.visit_names(root);
                self.visit_body(body);
            }
            Content::Missing(_) => {}
        }
    }

    fn visit_table_from(&mut self, table: &'a TableFrom) {
        self.visit_name(&table.name);
        self.visit_names(&table.table);
        self.visit_from_disk(&table.from);
    }

    fn visit_from_disk(&mut self, from: &'a FromDisk) {
        self.visit_string(&from.path);
        self.visit_path_options(&from.options);
        from.body.iter().for_each(|body| self.visit_body(body));
    }

    fn visit_path_options(&mut self, options: &'a [PathOption]) {
        for option in options {
            match &option.kind {
                PathOptionKind::Delimiter(text)
                | PathOptionKind::Encoding(text)
                | PathOptionKind::Above(text)
                | PathOptionKind::Below(text)
                | PathOptionKind::Skip(Skip::Cell(text))
                | PathOptionKind::Until(Until::Cell(text))
                | PathOptionKind::Sheet(text)
                | PathOptionKind::At(text) => self.visit_string(text),
                PathOptionKind::Missing(marks) => self.visit_exprs(marks),
                PathOptionKind::Quoted
                | PathOptionKind::Crlf
                | PathOptionKind::Bom
                | PathOptionKind::Header(_)
                | PathOptionKind::Skip(Skip::Records(_))
                | PathOptionKind::Until(Until::Blank) => {}
            }
        }
    }

    /// Visits the children of a table or view.
    fn visit_table_parts(&mut self, table: &'a TableStmt) {
        self.visit_name(&table.name);
        self.visit_names(&table.table);
        match &table.view {
            Some(query) => self.visit_expr(query),
            None => self.visit_body(&table.body),
        }
    }

    fn visit_body(&mut self, body: &'a Body) {
        self.visit_node(Node::Body(body));
        body.rows.iter().for_each(|rows| self.visit_count(&rows.count));
        self.visit_exprs(body.repeats.iter().map(|repeat| &repeat.share));
        self.visit_names(body.orders.iter().map(|order| &order.column));
        self.visit_strings(&body.lines);
        for line in &body.cell_lines {
            self.visit_string(&line.text);
            if let PlaceKind::Header(header) = &line.place.kind {
                self.visit_string(header);
            }
        }
        body.columns.iter().for_each(|column| self.visit_column(column));
        body.unpivots.iter().for_each(|unpivot| self.visit_unpivot(unpivot));
        body.constraints.iter().for_each(|constraint| self.visit_names(&constraint.columns));
        body.allows.iter().for_each(|allow| self.visit_allow(allow));
    }

    fn visit_count(&mut self, count: &'a Count) {
        self.visit_expr(&count.low);
        self.visit_exprs(&count.high);
    }

    fn visit_column(&mut self, column: &'a Column) {
        self.visit_node(Node::Column(column));
        self.visit_names(column.keys.iter().map(|key| &key.name));
        match &column.kind {
            ColumnKind::Draw(domain) => self.visit_domain(domain),
            ColumnKind::Compute(value) => self.visit_expr(value),
        }
        match column.place.as_ref().map(|place| &place.kind) {
            Some(PlaceKind::Header(header)) => self.visit_string(header),
            Some(PlaceKind::Position(_) | PlaceKind::Characters(..)) | None => {}
        }
        self.visit_styles(&column.styles);
    }

    fn visit_unpivot(&mut self, unpivot: &'a Unpivot) {
        self.visit_name(&unpivot.name);
        unpivot.domain.iter().for_each(|domain| self.visit_domain(domain));
        for value in &unpivot.values {
            self.visit_name(&value.name);
            self.visit_domain(&value.domain);
            match &value.headers {
                Headers::List(headers) => self.visit_exprs(headers),
                Headers::Span(first, last) => self.visit_strings([first, last]),
                Headers::Pattern(pattern) => self.visit_string(pattern),
            }
            self.visit_styles(&value.styles);
        }
    }

    fn visit_styles(&mut self, styles: &'a [Style]) {
        for style in styles {
            match &style.kind {
                StyleKind::Written(written) => {
                    self.visit_string(&written.pattern);
                    self.visit_exprs(&written.times);
                    self.visit_exprs(&written.share);
                }
                StyleKind::Text(_, share) => self.visit_expr(share),
                StyleKind::Missing(marks) => self.visit_exprs(marks),
            }
        }
    }

    fn visit_domain(&mut self, domain: &'a Domain) {
        self.visit_node(Node::Domain(domain));
        match &domain.kind {
            DomainKind::Missing | DomainKind::OneOfConstant(_) => {}
            DomainKind::Named(named) => {
                self.visit_node(Node::Named(named));
                self.visit_exprs(named.range.iter().flat_map(|range| [&range.0, &range.1]));
                self.visit_exprs(named.args.iter().flatten());
                self.visit_exprs(named.keywords.iter().map(|(_, value)| value));
                self.visit_exprs(named.operand.as_deref());
            }
            DomainKind::OneOf(items) => self.visit_exprs(items),
            DomainKind::OneOfLines(text) | DomainKind::Pattern(text) | DomainKind::Template(text) => {
                self.visit_string(text);
            }
            DomainKind::Weighted(items) => self.visit_exprs(items.iter().flat_map(|(value, weight)| [value, weight])),
            DomainKind::Ref { path, tuple, filter } => {
                self.visit_names(path.iter().chain(tuple.iter().skip(1)));
                self.visit_exprs(filter.as_deref());
            }
            DomainKind::Lorem { count, .. } => self.visit_count(count),
            DomainKind::Object(body) => self.visit_body(body),
            DomainKind::Array { element, count } => {
                self.visit_domain(element);
                self.visit_count(count);
            }
        }
        for suffix in &domain.suffixes {
            self.visit_node(Node::Suffix(suffix));
            self.visit_expr(&suffix.value);
        }
    }

    fn visit_expect(&mut self, expect: &'a Expect) {
        match &expect.subject {
            Subject::Reply { slice: Some(Slice::After(text) | Slice::Tag(text)), .. } => self.visit_string(text),
            Subject::Reply { slice: Some(Slice::Between(open, close)), .. } => self.visit_strings([open, close]),
            Subject::Reply { slice: Some(Slice::Fenced(_, language)), .. } => self.visit_strings(language),
            Subject::Reply { slice: Some(Slice::LastLine(_)) | None, .. } => {}
            Subject::File(paths) | Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) => {
                self.visit_expr(paths);
            }
            Subject::Unchanged { except, .. } => self.visit_exprs(except),
        }
        self.visit_names(&expect.label);
        self.visit_strings(&expect.at);
        self.visit_path_options(&expect.reading);
        self.visit_names(&expect.database);
        self.visit_exprs(expect.answer.iter().map(|answer| &answer.value));
        self.visit_options(&expect.options);
    }

    fn visit_options(&mut self, options: &'a [Opt]) {
        for option in options {
            self.visit_node(Node::Option(option));
            match &option.kind {
                OptKind::Within(value)
                | OptKind::Rounded(value)
                | OptKind::Unit(value)
                | OptKind::Weight(value)
                | OptKind::Among(value) => {
                    self.visit_expr(value);
                }
                OptKind::Written(pattern, times) => {
                    self.visit_expr(pattern);
                    self.visit_exprs(times);
                }
                OptKind::Graded(above) => self.visit_exprs(above),
                OptKind::Trap(names) => self.visit_exprs(names),
                OptKind::Example(_, Examples::Values(values)) => self.visit_exprs(values),
                OptKind::Example(_, Examples::Others)
                | OptKind::Ignore(_)
                | OptKind::Ordered
                | OptKind::Unordered
                | OptKind::OrderedBy(_)
                | OptKind::Cells(_)
                | OptKind::Open
                | OptKind::Schema
                | OptKind::Gate => {}
            }
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.visit_node(Node::Expr(expr));
        match &expr.kind {
            ExprKind::String(text) => self.visit_string(text),
            ExprKind::List(items) => self.visit_exprs(items),
            ExprKind::Object(fields) => {
                for field in fields {
                    self.visit_node(Node::Field(field));
                    self.visit_expr(&field.value);
                    self.visit_options(&field.options);
                }
            }
            ExprKind::Path(path) => self.visit_names(path),
            ExprKind::Call(call) => {
                self.visit_node(Node::Call(call, expr.span));
                call.args.iter().for_each(|arg| self.visit_arg(arg));
            }
            ExprKind::Placeholder(inner) | ExprKind::Paren(inner) | ExprKind::PercentOf(inner) => {
                self.visit_expr(inner);
            }
            ExprKind::Unary { operand, .. } => self.visit_expr(operand),
            ExprKind::Binary { left, right, .. } => self.visit_exprs([&**left, right]),
            ExprKind::If { condition, then, otherwise } => self.visit_exprs([&**condition, then, otherwise]),
            ExprKind::Missing
            | ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Float(_)
            | ExprKind::Percent(_)
            | ExprKind::Date(_)
            | ExprKind::DateTime(_)
            | ExprKind::Duration(_) => {}
        }
    }

    fn visit_exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.visit_expr(expr));
    }

    fn visit_arg(&mut self, arg: &'a Arg) {
        self.visit_node(Node::Arg(arg));
        match &arg.value {
            ArgValue::Expr(value) => self.visit_expr(value),
            ArgValue::Raw(raw) => self.visit_node(Node::Raw(raw)),
        }
        self.visit_exprs(&arg.filter);
    }

    fn visit_string(&mut self, text: &'a StringLit) {
        self.visit_node(Node::String(text));
        for piece in &text.pieces {
            if let Piece::Placeholder(value) = piece {
                self.visit_expr(value);
            }
        }
    }

    fn visit_strings(&mut self, texts: impl IntoIterator<Item = &'a StringLit>) {
        texts.into_iter().for_each(|text| self.visit_string(text));
    }

    fn visit_name(&mut self, name: &'a Ident) {
        self.visit_node(Node::Name(name));
    }

    fn visit_names(&mut self, names: impl IntoIterator<Item = &'a Ident>) {
        names.into_iter().for_each(|name| self.visit_name(name));
    }
}
