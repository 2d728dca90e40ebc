-- E0603
SELECT COUNT(*) FROM orders JOIN customers USING («CUST_ID»)
