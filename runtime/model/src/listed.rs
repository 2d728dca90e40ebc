//! A list that many hold: it is made once, and copies of it cost nothing.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list whose clones share their items. It reads and is written like a `Vec`.
#[derive(Clone, Debug)]
pub struct Listed<T>(Arc<[T]>);

impl<T> Listed<T> {
    /// Whether the other is a clone of this one, or this of it.
    fn shares(&self, other: &Listed<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Listed<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Listed<T> {
        Listed(Arc::default())
    }
}

impl<T: PartialEq> PartialEq for Listed<T> {
    fn eq(&self, other: &Listed<T>) -> bool {
        self.shares(other) || self.0 == other.0
    }
}

impl<T> From<Vec<T>> for Listed<T> {
    fn from(items: Vec<T>) -> Listed<T> {
        Listed(items.into())
    }
}

impl<T> FromIterator<T> for Listed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Listed<T> {
        Listed(items.into_iter().collect())
    }
}

impl<'l, T> IntoIterator for &'l Listed<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Serialize> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Listed<T>, D::Error> {
        Vec::deserialize(deserializer).map(Listed::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_and_is_written_like_a_vec() {
        let listed: Listed<u32> = [1, 2, 3].into_iter().collect();
        let written = serde_json::to_string(&listed).expect("written");
        assert_eq!(written, "[1,2,3]");
        assert_eq!(serde_json::from_str::<Listed<u32>>(&written).expect("read"), listed);
        assert_eq!(format!("{:?}", &*listed), "[1, 2, 3]");
        assert_ne!(listed, Listed::default());
        let alike: Listed<u32> = vec![1, 2, 3].into();
        assert!(alike == listed && !alike.shares(&listed) && listed.clone().shares(&listed));
    }
}
