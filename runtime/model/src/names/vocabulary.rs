//! Words of columns and tables that can replace each other: short forms, synonyms, and words that look alike but mean
//! something else.

use std::sync::LazyLock;

use super::index::Index;

/// A word and its short forms. A short form may belong to several words (`st`: street, state).
const SHORT_FORMS: &[&[&str]] = &[
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

/// Words for the same thing: where the rest of two names agrees, so do they.
const SYNONYMS: &[&[&str]] = &[
    &["salary", "pay", "wage"],
    &["city", "town"],
    &["phone", "telephone", "tel", "mobile"],
    &["email", "mail"],
    &["sex", "gender"],
    &["zip", "postal", "postcode"],
    &["picture", "image", "photo"],
    &["vendor", "supplier"],
    &["customer", "client"],
    &["employee", "worker", "staff"],
    &["country", "nation"],
    &["begin", "start", "started", "begun"],
    &["end", "finish", "ended", "finished"],
    &["updated", "modified", "changed"],
    &["removed", "deleted"],
    &["purchase", "bought"],
    &["delivered", "delivery"],
    &["note", "remark"],
    &["website", "homepage"],
    &["quantity", "count"],
    &["maximum", "highest"],
    &["minimum", "lowest"],
    &["average", "mean"],
    &["total", "sum"],
    &["author", "writer"],
    &["movie", "film"],
    &["car", "automobile"],
    &["doctor", "physician"],
    &["teacher", "instructor"],
    &["student", "pupil"],
    &["boss", "supervisor"],
    &["job", "occupation", "profession"],
    &["company", "firm"],
    &["store", "shop"],
    &["street", "road"],
    &["birthplace", "hometown"],
    &["url", "link"],
    &["tax", "vat"],
    &["at", "on"],
];

/// Words for similar things, which may both exist: worth a suggestion, but never applied without asking.
const NEAR: &[&[&str]] = &[
    &["price", "cost", "fee", "charge"],
    &["amount", "value", "total", "sum"],
    &["state", "status", "stage", "phase"],
    &["type", "kind", "category", "class", "group"],
    &["title", "name", "label"],
    &["region", "area", "zone", "territory", "district"],
    &["date", "day", "time", "datetime", "timestamp"],
    &["description", "summary", "comment", "note", "text", "body", "content"],
    &["id", "key", "code", "number", "reference", "identifier"],
    &["manager", "boss", "head", "lead", "supervisor"],
    &["revenue", "income", "sales", "turnover"],
    &["order", "purchase"],
    &["product", "item", "article", "goods"],
    &["score", "grade", "mark", "rating", "points"],
    &["department", "division", "team", "unit"],
    &["location", "place", "site", "address", "city"],
    &["job", "role", "position", "title"],
    &["company", "organization", "business"],
    &["size", "length", "volume"],
    &["discount", "rebate"],
    &["user", "account", "member", "login"],
    &["count", "number", "quantity", "total"],
    &["duration", "length", "time"],
    &["created", "added", "registered", "inserted"],
    &["hired", "joined", "employed"],
    &["rate", "percent", "share", "ratio"],
    &["zip", "post"],
];

/// Words that look like others and mean something else.
const LOOKALIKES: &[&str] = &[
    "accept",
    "except",
    "actual",
    "annual",
    "arrived",
    "buyer",
    "by",
    "base",
    "care",
    "case",
    "cast",
    "coat",
    "county",
    "course",
    "cause",
    "data",
    "day",
    "dead",
    "deal",
    "debit",
    "credit",
    "drive",
    "driver",
    "east",
    "west",
    "employer",
    "expected",
    "father",
    "mother",
    "female",
    "male",
    "file",
    "final",
    "fine",
    "five",
    "from",
    "form",
    "front",
    "game",
    "gate",
    "gross",
    "grows",
    "has",
    "hair",
    "home",
    "host",
    "in",
    "inner",
    "input",
    "output",
    "is",
    "its",
    "land",
    "lane",
    "late",
    "latest",
    "left",
    "right",
    "life",
    "line",
    "list",
    "live",
    "load",
    "loan",
    "lost",
    "made",
    "main",
    "mark",
    "mass",
    "mate",
    "max",
    "min",
    "mode",
    "model",
    "mount",
    "net",
    "new",
    "next",
    "not",
    "of",
    "off",
    "old",
    "older",
    "open",
    "or",
    "out",
    "over",
    "owner",
    "own",
    "paid",
    "part",
    "party",
    "past",
    "path",
    "plan",
    "plane",
    "plant",
    "plate",
    "port",
    "prior",
    "public",
    "quality",
    "race",
    "rank",
    "read",
    "real",
    "rent",
    "rest",
    "risk",
    "role",
    "rule",
    "sale",
    "same",
    "seat",
    "sell",
    "seller",
    "send",
    "sent",
    "set",
    "side",
    "sign",
    "sort",
    "stop",
    "tag",
    "take",
    "task",
    "term",
    "test",
    "to",
    "trade",
    "train",
    "tree",
    "trip",
    "true",
    "under",
    "up",
    "use",
    "used",
    "valid",
    "via",
    "view",
    "visit",
    "wait",
    "wave",
    "wide",
    "wife",
    "wind",
    "won",
    "word",
    "work",
    "zone",
    "arrival",
    "departure",
    "born",
    "die",
    "died",
    "hot",
    "cold",
    "high",
    "low",
    "day",
    "night",
    "am",
    "pm",
    "win",
    "loss",
];

/// The words of each group.
fn iter_groups(table: &[&[&'static str]]) -> impl Iterator<Item = impl Iterator<Item = &'static str>> {
    table.iter().map(|group| group.iter().copied())
}

static SHORT_FORM: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(SHORT_FORMS)));
static SYNONYM: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(SYNONYMS)));
static NEARLY: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(NEAR)));
static LOOKALIKE: LazyLock<Index> = LazyLock::new(|| Index::from_groups(iter_groups(&[LOOKALIKES])));

/// Whether one is a short form of the other, or both are of the same word.
pub fn is_short_form(a: &str, b: &str) -> bool {
    SHORT_FORM.has_both(a, b) || is_consonant_skeleton(a, b) || is_consonant_skeleton(b, a)
}

/// Whether both are words for the same thing; short forms count as the words that they abbreviate.
pub fn is_synonym(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| list_meanings(b).any(|b| SYNONYM.has_both(a, b)))
}

/// Whether both are words for near things.
pub fn is_near_synonym(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| list_meanings(b).any(|b| NEARLY.has_both(a, b)))
}

/// The words that a short form of several words abbreviates.
pub fn find_phrase(word: &str) -> Option<&'static [&'static str]> {
    PHRASES.iter().find(|(short, _)| *short == word).map(|(_, words)| *words)
}

/// Whether it is a word of its own, so that another word one stroke away is not it misspelt.
pub fn is_known(word: &str) -> bool {
    [&SHORT_FORM, &SYNONYM, &NEARLY, &LOOKALIKE].iter().any(|index| index.has_word(word)) || find_phrase(word).is_some()
}

/// A word and the words that it is a short form of.
fn list_meanings(word: &str) -> impl Iterator<Item = &str> {
    let groups = SHORT_FORM.find_groups(word).iter();
    let full = groups.filter_map(|group| SHORT_FORMS.get(*group)?.first().copied());
    std::iter::once(word).chain(full)
}

/// Whether `short` is `long` without its vowels: `mngr` for `manager`.
fn is_consonant_skeleton(short: &str, long: &str) -> bool {
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    let mut letters = long.chars();
    let first = letters.next();
    // A leading vowel stays: `addrss`.
    short.len() >= 3
        && short.len() < long.len()
        && !short.chars().skip(1).any(vowel)
        && first.into_iter().chain(letters.filter(|c| !vowel(*c))).eq(short.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_as_large_as_they_say_and_have_no_word_twice_in_a_group() {
        assert!(SHORT_FORMS.len() >= 60 && SYNONYMS.len() >= 30, "{} {}", SHORT_FORMS.len(), SYNONYMS.len());
        for group in SHORT_FORMS.iter().chain(SYNONYMS).chain(NEAR) {
            assert!(group.len() > 1, "{group:?}");
            for (index, word) in group.iter().enumerate() {
                assert!(!group[..index].contains(word), "{group:?}");
                assert!(word.chars().all(|c| c.is_ascii_lowercase()), "{word}");
            }
        }
    }

    #[test]
    fn short_forms_of_one_word() {
        for (a, b) in [("qty", "quantity"), ("dept", "dpt"), ("no", "number"), ("mngr", "manager"), ("st", "street")] {
            assert!(is_short_form(a, b) && is_short_form(b, a), "{a} {b}");
        }
        for (a, b) in [("count", "country"), ("state", "street"), ("min", "max"), ("nm", "number")] {
            assert!(!is_short_form(a, b) && !is_short_form(b, a), "{a} {b}");
        }
        assert!(is_synonym("sal", "pay") && !is_synonym("cost", "price") && is_near_synonym("cost", "price"));
    }
}
