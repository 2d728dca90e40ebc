//! What holds of the tokens of every text.

use proptest::prelude::*;

use super::*;

/// Pieces that mean something to the lexer.
const PIECES: [&str; 48] = [
    "\"",
    "\"\"\"",
    "<<",
    ">>",
    "f:",
    "f: a, ",
    "SELECT ",
    "WITH x AS (",
    "$.a",
    "/b",
    "(//a)",
    "(",
    ")",
    "'",
    "`",
    "\\",
    "\\<<",
    "\n",
    " ",
    "\r\n",
    "prompt ",
    "\n  prompt \"a\"\n",
    "\n}\n",
    "\n  x = ",
    "ä",
    "😀",
    "\u{a0}",
    "#",
    "##x",
    "###",
    "1.5%",
    "1e-6",
    "2024-01-31T10:00",
    "{",
    "}",
    "[",
    "]",
    ",",
    "--",
    "/*",
    "*/",
    "->>",
    "..",
    "if ",
    "else ",
    "task t {",
    "\u{feff}",
    "\0",
];

/// Statements with which a line starts, each whole or broken in one place, as `FOUND` of `mutants` has them.
const STATEMENTS: [&str; 16] = [
    "  a : int 1..9\n",
    "  b = \"x <<a>> y\"\n",
    "  b = \"x <<a y\"\n",
    "  b = \"x\n",
    "  c = <<value: SELECT COUNT(*) FROM t>>\n",
    "  c = <<value: SELECT COUNT( FROM t>>\n",
    "  c = <<value: SELECT COUNT(* FROM t\n",
    "  c = <<value: SELECT 'a FROM t\n",
    "  d = f(a, [b, { c: 1 }\n",
    "  prompt \"\"\"\n    Say <<a>>.\n  \"\"\"\n",
    "  prompt \"Say <<csv_value: h.A>>.\"\n",
    "  expect reply text a # \" <<\n",
    "  expect reply json {\n    k: a\n  }\n",
    "  csv h at \"h.csv\" {\n    rows 3  A : word\n  }\n",
    "  require a != `b c\n",
    "  e = <<json_path: f, $.a[?@.b == ']']>>\n",
];

fn list_leaves(text: &str) -> Vec<(Kind, &str)> {
    let lexed = guess_tokens(text);
    lexed.iter_leaves().filter(|token| token.kind != Kind::Blank).map(|token| (token.kind, token.text(text))).collect()
}

/// Tokens cover the text, on characters, each before its parts, which cover it.
fn check_cover(text: &str) {
    for lexed in [lex_source(text), guess_tokens(text)] {
        let pieces: String = lexed.iter_leaves().map(|token| token.text(text)).collect();
        assert_eq!(pieces, text);
        let whole: String = lexed.iter_whole().map(|token| token.text(text)).collect();
        assert_eq!(whole, text);
        for (index, token) in lexed.tokens.iter().enumerate() {
            assert!(token.start < token.end && text.get(token.range()).is_some(), "{token:?} of {text:?}");
            let parts = lexed.parts(index);
            assert_eq!(parts.is_empty(), !matches!(token.kind, Kind::Text | Kind::Raw(_)), "{token:?} of {text:?}");
            if let (Some(first), Some(last)) = (parts.first(), parts.last()) {
                let inner = parts.iter().map(|part| part.end).max();
                assert_eq!((first.start, inner), (token.start, Some(token.end)), "{last:?} of {token:?} of {text:?}");
            }
        }
        assert!(lexed.unclosed.is_sorted_by_key(|(_, at)| *at));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokens_cover_any_text(text in any::<String>()) {
        check_cover(&text);
    }

    #[test]
    fn tokens_cover_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_cover(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn tokens_cover_any_pieces(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        check_cover(&pieces.concat());
    }

    /// What comes after a statement, and begins with one that is read as such, changes no token of it.
    #[test]
    fn later_statements_change_nothing(
        before in prop::collection::vec(prop::sample::select(&STATEMENTS[..]), 1..6),
        after in prop::collection::vec(prop::sample::select(&STATEMENTS[..]), 0..6),
    ) {
        let before = format!("task t {{\n{}", before.concat());
        let whole = format!("{before}  prompt \"p\"\n{}", after.concat());
        let alone = format!("{before}  prompt \"p\"\n");
        let until = |text: &str| -> Vec<(Kind, u32, u32)> {
            let tokens = guess_tokens(text).tokens;
            tokens.iter().map(|token| (token.kind, token.start, token.end)).filter(|(_, start, _)| (*start as usize) < before.len()).collect()
        };
        prop_assert_eq!(until(&whole), until(&alone));
    }

    /// A text in which everything is closed is read in one way.
    #[test]
    fn guesses_are_for_what_is_unclosed(statements in prop::collection::vec(prop::sample::select(&STATEMENTS[..]), 0..6)) {
        let text = format!("task t {{\n{}}}\n", statements.concat());
        if lex_source(&text).unclosed.is_empty() && guess_tokens(&text).unclosed.is_empty() {
            prop_assert_eq!(lex_source(&text).tokens, guess_tokens(&text).tokens);
        }
    }
}

/// However a text repeats itself, twice as much of it takes twice as long: the most that a token is looked at does not grow.
#[test]
fn time_is_linear() {
    let repeated = |text: &str, length: usize| text.repeat(length / text.len());
    let tangled = [
        "<<f: -- ,\n",
        "<<f: /* , ",
        ", --",
        "\"<<f: SELECT (' -- /*\n",
        "\"<< ",
        "<<f: $ (\n",
        "prompt \"\"\"\n x\n",
        "x = <<q: SELECT (1>>\n",
        "<<f: a(",
        "<< # c\n",
        "\"\\",
        "\"\"\" ",
        "'`",
        "x = <<f: (a(",
    ];
    // The same text, of this many bytes.
    let texts = |length: usize| {
        let mut texts: Vec<String> = PIECES.iter().chain(&tangled).map(|piece| repeated(piece, length)).collect();
        texts.extend(STATEMENTS.iter().map(|statement| format!("task t {{\n{}", repeated(statement, length))));
        texts.push(format!("x = [{} \"\"\"{}", repeated("a, ", length), repeated("\n", length)));
        texts.push(format!("x = \"\"\"{}{}\"\"\"", repeated("\n  prompt \"a\"", length), repeated("\na ", length)));
        texts.push(format!("x = <<f: SELECT {}{}", "(".repeat(100), repeated("a ", length)));
        texts
    };
    for (part, all) in texts(50_000).into_iter().zip(texts(400_000)) {
        let start: String = all.chars().take(30).collect();
        let time = |text: &str| {
            #[allow(clippy::disallowed_methods)] // a test may know the time
            let started = std::time::Instant::now();
            assert!(guess_tokens(text).tokens.len() + lex_source(text).tokens.len() > 0);
            started.elapsed()
        };
        let (part, all) = (time(&part), time(&all));
        assert!(all.as_millis() < 400 + 40 * part.as_millis(), "{start:?}…: {part:?} for an eighth, {all:?} for all");
    }
}

#[test]
fn raw_text_is_told_apart() {
    let text =
        "x = <<sqlite_query: db, SELECT a->>'$.b' FROM t WHERE (c >> 1) = ')'>>\ny = <<json_path: f, $.a[?@.b > 1] >>";
    let lexed = lex_source(text);
    let raw: Vec<(Kind, &str)> = lexed
        .iter_whole()
        .filter(|token| matches!(token.kind, Kind::Raw(_)))
        .map(|token| (token.kind, token.text(text)))
        .collect();
    let (sql, path) = (Kind::Raw(RawKind::Sql), Kind::Raw(RawKind::JsonPath));
    assert_eq!(raw, [(sql, "SELECT a->>'$.b' FROM t WHERE (c >> 1) = ')'"), (path, "$.a[?@.b > 1]")]);
    assert_eq!(detect_raw_kind("SELECT (/* not a path */ 1)"), Some(RawKind::Sql));
    assert_eq!(detect_raw_kind("count(//name)"), Some(RawKind::XPath));
    assert_eq!(detect_raw_kind("-- why\nselect 1"), Some(RawKind::Sql));
    assert_eq!(detect_raw_kind("with.x"), None);
}

#[test]
fn raw_text_has_parts() {
    use Embedded as E;
    let text = "<<value: SELECT \"a b\", :n -- c\nFROM t>>";
    let parts: Vec<(Embedded, &str)> = guess_tokens(text)
        .iter_leaves()
        .filter_map(|token| match token.kind {
            Kind::Embedded(E::Blank) => None,
            Kind::Embedded(part) => Some((part, token.text(text))),
            _ => None,
        })
        .collect();
    assert_eq!(
        parts,
        [
            (E::Name, "SELECT"),
            (E::Name, "\"a b\""),
            (E::Sign, ","),
            (E::Parameter, ":n"),
            (E::Comment, "-- c"),
            (E::Name, "FROM"),
            (E::Name, "t"),
        ]
    );
}

#[test]
fn strings_hold_placeholders() {
    use Kind as K;
    assert_eq!(
        list_leaves("\"a <<b>> \\<<c\" 2.50..3"),
        [
            (K::Quote, "\""),
            (K::Chars, "a "),
            (K::Open(b'<'), "<<"),
            (K::Word, "b"),
            (K::Close(b'<'), ">>"),
            (K::Chars, " "),
            (K::Escape, "\\<<"),
            (K::Chars, "c"),
            (K::Quote, "\""),
            (K::Number, "2.50"),
            (K::Sign, ".."),
            (K::Number, "3"),
        ]
    );
}

#[test]
fn what_is_unclosed_ends_before_the_next_statement() {
    for text in
        ["x = <<count: hr.\n  prompt \"a\"", "x = <<value: SELECT (1\n  prompt \"a\"", "x = \"a <<b\n  prompt \"a\""]
    {
        assert_eq!(
            list_leaves(text).get(list_leaves(text).len() - 3..),
            Some(&[(Kind::Quote, "\""), (Kind::Chars, "a"), (Kind::Quote, "\"")][..]),
            "{text}"
        );
        assert_eq!(guess_tokens(text).unclosed.len(), 1, "{text}");
    }
}

/// Where nothing closes a query, it is the rest of its line; the next line is read as if there were none.
#[test]
fn a_query_without_an_end_is_its_line() {
    let text = "x = <<value: SELECT a FROM t \ny : int 1..9\n";
    let raw: Vec<&str> = guess_tokens(text)
        .iter_whole()
        .filter(|token| matches!(token.kind, Kind::Raw(_)))
        .map(|token| token.text(text))
        .collect();
    assert_eq!(raw, ["SELECT a FROM t"]);
    assert_eq!(guess_tokens(text).unclosed, [(Unclosed::Placeholder, 4)]);
}

#[test]
fn depth_is_that_of_open_brackets() {
    let nested = |depth: usize| format!("x = {}a{}", "f(".repeat(depth), ")".repeat(depth));
    assert_eq!(lex_source(&nested(DEEPEST)).too_deep, None);
    assert!(lex_source(&nested(DEEPEST + 1)).too_deep.is_some());
    // A placeholder that is never closed does not count for what comes after it.
    assert_eq!(lex_source(&"x = <<value: SELECT 1\n".repeat(2 * DEEPEST)).too_deep, None);
}
