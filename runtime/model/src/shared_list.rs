//! A shared list: it is made once, and cloning it is free.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list whose clones share their items. It is used and serialized like a `Vec`.
#[derive(Clone, Debug)]
pub struct SharedList<T>(Arc<[T]>);

impl<T> SharedList<T> {
    /// Checks whether both lists share their items.
    fn is_shared_with(&self, other: &SharedList<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for SharedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> SharedList<T> {
        SharedList(Arc::default())
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &SharedList<T>) -> bool {
        self.is_shared_with(other) || self.0 == other.0
    }
}

impl<T> From<Vec<T>> for SharedList<T> {
    fn from(items: Vec<T>) -> SharedList<T> {
        SharedList(items.into())
    }
}

impl<T> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> SharedList<T> {
        SharedList(items.into_iter().collect())
    }
}

impl<'l, T> IntoIterator for &'l SharedList<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Serialize> Serialize for SharedList<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SharedList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SharedList<T>, D::Error> {
        Vec::deserialize(deserializer).map(SharedList::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_and_is_written_like_a_vec() {
        let listed: SharedList<u32> = [1, 2, 3].into_iter().collect();
        let written = serde_json::to_string(&listed).expect("written");
        assert_eq!(written, "[1,2,3]");
        assert_eq!(serde_json::from_str::<SharedList<u32>>(&written).expect("read"), listed);
        assert_eq!(format!("{:?}", &*listed), "[1, 2, 3]");
        assert_ne!(listed, SharedList::default());
        let alike: SharedList<u32> = vec![1, 2, 3].into();
        assert!(alike == listed && !alike.is_shared_with(&listed) && listed.clone().is_shared_with(&listed));
    }
}
