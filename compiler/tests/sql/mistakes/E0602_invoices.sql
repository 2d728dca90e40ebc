-- E0602
SELECT COUNT(*) FROM «invoices»
