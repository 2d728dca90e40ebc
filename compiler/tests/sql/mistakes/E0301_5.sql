-- E0301
SELECT COUNT(*) FROM customers WHERE CUST_NM IN ('a', «5»)
