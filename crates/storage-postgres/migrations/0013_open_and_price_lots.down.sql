ALTER TABLE inventory_items DROP COLUMN opened_on;
