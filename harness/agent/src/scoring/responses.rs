//! The responses of a run, found by instance and trial, without all of them in memory.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use records::id_table::IdTable;
use records::jsonl::Lines;
use records::responses::{ResponseFilter, number_trial};
use records::{Error, Ignored, Response, Status};
use serde::Deserialize;

/// The place of a line in `responses.jsonl`.
#[derive(Clone, Copy)]
struct Place {
    start: u64,
    length: usize,
}

/// The fields of a response that identify it.
#[derive(Deserialize)]
struct Answered {
    id: String,
    trial: u32,
    status: Status,
}

/// The places of the responses that count.
pub struct Responses {
    path: PathBuf,
    asked: IdTable,
    trials: u32,
    places: Vec<Option<Place>>,
    /// Lines that do not count.
    pub ignored: Ignored,
    /// Failed trials that were repeated.
    pub asked_again: u64,
}

impl Responses {
    /// Reads all lines of `path` once; a missing file has none.
    pub fn index_file(path: &Path, asked: IdTable, trials: u32) -> Result<Responses, Error> {
        let mut places = vec![None; asked.len() * trials as usize];
        let mut counted = ResponseFilter::new(&asked, trials);
        if path.exists() {
            let mut lines = Lines::open_growing(path)?;
            while let Some(line) = lines.next_value() {
                let Answered { id, trial, status } = line?;
                if let Some(place) = counted.register_line(&id, trial, status).and_then(|trial| places.get_mut(trial)) {
                    let (start, length) = lines.find_place();
                    *place = Some(Place { start, length });
                }
            }
        }
        let ResponseFilter { ignored, asked_again, .. } = counted;
        Ok(Responses { path: path.to_owned(), asked, trials, places, ignored, asked_again })
    }

    /// Returns the number of instances that are asked.
    pub fn count_asked(&self) -> usize {
        self.asked.len()
    }

    /// Whether the run asks this instance.
    pub fn is_asked(&self, id: &str) -> bool {
        self.asked.find_number(id).is_some()
    }

    /// Opens the file for a thread of its own.
    pub fn open_reader(&self) -> ResponseFile<'_> {
        ResponseFile { of: self, file: None, position: 0 }
    }
}

/// Reads single responses.
pub struct ResponseFile<'a> {
    of: &'a Responses,
    file: Option<BufReader<File>>,
    /// The next byte of `file`.
    position: u64,
}

impl ResponseFile<'_> {
    /// Reads the response to a trial (from 1) of an instance; `None` if it has none.
    pub fn read_response(&mut self, id: &str, trial: u32) -> Result<Option<Response>, Error> {
        let number = self.of.asked.find_number(id).and_then(|number| number_trial(number, trial, self.of.trials));
        let Some(place) = number.and_then(|number| self.of.places.get(number).copied().flatten()) else {
            return Ok(None);
        };
        let line = self.read_line(place).map_err(|error| Error::new_io("read", &self.of.path, &error))?;
        let response: Response = model::json::parse_lenient(&line)
            .map_err(|error| Error::new_usage(format!("`{}`: {error}", disk::show_path(&self.of.path))))?;
        if (response.id.as_str(), response.trial) != (id, trial) {
            let message = format!("`{}` was changed while it was read", disk::show_path(&self.of.path));
            return Err(Error::new_usage(message).help("score the run when nothing else writes to it"));
        }
        Ok(Some(response))
    }

    /// Reads a line. Responses are nearly in the order of their instances, so mostly it is in the buffer.
    fn read_line(&mut self, place: Place) -> std::io::Result<Vec<u8>> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(BufReader::with_capacity(1 << 16, disk::open_within(&self.of.path)?)),
        };
        match i64::try_from(place.start).ok().zip(i64::try_from(self.position).ok()) {
            Some((to, from)) => file.seek_relative(to - from)?,
            None => file.seek(SeekFrom::Start(place.start)).map(|_| ())?,
        }
        let mut line = vec![0; place.length];
        file.read_exact(&mut line)?;
        self.position = place.start + place.length as u64;
        Ok(line)
    }
}
