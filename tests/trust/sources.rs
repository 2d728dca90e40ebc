//! Any text through `check`, `fmt` and fixes.

use std::fs;
use std::path::Path;

use testing::{create_folder, expect_success, run_picardc};

/// A suite of one task with these lines; `hr` has the columns CITY, AGE, DAY and NAME.
fn suite(lines: &str) -> String {
    format!(
        "suite s {{\n  title   \"S\"\n  version \"1.0.0\"\n}}\n\ntask t {{\n  csv hr at \"hr.csv\" {{\n    rows 30..40\n    CITY : city blank 10%\n    AGE  : int 18..80\n    DAY  : date 2024-01-01..2024-12-31\n    NAME : person_name\n  }}\n{lines}\n}}\n"
    )
}

/// A suite that asks for one number.
fn asks(value: &str) -> String {
    suite(&format!("  n = {value}\n  prompt \"Read <<hr>>. Which number?\"\n  expect reply number n"))
}

/// What `check` says of a text, a line each: `code: message`, then its fixes, `safe` or `unsafe` first.
fn said(text: &str) -> Vec<String> {
    let home = create_folder(&[("s.pcd", text)]);
    let output = run_picardc(home.path(), &["check", "--format", "json", "s.pcd"]);
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", output.err);
    let mut lines = Vec::new();
    for line in output.out.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        lines.push(format!("{}: {}", value["code"].as_str().unwrap_or("?"), value["message"].as_str().unwrap_or("?")));
        for fix in value["fixes"].as_array().into_iter().flatten() {
            let edits = fix["edits"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|edit| edit["text"].as_str().unwrap_or("?").to_owned());
            let edits: Vec<String> = edits.collect();
            lines.push(format!("  {}: {edits:?}", fix["applicability"].as_str().unwrap_or("?")));
        }
    }
    lines
}

/// The file after `check --fix`, and with it after `--unsafe-fixes` too.
fn fixed(text: &str, also_unsafe: bool) -> String {
    let home = create_folder(&[("s.pcd", text)]);
    let flags: &[&str] =
        if also_unsafe { &["check", "--fix", "--unsafe-fixes", "s.pcd"] } else { &["check", "--fix", "s.pcd"] };
    run_picardc(home.path(), flags);
    fs::read_to_string(home.path().join("s.pcd")).expect("it is there")
}

fn laid_out(home: &Path) -> String {
    fs::read_to_string(home.join("s.pcd")).expect("it is there")
}

/// A letter of several bytes before `>>` panicked.
#[test]
fn s1_a_letter_of_several_bytes_before_an_end_of_placeholder() {
    for text in ["é>>", "<<né>>", "Café>>", "漢>>n>>", "<<n>>é>>", ">>", "😀n>>"] {
        let source = format!(
            "suite a {{ title \"{text}\" version \"1.0.0\" }}\ntask t {{ n : int 1..9  prompt \"{text} <<n>>\"  expect reply number n }}\n"
        );
        let home = create_folder(&[("a.pcd", &source)]);
        let output = run_picardc(home.path(), &["check", "a.pcd"]);
        assert!(output.status.code().is_some_and(|code| code < 2), "{text}: {}", output.err);
        assert!(!output.err.contains("panicked"), "{text}: {}", output.err);
    }
    let fix = said(&asks("count(hr)").replace("Which number?", "Ünhr>> and én>>"));
    assert!(fix.iter().any(|line| line.contains("`n>>` closes a placeholder")), "{fix:?}");
}

/// A comment that ends in a blank of Unicode lost it to the next line.
#[test]
fn s2_a_comment_keeps_the_blank_at_its_end() {
    for blank in ["\u{a0}", "\u{3000}", "\u{2028}", "\u{2029}", "\u{85}", "\u{b}", "\u{c}", "\u{2003}"] {
        for comment in [format!("# a{blank}"), format!("#{blank}"), format!("## d{blank}"), format!("###{blank} ")] {
            let text = format!("{comment}\n{}", asks("count(hr)"));
            let home = create_folder(&[("s.pcd", &text)]);
            expect_success(home.path(), &["check", "s.pcd"]);
            expect_success(home.path(), &["fmt", "s.pcd"]);
            assert!(laid_out(home.path()).starts_with(comment.trim_end_matches(' ')), "{comment:?}");
            expect_success(home.path(), &["check", "s.pcd"]);
            expect_success(home.path(), &["fmt", "--check", "s.pcd"]);
        }
    }
}

/// Digits and letters right after a date or a number were read as a second value.
#[test]
fn s13_what_runs_on_after_a_date_or_a_number_is_an_error() {
    for (domain, what) in [
        ("date 2023-01-012023-01-01..2023-12-31", "`2023-01-012023-01-01` is not a date"),
        ("date 2024-01-091..2024-12-31", "`2024-01-091` is not a date"),
        ("date 2024-01-01..2024-12-31T", "`2024-12-31T` is not a date"),
        ("datetime 2024-01-01T10:00:001..2024-12-31T10:00", "`2024-01-01T10:00:001` is not a date"),
        ("int 1..9x", "`9x` is not a number"),
        ("int 1_000k..9_000", "`1_000k` is not a number"),
        ("decimal 1.5a..2.5", "`1.5a` is not a number"),
    ] {
        let text = suite(&format!("  d : {domain}\n  prompt \"<<d>> in <<hr>>?\"\n  expect reply text \"<<d>>\""));
        let lines = said(&text);
        assert_eq!(lines.iter().filter(|line| !line.starts_with(' ')).count(), 1, "{domain}: {lines:?}");
        assert_eq!(lines.first(), Some(&format!("E0107: {what}")), "{domain}: {lines:?}");
        let home = create_folder(&[("s.pcd", &text)]);
        assert_eq!(run_picardc(home.path(), &["fmt", "s.pcd"]).status.code(), Some(1));
        assert_eq!(laid_out(home.path()), text);
    }
    // Dates and numbers next to signs are what they were.
    let told = said(&asks("count(hr where AGE>18 and DAY>2024-01-31)+1"));
    assert!(told.iter().all(|line| line.starts_with("W0222")), "{told:?}");
}

/// Line ends of a file that was converted twice, and a second mark.
#[test]
fn s14_doubled_carriage_returns_and_marks_take_one_pass() {
    let text = suite(
        "  n = count(hr)\n  m = <<value:\n    SELECT 'a\n    b' FROM hr\n    LIMIT 1>>\n  prompt \"\"\"\n    Read <<hr>>.\n\n    How many?\n    \"\"\"\n  expect reply number n",
    );
    for end in ["\r\r\n", "\r\r\r\n", "\r\n"] {
        let home = create_folder(&[("s.pcd", &text.replace('\n', end))]);
        expect_success(home.path(), &["fmt", "s.pcd"]);
        let once = laid_out(home.path());
        assert!(!once.contains('\r'), "{end:?}: {once:?}");
        expect_success(home.path(), &["fmt", "--check", "s.pcd"]);
        let unix = create_folder(&[("s.pcd", &text)]);
        expect_success(unix.path(), &["fmt", "s.pcd"]);
        assert_eq!(laid_out(unix.path()), once, "{end:?}");
        let both = [&text, &text.replace('\n', end)].map(|text| {
            let home = create_folder(&[("s.pcd", text)]);
            expect_success(home.path(), &["preview", "s.pcd", "--seed", "1"])
        });
        assert_eq!(both[0], both[1], "{end:?}");
    }
    // Anywhere else a mark is a mistake.
    assert_eq!(said(&format!("\n\u{feff}{text}")), ["E0101: nothing starts with `\u{feff}`"]);
    for marks in ["\u{feff}", "\u{feff}\u{feff}", "\u{feff}\u{feff}\u{feff}"] {
        let home = create_folder(&[("s.pcd", &format!("{marks}{text}"))]);
        expect_success(home.path(), &["check", "s.pcd"]);
        expect_success(home.path(), &["fmt", "s.pcd"]);
        assert!(laid_out(home.path()).starts_with("suite"));
        // Nothing but marks: the same mistake before and after.
        fs::write(home.path().join("s.pcd"), marks).expect("written");
        let before = said(marks);
        expect_success(home.path(), &["fmt", "s.pcd"]);
        assert_eq!(said(&laid_out(home.path())), before);
    }
}

/// Comparisons of SQL got commas between their words.
#[test]
fn holes_2_words_of_sql_are_no_items_without_commas() {
    let text = asks("count(hr where CITY is null)");
    assert_eq!(said(&text), ["E0101: `is null` is not a comparison in `.pcd`", "  safe: [\"== null\"]"]);
    assert_eq!(fixed(&text, false), text.replace("is null", "== null"));
    // What these fixes show is told by further diagnostics: they are applied when asked.
    let text = asks("count(hr where CITY is  not null and AGE > 3)");
    assert_eq!(fixed(&text, true), text.replace("is  not null", "!= null"));
    for (value, message) in [
        ("count(hr where AGE between 20 and 30)", "E0101: `between` is not an operator in `.pcd`"),
        ("count(hr where CITY like \"San%\")", "E0101: `like` is not an operator in `.pcd`"),
        ("count(hr filter AGE > 30)", "E0101: `filter` is not a keyword in `.pcd`"),
    ] {
        let text = asks(value);
        assert_eq!(said(&text), [message], "{value}");
        assert_eq!(fixed(&text, true), text, "{value}");
    }
    // Where no comma could be, too.
    let text = suite("  x = first(hr.CITY)\n  require x is not null\n  prompt \"<<hr>>?\"\n  expect reply text x");
    assert_eq!(said(&text).first().map(String::as_str), Some("E0101: `is not null` is not a comparison in `.pcd`"));
    assert!(fixed(&text, true).contains("require x != null\n"));
}

#[test]
fn holes_2_a_column_in_brackets_is_selected_with_a_dot() {
    let text = asks("max(hr[\"AGE\"])");
    assert_eq!(said(&text), ["E0101: `[\"AGE\"]` does not select a column", "  safe: [\".AGE\"]"]);
    assert_eq!(fixed(&text, false), text.replace("hr[\"AGE\"]", "hr.AGE"));
}

/// A comma is put in unasked only between items of a list or object that stand on lines of their own.
#[test]
fn holes_2_a_missing_comma_is_safe_at_the_end_of_a_line_alone() {
    let lines =
        |list: &str| suite(&format!("  n : one_of {list}\n  prompt \"<<n>> of <<hr>>?\"\n  expect reply number n"));
    let text = lines("[\n    1\n    2,  # two\n    3  # three\n    4\n  ]");
    let whole = fixed(&text, false);
    assert!(whole.contains("    1,\n    2,  # two\n    3,  # three\n    4\n"), "{whole}");
    let text = lines("[1 2, 3]");
    assert_eq!(fixed(&text, false), text);
    assert_eq!(said(&text).get(1).map(String::as_str), Some("  unsafe: [\",\"]"));
}

#[test]
fn holes_2_dates_in_queries_are_offered_as_they_were_meant() {
    let query = |condition: &str| asks(&format!("<<value: SELECT COUNT(*) FROM hr WHERE {condition}>>"));
    let text = query("DAY >= '2024-3-1'");
    assert_eq!(fixed(&text, true), text.replace("2024-3-1'", "2024-03-01'"), "{:?}", said(&text));
    let text = query("DAY > '03/01/2024'");
    let offers = said(&text);
    assert!(offers.contains(&"  unsafe: [\"'2024-03-01'\"]".to_owned()), "{offers:?}");
    assert!(offers.contains(&"  unsafe: [\"'2024-01-03'\"]".to_owned()), "{offers:?}");
    assert_eq!(fixed(&text, true), text);
    let text = query("DAY > '13/02/2024'");
    assert_eq!(fixed(&text, true), text.replace("'13/02/2024'", "'2024-02-13'"), "{:?}", said(&text));
    let text = query("strftime('%m', DAY) = 3");
    assert_eq!(fixed(&text, true), text.replace("= 3", "= '03'"), "{:?}", said(&text));
}

#[test]
fn holes_2_a_prefix_is_no_part_of_a_quoted_name() {
    let text = "suite s { title \"S\" version \"1.0.0\" }\ntask t {\n  xml x at \"x.xml\" catalogue {\n    @`xmlns:t` = \"urn:t\"\n    `t:article` : [{ `t:price` : int 1..99 } ; 5]\n  }\n  prompt \"<<x>>?\"\n  expect reply number <<xpath_count: x, /catalogue/article>>\n}\n";
    let after = fixed(text, true);
    assert!(after.contains("/catalogue/t:article>>"), "{after}\n{:?}", said(text));
}

#[test]
fn holes_2_a_keyword_takes_no_colon_and_lists_are_in_brackets() {
    let text = asks("count(hr)").replace("prompt \"", "prompt: \"");
    assert_eq!(said(&text), ["E0101: `prompt` does not take `:`", "  safe: [\"\"]"]);
    assert_eq!(fixed(&text, false), text.replace("prompt: ", "prompt "));
    let text = asks("count(hr where CITY in (\"Boston\", \"Denver\"))");
    assert_eq!(said(&text).first().map(String::as_str), Some("E0101: a list is written in `[ ]`, not in `( )`"));
    assert!(fixed(&text, true).contains("CITY in [\"Boston\", \"Denver\"])"), "{}", fixed(&text, true));
    let text =
        suite("  n : int 1..9\n  x = if(n > 5, \"yes\", \"no\")\n  prompt \"<<n>> of <<hr>>?\"\n  expect reply text x");
    assert!(
        fixed(&text, true).contains("x = if n > 5 then \"yes\" else \"no\"\n"),
        "{}\n{:?}",
        fixed(&text, true),
        said(&text)
    );
}

#[test]
fn d8_init_writes_what_fmt_accepts_and_says_plainly_what_it_cannot() {
    let home = create_folder(&[("file", "x"), ("below/file", "x")]);
    for dir in ["harbour", "a_folder_with_a_very_long_name", "x"] {
        expect_success(home.path(), &["init", dir]);
        expect_success(home.path(), &["fmt", "--check", dir]);
        expect_success(home.path(), &["check", "--deny-warnings", dir]);
    }
    for path in ["file", "file/deeper", "below/file"] {
        let output = run_picardc(home.path(), &["init", path]);
        let error = output.err;
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("is a file") && !error.contains("os error"), "{error}");
    }
    let error = run_picardc(home.path(), &["init", "harbour"]).err;
    assert!(error.contains("is there already") && !error.contains("os error"), "{error}");
}

#[test]
fn d8_check_takes_folders_as_fmt_does() {
    let good = asks("count(hr)");
    let home = create_folder(&[
        ("suites/a.pcd", &good),
        ("suites/deep/b.pcd", &good.replace("AGE  : int", "AEG  : nit")),
        ("suites/deep/parts/c.pcd", "domain shade = one_of [\"red\", \"blue\"]\n"),
        ("suites/.hidden/d.pcd", "nonsense"),
        ("suites/used.pcd", "domain tone = one_of [\"dark\", \"light\"]\n"),
        ("suites/uses.pcd", &format!("use \"used.pcd\"\n{}", asks("count(hr)"))),
    ]);
    let output = run_picardc(home.path(), &["check", "--format", "short", "suites"]);
    let lines = output.out;
    assert_eq!(output.status.code(), Some(1), "{lines}{}", output.err);
    assert!(
        lines.contains("suites/deep/b.pcd:") && !lines.contains("suites/a.pcd") && !lines.contains(".hidden"),
        "{lines}"
    );
    // What suites use need not be a suite.
    assert!(!lines.contains("declares no suite"), "{lines}");
    expect_success(home.path(), &["check", "suites/a.pcd", "suites/deep/parts"]);
    assert_eq!(run_picardc(home.path(), &["check", "suites/deep/parts/c.pcd"]).status.code(), Some(1));
    let empty = create_folder(&[("none/a.txt", "")]);
    assert_eq!(run_picardc(empty.path(), &["check", "none"]).status.code(), Some(2));
}

#[test]
fn d8_check_checks_every_file_that_it_can() {
    let home = create_folder(&[("good.pcd", &asks("count(hr)")), ("bad.pcd", "suite s {"), ("bytes.pcd", "")]);
    fs::write(home.path().join("bytes.pcd"), b"# \xff\n").expect("written");
    let output = run_picardc(home.path(), &["check", "good.pcd", "nope.pcd", "bytes.pcd", "bad.pcd"]);
    let error = output.err;
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("cannot read `nope.pcd`: the file does not exist"), "{error}");
    assert!(error.contains("E0109") && error.contains("E0110"), "{error}");
    let output = run_picardc(home.path(), &["check", "nope.pcd", "good.pcd"]);
    let error = output.err;
    assert!(error.contains("1 file: no errors, no warnings"), "{error}");
}

/// A host that fails on some texts, as a defect of the compiler does.
struct Failing(picardc::host::Disk);

impl compiler::Host for Failing {
    fn read_file(&self, path: &str) -> Result<Vec<u8>, compiler::ReadError> {
        assert!(!path.ends_with("b.pcd"), "byte index 1 is not a char boundary");
        self.0.read_file(path)
    }

    fn list_folder(&self, folder: &str) -> Result<Vec<compiler::Entry>, compiler::ReadError> {
        self.0.list_folder(folder)
    }

    fn sqlite(&self) -> &dyn compiler::Sqlite {
        self.0.sqlite()
    }

    fn evaluator(&self) -> &dyn compiler::Compute {
        self.0.evaluator()
    }
}

/// The language server stays up, and says in the document itself that and why there is nothing else to say of it.
#[test]
fn s1_the_language_server_tells_of_a_defect() {
    use lsp_server::{Connection, Message, Notification, Request};
    let home = create_folder(&[("a.pcd", &asks("count(hr.NOPE)")), ("b.pcd", &asks("count(hr)"))]);
    let (editor, theirs) = Connection::memory();
    let server = std::thread::spawn(move || {
        let outside = lsp::ServerHooks {
            host: std::sync::Arc::new(|root| Box::new(Failing(picardc::host::Disk::new(root)))),
            ..picardc::lsp::build_outside()
        };
        lsp::serve_editor(&theirs, outside)
    });
    let tell = |method: &str, params: serde_json::Value| {
        let message = Notification { method: method.to_owned(), params };
        editor.sender.send(message.into()).expect("the server listens");
    };
    let ask = |id: i32, method: &str, params: serde_json::Value| {
        let message = Request { id: id.into(), method: method.to_owned(), params };
        editor.sender.send(message.into()).expect("the server listens");
    };
    let wait = |what: &str, wanted: &dyn Fn(&str) -> bool| loop {
        let message =
            editor.receiver.recv_timeout(std::time::Duration::from_secs(60)).unwrap_or_else(|_| panic!("{what}"));
        let text = match &message {
            Message::Notification(note) => format!("{} {}", note.method, note.params),
            Message::Response(response) => format!("{response:?}"),
            Message::Request(_) => continue,
        };
        if wanted(&text) {
            return text;
        }
    };
    ask(1, "initialize", serde_json::json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    wait("an answer", &|text| text.contains("capabilities"));
    tell("initialized", serde_json::json!({}));
    for name in ["b.pcd", "a.pcd"] {
        let uri = format!("file://{}/{name}", home.path().display());
        let text = fs::read_to_string(home.path().join(name)).expect("a file");
        let document = serde_json::json!({ "uri": uri, "languageId": "pcd", "version": 1, "text": text });
        tell("textDocument/didOpen", serde_json::json!({ "textDocument": document }));
    }
    let published = |name: &'static str, words: &'static str| {
        move |text: &str| {
            text.starts_with("textDocument/publishDiagnostics") && text.contains(name) && text.contains(words)
        }
    };
    let mut seen = Vec::new();
    // The failure may be logged once for each check of the file.
    while seen.len() < 6
        && !(seen.iter().any(|text: &String| published("b.pcd", "picardc itself failed")(text))
            && seen.iter().any(|text: &String| published("a.pcd", "NOPE")(text)))
    {
        seen.push(wait("both documents and the log", &|text| {
            published("b.pcd", "byte index 1")(text)
                || published("a.pcd", "NOPE")(text)
                || text.starts_with("window/logMessage")
        }));
    }
    assert!(seen.iter().any(|text| published("b.pcd", "picardc itself failed")(text)), "{seen:?}");
    assert!(seen.iter().any(|text| published("a.pcd", "NOPE")(text)), "{seen:?}");
    ask(2, "shutdown", serde_json::Value::Null);
    wait("an answer", &|text| text.contains("Response"));
    tell("exit", serde_json::Value::Null);
    server.join().expect("no panic leaves the server").expect("it ends well");
}
