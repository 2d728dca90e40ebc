//! SQL that is a value, and the type of what it returns.

use hir::Expr;
use hir::types::Ty;
use model::suite::FileId;

/// SQL that has already been checked, with its type.
pub(crate) struct LookedAt {
    pub file: FileId,
    pub sql: Expr,
    pub ty: Ty,
    /// Whether all queries that it can be were run, and none of them failed.
    pub is_run: bool,
}
