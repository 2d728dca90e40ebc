//! Values computed for each row, and functions of statistics.

use model::Value;
use testing::find_answer;

use super::{agree, codes, compile, failure, instances};

const TABLES: &str = "low : int 1..5 \
    csv a at \"a.csv\" { rows 9 ID : serial X : int 1..9 blank 30% Y : decimal 0.00..9.99 N : one_of [\"b\", \"c\"] } \
    csv b at \"b.csv\" { rows 9 X : int 1..9 } prompt \"<<a>> <<b>>\" ";

fn checked(value: &str) -> String {
    format!("{TABLES} expect reply json {{ v: {value} }}")
}

#[test]
fn a_value_is_computed_for_each_row() {
    for (value, other) in [
        ("coalesce(sum(a.ID * a.ID where ID <= low), 0)", "low * (low + 1) * (2 * low + 1) / 6 * 1"),
        ("list(upper(a.N))", "<<list: SELECT upper(N) FROM a ORDER BY ID>>"),
        // A bare column stays what it is; an aggregate inside is of the whole table.
        ("sum(a.ID - avg(a.ID))", "0 / 1"),
        ("count(list(a.ID * 2 where ID > avg(a.ID)))", "4"),
        // A null makes the row's value null, which is skipped.
        ("count(list(a.X + a.ID))", "count(a.X)"),
        ("coalesce(corr(a.ID, a.ID * 2 + 1), 0 / 1)", "1 / 1"),
        ("quantile(a.ID * 2, 0.5)", "10 / 1"),
        ("coalesce(slope(a.ID where ID > 1, a.ID + a.ID where ID < 9), 0 / 1)", "2 / 1"),
    ] {
        agree(checked, value, other);
    }
}

#[test]
fn an_object_has_the_names_and_values_of_two_columns() {
    for (value, other) in [
        (r#"object("k<<a.ID>>", a.ID * 2 where ID < 3)"#, "{ k1: 2, k2: 4 }"),
        (r#"object("k<<a.ID>>" where ID > 7, a.ID where ID < 9)"#, "{ k8: 8 }"),
        (r#"object("k<<a.ID>>", a.X where X != null and ID < 0)"#, "{}"),
        ("object(r.K, r.S)", "{ b: 45 }"),
    ] {
        let task = format!(
            "r = <<rows: SELECT 'b' AS K, SUM(ID) AS S FROM a GROUP BY 'b'>> {}",
            checked(&format!("[{value}, {other}]"))
        );
        for instance in instances(&task) {
            let Value::Object(fields) = find_answer(&instance) else { panic!("an object") };
            let [(_, Value::List(both))] = fields.as_slice() else { panic!("two values") };
            assert!(both[0].is_same(&both[1]), "{value} and {other}: {both:?}");
        }
    }
}

#[test]
fn an_object_needs_keys_that_differ_and_values() {
    let null = compile(&checked("object(a.N, a.X)")).diagnostics;
    assert_eq!((null.len(), null[0].code.id), (1, "E0303"), "{null:?}");
    assert_eq!(null[0].message, "`a.X` can be null, but `values` of `object` cannot");
    let null = compile(&checked(r#"object("<<a.ID>>", a.X + 1)"#)).diagnostics;
    assert_eq!((null.len(), null[0].code.id), (1, "E0303"), "{null:?}");
    let two = compile(&checked("object(a.N, b.X)")).diagnostics;
    assert_eq!(two[0].message, "`object` needs columns of one table, but these are of `a` and `b`");
    let key = compile(&checked("object(a.ID, a.Y)")).diagnostics;
    assert_eq!((key.len(), key[0].code.id), (1, "E0302"), "{key:?}");
    let text = compile(&format!("{TABLES} expect reply text object(a.N, a.Y)")).diagnostics;
    assert_eq!((text.len(), text[0].code.id), (1, "E0301"), "{text:?}");
    let twice = failure(&checked("object(a.N, a.ID)"));
    assert!(twice.contains("`object` needs keys that differ, but `"), "{twice}");
    // What is given under `unique` keys has no such failure.
    instances(
        "csv u at \"u.csv\" { rows 30 N : unique word V : int 1..9 } prompt \"<<u>>\" expect reply json object(u.N, u.V)",
    );
}

#[test]
fn points_of_one_table_are_read_at_the_rows_of_another() {
    let task = "table p { rows 3 ID : serial X = ID * 10 Y = ID * 100 } \
        csv t at \"t.csv\" { rows 4 ID : serial AT = ID * 10 - 5 V = coalesce(interpolate(p.X, p.Y, AT), -1 / 1) } \
        prompt \"<<t>>\" expect reply json { v: list(t.V), w: list(interpolate(p.X, p.Y, t.AT)) }";
    let wanted = |values: &[f64]| Value::List(values.iter().map(|value| Value::Float(*value)).collect());
    for instance in instances(task) {
        let Value::Object(fields) = find_answer(&instance) else { panic!("an object") };
        assert_eq!(fields[0].1, wanted(&[-1.0, 150.0, 250.0, -1.0]));
        assert_eq!(fields[1].1, wanted(&[150.0, 250.0]));
    }
}

#[test]
fn mistakes_in_columns_and_rows_are_told() {
    for (value, message) in [
        ("coalesce(sum(a.X * b.X), 0)", "this value mixes rows of `a` and `b`"),
        ("coalesce(corr(a.X, b.X), 0 / 1)", "`corr` needs columns of one table, but these are of `a` and `b`"),
        ("count(a.X > 3)", "`count` needs a table or a column, but this is a condition"),
        ("coalesce(corr(a.X, a.N), 0 / 1)", "`corr` needs a column with numbers as `y`, but this is a column of text"),
        ("coalesce(quantile(a.X, 1.5), 0 / 1)", "`quantile` needs a share from 0 to 1, but this is 1.5"),
    ] {
        let said = compile(&checked(value)).diagnostics;
        assert_eq!(said.len(), 1, "{value}: {said:?}");
        assert_eq!(said[0].message, message, "{value}");
    }
    // What is read as it is written is a column.
    let told = &compile(&checked("csv_value(a.ID + 1, 2)")).diagnostics[0];
    assert_eq!(told.message, "`a.ID` is a whole column, not a value");
    let told = &compile(&checked("coalesce(corr(a.X, b.X), 0 / 1)")).diagnostics[0];
    assert_eq!(told.help.as_deref(), Some("join them in SQL: <<value: SELECT corr(a.X, b.X) FROM a JOIN b ON …>>"));
}

#[test]
fn what_can_be_null_is_known() {
    for (value, code) in [
        ("corr(a.ID, a.Y)", Some("E0303")),
        ("quantile(a.Y, 0.5)", None),
        ("quantile(a.X, 0.5)", Some("E0303")),
        ("quantile(a.Y where ID > low, 0.5)", Some("E0303")),
        ("quantile([low, 2], 0.5)", None),
        ("interpolate(a.ID, a.Y, 2)", Some("E0303")),
        ("chi2_p(a_sure, 2)", None),
        ("<<value: SELECT quantile(Y, 0.5) FROM a>>", None),
        ("<<value: SELECT quantile(Y, 0.5) FROM a WHERE ID > 3>>", Some("E0303")),
        ("<<value: SELECT slope(ID, Y) FROM a>>", Some("E0303")),
        ("<<value: SELECT stdev(Y) FROM a>>", Some("E0303")),
        ("<<value: SELECT chi2_p(:low, 2)>>", None),
        ("<<value: SELECT N FROM a WHERE corr(X, Y) > 0>>", Some("E0604")),
    ] {
        let task = format!("a_sure = low * 2 {}", checked(value));
        assert_eq!(codes(&task), Vec::from_iter(code), "{value}");
    }
}

#[test]
fn numbers_that_have_no_result_end_the_build() {
    for (value, said) in [
        ("quantile(a.ID, low)", "`quantile` needs a share from 0 to 1, not"),
        ("chi2_p(0 - low, 2)", "`chi2_p` needs an x of 0 or more, not -"),
        ("chi2_p(low, 0)", "`chi2_p` needs 1 to 1,000,000,000 degrees of freedom, not 0"),
        (
            "coalesce(interpolate(a.ID - a.ID, a.ID, 1), 0 / 1)",
            "`interpolate` needs one y for each x, but at 0 there are 1 and 2",
        ),
        (
            "coalesce(<<value: SELECT interpolate(1, ID, 1) FROM a>>, 0 / 1)",
            "one y for each x, but at 1 there are 1 and 2",
        ),
        ("coalesce(<<value: SELECT slope(ID, N) FROM a>>, 0 / 1)", "`slope` needs numbers, not text"),
    ] {
        let task = format!("{} expect reply json {{ v: {value} }}", TABLES.replace("1..5", "2..5"));
        let message = failure(&task);
        assert!(message.contains(said), "{value}: {message}");
    }
}

/// A result set is a table in the order of its query.
#[test]
fn a_result_set_keeps_its_order() {
    let task = "csv a at \"a.csv\" { rows 9 ID : serial X : unique int 1..99 } prompt \"<<a>>\" \
        r = <<rows: SELECT ID, X FROM a ORDER BY X DESC>> \
        expect reply json { ids: list(r.ID), xs: list(r.X), first: coalesce(first(r.X), 0), same: <<list: SELECT X FROM a ORDER BY X DESC>> }";
    for instance in instances(task) {
        let Value::Object(fields) = find_answer(&instance) else { panic!("an object") };
        let Value::List(values) = &fields[1].1 else { panic!("a list") };
        let falling =
            values.windows(2).all(|pair| pair[0].compare_with(&pair[1]).is_some_and(std::cmp::Ordering::is_gt));
        assert!(falling && values.len() == 9, "{values:?}");
        assert_eq!(fields[1].1, fields[3].1);
        assert_eq!(fields[2].1, values[0]);
    }
    for (order, code) in [("ORDER BY X DESC", None), ("", Some("W0303"))] {
        let task = format!(
            "csv a at \"a.csv\" {{ rows 9 ID : serial X : unique int 1..99 }} r = <<rows: SELECT X FROM a {order}>> \
             prompt \"Which X are in <<a>>, from the greatest to the least?\" expect reply list list(r.X) ordered"
        );
        let found = testing::list_codes(&testing::compile_text(&testing::build_suite_source("samples 9", &task)));
        let found: Vec<&str> = found.into_iter().filter(|code| *code == "W0303").collect();
        assert_eq!(found, Vec::from_iter(code), "{order}");
    }
}
