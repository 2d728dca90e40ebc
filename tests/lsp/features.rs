//! Each feature over its fixtures.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::lsp::editor::{Editor, cursors, place};

/// Where fixtures seem to lie.
const URI: &str = "file:///suites/fixture.pcd";

/// So many offers are shown.
const OFFERS: usize = 24;

fn fixtures(feature: &str, show: impl Fn(&mut Editor, &str, &[(u32, u32)]) -> String) {
    testing::check_snapshots(&testing::root().join("tests/lsp/fixtures").join(feature), "pcd", |path| {
        let marked = fs::read_to_string(path).expect("a fixture");
        let (text, places) = cursors(&marked);
        let mut editor = Editor::new();
        editor.open(URI, &text);
        let shown = show(&mut editor, &text, &places);
        editor.close();
        shown
    });
}

/// What is shown at each cursor, under the line that it stands in.
fn at_each(
    editor: &mut Editor,
    text: &str,
    places: &[(u32, u32)],
    show: impl Fn(&mut Editor, (u32, u32)) -> String,
) -> String {
    let mut out = String::new();
    for (line, character) in places {
        let (before, after) = text.lines().nth(*line as usize).expect("a line").split_at(*character as usize);
        let _ = writeln!(out, "═══ {}‸{}", before.trim_start(), after);
        let _ = writeln!(out, "{}", show(editor, (*line, *character)).trim_end());
    }
    out
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

/// The bytes of a range.
fn bytes(text: &str, range: &Value) -> std::ops::Range<usize> {
    let offset = |position: &Value| {
        let lines: usize = text.split_inclusive('\n').take(number(&position["line"])).map(str::len).sum();
        lines + number(&position["character"])
    };
    offset(&range["start"])..offset(&range["end"])
}

/// The text with edits applied.
fn applied(text: &str, edits: &Value) -> String {
    let mut edits: Vec<(std::ops::Range<usize>, &str)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|edit| (bytes(text, &edit["range"]), edit["newText"].as_str().expect("a text")))
        .collect();
    edits.sort_by_key(|(range, _)| std::cmp::Reverse((range.start, range.end)));
    let mut out = text.to_owned();
    for (range, new) in edits {
        out.replace_range(range, new);
    }
    out
}

/// The lines that differ.
fn changed(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if old.len() == new.len() {
        let lines = old.iter().zip(&new).zip(1..).filter(|((old, new), _)| old != new);
        return lines.map(|((_, new), number)| format!("{number:>3} {new}\n")).collect();
    }
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(old.len().min(new.len()) - head)
        .take_while(|(a, b)| a == b)
        .count();
    new[head..new.len() - tail].iter().zip(head + 1..).map(|(line, number)| format!("{number:>3} {line}\n")).collect()
}

#[test]
fn hover() {
    fixtures("hover", |editor, text, places| {
        at_each(editor, text, places, |editor, at| {
            let hover = editor.ask("textDocument/hover", place(URI, at));
            if hover.is_null() {
                return "nothing".to_owned();
            }
            format!("[{}]\n{}", &text[bytes(text, &hover["range"])], hover["contents"]["value"].as_str().expect("text"))
        })
    });
}

#[test]
fn completion() {
    fixtures("completion", |editor, text, places| {
        at_each(editor, text, places, |editor, at| {
            let list = editor.ask("textDocument/completion", place(URI, at));
            let Some(items) = list["items"].as_array() else { return "nothing".to_owned() };
            let mut items: Vec<&Value> = items.iter().collect();
            // As editors do: what does not begin with what is typed is left out, the rest sorted.
            items.retain(|item| {
                let typed = &text[bytes(text, &item["textEdit"]["range"])];
                let name = item["filterText"].as_str().or(item["label"].as_str()).expect("a label");
                name.to_lowercase().contains(&typed.to_lowercase())
            });
            items.sort_by_key(|item| item["sortText"].as_str().expect("an order").to_owned());
            let mut out = String::new();
            for item in items.iter().take(OFFERS) {
                let label = item["label"].as_str().expect("a label");
                let detail = item["detail"].as_str().map(|detail| format!("   {detail}")).unwrap_or_default();
                let _ = writeln!(out, "{label}{detail}");
            }
            if items.len() > OFFERS {
                let _ = writeln!(out, "… {} in all", items.len());
            }
            if out.is_empty() { "nothing".to_owned() } else { out }
        })
    });
}

#[test]
fn signature() {
    fixtures("signature", |editor, text, places| {
        at_each(editor, text, places, |editor, at| {
            let help = editor.ask("textDocument/signatureHelp", place(URI, at));
            if help.is_null() {
                return "nothing".to_owned();
            }
            let mut out = String::new();
            for (index, signature) in help["signatures"].as_array().expect("a list").iter().enumerate() {
                let mark = if index == number(&help["activeSignature"]) { "→" } else { " " };
                let active = signature["activeParameter"]
                    .as_u64()
                    .map(|at| signature["parameters"][at as usize]["label"].clone());
                let label = signature["label"].as_str().expect("a label");
                let active = active.and_then(|active| active.as_str().map(|active| format!("   [{active}]")));
                let _ = writeln!(out, "{mark} {label}{}", active.unwrap_or_default());
            }
            out
        })
    });
}

fn locations(text: &str, locations: &Value) -> String {
    let list = match locations {
        Value::Array(list) => list.clone(),
        Value::Null => return "nothing".to_owned(),
        one => vec![one.clone()],
    };
    let mut out = String::new();
    for location in list {
        let uri = location["uri"].as_str().expect("a uri");
        let line = number(&location["range"]["start"]["line"]);
        if uri == URI {
            let range = bytes(text, &location["range"]);
            let _ =
                writeln!(out, "{:>3} {} [{}]", line + 1, text.lines().nth(line).expect("a line").trim(), &text[range]);
        } else {
            let _ = writeln!(out, "{uri}:{}", line + 1);
        }
    }
    out
}

#[test]
fn definition() {
    fixtures("definition", |editor, text, places| {
        at_each(editor, text, places, |editor, at| {
            locations(text, &editor.ask("textDocument/definition", place(URI, at)))
        })
    });
}

#[test]
fn references() {
    fixtures("references", |editor, text, places| {
        at_each(editor, text, places, |editor, at| {
            let mut params = place(URI, at);
            params["context"] = json!({ "includeDeclaration": true });
            let references = locations(text, &editor.ask("textDocument/references", params));
            let highlights = editor.ask("textDocument/documentHighlight", place(URI, at));
            assert_eq!(
                highlights.as_array().map_or(0, Vec::len),
                references.lines().filter(|line| *line != "nothing").count()
            );
            references
        })
    });
}

#[test]
fn rename() {
    fixtures("rename", |editor, text, places| {
        at_each(editor, text, places, |editor, at| {
            let mut params = place(URI, at);
            params["newName"] = json!("renamed");
            let id = editor.begin("textDocument/rename", params);
            match editor.wait(&id).response_result {
                Err(refused) => format!("refused: {}", refused.message),
                Ok(edit) => {
                    let after = applied(text, &edit["documentChanges"][0]["edits"]);
                    let prepared = editor.ask("textDocument/prepareRename", place(URI, at));
                    format!("{}\n{}", prepared["placeholder"].as_str().expect("a name"), changed(text, &after))
                }
            }
        })
    });
}

#[test]
fn symbols() {
    fixtures("symbols", |editor, _, _| {
        fn show(out: &mut String, symbols: &Value, depth: usize) {
            for symbol in symbols.as_array().into_iter().flatten() {
                let lines = |range: &Value| (number(&range["start"]["line"]) + 1, number(&range["end"]["line"]) + 1);
                let (first, last) = lines(&symbol["range"]);
                let (name, detail) =
                    (symbol["name"].as_str().expect("a name"), symbol["detail"].as_str().expect("words"));
                let _ = writeln!(out, "{:indent$}{name} ({detail}) {first}–{last}", "", indent = depth * 2);
                show(out, &symbol["children"], depth + 1);
            }
        }
        let mut out = String::new();
        show(&mut out, &editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } })), 0);
        let found = editor.ask("workspace/symbol", json!({ "query": "ordam" }));
        for symbol in found.as_array().expect("a list") {
            let _ = writeln!(out, "`ordam` finds {} in {}", symbol["name"], symbol["containerName"]);
        }
        out
    });
}

#[test]
fn folding() {
    fixtures("folding", |editor, text, _| {
        let ranges = editor.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": URI } }));
        let mut out = String::new();
        for range in ranges.as_array().expect("a list") {
            let (start, end) = (number(&range["startLine"]), number(&range["endLine"]));
            assert!(start < end && end < text.lines().count());
            let _ = writeln!(out, "{:>3}–{:<3} {}", start + 1, end + 1, text.lines().nth(start).expect("a line"));
        }
        out
    });
}

#[test]
fn selection() {
    fixtures("selection", |editor, text, places| {
        at_each(editor, text, places, |editor, (line, character)| {
            let position = json!({ "line": line, "character": character });
            let ranges = editor
                .ask("textDocument/selectionRange", json!({ "textDocument": { "uri": URI }, "positions": [position] }));
            let mut out = String::new();
            let mut range = &ranges[0];
            while !range.is_null() {
                let selected = &text[bytes(text, &range["range"])];
                let shown: String = selected.chars().take(70).collect::<String>().replace('\n', "⏎");
                let _ = writeln!(out, "{shown}{}", if shown.len() < selected.len() { " …" } else { "" });
                range = &range["parent"];
            }
            out
        })
    });
}

#[test]
fn tokens() {
    fixtures("tokens", |editor, text, _| {
        let legend = editor.capabilities["semanticTokensProvider"]["legend"].clone();
        let tokens = editor.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } }));
        let data: Vec<usize> = tokens["data"].as_array().expect("a list").iter().map(number).collect();
        let (mut line, mut character, mut shown) = (0, 0, usize::MAX);
        let mut out = String::new();
        for token in data.chunks(5) {
            (line, character) = if token[0] > 0 { (line + token[0], token[1]) } else { (line, character + token[1]) };
            let written = text.lines().nth(line).expect("a line");
            if line != shown {
                let _ = writeln!(out, "═══ {}", written.trim());
                shown = line;
            }
            let modifiers: Vec<&str> = (0..7)
                .filter(|bit| token[4] & (1 << bit) != 0)
                .map(|bit| legend["tokenModifiers"][bit].as_str().expect("a word"))
                .collect();
            let colour = legend["tokenTypes"][token[3]].as_str().expect("a word");
            let word = &written[character..character + token[2]];
            let _ = writeln!(out, "{word:<24} {colour} {}", modifiers.join(" "));
        }
        out.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    });
}

#[test]
fn hints() {
    fixtures("hints", |editor, text, _| {
        let end = json!({ "line": text.lines().count(), "character": 0 });
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
        let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": URI }, "range": range }));
        let edits: Vec<Value> = hints
            .as_array()
            .expect("a list")
            .iter()
            .map(|hint| {
                let range = json!({ "start": hint["position"], "end": hint["position"] });
                json!({ "range": range, "newText": format!("«{}»", hint["label"].as_str().expect("a label")) })
            })
            .collect();
        applied(text, &Value::Array(edits))
    });
}

#[test]
fn lenses() {
    fixtures("lenses", |editor, text, _| {
        let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
        let mut out = String::new();
        for lens in lenses.as_array().expect("a list") {
            let command = &lens["command"];
            let over = &text[bytes(text, &lens["range"])];
            let _ = writeln!(out, "{over}: {} = {} {}", command["title"], command["command"], command["arguments"]);
        }
        out
    });
}

#[test]
fn diagnostics_and_actions() {
    fixtures("actions", |editor, text, _| {
        let mut out = String::new();
        for said in editor.diagnostics(URI) {
            let range = bytes(text, &said["range"]);
            let _ = writeln!(out, "═══ {} at [{}]", said["code"].as_str().expect("a code"), &text[range]);
            let _ = writeln!(out, "{}", said["message"].as_str().expect("a message"));
            let _ = writeln!(out, "see {}", said["codeDescription"]["href"].as_str().expect("a page"));
            for related in said["relatedInformation"].as_array().into_iter().flatten() {
                let _ = writeln!(
                    out,
                    "also [{}] {}",
                    &text[bytes(text, &related["location"]["range"])],
                    related["message"]
                );
            }
            let params = json!({ "textDocument": { "uri": URI }, "range": said["range"], "context": { "diagnostics": [said], "only": ["quickfix"] } });
            for action in editor.ask("textDocument/codeAction", params).as_array().into_iter().flatten() {
                let preferred = if action["isPreferred"] == true { " (preferred)" } else { "" };
                let _ = writeln!(out, "→ {}{preferred}", action["title"].as_str().expect("a title"));
                out.push_str(&changed(text, &applied(text, &action["edit"]["documentChanges"][0]["edits"])));
            }
        }
        let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
        let params = json!({ "textDocument": { "uri": URI }, "range": all, "context": { "diagnostics": [], "only": ["source.fixAll"] } });
        for action in editor.ask("textDocument/codeAction", params).as_array().into_iter().flatten() {
            let _ = writeln!(out, "═══ {}", action["title"].as_str().expect("a title"));
            out.push_str(&changed(text, &applied(text, &action["edit"]["documentChanges"][0]["edits"])));
        }
        out
    });
}

#[test]
fn formatting_gives_what_fmt_gives_and_leaves_what_cannot_be_read() {
    let ragged = "suite s { title \"S\"  version \"1\" }\r\n\r\n\r\n\r\ntask t {\r\n   n:int 1..9\r\n prompt \"<<n>>\"\r\n  expect reply number n\r\n}\r\n";
    let mut editor = Editor::new();
    let ask = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 2, "insertSpaces": true } });
    editor.open(URI, ragged);
    let edits = editor.ask("textDocument/formatting", ask.clone());
    let laid_out = compiler::fmt::format_source(ragged).expect("it can be read");
    assert_ne!(laid_out, ragged);
    assert_eq!(applied(ragged, &edits), laid_out);
    editor.replace(URI, &laid_out);
    assert_eq!(editor.ask("textDocument/formatting", ask.clone()), json!([]));
    editor.replace(URI, "suite s { title \"S }");
    let why = editor.refused("textDocument/formatting", ask);
    assert!(why.contains("is left as it is"), "{why}");
    editor.close();
}

/// What `%` in a pattern does is told where `written` is, of a column that is read and of one that is written.
#[test]
fn the_hover_of_written_says_what_a_percent_sign_does() {
    let source = "suite s { title \"T\" version \"1\" }\ntask t {\n  csv a at \"a.csv\" { rows 3  N : decimal 0.1..0.9 as written \"0%\" }\n  \
                  table b from \"b.csv\" { N : decimal as written \"0%\" }\n  prompt \"Sum N of <<a>>.\"\n  expect reply number sum(a.N)\n}\n";
    let mut editor = Editor::new();
    editor.open(URI, source);
    for (line, text) in (0..).zip(source.lines()).filter(|(_, text)| text.contains(" as written")) {
        let at = text.find("written").expect("a pattern") as u32 + 2;
        let hover = editor.ask("textDocument/hover", place(URI, (line, at)));
        let shown = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(shown.contains("`%` after the digits divides by 100: `0%` reads `50%` as 0.5"), "line {line}: {hover}");
    }
    editor.close();
}

/// How each example is judged is told where `accepts` and `rejects` are.
#[test]
fn the_hover_of_examples_says_how_they_are_judged() {
    let source = "suite s { title \"T\" version \"1\" }\ntask t {\n  n : int 10..99\n  csv a at \"a.csv\" { rows 3  N : int 1..9 }\n\
                  prompt \"<<n>>? Sum N of <<a>>.\"\n  variant one { prompt \"What is <<n>> + 1, with <<a>>?\"  expect reply number n + 1\n    \
                  accepts \"**<<n + 1>>**.\", \"about <<n + 1>>\"\n    rejects n + 1.5, \"*<<n + 1>>*\"\n    rejects others }\n  \
                  variant two { prompt \"What is the sum of N in <<a>>?\"  expect reply number sum(a.N)\n    rejects sum(a.N) + 1 }\n}\n";
    let mut editor = Editor::new();
    editor.open(URI, source);
    let mut shown = Vec::new();
    for (line, text) in (0..).zip(source.lines()) {
        let words = ["accepts", "rejects"].iter().filter_map(|word| text.find(word));
        for at in words {
            let hover = editor.ask("textDocument/hover", place(URI, (line, at as u32 + 2)));
            let text = hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
            shown.push(text.split_once("In the first instance:").map_or(text.clone(), |(_, list)| list.to_owned()));
        }
    }
    let [accepts, rejects, others, two] = &shown[..] else { panic!("{shown:?}") };
    let digits: String = accepts.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    let n: u32 = digits.parse().expect("a number");
    let wanted = format!(
        "\n\n- `\"**{n}**.\"`: accepted\n- `\"about {n}\"`: **rejected**, but must be accepted: `not_a_number`"
    );
    assert!(accepts.starts_with(&wanted), "{accepts}");
    let wanted = format!("\n\n- `{n}.5`: rejected\n- `\"*{n}*\"`: **accepted**, but must be rejected");
    assert_eq!(*rejects, wanted);
    assert!(others.ends_with("`picardc selftest` tries the answers of other instances."), "{others}");
    assert!(two.starts_with("\n\n- `") && two.ends_with("`: rejected"), "{two}");
    editor.close();
}
