//! The statistics of the library as functions of an author's SQL, with the same names and the same code (`model::statistics`). All except `chi2_p`
//! are aggregates and window functions.

use model::statistics::{self, Moments, StatisticsError};
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Result, ffi};

use crate::meter;

/// Work of adding a row to sums, and of computing a result from them.
const ADDING: u64 = 8;
const COMPUTING: u64 = 500;
/// Number of moved or compared points that count as a step.
const POINTS_A_STEP: u64 = 8;

/// Adds the functions to a connection. Only the query itself may call them, not the schema of an untrusted database.
pub fn register_statistics(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    for function in OF_MOMENTS {
        connection.create_window_function(function.name, function.columns, flags, function)?;
    }
    for function in OF_POINTS {
        connection.create_window_function(function.name, function.columns + 1, flags, function)?;
    }
    connection.create_scalar_function("chi2_p", 2, flags, compute_chi2_p)
}

fn report_wrong<T>(message: String) -> Result<T> {
    meter::note_no_result(&message);
    Err(Error::UserFunctionError(message.into()))
}

/// Fails if counted work or memory exceeds its limit.
fn check_enough(counted: bool) -> Result<()> {
    if counted { Ok(()) } else { Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_NOMEM), None)) }
}

/// Reads a numeric argument; `None` for null.
fn read_number(name: &str, context: &Context<'_>, at: i32) -> Result<Option<f64>> {
    meter::run_reading(|| match context.get_raw(at as usize) {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(value) => Ok(Some(value as f64)),
        ValueRef::Real(value) if value.is_finite() => Ok(Some(value)),
        ValueRef::Real(value) => report_wrong(format!("`{name}` needs numbers, not {value}")),
        ValueRef::Text(_) => report_wrong(format!("`{name}` needs numbers, not text")),
        ValueRef::Blob(_) => report_wrong(format!("`{name}` needs numbers, not a blob")),
    })
}

/// Reads the numbers of a row; `None` if one of them is null.
fn read_point(name: &str, context: &Context<'_>, columns: i32) -> Result<Option<[f64; 2]>> {
    let x = read_number(name, context, 0)?;
    let y = if columns == 2 { read_number(name, context, 1)? } else { Some(0.0) };
    Ok(x.zip(y).map(|(x, y)| [x, y]))
}

fn check_finite(name: &str, result: Option<f64>) -> Result<Option<f64>> {
    match result {
        Some(result) if !result.is_finite() => report_wrong(format!("`{name}` overflows")),
        result => Ok(result),
    }
}

fn compute_chi2_p(context: &Context<'_>) -> Result<Option<f64>> {
    let (Some(x), Some(freedom)) = (read_number("chi2_p", context, 0)?, read_number("chi2_p", context, 1)?) else {
        return Ok(None);
    };
    check_enough(meter::count_work(freedom.clamp(0.0, statistics::MAX_FREEDOM).sqrt() as u64 + 1))?;
    statistics::compute_chi2_p(x, freedom).map(Some).or_else(|needs| report_wrong(format!("`chi2_p` needs {needs}")))
}

/// A function that is computed from sums.
#[derive(Clone, Copy)]
struct OfMoments {
    name: &'static str,
    columns: i32,
    result: fn(&Moments) -> Option<f64>,
}

const OF_MOMENTS: [OfMoments; 5] = [
    OfMoments { name: "corr", columns: 2, result: Moments::compute_correlation },
    OfMoments { name: "intercept", columns: 2, result: Moments::compute_intercept },
    OfMoments { name: "pstdev", columns: 1, result: Moments::compute_population_deviation },
    OfMoments { name: "slope", columns: 2, result: Moments::compute_slope },
    OfMoments { name: "stdev", columns: 1, result: Moments::compute_deviation },
];

impl OfMoments {
    fn apply_change(self, context: &Context<'_>, sums: &mut Moments, change: fn(&mut Moments, [f64; 2])) -> Result<()> {
        check_enough(meter::count_work(ADDING))?;
        if let Some(point) = read_point(self.name, context, self.columns)? {
            change(sums, point);
        }
        Ok(())
    }

    fn compute_result(self, sums: Option<&Moments>) -> Result<Option<f64>> {
        check_enough(meter::count_work(COMPUTING))?;
        check_finite(self.name, sums.and_then(self.result))
    }
}

impl Aggregate<Moments, Option<f64>> for OfMoments {
    fn init(&self, _: &mut Context<'_>) -> Result<Moments> {
        Ok(Moments::default())
    }

    fn step(&self, context: &mut Context<'_>, sums: &mut Moments) -> Result<()> {
        self.apply_change(context, sums, Moments::add_pair)
    }

    fn finalize(&self, _: &mut Context<'_>, sums: Option<Moments>) -> Result<Option<f64>> {
        self.compute_result(sums.as_ref())
    }
}

impl WindowAggregate<Moments, Option<f64>> for OfMoments {
    fn value(&self, sums: Option<&mut Moments>) -> Result<Option<f64>> {
        self.compute_result(sums.as_deref())
    }

    fn inverse(&self, context: &mut Context<'_>, sums: &mut Moments) -> Result<()> {
        self.apply_change(context, sums, Moments::remove_pair)
    }
}

/// The computation from sorted points; the error states what it needs instead.
type OfSorted = fn(&[[f64; 2]], f64) -> std::result::Result<Option<f64>, StatisticsError>;

/// A function of all points, and of a value that is the same in all rows.
#[derive(Clone, Copy)]
struct OfPoints {
    name: &'static str,
    columns: i32,
    result: OfSorted,
}

const OF_POINTS: [OfPoints; 2] = [
    OfPoints { name: "interpolate", columns: 2, result: statistics::interpolate_points },
    OfPoints { name: "quantile", columns: 1, result: statistics::compute_quantile },
];

/// The points of a group or a window until now, whose memory is counted.
struct Kept {
    points: Vec<[f64; 2]>,
    /// Number of points that are already sorted.
    sorted: usize,
    /// The value after them, which may be null.
    last: Option<f64>,
}

const POINT: u64 = size_of::<[f64; 2]>() as u64;

impl Kept {
    fn add_point(&mut self, point: [f64; 2]) -> Result<()> {
        if self.points.len() == self.points.capacity() {
            let more = self.points.capacity().max(16);
            check_enough(meter::take_memory(more as u64 * POINT))?;
            self.points.reserve_exact(more);
        }
        self.points.push(point);
        Ok(())
    }

    /// Sorts the points.
    fn sort_points(&mut self) -> Result<&[[f64; 2]]> {
        if self.sorted < self.points.len() {
            check_enough(meter::count_work(self.points.len() as u64 / POINTS_A_STEP))?;
            // Most of them are already sorted, which makes sorting fast.
            self.points.sort_by(statistics::compare_points);
            self.sorted = self.points.len();
        }
        Ok(&self.points)
    }

    fn remove_point(&mut self, point: [f64; 2]) -> Result<()> {
        let found = self.sort_points()?.binary_search_by(|known| statistics::compare_points(known, &point));
        if let Ok(at) = found {
            check_enough(meter::count_work((self.points.len() - at) as u64 / POINTS_A_STEP))?;
            self.points.remove(at);
            self.sorted -= 1;
        }
        Ok(())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        meter::give_back(self.points.capacity() as u64 * POINT);
    }
}

impl OfPoints {
    fn compute_result(self, kept: Option<&mut Kept>) -> Result<Option<f64>> {
        let Some(kept) = kept else { return Ok(None) };
        let Some(last) = kept.last else { return Ok(None) };
        let result = (self.result)(kept.sort_points()?, last);
        check_finite(self.name, result.or_else(|needs| report_wrong(format!("`{}` needs {needs}", self.name)))?)
    }
}

impl Aggregate<Kept, Option<f64>> for OfPoints {
    fn init(&self, context: &mut Context<'_>) -> Result<Kept> {
        Ok(Kept { points: Vec::new(), sorted: 0, last: read_number(self.name, context, self.columns)? })
    }

    fn step(&self, context: &mut Context<'_>, kept: &mut Kept) -> Result<()> {
        let last = read_number(self.name, context, self.columns)?;
        if last != kept.last {
            let of = if self.columns == 1 { "share" } else { "`at`" };
            return report_wrong(format!("`{}` needs one {of} for all rows of a group", self.name));
        }
        match read_point(self.name, context, self.columns)? {
            Some(point) => kept.add_point(point),
            None => Ok(()),
        }
    }

    fn finalize(&self, _: &mut Context<'_>, mut kept: Option<Kept>) -> Result<Option<f64>> {
        self.compute_result(kept.as_mut())
    }
}

impl WindowAggregate<Kept, Option<f64>> for OfPoints {
    fn value(&self, kept: Option<&mut Kept>) -> Result<Option<f64>> {
        self.compute_result(kept)
    }

    fn inverse(&self, context: &mut Context<'_>, kept: &mut Kept) -> Result<()> {
        match read_point(self.name, context, self.columns)? {
            Some(point) => kept.remove_point(point),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use crate::rules::{RESTORE, STATE};
    use crate::{AUTHOR, CHANGE, Database, FIXTURE, GIVEN, REPLY, TOOL, describe_error};

    fn asked(connection: &Connection, sql: &str) -> Result<Vec<Option<f64>>, String> {
        let mut statement = connection.prepare(sql).map_err(|error| describe_error(&error))?;
        let rows = statement.query_map([], |row| row.get(0)).map_err(|error| describe_error(&error))?;
        rows.collect::<Result<_, _>>().map_err(|error| describe_error(&error))
    }

    fn table() -> Database {
        let database = Database::new_empty(&AUTHOR).expect("opens");
        let rows = "(1, 1, 5.0), (1, 2, 7.0), (1, NULL, 90.0), (1, 4, 11.0), (2, 3, 1.0), (2, 3, 2.0), (3, 1, 1.0)";
        let statements = format!("CREATE TABLE t (G INTEGER, X REAL, Y REAL); INSERT INTO t VALUES {rows}");
        database.connection().execute_batch(&statements).expect("made");
        database
    }

    #[test]
    fn groups_leave_out_pairs_with_a_null() {
        let database = table();
        let by_group =
            |call: &str| asked(database.connection(), &format!("SELECT {call} FROM t GROUP BY G ORDER BY G"));
        assert_eq!(by_group("corr(X, Y)"), Ok(vec![Some(1.0), None, None]));
        assert_eq!(by_group("slope(X, Y)"), Ok(vec![Some(2.0), None, None]));
        assert_eq!(by_group("Intercept(X, Y)"), Ok(vec![Some(3.0), None, None]));
        assert_eq!(by_group("stdev(Y) FILTER (WHERE X IS NOT NULL) * 0"), Ok(vec![Some(0.0), Some(0.0), None]));
        assert_eq!(by_group("quantile(Y, 0.5)"), Ok(vec![Some(9.0), Some(1.5), Some(1.0)]));
        assert_eq!(by_group("quantile(Y, NULL)"), Ok(vec![None; 3]));
        assert_eq!(asked(database.connection(), "SELECT quantile(Y, 2) FROM t WHERE 0"), Ok(vec![None]));
        assert_eq!(asked(database.connection(), "SELECT interpolate(X, Y, 3) FROM t WHERE G = 1"), Ok(vec![Some(9.0)]));
        assert_eq!(
            asked(database.connection(), "SELECT chi2_p(0, 2) UNION ALL SELECT chi2_p(NULL, 2)"),
            Ok(vec![Some(1.0), None])
        );
    }

    /// What is taken away from a window is gone: each is as if its rows were all there ever were.
    #[test]
    fn windows_are_as_subqueries() {
        let database = Database::new_empty(&AUTHOR).expect("opens");
        let rows = "WITH RECURSIVE n(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM n WHERE I < 60)
            INSERT INTO t SELECT I, (I * 37) % 19 + I / 7.0, CASE WHEN I % 7 = 0 THEN NULL ELSE (I * 53) % 29 * 1e8 END FROM n";
        let statements = format!("CREATE TABLE t (I INTEGER PRIMARY KEY, X REAL, Y REAL); {rows}");
        database.connection().execute_batch(&statements).expect("made");
        for call in
            ["corr(X, Y)", "slope(X, Y)", "intercept(X, Y)", "stdev(Y)", "quantile(Y, 0.3)", "interpolate(X, Y, 9.5)"]
        {
            let frame = "ROWS BETWEEN 5 PRECEDING AND 3 FOLLOWING";
            let window = format!("SELECT {call} OVER (ORDER BY I {frame}) FROM t ORDER BY I");
            let inside = call.replace('X', "u.X").replace('Y', "u.Y");
            let query =
                format!("SELECT (SELECT {inside} FROM t u WHERE u.I BETWEEN t.I - 5 AND t.I + 3) FROM t ORDER BY I");
            let values = asked(database.connection(), &window);
            assert_eq!(values, asked(database.connection(), &query), "{call}");
            assert!(values.is_ok_and(|values| values.iter().flatten().count() > 20), "{call}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        let database = table();
        let told = |sql: &str| asked(database.connection(), sql).expect_err("a mistake");
        assert_eq!(told("SELECT corr(X, 'a') FROM t"), "`corr` needs numbers, not text");
        assert_eq!(told("SELECT stdev(x'00')"), "`stdev` needs numbers, not a blob");
        assert_eq!(told("SELECT slope(9e999, 1)"), "`slope` needs numbers, not inf");
        assert_eq!(told("SELECT quantile(X, 1.5) FROM t"), "`quantile` needs a share from 0 to 1, not 1.5");
        assert_eq!(told("SELECT quantile(X, X / 10) FROM t"), "`quantile` needs one share for all rows of a group");
        assert_eq!(told("SELECT interpolate(X, Y, G) FROM t"), "`interpolate` needs one `at` for all rows of a group");
        let twice = "`interpolate` needs one y for each x, but at 3 there are 1 and 2";
        assert_eq!(told("SELECT interpolate(X, Y, 3) FROM t WHERE G = 2"), twice);
        assert_eq!(told("SELECT chi2_p(-1, 2)"), "`chi2_p` needs an x of 0 or more, not -1");
    }

    #[test]
    fn only_an_author_has_them() {
        for (rules, has) in [
            (&AUTHOR, true),
            (&GIVEN, true),
            (&CHANGE, true),
            (&REPLY, false),
            (&TOOL, false),
            (&FIXTURE, false),
            (&STATE, false),
            (&RESTORE, false),
        ] {
            let database = Database::new_empty(rules).expect("opens");
            for call in [
                "corr(1, 2)",
                "slope(1, 2)",
                "intercept(1, 2)",
                "stdev(1)",
                "quantile(1, 0)",
                "interpolate(1, 2, 1)",
                "chi2_p(1, 2)",
            ] {
                assert_eq!(asked(database.connection(), &format!("SELECT {call}")).is_ok(), has, "{call}: {rules:?}");
            }
        }
    }

    #[test]
    fn a_view_of_a_database_cannot_call_them() {
        let database = Database::new_empty(&GIVEN).expect("opens");
        database.connection().execute_batch("CREATE VIEW v AS SELECT stdev(1) AS S").expect("made");
        assert_eq!(asked(database.connection(), "SELECT S FROM v"), Err("unsafe use of stdev()".to_owned()));
    }

    #[test]
    fn memory_and_work_are_bounded() {
        let database = Database::new_empty(&AUTHOR).expect("opens");
        let endless = "WITH RECURSIVE n(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM n) SELECT quantile(I, 0.5) FROM n";
        let stopped = database.run_bounded(None, |connection| asked(connection, endless));
        assert!(matches!(stopped, Err(crate::QueryError::Over(_))), "{stopped:?}");
    }
}
