//! What a text of the language is made of, before anyone asks what it means.

pub mod blocks;
pub mod lex;
