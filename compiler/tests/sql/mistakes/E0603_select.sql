-- E0603
SELECT COUNT(*) FROM orders o WHERE o.«select» > 5
