-- E0601
SELECT COUNT(*) FROM «nothing»
