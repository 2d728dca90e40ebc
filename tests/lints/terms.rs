//! What is known of computed values of queries is never wrong: each value that SQLite computes on built tables is one that is known to be possible.

use compiler::facts::Facts;
use compiler::hir::terms::{Known, TermFacts};
use model::Value;
use model::suite::Scope;
use runtime::generate::{Generator, Options};

/// A table with values of every kind.
const TABLE: &str = r#"
  sqlite shop at "shop.db" {
    table sales {
      rows 40..60
      ID    : serial
      SKU   : pattern "[A-C]{2}-[0-9]{1,3}"
      KIND  : one_of ["Tool", "Toy", " spare ", "ö"]
      N     : int -9..9
      M     : int 0..3
      BIG   : int 1000000..9000000
      PRICE : decimal -9.99..9.99
      RATE  = M / 4 + 0.5
      DAY   : date 2023-11-15..2024-03-20
      AT    : datetime 2024-01-30T22:10:05..2024-02-02T03:00
      SOON  : datetime 2024-02-29T08:00..2024-02-29T18:00
      OLD   : date 1960-01-01..2020-12-31
      NOTE  : one_of ["a", "bb"] blank 40%
      LOT   : pattern "0?[0-9]{2}"
      OK    : bool
    }
  }
"#;

/// Expressions on it.
const TERMS: &str = "N + M; N - M; N * M; N / M; N % 4; N % (M + 1); -N; -PRICE; N + PRICE; PRICE * 3; RATE / 2; N / 2.0; BIG * BIG; N / (M + 1);
    abs(N); abs(PRICE); sign(N); round(PRICE); round(PRICE, 1); round(N); round(N, 2); max(N, M); min(N, M, 2);
    length(SKU); length(KIND); length(N); length(NOTE); length(LOT || N); upper(SKU); lower(SKU); upper(KIND); trim(KIND); ltrim(KIND); rtrim(KIND, ' e'); trim(SKU);
    substr(SKU, 1, 2); substr(SKU, 2, 1); substr(SKU, 4); substr(SKU, 3, 9); substr(DAY, 1, 7); substr(DAY, 6, 2); substr(KIND, 2); substr(KIND, -2); substr(KIND, 0, 3); substr(KIND, -9, 8);
    substr(LOT, -2); replace(KIND, 'o', '0'); instr(SKU, '-'); instr(SKU, 'A'); instr(SKU, 'x'); instr(KIND, 'o'); SKU || LOT; KIND || '/' || N; NOTE || N;
    coalesce(NOTE, 'none'); ifnull(NOTE, KIND); nullif(N, 3); nullif(KIND, 'Toy'); nullif(M, N); iif(N > 0, 'up', 'down'); iif(NOTE = 'a', 1, 2);
    CASE WHEN N > 5 THEN 'high' WHEN N > 0 THEN 'low' END; CASE M WHEN 0 THEN 'none' WHEN 1 THEN 'one' ELSE 'many' END; CASE WHEN N > 20 THEN 1 ELSE M END;
    CAST(N AS TEXT); CAST(LOT AS INTEGER); CAST(PRICE AS INTEGER); CAST(N AS REAL); CAST(SKU AS INTEGER); CAST(RATE AS TEXT); CAST(KIND AS TEXT); CAST(LOT AS REAL);
    strftime('%Y', DAY); strftime('%m', DAY); strftime('%d', DAY); strftime('%j', DAY); strftime('%w', DAY); strftime('%u', DAY); strftime('%W', DAY); strftime('%U', DAY);
    strftime('%Y-%m', DAY); strftime('%M', DAY); strftime('%H:%M', DAY); strftime('%d.%m.%Y', DAY); strftime('%e %F', DAY); strftime('%s', DAY); strftime('%Y', OLD); strftime('%W', OLD); strftime('%j', OLD);
    strftime('%H', AT); strftime('%M', AT); strftime('%S', AT); strftime('%d', AT); strftime('%Y-%m-%d %H', AT); strftime('%I %p', AT); strftime('%k|%l|%P', AT); strftime('%R', SOON); strftime('%T', SOON); strftime('%H', SOON);
    date(DAY); date(AT); time(AT); time(SOON); datetime(AT); datetime(DAY); julianday(DAY); julianday(AT); unixepoch(DAY); unixepoch(AT); julianday(AT) - julianday(DAY); CAST(julianday(AT) - julianday(DAY) AS INTEGER);
    date(DAY, '+1 month'); date(DAY, '-1 month'); date(DAY, '+3 days'); date(DAY, 'start of month'); date(DAY, 'start of year'); date(DAY, 'start of month', '+1 month', '-1 day'); date(DAY, 'weekday 1'); date(DAY, '+1 year');
    date(OLD, '-2 years', 'start of year'); date(AT, 'start of month'); date(AT, '+36 hours'); datetime(AT, '+90 minutes'); datetime(DAY, '+90 minutes'); strftime('%m', DAY, '+2 months'); strftime('%H', DAY, '+5 hours');
    date('2024-02-1' || M); date('2024-01-31', '+1 month'); strftime('%w', '2024-02-29'); strftime('%W', '2024-01-01'); strftime('%U', '2023-01-01');
    N > 3; N = M; N <> M; N BETWEEN 1 AND 3; N IN (1, 2, 3); N NOT IN (1, NULL); NOTE IS NULL; NOTE = 'a'; NOTE IS 'a'; NOTE IS NOT 'a'; SKU LIKE 'a%'; SKU LIKE '%-_'; SKU GLOB 'A[A-B]-*'; SKU GLOB '*[^0-9]'; SKU NOT LIKE 'C%';
    KIND LIKE '%O%'; KIND GLOB '*o*'; LOT LIKE '0__'; KIND LIKE '%Ö%'; SKU LIKE 'A\\_%' ESCAPE '\\'; SKU > 'B'; SKU < 'AA-5'; SKU = 'AB-1'; LOT >= '050'; OK; NOT OK; OK + 1; N AND M; N OR NOTE IS NULL; NOT (N > 3 AND M < 2);
    typeof(N); typeof(NOTE); printf('%02d', M); printf('%d/%s', N, KIND); concat(NOTE, N); likely(N); M IN (SELECT N FROM shop.sales); (SELECT MAX(N) FROM shop.sales); (SELECT MIN(DAY) FROM shop.sales WHERE N > 50);
    M & 2; M | 4; M << 1; M << 70; M << -1; N | 1 & 2; N & 6 << 1; 1 << M + 1; N & M; unicode(SKU); unicode(KIND); unicode(NOTE); char(65, 66); substr(SKU, 0, 2); substr(SKU, 0); ltrim(SKU, 'ABC'); (N, M) < (1, 0); (N, M) >= (0, 2); KIND AND 1; LOT OR 0;
    N IN (SELECT N FROM shop.sales); EXISTS (SELECT 1 FROM shop.sales); EXISTS (SELECT N FROM shop.sales WHERE N > 50); date(AT) = AT; SKU = DAY;
    DAY > '2024-01-15'; AT >= '2024-02-01'; AT = '2024-02-01'; DAY || 'T00:00:00' <= AT; upper(substr(KIND, 1, 1)) || lower(substr(KIND, 2)); lower(SKU) = 'ab-1'; length(trim(KIND)) > 3";

/// Aggregates and functions of windows on it.
const GATHERED: &str = "COUNT(*); COUNT(NOTE); COUNT(DISTINCT N); SUM(N); SUM(M); SUM(PRICE); AVG(N); AVG(PRICE); AVG(RATE); MIN(N); MAX(DAY); MIN(SKU); MAX(NOTE); SUM(N > 0); AVG(N * M); SUM(CASE WHEN N > 0 THEN M ELSE 0 END); COUNT(*) * 2;
    MAX(N) - MIN(N); SUM(N) / COUNT(*); MAX(length(SKU)); MIN(strftime('%m', DAY)); COUNT(*) FILTER (WHERE N > 100); SUM(N) FILTER (WHERE N > 100); MAX(julianday(AT)) - MIN(julianday(DAY))";

/// What is known of the values of each output, and the rows.
fn check(expressions: &str, rest: &str, seed: &str) -> (usize, usize) {
    let terms: Vec<&str> = expressions.split(';').map(str::trim).collect();
    let outputs: Vec<String> = terms.iter().enumerate().map(|(at, term)| format!("{term} AS c{at}")).collect();
    let (mut values, mut known_values) = (0, 0);
    // SQLite returns at most so many columns of one query that messages stay readable.
    for (some, written) in outputs.chunks(30).zip(terms.chunks(30)) {
        let body = format!(
            "{TABLE}\n  prompt \"<<shop>>?\"\n  expect reply rows <<rows: SELECT {} FROM shop.sales {rest}>>",
            some.join(", ")
        );
        let compiled = testing::compile_text(&testing::build_suite_source("", &body));
        let errors: Vec<String> = compiled
            .diagnostics
            .iter()
            .filter(|said| said.code.id.starts_with('E'))
            .map(|said| said.message.clone())
            .collect();
        assert!(errors.is_empty(), "{errors:?}\n{body}");
        let (hir, plan) = (compiled.hir.expect("a suite"), compiled.plan.expect("no error"));
        let task = hir.tasks.first().expect("a task");
        let facts = Facts::new(task);
        let mut queries = Vec::new();
        task.visit_exprs(&mut |_, expr, _| expr.visit_exprs(&mut |expr| queries.extend(expr.find_query())));
        let sql = queries.first().expect("a query");
        let inference = TermFacts { facts: &facts, sql, scope: Scope::default() };
        let known: Vec<Known<'_>> = sql
            .analysis
            .columns
            .iter()
            .map(|column| column.term.as_ref().map_or_else(Known::unknown, |term| inference.infer(term)))
            .collect();
        let options = Options { samples: Some(3), traps: false, ..Options::new(seed) };
        let generator = Generator::new(&plan, options).expect("a generator");
        for index in 0..generator.count_instances() {
            let address = generator.resolve_address(index).expect("in range");
            let instance = generator.generate_instance(address).unwrap_or_else(|error| panic!("{error}\n{body}"));
            let Some(Value::Rows(set)) = instance.expects.first().and_then(|expect| expect.single_value()) else {
                panic!("no rows")
            };
            for row in &set.rows {
                for ((value, known), term) in row.iter().zip(&known).zip(written) {
                    values += 1;
                    known_values += usize::from(is_informed(known));
                    allow(term, value, known);
                }
            }
        }
    }
    (values, known_values)
}

fn is_informed(known: &Known<'_>) -> bool {
    known.fact.range.is_some() || known.fact.closed.is_some() || known.texts.is_some() || !known.fact.nullable
}

fn allow(term: &str, value: &Value, known: &Known<'_>) {
    let stored = match value {
        Value::Decimal(decimal) => Value::Float(decimal.to_f64()),
        Value::Bool(value) => Value::Int(i64::from(*value)),
        Value::Date(_) | Value::DateTime(_) => Value::from_text(value.render_text()),
        other => other.clone(),
    };
    assert!(known.fact.can_be(&stored), "`{term}` is {stored:?}, and it is known: {known:?}");
    if stored.is_null() {
        return;
    }
    if let Some((low, high)) = &known.fact.range {
        assert!(stored.compare_with(low).is_some_and(|order| order.is_ge()), "`{term}`: {stored:?} is below {low:?}");
        assert!(stored.compare_with(high).is_some_and(|order| order.is_le()), "`{term}`: {stored:?} is above {high:?}");
    }
    if let Some(is_text) = known.is_text() {
        assert_eq!(matches!(stored, Value::Text(_)), is_text, "`{term}`: {stored:?}, {known:?}");
    }
    if let (Some(texts), Value::Text(text)) = (&known.texts, &stored) {
        let exact: String =
            text.chars().map(|c| if "*?[".contains(c) { format!("[{c}]") } else { c.to_string() }).collect();
        let (may_match, _) =
            compiler::hir::terms::match_texts(texts, &exact, compiler::sql::terms::MatchKind::Glob).expect("short");
        assert!(may_match, "`{term}`: {text:?} is none of {texts:?}");
    }
}

#[test]
fn every_value_of_a_query_is_one_that_is_known_to_be_possible() {
    let (mut values, mut known) = (0, 0);
    for seed in ["1", "terms", "7c"] {
        for (terms, rest) in [(TERMS, ""), (GATHERED, "GROUP BY KIND"), (GATHERED, ""), (GATHERED, "WHERE N > 50")] {
            let (some, of_them) = check(terms, rest, seed);
            values += some;
            known += of_them;
        }
    }
    assert!(values > 50_000, "{values}");
    assert!(known * 10 > values * 8, "something is known of {known} of {values} values");
    println!("{values} values, something known of {known}");
}

#[test]
fn patterns_match_what_sqlite_matches() {
    use compiler::hir::terms::{Texts, match_texts};
    use compiler::sql::terms::MatchKind;

    let database = picardc::sqlite::Database::new_empty(&picardc::sqlite::TOOL).expect("opened");
    let connection = database.connection();
    let mut state = 7_u32;
    let mut draw = |letters: &str, least: usize, most: usize| -> String {
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % below
        };
        let letters: Vec<char> = letters.chars().collect();
        (0..least + next(most + 1 - least)).map(|_| letters[next(letters.len())]).collect()
    };
    let mut decided = 0;
    for _ in 0..20_000 {
        let cases = [
            ("GLOB ?2", format!("[{}]", draw("]^-abcé", 1, 6)), MatchKind::Glob),
            ("GLOB ?2", draw("[]^-abc*?", 1, 7), MatchKind::Glob),
            ("LIKE ?2", draw("%_aBé", 0, 5), MatchKind::Like(None)),
            ("LIKE ?2 ESCAPE '!'", draw("%_aB!", 0, 5), MatchKind::Like(Some('!'))),
        ];
        let text = draw("]^-abcdABéÉ[!%", 0, 3);
        for (operator, pattern, kind) in cases {
            let sql = format!("SELECT ?1 {operator}");
            let is_met: bool = connection.query_row(&sql, [&text, &pattern], |row| row.get(0)).expect("computed");
            let texts = Texts::Listed([Value::from_text(text.as_str())].into_iter().collect());
            if let Some(known) = match_texts(&texts, &pattern, kind) {
                assert_eq!(known, (is_met, !is_met), "{text:?} {operator} {pattern:?}");
                decided += 1;
            }
        }
    }
    assert!(decided > 60_000, "{decided}");
}
