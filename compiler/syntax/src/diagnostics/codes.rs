//! The diagnostic codes: assigned by hand and never reused, with one page each in `docs/src/codes/`.

use super::Severity;

/// A kind of diagnostic.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0203`, `W0101`: stable, never reused.
    pub id: &'static str,
    /// `unknown_column`: the name used in `allow` and by authors.
    pub name: &'static str,
    /// Whether it is an error or a lint warning.
    pub severity: Severity,
    /// The page that `explain` shows: the problem, the reason, a wrong and a right example, the fix, and for a lint when to allow it.
    pub page: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $severity:ident $konst:ident $id:literal $name:literal)*) => {
        $($(#[$doc])* pub const $konst: &'static Code = &Code {
            id: $id,
            name: $name,
            severity: Severity::$severity,
            page: include_str!(concat!("../../../../docs/src/codes/", $id, ".md")),
        };)*
        const ALL: &'static [&'static Code] = &[$(Code::$konst),*];
    };
}

impl Code {
    codes! {
        // E01: the text itself
        /// The text cannot be read as the language.
        Error SYNTAX "E0101" "syntax"
        /// A keyword is misspelt.
        Error MISSPELT_KEYWORD "E0102" "misspelt_keyword"
        /// A string has no closing quote.
        Error UNCLOSED_STRING "E0103" "unclosed_string"
        /// A placeholder has no closing `>>`.
        Error UNCLOSED_PLACEHOLDER "E0104" "unclosed_placeholder"
        /// A value, domain or text is missing.
        Error MISSING_VALUE "E0105" "missing_value"
        /// Brackets nest too deeply, or the text is too tangled to read.
        Error TOO_COMPLEX "E0106" "too_complex"
        /// A number, date or duration that does not exist or does not fit.
        Error BAD_LITERAL "E0107" "bad_literal"
        /// An escape that does not exist.
        Error BAD_ESCAPE "E0108" "bad_escape"
        /// A source file is not UTF-8.
        Error NOT_UTF8 "E0109" "not_utf8"
        /// A block or bracket has no closing partner.
        Error UNCLOSED_BLOCK "E0110" "unclosed_block"
        /// A reserved word is declared as a name.
        Error RESERVED_WORD "E0111" "reserved_word"
        /// A form that is planned but not supported yet.
        Error NOT_YET "E0112" "not_yet"
        // E02: names
        /// A name that nothing declares.
        Error UNKNOWN_NAME "E0201" "unknown_name"
        /// A file, table or relation that nothing declares.
        Error UNKNOWN_TABLE "E0202" "unknown_table"
        /// A column that the relation does not have.
        Error UNKNOWN_COLUMN "E0203" "unknown_column"
        /// A domain that nothing declares.
        Error UNKNOWN_DOMAIN "E0204" "unknown_domain"
        /// A function that the standard library does not have.
        Error UNKNOWN_FUNCTION "E0205" "unknown_function"
        /// Two declarations of one name.
        Error DUPLICATE "E0206" "duplicate"
        /// A bare name that could be a column and a name of the task.
        Error AMBIGUOUS_NAME "E0207" "ambiguous_name"
        /// Values that depend on each other.
        Error CYCLE "E0208" "cycle"
        /// A setting of `suite` that does not exist.
        Error UNKNOWN_SETTING "E0209" "unknown_setting"
        /// A lint that does not exist.
        Error UNKNOWN_LINT "E0210" "unknown_lint"
        /// A file named in the source cannot be read.
        Error UNREADABLE_FILE "E0211" "unreadable_file"
        /// Files that `use` each other.
        Error USE_CYCLE "E0212" "use_cycle"
        /// A tool that agents do not have.
        Error UNKNOWN_TOOL "E0213" "unknown_tool"
        // E03: types
        /// A value of one type where another is needed.
        Error TYPE_MISMATCH "E0301" "type_mismatch"
        /// A call whose arguments fit no signature.
        Error WRONG_ARGUMENTS "E0302" "wrong_arguments"
        /// A value may be null where null is not allowed.
        Error NULLABLE "E0303" "nullable"
        /// `text` of a decimal or float.
        Error TEXT_OF_FRACTION "E0304" "text_of_fraction"
        /// A value that must be known before anything is drawn.
        Error NOT_CONSTANT "E0305" "not_constant"
        /// An option that does not fit the matcher.
        Error BAD_OPTION "E0306" "bad_option"
        /// A setting, tag or label with a value that does not fit.
        Error BAD_SETTING "E0307" "bad_setting"
        /// The answer contains texts whose letter case or blanks differ from those in every file.
        Error UNKNOWABLE_TEXT "E0308" "unknowable_text"
        /// Two possible answers that `ignore` makes equal.
        Error MERGED_ANSWERS "E0309" "merged_answers"
        // E04: domains
        /// A range without a value in it.
        Error EMPTY_RANGE "E0401" "empty_range"
        /// More distinct values are needed than the domain has.
        Error TOO_FEW_VALUES "E0402" "too_few_values"
        /// A pattern that values cannot be generated from.
        Error BAD_PATTERN "E0403" "bad_pattern"
        /// Arguments that a domain does not accept.
        Error BAD_DOMAIN "E0404" "bad_domain"
        /// A `ref` to a column without rows, or to a column that must be unique but is not.
        Error BAD_REF "E0405" "bad_ref"
        // E05: files
        /// A path that could leave the sandbox or cannot be a file name.
        Error UNSAFE_PATH "E0501" "unsafe_path"
        /// Two files at one path.
        Error PATH_CLASH "E0502" "path_clash"
        /// A position outside the data.
        Error OUT_OF_BOUNDS "E0503" "out_of_bounds"
        /// A file's content that does not fit its format.
        Error BAD_CONTENT "E0504" "bad_content"
        /// A fixture that cannot be read in its format.
        Error BAD_FIXTURE "E0505" "bad_fixture"
        /// The beginning or end of a table was not found in a file.
        Error REGION_NOT_FOUND "E0506" "region_not_found"
        /// Cells of a file that do not fit the declared type of their column.
        Error FIELD_NOT_IN_DOMAIN "E0507" "field_not_in_domain"
        /// A column that a file does not have, or has more than once.
        Error BAD_HEADER "E0508" "bad_header"
        /// A key of a file that has duplicates, or can be null.
        Error NOT_A_KEY "E0509" "not_a_key"
        /// A pattern of cells, of headers, or of lines that cannot be read.
        Error BAD_STYLE "E0510" "bad_style"
        /// A fixture hands out a file that a table reads privately.
        Error HANDED_OUT "E0511" "handed_out"
        // E06: SQL and paths
        /// SQL that cannot be parsed.
        Error SQL_SYNTAX "E0601" "sql_syntax"
        /// SQL uses a table that does not exist.
        Error SQL_UNKNOWN_TABLE "E0602" "sql_unknown_table"
        /// SQL uses a column that does not exist.
        Error SQL_UNKNOWN_COLUMN "E0603" "sql_unknown_column"
        /// SQL that SQLite rejects for another reason.
        Error SQL_REFUSED "E0604" "sql_refused"
        /// SQL that returns more, or fewer, columns than needed.
        Error SQL_SHAPE "E0605" "sql_shape"
        /// A parameter of SQL that is not a value of the task.
        Error SQL_PARAMETER "E0606" "sql_parameter"
        /// SQL that writes.
        Error SQL_WRITES "E0607" "sql_writes"
        /// SQL whose result can differ between runs.
        Error SQL_NONDETERMINISTIC "E0608" "sql_nondeterministic"
        /// A JSONPath or XPath that cannot be parsed.
        Error PATH_SYNTAX "E0609" "path_syntax"
        /// A JSONPath or XPath that can match nothing.
        Error PATH_NOWHERE "E0610" "path_leads_nowhere"
        /// A JSONPath or XPath that selects several nodes, or a kind of node that the function does not accept.
        Error PATH_SHAPE "E0611" "path_shape"
        /// Queries in data that fail.
        Error BAD_QUERIES "E0612" "bad_queries"
        /// `after` without a statement that changes rows.
        Error NO_CHANGE "E0613" "no_change"
        // E07: tasks
        /// A part that a task, variant or suite must have.
        Error MISSING_PART "E0701" "missing_part"
        /// A statement that is not allowed in its position.
        Error MISPLACED "E0702" "misplaced"
        // E09: while building
        /// An answer, prompt or path came out null.
        Error NULL_AT_BUILD "E0901" "null_at_build"
        /// `require` was false in every attempt.
        Error REQUIRE_NEVER_HELD "E0902" "require_never_held"
        /// A computation that has no result (overflow, division by zero, a position outside the data, a regular expression that cannot be parsed).
        Error FAILED_COMPUTATION "E0903" "failed_computation"
        /// A drawn path that is unsafe, or two drawn paths that are equal.
        Error PATH_AT_BUILD "E0904" "path_at_build"
        /// SQL failed, or returned a result of another shape than declared.
        Error SQL_AT_BUILD "E0905" "sql_at_build"
        /// A domain had no value left to draw.
        Error EXHAUSTED_DOMAIN "E0906" "exhausted_domain"
        /// The expected text is empty.
        Error EMPTY_AT_BUILD "E0907" "empty_at_build"
        /// A file that would be too large.
        Error TOO_LARGE_AT_BUILD "E0908" "too_large_at_build"
        /// A written file that cannot be read back as the rows from which it was written.
        Error NOT_RECOVERABLE "E0909" "not_recoverable"
        /// An example that an `expect` judges in another way than it says.
        Error FAILED_EXAMPLE "E0910" "failed_example"
        /// A drawn sample whose `expect` rejects the answer that its own key gives.
        Error UNMET_KEY "E0920" "unmet_key"
        // W01: lints on names
        /// A drawn, computed, or generated name that is never used.
        Warning UNUSED_NAME "W0101" "unused_name"
        /// An `allow` that silences nothing.
        Warning UNUSED_ALLOW "W0102" "unused_allow"
        /// Text in a string that looks like a placeholder but is not one: a name and `>>` without `<<`, or another
        /// tool's delimiters.
        Warning UNOPENED_PLACEHOLDER "W0103" "unopened_placeholder"
        // W02: lints on the question
        /// The prompt does not mention a file that the answer is read from.
        Warning UNMENTIONED_FILE "W0201" "unmentioned_file"
        /// The prompt does not mention a file that the agent must write.
        Warning UNMENTIONED_OUTPUT "W0202" "unmentioned_output"
        /// The prompt does not mention a key of the expected JSON.
        Warning UNMENTIONED_KEY "W0203" "unmentioned_key"
        /// The prompt contains the answer.
        Warning LEAKED_ANSWER "W0204" "leaked_answer"
        /// The expected answer is a word of prose, and a period may follow it there.
        Warning PUNCTUATED_WORD "W0205" "punctuated_word"
        /// The prompt asks for a JSON key that is not expected.
        Warning UNEXPECTED_KEY "W0206" "unexpected_key"
        /// The prompt does not state how to read a file that uses several conventions.
        Warning UNTOLD_CONVENTION "W0207" "untold_convention"
        /// The prompt says that nothing else may change, and nothing checks the other files.
        Warning UNPROTECTED "W0210" "unprotected"
        /// The prompt asks for a deviation or a percentile and does not define it.
        Warning UNTOLD_DEFINITION "W0211" "untold_definition"
        /// The answer depends on a value that no prompt and no file shows.
        Warning UNTOLD_INPUT "W0220" "untold_input"
        /// The prompt states a condition on which no answer depends.
        Warning UNREAD_CONDITION "W0221" "unread_condition"
        /// The answer uses a constant that the prompt does not mention.
        Warning UNTOLD_LITERAL "W0222" "untold_literal"
        /// The prompt names a column, and the answer reads another one.
        Warning UNREAD_COLUMN "W0223" "unread_column"
        /// The prompt says that files write dates or numbers in another way than their declaration.
        Warning OTHER_NOTATION "W0224" "other_notation"
        /// The prompt says what a mark in a file means, and the key takes it for something else.
        Warning OTHER_MARK "W0225" "other_mark"
        /// The key compares with another operator than the prompt says.
        Warning OTHER_COMPARISON "W0230" "other_comparison"
        /// The key keeps what the prompt leaves out, or joins conditions otherwise.
        Warning OTHER_CONDITION "W0231" "other_condition"
        /// The prompt asks for another number of decimals than the key.
        Warning OTHER_PRECISION "W0232" "other_precision"
        /// The prompt asks for another number of rows than the key takes.
        Warning OTHER_COUNT "W0233" "other_count"
        /// The prompt asks for another order than the key.
        Warning OTHER_ORDER "W0234" "other_order"
        /// The prompt asks for another aggregate or extreme than the key computes.
        Warning OTHER_AGGREGATE "W0235" "other_aggregate"
        /// The prompt names another column than the key computes.
        Warning OTHER_COLUMN "W0236" "other_column"
        /// The prompt asks for another unit than the key has.
        Warning OTHER_UNIT "W0237" "other_unit"
        /// The prompt asks for another form of the answer than the key has.
        Warning OTHER_FORM "W0238" "other_form"
        /// The prompt asks for the answer at another place of the reply than the key reads.
        Warning OTHER_PLACE "W0239" "other_place"
        /// The prompt leaves out a column of the data set that explains its questions.
        Warning UNTOLD_EVIDENCE "W0240" "untold_evidence"
        /// A trap always has the expected value.
        Warning IDLE_TRAP "W0244" "idle_trap"
        /// A word of the prompt that is a name of the data except for one letter.
        Warning MISSPELT_IN_PROMPT "W0245" "misspelt_in_prompt"
        // W03: lints on the answer
        /// Every sample has the same answer.
        Warning CONSTANT_ANSWER "W0301" "constant_answer"
        /// A fraction without a stated precision.
        Warning AMBIGUOUS_PRECISION "W0302" "ambiguous_precision"
        /// The selected row depends on an order that the query does not determine.
        Warning AMBIGUOUS_ORDER "W0303" "ambiguous_order"
        /// Several rows may tie for the first place.
        Warning TIED_ANSWER "W0304" "tied_answer"
        /// An aggregate over a table that may have no rows.
        Warning NULL_ANSWER "W0305" "null_answer"
        /// An `expect` that an empty reply meets.
        Warning NOTHING_EXPECTED "W0306" "nothing_expected"
        /// The prompt and the answer key round differently.
        Warning UNSHARED_ROUNDING "W0307" "unshared_rounding"
        /// The expected state of a database can be its initial state.
        Warning IDLE_GOAL "W0308" "idle_goal"
        /// A stage that does not affect the answer of its task.
        Warning IDLE_STAGE "W0309" "idle_stage"
        /// An `expect` that no tool of the agent can meet.
        Warning MISSING_TOOL "W0310" "missing_tool"
        /// The answer sorts or searches texts whose letter case cannot be known.
        Warning LETTER_CASE_DECIDES "W0311" "letter_case_decides"
        /// An answer that says nothing, or much, is accepted.
        Warning WEAK_ANSWER "W0312" "weak_answer"
        /// One reply meets an expectation in every sample, or in most of them.
        Warning VACUOUS_EXPECTATION "W0320" "vacuous_expectation"
        /// An answer is the same in nearly all samples.
        Warning LIKELY_ANSWER "W0321" "likely_answer"
        /// Two expectations cannot both be met.
        Warning CONTRADICTING_EXPECTATIONS "W0322" "contradicting_expectations"
        /// An expectation that appears twice.
        Warning REPEATED_EXPECTATION "W0323" "repeated_expectation"
        /// A goal changes more rows than the prompt asks for.
        Warning UNASKED_CHANGE "W0324" "unasked_change"
        /// A statement of a goal that never changes a row.
        Warning IDLE_STATEMENT "W0325" "idle_statement"
        /// A goal writes a text that the prompt does not contain.
        Warning UNTOLD_VALUE "W0326" "untold_value"
        /// A drawn sample in which an agent that does nothing is right.
        Warning IDLE_PASS "W0327" "idle_pass"
        /// The prompt asks for a change that no expectation requires.
        Warning MISSING_CHANGE "W0328" "missing_change"
        /// The prompt asks for another change than what is expected.
        Warning OTHER_CHANGE "W0329" "other_change"
        // W04: lints on predicates and data
        /// A predicate that no row can meet.
        Warning IMPOSSIBLE_PREDICATE "W0401" "impossible_predicate"
        /// A predicate that every row meets.
        Warning VACUOUS_PREDICATE "W0402" "vacuous_predicate"
        /// Paths or keys that can be equal when rendered.
        Warning MAY_COLLIDE "W0403" "may_collide"
        /// A threshold whose whole range is outside the data.
        Warning OUT_OF_RANGE_DRAW "W0404" "out_of_range_draw"
        /// A divisor that may be 0.
        Warning ZERO_DIVISION "W0405" "zero_division"
        /// Records of a file that are not read as rows.
        Warning UNREAD_ROWS "W0406" "unread_rows"
        /// A column of a table that the answer reads is not in any file written from the table.
        Warning UNWRITTEN_COLUMN "W0407" "unwritten_column"
        /// Texts of a column differ only in leading or trailing blanks.
        Warning OUTER_BLANKS "W0408" "outer_blanks"
        /// Two-digit years are read as years of two centuries.
        Warning TWO_DIGIT_YEARS "W0409" "two_digit_years"
        /// Files and subfolders of a lake's folder are not part of the lake.
        Warning LEFT_OUT "W0410" "left_out"
        /// Bounds that cross in some samples, or a number that is below 0.
        Warning MAY_BE_EMPTY "W0420" "may_be_empty"
        /// A computation that has no result in some samples.
        Warning MAY_FAIL "W0421" "may_fail"
        /// A draw that has no value left in some samples.
        Warning MAY_EXHAUST "W0422" "may_exhaust"
        /// A path that cannot be stored in some samples.
        Warning MAY_BE_UNSAFE "W0423" "may_be_unsafe"
        /// `require`s that hold so rarely that all attempts can fail.
        Warning RARELY_HELD "W0424" "rarely_held"
        /// Two cells of an axis have the same value.
        Warning REPEATED_CELLS "W0430" "repeated_cells"
        /// An axis changes nothing but a number in the prompt.
        Warning IDLE_AXIS "W0431" "idle_axis"
        /// A draw that has only one value.
        Warning CONSTANT_DRAW "W0432" "constant_draw"
        /// Weights that do not sum to 100, or a weight of 0.
        Warning ODD_WEIGHTS "W0433" "odd_weights"
        /// A share so small that no row is likely to have it.
        Warning SELDOM_DRAWN "W0434" "seldom_drawn"
        /// `samples` of a task in which nothing is drawn.
        Warning IDLE_SAMPLES "W0435" "idle_samples"
        /// Two variants, stages, or wordings that are equal.
        Warning EQUAL_WAYS "W0436" "equal_ways"
        /// A style of cells, or repeated rows, that changes nothing.
        Warning IDLE_STYLE "W0437" "idle_style"
        /// A file, or a condition on its rows, that changes nothing for any reader.
        Warning IDLE_FILE "W0438" "idle_file"
        /// A table that is read from files has rows or cells that are not meant.
        Warning MISREAD_FILE "W0439" "misread_file"
        // W05: lints on SQL
        /// `/` between integers inside SQL.
        Warning SQL_INTEGER_DIVISION "W0501" "sql_integer_division"
        /// A column compared with itself where a parameter was meant.
        Warning SQL_NAME_WITHOUT_COLON "W0502" "sql_name_without_colon"
        /// Ties are broken by a rule that the prompt does not state.
        Warning UNSHARED_TIEBREAK "W0503" "unshared_tiebreak"
        /// A table of WITH that is not read.
        Warning UNUSED_CTE "W0504" "unused_cte"
        /// Tables joined without a condition.
        Warning CARTESIAN_JOIN "W0505" "cartesian_join"
        /// Tables are joined on columns that do not reference each other, although a reference between the tables
        /// exists.
        Warning JOIN_ON_NO_KEY "W0506" "join_on_no_key"
        /// Queries in data that return no rows.
        Warning EMPTY_GOLD "W0507" "empty_gold"
        /// A join repeats the rows of an aggregate.
        Warning MULTIPLIED_ROWS "W0520" "multiplied_rows"
        /// Rows without a match are removed after a LEFT JOIN, counted as a match, or lost.
        Warning UNMATCHED_ROWS "W0521" "unmatched_rows"
        /// Rows are grouped by a name that several of them can have.
        Warning MERGED_GROUPS "W0522" "merged_groups"
        /// A condition that is never true for null.
        Warning NULLS_LEFT_OUT "W0523" "nulls_left_out"
        /// Equal rows or values count once below an aggregate.
        Warning DUPLICATES_DROPPED "W0524" "duplicates_dropped"
        /// The mean of the means of groups.
        Warning MEAN_OF_MEANS "W0525" "mean_of_means"
        /// Gold SQL that does not fit its question.
        Warning DOUBTFUL_GOLD "W0526" "doubtful_gold"
        /// OR next to AND without brackets.
        Warning UNBRACKETED_OR "W0527" "unbracketed_or"
        /// `_` in a pattern of LIKE that is probably meant as it is written.
        Warning LIKE_UNDERSCORE "W0528" "like_underscore"
        /// `COUNT` of a condition, which counts rows in which it is false, too.
        Warning COUNTED_CONDITION "W0529" "counted_condition"
        /// `LIKE` with a text that has no wildcard.
        Warning LIKE_WITHOUT_WILDCARD "W0530" "like_without_wildcard"
        /// Digits that are held as text are ordered as texts.
        Warning DIGITS_AS_TEXT "W0531" "digits_as_text"
        /// A date or datetime is compared with a text in another form.
        Warning DATE_FORM "W0532" "date_form"
        /// A difference of moments that is always negative.
        Warning NEGATIVE_TIME "W0533" "negative_time"
    }
}

/// All codes, in order.
pub static CODES: &[&Code] = Code::ALL;

/// Finds the code with this id (`E0203`), in any letter case.
///
/// ```
/// use syntax::diagnostics::{Severity, find_code_by_id, find_code_by_name};
///
/// let code = find_code_by_id("w0502").expect("a code");
/// assert_eq!((code.name, code.severity), ("sql_name_without_colon", Severity::Warning));
/// assert_eq!(find_code_by_name(code.name).map(|found| found.id), Some("W0502"));
/// assert!(find_code_by_id("E9999").is_none());
/// ```
pub fn find_code_by_id(id: &str) -> Option<&'static Code> {
    CODES.iter().copied().find(|code| code.id.eq_ignore_ascii_case(id))
}

/// Finds the code with this name (`unknown_column`).
pub fn find_code_by_name(name: &str) -> Option<&'static Code> {
    CODES.iter().copied().find(|code| code.name == name)
}
