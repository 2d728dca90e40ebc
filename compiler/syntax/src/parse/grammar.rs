//! The pest parser generated from `grammar/pcd.pest`. Its types are used only in this folder.

#![allow(missing_docs)]

/// The generated parser.
#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/pcd.pest"]
pub(super) struct Grammar;

/// A node of pest's tree.
pub(super) type Pair<'s> = pest::iterators::Pair<'s, Rule>;
