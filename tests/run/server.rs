//! A server on the loopback that answers each request with the bytes, and the faults, that a test wants.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value as Json;

/// What a server does, answer by answer.
pub type Script = fn() -> Vec<Do>;

/// What is done to a connection, one after the other; then it is closed.
pub enum Do {
    Send(String),
    Bytes(Vec<u8>),
    /// The same bytes so many times, or until the client goes away.
    Flood(Vec<u8>, usize),
    Wait(u64),
}

/// A request, as far as tests look.
#[derive(Clone)]
pub struct Request {
    pub head: String,
    pub body: Json,
    /// How many came before it.
    pub number: usize,
}

pub struct Server {
    pub url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub fn new(answer: impl Fn(&Request) -> Vec<Do> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &seen, &*answer));
            }
        });
        Server { url, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<Request>>, answer: &dyn Fn(&Request) -> Vec<Do>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let request = {
        let mut seen = seen.lock().expect("no panic");
        let request = Request { head, body: serde_json::from_slice(&body).expect("JSON"), number: seen.len() };
        seen.push(request.clone());
        request
    };
    for step in answer(&request) {
        match step {
            // A client that went away is the test's intent.
            Do::Send(text) => drop(stream.write_all(text.as_bytes()).and_then(|()| stream.flush())),
            Do::Bytes(bytes) => drop(stream.write_all(&bytes).and_then(|()| stream.flush())),
            Do::Flood(bytes, times) => {
                let _ = (0..times).try_for_each(|_| stream.write_all(&bytes));
            }
            Do::Wait(ms) => std::thread::sleep(Duration::from_millis(ms)),
        }
    }
}

/// A whole answer.
pub fn status(status: &str, headers: &str, body: &str) -> Vec<Do> {
    let length = body.len();
    vec![Do::Send(format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"))]
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";

/// A stream of pieces that comes to its end.
pub fn stream(pieces: &[String]) -> Vec<Do> {
    let mut steps = cut(pieces);
    steps.push(Do::Send("0\r\n\r\n".to_owned()));
    steps
}

/// A stream that breaks off.
pub fn cut(pieces: &[String]) -> Vec<Do> {
    let mut steps = vec![Do::Send(HEAD.to_owned())];
    for piece in pieces {
        steps.push(Do::Send(format!("{:x}\r\n{piece}\r\n", piece.len())));
        steps.push(Do::Wait(2));
    }
    steps
}
