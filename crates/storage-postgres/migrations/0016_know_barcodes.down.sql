SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DROP TABLE product_barcodes;
ALTER TABLE products DROP COLUMN barcodes;
