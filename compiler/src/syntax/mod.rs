//! What a text of the language is made of, before anyone asks what it means: its words, tokens, and brackets.

pub mod blocks;
pub mod lex;
pub mod string;
pub mod words;
