-- E0606
SELECT COUNT(*) FROM customers WHERE DEPT_CD = '«<<dept>>»'
