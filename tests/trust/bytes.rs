//! B2: a file that must be byte for byte what is asked.

use std::path::Path;

use model::format::{Format, Holds};
use records::{Bundle, Captured, Instance, Reason, Response, Score};
use serde_json::Value as Json;
use testing::{create_folder, expect_success, run_picardc};

/// A suite of three samples, its only task with this body.
fn suite(body: &str) -> String {
    testing::build_suite_source("samples 3", body)
}

/// Code, message and help of what `check` says.
fn said(body: &str) -> Vec<[String; 3]> {
    let home = create_folder(&[("s.pcd", &suite(body))]);
    let checked = run_picardc(home.path(), &["check", "s.pcd", "--format", "json"]).out;
    let field = |json: &Json, name: &str| json[name].as_str().unwrap_or_default().to_owned();
    let lines = checked.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    lines.map(|json: Json| ["code", "message", "help"].map(|name| field(&json, name))).collect()
}

fn codes(body: &str) -> Vec<String> {
    said(body).into_iter().map(|[code, ..]| code).collect()
}

fn scores(run: &Path) -> Vec<Score> {
    let lines = std::fs::read_to_string(run.join("scores.jsonl")).expect("scores");
    lines.lines().map(|line| serde_json::from_str(line).expect("a score")).collect()
}

/// Builds `s.pcd` into `out`, and runs an agent there in as many runs as it is called.
fn run(home: &Path, agent: &str, name: &str) -> Vec<Score> {
    expect_success(home, &["run", "out", "--agent", agent, "-o", name, "--quiet"]);
    scores(&home.join(name))
}

fn reasons(scores: &[Score]) -> Vec<Reason> {
    scores.iter().flat_map(|score| score.verdicts.iter().map(|verdict| verdict.reason)).collect()
}

/// What the finding tells: a byte order mark, blank lines and other line ends.
const TIDY: &str = r#"
import glob
text = open(glob.glob("in/*.txt")[0], encoding="utf-8", newline="").read()
open("copy.txt", "w", encoding="utf-8-sig", newline="").write(text.replace("\n", "\r\n\r\n"))
"#;

#[test]
fn b2_an_agent_that_adds_a_mark_blank_lines_and_crlf_is_wrong() {
    let body = "text note at \"in/<<name>>.txt\" : lorem lines 5 name : word\n\
                prompt \"Copy <<note>> to copy.txt byte for byte.\" expect file \"copy.txt\" bytes note";
    let exact = "import glob, shutil\nshutil.copy(glob.glob('in/*.txt')[0], 'copy.txt')\n";
    let home = create_folder(&[("s.pcd", &suite(body)), ("tidy.py", TIDY), ("exact.py", exact)]);
    assert_eq!(said(body), Vec::<[String; 3]>::new());
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
    let tidy = run(home.path(), "cmd:python3 tidy.py", "tidy");
    assert_eq!(reasons(&tidy), [Reason::Differs; 3]);
    assert!(tidy.iter().all(|score| !score.correct));
    let got = &tidy[0].verdicts[0].differences[0].got;
    assert!(got.contains("from byte 0 (counted from 0): \"\\u{feff}"), "{got}");
    let exact = run(home.path(), "cmd:python3 exact.py", "exact");
    assert_eq!((reasons(&exact), exact.iter().all(|score| score.correct)), (vec![Reason::Right; 3], true));
    // Nothing there, and the oracle.
    assert_eq!(reasons(&run(home.path(), "null", "idle")), [Reason::NoFile; 3]);
    assert_eq!(reasons(&run(home.path(), "oracle", "oracle")), [Reason::Right; 3]);
    expect_success(home.path(), &["selftest", "s.pcd"]);
}

/// The file that the one instance with this key has at `copy`, as an agent might leave it.
fn judged(instance: &Instance, bytes: Captured) -> Score {
    let files = vec![("copy".to_owned(), bytes)];
    let response = Response { id: instance.id.clone(), trial: 1, files, ..Response::default() };
    score::score_response(instance, Some(&response), 1, &())
}

fn of_text(text: &str) -> Instance {
    let body = format!("prompt \"Write the file copy.\" expect file \"copy\" bytes {text}");
    let home = create_folder(&[("s.pcd", &suite(&format!("allow constant_answer \"a test\" {body}")))]);
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--quiet"]);
    expect_success(home.path(), &["selftest", "s.pcd"]);
    let bundle = Bundle::open_verified(&home.path().join("out")).expect("a bundle");
    bundle.open_instances().expect("instances").next().expect("one").expect("readable")
}

#[test]
fn b2_a_text_is_expected_to_the_last_byte() {
    let text = |text: &str| Captured::Text { text: text.to_owned() };
    let key = of_text("\"caf\\u{e9}\\n\"");
    assert!(judged(&key, text("caf\u{e9}\n")).correct);
    for near in [
        "caf\u{e9}",
        "caf\u{e9}\n\n",
        "caf\u{e9}\r\n",
        "\u{feff}caf\u{e9}\n",
        "cafe\u{301}\n",
        " caf\u{e9}\n",
        "Caf\u{e9}\n",
        "```\ncaf\u{e9}\n```",
        "",
    ] {
        assert_eq!(reasons(&[judged(&key, text(near))]), [Reason::Differs], "{near:?}");
    }
    // The same letter in Latin-1.
    assert_eq!(reasons(&[judged(&key, Captured::from_bytes(b"caf\xe9\n".to_vec()))]), [Reason::Differs]);
    let score = judged(&key, text("caf\u{e9}s\n"));
    let difference = &score.verdicts[0].differences[0];
    assert_eq!(difference.expected, "6 bytes, from byte 5 (counted from 0): \"\\n\"");
    assert_eq!(difference.got, "7 bytes, from byte 5 (counted from 0): \"s\\n\"");
    let cut = judged(&key, text("caf\u{e9}"));
    assert_eq!(cut.verdicts[0].differences[0].got, "5 bytes, from byte 5 (counted from 0): the end");
    for (found, reason) in [
        (Captured::Absent, Reason::NoFile),
        (Captured::Folder, Reason::WrongKind),
        (Captured::TooLarge { size: 6 }, Reason::TooLarge),
        (Captured::TooLarge { size: 7 }, Reason::Differs),
    ] {
        assert_eq!(reasons(&[judged(&key, found)]), [reason]);
    }
}

#[test]
fn b2_an_empty_text_is_an_answer() {
    let key = of_text("\"\"");
    assert!(judged(&key, Captured::Text { text: String::new() }).correct);
    assert!(!judged(&key, Captured::Text { text: "\n".to_owned() }).correct);
    assert!(!judged(&key, Captured::Absent).correct);
    let several = of_text("any_of [\"\", \"none\\n\"] weight 2 gate");
    for (content, right) in [("", true), ("none\n", true), ("none", false), ("\n", false)] {
        assert_eq!(judged(&several, Captured::Text { text: content.to_owned() }).correct, right, "{content:?}");
    }
    // One that comes out empty in some samples does not stop the build.
    let body = "n : int 0..1 text old at \"old.txt\" = \"x\" left = if n == 0 then \"\" else \"a\"\n\
                prompt \"Write <<left>>, and nothing else, to copy; keep <<old>>.\" expect file \"copy\" bytes left";
    let home = create_folder(&[("s.pcd", &suite(body))]);
    expect_success(home.path(), &["selftest", "s.pcd"]);
}

/// A file of every format is copied by an agent that knows none of them; one byte more is wrong.
#[test]
fn b2_the_name_of_a_file_is_its_content_whatever_it_is() {
    let given = [
        ("options", "csv f at \"<<w>>.csv\" delimiter \";\" quoted crlf bom { rows 3 A : word B : word blank 20% }"),
        ("text", "text f at \"<<w>>.txt\" = \"<<w>>\\u{d}\\n\\u{d}\\n\""),
        ("file", "file f at \"<<w>>.bin\" from \"raw.bin\""),
        ("given", "sqlite f at \"<<w>>.db\" from \"given.db\""),
        ("book", "xlsx f at \"<<w>>.xlsx\" from \"given.xlsx\""),
    ];
    let of_formats = Format::ALL.iter().filter_map(|format| {
        let content = match format.holds {
            Holds::Cells(_) | Holds::Columns => "{ rows 3 A : word }",
            Holds::Database | Holds::Tables => "{ table t { rows 3 A : word } }",
            Holds::Tree => "{ a : word b : [ int 1..9 ; 3 ] }",
            Holds::Elements => "root { a : word }",
            Holds::Text | Holds::Page | Holds::Bytes => return None,
        };
        Some((format.word(), format!("{} f at \"<<w>>.{}\" {content}", format.word(), format.endings[0])))
    });
    let given = given.map(|(name, file)| (name, file.to_owned()));
    let files: Vec<(&str, String)> = of_formats.chain(given).collect();
    let tasks: Vec<String> = files
        .iter()
        .map(|(name, file)| {
            format!("task {name} {{ w : word {file} prompt \"Copy <<f>> to copy.\" expect file \"copy\" bytes f }}\n")
        })
        .collect();
    let source = format!("suite s {{ title \"S\" version \"1\" samples 2 }}\n{}", tasks.concat());
    let made = "suite m { title \"M\" version \"1\" samples 1 }\ntask m { allow unmentioned_file \"a test\" sqlite d at \"given.db\" { table t { rows 9 A : word } }\n\
                xlsx x at \"given.xlsx\" { rows 9 A : word } n : int 1..9 prompt \"Say <<n>>.\" expect reply number n }\n";
    let copy =
        "import os, shutil\nfor name in os.listdir('.'):\n    if not name.startswith('.'): shutil.copy(name, 'copy')\n";
    let more = format!("{copy}open('copy', 'ab').write(b'\\0')\n");
    let home = create_folder(&[("s.pcd", &source), ("m.pcd", made), ("copy.py", copy), ("more.py", &more)]);
    testing::write_in_folder(home.path(), "raw.bin", &(0..=255).collect::<Vec<u8>>());
    expect_success(home.path(), &["build", "m.pcd", "-o", "m", "--seed", "1", "--quiet"]);
    let given = std::fs::read_dir(home.path().join("m/files")).expect("files").next().expect("one").expect("read");
    for name in ["given.db", "given.xlsx"] {
        std::fs::copy(given.path().join(name), home.path().join(name)).expect("copied");
    }
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
    let all = 2 * files.len();
    assert_eq!(reasons(&run(home.path(), "cmd:python3 copy.py", "copy")), vec![Reason::Right; all]);
    assert_eq!(reasons(&run(home.path(), "cmd:python3 more.py", "more")), vec![Reason::Differs; all]);
    assert_eq!(reasons(&run(home.path(), "oracle", "oracle")), vec![Reason::Right; all]);
    expect_success(home.path(), &["selftest", "s.pcd"]);
    // A key says which file, and never holds what may be large and no text.
    let lines = std::fs::read_to_string(home.path().join("out/instances.jsonl")).expect("instances");
    for line in lines.lines() {
        let instance: Json = serde_json::from_str(line).expect("JSON");
        let key = &instance["metadata"]["picard"]["expect"][0];
        let path = key["content"].as_str().expect("a path");
        assert!(instance["files"][path].is_string() && key.get("value").is_none(), "{key}");
        assert_eq!(instance["target"], format!("bytes {path}"));
    }
}

/// A file that is moved: its bytes are elsewhere, and it is gone.
#[test]
fn b2_a_rename_is_met_by_the_oracle_and_by_nobody_who_rewrites() {
    let body = "old, new : distinct word text note at \"<<old>>.txt\" : lorem lines 5\n\
                prompt \"Rename <<note>> to <<new>>.txt.\" expect file \"<<new>>.txt\" bytes note expect file note absent";
    assert_eq!(said(body), Vec::<[String; 3]>::new());
    let home = create_folder(&[("s.pcd", &suite(body))]);
    expect_success(home.path(), &["selftest", "s.pcd"]);
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
    assert_eq!(reasons(&run(home.path(), "oracle", "oracle")), [Reason::Right; 6]);
    assert!(run(home.path(), "null", "null").iter().all(|score| !score.correct && score.score == 0.0));
    // What the commonest answer earns is no failure, whatever its file is called.
    assert_eq!(run(home.path(), "guess", "guess").len(), 3);
    let shown = expect_success(home.path(), &["preview", "s.pcd", "--seed", "1"]);
    assert!(shown.contains(".txt bytes of "), "{shown}");
    // A content is an answer like any other: it differs with the file.
    let body = "text note at \"note.txt\" : lorem lines 5 prompt \"Copy <<note>> to b.\" expect file \"b\" bytes note";
    let home = create_folder(&[("s.pcd", &suite(body))]);
    let analyzed = expect_success(home.path(), &["analyze", "s.pcd", "--json", "--samples", "30"]);
    let analyzed: Json = serde_json::from_str(&analyzed).expect("JSON");
    assert_eq!(analyzed["tasks"][0]["answers"], 30, "{analyzed}");
}

#[test]
fn b2_check_says_what_bytes_cannot_be() {
    let with = |expect: &str| {
        format!(
            "n : int 1..9 text a at \"a.txt\" = \"<<n>>\" text b at \"b.txt\" = \"x\"\n\
             prompt \"Copy <<a>>, not <<b>>, to c.txt.\" expect {expect}"
        )
    };
    let first = |expect: &str| said(&with(expect)).first().cloned().unwrap_or_default();
    for (expect, code, message) in [
        ("file \"c.txt\" bytes n", "E0301", "`bytes` compares a text, or the content of a declared file"),
        ("file \"c.txt\" bytes any_of [a, b]", "E0301", "`any_of` lists texts, but this is a file"),
        ("file \"c.txt\" bytes any_of []", "E0701", "`any_of` does not list an answer"),
        ("file \"c.txt\" bytes d", "E0201", ""),
        ("file \"c.txt\" bytes a ignore case", "E0306", "`ignore` does not work with `bytes`"),
        ("file \"c.txt\" bytes a ordered", "E0306", "`ordered` and `unordered` does not work with `bytes`"),
        ("file \"c.txt\" bytes a rounded 2", "E0306", "`rounded` does not work with `bytes`"),
    ] {
        let [found, text, help] = first(expect);
        assert_eq!(found, code, "{expect}: {text}");
        assert!(text.starts_with(message) && !help.is_empty(), "{expect}: {text} / {help}");
    }
    assert_eq!(codes("w : word blank 20% prompt \"Write c.txt.\" expect file \"c.txt\" bytes w"), ["E0303"]);
    for fine in ["a", "(a)", "<<a>>", "\"<<n>>\"", "content(a)", "any_of [content(a), \"\"]", "a gate weight 3"] {
        assert_eq!(said(&with(&format!("file \"c.txt\" bytes {fine}"))), Vec::<[String; 3]>::new(), "{fine}");
    }
}

#[test]
fn b2_what_is_so_already_or_never_told_is_said() {
    let file = "w : word text a at \"a.txt\" = w prompt \"Look at <<a>>.\"";
    for same in ["bytes a", "bytes content(a)", "bytes w"] {
        assert_eq!(codes(&format!("{file} expect file a {same}")), ["W0306"], "{same}");
    }
    // The answer is in a file that no prompt names.
    let silent = "text a at \"in/a.txt\" : lorem lines 3 prompt \"Write b.txt.\" expect file \"b.txt\" bytes a";
    assert_eq!(codes(silent), ["W0201"]);
    // A word where no matcher is remains a name.
    let named =
        "bytes : word text a at \"a.txt\" = \"<<bytes>>\" prompt \"Copy <<a>> to b.\" expect file \"b\" text bytes";
    assert_eq!(codes(named), Vec::<String>::new());
}

#[test]
fn b2_what_is_laid_out_and_recorded_stays_itself() {
    let body =
        "text   a at \"a.txt\" : lorem lines 3 prompt \"Copy <<a>> to b.\" expect   file \"b\"   bytes   a  gate";
    let home = create_folder(&[("s.pcd", &suite(body))]);
    expect_success(home.path(), &["fmt", "s.pcd"]);
    let laid_out = std::fs::read_to_string(home.path().join("s.pcd")).expect("a suite");
    assert!(laid_out.contains("expect file \"b\" bytes a gate"), "{laid_out}");
    let digest = |name: &str, words: &[&str]| {
        let mut all = vec!["build", "s.pcd", "--seed", "1", "--quiet", "-o", name];
        all.extend(words);
        let output = run_picardc(home.path(), &all);
        assert!(output.status.success(), "{}", output.err);
        std::fs::read(home.path().join(name).join("instances.jsonl")).expect("instances")
    };
    assert_eq!(digest("one", &["--threads", "1"]), digest("two", &["--threads", "2"]));
    // With keys apart, where its file is given by a path too.
    digest("split", &["--split-keys"]);
    expect_success(home.path(), &["run", "split", "--agent", "oracle", "-o", "r", "--quiet"]);
    assert_eq!(reasons(&scores(&home.path().join("r"))), [Reason::Right; 3]);
}
