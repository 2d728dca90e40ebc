-- E0301
SELECT COUNT(*) FROM orders WHERE strftime('%Y', SHIPPED) = «2024»
