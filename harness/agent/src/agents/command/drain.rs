//! Reads pipes to their end, and keeps a limited part.

use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::secrets::{EDGE, Kind, Secrets};

/// Which part of a pipe's output is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first bytes, this many.
    First(usize),
    /// The last bytes, this many.
    Last(usize),
}

/// The output of a pipe.
#[derive(Debug, Default)]
pub struct Drained {
    /// The text; invalid UTF-8 is replaced.
    pub text: String,
    /// Whether some of the output was dropped.
    pub is_cut: bool,
    /// The number of secrets that are masked in it.
    pub masked: u32,
}

impl Drained {
    /// Returns the last nonblank line, at most 300 characters of it.
    pub fn last_line(&self) -> String {
        let line = self.text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        line.trim().chars().take(300).collect()
    }
}

/// A pipe that is being read to its end.
pub struct Draining {
    keep: Keep,
    receiver: Receiver<Kept>,
    ended: Option<Kept>,
}

impl Draining {
    /// Starts to read a pipe; `None` is an empty pipe.
    pub fn new(pipe: Option<impl Read + Send + 'static>, keep: Keep) -> Draining {
        match pipe {
            Some(pipe) => Draining { keep, receiver: read_in_background(pipe, keep), ended: None },
            None => Draining { keep, receiver: channel().1, ended: Some(Kept::default()) },
        }
    }

    /// Waits for the end of the pipe, at most `patience`. Returns whether it has ended.
    pub fn wait_for_end(&mut self, patience: Duration) -> bool {
        if self.ended.is_none() {
            self.ended = match self.receiver.recv_timeout(patience) {
                Ok(kept) => Some(kept),
                Err(RecvTimeoutError::Timeout) => None,
                // The reading thread is gone: no more output will come.
                Err(RecvTimeoutError::Disconnected) => Some(Kept::default()),
            };
        }
        self.ended.is_some()
    }

    /// Returns the output with secrets masked. A pipe ends when all its writers are dead; if one has escaped, this waits for two seconds only.
    pub fn collect_output(mut self, secrets: &Secrets, kind: Kind) -> Drained {
        self.wait_for_end(Duration::from_secs(2));
        self.ended.unwrap_or_default().to_drained(self.keep, secrets, kind)
    }
}

/// The bytes of a pipe that are kept, and up to [`EDGE`] more, which may contain the rest of a secret.
#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Whether more bytes were dropped.
    lost: bool,
}

impl Kept {
    fn to_drained(&self, keep: Keep, secrets: &Secrets, kind: Kind) -> Drained {
        let text = String::from_utf8_lossy(&self.bytes);
        let (limit, part) = match keep {
            Keep::First(limit) => (limit, 0..text.len().min(limit)),
            Keep::Last(limit) => (limit, text.len().saturating_sub(limit)..text.len()),
        };
        let is_cut = self.lost || self.bytes.len() > limit;
        let part = if is_cut { part } else { 0..text.len() };
        let (text, masked) = secrets.mask_within(&text, part, kind);
        Drained { text: text.into_owned(), is_cut, masked }
    }
}

/// Reads a pipe to its end on a new thread.
fn read_in_background(mut pipe: impl Read + Send + 'static, keep: Keep) -> Receiver<Kept> {
    let (done, receiver) = channel();
    let (limit, is_last) = match keep {
        Keep::First(limit) => (limit + EDGE, false),
        Keep::Last(limit) => (limit + EDGE, true),
    };
    std::thread::spawn(move || {
        let mut kept = Kept::default();
        let mut block = vec![0; 1 << 16];
        loop {
            let read = match pipe.read(&mut block) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => break,
                Ok(read) => block.get(..read).unwrap_or_default(),
            };
            let room = if is_last { read.len() } else { limit.saturating_sub(kept.bytes.len()).min(read.len()) };
            kept.bytes.extend_from_slice(read.get(..room).unwrap_or_default());
            kept.lost |= room < read.len();
            let over = kept.bytes.len().saturating_sub(limit);
            if is_last && over > limit {
                kept.bytes.drain(..over);
                kept.lost = true;
            }
        }
        let over = kept.bytes.len().saturating_sub(limit);
        kept.bytes.drain(..over);
        kept.lost |= over > 0;
        // The receiver may have given up.
        let _ = done.send(kept);
    });
    receiver
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn keeps_the_first_or_the_last() {
        let text: Vec<u8> = (0..100_000_u32).flat_map(|n| format!("{n}\n").into_bytes()).collect();
        let read = |keep| {
            let kept = read_in_background(std::io::Cursor::new(text.clone()), keep).recv().expect("drained");
            kept.to_drained(keep, &Secrets::default(), Kind::Said)
        };
        let first = read(Keep::First(4));
        assert_eq!((first.text.as_str(), first.is_cut), ("0\n1\n", true));
        let last = read(Keep::Last(6));
        assert_eq!((last.text.as_str(), last.is_cut), ("99999\n", true));
        assert_eq!(last.last_line(), "99999");
        let all = read(Keep::Last(text.len()));
        assert_eq!((all.text.len(), all.is_cut), (text.len(), false));
    }

    #[test]
    fn waits_for_the_end_and_no_longer() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let mut draining = Draining::new(Some(reader), Keep::First(9));
        assert!(!draining.wait_for_end(Duration::from_millis(1)));
        writer.write_all(b"done").expect("written");
        assert!(!draining.wait_for_end(Duration::from_millis(1)));
        drop(writer);
        assert!(draining.wait_for_end(Duration::from_secs(60)));
        assert!(draining.wait_for_end(Duration::ZERO), "an end stays");
        let text = |draining: Draining| draining.collect_output(&Secrets::default(), Kind::Said).text;
        assert_eq!(text(draining), "done");
        assert_eq!(text(Draining::new(None::<std::io::Empty>, Keep::First(9))), "");
    }
}
