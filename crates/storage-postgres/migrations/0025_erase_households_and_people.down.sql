SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DROP FUNCTION sweep_erasures(timestamptz, integer), open_erasures(integer),
  continue_erasure(uuid, integer, timestamptz, timestamptz),
  fn_erase_some_of_device(text, integer, boolean), fn_erase_some_of_account(uuid, integer, boolean),
  fn_erase_some_of_household(uuid, integer, boolean), fn_erase_readings(text, uuid, integer, boolean),
  begin_device_erasure(uuid, text, uuid, uuid, timestamptz),
  begin_account_erasure(uuid, uuid, timestamptz),
  begin_household_erasure(uuid, uuid, uuid, text, timestamptz), fn_forget_results(uuid[]);
DROP POLICY users_across ON users;
DROP POLICY idempotency_keys_across ON idempotency_keys;
DROP POLICY grants_of_principal ON grants;
DROP INDEX idx_grants_of_principal;
DROP TABLE erasures;
DROP TRIGGER trg_devices_refuse_closed ON devices;
DROP FUNCTION fn_refuse_closed_device();
DROP TABLE closed_devices;
ALTER TABLE households DROP COLUMN closed_at;

-- People who have been erased stay away, so what they made is not checked.
ALTER TABLE product_barcodes ADD CONSTRAINT product_barcodes_created_by_fkey
  FOREIGN KEY (created_by) REFERENCES users (id) NOT VALID;
ALTER TABLE products
  ADD CONSTRAINT products_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) NOT VALID,
  ADD CONSTRAINT products_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users (id) NOT VALID;
ALTER TABLE notifications ADD CONSTRAINT notifications_acknowledged_by_fkey
  FOREIGN KEY (acknowledged_by) REFERENCES users (id) NOT VALID;
ALTER TABLE nfc_urls
  ADD CONSTRAINT nfc_urls_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) NOT VALID,
  ADD CONSTRAINT nfc_urls_rotated_by_fkey FOREIGN KEY (rotated_by) REFERENCES users (id) NOT VALID;
ALTER TABLE shopping_list_items ADD CONSTRAINT shopping_list_items_added_by_fkey
  FOREIGN KEY (added_by) REFERENCES users (id) NOT VALID;
ALTER TABLE inventory_items
  ADD CONSTRAINT inventory_items_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) NOT VALID,
  ADD CONSTRAINT inventory_items_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users (id) NOT VALID;
ALTER TABLE households ADD CONSTRAINT households_created_by_fkey
  FOREIGN KEY (created_by) REFERENCES users (id) NOT VALID;

-- Where nobody is missing, they hold as before.
DO $$
DECLARE
  made record;
BEGIN
  FOR made IN SELECT c.conrelid::regclass AS table_name, c.conname FROM pg_constraint c
    WHERE c.connamespace = current_schema()::regnamespace AND NOT c.convalidated
      AND c.contype = 'f' AND c.confrelid = 'users'::regclass LOOP
    BEGIN
      EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', made.table_name, made.conname);
    EXCEPTION WHEN foreign_key_violation THEN NULL;
    END;
  END LOOP;
END $$;
