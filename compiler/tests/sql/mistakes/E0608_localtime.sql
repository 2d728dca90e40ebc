-- E0608
SELECT datetime(SHIPPED, «'localtime'») FROM orders
