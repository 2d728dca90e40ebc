//! SQLite's functions of real numbers, computed by `libm`. SQLite uses those of the C library, whose last digit depends on the machine, and so would
//! the result of a query and an answer key. Functions that IEEE 754 defines to the bit (`sqrt`, `floor`, `mod`, `degrees`, …) are SQLite's own.

use std::ffi::{CStr, c_int};

/// A function, with its name and number of arguments in SQLite.
pub struct Function {
    pub name: &'static CStr,
    pub arguments: c_int,
    /// Number of arguments that must be numbers, or texts that are numbers; otherwise the result is null. SQLite reads the others as `CAST(… AS REAL)`.
    pub numbers: usize,
    /// Computes the result; NaN is null. A function of one argument ignores the second.
    pub run: fn(f64, f64) -> f64,
}

const fn new_unary(name: &'static CStr, run: fn(f64, f64) -> f64) -> Function {
    Function { name, arguments: 1, numbers: 1, run }
}

const fn new_binary(name: &'static CStr, run: fn(f64, f64) -> f64) -> Function {
    Function { name, arguments: 2, numbers: 2, run }
}

/// All replaced functions.
pub static FUNCTIONS: [Function; 21] = [
    new_unary(c"acos", |x, _| libm::acos(x)),
    new_unary(c"acosh", |x, _| if x < 1.0 { f64::NAN } else { libm::acosh(x) }),
    new_unary(c"asin", |x, _| libm::asin(x)),
    new_unary(c"asinh", |x, _| libm::asinh(x)),
    new_unary(c"atan", |x, _| libm::atan(x)),
    new_binary(c"atan2", libm::atan2),
    new_unary(c"atanh", |x, _| libm::atanh(x)),
    new_unary(c"cos", |x, _| libm::cos(x)),
    new_unary(c"cosh", |x, _| libm::cosh(x)),
    new_unary(c"exp", |x, _| libm::exp(x)),
    new_unary(c"ln", |x, _| apply_to_positive(libm::log, x)),
    new_unary(c"log", |x, _| apply_to_positive(libm::log10, x)),
    new_unary(c"log10", |x, _| apply_to_positive(libm::log10, x)),
    new_unary(c"log2", |x, _| apply_to_positive(libm::log2, x)),
    Function { numbers: 1, ..new_binary(c"log", compute_log) },
    new_binary(c"pow", libm::pow),
    new_binary(c"power", libm::pow),
    new_unary(c"sin", |x, _| libm::sin(x)),
    new_unary(c"sinh", |x, _| libm::sinh(x)),
    new_unary(c"tan", |x, _| libm::tan(x)),
    new_unary(c"tanh", |x, _| libm::tanh(x)),
];

/// Returns null if the logarithm does not exist, which includes 0.
fn apply_to_positive(logarithm: fn(f64) -> f64, x: f64) -> f64 {
    if x > 0.0 { logarithm(x) } else { f64::NAN }
}

/// Computes a logarithm as SQLite does: from natural logarithms, and only for a base greater than 1.
fn compute_log(base: f64, x: f64) -> f64 {
    let base = apply_to_positive(libm::log, base);
    if base > 0.0 { apply_to_positive(libm::log, x) / base } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rusqlite::{Connection, params, types::Value};

    use super::FUNCTIONS;
    use crate::{Database, REPLY, TOOL};

    /// What each function gave once, which is what it gives on every machine and in a browser (`bindings/playground/tests/same.mjs`).
    const BITS: &[(&str, u64)] = &[
        ("acos(0.3)", 0x3ff441f5ecbeef59),
        ("acos(-0.75)", 0x400359d26f93b6c3),
        ("acos(1e-9)", 0x3ff921fb53ff74e9),
        ("acosh(1.5)", 0x3feecc2caec5160a),
        ("acosh(2)", 0x3ff5124271980434),
        ("acosh(1e9)", 0x40356a9a0b23d187),
        ("asin(0.3)", 0x3fd380159e14f6ff),
        ("asin(-0.75)", 0xbfeb235315c680dc),
        ("asin(1e-9)", 0x3e112e0be826d695),
        ("asinh(0.3)", 0x3fd2ec4ea565fcc1),
        ("asinh(-75)", 0xc0140aefa0ec2678),
        ("asinh(1e9)", 0x40356a9a0b23d187),
        ("atan(0.3)", 0x3fd2a73a661eaf06),
        ("atan(-7.5)", 0xbff7030cf9403197),
        ("atan(1e9)", 0x3ff921fb53ff74e9),
        ("atanh(0.3)", 0x3fd3cf2b50617c96),
        ("atanh(-0.75)", 0xbfef2272ae325a57),
        ("atanh(0.999)", 0x400e66cfde9c7c2d),
        ("cos(0.3)", 0x3fee921dd42f09ba),
        ("cos(7)", 0x3fe81ff79ed92017),
        ("cos(1e22)", 0x3fe0be2cef01c8f4),
        ("cosh(0.3)", 0x3ff0b9b4e0b6ec4c),
        ("cosh(-7)", 0x4081228949ba3a8b),
        ("cosh(700)", 0x7efd945df4f8ec8e),
        ("exp(1)", 0x4005bf0a8b14576a),
        ("exp(-0.3)", 0x3fe7b4c869c37c05),
        ("exp(700)", 0x7f0d945df4f8ec8e),
        ("ln(2)", 0x3fe62e42fefa39ef),
        ("ln(0.3)", 0xbff34378fcbda721),
        ("ln(1e300)", 0x4085963447f87fb5),
        ("log(2)", 0x3fd34413509f79ff),
        ("log(0.3)", 0xbfe0bb6c34d81502),
        ("log(1e300)", 0x4072c00000000000),
        ("log10(2)", 0x3fd34413509f79ff),
        ("log10(0.001)", 0xc008000000000000),
        ("log10(1000)", 0x4008000000000000),
        ("log2(3)", 0x3ff95c01a39fbd68),
        ("log2(0.3)", 0xbffbca9c6f53897b),
        ("log2(8)", 0x4008000000000000),
        ("sin(0.3)", 0x3fd2e9cd95baba33),
        ("sin(7)", 0x3fe50608c26d0a08),
        ("sin(1e22)", 0xbfeb453ab76bf397),
        ("sinh(0.3)", 0x3fd37d42af54b926),
        ("sinh(-7)", 0xc08122876ba380c9),
        ("sinh(700)", 0x7efd945df4f8ec8e),
        ("tan(0.3)", 0x3fd3cc2a44e29998),
        ("tan(7)", 0x3febe2e6e13eea78),
        ("tan(1e22)", 0xbffa0f79c1b6b258),
        ("tanh(0.3)", 0x3fd2a4dda7d914f9),
        ("tanh(-7)", 0xbfeffffc832750f2),
        ("tanh(1e-9)", 0x3e112e0be826d695),
        ("atan2(1, 3)", 0x3fd4978fa3269ee1),
        ("atan2(-0.5, -2)", 0xc0072c43f4b1650a),
        ("atan2(1e-9, 7)", 0x3de3a256c02c62f3),
        ("log(2, 8)", 0x4008000000000000),
        ("log(10, 1e5)", 0x4014000000000000),
        ("log(1.5, 10)", 0x4016b72aa33dbacf),
        ("pow(2, 0.5)", 0x3ff6a09e667f3bcd),
        ("pow(1.1, 100)", 0x40caea4e6126bb95),
        ("pow(-3, 5)", 0xc06e600000000000),
        ("power(10, -2)", 0x3f847ae147ae147b),
        ("power(7.3, 0.37)", 0x4000b142cb4acf89),
        ("power(0.5, 1000)", 0x170000000000000),
    ];

    #[test]
    fn the_same_bits_on_every_machine() {
        let database = Database::new_empty(&REPLY).expect("opens");
        let wrong: Vec<String> = BITS
            .iter()
            .filter_map(|(call, bits)| {
                let value: f64 =
                    database.connection().query_row(&format!("SELECT {call}"), [], |row| row.get(0)).expect("a number");
                (value.to_bits() != *bits).then(|| format!("(\"{call}\", {:#x}),", value.to_bits()))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        for function in &FUNCTIONS {
            let name = format!("{}(", function.name.to_str().expect("a name"));
            let called = BITS.iter().filter(|(call, _)| {
                call.starts_with(&name) && call.split(',').count() == usize::try_from(function.arguments).unwrap_or(0)
            });
            assert!(called.count() >= 3, "{name} is not in the table");
        }
    }

    /// `libm::acosh` has a result below 1.
    #[test]
    fn null_where_there_is_no_result() {
        let database = Database::new_empty(&REPLY).expect("opens");
        for call in [
            "acosh(-7659)",
            "acosh(0.5)",
            "acos(2)",
            "asin(-2)",
            "atanh(3)",
            "ln(0)",
            "log2(-1)",
            "log(1, 5)",
            "pow(-2, 0.5)",
        ] {
            let value: Option<f64> =
                database.connection().query_row(&format!("SELECT {call}"), [], |row| row.get(0)).expect("runs");
            assert_eq!(value, None, "{call}");
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let text = prop::sample::select(vec!["", "2", " -0.5 ", "1e3", "2x", "x", "0x10", "9e999"]);
        prop_oneof![
            4 => (-9.0_f64..9.0).prop_map(Value::Real),
            2 => any::<f64>().prop_filter("SQLite has no NaN", |x| !x.is_nan()).prop_map(Value::Real),
            2 => (-5_i64..40).prop_map(Value::Integer),
            2 => (-1.0_f64..1.0).prop_map(Value::Real),
            1 => text.prop_map(|text| Value::Text(text.to_owned())),
            1 => Just(Value::Blob(b"2".to_vec())),
            1 => Just(Value::Null),
        ]
    }

    /// Values of doubles in their order.
    fn place(x: f64) -> i128 {
        let bits = i128::from(x.to_bits() & (u64::MAX >> 1));
        if x.is_sign_negative() { -bits } else { bits }
    }

    /// What the C library of this machine gives differs in the last digits at most; null is null.
    #[test]
    fn as_sqlite_but_for_the_last_digit() {
        let ours = Database::new_empty(&TOOL).expect("opens");
        let theirs = Connection::open_in_memory().expect("opens");
        proptest!(ProptestConfig::with_cases(2000), |(a in value(), b in value())| {
            for function in &FUNCTIONS {
                let name = function.name.to_str().expect("a name");
                let sql = format!("SELECT {name}({})", if function.arguments == 1 { "?1" } else { "?1, ?2" });
                let ask = |connection: &Connection| -> Option<f64> {
                    let mut statement = connection.prepare(&sql).expect("known");
                    let row = |row: &rusqlite::Row<'_>| row.get(0);
                    let asked = if function.arguments == 1 {
                        statement.query_row(params![a], row)
                    } else {
                        statement.query_row(params![a, b], row)
                    };
                    asked.expect("a number or null")
                };
                match (ask(ours.connection()), ask(&theirs)) {
                    (Some(x), Some(y)) => prop_assert!((place(x) - place(y)).abs() <= 4, "{name} {a:?} {b:?}: {x} {y}"),
                    (x, y) => prop_assert_eq!(x, y, "{} {:?} {:?}", name, a, b),
                }
            }
        });
    }
}
