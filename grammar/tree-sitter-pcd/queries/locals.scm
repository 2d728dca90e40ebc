(source_file) @local.scope
(task) @local.scope
(variant) @local.scope
(stage) @local.scope
; The columns of a table see each other by their bare names.
(body) @local.scope
(where) @local.scope

(constant name: (_) @local.definition.constant)
(domain_definition name: (_) @local.definition.type)
(source_file (table name: (_) @local.definition.type))
(draw name: (_) @local.definition.var)
(compute name: (_) @local.definition.var)
(axis name: (_) @local.definition.var)
(each name: (_) @local.definition.var)
(file name: (_) @local.definition.var)
(task_body (table name: (_) @local.definition.var))
(body (table name: (_) @local.definition.var))
(column name: (key (_) @local.definition.field))
(unpivot name: (_) @local.definition.field)
(unpivoted name: (_) @local.definition.field)
(lake name: (_) @local.definition.namespace)
(view name: (_) @local.definition.type)
(query_view name: (_) @local.definition.type)

(path root: (_) @local.reference)
(cells root: (_) @local.reference)
(named_domain name: (_) @local.reference)
(table base: (_) @local.reference)
(file base: (_) @local.reference)
(view base: (_) @local.reference)
(lake_use name: (_) @local.reference)
(expect database: (_) @local.reference)
