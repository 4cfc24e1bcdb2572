-- Since when a lot is open.

ALTER TABLE inventory_items ADD COLUMN opened_on date;
