//! `picard:`: a server of PICARD's protocol, which works in a folder of its own.

use std::fs;

use records::Status;

use super::home::{Home, SUITE};
use super::server::{Script, Server, cut, status, stream};

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

const DONE: &str = r#"{"role": "assistant", "type": "done"}"#;

fn chunk(text: &str) -> String {
    format!(r#"{{"role": "assistant", "type": "chunk", "content": "{text}"}}"#)
}

#[test]
fn a_whole_exchange_in_the_servers_own_folder() {
    let home = Home::new(SUITE);
    let sandbox = home.at("sandbox");
    let folder = sandbox.clone();
    let server = Server::new(move |request| {
        assert_eq!(request.body["max_output_tokens"], 4000);
        assert_eq!(request.body["temperature"], 0.4);
        let prompt = request.body["messages"][0]["content"].as_str().expect("a prompt");
        if let Some(number) = prompt.strip_prefix("Reply with ") {
            assert!(!folder.join("in").exists(), "the sandbox is the instance's own");
            // The stream ends without the last `done`: the answer counts all the same.
            return stream(&lines(&[&chunk("Let me see."), DONE, "", &chunk(number.trim_end_matches('.'))]));
        }
        let orders = fs::read_to_string(folder.join("in/orders.csv")).expect("the sandbox is filled");
        let sum: i64 = orders.lines().skip(1).map(|line| line.parse::<i64>().expect("a number")).sum();
        fs::write(folder.join("out.txt"), sum.to_string()).expect("written");
        let tool = r#"{"role": "tool_call", "content": "Tool result: 1"}"#;
        stream(&lines(&[
            &chunk("I "),
            &chunk("look."),
            DONE,
            tool,
            tool,
            r#"{"role": "status"}"#,
            &chunk("Done."),
            DONE,
        ]))
    });
    let ran =
        home.run(&format!("picard:{}/api/chat", server.url), "run", &["--sandbox", &sandbox.display().to_string()]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.correct("reply") && ran.correct("sum"), "{}", ran.everything());
    let sum = ran.of("sum");
    assert_eq!((sum.status, sum.rounds, sum.tool_calls), (Status::Done, Some(2), Some(2)));
    assert_eq!(sum.reply, "Done.");
}

#[test]
fn faults() {
    let home = Home::new(SUITE);
    let good = || stream(&lines(&[&chunk("42"), DONE]));
    let cases: [(&str, Script, Status, u32); 8] = [
        ("empty", || stream(&[]), Status::Failed, 1),
        ("blank", || stream(&lines(&["", &chunk(" "), DONE])), Status::Failed, 1),
        ("no_json", || stream(&lines(&[&chunk("4"), "oops"])), Status::Done, 2),
        ("no_role", || stream(&lines(&["{}"])), Status::Done, 2),
        ("no_content", || stream(&lines(&[r#"{"role": "assistant", "type": "chunk"}"#])), Status::Done, 2),
        ("cut", || cut(&lines(&[&chunk("4")])), Status::Done, 2),
        ("busy", || status("503 Service Unavailable", "", ""), Status::Done, 2),
        ("missing", || status("404 Not Found", "", "no such page"), Status::Failed, 1),
    ];
    for (name, fault, ends, attempts) in cases {
        let server = Server::new(move |request| if request.number == 0 { fault() } else { good() });
        let ran = home.run(&format!("picard:{}", server.url), name, &["--task", "reply"]);
        let response = ran.of("reply");
        assert_eq!((response.status, response.attempts), (ends, attempts), "{name}: {:?}", response.error);
        assert_eq!(ran.scores().len(), 1, "{name}");
        assert!(ends == Status::Done || !ran.correct("reply"), "{name}");
    }
}

#[test]
fn rounds_are_limited_and_files_need_a_folder() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| {
        let (one, two) = (chunk("one"), chunk("two"));
        stream(&lines(&[&one, DONE, &two, DONE, &chunk("three"), DONE]))
    });
    let ran = home.run(&format!("picard:{}", server.url), "run", &["--max-rounds", "2"]);
    let reply = ran.of("reply");
    assert_eq!((reply.status, reply.rounds, reply.reply.as_str()), (Status::MaxRounds, Some(2), "two"));
    let sum = ran.of("sum");
    assert!(sum.error.as_deref().is_some_and(|error| error.contains("--sandbox")), "{:?}", sum.error);
}

#[test]
fn a_folder_with_files_that_are_not_ours_is_refused() {
    let home = Home::new(SUITE);
    fs::create_dir(home.at("mine")).expect("made");
    fs::write(home.at("mine/thesis.txt"), "x").expect("written");
    let ran = home.run("oracle", "run", &["--sandbox", &home.at("mine").display().to_string()]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("not picardc's"), "{}", ran.err);
    assert!(home.at("mine/thesis.txt").exists());
}
