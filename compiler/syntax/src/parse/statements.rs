//! Parsing of statements in tasks, variants, and stages.

use super::ast_builder::{AstBuilder, NameOf};
use super::grammar::{Pair, Rule};
use crate::ast::{Compute, Each, Expr, Prompt, Stage, Stmt, StmtKind};

impl AstBuilder<'_> {
    /// Parses a statement.
    pub fn parse_stmt(&mut self, pair: Pair<'_>) -> Option<Stmt> {
        let (mut doc, rest) = self.split_doc(pair);
        let inner = rest.into_iter().next()?;
        let span = self.span(&inner);
        let kind = match inner.as_rule() {
            Rule::draw => self.parse_draw(inner)?,
            Rule::compute => StmtKind::Compute(self.parse_compute(inner)?),
            Rule::data => StmtKind::Data(self.parse_data(inner)?),
            Rule::table_stmt => {
                let mut table = self.parse_table_stmt(inner, NameOf::Value)?;
                // `stmt` has already parsed the doc comment.
                table.doc = table.doc.or_else(|| doc.clone());
                doc.clone_from(&table.doc);
                StmtKind::Table(table)
            }
            Rule::table_from => StmtKind::TableFrom(self.parse_table_from(inner)?),
            Rule::lake_use => StmtKind::Lake(self.parse_lake_use(inner)?),
            Rule::variant => self.parse_variant(inner)?,
            Rule::stage => StmtKind::Stage(self.parse_stage(inner)?),
            Rule::expect => StmtKind::Expect(self.parse_expect(inner)?),
            Rule::prompt => StmtKind::Prompt(self.parse_prompt(inner)?),
            Rule::require => StmtKind::Require(self.parse_require(inner)?),
            Rule::samples => StmtKind::Samples(self.parse_expr(inner.into_inner().nth(1)?)),
            Rule::tags => StmtKind::Tags(self.parse_expr(inner.into_inner().nth(1)?)),
            Rule::tools => StmtKind::Tools(self.parse_expr(inner.into_inner().nth(1)?)),
            Rule::calls => StmtKind::Calls(self.parse_expr(inner.into_inner().nth(1)?)),
            Rule::axis => {
                let Compute { name, value } = self.parse_value_of(inner.into_inner().skip(1), NameOf::Value)?;
                StmtKind::Axis { name, cells: value }
            }
            Rule::each => StmtKind::Each(self.parse_each(inner)?),
            Rule::clutter => {
                let mut parts =
                    inner.into_inner().filter(|part| !matches!(part.as_rule(), Rule::k_clutter | Rule::k_in));
                let count = self.parse_expr(parts.next()?);
                StmtKind::Clutter { count, within: parts.next().map(|path| self.parse_string(path)) }
            }
            Rule::folder => StmtKind::Folder(self.parse_string(inner.into_inner().nth(1)?)),
            Rule::allow => StmtKind::Allow(self.parse_allow(inner.into_inner().nth(1)?, span)?),
            Rule::later => StmtKind::Reserved(self.parse_reserved(inner)?),
            _ => return None,
        };
        Some(Stmt { doc, kind, span })
    }

    fn parse_draw(&mut self, pair: Pair<'_>) -> Option<StmtKind> {
        let mut names = Vec::new();
        let mut domain = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::decl => names.push(self.parse_declared(&part, NameOf::Value)),
                Rule::colon_hole => domain = Some(self.report_missing_domain(self.span(&part), "a domain")),
                _ => domain = Some(self.parse_domain(part)),
            }
        }
        Some(StmtKind::Draw { names, domain: domain? })
    }

    fn parse_each(&mut self, pair: Pair<'_>) -> Option<Each> {
        let (mut name, mut rel, mut key, mut by, mut filter) = (None, None, None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::decl => name = Some(self.parse_declared(&part, NameOf::Value)),
                Rule::path => rel = Some(self.parse_expr(part)),
                Rule::row_key => key = part.into_inner().nth(1).map(|name| self.parse_ident(&name)),
                Rule::row_by => by = part.into_inner().nth(1).map(|name| self.parse_ident(&name)),
                Rule::expr => filter = Some(self.parse_expr(part)),
                _ => {}
            }
        }
        Some(Each { name: name?, rel: rel?, key, by, filter })
    }

    fn parse_require(&mut self, pair: Pair<'_>) -> Option<Expr> {
        let first = pair.into_inner().next_back()?;
        if first.as_rule() == Rule::require_hole {
            return Some(self.report_missing_expr(self.span(&first), "a condition"));
        }
        Some(self.parse_expr(first))
    }

    fn parse_prompt(&mut self, pair: Pair<'_>) -> Option<Prompt> {
        let last = pair.into_inner().next_back()?;
        Some(match last.as_rule() {
            Rule::prompt_hole => {
                let keyword = self.span(&last);
                self.report_missing(keyword, "a text in quotes");
                Prompt::Missing(keyword.shrink_to_end())
            }
            Rule::list => Prompt::OneOf(self.parse_exprs(last)),
            Rule::quoted_wrongly => Prompt::One(self.parse_single_quoted(&last)),
            _ => Prompt::One(self.parse_string(last)),
        })
    }

    fn parse_variant(&mut self, pair: Pair<'_>) -> Option<StmtKind> {
        let mut parts = pair.into_inner();
        let name = self.parse_head_name(parts.next()?)?;
        Some(StmtKind::Variant { name, body: self.parse_block(parts) })
    }

    /// `stage NAME [after NAME, …] { … }`
    pub fn parse_stage(&mut self, pair: Pair<'_>) -> Option<Stage> {
        let mut parts = pair.into_inner();
        let head = parts.next()?;
        let after = head.clone().into_inner().find(|part| part.as_rule() == Rule::after_stages);
        let names = after.into_iter().flat_map(|after| after.into_inner().skip(1));
        let after = names.map(|name| self.parse_ident(&name)).collect();
        Some(Stage { name: self.parse_head_name(head)?, after, body: self.parse_block(parts) })
    }

    /// Parses the statements of a block.
    pub fn parse_block<'p>(&mut self, parts: impl Iterator<Item = Pair<'p>>) -> Vec<Stmt> {
        parts.filter(|part| part.as_rule() == Rule::stmt).filter_map(|part| self.parse_stmt(part)).collect()
    }
}
