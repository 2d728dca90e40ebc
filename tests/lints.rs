//! Lints: what each must catch, and what looks like it and must not be said.

#[path = "lints/domains.rs"]
mod domains;
#[path = "lints/facts.rs"]
mod facts;
