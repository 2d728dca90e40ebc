//! Names of columns and tables: from headers and file names to names that are free and valid in the source.

use syntax::words;

/// Whether a text is a valid name without quotes.
fn is_plain(text: &str) -> bool {
    let first = |char: char| char.is_ascii_alphabetic();
    text.starts_with(first)
        && text.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
        && !words::iter_words().any(|word| word.text == text)
}

/// Whether a text can be a quoted name.
pub(super) fn can_be_quoted(text: &str) -> bool {
    // A name that begins with `_` is a helper column, which is not part of the table.
    !text.is_empty() && !text.starts_with('_') && !text.contains(['`', '\n', '\r', '\0']) && text.trim() == text
}

/// Renders a name for the source.
pub(super) fn quote_name(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { format!("`{text}`") }
}

/// Reserves a name if it is free; SQL ignores letter case.
pub(super) fn reserve_name(text: &str, taken: &mut Vec<String>) -> bool {
    let folded = text.to_ascii_lowercase();
    let free = !taken.contains(&folded);
    if free {
        taken.push(folded);
    }
    free
}

/// Reserves a free name: this one, or with a number appended.
pub(super) fn reserve_free_name(text: String, taken: &mut Vec<String>) -> String {
    if reserve_name(&text, taken) {
        return text;
    }
    (2..).map(|number: u32| format!("{text}_{number}")).find(|name| reserve_name(name, taken)).unwrap_or(text)
}

/// The letters and digits of a text in ASCII, with `_` for every sequence of other characters.
fn make_slug(text: &str) -> String {
    let mut slug = String::new();
    for char in text.chars() {
        match to_ascii(char) {
            Some(letters) => slug.push_str(letters),
            None if char.is_ascii_alphanumeric() => slug.push(char),
            None if !slug.is_empty() && !slug.ends_with('_') => slug.push('_'),
            None => {}
        }
    }
    slug.truncate(slug.trim_end_matches('_').len());
    slug
}

/// The ASCII spelling of a letter.
fn to_ascii(char: char) -> Option<&'static str> {
    Some(match char {
        'ä' | 'æ' => "ae",
        'ö' | 'œ' | 'ø' => "oe",
        'ü' => "ue",
        'Ä' | 'Æ' => "AE",
        'Ö' | 'Œ' | 'Ø' => "OE",
        'Ü' => "UE",
        'ß' => "ss",
        'à' | 'á' | 'â' | 'ã' | 'å' => "a",
        'ç' => "c",
        'è' | 'é' | 'ê' | 'ë' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ñ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' => "o",
        'ù' | 'ú' | 'û' => "u",
        'É' | 'È' | 'Ê' => "E",
        '#' => "N",
        '%' => "_PERCENT",
        _ => return None,
    })
}

/// The maximum length of an inferred name.
const MAX_NAME: usize = 40;

/// Makes the name of a column from its header, or from its position.
pub(super) fn make_column_name(header: &str, at: usize, taken: &mut Vec<String>) -> String {
    let mut name = make_slug(header).trim_start_matches('_').to_ascii_uppercase();
    name.truncate(MAX_NAME);
    if !name.starts_with(|char: char| char.is_ascii_alphabetic()) {
        name = if name.is_empty() { format!("C{}", at + 1) } else { format!("C{name}") };
    }
    reserve_free_name(name, taken)
}

/// Makes the name of a table, a view, or a file.
pub(super) fn make_table_name(text: &str, taken: &mut Vec<String>) -> String {
    let name = make_slug(text).to_ascii_lowercase();
    // A leading year is removed, unless the name consists only of it.
    let words = name.trim_start_matches(|char: char| char == '_' || char.is_ascii_digit());
    let mut name = if words.is_empty() { name } else { words.to_owned() };
    name.truncate(MAX_NAME);
    if !name.starts_with(|char: char| char.is_ascii_alphabetic()) {
        name = format!("t{name}");
    }
    if words::iter_words().any(|word| word.text == name) {
        name.push_str("_1");
    }
    reserve_free_name(name, taken)
}
