-- E0301
SELECT COUNT(*) FROM orders WHERE PAID = «'true'»
