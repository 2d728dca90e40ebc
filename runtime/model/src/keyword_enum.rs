//! Enums whose members are words of the language, in the source and in JSON.

/// Declares an enum in which each member has the word of the source: `word()` returns it, `from_word` parses it, and `ALL` lists the members.
#[macro_export]
macro_rules! worded {
    ($(#[$of_enum:meta])* $vis:vis enum $name:ident { $($(#[$of_member:meta])* $member:ident = $word:literal),+ $(,)? }) => {
        $(#[$of_enum])*
        $vis enum $name { $($(#[$of_member])* $member),+ }

        impl $name {
            /// Every member, in the order of the declaration.
            pub const ALL: &'static [$name] = &[$($name::$member),+];

            /// The word in the source.
            pub const fn word(self) -> &'static str {
                match self { $($name::$member => $word),+ }
            }

            /// Returns the member for a word.
            pub fn from_word(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|member| member.word() == word)
            }
        }
    };
}

/// Implements serialization of an enum of [`worded!`](crate::worded) as its words.
#[macro_export]
macro_rules! words_in_json {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.word())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                let word = <std::borrow::Cow<'_, str>>::deserialize(from)?;
                $name::from_word(&word).ok_or_else(|| {
                    let known: Vec<&str> = $name::ALL.iter().map(|member| member.word()).collect();
                    serde::de::Error::custom(format!("`{word}` is not one of {}", known.join(", ")))
                })
            }
        }
    };
}
