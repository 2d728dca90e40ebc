//! The types of expressions, as inferred by `check`.

use std::fmt;

use model::ValueType;
use tables::CellType;

/// A type with its nullability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ty {
    /// The type without nullability.
    pub kind: TyKind,
    /// Whether it may be null.
    pub nullable: bool,
}

/// The types without nullability.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TyKind {
    /// An unknown type: of an expression with an error that was already reported, or of a query's column whose type is known only when building. It is
    /// compatible with every type, so one cause is reported once.
    #[default]
    Unknown,
    /// The type of `null` itself.
    Null,
    /// Integers.
    Int,
    /// Exact decimals, with the number of decimals if it is known.
    Decimal(Option<u8>),
    /// Doubles.
    Float,
    /// Text.
    Text,
    /// True or false.
    Bool,
    /// Dates.
    Date,
    /// Datetimes.
    DateTime,
    /// Durations.
    Duration,
    /// Values of one type, in order.
    List(Box<Ty>),
    /// Named values: an object with known keys.
    Object(Vec<(String, Ty)>),
    /// Values of one type, by keys that are known only when building.
    Map(Box<Ty>),
    /// A result set, with its columns.
    Rows(Vec<(String, Ty)>),
    /// The state of a database after statements.
    State(StateOf),
}

/// The database of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateOf {
    /// The file of the task.
    pub file: model::suite::FileId,
    /// Its name.
    pub name: String,
}

impl Ty {
    /// A type that is never null.
    pub const fn new(kind: TyKind) -> Ty {
        Ty { kind, nullable: false }
    }

    /// The unknown type.
    pub const UNKNOWN: Ty = Ty::new(TyKind::Unknown);

    /// The type with null added if `nullable` is set.
    pub fn with_null_if(self, nullable: bool) -> Ty {
        Ty { nullable: self.nullable || nullable, ..self }
    }

    /// Whether a cell can contain it: it is not a list, an object, a result set, or the state of a database.
    pub fn is_scalar(&self) -> bool {
        use TyKind as K;
        !matches!(self.kind, K::List(_) | K::Object(_) | K::Map(_) | K::Rows(_) | K::State(_))
    }

    /// Returns the database of a state, or of a list of states.
    pub fn as_state(&self) -> Option<&StateOf> {
        match &self.kind {
            TyKind::State(of) => Some(of),
            TyKind::List(item) => item.as_state(),
            _ => None,
        }
    }

    /// Whether it is unknown.
    pub fn is_unknown(&self) -> bool {
        self.kind == TyKind::Unknown
    }

    /// Whether its values are texts, or can contain texts.
    pub fn may_hold_text(&self) -> bool {
        self.has_part(|kind| matches!(kind, TyKind::Text | TyKind::Unknown))
    }

    /// Whether its values are durations, or contain durations.
    pub fn has_duration(&self) -> bool {
        self.has_part(|kind| *kind == TyKind::Duration)
    }

    /// Whether it, or the type of a value in it, is of such a kind.
    fn has_part(&self, fits: fn(&TyKind) -> bool) -> bool {
        fits(&self.kind)
            || match &self.kind {
                TyKind::List(item) | TyKind::Map(item) => item.has_part(fits),
                TyKind::Object(fields) | TyKind::Rows(fields) => fields.iter().any(|(_, ty)| ty.has_part(fits)),
                _ => false,
            }
    }

    /// Describes it with its article, in the author's terms: `an int`, `a list of text`, `an object`.
    pub fn describe_with_article(&self) -> String {
        match &self.kind {
            TyKind::Unknown => "a value".to_owned(),
            TyKind::Null => "null".to_owned(),
            TyKind::Int => "an int".to_owned(),
            TyKind::Object(_) => "an object".to_owned(),
            TyKind::Map(value) => format!("an object of {value}"),
            _ => format!("a {}", Ty::new(self.kind.clone())),
        }
    }

    /// Whether it is a number, or unknown.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, TyKind::Int | TyKind::Decimal(_) | TyKind::Float | TyKind::Unknown)
    }

    /// Whether values of the two types can be compared with `==`, `<`, and the like.
    pub fn is_comparable(&self, other: &Ty) -> bool {
        use TyKind as K;
        if self.is_number() && other.is_number() {
            return true;
        }
        match (&self.kind, &other.kind) {
            (K::Unknown | K::Null, _) | (_, K::Unknown | K::Null) => true,
            (K::List(a), K::List(b)) => a.is_comparable(b),
            (K::Object(_) | K::Map(_), K::Object(_) | K::Map(_)) | (K::Rows(_), K::Rows(_)) => true,
            (a, b) => a == b,
        }
    }

    /// Whether a value of it could be given as an answer if one of `expected` is correct.
    pub fn can_stand_for(&self, expected: &Ty) -> bool {
        use TyKind as K;
        matches!((&expected.kind, &self.kind), (K::List(_), K::Rows(_))) || expected.is_comparable(self)
    }

    /// The smallest type that includes both; `None` if they have no common type.
    ///
    /// ```
    /// use hir::types::{Ty, TyKind};
    ///
    /// let (int, null, text) = (Ty::new(TyKind::Int), Ty { kind: TyKind::Null, nullable: true }, Ty::new(TyKind::Text));
    /// let price = Ty::new(TyKind::Decimal(Some(2)));
    /// assert_eq!(int.find_common_type(&price), Some(price));
    /// assert_eq!(int.find_common_type(&null).map(|ty| ty.to_string()).as_deref(), Some("int or null"));
    /// assert_eq!(int.find_common_type(&text), None);
    /// ```
    pub fn find_common_type(&self, other: &Ty) -> Option<Ty> {
        use TyKind as K;
        let nullable = self.nullable || other.nullable;
        let kind = match (&self.kind, &other.kind) {
            (K::Null, kind) | (kind, K::Null) => return Some(Ty { kind: kind.clone(), nullable: true }),
            (K::Unknown, _) | (_, K::Unknown) => K::Unknown,
            (K::Decimal(a), K::Decimal(b)) => K::Decimal(a.zip(*b).map(|(a, b)| a.max(b))),
            (K::Int, K::Decimal(places)) | (K::Decimal(places), K::Int) => K::Decimal(*places),
            (K::Float, K::Int | K::Decimal(_)) | (K::Int | K::Decimal(_), K::Float) => K::Float,
            (K::List(a), K::List(b)) => K::List(Box::new(a.find_common_type(b)?)),
            (K::Map(a), K::Map(b)) => K::Map(Box::new(a.find_common_type(b)?)),
            (a, b) if a == b => a.clone(),
            _ => return None,
        };
        Some(Ty { kind, nullable })
    }

    /// The smallest type of the values seen `so_far` (`None` at first) and of the next one; `None` if they have no common type.
    pub fn join_next(so_far: Option<&Ty>, next: &Ty) -> Option<Ty> {
        match so_far {
            None => Some(next.clone()),
            Some(so_far) => so_far.find_common_type(next),
        }
    }

    /// The smallest type that includes all of these, which is unknown if there are none; `None` if they have no common type.
    pub fn join_all(types: impl IntoIterator<Item = Ty>) -> Option<Ty> {
        let mut all: Option<Ty> = None;
        for ty in types {
            if all.as_ref() != Some(&ty) {
                all = Some(Ty::join_next(all.as_ref(), &ty)?);
            }
        }
        Some(all.unwrap_or(Ty::UNKNOWN))
    }

    /// The type of stored values, if it is a scalar type with one.
    pub fn value_type(&self) -> Option<ValueType> {
        Some(match self.kind {
            TyKind::Int => ValueType::Int,
            TyKind::Decimal(places) => ValueType::Decimal(places.unwrap_or(0)),
            TyKind::Float => ValueType::Float,
            TyKind::Text => ValueType::Text,
            TyKind::Bool => ValueType::Bool,
            TyKind::Date => ValueType::Date,
            TyKind::DateTime => ValueType::DateTime,
            TyKind::Duration => ValueType::Duration,
            _ => return None,
        })
    }

    /// The type as which its values are read from cells; `None` if it is unknown, or cells cannot contain it.
    pub fn cell_type(&self) -> Option<CellType> {
        Some(match self.kind {
            TyKind::Int => CellType::Int,
            TyKind::Decimal(places) => CellType::Decimal(places),
            TyKind::Float => CellType::Float,
            TyKind::Date => CellType::Date,
            TyKind::DateTime => CellType::DateTime,
            TyKind::Bool => CellType::Bool,
            TyKind::Text | TyKind::Null | TyKind::Duration => CellType::Text,
            _ => return None,
        })
    }

    /// The type with which a column of it is stored: text if no more specific type is known.
    pub fn to_stored_type(&self) -> ValueType {
        self.value_type().unwrap_or(ValueType::Text)
    }
}

impl From<ValueType> for Ty {
    fn from(value_type: ValueType) -> Ty {
        Ty::new(match value_type {
            ValueType::Int => TyKind::Int,
            ValueType::Decimal(places) => TyKind::Decimal(Some(places)),
            ValueType::Float => TyKind::Float,
            ValueType::Text => TyKind::Text,
            ValueType::Bool => TyKind::Bool,
            ValueType::Date => TyKind::Date,
            ValueType::DateTime => TyKind::DateTime,
            ValueType::Duration => TyKind::Duration,
        })
    }
}

impl fmt::Display for Ty {
    /// Renders it in the author's terms: `int`, `list of text`, `decimal or null`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.kind, self.value_type()) {
            (_, Some(scalar)) => f.write_str(scalar.name())?,
            (TyKind::Null, _) => return f.write_str("null"),
            (TyKind::List(item), _) => write!(f, "list of {item}")?,
            (TyKind::Object(_), _) => f.write_str("object")?,
            (TyKind::Map(value), _) => write!(f, "object of {value}")?,
            (TyKind::Rows(_), _) => f.write_str("rows")?,
            (TyKind::State(of), _) => write!(f, "state of `{}`", of.name)?,
            _ => f.write_str("a value known only at build")?,
        }
        if self.nullable { f.write_str(" or null") } else { Ok(()) }
    }
}
