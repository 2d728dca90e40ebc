-- E0608
SELECT strftime('%Y', «'now'»)
