//! Every node of a parsed file, outermost first.

use super::{
    Arg, Body, Call, Column, Domain, Expr, Field, File, Ident, Item, NamedDomain, Opt, Raw, Setting, Span, Stmt,
    StringLit, Suffix, TableStmt, View,
};

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
    /// A name that refers to something declared elsewhere, or declares something.
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
            Node::View(node) => node.span,
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
        walk.node(Node::Item(item));
        item.inside(&mut walk);
    }
}

/// Takes each kind of node to `visit`, and then to what is inside of it.
pub(super) struct Walk<'v, 'a> {
    visit: &'v mut dyn FnMut(Node<'a>),
}

impl<'a> Walk<'_, 'a> {
    /// A node, without what is inside of it.
    pub fn node(&mut self, node: Node<'a>) {
        (self.visit)(node);
    }

    pub fn setting(&mut self, setting: &'a Setting) {
        self.node(Node::Setting(setting));
        setting.inside(self);
    }

    pub fn stmts(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.node(Node::Stmt(stmt));
            stmt.inside(self);
        }
    }

    pub fn table(&mut self, table: &'a TableStmt) {
        self.node(Node::Table(table));
        table.inside(self);
    }

    pub fn view(&mut self, view: &'a View) {
        self.node(Node::View(view));
        view.inside(self);
    }

    pub fn body(&mut self, body: &'a Body) {
        self.node(Node::Body(body));
        body.inside(self);
    }

    pub fn domain(&mut self, domain: &'a Domain) {
        self.node(Node::Domain(domain));
        domain.inside(self);
    }

    pub fn option(&mut self, option: &'a Opt) {
        self.node(Node::Option(option));
        option.inside(self);
    }

    pub fn expr(&mut self, expr: &'a Expr) {
        self.node(Node::Expr(expr));
        expr.inside(self);
    }

    pub fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    pub fn string(&mut self, text: &'a StringLit) {
        self.node(Node::String(text));
        text.inside(self);
    }

    pub fn strings(&mut self, texts: impl IntoIterator<Item = &'a StringLit>) {
        texts.into_iter().for_each(|text| self.string(text));
    }

    pub fn name(&mut self, name: &'a Ident) {
        self.node(Node::Name(name));
    }

    pub fn names(&mut self, names: impl IntoIterator<Item = &'a Ident>) {
        names.into_iter().for_each(|name| self.name(name));
    }
}
