//! Combines a database file with the files next to it, as SQLite would: applies the committed pages of the write-ahead log, or rolls back an
//! unfinished transaction by its journal (<https://sqlite.org/fileformat2.html>).

use std::borrow::Cow;

/// Returns the bytes that SQLite would read. A file that is not a log or journal of this database has no effect, as in SQLite.
pub fn recover_database<'d>(database: &'d [u8], log: Option<&[u8]>, journal: Option<&[u8]>) -> Cow<'d, [u8]> {
    let mut bytes = Cow::Borrowed(database);
    // SQLite deletes both files next to an empty database.
    if database.is_empty() {
        return bytes;
    }
    if let Some(back) = journal.and_then(|journal| roll_back(&bytes, journal)) {
        bytes = Cow::Owned(back);
    }
    if let Some(laid) = log.and_then(|log| apply_log(&bytes, log)) {
        bytes = Cow::Owned(laid);
    }
    bytes
}

/// Returns the path, stored at the end of a rollback journal, of the file that shows whether a transaction over several databases was finished.
/// Without that file, SQLite rolls nothing back.
pub fn find_super_journal(journal: &[u8]) -> Option<&str> {
    const SUM: usize = 4;
    let end = journal.len().checked_sub(MAGIC.len()).filter(|end| journal[*end..] == MAGIC)?;
    let sum = read_number(journal, end.checked_sub(SUM)?)?;
    let length_at = end.checked_sub(2 * SUM)?;
    let length = read_number(journal, length_at)? as usize;
    let name = journal.get(length_at.checked_sub(length)?..length_at)?;
    // The checksum adds signed bytes, as in C.
    let own = name.iter().fold(0_u32, |sum, byte| sum.wrapping_add_signed(i32::from(byte.cast_signed())));
    let name = std::str::from_utf8(name).ok()?;
    (own == sum && !name.is_empty()).then_some(name)
}

/// The start of a rollback journal, which is also the end of a super-journal's name.
const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

fn read_number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_be_bytes(bytes))
}

/// Checks for a valid page size.
fn parse_page_size(size: u32) -> Option<usize> {
    let fits = (512..=65_536).contains(&size) && size.is_power_of_two();
    fits.then_some(size as usize)
}

/// Writes a page, counted from 1; the file grows if necessary.
fn write_page(bytes: &mut Vec<u8>, page: u32, content: &[u8]) {
    let Some(start) = (page as usize).checked_sub(1).and_then(|page| page.checked_mul(content.len())) else { return };
    let Some(end) = start.checked_add(content.len()).filter(|end| *end <= MAX_BYTES) else { return };
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[start..end].copy_from_slice(content);
}

/// Maximum size of a file, larger than any database that is scored, because a page number may be arbitrary.
const MAX_BYTES: usize = 64 << 20;

/// The start of a log whose checksums are computed from numbers with their lowest byte first; of others, it is 1 more.
pub(super) const LOG_MAGIC: u32 = 0x377f_0682;

/// The format of logs.
pub(super) const LOG_VERSION: u32 = 3_007_000;

/// Applies the committed transactions of the log; `None` if it does not contain any.
fn apply_log(database: &[u8], log: &[u8]) -> Option<Vec<u8>> {
    const HEAD: usize = 32;
    const FRAME: usize = 24;
    let magic = read_number(log, 0)?;
    if magic & !1 != LOG_MAGIC || read_number(log, 4)? != LOG_VERSION {
        return None;
    }
    let read: ReadWord = if magic & 1 == 1 { u32::from_be_bytes } else { u32::from_le_bytes };
    let size = parse_page_size(read_number(log, 8)?)?;
    let salt = log.get(16..24)?;
    let mut sum = compute_checksum(log.get(..24)?, (0, 0), read);
    if (read_number(log, 24)?, read_number(log, 28)?) != sum {
        return None;
    }
    let (mut frames, mut committed, mut pages) = (Vec::new(), 0, 0);
    for frame in log.get(HEAD..)?.chunks_exact(FRAME + size) {
        let (head, content) = frame.split_at(FRAME);
        let (page, after) = (read_number(head, 0)?, read_number(head, 4)?);
        sum = compute_checksum(content, compute_checksum(&head[..8], sum, read), read);
        if &head[8..16] != salt || page == 0 || (read_number(head, 16)?, read_number(head, 20)?) != sum {
            break;
        }
        frames.push((page, content));
        if after != 0 {
            (committed, pages) = (frames.len(), after);
        }
    }
    if committed == 0 {
        return None;
    }
    let mut bytes = database.to_vec();
    for (page, content) in frames.iter().take(committed).filter(|(page, _)| *page <= pages) {
        write_page(&mut bytes, *page, content);
    }
    bytes.truncate((pages as usize).saturating_mul(size));
    Some(bytes)
}

/// Reads a number in the byte order of the log's checksums.
pub(super) type ReadWord = fn([u8; 4]) -> u32;

/// Computes the cumulative checksums of the log, over pairs of 32-bit numbers.
pub(super) fn compute_checksum(bytes: &[u8], (mut a, mut b): (u32, u32), read: ReadWord) -> (u32, u32) {
    for pair in bytes.chunks_exact(8) {
        let word = |at: usize| read([pair[at], pair[at + 1], pair[at + 2], pair[at + 3]]);
        a = a.wrapping_add(word(0)).wrapping_add(b);
        b = b.wrapping_add(word(4)).wrapping_add(a);
    }
    (a, b)
}

/// Returns the database before the transaction whose old pages are in the journal; `None` if that transaction ended. The caller omits the journal if
/// its [`find_super_journal`] is missing.
fn roll_back(database: &[u8], journal: &[u8]) -> Option<Vec<u8>> {
    let mut bytes: Option<Vec<u8>> = None;
    let (mut at, mut size, mut sector) = (0_usize, 0_usize, 0_usize);
    while journal.get(at..at + 8) == Some(&MAGIC) {
        let (mut records, nonce, pages) =
            (read_number(journal, at + 8)?, read_number(journal, at + 12)?, read_number(journal, at + 16)?);
        if bytes.is_none() {
            // Only the first header contains the sizes of pages and sectors. A size of 0 is that of an old journal, and means the database's own.
            size = match read_number(journal, at + 24)? {
                0 => read_page_size(database)?,
                size => parse_page_size(size)?,
            };
            sector = match read_number(journal, at + 20)? {
                sector if (32..=65_536).contains(&sector) && sector.is_power_of_two() => sector as usize,
                _ => return None,
            };
        }
        let back = bytes.get_or_insert_with(|| {
            let mut before = database.to_vec();
            before.resize((pages as usize).saturating_mul(size).min(MAX_BYTES), 0);
            before
        });
        at += sector;
        let record = size + 8;
        if records == u32::MAX {
            records = u32::try_from(journal.len().saturating_sub(at) / record).unwrap_or(u32::MAX);
        }
        for _ in 0..records {
            let (Some(page), Some(content)) = (read_number(journal, at), journal.get(at + 4..at + 4 + size)) else {
                return bytes;
            };
            let sum = (1..).map_while(|step: usize| size.checked_sub(200 * step).filter(|at| *at > 0));
            let sum = sum.fold(nonce, |sum, at| sum.wrapping_add(u32::from(content[at])));
            // Pages are counted from 1; the page with the lock byte is empty.
            if page == 0 || read_number(journal, at + 4 + size) != Some(sum) {
                return bytes;
            }
            if page <= pages {
                write_page(back, page, content);
            }
            at += record;
        }
        // The next header is at the next sector.
        at = at.div_ceil(sector) * sector;
    }
    bytes
}

/// Returns the size of the pages of a database.
pub(super) fn read_page_size(database: &[u8]) -> Option<usize> {
    match u16::from_be_bytes([*database.get(16)?, *database.get(17)?]) {
        1 => Some(65_536),
        size => parse_page_size(u32::from(size)),
    }
}
