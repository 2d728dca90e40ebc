; The captures are those of Helix and nvim-treesitter, each of which leaves out what it does not know.
[
  (suite_body)
  (task_body)
  (lake_body)
  (body)
  (list)
  (object)
  (array_domain)
  (weighted)
  (parameters)
  (argument_list)
  (columns)
  (parenthesized_expression)
] @indent @indent.begin

[
  "}"
  "]"
  ")"
] @outdent @indent.branch @indent.end

; What stands inside of these is the author's.
[
  (string)
  (sql)
] @indent.ignore
