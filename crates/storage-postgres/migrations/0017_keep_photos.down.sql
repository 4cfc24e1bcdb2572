SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DROP FUNCTION sweep_photos(timestamptz, integer);
ALTER TABLE products DROP COLUMN photo CASCADE;
DROP FUNCTION fn_keep_photo();
ALTER TABLE inventory_items DROP COLUMN photo;
DROP TABLE product_photos;
