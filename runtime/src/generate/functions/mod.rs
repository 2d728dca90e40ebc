//! The functions that `stdlib/1/functions.pcd` declares, by name. Types were checked by the compiler; what can still go wrong here is data.

mod aggregates;
mod args;
mod calendar;
mod csv;
mod files;
mod json;
mod lists;
mod numbers;
mod queries;
mod states;
mod texts;
mod totals;
mod typed;
mod xml;

use plan::suite::Call;

use super::eval::{Eval, Res, no_result};
use super::val::Val;
use args::Args;
pub(crate) use files::lines;
pub(crate) use states::goal;

/// An implementation: it reads its arguments itself, for some are relations, files or queries.
type Function = for<'a> fn(Args<'a>) -> Res<Val<'a>>;

/// Sorted by name.
const FUNCTIONS: &[(&str, Function)] = &[
    ("abs", numbers::abs),
    ("after", states::after),
    ("avg", aggregates::avg),
    ("ceil", numbers::ceil),
    ("changed", states::changed),
    ("coalesce", lists::coalesce),
    ("contains", texts::contains),
    ("content", files::content),
    ("count", aggregates::count),
    ("csv_avg", aggregates::avg),
    ("csv_cell", csv::cell),
    ("csv_column", aggregates::list),
    ("csv_count", aggregates::count),
    ("csv_row", csv::row),
    ("csv_sum", aggregates::sum),
    ("csv_value", csv::value),
    ("date", calendar::date),
    ("day", calendar::day),
    ("days_between", calendar::days_between),
    ("dedupe", lists::dedupe),
    ("distinct_count", aggregates::distinct_count),
    ("ends_with", texts::ends_with),
    ("file_line", files::line),
    ("file_line_count", files::line_count),
    ("file_word", files::word),
    ("file_word_count", files::word_count),
    ("first", aggregates::first),
    ("floor", numbers::floor),
    ("format", numbers::format),
    ("greatest", numbers::greatest),
    ("hour", calendar::hour),
    ("join", lists::join),
    ("json_avg", json::avg),
    ("json_collect", json::collect),
    ("json_count", json::count),
    ("json_count_where", json::count_where),
    ("json_filter", json::collect),
    ("json_keys", json::keys),
    ("json_max", json::max),
    ("json_min", json::min),
    ("json_path", json::path),
    ("json_sum", json::sum),
    ("json_value", json::value),
    ("last", aggregates::last),
    ("least", numbers::least),
    ("len", lists::len),
    ("lines", lists::lines),
    ("list", aggregates::list),
    ("lower", texts::lower),
    ("max", aggregates::max),
    ("median", aggregates::median),
    ("min", aggregates::min),
    ("minute", calendar::minute),
    ("mod", numbers::modulo),
    ("mode", aggregates::mode),
    ("month", calendar::month),
    ("nth", lists::nth),
    ("pad_left", texts::pad_left),
    ("replace", texts::replace),
    ("reverse", lists::reverse),
    ("round", numbers::round),
    ("rows", queries::rows),
    ("schema", queries::schema),
    ("second", calendar::second),
    ("slice", texts::slice),
    ("sort", lists::sort),
    ("split", texts::split),
    ("sqlite_query", queries::scalar),
    ("sqlite_value", csv::value),
    ("starts_with", texts::starts_with),
    ("stdev", aggregates::stdev),
    ("sum", aggregates::sum),
    ("title", texts::title),
    ("to_decimal", numbers::to_decimal),
    ("to_int", numbers::to_int),
    ("tree", lists::tree),
    ("trim", texts::trim),
    ("upper", texts::upper),
    ("value", queries::scalar),
    ("weekday", calendar::weekday),
    ("xpath_attr", xml::attr),
    ("xpath_avg", xml::avg),
    ("xpath_collect", xml::collect),
    ("xpath_count", xml::count),
    ("xpath_exists", xml::exists),
    ("xpath_max", xml::max),
    ("xpath_min", xml::min),
    ("xpath_sum", xml::sum),
    ("xpath_value", xml::value),
    ("yaml_avg", json::avg),
    ("yaml_collect", json::collect),
    ("yaml_count", json::count),
    ("yaml_count_where", json::count_where),
    ("yaml_filter", json::collect),
    ("yaml_keys", json::keys),
    ("yaml_max", json::max),
    ("yaml_min", json::min),
    ("yaml_path", json::path),
    ("yaml_sum", json::sum),
    ("yaml_value", json::value),
    ("year", calendar::year),
];

/// The names of all functions that are implemented, sorted.
pub fn function_names() -> Vec<&'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name).collect()
}

/// Calls a function.
pub(crate) fn call<'a>(eval: Eval<'a>, call: &'a Call) -> Res<Val<'a>> {
    match FUNCTIONS.binary_search_by(|(name, _)| (*name).cmp(&call.function)) {
        Ok(at) => (FUNCTIONS[at].1)(Args { eval, call }),
        Err(_) => no_result(format!("there is no function `{}`", call.function)),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sorted_for_the_search() {
        assert!(super::function_names().is_sorted());
    }
}
