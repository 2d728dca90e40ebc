//! XML 1.0 with its elements, attributes, and texts. Expansion is rejected: only the five entities of XML itself are read.

use model::elements::{Content, Element};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use crate::encoding::BYTE_ORDER_MARK;
use crate::limits::MAX_NODES;
use crate::show::truncate_cell;
use crate::{Encoding, Unreadable};

/// Maximum nesting depth, because walks over elements recurse.
const MAX_DEPTH: usize = 128;

/// Maximum number of attributes of an element, each of which is compared with those before it.
const MAX_ATTRIBUTES: usize = 1000;

/// Maximum size of a name in bytes: names of columns are built from those of elements.
const MAX_NAME: usize = 200;

/// Maximum number of characters shown of the parser's messages, which quote names.
const MAX_WORDS: usize = 120;

/// Reads an XML document and returns its root element.
///
/// ```
/// use tables::tree::xml::read_xml;
///
/// let root = read_xml(b"<orders><order id='7'>paper &amp; ink</order></orders>").expect("XML");
/// let order = root.children().next().expect("an element");
/// assert_eq!((order.name.as_str(), order.collect_text().as_str()), ("order", "paper & ink"));
/// assert_eq!(order.attributes, [("id".to_owned(), "7".to_owned())]);
/// // The error has the line; entities of a document of its own are refused.
/// assert!(read_xml(b"<a>\n<b></a>").expect_err("not closed").message.contains("line 2"));
/// assert!(read_xml(br#"<!DOCTYPE a [<!ENTITY l "lol">]><a>&l;</a>"#).is_err());
/// ```
///
/// # Errors
/// It is not well-formed, has an unsupported part, or is too large.
pub fn read_xml(bytes: &[u8]) -> Result<Element, Unreadable> {
    let encoding = detect_encoding(bytes)?;
    let text = encoding.decode(bytes).map_err(|fault| {
        Unreadable::new(format!("line {} is not {}", fault.line, encoding.word()), "save the file as UTF-8")
    })?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    Walk { text, line: 1, counted: 0, nodes: 0, open: Vec::new(), root: None }.read_document()
}

/// Returns the encoding in the byte order mark or in the XML declaration.
fn detect_encoding(bytes: &[u8]) -> Result<Encoding, Unreadable> {
    match bytes {
        [0xff, 0xfe, ..] => return Ok(Encoding::Utf16Le),
        [0xfe, 0xff, ..] => return Ok(Encoding::Utf16Be),
        _ => {}
    }
    let start = bytes.get(..bytes.len().min(256)).unwrap_or_default();
    let start = String::from_utf8_lossy(start);
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start);
    let declaration = start.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map(|(inside, _)| inside);
    let Some((_, rest)) = declaration.and_then(|inside| inside.split_once("encoding")) else {
        return Ok(Encoding::Utf8);
    };
    let name: String = rest
        .trim_start_matches([' ', '\t', '\r', '\n', '='])
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|c| !matches!(c, '"' | '\''))
        .collect();
    let folded = name.to_ascii_lowercase();
    let known =
        if folded == "us-ascii" || folded == "ascii" { Some(Encoding::Utf8) } else { Encoding::from_word(&folded) };
    known.ok_or_else(|| {
        let message = format!("its XML declaration names the encoding {}, which is not read", truncate_cell(&name));
        Unreadable::new(message, "save the file as UTF-8")
    })
}

/// A walk over the events of a document.
struct Walk<'t> {
    text: &'t str,
    line: u32,
    /// The byte up to which lines are counted.
    counted: usize,
    nodes: usize,
    open: Vec<Element>,
    root: Option<Element>,
}

impl Walk<'_> {
    fn read_document(mut self) -> Result<Element, Unreadable> {
        let text = self.text;
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        loop {
            let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
            self.count_to(at);
            let event = reader.read_event().map_err(|error| {
                let at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
                self.count_to(at);
                self.report_malformed(&error.to_string())
            })?;
            match event {
                Event::Start(start) => self.start_element(&start)?,
                Event::End(_) => self.end_element()?,
                Event::Text(text) => {
                    let text = text.xml10_content().map_err(|error| self.report_malformed(&error.to_string()))?;
                    self.add_characters(&text)?;
                }
                Event::CData(text) => {
                    let text = text.xml10_content().map_err(|error| self.report_malformed(&error.to_string()))?;
                    if self.open.is_empty() {
                        return Err(self.report_malformed("characters outside of the root element"));
                    }
                    self.add_characters(&text)?;
                }
                Event::GeneralRef(reference) => {
                    let name = reference.decode().map_err(|error| self.report_malformed(&error.to_string()))?;
                    if reference.is_char_ref() {
                        let known = reference.resolve_char_ref().ok().flatten();
                        let Some(c) = known.filter(|c| is_character(*c)) else {
                            return Err(self.report_malformed(&format!("&{name}; is not a character")));
                        };
                        self.add_characters(c.encode_utf8(&mut [0; 4]))?;
                    } else if let Some(text) = resolve_predefined_entity(&name) {
                        self.add_characters(text)?;
                    } else {
                        return Err(self.report_entity(&name));
                    }
                }
                Event::DocType(declared) => {
                    if memchr::memchr(b'[', &declared).is_some() {
                        let message = format!("line {} has a document type with declarations", self.line);
                        let help = "remove it: entities are not expanded, because a few bytes could become many";
                        return Err(Unreadable::new(message, help));
                    }
                }
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Empty(_) => {}
                Event::Eof => break,
            }
        }
        if let Some(open) = self.open.last() {
            return Err(Unreadable::new(
                format!(
                    "the element <{}> that starts on line {} is never closed",
                    truncate_cell(&open.name),
                    open.line
                ),
                "close it",
            ));
        }
        self.root.take().ok_or_else(|| Unreadable::new("the file is not XML: it has no element", "write one"))
    }

    fn start_element(&mut self, start: &BytesStart<'_>) -> Result<(), Unreadable> {
        if self.open.len() >= MAX_DEPTH {
            let message = format!("the file is nested more than {MAX_DEPTH} levels deep (on line {})", self.line);
            return Err(Unreadable::new(message, format!("nest less: {MAX_DEPTH} levels are read")));
        }
        if self.open.is_empty() && self.root.is_some() {
            return Err(self.report_malformed("a second root element"));
        }
        self.count_node()?;
        let mut element =
            Element { name: self.read_name(start.name().as_ref())?, line: self.line, ..Element::default() };
        for attribute in start.attributes() {
            self.count_node()?;
            if element.attributes.len() >= MAX_ATTRIBUTES {
                let message = format!("an element on line {} has more than {MAX_ATTRIBUTES} attributes", self.line);
                return Err(Unreadable::new(message, format!("write fewer: {MAX_ATTRIBUTES} are read")));
            }
            let attribute = attribute.map_err(|error| self.report_malformed(&error.to_string()))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|error| self.report_malformed(&error.to_string()))?.into_owned();
            element.attributes.push((self.read_name(attribute.key.as_ref())?, value));
        }
        self.open.push(element);
        Ok(())
    }

    fn end_element(&mut self) -> Result<(), Unreadable> {
        let Some(element) = self.open.pop() else { return Err(self.report_malformed("an end tag without a start")) };
        match self.open.last_mut() {
            Some(around) => around.content.push(Content::Element(element)),
            None => self.root = Some(element),
        }
        Ok(())
    }

    fn add_characters(&mut self, text: &str) -> Result<(), Unreadable> {
        if let Some(c) = text.chars().find(|c| !is_character(*c)) {
            return Err(
                self.report_malformed(&format!("the character U+{:04X}, which XML cannot contain", u32::from(c)))
            );
        }
        self.count_node()?;
        match self.open.last_mut() {
            Some(element) => element.push_text(text),
            None if text.trim().is_empty() => {}
            None => return Err(self.report_malformed("characters outside of the root element")),
        }
        Ok(())
    }

    fn count_node(&mut self) -> Result<(), Unreadable> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let most = model::value::group_digits(MAX_NODES as u64);
            return Err(Unreadable::new(
                format!("the file has more than {most} elements, attributes, and texts"),
                format!("{most} are read: cut it down, or copy it as a `file` of any kind"),
            ));
        }
        Ok(())
    }

    fn read_name(&self, bytes: &[u8]) -> Result<String, Unreadable> {
        let name = String::from_utf8_lossy(bytes).into_owned();
        if name.len() > MAX_NAME {
            let message = format!("line {} has a name of {} bytes", self.line, name.len());
            return Err(Unreadable::new(message, format!("shorten it: {MAX_NAME} bytes are read")));
        }
        Ok(name)
    }

    fn count_to(&mut self, at: usize) {
        let at = at.min(self.text.len());
        let passed = self.text.as_bytes().get(self.counted..at).unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', passed).count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.counted = self.counted.max(at);
    }

    fn report_malformed(&self, why: &str) -> Unreadable {
        Unreadable::new(
            format!("the file is not XML: line {}: {}", self.line, why.chars().take(MAX_WORDS).collect::<String>()),
            "write `&lt;` and `&amp;` for `<` and `&` in texts, and close each element",
        )
    }

    fn report_entity(&self, name: &str) -> Unreadable {
        Unreadable::new(
            format!("line {} has the entity `&{};`", self.line, truncate_cell(name)),
            "write its characters: only `&lt;`, `&gt;`, `&amp;`, `&quot;`, and `&apos;` are read",
        )
    }
}

/// Checks whether XML 1.0 allows the character.
fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_texts_are_read_in_order() {
        let text =
            "<?xml version=\"1.0\"?>\n<!-- c --><f:a xmlns:f='u'>x &amp;&#65;<b id=\"1\n2\"/><![CDATA[<y>]]></f:a>\n";
        let root = read_xml(text.as_bytes()).unwrap();
        assert_eq!((root.name.as_str(), root.line), ("f:a", 2));
        assert_eq!(root.attributes, [("xmlns:f".to_owned(), "u".to_owned())]);
        assert_eq!(root.collect_text(), "x &A<y>");
        let [b] = root.children().collect::<Vec<_>>()[..] else { panic!("one element") };
        assert_eq!((b.name.as_str(), b.line, b.attributes[0].1.as_str()), ("b", 2, "1 2"));
        assert!(b.content.is_empty() && !b.has_text());
    }

    #[test]
    fn encodings_are_those_that_the_file_names() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
        assert_eq!(read_xml(latin).unwrap().collect_text(), "\u{e9}");
        let utf16: Vec<u8> = "\u{feff}<a>\u{20ac}</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read_xml(&utf16).unwrap().collect_text(), "\u{20ac}");
        assert_eq!(read_xml(b"\xef\xbb\xbf<a>1</a>").unwrap().collect_text(), "1");
        let said = |bytes: &[u8]| read_xml(bytes).unwrap_err().message;
        assert!(said(b"<?xml version='1.0' encoding='koi8-r'?><a/>").contains("koi8-r"));
        assert!(said(b"<a>\n\xe9</a>").contains("line 2 is not utf-8"));
    }

    #[test]
    fn what_could_expand_or_is_too_deep_is_refused() {
        let said = |text: &str| read_xml(text.as_bytes()).unwrap_err().message;
        let laughs = "<!DOCTYPE a [<!ENTITY l \"lol\"><!ENTITY m \"&l;&l;\">]><a>&m;</a>";
        assert!(said(laughs).contains("document type with declarations"), "{}", said(laughs));
        assert!(said("<a>&nbsp;</a>").contains("`&nbsp;`"));
        assert!(said("<a b='&x;'/>").contains("not XML"));
        assert!(said(&"<a>".repeat(100_000)).contains("levels deep"));
        let wide: String = (0..2000).map(|at| format!(" a{at}='1'")).collect();
        assert!(said(&format!("<a{wide}/>")).contains("1000 attributes"));
        assert!(read_xml(b"<!DOCTYPE a SYSTEM 'a.dtd'><a/>").is_ok());
    }

    #[test]
    fn what_is_not_well_formed_says_where() {
        let said = |text: &str| read_xml(text.as_bytes()).unwrap_err().message;
        for (text, part) in [
            ("", "no element"),
            ("x", "outside of the root"),
            ("<a>\n<b></a>", "line 2"),
            ("<a>\n", "never closed"),
            ("<a/><b/>", "second root"),
            ("</a>", "line 1"),
            ("<a x='1' x='2'/>", "not XML"),
            ("<a>&#0;</a>", "not a character"),
            ("<a>\u{1}</a>", "U+0001"),
            ("<a b=c/>", "not XML"),
        ] {
            assert!(said(text).contains(part), "{text}: {}", said(text));
        }
    }
}
