//! What is known of a statement that cannot be read: the names it declares, so that their uses are not mistakes too.

use super::Recovery;
use crate::ast::{
    Column, ColumnKind, Compute, Data, Domain, DomainDef, DomainKind, Expr, ExprKind, Ident, ItemKind, Key, StmtKind,
};
use crate::parse::grammar::Rule;
use crate::syntax::lex::Kind;
use crate::syntax::words::{self, Class};

impl Recovery<'_, '_> {
    fn missing_expr(&self, to: usize) -> Expr {
        let end = self.end_before(to);
        Expr { kind: ExprKind::Missing, span: self.walker.at(end, end) }
    }

    fn missing_domain(&self, to: usize) -> Domain {
        let end = self.end_before(to);
        Domain {
            modifiers: Vec::new(),
            kind: DomainKind::Missing,
            suffixes: Vec::new(),
            span: self.walker.at(end, end),
        }
    }

    fn plain_name(&self, index: usize) -> Option<Ident> {
        let quoted = match self.blocks.kind(index)? {
            Kind::Word => false,
            Kind::Quoted => true,
            _ => return None,
        };
        Some(Ident { text: self.blocks.text(index).trim_matches('`').to_owned(), span: self.span(index), quoted })
    }

    /// The names before `:` or `=`, and whether the sign is `:`.
    fn names(&self, mut index: usize) -> Option<(Vec<Ident>, bool)> {
        if !self.blocks.declares(index) {
            return None;
        }
        let mut names = Vec::new();
        while let Some(name) = self.plain_name(index) {
            names.push(name);
            match self.blocks.text(index + 1) {
                "," => index += 2,
                sign => return Some((names, sign == ":")),
            }
        }
        None
    }

    /// An item whose name is known.
    pub(super) fn salvage_item(&mut self, head: usize, to: usize) -> Option<ItemKind> {
        if self.is(head, "domain") {
            let name = self.plain_name(head + 1)?;
            return Some(ItemKind::Domain(DomainDef { name, domain: self.missing_domain(to) }));
        }
        if words::is(Class::Planned, self.blocks.text(head)) {
            return Some(ItemKind::Reserved(self.plain_name(head)?));
        }
        match self.names(head)? {
            (mut names, false) if names.len() == 1 => {
                Some(ItemKind::Constant(Compute { name: names.pop()?, value: self.missing_expr(to) }))
            }
            _ => None,
        }
    }

    /// A statement whose names are known.
    pub(super) fn salvage_statement(&mut self, head: usize, to: usize) -> Option<StmtKind> {
        if let Some((mut names, drawn)) = self.names(head) {
            if drawn {
                return Some(StmtKind::Draw { names, domain: self.missing_domain(to) });
            }
            return Some(StmtKind::Compute(Compute { name: names.pop()?, value: self.missing_expr(to) }));
        }
        match self.blocks.text(head) {
            "axis" => Some(StmtKind::Axis { name: self.plain_name(head + 1)?, cells: self.missing_expr(to) }),
            word if words::is(Class::Planned, word) => Some(StmtKind::Reserved(self.plain_name(head)?)),
            word if words::is(Class::Format, word) => {
                // As much of it as can be read: its path, at most.
                let text = (head..to).find(|index| self.blocks.kind(*index) == Some(Kind::Text))?;
                let (pair, _) = self.attempt(Rule::data_head, head, text + 1)?;
                let data: Data = self.walker.data_head(pair)?;
                Some(StmtKind::Data(data))
            }
            _ => None,
        }
    }

    /// A column whose name is known.
    pub(super) fn salvage_column(&mut self, from: usize, head: usize, to: usize) -> Option<Column> {
        let attribute = self.is(head, "@");
        let (names, drawn) = self.names(head + usize::from(attribute))?;
        let kind =
            if drawn { ColumnKind::Draw(self.missing_domain(to)) } else { ColumnKind::Compute(self.missing_expr(to)) };
        let keys = names.into_iter().map(|name| Key { name, attribute }).collect();
        Some(Column {
            doc: self.doc(from, head),
            keys,
            kind,
            place: None,
            styles: Vec::new(),
            span: self.walker.at(self.start(head), self.end_before(to)),
        })
    }
}
