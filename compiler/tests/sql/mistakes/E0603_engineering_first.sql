-- E0603
SELECT COUNT(*) FROM customers WHERE «"Engineering"» = DEPT_CD
