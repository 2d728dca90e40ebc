//! Marks that people and models write around a whole answer: emphasis, code, quotation marks, mathematics, a period at its end. They do not belong to the
//! answer and never change its value. A text is read as a whole: marks around a part of it stay. The letters of typography inside of it are read as those
//! of a keyboard, too.

use std::borrow::Cow;

/// Marks that open and close alike; longer ones first. `$` marks mathematics.
const SAME: &[&str] = &["***", "**", "*", "___", "__", "_", "\"", "'", "$$", "$"];

/// Marks that close differently; those that begin with a backslash are mathematics.
const DIFFERENT: &[(&str, &str)] = &[
    ("“", "”"),
    ("„", "“"),
    ("„", "”"),
    ("「", "」"),
    ("‘", "’"),
    ("«", "»"),
    (r"\(", r"\)"),
    (r"\[", r"\]"),
    (r"\boxed{", "}"),
    (r"\text{", "}"),
    (r"\textbf{", "}"),
    (r"\mathbf{", "}"),
    (r"\mathrm{", "}"),
    (r"\texttt{", "}"),
    (r"\textit{", "}"),
    (r"\emph{", "}"),
    (r"\num{", "}"),
];

/// The maximum number of marks that are removed from one text.
const MAX_MARKS: usize = 16;

/// Returns the text without its outermost mark, without the two outermost, and so on, because an answer may itself begin or end with a mark; then each of these, and
/// the text, with the characters of a keyboard ([`read_typography`]), where that differs. Blanks at the ends are removed, too.
///
/// A pair of marks is removed if it encloses all of the text and does not close inside, a period if no other precedes it, and both only if a letter or digit
/// is left. Inside mathematics, `{,}` is a comma, `\,`, `\;` and `~` are blanks, and `\%`, `\$`, `\#`, `\&`, and `\_` are the signs themselves.
///
/// ```
/// use model::wrapping::list_unwrapped;
///
/// for text in ["**Ulm**", "`Ulm`.", "“Ulm.”", r"$\boxed{\text{Ulm}}$", " *Ulm* "] {
///     assert!(list_unwrapped(text).contains(&"Ulm".to_owned()), "{text}");
/// }
/// assert_eq!(list_unwrapped("**Acme Inc.**"), ["Acme Inc.", "Acme Inc"]);
/// assert_eq!(list_unwrapped("`__init__`"), ["__init__", "init"]);
/// assert_eq!(list_unwrapped("O’Hare"), ["O'Hare"]);
/// // Nothing encloses all of these, or something else would be said without it.
/// for text in ["Ulm", "**Ulm** or **Bonn**", "(Ulm)", "Ulm!", "Ulm…", "***", "wait...", "'O'Hare'"] {
///     assert_eq!(list_unwrapped(text), [""; 0], "{text}");
/// }
/// ```
pub fn list_unwrapped(text: &str) -> Vec<String> {
    let first = remove_mark(trim_blanks(text));
    let mut readings: Vec<String> = std::iter::successors(first, |outer| remove_mark(outer)).take(MAX_MARKS).collect();
    let typed: Vec<String> =
        std::iter::once(text).chain(readings.iter().map(String::as_str)).filter_map(read_typography).collect();
    readings.extend(typed);
    readings
}

/// Replaces what typography and Markdown write for a character of a keyboard: blanks that do not break or are narrow, hyphens that do not break, curved
/// apostrophes, wide forms, a dash before a digit at the start, and a character after a backslash. `None` for a text without these.
///
/// ```
/// use model::wrapping::read_typography;
///
/// assert_eq!(read_typography("New\u{a0}York").as_deref(), Some("New York"));
/// assert_eq!(read_typography(r"report\_final.csv").as_deref(), Some("report_final.csv"));
/// assert_eq!(read_typography("–37 ℃").as_deref(), Some("-37 °C"));
/// assert_eq!(read_typography("3–5"), None);
/// ```
pub fn read_typography(text: &str) -> Option<String> {
    /// The signs that Markdown may have escaped. Brackets after a backslash are mathematics.
    const ESCAPED: &str = "_*+-.#$%&!~`|<>";
    if text.is_ascii() && !text.contains('\\') {
        return None;
    }
    let mut read = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut is_start = true;
    while let Some(char) = chars.next() {
        match char {
            '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}' | '\u{3000}' => read.push(' '),
            '\u{2010}' | '\u{2011}' => read.push('-'),
            '’' | '\u{2bc}' => read.push('\''),
            '–' if is_start && chars.peek().is_some_and(char::is_ascii_digit) => read.push('-'),
            '℃' => read.push_str("°C"),
            'º' => read.push('°'),
            '\u{ffe1}' => read.push('£'),
            '\u{ffe5}' => read.push('¥'),
            '\u{ff01}'..='\u{ff5e}' => read.extend(char::from_u32(u32::from(char) - 0xfee0)),
            '\\' => read.push(chars.next_if(|next| ESCAPED.contains(*next)).unwrap_or(char)),
            other => read.push(other),
        }
        is_start = false;
    }
    (read != text).then_some(read)
}

/// Returns the readings of a text that is inside mathematics, as [`list_unwrapped`] does; the first has its commands replaced. None if nothing in it is a
/// command or mark.
///
/// ```
/// use model::wrapping::list_unwrapped_mathematics;
///
/// assert_eq!(list_unwrapped_mathematics(r"1{,}234"), ["1,234"]);
/// assert_eq!(list_unwrapped_mathematics(r"\text{50\%}"), [r"\text{50%}", "50%"]);
/// assert_eq!(list_unwrapped_mathematics("1234"), [""; 0]);
/// ```
pub fn list_unwrapped_mathematics(text: &str) -> Vec<String> {
    let read = read_mathematics(text);
    let unwrapped = list_unwrapped(&read);
    let first = (read != text).then(|| read.into_owned());
    first.into_iter().chain(unwrapped).collect()
}

fn trim_blanks(text: &str) -> &str {
    text.trim_matches(crate::value::is_insignificant_char)
}

/// Returns what is inside backticks that enclose all of a text; `None` if none do.
///
/// ```
/// use model::wrapping::remove_code;
///
/// assert_eq!(remove_code("`[1, 2]`"), Some("[1, 2]"));
/// assert_eq!(remove_code("`1` or `2`"), None);
/// ```
pub fn remove_code(text: &str) -> Option<&str> {
    let text = trim_blanks(text);
    let ticks = text.get(..text.len() - text.trim_start_matches('`').len()).filter(|ticks| !ticks.is_empty())?;
    strip_same(text, ticks)
}

/// Removes the outermost mark.
fn remove_mark(text: &str) -> Option<String> {
    let without_period = text.strip_suffix('.').filter(|rest| !rest.ends_with('.')).map(Cow::Borrowed);
    let inner = without_period.or_else(|| find_inside(text))?;
    let inner = trim_blanks(&inner);
    inner.contains(char::is_alphanumeric).then(|| inner.to_owned())
}

/// Returns what is inside a pair of marks that encloses all of a text.
fn find_inside(text: &str) -> Option<Cow<'_, str>> {
    if let Some(inner) = SAME.iter().find_map(|mark| strip_same(text, mark)) {
        return Some(if text.starts_with('$') { read_mathematics(inner) } else { Cow::Borrowed(inner) });
    }
    if text.starts_with('`') {
        return remove_code(text).map(Cow::Borrowed);
    }
    let inner = DIFFERENT.iter().find_map(|(open, close)| strip_different(text, open, close))?;
    Some(if text.starts_with('\\') { read_mathematics(inner) } else { Cow::Borrowed(inner) })
}

fn strip_same<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
    // In mathematics, `\$` is the sign of the dollar.
    let has_mark = if mark.starts_with('$') { inner.replace(r"\$", "").contains(mark) } else { inner.contains(mark) };
    let ends_in_sign = mark.starts_with('$') && inner.ends_with('\\');
    Some(inner).filter(|_| !has_mark && !ends_in_sign)
}

fn strip_different<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    let is_whole =
        if close == "}" { has_paired_braces(inner) } else { !inner.contains(open) && !inner.contains(close) };
    is_whole.then_some(inner)
}

/// Whether every brace closes one that was opened before.
fn has_paired_braces(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            // The next character is escaped.
            '\\' => drop(chars.next()),
            '{' => depth += 1,
            '}' => match depth.checked_sub(1) {
                Some(rest) => depth = rest,
                None => return false,
            },
            _ => {}
        }
    }
    depth == 0
}

/// The commands of TeX for one character, longer ones first.
const COMMANDS: &[(&str, &str)] = &[
    ("{,}", ","),
    (r"\,", " "),
    (r"\;", " "),
    (r"\ ", " "),
    ("~", " "),
    (r"\%", "%"),
    (r"\$", "$"),
    (r"\#", "#"),
    (r"\&", "&"),
    (r"\_", "_"),
    (r"^{\circ}", "°"),
    (r"^\circ", "°"),
    (r"\pounds", "£"),
    (r"\cdot", "·"),
];

/// The commands around an upright text.
const UPRIGHT: &[&str] = &[r"\text{", r"\mathrm{"];

/// Replaces the commands of TeX that are signs or blanks, and those around an upright text that is a part.
fn read_mathematics(text: &str) -> Cow<'_, str> {
    if !text.contains(['\\', '~', '{']) {
        return Cow::Borrowed(text);
    }
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        if let Some((command, sign)) = COMMANDS.iter().find(|(command, _)| rest.starts_with(command)) {
            read.push_str(sign);
            rest = rest.get(command.len()..).unwrap_or_default();
            continue;
        }
        // Around all of the text, they are a mark.
        let inner = UPRIGHT.iter().find_map(|command| rest.strip_prefix(command)?.split_once('}'));
        if let Some((inner, behind)) = inner.filter(|(_, behind)| rest.len() < text.len() || !behind.is_empty())
            && !inner.contains('{')
        {
            read.push_str(&read_mathematics(inner));
            rest = behind;
            continue;
        }
        read.push(char);
        rest = rest.get(char.len_utf8()..).unwrap_or_default();
    }
    Cow::Owned(read)
}

/// Returns the text without `*` and `_` at the edges of its words; `None` if there are none.
///
/// ```
/// use model::wrapping::remove_emphasis;
///
/// assert_eq!(remove_emphasis("It is _Ulm_, **not** Bonn.").as_deref(), Some("It is Ulm, not Bonn."));
/// assert_eq!(remove_emphasis("snake_case 2*3"), None);
/// ```
pub fn remove_emphasis(text: &str) -> Option<String> {
    let (plain, runs) = split_emphasis(text);
    (!runs.is_empty()).then_some(plain)
}

/// Returns the text as [`remove_emphasis`] does, if each mark that opens is closed by the same one.
///
/// ```
/// use model::wrapping::remove_closed_emphasis;
///
/// assert_eq!(remove_closed_emphasis("**40** kg").as_deref(), Some("40 kg"));
/// assert_eq!(remove_closed_emphasis("**40 kg"), None);
/// assert_eq!(remove_closed_emphasis("**40* kg"), None);
/// ```
pub fn remove_closed_emphasis(text: &str) -> Option<String> {
    let (plain, runs) = split_emphasis(text);
    let is_closed = |pair: &[&str]| matches!(pair, [open, close] if open == close);
    (!runs.is_empty() && runs.chunks(2).all(is_closed)).then_some(plain)
}

/// Splits a text into what is left without `*` and `_` at the edges of its words, and these marks.
fn split_emphasis(text: &str) -> (String, Vec<&str>) {
    const MARKS: [char; 2] = ['*', '_'];
    let (mut plain, mut runs) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find(MARKS) {
        let (before, from) = rest.split_at(start);
        let after = from.trim_start_matches(MARKS);
        let marks = from.get(..from.len() - after.len()).unwrap_or_default();
        let is_inside =
            before.chars().next_back().is_some_and(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
        plain.push_str(before);
        match is_inside {
            true => plain.push_str(marks),
            false => runs.push(marks),
        }
        rest = after;
    }
    plain.push_str(rest);
    (plain, runs)
}
