SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE stores DROP COLUMN sort_order;
