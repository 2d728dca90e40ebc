-- E0301
SELECT COUNT(*) FROM customers WHERE DEPT_CD = «:threshold»
