//! Reads JSON from a zip file within limits: no archive can expand without bound, and damage is reported.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use records::Error;
use ruzstd::decoding::StreamingDecoder;
use serde::de::DeserializeOwned;
use zip::read::ZipFile;
use zip::{CompressionMethod, ZipArchive};

use super::python_json::Finite;

/// The maximum size of one unpacked part, in bytes.
const MAX_PART: u64 = 1 << 30;
/// All parts together may unpack to this number of times the size of the archive, plus [`MAX_PART`].
const MAX_RATIO: u128 = 1000;
/// The maximum window of zstd, in bytes: the memory that is needed to unpack a part. Level 19 uses 8 MiB.
const MAX_WINDOW: u64 = 128 << 20;

/// An open archive.
pub struct Archive {
    /// Its path, for messages.
    pub path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
}

impl Archive {
    /// Opens an archive, and reads the list of its parts.
    ///
    /// # Errors
    /// The file cannot be read, is not a zip file, is cut short, or unpacks to more than the limit.
    pub fn open(path: &Path) -> Result<Archive, Error> {
        let file = disk::open_within(path).map_err(|error| Error::new_io("read", path, &error))?;
        let length = file.metadata().map_err(|error| Error::new_io("read", path, &error))?.len();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let is_zip = reader.fill_buf().map_err(|error| Error::new_io("read", path, &error))?.starts_with(b"PK");
        if !is_zip {
            let message = format!("`{}` is not a log of Inspect AI", disk::show_path(&path));
            let json = path.extension().is_some_and(|ending| ending == "json");
            let help = if json {
                format!(
                    "only the format `.eval` is read: convert it with `inspect log convert {} --to eval --output-dir DIR`",
                    disk::show_path(&path)
                )
            } else {
                "give the folder of a run, or a log of Inspect AI (`.eval`)".to_owned()
            };
            return Err(Error::new_usage(message).help(help));
        }
        let zip = ZipArchive::new(reader).map_err(|error| build_damage_error(path, &error.to_string()))?;
        let most = u128::from(length) * MAX_RATIO + u128::from(MAX_PART);
        match zip.decompressed_size() {
            Some(size) if size <= most => Ok(Archive { path: path.to_owned(), zip }),
            _ => {
                let message =
                    format!("`{}` unpacks to more than {MAX_RATIO} times its {length} bytes", disk::show_path(&path));
                Err(Error::new_usage(message).help("this is not a log that Inspect AI wrote: do not open it"))
            }
        }
    }

    /// Returns the names of its parts. If several have the same name, the last one counts, as in Inspect.
    pub fn list_parts(&self) -> Vec<String> {
        self.zip.file_names().map(str::to_owned).collect()
    }

    /// Reads a part as JSON; `None` if the archive does not have it.
    ///
    /// # Errors
    /// The part is damaged, too large, packed by an unsupported method, or not the expected JSON.
    pub fn read_json<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, Error> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let part = self
            .zip
            .by_index_raw(index)
            .map_err(|error| build_damage_error(&self.path, &format!("`{name}`: {error}")))?;
        let wrong = |why: &dyn std::fmt::Display| build_damage_error(&self.path, &format!("`{name}`: {why}"));
        let size = part.size();
        if size > MAX_PART {
            return Err(wrong(&format_args!("it unpacks to {size} bytes, more than {MAX_PART}")));
        }
        let promised = (size, part.crc32());
        let checked = Checked { inner: unpack_part(part).map_err(|error| wrong(&error))?, promised, crc: Crc::new() };
        let mut reader = BufReader::with_capacity(1 << 16, Finite::new(checked));
        serde_json::from_reader(&mut reader).map(Some).map_err(|error| {
            // If the part is damaged, that is the error.
            let rest = io::copy(&mut reader, &mut io::sink());
            rest.map_or_else(|damage| wrong(&damage), |_| wrong(&error))
        })
    }
}

fn build_damage_error(path: &Path, why: &str) -> Error {
    Error::new_usage(format!("`{}` is damaged: {why}", disk::show_path(&path)))
        .help("copy the log again; `inspect log recover` saves what a run that broke off had finished")
}

/// Returns a reader of the unpacked content of a part.
fn unpack_part(part: ZipFile<'_, BufReader<File>>) -> io::Result<Box<dyn Read + '_>> {
    if part.encrypted() {
        return Err(build_invalid_data("it is encrypted"));
    }
    // `zip` only provides the raw bytes: the methods that it can unpack depend on the features of other crates in the build.
    match part.compression() {
        CompressionMethod::STORE => Ok(Box::new(part)),
        CompressionMethod::DEFLATE => Ok(Box::new(DeflateDecoder::new(BufReader::new(part)))),
        CompressionMethod::ZSTD => Ok(Box::new(Frames { packed: Some(BufReader::new(part)), open: None })),
        other => Err(build_invalid_data(&format!("it is packed by a method that is not read ({other:?})"))),
    }
}

fn build_invalid_data(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Consecutive frames of zstd: Inspect begins a new one every 200 MiB.
struct Frames<R: Read> {
    /// The rest of the input, while no frame is open.
    packed: Option<BufReader<R>>,
    open: Option<StreamingDecoder<BufReader<R>, ruzstd::decoding::FrameDecoder>>,
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(open) = &mut self.open {
                let count = open.read(into)?;
                if count > 0 {
                    return Ok(count);
                }
                self.packed = self.open.take().map(StreamingDecoder::into_inner);
            }
            let Some(mut packed) = self.packed.take() else { return Ok(0) };
            if packed.fill_buf()?.is_empty() {
                self.packed = Some(packed);
                return Ok(0);
            }
            let frame = StreamingDecoder::new_with_max_window_size(packed, MAX_WINDOW);
            self.open = Some(frame.map_err(|error| build_invalid_data(&error.to_string()))?);
        }
    }
}

/// Reads at most the stated length, and compares length and checksum at the end.
struct Checked<R> {
    inner: R,
    /// Length in bytes, and CRC-32.
    promised: (u64, u32),
    crc: Crc,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.crc.update(into.get(..count).unwrap_or_default());
        let (length, sum) = self.promised;
        // The counter wraps at 2³²; no part is that long.
        let so_far = u64::from(self.crc.amount());
        if so_far > length || (count == 0 && !into.is_empty() && so_far < length) {
            return Err(build_invalid_data(&format!("its length is not the {length} bytes that the archive states")));
        }
        if count == 0 && !into.is_empty() && self.crc.sum() != sum {
            return Err(build_invalid_data("its checksum is not what the archive states"));
        }
        Ok(count)
    }
}
