-- E0601
SELECT COUNT(*) FROM orders WHERE ORD_AMT > «{»threshold}
