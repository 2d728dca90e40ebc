//! What PICARD's runner gets wrong (docs: reference/picard.md, defects 48 to 50), held here.

use records::Status;

use super::home::{Home, SUITE, picardc};
use super::server::{Server, status, stream};

#[test]
fn defect_48_an_answer_is_kept_when_the_stream_ends_early() {
    let home = Home::new(SUITE);
    let server = Server::new(|_| {
        let line = "{\"role\": \"assistant\", \"type\": \"chunk\", \"content\": \"42\"}\n";
        stream(&[line.to_owned()])
    });
    let ran = home.run(&format!("picard:{}", server.url), "run", &["--task", "reply"]);
    assert_eq!((ran.of("reply").status, ran.of("reply").reply.as_str()), (Status::Done, "42"));
    let server = Server::new(|_| stream(&[]));
    let ran = home.run(&format!("picard:{}", server.url), "empty", &["--task", "reply"]);
    assert_eq!(ran.of("reply").status, Status::Failed, "nothing is no answer");
}

#[test]
fn defect_49_one_failed_request_does_not_end_the_run() {
    let home = Home::new(&SUITE.replace("samples 1", "samples 4"));
    let server = Server::new(|request| match request.number {
        1 => status("404 Not Found", "", ""),
        2 => status("500 Internal Server Error", "", ""),
        _ => stream(&["{\"role\": \"assistant\", \"type\": \"chunk\", \"content\": \"42\"}\n".to_owned()]),
    });
    let ran = home.run(&format!("picard:{}", server.url), "run", &["--task", "reply", "--retries", "0"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let ends = |status| ran.responses.iter().filter(|response| response.status == status).count();
    assert_eq!((ends(Status::Done), ends(Status::Failed)), (2, 2));
    assert_eq!(ran.scores().len(), 4);
}

#[test]
fn defect_50_what_is_scored_is_what_was_run() {
    let home = Home::new(SUITE);
    home.run("oracle", "run", &[]);
    assert_eq!(picardc().args(["score"]).output().status.code(), Some(2), "no bundle and no run is assumed");
    let other = Home::new(&SUITE.replace("rows 5", "rows 6"));
    let scored = picardc().args(["score".into(), other.at("bundle"), home.at("run")]).output();
    assert_eq!(scored.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&scored.stderr).contains("is of another bundle"));
}
