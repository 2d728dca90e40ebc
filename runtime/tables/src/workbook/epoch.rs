//! Reads the epoch of a workbook's dates from the `workbookPr` of its main part. Programs write elements with the same local name, in their own
//! namespaces, into the extensions of that part; these have another meaning.

use std::io::{Read as _, Seek};

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use zip::ZipArchive;

use crate::limits::MAX_PART;

/// The namespaces of the main parts: transitional and strict.
const MAIN: [&[u8]; 2] =
    [b"http://schemas.openxmlformats.org/spreadsheetml/2006/main", b"http://purl.oclc.org/ooxml/spreadsheetml/main"];

/// The year from which a workbook counts days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Epoch {
    /// The usual one.
    Year1900,
    Year1904,
}

/// Reads the epoch of a workbook.
pub(super) fn read_epoch<R: std::io::Read + Seek>(archive: &mut ZipArchive<R>) -> Epoch {
    let folder = read_part(archive, "_rels/.rels").as_deref().and_then(main_folder);
    let main = read_part(archive, &format!("{}workbook.xml", folder.as_deref().unwrap_or("xl/")));
    main.as_deref().and_then(read_flag).unwrap_or(Epoch::Year1900)
}

/// Reads the bytes of a part; names of parts ignore letter case.
fn read_part<R: std::io::Read + Seek>(archive: &mut ZipArchive<R>, name: &str) -> Option<Vec<u8>> {
    let folded = |name: &str| name.replace('\\', "/").to_ascii_lowercase();
    let found = archive.file_names().find(|known| folded(known) == folded(name))?.to_owned();
    let mut bytes = Vec::new();
    archive.by_name(&found).ok()?.take(MAX_PART).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Returns the folder of the main part, from the relationships of the package.
fn main_folder(relationships: &[u8]) -> Option<String> {
    let mut found = None;
    walk_elements(relationships, &mut |_, _, element| {
        let attribute = |name: &str| read_attribute(element, name);
        if attribute("Type").is_some_and(|of| of.ends_with("/relationships/officeDocument")) {
            found = attribute("Target");
        }
        true
    });
    let target = found?;
    let folder = target.rfind('/').and_then(|end| target.get(..=end)).unwrap_or_default();
    Some(folder.strip_prefix('/').unwrap_or(folder).to_owned())
}

/// Reads the flag in the main part's own `workbookPr`, directly below the root.
fn read_flag(main: &[u8]) -> Option<Epoch> {
    let mut found = None;
    walk_elements(main, &mut |depth, is_main, element| {
        let own = depth == 1 && is_main && element.local_name().as_ref() == b"workbookPr";
        if own {
            found = Some(match read_attribute(element, "date1904").as_deref() {
                Some("1" | "true") => Epoch::Year1904,
                _ => Epoch::Year1900,
            });
        }
        !own
    });
    found
}

/// Calls `visit` for each element, with its depth and whether it is in the main namespace, until it returns false or the document ends.
fn walk_elements(bytes: &[u8], visit: &mut dyn FnMut(u32, bool, &BytesStart<'_>) -> bool) {
    let mut reader = NsReader::from_reader(bytes);
    let config = reader.config_mut();
    // The reader of the sheets does the same.
    config.check_end_names = false;
    config.expand_empty_elements = true;
    let mut depth = 0_u32;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_resolved_event_into(&mut buffer) {
            Ok((namespace, Event::Start(element))) => {
                let is_main = matches!(namespace, ResolveResult::Bound(name) if MAIN.contains(&name.as_ref()));
                if !visit(depth, is_main, &element) {
                    return;
                }
                depth = depth.saturating_add(1);
            }
            Ok((_, Event::End(_))) => depth = depth.saturating_sub(1),
            Ok((_, Event::Eof)) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// Returns the value of an attribute without a namespace.
fn read_attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element.try_get_attribute(name).ok()??;
    Some(String::from_utf8_lossy(&found.value).trim().to_owned())
}
