//! A join that is proved to give rows gives some in every instance: random joins of three tables that refer to each other.

use runtime::generate::{Generator, Options};

use super::sound::Choice;

const SUITES: u64 = 400;

/// A suite whose answer is an aggregate over joined tables.
fn suite(c: &mut Choice) -> String {
    let rows = |c: &mut Choice| c.of(&["1..3", "2", "0..2", "4"]).to_owned();
    let blank = |c: &mut Choice| c.of(&["", "", "", " blank 40%"]).to_owned();
    let tables = format!(
        "table a {{ rows {}  AID : serial  X : int 1..9 }}\n    table b {{ rows {}  BID : serial  AID : ref a.AID{}  Y : int 1..9 }}\n    table c {{ rows {}  CID : serial  BID : ref b.BID{}  AID : ref a.AID{} }}",
        c.of(&["1..3", "2", "4"]),
        c.of(&["1..3", "2", "4"]),
        blank(c),
        rows(c),
        blank(c),
        blank(c),
    );
    let order = [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "c", "b"]]
        [c.below(6) as usize];
    let joined = 2 + c.below(2) as usize;
    let mut from = order[0].to_owned();
    for (at, table) in order.iter().enumerate().take(joined).skip(1) {
        let kind =
            c.of(&["JOIN", "JOIN", "JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN", "NATURAL JOIN", ","]);
        let before = order[c.below(at as u64) as usize];
        let on = match (before, *table, c.below(5)) {
            (_, _, 0) => format!("ON {before}.AID = {table}.AID AND {table}.AID > 1"),
            (_, _, 1) => "USING (AID)".to_owned(),
            ("b", "c", _) | ("c", "b", _) => format!("ON {before}.BID = {table}.BID"),
            _ => format!("ON ({table}.AID = {before}.AID)"),
        };
        let on = if matches!(kind, "CROSS JOIN" | "NATURAL JOIN" | ",") { String::new() } else { on };
        from = format!("{from} {kind} {table} {on}");
    }
    let (table, key) = (order[0], order[0].to_uppercase());
    let end = if c.below(3) == 0 { format!(" GROUP BY {table}.{key}ID ORDER BY 1 LIMIT 1") } else { String::new() };
    testing::build_suite_source(
        "",
        &format!(
            "  sqlite shop at \"shop.db\" {{\n    {tables}\n  }}\n  n = <<sqlite_query: shop, SELECT MAX({table}.{key}ID) FROM {from}{end}>>\n  prompt \"Look at <<shop>>.\"\n  expect reply number n"
        ),
    )
}

#[test]
fn a_join_that_is_proved_to_give_rows_gives_rows() {
    let mut choice = Choice(11);
    let (mut proved, mut open, mut drawn) = (0, 0, 0);
    let mut wrong = Vec::new();
    for _ in 0..SUITES {
        let text = suite(&mut choice);
        let compiled = testing::compile_text(&text);
        let Some(plan) = compiled.plan else {
            open += usize::from(compiled.diagnostics.iter().any(|said| said.code.name == "nullable"));
            continue;
        };
        proved += 1;
        for seed in ["1", "sound"] {
            let options = Options { samples: Some(6), ..Options::new(seed) };
            let generator = Generator::new(&plan, options).expect("a generator");
            for index in 0..generator.count_instances() {
                drawn += 1;
                let address = generator.resolve_address(index).expect("in range");
                match generator.generate_instance(address) {
                    Ok(instance) if instance.expects[0].single_value().is_some_and(model::Value::is_null) => {
                        wrong.push(format!("null\n{text}"));
                    }
                    Ok(_) => {}
                    Err(error) => wrong.push(format!("{error}\n{text}")),
                }
            }
        }
    }
    println!("{proved} joins proved, {open} left open, {drawn} instances");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(3)].join("\n"));
    assert!(proved >= 60 && open >= 60, "{proved} proved, {open} open");
}
