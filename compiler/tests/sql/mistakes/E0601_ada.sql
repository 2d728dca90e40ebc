-- E0601
SELECT COUNT(*) FROM customers WHERE CUST_NM = «‘Ada’»
