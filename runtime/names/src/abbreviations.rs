//! Abbreviations: short forms of words (`qty`, `mngr`) and of several words (`dob`).

use std::sync::LazyLock;

use super::index::Index;
use super::words::is_consonant_skeleton;

/// A word and its short forms. A short form may belong to several words (`st`: street, state).
pub(super) const SHORT_FORMS: &[&[&str]] = &[
    &["account", "acct", "acc"],
    &["active", "actv"],
    &["address", "addr", "adr"],
    &["administrator", "admin"],
    &["allocation", "alloc"],
    &["amount", "amt", "amnt"],
    &["application", "app", "appl"],
    &["approved", "appr", "apprvd"],
    &["attribute", "attr"],
    &["authorization", "auth", "authz"],
    &["average", "avg"],
    &["balance", "bal"],
    &["branch", "br", "brnch"],
    &["building", "bldg"],
    &["calculated", "calc"],
    &["category", "cat", "catg", "ctgry"],
    &["character", "char", "chr"],
    &["code", "cd"],
    &["comment", "cmt", "cmnt"],
    &["company", "co", "comp", "cmpny"],
    &["configuration", "config", "conf", "cfg"],
    &["contact", "cntct"],
    &["contract", "contr", "cntrct"],
    &["coordinate", "coord"],
    &["count", "cnt", "ct"],
    &["country", "ctry", "cntry"],
    &["created", "crtd"],
    &["currency", "curr", "ccy", "cur"],
    &["current", "curr", "cur"],
    &["customer", "cust", "cstmr"],
    &["database", "db"],
    &["date", "dt"],
    &["datetime", "dttm"],
    &["default", "def", "dflt"],
    &["delivery", "dlvry", "deliv"],
    &["department", "dept", "dpt", "dep"],
    &["description", "desc", "descr", "dscr"],
    &["destination", "dest", "dst"],
    &["device", "dev", "dvc"],
    &["difference", "diff"],
    &["directory", "dir"],
    &["discount", "disc", "dscnt"],
    &["distance", "dist"],
    &["district", "dist"],
    &["division", "div"],
    &["document", "doc"],
    &["duration", "dur"],
    &["education", "edu", "educ"],
    &["effective", "eff"],
    &["employee", "emp", "empl"],
    &["environment", "env"],
    &["error", "err"],
    &["event", "evt"],
    &["expiration", "exp", "expir"],
    &["experience", "exp"],
    &["extension", "ext"],
    &["facility", "fac"],
    &["first", "fst"],
    &["frequency", "freq"],
    &["function", "func", "fn"],
    &["group", "grp"],
    &["height", "hgt", "ht"],
    &["history", "hist"],
    &["hour", "hr"],
    &["identifier", "id", "ident"],
    &["image", "img"],
    &["index", "idx"],
    &["information", "info"],
    &["initial", "init"],
    &["insurance", "ins"],
    &["inventory", "inv", "invty"],
    &["invoice", "inv", "invc"],
    &["language", "lang"],
    &["last", "lst"],
    &["latitude", "lat"],
    &["length", "len"],
    &["level", "lvl", "lev"],
    &["location", "loc", "locn"],
    &["longitude", "long", "lng", "lon"],
    &["maintenance", "maint"],
    &["manager", "mgr", "mngr"],
    &["manufacturer", "mfr", "mfg", "manuf"],
    &["maximum", "max"],
    &["measurement", "meas"],
    &["medical", "med"],
    &["message", "msg"],
    &["middle", "mid"],
    &["minimum", "min"],
    &["minute", "min"],
    &["month", "mon", "mth", "mnth"],
    &["name", "nm", "nam"],
    &["number", "no", "num", "nbr", "nr", "nmbr"],
    &["object", "obj"],
    &["operation", "op", "oper"],
    &["order", "ord", "ordr"],
    &["organization", "org", "organisation"],
    &["original", "orig"],
    &["package", "pkg", "pckg"],
    &["parameter", "param", "parm"],
    &["password", "pwd", "passwd"],
    &["patient", "pat", "pt"],
    &["payment", "pmt", "pymt", "pay"],
    &["percent", "pct", "perc"],
    &["period", "prd"],
    &["phone", "ph", "phn"],
    &["picture", "pic"],
    &["point", "pt"],
    &["population", "pop"],
    &["position", "pos", "posn"],
    &["postal", "post"],
    &["previous", "prev", "prv"],
    &["price", "prc"],
    &["priority", "prio", "pri"],
    &["product", "prod", "prd"],
    &["project", "proj", "prj"],
    &["purchase", "purch"],
    &["quantity", "qty", "quant", "qnty"],
    &["quarter", "qtr", "q"],
    &["question", "qst", "q"],
    &["rating", "rtg"],
    &["received", "recd", "rcvd"],
    &["record", "rec"],
    &["reference", "ref"],
    &["region", "reg", "rgn"],
    &["registration", "reg", "regn"],
    &["request", "req", "rqst"],
    &["required", "req", "reqd"],
    &["response", "resp", "rsp"],
    &["salary", "sal", "slry"],
    &["schedule", "sched"],
    &["second", "sec"],
    &["section", "sec", "sect"],
    &["sequence", "seq"],
    &["service", "svc", "srv", "serv"],
    &["session", "sess"],
    &["shipment", "shpmt", "shipmt"],
    &["shipping", "ship", "shpg"],
    &["source", "src"],
    &["specification", "spec"],
    &["standard", "std"],
    &["state", "st"],
    &["statistics", "stats", "stat"],
    &["status", "stat", "sts", "st"],
    &["street", "st", "str"],
    &["string", "str"],
    &["student", "stud", "stdnt"],
    &["subscription", "sub", "subscr"],
    &["subtotal", "subtot"],
    &["supplier", "supp", "splr"],
    &["system", "sys"],
    &["teacher", "tchr"],
    &["telephone", "tel"],
    &["temperature", "temp", "tmp"],
    &["temporary", "temp", "tmp"],
    &["territory", "terr"],
    &["text", "txt"],
    &["time", "tm"],
    &["timestamp", "ts", "tstamp"],
    &["total", "tot", "ttl"],
    &["transaction", "txn", "trx", "tran", "trans"],
    &["type", "typ", "tp"],
    &["unit", "un"],
    &["updated", "upd", "updtd"],
    &["user", "usr"],
    &["value", "val"],
    &["variable", "var"],
    &["vehicle", "veh", "vhcl"],
    &["vendor", "vend", "vndr"],
    &["version", "ver", "vers"],
    &["volume", "vol"],
    &["warehouse", "whse", "wh"],
    &["week", "wk"],
    &["weight", "wt", "wgt"],
    &["width", "wd"],
    &["year", "yr", "yrs"],
];

/// Short forms of several words.
const PHRASES: &[(&str, &[&str])] = &[
    ("fname", &["first", "name"]),
    ("lname", &["last", "name"]),
    ("mname", &["middle", "name"]),
    ("firstname", &["first", "name"]),
    ("lastname", &["last", "name"]),
    ("surname", &["last", "name"]),
    ("forename", &["first", "name"]),
    ("username", &["user", "name"]),
    ("uid", &["user", "id"]),
    ("userid", &["user", "id"]),
    ("dob", &["birth", "date"]),
    ("birthdate", &["birth", "date"]),
    ("birthday", &["birth", "date"]),
    ("doj", &["join", "date"]),
    ("zipcode", &["zip", "code"]),
    ("timestamp", &["time", "stamp"]),
    ("eta", &["estimated", "arrival"]),
    ("gpa", &["grade", "point", "average"]),
];

/// The words of each group of [`SHORT_FORMS`], by word.
pub(super) static SHORT_FORM: LazyLock<Index> = LazyLock::new(|| Index::from_table(SHORT_FORMS));

/// Whether one is a short form of the other, or both are of the same word.
pub fn is_short_form(a: &str, b: &str) -> bool {
    SHORT_FORM.has_both(a, b) || is_consonant_skeleton(a, b) || is_consonant_skeleton(b, a)
}

/// Finds the words that a short form of several words abbreviates.
pub fn find_phrase(word: &str) -> Option<&'static [&'static str]> {
    PHRASES.iter().find(|(short, _)| *short == word).map(|(_, words)| *words)
}

/// Lists a word and the words that it is a short form of.
pub(super) fn list_meanings(word: &str) -> impl Iterator<Item = &str> {
    let groups = SHORT_FORM.find_groups(word).iter();
    let full = groups.filter_map(|group| SHORT_FORM.first_word(*group));
    std::iter::once(word).chain(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_of_one_word() {
        for (a, b) in [("qty", "quantity"), ("dept", "dpt"), ("no", "number"), ("mngr", "manager"), ("st", "street")] {
            assert!(is_short_form(a, b) && is_short_form(b, a), "{a} {b}");
        }
        for (a, b) in [("count", "country"), ("state", "street"), ("min", "max"), ("nm", "number")] {
            assert!(!is_short_form(a, b) && !is_short_form(b, a), "{a} {b}");
        }
    }
}
