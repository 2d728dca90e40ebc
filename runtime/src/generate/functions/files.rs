//! Texts of files, positions from 1.

pub(crate) use model::lines::lines;

use super::args::Args;
use crate::generate::eval::Res;
use model::Val;

/// `file_line(file, n)`
pub(super) fn line(args: Args<'_>) -> Res<Val<'_>> {
    let (text, position) = (args.file_text(0)?, args.int(1)?);
    match usize::try_from(position).ok().and_then(|n| lines(text).nth(n.checked_sub(1)?)) {
        Some(line) => Ok(Val::text(line)),
        None => args.position(position, lines(text).count(), "line").map(|_| Val::NULL),
    }
}

/// `file_word(file, n)`
pub(super) fn word(args: Args<'_>) -> Res<Val<'_>> {
    let (text, position) = (args.file_text(0)?, args.int(1)?);
    match usize::try_from(position).ok().and_then(|n| text.split_whitespace().nth(n.checked_sub(1)?)) {
        Some(word) => Ok(Val::text(word)),
        None => args.position(position, text.split_whitespace().count(), "word").map(|_| Val::NULL),
    }
}

/// `file_line_count(file)`
pub(super) fn line_count(args: Args<'_>) -> Res<Val<'_>> {
    Ok(Val::int(lines(args.file_text(0)?).count() as i64))
}

/// `file_word_count(file)`
pub(super) fn word_count(args: Args<'_>) -> Res<Val<'_>> {
    Ok(Val::int(args.file_text(0)?.split_whitespace().count() as i64))
}

/// `content(file)`: with a byte order mark, which is a part of what is in the file.
pub(super) fn content(args: Args<'_>) -> Res<Val<'_>> {
    Ok(Val::text(args.file_marked_text(0)?))
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn every_kind_of_line_end_is_one() {
        assert_eq!(lines("a\nb\r\nc\rd").collect::<Vec<_>>(), ["a", "b", "c", "d"]);
        assert_eq!(lines("a\n\nb\n").collect::<Vec<_>>(), ["a", "", "b"]);
        assert_eq!(lines("").count(), 0);
    }
}
