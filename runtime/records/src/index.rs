//! The instances of a bundle in any order, without all of them in memory.

use std::collections::HashMap;

use crate::bundle::{Bundle, Instances};
use crate::{Error, Instance};

/// Where each instance of a bundle is.
pub struct Index {
    places: HashMap<String, Place>,
    instances: Instances,
}

/// The first byte of a line of `instances.jsonl`, and, if keys are split, of `keys.jsonl`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) key: Option<u64>,
}

impl Index {
    /// Reads all instances once.
    ///
    /// # Errors
    /// One cannot be read.
    pub fn new(bundle: &Bundle) -> Result<Index, Error> {
        let mut instances = bundle.open_instances()?;
        let mut places = HashMap::new();
        while let Some(instance) = instances.next() {
            places.insert(instance?.id, instances.last_place());
        }
        Ok(Index { places, instances })
    }

    /// The instance with this id; `None` if the bundle does not have it.
    ///
    /// # Errors
    /// It cannot be read any more.
    pub fn find_instance(&mut self, id: &str) -> Result<Option<Instance>, Error> {
        let Some(place) = self.places.get(id).copied() else { return Ok(None) };
        self.instances.seek_to(place)?;
        self.instances.next().transpose()
    }

    /// All ids, sorted.
    pub fn list_ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.places.keys().map(String::as_str).collect();
        ids.sort_unstable();
        ids
    }
}
