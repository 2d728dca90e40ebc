//! What is known of the values of a part of a predicate in JSONPath or XPath.

use model::{Value, ValueType};

use hir::facts::{Fact, Facts};
use hir::paths::leaf::{Leaf, Source};
use hir::paths::predicate::{Language, NodeKind, Nodes};
use hir::terms::Known;
use hir::types::TyKind;

/// The class of a value: values of different classes are never equal in JSONPath.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Text,
    Number,
    Bool,
    Null,
    /// An object or an array.
    Compound,
    /// XPath's result where there is not a number.
    NotANumber,
}

/// One kind of value.
#[derive(Clone, Debug)]
pub struct Kind<'a> {
    pub class: Class,
    /// Its values, numbers as doubles and dates as texts; never null.
    pub known: Known<'a>,
    /// Whether its texts are dates or datetimes.
    pub of_time: bool,
    /// Whether its numbers are ints.
    pub whole: bool,
    /// Texts that it does not have.
    pub without: Vec<String>,
    /// The decimal places of its numbers, if they are decimals.
    pub places: Option<u8>,
}

impl<'a> Kind<'a> {
    /// A kind of which no more is known than these values.
    pub fn new(class: Class, known: Known<'a>) -> Kind<'a> {
        Kind { class, known, of_time: false, whole: false, without: Vec::new(), places: None }
    }

    /// Texts.
    pub fn from_texts(known: Known<'a>) -> Kind<'a> {
        Kind::new(Class::Text, known)
    }
}

/// What is known of the values of a part of a predicate.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    pub kinds: Vec<Kind<'a>>,
    /// Whether there may be none.
    pub absent: bool,
    /// Whether there may be several.
    pub several: bool,
    /// Whether they are those of nodes; otherwise they are computed.
    pub of_nodes: bool,
    /// Whether it is a literal.
    pub literal: bool,
}

impl<'a> Values<'a> {
    /// A computed value of one kind.
    pub fn from_kind(kind: Kind<'a>) -> Values<'a> {
        Values::from_kinds(vec![kind])
    }

    /// A computed value of one of these kinds.
    pub fn from_kinds(kinds: Vec<Kind<'a>>) -> Values<'a> {
        Values { kinds, absent: false, several: false, of_nodes: false, literal: false }
    }

    /// A number with this fact.
    pub fn from_number(fact: Fact<'a>) -> Values<'a> {
        Values::from_kind(Kind { whole: false, ..Kind::new(Class::Number, Known::from_fact(fact)) })
    }

    /// A whole number with this fact.
    pub fn from_whole(fact: Fact<'a>) -> Values<'a> {
        Values::from_kind(Kind { whole: true, ..Kind::new(Class::Number, Known::from_fact(fact)) })
    }

    /// A whole number between these.
    pub fn from_count(least: u64, most: u64) -> Values<'a> {
        let int = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
        Values::from_whole(Fact::from_range(int(least), int(most)))
    }

    /// Nothing.
    pub fn nothing() -> Values<'a> {
        Values { absent: true, ..Values::from_kinds(Vec::new()) }
    }

    /// The value of a literal.
    pub fn from_literal(value: &Value) -> Values<'a> {
        let class = match value {
            Value::Null => Class::Null,
            Value::Bool(_) => Class::Bool,
            Value::Text(_) => Class::Text,
            _ => Class::Number,
        };
        let whole = matches!(value, Value::Int(_));
        let value = match value {
            Value::Decimal(decimal) => Value::Float(decimal.to_f64()),
            other => other.clone(),
        };
        let kind = Kind { whole, ..Kind::new(class, Known::from_fact(Fact::from_value(&value))) };
        Values { literal: true, ..Values::from_kind(kind) }
    }
}

/// Infers the values of nodes. `None` if nothing is known of one.
pub fn infer_nodes<'a>(facts: &Facts<'a>, nodes: &Nodes, language: Language) -> Option<Values<'a>> {
    let mut kinds = Vec::new();
    for node in &nodes.kinds {
        let (kind, nullable) = infer_kind(facts, node, language)?;
        kinds.push(kind);
        if nullable {
            // A null in XML is an empty text.
            kinds.push(match language {
                Language::Json => Kind::new(Class::Null, Known::from_fact(Fact::not_null())),
                Language::XPath => Kind::from_texts(Known::from_fact(Fact::from_value(&Value::from_text("")))),
            });
        }
    }
    Some(Values { kinds, absent: nodes.least == 0, several: nodes.most > 1, of_nodes: true, literal: false })
}

fn infer_kind<'a>(facts: &Facts<'a>, node: &NodeKind, language: Language) -> Option<(Kind<'a>, bool)> {
    let plain = |class| Kind::new(class, Known::from_fact(Fact::not_null()));
    let Some(leaf) = &node.leaf else {
        let class = if language == Language::Json { Class::Compound } else { Class::Text };
        return Some((plain(class), false));
    };
    match &leaf.ty.kind {
        TyKind::Null => return Some((plain(Class::Null), false)),
        TyKind::Object(_) | TyKind::List(_) => return Some((plain(Class::Compound), leaf.ty.nullable)),
        _ => {}
    }
    let value_type = leaf.ty.value_type()?;
    let class = match value_type {
        ValueType::Bool => Class::Bool,
        ValueType::Text | ValueType::Date | ValueType::DateTime => Class::Text,
        ValueType::Int | ValueType::Decimal(_) | ValueType::Float => Class::Number,
        ValueType::Duration => return None,
    };
    let known = infer_leaf(facts, leaf, value_type, class);
    // An attribute that is null is not written.
    let nullable = leaf.ty.nullable;
    let known = Known { fact: Fact { nullable: false, ..known.fact }, ..known };
    let of_time = matches!(value_type, ValueType::Date | ValueType::DateTime);
    let places = match value_type {
        ValueType::Decimal(places) => Some(places),
        _ => None,
    };
    // How numbers of an existing file are written is not known.
    let whole = value_type == ValueType::Int && matches!(leaf.source, Source::Cells(..));
    let kind = Kind { of_time, whole, places, ..Kind::new(class, known) };
    Some((kind, nullable))
}

fn infer_leaf<'a>(facts: &Facts<'a>, leaf: &Leaf, value_type: ValueType, class: Class) -> Known<'a> {
    match &leaf.source {
        Source::Unknown => Known::from_fact(Fact::not_null()),
        Source::Texts(texts) if class == Class::Number => {
            let numbers = texts.iter().map(|text| read_number(text).map(Value::Float));
            let numbers: Option<Vec<Value>> = numbers.collect();
            Known::from_fact(numbers.map_or_else(Fact::not_null, |numbers| Fact::from_values(&numbers)))
        }
        Source::Texts(texts) => {
            Known::from_fact(Fact::from_values(texts.iter().map(|text| Value::from_text(text.as_str()))))
        }
        Source::Cells(relation, column) if class == Class::Bool => {
            Known::from_fact(facts.lookup_column(*relation, *column))
        }
        Source::Cells(relation, column) => {
            Known::from_stored(&facts.lookup_column(*relation, *column), value_type).unwrap_or_else(Known::unknown)
        }
    }
}

/// The number that XPath reads in a text.
pub fn read_number(text: &str) -> Option<f64> {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && digits != ".";
    if plain { text.parse().ok() } else { None }
}
