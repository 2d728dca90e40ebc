-- E0608
SELECT COUNT(*) FROM orders WHERE SHIPPED < date(«'now'», '-1 day')
