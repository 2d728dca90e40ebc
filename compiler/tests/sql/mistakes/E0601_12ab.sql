-- E0601
SELECT «12ab» FROM orders
