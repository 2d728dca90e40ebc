//! Newlines mean nothing, because no token that starts a statement may continue an expression (language §2): every form of expression, domain and
//! option, with every form of statement behind it on the same line, is two statements.

use crate::parse::render::{lines, read};
use compiler::ast::{Content, Data, ItemKind, StmtKind};

const EXPRESSIONS: &[&str] = &[
    "1",
    "2.5",
    "1_000",
    "-3",
    "true",
    "null",
    "2024-01-31",
    "2024-03-01T10:00",
    "2024-03-01T10:00:30",
    "90 days",
    "2 hours",
    "\"text\"",
    "\"\"\"text\"\"\"",
    "\"<<a>> b\"",
    "a",
    "a.b",
    "a.b.c",
    "a.`B C`",
    "`B C`",
    "f()",
    "f(a)",
    "f(a where b == 1)",
    "f(a, b,)",
    "[a, b]",
    "[]",
    "{ k: a }",
    "{ k: a within 1 }",
    "{}",
    "(a)",
    "a + b",
    "a - b",
    "a * b / c",
    "a == b",
    "a != b",
    "a < b",
    "a <= b",
    "a > b",
    "a >= b",
    "a in b",
    "a not in [b]",
    "not a",
    "a and not b or c",
    "if a then b else c",
    "if a then b else if c then d else e",
    "<<a>>",
    "<<f: a>>",
    "<<f: a, 3>>",
    "<<f: a where b>>",
    "<<value: SELECT 1>>",
    "<<q: db, $.a>>",
    "<<q: db, /a/b>>",
    "a == null",
];

const DOMAINS: &[&str] = &[
    "word",
    "int 1..9",
    "int 1..9 step 2",
    "int a..b + 1",
    "decimal 1.00..2.00",
    "date",
    "date 2024-01-01..2024-12-31",
    "date a..a + 14 days step 2 days",
    "datetime 2024-03-01T00:00..2024-03-02T00:00",
    "bool",
    "bool 80%",
    "bool n%",
    "one_of [a, \"b\"]",
    "one_of lines \"x.txt\"",
    "weighted [ \"a\": 3, \"b\": 1 ]",
    "pattern \"[A-Z]\"",
    "template \"<<a>>\"",
    "serial",
    "ref a.b",
    "ref a.b.c where d == 1",
    "lorem words 3",
    "lorem lines 3..5",
    "zipf 100",
    "normal mean 5 sd 2 0..10 step 1",
    "normal mean a sd b",
    "word(1, a)",
    "unique word",
    "distinct word",
    "sorted unique int 1..9",
    "word blank 5%",
    "word blank n%",
    "word except \"a\"",
    "word except a.b",
    "int 1..9 blank 5% except 3",
    "[ word ; 5 ]",
    "[ { a : word b : int 1..2 } ; 1..5 ]",
    "{ a : word, b = 1 }",
];

const EXPECTS: &[&str] = &[
    "reply text a",
    "reply last line text a",
    "reply after \"x\" number a",
    "reply fenced json a",
    "reply fenced \"sql\" sql db a",
    "reply number a within 0.01",
    "reply number a within 1%",
    "reply number a rounded 2",
    "reply text a ignore case, space",
    "reply list a ordered",
    "reply number a trap b",
    "reply number a trap b, `c d`",
    "reply json { k: a trap b, c, d: e }",
    "reply json { k: a } unordered",
    "reply json { k: a } open",
    "reply number a unit \"%\"",
    "reply text any_of a",
    "reply text any_of [a, b]",
    "reply text a weight 2",
    "reply text a gate",
    "file \"p\" exists",
    "file \"p\" absent",
    "file \"p\" unchanged",
    "file \"p\" rows a",
    "file a unchanged",
    "file a bytes b",
    "file \"p\" bytes \"x\"",
    "file `a b` json b",
    "file a sql db b",
    "files [\"a\"]",
    "tree a",
    "reply contains a",
    "reply matches \"x\"",
];

/// Statements in every form. Those of a word that is not among them follow from its snippet.
const STATEMENTS: &[&str] = &[
    "x : word",
    "x, y : distinct word",
    "x = 1",
    "`x y` : word",
    "csv x at \"p\" { rows 1 A : serial }",
    "csv x : t at \"p\" { rows 1 }",
    "tsv x at \"p\" { rows 1 A : serial }",
    "sqlite x at \"p\" { table t { rows 1 A : serial } }",
    "json x at \"p\" { a = 1 }",
    "json x at \"p\" = [1]",
    "yaml x at \"p\" { a = 1 }",
    "xml x at \"p\" r { @a : serial }",
    "text x at \"p\" : lorem lines 1",
    "xlsx x at \"p\" { table t { A : serial } }",
    "file x at \"p\" from \"q\"",
    "table x { rows 1 A : serial }",
    "table x from \"p\"",
    "table x from \"p\" delimiter \";\"",
    "table x from \"p\" sheet \"s\"",
    "table x : t from \"p\" skip 2 until blank header 0 missing [\"\"] encoding \"e\" at \"$.a\"",
    "table x from \"p\" skip \"a\" until \"b\"",
    "table x from \"p\" { A : int from \"B\" as missing [] }",
    "csv x at \"p\" delimiter \";\" from \"q\" quoted crlf bom",
    "csv x at \"p\" from \"q\" { A : int }",
    "csv x at \"p\" from r",
    "csv x : y at \"p\" bom quoted header 2 from `r s`.u",
    "csv x at \"p\" crlf encoding \"e\" above \"a\" below \"b\" from r where a in b",
    "tsv x at \"p\" from r where a { rows repeat n% rows by A desc A = b as case 5% }",
    "text x at \"p\" from r { line \"<<A>>\" A : word }",
    "csv x at \"p\" { rows 1 rows repeat 5% A : word as space n% }",
    "lake x",
    "lake x needed",
    "lake x needed [\"a\"]",
    "lake x needed + n",
    "lake x needed [] + 3 * n",
    "clutter 3",
    "clutter 3 in \"d\"",
    "folder \"d\"",
    "require b",
    "prompt \"x\"",
    "prompt one_of [\"x\"]",
    "expect reply text b",
    "expect file \"p\" exists",
    "variant v { prompt \"x\" }",
    "stage v { prompt \"x\" }",
    "stage v after w, u { prompt \"x\" }",
    "tags [a]",
    "samples 3",
    "axis x = [1]",
    "axis x = { a: 1 }",
    "allow unused_name",
    "allow unused_name \"x\"",
    // Names that are keywords elsewhere.
    "rows : word",
    "line = 1",
    "step : word",
    "blank = 1",
    "mean : word",
    "sd = 1",
    "gate : word",
    "unordered = 1",
    "open : word",
    "unit = 1",
    "reply : word",
    "number = 1",
    "days : word",
    "unique = 1",
    "lines : word",
    "any_of = 1",
    "one_of : word",
    "contains = 1",
    "bytes : word",
    "sheet = 1",
    "skip : word",
    "header = 1",
];

/// Words that may name columns, though nothing else.
const COLUMNS: &[&str] = &[
    "and", "or", "not", "in", "if", "then", "else", "where", "except", "true", "null", "at", "from", "within",
    "rounded", "ignore", "ordered", "weight", "prompt", "csv", "table", "rows", "line", "step", "blank", "task",
    "expect", "days", "@id", "`A B`", "any", "a, b",
];

/// What may follow the domain of a column of a file that is read, and what else may be in its body.
const READ: &[&str] = &[
    "A : int from \"B\"",
    "A : int from 3",
    "A : int from 19..32",
    "A : int 1..9 from 3 as written \"0\"",
    "A : int as written \"0\" written \"0.0\" 5% missing [\"\"]",
    "A : int as written \"0\" n%",
    "A : int as case 5% space n%",
    "A = b as missing []",
    "unpivot M, V : int from [\"a\"]",
    "unpivot M : text, V : int from \"a\"..\"b\" as missing []",
    "unpivot M, V : int from \"* / a\", W : text from \"* / b\"",
];

/// What may be in the body of a file that is written, and how many columns each is.
const WRITTEN: &[(&str, usize)] = &[
    ("rows repeat 5%", 0),
    ("rows repeat n%", 0),
    ("rows by A", 0),
    ("rows by A desc", 0),
    ("rows by `A B` desc", 0),
    ("rows 1..n", 0),
    ("line \"<<A>>\"", 0),
    ("A = b as written \"0\"", 1),
    ("A = b as written \"0\" written \"0.0\" n%", 1),
    ("A = b as case n%", 1),
    ("A : word as space 5% case 5%", 1),
    ("A = null as missing [\"\"]", 1),
    ("A : bool n%", 1),
    ("A : word blank n%", 1),
    ("A : word blank n% as missing []", 1),
    ("` ` = null", 1),
];

#[test]
fn every_form_of_a_file_that_is_read_or_written_ends_before_every_word_that_is_a_name() {
    let mut words: Vec<&str> = compiler::syntax::words::iter_words().map(|word| word.text).collect();
    words.sort_unstable();
    words.dedup();
    for word in words {
        // After a number, with a comma after it, it makes a duration.
        let unit = compiler::syntax::words::is_of_class(compiler::syntax::words::Class::Duration, word);
        for second in [format!("{word} : b"), format!("{word} = b"), format!("{word}, x : b")] {
            if unit && second.contains(',') {
                continue;
            }
            for first in READ {
                let source = format!("table t from \"p\" {{ {first} {second} }}");
                let (file, diagnostics) = read(&source);
                assert_eq!(lines(&source, &diagnostics), "", "{source}");
                let ItemKind::TableFrom(table) = &file.items[0].kind else { panic!("{source}") };
                let body = table.from.body.as_ref().expect("a body");
                assert_eq!(body.columns.len() + body.unpivots.len(), 2, "{source}");
            }
            for (first, columns) in WRITTEN {
                let source = format!("task t {{ csv x at \"p\" from r {{ {first} {second} }} }}");
                let (file, diagnostics) = read(&source);
                assert_eq!(lines(&source, &diagnostics), "", "{source}");
                let ItemKind::Task(task) = &file.items[0].kind else { panic!("{source}") };
                let StmtKind::Data(Data { content: Content::Taken(from), .. }) = &task.body[0].kind else {
                    panic!("{source}")
                };
                let body = from.body.as_ref().expect("a body");
                assert_eq!(body.columns.len(), columns + 1, "{source}");
                assert_eq!(body.iter_rows_clauses().count() + body.lines.len(), 1 - columns, "{source}");
            }
            // Words that begin a statement are refused as names, and read as names all the same.
            if compiler::syntax::words::is_reserved(word) {
                continue;
            }
            let lakes = |first: &&&str| first.starts_with("lake") || first.contains(" from ");
            for first in STATEMENTS.iter().filter(lakes) {
                let source = format!("task t {{ {first} {second} }}");
                let (file, diagnostics) = read(&source);
                let ItemKind::Task(task) = &file.items[0].kind else { panic!("{source}") };
                assert_eq!(task.body.len(), 2, "{source}");
                let said = lines(&source, &diagnostics);
                assert_eq!(said.is_empty(), !compiler::syntax::words::is_taken_name(word), "{source}\n{said}");
            }
        }
    }
}

/// `STATEMENTS`, and a statement of each word that begins one and is not among them.
fn list_statements() -> Vec<String> {
    let hole = regex::Regex::new(r"\$\{\d+:([^}]*)\}").expect("a regular expression");
    let others = compiler::syntax::words::iter_class(compiler::syntax::words::Class::Statement)
        .filter(|word| STATEMENTS.iter().all(|known| known.split(' ').next() != Some(word.text)))
        .map(|word| hole.replace_all(word.snippet, "$1").into_owned());
    STATEMENTS.iter().map(|known| (*known).to_owned()).chain(others).collect()
}

fn two(first: &str, second: &str) {
    let source = format!("task t {{ {first} {second} }}");
    let (file, diagnostics) = read(&source);
    assert_eq!(lines(&source, &diagnostics), "", "{source}");
    let ItemKind::Task(task) = &file.items[0].kind else { panic!("{source}") };
    let texts: Vec<&str> =
        task.body.iter().map(|stmt| &source[stmt.span.start as usize..stmt.span.end as usize]).collect();
    assert_eq!(texts, [first, second], "{source}");
}

#[test]
fn every_form_ends_before_every_statement() {
    let statements = list_statements();
    for second in &statements {
        for expression in EXPRESSIONS {
            two(&format!("v = {expression}"), second);
            two(&format!("require {expression}"), second);
        }
        for domain in DOMAINS {
            two(&format!("v : {domain}"), second);
        }
        for expect in EXPECTS {
            two(&format!("expect {expect}"), second);
        }
        for first in &statements {
            two(first, second);
        }
    }
}

#[test]
fn every_form_ends_before_every_column() {
    let kinds = EXPRESSIONS
        .iter()
        .map(|expression| format!("= {expression}"))
        .chain(DOMAINS.iter().map(|domain| format!(": {domain}")));
    for kind in kinds {
        for key in COLUMNS {
            for sign in [":", "="] {
                let source = format!("table t {{ A {kind} {key} {sign} b }}");
                let (file, diagnostics) = read(&source);
                assert_eq!(lines(&source, &diagnostics), "", "{source}");
                let ItemKind::Table(table) = &file.items[0].kind else { panic!("{source}") };
                assert_eq!(table.body.columns.len(), 2, "{source}");
            }
        }
    }
}
