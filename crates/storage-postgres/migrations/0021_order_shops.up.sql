-- Shops stand in the order in which a household goes to them.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE stores ADD COLUMN sort_order smallint CHECK (sort_order BETWEEN 1 AND 10000);
