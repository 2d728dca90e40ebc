//! Words of English prompts about files. Phrases are in lower case, and separated by commas.

/// Words of a prompt about files with the same rows.
pub const COPIES: &str = "copy, copies, copied, backup, backups, duplicate, duplicates, mirror, mirrors, mirrored, identical, same files, same rows, versions";

/// Phrases that leave files out.
pub const EXCLUDING: &str = "not count, don't count, doesn't count, not counted, ignore, ignored, ignoring, leave out, left out, exclude, excluded, excluding, except, skip, \
    without, do not use, do not read, not belong, not part of, other than, but not, disregard, not included";

/// Phrases that take all files.
pub const ALL_FILES: &str = "all of these files, all these files, all files, all of the files, every file, these files together, all folders, folders in it, and its folders, \
    its subfolders, all subfolders, files together, and the folders below, anywhere below";

/// Words that choose some files from others.
pub const CHOOSING: &str = "except, current, latest, newest, recent, directly, older, earlier, former, previous, old, past, year, years, ignore, exclude, \
    leave out, final, valid, released, not count, not belong, do not use, do not read";

/// Pairs of words of which a column has one and its header the other.
pub const OPPOSITES: [(&str, &str); 26] = [
    ("in", "out"),
    ("inbound", "outbound"),
    ("incoming", "outgoing"),
    ("inflow", "outflow"),
    ("input", "output"),
    ("import", "export"),
    ("imports", "exports"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("low", "high"),
    ("lowest", "highest"),
    ("start", "end"),
    ("first", "last"),
    ("opening", "closing"),
    ("open", "close"),
    ("opened", "closed"),
    ("from", "to"),
    ("origin", "destination"),
    ("departure", "arrival"),
    ("departures", "arrivals"),
    ("buy", "sell"),
    ("bid", "ask"),
    ("debit", "credit"),
    ("gross", "net"),
    ("before", "after"),
    ("received", "sent"),
];

/// Words that mean the same in names of columns.
pub const ALIKE: [(&str, &str); 10] = [
    ("inbound", "in"),
    ("incoming", "in"),
    ("outbound", "out"),
    ("outgoing", "out"),
    ("minimum", "min"),
    ("maximum", "max"),
    ("lowest", "low"),
    ("highest", "high"),
    ("destination", "to"),
    ("origin", "from"),
];
