-- E0604
SELECT «frobnicate»(SHIPPED) FROM orders
