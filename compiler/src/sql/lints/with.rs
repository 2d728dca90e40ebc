//! `unused_cte`: a table of WITH that nothing reads.

use std::ops::ControlFlow;

use sqlparser::ast::{self, Cte, Visit, Visitor};

use super::Finding;
use crate::diagnostics::{Code, Diagnostic};
use crate::sql::{Query, parse, same};

/// Looks at every WITH of a query.
pub fn check(query: &Query<'_>, tree: &ast::Query, found: &mut Vec<Finding>) {
    struct Tables<'q, 'f> {
        query: &'q Query<'q>,
        found: &'f mut Vec<Finding>,
    }
    impl Visitor for Tables<'_, '_> {
        type Break = ();
        fn pre_visit_query(&mut self, query: &ast::Query) -> ControlFlow<()> {
            for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
                self.found.extend(unused(self.query, cte));
            }
            ControlFlow::Continue(())
        }
    }
    let _ = tree.visit(&mut Tables { query, found });
}

/// If its name does not occur outside of its own definition, nothing can read it.
fn unused(query: &Query<'_>, cte: &Cte) -> Option<Finding> {
    let name = &cte.alias.name;
    let (start, end) = parse::bytes(name.span)?;
    let (_, close) = parse::bytes(cte.closing_paren_token.0.span)?;
    let read = query
        .tokens
        .iter()
        .filter(|token| token.start < start || token.start >= close)
        .any(|token| token.is_name() && same(&token.value(), &name.value));
    if read {
        return None;
    }
    let said = Diagnostic::new(
        Code::UNUSED_CTE,
        format!("CTE `{}` is never used", name.value),
        query.span((start, end)),
        "never read",
    )
    .help("remove it, or read it in FROM");
    Some(Finding::always(said))
}
