SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DROP TABLE program_tokens;
