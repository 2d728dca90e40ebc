//! What the language and its library offer by name.

use crate::ast::{self, ItemKind};
use crate::check::signature_text;

/// The domains that are words of the language: each with how it is written.
pub const BUILT_IN_DOMAINS: [(&str, &str); 15] = [
    ("int", "int 1..100 step 5"),
    ("decimal", "decimal 0.50..99.99"),
    ("date", "date 2024-01-01..2024-12-31"),
    ("datetime", "datetime 2024-01-01T00:00..2024-12-31T23:59 step 1 hours"),
    ("bool", "bool 80%"),
    ("one_of", "one_of [\"a\", \"b\"]"),
    ("weighted", "weighted [\"a\": 3, \"b\": 1]"),
    ("pattern", "pattern \"[A-Z]{3}-[0-9]{4}\""),
    ("template", "template \"<<first_name>> <<last_name>>\""),
    ("serial", "serial"),
    ("ref", "ref customers.ID"),
    ("lorem", "lorem lines 20..40"),
    ("normal", "normal mean 50 sd 10 0..100"),
    ("lognormal", "lognormal mean 3 sd 1 1..1_000"),
    ("zipf", "zipf 100"),
];

/// An overload of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// `csv_avg(values: csv column of number) -> float?`
    pub signature: String,
    /// Its parameters as they stand in the signature.
    pub params: Vec<FunctionParam>,
    /// What it does.
    pub doc: String,
    /// Where its name is declared.
    pub span: ast::Span,
}

/// A parameter of a [`Function`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionParam {
    /// As written: `values: csv column of number`.
    pub text: String,
    /// It repeats.
    pub variadic: bool,
}

/// The functions that the files declare, in source order.
pub fn functions<'a>(files: impl Iterator<Item = &'a ast::File>) -> Vec<Function> {
    let items = files.flat_map(|file| &file.items);
    items
        .filter_map(|item| match &item.kind {
            ItemKind::Function(def) => {
                let (signature, params) = signature_text(def);
                let params = params.into_iter().zip(&def.params);
                Some(Function {
                    name: def.name.text.clone(),
                    signature,
                    params: params.map(|(text, param)| FunctionParam { text, variadic: param.variadic }).collect(),
                    doc: item.doc.as_ref().map(|doc| doc.text.clone()).unwrap_or_default(),
                    span: def.name.span,
                })
            }
            _ => None,
        })
        .collect()
}

/// A source of the standard library by its name: `1/functions.pcd`.
pub fn library_source(name: &str) -> Option<&'static str> {
    crate::library::sources().iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
