//! Finding S5: a server that asks for a pause gets a minute at most, the user is told, and pauses count against `--timeout`. No test waits for a long pause: a
//! run is stopped as soon as it has said what it waits for.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::home::{Home, SUITE, picardc};
use super::server::{Server, status};

fn refuse_with(pause: &str) -> Server {
    let header = format!("retry-after: {pause}\r\n");
    Server::new(move |_| status("429 Too Many Requests", &header, "slow down"))
}

#[test]
fn a_pause_of_more_than_a_minute_is_cut_and_said_once() {
    let home = Home::new(&SUITE.replace("samples 1", "samples 3"));
    for (asked, is_cut) in [("61", true), ("99999999999", true), ("60", false), ("7", false)] {
        let begun = Instant::now();
        let server = refuse_with(asked);
        let spec = format!("openai:{}/v1#m", server.url);
        // A minute fits into this time to the second, so it is waited for; the pause that was asked for would not fit.
        let command = picardc().args(["run", "--agent", &spec, "--timeout", "60", "--retry-pause", "0.05"]);
        let mut command = command.args(["--retries", "1", "--concurrency", "6", "-o"]);
        let mut child = command
            .0
            .args([home.at(&format!("run-{asked}")), home.at("bundle")])
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut err = BufReader::new(child.stderr.take().expect("piped"));
        let mut said = String::new();
        while is_cut && !said.contains("Retry-After") && err.read_line(&mut said).expect("text") > 0 {}
        while server.requests().len() < 6 && begun.elapsed() < Duration::from_secs(50) {
            std::thread::sleep(Duration::from_millis(10));
        }
        // Time for a note that would be too many.
        std::thread::sleep(Duration::from_millis(300));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("it runs").success());
        err.read_to_string(&mut said).expect("text");
        let ended = child.wait().expect("a status");
        assert!(ended.code() == Some(3) && said.contains("stopped: 0 of 6 answers"), "{asked}: {ended:?} {said}");
        let note = format!("note: the server asks to wait {asked} s before a retry (Retry-After); picardc waits 60 s");
        assert_eq!(said.matches(&note).count(), usize::from(is_cut), "{asked}: {said}");
        assert_eq!(said.matches("Retry-After").count(), usize::from(is_cut), "{asked}: {said}");
        assert!(begun.elapsed() < Duration::from_secs(55), "{asked}: {:?}", begun.elapsed());
    }
}

/// A minute more than the time is not waited for, and several short pauses are added.
#[test]
fn pauses_count_against_the_time() {
    let home = Home::new(SUITE);
    for (asked, time, attempts) in [("61", "59", 1), ("60", "59", 1), ("1", "2", 3)] {
        let begun = Instant::now();
        let server = refuse_with(asked);
        let flags = ["--task", "reply", "--timeout", time, "--retries", "9"];
        let ran = home.run(&format!("openai:{}/v1#m", server.url), &format!("run-{asked}"), &flags);
        let response = ran.of("reply");
        let error = response.error.as_deref().unwrap_or_default();
        assert_eq!((response.attempts, server.requests().len()), (attempts, attempts as usize), "{asked}: {error}");
        let words = format!("asks for a pause of {asked} s, and all pauses together are longer than --timeout");
        assert!(error.contains(&words), "{error}");
        assert!(!ran.err.contains("(Retry-After)"), "a pause that nobody waits for is not announced: {}", ran.err);
        assert!(begun.elapsed() < Duration::from_secs(30), "{asked}: {:?}", begun.elapsed());
    }
}
