//! Functions of files, databases, and queries, which the runtime computes.

use super::record::{
    Edit, Family, Fraction, Kernel, MAX_COUNT, Order, Pick, Position, QueryResult, Question, Reader, Record, Results,
    functions, path, reads,
};

functions! {
    // Queries and databases.
    AFTER = reads("after", Reader::After);
    /// The number of rows that a state changes.
    CHANGED = Record { results: Results::Within(0, MAX_COUNT), ..reads("changed", Reader::Changed) };
    /// A description of a database within a number of tokens.
    DESCRIBE = reads("describe", Reader::Describe);
    QUERY = Record {
        query: Some(QueryResult::Rows),
        order: Order::Kept,
        fraction: Fraction::Kept,
        ..reads("query", Reader::Gold)
    };
    ROWS = Record {
        name: "rows",
        kernel: Kernel::Query,
        query: Some(QueryResult::Rows),
        order: Order::Kept,
        fraction: Fraction::Kept,
        ..Record::BASE
    };
    SCHEMA = reads("schema", Reader::Schema);
    SQLITE_QUERY = Record { name: "sqlite_query", ..*VALUE.0 };
    SQLITE_VALUE = Record { name: "sqlite_value", ..*CSV_VALUE.0 };
    VALUE = Record {
        name: "value",
        kernel: Kernel::Query,
        query: Some(QueryResult::Value),
        fraction: Fraction::Kept,
        ..Record::BASE
    };

    // Cells of CSV and TSV files.
    CSV_CELL = Record { positions: &[(1, Position::Row), (2, Position::Column)], ..reads("csv_cell", Reader::Cell) };
    CSV_ROW = Record { positions: &[(1, Position::Row)], ..reads("csv_row", Reader::Row) };
    CSV_VALUE = Record {
        picks: Some(Pick::Place),
        order: Order::Picked,
        positions: &[(1, Position::Row)],
        ..reads("csv_value", Reader::CellValue)
    };

    // Text files.
    CONTENT = reads("content", Reader::Content);
    FILE_LINE = Record { positions: &[(1, Position::Line)], ..reads("file_line", Reader::Line) };
    FILE_LINE_COUNT = Record { results: Results::Within(0, MAX_COUNT), ..reads("file_line_count", Reader::LineCount) };
    FILE_WORD = Record { positions: &[(1, Position::Word)], ..reads("file_word", Reader::Word) };
    FILE_WORD_COUNT = Record { results: Results::Within(0, MAX_COUNT), ..reads("file_word_count", Reader::WordCount) };

    // Edits of JSON and YAML files.
    APPEND = reads("append", Reader::Edited(Edit::Append));
    EDIT = reads("edit", Reader::Edited(Edit::Replace));
    REMOVE = reads("remove", Reader::Edited(Edit::Remove));

    // Paths into JSON, YAML, and XML files.
    JSON_AVG = path("json_avg", Family::Json, Question::Avg);
    JSON_COLLECT = path("json_collect", Family::Json, Question::Collect);
    JSON_COUNT = path("json_count", Family::Json, Question::Count);
    JSON_COUNT_WHERE = path("json_count_where", Family::Json, Question::CountWhere);
    JSON_FILTER = path("json_filter", Family::Json, Question::Collect);
    JSON_KEYS = path("json_keys", Family::Json, Question::Keys);
    JSON_MAX = path("json_max", Family::Json, Question::Max);
    JSON_MIN = path("json_min", Family::Json, Question::Min);
    JSON_PATH = path("json_path", Family::Json, Question::Whole);
    JSON_SUM = path("json_sum", Family::Json, Question::Sum);
    JSON_VALUE = path("json_value", Family::Json, Question::Value);
    YAML_AVG = path("yaml_avg", Family::Yaml, Question::Avg);
    YAML_COLLECT = path("yaml_collect", Family::Yaml, Question::Collect);
    YAML_COUNT = path("yaml_count", Family::Yaml, Question::Count);
    YAML_COUNT_WHERE = path("yaml_count_where", Family::Yaml, Question::CountWhere);
    YAML_FILTER = path("yaml_filter", Family::Yaml, Question::Collect);
    YAML_KEYS = path("yaml_keys", Family::Yaml, Question::Keys);
    YAML_MAX = path("yaml_max", Family::Yaml, Question::Max);
    YAML_MIN = path("yaml_min", Family::Yaml, Question::Min);
    YAML_PATH = path("yaml_path", Family::Yaml, Question::Whole);
    YAML_SUM = path("yaml_sum", Family::Yaml, Question::Sum);
    YAML_VALUE = path("yaml_value", Family::Yaml, Question::Value);
    XPATH_ATTR = path("xpath_attr", Family::Xml, Question::Attribute);
    XPATH_AVG = path("xpath_avg", Family::Xml, Question::Avg);
    XPATH_COLLECT = path("xpath_collect", Family::Xml, Question::Collect);
    XPATH_COUNT = path("xpath_count", Family::Xml, Question::Count);
    XPATH_EXISTS = path("xpath_exists", Family::Xml, Question::Exists);
    XPATH_MAX = path("xpath_max", Family::Xml, Question::Max);
    XPATH_MIN = path("xpath_min", Family::Xml, Question::Min);
    XPATH_SUM = path("xpath_sum", Family::Xml, Question::Sum);
    XPATH_VALUE = path("xpath_value", Family::Xml, Question::Value);
}
