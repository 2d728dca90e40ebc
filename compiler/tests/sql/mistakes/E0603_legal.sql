-- E0603
SELECT COUNT(*) FROM customers WHERE DEPT_CD IN ('Sales', «"Legal"»)
