-- E0607
«DROP» TABLE orders
