//! Writes changes of a database into a write-ahead log (<https://sqlite.org/fileformat2.html#the_write_ahead_log>).

use super::recover::{LOG_MAGIC, LOG_VERSION, compute_checksum, read_page_size};

/// The salt of a log, which connects its frames with its header.
const SALT: [u8; 8] = *b"picardc\0";

/// Returns a database in WAL mode with the content of `before`, and a log that changes it to `after` in one transaction. `None` if their pages differ in size, are
/// not complete, or do not differ otherwise.
///
/// ```
/// use sqlite::state::{read_state, recover_database, run_on_copy, write_log};
/// use sqlite::{Database, TOOL};
///
/// let mut made = Database::new_empty(&TOOL).expect("SQLite");
/// made.connection().execute_batch("CREATE TABLE towns (N INTEGER); INSERT INTO towns VALUES (3)").expect("written");
/// let before = made.to_bytes().expect("bytes");
/// let after = run_on_copy(&before, "INSERT INTO towns VALUES (4)").expect("a row more");
/// let (database, log) = write_log(&before, &after).expect("a page that differs");
/// assert_eq!(read_state(&database), read_state(&before));
/// assert_eq!(read_state(&recover_database(&database, Some(&log), None)), read_state(&after));
/// // Nothing changes.
/// assert_eq!(write_log(&before, &before), None);
/// ```
pub fn write_log(before: &[u8], after: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let size = read_page_size(after).filter(|size| read_page_size(before) == Some(*size))?;
    if !before.len().is_multiple_of(size) || !after.len().is_multiple_of(size) {
        return None;
    }
    let (before, after) = (set_wal_mode(before)?, set_wal_mode(after)?);
    let pages = u32::try_from(after.len() / size).ok()?;
    let mut old = before.chunks_exact(size);
    let differs = |(_, content): &(u32, &[u8])| old.next() != Some(*content);
    let changed: Vec<(u32, &[u8])> = (1..).zip(after.chunks_exact(size)).filter(differs).collect();
    let (last, _) = *changed.last()?;
    let mut log = Vec::new();
    for word in [LOG_MAGIC, LOG_VERSION, u32::try_from(size).ok()?, 0] {
        log.extend(word.to_be_bytes());
    }
    log.extend(SALT);
    let mut sum = compute_checksum(&log, (0, 0), u32::from_le_bytes);
    push_sum(&mut log, sum);
    for (page, content) in changed {
        // The last frame of a transaction has the number of pages after it.
        let committed = if page == last { pages } else { 0 };
        let head = [page.to_be_bytes(), committed.to_be_bytes()].concat();
        sum = compute_checksum(content, compute_checksum(&head, sum, u32::from_le_bytes), u32::from_le_bytes);
        log.extend(head);
        log.extend(SALT);
        push_sum(&mut log, sum);
        log.extend(content);
    }
    Some((before, log))
}

fn push_sum(log: &mut Vec<u8>, (first, second): (u32, u32)) {
    log.extend(first.to_be_bytes());
    log.extend(second.to_be_bytes());
}

/// Returns a database whose header says that it has a log.
fn set_wal_mode(database: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = database.to_vec();
    bytes.get_mut(18..20)?.fill(2);
    Some(bytes)
}
