//! Whether a JSONPath can read a position in a document.

use model::json_path::{Filter, Segment, Selector};

use crate::fixture::tree::Step;

/// How deep a function reads below the places that a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Not at all: only their existence matters.
    Nodes,
    /// Only the keys of objects.
    Keys,
    /// The whole value.
    All,
}

/// Checks whether a path can read an unreadable part at `place`.
pub fn may_touch(segments: &[Segment], place: &[Step], depth: Depth) -> bool {
    let Some((step, below)) = place.split_first() else {
        // The path ends at this part, or continues below it.
        return depth != Depth::Nodes || !segments.is_empty();
    };
    let Some((segment, rest)) = segments.split_first() else {
        return match depth {
            Depth::Nodes => false,
            Depth::Keys => below.is_empty(),
            Depth::All => true,
        };
    };
    let here = segment.selectors.iter().any(|(selector, ..)| match (selector, step) {
        (Selector::Name(name), Step::Key(key)) => name == key && may_touch(rest, below, depth),
        // The length of the array is not known here, so an index from the end can be any element.
        (Selector::Index(index), Step::Index(at)) => {
            usize::try_from(*index).map_or(true, |index| index == *at) && may_touch(rest, below, depth)
        }
        (Selector::Wildcard, _) | (Selector::Slice(_), Step::Index(_)) => may_touch(rest, below, depth),
        (Selector::Filter(filter), _) => may_read_below(filter, below) || may_touch(rest, below, depth),
        _ => false,
    });
    here || segment.descendants && may_touch(segments, below, depth)
}

/// Checks whether a filter can read an unreadable part below the value to which it applies.
fn may_read_below(filter: &Filter, below: &[Step]) -> bool {
    filter.paths.iter().any(|segments| may_touch(segments, below, Depth::All))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::json_path::parse_segments;

    #[test]
    fn a_path_reads_what_it_leads_to_and_what_its_filters_look_at() {
        let place = [Step::Key("orders".to_owned()), Step::Index(3), Step::Key("a".to_owned())];
        for (path, all, nodes) in [
            ("$", true, false),
            ("$.orders", true, false),
            ("$.orders[3]", true, false),
            ("$.orders[3].a", true, false),
            ("$.orders[3].a.x", true, true),
            ("$.orders[2].a", false, false),
            ("$.orders[-1].a", true, false),
            ("$.orders[0:2].a", true, false),
            ("$.orders[*].b", false, false),
            ("$.other[*].a", false, false),
            ("$..a", true, true),
            // What is odd may hide anything below it.
            ("$..b", true, true),
            ("$..*", true, true),
            ("$.orders[?@.b > 1].b", false, false),
            ("$.orders[?@.a > 1].b", true, true),
            ("$.orders[?@.b > 1].a", true, false),
            ("$.orders[?count(@.*) > 1].b", true, true),
            ("$['orders'][0, 3]['a', 'b']", true, false),
        ] {
            let (segments, _) = parse_segments(path, 0).expect(path);
            assert_eq!(may_touch(&segments, &place, Depth::All), all, "{path}");
            assert_eq!(may_touch(&segments, &place, Depth::Nodes), nodes, "{path}");
        }
        let (top, _) = parse_segments("$", 0).expect("a path");
        assert!(may_touch(&top, &place[..1], Depth::Keys) && !may_touch(&top, &place, Depth::Keys));
    }
}
