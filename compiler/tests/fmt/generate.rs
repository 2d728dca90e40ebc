//! Random sources: any form of the language, with blanks, line breaks and comments in any place that takes them.
//!
//! `FMT_CASES=10000 cargo test -p picard-compiler --test it fmt::` draws more of them.

use std::sync::atomic::{AtomicUsize, Ordering};

use model::format::{Format, Holds};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::fmt::hold::hold;

/// How many cases to draw: so many, or as the environment says.
pub fn cases(usual: u32) -> u32 {
    std::env::var("FMT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

/// The usual cases are the same every time, so that a run of CI says what the last one said; others are drawn afresh.
pub fn seed() -> RngSeed {
    if std::env::var_os("FMT_CASES").is_some() { RngSeed::Random } else { RngSeed::Fixed(7) }
}

static READ: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicUsize = AtomicUsize::new(0);

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(400), rng_seed: seed(), failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() })]

    fn drawn_sources_hold(tape in prop::collection::vec(any::<u16>(), 1..600)) {
        let source = source(tape);
        match hold(&source) {
            Ok(Some(_)) => READ.fetch_add(1, Ordering::Relaxed),
            Ok(None) => REFUSED.fetch_add(1, Ordering::Relaxed),
            Err(why) => return Err(TestCaseError::fail(why)),
        };
    }
}

#[test]
fn random_sources_hold() {
    drawn_sources_hold();
    let (read, refused) = (READ.load(Ordering::Relaxed), REFUSED.load(Ordering::Relaxed));
    println!("{read} random sources held, {refused} could not be read");
    assert!(read > 20 * refused, "{read} read, {refused} refused: what is drawn is not the language");
}

/// A value from random numbers.
pub fn draw_value(tape: Vec<u16>) -> String {
    let mut draw = Draw::new(tape);
    draw.value();
    draw.out
}

/// A file from random numbers; without any left, the simplest of everything.
fn source(tape: Vec<u16>) -> String {
    let mut draw = Draw::new(tape);
    draw.gap(false);
    for _ in 0..draw.below(6) + 1 {
        draw.item();
        draw.gap(true);
    }
    draw.out
}

struct Draw {
    tape: std::vec::IntoIter<u16>,
    out: String,
    comments: usize,
    level: usize,
}

const NAMES: &[&str] = &["a", "b1", "total", "hr", "dir", "_x", "`odd name`", "LONG_NAME_OF_SOMETHING", "Ä", "n"];
const COLUMNS: &[&str] = &["AGE", "where", "in", "days", "`REG DT`", "order", "CUSTOMER_NUMBER", "`ü`", "rows", "text"];
const TEXTS: &[&str] =
    &["", "word", "a \\\"b\\\" c", "# no comment", "two  blanks", "é – ü", "\\\\", "\\u{e9}\\n", "x { y } [ ( "];
const LINES: &[&str] =
    &["", "   ", "text", "# no comment", "- \\\\ \\n", "\" one quote", "\tafter a tab", "} task t {", "  "];
const QUERIES: &[&str] = &[
    "SELECT 1",
    "SELECT a, b FROM t WHERE x = 'it # is'",
    "SELECT a\n   FROM t\n\t WHERE b > 1",
    "select 'a\n   b' from t",
    "SELECT 1 -- end\n",
    "SELECT a -- one\n     , (b >> 2)\n\n   FROM t",
    "WITH t AS (\n      SELECT 1\n)\nSELECT * FROM t",
    "SELECT /* x\n  y */ \"A\" FROM t",
    "VALUES (1,\n 2)",
    "$.a[?@.b == 'x'].c",
    "$.a[\n 0]",
    "/a/b[c < 1]",
];
const OPERATORS: &[&str] = &["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in"];

impl Draw {
    fn new(tape: Vec<u16>) -> Draw {
        Draw { tape: tape.into_iter(), out: String::new(), comments: 0, level: 0 }
    }

    /// A number below `most`.
    fn below(&mut self, most: usize) -> usize {
        self.tape.next().map_or(0, |number| number as usize % most)
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == many - 1
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// What may stand between two tokens; something must, where `needed`.
    fn gap(&mut self, needed: bool) {
        let gap = match self.below(24) {
            0..=12 => " ".to_owned(),
            13 if !needed => String::new(),
            13 | 14 => "\n".to_owned(),
            15 => "\n\n\n  ".to_owned(),
            16 => " \t ".to_owned(),
            17 => "\r\n      ".to_owned(),
            18 => format!("  # c{}\n", self.comment()),
            19 => format!("\n   # own{} \n\n", self.comment()),
            20 => format!(" ### three{}\n# and one more\n  ", self.comment()),
            21 => "\n\n".to_owned(),
            22 => "\n   ".to_owned(),
            _ => "    ".to_owned(),
        };
        self.out.push_str(&gap);
    }

    fn comment(&mut self) -> usize {
        self.comments += 1;
        self.comments
    }

    /// A token with a gap behind it.
    fn put(&mut self, token: &str) {
        self.out.push_str(token);
        self.gap(true);
    }

    /// A token that needs no gap behind it.
    fn sign(&mut self, token: &str) {
        self.out.push_str(token);
        self.gap(false);
    }

    /// Where a `##` comment may stand.
    fn doc(&mut self) {
        if self.one_in(6) {
            let number = self.comment();
            self.out.push_str(&format!("## doc{number}\n"));
            if self.one_in(3) {
                self.out.push_str("  ##second line \r\n\n");
            }
        }
    }

    fn name(&mut self) {
        let name = loop {
            let name = self.pick(NAMES);
            if name.starts_with('`') || name.is_ascii() {
                break name;
            }
        };
        self.put(name);
    }

    fn column(&mut self) {
        let name = loop {
            let name = self.pick(COLUMNS);
            if !matches!(name, "rows" | "text") {
                break name;
            }
        };
        self.put(name);
    }

    fn names(&mut self) {
        self.name();
        while self.one_in(4) {
            self.sign(",");
            self.name();
        }
    }

    fn item(&mut self) {
        self.doc();
        match self.below(7) {
            0 => self.task(),
            1 => {
                self.put("suite");
                self.put("s");
                self.sign("{");
                for _ in 0..self.below(4) {
                    self.doc();
                    match self.below(4) {
                        0 => self.put("title"),
                        1 => self.put("samples"),
                        2 => self.put("tags"),
                        _ => {
                            self.put("allow");
                            self.put("some_lint");
                            self.string();
                            continue;
                        }
                    }
                    self.value();
                }
                self.sign("}");
            }
            2 => {
                self.put("use");
                self.string();
            }
            3 => {
                self.put("domain");
                self.put("d");
                self.put("=");
                self.domain();
            }
            4 => {
                self.put("table");
                self.put("rec");
                self.body(false);
            }
            _ => {
                self.name();
                self.put("=");
                self.value();
            }
        }
    }

    fn task(&mut self) {
        self.put("task");
        self.put("t");
        self.sign("{");
        self.statements(6);
        self.sign("}");
    }

    fn statements(&mut self, most: usize) {
        for _ in 0..self.below(most) + 1 {
            self.doc();
            self.statement();
        }
        self.doc();
    }

    fn statement(&mut self) {
        match self.below(14) {
            0 | 1 => {
                self.names();
                self.put(":");
                self.domain();
            }
            2 | 3 => {
                self.name();
                self.put("=");
                self.value();
            }
            4 => {
                self.put("prompt");
                if self.one_in(4) {
                    self.put("one_of");
                    self.list("[", "]", Draw::string);
                } else {
                    self.string();
                }
            }
            5 | 6 => self.expect(),
            7 | 8 => self.data(),
            9 => {
                self.put("require");
                self.value();
            }
            10 if self.level < 2 => {
                self.level += 1;
                if self.one_in(2) {
                    self.put("variant v");
                } else {
                    let head = self.pick(&["stage s", "stage s after r", "stage s after q, r"]);
                    self.put(head);
                }
                self.sign("{");
                self.statements(3);
                self.sign("}");
                self.level -= 1;
            }
            11 => {
                self.put("axis");
                self.name();
                self.put("=");
                self.list("{", "}", Draw::field);
            }
            12 => {
                self.put("table");
                self.put("rec");
                self.body(true);
            }
            _ => {
                let word = self.pick(&[
                    "allow some_lint",
                    "samples 20",
                    "folder \"x\"",
                    "clutter 3 in \"y\"",
                    "tags [a, b]",
                    "each q in rec key A by B where A > 3",
                ]);
                self.put(word);
            }
        }
    }

    fn data(&mut self) {
        let written = Format::ALL.iter().filter(|format| !matches!(format.holds, Holds::Page | Holds::Bytes));
        let format = self.pick(&written.map(|format| format.word()).collect::<Vec<_>>());
        self.put(format);
        self.name();
        if self.one_in(4) {
            self.put(":");
            self.put("rec");
        }
        self.put("at");
        self.string();
        if self.one_in(5) {
            self.put("delimiter");
            self.put("\";\"");
            self.put("quoted");
        }
        match self.below(5) {
            0 => {
                self.put(":");
                self.domain();
            }
            1 => {
                self.put("=");
                self.value();
            }
            2 => {
                self.put("from");
                self.string();
            }
            3 => {
                self.sign("{");
                for _ in 0..self.below(2) + 1 {
                    self.doc();
                    self.put("table");
                    self.put("rec");
                    self.body(true);
                }
                self.sign("}");
            }
            _ => self.body(true),
        }
    }

    fn body(&mut self, rows: bool) {
        self.level += 1;
        self.sign("{");
        if rows {
            self.put("rows");
            self.number();
            if self.one_in(6) {
                self.put("line");
                self.string();
            }
        }
        for _ in 0..self.below(4) + 1 {
            self.doc();
            if self.one_in(8) {
                self.out.push('@');
            }
            self.column();
            if self.one_in(3) {
                self.put("=");
                self.value();
            } else {
                while self.one_in(8) {
                    self.sign(",");
                    self.column();
                }
                self.put(":");
                self.domain();
            }
            if self.one_in(6) {
                self.sign(",");
            }
        }
        if self.one_in(4) {
            let word = self.pick(&["unique", "key", "index"]);
            self.sign(word);
            self.list("(", ")", Draw::column);
        }
        self.sign("}");
        self.level -= 1;
    }

    fn domain(&mut self) {
        if self.one_in(6) {
            let word = self.pick(&["unique", "distinct", "sorted"]);
            self.put(word);
        }
        match self.below(if self.level > 3 { 7 } else { 11 }) {
            0 => self.put("word"),
            1 => {
                self.put("int");
                self.bound();
                self.sign("..");
                self.bound();
            }
            2 => self.put("bool 80%"),
            3 => {
                self.put("one_of");
                self.list("[", "]", Draw::atom);
            }
            4 => {
                self.put("pattern");
                self.string();
            }
            5 => {
                self.put("ref");
                let path = self.pick(&["hr.AGE", "db . rec . `odd name`", "hr.(A, B,)", "hr . ( A )"]);
                self.put(path);
                if self.one_in(3) {
                    self.put("where");
                    self.value();
                }
            }
            6 => {
                self.put("lorem");
                let unit = self.pick(&["words", "sentences", "lines"]);
                self.put(unit);
                self.number();
                if self.one_in(2) {
                    self.sign("..");
                    self.number();
                }
            }
            7 => {
                self.put("weighted");
                self.list("[", "]", |draw| {
                    draw.string();
                    draw.sign(":");
                    draw.number();
                });
            }
            8 => {
                self.put("normal");
                self.put("mean");
                self.bound();
                self.put("sd");
                self.put("2.5");
                self.bound();
                self.sign("..");
                self.bound();
            }
            9 => self.body(false),
            _ => {
                self.level += 1;
                self.sign("[");
                self.domain();
                self.sign(";");
                self.number();
                self.sign("]");
                self.level -= 1;
            }
        }
        if self.one_in(6) {
            let suffix = self.pick(&["blank 10%", "step 5", "except -1", "except \"x\""]);
            self.put(suffix);
        }
    }

    fn bound(&mut self) {
        match self.below(6) {
            0..=2 => self.number(),
            3 => {
                self.sign("-");
                self.number();
            }
            4 => self.put("2024-01-31"),
            _ => {
                self.put("AGE");
                self.sign("+");
                self.number();
            }
        }
    }

    fn number(&mut self) {
        let number = self.pick(&["1", "50_000", "2.50", "12", "0"]);
        self.put(number);
    }

    fn expect(&mut self) {
        self.put("expect");
        if self.one_in(4) {
            let name = self.pick(&["total", "reply", "file"]);
            self.put(name);
            self.sign(":");
        }
        match self.below(6) {
            0 => {
                self.put("files");
                return self.list("[", "]", Draw::string);
            }
            1 => {
                self.put("file");
                if self.one_in(3) {
                    let name = self.pick(&["hr", "`to do`"]);
                    self.put(name);
                } else {
                    self.string();
                }
                if self.one_in(4) {
                    self.put("at \"$.a[0]\"");
                }
            }
            2 => {
                self.put("reply");
                let slice = self.pick(&["last line", "after \"x:\"", "fenced", "fenced \"sql\"", "at \"$.a['b c']\""]);
                self.put(slice);
            }
            _ => self.put("reply"),
        }
        let matcher = self.pick(&["text", "contains", "number", "json", "list", "rows", "sql hr"]);
        self.put(matcher);
        if self.one_in(6) {
            self.put("any_of");
        }
        self.value();
        self.options();
    }

    fn options(&mut self) {
        while self.one_in(4) {
            let option = self.pick(&[
                "within 1%",
                "within 0.5",
                "rounded 2",
                "graded",
                "graded above 0.9",
                "unit \"%\"",
                "open",
                "ignore case, space",
                "trap a, `b c`",
                "unordered",
                "weight 2",
                "gate",
            ]);
            self.put(option);
        }
    }

    /// Brackets around some elements with commas between.
    fn list(&mut self, open: &str, close: &str, element: fn(&mut Draw)) {
        self.sign(open);
        let most = if self.one_in(8) { 30 } else { 5 };
        let number = self.below(most);
        for at in 0..number.max(usize::from(open == "(")) {
            if at > 0 {
                self.sign(",");
            }
            element(self);
        }
        if number > 0 && self.one_in(3) {
            self.sign(",");
        }
        self.sign(close);
    }

    fn field(&mut self) {
        if self.one_in(4) {
            self.put("\"a key\"");
        } else {
            self.column();
        }
        self.sign(":");
        self.value();
        self.options();
    }

    /// An expression.
    fn value(&mut self) {
        if self.level > 4 {
            return self.atom();
        }
        self.level += 1;
        match self.below(12) {
            0..=4 => self.atom(),
            5 => {
                self.put("if");
                self.value();
                self.put("then");
                self.value();
                self.put("else");
                self.value();
            }
            6..=8 => {
                for _ in 0..self.below(3) + 1 {
                    if self.one_in(5) {
                        let prefix = self.pick(&["-", "not ", "- -"]);
                        self.out.push_str(prefix);
                    }
                    self.atom();
                    let operator = self.pick(OPERATORS);
                    // Comparisons cannot be chained.
                    let operator = if self.one_in(3) { operator } else { "+" };
                    self.put(operator);
                    self.atom();
                    self.put(if operator == "+" { "*" } else { "and" });
                }
                self.atom();
            }
            9 => self.list("[", "]", Draw::value),
            10 => self.list("{", "}", Draw::field),
            _ => {
                self.sign("(");
                self.value();
                self.sign(")");
            }
        }
        self.level -= 1;
    }

    fn atom(&mut self) {
        match self.below(if self.level > 4 { 6 } else { 9 }) {
            0 => self.number(),
            1 => self.string(),
            2 => {
                let path = self.pick(&["a", "hr.AGE", "hr . `odd name`", "db.rec.days", "_x"]);
                self.put(path);
            }
            3 => {
                let literal = self.pick(&["true", "null", "2024-03-01T10:00", "90 days", "2024-01-31", "1 \t week"]);
                self.put(literal);
            }
            4 => self.string(),
            5 => self.put("n"),
            6 => {
                self.level += 1;
                let name = self.pick(&["count", "sum", "coalesce", "f"]);
                self.out.push_str(name);
                self.list("(", ")", |draw| {
                    draw.value();
                    if draw.one_in(4) {
                        draw.put("where");
                        draw.value();
                    }
                });
                self.level -= 1;
            }
            7 => {
                self.level += 1;
                self.sign("<<");
                self.value();
                self.sign(">>");
                self.level -= 1;
            }
            _ => {
                self.sign("<<");
                let name = self.pick(&["value", "rows  ", "f\n"]);
                self.out.push_str(name);
                self.put(":");
                if self.one_in(2) {
                    self.put("hr");
                    self.sign(",");
                }
                let query = self.pick(QUERIES);
                self.out.push_str(query);
                let below = self.pick(&["", " ", "\n", "\n      ", "\r\n"]);
                self.out.push_str(below);
                self.out.push_str(">>");
                self.gap(true);
            }
        }
    }

    fn string(&mut self) {
        if !self.one_in(4) {
            let text = self.pick(TEXTS);
            let held = self.pick(&["", "", "<<a>>", "<< f : hr , 1 >>", "<<value: SELECT \"A\"\n  FROM t>>"]);
            return self.put(&format!("\"{text}{held}\""));
        }
        let mut text = self.pick(&["\"\"\"", "\"\"\"  ", "\"\"\"first", "\"\"\"<<a>>"]).to_owned();
        for _ in 0..self.below(5) {
            let end = self.pick(&["\n", "\n", "\r\n"]);
            let indent = self.pick(&["", "  ", "    ", "      ", "\t", " "]);
            let line = self.pick(LINES);
            let held = self.pick(&["", "", "<<a>>", "<<a>> behind", "<<value: SELECT 1\n  FROM t>>"]);
            text += &format!("{end}{indent}{line}{held}");
        }
        let close = self.pick(&["\n", "\n    ", "", "\n\t"]);
        // A quote would be one of the closing ones.
        let close = if text.ends_with('"') { "\n" } else { close };
        self.put(&format!("{text}{close}\"\"\""));
    }
}
