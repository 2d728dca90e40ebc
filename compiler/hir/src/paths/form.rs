//! The possible content of a JSON or YAML file, by position.

use std::collections::BTreeSet;

use model::Value;

use super::leaf::{Leaf, Source};
use crate::types::{Ty, TyKind};

/// The possible content of a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Unknown content.
    Unknown,
    /// A single value.
    Scalar(Leaf),
    /// Named values.
    Object(Vec<Entry>),
    /// An array of `least` to `most` elements.
    Array {
        /// The possible content of each element.
        element: Box<Form>,
        /// The minimum number of elements.
        least: u64,
        /// The maximum number of elements.
        most: u64,
    },
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its key.
    pub key: String,
    /// Whether it may be missing.
    pub optional: bool,
    /// The possible content of its value.
    pub form: Form,
}

impl Form {
    /// The form of a known value.
    pub fn from_value(value: &Value) -> Form {
        match value {
            Value::Object(fields) => Form::from_fields(fields, Form::from_value),
            Value::List(items) => {
                let element = items.iter().map(Form::from_value).reduce(Form::join_form).unwrap_or(Form::Unknown);
                let count = items.len() as u64;
                Form::Array { element: Box::new(element), least: count, most: count }
            }
            Value::Null => Form::Scalar(Leaf {
                ty: Ty { kind: TyKind::Null, nullable: true },
                source: Source::Texts(BTreeSet::new()),
            }),
            Value::Rows(_) => Form::Unknown,
            odd if tables::tree::mark_of(odd).is_some() => Form::Unknown,
            Value::Text(text) => {
                Form::Scalar(Leaf { ty: Ty::new(TyKind::Text), source: Source::Texts([text.clone()].into()) })
            }
            scalar => Form::Scalar(Leaf::new(scalar.value_type().map_or(Ty::UNKNOWN, Ty::from))),
        }
    }

    /// The form of an expression's value, as far as its type determines it.
    pub fn from_type(ty: &Ty) -> Form {
        match &ty.kind {
            TyKind::Object(fields) => Form::from_fields(fields, Form::from_type),
            TyKind::List(item) => Form::Array { element: Box::new(Form::from_type(item)), least: 0, most: u64::MAX },
            // A result set is written as a list of objects.
            TyKind::Rows(columns) => {
                let element = Form::from_fields(columns, Form::from_type);
                Form::Array { element: Box::new(element), least: 0, most: u64::MAX }
            }
            TyKind::Unknown | TyKind::Map(_) => Form::Unknown,
            _ => Form::Scalar(Leaf::new(ty.clone())),
        }
    }

    /// The form of an object with all of these fields; `form` returns the form of a field.
    fn from_fields<T>(fields: &[(String, T)], form: impl Fn(&T) -> Form) -> Form {
        let entry = |(key, of): &(String, T)| Entry { key: key.clone(), optional: false, form: form(of) };
        Form::Object(fields.iter().map(entry).collect())
    }

    /// The form of a value that has either form.
    pub fn join_form(self, other: Form) -> Form {
        match (self, other) {
            (Form::Scalar(a), Form::Scalar(b)) => a.join_leaf(b).map_or(Form::Unknown, Form::Scalar),
            (Form::Object(a), Form::Object(b)) => Form::Object(join_entries(a, b)),
            (
                Form::Array { element: a, least: a_least, most: a_most },
                Form::Array { element: b, least: b_least, most: b_most },
            ) => Form::Array {
                // An array without elements does not restrict the form of an element.
                element: match (a_most, b_most) {
                    (0, _) => b,
                    (_, 0) => a,
                    _ => Box::new(a.join_form(*b)),
                },
                least: a_least.min(b_least),
                most: a_most.max(b_most),
            },
            _ => Form::Unknown,
        }
    }

    /// Describes it in the author's terms.
    pub fn describe_with_article(&self) -> &'static str {
        match self {
            Form::Unknown => "a value",
            Form::Scalar(_) => "a single value",
            Form::Object(_) => "an object",
            Form::Array { .. } => "an array",
        }
    }

    /// The type of values of this form.
    pub fn ty(&self) -> Ty {
        match self {
            Form::Unknown => Ty::UNKNOWN,
            Form::Scalar(leaf) => leaf.ty.clone(),
            Form::Object(entries) => Ty::new(TyKind::Object(
                entries.iter().map(|entry| (entry.key.clone(), entry.form.ty().with_null_if(entry.optional))).collect(),
            )),
            Form::Array { element, .. } => Ty::new(TyKind::List(Box::new(element.ty()))),
        }
    }
}

/// Joins the fields of two objects; a field of only one of them is optional.
fn join_entries(a: Vec<Entry>, mut b: Vec<Entry>) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::with_capacity(a.len().max(b.len()));
    for entry in a {
        match b.iter().position(|other| other.key == entry.key) {
            Some(at) => {
                let other = b.remove(at);
                let optional = entry.optional || other.optional;
                all.push(Entry { key: entry.key, optional, form: entry.form.join_form(other.form) });
            }
            None => all.push(Entry { optional: true, ..entry }),
        }
    }
    all.extend(b.into_iter().map(|entry| Entry { optional: true, ..entry }));
    all
}
