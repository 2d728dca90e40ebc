-- E0603
SELECT COUNT(*) FROM orders WHERE ORD_AMT > «threshold»
