//! The text of a suite: its words and tokens, its tree, its formatting, and the diagnostics that point into it.
//!
//! | module | concept |
//! | --- | --- |
//! | `words` | the vocabulary, and what may follow each word |
//! | `lex` | the one lexer, which reads any text; `lex::sql` reads SQL |
//! | `blocks`, `string` | brackets and indented blocks; string literals |
//! | `parse` | text → tree, with recovery |
//! | `ast` | the tree |
//! | `fmt` | the tree's text, formatted |
//! | `diagnostics` | codes, messages, fixes |
//! | `prompts` | the words of prompts, as data for lints |
//! | `sources`, `host` | the files of a suite, and where they come from |
//! | `bounds` | bounds of a count |

pub mod ast;
pub mod blocks;
pub mod bounds;
pub mod diagnostics;
pub mod fmt;
pub mod host;
pub mod lex;
pub mod parse;
pub mod prompts;
pub mod sources;
pub mod string;
pub mod words;
