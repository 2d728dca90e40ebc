//! The standard library of edition 1: `.pcd` files like any author's, compiled in.

/// Its sources, by name.
pub fn sources() -> &'static [(&'static str, &'static str)] {
    &[
        ("1/domains.pcd", include_str!("../../stdlib/1/domains.pcd")),
        ("1/tables.pcd", include_str!("../../stdlib/1/tables.pcd")),
        ("1/functions.pcd", include_str!("../../stdlib/1/functions.pcd")),
    ]
}

macro_rules! word_lists {
    ($($name:literal)*) => {
        &[$((concat!("words/", $name, ".txt"), include_str!(concat!("../../stdlib/1/words/", $name, ".txt")))),*]
    };
}

/// Its word lists, by the name that `one_of lines` gives.
static WORD_LISTS: &[(&str, &str)] = word_lists! {
    "city" "country" "country_code" "country_line" "currency_code" "currency_line" "currency_name" "family_name_world" "first_name" "given_name_world"
    "item_line" "job_line" "job_title" "language" "language_code" "language_line" "last_name" "mail_first" "mail_last" "nature" "place_line" "state"
    "state_code" "street" "time_zone" "word"
};

/// A word list of the library.
pub fn word_list(name: &str) -> Option<&'static str> {
    WORD_LISTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
