-- E0606
SELECT COUNT(*) FROM customers WHERE CUST_NM LIKE '%«:dept»%'
