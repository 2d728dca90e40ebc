//! What the command line says, takes, and leaves behind.

use super::support::{folder, picardc, stderr, stdout, write};

/// Whether a text could steer a terminal.
fn steers(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}'))
}

const TITLED: &str = "suite a { title \"x\" version \"1.0.0\" }\n";

#[test]
fn s10_check_prints_no_raw_escapes_of_a_source() {
    let home = folder(&[]);
    for hostile in ["\u{1b}]0;owned\u{7}", "\u{1b}[2J", "\u{9b}2J", "\u{202e}", "\u{1b}]52;c;cm0gLXJm\u{7}"] {
        write(home.path(), "t.pcd", format!("{TITLED}task t{hostile} {{ prompt \"x\" }}\n").as_bytes());
        for format in ["human", "short", "github"] {
            let output = picardc(home.path(), &["check", "t.pcd", "--format", format]);
            assert_eq!(output.status.code(), Some(1));
            let said = stdout(&output) + &stderr(&output);
            assert!(!steers(&said), "{format}: {said:?}");
            assert!(said.contains("error"), "{format}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn s10_file_names_and_prompts_are_escaped_too() {
    let home = folder(&[]);
    let name = "n\u{1b}[2Jame.pcd";
    let output = picardc(home.path(), &["check", name]);
    assert!(!steers(&stderr(&output)) && stderr(&output).contains("\\u{1b}[2J"), "{:?}", stderr(&output));
    write(home.path(), name, b"suite a { title ");
    let output = picardc(home.path(), &["check", name]);
    assert!(!steers(&stderr(&output)) && stderr(&output).contains("\\u{1b}[2J"), "{:?}", stderr(&output));
    let suite = format!("{TITLED}task t {{ n : int 1..9  prompt \"\u{1b}[2J<<n>>\"  expect reply number n + 1 }}\n");
    write(home.path(), "p.pcd", suite.as_bytes());
    let output = picardc(home.path(), &["preview", "p.pcd", "--seed", "1"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!steers(&stdout(&output)) && stdout(&output).contains("\\u{1b}[2J"), "{:?}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn s10_what_an_agent_says_last_is_escaped() {
    let suite = format!("{TITLED}task t {{ n : int 1..9  prompt \"<<n>>\"  expect reply number n + 1 }}\n");
    let agent = "#!/bin/sh\nprintf 'bad \\033]0;owned\\007\\n' >&2\nexit 1\n";
    let home = folder(&[("s.pcd", &suite), ("agent.sh", agent)]);
    let output = picardc(home.path(), &["run", "s.pcd", "--seed", "1", "--agent", "cmd:/bin/sh agent.sh", "-o", "r"]);
    let said = stderr(&output);
    assert!(!steers(&said) && said.contains("owned"), "{said:?}");
}
