//! What the command line says, takes, and leaves behind.

#[cfg(unix)]
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};

#[cfg(unix)]
use testing::{CommandOutput, create_folder, expect_success, run_picardc, write_in_folder};

/// Whether a text could steer a terminal.
fn steers(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}'))
}

const TITLED: &str = "suite a { title \"x\" version \"1.0.0\" }\n";

#[test]
fn s10_check_prints_no_raw_escapes_of_a_source() {
    let home = create_folder(&[]);
    for hostile in ["\u{1b}]0;owned\u{7}", "\u{1b}[2J", "\u{9b}2J", "\u{202e}", "\u{1b}]52;c;cm0gLXJm\u{7}"] {
        write_in_folder(home.path(), "t.pcd", format!("{TITLED}task t{hostile} {{ prompt \"x\" }}\n").as_bytes());
        for format in ["human", "short", "github"] {
            let output = run_picardc(home.path(), &["check", "t.pcd", "--format", format]);
            assert_eq!(output.status.code(), Some(1));
            let said = output.join_output();
            assert!(!steers(&said), "{format}: {said:?}");
            assert!(said.contains("error"), "{format}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn s10_file_names_and_prompts_are_escaped_too() {
    let home = create_folder(&[]);
    let name = "n\u{1b}[2Jame.pcd";
    let output = run_picardc(home.path(), &["check", name]);
    assert!(!steers(&output.err) && output.err.contains("\\u{1b}[2J"), "{:?}", output.err);
    write_in_folder(home.path(), name, b"suite a { title ");
    let output = run_picardc(home.path(), &["check", name]);
    assert!(!steers(&output.err) && output.err.contains("\\u{1b}[2J"), "{:?}", output.err);
    let suite = format!("{TITLED}task t {{ n : int 1..9  prompt \"\u{1b}[2J<<n>>\"  expect reply number n + 1 }}\n");
    write_in_folder(home.path(), "p.pcd", suite.as_bytes());
    let output = run_picardc(home.path(), &["preview", "p.pcd", "--seed", "1"]);
    assert!(output.status.success(), "{}", output.err);
    assert!(!steers(&output.out) && output.out.contains("\\u{1b}[2J"), "{:?}", output.out);
}

/// Names that begin lines, steer terminals, or turn the direction of text, from numbers that look random.
#[cfg(unix)]
fn hostile_names() -> Vec<String> {
    let pieces = [
        "\n",
        "\r",
        "\t",
        "\u{1b}[2J",
        "\u{85}",
        "\u{2028}",
        "\u{202e}",
        "\n::error::x",
        "\n##[error]",
        "\n  ::stop-commands::x",
    ];
    let mut number: u64 = 7;
    let mut next = |most: usize| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as usize % most
    };
    let name =
        |_| (0..3).map(|_| format!("{}{}", ["a", "é", "x y", ""][next(4)], pieces[next(pieces.len())])).collect();
    let mut names: Vec<String> = (0..12).map(name).collect();
    names.extend(pieces.iter().map(|piece| format!("n{piece}")));
    names
}

#[cfg(unix)]
#[test]
fn s12_no_name_begins_a_line() {
    let broken = format!("{TITLED}task t {{ prompt \"<<n>>\" }}\n");
    let good =
        format!("{TITLED}task t {{ n : int 1..9  prompt \"Which number is <<n>>?\"  expect reply number n + 1 }}\n");
    for name in hostile_names() {
        let home = create_folder(&[]);
        let (bad, fine, odd) = (format!("{name}.pcd"), format!("b{name}.pcd"), format!("c{name}.pcd"));
        write_in_folder(home.path(), &bad, broken.as_bytes());
        write_in_folder(home.path(), &fine, good.as_bytes());
        write_in_folder(home.path(), &odd, b"\xff\xfe");
        let (out, run, none) = (format!("o{name}"), format!("r{name}"), format!("none{name}"));
        let mut said = Vec::new();
        let mut ask = |words: &[&str]| {
            let output = run_picardc(home.path(), words);
            assert!(!output.err.contains("panicked"), "{words:?}: {}", output.err);
            said.push((words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), output));
        };
        for format in ["human", "short", "github", "sarif", "json"] {
            ask(&["check", &bad, "--format", format]);
            ask(&["check", ".", "--format", format]);
            ask(&["check", &odd, &none, "--format", format]);
        }
        for words in [
            &["fmt", "--check", "."][..],
            &["fmt", "--diff", &fine],
            &["fmt", &odd, &none],
            &["check", "--fix", &fine],
            &["build", &fine, "-o", &out],
            &["build", &fine, "-o", &out],
            &["build", &none, "-o", &out],
            &["run", &out, "--agent", "oracle", "-o", &run],
            &["run", &out, "--agent", "null", "-o", &run],
            &["run", &none, "--agent", "oracle", "-o", &run],
            &["run", &out, "--agent", &format!("cmd:'./{none}'"), "-o", &none],
            &["score", &out, &run],
            &["score", &out, &none],
            &["report", &run],
            &["report", &none],
            &["compare", &run, &none],
            &["preview", &fine, "--seed", "1"],
            &["preview", &none],
            &["analyze", &none],
            &["selftest", &none],
            &["infer", &none],
            &["merge", &none, "-o", &out],
            &["export", "hf", &none, "-o", &out],
            &["init", &out],
        ] {
            ask(words);
        }
        for (words, output) in said {
            let lines = output.out.lines().chain(output.err.lines());
            for line in lines.filter(|line| {
                line.trim_start().starts_with("::") || line.contains("##[error]") && line.starts_with('#')
            }) {
                let ours = words.contains(&"github".to_owned())
                    && (line.starts_with("::error file=") || line.starts_with("::warning file="));
                assert!(ours, "{words:?}: {line:?}");
            }
            let exact = words.iter().any(|word| word == "json" || word == "sarif");
            assert!(exact || !steers(&output.join_output()), "{words:?}: {:?}", output.join_output());
        }
    }
}

#[cfg(unix)]
#[test]
fn s10_what_an_agent_says_last_is_escaped() {
    let suite = format!("{TITLED}task t {{ n : int 1..9  prompt \"<<n>>\"  expect reply number n + 1 }}\n");
    let agent = "#!/bin/sh\nprintf 'bad \\033]0;owned\\007\\n' >&2\nexit 1\n";
    let home = create_folder(&[("s.pcd", &suite), ("agent.sh", agent)]);
    let output =
        run_picardc(home.path(), &["run", "s.pcd", "--seed", "1", "--agent", "cmd:/bin/sh agent.sh", "-o", "r"]);
    let said = output.err;
    assert!(!steers(&said) && said.contains("owned"), "{said:?}");
}

/// Starts a command, sends it the signal when `ready`, and gives the exit status and what it said.
#[cfg(unix)]
fn signalled(home: &Path, arguments: &[&str], signal: &str, ready: impl Fn() -> bool) -> (Option<i32>, String) {
    let mut command = Command::new(testing::find_program());
    let child =
        command.args(arguments).current_dir(home).env("TMPDIR", home.join("tmp")).stderr(Stdio::piped()).spawn();
    let child = child.expect("it starts");
    for _ in 0..2_000 {
        if ready() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(ready(), "{arguments:?} did not begin");
    let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
    let output = CommandOutput::from(child.wait_with_output().expect("it ends"));
    (output.status.code(), output.err)
}

#[cfg(unix)]
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn d10_s18_signals_end_builds_merges_and_runs_tidily() {
    let suite = "suite a { title \"x\" version \"1.0.0\" samples 200_000 }\ntask t { n : int 1..999_999\n  csv f at \"f.csv\" { rows 30  A : int 1..9 }\n  \
                 prompt \"<<n>> <<f>>\"  expect reply number n + sum(f.A) }\n";
    let small = suite.replace("200_000", "3");
    let home = create_folder(&[("s.pcd", suite), ("small.pcd", &small), ("tmp/.keep", "")]);
    let begun = |prefix: &'static str| names(home.path()).iter().any(|name| name.starts_with(prefix));
    for signal in ["INT", "TERM", "HUP"] {
        let build = ["build", "s.pcd", "--seed", "1", "-o", "out", "--quiet"];
        let (status, said) = signalled(home.path(), &build, signal, || begun(".out.picardc-"));
        assert_eq!(status, Some(3), "{signal}: {said}");
        assert!(said.contains("interrupted"), "{signal}: {said}");
        assert!(!names(home.path()).iter().any(|name| name.contains("out")), "{signal}: {:?}", names(home.path()));

        let run = ["run", "small.pcd", "--seed", "1", "--agent", "cmd:sleep 60", "-o", "r", "--quiet"];
        let lock = home.path().join("r/.lock");
        let asked = || std::fs::read(&lock).is_ok_and(|text| !text.is_empty());
        let (status, said) = signalled(home.path(), &run, signal, asked);
        assert_eq!(status, Some(3), "{signal}: {said}");
        assert!(said.contains("stopped"), "{signal}: {said}");
        assert_eq!(names(&home.path().join("tmp")), [".keep"], "{signal}: no sandbox is left");
        std::fs::remove_dir_all(home.path().join("r")).expect("removed");
    }
    let parts = suite.replace("200_000", "3_000");
    write_in_folder(home.path(), "parts.pcd", parts.as_bytes());
    for part in ["1", "2"] {
        expect_success(
            home.path(),
            &[
                "build",
                "parts.pcd",
                "--seed",
                "1",
                "--shard",
                &format!("{part}/2"),
                "-o",
                &format!("p{part}"),
                "--quiet",
            ],
        );
    }
    let (status, said) = signalled(home.path(), &["merge", "p1", "p2", "-o", "out"], "TERM", || begun(".out.picardc-"));
    assert_eq!(status, Some(3), "{said}");
    assert!(!names(home.path()).iter().any(|name| name.contains("out")), "{:?}", names(home.path()));
}

/// A system that starts no more threads: the work is done on those there are, or the command ends with 3 and says why. Never a panic.
#[cfg(target_os = "linux")]
#[test]
fn s16_threads_that_cannot_start_do_not_end_the_process() {
    use std::os::unix::fs::PermissionsExt;
    let suite = format!("{TITLED}task t {{ samples 40  n : int 1..9  prompt \"<<n>>\"  expect reply number n + 1 }}\n");
    let home = create_folder(&[("s.pcd", &suite)]);
    std::fs::set_permissions(home.path(), PermissionsExt::from_mode(0o777)).expect("permissions");
    // root is not bound by the limit: it becomes a user of its own, with a copy of the program that this user can reach.
    let root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.starts_with(b"0\n"));
    let program = home.path().join("picardc");
    std::fs::copy(testing::find_program(), &program).expect("copied");
    let user = ["--reuid", "54321", "--regid", "54321", "--clear-groups"];
    if root
        && !Command::new("setpriv")
            .args(user)
            .arg(&program)
            .arg("--version")
            .output()
            .is_ok_and(|ran| ran.status.success())
    {
        eprintln!("skipped: setpriv cannot start picardc as another user");
        return;
    }
    let limited = |arguments: &[&str]| {
        let mut command = Command::new(if root { "setpriv" } else { "sh" });
        if root {
            command.args(user).arg("sh");
        }
        let shell = ["-c", "ulimit -u 1; exec ./picardc \"$@\"", "sh"];
        let output = CommandOutput::from(
            command.args(shell).args(arguments).current_dir(home.path()).output().expect("it starts"),
        );
        (output.status.code(), output.err)
    };
    for arguments in [
        &["build", "s.pcd", "--seed", "1", "-o", "b", "--threads", "8"][..],
        &["selftest", "s.pcd"],
        &["analyze", "s.pcd"],
        &["run", "s.pcd", "--seed", "1", "--agent", "oracle", "-o", "r"],
        &["fmt", "--check", "s.pcd"],
    ] {
        let (status, said) = limited(arguments);
        assert!(matches!(status, Some(0 | 1 | 3)), "{arguments:?}: {status:?} {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        assert!(status != Some(3) || said.contains("cannot start a thread"), "{arguments:?}: {said}");
    }
}
