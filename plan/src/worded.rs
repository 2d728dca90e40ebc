//! Enums whose members are words of the language.

/// Declares an enum whose members each have the word that an author writes: `word()` gives it, `of` reads it, `ALL` lists the members.
#[macro_export]
macro_rules! worded {
    ($(#[$of_enum:meta])* $vis:vis enum $name:ident { $($(#[$of_member:meta])* $member:ident = $word:literal),+ $(,)? }) => {
        $(#[$of_enum])*
        $vis enum $name { $($(#[$of_member])* $member),+ }

        impl $name {
            /// Every member, in the order of the declaration.
            pub const ALL: &'static [$name] = &[$($name::$member),+];

            /// The word that an author writes.
            pub const fn word(self) -> &'static str {
                match self { $($name::$member => $word),+ }
            }

            /// The member that a word means.
            pub fn of(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|member| member.word() == word)
            }
        }
    };
}
