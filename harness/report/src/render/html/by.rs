//! Arms side by side.

use super::table;
use crate::render::section::Section;

/// Writes the section, if there are arms.
pub fn write_arms(out: &mut String, tables: &[Section]) {
    if tables.is_empty() {
        return;
    }
    out.push_str("<section id=\"arms\" aria-labelledby=\"arms-title\"><h2 id=\"arms-title\">Arms</h2>");
    for (at, section) in tables.iter().enumerate() {
        table::write_table(out, section, &format!("arms-{at}"));
    }
    out.push_str("</section>");
}
