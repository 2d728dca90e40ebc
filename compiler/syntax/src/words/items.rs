//! Words that begin items, settings, and statements.

use super::heads::Head;
use super::word::Class::{Body, Constraint, Item, Library, Planned, Setting, Statement, Stored};
use super::word::Word;

const ALLOW: (&str, &str) =
    ("allow ${1:lint} \"${2:why}\"", "Silences a lint, in a task or in the whole suite; the reason is required.");
const ALLOW_READ: &str = "Silences a lint about a file that is read; the reason is required.";
const TABLE_FROM: (&str, &str) =
    ("table ${1:name} from \"${2:data.csv}\"", "Rows of a file that is read and never handed out.");

pub(super) const WORDS: &[Word] = &[
    Word::new(Item,
        "suite ${1:name} {\n  title   \"${2:Title}\"\n  version \"1.0.0\"\n  samples ${3:20}\n}",
        "The suite itself, once in a compiled file.",
    )
    .head(Head::Block),
    Word::new(Item, "use \"${1:shared.pcd}\"", "Brings in the domains, tables and constants of another file.")
        .head(Head::Text),
    Word::new(Item,
        "domain ${1:name} = ${2:one_of [\"a\", \"b\"]}",
        "Names a set of values to draw from.",
    )
    .head(Head::Equals),
    Word::new(Item,
        "table ${1:name} {\n  ${2:COLUMN} : ${3:word}\n}",
        "Columns to be used by several files.",
    )
    .head(Head::Columns),
    Word::new(Item, TABLE_FROM.0, TABLE_FROM.1).label("table from").head(Head::Columns),
    Word::new(Item,
        "lake ${1:name} from \"${2:data}\" {\n  csv ${3:view} from \"${4:*.csv}\"\n}",
        "A folder of real files, and views of those that are read as tables.",
    )
    .head(Head::Name),
    Word::new(Item,
        "task ${1:name} {\n  ${2:value} : ${3:word}\n  prompt \"${4:Reply with this word only: <<value>>}\"\n  expect reply text ${2:value}\n}",
        "A question with its data and answer key.",
    )
    .head(Head::Block),
    Word::new(Library, "fn", ""),
    // The settings of a suite.
    Word::new(Setting, "title \"${1:Title}\"", "The suite's title; required."),
    Word::new(Setting, "version \"${1:1.0.0}\"", "The suite's version; required."),
    Word::new(Setting, "description \"${1:What it asks}\"", "What the suite asks."),
    Word::new(Setting, "license \"${1:MIT}\"", "The licence of the suite."),
    Word::new(Setting, "authors [\"${1:name}\"]", "A text or a list of texts."),
    Word::new(Setting,
        "samples ${1:20}",
        "How many samples: of each task, or of this one instead of the suite's number.",
    ),
    Word::new(Setting,
        "canary \"${1:text}\"",
        "A string that marks the bundle: it shows where the bundle leaked.",
    ),
    Word::new(Setting, "tags [${1:tag}]", "Words or texts; tasks and variants add theirs."),
    Word::new(Setting,
        "edition ${1:1}",
        "Which standard library and random streams; 1 is the only one.",
    ),
    Word::new(Setting, ALLOW.0, ALLOW.1),
    // The statements of a task, except files.
    Word::new(Statement, TABLE_FROM.0, TABLE_FROM.1).label("table from").head(Head::Columns),
    Word::new(Statement,
        "table ${1:name} {\n  rows ${2:20}\n  ${3:COLUMN} : ${4:word}\n}",
        "A relation without a file.",
    )
    .head(Head::Columns),
    Word::new(Statement,
        "prompt \"${1:text}\"",
        "What the agent is told; of `one_of [ … ]` one wording is drawn.",
    )
    .head(Head::Wording)
    .in_variant()
    .in_stage(),
    Word::new(Statement,
        "require ${1:condition}",
        "Samples that do not meet it are drawn again, at most 1,000 times.",
    )
    .head(Head::Condition)
    .takes(),
    Word::new(Statement,
        "expect ${1:reply} ${2:text} ${3:value}",
        "What is right: a subject, a matcher and a value.",
    )
    .head(Head::Subject)
    .in_variant()
    .in_stage(),
    Word::new(Statement,
        "variant ${1:name} {\n  expect ${2:reply text value}\n}",
        "The same data, asked or answered in another way.",
    )
    .head(Head::Block),
    Word::new(Statement,
        "stage ${1:name} {\n  prompt \"${2:text}\"\n  expect ${3:reply text value}\n}",
        "A step of the task with an answer of its own; `after` names the stages that precede it.",
    )
    .head(Head::Block),
    Word::new(Statement,
        "axis ${1:size} = [${2:10}, ${3:100}]",
        "The same question at several values: one cell for every combination.",
    )
    .head(Head::Equals),
    Word::new(Statement,
        "each ${1:q} in ${2:table} key ${3:COLUMN}",
        "Asks every row of a table; `key` names a row in ids, `by` its cluster, `where` leaves rows out.",
    )
    .head(Head::Rows)
    .names_values(),
    Word::new(Statement, "samples ${1:20}", "How many samples: of this task instead of the suite's number.")
        .head(Head::Number)
        .takes(),
    Word::new(Statement, "clutter ${1:20}", "Number of noise files, in a folder with `in PATH`.")
        .head(Head::Number)
        .takes(),
    Word::new(Statement, "folder \"${1:empty}\"", "An empty folder.").head(Head::Text),
    Word::new(Statement, "tags [${1:tag}]", "Added to the suite's.")
        .head(Head::List)
        .takes()
        .in_variant()
        .in_stage(),
    Word::new(Statement, "tools [${1:run_sql}]", "The tools that the agent has; without it, those for files, folders, and SQL.")
        .head(Head::List)
        .takes()
        .in_variant()
        .names_values(),
    Word::new(Statement, "calls ${1:8}", "How many calls of tools the agent has.")
        .head(Head::Number)
        .takes()
        .in_variant()
        .names_values(),
    Word::new(Statement, ALLOW.0, ALLOW.1).head(Head::Lint).in_variant().in_stage(),
    Word::new(Statement,
        "lake ${1:name}",
        "Hands out the files of a lake: all, or with `needed` those that the answer reads.",
    )
    .head(Head::Name)
    .in_variant(),
    // The parts of a database besides tables.
    Word::new(Stored,
        "view ${1:name} = <<rows: SELECT ${2:*} FROM ${3:orders}>>",
        "A query that a database stores under a name, and that is read like a table.",
    ),
    // The parts of a table's body besides columns.
    Word::new(Body, "rows ${1:75}", "How many rows: `N`, or `A..B` to have the number drawn.").takes(),
    Word::new(Body, "rows repeat ${1:5}%", "The share of rows that are written once more.")
        .label("rows repeat")
        .takes(),
    Word::new(Body, "rows by ${1:COLUMN}", "In the order of a column; `desc`: the greatest first.")
        .label("rows by")
        .takes(),
    Word::new(Body, ALLOW.0, ALLOW_READ),
    Word::new(Body, "line \"${1:<<NAME>>}\"", "How each row of a text is written."),
    Word::new(Constraint, "unique (${1:A}, ${2:B})", "No two rows have the same values in these columns."),
    Word::new(Constraint, "key (${1:A}, ${2:B})", "The primary key of a table in a database."),
    Word::new(Constraint, "index (${1:A})", "An index of a database."),
    // Planned words, which are read so they can be rejected by name.
    Word::new(Planned, "trials", "").head(Head::Number),
];
