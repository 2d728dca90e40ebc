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
  (sql)
  (string)
] @fold
