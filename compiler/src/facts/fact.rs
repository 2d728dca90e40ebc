//! One fact: what a value can be.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use model::{Decimal, Domain, SharedList, Value};

/// The most values that are kept as a list.
pub const MAX_LISTED: usize = 1000;

/// The most characters and items of a value that is known while a suite is checked. Values of values multiply.
pub const MAX_WEIGHT: usize = 100_000;

/// What a value can be. Every part may be vague; none is ever wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact<'a> {
    /// The least and the greatest it can be (null aside), where its values have an order.
    pub range: Option<(Value, Value)>,
    /// All values it can have (null aside): at most [`MAX_LISTED`].
    pub closed: Option<SharedList<Value>>,
    /// Whether it may be null.
    pub nullable: bool,
    /// For a column: no value occurs in it twice (nulls aside).
    pub unique: bool,
    /// The domain that it is drawn from.
    pub domain: Option<&'a Domain>,
}

impl<'a> Fact<'a> {
    /// Nothing is known.
    pub fn unknown() -> Fact<'a> {
        Fact::any(true)
    }

    /// Any value.
    pub fn any(nullable: bool) -> Fact<'a> {
        Fact { range: None, closed: None, nullable, unique: false, domain: None }
    }

    /// Just this value.
    pub fn from_value(value: &Value) -> Fact<'a> {
        Fact::from_values(std::iter::once(value.clone()))
    }

    /// One of these values, of which some may be null. Too many to list leave their range.
    pub fn from_values(values: impl IntoIterator<Item = Value>) -> Fact<'a> {
        let mut fact = Fact::any(false);
        let mut range: Option<Option<(Value, Value)>> = None;
        let mut closed: Option<Distinct> = Some(Distinct::default());
        for value in values {
            if value.is_null() {
                fact.nullable = true;
                continue;
            }
            if weigh_value(&value) > MAX_WEIGHT {
                (range, closed) = (Some(None), None);
                continue;
            }
            range = Some(match range {
                None => value.compare_with(&value).map(|_| (value.clone(), value.clone())),
                Some(range) => range.and_then(|range| widen_range(range, &value)),
            });
            if let Some(listed) = &mut closed
                && !listed.try_insert(value)
            {
                closed = None;
            }
        }
        fact.range = range.flatten();
        fact.closed = closed.map(|listed| listed.values.into());
        fact
    }

    /// A value from `low` to `high`, both included; nothing is known where these have no order.
    pub fn from_range(low: Value, high: Value, nullable: bool) -> Fact<'a> {
        match low.compare_with(&high) {
            Some(Ordering::Equal) => Fact { nullable, ..Fact::from_value(&low) },
            Some(Ordering::Less) => Fact { range: Some((low, high)), ..Fact::any(nullable) },
            // The build finds no value there, or cannot tell.
            Some(Ordering::Greater) | None => Fact::any(nullable),
        }
    }

    /// A value of this domain.
    pub fn from_domain(domain: &'a Domain) -> Fact<'a> {
        let small = domain.cardinality().is_some_and(|size| size <= MAX_LISTED as u128);
        let closed = if small { domain.list_values() } else { None };
        Fact { range: domain.find_range(), closed, domain: Some(domain), ..Fact::any(false) }
    }

    /// The one value it always has.
    pub fn as_single_value(&self) -> Option<&Value> {
        match self.closed.as_deref() {
            Some([only]) if !self.nullable => Some(only),
            _ => None,
        }
    }

    /// Whether null is the only value that it can have, if it can have any.
    pub fn is_empty(&self) -> bool {
        self.closed.as_ref().is_some_and(|values| values.is_empty())
    }

    /// The same, possibly null.
    pub fn with_null_if(self, nullable: bool) -> Fact<'a> {
        Fact { nullable: self.nullable || nullable, ..self }
    }

    /// What is the one or the other.
    pub fn join(&self, other: &Fact<'a>) -> Fact<'a> {
        let nullable = self.nullable || other.nullable;
        if self.is_empty() {
            return Fact { nullable, unique: false, ..other.clone() };
        }
        if other.is_empty() {
            return Fact { nullable, unique: false, ..self.clone() };
        }
        if let (Some(a), Some(b)) = (&self.closed, &other.closed) {
            let both = Fact::from_values(a.iter().chain(b).cloned());
            if both.closed.is_some() {
                return Fact { nullable, ..both };
            }
        }
        let range = match (self.range.clone(), &other.range) {
            (Some(range), Some((low, high))) => widen_range(range, low).and_then(|range| widen_range(range, high)),
            _ => None,
        };
        Fact { range, ..Fact::any(nullable) }
    }

    /// Whether the value is one that it can be. A false "yes" does no harm.
    pub fn can_be(&self, value: &Value) -> bool {
        if value.is_null() {
            return self.nullable;
        }
        if let Some(closed) = &self.closed {
            return closed.iter().any(|known| known.is_same(value));
        }
        let below = |(low, _): &(Value, Value)| value.compare_with(low) == Some(Ordering::Less);
        let above = |(_, high): &(Value, Value)| value.compare_with(high) == Some(Ordering::Greater);
        if self.range.as_ref().is_some_and(|range| below(range) || above(range)) {
            return false;
        }
        // An int may be asked for as a float: that, a domain does not index.
        let indexed = !matches!(value, Value::Float(_) | Value::Duration(_) | Value::Bool(_));
        !self.domain.is_some_and(|domain| indexed && domain.cardinality().is_some() && domain.index_of(value).is_none())
    }
}

/// At most [`MAX_LISTED`] values, no two of which are the same.
#[derive(Default)]
struct Distinct {
    values: Vec<Value>,
    /// By their hash: where they are among `values`.
    hashed: BTreeMap<u64, Vec<usize>>,
    /// Where the others are.
    others: Vec<usize>,
}

impl Distinct {
    /// Takes a value, unless it is there already; `false`: there are too many.
    fn try_insert(&mut self, value: Value) -> bool {
        let hash = hash_value(&value);
        let is_there = |at: &usize| self.values.get(*at).is_some_and(|known| known.is_same(&value));
        let known = match hash {
            Some(hash) => self.hashed.get(&hash).into_iter().flatten().chain(&self.others).any(is_there),
            None => self.values.iter().any(|known| known.is_same(&value)),
        };
        if known {
            return true;
        }
        if self.values.len() == MAX_LISTED {
            return false;
        }
        match hash {
            Some(hash) => self.hashed.entry(hash).or_default().push(self.values.len()),
            None => self.others.push(self.values.len()),
        }
        self.values.push(value);
        true
    }
}

/// A number that is the same for values that are ([`Value::is_same`]), where both have one. A double may be the same as a decimal, and has none.
fn hash_value(value: &Value) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    match value {
        Value::Int(int) => Decimal::from_int(*int).hash(&mut hasher),
        Value::Decimal(decimal) => decimal.hash(&mut hasher),
        Value::Text(text) => text.hash(&mut hasher),
        Value::Bool(bool) => bool.hash(&mut hasher),
        Value::Date(date) => date.0.hash(&mut hasher),
        Value::DateTime(moment) => moment.0.hash(&mut hasher),
        _ => return None,
    }
    Some(hasher.finish())
}

/// The range with this value in it, where they have an order.
fn widen_range((low, high): (Value, Value), value: &Value) -> Option<(Value, Value)> {
    let (below, above) = (value.compare_with(&low)?.is_lt(), value.compare_with(&high)?.is_gt());
    Some((if below { value.clone() } else { low }, if above { value.clone() } else { high }))
}

/// Characters and items of a value.
pub fn weigh_value(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::List(items) => items.iter().map(weigh_value).sum::<usize>() + items.len(),
        Value::Object(fields) => fields.iter().map(|(key, value)| key.len() + weigh_value(value)).sum(),
        _ => 1,
    }
}
