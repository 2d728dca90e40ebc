/**
 * @file The grammar of `.pcd`, for editors.
 * @license MIT OR Apache-2.0
 *
 * Written from `../pcd.pest`, which is the only truth: sections stand here in its order and under its names where a reader of trees
 * would want them. What differs, and why:
 *
 * - It takes some texts that the compiler refuses (a table among the columns of a CSV file), so that a tree stays whole while one types.
 *   It has no rules for mistakes that the compiler reads as what they were meant to be: those are ERROR nodes here.
 * - The element of an XML file that is named like an option (`bom { … }`) is read as the option.
 * - Operators have their ranks here, as in `compiler/syntax/src/parse/chain.rs`.
 * - A word in front of `:`, `=` or `,` where something may begin is a name, whatever word it is. That takes more than one token of
 *   lookahead, so `src/scanner.c` reads such names; it reads durations, text of strings, and raw SQL and paths too.
 * - Doc comments may stand anywhere, as comments do.
 */
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const RANK = { or: 1, and: 2, not: 3, compare: 4, add: 5, multiply: 6, sign: 7 };

/** One or more, separated by commas, perhaps with one behind the last. */
const commas = (rule) => seq(rule, repeat(seq(',', rule)), optional(','));

/** What follows the path of a file that is read. */
const read = ($) => [repeat($._file_option), optional(field('body', $.body))];

module.exports = grammar({
  name: 'pcd',

  externals: ($) => [
    $._key,
    $.duration,
    $.sql,
    $.jsonpath,
    $.xpath,
    $._single_text,
    $._triple_text,
    $._descending,
    $._error_sentinel,
  ],

  word: ($) => $.identifier,

  extras: ($) => [/[ \t\r\n]/, $.comment, $.doc_comment],

  supertypes: ($) => [$.item, $.statement, $.entry, $.domain, $.expression],

  inline: ($) => [$._declared, $._path_root],

  conflicts: ($) => [
    // `sd 1 -4..4`: a number in front of a range, or a difference.
    [$.keyword_argument, $._arithmetic_expression],
    // `int (a)..(b)`, `f(a) -1..1`: an argument, or where a range begins.
    [$.argument_list, $.parenthesized_expression],
    // `a : int `b` …`: where a range begins, or the next column.
    [$.named_domain],
    // `ignore a, b, next: …`: one more name to ignore, or the next field.
    [$.ignore],
    // `trap a, b, next: …`: one more trap, or the next field.
    [$.trap],
    // `accepts a, b, next: …`, `ordered by A, B, next: …`, `rounded 2 in A, B, next: …`: the same.
    [$.example],
    [$.sorted_by],
    [$.in_columns],
  ],

  rules: {
    // ------------------------------------------------------------------------------------------------------------ items

    source_file: ($) => repeat($.item),

    item: ($) => choice($.suite, $.use, $.domain_definition, $.table, $.lake, $.constant, $.task, $.function),

    suite: ($) => seq('suite', field('name', $._declared), field('body', $.suite_body)),
    suite_body: ($) => seq('{', repeat(choice($.setting, $.allow)), '}'),
    setting: ($) => seq(field('key', $.identifier), field('value', $.expression)),

    use: ($) => seq('use', field('path', $.string)),
    domain_definition: ($) => seq('domain', field('name', $._declared), '=', field('domain', $.domain)),
    table: ($) =>
      seq(
        'table',
        field('name', $._declared),
        optional(seq(':', field('base', $.identifier))),
        choice(field('body', $.body), seq('from', field('file', $.string), ...read($))),
      ),
    lake: ($) =>
      seq(
        'lake',
        field('name', $._declared),
        optional(seq('at', field('path', $.string))),
        'from',
        field('folder', $.string),
        optional('hidden'),
        field('body', $.lake_body),
      ),
    lake_body: ($) => seq('{', repeat($.view), '}'),
    view: ($) =>
      seq(
        field('format', choice($.format, alias('xml', $.format))),
        field('name', $._declared),
        optional(seq(':', field('base', $.identifier))),
        'from',
        field('files', $.string),
        ...read($),
      ),
    constant: ($) => seq(field('name', $._new), '=', field('value', $.expression)),

    // The standard library alone declares functions.
    function: ($) => seq('fn', field('name', $.identifier), field('parameters', $.parameters), '->', field('result', $.type)),
    parameters: ($) => seq('(', optional(commas($.parameter)), ')'),
    parameter: ($) => seq(field('name', $.identifier), optional(choice('...', '?')), ':', field('type', $.type)),
    type: ($) => seq(repeat1($.identifier), optional('?')),

    // ------------------------------------------------------------------------------------------------------- statements

    task: ($) => seq('task', field('name', $._declared), field('body', $.task_body)),
    task_body: ($) => seq('{', repeat($.statement), '}'),

    statement: ($) =>
      choice(
        $.draw,
        $.compute,
        $.file,
        $.table,
        $.lake_use,
        $.prompt,
        $.expect,
        $.require,
        $.variant,
        $.stage,
        $.axis,
        $.each,
        $.samples,
        $.tags,
        $.tools,
        $.calls,
        $.allow,
        $.clutter,
        $.folder,
      ),

    draw: ($) => seq(field('name', $._new), repeat(seq(',', field('name', $._new))), ':', field('domain', $.domain)),
    compute: ($) => seq(field('name', $._new), '=', field('value', $.expression)),
    prompt: ($) => seq('prompt', choice(field('text', $.string), seq('one_of', field('texts', $.list)))),
    require: ($) => seq('require', field('condition', $.expression)),
    variant: ($) => seq('variant', field('name', $._declared), field('body', $.task_body)),
    stage: ($) => seq('stage', field('name', $._declared), optional($.after_stages), field('body', $.task_body)),
    after_stages: ($) => seq('after', field('stage', $._declared), repeat(seq(',', field('stage', $._declared)))),
    axis: ($) => seq('axis', field('name', $._declared), '=', field('values', $.expression)),
    each: ($) =>
      seq(
        'each',
        field('name', $._declared),
        'in',
        field('relation', $.path),
        optional(seq('key', field('key', $._declared))),
        optional(seq('by', field('by', $._declared))),
        optional(seq('where', field('condition', $.expression))),
      ),
    samples: ($) => seq('samples', field('count', $.expression)),
    tags: ($) => seq('tags', field('value', $.expression)),
    tools: ($) => seq('tools', field('names', $.list)),
    calls: ($) => seq('calls', field('count', $._arithmetic)),
    allow: ($) => seq('allow', field('lint', $.identifier), optional(field('reason', $.string))),
    clutter: ($) => seq('clutter', field('count', $._arithmetic), optional(seq('in', field('folder', $.string)))),
    folder: ($) => seq('folder', field('path', $.string)),
    lake_use: ($) => seq('lake', field('name', $._declared), optional($.needed)),
    needed: ($) => seq('needed', optional(field('files', $.list)), optional(seq('+', field('others', $._arithmetic)))),

    // ------------------------------------------------------------------------------------------------ files in the sandbox

    file: ($) =>
      seq(
        field('format', choice($.format, alias('xml', $.format))),
        field('name', $._declared),
        optional(seq(':', field('base', $.identifier))),
        'at',
        field('path', $.string),
        repeat($._file_option),
        choice(
          seq('from', field('fixture', $.string), ...read($)),
          // The rows of another table.
          seq(
            'from',
            field('relation', $.path),
            optional(seq('where', field('condition', $.expression))),
            optional(field('body', $.body)),
          ),
          seq(':', field('domain', $.domain)),
          seq('=', field('value', $.expression)),
          seq(optional(field('root', $.root)), field('body', $.body)),
        ),
      ),
    format: (_) => choice('csv', 'tsv', 'sqlite', 'jsonl', 'json', 'yaml', 'text', 'xlsx', 'parquet', 'html', 'file'),
    _file_option: ($) =>
      choice(
        $.delimiter,
        $.encoding,
        $.above,
        $.below,
        $.header,
        $.skip,
        $.until,
        $.sheet,
        $.missing,
        $.at_path,
        $.file_flag,
      ),
    // Of a file that is read; a place has its own node.
    _reading_option: ($) => choice($.delimiter, $.encoding, $.above, $.below, $.header, $.skip, $.until, $.sheet, $.missing),
    delimiter: ($) => seq('delimiter', field('value', $.string)),
    encoding: ($) => seq('encoding', field('value', $.string)),
    above: ($) => seq('above', field('text', $.string)),
    below: ($) => seq('below', field('text', $.string)),
    header: ($) => seq('header', field('rows', $.number)),
    skip: ($) => seq('skip', field('value', choice($.number, $.string))),
    until: ($) => seq('until', choice('blank', field('value', $.string))),
    sheet: ($) => seq('sheet', field('value', $.string)),
    missing: ($) => seq('missing', field('values', $.list)),
    at_path: ($) => seq('at', field('value', $.string)),
    file_flag: (_) => choice('quoted', 'crlf', 'bom'),
    root: ($) => $._declared,

    body: ($) => seq('{', repeat($.entry), '}'),
    entry: ($) => choice($.rows, $.line, $.constraint, $.unpivot, $.allow, $.column, $.table, $.query_view),
    // Of a database.
    query_view: ($) => seq('view', field('name', $._new), '=', field('value', $.expression)),
    rows: ($) => seq('rows', choice($.repeated, $.ordered_by, field('count', $._count))),
    repeated: ($) => seq('repeat', field('share', $._share)),
    ordered_by: ($) => seq('by', field('column', $._declared), optional('desc')),
    line: ($) => seq('line', field('text', $.string), optional($.place)),
    constraint: ($) => seq(field('kind', choice('unique', 'key', 'index')), field('columns', $.columns)),
    columns: ($) => seq('(', commas($._declared), ')'),
    column: ($) =>
      seq(
        field('name', $.key),
        repeat(seq(',', field('name', $.key))),
        choice(seq(':', field('domain', $.domain), optional($.place)), seq('=', field('value', $.expression))),
        optional($.styles),
        optional(','),
      ),
    place: ($) => seq('from', choice(field('header', $.string), field('position', $.number), field('characters', alias($._numbers, $.range)))),
    _numbers: ($) => seq(field('from', $.number), '..', field('to', $.number)),
    styles: ($) => seq('as', repeat1($.style)),
    style: ($) =>
      choice(
        seq('written', field('pattern', $.string), optional(seq('times', field('times', $._arithmetic))), optional(field('share', $._share))),
        seq(choice('case', 'space'), field('share', $._share)),
        $.missing,
      ),
    unpivot: ($) =>
      seq('unpivot', field('name', $._new), optional(seq(':', field('domain', $.domain))), repeat1(seq(',', $.unpivoted))),
    unpivoted: ($) =>
      seq(
        field('name', $._new),
        ':',
        field('domain', $.domain),
        'from',
        field('headers', choice($.list, $.string, alias($._texts, $.range))),
        optional($.styles),
      ),
    _texts: ($) => seq(field('from', $.string), '..', field('to', $.string)),
    key: ($) => seq(optional('@'), $._new),
    _count: ($) => choice($._arithmetic, $.range),

    // ----------------------------------------------------------------------------------------------------------- domains

    domain: ($) => choice($.named_domain, $.object_domain, $.array_domain, $.one_of, $.weighted, $.pattern, $.template, $.ref, $.lorem, $.changed_domain),

    // `unique pattern "…"`, `age blank 5%`.
    changed_domain: ($) =>
      choice(
        prec.right(2, seq(field('modifier', choice('unique', 'distinct', 'sorted')), $.domain)),
        prec.left(1, seq($.domain, $.suffix)),
      ),
    suffix: ($) => seq(choice('blank', 'except', 'step'), choice($._share, $._arithmetic)),

    object_domain: ($) => $.body,
    array_domain: ($) => seq('[', field('element', $.domain), ';', field('length', $._count), ']'),
    one_of: ($) => seq('one_of', choice(field('values', $.list), field('constant', $._path_root), seq('lines', field('file', $.string)))),
    weighted: ($) => seq('weighted', '[', commas($.weight_of), ']'),
    weight_of: ($) => seq(field('value', $._arithmetic), ':', field('weight', $._arithmetic)),
    pattern: ($) => seq('pattern', field('regex', $.string)),
    template: ($) => seq('template', field('text', $.string)),
    ref: ($) => seq('ref', field('of', choice($.path, $.cells)), optional(seq('where', field('condition', $.expression)))),
    // `stock.(STORE, DAY)`: several cells of one row.
    cells: ($) => seq($._path_root, repeat(seq('.', field('member', $._declared))), '.', field('columns', $.columns)),
    lorem: ($) => seq('lorem', field('unit', choice('words', 'sentences', 'paragraphs', 'lines')), field('count', $._count)),

    named_domain: ($) =>
      seq(
        field('name', $.identifier),
        repeat(choice(field('arguments', $.argument_list), $._share, $.keyword_argument)),
        optional(choice($.range, $.number)),
      ),
    keyword_argument: ($) => prec(RANK.add, seq(field('name', choice('mean', 'sd', 'exactly')), field('value', $._arithmetic))),
    range: ($) => seq(field('from', $._arithmetic), '..', field('to', $._arithmetic)),
    // As many arguments as can be: `f(a) -1..1` has one.
    argument_list: ($) => prec.dynamic(1, seq('(', optional(commas($.expression)), ')')),

    // -------------------------------------------------------------------------------------------------- what is expected

    expect: ($) =>
      seq(
        'expect',
        optional(seq(field('name', alias($._key, $.identifier)), ':')),
        choice(
          seq('reply', optional(field('part', $.slice)), $._match),
          seq('file', field('path', choice($.string, $._declared)), repeat(choice($._reading_option, field('part', alias($._place, $.slice)))), $._match),
          seq('files', field('value', $.expression)),
          seq('tree', optional('only'), field('value', $.expression)),
          prec(1, seq('tree', field('state', alias('unchanged', $.state)), optional(seq('except', field('value', $.expression))))),
        ),
        repeat($._option),
      ),
    slice: ($) => choice(seq('last', 'line'), seq('after', $.string), seq('fenced', optional($.string)), seq('in', $.string, optional(seq('..', $.string))), $._place),
    _place: ($) => seq('at', $.string),
    _match: ($) =>
      choice(
        field('state', alias(choice('exists', 'absent', 'unchanged'), $.state)),
        seq(field('matcher', $.matcher), optional('any_of'), field('answer', $.expression)),
        seq(field('matcher', alias('sql', $.matcher)), field('database', $.identifier), optional('any_of'), field('answer', $.expression)),
      ),
    matcher: (_) => choice('text', 'contains', 'lacks', 'matches', 'number', 'date', 'bool', 'json', 'list', 'rows', 'bytes', 'database'),

    _option: ($) => choice(
        $.sorted_by,
        seq(choice($.within, $.rounded, $.graded, $.unit, $.ignore, $.told), optional($.in_columns)),
        $.cell_as,
        $.among,
        $.weight,
        $.trap,
        $.example,
        $.flag,
      ),
    in_columns: ($) => seq('in', $._ignored, repeat(seq(',', $._ignored))),
    cell_as: ($) => seq(choice('contains', 'matches'), $.in_columns),
    sorted_by: ($) => seq('ordered', 'by', $.sort_key, repeat(seq(',', $.sort_key))),
    sort_key: ($) => seq(field('column', $._declared), optional(choice('desc', alias($._descending, 'desc')))),
    among: ($) => seq('among', $.expression),
    within: ($) => seq('within', choice($.percent, $._arithmetic)),
    rounded: ($) => seq('rounded', $._arithmetic),
    graded: ($) => seq('graded', optional(seq('above', $._arithmetic))),
    unit: ($) => seq('unit', $.string),
    told: ($) => seq('written', $.string, optional(seq('times', $._arithmetic))),
    weight: ($) => seq('weight', $._arithmetic),
    ignore: ($) => seq('ignore', $._ignored, repeat(seq(',', $._ignored))),
    trap: ($) => seq('trap', $._declared, repeat(seq(',', $._declared))),
    example: ($) => seq(choice('accepts', 'rejects'), choice('others', seq($.expression, repeat(seq(',', $.expression))))),
    // A word, a table, or a column of a table.
    _ignored: ($) => seq($._declared, repeat(seq('.', $._declared))),
    flag: (_) => choice('ordered', 'unordered', 'open', 'gate', 'schema'),

    // ------------------------------------------------------------------------------------------------------- expressions

    expression: ($) => choice($.if_expression, $.unary_expression, $.binary_expression, $._atom),

    if_expression: ($) =>
      prec.right(
        seq('if', field('condition', $.expression), 'then', field('then', $.expression), 'else', field('else', $.expression)),
      ),
    unary_expression: ($) =>
      choice(
        prec(RANK.sign, seq(field('operator', '-'), field('operand', $.expression))),
        prec(RANK.not, seq(field('operator', 'not'), field('operand', $.expression))),
      ),
    binary_expression: ($) =>
      choice(
        ...[
          [RANK.or, 'or'],
          [RANK.and, 'and'],
          [RANK.compare, choice('==', '!=', '<', '<=', '>', '>=')],
          [RANK.compare, 'in'],
          [RANK.compare, seq('not', 'in')],
          [RANK.add, choice('+', '-')],
          [RANK.multiply, choice('*', '/')],
        ].map(([rank, operator]) =>
          prec.left(rank, seq(field('left', $.expression), field('operator', operator), field('right', $.expression))),
        ),
      ),

    // Bounds, counts and options: without comparisons and words.
    _arithmetic: ($) => choice(alias($._arithmetic_expression, $.binary_expression), alias($._sign, $.unary_expression), $._atom),
    _sign: ($) => prec(RANK.sign, seq(field('operator', '-'), field('operand', $._arithmetic))),
    _arithmetic_expression: ($) =>
      choice(
        ...[
          [RANK.add, choice('+', '-')],
          [RANK.multiply, choice('*', '/')],
        ].map(([rank, operator]) =>
          prec.left(rank, seq(field('left', $._arithmetic), field('operator', operator), field('right', $._arithmetic))),
        ),
      ),

    _atom: ($) =>
      choice(
        $.placeholder,
        $.datetime,
        $.date,
        $.duration,
        $.number,
        $.string,
        $.boolean,
        $.null,
        $.list,
        $.object,
        $.call,
        $.path,
        $.parenthesized_expression,
      ),

    parenthesized_expression: ($) => seq('(', $.expression, ')'),
    list: ($) => seq('[', optional(commas($.expression)), ']'),
    object: ($) => seq('{', optional(commas($.field)), '}'),
    field: ($) => seq(field('key', choice($._new, $.string)), ':', field('value', $.expression), repeat($._option)),
    call: ($) => seq(field('function', $.identifier), field('arguments', alias($._call_arguments, $.argument_list))),
    // The parenthesis touches the name.
    _call_arguments: ($) => seq(token.immediate('('), optional(commas($._argument)), ')'),
    _argument: ($) => choice($.expression, $.where),
    where: ($) => seq(field('value', $.expression), 'where', field('condition', $.expression)),
    path: ($) => seq($._path_root, repeat(seq('.', field('member', $._declared)))),
    _path_root: ($) => field('root', choice($.identifier, $.quoted_name)),

    // ------------------------------------------------------------------------------------------ placeholders and raw text

    placeholder: ($) => seq('<<', choice($.form, $.expression), '>>'),
    form: ($) =>
      seq(
        field('function', $.identifier),
        ':',
        choice(field('raw', $._raw), seq($._argument, repeat(seq(',', $._argument)), optional(seq(',', field('raw', $._raw))))),
      ),
    _raw: ($) => choice($.sql, $.jsonpath, $.xpath),

    // -------------------------------------------------------------------------------------------------- literals and names

    boolean: (_) => choice('true', 'false'),
    null: (_) => 'null',
    number: (_) => /[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9]+)?/,
    _share: ($) => choice($.percent, $.share_of),
    // `mess%`: the sign touches the name.
    share_of: ($) => seq(field('name', $.identifier), token.immediate('%')),
    percent: (_) => /[0-9][0-9_]*(\.[0-9][0-9_]*)?%/,
    date: (_) => /[0-9]{4}-[0-9]{2}-[0-9]{2}/,
    datetime: (_) => /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?/,

    string: ($) =>
      choice(
        seq('"', repeat(choice(alias($._single_text, $.text), $.escape, $.placeholder)), token.immediate('"')),
        seq('"""', repeat(choice(alias($._triple_text, $.text), $.escape, $.placeholder)), token.immediate('"""')),
      ),
    escape: (_) => token.immediate(/\\(u\{[0-9A-Fa-f]*\}|<<|[^\n])/),

    // A name that is declared here, by the scanner or in backticks.
    _new: ($) => choice(alias($._key, $.identifier), $.quoted_name),
    _declared: ($) => choice($.identifier, $.quoted_name),
    identifier: (_) => /[A-Za-z_][A-Za-z0-9_]*/,
    quoted_name: (_) => /`[^`\n]+`/,

    comment: (_) => token(choice(/#([^#\n][^\n]*)?/, /###[^\n]*/)),
    doc_comment: (_) => token(/##([^#\n][^\n]*)?/),
  },
});
