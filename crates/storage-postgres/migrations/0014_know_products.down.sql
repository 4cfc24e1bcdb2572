SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- What an earlier program cannot read goes: changes of products, and results of writes to them.
ALTER TABLE outbox NO FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys NO FORCE ROW LEVEL SECURITY;
DELETE FROM outbox WHERE entity = 'product';
DELETE FROM idempotency_keys
  WHERE outcome ?| ARRAY['Consumed', 'ProductReplaced', 'ProductJoined'];
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;

DROP INDEX idx_outbox_product;
ALTER TABLE outbox DROP CONSTRAINT outbox_entity_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_entity_check CHECK (
  entity IN ('household', 'member', 'item', 'location', 'store', 'shopping', 'notification'));

CREATE OR REPLACE FUNCTION fn_set_depleted_flag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_depleted := NEW.quantity = 0;
  RETURN NEW;
END $$;
DROP TRIGGER trg_inventory_product ON inventory_items;
DROP FUNCTION fn_give_product();
DROP INDEX idx_inventory_household_expiration, idx_inventory_personal_expiration;
ALTER TABLE inventory_items
  DROP COLUMN product_id,
  DROP COLUMN desired_quantity,
  DROP COLUMN shelf_life_days,
  DROP COLUMN opened_shelf_life_days,
  DROP COLUMN good_until;
CREATE INDEX idx_inventory_household_expiration
  ON inventory_items (
    household_id,
    (CASE WHEN expiration_date IS NULL THEN 'infinity'::date ELSE expiration_date END),
    id)
  WHERE household_id IS NOT NULL;
CREATE INDEX idx_inventory_personal_expiration
  ON inventory_items (
    created_by,
    (CASE WHEN expiration_date IS NULL THEN 'infinity'::date ELSE expiration_date END),
    id)
  WHERE household_id IS NULL;
DROP FUNCTION fn_good_until(date, date, integer);
DROP TABLE products;
DROP FUNCTION fn_record_product_change();
