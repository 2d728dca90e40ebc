//! SQL that is a value, and the type of what it returns.

use hir::Expr;
use hir::types::Ty;
use model::suite::FileId;

/// SQL that has already been checked, with its type.
pub(crate) struct LookedAt {
    pub file: FileId,
    pub sql: Expr,
    pub ty: Ty,
}
