//! What everything that reads, writes, or colors source asks: the words of the language.

pub mod words;
