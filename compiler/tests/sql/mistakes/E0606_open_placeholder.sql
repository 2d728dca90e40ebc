-- E0606
SELECT COUNT(*) FROM orders WHERE ORD_AMT > «<<threshold»
