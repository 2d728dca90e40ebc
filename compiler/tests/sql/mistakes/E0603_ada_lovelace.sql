-- E0603
SELECT COUNT(*) FROM customers WHERE CUST_NM = «"Ada Lovelace"»
