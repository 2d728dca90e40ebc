-- E0601
SELECT ORD_AMT«::»int FROM orders
