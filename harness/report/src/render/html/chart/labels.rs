//! The texts below an axis: horizontal if they fit, otherwise slanted, and as many as do not overlap.

/// The font size, in units.
pub const FONT: f64 = 13.0;
/// The height of a line of text.
pub const LINE: f64 = 17.0;
/// The minimum space between two adjacent texts.
const GAP: f64 = 6.0;
/// The maximum length of a horizontal and of a slanted text.
const LONGEST_FLAT: f64 = 110.0;
const LONGEST_SLANTED: f64 = 96.0;
/// The sine and cosine of 45 degrees.
const SLANT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A text at its tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The shown text.
    pub text: String,
    /// The x coordinate of its tick.
    pub tick: f64,
    /// The x coordinate of its middle if horizontal, of its end if slanted.
    pub x: f64,
    /// Its estimated length, rather too long than too short.
    pub length: f64,
}

/// The texts below an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    /// Whether they rise to the right, at 45 degrees.
    pub slanted: bool,
    /// The texts that are shown, from left to right.
    pub shown: Vec<Label>,
    /// Their total height below the axis.
    pub height: f64,
}

/// Lays out texts for these ticks, in a drawing of this width. If some are left out, the first and the last stay.
pub fn lay_out(texts: &[String], ticks: &[f64], width: f64) -> Labels {
    let mut each: Vec<(String, f64)> =
        texts.iter().map(|text| strip_controls(text)).zip(ticks.iter().copied()).collect();
    each.sort_by(|a, b| a.1.total_cmp(&b.1));
    let flat = |(text, tick): &(String, f64)| {
        let text = cut_to_width(text, LONGEST_FLAT.min(width));
        let length = estimate_width(&text);
        // Shifted to stay within the drawing.
        let x = tick.max(length / 2.0).min(width - length / 2.0);
        Label { text, tick: *tick, x, length }
    };
    let slanted = |(text, tick): &(String, f64)| {
        // It is cut at the left end of the drawing.
        let x = tick + FONT * SLANT / 2.0;
        let text = cut_to_width(text, LONGEST_SLANTED.min(x / SLANT - FONT / 2.0));
        Label { length: estimate_width(&text), text, tick: *tick, x }
    };
    let lying =
        select_labels(each.iter().map(flat).collect(), |a, b| b.x - b.length / 2.0 >= a.x + a.length / 2.0 + GAP);
    if lying.len() == each.len() {
        return Labels { slanted: false, shown: lying, height: LINE };
    }
    let rising = select_labels(each.iter().map(slanted).collect(), |a, b| (b.x - a.x) * SLANT >= FONT * 1.1);
    if lying.len() >= rising.len() {
        return Labels { slanted: false, shown: lying, height: LINE };
    }
    let longest = rising.iter().map(|label| label.length).fold(0.0, f64::max);
    Labels { slanted: true, shown: rising, height: (longest + FONT) * SLANT + 4.0 }
}

/// Selects labels that do not overlap, including the first and the last.
fn select_labels(labels: Vec<Label>, fits: impl Fn(&Label, &Label) -> bool) -> Vec<Label> {
    let mut labels = labels.into_iter();
    let last = labels.next_back();
    let mut kept: Vec<Label> = Vec::new();
    for label in labels {
        if kept.last().is_none_or(|before| fits(before, &label)) {
            kept.push(label);
        }
    }
    if let Some(last) = last {
        while kept.len() > 1 && kept.last().is_some_and(|before| !fits(before, &last)) {
            kept.pop();
        }
        if kept.last().is_none_or(|before| fits(before, &last)) {
            kept.push(last);
        }
    }
    kept
}

/// Replaces control characters by spaces, and characters that change the text direction by U+FFFD.
pub fn strip_controls(text: &str) -> String {
    let visible = |c: char| match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(visible).collect()
}

/// Returns the text, or as much of its beginning as fits, with an ellipsis.
pub fn cut_to_width(text: &str, longest: f64) -> String {
    if estimate_width(text) <= longest {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut left = longest - estimate_char_width('…');
    for c in text.chars() {
        left -= estimate_char_width(c);
        if left < 0.0 {
            break;
        }
        short.push(c);
    }
    format!("{}…", short.trim_end())
}

/// Estimates the length of a text in a common sans-serif font: rather too long than too short.
pub fn estimate_width(text: &str) -> f64 {
    text.chars().map(estimate_char_width).sum()
}

fn estimate_char_width(c: char) -> f64 {
    let share = match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.36,
        'f' | 'r' | 't' | 'I' | 'J' | '(' | ')' | '[' | ']' | '/' | '-' => 0.45,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 1.0,
        'A'..='Z' | '&' | '+' | '<' | '=' | '>' | '~' | '–' | '−' => 0.8,
        c if c.is_ascii() => 0.64,
        // Most letters of Latin, Greek, and Cyrillic script are narrow; all others may be as wide as they are high.
        '\u{a0}'..='\u{52f}' => 0.8,
        _ => 1.1,
    };
    share * FONT
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn even(count: usize) -> Vec<f64> {
        (0..count).map(|at| 34.0 + (at as f64 + 0.5) / count as f64 * 318.0).collect()
    }

    #[test]
    fn short_texts_lie_and_long_ones_rise() {
        let few = lay_out(&texts(&["clean (0)", "some (10)", "much (30)"]), &even(3), 360.0);
        assert!(!few.slanted && few.shown.len() == 3);
        let months = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let twelve = lay_out(&texts(&months), &even(12), 360.0);
        assert!(twelve.slanted);
        assert_eq!(twelve.shown.len(), 12);
        assert_eq!((&*twelve.shown[0].text, &*twelve.shown[11].text), ("January", "December"));
    }

    #[test]
    fn crowds_are_thinned_between_the_ends() {
        let names: Vec<String> = (1..=40).map(|number| format!("cell number {number}")).collect();
        let labels = lay_out(&names, &even(40), 360.0);
        assert!(labels.shown.len() > 8, "{labels:?}");
        assert!(labels.shown[0].text.starts_with("cell"));
        assert_eq!(labels.shown.last().map(|label| label.tick), even(40).last().copied());
    }

    #[test]
    fn a_text_is_cut_where_it_must_be() {
        let labels = lay_out(&texts(&["a value that is much too long to be read\n\u{202e}"]), &[180.0], 360.0);
        assert!(labels.shown[0].text.ends_with('…'), "{labels:?}");
        assert_eq!(strip_controls("a\n\u{202e}"), "a \u{fffd}");
    }

    /// The corners of a label, below an axis at 0: a rectangle, turned if it is slanted.
    fn corners(label: &Label, slanted: bool) -> [(f64, f64); 4] {
        let (half, high) = (label.length / 2.0, FONT * 0.5);
        let (middle, down) = if slanted { (label.x - half * SLANT, half * SLANT + high) } else { (label.x, high) };
        let (cos, sin) = if slanted { (SLANT, -SLANT) } else { (1.0, 0.0) };
        [(-half, -high), (half, -high), (half, high), (-half, high)]
            .map(|(x, y)| (middle + x * cos - y * sin, down + x * sin + y * cos))
    }

    /// Whether a line along an edge of either separates them.
    fn apart(a: [(f64, f64); 4], b: [(f64, f64); 4]) -> bool {
        let axes = [a, b].into_iter().flat_map(|of| [(of[0], of[1]), (of[1], of[2])]);
        axes.into_iter().any(|((x1, y1), (x2, y2))| {
            let along = |of: [(f64, f64); 4]| of.map(|(x, y)| x * (x2 - x1) + y * (y2 - y1));
            let ends =
                |of: [f64; 4]| (of.into_iter().fold(f64::MAX, f64::min), of.into_iter().fold(f64::MIN, f64::max));
            let ((from_a, to_a), (from_b, to_b)) = (ends(along(a)), ends(along(b)));
            to_a <= from_b || to_b <= from_a
        })
    }

    proptest! {
        #[test]
        fn labels_never_overlap(
            cells in prop::collection::vec(("\\PC{0,30}", 0.04..0.96f64), 1..13),
            width in prop_oneof![Just(240.0), Just(360.0)],
        ) {
            let (names, places): (Vec<String>, Vec<f64>) = cells.into_iter().unzip();
            let ticks: Vec<f64> = places.iter().map(|place| 34.0 + place * (width - 42.0)).collect();
            let Labels { slanted, shown, height } = lay_out(&names, &ticks, width);
            prop_assert!(!shown.is_empty());
            for (at, label) in shown.iter().enumerate() {
                prop_assert!(ticks.contains(&label.tick));
                let box_of = corners(label, slanted);
                for (x, y) in box_of {
                    prop_assert!((-0.01..=width + 0.01).contains(&x) && y <= height + 0.01, "{label:?} at {x}, {y}");
                }
                for other in &shown[..at] {
                    prop_assert!(apart(box_of, corners(other, slanted)), "{label:?} is over {other:?}");
                }
            }
        }

        #[test]
        fn cut_texts_fit(text in "\\PC{0,60}", longest in 14.0..120.0f64) {
            prop_assert!(estimate_width(&cut_to_width(&text, longest)) <= longest + 1e-9);
        }
    }
}
