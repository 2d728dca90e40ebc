//! The lexical structure of the language: its words, tokens, and brackets.

pub mod blocks;
pub mod lex;
pub mod string;
pub mod words;
