//! Pipes read to their end, of which only so much is kept.

use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// What came through a pipe.
#[derive(Debug, Default)]
pub struct Drained {
    bytes: Vec<u8>,
    /// How many bytes are not in it.
    pub lost: u64,
}

impl Drained {
    /// As text; what is no UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The last line that is not blank, shortened.
    pub fn last_line(&self) -> String {
        let text = self.text();
        let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        line.trim().chars().take(300).collect()
    }
}

/// A pipe that is being read to its end.
pub struct Draining {
    receiver: Receiver<Drained>,
    ended: Option<Drained>,
}

impl Draining {
    /// Of a pipe; of none, nothing. Keeps the first `limit` bytes, or the last ones.
    pub fn of(pipe: Option<impl Read + Send + 'static>, limit: usize, last: bool) -> Draining {
        match pipe {
            Some(pipe) => Draining { receiver: drain(pipe, limit, last), ended: None },
            None => Draining { receiver: channel().1, ended: Some(Drained::default()) },
        }
    }

    /// Whether the pipe has ended, or does so within this time.
    pub fn ends_within(&mut self, patience: Duration) -> bool {
        if self.ended.is_none() {
            self.ended = match self.receiver.recv_timeout(patience) {
                Ok(drained) => Some(drained),
                Err(RecvTimeoutError::Timeout) => None,
                // Its reader is gone: there is nothing more to come.
                Err(RecvTimeoutError::Disconnected) => Some(Drained::default()),
            };
        }
        self.ended.is_some()
    }

    /// What it held. When all writers are dead it ends at once; should one have escaped, it is not waited for.
    pub fn collect(mut self) -> Drained {
        self.ends_within(Duration::from_secs(2));
        self.ended.unwrap_or_default()
    }
}

/// Reads on a thread of its own until the pipe ends; keeps the first `limit` bytes, or the last ones.
fn drain(mut pipe: impl Read + Send + 'static, limit: usize, last: bool) -> Receiver<Drained> {
    let (done, receiver) = channel();
    std::thread::spawn(move || {
        let mut drained = Drained::default();
        let mut block = vec![0; 1 << 16];
        loop {
            let read = match pipe.read(&mut block) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Ok(0) | Err(_) => break,
                Ok(read) => block.get(..read).unwrap_or_default(),
            };
            let room = if last { read.len() } else { limit.saturating_sub(drained.bytes.len()).min(read.len()) };
            drained.bytes.extend_from_slice(read.get(..room).unwrap_or_default());
            drained.lost += (read.len() - room) as u64;
            let over = drained.bytes.len().saturating_sub(limit);
            if last && over > limit {
                drained.bytes.drain(..over);
                drained.lost += over as u64;
            }
        }
        let over = drained.bytes.len().saturating_sub(limit);
        drained.bytes.drain(..over);
        drained.lost += over as u64;
        // Whoever wanted it has given up.
        let _ = done.send(drained);
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
        let first = drain(std::io::Cursor::new(text.clone()), 4, false).recv().expect("drained");
        assert_eq!((first.text().as_str(), first.lost), ("0\n1\n", text.len() as u64 - 4));
        let last = drain(std::io::Cursor::new(text.clone()), 6, true).recv().expect("drained");
        assert_eq!((last.text().as_str(), last.lost), ("99999\n", text.len() as u64 - 6));
        assert_eq!(last.last_line(), "99999");
    }

    #[test]
    fn waits_for_the_end_and_no_longer() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let mut draining = Draining::of(Some(reader), 9, false);
        assert!(!draining.ends_within(Duration::from_millis(1)));
        writer.write_all(b"done").expect("written");
        assert!(!draining.ends_within(Duration::from_millis(1)));
        drop(writer);
        assert!(draining.ends_within(Duration::from_secs(60)));
        assert!(draining.ends_within(Duration::ZERO), "an end stays");
        assert_eq!(draining.collect().text(), "done");
        assert_eq!(Draining::of(None::<std::io::Empty>, 9, false).collect().text(), "");
    }
}
