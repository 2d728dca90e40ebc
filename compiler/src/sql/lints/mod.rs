//! What SQLite runs and is probably not what the author means.
//!
//! The walk that types a query (`select`, `infer`) calls the lints where it knows most: each operator with the types of its operands, each
//! SELECT with its relations and keys. What is not understood in full is not judged.
//!
//! | file | lints |
//! | --- | --- |
//! | `division` | `sql_integer_division` |
//! | `colon` | `sql_name_without_colon` |
//! | `with` | `unused_cte` |
//! | `places` | where an expression begins and ends |

mod colon;
mod division;
mod places;
mod with;

use std::collections::BTreeSet;

use super::select::Analyser;
use super::{Query, SqlRequest, lex, parse};
use crate::diagnostics::Diagnostic;
use crate::host::Sqlite;

/// Something that is to be said of a query.
pub struct Finding {
    /// The words.
    pub said: Diagnostic,
}

/// What becomes of the rows of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Use {
    /// Their order is lost, but which rows there are matters.
    #[default]
    Bag,
    /// Only whether there are any: EXISTS.
    Counted,
    /// Their order matters; why, in a few words.
    Ordered(String),
}

/// What a walk gathers.
#[derive(Default)]
pub struct Lints {
    /// What is to be said.
    pub found: Vec<Finding>,
    /// What becomes of the rows of the query that is walked next.
    next: Use,
    /// Divisions whose fraction is dropped on purpose: where their divisors stand.
    whole: BTreeSet<usize>,
}

/// Looks at a query without errors.
pub fn lint(request: &SqlRequest<'_>, becomes: Use, sqlite: &dyn Sqlite) -> Vec<Finding> {
    let query = Query { request, text: &request.raw.text, tokens: lex::tokens(&request.raw.text), sqlite };
    let Some(tree) = parse::query(&query.tokens) else { return Vec::new() };
    let mut analyser = Analyser::of(&query);
    analyser.lints = Some(Lints { next: becomes, ..Lints::default() });
    analyser.query(&tree);
    let complete = analyser.meaning.complete;
    let mut found = analyser.lints.filter(|_| complete).map(|lints| lints.found).unwrap_or_default();
    with::check(&query, &tree, &mut found);
    found.sort_by_key(|finding| (finding.said.primary.span, finding.said.code.id));
    found.dedup_by(|later, first| {
        later.said.code == first.said.code && later.said.primary.span == first.said.primary.span
    });
    found
}

impl Analyser<'_> {
    /// Notes something, unless this is a first look.
    fn find(&mut self, finding: Finding) {
        if self.quiet == 0
            && let Some(lints) = &mut self.lints
        {
            lints.found.push(finding);
        }
    }

    /// What becomes of the rows of the query that is walked next.
    pub fn rows_are(&mut self, becomes: Use) {
        if let Some(lints) = &mut self.lints {
            lints.next = becomes;
        }
    }

    /// What becomes of the rows of the query at hand; those inside it are on their own.
    pub fn use_of_rows(&mut self) -> Use {
        self.lints.as_mut().map(|lints| std::mem::take(&mut lints.next)).unwrap_or_default()
    }
}
