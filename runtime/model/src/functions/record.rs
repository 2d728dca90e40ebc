//! A function: its properties besides its signature, for `check`, `facts`, the lints, and the runtime.

use std::fmt;
use std::ops::Deref;

use serde::{Serialize, Serializer};

pub use super::properties::{Aggregate, Arranges, Fraction, Order, Pick, Position, Restates, Results};
use super::{Inputs, Made};
use crate::statistics::StatisticsError;
use crate::val::Val;
use crate::{Date, Value};

/// More bytes, rows, or items than any machine holds.
pub const MAX_COUNT: i64 = 1 << 40;

/// Declares a module's functions: a constant for each, and the list of all.
macro_rules! functions {
    ($($(#[$meta:meta])* $id:ident = $record:expr;)*) => {
        $(
            $(#[$meta])*
            pub const $id: $crate::functions::record::FunctionId = {
                const RECORD: &$crate::functions::record::Record = &$record;
                $crate::functions::record::FunctionId(RECORD)
            };
        )*
        pub(super) const FUNCTIONS: &[$crate::functions::record::FunctionId] = &[$($id),*];
    };
}
pub(super) use functions;

/// A function of the standard library. It dereferences to its record.
#[derive(Clone, Copy)]
pub struct FunctionId(pub(super) &'static Record);

impl Deref for FunctionId {
    type Target = Record;

    fn deref(&self) -> &Record {
        self.0
    }
}

impl PartialEq for FunctionId {
    fn eq(&self, other: &FunctionId) -> bool {
        self.name == other.name
    }
}

impl Eq for FunctionId {}

impl fmt::Debug for FunctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.name)
    }
}

impl fmt::Display for FunctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for FunctionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// The properties of a function that do not follow from its signature. Fields that a row omits have the values of [`Record::BASE`].
pub struct Record {
    /// Its name in the standard library.
    pub name: &'static str,
    /// Its names in other languages, in lower case.
    pub also: &'static [&'static str],
    /// For a function of CSV files: the function that does the same for every table.
    pub general: Option<FunctionId>,
    /// The computation of its result.
    pub kernel: Kernel,
    /// The part of a query's result that it uses, if it takes a query.
    pub query: Option<QueryResult>,
    /// Whether facts may compute its result from known values: not if the result can be much larger than they are, or shows how a number was written.
    pub folded: bool,
    /// Whether it has a result for all arguments of its types, so no call of it stops a build.
    pub total: bool,
    /// The effect of each argument on the result while the others stay constant; `Nothing` for arguments that are not listed.
    pub keeps: &'static [Keeps],
    /// The possible results.
    pub results: Results,
    /// Minimum number of non-null values for a result that is not null. `None` if they do not determine this.
    pub least: Option<u8>,
    /// The aggregate that it computes, of values or of the nodes of a path.
    pub aggregate: Option<Aggregate>,
    /// How its result restates its first argument, if it only does that.
    pub restates: Option<Restates>,
    /// How its result arranges the items of the list that is its first argument, if it is a list of them.
    pub arranges: Option<Arranges>,
    /// The input value that is its result.
    pub picks: Option<Pick>,
    /// Its effect on the order of its input.
    pub order: Order,
    /// Whether its result can be a fraction with infinitely many digits.
    pub fraction: Fraction,
    /// Index of the argument that sets the number of decimal places of the result: 0 to 18.
    pub places: Option<usize>,
    /// Index of the argument that is a divisor, and must not be 0.
    pub divisor: Option<usize>,
    /// Index of the argument that is a duration of which the length is needed, so it must not have months.
    pub length: Option<usize>,
    /// Index of the argument that is a share, from 0 to 1.
    pub share: Option<usize>,
    /// Indexes of the arguments that are positions (from 1), with the items that these count.
    pub positions: &'static [(usize, Position)],
    /// Whether words keep their punctuation: only letter case and the whitespace around them change.
    pub keeps_words: bool,
    /// Whether its result does not depend on letter case.
    pub one_case: bool,
    /// Whether it reads texts only by the order and equality of their characters, and by their length.
    pub by_character: bool,
    /// Index of the argument that is searched for in a text and is not part of the result.
    pub sought: Option<usize>,
}

impl Record {
    /// The default values of a record.
    pub(super) const BASE: Record = Record {
        name: "",
        also: &[],
        general: None,
        kernel: Kernel::Query,
        query: None,
        folded: true,
        total: false,
        keeps: &[],
        results: Results::Any,
        least: None,
        aggregate: None,
        restates: None,
        arranges: None,
        picks: None,
        order: Order::Ignored,
        fraction: Fraction::Never,
        places: None,
        divisor: None,
        length: None,
        share: None,
        positions: &[],
        keeps_words: false,
        one_case: false,
        by_character: false,
        sought: None,
    };

    /// Checks whether its result is a number of values or rows.
    pub fn is_count(&self) -> bool {
        self.results == Results::Count
    }

    /// Checks whether other languages use this name for it.
    pub fn is_also(&self, name: &str) -> bool {
        self.also.iter().any(|other| name.eq_ignore_ascii_case(other))
    }

    /// Checks whether it returns the values of a column as a list, in their order.
    pub fn is_value_list(&self) -> bool {
        self.results == Results::Values
    }

    /// Returns its question about a path into a file.
    pub fn question(&self) -> Option<Question> {
        match self.kernel {
            Kernel::Path(_, question) => Some(question),
            _ => None,
        }
    }

    /// Returns its edit at the places of a path, if it edits the content of a file.
    pub fn content_edit(&self) -> Option<Edit> {
        match self.kernel {
            Kernel::Reads(Reader::Edited(edit)) => Some(edit),
            _ => None,
        }
    }

    /// Returns the number of its first arguments that must be columns of one relation.
    pub fn count_joint_columns(&self) -> Option<usize> {
        match self.kernel {
            Kernel::Points(columns, _) => Some(columns),
            Kernel::Fields => Some(2),
            _ => None,
        }
    }

    /// Checks whether it needs a value in each row, and no null.
    pub fn must_have_values(&self) -> bool {
        matches!(self.kernel, Kernel::Fields)
    }

    /// Checks whether it runs SQL that is a value, on a database.
    pub fn can_run_sql(&self) -> bool {
        matches!(self.kernel, Kernel::Reads(Reader::Gold))
    }

    /// Checks whether it only states its first argument in another form, or replaces null.
    pub fn can_restate(&self) -> bool {
        self.restates.is_some() || self.is_first_known()
    }

    /// Checks whether it returns its first argument that is not null.
    pub fn is_first_known(&self) -> bool {
        matches!(self.kernel, Kernel::FirstKnown)
    }
}

/// Creates a function of values.
pub(super) const fn values(name: &'static str, kernel: for<'a> fn(Inputs<'a>) -> Made<'a>) -> Record {
    Record { name, kernel: Kernel::Values(kernel), ..Record::BASE }
}

/// Creates an aggregate that needs at least one value for a result other than null.
pub(super) const fn fold(name: &'static str, kernel: Fold) -> Record {
    Record { name, kernel: Kernel::Fold(kernel), least: Some(1), ..Record::BASE }
}

/// Creates a function of numbers in this number of columns.
pub(super) const fn points(name: &'static str, columns: usize, kernel: Points) -> Record {
    Record { name, kernel: Kernel::Points(columns, kernel), fraction: Fraction::Made, ..Record::BASE }
}

/// Creates a function of a path into a file.
pub(super) const fn path(name: &'static str, family: Family, question: Question) -> Record {
    let (results, fraction, aggregate) = match question {
        Question::Count | Question::CountWhere => {
            (Results::Within(0, MAX_COUNT), Fraction::Never, Some(Aggregate::Count))
        }
        Question::Sum => (Results::Any, Fraction::Never, Some(Aggregate::Sum)),
        Question::Avg => (Results::Any, Fraction::Made, Some(Aggregate::Mean)),
        Question::Max => (Results::Any, Fraction::Never, Some(Aggregate::High)),
        Question::Min => (Results::Any, Fraction::Never, Some(Aggregate::Low)),
        _ => (Results::Any, Fraction::Never, None),
    };
    Record { name, kernel: Kernel::Path(family, question), results, fraction, aggregate, ..Record::BASE }
}

/// Creates a function of data that only the runtime has.
pub(super) const fn reads(name: &'static str, reader: Reader) -> Record {
    Record { name, kernel: Kernel::Reads(reader), ..Record::BASE }
}

/// The input of an aggregate: all values that are not null, in order.
pub type Values<'i, 'a> = &'i mut dyn Iterator<Item = Val<'a>>;

/// Computes the result of an aggregate with this name. It reads all values.
pub type Fold = for<'i, 'a> fn(&'static str, Values<'i, 'a>) -> Made<'a>;

/// Computes the result for numbers (the first of each point) or pairs of them, in any order, and for the value after them (0 if it is missing). The
/// error states what the function needs instead.
pub type Points = fn(Vec<[f64; 2]>, f64) -> Result<Option<f64>, StatisticsError>;

/// The computation of a function's result.
#[derive(Clone, Copy)]
pub enum Kernel {
    /// From the values of its arguments.
    Values(for<'a> fn(Inputs<'a>) -> Made<'a>),
    /// From the values of a column or a list, in order.
    Fold(Fold),
    /// From the numbers in the same rows of this number of columns, or of a list, and optionally from a value after them.
    Points(usize, Points),
    /// An object of the names and the values in the same rows of two columns.
    Fields,
    /// The first argument that is not null; later ones are not evaluated.
    FirstKnown,
    /// From the nodes that a path selects in a file.
    Path(Family, Question),
    /// From a query's result, of which [`Record::query`] is used.
    Query,
    /// From data that only the runtime has.
    Reads(Reader),
}

/// Data that only the runtime has: cells as written, files, and databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A cell by row and column, as written.
    Cell,
    /// The cells of a row, as written.
    Row,
    /// The value of a column in a row.
    CellValue,
    /// A line of a text file.
    Line,
    /// A word of a text file.
    Word,
    /// The number of lines of a text file.
    LineCount,
    /// The number of words of a text file.
    WordCount,
    /// The whole text of a file.
    Content,
    /// The statements that create a database.
    Schema,
    /// A description of a database within a number of tokens.
    Describe,
    /// The rows that result from SQL that is a value.
    Gold,
    /// The state of a database after statements.
    After,
    /// The number of rows that a state changes.
    Changed,
    /// The content of a JSON or YAML file, edited.
    Edited(Edit),
}

/// The edit at every place that a path selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces the value.
    Replace,
    /// Removes the value.
    Remove,
    /// Appends a value to the array.
    Append,
}

/// The format of the files into which a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// JSON, by JSONPath.
    Json,
    /// YAML, by JSONPath.
    Yaml,
    /// XML, by XPath.
    Xml,
}

/// The question about the nodes that a path selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Any value at the only node.
    Whole,
    /// The scalar at the only node.
    Value,
    /// The attribute at the only node.
    Attribute,
    /// The keys of the object at the only node.
    Keys,
    /// The number of items in the only node, or the number of nodes.
    Count,
    /// The number of nodes.
    CountWhere,
    /// Whether there is a node.
    Exists,
    /// The sum of the numbers.
    Sum,
    /// The mean of the numbers.
    Avg,
    /// The largest of the values.
    Max,
    /// The smallest of the values.
    Min,
    /// All the values.
    Collect,
}

/// The part of a query's result that is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryResult {
    /// The only value; null if the result has no rows.
    Value,
    /// The values of its only column.
    List,
    /// The whole result.
    Rows,
}

/// The effect of an argument on a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// A larger value never leads to a smaller result.
    Rising,
    /// A larger value never leads to a larger result.
    Falling,
    /// A number further from 0 never leads to a smaller result.
    Distance,
    /// Within such a period, a later moment never leads to a smaller result.
    RisingWithin(Period),
    /// None of these.
    Nothing,
}

/// A part of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Period {
    Year,
    Month,
    Week,
    Day,
    Hour,
    Minute,
}

impl Period {
    /// Whether two days, or two moments, are in the same period.
    pub fn has_both(self, a: &Value, b: &Value) -> bool {
        let (a, b) = match (a, b) {
            (Value::Date(a), Value::Date(b)) => ((*a, (0, 0, 0)), (*b, (0, 0, 0))),
            (Value::DateTime(a), Value::DateTime(b)) => ((a.date(), a.time()), (b.date(), b.time())),
            _ => return false,
        };
        let key = |(day, (hour, minute, _)): (Date, (u8, u8, u8))| {
            let (year, month, _) = day.to_ymd();
            match self {
                Period::Year => (year, 0, 0, 0),
                Period::Month => (year, month, 0, 0),
                Period::Week => (day.0 - i32::from(day.weekday()), 0, 0, 0),
                Period::Day => (day.0, 0, 0, 0),
                Period::Hour => (day.0, 1, hour, 0),
                Period::Minute => (day.0, 1, hour, minute),
            }
        };
        key(a) == key(b)
    }
}
