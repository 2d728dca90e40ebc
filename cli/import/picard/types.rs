//! Semantic types, number types, pools, and PICARD's guesses from headers.

use super::text::Variable;
use crate::import::Obstacle;

/// The kind of the values of a column, an element, or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Int,
    /// Exact decimals, with this many places.
    Decimal(u8),
    /// Means, as floats.
    Float,
    /// Text.
    Text,
    /// Dates.
    Date,
    /// `true` and `false`.
    Bool,
    /// Unknown until the compiler has checked the query or the path.
    Unknown,
}

impl Kind {
    /// Whether values of this kind are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Int | Kind::Decimal(_) | Kind::Float)
    }
}

/// Returns the domain and kind of a semantic type; `None` for a name that PICARD does not know (it would write lorem words).
pub fn find_semantic_type(name: &str) -> Option<(&'static str, Kind)> {
    const TYPES: &[(&str, &str, Kind)] = &[
        ("first_name", "first_name", Kind::Text),
        ("last_name", "last_name", Kind::Text),
        ("person_name", "person_name", Kind::Text),
        ("email", "email", Kind::Text),
        ("city", "city", Kind::Text),
        ("city_name", "city", Kind::Text),
        ("company", "company", Kind::Text),
        ("company_name", "company", Kind::Text),
        ("product", "product", Kind::Text),
        ("product_name", "product", Kind::Text),
        ("age", "age", Kind::Int),
        ("salary", "salary", Kind::Int),
        ("currency", "currency", Kind::Int),
        ("price", "price", Kind::Decimal(2)),
        ("phone", "phone", Kind::Text),
        ("date", "date", Kind::Date),
        ("experience", "experience", Kind::Int),
        ("score", "score", Kind::Int),
        ("id", "id", Kind::Int),
        ("status", "status", Kind::Text),
        ("department", "department", Kind::Text),
        ("region", "region", Kind::Text),
        ("category", "category", Kind::Text),
        ("course", "course", Kind::Text),
        ("semester", "semester", Kind::Text),
        ("boolean", "boolean", Kind::Text),
        ("entity_pool", "entity_pool", Kind::Text),
        ("lorem_word", "lorem_word", Kind::Text),
        ("lorem_words", "lorem_words", Kind::Text),
    ];
    TYPES.iter().find(|(picard, ..)| *picard == name).map(|(_, domain, kind)| (*domain, *kind))
}

/// Returns the domain and kind of a semantic type; an error contains advice.
pub fn require_semantic_type(name: &str) -> Result<(String, Kind), Obstacle> {
    let found = find_semantic_type(name).map(|(domain, kind)| (domain.to_owned(), kind));
    found.ok_or_else(|| {
        Obstacle::new(format!("`{name}` is not a semantic type, and PICARD writes lorem words for it"))
            .cite(&[25])
            .suggest("name one of its types, such as `person_name`")
    })
}

/// Returns the semantic type that PICARD guesses from a header.
pub fn guess_semantic_type(header: &str) -> &'static str {
    const EXACT: &[(&str, &[&str])] = &[
        ("person_name", &["name", "full_name", "fullname"]),
        ("first_name", &["first_name", "firstname", "first"]),
        ("last_name", &["last_name", "lastname", "last", "surname"]),
        ("email", &["email", "email_address"]),
        ("age", &["age"]),
        ("city", &["city", "location"]),
        ("company", &["company", "employer"]),
        ("product", &["product", "item"]),
        ("salary", &["salary", "income"]),
        ("price", &["price", "cost", "amount"]),
        ("phone", &["phone", "telephone", "phone_number"]),
        ("date", &["date", "created_date", "updated_date"]),
        ("person_name", &["customer", "customer_name", "client", "client_name"]),
        ("status", &["status", "state"]),
        ("department", &["department", "dept"]),
        ("region", &["region", "area", "zone"]),
        ("id", &["id"]),
        ("experience", &["experience", "years_experience", "years", "exp"]),
        ("score", &["score", "grade", "rating", "points"]),
        ("course", &["course", "subject", "class"]),
        ("semester", &["semester", "term", "quarter"]),
        ("category", &["category", "type", "kind"]),
        ("boolean", &["in_stock", "available", "active"]),
        ("currency", &["total", "sum", "revenue"]),
    ];
    const PARTS: &[(&str, &[&str])] = &[
        ("person_name", &["name"]),
        ("email", &["email"]),
        ("city", &["city"]),
        ("company", &["company"]),
        ("price", &["price", "cost"]),
        ("phone", &["phone"]),
        ("date", &["date"]),
        ("person_name", &["customer", "client"]),
        ("status", &["status"]),
        ("department", &["department", "dept"]),
        ("region", &["region"]),
        ("id", &["id"]),
        ("experience", &["experience", "exp"]),
        ("score", &["score", "grade"]),
        ("course", &["course", "subject"]),
        ("category", &["category", "type"]),
    ];
    let header = header.to_lowercase();
    for (ty, names) in EXACT {
        if names.contains(&header.as_str()) || *ty == "id" && header.ends_with("_id") {
            return ty;
        }
    }
    PARTS.iter().find(|(_, parts)| parts.iter().any(|part| header.contains(part))).map_or("lorem_words", |(ty, _)| *ty)
}

/// Translates a variable to a draw: the preferred name, the domain, and the kind.
pub fn translate_variable(variable: &Variable) -> Result<(String, String, Kind), Obstacle> {
    match variable {
        Variable::Entity(index, pool) => {
            let domain = match pool.as_str() {
                "default" => "word",
                "colors" => "color",
                "nature" => "nature",
                "metals" => "metal",
                "gems" => "gem",
                _ => {
                    return Err(Obstacle::new(format!("`{pool}` is not a pool, and PICARD stops the whole run"))
                        .cite(&[27])
                        .suggest("the pools are `default`, `colors`, `nature`, `metals`, and `gems`"));
                }
            };
            let name = if domain == "word" { "entity" } else { domain };
            Ok((format!("{name}{index}"), domain.to_owned(), Kind::Text))
        }
        Variable::Semantic(index, ty) => {
            let (domain, kind) = require_semantic_type(ty)?;
            Ok((format!("{domain}{index}"), domain, kind))
        }
        Variable::Number(index, least, most, ty) => {
            let (domain, kind) = translate_number(*least, *most, ty)?;
            Ok((format!("number{index}"), domain, kind))
        }
    }
}

fn translate_number(least: u64, most: u64, ty: &str) -> Result<(String, Kind), Obstacle> {
    if least > most {
        return Err(Obstacle::new(format!("the range {least} to {most} is empty, and PICARD stops the whole run"))
            .cite(&[27])
            .suggest("exchange its bounds"));
    }
    let step: u64 = match ty {
        "integer" | "currency" => return Ok((format!("int {least}..{most}"), Kind::Int)),
        "decimal" => return Ok((format!("decimal {least}.00..{most}.00"), Kind::Decimal(2))),
        "percentage" => return Ok((format!("decimal {least}.0..{most}.0"), Kind::Decimal(1))),
        "round_hundreds" => 100,
        "round_thousands" => 1_000,
        "round_ten_thousands" => 10_000,
        "round_500" => 500,
        "round_250" => 250,
        _ => {
            return Err(Obstacle::new(format!("`{ty}` is not a number type, and PICARD stops the whole run"))
                .cite(&[27])
                .suggest("write `integer`"));
        }
    };
    let (least, most) = (least.div_ceil(step).saturating_mul(step), most / step * step);
    if least > most {
        return Err(Obstacle::new(format!(
            "no multiple of {step} is in the range of `{ty}`, so PICARD leaves the range"
        ))
        .suggest("widen it"));
    }
    Ok((format!("int {least}..{most} step {step}"), Kind::Int))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_guessed_as_picard_does() {
        for (header, ty) in [
            ("NAME", "person_name"),
            ("product_name", "person_name"),
            ("width", "id"),
            ("ORDER_ID", "id"),
            ("capacity", "city"),
            ("candidate", "date"),
            ("expense", "experience"),
            ("AGE_YRS", "lorem_words"),
            ("quantity", "lorem_words"),
            ("total", "currency"),
            ("type", "category"),
        ] {
            assert_eq!(guess_semantic_type(header), ty, "{header}");
        }
    }

    #[test]
    fn ranges_stay_within_their_bounds() {
        assert_eq!(translate_number(120, 990, "round_250"), Ok(("int 250..750 step 250".to_owned(), Kind::Int)));
        assert_eq!(translate_number(5, 50, "decimal"), Ok(("decimal 5.00..50.00".to_owned(), Kind::Decimal(2))));
        assert!(translate_number(100, 400, "round_thousands").is_err() && translate_number(9, 1, "integer").is_err());
    }
}
