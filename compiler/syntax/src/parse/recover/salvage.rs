//! The declared names of statements that cannot be parsed, so their uses are not reported too.

use super::Recovery;
use crate::ast::{
    Column, ColumnKind, Compute, Data, Domain, DomainDef, Expr, ExprKind, Ident, ItemKind, Key, StmtKind,
};
use crate::lex::Kind;
use crate::parse::grammar::Rule;
use crate::words::{self, Class};

impl Recovery<'_, '_> {
    fn make_missing_expr(&self, to: usize) -> Expr {
        let end = self.end_before(to);
        Expr { kind: ExprKind::Missing, span: self.walker.make_span(end, end) }
    }

    fn make_missing_domain(&self, to: usize) -> Domain {
        let end = self.end_before(to);
        Domain::new_missing(self.walker.make_span(end, end))
    }

    fn read_plain_name(&self, index: usize) -> Option<Ident> {
        self.blocks.is_name(index).then(|| self.make_ident(index))
    }

    /// The names before `:` or `=`, and whether the sign is `:`.
    fn read_names(&self, mut index: usize) -> Option<(Vec<Ident>, bool)> {
        if !self.blocks.is_declaration(index) {
            return None;
        }
        let mut names = Vec::new();
        while let Some(name) = self.read_plain_name(index) {
            names.push(name);
            match self.blocks.text(index + 1) {
                "," => index += 2,
                sign => return Some((names, sign == ":")),
            }
        }
        None
    }

    /// Returns an item with its name, but without its content.
    pub(super) fn salvage_item(&mut self, head: usize, to: usize) -> Option<ItemKind> {
        if self.is_token(head, "domain") {
            let name = self.read_plain_name(head + 1)?;
            return Some(ItemKind::Domain(DomainDef { name, domain: self.make_missing_domain(to) }));
        }
        if words::is_of_class(Class::Planned, self.blocks.text(head)) {
            return Some(ItemKind::Reserved(self.read_plain_name(head)?));
        }
        match self.read_names(head)? {
            (mut names, false) if names.len() == 1 => {
                Some(ItemKind::Constant(Compute { name: names.pop()?, value: self.make_missing_expr(to) }))
            }
            _ => None,
        }
    }

    /// Returns a statement with its names, but without its content.
    pub(super) fn salvage_statement(&mut self, head: usize, to: usize) -> Option<StmtKind> {
        if let Some((mut names, drawn)) = self.read_names(head) {
            if drawn {
                return Some(StmtKind::Draw { names, domain: self.make_missing_domain(to) });
            }
            return Some(StmtKind::Compute(Compute { name: names.pop()?, value: self.make_missing_expr(to) }));
        }
        match self.blocks.text(head) {
            "axis" => Some(StmtKind::Axis { name: self.read_plain_name(head + 1)?, cells: self.make_missing_expr(to) }),
            word if words::is_of_class(Class::Planned, word) => Some(StmtKind::Reserved(self.read_plain_name(head)?)),
            word if words::is_of_class(Class::Format, word) => {
                // Only its head is parsed, at most up to the path.
                let text = (head..to).find(|index| self.blocks.kind(*index) == Some(Kind::Text))?;
                let (pair, _) = self.try_parse(Rule::data_head, head, text + 1)?;
                let data: Data = self.walker.parse_data_head(pair)?;
                Some(StmtKind::Data(data))
            }
            _ => None,
        }
    }

    /// Returns a column with its names, but without its content.
    pub(super) fn salvage_column(&mut self, from: usize, head: usize, to: usize) -> Option<Column> {
        let attribute = self.is_token(head, "@");
        let (names, drawn) = self.read_names(head + usize::from(attribute))?;
        let kind = if drawn {
            ColumnKind::Draw(self.make_missing_domain(to))
        } else {
            ColumnKind::Compute(self.make_missing_expr(to))
        };
        let keys = names.into_iter().map(|name| Key { name, attribute }).collect();
        Some(Column {
            doc: self.collect_doc(from, head),
            keys,
            kind,
            place: None,
            styles: Vec::new(),
            span: self.walker.make_span(self.token_start(head), self.end_before(to)),
        })
    }
}
