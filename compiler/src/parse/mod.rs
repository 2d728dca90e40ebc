//! From text to Ast.
