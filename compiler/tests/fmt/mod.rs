//! Tests of the formatter: what it makes of some texts, and that no text means something else after it, loses a comment, or changes a second time.

mod corpus;
mod generate;
mod hold;
mod layout;
mod mutate;
mod quote;
