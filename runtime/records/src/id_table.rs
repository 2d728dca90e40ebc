//! Ids of instances in 24 bytes each: the texts of ten million take a gigabyte.

use std::hash::{BuildHasher as _, RandomState};

/// Two hashes of an id, with keys of their own.
type Hashes = [u64; 2];

/// The ids of a run or bundle, numbered from 0 in their order. In place of its text, an id is kept as 128 bits of hashes whose keys are drawn anew for each
/// table: among 10⁷ ids, two that differ have the same bits with a probability below 10⁻²⁴.
///
/// ```
/// use records::id_table::IdTable;
///
/// let table: IdTable = ["sums-1", "sums-2"].into_iter().collect();
/// assert_eq!((table.find_number("sums-2"), table.find_number("sums-3"), table.len()), (Some(1), None, 2));
/// assert_eq!(table.find_repeated(), None);
/// // The number of the second one of two that are equal.
/// assert_eq!(["a", "b", "a"].into_iter().collect::<IdTable>().find_repeated(), Some(2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct IdTable {
    keys: [RandomState; 2],
    /// Sorted.
    ids: Vec<(Hashes, u32)>,
}

impl IdTable {
    /// Returns the number of an id; the first one, if it appears twice.
    pub fn find_number(&self, id: &str) -> Option<usize> {
        let hashes = hash_id(&self.keys, id);
        let at = self.ids.partition_point(|(known, _)| *known < hashes);
        self.ids.get(at).filter(|(known, _)| *known == hashes).map(|(_, number)| *number as usize)
    }

    /// Returns the least number of an id that another one before it equals.
    pub fn find_repeated(&self) -> Option<usize> {
        let repeated = self.ids.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1);
        repeated.min().map(|number| number as usize)
    }

    /// Returns how many ids there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Checks whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

fn hash_id(keys: &[RandomState; 2], id: &str) -> Hashes {
    [keys[0].hash_one(id), keys[1].hash_one(id)]
}

impl<S: AsRef<str>> FromIterator<S> for IdTable {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> IdTable {
        let mut adder = IdAdder::default();
        ids.into_iter().for_each(|id| adder.add_id(id.as_ref()));
        adder.into_table()
    }
}

/// Adds ids one by one.
#[derive(Debug, Default)]
pub struct IdAdder(IdTable);

impl IdAdder {
    /// Adds an id, whose number is that of the ids before it.
    pub fn add_id(&mut self, id: &str) {
        let number = self.0.ids.len() as u32;
        self.0.ids.push((hash_id(&self.0.keys, id), number));
    }

    /// Returns the table.
    pub fn into_table(self) -> IdTable {
        let IdAdder(mut table) = self;
        table.ids.sort_unstable();
        table
    }
}
