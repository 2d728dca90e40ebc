//! A run that is killed goes on: nothing twice, nothing lost.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use records::{Response, Score, jsonl};

use super::home::{Home, picardc};

const SUITE: &str = r#"
suite many {
  title   "Many"
  version "1.0.0"
  samples 500
}

task sum {
  csv orders at "in/orders.csv" {
    rows 5
    AMT : int 1..1_000
  }
  prompt "Write the sum of AMT in <<orders>> to out.txt, and reply with it."
  expect file "out.txt" number sum(orders.AMT)
  expect reply number sum(orders.AMT)
}
"#;

/// How often a run is killed, all in all.
const KILLS: usize = 20;

fn scores(run: &Path) -> Vec<Score> {
    let scores: Vec<Score> = jsonl::read_all(&run.join("scores.jsonl")).expect("scores");
    scores.into_iter().map(|score| Score { wall_ms: None, ..score }).collect()
}

#[test]
fn killed_at_any_moment() {
    let home = Home::new(SUITE);
    let begun = Instant::now();
    assert_eq!(home.run("oracle", "whole", &[]).status, Some(0));
    // From before the first answer to about the last, however fast the machine is.
    let takes = begun.elapsed().as_millis().max(1) as u64;
    let whole = scores(&home.at("whole"));
    assert!(whole.len() == 500 && whole.iter().all(|score| score.correct));

    let (mut tries, mut kills, mut runs, mut amid) = (0, 0, 0, 0);
    while kills < KILLS {
        runs += 1;
        let run = home.at(&format!("run{runs}"));
        loop {
            let command =
                picardc().args(["run", "--quiet", "--agent", "oracle", "-o"]).args([&run, &home.at("bundle")]);
            let mut command = command.0;
            let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
            tries += 1;
            assert!(tries < 50 * KILLS as u64, "{kills} of {tries} tries came in time");
            std::thread::sleep(Duration::from_millis((tries * 7919) % takes));
            if child.try_wait().expect("a status").is_none() && kills < KILLS {
                child.kill().expect("killed");
                kills += 1;
                let there = fs::read_to_string(run.join("responses.jsonl")).map_or(0, |text| text.lines().count());
                amid += usize::from((1..500).contains(&there));
            }
            let output = child.wait_with_output().expect("ended");
            if output.status.success() {
                break;
            }
            assert_eq!(output.status.code(), None, "{}", String::from_utf8_lossy(&output.stderr));
        }
        let responses: Vec<Response> = jsonl::read_all(&run.join("responses.jsonl")).expect("responses");
        let ids: BTreeSet<&str> = responses.iter().map(|response| response.id.as_str()).collect();
        assert_eq!((responses.len(), ids.len()), (500, 500), "each exactly once");
        assert_eq!(scores(&run), whole);
        assert_eq!(fs::read_to_string(run.join(".lock")).expect("read"), "", "no sandbox is left");
        let unfinished = fs::read_dir(run.join("transcripts")).expect("read").flatten();
        let unfinished = unfinished.filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
        assert_eq!(unfinished.count(), 0);
    }
    assert!(amid > 0, "none of {kills} kills came between the first answer and the last");
}

/// `PICARDC_KILLS=100` repeats what is promised of a single run; without it fewer.
#[test]
fn s18_killed_many_times_in_one_run() {
    let kills: u64 = std::env::var("PICARDC_KILLS").map_or(12, |text| text.parse().expect("a number"));
    let home = Home::new(SUITE);
    assert_eq!(home.run("oracle", "whole", &[]).status, Some(0));
    let whole = scores(&home.at("whole"));
    let (run, responses) = (home.at("run"), home.at("run/responses.jsonl"));
    let there = || fs::read(&responses).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count() as u64);
    let start = || {
        let command = picardc().args(["run", "--quiet", "--agent", "oracle", "--concurrency", "1", "-o"]);
        command.args([&run, &home.at("bundle")]).0.stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let mut done = 0;
    let mut tries = 0u64;
    while done < kills {
        tries += 1;
        assert!(tries < 20 * kills, "{done} of {tries} tries came in time");
        let mut child = start();
        // Between none and twice a fair share of what is left, then killed within a millisecond or two of that answer; some before the first.
        let (before, fair) = (there(), (500 - there()) / (kills - done + 1));
        let wanted = before + (tries * 7919) % (2 * fair + 1);
        let until = Instant::now() + Duration::from_secs(20);
        while there() < wanted && child.try_wait().expect("a status").is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros((tries * 104_729) % 3_000));
        let running = child.try_wait().expect("a status").is_none();
        assert!(running || there() < 500 || done == kills, "the run ended before it was killed {kills} times");
        child.kill().expect("killed");
        let ended = child.wait_with_output().expect("ended");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code().is_none(), "{:?}: {said}", ended.status);
        done += u64::from(running);
    }
    let ended = start().wait_with_output().expect("ended");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let responses: Vec<Response> = jsonl::read_all(&responses).expect("responses");
    let ids: BTreeSet<&str> = responses.iter().map(|response| response.id.as_str()).collect();
    assert_eq!((responses.len(), ids.len()), (500, 500), "each exactly once");
    assert_eq!(scores(&run), whole);
    println!("{kills} kills in one run, {tries} starts");
}

#[test]
fn one_run_at_a_time() {
    let home = Home::new(SUITE);
    let agent = "cmd:sleep 10";
    let first = picardc().args(["run", "--quiet", "--limit", "1", "--agent", agent, "-o"]);
    let mut first = first.args([home.at("run"), home.at("bundle")]).0.spawn().expect("it starts");
    while fs::read_to_string(home.at("run/.lock")).unwrap_or_default().is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = home.run(agent, "run", &["--limit", "1"]);
    assert!(second.status == Some(2) && second.err.contains("another picardc is running"), "{}", second.err);
    assert!(first.wait().expect("ended").success());
}
