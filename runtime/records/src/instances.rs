//! The instances of a bundle, one after the other: each is a line of `instances.jsonl`, with a line of `keys.jsonl` if keys are split.

use std::path::Path;

use serde_json::Value as Json;

use crate::Error;
use crate::bundle::Parts;
use crate::head::Head;
use crate::instance::Instance;
use crate::jsonl::{Block, Lines};
use crate::line::{Key, Line};

/// The instances of a bundle.
pub struct Instances {
    pub(crate) lines: Lines,
    pub(crate) keys: Option<Lines>,
}

/// The position of the first byte of a line in `instances.jsonl` and, if keys are split, in `keys.jsonl`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) key: Option<u64>,
}

impl Instances {
    /// Opens the instances in a folder with `open`.
    pub(crate) fn open_folder(
        folder: &Path,
        split_keys: bool,
        open: impl Fn(&Path) -> Result<Lines, Error>,
    ) -> Result<Instances, Error> {
        Ok(Instances {
            lines: open(&folder.join("instances.jsonl"))?,
            keys: split_keys.then(|| open(&folder.join("keys.jsonl"))).transpose()?,
        })
    }

    /// Returns the next line unchanged, and its instance; `None` at the end.
    pub fn next_line(&mut self) -> Option<Result<(Json, Instance), Error>> {
        Some(self.next_parts()?.map(|parts| (parts.line, parts.instance)))
    }

    /// Returns the next line, its line of `keys.jsonl`, and the instance in them; `None` at the end.
    pub fn next_parts(&mut self) -> Option<Result<Parts, Error>> {
        let lines = self.next_lines(parse_json, parse_json)?;
        Some(lines.and_then(|(line, key): (Json, Option<Json>)| {
            if key.as_ref().is_some_and(|key| key.get("id") != line.get("id")) {
                return Err(build_other_ids_error(self.lines.number()));
            }
            let instance = Instance::from_json(&line, key.as_ref())?;
            Ok(Parts { line, key, instance })
        }))
    }

    /// Returns the head of the next instance; `None` at the end.
    pub(crate) fn next_head(&mut self) -> Option<Result<Head, Error>> {
        Some(self.next_lines(Head::parse, Head::parse_id)?.and_then(|(head, id)| match (head, id) {
            (Ok(head), Some(id)) if id != head.id => Err(build_other_ids_error(self.lines.number())),
            (head, _) => head,
        }))
    }

    /// Parses the next line, and its line of `keys.jsonl`.
    fn next_lines<L, K>(
        &mut self,
        parse_line: impl Fn(&[u8]) -> serde_json::Result<L>,
        parse_key: impl Fn(&[u8]) -> serde_json::Result<K>,
    ) -> Option<Result<(L, Option<K>), Error>> {
        let line = self.lines.next_parsed(parse_line)?;
        let key =
            self.keys.as_mut().map(|keys| keys.next_parsed(parse_key).unwrap_or_else(|| Err(build_short_error())));
        Some(line.and_then(|line| Ok((line, key.transpose()?))))
    }

    /// Returns the next instances, to be parsed on any thread; `None` at the end.
    pub fn next_block(&mut self) -> Option<Result<InstanceBlock, Error>> {
        const MAX_LINES: usize = 256;
        Some(self.lines.next_block(MAX_LINES)?.and_then(|lines| {
            let Some(all) = &mut self.keys else { return Ok(InstanceBlock { lines, keys: None }) };
            let (mut keys, mut left) = (Vec::new(), lines.count_lines());
            while left > 0 {
                let block = all.next_block(left).unwrap_or_else(|| Err(build_short_error()))?;
                left -= block.count_lines();
                keys.push(block);
            }
            Ok(InstanceBlock { lines, keys: Some(keys) })
        }))
    }

    /// Returns the place of the lines that were read last.
    pub(crate) fn last_place(&self) -> Place {
        Place { line: self.lines.find_place().0, key: self.keys.as_ref().map(|keys| keys.find_place().0) }
    }

    /// Moves to an instance, which is then the next one.
    pub(crate) fn seek_to(&mut self, place: Place) -> Result<(), Error> {
        self.lines.seek_to(place.line)?;
        match (&mut self.keys, place.key) {
            (Some(keys), Some(start)) => keys.seek_to(start),
            _ => Ok(()),
        }
    }
}

impl Iterator for Instances {
    type Item = Result<Instance, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let lines = self.next_lines(parse_line, parse_key)?;
        Some(lines.and_then(|(line, key)| read_instance(line, key, self.lines.number())))
    }
}

/// Instances that were read together.
pub struct InstanceBlock {
    lines: Block,
    /// The lines of `keys.jsonl`, if keys are split.
    keys: Option<Vec<Block>>,
}

impl InstanceBlock {
    /// Parses the instances, in their order.
    ///
    /// # Errors
    /// The first one that cannot be read.
    pub fn read_instances(&self) -> impl Iterator<Item = Result<Instance, Error>> {
        let mut keys = self.keys.as_ref().map(|keys| {
            keys.iter().flat_map(|block| (0..block.count_lines()).map(move |at| block.parse_line(at, parse_key)))
        });
        (0..self.lines.count_lines()).map(move |at| {
            let line = self.lines.parse_line(at, parse_line)?;
            let key = keys.as_mut().map(|keys| keys.next().unwrap_or_else(|| Err(build_short_error())));
            read_instance(line, key.transpose()?, self.lines.number_line(at))
        })
    }
}

fn parse_json(line: &[u8]) -> serde_json::Result<Json> {
    serde_json::from_slice(line)
}

fn parse_line(line: &[u8]) -> serde_json::Result<Line> {
    serde_json::from_slice(line)
}

fn parse_key(line: &[u8]) -> serde_json::Result<Key> {
    serde_json::from_slice(line)
}

/// Reads an instance of the line with this number; `key` is its line of `keys.jsonl`, if keys are split.
fn read_instance(line: Line, key: Option<Key>, number: u64) -> Result<Instance, Error> {
    if key.as_ref().is_some_and(|key| key.id != line.id) {
        return Err(build_other_ids_error(number));
    }
    Instance::from_lines(line, key)
}

fn build_short_error() -> Error {
    Error::new_usage("`keys.jsonl` ends before `instances.jsonl`")
}

fn build_other_ids_error(number: u64) -> Error {
    let message = format!("line {number} of `keys.jsonl` and of `instances.jsonl` have other ids");
    Error::new_usage(message).help("build the bundle again")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A folder with 600 instances, of which one is long; `split` takes their keys out.
    fn write_folder(split: bool, change: impl Fn(usize, &mut Json)) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut lines, mut keys) = (String::new(), String::new());
        for number in 0..600 {
            let input = "?".repeat(if number == 300 { 1 << 19 } else { number });
            let mut line = json!({"id": format!("q-{number}"), "input": input, "target": "7", "files": {"a": "files/x", "b": "data:,;base64,YQ=="},
            "metadata": {"picard": {
                "schema": 1, "scorer": 2, "suite": "s", "version": "1", "task": "q", "sample": 1, "draws": {"n": 7},
                "expect": [{"subject": "reply", "match": "number", "value": number, "options": {}, "weight": 1}], "tags": ["t"],
            }}});
            change(number, &mut line);
            if split {
                let picard = &line["metadata"]["picard"];
                let key = json!({"id": line["id"], "target": line["target"], "expect": picard["expect"], "draws": picard["draws"]});
                keys.push_str(&format!("{key}\n"));
                let object = line.as_object_mut().expect("an object");
                object.shift_remove("target");
                line["metadata"]["picard"]
                    .as_object_mut()
                    .expect("an object")
                    .retain(|name, _| name != "expect" && name != "draws");
            }
            // Blank lines are none.
            lines.push_str(&format!("{line}\n{}", if number % 7 == 0 { "\n" } else { "" }));
        }
        std::fs::write(folder.path().join("instances.jsonl"), lines).expect("written");
        std::fs::write(folder.path().join("keys.jsonl"), keys).expect("written");
        folder
    }

    fn open(folder: &tempfile::TempDir, split: bool) -> Instances {
        Instances::open_folder(folder.path(), split, Lines::open_whole).expect("opened")
    }

    fn read_blocks(mut all: Instances) -> Result<Vec<Instance>, Error> {
        let mut read = Vec::new();
        while let Some(block) = all.next_block() {
            for instance in block?.read_instances() {
                read.push(instance?);
            }
        }
        Ok(read)
    }

    #[test]
    fn instances_are_the_same_in_blocks_by_line_and_by_their_heads() {
        for split in [false, true] {
            let folder = write_folder(split, |_, _| {});
            let whole: Vec<Instance> = open(&folder, split).collect::<Result<_, _>>().expect("read");
            assert_eq!((whole.len(), whole[599].id.as_str()), (600, "q-599"));
            assert_eq!(read_blocks(open(&folder, split)).expect("read"), whole);
            let mut lines = open(&folder, split);
            let by_line = std::iter::from_fn(|| lines.next_line()).map(|line| line.map(|(_, instance)| instance));
            assert_eq!(by_line.collect::<Result<Vec<_>, _>>().expect("read"), whole);
            let mut heads = open(&folder, split);
            let heads = std::iter::from_fn(|| heads.next_head()).map(|head| head.map(|head| (head.id, head.paths)));
            let known: Vec<(String, Vec<String>)> =
                whole.iter().map(|one| (one.id.clone(), vec!["files/x".to_owned()])).collect();
            assert_eq!(heads.collect::<Result<Vec<_>, _>>().expect("read"), known);
        }
    }

    #[test]
    fn a_wrong_instance_is_told_alike() {
        type Change = fn(&mut Json);
        let changes: [(Change, &str); 6] = [
            (|line| line["metadata"]["picard"]["scorer"] = json!(99), "instance `q-500`: it needs scorer 99"),
            (|line| line["metadata"]["picard"]["schema"] = json!(9), "instance `q-500`: its schema is not 1 or 2"),
            (|line| line["metadata"] = json!({}), "instance `q-500`: it has no `metadata.picard`"),
            (|line| line["id"] = json!(null), "it has no `id`"),
            (|line| line["files"] = json!({"a": 5}), "instances.jsonl`, line 573: invalid type: integer `5`"),
            (|line| line["input"] = json!(null), "instance `q-500`: it has no `input`"),
        ];
        for (at, (change, told)) in changes.into_iter().enumerate() {
            let folder = write_folder(false, |number, line| {
                if number == 500 {
                    change(line);
                }
            });
            let whole = open(&folder, false).collect::<Result<Vec<_>, _>>().expect_err(told);
            assert!(whole.message.contains(told), "{} for {told}", whole.message);
            assert_eq!(read_blocks(open(&folder, false)).expect_err(told), whole);
            let mut heads = open(&folder, false);
            let head = std::iter::from_fn(|| heads.next_head()).find_map(Result::err);
            // The last one is no part of a head; of the one before it, serde tells where.
            assert_eq!(
                head.as_ref().map(|error| error.message.as_str()).filter(|_| at != 4),
                (at < 4).then_some(whole.message.as_str())
            );
            assert_eq!(head.is_some(), at < 5, "{told}");
        }
        let folder = write_folder(true, |_, _| {});
        let keys = std::fs::read_to_string(folder.path().join("keys.jsonl")).expect("read");
        std::fs::write(folder.path().join("keys.jsonl"), keys.replace("\"id\":\"q-400\"", "\"id\":\"q-x\""))
            .expect("written");
        let told = open(&folder, true).collect::<Result<Vec<_>, _>>().expect_err("other ids");
        assert!(told.message.contains("other ids"), "{}", told.message);
        assert_eq!(read_blocks(open(&folder, true)).expect_err("other ids"), told);
    }
}
