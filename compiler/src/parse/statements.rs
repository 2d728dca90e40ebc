//! Statements of tasks, variants, and stages.

use super::grammar::{Pair, Rule};
use super::walk::Walker;
use crate::ast::{Each, Expr, ExprKind, Prompt, Stage, Stmt, StmtKind};

impl Walker<'_> {
    /// One statement.
    pub fn stmt(&mut self, pair: Pair<'_>) -> Option<Stmt> {
        let (mut doc, rest) = self.documented(pair);
        let inner = rest.into_iter().next()?;
        let span = self.span(&inner);
        let kind = match inner.as_rule() {
            Rule::draw => self.draw(inner)?,
            Rule::compute => StmtKind::Compute(self.compute(inner)?),
            Rule::data => StmtKind::Data(self.data(inner)?),
            Rule::table_stmt => {
                let mut table = self.table_stmt(inner, true)?;
                // `stmt` has read the doc comment already.
                table.doc = table.doc.or_else(|| doc.clone());
                StmtKind::Table(table)
            }
            Rule::table_from => StmtKind::TableFrom(self.table_from(inner)?),
            Rule::lake_use => StmtKind::Lake(self.lake_use(inner)?),
            Rule::variant => self.variant(inner)?,
            Rule::stage => StmtKind::Stage(self.stage(inner)?),
            Rule::expect => StmtKind::Expect(self.expect(inner)?),
            Rule::prompt => StmtKind::Prompt(self.prompt(inner)?),
            Rule::require => StmtKind::Require(self.require(inner)?),
            Rule::samples => StmtKind::Samples(self.expr(inner.into_inner().nth(1)?)),
            Rule::tags => StmtKind::Tags(self.expr(inner.into_inner().nth(1)?)),
            Rule::tools => StmtKind::Tools(self.expr(inner.into_inner().nth(1)?)),
            Rule::calls => StmtKind::Calls(self.expr(inner.into_inner().nth(1)?)),
            Rule::axis => {
                let mut parts = inner.into_inner().skip(1);
                let name = self.declared(&parts.next()?, true);
                let cells = self.after_eq(parts.next()?, parts.next(), &name.text)?;
                StmtKind::Axis { name, cells }
            }
            Rule::each => StmtKind::Each(self.each(inner)?),
            Rule::clutter => {
                let mut parts =
                    inner.into_inner().filter(|part| !matches!(part.as_rule(), Rule::k_clutter | Rule::k_in));
                let count = self.expr(parts.next()?);
                StmtKind::Clutter { count, within: parts.next().map(|path| self.string(path)) }
            }
            Rule::folder => StmtKind::Folder(self.string(inner.into_inner().nth(1)?)),
            Rule::allow => StmtKind::Allow(self.lint(inner.into_inner().nth(1)?, span)?),
            Rule::later => StmtKind::Reserved(self.later(inner)?),
            _ => return None,
        };
        if let StmtKind::Table(table) = &kind {
            doc = table.doc.clone();
        }
        Some(Stmt { doc, kind, span })
    }

    fn draw(&mut self, pair: Pair<'_>) -> Option<StmtKind> {
        let mut names = Vec::new();
        let mut domain = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::decl => names.push(self.declared(&part, true)),
                Rule::colon_hole => {
                    let sign = self.span(&part);
                    domain = Some(self.missing_domain(sign, "a domain"));
                }
                _ => domain = Some(self.domain(part)),
            }
        }
        Some(StmtKind::Draw { names, domain: domain? })
    }

    fn each(&mut self, pair: Pair<'_>) -> Option<Each> {
        let (mut name, mut rel, mut key, mut by, mut filter) = (None, None, None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::decl => name = Some(self.declared(&part, true)),
                Rule::path => {
                    let span = self.span(&part);
                    rel = Some(Expr { kind: ExprKind::Path(self.path(part)), span });
                }
                Rule::row_key => key = part.into_inner().nth(1).map(|name| self.ident(&name)),
                Rule::row_by => by = part.into_inner().nth(1).map(|name| self.ident(&name)),
                Rule::expr => filter = Some(self.expr(part)),
                _ => {}
            }
        }
        Some(Each { name: name?, rel: rel?, key, by, filter })
    }

    fn require(&mut self, pair: Pair<'_>) -> Option<Expr> {
        let first = pair.into_inner().next_back()?;
        if first.as_rule() == Rule::require_hole {
            let keyword = self.span(&first);
            return Some(self.missing(keyword, "a condition"));
        }
        Some(self.expr(first))
    }

    fn prompt(&mut self, pair: Pair<'_>) -> Option<Prompt> {
        let last = pair.into_inner().next_back()?;
        Some(match last.as_rule() {
            Rule::prompt_hole => {
                let keyword = self.span(&last);
                self.report_missing(keyword, "a text in quotes");
                Prompt::Missing(keyword.after())
            }
            Rule::list => Prompt::OneOf(self.exprs(last)),
            Rule::quoted_wrongly => Prompt::One(self.single_quoted(&last)),
            _ => Prompt::One(self.string(last)),
        })
    }

    fn variant(&mut self, pair: Pair<'_>) -> Option<StmtKind> {
        let mut parts = pair.into_inner();
        let name = self.head_name(parts.next()?)?;
        Some(StmtKind::Variant { name, body: self.block(parts) })
    }

    fn stage(&mut self, pair: Pair<'_>) -> Option<Stage> {
        let mut parts = pair.into_inner();
        let stage = self.stage_head(parts.next()?)?;
        Some(Stage { body: self.block(parts), ..stage })
    }

    /// `stage NAME [after NAME, …]`, with an empty block.
    pub fn stage_head(&mut self, pair: Pair<'_>) -> Option<Stage> {
        let after = pair.clone().into_inner().find(|part| part.as_rule() == Rule::after_stages);
        let names = after.into_iter().flat_map(|after| after.into_inner().skip(1));
        let after = names.map(|name| self.ident(&name)).collect();
        Some(Stage { name: self.head_name(pair)?, after, body: Vec::new() })
    }

    /// The statements of a block.
    fn block<'p>(&mut self, parts: impl Iterator<Item = Pair<'p>>) -> Vec<Stmt> {
        parts.filter(|part| part.as_rule() == Rule::stmt).filter_map(|part| self.stmt(part)).collect()
    }
}
