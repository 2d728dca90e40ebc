//! Numbers and words of prompts.

/// Lists the first numbers in a text, without signs and separators of thousands.
pub fn list_numbers(text: &str, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while found.len() < most
        && let Some(start) = rest.find(|char: char| char.is_ascii_digit())
    {
        let (before, from) = rest.split_at(start);
        let end = from.find(|char: char| !matches!(char, '0'..='9' | '.' | ',')).unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        // A part of a name, such as `q3` or `data_2.csv`, is no number.
        let is_name = before.ends_with(|char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '/'))
            || after.starts_with(|char: char| char.is_alphanumeric() || char == '_');
        if !is_name {
            found.push(number.trim_end_matches(['.', ',']).replace(',', ""));
        }
        rest = after;
    }
    found
}

/// Words that say whether ends are included.
const ENDS: [&str; 12] = [
    "inclusive",
    "exclusive",
    "including",
    "excluding",
    "included",
    "excluded",
    "both",
    "at least",
    "at most",
    "or more",
    "or less",
    "strictly",
];

/// Whether a prompt says `between` and not whether the ends are included.
pub fn is_between_open(prompt: &str) -> bool {
    let prompt = prompt.to_lowercase();
    prompt.contains("between") && !ENDS.iter().any(|word| prompt.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_prompts() {
        let text = "In data_2.csv, who earns more than 1,500.50 in 2024? Give 3 names for q7.";
        assert_eq!(list_numbers(text, 8), ["1500.50", "2024", "3"]);
        assert_eq!(list_numbers(text, 1), ["1500.50"]);
    }

    #[test]
    fn between_is_open_without_a_word_for_its_ends() {
        assert!(is_between_open("How many are between 3 and 9 years old?"));
        assert!(!is_between_open("How many are between 3 and 9, both included?"));
        assert!(!is_between_open("How many are at least 3?"));
    }
}
