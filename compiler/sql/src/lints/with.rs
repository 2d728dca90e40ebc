//! `unused_cte`: a table of WITH that is not read.

use std::ops::ControlFlow;

use sqlparser::ast::{self, Cte};

use super::findings::Finding;
use crate::lex::Token;
use crate::parse;
use crate::request::Query;
use crate::visitor::{Visitor, visit_nodes};
use syntax::diagnostics::{Code, Diagnostic};

/// Checks every WITH of a query.
pub fn check_unused_ctes(query: &Query<'_>, tree: &ast::Query, found: &mut Vec<Finding>) {
    struct Tables<'q, 'f> {
        query: &'q Query<'q>,
        found: &'f mut Vec<Finding>,
    }
    impl Visitor for Tables<'_, '_> {
        fn pre_visit_query(&mut self, query: &ast::Query) -> ControlFlow<()> {
            for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
                self.found.extend(check_cte(self.query, cte));
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_nodes(tree, &mut Tables { query, found });
}

/// Reports a table whose name does not occur outside its own definition, so nothing can read it.
fn check_cte(query: &Query<'_>, cte: &Cte) -> Option<Finding> {
    let name = &cte.alias.name;
    let (start, end) = parse::find_span_bytes(name.span)?;
    let (_, close) = parse::find_span_bytes(cte.closing_paren_token.0.span)?;
    let outside = |token: &&Token<'_>| token.start < start || token.start >= close;
    if query.tokens.iter().filter(outside).any(|token| token.is_named(&name.value)) {
        return None;
    }
    let said = Diagnostic::new(
        Code::UNUSED_CTE,
        format!("CTE `{}` is never used", name.value),
        query.to_span((start, end)),
        "never read",
    )
    .help("remove it, or read it in FROM");
    Some(Finding::new_unconditional(said))
}
