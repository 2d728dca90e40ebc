//! The lines of `instances.jsonl` and `keys.jsonl` as they are written. What lacks or cannot be used is told where an instance is made of them.

use std::fmt;
use std::marker::PhantomData;

use model::asked::{AskedRow, Stage};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

/// A line of `instances.jsonl`.
#[derive(Deserialize)]
pub(crate) struct Line {
    pub(crate) id: Option<String>,
    pub(crate) input: Option<String>,
    pub(crate) target: Option<Target>,
    #[serde(default)]
    pub(crate) files: Pairs<String>,
    metadata: Option<Metadata>,
}

impl Line {
    /// Returns `metadata.picard`.
    pub(crate) fn take_picard(&mut self) -> Option<Picard> {
        self.metadata.take().and_then(|metadata| metadata.picard)
    }
}

#[derive(Deserialize)]
struct Metadata {
    picard: Option<Picard>,
}

/// What only picardc reads.
#[derive(Deserialize)]
pub(crate) struct Picard {
    pub(crate) schema: Option<u64>,
    pub(crate) scorer: Option<u64>,
    pub(crate) suite: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) task: Option<String>,
    pub(crate) variant: Option<String>,
    pub(crate) each: Option<AskedRow>,
    #[serde(default)]
    pub(crate) axis: Pairs<Json>,
    pub(crate) sample: Option<u32>,
    #[serde(default)]
    pub(crate) described: Vec<Json>,
    #[serde(default)]
    pub(crate) folders: Vec<String>,
    #[serde(default)]
    pub(crate) lakes: Vec<LakeLine>,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    pub(crate) tools: Option<Json>,
    pub(crate) calls: Option<Json>,
    pub(crate) canary: Option<String>,
    pub(crate) stage: Option<Stage>,
    expect: Option<Vec<Json>>,
    #[serde(default)]
    draws: Pairs<Json>,
    stages: Option<Json>,
}

impl Picard {
    /// Returns the key of an instance whose keys are not split, with its target.
    pub(crate) fn take_key(&mut self, target: Option<Target>) -> Key {
        let draws = std::mem::take(&mut self.draws);
        Key { id: None, target, expect: self.expect.take(), draws, stages: self.stages.take() }
    }
}

/// A lake of an instance.
#[derive(Deserialize)]
pub(crate) struct LakeLine {
    pub(crate) at: String,
    /// `"all"`, or a list of its files.
    pub(crate) files: Option<Json>,
}

/// A line of `keys.jsonl`; without split keys, its fields are among those of the instance.
#[derive(Default, Deserialize)]
pub(crate) struct Key {
    pub(crate) id: Option<String>,
    pub(crate) target: Option<Target>,
    pub(crate) expect: Option<Vec<Json>>,
    #[serde(default)]
    pub(crate) draws: Pairs<Json>,
    pub(crate) stages: Option<Json>,
}

/// The expected answer for people: one, or a list of alternatives.
pub(crate) struct Target(pub(crate) Vec<String>);

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Target, D::Error> {
        struct Alternatives;
        impl<'de> Visitor<'de> for Alternatives {
            type Value = Target;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a text or a list of texts")
            }

            fn visit_str<E>(self, text: &str) -> Result<Target, E> {
                Ok(Target(vec![text.to_owned()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Target, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element()? {
                    texts.push(text);
                }
                Ok(Target(texts))
            }
        }
        from.deserialize_any(Alternatives)
    }
}

/// The fields of an object, in their order.
pub(crate) struct Pairs<T>(pub(crate) Vec<(String, T)>);

impl<T> Default for Pairs<T> {
    fn default() -> Pairs<T> {
        Pairs(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Pairs<T>, D::Error> {
        struct Fields<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Pairs<T>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(Fields(PhantomData))
    }
}
