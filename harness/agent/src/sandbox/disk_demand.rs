//! Computes the disk space that the lakes of a run need, before the first sandbox is made.

use std::collections::BTreeMap;
use std::path::Path;

use model::size::format_bytes;
use records::run::Lakes as Form;
use records::{Bundle, Error, Instance};

use super::lakes::{Listing, find_linkable_lakes, is_in_folder};

/// The lakes of the selected instances.
pub struct Demand<'b> {
    bundle: &'b Bundle,
    /// Lakes with more bytes are linked if possible; `None` if no lake is linked.
    large: Option<u64>,
    /// The size of each lake file, by its path below the bundle.
    sizes: BTreeMap<String, u64>,
    /// The maximum number of bytes that are copied to one sandbox; `None` if no instance has a lake.
    most: Option<u64>,
    /// The size of each linked lake, in bytes.
    linked: BTreeMap<Listing, u64>,
}

impl<'b> Demand<'b> {
    /// Creates an empty demand. Lakes of more than `large` bytes are linked.
    pub fn new(bundle: &'b Bundle, large: Option<u64>) -> Demand<'b> {
        Demand { bundle, large, sizes: BTreeMap::new(), most: None, linked: BTreeMap::new() }
    }

    /// Adds the lakes of an instance of the bundle.
    ///
    /// # Errors
    /// The bundle does not have one of the instance's files.
    pub fn add_instance(&mut self, instance: &Instance) -> Result<(), Error> {
        if instance.lakes.is_empty() {
            return Ok(());
        }
        let mut links = Vec::new();
        if let Some(large) = self.large {
            for (at, listing) in find_linkable_lakes(instance) {
                let bytes = self.sum_sizes(listing.iter().map(|(_, below)| below.as_str()))?;
                if bytes > large {
                    self.linked.insert(listing, bytes);
                    links.push(at);
                }
            }
        }
        let copied = instance.files.iter().filter(|(path, _)| !links.iter().any(|at| is_in_folder(at, path)));
        let bytes = self.sum_sizes(copied.filter_map(|(_, content)| content.as_static()))?;
        self.most = self.most.max(Some(bytes));
        Ok(())
    }

    fn sum_sizes<'p>(&mut self, paths: impl Iterator<Item = &'p str>) -> Result<u64, Error> {
        let mut sum = 0u64;
        for path in paths {
            let size = match self.sizes.get(path) {
                Some(size) => *size,
                None => {
                    let size = self.bundle.read_size(path)?;
                    self.sizes.insert(path.to_owned(), size);
                    size
                }
            };
            sum = sum.saturating_add(size);
        }
        Ok(sum)
    }

    /// Returns whether lakes are copied or linked; `None` if no instance has one.
    pub fn choose_lake_form(&self) -> Option<Form> {
        self.most.map(|_| if self.linked.is_empty() { Form::Copied } else { Form::Linked })
    }

    /// Checks that the lakes of `at_once` sandboxes fit on the disk of `folder`; `advice` tells the user how to choose another place.
    ///
    /// # Errors
    /// They do not fit.
    pub fn check_free_space(&self, folder: &Path, at_once: u64, advice: &str) -> Result<(), Error> {
        let Some(most) = self.most else { return Ok(()) };
        // If the system does not report it, copying will fail if there is too little.
        let Some(free) = measure_free_space(folder) else { return Ok(()) };
        let shared = self.linked.values().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes));
        let needed = most.saturating_mul(at_once).saturating_add(shared);
        if needed <= free || self.can_share_blocks(folder) {
            return Ok(());
        }
        let sandboxes = if at_once == 1 { "1 sandbox" } else { &format!("{at_once} sandboxes at once") };
        let message = format!(
            "the lakes of {sandboxes} need {}, but `{}` has {} of free space",
            format_bytes(needed),
            disk::show_path(&folder),
            format_bytes(free)
        );
        let fewer = free.saturating_sub(shared).checked_div(most).filter(|fewer| (1..at_once).contains(fewer));
        let help = fewer.map_or_else(|| advice.to_owned(), |fewer| format!("give --concurrency {fewer}, or {advice}"));
        Err(Error::new_outside(message).help(help))
    }

    /// Whether copies share the disk space of the original until they are changed.
    fn can_share_blocks(&self, folder: &Path) -> bool {
        #[cfg(all(target_os = "linux", not(any(target_arch = "sparc", target_arch = "sparc64"))))]
        {
            let largest = self.sizes.iter().max_by_key(|(_, size)| **size);
            let files = largest.map(|(path, _)| (self.bundle.open_file(path), tempfile::tempfile_in(folder)));
            matches!(files, Some((Ok(from), Ok(to))) if rustix::fs::ioctl_ficlone(&to, &from).is_ok())
        }
        #[cfg(not(all(target_os = "linux", not(any(target_arch = "sparc", target_arch = "sparc64")))))]
        {
            let _ = folder;
            false
        }
    }
}

/// Returns the free space for the user on the disk of `folder`, in bytes; `None` if the system does not report it.
fn measure_free_space(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    return rustix::fs::statvfs(folder).ok().map(|found| found.f_bavail.saturating_mul(found.f_frsize));
    #[cfg(not(unix))]
    return folder.parent().and(None);
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, File};

    use super::*;

    /// A bundle with a lake of a file of this number of bytes, none of them on the disk, and one of 5 bytes.
    fn create_bundle(folder: &Path, bytes: u64) -> (Bundle, Instance) {
        let manifest = serde_json::json!({
            "schema": 2, "suite": {"name": "s", "title": "S", "version": "1.0.0"}, "seed": "1", "instances": 1, "bundle_sha256": "",
            "options": {"sandbox_root": ".", "split_keys": false},
        });
        fs::write(folder.join("manifest.json"), manifest.to_string()).expect("written");
        let instance = serde_json::json!({
            "id": "t-1", "input": "What?", "target": "x",
            "files": {"data/large.bin": "static/lake/large.bin", "data/small.bin": "static/lake/small.bin"},
            "metadata": {"picard": {
                "schema": 2, "scorer": 2, "suite": "s", "version": "1.0.0", "task": "t", "variant": null, "axis": {}, "sample": 1, "draws": {},
                "tags": [], "lakes": [{"name": "l", "at": "data", "files": "all"}],
                "expect": [{"subject": "reply", "match": "text", "value": "x"}],
            }},
        });
        fs::write(folder.join("instances.jsonl"), instance.to_string()).expect("written");
        fs::create_dir_all(folder.join("static/lake")).expect("made");
        File::create(folder.join("static/lake/large.bin"))
            .and_then(|file| file.set_len(bytes))
            .expect("as long as that");
        fs::write(folder.join("static/lake/small.bin"), "small").expect("written");
        let bundle = Bundle::open_unverified(folder).expect("a bundle");
        let instance = bundle.open_instances().expect("read").next().expect("one").expect("an instance");
        (bundle, instance)
    }

    #[test]
    fn what_does_not_fit_is_said_before() {
        let home = tempfile::tempdir().expect("a folder");
        let (bundle, instance) = create_bundle(home.path(), 1 << 40);
        let mut demand = Demand::new(&bundle, None);
        assert_eq!(demand.choose_lake_form(), None);
        demand.check_free_space(home.path(), 1000, "").expect("there is no lake so far");
        demand.add_instance(&instance).expect("counted");
        assert_eq!((demand.choose_lake_form(), demand.most), (Some(Form::Copied), Some((1 << 40) + 5)));
        if demand.can_share_blocks(home.path()) {
            println!("skipped: copies take no space in this file system");
            return;
        }
        let free = measure_free_space(home.path()).expect("known");
        let error =
            demand.check_free_space(home.path(), free / (1 << 40) + 2, "choose another place").expect_err("too much");
        assert!(error.outside);
        assert!(error.message.contains(&format!("`{}` has ", disk::show_path(&home.path()))), "{}", error.message);
        assert!(error.help.as_deref().is_some_and(|help| help.ends_with("choose another place")), "{:?}", error.help);
    }

    #[test]
    fn a_large_lake_is_linked_where_that_was_asked_for() {
        let home = tempfile::tempdir().expect("a folder");
        let (bundle, instance) = create_bundle(home.path(), 100);
        for (large, form, most, shared) in
            [(None, Form::Copied, 105, 0), (Some(105), Form::Copied, 105, 0), (Some(104), Form::Linked, 0, 105)]
        {
            let mut demand = Demand::new(&bundle, large);
            demand.add_instance(&instance).expect("counted");
            demand.add_instance(&instance).expect("counted");
            assert_eq!((demand.choose_lake_form(), demand.most), (Some(form), Some(most)), "{large:?}");
            assert_eq!(demand.linked.values().sum::<u64>(), shared, "{large:?}: once, however many instances have it");
            demand.check_free_space(home.path(), 8, "").expect("105 bytes fit");
        }
        let in_it = Instance { folders: vec!["data/out/".to_owned()], ..instance };
        let mut demand = Demand::new(&bundle, Some(104));
        demand.add_instance(&in_it).expect("counted");
        assert_eq!(demand.choose_lake_form(), Some(Form::Copied), "the sandbox has a folder of its own there");
    }
}
