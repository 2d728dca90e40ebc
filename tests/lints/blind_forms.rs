//! Forms of slips that authors made without knowing the lints, in other trades, and what comes near them and is right.

use super::hold_also;

/// A suite of one task, after constants of the suite.
fn list_names_after(constants: &str, body: &str) -> Vec<&'static str> {
    let source = testing::build_suite_source("", body);
    let (head, task) = source.split_once("task q").unwrap_or_default();
    let compiled = testing::compile_text(&format!("{head}{constants}\ntask q{task}"));
    compiled.diagnostics.iter().map(|said| said.code.name).collect()
}

#[test]
fn named_factors() {
    let caught = [
        (
            r#"LEVY = 9"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
base = coalesce(sum(wells.COST where FIELD == field), 0.00) prompt "How high is the levy on the COST of the wells in the field <<field>> of <<wells>>? Reply with the number only, to two decimals." expect reply number base * LEVY / 100 rounded 2"#,
        ),
        (
            r#"BONUS = 12"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
base = coalesce(sum(wells.COST where FIELD == field), 0.00) prompt "What is the bonus for the COST of the wells in <<field>>, by <<wells>>? It is a share of the sum of COST. To two decimals, the number only." expect reply number base * BONUS / 100 rounded 2"#,
        ),
        (
            r#"DENSITY = 0.873"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
base = coalesce(sum(wells.COST where FIELD == field), 0.00) prompt "How many t of CO2 come from the COST of the wells in <<field>> (<<wells>>), to two decimals? Reply with the number only." expect reply number base * DENSITY rounded 2"#,
        ),
    ];
    let right = [
        (
            r#"LEVY = 9"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
base = coalesce(sum(wells.COST where FIELD == field), 0.00) prompt "The levy is 9 % of the COST. How high is the levy on the wells in the field <<field>> of <<wells>>? Reply with the number only, to two decimals." expect reply number base * LEVY / 100 rounded 2"#,
        ),
        (
            r#"CENTS = 100"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
base = coalesce(sum(wells.COST where FIELD == field), 0.00) prompt "What is the COST of the wells in <<field>> of <<wells>> in cents? Reply with the number only." expect reply number base * CENTS rounded 0"#,
        ),
        (
            r#"LEVY = 9"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
base = coalesce(sum(wells.COST where FIELD == field), 0.00) text terms at "terms.txt" = "The levy is 9 percent of the COST." prompt "How high is the levy on the wells in <<field>> of <<wells>>, by <<terms>>? Reply with the number only, to two decimals." expect reply number base * LEVY / 100 rounded 2"#,
        ),
        (
            r#"LEVY = 9"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
base = coalesce(sum(wells.COST where FIELD == field), 0.00) prompt "How high is the levy of <<LEVY>> % on the COST of the wells in <<field>> of <<wells>>? Reply with the number only, to two decimals." expect reply number base * LEVY / 100 rounded 2"#,
        ),
        (
            r#"WEEK = 7"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
prompt "How many BARRELS a week do the wells in <<field>> give, if BARRELS in <<wells>> is what one gives in a day? Reply with the number only." expect reply number coalesce(sum(wells.BARRELS where FIELD == field), 0) * WEEK"#,
        ),
    ];
    for (constants, body) in caught {
        assert_eq!(list_names_after(constants, body), ["untold_literal"], "{constants} {body}");
    }
    for (constants, body) in right {
        assert_eq!(list_names_after(constants, body), [""; 0], "{constants} {body}");
    }
}

#[test]
fn left_out_states() {
    hold_also(
        "untold_literal",
        &[
            r#"sqlite lab at "lab.db" { table runs { rows 90 RUN : serial OVEN : int 1..5 STATE : weighted ["done": 70, "aborted": 20, "test": 10] GRAMS : int 5..90 } } oven : ref lab.runs.OVEN prompt "How many GRAMS did the oven <<oven>> take in total, by <<lab>>? The table is `runs`; add up GRAMS. Reply with the number only." expect reply number coalesce(<<value: SELECT SUM(GRAMS) FROM lab.runs WHERE OVEN = :oven AND STATE <> 'aborted'>>, 0)"#,
            r#"sqlite lab at "lab.db" { table runs { rows 90 RUN : serial OVEN : int 1..5 STATE : weighted ["done": 70, "aborted": 20, "test": 10] GRAMS : int 5..90 } } oven : ref lab.runs.OVEN prompt "What did all runs of the oven <<oven>> in the table `runs` of <<lab>> weigh together (GRAMS)? Reply with the number only." expect reply number coalesce(sum(lab.runs.GRAMS where OVEN == oven and STATE != "test"), 0)"#,
            r#"sqlite lab at "lab.db" { table runs { rows 90 RUN : serial OVEN : int 1..5 STATE : weighted ["done": 70, "aborted": 20, "test": 10] GRAMS : int 5..90 } } oven : ref lab.runs.OVEN prompt "What went into the oven <<oven>>, in GRAMS, by the table `runs` of <<lab>>? Reply with the number only." expect reply number coalesce(sum(lab.runs.GRAMS where OVEN == oven and STATE not in ["test", "aborted"]), 0)"#,
        ],
        &[
            r#"sqlite lab at "lab.db" { table runs { rows 90 RUN : serial OVEN : int 1..5 STATE : weighted ["done": 70, "aborted": 20, "test": 10] GRAMS : int 5..90 } } oven : ref lab.runs.OVEN prompt "How many GRAMS did the oven <<oven>> take in total, by <<lab>>? Aborted runs do not count. The table is `runs`; add up GRAMS. Reply with the number only." expect reply number coalesce(<<value: SELECT SUM(GRAMS) FROM lab.runs WHERE OVEN = :oven AND STATE <> 'aborted'>>, 0)"#,
            r#"sqlite lab at "lab.db" { table runs { rows 90 RUN : serial OVEN : int 1..5 STATE : weighted ["done": 70, "aborted": 20, "test": 10] GRAMS : int 5..90 } } oven : ref lab.runs.OVEN prompt "What did the valid runs of the oven <<oven>> in the table `runs` of <<lab>> weigh together (GRAMS)? Reply with the number only." expect reply number coalesce(sum(lab.runs.GRAMS where OVEN == oven and STATE != "aborted"), 0)"#,
        ],
    );
}

#[test]
fn examples_with_answers() {
    hold_also(
        "leaked_answer",
        &[
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
n = count(wells where FIELD == field) oil = coalesce(sum(wells.BARRELS where FIELD == field), 0) prompt "Describe the field <<field>> in <<wells>>. Reply with JSON like {\"wells\": <<n>>, \"barrels\": <<oil>>}." expect reply json { wells: n, barrels: oil }"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
n = count(wells where FIELD == field) top = coalesce(max(wells.BARRELS where FIELD == field), 0) prompt "Write <<sandbox>>/field.json for <<field>> by <<wells>>: the number of wells as `n`, the largest BARRELS as `top`, as in {\"n\": <<n>>, \"top\": <<top>>}." expect file "field.json" json { n: n, top: top }"#,
        ],
        &[
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
n = count(wells where FIELD == field) oil = coalesce(sum(wells.BARRELS where FIELD == field), 0) prompt "Describe the field <<field>> in <<wells>>. Reply with JSON like {\"wells\": 3, \"barrels\": 812}." expect reply json { wells: n, barrels: oil }"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
a = count(wells where FIELD == field) b = count(wells where FIELD != field) more = if a > b then a else b prompt "Of <<wells>>, is it <<a>> or <<b>> that are more? Reply with the larger number." expect reply number more"#,
            r#"csv wells at "wells.csv" { rows 90 WELL : serial FIELD : one_of ["north", "delta", "ridge"] BARRELS : int 20..900 COST : decimal 5.00..90.00 DRILLED : date 2021-01-01..2023-12-31 } field : ref wells.FIELD
n = count(wells where FIELD == field) prompt "Describe the field <<field>> in <<wells>>: reply with JSON of its name and the number of its wells, like {\"field\": \"<<field>>\", \"wells\": 3}." expect reply json { field: field, wells: n }"#,
        ],
    );
}

#[test]
fn spelled_paths() {
    hold_also(
        "leaked_answer",
        &[
            r#"table bids { rows 12 FIRM : unique company PRICE : unique int 900..9_000 } best = <<value: SELECT FIRM FROM bids ORDER BY PRICE LIMIT 1>> require best != null
csv offers at "<<replace(lower(best), " ", "_")>>/offers.csv" from bids { Firm = FIRM Price = PRICE } prompt "Which firm in <<offers>> asks for the lowest price? Reply with its name only." expect reply text best ignore case"#,
            r#"table bids { rows 12 FIRM : unique company PRICE : unique int 900..9_000 } best = <<value: SELECT FIRM FROM bids ORDER BY PRICE LIMIT 1>> require best != null
slug = upper(best) csv offers at "offers/<<slug>>.csv" from bids { Firm = FIRM Price = PRICE } prompt "Which firm in <<offers>> asks for the lowest price? Reply with its name only." expect reply text best ignore case"#,
            r#"table bids { rows 12 FIRM : unique company PRICE : unique int 900..9_000 } best = <<value: SELECT FIRM FROM bids ORDER BY PRICE LIMIT 1>> require best != null
csv offers at "offers.csv" from bids { Firm = FIRM Price = PRICE } text note at "note.txt" = "Prepared for <<title(best)>>." prompt "Which firm in <<offers>> asks for the lowest price (see <<note>>)? Reply with its name only." expect reply text best ignore case"#,
        ],
        &[
            r#"table bids { rows 12 FIRM : unique company PRICE : unique int 900..9_000 } best = <<value: SELECT FIRM FROM bids ORDER BY PRICE LIMIT 1>> require best != null
csv offers at "offers/2024.csv" from bids { Firm = FIRM Price = PRICE } prompt "Which firm in <<offers>> asks for the lowest price? Reply with its name only." expect reply text best ignore case"#,
            r#"table bids { rows 12 FIRM : unique company PRICE : unique int 900..9_000 } best = <<value: SELECT FIRM FROM bids ORDER BY PRICE LIMIT 1>> require best != null
town : city csv offers at "<<replace(lower(town), " ", "_")>>/offers.csv" from bids { Firm = FIRM Price = PRICE } prompt "Which firm in <<offers>> asks for the lowest price? Reply with its name only." expect reply text best ignore case"#,
            r#"name : person_name text card at "card.txt" = "Name: <<name>>" prompt "Reply with the name on <<card>> in capital letters, and nothing else." expect reply text upper(name)"#,
        ],
    );
}

#[test]
fn summaries() {
    hold_also(
        "leaked_answer",
        &[
            r#"csv parcels at "parcels.csv" { rows 120 PARCEL : serial DEPOT : one_of ["Lyon", "Gent", "Bern"] KILOS : int 1..60 EXPRESS : bool 30% } depot : ref parcels.DEPOT each_depot = <<rows: SELECT DEPOT, SUM(KILOS) AS K FROM parcels GROUP BY DEPOT ORDER BY DEPOT>> json notes at "notes.json" = { by: "depot", kilos: object(each_depot.DEPOT, each_depot.K) } prompt "How many KILOS do the parcels of <<depot>> in <<parcels>> have together? <<notes>> has more on them. Reply with the number only." expect reply number coalesce(sum(parcels.KILOS where DEPOT == depot), 0)"#,
            r#"csv parcels at "parcels.csv" { rows 120 PARCEL : serial DEPOT : one_of ["Lyon", "Gent", "Bern"] KILOS : int 1..60 EXPRESS : bool 30% } depot : ref parcels.DEPOT each_depot = <<rows: SELECT DEPOT, COUNT(*) AS N FROM parcels WHERE EXPRESS GROUP BY DEPOT ORDER BY DEPOT>> csv extra at "extra.csv" from each_depot { Depot = DEPOT Parcels = N } prompt "How many parcels of <<depot>> in <<parcels>> are EXPRESS? Look also into <<extra>>. Reply with the number only." expect reply number count(parcels where EXPRESS and DEPOT == depot)"#,
            r#"sqlite hall at "hall.db" { table courts { rows 80 ID : serial CLUB : one_of ["A", "B", "C"] HOURS : int 1..9 } view club_hours = <<rows: SELECT CLUB, SUM(HOURS) AS H FROM courts GROUP BY CLUB>> } club : ref hall.courts.CLUB prompt "How many HOURS of the table `courts` in <<hall>> are those of club <<club>>? Reply with the number only." expect reply number coalesce(<<value: SELECT SUM(HOURS) FROM hall.courts WHERE CLUB = :club>>, 0)"#,
            r#"sqlite hall at "hall.db" { table courts { rows 80 ID : serial CLUB : one_of ["A", "B", "C"] HOURS : int 1..9 } view club_hours = <<rows: SELECT CLUB, SUM(HOURS) AS H FROM courts GROUP BY CLUB>> } club : ref hall.courts.CLUB all_clubs = <<rows: SELECT CLUB, SUM(HOURS) AS H FROM hall.courts GROUP BY CLUB>> prompt "How many HOURS has each CLUB in the table `courts` of <<hall>>? Reply with CSV with the header CLUB,H, in any order." expect reply rows all_clubs"#,
        ],
        &[
            r#"csv parcels at "parcels.csv" { rows 120 PARCEL : serial DEPOT : one_of ["Lyon", "Gent", "Bern"] KILOS : int 1..60 EXPRESS : bool 30% } depot : ref parcels.DEPOT each_depot = <<rows: SELECT DEPOT, MAX(KILOS) AS K FROM parcels GROUP BY DEPOT ORDER BY DEPOT>> json notes at "notes.json" = { by: "depot", heaviest: object(each_depot.DEPOT, each_depot.K) } prompt "How many KILOS do the parcels of <<depot>> in <<parcels>> have together? <<notes>> has more on them. Reply with the number only." expect reply number coalesce(sum(parcels.KILOS where DEPOT == depot), 0)"#,
            r#"csv parcels at "parcels.csv" { rows 120 PARCEL : serial DEPOT : one_of ["Lyon", "Gent", "Bern"] KILOS : int 1..60 EXPRESS : bool 30% } depot : ref parcels.DEPOT each_depot = <<rows: SELECT DEPOT, COUNT(*) AS N FROM parcels GROUP BY DEPOT ORDER BY DEPOT>> json notes at "notes.json" = { parcels: object(each_depot.DEPOT, each_depot.N) } prompt "How many parcels of <<depot>> in <<parcels>> are EXPRESS? <<notes>> has more on them. Reply with the number only." expect reply number count(parcels where EXPRESS and DEPOT == depot)"#,
            r#"sqlite hall at "hall.db" { table courts { rows 80 ID : serial CLUB : one_of ["A", "B", "C"] HOURS : int 1..9 } view club_hours = <<rows: SELECT CLUB, SUM(HOURS) AS H FROM courts GROUP BY CLUB>> } club : ref hall.courts.CLUB prompt "How many HOURS does the view `club_hours` of <<hall>> have for club <<club>>? Reply with the number only." expect reply number coalesce(<<value: SELECT SUM(HOURS) FROM hall.courts WHERE CLUB = :club>>, 0)"#,
            r#"sqlite hall at "hall.db" { table courts { rows 80 ID : serial CLUB : one_of ["A", "B", "C"] HOURS : int 1..9 } view club_hours = <<rows: SELECT CLUB, SUM(HOURS) AS H FROM courts GROUP BY CLUB>> } club : ref hall.courts.CLUB most : int 3..7 prompt "How many rows of the table `courts` in <<hall>> have more than <<most>> HOURS? Reply with the number only." expect reply number count(hall.courts where HOURS > most)"#,
        ],
    );
}

#[test]
fn written_rules() {
    hold_also(
        "leaked_answer",
        &[
            r#"csv trips at "trips.csv" { rows 90 TRIP : serial PLANNED : int 20..90 TAKEN : int 20..99 OVER = TAKEN > PLANNED } prompt "A trip of <<trips>> is too long if it has TAKEN more minutes than PLANNED. How many are too long? Reply with the number only." expect reply number count(trips where TAKEN > PLANNED)"#,
            r#"csv trips at "trips.csv" { rows 90 TRIP : serial PLANNED : int 20..90 TAKEN : int 20..99 IN_TIME = TAKEN <= PLANNED } prompt "How many trips of <<trips>> have TAKEN more minutes than PLANNED? Reply with the number only." expect reply number count(trips where PLANNED < TAKEN)"#,
            r#"sqlite line at "line.db" { table trips { rows 90 TRIP : serial PLANNED : int 20..90 TAKEN : int 20..99 OVER = TAKEN > PLANNED } } prompt "How many rows of `trips` in <<line>> have TAKEN more minutes than PLANNED? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM line.trips WHERE TAKEN > PLANNED>>"#,
        ],
        &[
            r#"csv trips at "trips.csv" { rows 90 TRIP : serial PLANNED : int 20..90 TAKEN : int 20..99 OVER = TAKEN > PLANNED } prompt "How many trips of <<trips>> are OVER, which means TAKEN is more than PLANNED? Reply with the number only." expect reply number count(trips where TAKEN > PLANNED)"#,
            r#"csv trips at "trips.csv" { rows 90 TRIP : serial PLANNED : int 20..90 TAKEN : int 20..99 _OVER = TAKEN > PLANNED } prompt "How many trips of <<trips>> have TAKEN more minutes than PLANNED? Reply with the number only." expect reply number count(trips where _OVER)"#,
            r#"csv trips at "trips.csv" { rows 90 TRIP : serial PLANNED : int 20..90 TAKEN : int 20..99 PLAN_LONG = PLANNED > 60 } prompt "How many trips of <<trips>> have TAKEN more minutes than PLANNED? Reply with the number only." expect reply number count(trips where TAKEN > PLANNED)"#,
        ],
    );
}

#[test]
fn totals_in_texts() {
    hold_also(
        "leaked_answer",
        &[
            r#"table hens { rows 30 COOP : one_of ["a", "b"] EGGS : int 1..9 } text sheet at "eggs.txt" = """
 coop eggs
 <<lines(list("<<hens.COOP>> <<hens.EGGS>>"))>>
 all <<sum(hens.EGGS)>>
 """ prompt "The farm wrote <<sheet>>. How many eggs are these altogether? Reply with the number only." expect reply number sum(hens.EGGS)"#,
            r#"table hens { rows 30..40 COOP : one_of ["a", "b"] EGGS : int 1..9 } text sheet at "eggs.txt" = """
 <<count(hens)>> rows
 <<lines(list("<<hens.COOP>> <<hens.EGGS>>"))>>
 """ prompt "How many rows with eggs does <<sheet>> have? Count them. Reply with the number only." expect reply number count(hens)"#,
            r#"table hens { rows 30 COOP : one_of ["a", "b"] EGGS : int 1..9 } text sheet at "eggs.txt" = """
 <<lines(list("<<hens.COOP>> <<hens.EGGS>>"))>>
 mean <<avg(hens.EGGS)>>
 """ prompt "Calculate the mean of the eggs in <<sheet>>, to two decimals. Reply with the number only." expect reply number avg(hens.EGGS) rounded 2"#,
        ],
        &[
            r#"table hens { rows 30 COOP : one_of ["a", "b"] EGGS : int 1..9 } text sheet at "eggs.txt" = """
 <<lines(list("<<hens.COOP>> <<hens.EGGS>>"))>>
 Total: <<sum(hens.EGGS)>>
 """ prompt "What is the total of the bill <<sheet>>? Reply with the number only." expect reply number sum(hens.EGGS)"#,
            r#"table hens { rows 30 COOP : one_of ["a", "b"] EGGS : int 1..9 } text sheet at "eggs.txt" = """
 <<lines(list("<<hens.COOP>> <<hens.EGGS>>"))>>
 Best: <<max(hens.EGGS)>>
 """ prompt "How many eggs are in <<sheet>> in total? Reply with the number only." expect reply number sum(hens.EGGS)"#,
            r#"table hens { rows 30 COOP : one_of ["a", "b"] EGGS : int 1..9 } text sheet at "eggs.txt" = """
 <<lines(list("<<hens.COOP>> <<hens.EGGS>>"))>>
 """ prompt "How many eggs are in <<sheet>> in total? Reply with the number only." expect reply number sum(hens.EGGS)"#,
        ],
    );
}

#[test]
fn idle_dirt() {
    hold_also(
        "idle_axis",
        &[
            r#"axis mess = { none: 0, some: 20, much: 45 } breed : ref dogs.BREED table dogs { rows 80 CHIP : serial BREED : one_of ["Boxer", "Collie", "Basset"] OWNER : last_name KILOS : int 5..60 } csv show at "show.csv" from dogs { Chip = CHIP Breed = BREED Owner = OWNER as case mess% Kilos = KILOS } prompt "Capitals do not matter in <<show>>. How many Kilos do the dogs of the breed <<breed>> weigh together? Reply with the number only." expect reply number coalesce(sum(dogs.KILOS where BREED == breed), 0)"#,
            r#"axis mess = { none: 0, some: 20, much: 45 } breed : ref dogs.BREED table dogs { rows 80 CHIP : serial BREED : one_of ["Boxer", "Collie", "Basset"] OWNER : last_name KILOS : int 5..60 } csv show at "show.csv" from dogs { Chip = CHIP Breed = BREED Owner = OWNER as space mess% Kilos = KILOS } prompt "How many dogs of <<show>> have the Breed <<breed>>? Blanks do not matter. Reply with the number only." expect reply number count(dogs where BREED == breed)"#,
            r#"axis mess = { none: 0, some: 20, much: 45 } breed : ref dogs.BREED table dogs { rows 80 CHIP : serial BREED : one_of ["Boxer", "Collie", "Basset"] OWNER : last_name KILOS : int 5..60 } share = mess csv show at "show.csv" from dogs { Breed = BREED Owner = OWNER as case share% Kilos = KILOS } prompt "What is the highest value of Kilos of a <<breed>> in <<show>>? Reply with the number only." expect reply number coalesce(max(dogs.KILOS where BREED == breed), 0)"#,
        ],
        &[
            r#"axis mess = { none: 0, some: 20, much: 45 } breed : ref dogs.BREED table dogs { rows 80 CHIP : serial BREED : one_of ["Boxer", "Collie", "Basset"] OWNER : last_name KILOS : int 5..60 } csv show at "show.csv" from dogs { Chip = CHIP Breed = BREED as case mess% Owner = OWNER as case mess% Kilos = KILOS } prompt "Capitals do not matter in <<show>>. How many Kilos do the dogs of the breed <<breed>> weigh together? Reply with the number only." expect reply number coalesce(sum(dogs.KILOS where BREED == breed), 0)"#,
            r#"axis mess = { none: 0, some: 20, much: 45 } breed : ref dogs.BREED table dogs { rows 80 CHIP : serial BREED : one_of ["Boxer", "Collie", "Basset"] OWNER : last_name KILOS : int 5..60 } csv show at "show.csv" from dogs { rows repeat mess% Chip = CHIP Breed = BREED Owner = OWNER as case mess% Kilos = KILOS } prompt "Capitals do not matter in <<show>>, and repeated rows count once. How many Kilos do the dogs of the breed <<breed>> weigh together? Reply with the number only." expect reply number coalesce(sum(dogs.KILOS where BREED == breed), 0)"#,
            r#"axis mess = { none: 0, some: 20, much: 45 } breed : ref dogs.BREED table dogs { rows 80 CHIP : serial BREED : one_of ["Boxer", "Collie", "Basset"] OWNER : last_name KILOS : int 5..60 } csv show at "show.csv" from dogs { Chip = CHIP Breed = BREED Owner = OWNER as case mess% Kilos = KILOS } n = 40 + mess prompt "Capitals do not matter in <<show>>. How many dogs of the breed <<breed>> weigh more than <<n>> Kilos? Reply with the number only." expect reply number count(dogs where BREED == breed and KILOS > n)"#,
        ],
    );
}

#[test]
fn idle_traps() {
    hold_also(
        "idle_trap",
        &[
            r#"team : ref games.TEAM table games { rows 90 GAME : serial TEAM : one_of ["red", "blue", "green"] GOALS : int 0..9 } csv sheet at "games.csv" from games { rows repeat 10% Game = GAME Team = TEAM Goals = GOALS } won = coalesce(sum(games.GOALS where TEAM == team), 0) twice = coalesce(sum(sheet.Goals where Team == team), 0) prompt "Rows that are twice in <<sheet>> count once. How many Goals has the Team <<team>>? Reply with the number only." expect reply number won trap twice"#,
            r#"team : ref games.TEAM table games { rows 90 GAME : serial TEAM : one_of ["red", "blue", "green"] GOALS : int 0..9 } csv sheet at "games.csv" from games { rows repeat 10% Game = GAME Team = TEAM Goals = GOALS } twice = count(sheet where Team == team) prompt "Rows that are twice in <<sheet>> count once. How many games has the Team <<team>>? Reply with the number only." expect reply number count(games where TEAM == team) trap twice"#,
            r#"team : ref games.TEAM table games { rows 90 GAME : serial TEAM : one_of ["red", "blue", "green"] GOALS : int 0..9 } csv sheet at "games.csv" from games { Team = TEAM as case 20% Goals = GOALS } top = coalesce(sum(games.GOALS where TEAM == team), 0) as_written = coalesce(sum(sheet.Goals where Team == team), 0) prompt "Capitals do not matter in <<sheet>>. How many Goals has the Team <<team>>? Reply with the number only." expect reply number top trap as_written"#,
        ],
        &[
            r#"team : ref games.TEAM table games { rows 90 GAME : serial TEAM : one_of ["red", "blue", "green"] GOALS : int 0..9 } csv sheet at "games.csv" from games { rows repeat 10% Game = GAME Team = TEAM Goals = GOALS } won = coalesce(sum(games.GOALS where TEAM == team), 0) all = sum(games.GOALS) prompt "Rows that are twice in <<sheet>> count once. How many Goals has the Team <<team>>? Reply with the number only." expect reply number won trap all"#,
            r#"team : ref games.TEAM table games { rows 90 GAME : serial TEAM : one_of ["red", "blue", "green"] GOALS : int 0..9 } csv sheet at "games.csv" from games where GOALS > 2 { Team = TEAM Goals = GOALS } won = coalesce(sum(games.GOALS where TEAM == team), 0) shown = coalesce(sum(sheet.Goals where Team == team), 0) csv rest at "rest.csv" from games where GOALS <= 2 { Team = TEAM Goals = GOALS } prompt "How many Goals has the Team <<team>> in <<sheet>> and <<rest>>? Reply with the number only." expect reply number won trap shown"#,
            r#"team : ref games.TEAM table games { rows 90 GAME : serial TEAM : one_of ["red", "blue", "green"] GOALS : int 0..9 } csv sheet at "games.csv" from games { Team = TEAM Goals = GOALS Double = GOALS * 2 } won = coalesce(sum(games.GOALS where TEAM == team), 0) double = coalesce(sum(sheet.Double where Team == team), 0) prompt "How many Goals has the Team <<team>> in <<sheet>>? Reply with the number only." expect reply number won trap double"#,
        ],
    );
}

#[test]
fn edits_of_all_items() {
    hold_also(
        "unasked_change",
        &[
            r#"secs : int 100..900 json conf at "conf.json" { port : int 1_024..65_535 queues : [ { name : unique word active : bool 60% retry : int 5..60 } ; 6..9 ] } goal = edit(conf, "$.queues[*].retry", secs) prompt "In <<conf>>, set `retry` to <<secs>> for each queue whose `active` is true. Change nothing else." expect file conf json goal"#,
            r#"secs : int 100..900 json conf at "conf.json" { port : int 1_024..65_535 queues : [ { name : unique word active : bool 60% retry : int 5..60 } ; 6..9 ] } which = coalesce(first(conf.queues.name), "") goal = edit(conf, "$.queues[*].retry", secs) prompt "In <<conf>>, set the `retry` of the queue <<which>> to <<secs>>. Change nothing else." expect file conf json goal"#,
            r#"secs : int 100..900 json conf at "conf.json" { port : int 1_024..65_535 queues : [ { name : unique word active : bool 60% retry : int 5..60 } ; 6..9 ] } which : ref conf.queues.name goal = edit(conf, "$.queues[*].retry", secs) prompt "The queue <<which>> in <<conf>> needs a `retry` of <<secs>>. Change it, and nothing else." expect file conf json goal"#,
        ],
        &[
            r#"secs : int 100..900 json conf at "conf.json" { port : int 1_024..65_535 queues : [ { name : unique word active : bool 60% retry : int 5..60 } ; 6..9 ] } goal = edit(conf, "$.queues[*].retry", secs) prompt "In <<conf>>, set `retry` to <<secs>> for each queue. Change nothing else." expect file conf json goal"#,
            r#"secs : int 100..900 json conf at "conf.json" { port : int 1_024..65_535 queues : [ { name : unique word active : bool 60% retry : int 5..60 } ; 6..9 ] } goal = edit(conf, "$.queues[?@.active == true].retry", secs) require count(conf.queues where active) > 0 prompt "In <<conf>>, set `retry` to <<secs>> for each queue whose `active` is true. Change nothing else." expect file conf json goal"#,
            r#"secs : int 100..900 json conf at "conf.json" { port : int 1_024..65_535 queues : [ { name : unique word active : bool 60% retry : int 5..60 } ; 6..9 ] } goal = edit(conf, "$.queues[*].retry", secs) prompt "In <<conf>>, set `retry` to <<secs>> for each queue, whatever its `active` is. Leave `name` as it is." expect file conf json goal"#,
        ],
    );
}

#[test]
fn offered_words() {
    hold_also(
        "vacuous_expectation",
        &[
            r#"no, level : ref tests.(NO, LEVEL) csv tests at "tests.csv" { rows 60 NO : serial LEVEL : one_of ["low", "medium", "high"] } prompt "Is the level of test <<no>> in <<tests>> low, medium or high? Reply with one word." expect reply contains level"#,
            r#"no, side : ref poll.votes.(NO, SIDE) sqlite poll at "poll.db" { table votes { rows 60 NO : serial SIDE : one_of ["yes", "no", "abstained"] } } prompt "Was vote <<no>> in the table `votes` of <<poll>> yes, no, or abstained? One word." expect reply contains side"#,
        ],
        &[
            r#"no, level : ref tests.(NO, LEVEL) csv tests at "tests.csv" { rows 60 NO : serial LEVEL : one_of ["low", "medium", "high"] } prompt "Is the level of test <<no>> in <<tests>> low, medium or high? Reply with one word." expect reply text level"#,
            r#"no, level : ref tests.(NO, LEVEL) csv tests at "tests.csv" { rows 60 NO : serial LEVEL : one_of ["low", "medium", "high"] } prompt "What is the LEVEL of test <<no>> in <<tests>>?" expect reply contains level"#,
            r#"no, who : ref tests.(NO, WHO) csv tests at "tests.csv" { rows 60 NO : serial WHO : unique person_name } prompt "Who took test <<no>> in <<tests>>?" expect reply contains who"#,
        ],
    );
}

#[test]
fn padded_numbers() {
    hold_also(
        "date_form",
        &[
            r#"nr : int 1..12 xml finds at "finds.xml" all { find : [ { what : word day : date 2023-01-01..2023-12-31 } ; 90 ] } rows_ = <<rows: SELECT day AS DAY FROM finds.find>> prompt "How many elements `find` of <<finds>> have a `day` in the month <<nr>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM rows_ WHERE strftime('%m', DAY) = CAST(:nr AS TEXT)>>"#,
            r#"nr : int 1..28 csv finds at "finds.csv" { rows 90 DAY : date 2023-01-01..2023-12-31 } sub = <<rows: SELECT DAY FROM finds ORDER BY DAY>> prompt "How many rows of <<finds>> have a DAY that is the day <<nr>> of its month? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM sub WHERE strftime('%d', DAY) = CAST(:nr AS TEXT)>>"#,
            r#"hour_ : int 0..23 csv calls at "calls.csv" { rows 90 AT : datetime 2023-01-01T00:00..2023-12-31T23:59 } sub = <<rows: SELECT AT FROM calls ORDER BY AT>> prompt "How many rows of <<calls>> have AT in the hour <<hour_>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM sub WHERE CAST(:hour_ AS TEXT) = strftime('%H', AT)>>"#,
        ],
        &[
            r#"nr : int 1..12 csv finds at "finds.csv" { rows 90 DAY : date 2023-01-01..2023-12-31 } sub = <<rows: SELECT DAY FROM finds ORDER BY DAY>> prompt "How many rows of <<finds>> have a DAY in the month <<nr>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM sub WHERE CAST(strftime('%m', DAY) AS INTEGER) = :nr>>"#,
            r#"nr : one_of ["03", "07", "11"] csv finds at "finds.csv" { rows 90 DAY : date 2023-01-01..2023-12-31 } sub = <<rows: SELECT DAY FROM finds ORDER BY DAY>> prompt "How many rows of <<finds>> have a DAY in the month <<nr>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM sub WHERE strftime('%m', DAY) = :nr>>"#,
            r#"nr : int 2020..2023 csv finds at "finds.csv" { rows 90 DAY : date 2020-01-01..2023-12-31 } sub = <<rows: SELECT DAY FROM finds ORDER BY DAY>> prompt "How many rows of <<finds>> have a DAY in the year <<nr>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM sub WHERE strftime('%Y', DAY) = CAST(:nr AS TEXT)>>"#,
        ],
    );
}

#[test]
fn zero_for_blanks() {
    hold_also(
        "nulls_left_out",
        &[
            r#"csv stays at "stays.csv" { rows 90 NO : serial ROOM : one_of ["a", "b", "c"] EXTRA_EUR : int 5..90 blank 30% } room : ref stays.ROOM prompt "What is the mean EXTRA_EUR of the stays in room <<room>> of <<stays>>, to two decimals? Treat an empty EXTRA_EUR as if it were 0. Reply with the number only." expect reply number coalesce(avg(stays.EXTRA_EUR where ROOM == room), 0.0) rounded 2"#,
            r#"csv stays at "stays.csv" { rows 90 NO : serial ROOM : one_of ["a", "b", "c"] EXTRA_EUR : int 5..90 blank 30% } room : ref stays.ROOM prompt "What is the mean EXTRA_EUR of the stays in room <<room>> of <<stays>>, to two decimals? Stays with a missing EXTRA_EUR are taken for 0. Reply with the number only." expect reply number coalesce(avg(stays.EXTRA_EUR where ROOM == room), 0.0) rounded 2"#,
        ],
        &[
            r#"csv stays at "stays.csv" { rows 90 NO : serial ROOM : one_of ["a", "b", "c"] EXTRA_EUR : int 5..90 blank 30% } room : ref stays.ROOM prompt "What is the mean EXTRA_EUR of the stays in room <<room>> of <<stays>>, to two decimals? A stay without an extra does not count as 0: leave it out. Reply with the number only." expect reply number coalesce(<<value: SELECT AVG(EXTRA_EUR) FROM stays WHERE ROOM = :room>>, 0.0) rounded 2"#,
            r#"csv stays at "stays.csv" { rows 90 NO : serial ROOM : one_of ["a", "b", "c"] EXTRA_EUR : int 5..90 blank 30% } room : ref stays.ROOM prompt "What is the mean EXTRA_EUR of the stays in room <<room>> of <<stays>>, to two decimals? A stay without an extra counts as an extra of zero. Reply with the number only." expect reply number coalesce(<<value: SELECT AVG(COALESCE(EXTRA_EUR, 0)) FROM stays WHERE ROOM = :room>>, 0.0) rounded 2"#,
            r#"csv stays at "stays.csv" { rows 90 NO : serial ROOM : one_of ["a", "b", "c"] EXTRA_EUR : int 5..90 blank 30% } room : ref stays.ROOM prompt "What is the mean EXTRA_EUR of the stays in room <<room>> of <<stays>> that have one, to two decimals? Reply with the number only." expect reply number coalesce(<<value: SELECT AVG(EXTRA_EUR) FROM stays WHERE ROOM = :room>>, 0.0) rounded 2"#,
        ],
    );
}

#[test]
fn other_moments() {
    hold_also(
        "unread_column",
        &[
            r#"csv loans at "loans.csv" { rows 120 LOAN : serial BRANCH : one_of ["West", "East"] ISSUED_ON : date 2024-01-01..2024-03-31 _D : int 3..40 RETURNED_ON = ISSUED_ON + _D * 1 days } branch : ref loans.BRANCH day : date 2024-02-01..2024-03-10 prompt "How many loans of <<branch>> in <<loans>> were returned after <<day>>? Reply with the number only." expect reply number count(loans where BRANCH == branch and ISSUED_ON > day)"#,
            r#"csv loans at "loans.csv" { rows 120 LOAN : serial BRANCH : one_of ["West", "East"] ISSUED_ON : date 2024-01-01..2024-03-31 _D : int 3..40 RETURNED_ON = ISSUED_ON + _D * 1 days } branch : ref loans.BRANCH day : date 2024-02-01..2024-03-10 prompt "How many loans of <<branch>> came back on <<day>> (`RETURNED_ON`), by <<loans>>? Reply with the number only." expect reply number count(loans where BRANCH == branch and ISSUED_ON == day)"#,
            r#"csv loans at "loans.csv" { rows 120 LOAN : serial BRANCH : one_of ["West", "East"] ISSUED_ON : date 2024-01-01..2024-03-31 _D : int 3..40 RETURNED_ON = ISSUED_ON + _D * 1 days } branch : ref loans.BRANCH day : date 2024-02-01..2024-03-10 prompt "How many loans of <<branch>> in <<loans>> had been returned by <<day>>, that day included? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM loans WHERE BRANCH = :branch AND ISSUED_ON <= :day>>"#,
        ],
        &[
            r#"csv loans at "loans.csv" { rows 120 LOAN : serial BRANCH : one_of ["West", "East"] ISSUED_ON : date 2024-01-01..2024-03-31 _D : int 3..40 RETURNED_ON = ISSUED_ON + _D * 1 days } branch : ref loans.BRANCH day : date 2024-02-01..2024-03-10 prompt "How many loans of <<branch>> in <<loans>> were returned after <<day>>? Reply with the number only." expect reply number count(loans where BRANCH == branch and RETURNED_ON > day)"#,
            r#"csv loans at "loans.csv" { rows 120 LOAN : serial BRANCH : one_of ["West", "East"] ISSUED_ON : date 2024-01-01..2024-03-31 _D : int 3..40 RETURNED_ON = ISSUED_ON + _D * 1 days } branch : ref loans.BRANCH day : date 2024-02-01..2024-03-10 prompt "How many loans of <<branch>> in <<loans>> were issued after <<day>>, whether they are returned or not? Reply with the number only." expect reply number count(loans where BRANCH == branch and ISSUED_ON > day)"#,
            r#"csv loans at "loans.csv" { rows 120 LOAN : serial BRANCH : one_of ["West", "East"] ISSUED_ON : date 2024-01-01..2024-03-31 _D : int 3..40 RETURNED_ON = ISSUED_ON + _D * 1 days } branch : ref loans.BRANCH day : date 2024-02-01..2024-03-10 prompt "<<loans>> has loans. How many began in the branch <<branch>> after <<day>>? Reply with the number only." expect reply number count(loans where BRANCH == branch and ISSUED_ON > day)"#,
        ],
    );
}

#[test]
fn meanings() {
    hold_also(
        "other_column",
        &[
            r#"csv cars at "cars.csv" { rows 90 CAR : serial KIND : one_of ["van", "bus"] LOADW : int 900..3_000 EMPTYW : int 500..2_000 } kind : ref cars.KIND about = "In <<cars>>, LOADW is the laden weight of a car, EMPTYW its tare weight." prompt "<<about>> What is the mean laden weight of the cars of the kind <<kind>>, to two decimals? Reply with the number only." expect reply number coalesce(avg(cars.EMPTYW where KIND == kind), 0.0) rounded 2"#,
            r#"csv cars at "cars.csv" { rows 90 CAR : serial KIND : one_of ["van", "bus"] LOADW : int 900..3_000 EMPTYW : int 500..2_000 } kind : ref cars.KIND about = "In <<cars>>, LOADW is the laden weight of a car, EMPTYW its tare weight." prompt "<<about>> What is the largest tare weight of a <<kind>>? Reply with the number only." expect reply number coalesce(max(cars.LOADW where KIND == kind), 0)"#,
            r#"csv cars at "cars.csv" { rows 90 CAR : serial KIND : one_of ["van", "bus"] LOADW : int 900..3_000 EMPTYW : int 500..2_000 } kind : ref cars.KIND about = "In <<cars>>, LOADW is the laden weight of a car, EMPTYW its tare weight." prompt "<<about>> What is the sum of the tare weights of all cars of the kind <<kind>>? Reply with the number only." expect reply number coalesce(<<value: SELECT SUM(LOADW) FROM cars WHERE KIND = :kind>>, 0)"#,
        ],
        &[
            r#"csv cars at "cars.csv" { rows 90 CAR : serial KIND : one_of ["van", "bus"] LOADW : int 900..3_000 EMPTYW : int 500..2_000 } kind : ref cars.KIND about = "In <<cars>>, LOADW is the laden weight of a car, EMPTYW its tare weight." prompt "<<about>> What is the mean tare weight of the cars of the kind <<kind>>, to two decimals? Reply with the number only." expect reply number coalesce(avg(cars.EMPTYW where KIND == kind), 0.0) rounded 2"#,
            r#"csv cars at "cars.csv" { rows 90 CAR : serial KIND : one_of ["van", "bus"] LOADW : int 900..3_000 EMPTYW : int 500..2_000 } kind : ref cars.KIND about = "In <<cars>>, LOADW is the laden weight of a car, EMPTYW its tare weight." prompt "<<about>> What is the largest weight of a laden <<kind>>? Reply with the number only." expect reply number coalesce(max(cars.LOADW where KIND == kind), 0)"#,
            r#"csv cars at "cars.csv" { rows 90 CAR : serial KIND : one_of ["van", "bus"] LOADW : int 900..3_000 EMPTYW : int 500..2_000 } kind : ref cars.KIND about = "In <<cars>>, LOADW is the laden weight of a car, EMPTYW its tare weight." prompt "<<about>> What is the mean weight of the <<kind>>, to two decimals (EMPTYW)? Reply with the number only." expect reply number coalesce(avg(cars.EMPTYW where KIND == kind), 0.0) rounded 2"#,
        ],
    );
}

#[test]
fn other_databases() {
    hold_also(
        "doubtful_gold",
        &[
            r#"sqlite now at "now.db" { table games { rows 40 ID : serial GOALS : int 0..9 } } sqlite before at "old.db" { table games { rows 40 ID : serial GOALS : int 0..9 } } prompt "How many GOALS are in the table `games` of <<now>>? <<before>> is from last year. Reply with one SQLite query in a sql block." expect reply fenced "sql" sql now query(before, "SELECT SUM(GOALS) AS N FROM games")"#,
        ],
        &[
            r#"sqlite now at "now.db" { table games { rows 40 ID : serial GOALS : int 0..9 } } sqlite before at "old.db" { table games { rows 40 ID : serial GOALS : int 0..9 } } prompt "How many GOALS are in the table `games` of <<now>>? <<before>> is from last year. Reply with one SQLite query in a sql block." expect reply fenced "sql" sql now query(now, "SELECT SUM(GOALS) AS N FROM games")"#,
        ],
    );
}

#[test]
fn weak_requires() {
    hold_also(
        "idle_goal",
        &[
            r#"sqlite race at "race.db" { table starters { rows 30 BIB : serial CLUB : one_of ["A", "B", "C", "D", "E", "F", "G", "H"] STATE : one_of ["open", "paid"] } } club : ref race.starters.CLUB goal = <<after: race, UPDATE starters SET STATE = 'out' WHERE CLUB = :club AND STATE = 'open'>> require changed(goal) >= 0 prompt "In the table `starters` of <<race>>, set STATE to `out` for all rows of the club <<club>> with the STATE `open`. Change nothing else." expect file race database goal"#,
            r#"sqlite race at "race.db" { table starters { rows 30 BIB : serial CLUB : one_of ["A", "B", "C", "D", "E", "F", "G", "H"] STATE : one_of ["open", "paid"] } } club : ref race.starters.CLUB goal = <<after: race, UPDATE starters SET STATE = 'out' WHERE CLUB = :club AND STATE = 'open'>> require changed(goal) < 5 prompt "In the table `starters` of <<race>>, set STATE to `out` for all rows of the club <<club>> with the STATE `open`. Change nothing else." expect file race database goal"#,
        ],
        &[
            r#"sqlite race at "race.db" { table starters { rows 30 BIB : serial CLUB : one_of ["A", "B", "C", "D", "E", "F", "G", "H"] STATE : one_of ["open", "paid"] } } club : ref race.starters.CLUB goal = <<after: race, UPDATE starters SET STATE = 'out' WHERE CLUB = :club AND STATE = 'open'>> require changed(goal) > 0 prompt "In the table `starters` of <<race>>, set STATE to `out` for all rows of the club <<club>> with the STATE `open`. Change nothing else." expect file race database goal"#,
        ],
    );
}
