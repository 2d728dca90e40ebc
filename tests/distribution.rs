//! What a domain promises of its values, held to 100,000 drawn ones: range or list, likelihoods (chi-square, p > 0.001), independence of the rows,
//! `unique`, `sorted`, `blank`, `except`, `ref`; and names over 20,000 samples. Expectations are written down here, not asked of the code.
//!
//! The seed is fixed, so that the tests say the same every time; `DISTRIBUTION_SEED=…` tries another.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::LazyLock;

use compiler::diagnostics::Diagnostic;
use model::{Plan, Value};
use runtime::generate::{Generator, Options};

#[path = "distribution/library.rs"]
mod library_domains;
#[path = "distribution/tables.rs"]
mod library_tables;

const ROWS: usize = 100_000;
/// The least likelihood of what is drawn, were all as promised.
const LIKELY: f64 = 0.001;
/// Bins of values, where there are more values.
const BINS: u64 = 500;

// ------------------------------------------------------------------------------------------------------------ statistics

/// ln Γ(x) by Lanczos (g = 7).
fn ln_gamma(x: f64) -> f64 {
    const C: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let t = x + 7.5;
    let sum: f64 = C[0] + (1..9).map(|at| C[at] / (x + at as f64)).sum::<f64>();
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// The regularised upper incomplete gamma function Q(a, x): by its series below a + 1, by its continued fraction above.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - front * sum;
    }
    let mut b = x + 1.0 - a;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..10_000 {
        let an = -f64::from(i) * (f64::from(i) - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * h
}

/// Φ(x)
fn normal(x: f64) -> f64 {
    let tail = 0.5 * upper_gamma(0.5, x * x / 2.0);
    if x > 0.0 { 1.0 - tail } else { tail }
}

#[test]
fn the_statistics_are_those_of_the_tables() {
    // Critical values at 0.001 and 0.05 from printed tables.
    for (degrees, x, p) in [(1.0, 10.828, 0.001), (10.0, 29.588, 0.001), (100.0, 149.449, 0.001), (4.0, 9.488, 0.05)] {
        assert!((upper_gamma(degrees / 2.0, x / 2.0) / p - 1.0).abs() < 2e-3, "{degrees} {x}");
    }
    // A lean of one in fifty is seen, and so is what depends on what stands before it.
    assert!(chi_square(&[30_600, 69_400], &[0.3, 0.7]) < LIKELY && chi_square(&[30_100, 69_900], &[0.3, 0.7]) > LIKELY);
    assert!(table((0..1_000).map(|at| (at % 2, at / 2 % 2 * (at % 2)))) < LIKELY);
    assert!((normal(1.959_964) - 0.975).abs() < 1e-7 && (normal(-3.0) - 0.001_349_898).abs() < 1e-8);
}

/// How likely counts at least as far from the expected ones are. Neighbours are joined until each is expected at least five times.
fn chi_square(counts: &[u64], shares: &[f64]) -> f64 {
    let n = counts.iter().sum::<u64>() as f64;
    let whole: f64 = shares.iter().sum();
    let mut bins: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for (count, share) in counts.iter().zip(shares) {
        open = (open.0 + *count as f64, open.1 + n * share / whole);
        if open.1 >= 5.0 {
            bins.push(std::mem::take(&mut open));
        }
    }
    match bins.last_mut() {
        Some(last) => *last = (last.0 + open.0, last.1 + open.1),
        None => return 1.0,
    }
    let x: f64 = bins.iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum();
    let degrees = bins.len() - 1;
    if degrees == 0 { 1.0 } else { upper_gamma(degrees as f64 / 2.0, x / 2.0) }
}

// ------------------------------------------------------------------------------------------------------------- promises

type Place = Box<dyn Fn(&str) -> Option<u64>>;

/// The values there may be, as `0..shares.len()`, and how likely each is.
struct Law {
    shares: Vec<f64>,
    /// The place of a written value; `None` where it is none of the domain's.
    place: Place,
    /// Of so many places, all as likely, that they are counted in bins.
    many: Option<u64>,
}

impl Law {
    /// `n` places, all as likely.
    fn even(n: u64, place: impl Fn(&str) -> Option<u64> + 'static) -> Law {
        let place = Box::new(place);
        if n <= 2 * BINS {
            return Law { shares: vec![1.0; n as usize], place, many: None };
        }
        // Bin b holds the places p with p·BINS/n = b.
        let start = |bin: u64| (u128::from(bin) * u128::from(n)).div_ceil(u128::from(BINS)) as f64;
        Law { shares: (0..BINS).map(|bin| start(bin + 1) - start(bin)).collect(), place, many: Some(n) }
    }

    /// Listed values.
    fn listed<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> Law {
        Law::weighted(values.into_iter().map(|value| (value, 1.0)))
    }

    /// Listed values with weights.
    fn weighted<T: AsRef<str>>(values: impl IntoIterator<Item = (T, f64)>) -> Law {
        let (values, shares): (Vec<String>, Vec<f64>) =
            values.into_iter().map(|(value, share)| (value.as_ref().to_owned(), share)).unzip();
        let places: HashMap<String, u64> = values.into_iter().zip(0..).collect();
        assert_eq!(places.len(), shares.len(), "an expected value stands twice");
        Law { shares, place: Box::new(move |text| places.get(text).copied()), many: None }
    }

    /// `low`, `low + step` … `high` in units of the last of `digits` decimal places.
    fn steps(low: i128, high: i128, step: i128, digits: u32) -> Law {
        Law::even(((high - low) / step + 1) as u64, move |text| {
            let units = units(text, digits)?;
            ((low..=high).contains(&units) && (units - low) % step == 0).then(|| ((units - low) / step) as u64)
        })
    }

    fn ints(low: i128, high: i128) -> Law {
        Law::steps(low, high, 1, 0)
    }

    /// Days from one to another, `step` apart.
    fn days(low: &str, high: &str, step: i128) -> Law {
        let (low, high) = (day(low).expect("a day"), day(high).expect("a day"));
        Law::even(((high - low) / step + 1) as u64, move |text| within(day(text)?, low, high, step))
    }

    /// Moments from one to another, `step` seconds apart.
    fn moments(low: &str, high: &str, step: i128) -> Law {
        let (low, high) = (moment(low).expect("a moment"), moment(high).expect("a moment"));
        Law::even(((high - low) / step + 1) as u64, move |text| within(moment(text)?, low, high, step))
    }

    /// Multiples of `step` units from `low` to `high`, each as likely as what `below` says of the half step around it.
    fn shaped(low: i128, high: i128, step: i128, digits: u32, below: impl Fn(f64) -> f64) -> Law {
        let one = 10f64.powi(digits as i32);
        let multiples = -(-low).div_euclid(step)..=high.div_euclid(step);
        let edge = |multiple: i128, half: f64| below((multiple as f64 + half) * step as f64 / one);
        let shares = multiples.clone().map(|multiple| edge(multiple, 0.5) - edge(multiple, -0.5)).collect();
        let place = move |text: &str| {
            let units = units(text, digits)?;
            let multiple = units / step;
            (units % step == 0 && multiples.contains(&multiple)).then(|| (multiple - multiples.start()) as u64)
        };
        Law { shares, place: Box::new(place), many: None }
    }

    fn bin(&self, text: &str) -> Option<usize> {
        let place = (self.place)(text)?;
        let bin = self.many.map_or(place, |n| (u128::from(place) * u128::from(BINS) / u128::from(n)) as u64);
        (self.shares.get(bin as usize).copied()? > 0.0).then_some(bin as usize)
    }

    fn bins<'a>(&self, cells: impl Iterator<Item = &'a str>) -> Result<Vec<usize>, String> {
        cells.map(|cell| self.bin(cell).ok_or_else(|| format!("{cell:?} is none of its values"))).collect()
    }

    /// How likely the cells are; an error names the first that is none of the values.
    fn fit<'a>(&self, cells: impl Iterator<Item = &'a str>) -> Result<f64, String> {
        self.bins(cells).map(|bins| self.likely(&bins))
    }

    fn likely(&self, bins: &[usize]) -> f64 {
        let mut counts = vec![0u64; self.shares.len()];
        bins.iter().for_each(|bin| counts[*bin] += 1);
        chi_square(&counts, &self.shares)
    }

    /// How likely a value says nothing of the next: pairs of neighbours, in a table of up to 12 by 12 groups of bins.
    fn independent(&self, bins: &[usize]) -> f64 {
        let groups = self.groups(12);
        table(bins.chunks_exact(2).map(|pair| (groups[pair[0]], groups[pair[1]])))
    }

    /// The bins in at most so many groups of much the same likelihood.
    fn groups(&self, most: usize) -> Vec<usize> {
        let whole: f64 = self.shares.iter().sum();
        let mut sum = 0.0;
        self.shares
            .iter()
            .map(|share| {
                let group = ((sum + share / 2.0) / whole * most as f64) as usize;
                sum += share;
                group.min(most - 1)
            })
            .collect()
    }
}

/// A chi-square test of independence over pairs of small numbers.
fn table(pairs: impl Iterator<Item = (usize, usize)>) -> f64 {
    const MAX_VALUES: usize = 32;
    let mut cells = vec![0.0; MAX_VALUES * MAX_VALUES];
    pairs.for_each(|(a, b)| cells[a * MAX_VALUES + b] += 1.0);
    let sum = |of: &dyn Fn(usize) -> usize| (0..MAX_VALUES).map(|at| cells[of(at)]).sum::<f64>();
    let rows: Vec<f64> = (0..MAX_VALUES).map(|a| sum(&|b| a * MAX_VALUES + b)).collect();
    let columns: Vec<f64> = (0..MAX_VALUES).map(|b| sum(&|a| a * MAX_VALUES + b)).collect();
    let n: f64 = rows.iter().sum();
    let mut x = 0.0;
    for (a, b) in (0..MAX_VALUES * MAX_VALUES)
        .map(|at| (at / MAX_VALUES, at % MAX_VALUES))
        .filter(|(a, b)| rows[*a] * columns[*b] > 0.0)
    {
        let expected = rows[a] * columns[b] / n;
        x += (cells[a * MAX_VALUES + b] - expected).powi(2) / expected;
    }
    let seen = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count().max(1) - 1;
    let degrees = (seen(&rows) * seen(&columns)) as f64;
    if degrees == 0.0 { 1.0 } else { upper_gamma(degrees / 2.0, x / 2.0) }
}

fn within(value: i128, low: i128, high: i128, step: i128) -> Option<u64> {
    ((low..=high).contains(&value) && (value - low) % step == 0).then(|| ((value - low) / step) as u64)
}

/// A number with just so many digits behind the point, in units of the last; `None` for any other spelling.
fn units(text: &str, digits: u32) -> Option<i128> {
    let (sign, plain) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let good = !whole.is_empty()
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.len() == digits as usize
        && plain.contains('.') == (digits > 0)
        && whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    let value: i128 = if good { format!("{whole}{fraction}").parse().ok()? } else { return None };
    (sign == 1 || value != 0).then_some(sign * value)
}

/// Digits where the shape has `0`, else the same characters.
fn has_shape(text: &str, shape: &str) -> bool {
    let fits = |(c, s): (u8, u8)| if s == b'0' { c.is_ascii_digit() } else { c == s };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

/// The numbers of a text of this shape.
fn fields(text: &str, shape: &str) -> Option<[i128; 3]> {
    has_shape(text, shape).then_some(())?;
    let numbers: Vec<i128> = text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    numbers.try_into().ok()
}

/// Days since some day.
fn day(text: &str) -> Option<i128> {
    let [year, month, day] = fields(text, "0000-00-00")?;
    let leap = |year: i128| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if leap(year) { 29 } else { 28 };
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *months.get(usize::try_from(month - 1).ok()?)?;
    let years = 365 * (year - 1) + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let before: i128 = months[..month as usize - 1].iter().sum();
    (1..=length).contains(&day).then_some(years + before + day)
}

/// Seconds since some moment.
fn moment(text: &str) -> Option<i128> {
    let (date, time) = text.split_once('T')?;
    let [hour, minute, second] = fields(time, "00:00:00")?;
    (hour < 24 && minute < 60 && second < 60).then_some(())?;
    Some(day(date)? * 86_400 + hour * 3_600 + minute * 60 + second)
}

// ---------------------------------------------------------------------------------------------------------------- drawing

/// A column, as it is written; `None` where nothing is.
type Cells = Vec<Option<String>>;

struct Suite {
    plan: Plan,
    seed: String,
}

impl Suite {
    /// Compiles tasks (bodies without prompt and answer), named `t0`, `t1` …
    fn new(tasks: &[String]) -> Suite {
        Suite::with("", tasks)
    }

    /// The same, with declarations of one's own.
    fn with(declarations: &str, tasks: &[String]) -> Suite {
        let mut source = "suite distribution { title \"Distribution\" version \"1.0.0\" }\n\
             domain size = one_of [\"S\", \"M\", \"L\"]\ndomain one_or_two = int 1..2\n\
             domain level = weighted [\"low\": 9, \"high\": 1]\n"
            .to_owned();
        source.push_str(declarations);
        for (at, body) in tasks.iter().enumerate() {
            let asks = "prompt \"Reply with ok.\"\n  expect reply text \"ok\"";
            let asks = if body.contains("prompt") { "expect reply text \"ok\"" } else { asks };
            let _ = writeln!(source, "task t{at} {{\n{body}\n  {asks}\n}}");
        }
        let compiled =
            testing::keep_errors(testing::compile_with(&source, &[("pets.txt", b"heron\n\notter\nbadger, old\n")]));
        let wrong = |said: &Diagnostic| {
            format!("{} {}: {}", said.code.id, said.message, compiled.sources.text(said.primary.span))
        };
        assert!(compiled.diagnostics.is_empty(), "{:#?}", compiled.diagnostics.iter().map(wrong).collect::<Vec<_>>());
        let seed = std::env::var("DISTRIBUTION_SEED").unwrap_or_else(|_| "distribution".to_owned());
        Suite { plan: compiled.plan.expect("a plan"), seed }
    }

    fn generator(&self, samples: Option<u32>) -> Generator<'_> {
        let options = Options { samples, ..Options::new(self.seed.as_str()) };
        Generator::new(&self.plan, options).expect("a generator")
    }
}

/// The columns of a written CSV file.
fn columns(text: &str) -> Vec<(String, Cells)> {
    let mut columns: Vec<(String, Cells)> = Vec::new();
    let (mut at, mut column, mut header) = (0, 0, true);
    let bytes = text.as_bytes();
    while at < text.len() {
        let cell = if bytes[at] == b'"' {
            let mut end = at + 1;
            while bytes[end] != b'"' || bytes.get(end + 1) == Some(&b'"') {
                end += if bytes[end] == b'"' { 2 } else { 1 };
            }
            let cell = text[at + 1..end].replace("\"\"", "\"");
            at = end + 1;
            Some(cell)
        } else {
            let line = &text[at..at + text[at..].find('\n').expect("an end of line")];
            let end = at + line.find(',').unwrap_or(line.len());
            let cell = text[at..end].to_owned();
            at = end;
            (!cell.is_empty()).then_some(cell)
        };
        match header {
            true => columns.push((cell.expect("a name"), Vec::with_capacity(ROWS))),
            false => columns[column].1.push(cell),
        }
        column += 1;
        if bytes[at] == b'\n' {
            assert_eq!(column, columns.len(), "a row is not as wide as the header");
            (column, header) = (0, false);
        }
        at += 1;
    }
    columns
}

/// What is found, by what was looked at.
#[derive(Default)]
struct Findings {
    tests: usize,
    least: f64,
    wrong: Vec<String>,
}

impl Findings {
    fn likely(&mut self, what: &str, found: Result<f64, String>) {
        self.tests += 1;
        match found {
            Ok(p) => {
                self.least = if self.tests == 1 { p } else { self.least.min(p) };
                if std::env::var_os("DISTRIBUTION_SHOW").is_some() {
                    println!("p = {p:.4}  {what}");
                }
                if p.is_nan() || p < LIKELY {
                    self.wrong.push(format!("{what}: p = {p:e}"));
                }
            }
            Err(why) => self.wrong.push(format!("{what}: {why}")),
        }
    }

    /// The values by the law, and neighbours as strangers.
    fn fits<'a>(&mut self, what: &str, law: &Law, cells: impl Iterator<Item = &'a str>) {
        let bins = law.bins(cells);
        self.likely(what, bins.as_ref().map(|bins| law.likely(bins)).map_err(Clone::clone));
        self.likely(&format!("{what}: neighbours"), bins.map(|bins| law.independent(&bins)));
    }

    fn holds(&mut self, what: &str, good: bool) {
        self.likely(what, if good { Ok(1.0) } else { Err("it does not hold".to_owned()) });
    }

    fn close(self) {
        println!("{} tests, least p {:.4}", self.tests, self.least);
        assert!(self.wrong.is_empty(), "of {} tests:\n{}", self.tests, self.wrong.join("\n"));
    }
}

/// A look at the columns of one file.
type Look = Box<dyn Fn(&str, &BTreeMap<String, Cells>, &mut Findings)>;

/// A file's columns, and what is looked at there.
struct Case {
    body: String,
    rows: usize,
    look: Look,
}

fn texts(cells: &[Option<String>]) -> impl Iterator<Item = &str> {
    cells.iter().flatten().map(String::as_str)
}

/// One column of a domain: its values by each of these laws, and its rows by the first.
fn domain(source: &str, laws: Vec<Law>) -> Case {
    Case {
        body: format!("X : {source}"),
        rows: ROWS,
        look: Box::new(move |name, columns, findings| {
            let cells = &columns["X"];
            findings.holds(&format!("{name}: no blanks"), cells.iter().all(Option::is_some));
            for (at, law) in laws.iter().enumerate() {
                findings.fits(&format!("{name} [{at}]"), law, texts(cells));
            }
        }),
    }
}

/// Several columns, looked at together.
fn file(body: &str, rows: usize, look: impl Fn(&str, &BTreeMap<String, Cells>, &mut Findings) + 'static) -> Case {
    Case { body: body.to_owned(), rows, look: Box::new(look) }
}

/// Makes the file of each case, and looks.
fn hold(cases: Vec<Case>) {
    let body = |case: &Case| format!("  csv t at \"t.csv\" {{\n    rows {}\n    {}\n  }}", case.rows, case.body);
    let suite = Suite::new(&cases.iter().map(body).collect::<Vec<_>>());
    let generator = suite.generator(None);
    let mut findings = Findings::default();
    for (at, case) in cases.iter().enumerate() {
        let address = generator.resolve_address(at as u64).expect("a sample each");
        let instance = generator.generate_instance(address).expect("made");
        let text = std::str::from_utf8(&instance.files[0].bytes).expect("UTF-8");
        let columns: BTreeMap<String, Cells> = columns(text).into_iter().collect();
        assert!(columns.values().all(|cells| cells.len() == case.rows), "{}", case.body);
        (case.look)(&case.body, &columns, &mut findings);
    }
    findings.close();
}

fn read(path: &str) -> String {
    std::fs::read_to_string(testing::root().join(path)).expect(path)
}

fn word_list(name: &str) -> Vec<String> {
    read(&format!("stdlib/1/words/{name}.txt")).lines().map(str::to_owned).collect()
}

fn lorem() -> Vec<String> {
    read("runtime/src/generate/lorem.txt").split_whitespace().map(str::to_owned).collect()
}

/// A law over a part of the text.
fn part(law: Law, of: impl Fn(&str) -> Option<&str> + 'static) -> Law {
    Law { place: Box::new(move |text| of(text).and_then(|part| (law.place)(part))), ..law }
}

/// A law over two listed parts.
fn pair(first: Vec<String>, second: Vec<String>, by: &str) -> Law {
    Law::listed(first.iter().flat_map(|a| second.iter().map(move |b| format!("{a}{by}{b}"))))
}

/// The word at a place of a blind text.
fn blind_word(at: usize) -> Law {
    part(Law::listed(lorem()), move |text| text.split(' ').nth(at))
}

/// How many words a text of known words has.
fn blind(text: &str) -> Option<i128> {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| lorem().into_iter().collect());
    text.split(' ').all(|word| WORDS.contains(word)).then(|| text.split(' ').count() as i128)
}

/// So many known words.
fn blind_length(low: u64, high: u64) -> Law {
    Law::even(high - low + 1, move |text| within(blind(text)?, low.into(), high.into(), 1))
}

/// Capital, full stop, 8 to 15 known words.
fn sentence(text: &str) -> Option<u64> {
    let plain = text.strip_suffix('.')?;
    let first = plain.chars().next()?;
    first.is_ascii_uppercase().then_some(())?;
    within(blind(&format!("{}{}", first.to_ascii_lowercase(), &plain[1..]))?, 8, 15, 1)
}

// ----------------------------------------------------------------------------------------------------------- the library

/// The items of `domain NAME = one_of […]` or `one_of lines "…"` in the library's source.
fn library(name: &str) -> Vec<String> {
    let source = read("stdlib/1/domains.pcd");
    let (_, behind) = source.split_once(&format!("\ndomain {name} = one_of ")).expect(name);
    match behind.strip_prefix("lines \"words/") {
        Some(path) => word_list(path.split(".txt").next().expect("a name")),
        None => behind[..behind.find(']').expect("an end")].split('"').skip(1).step_by(2).map(str::to_owned).collect(),
    }
}

// ------------------------------------------------------------------------------------------------------ the constructors

#[test]
fn ranges_are_even() {
    hold(vec![
        domain("int 3..99 step 7", vec![Law::steps(3, 99, 7, 0)]),
        domain("int -5..5", vec![Law::ints(-5, 5)]),
        domain("int 7..7", vec![Law::ints(7, 7)]),
        domain("int 0..1", vec![Law::ints(0, 1)]),
        domain("int -1_000_000..1_000_000 step 250", vec![Law::steps(-1_000_000, 1_000_000, 250, 0)]),
        domain("int 0..9_000_000_000_000_000_000", vec![Law::ints(0, 9_000_000_000_000_000_000)]),
        domain(
            "int -9_223_372_036_854_775_807..9_223_372_036_854_775_807",
            vec![Law::ints(-9_223_372_036_854_775_807, 9_223_372_036_854_775_807)],
        ),
        domain("decimal 0.00..1.00 step 0.25", vec![Law::steps(0, 100, 25, 2)]),
        domain("decimal -1.5..1.5", vec![Law::steps(-15, 15, 1, 1)]),
        domain("decimal 1..2 step 0.125", vec![Law::steps(1_000, 2_000, 125, 3)]),
        domain("decimal 0.001..999_999.999", vec![Law::steps(1, 999_999_999, 1, 3)]),
        domain("date 2024-01-01..2024-12-31", vec![Law::days("2024-01-01", "2024-12-31", 1)]),
        domain("date 1999-12-25..2001-03-05 step 7 days", vec![Law::days("1999-12-25", "2001-03-05", 7)]),
        domain("date 2024-02-28..2024-03-01", vec![Law::days("2024-02-28", "2024-03-01", 1)]),
        domain(
            "datetime 2024-03-01T08:00..2024-03-01T18:00 step 15 minutes",
            vec![Law::moments("2024-03-01T08:00:00", "2024-03-01T18:00:00", 900)],
        ),
        domain(
            "datetime 2023-12-31T23:59:30..2024-01-01T00:00:29",
            vec![Law::moments("2023-12-31T23:59:30", "2024-01-01T00:00:29", 1)],
        ),
        domain(
            "datetime 2000-01-01T00:00..2030-01-01T00:00",
            vec![Law::moments("2000-01-01T00:00:00", "2030-01-01T00:00:00", 1)],
        ),
        file(
            "LO : int 0..10\n X : int LO..LO + 5\n D : decimal 0.0..0.9\n Y : decimal D..D + 1.0",
            ROWS,
            |name, columns, findings| {
                let difference = |low: &str, high: &str, digits: u32| -> Vec<String> {
                    let number = |cell| units(cell, digits).expect("a number");
                    texts(&columns[high])
                        .map(number)
                        .zip(texts(&columns[low]).map(number))
                        .map(|(a, b)| (a - b).to_string())
                        .collect()
                };
                for (what, cells, law) in [
                    ("X - LO", difference("LO", "X", 0), Law::ints(0, 5)),
                    ("Y - D", difference("D", "Y", 1), Law::ints(0, 10)),
                ] {
                    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
                    findings.fits(&format!("{name}: {what}"), &law, cells.into_iter());
                }
            },
        ),
    ]);
}

#[test]
fn lists_and_weights_are_as_written() {
    let half = |share: f64| Law::weighted([("true", share), ("false", 1.0 - share)]);
    hold(vec![
        domain("bool", vec![half(0.5)]),
        domain("bool 30%", vec![half(0.3)]),
        domain("bool 0.1%", vec![half(0.001)]),
        domain("bool 99.5%", vec![half(0.995)]),
        domain("bool 0%", vec![Law::listed(["false"])]),
        domain("bool 100%", vec![Law::listed(["true"])]),
        domain(
            r#"one_of ["a", "b,c", "say \"d\"", "e\nf", " g ", "h"]"#,
            vec![Law::listed(["a", "b,c", "say \"d\"", "e\nf", " g ", "h"])],
        ),
        domain("one_of [8, 16, 32]", vec![Law::listed(["8", "16", "32"])]),
        domain("one_of [0.50, 1.25]", vec![Law::listed(["0.50", "1.25"])]),
        domain("one_of [2024-02-29, 2023-01-01]", vec![Law::listed(["2024-02-29", "2023-01-01"])]),
        domain(r#"one_of ["only"]"#, vec![Law::listed(["only"])]),
        domain(r#"one_of lines "pets.txt""#, vec![Law::listed(["heron", "otter", "badger, old"])]),
        domain(r#"weighted ["a": 3, "b": 1]"#, vec![Law::weighted([("a", 3.0), ("b", 1.0)])]),
        domain(
            r#"weighted ["INFO": 900, "WARN": 80, "ERROR": 19, "FATAL": 1, "NEVER": 0]"#,
            vec![Law::weighted([("INFO", 900.0), ("WARN", 80.0), ("ERROR", 19.0), ("FATAL", 1.0), ("NEVER", 0.0)])],
        ),
        domain("weighted [1: 1, 2: 2, 3: 7]", vec![Law::weighted([("1", 1.0), ("2", 2.0), ("3", 7.0)])]),
        domain("zipf 50", vec![Law::weighted((1..=50).map(|k| (k.to_string(), 1.0 / f64::from(k))))]),
        domain("zipf 20_000", vec![Law::weighted((1..=20_000).map(|k| (k.to_string(), 1.0 / f64::from(k))))]),
        domain("zipf 1", vec![Law::listed(["1"])]),
    ]);
}

/// All texts of some of the first, then some of the second ….
fn product(parts: &[&[&str]]) -> Vec<String> {
    parts.iter().fold(vec![String::new()], |all, part| {
        all.iter().flat_map(|front| part.iter().map(move |end| format!("{front}{end}"))).collect()
    })
}

#[test]
fn texts_are_as_their_patterns_say() {
    let letters = |count: usize| {
        Law::even(26u64.pow(count as u32) * 10_000, move |text| {
            let (front, digits) = text.split_once('-')?;
            let good = front.len() == count && front.bytes().all(|c| c.is_ascii_uppercase()) && digits.len() == 4;
            let front = front.bytes().fold(0, |sum, c| sum * 26 + u64::from(c - b'A'));
            good.then(|| digits.parse::<u64>().ok()).flatten().map(|digits| front * 10_000 + digits)
        })
    };
    let digits_or_word = (0..100).map(|n| format!("{n:02}")).chain((b'0'..=b'z').map(|c| char::from(c).to_string()));
    let digits_or_word =
        digits_or_word.filter(|text| text.len() == 2 || text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
    let choices: Vec<String> = [
        product(&[&["a", "bc"]]),
        product(&[&["a", "bc"], &["a", "bc"]]),
        product(&[&["a", "bc"], &["a", "bc"], &["a", "bc"]]),
    ]
    .concat();
    let shirts = product(&[&["c-"], &["S", "M", "L"], &["1", "2"]]);
    hold(vec![
        domain(
            r#"pattern "[A-Z]{3}-[0-9]{4}""#,
            vec![
                letters(3),
                part(Law::ints(0, 9), |text| text.get(4..5)),
                part(Law::listed(('A'..='Z').map(String::from)), |text| text.get(2..3)),
            ],
        ),
        domain(r#"pattern "\\d{2}|\\w""#, vec![Law::listed(digits_or_word)]),
        // Each text is as likely, however many ways lead to it.
        domain(r#"pattern "[ab]?[ab]?""#, vec![Law::listed(["", "a", "b", "aa", "ab", "ba", "bb"])]),
        domain(r#"pattern "(a|bc){1,3}""#, vec![Law::listed(choices)]),
        domain(r#"pattern "(cat|dog)(s|fish)?""#, vec![Law::listed(product(&[&["cat", "dog"], &["", "s", "fish"]]))]),
        domain(r#"template "<<metal>>/<<gem>>""#, vec![pair(library("metal"), library("gem"), "/")]),
        domain(r#"template "c-<<size>><<one_or_two>>""#, vec![Law::listed(shirts)]),
        domain(
            r#"template "<<level>> <<word>>""#,
            vec![
                part(Law::weighted([("low", 9.0), ("high", 1.0)]), |text| text.split(' ').next()),
                part(Law::listed(word_list("word")), |text| text.split(' ').nth(1)),
            ],
        ),
    ]);
}

#[test]
fn curves_are_as_their_formulas_say() {
    let bell = |mean: f64, sd: f64| move |x: f64| normal((x - mean) / sd);
    let log_bell = |mean: f64, sd: f64| move |x: f64| if x <= 0.0 { 0.0 } else { normal((x.ln() - mean) / sd) };
    // Shares differ by the smallest of numbers where Φ is 1: the upper tail is the lower one, mirrored.
    let upper = |low: i128, high: i128, digits: u32, mean: f64, sd: f64| {
        let one = 10f64.powi(digits as i32);
        let law = Law::steps(low, high, 1, digits);
        let above = move |units: f64| normal((mean - units / one) / sd);
        let shares = (low..=high).map(|at| above(at as f64 - 0.5) - above(at as f64 + 0.5)).collect();
        Law { shares, many: None, ..law }
    };
    hold(vec![
        domain("normal mean 60 sd 15 0..100", vec![Law::shaped(0, 100, 1, 0, bell(60.0, 15.0))]),
        domain("normal mean 60 sd 15 5..98 step 10", vec![Law::shaped(5, 98, 10, 0, bell(60.0, 15.0))]),
        domain("normal mean 0 sd 1 (-4.00)..4.00", vec![Law::shaped(-400, 400, 1, 2, bell(0.0, 1.0))]),
        domain("normal mean 0 sd 1 2.00..5.00", vec![upper(200, 500, 2, 0.0, 1.0)]),
        domain("normal mean 0 sd 1 7.00..9.00", vec![upper(700, 900, 2, 0.0, 1.0)]),
        domain("normal mean 100 sd 0.5 0..1_000 step 0.5", vec![Law::shaped(0, 10_000, 5, 1, bell(100.0, 0.5))]),
        domain("normal mean 3 sd 1_000 0..10", vec![Law::shaped(0, 10, 1, 0, bell(3.0, 1_000.0))]),
        domain(
            "lognormal mean 10.5 sd 0.4 10_000..500_000 step 100",
            vec![Law::shaped(10_000, 500_000, 100, 0, log_bell(10.5, 0.4))],
        ),
        domain("lognormal mean 0 sd 1 0.00..20.00", vec![Law::shaped(0, 2_000, 1, 2, log_bell(0.0, 1.0))]),
        file(
            "X : normal mean 500 sd 100 (-10_000.0)..11_000.0 \n Y : lognormal mean 3 sd 0.25 0.000..10_000.000",
            ROWS,
            |name, columns, findings| {
                let numbers = |column: &str| {
                    texts(&columns[column]).map(|cell| cell.parse().expect("a number")).collect::<Vec<f64>>()
                };
                let logs: Vec<f64> = numbers("Y").into_iter().map(f64::ln).collect();
                for (what, values, mean, sd) in [("X", numbers("X"), 500.0, 100.0), ("ln Y", logs, 3.0, 0.25)] {
                    let n = values.len() as f64;
                    let found = values.iter().sum::<f64>() / n;
                    let square = values.iter().map(|value| (value - found).powi(2)).sum::<f64>() / (n - 1.0);
                    let two_sided = |z: f64| 2.0 * normal(-z.abs());
                    findings.likely(&format!("{name}: mean of {what}"), Ok(two_sided((found - mean) / sd * n.sqrt())));
                    let off = (square.sqrt() - sd) / sd * (2.0 * n).sqrt();
                    findings.likely(&format!("{name}: sd of {what}"), Ok(two_sided(off)));
                }
            },
        ),
    ]);
}

#[test]
fn serial_and_blind_text() {
    let sentences = |low: usize, high: usize, by: &'static str| {
        Law::even((high - low + 1) as u64, move |text| {
            let all: Vec<&str> = text.split(by).collect();
            let (count, last) = (all.len(), all.len() - 1);
            let stop = if by == ". " { "." } else { "" };
            let good = all
                .iter()
                .enumerate()
                .all(|(at, one)| sentence(&format!("{one}{}", if at < last { stop } else { "" })).is_some());
            (good && (low..=high).contains(&count)).then(|| (count - low) as u64)
        })
    };
    let lengths =
        |law: Law, first: fn(&str) -> Option<&str>| vec![law, Law::even(8, move |text| sentence(first(text)?))];
    let few = |case: Case| Case { rows: 5_000, ..case };
    let paragraphs = Law::even(5, |text| {
        let (first, second) = text.split_once("\n\n")?;
        let count = |paragraph: &str| {
            let good = paragraph.split_inclusive('.').all(|one| sentence(one.trim_start()).is_some());
            let count = paragraph.matches('.').count() as u64;
            (good && (4..=8).contains(&count)).then(|| count - 4)
        };
        count(second)?;
        count(first)
    });
    hold(vec![
        file("X : serial", ROWS, |name, columns, findings| {
            findings.holds(name, texts(&columns["X"]).zip(1..).all(|(cell, row)| cell == row.to_string()));
        }),
        domain("lorem words 3", vec![blind_length(3, 3), blind_word(0), blind_word(1), blind_word(2)]),
        domain("lorem words 1..9", vec![blind_length(1, 9), blind_word(0)]),
        few(domain("lorem sentences 1..3", lengths(sentences(1, 3, ". "), |text| text.split_inclusive('.').next()))),
        few(domain("lorem lines 4", lengths(sentences(4, 4, "\n"), |text| text.split('\n').next()))),
        few(domain("lorem paragraphs 2", vec![paragraphs])),
    ]);
}

// ---------------------------------------------------------------------------------------------------------- the modifiers

fn all_different(cells: &[Option<String>]) -> bool {
    let mut seen = HashSet::new();
    texts(cells).all(|cell| seen.insert(cell))
}

/// How likely the share of blanks is, in standard deviations; at most five.
fn blanks(findings: &mut Findings, what: &str, cells: &[Option<String>], share: f64) {
    let n = cells.len() as f64;
    let count = cells.iter().filter(|cell| cell.is_none()).count() as f64;
    let sigmas = (count - n * share) / (n * share * (1.0 - share)).sqrt();
    findings.likely(
        &format!("{what}: blanks"),
        if sigmas.abs() <= 5.0 { Ok(1.0) } else { Err(format!("{sigmas} sigmas off")) },
    );
}

/// A `unique` column: no value twice, its values by the law, and no hint of the place in the value.
fn unique(source: &str, rows: usize, law: Law) -> Case {
    file(&format!("X : unique {source}\n N : serial"), rows, move |name, columns, findings| {
        let cells = &columns["X"];
        findings.holds(&format!("{name}: all different"), all_different(cells));
        findings.fits(name, &law, texts(cells));
        let groups = law.groups(10);
        let place = |(row, cell): (usize, &str)| Some((row * 10 / rows, groups[law.bin(cell)?]));
        let places: Option<Vec<_>> = texts(cells).enumerate().map(place).collect();
        findings.likely(
            &format!("{name}: place and value"),
            places.map(|all| table(all.into_iter())).ok_or("no value".to_owned()),
        );
    })
}

#[test]
fn unique_columns_hold_no_value_twice() {
    let skus = Law::even(26 * 26 * 10_000, |text| {
        let [a, b, ..] = *text.as_bytes() else { return None };
        let good = a.is_ascii_uppercase() && b.is_ascii_uppercase() && text.len() == 6;
        let digits = text.get(2..)?.parse::<u64>().ok()?;
        good.then(|| (u64::from(a - b'A') * 26 + u64::from(b - b'A')) * 10_000 + digits)
    });
    let without =
        |banned: &'static [&'static str]| word_list("word").into_iter().filter(|word| !banned.contains(&word.as_str()));
    hold(vec![
        unique("int 1..100_000", 100_000, Law::ints(1, 100_000)),
        unique("int 1..100_001", 100_000, Law::ints(1, 100_001)),
        unique("int 1..131_073", 100_000, Law::ints(1, 131_073)),
        unique("int 0..1_000_000_000_000", 100_000, Law::ints(0, 1_000_000_000_000)),
        unique("decimal 0.00..5_000.00 step 0.05", 100_000, Law::steps(0, 500_000, 5, 2)),
        unique("date 1900-01-01..2100-12-31", 70_000, Law::days("1900-01-01", "2100-12-31", 1)),
        unique(r#"pattern "[A-Z]{2}[0-9]{4}""#, 100_000, skus),
        unique("word", 184, Law::listed(word_list("word"))),
        unique("person_name", 986, pair(word_list("first_name"), word_list("last_name"), " ")),
        unique(
            "email",
            4_000,
            part(pair(word_list("mail_first"), word_list("mail_last"), "."), |mail| mail.split('@').next()),
        ),
        unique("int 1..257", 257, Law::ints(1, 257)),
        unique(r#"word except ["amber", "falcon"]"#, 182 - 2, Law::listed(without(&["amber", "falcon"]))),
        unique("int 1..20 except 7", 19, Law::listed((1..=20).filter(|n| *n != 7).map(|n| n.to_string()))),
        file("X, Y : unique int 1..200_000", ROWS, |name, columns, findings| {
            findings.holds(name, all_different(&columns["X"]) && all_different(&columns["Y"]));
            findings.likely(name, Law::ints(1, 200_000).fit(texts(&columns["Y"])));
            let tenth = |column: &str| {
                texts(&columns[column]).map(|cell| units(cell, 0).unwrap_or(0) / 20_001).collect::<Vec<_>>()
            };
            let both = tenth("X").into_iter().zip(tenth("Y")).map(|(x, y)| (x as usize, y as usize));
            findings.likely(&format!("{name}: X and Y"), Ok(table(both)));
        }),
        file("X : unique int 1..150_000 blank 10%\n N : serial", ROWS, |name, columns, findings| {
            findings.holds(name, all_different(&columns["X"]));
            blanks(findings, name, &columns["X"], 0.1);
            findings.likely(name, Law::ints(1, 150_000).fit(texts(&columns["X"])));
        }),
    ]);
}

#[test]
fn sorted_blank_except_and_distinct() {
    hold(vec![
        file(
            "X : sorted int -1_000..1_000\n D : sorted date 2020-01-01..2024-12-31\n P : sorted decimal -9.99..99.99\n W : sorted word\n\
              U : sorted unique int 1..150_000\n T : sorted datetime 2024-01-01T00:00..2024-12-31T00:00\n B : sorted int 1..500 blank 20%\n\
              N : sorted normal mean 0 sd 10 (-50.0)..50.0",
            ROWS,
            |name, columns, findings| {
                type Key = fn(&str) -> Option<i128>;
                let keys: [(&str, Key, Law); 7] = [
                    ("X", |text| units(text, 0), Law::ints(-1_000, 1_000)),
                    ("D", day, Law::days("2020-01-01", "2024-12-31", 1)),
                    ("P", |text| units(text, 2), Law::steps(-999, 9_999, 1, 2)),
                    ("U", |text| units(text, 0), Law::ints(1, 150_000)),
                    ("T", moment, Law::moments("2024-01-01T00:00:00", "2024-12-31T00:00:00", 1)),
                    ("B", |text| units(text, 0), Law::ints(1, 500)),
                    ("N", |text| units(text, 1), Law::shaped(-500, 500, 1, 1, |x| normal(x / 10.0))),
                ];
                for (column, key, law) in keys {
                    let sorted: Option<Vec<i128>> = texts(&columns[column]).map(key).collect();
                    findings.holds(&format!("{name}: {column} ascends"), sorted.is_some_and(|keys| keys.is_sorted()));
                    findings.likely(&format!("{name}: {column}"), law.fit(texts(&columns[column])));
                }
                findings.holds(&format!("{name}: W ascends"), texts(&columns["W"]).is_sorted());
                findings.likely(&format!("{name}: W"), Law::listed(word_list("word")).fit(texts(&columns["W"])));
                findings.holds(&format!("{name}: U all different"), all_different(&columns["U"]));
                blanks(findings, name, &columns["B"], 0.2);
            },
        ),
        file(
            "X : int 1..9 blank 5%\n Y : word blank 50%\n Z : bool blank 0.1%\n V : decimal 0.5..1.5 blank 99%\n L : lorem words 1 blank 30%",
            ROWS,
            |name, columns, findings| {
                for (column, share, law) in [
                    ("X", 0.05, Law::ints(1, 9)),
                    ("Y", 0.5, Law::listed(word_list("word"))),
                    ("Z", 0.001, Law::listed(["true", "false"])),
                    ("V", 0.99, Law::steps(5, 15, 1, 1)),
                    ("L", 0.3, Law::listed(lorem())),
                ] {
                    blanks(findings, &format!("{name}: {column}"), &columns[column], share);
                    findings.likely(&format!("{name}: {column}"), law.fit(texts(&columns[column])));
                }
                // Blanks of two columns, and of neighbours, have nothing to do with each other.
                let blank =
                    |column: &str| columns[column].iter().map(|cell| usize::from(cell.is_none())).collect::<Vec<_>>();
                let both = blank("X").into_iter().zip(blank("Y"));
                findings.likely(&format!("{name}: blanks of two columns"), Ok(table(both)));
                findings.likely(
                    &format!("{name}: blanks of neighbours"),
                    Ok(table(blank("Y").chunks_exact(2).map(|pair| (pair[0], pair[1])))),
                );
            },
        ),
        domain(
            r#"city except ["Boston", "Denver"]"#,
            vec![Law::listed(word_list("city").into_iter().filter(|city| city != "Boston" && city != "Denver"))],
        ),
        domain("int 1..10 except 4", vec![Law::listed([1, 2, 3, 5, 6, 7, 8, 9, 10].map(|n| n.to_string()))]),
        domain(r#"weighted ["a": 5, "b": 3, "c": 2] except "b""#, vec![Law::weighted([("a", 5.0), ("c", 2.0)])]),
        domain("zipf 5 except 1", vec![Law::weighted((2..=5).map(|k| (k.to_string(), 1.0 / f64::from(k))))]),
        domain(r#"pattern "[ab]{2}" except "ab""#, vec![Law::listed(["aa", "ba", "bb"])]),
        file("A, B : distinct int 1..6\n P, Q : int 1..6", ROWS, |name, columns, findings| {
            let number = |column: &str| {
                texts(&columns[column]).map(|cell| cell.parse::<usize>().expect("a number")).collect::<Vec<_>>()
            };
            let (a, b) = (number("A"), number("B"));
            findings.holds(&format!("{name}: differ"), a.iter().zip(&b).all(|(a, b)| a != b));
            let pairs: Vec<String> = a.iter().zip(&b).map(|(a, b)| format!("{a} {b}")).collect();
            let law =
                Law::listed((1..=6).flat_map(|a| (1..=6).filter(move |b| *b != a).map(move |b| format!("{a} {b}"))));
            findings.likely(&format!("{name}: A, B"), law.fit(pairs.iter().map(String::as_str)));
            findings.likely(&format!("{name}: P, Q"), Ok(table(number("P").into_iter().zip(number("Q")))));
        }),
        // Columns of one domain do not repeat each other.
        file("A : word\n B : word\n C : entity_pool", ROWS, |name, columns, findings| {
            let law = Law::listed(word_list("word"));
            let groups = law.groups(23);
            let group = |column: &str| {
                texts(&columns[column]).map(|cell| groups[law.bin(cell).expect("a word")]).collect::<Vec<_>>()
            };
            for (one, other) in [("A", "B"), ("A", "C"), ("B", "C")] {
                findings
                    .likely(&format!("{name}: {one}, {other}"), Ok(table(group(one).into_iter().zip(group(other)))));
            }
        }),
    ]);
}

#[test]
fn refs_draw_rows_of_the_other_table() {
    let suite = Suite::new(&[format!(
        "csv base at \"base.csv\" {{ rows 40  K : serial  C : int 1..4  S : one_of [\"x\", \"y\"] }}\n\
         csv t at \"t.csv\" {{ rows {ROWS}  K : ref base.K  C : ref base.C  X : ref base.K where S == \"x\" }}\n\
         csv u at \"u.csv\" {{ rows 40  K : unique ref base.K }}"
    )]);
    let generator = suite.generator(None);
    let instance = generator.generate_instance(generator.resolve_address(0).expect("one")).expect("made");
    let file = |name: &str| -> BTreeMap<String, Cells> {
        let file = instance.files.iter().find(|file| file.path == name).expect(name);
        columns(std::str::from_utf8(&file.bytes).expect("UTF-8")).into_iter().collect()
    };
    let (base, t, u) = (file("base.csv"), file("t.csv"), file("u.csv"));
    let mut findings = Findings::default();
    let mut often: BTreeMap<String, f64> = BTreeMap::new();
    texts(&base["C"]).for_each(|cell| *often.entry(cell.to_owned()).or_default() += 1.0);
    let of_x = texts(&base["K"]).zip(texts(&base["S"])).filter(|(_, s)| *s == "x").map(|(k, _)| k);
    for (column, law) in [("K", Law::ints(1, 40)), ("C", Law::weighted(often)), ("X", Law::listed(of_x))] {
        findings.fits(column, &law, texts(&t[column]));
    }
    findings.holds("unique ref", all_different(&u["K"]));
    findings.likely("unique ref", Law::ints(1, 40).fit(texts(&u["K"])));
    findings.close();
}

// ------------------------------------------------------------------------------------------------- names over many samples

#[test]
fn names_over_samples_are_as_likely_and_independent() {
    const SAMPLES: u32 = 20_000;
    let suite = Suite::new(&["  n : int 1..10\n  d : decimal 0.0..0.9\n  w : word\n  a, b, c : distinct one_of [\"p\", \"q\", \"r\", \"s\"]\n  \
         x : weighted [\"u\": 3, \"v\": 1]\n  e : int 1..10 except n\n  f : int n..n + 4\n  z : int 1..3 blank 25%\n  \
         many : int 0..9\n  table base { rows 3..7  K : int 1..5 }\n  r : ref base.K\n  rows = count(base)\n  \
         prompt one_of [\"One <<r>> <<rows>>\", \"Two <<r>> <<rows>>\", \"Three <<r>> <<rows>>\"]"
        .to_owned()]);
    let generator = suite.generator(Some(SAMPLES));
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for index in 0..generator.count_instances() {
        let instance = generator.generate_instance(generator.resolve_address(index).expect("one")).expect("made");
        let mut prompt = instance.prompt.split(' ');
        for what in ["wording", "r in the prompt", "rows"] {
            names.entry(what.to_owned()).or_default().push(prompt.next().expect("a part").to_owned());
        }
        for (name, value) in instance.draws {
            let text = if value == Value::Null { "null".to_owned() } else { value.render_text().into_owned() };
            names.entry(name).or_default().push(text);
        }
    }
    let of = |name: &str| names[name].iter().map(String::as_str);
    let mut findings = Findings::default();
    let letters = || Law::listed(["p", "q", "r", "s"]);
    let blank = Law::weighted([("1", 0.25), ("2", 0.25), ("3", 0.25), ("null", 0.25)]);
    for (name, law) in [
        ("n", Law::ints(1, 10)),
        ("d", Law::steps(0, 9, 1, 1)),
        ("w", Law::listed(word_list("word"))),
        ("a", letters()),
        ("b", letters()),
        ("c", letters()),
        ("x", Law::weighted([("u", 3.0), ("v", 1.0)])),
        ("e", Law::ints(1, 10)),
        ("z", blank),
        ("r", Law::ints(1, 5)),
        ("rows", Law::ints(3, 7)),
        ("wording", Law::listed(["One", "Two", "Three"])),
    ] {
        findings.fits(name, &law, of(name));
    }
    let number = |name: &'static str| of(name).map(|text| text.parse::<usize>().expect("a number"));
    findings.holds("e is not n", number("e").zip(number("n")).all(|(e, n)| e != n));
    let above: Vec<String> = number("f").zip(number("n")).map(|(f, n)| f.wrapping_sub(n).to_string()).collect();
    findings.likely("f - n", Law::ints(0, 4).fit(above.iter().map(String::as_str)));
    let three: Vec<String> = of("a").zip(of("b")).zip(of("c")).map(|((a, b), c)| format!("{a}{b}{c}")).collect();
    let orders = product(&[["p", "q", "r", "s"].as_slice(); 3])
        .into_iter()
        .filter(|text| text.chars().collect::<BTreeSet<_>>().len() == 3);
    findings.likely("a, b, c", Law::listed(orders).fit(three.iter().map(String::as_str)));
    findings.likely("n and many", Ok(table(number("n").zip(number("many")))));
    findings.likely("rows and many", Ok(table(number("rows").zip(number("many")))));
    findings.likely("n and wording", Ok(table(number("n").zip(of("wording").map(str::len)))));
    findings.close();
}
