-- E0301
SELECT COUNT(*) FROM orders WHERE ORD_AMT > «'many'»
