(suite "suite" @context name: (_) @name) @item
(task "task" @context name: (_) @name) @item
(variant "variant" @context name: (_) @name) @item
(stage "stage" @context name: (_) @name) @item
(table "table" @context name: (_) @name) @item
(domain_definition "domain" @context name: (_) @name) @item
(function "fn" @context name: (_) @name) @item
(file format: (_) @context name: (_) @name) @item
