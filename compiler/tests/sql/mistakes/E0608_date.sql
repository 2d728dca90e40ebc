-- E0608
SELECT «date»()
