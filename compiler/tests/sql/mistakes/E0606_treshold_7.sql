-- E0606 E0301
SELECT COUNT(*) FROM orders WHERE ORD_AMT > «:treshold» OR ORD_AMT = «'7'»
