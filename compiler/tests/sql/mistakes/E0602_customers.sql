-- E0602
SELECT «customers».CUST_NM FROM orders
