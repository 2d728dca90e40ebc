//! What is known of a function besides its signature: every question that `check`, `facts`, the lints, and the runtime ask about one.

use super::{FunctionId, Inputs};
use crate::val::Val;

/// The result of a kernel, or why it has none, in the words of a failed build.
pub type Made<'a> = Result<Val<'a>, String>;

/// Everything about a function that does not follow from its signature. What a row of a table does not mention is as in [`Record::BASE`].
pub struct Record {
    /// Its name in the standard library.
    pub name: &'static str,
    /// What other languages call it, in lower case.
    pub also: &'static [&'static str],
    /// Of a function of CSV files: the one that does the same for every table.
    pub general: Option<FunctionId>,
    /// How its result is worked out.
    pub kernel: Kernel,
    /// What it takes of a query's result, where it takes a query.
    pub query: Option<QueryResult>,
    /// Whether facts may work out its result from known values: not where the result can be far larger than they are, or shows how a
    /// number was written.
    pub folded: bool,
    /// What each argument does to the result while the others stay as they are; `Nothing` for those that are not listed.
    pub keeps: &'static [Keeps],
    /// What its result can be at all.
    pub results: Results,
    /// How many values that are not null it needs, so that its result is not null. `None`: they do not decide that.
    pub least: Option<u8>,
    /// Which of the values that it works on it gives.
    pub picks: Option<Pick>,
    /// What becomes of the order of what it works on.
    pub order: Order,
    /// Whether its result can be a fraction without end.
    pub fraction: Fraction,
    /// Which argument (from 0) says how many decimal places the result has: 0 to 18.
    pub places: Option<usize>,
    /// Which argument (from 0) divides, so that it must not be 0.
    pub divisor: Option<usize>,
    /// Which argument (from 0) is a share, from 0 to 1.
    pub share: Option<usize>,
    /// Which arguments (from 0) are positions (from 1), and of what.
    pub positions: &'static [(usize, Position)],
    /// Whether the words of a text come out with their punctuation: only letter case and the white space around them change.
    pub keeps_words: bool,
    /// Whether its result is the same however the letters of a text are written, large or small.
    pub one_case: bool,
    /// Which argument (from 0) is looked for in a text, and is not a part of the result.
    pub sought: Option<usize>,
}

impl Record {
    /// A function of which nothing more is known.
    pub(super) const BASE: Record = Record {
        name: "",
        also: &[],
        general: None,
        kernel: Kernel::Query,
        query: None,
        folded: true,
        keeps: &[],
        results: Results::Any,
        least: None,
        picks: None,
        order: Order::Ignored,
        fraction: Fraction::Never,
        places: None,
        divisor: None,
        share: None,
        positions: &[],
        keeps_words: false,
        one_case: false,
        sought: None,
    };

    /// Whether its result is how many values, or rows, there are.
    pub fn is_count(&self) -> bool {
        self.results == Results::Count
    }

    /// Whether other languages call it so.
    pub fn is_also(&self, name: &str) -> bool {
        self.also.iter().any(|other| name.eq_ignore_ascii_case(other))
    }

    /// Whether it gives the values of a column as a list, in their order.
    pub fn is_value_list(&self) -> bool {
        self.results == Results::Values
    }

    /// What it asks a path into a file.
    pub fn question(&self) -> Option<Question> {
        match self.kernel {
            Kernel::Path(_, question) => Some(question),
            _ => None,
        }
    }

    /// What it does at the places of a path, where it edits the content of a file.
    pub fn content_edit(&self) -> Option<Edit> {
        match self.kernel {
            Kernel::Reads(Reader::Edited(edit)) => Some(edit),
            _ => None,
        }
    }

    /// How many columns it takes that must be of one relation: the first arguments.
    pub fn count_joint_columns(&self) -> Option<usize> {
        match self.kernel {
            Kernel::Points(columns, _) => Some(columns),
            Kernel::Fields => Some(2),
            _ => None,
        }
    }

    /// Whether it takes a value in each row, and no null.
    pub fn must_have_values(&self) -> bool {
        matches!(self.kernel, Kernel::Fields)
    }

    /// Whether it runs SQL that is a value, on a database.
    pub fn can_run_sql(&self) -> bool {
        matches!(self.kernel, Kernel::Reads(Reader::Gold))
    }

    /// Whether it gives its first argument that is not null.
    pub fn is_first_known(&self) -> bool {
        matches!(self.kernel, Kernel::FirstKnown)
    }
}

/// A function of values.
pub(super) const fn values(name: &'static str, kernel: for<'a> fn(Inputs<'a>) -> Made<'a>) -> Record {
    Record { name, kernel: Kernel::Values(kernel), ..Record::BASE }
}

/// An aggregate that needs one value at least, or else its kernel gives null.
pub(super) const fn fold(name: &'static str, kernel: Fold) -> Record {
    Record { name, kernel: Kernel::Fold(kernel), least: Some(1), ..Record::BASE }
}

/// A function of numbers in this number of columns.
pub(super) const fn points(name: &'static str, columns: usize, kernel: Points) -> Record {
    Record { name, kernel: Kernel::Points(columns, kernel), fraction: Fraction::Made, ..Record::BASE }
}

/// A function of a path into a file.
pub(super) const fn path(name: &'static str, family: Family, question: Question) -> Record {
    let (results, fraction) = match question {
        Question::Count | Question::CountWhere => (Results::Within(0, i64::MAX), Fraction::Never),
        Question::Avg => (Results::Any, Fraction::Made),
        _ => (Results::Any, Fraction::Never),
    };
    Record { name, kernel: Kernel::Path(family, question), results, fraction, ..Record::BASE }
}

/// A function of what only the runtime has.
pub(super) const fn reads(name: &'static str, reader: Reader) -> Record {
    Record { name, kernel: Kernel::Reads(reader), ..Record::BASE }
}

/// The values that an aggregate is given: all that are not null, from the top.
pub type Values<'i, 'a> = &'i mut dyn Iterator<Item = Val<'a>>;

/// What an aggregate of this name gives for values. It looks at all of them.
pub type Fold = for<'i, 'a> fn(FunctionId, Values<'i, 'a>) -> Made<'a>;

/// What a function gives for numbers (the first of each point) or pairs of them, in any order, and for the value after them; 0 without one.
/// It fails with what it needs instead.
pub type Points = fn(Vec<[f64; 2]>, f64) -> Result<Option<f64>, String>;

/// How a function's result is worked out.
#[derive(Clone, Copy)]
pub enum Kernel {
    /// From the values of its arguments.
    Values(for<'a> fn(Inputs<'a>) -> Made<'a>),
    /// From the values of a column or a list, one after another.
    Fold(Fold),
    /// From the numbers of this number of columns in the same rows, or of a list, and perhaps from a value after them.
    Points(usize, Points),
    /// An object, from the names and the values in the same rows of two columns.
    Fields,
    /// The first argument that is not null; those after it are not evaluated.
    FirstKnown,
    /// From what a path leads to in a file.
    Path(Family, Question),
    /// From a query's result: [`Record::query`] says what of it.
    Query,
    /// From what only the runtime has.
    Reads(Reader),
}

/// What only the runtime has: cells as they are written, files, databases.
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
    /// How many lines a text file has.
    LineCount,
    /// How many words a text file has.
    WordCount,
    /// All of a text file.
    Content,
    /// The statements that create a database.
    Schema,
    /// A database, described in a number of tokens.
    Describe,
    /// The rows that SQL which is a value gives.
    Gold,
    /// The state of a database after statements.
    After,
    /// How many rows a state changes.
    Changed,
    /// The content of a JSON or YAML file, edited.
    Edited(Edit),
}

/// What is done at every place that a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Another value is put there.
    Replace,
    /// It is taken away.
    Remove,
    /// A value is added to the array there.
    Append,
}

/// Which files a path leads into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// JSON, by JSONPath.
    Json,
    /// YAML, by JSONPath.
    Yaml,
    /// XML, by XPath.
    Xml,
}

/// What is asked about the places that a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whatever is at the one place.
    Whole,
    /// The single value at the one place.
    Value,
    /// The attribute at the one place.
    Attribute,
    /// The keys of the object at the one place.
    Keys,
    /// How many items are at the one place, or how many places there are.
    Count,
    /// How many places there are.
    CountWhere,
    /// Whether there is a place.
    Exists,
    /// The sum of the numbers.
    Sum,
    /// The mean of the numbers.
    Avg,
    /// The greatest of the values.
    Max,
    /// The least of the values.
    Min,
    /// All the values.
    Collect,
}

/// What is taken of a query's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryResult {
    /// The one value; null if the result has no rows.
    Value,
    /// The values of its one column.
    List,
    /// All of it.
    Rows,
}

/// What an argument does to a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// A greater value never gives a lesser result.
    Rising,
    /// A greater value never gives a greater result.
    Falling,
    /// A number farther from 0 never gives a lesser result.
    Distance,
    /// None of these.
    Nothing,
}

/// What a result can be, whatever the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// Anything of its type.
    Any,
    /// An int from the first to the second, both included.
    Within(i64, i64),
    /// With a divisor above 0, an int from 0 to below it.
    Rest,
    /// How many values, or rows, there are.
    Count,
    /// How many different values there are.
    Distinct,
    /// The sum of the values.
    Sum,
    /// A float from the least of the values to the greatest.
    Mean,
    /// All the values as a list.
    Values,
}

/// Which of the values is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The least.
    Least,
    /// The greatest.
    Greatest,
    /// The commonest; of several as common, the least.
    Commonest,
    /// The first.
    First,
    /// The last.
    Last,
    /// The one at a position, null or not.
    Place,
}

/// What becomes of the order of rows or items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It makes no difference.
    Ignored,
    /// The result has it too.
    Kept,
    /// It decides which value is given.
    Picked,
    /// The result is a text that shows it.
    Written,
}

/// Whether a result can be a fraction without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fraction {
    /// It cannot.
    Never,
    /// It can, even of exact values.
    Made,
    /// Where its values are.
    Kept,
    /// It cannot: it is rounded, half away from zero.
    Rounded,
}

/// What a position counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Lines of a text file.
    Line,
    /// Words of a text file.
    Word,
    /// Rows of a table.
    Row,
    /// Columns of a table that are written.
    Column,
    /// Items of a list.
    Item,
}
