-- E0602
SELECT (SELECT COUNT(*) FROM «nowhere») FROM orders
