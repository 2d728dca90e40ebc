-- E0301
SELECT COUNT(*) FROM orders o JOIN customers c ON o.CUST_REF = «c.CUST_NM»
