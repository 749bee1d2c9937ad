//! XML as a row of starts, ends and texts.

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesStart, Event},
};

use super::problem::Fault;

/// Elements may stand within so many others.
const DEPTH_MAX: usize = 512;

/// A piece of XML.
pub(crate) enum Node<'a> {
    /// An element begins.
    Start(Element<'a>),
    /// The element of this name, without prefix, ends.
    End(&'a str),
    /// Text between elements.
    Text(&'a str),
}

/// The start of an element.
pub(crate) struct Element<'a>(&'a BytesStart<'a>);

impl Element<'_> {
    /// Its name without prefix.
    pub(crate) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// The value of an attribute, named without prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let known = attributes.with_checks(false).filter_map(Result::ok);
        let mut named = known.filter(|found| found.key.local_name().into_inner() == name);
        let value = named.next()?.normalized_value(XmlVersion::Implicit1_0).ok()?;
        Some(value.into_owned())
    }
}

/// Whether to go on.
pub(crate) enum Flow {
    /// To the next piece.
    On,
    /// Nothing more is needed.
    Stop,
}

/// Gives every piece of a part, named `part`, to `take`.
pub(crate) fn walk(part: &str, xml: &str, mut take: impl FnMut(Node) -> Flow) -> Result<(), Fault> {
    let damaged = |what: &str| Fault::Damaged(format!("{part} {what}"));
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().allow_dangling_amp = true;
    let mut depth = 0_usize;
    loop {
        let event = reader.read_event().map_err(|_| damaged("is no valid XML"))?;
        let flow = match &event {
            Event::Start(start) => {
                depth += 1;
                take(Node::Start(Element(start)))
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                take(Node::End(end.local_name().into_inner()))
            }
            Event::Text(text) => take(Node::Text(&text.xml10_content())),
            Event::CData(text) => take(Node::Text(&text.xml10_content())),
            Event::GeneralRef(named) => match named.resolve_char_ref() {
                Ok(Some(c)) => take(Node::Text(c.encode_utf8(&mut [0; 4]))),
                Ok(None) | Err(_) => {
                    let name = named.xml10_content();
                    take(Node::Text(resolve_predefined_entity(&name).unwrap_or_default()))
                }
            },
            Event::Eof if depth > 0 => return Err(damaged("breaks off")),
            Event::Eof => return Ok(()),
            Event::Empty(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => Flow::On,
        };
        if matches!(flow, Flow::Stop) {
            return Ok(());
        }
        if depth > DEPTH_MAX {
            return Err(damaged("is nested too deeply"));
        }
    }
}
