-- E0602
SELECT COUNT(*) FROM «shop.order»
