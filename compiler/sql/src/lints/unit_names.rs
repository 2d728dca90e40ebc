//! Names of columns with values of one unit, which are often added up once for each row of another table.

/// Names of values that belong to a row of another table, and are summed once for each of its rows on purpose.
const UNITS: [&str; 22] = [
    "price", "fee", "rate", "cost", "costs", "weight", "credits", "points", "hours", "minutes", "duration", "length",
    "distance", "size", "toll", "wage", "tax", "calories", "volume", "pages", "seats", "unit",
];

/// Those that are often added up once for each row of another table.
const PRICES: [&str; 8] = ["price", "cost", "costs", "rate", "weight", "unit", "points", "credits"];

/// Whether a column has a value of one unit, by its name.
pub fn is_unit_name(name: &str) -> bool {
    has_word(name, &UNITS)
}

/// Whether a column has a price or the like, by its name.
pub fn is_price_name(name: &str) -> bool {
    has_word(name, &PRICES)
}

fn has_word(name: &str, words: &[&str]) -> bool {
    let lower = name.to_lowercase();
    lower.split('_').any(|part| words.contains(&part))
}
