-- E0603
-- Grüße 🦀
SELECT 'größe', «CUST_NAM»
FROM customers
