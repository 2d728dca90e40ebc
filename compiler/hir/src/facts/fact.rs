//! A fact: the possible values of an expression.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use model::{Decimal, Domain, SharedList, Value};

/// The maximum number of values that are kept as a list.
pub const MAX_LISTED: usize = 1000;

/// The maximum weight of a value that is tracked while a suite is checked (see [`weigh_value`]). Combinations of values multiply.
pub const MAX_WEIGHT: usize = 100_000;

/// The possible values of an expression. Every part may be imprecise, but never excludes a possible value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact<'a> {
    /// The smallest and the largest possible value, except null, if the values are ordered.
    pub range: Option<(Value, Value)>,
    /// All possible values, except null; at most [`MAX_LISTED`].
    pub closed: Option<SharedList<Value>>,
    /// Whether it may be null.
    pub nullable: bool,
    /// For a column: whether no value, except null, occurs more than once.
    pub unique: bool,
    /// The domain from which it is drawn.
    pub domain: Option<&'a Domain>,
}

impl<'a> Fact<'a> {
    /// The fact of an unknown value.
    pub fn unknown() -> Fact<'a> {
        Fact { nullable: true, ..Fact::not_null() }
    }

    /// The fact of any value except null.
    pub fn not_null() -> Fact<'a> {
        Fact { range: None, closed: None, nullable: false, unique: false, domain: None }
    }

    /// The fact of a constant.
    pub fn from_value(value: &Value) -> Fact<'a> {
        Fact::from_values([value])
    }

    /// The fact of one of these values, which may include null. If there are too many to list, only their range is kept.
    pub fn from_values<V: Borrow<Value>>(values: impl IntoIterator<Item = V>) -> Fact<'a> {
        let mut fact = Fact::not_null();
        let mut range: Option<Option<(Value, Value)>> = None;
        let mut closed: Option<Distinct> = Some(Distinct::default());
        for value in values {
            let value = value.borrow();
            if value.is_null() {
                fact.nullable = true;
                continue;
            }
            if weigh_value(value) > MAX_WEIGHT {
                (range, closed) = (Some(None), None);
                continue;
            }
            range = Some(match range {
                None => value.compare_with(value).map(|_| (value.clone(), value.clone())),
                Some(range) => range.and_then(|range| widen_range(range, value)),
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

    /// The fact of a value between `low` and `high`, inclusive; any value except null if they are not ordered.
    ///
    /// ```
    /// use hir::facts::Fact;
    /// use model::Value;
    ///
    /// let age = Fact::from_range(Value::Int(18), Value::Int(67));
    /// assert!(age.can_be(&Value::Int(18)) && !age.can_be(&Value::Int(17)) && !age.can_be(&Value::Null));
    /// // Bounds in the wrong order say nothing, rather than something wrong.
    /// assert!(Fact::from_range(Value::Int(67), Value::Int(18)).can_be(&Value::Int(17)));
    /// ```
    pub fn from_range(low: Value, high: Value) -> Fact<'a> {
        match low.compare_with(&high) {
            Some(Ordering::Equal) => Fact { nullable: false, ..Fact::from_value(&low) },
            Some(Ordering::Less) => Fact { range: Some((low, high)), ..Fact::not_null() },
            // The range is empty or not comparable, so the build has no value here.
            Some(Ordering::Greater) | None => Fact::not_null(),
        }
    }

    /// The fact of a value between these ends, if they are known; otherwise any value except null.
    pub(super) fn from_ends(ends: Option<(Value, Value)>) -> Fact<'a> {
        ends.map_or_else(Fact::not_null, |(low, high)| Fact::from_range(low, high))
    }

    /// The fact of a value drawn from this domain.
    pub fn from_domain(domain: &'a Domain) -> Fact<'a> {
        let small = domain.cardinality().is_some_and(|size| size <= MAX_LISTED as u128);
        let closed = if small { domain.list_values() } else { None };
        Fact { range: domain.find_range(), closed, domain: Some(domain), ..Fact::not_null() }
    }

    /// The value of a constant fact.
    pub fn as_single_value(&self) -> Option<&Value> {
        match self.closed.as_deref() {
            Some([only]) if !self.nullable => Some(only),
            _ => None,
        }
    }

    /// One of its values, or an end of its range.
    pub fn find_example(&self) -> Option<&Value> {
        self.closed.as_ref().and_then(|values| values.first()).or(self.range.as_ref().map(|(low, _)| low))
    }

    /// Whether it has no possible value except null.
    pub fn is_empty(&self) -> bool {
        self.closed.as_ref().is_some_and(|values| values.is_empty())
    }

    /// Adds null to the possible values if `nullable` is set.
    pub fn with_null_if(self, nullable: bool) -> Fact<'a> {
        Fact { nullable: self.nullable || nullable, ..self }
    }

    /// The fact of a value that satisfies either fact.
    ///
    /// ```
    /// use hir::facts::Fact;
    /// use model::Value;
    ///
    /// let paid = Fact::from_value(&Value::from_text("paid"));
    /// let either = paid.join_fact(&Fact::from_value(&Value::from_text("open")));
    /// assert!(either.can_be(&Value::from_text("open")) && !either.can_be(&Value::from_text("sent")));
    /// // A constant is known, one of two values is not.
    /// assert_eq!((paid.as_single_value().is_some(), either.as_single_value()), (true, None));
    /// ```
    pub fn join_fact(&self, other: &Fact<'a>) -> Fact<'a> {
        let nullable = self.nullable || other.nullable;
        if self.is_empty() {
            return Fact { nullable, unique: false, ..other.clone() };
        }
        if other.is_empty() {
            return Fact { nullable, unique: false, ..self.clone() };
        }
        if let (Some(a), Some(b)) = (&self.closed, &other.closed) {
            let both = Fact::from_values(a.iter().chain(b));
            if both.closed.is_some() {
                return Fact { nullable, ..both };
            }
        }
        let range = match (self.range.clone(), &other.range) {
            (Some(range), Some((low, high))) => widen_range(range, low).and_then(|range| widen_range(range, high)),
            _ => None,
        };
        Fact { range, nullable, ..Fact::not_null() }
    }

    /// The fact of a value that satisfies both facts; this one if there is none.
    pub(super) fn meet(&self, other: &Fact<'a>) -> Fact<'a> {
        let rest = |fact: Fact<'a>| Fact {
            nullable: self.nullable && other.nullable,
            unique: self.unique || other.unique,
            ..fact
        };
        let listed = match (&self.closed, &other.closed) {
            (Some(own), _) => Some((own, other)),
            (None, Some(own)) => Some((own, self)),
            (None, None) => None,
        };
        if let Some((values, by)) = listed {
            let left: Vec<&Value> = values.iter().filter(|value| by.can_be(value)).collect();
            return rest(if left.is_empty() { self.clone() } else { Fact::from_values(left) });
        }
        let (Some((low, high)), Some((least, most))) = (&self.range, &other.range) else {
            let range = self.range.clone().or_else(|| other.range.clone());
            return rest(Fact { range, ..self.clone() });
        };
        let pick = |a: &Value, b: &Value, wanted: Ordering| {
            a.compare_with(b).map(|order| if order == wanted { a.clone() } else { b.clone() })
        };
        let ends = pick(low, least, Ordering::Greater).zip(pick(high, most, Ordering::Less));
        match ends {
            Some((low, high)) if low.compare_with(&high) == Some(Ordering::Less) => {
                rest(Fact { range: Some((low, high)), ..self.clone() })
            }
            Some((low, high)) if low.compare_with(&high) == Some(Ordering::Equal) => rest(Fact::from_value(&low)),
            _ => rest(self.clone()),
        }
    }

    /// Whether the value is possible. May return `true` for an impossible value, which does no harm.
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
        // An int may be compared as a float, which a domain cannot look up.
        let indexed = !matches!(value, Value::Float(_) | Value::Duration(_) | Value::Bool(_));
        !self.domain.is_some_and(|domain| indexed && domain.cardinality().is_some() && domain.index_of(value).is_none())
    }
}

/// A set of at most [`MAX_LISTED`] distinct values.
#[derive(Default)]
struct Distinct {
    values: Vec<Value>,
    /// The indexes in `values`, by hash.
    hashed: BTreeMap<u64, Vec<usize>>,
    /// The indexes of values without a hash.
    others: Vec<usize>,
    /// The bits of doubles, most of which are the same only as themselves.
    doubles: HashSet<u64>,
}

impl Distinct {
    /// Inserts a value if it is new. Returns `false` if the set is full.
    fn try_insert(&mut self, value: &Value) -> bool {
        if let Value::Float(double) = value
            && !self.doubles.insert(double.to_bits())
        {
            return true;
        }
        let hash = hash_value(value);
        let is_there = |at: &usize| self.values.get(*at).is_some_and(|known| known.is_same(value));
        let known = match hash {
            Some(hash) => self.hashed.get(&hash).into_iter().flatten().chain(&self.others).any(is_there),
            None => self.values.iter().any(|known| known.is_same(value)),
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
        self.values.push(value.clone());
        true
    }
}

/// A hash that is equal for values that are the same ([`Value::is_same`]), if both have one. A double has none, because it may be the same as a decimal.
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

/// Extends the range to include this value; `None` if they are not ordered.
pub(super) fn widen_range((low, high): (Value, Value), value: &Value) -> Option<(Value, Value)> {
    let (below, above) = (value.compare_with(&low)?.is_lt(), value.compare_with(&high)?.is_gt());
    Some((if below { value.clone() } else { low }, if above { value.clone() } else { high }))
}

/// The weight of a value: the bytes of its texts and keys, and the number of its items.
pub fn weigh_value(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::List(items) => items.iter().map(weigh_value).sum::<usize>() + items.len(),
        Value::Object(fields) => fields.iter().map(|(key, value)| key.len() + weigh_value(value)).sum(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            (-9i64..9).prop_map(Value::Int),
            (-90i128..90).prop_map(|units| Value::Decimal(Decimal::new(units, 1).expect("one place"))),
            (-9i32..9).prop_map(|value| Value::Float(f64::from(value) / 2.0)),
        ]
    }

    proptest! {
        #[test]
        fn it_is_what_every_value_for_itself_shows(values in proptest::collection::vec(value(), 1..40), texts in any::<bool>()) {
            let values: Vec<Value> =
                if texts { values.iter().map(|value| Value::from_text(value.render_text())).collect() } else { values };
            let each = values.iter().map(Fact::from_value);
            let slow = each.reduce(|all, next| all.join_fact(&next)).expect("a value");
            prop_assert_eq!(Fact::from_values(&values), slow);
        }
    }
}
