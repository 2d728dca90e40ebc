//! SQL inside placeholders: what it reads, what it returns, and what is wrong with it.
//!
//! SQLite is the authority on what is SQL and what a name means; `sqlparser` provides places and structure; our own tokens hold where
//! `sqlparser` fails. A mistake that SQLite does not see is reported only where it is certain.
//!
//! | file | concept |
//! | --- | --- |
//! | `query_text` | tokens and tree of a query |
//! | `request` | a query and what it may use |
//! | `ddl` | the tables, for SQLite |
//! | `check` | the check of a query |
//! | `analyser` | the state of a visit of a query |
//! | `meaning` | what such a visit finds |
//! | `analysis` | what is known of a query once it is checked |
//! | `statement` | one query, that reads only |
//! | `changes` | statements that change rows |
//! | `earlier` | what statements before others have changed |
//! | `change_list` | such statements, one by one |
//! | `computed` | what such statements read and compute, as queries |
//! | `attach` | which databases a query is joined with |
//! | `determinism` | the same result every time |
//! | `params` | `:name` |
//! | `brackets` | brackets among tokens |
//! | `parse` | tokens to tree, and back to their bytes |
//! | `expressions` | what parts of the tree plainly are |
//! | `sources` | which tables a query names, before they are known |
//! | `letter_case` | where the letters of a column decide, for a lint |
//! | `predicates` | comparisons of columns, literals and parameters, for lints |
//! | `predicate_collector` | notes them during a visit |
//! | `terms` | expressions, as far as their possible values can be inferred |
//! | `term_builder` | builds them during a visit |
//! | `term_queries` | builds those of EXISTS, IN, and rows of several values |
//! | `term_aggregates` | builds those of calls, aggregates, and functions of windows |
//! | `scope` | what a name means at a place |
//! | `joins` | the conditions of joins |
//! | `lossless_joins` | joins that keep all rows of a side |
//! | `tables` | `FROM`: tables, joins, `WITH` |
//! | `output` | the result of a query, and what its rows are for |
//! | `query_expressions` | `WITH`, set operations, `VALUES`, `ORDER BY`, and `LIMIT` around `SELECT` |
//! | `select` | `SELECT`: columns and number of rows |
//! | `recursion` | how many rows tables have that read themselves |
//! | `risks` | what has no result for some values |
//! | `risk_collector` | notes that |
//! | `rows` | proofs on rows: their number, keys, and nulls |
//! | `functional_dependencies` | what equalities and keys determine |
//! | `made` | how the rows of a subquery were made: means of groups, merged rows |
//! | `made_rows` | finds that |
//! | `reads` | the columns that an expression reads |
//! | `window_functions` | numbers of rows that may tie, and values that depend on their order |
//! | `window_order` | how the values of window functions depend on the order of rows |
//! | `infer` | types of expressions |
//! | `functions` | SQLite's functions |
//! | `calls` | types of their calls |
//! | `date_functions` | those of days and moments |
//! | `compare` | text against number |
//! | `wording` | names in messages |
//! | `names` | messages on names |
//! | `unknown_columns` | messages on names that are not columns |
//! | `sqlite_errors` | SQLite's other refusals, brought to a place |
//! | `table_aggregates` | queries that are one aggregate over a whole table |
//! | `syntax_errors` | SQL that cannot be read |
//! | `repeated` | queries of a data set that occur twice by mistake |
//! | `misreadings` | the same query with one part read in another way |
//! | `lints` | what can be run and is probably not meant: noted on the same walk |

mod analyser;
mod analysis;
mod attach;
mod brackets;
mod calls;
mod change_list;
mod changes;
mod check;
mod compare;
mod computed;
mod date_functions;
mod ddl;
mod determinism;
mod dialect;
mod earlier;
mod expressions;
mod functional_dependencies;
mod functions;
mod infer;
mod joins;
mod letter_case;
pub mod limit_ties;
mod lints;
mod lossless_joins;
mod made;
mod made_rows;
mod meaning;
pub mod misreadings;
mod names;
mod output;
mod params;
mod parse;
mod predicate_collector;
pub mod predicates;
mod query_expressions;
mod query_text;
mod reads;
mod recursion;
mod repeated;
mod request;
mod risk_collector;
mod risks;
mod rows;
mod scope;
mod select;
mod sources;
mod sqlite_errors;
mod statement;
mod syntax_errors;
mod table_aggregates;
mod tables;
mod term_aggregates;
mod term_builder;
mod term_queries;
pub mod terms;
mod unknown_columns;
mod visitor;
mod window_functions;
mod window_order;
mod wording;

pub use syntax::lex::sql as lex;

pub use analysis::{Letters, SqlAnalysis, SqlOutput};
pub use change_list::{Change, ChangeKind, list_changes};
pub use changes::{analyse_change, find_written_table, split_statements};
pub use check::{analyse_query, lint_query};
pub use earlier::Earlier;
pub use functions::{find_statistics_calls, infer_declared_type};
pub use infer::has_finite_quotients;
pub use lints::asked::Asked;
pub use lints::findings::{Confusion, Finding, InNoOrder, Need, Odd, Probe, ReportCondition};
pub use lints::idle_comparisons::find_idle_comparisons;
pub use meaning::{ByLetters, Decides, NameTarget};
pub use predicates::Predicates;
pub use query_text::{SqlText, to_one_line, without_layout};
pub use repeated::find_repeated_queries;
pub use request::{Determined, ParamKind, SqlColumn, SqlRequest, SqlTable};
pub use risk_collector::is_plain_format;
pub use risks::{Growth, Risk};
pub use sources::{Candidate, read_tables};
pub use statement::{is_plain_insert, is_write_statement};
pub use table_aggregates::Whole;
