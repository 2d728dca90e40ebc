-- E0603
SELECT c.«CUST_NAM» FROM customers c
