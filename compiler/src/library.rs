//! The standard library of edition 1: `.pcd` files like any author's, compiled in.

/// Its sources, by name.
pub fn sources() -> &'static [(&'static str, &'static str)] {
    &[
        ("1/domains.pcd", include_str!("../../stdlib/1/domains.pcd")),
        ("1/functions.pcd", include_str!("../../stdlib/1/functions.pcd")),
    ]
}

macro_rules! word_lists {
    ($($name:literal)*) => {
        &[$((concat!("words/", $name, ".txt"), include_str!(concat!("../../stdlib/1/words/", $name, ".txt")))),*]
    };
}

/// Its word lists, by the name that `one_of lines` gives.
static WORD_LISTS: &[(&str, &str)] =
    word_lists! { "city" "first_name" "last_name" "mail_first" "mail_last" "nature" "word" };

/// A word list of the library.
pub fn word_list(name: &str) -> Option<&'static str> {
    WORD_LISTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
