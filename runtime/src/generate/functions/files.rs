//! Lines and words of text files, by position from 1.

use model::Val;
use model::lines::split_lines;

use super::args::Args;
use crate::generate::failures::Res;

/// `file_line(file, n)`
pub(super) fn read_line(args: Args<'_>) -> Res<Val<'_>> {
    let text = args.read_text(0)?;
    read_part(args, || split_lines(text), "line")
}

/// `file_word(file, n)`
pub(super) fn read_word(args: Args<'_>) -> Res<Val<'_>> {
    let text = args.read_text(0)?;
    read_part(args, || text.split_whitespace(), "word")
}

/// Returns the part at a position.
fn read_part<'a, I: Iterator<Item = &'a str>>(args: Args<'a>, parts: impl Fn() -> I, of: &str) -> Res<Val<'a>> {
    let position = args.evaluate_int(1)?;
    match usize::try_from(position).ok().and_then(|n| parts().nth(n.checked_sub(1)?)) {
        Some(part) => Ok(Val::from_text(part)),
        None => args.resolve_position(position, parts().count(), of).map(|_| Val::NULL),
    }
}

/// `file_line_count(file)`
pub(super) fn count_lines(args: Args<'_>) -> Res<Val<'_>> {
    Ok(Val::from_int(split_lines(args.read_text(0)?).count() as i64))
}

/// `file_word_count(file)`
pub(super) fn count_words(args: Args<'_>) -> Res<Val<'_>> {
    Ok(Val::from_int(args.read_text(0)?.split_whitespace().count() as i64))
}

/// `content(file)`: the whole content, including a byte order mark.
pub(super) fn read_content(args: Args<'_>) -> Res<Val<'_>> {
    Ok(Val::from_text(args.read_text_with_bom(0)?))
}

#[cfg(test)]
mod tests {
    use super::split_lines;

    #[test]
    fn every_kind_of_line_end_is_one() {
        assert_eq!(split_lines("a\nb\r\nc\rd").collect::<Vec<_>>(), ["a", "b", "c", "d"]);
        assert_eq!(split_lines("a\n\nb\n").collect::<Vec<_>>(), ["a", "", "b"]);
        assert_eq!(split_lines("").count(), 0);
    }
}
