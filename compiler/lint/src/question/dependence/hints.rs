//! Whether a text tells a constant, and which of its words say something else.

use model::{Date, Decimal, Duration, Value};

use crate::question::prompt_content::has_word;
use names::prose::DRAWN;
use names::words::{have_same_singular, split_words};
use syntax::prompts::english::data::{DATE_WORDS, LENGTHS, MONTHS, NAMED_DAYS, NUMBERS, PLAIN, SYNONYMS, UNITS, VAGUE};
use syntax::prompts::has_listed;

/// The shortest word of which an inflected form is recognized.
const SHORTEST_STEM: usize = 3;

/// The words and numbers of a text.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The text in lower case.
    text: String,
    /// Its words in lower case.
    pub words: Vec<String>,
    /// Its numbers, also those that are written as words.
    pub numbers: Vec<f64>,
}

impl Hints {
    /// Reads a text.
    pub fn from_text(text: &str) -> Hints {
        let lower = text.to_lowercase();
        let words: Vec<String> = split_prose(&lower).map(str::to_owned).collect();
        let numbers = read_numbers(&lower, &words);
        Hints { text: lower, words, numbers }
    }

    /// Creates the hints of a text that consists of these numbers.
    pub fn from_numbers(numbers: Vec<f64>) -> Hints {
        Hints { numbers, ..Hints::default() }
    }

    /// Checks whether the text tells a constant, or has a word for it.
    pub fn has_value(&self, value: &Value) -> bool {
        match value {
            Value::Text(text) => match read_day(text) {
                Some(day) => self.has_day(day),
                None => self.has_text(text),
            },
            Value::Date(day) => self.has_day(*day),
            Value::DateTime(at) => self.has_day(at.date()),
            other => other.as_f64().is_none_or(|number| self.has_number(number)),
        }
    }

    /// Checks whether the text has a word of a constant text, an inflected form, or a synonym.
    pub fn has_text(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let plain = lower.trim();
        let is_short = plain.chars().count() <= SHORTEST_STEM;
        if plain.is_empty() || has_word(&self.text, plain) || !is_short && self.text.contains(plain) {
            return true;
        }
        let words: Vec<&str> = split_prose(&lower).collect();
        // Initials such as `us` and `mn`.
        let is_code = words.len() == 1 && words.iter().all(|word| word.chars().count() <= SHORTEST_STEM);
        if is_code && self.has_code(&lower) {
            return true;
        }
        if let Ok(number) = lower.trim().parse::<f64>() {
            return self.has_number(number);
        }
        words.iter().filter(|word| word.len() > 1).any(|word| self.has_form(word))
    }

    /// Checks whether a word begins with the letters of a code, or whether words have them as initials.
    fn has_code(&self, code: &str) -> bool {
        let initials = |words: &[String]| words.iter().filter_map(|word| word.chars().next()).collect::<String>();
        let length = code.chars().count();
        self.words.iter().any(|word| word.starts_with(code) && !has_listed(PLAIN, word))
            || length > 1 && self.words.windows(length).any(|words| initials(words) == code)
    }

    /// Checks whether the text has a word, another form of it, or a synonym.
    pub fn has_form(&self, word: &str) -> bool {
        let same = |other: &str| is_same_stem(word, other) || have_same_singular(word, other);
        let groups: Vec<&str> =
            SYNONYMS.into_iter().filter(|group| group.split_ascii_whitespace().any(|other| other == word)).collect();
        self.words.iter().any(|known| {
            same(known)
                || groups.iter().any(|group| group.split_ascii_whitespace().any(|other| is_same_stem(other, known)))
        })
    }

    /// Checks whether the text has a number, also as a percentage or a factor.
    pub fn has_number(&self, number: f64) -> bool {
        let forms = [
            number,
            number * 100.0,
            (number - 1.0) * 100.0,
            (1.0 - number) * 100.0,
            number / 100.0,
            number / 1000.0,
            number / 1e6,
            -number,
            number - 1.0,
            1.0 - number,
        ];
        self.numbers.iter().any(|known| forms.iter().any(|form| is_near(*form, *known)))
    }

    /// Checks whether the text has a day, or the day before or after it, as far as it is told: the whole date, or else year and month.
    pub fn has_day(&self, day: Date) -> bool {
        let (_, month, date) = day.to_ymd();
        if NAMED_DAYS.iter().any(|(name, of, at)| (*of, *at) == (month, date) && has_word(&self.text, name)) {
            return true;
        }
        if self.is_end_of_month(day) {
            return true;
        }
        let near = [Some(day), shift_day(day, -1), shift_day(day, 1)].into_iter().flatten();
        let (days, years, months) = (self.list_days(), self.list_years(), self.list_months());
        let mut near = near.filter(|_| !days.is_empty() || !years.is_empty() || !months.is_empty());
        near.any(|day| {
            let (year, month, _) = day.to_ymd();
            let has_year = years.is_empty() || years.iter().any(|known| is_near(*known, f64::from(year)));
            let has_month = months.is_empty() || months.contains(&month);
            if days.is_empty() { has_year && has_month } else { days.contains(&day) }
        })
    }

    /// Checks whether a day is the first or the last one of a month that the text names with its year, or the day after it.
    fn is_end_of_month(&self, day: Date) -> bool {
        let (_, _, date) = day.to_ymd();
        let is_last = shift_day(day, 1).is_some_and(|next| next.to_ymd().2 == 1);
        let is_named = |day: Date| {
            let (year, month, _) = day.to_ymd();
            let name = usize::from(month).checked_sub(1).and_then(|at| MONTHS.get(at)).copied().unwrap_or_default();
            let short = name.get(..3).unwrap_or_default();
            let forms = [format!("{name} {year}"), format!("{name} of {year}"), format!("{short} {year}")];
            forms.iter().any(|form| has_word(&self.text, form))
        };
        let before = shift_day(day, -1).filter(|_| date == 1);
        (date == 1 || is_last) && [Some(day), before].into_iter().flatten().any(is_named)
    }

    /// Checks whether the text has a date, a month, or a year.
    pub fn has_date(&self) -> bool {
        !self.list_days().is_empty() || !self.list_months().is_empty() || !self.list_years().is_empty()
    }

    /// Lists the dates of the form 2024-03-01.
    pub fn list_days(&self) -> Vec<Date> {
        let is_part = |c: char| c.is_ascii_digit() || c == '-';
        let words = self.text.split(|c: char| !is_part(c)).filter(|word| word.len() >= 10);
        words.filter_map(|word| Date::parse_iso(word.trim_matches('-'))).collect()
    }

    /// Lists the months that the text names. Words that also mean something else do not count.
    fn list_months(&self) -> Vec<u8> {
        let find = |word: &String| {
            let is_month = |month: &&str| **month == *word || word.len() == 3 && month.starts_with(word.as_str());
            let at = MONTHS.iter().position(is_month).filter(|_| word != "may" && word != "mar")?;
            u8::try_from(at + 1).ok()
        };
        self.words.iter().filter_map(find).collect()
    }

    /// Checks whether the text says how long a time is: "three weeks", "14 days".
    pub fn has_length(&self) -> bool {
        let is_number = |word: &str| {
            NUMBERS.iter().any(|(known, _)| *known == word)
                || !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
        };
        self.words.windows(2).any(|two| matches!(two, [number, unit] if is_number(number) && has_listed(LENGTHS, unit)))
    }

    /// Lists the numbers that can be years.
    pub fn list_years(&self) -> Vec<f64> {
        let is_year = |number: &f64| (1900.0..2100.0).contains(number) && number.fract() == 0.0;
        let mut years: Vec<f64> = self.numbers.iter().copied().filter(is_year).collect();
        years.dedup_by(|a, b| is_near(*a, *b));
        years
    }

    /// Checks whether the text has any word about dates.
    pub fn has_date_words(&self) -> bool {
        let is_month =
            |word: &str| MONTHS.iter().any(|month| *month == word || word.len() == 3 && month.starts_with(word));
        self.words.iter().any(|word| has_listed(DATE_WORDS, word) || is_month(word))
    }

    /// Lists the words that could say which rows or values count: all but those of any prompt and those that are known, such as names of files and columns.
    pub fn list_open_words(&self, known: &[String]) -> Vec<&str> {
        let is_known = |word: &str| {
            has_listed(PLAIN, word)
                || word.chars().all(|c| c.is_numeric() || c == DRAWN)
                || word.chars().count() == 1
                || known.iter().any(|name| is_same_stem(name, word) || have_same_singular(name, word))
        };
        self.words.iter().map(String::as_str).filter(|word| !is_known(word)).collect()
    }

    /// Checks whether the text has a word that can mean a number.
    pub fn has_vague_words(&self) -> bool {
        self.words.iter().any(|word| has_listed(VAGUE, word))
    }
}

/// Splits a text into words of letters, digits, and what is between them, such as `don't` and `data.csv`.
fn split_prose(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'))).filter(|word| !word.is_empty())
}

/// Checks whether two words are probably forms of one: `completed` and `completion`.
fn is_same_stem(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let common = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
    common >= SHORTEST_STEM
        && (common == short || common * 3 >= short * 2 && common > SHORTEST_STEM)
        && long - common <= 6
}

/// Reads a text as a day: `2024-03-01`, perhaps with a time, or `2024-03`.
pub fn read_day(text: &str) -> Option<Date> {
    let month = || text.chars().count() == 7;
    text.get(..10).and_then(Date::parse_iso).or_else(|| Date::parse_iso(&format!("{text}-01")).filter(|_| month()))
}

/// Checks whether two numbers are the same, as far as doubles can tell.
pub fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn shift_day(day: Date, by: i64) -> Option<Date> {
    day.checked_add(Duration::from_days(by))
}

/// Reads the numbers of a text in lower case: with separators of thousands, with `k` and `million`, and as words.
fn read_numbers(text: &str, words: &[String]) -> Vec<f64> {
    let mut found = Vec::new();
    let bytes: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(first) = bytes.get(at) {
        if !first.is_ascii_digit() {
            at += 1;
            continue;
        }
        let inner = |c: &char| c.is_ascii_digit() || matches!(c, ',' | '.' | '_' | '\'' | '’');
        let run: String = bytes.iter().skip(at).take_while(|c| inner(c)).collect();
        at += run.chars().count();
        let rest: String = bytes.iter().skip(at).take(12).collect();
        add_number_readings(run.trim_end_matches(|c: char| !c.is_ascii_digit()), &rest, &mut found);
    }
    for (index, word) in words.iter().enumerate() {
        let Some((_, number)) = NUMBERS.iter().find(|(name, _)| name == word) else { continue };
        found.push(*number);
        let before = index.checked_sub(1).and_then(|at| words.get(at));
        let factor = before.and_then(|before| NUMBERS.iter().find(|(name, _)| name == before));
        if let Some((_, factor)) = factor {
            found.extend([factor * number, factor + number]);
        }
    }
    found
}

/// Lists the numbers of a text that can belong to a formula: not those within words such as `CO2`, dates and years, or numbers of decimals.
pub fn list_formula_numbers(text: &str) -> Vec<f64> {
    let lower = text.to_lowercase();
    let plain: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || "/()=×*[]{}<>|+".contains(c))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let is_of_layout = |at: usize| {
        let next = plain.get(at + 1).copied().unwrap_or_default();
        ["decimal", "decimals", "digit", "digits", "place", "places"].contains(&next)
    };
    let is_number = |word: &str| {
        let digits = word.starts_with(|c: char| c.is_ascii_digit());
        let is_date = word.len() >= 7 && word.contains('-') || word.contains([':', DRAWN]);
        digits && !is_date || NUMBERS.iter().any(|(name, _)| *name == word)
    };
    let numbers = plain.iter().enumerate().filter(|(at, word)| is_number(word) && !is_of_layout(*at));
    let words: Vec<String> = numbers.map(|(_, word)| (*word).to_owned()).collect();
    let is_year = |number: &f64| (1900.0..2100.0).contains(number) && number.fract() == 0.0;
    let mut found = read_numbers(&words.join(" "), &words);
    found.retain(|number| !is_year(number));
    found
}

/// Adds what digits with marks between them can mean.
fn add_number_readings(run: &str, rest: &str, found: &mut Vec<f64>) {
    let mut readings = Vec::new();
    let plain: String = run.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    readings.extend(plain.parse::<f64>().ok());
    let digits: String = run.chars().filter(char::is_ascii_digit).collect();
    readings.extend(digits.parse::<f64>().ok());
    let comma = run.replace('.', "").replace(',', ".");
    readings.extend(comma.parse::<f64>().ok());
    // The parts of a date.
    readings.extend(run.split([',', '.']).filter_map(|part| part.parse::<f64>().ok()));
    let rest = rest.trim_start();
    let unit: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
    let factor = match unit.as_str() {
        "thousand" | "k" => 1e3,
        "million" | "m" => 1e6,
        _ => 1.0,
    };
    if factor > 1.0 {
        readings.extend(readings.clone().into_iter().map(|number| number * factor));
    }
    found.extend(readings);
}

/// Checks whether a text mentions all words of a name, such as a column's.
pub fn has_name(hints: &Hints, name: &str) -> bool {
    let words = split_words(name);
    !words.is_empty() && words.iter().all(|word| hints.has_form(word))
}

/// Checks whether a constant chooses or computes nothing that a reader must be told: a unit, a percentage, or the beginning of counting.
pub fn is_structural(number: Decimal) -> bool {
    const CONVERSIONS: &str = "24 30 32 52 60 90 100 180 256 360 365 366 400 1000 1024 1440 3600 10000 86400 100000 1000000 604800 1.6 1.609 1.6093 1.609344 \
        0.621371 0.6214 0.62 2.54 0.3937 0.3048 3.28 3.281 3.28084 3.6 0.453592 0.4536 2.2046 2.205 2.20462 28.35 28.3495 3.785 3.78541 4.546 1.8 273.15 459.67 3.14 3.1416 \
        3.14159 3.14159265 2.718 2.71828 9.8 9.81 9.80665 4.184 0.5 0.25 0.75 0.1 0.01 0.001 0.0001 1.5 2.5 365.25 30.44 6371 0.9144 1.094 1.852";
    let text = number.to_string();
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text.as_str() };
    let text = text.trim_start_matches('-');
    // A twelfth is a month of a year.
    let is_part = |number: f64| number < 1.0 && UNITS.iter().any(|unit| (number * unit - 1.0).abs() < 0.01);
    let is_whole = text.parse::<u32>().is_ok_and(|whole| whole <= 12);
    is_whole || text.parse().is_ok_and(is_part) || has_listed(CONVERSIONS, text)
}
