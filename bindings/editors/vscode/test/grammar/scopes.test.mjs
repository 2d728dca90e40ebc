/** What chosen pieces of chosen lines are. `«…»` marks the piece; the scopes named are all among the piece's. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { tokens } from "./tokens.mjs";

const SQL = "meta.embedded.block.sql";

/** [a name, a source with one piece marked, scopes that the whole piece has, scopes that no part of it has] */
const cases = [
  ["a comment", "x = 1 «# and so on»", ["comment.line.number-sign.pcd"]],
  ["a doc comment", "«## of the task»", ["comment.line.documentation.pcd"]],
  ["three signs", "«### a line»", ["comment.line.number-sign.pcd"]],
  ["no comment in a string", 'prompt "see «#3» there"', ["string.quoted.double.pcd"], ["comment.line.number-sign.pcd"]],
  ["a suite", "suite «orders» {", ["entity.name.namespace.pcd"]],
  ["a setting", 'suite orders {\n  «title» "Orders"\n}', ["support.type.property-name.setting.pcd"]],
  ["a task", "task «big_orders» {", ["entity.name.function.task.pcd"]],
  ["a variant", "task t {\n  «variant» hard {\n", ["keyword.declaration.task.pcd"]],
  ["a table", "table «sale» {", ["entity.name.type.table.pcd"]],
  ["a table's base", "table customers : «customer» { rows 30 }", ["entity.other.inherited-class.pcd"]],
  ["a domain", 'domain «grade» = one_of ["a"]', ["entity.name.type.domain.pcd"]],
  ["a domain's word", 'domain grade = «one_of» ["a"]', ["keyword.other.domain.pcd"]],
  ["a drawn name", "«threshold» : int 1..9", ["variable.other.declaration.pcd"]],
  ["its domain", "threshold : «int» 1..9", ["support.type.domain.pcd"]],
  ["a modifier", "a : «unique» word", ["storage.modifier.pcd"]],
  ["the domain behind it", "a : unique «word»", ["support.type.domain.pcd"]],
  ["names drawn together", "  «log», conf, dir : word", ["variable.other.declaration.pcd"]],
  ["a range", "a : int 1«..»9", ["keyword.operator.range.pcd"]],
  ["its end", "a : int 30_000..«80_000»", ["constant.numeric.pcd"]],
  ["a share", "a : word blank «5%»", ["constant.numeric.percent.pcd"]],
  ["a date", "a : date «2024-01-31»..2024-12-31", ["constant.other.date.pcd"]],
  ["a duration", "b = a + «14 days»", ["constant.numeric.duration.pcd"]],
  ["no duration", "A : int 1..5 «days» : int", ["variable.other.declaration.pcd"]],
  ["a regular expression", 'pattern "«[A-Z]{3}»"', ["string.regexp.pcd"]],
  ["an array's element", "tags : [ «word» ; 3 ]", ["support.type.domain.pcd"]],
  ["a reference", "a : «ref» hr.NAME where X == 1", ["keyword.other.domain.pcd"]],
  ["its condition", "a : ref hr.NAME «where» X == 1", ["keyword.other.where.pcd"]],
  ["a file", 'csv «orders» at "a.csv" {', ["variable.other.declaration.file.pcd"]],
  ["its format", '«csv» orders at "a.csv" {', ["keyword.declaration.file.pcd"]],
  ["its path's placeholder", 'csv orders at "«<<»dir>>/a.csv" {', ["punctuation.section.embedded.begin.pcd"]],
  ["options of a file", 'csv a at "a.csv" delimiter ";" quoted «crlf» bom {', ["storage.modifier.file-option.pcd"]],
  ["rows", "csv a at \"a\" {\n  «rows» 60..120\n}", ["keyword.other.statement.pcd"]],
  ["a column named rows", "csv a at \"a\" {\n  «rows» : int 1..9\n}", ["variable.other.declaration.pcd"]],
  ["a column named where", "csv a at \"a\" { rows 3  «where» : int 1..9 }", ["variable.other.declaration.pcd"], ["keyword.other.where.pcd"]],
  ["a quoted column", "«`START DT`» : date", ["variable.other.declaration.pcd"]],
  ["an attribute", "xml a at \"a\" x {\n  «@»id : serial\n}", ["keyword.operator.attribute.pcd"]],
  ["a key of columns", "key («A», B)", ["variable.other.pcd"]],
  ["a call", "a = «count»(hr where X > 3)", ["support.function.pcd"]],
  ["a member", "a = hr.«PAY»", ["variable.other.property.pcd"]],
  ["a comparison", "a = x «>=» 3", ["keyword.operator.comparison.pcd"]],
  ["words that are operators", "a = x «and» not y", ["keyword.operator.word.pcd"]],
  ["a condition", "a = «if» x then 1 else 2", ["keyword.control.conditional.pcd"]],
  ["null", "require a != «null»", ["constant.language.pcd"]],
  ["an escape", 'a = "say \\«\\"»no"'.replace("\\«", "«"), ["constant.character.escape.pcd"]],
  ["an escaped placeholder", 'a = "«\\<<»x"', ["constant.character.escape.pcd"], ["meta.embedded.placeholder.pcd"]],
  ["a string of several lines", 'prompt """\n  «say» <<x>>\n  """', ["string.quoted.triple.pcd"]],
  ["a name in a placeholder", 'prompt "a <<«name»>> b"', ["meta.embedded.placeholder.pcd", "variable.other.pcd"]],
  ["behind a placeholder", 'prompt "a <<name>>« b»"', ["string.quoted.double.pcd"], ["meta.embedded.placeholder.pcd"]],
  ["a function's form", "a = <<«csv_avg»: crm.AGE where X == 1>>", ["support.function.pcd"]],
  ["SQL", "a = <<value: «SELECT» COUNT(*) FROM hr>>", [SQL, "keyword.other.DML.sql"]],
  ["SQL behind a database", "a = <<sqlite_query: db,\n  select 1 «FROM» hr>>", [SQL, "keyword.other.DML.sql"]],
  ["SQL in a string", 'a = "it is <<value: SELECT MAX(X) «FROM» hr>> now"', [SQL, "keyword.other.DML.sql"]],
  ["a WITH", "a = <<list: «WITH» x AS (SELECT 1) SELECT * FROM x>>", [SQL]],
  ["a string of SQL", "a = <<value: SELECT 1 WHERE s = «'>>'» AND 1>>", [SQL, "string.quoted.single.sql"]],
  ["a parameter", "a = <<value: SELECT 1 WHERE s = «:dept»>>", [SQL, "variable.parameter.sql.pcd"]],
  ["a shift in parentheses", "a = <<value: SELECT (N >> 4) «FROM» hr>>", [SQL]],
  ["a shift in a call", "a = <<value: SELECT SUM(N >> 4) «FROM» hr>>", [SQL]],
  ["an arrow", "a = <<value: SELECT DOC «->>» 'x' FROM hr>>", [SQL, "keyword.operator.json.sql"]],
  ["a comment of SQL", "a = <<value: SELECT 1 «-- >>»\n FROM hr>>", [SQL, "comment.line.double-dash.sql"]],
  ["behind SQL", "a = coalesce(<<value: SELECT 1>>, «0»)", ["constant.numeric.pcd"], [SQL]],
  ["a column named select", "a = <<f: hr.«select», 1>>", ["variable.other.property.pcd"], [SQL]],
  ["an argument named select", "a = <<f: «select», 1>>", ["variable.other.pcd"], [SQL]],
  ["JSONPath", "a = <<json_value: f, $.«orders»[?@.n > 3].id>>", ["meta.embedded.inline.jsonpath.pcd"], [SQL]],
  ["JSONPath's quotes", "a = <<json_value: f, $[?@.a == «\">>\"»]>>", ["string.quoted.path.pcd"]],
  ["XPath", "a = <<xpath_value: f, /«a»/b[1]>>", ["meta.embedded.inline.xpath.pcd"]],
  ["XPath's function", "a = <<xpath_value: f, /a[«text»() = 'x']>>", ["support.function.path.pcd"]],
  ["an answer", "«expect» reply number x within 0.01", ["keyword.control.expect.pcd"]],
  ["a matcher", "expect reply «number» x within 0.01", ["keyword.other.matcher.pcd"]],
  ["an option", "expect reply number x «within» 0.01", ["keyword.other.option.pcd"]],
  ["a matcher of a file", 'expect file "a.json" «json» { a: 1 }', ["keyword.other.matcher.pcd"]],
  ["the last line", "expect reply last line «text» x", ["keyword.other.matcher.pcd"]],
  ["a key of an answer", "expect reply json {\n  «total»: n,\n}", ["support.type.property-name.pcd"]],
  ["a value of an answer is no domain", "expect reply json {\n  total: «n»,\n}", ["variable.other.pcd"], ["support.type.domain.pcd"]],
  ["a value behind another", "expect reply json { a: x, b: «y» }", ["variable.other.pcd"], ["support.type.domain.pcd"]],
  ["behind an answer a name is drawn again", "expect reply json { a: x }\nn : «word»", ["support.type.domain.pcd"]],
  ["a lint", 'allow «weak_answer» "on purpose"', ["entity.name.label.lint.pcd"]],
  ["a function of the library", "fn «sum»(values: column of int) -> int?", ["entity.name.function.pcd"]],
];

for (const [name, marked, has, hasNot = []] of cases) {
  test(name, () => {
    const start = marked.indexOf("«");
    const end = marked.indexOf("»") - 1;
    assert.ok(start >= 0 && end > start, "nothing is marked");
    const source = marked.replace("«", "").replace("»", "");
    const line = source.slice(0, start).split("\n").length - 1;
    const shift = source.lastIndexOf("\n", start - 1) + 1;
    const from = start - shift;
    const to = end - shift;
    const within = tokens(source).filter((token) => token.line === line && token.start < to && token.start + token.text.length > from);
    assert.ok(within.length > 0);
    for (const token of within) {
      for (const scope of has) assert.ok(token.scopes.includes(scope), `${JSON.stringify(token.text)} is not ${scope}, but ${token.scopes.join(" ")}`);
      for (const scope of hasNot) assert.ok(!token.scopes.includes(scope), `${JSON.stringify(token.text)} is ${scope}`);
    }
  });
}
