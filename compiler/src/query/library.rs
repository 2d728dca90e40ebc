//! The functions and sources of the standard library, by name.

use check::library::render_signature;
use syntax::ast::{self, ItemKind};

/// An overload of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// `csv_avg(values: csv column of number) -> float?`
    pub signature: String,
    /// Its parameters, in the order of the signature.
    pub params: Vec<FunctionParam>,
    /// Its doc comment.
    pub doc: String,
    /// The range of its name in the declaration.
    pub span: ast::Span,
}

/// A parameter of a [`Function`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionParam {
    /// Its text: `values: csv column of number`.
    pub text: String,
    /// Whether it may be repeated.
    pub variadic: bool,
}

/// The functions declared in the files, in source order.
pub fn list_functions<'a>(files: impl Iterator<Item = &'a ast::File>) -> Vec<Function> {
    let items = files.flat_map(|file| &file.items);
    items
        .filter_map(|item| match &item.kind {
            ItemKind::Function(def) => {
                let (signature, params) = render_signature(def);
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

/// Finds a source of the standard library by its name: `1/functions.pcd`.
pub fn find_library_source(name: &str) -> Option<&'static str> {
    check::library::list_sources().iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
