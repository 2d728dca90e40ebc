//! A walk over all nodes of a parsed file, outermost first.

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
    for item in &file.items {
        walk.visit_node(Node::Item(item));
        item.walk_children(&mut walk);
    }
}

/// Passes each node to `visit`, and then its children.
pub(super) struct Walk<'v, 'a> {
    visit: &'v mut dyn FnMut(Node<'a>),
}

impl<'a> Walk<'_, 'a> {
    /// Visits a node, without its children.
    pub fn visit_node(&mut self, node: Node<'a>) {
        (self.visit)(node);
    }

    pub fn visit_setting(&mut self, setting: &'a Setting) {
        self.visit_node(Node::Setting(setting));
        setting.walk_children(self);
    }

    pub fn visit_stmts(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.visit_node(Node::Stmt(stmt));
            stmt.walk_children(self);
        }
    }

    pub fn visit_table(&mut self, table: &'a TableStmt) {
        self.visit_node(Node::Table(table));
        table.walk_children(self);
    }

    pub fn visit_view(&mut self, view: &'a View) {
        self.visit_node(Node::View(view));
        view.walk_children(self);
    }

    pub fn visit_body(&mut self, body: &'a Body) {
        self.visit_node(Node::Body(body));
        body.walk_children(self);
    }

    pub fn visit_domain(&mut self, domain: &'a Domain) {
        self.visit_node(Node::Domain(domain));
        domain.walk_children(self);
    }

    pub fn visit_option(&mut self, option: &'a Opt) {
        self.visit_node(Node::Option(option));
        option.walk_children(self);
    }

    pub fn visit_expr(&mut self, expr: &'a Expr) {
        self.visit_node(Node::Expr(expr));
        expr.walk_children(self);
    }

    pub fn visit_exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.visit_expr(expr));
    }

    pub fn visit_string(&mut self, text: &'a StringLit) {
        self.visit_node(Node::String(text));
        text.walk_children(self);
    }

    pub fn visit_strings(&mut self, texts: impl IntoIterator<Item = &'a StringLit>) {
        texts.into_iter().for_each(|text| self.visit_string(text));
    }

    pub fn visit_name(&mut self, name: &'a Ident) {
        self.visit_node(Node::Name(name));
    }

    pub fn visit_names(&mut self, names: impl IntoIterator<Item = &'a Ident>) {
        names.into_iter().for_each(|name| self.visit_name(name));
    }
}
