-- E0601
SELECT «group» FROM orders
