; `<<value: SELECT …>>`, `<<sqlite_query: db, SELECT …>>`: SQLite's SQL.
((sql) @injection.content
  (#set! injection.language "sql"))

; `<<json_value: file, $.a[?@.b > 1]>>`: JSONPath (RFC 9535).
((jsonpath) @injection.content
  (#set! injection.language "jsonpath"))

; `<<xpath_value: file, /a/b[1]>>`: XPath 1.0.
((xpath) @injection.content
  (#set! injection.language "xpath"))

(pattern
  regex: (string
    (text) @injection.content)
  (#set! injection.language "regex"))

((comment) @injection.content
  (#set! injection.language "comment"))
