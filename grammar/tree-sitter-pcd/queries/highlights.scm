; Of two patterns that take one node some editors prefer the first and some the last: here none do.

; Comments and literals

(comment) @comment
(doc_comment) @comment.documentation

(string) @string
(escape) @string.escape
(number) @number
(percent) @number
(duration) @number
(date) @number
(datetime) @number
(boolean) @boolean
(null) @constant.builtin

; Raw text of placeholders, where no grammar of its own is at hand

(jsonpath) @string.special
(xpath) @string.special

; Keywords

["suite" "use" "domain" "table" "task" "variant" "fn" "axis"] @keyword
["prompt" "expect" "require" "samples" "tags" "allow" "clutter" "folder" "rows" "line"] @keyword
["if" "then" "else"] @keyword.conditional
["and" "or" "not" "in"] @keyword.operator
["at" "from" "where" "any_of" "reply" "files" "tree" "last" "after" "fenced" "delimiter" "sheet"] @keyword
["one_of" "lines" "weighted" "pattern" "template" "ref" "lorem" "words" "sentences" "paragraphs" "mean" "sd"] @keyword
["unique" "distinct" "sorted" "blank" "except" "step" "key" "index"] @keyword.modifier
["within" "rounded" "unit" "weight" "ignore"] @keyword.modifier
(file_flag) @keyword.modifier
(flag) @keyword.modifier
(format) @keyword
(matcher) @keyword
(state) @keyword
(expect "file" @keyword)

; Operators and punctuation

["==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "=" ".." "->"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" ";" "."] @punctuation.delimiter
["<<" ">>"] @punctuation.special
"@" @attribute

; Names

(suite name: (_) @module)
(setting key: (identifier) @property)
(domain_definition name: (_) @type)
(table name: (_) @type)
(table base: (_) @type)
(task name: (_) @function)
(variant name: (_) @function)
(function name: (_) @function)
(parameter name: (_) @variable.parameter)
(type (identifier) @type)
(constant name: (_) @constant)
(named_domain name: (_) @type)
(draw name: (_) @variable)
(compute name: (_) @variable)
(axis name: (_) @variable)
(file name: (_) @variable)
(file base: (_) @type)
(root (_) @tag)
(key (_) @property)
(columns (_) @property)
(ignore (_) @property)
(allow lint: (_) @label)
(field key: (identifier) @property)
(field key: (quoted_name) @property)
(call function: (_) @function.call)
(form function: (_) @function.call)
(path root: (_) @variable)
(path member: (_) @property)
(cells root: (_) @variable)
(cells member: (_) @property)
(expect database: (_) @variable)
