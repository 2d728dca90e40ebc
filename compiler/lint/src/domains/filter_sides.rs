//! What is known of the sides of a condition in a filter of JSONPath or XPath.

use model::{Value, ValueType};

use hir::facts::{Fact, Facts};
use hir::paths::condition::{Language, Operand, Reached};
use hir::paths::leaf::{Leaf, Source};
use hir::terms::{Known, call_function, measure_text};
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
}

/// One kind of value that a side may have.
#[derive(Clone, Debug)]
pub struct Kind<'a> {
    pub class: Class,
    /// Its values, numbers as doubles and dates as texts.
    pub known: Known<'a>,
    /// Whether its texts are dates or datetimes.
    pub of_time: bool,
    /// Whether its numbers are ints.
    pub whole: bool,
}

/// A side of a condition.
#[derive(Clone, Debug)]
pub struct SideFacts<'a> {
    pub kinds: Vec<Kind<'a>>,
    /// Whether it may be null or missing.
    pub absent: bool,
    /// Whether it may have several values.
    pub several: bool,
    /// Whether it is a literal.
    pub literal: bool,
}

/// Infers what is known of a side. `None` if that is nothing.
pub fn infer_side<'a>(facts: &Facts<'a>, operand: &Operand, language: Language) -> Option<SideFacts<'a>> {
    match operand {
        Operand::Literal(value) => {
            let class = match value {
                Value::Null => Class::Null,
                Value::Bool(_) => Class::Bool,
                Value::Text(_) => Class::Text,
                _ => Class::Number,
            };
            let value = match value {
                Value::Decimal(decimal) => Value::Float(decimal.to_f64()),
                other => other.clone(),
            };
            let side = from_kind(class, Known::from_fact(Fact::from_value(&value)));
            Some(SideFacts { literal: true, ..side })
        }
        Operand::Count(least, most) => {
            let int = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
            Some(from_kind(Class::Number, Known::from_fact(Fact::from_range(int(*least), int(*most)))))
        }
        Operand::Values(reached) => infer_values(facts, reached),
        Operand::Lengths(reached) => infer_lengths(&infer_values(facts, reached)?, language),
        Operand::Part(reached, from, count) => infer_part(infer_values(facts, reached)?, *from, *count),
        Operand::Unknown => None,
    }
}

fn from_kind<'a>(class: Class, known: Known<'a>) -> SideFacts<'a> {
    let kinds = vec![Kind { class, known, of_time: false, whole: true }];
    SideFacts { kinds, absent: false, several: false, literal: false }
}

fn infer_values<'a>(facts: &Facts<'a>, reached: &Reached) -> Option<SideFacts<'a>> {
    let mut side = SideFacts { kinds: Vec::new(), absent: reached.optional, several: reached.several, literal: false };
    for leaf in &reached.leaves {
        let kind = infer_kind(facts, leaf)?;
        side.absent |= kind.known.fact.nullable || leaf.ty.nullable;
        side.kinds.push(kind);
    }
    (!side.kinds.is_empty()).then_some(side)
}

fn infer_kind<'a>(facts: &Facts<'a>, leaf: &Leaf) -> Option<Kind<'a>> {
    let plain = |class| Some(Kind { class, known: Known::from_fact(Fact::not_null()), of_time: false, whole: false });
    match &leaf.ty.kind {
        TyKind::Null => return plain(Class::Null),
        TyKind::Object(_) | TyKind::List(_) => return plain(Class::Compound),
        _ => {}
    }
    let value_type = leaf.ty.value_type()?;
    let class = match value_type {
        ValueType::Bool => Class::Bool,
        ValueType::Text | ValueType::Date | ValueType::DateTime => Class::Text,
        ValueType::Int | ValueType::Decimal(_) | ValueType::Float => Class::Number,
        ValueType::Duration => return None,
    };
    let known = match &leaf.source {
        Source::Unknown => Known::from_fact(Fact::not_null()),
        Source::Texts(texts) => {
            Known::from_fact(Fact::from_values(texts.iter().map(|text| Value::from_text(text.as_str()))))
        }
        Source::Cells(relation, column) if class == Class::Bool => {
            Known::from_fact(facts.lookup_column(*relation, *column))
        }
        Source::Cells(relation, column) => {
            Known::from_stored(&facts.lookup_column(*relation, *column), value_type).unwrap_or_else(Known::unknown)
        }
    };
    let of_time = matches!(value_type, ValueType::Date | ValueType::DateTime);
    Some(Kind { class, known, of_time, whole: value_type == ValueType::Int })
}

/// A part of each text.
fn infer_part<'a>(side: SideFacts<'a>, from: i64, count: i64) -> Option<SideFacts<'a>> {
    let constant = |int: i64| Known::from_fact(Fact::from_value(&Value::Int(int)));
    let part = |kind: Kind<'a>| {
        let known = (kind.class == Class::Text)
            .then(|| call_function("substr", &[kind.known, constant(from), constant(count)]))?;
        Some(Kind { class: Class::Text, known, of_time: false, whole: false })
    };
    // A missing text has an empty part.
    let kinds: Vec<Kind<'a>> = side.kinds.into_iter().map(part).collect::<Option<_>>()?;
    (!side.absent).then_some(SideFacts { kinds, ..side })
}

/// The lengths of texts. In JSONPath, other values have no length; in XPath, a missing text is empty.
fn infer_lengths<'a>(side: &SideFacts<'a>, language: Language) -> Option<SideFacts<'a>> {
    let mut fact: Option<Fact<'a>> = None;
    for kind in &side.kinds {
        if side.several {
            return None;
        }
        if kind.class != Class::Text {
            // A number or bool has no length in JSONPath.
            let none = side.kinds.len() == 1
                && language == Language::Json
                && matches!(kind.class, Class::Number | Class::Bool);
            let nothing = from_kind(Class::Null, Known::unknown());
            return none.then_some(SideFacts { absent: true, ..nothing });
        }
        let next = measure_text(&kind.known);
        fact = Some(fact.map_or(next.clone(), |fact| fact.join_fact(&next)));
    }
    let fact = Fact { nullable: false, ..fact? };
    let (fact, absent) = match (language, side.absent) {
        (Language::XPath, true) => (fact.join_fact(&Fact::from_value(&Value::Int(0))), false),
        (_, absent) => (fact, absent),
    };
    Some(SideFacts { absent, ..from_kind(Class::Number, Known::from_fact(fact)) })
}
