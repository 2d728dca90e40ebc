//! Units of measurement, by their names in prompts and in names of columns.

use crate::prompts::Unit;

const fn unit(
    measure: &'static str,
    size: i64,
    words: &'static [&'static str],
    column_words: &'static [&'static str],
) -> Unit {
    Unit { measure, size, words, column_words }
}

/// A second, in nanoseconds.
pub const SECOND: i64 = 1_000_000_000;
/// A day, in nanoseconds.
pub const DAY: i64 = 86_400 * SECOND;

/// The units of English prompts.
pub const UNITS: &[Unit] = &[
    unit("length", 1, &["millimeters", "millimetres", "mm"], &["mm", "millimeters", "millimetres"]),
    unit("length", 10, &["centimeters", "centimetres", "cm"], &["cm", "centimeters", "centimetres"]),
    unit("length", 1_000, &["meters", "metres", "m"], &["m", "meters", "metres", "meter", "metre"]),
    unit("length", 1_000_000, &["kilometers", "kilometres", "km"], &["km", "kilometers", "kilometres", "kms"]),
    unit("mass", 1, &["milligrams", "mg"], &["mg", "milligrams"]),
    unit("mass", 1_000, &["grams", "g", "gram"], &["g", "grams", "gram"]),
    unit("mass", 1_000_000, &["kilograms", "kg", "kilos"], &["kg", "kgs", "kilograms", "kilos"]),
    unit("mass", 1_000_000_000, &["tonnes", "tons", "metric tons", "tonne", "t"], &["tonnes", "tons"]),
    unit("mass", 453_592, &["lb", "lbs"], &["lb", "lbs"]),
    unit("time", 1, &["nanoseconds", "ns"], &["ns", "nanos", "nanoseconds"]),
    unit("time", 1_000, &["microseconds"], &["us", "micros", "microseconds"]),
    unit("time", 1_000_000, &["milliseconds", "ms"], &["ms", "millis", "milliseconds"]),
    unit("time", SECOND / 100, &["hundredths of a second"], &["hundredths", "centiseconds"]),
    unit("time", SECOND, &["seconds", "s"], &["s", "sec", "secs", "seconds"]),
    unit("time", 60 * SECOND, &["minutes"], &["min", "mins", "minutes"]),
    unit("time", 3_600 * SECOND, &["hours", "h"], &["h", "hr", "hrs", "hours"]),
    unit("time", DAY, &["days"], &["days"]),
    unit("time", 7 * DAY, &["weeks"], &["weeks"]),
    unit("money", 1, &["cents", "pence"], &["cents", "cent", "pence"]),
    unit(
        "money",
        100,
        &["euros", "dollars", "pounds", "euro", "usd", "eur", "gbp"],
        &["euros", "dollars", "eur", "usd", "gbp"],
    ),
    unit("volume", 1, &["milliliters", "millilitres", "ml"], &["ml", "milliliters", "millilitres"]),
    unit("volume", 1_000, &["liters", "litres", "l"], &["l", "liters", "litres", "liter", "litre"]),
    unit("data", 1, &["bytes"], &["bytes", "b"]),
    unit("data", 1_000, &["kilobytes", "kb"], &["kb", "kilobytes"]),
    unit("data", 1_000_000, &["megabytes", "mb"], &["mb", "megabytes"]),
    unit("data", 1_000_000_000, &["gigabytes", "gb"], &["gb", "gigabytes"]),
    unit("energy", 1, &["watt hours", "wh"], &["wh"]),
    unit("energy", 1_000, &["kilowatt hours", "kwh"], &["kwh"]),
    unit("energy", 1_000_000, &["megawatt hours", "mwh"], &["mwh"]),
    unit("energy", 1_000_000_000, &["gigawatt hours", "gwh"], &["gwh"]),
    unit("power", 1, &["watts", "watt"], &["watts", "watt"]),
    unit("power", 1_000, &["kilowatts", "kw"], &["kw", "kilowatts"]),
    unit("power", 1_000_000, &["megawatts", "mw"], &["mw", "megawatts"]),
    unit("area", 1, &["square meters", "square metres", "sqm", "m2", "m²"], &["sqm", "m2"]),
    unit("area", 10_000, &["hectares", "ha"], &["hectares", "ha"]),
    unit("area", 1_000_000, &["square kilometers", "square kilometres", "km2", "km²"], &["km2", "sqkm"]),
    unit("angle", 1, &["milliarcseconds", "mas"], &["mas", "milliarcsec"]),
    unit("angle", 1_000, &["arcseconds", "arc seconds", "arcsec"], &["arcsec", "arcsecs", "arcseconds"]),
    unit("angle", 60_000, &["arcminutes", "arc minutes", "arcmin"], &["arcmin", "arcmins", "arcminutes"]),
    unit("angle", 3_600_000, &["degrees"], &["deg", "degrees"]),
    unit("frequency", 1, &["hertz", "hz"], &["hz"]),
    unit("frequency", 1_000, &["kilohertz", "khz"], &["khz"]),
    unit("frequency", 1_000_000, &["megahertz", "mhz"], &["mhz"]),
    unit("pressure", 1, &["pascals", "pa"], &["pascals"]),
    unit("pressure", 100, &["hectopascals", "hpa", "millibars", "mbar"], &["hpa", "mbar"]),
    unit("pressure", 1_000, &["kilopascals", "kpa"], &["kpa"]),
    unit("pressure", 100_000, &["bar", "bars"], &["bar"]),
    unit("scale", 1_000, &["thousands"], &["thousands", "k"]),
    unit("scale", 1_000_000, &["millions"], &["millions", "mio"]),
];

/// Words between a column and "how many seconds", by which a prompt describes the data.
pub const UNIT_LINKS: &[&str] = &["is", "by", "says", "shows", "states", "tells", "gives", "means", "in", "for"];

/// Words between what is counted and the number for which it is.
pub const PER: &[&str] = &["per"];

/// Large numbers in words.
pub const MANY: [(&str, i64); 4] = [("hundred", 100), ("thousand", 1_000), ("million", 1_000_000), ("mille", 1_000)];

/// Words in the names of columns that are rates already.
pub const RATES: &[&str] = &["per", "rate", "ratio", "share", "pct", "percent", "permille", "ppm"];

/// Words before a unit that ask for a whole number of it.
pub const WHOLE: &[&str] = &["whole", "full", "complete", "completed", "entire"];

/// Units as they are written next to numbers in files, in lower case, besides the words of prompts.
pub const WRITTEN_UNITS: &[Unit] = &[
    unit("energy", 1, &["wh"], &[]),
    unit("energy", 1_000, &["kwh"], &[]),
    unit("energy", 1_000_000, &["mwh"], &[]),
    unit("energy", 1_000_000_000, &["gwh"], &[]),
    unit("money", 100, &["€", "$", "£"], &[]),
    unit("money", 100_000, &["teur", "keur", "k€", "t€", "tsd. €", "tsd €", "tusd", "k$", "thousand euros"], &[]),
    unit("money", 100_000_000, &["mio. €", "mio €", "mio. eur", "meur", "m€", "million euros"], &[]),
];

/// Phrases of prompts that say that the unit in a file does not count, or how to convert it.
pub const IGNORED_UNITS: &[&str] = &[
    "ignore the unit",
    "ignore unit",
    "whatever the unit",
    "whatever unit",
    "regardless of the unit",
    "unit does not matter",
    "units do not matter",
    "unit means nothing",
    "units mean nothing",
    "unit is wrong",
    "wrong unit",
    "always in",
    "really in",
    "no matter the unit",
    "no matter which unit",
    "typo",
    "mistake",
];
