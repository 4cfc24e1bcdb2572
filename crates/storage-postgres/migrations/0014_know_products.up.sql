-- What a family knows of a name, beside its lots: one product per inventory and folded name.
--
-- A lot carries what its product says (name, shop, threshold, desired quantity, shelf lives), kept equal
-- in the transaction that changes the product: lists, feeds and histories of items read nothing else.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE TABLE products (
  id                     uuid PRIMARY KEY,
  household_id           uuid REFERENCES households (id),
  name                   varchar(200) NOT NULL,
  name_folded            text COLLATE "C" NOT NULL CHECK (char_length(name_folded) <= 400),
  unit                   varchar(20) NOT NULL,
  category_id            uuid NOT NULL REFERENCES categories (id),
  storage_location_id    uuid,
  preferred_store_id     uuid,
  step                   numeric(6, 2) CHECK (step > 0 AND step <= 1000),
  shelf_life_days        integer CHECK (shelf_life_days BETWEEN 1 AND 36500),
  opened_shelf_life_days integer CHECK (opened_shelf_life_days BETWEEN 1 AND 36500),
  low_stock_threshold    numeric(10, 2) CHECK (low_stock_threshold >= 0),
  desired_quantity       numeric(10, 2) CHECK (desired_quantity >= 0),
  notes                  text CHECK (char_length(notes) <= 1000),
  auto_list              boolean NOT NULL DEFAULT true,
  created_by             uuid NOT NULL REFERENCES users (id),
  created_at             timestamptz NOT NULL DEFAULT now(),
  updated_by             uuid NOT NULL REFERENCES users (id),
  updated_at             timestamptz NOT NULL DEFAULT now(),
  version                bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
  CONSTRAINT products_storage_location_fkey
    FOREIGN KEY (storage_location_id) REFERENCES storage_locations (id),
  CONSTRAINT products_preferred_store_fkey
    FOREIGN KEY (household_id, preferred_store_id) REFERENCES stores (household_id, id),
  -- A foreign key with a NULL in it is not checked; only households have shops.
  CONSTRAINT products_personal_store_check
    CHECK (household_id IS NOT NULL OR preferred_store_id IS NULL)
);
-- The identity of a product, and the order of lists.
CREATE UNIQUE INDEX idx_products_name
  ON products (household_id, name_folded) WHERE household_id IS NOT NULL;
CREATE UNIQUE INDEX idx_products_name_personal
  ON products (created_by, name_folded) WHERE household_id IS NULL;
-- What refers to a place, for when the place goes.
CREATE INDEX idx_products_storage_location
  ON products (storage_location_id, household_id) WHERE storage_location_id IS NOT NULL;
CREATE INDEX idx_products_preferred_store
  ON products (household_id, preferred_store_id) WHERE preferred_store_id IS NOT NULL;

-- good_until is the day that counts: the expiration date, or an earlier one of a lot that is open;
-- 'infinity' without one, which sorts undated goods last and lets a page begin among them.
ALTER TABLE inventory_items
  ADD COLUMN product_id uuid,
  ADD COLUMN desired_quantity numeric(10, 2) CHECK (desired_quantity >= 0),
  ADD COLUMN shelf_life_days integer CHECK (shelf_life_days BETWEEN 1 AND 36500),
  ADD COLUMN opened_shelf_life_days integer CHECK (opened_shelf_life_days BETWEEN 1 AND 36500),
  ADD COLUMN good_until date NOT NULL DEFAULT 'infinity';

CREATE FUNCTION fn_good_until(expires date, opened date, days integer) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN COALESCE(
    LEAST(expires, CASE WHEN opened + days <= DATE '2100-12-31' THEN opened + days END),
    'infinity'::date);

CREATE OR REPLACE FUNCTION fn_set_depleted_flag() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  NEW.is_depleted := NEW.quantity = 0;
  NEW.good_until := fn_good_until(NEW.expiration_date, NEW.opened_on, NEW.opened_shelf_life_days);
  RETURN NEW;
END $$;

-- Items from before: the product of a name has the name and unit of the oldest lot, and of the other
-- facts the newest that a lot has. Policies and triggers look away: nobody changed anything.
ALTER TABLE inventory_items NO FORCE ROW LEVEL SECURITY;
ALTER TABLE nfc_urls NO FORCE ROW LEVEL SECURITY;
ALTER TABLE inventory_items DISABLE TRIGGER USER;
INSERT INTO products (id, household_id, name, name_folded, unit, category_id, storage_location_id,
    preferred_store_id, low_stock_threshold, created_by, created_at, updated_by, updated_at)
  SELECT (array_agg(id ORDER BY created_at, id))[1], household_id,
    (array_agg(name ORDER BY created_at, id))[1], name_folded,
    (array_agg(unit ORDER BY created_at, id))[1],
    (array_agg(category_id ORDER BY created_at, id))[1],
    (array_agg(storage_location_id ORDER BY created_at DESC, id DESC)
      FILTER (WHERE storage_location_id IS NOT NULL))[1],
    (array_agg(preferred_store_id ORDER BY created_at DESC, id DESC)
      FILTER (WHERE preferred_store_id IS NOT NULL))[1],
    (array_agg(low_stock_threshold ORDER BY created_at DESC, id DESC)
      FILTER (WHERE low_stock_threshold IS NOT NULL))[1],
    (array_agg(created_by ORDER BY created_at, id))[1], min(created_at),
    (array_agg(created_by ORDER BY created_at, id))[1], min(created_at)
  FROM inventory_items
  GROUP BY household_id, CASE WHEN household_id IS NULL THEN created_by END, name_folded;
UPDATE inventory_items i
  SET product_id = p.id, name = p.name, preferred_store_id = p.preferred_store_id,
      low_stock_threshold = p.low_stock_threshold,
      version = CASE
        WHEN (i.name, i.preferred_store_id, i.low_stock_threshold)
          IS NOT DISTINCT FROM (p.name, p.preferred_store_id, p.low_stock_threshold)
        THEN i.version ELSE i.version + 1 END,
      good_until = fn_good_until(i.expiration_date, i.opened_on, NULL)
  FROM products p
  WHERE p.name_folded = i.name_folded AND CASE
    WHEN i.household_id IS NULL THEN p.household_id IS NULL AND p.created_by = i.created_by
    ELSE p.household_id = i.household_id END;
UPDATE nfc_urls t SET item_name = i.name FROM inventory_items i
  WHERE i.id = t.item_id AND i.household_id = t.household_id AND i.name <> t.item_name;
ALTER TABLE inventory_items ENABLE TRIGGER USER;
ALTER TABLE nfc_urls FORCE ROW LEVEL SECURITY;
ALTER TABLE inventory_items FORCE ROW LEVEL SECURITY;

ALTER TABLE inventory_items ALTER COLUMN product_id SET NOT NULL;
-- Deferred: a transaction records the new lot first, and then the product that it makes.
ALTER TABLE inventory_items
  ADD CONSTRAINT inventory_items_product_fkey FOREIGN KEY (product_id) REFERENCES products (id)
  DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX idx_inventory_product ON inventory_items (product_id);

DROP INDEX idx_inventory_household_expiration, idx_inventory_personal_expiration;
CREATE INDEX idx_inventory_household_expiration
  ON inventory_items (household_id, good_until, id) WHERE household_id IS NOT NULL;
CREATE INDEX idx_inventory_personal_expiration
  ON inventory_items (created_by, good_until, id) WHERE household_id IS NULL;

-- Programs from before this migration know of no products: while servers are upgraded one by one, their
-- items get one here.
CREATE FUNCTION fn_give_product() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SELECT p.id INTO NEW.product_id FROM products p
    WHERE p.name_folded = NEW.name_folded AND CASE
      WHEN NEW.household_id IS NULL THEN p.household_id IS NULL AND p.created_by = NEW.created_by
      ELSE p.household_id = NEW.household_id END;
  IF NOT FOUND THEN
    INSERT INTO products (id, household_id, name, name_folded, unit, category_id,
        storage_location_id, preferred_store_id, low_stock_threshold, created_by, created_at,
        updated_by, updated_at)
      VALUES (gen_random_uuid(), NEW.household_id, NEW.name, NEW.name_folded, NEW.unit,
        NEW.category_id, NEW.storage_location_id, NEW.preferred_store_id, NEW.low_stock_threshold,
        NEW.created_by, NEW.created_at, NEW.updated_by, NEW.updated_at)
      RETURNING id INTO NEW.product_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER trg_inventory_product BEFORE INSERT ON inventory_items
  FOR EACH ROW WHEN (NEW.product_id IS NULL) EXECUTE FUNCTION fn_give_product();

CREATE TRIGGER trg_products_location_new BEFORE INSERT ON products
  FOR EACH ROW WHEN (NEW.storage_location_id IS NOT NULL)
  EXECUTE FUNCTION fn_check_item_location();
CREATE TRIGGER trg_products_location_changed BEFORE UPDATE OF storage_location_id, household_id
  ON products FOR EACH ROW
  WHEN (NEW.storage_location_id IS NOT NULL
    AND (OLD.storage_location_id, OLD.household_id)
      IS DISTINCT FROM (NEW.storage_location_id, NEW.household_id))
  EXECUTE FUNCTION fn_check_item_location();

ALTER TABLE outbox DROP CONSTRAINT outbox_entity_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_entity_check CHECK (entity IN
  ('household', 'member', 'item', 'product', 'location', 'store', 'shopping', 'notification'));
CREATE INDEX idx_outbox_product ON outbox (entity_id, sequence DESC) WHERE entity = 'product';

CREATE FUNCTION fn_record_product_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM fn_record_change(
    COALESCE(NEW.household_id, OLD.household_id, NEW.created_by, OLD.created_by), 'product',
    COALESCE(NEW.id, OLD.id), to_jsonb(OLD) - 'name_folded', to_jsonb(NEW) - 'name_folded');
  RETURN NULL;
END $$;
CREATE TRIGGER trg_products_record AFTER INSERT OR DELETE ON products
  FOR EACH ROW EXECUTE FUNCTION fn_record_product_change();
CREATE TRIGGER trg_products_record_update AFTER UPDATE ON products
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION fn_record_product_change();
REVOKE ALL ON FUNCTION fn_record_product_change() FROM PUBLIC;

ALTER TABLE products ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY products_isolation ON products FOR ALL
  USING (
    CASE WHEN household_id IS NULL
      THEN created_by = (SELECT app_user_id())
      ELSE household_id = (SELECT app_household_id())
    END
  )
  WITH CHECK (
    CASE WHEN household_id IS NULL
      THEN created_by = (SELECT app_user_id())
      ELSE household_id = (SELECT app_household_id())
    END
  );
