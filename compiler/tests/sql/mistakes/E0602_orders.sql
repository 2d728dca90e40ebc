-- E0602
SELECT «orders».ORD_ID FROM orders o
