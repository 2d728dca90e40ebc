-- E0603
SELECT «_H» FROM customers
