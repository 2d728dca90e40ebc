//! Descriptions of mistakes, from the names of their traps.

use crate::text_style::TextStyle;

/// Describes a trap for tables: by the mistake, if that is a failure to clean a file; otherwise by the trap's name.
pub fn describe_mistake(trap: &str) -> String {
    describe_dirt(trap).unwrap_or_else(|| trap.to_owned())
}

/// Describes the failure to clean one kind of dirt in a file, from the name of its trap: `theft.repeat`, `theft.AREA.case`.
///
/// ```
/// use model::mistake::describe_dirt;
///
/// assert_eq!(describe_dirt("theft.repeat").as_deref(), Some("repeated rows of `theft` counted"));
/// assert_eq!(describe_dirt("theft.AREA.case").as_deref(), Some("letter case of `AREA` of `theft` not evened out"));
/// // A trap of the author has the author's name.
/// assert_eq!(describe_dirt("without_tax"), None);
/// ```
pub fn describe_dirt(trap: &str) -> Option<String> {
    let (file, rest) = trap.split_once('.')?;
    let Some((column, kind)) = rest.rsplit_once('.') else {
        return (rest == "repeat").then(|| format!("repeated rows of `{file}` counted"));
    };
    let place = format!("`{column}` of `{file}`");
    match kind {
        "written" => Some(format!("text around {place} not removed")),
        "missing" => Some(format!("marks for missing values in {place} read as values")),
        _ => {
            let style = TextStyle::from_word(kind)?;
            Some(format!("{} {place} not evened out", style.record().varies_in))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::describe_mistake;

    #[test]
    fn mistakes_with_dirt_have_plain_names() {
        let names = [
            "theft.repeat",
            "theft.AREA.case",
            "a.North / Tag.space",
            "air.PM2.5.missing",
            "t.NAME.written",
            "by_fraud",
        ];
        let said = [
            "repeated rows of `theft` counted",
            "letter case of `AREA` of `theft` not evened out",
            "blanks in `North / Tag` of `a` not evened out",
            "marks for missing values in `PM2.5` of `air` read as values",
            "text around `NAME` of `t` not removed",
            "by_fraud",
        ];
        assert_eq!(names.map(describe_mistake), said);
    }
}
