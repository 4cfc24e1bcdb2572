-- Photos of products, by inventory and content address. A photo that a product names stays; another one expires at
-- the end of a day, 30 days later, so that undoing can bring it back.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE TABLE product_photos (
  inventory_id uuid NOT NULL,
  id           text COLLATE "C" NOT NULL CHECK (id ~ '^[0-9a-f]{32}$'),
  full_size    bytea NOT NULL,
  thumbnail    bytea NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz,
  PRIMARY KEY (inventory_id, id)
);
-- They are compressed already.
ALTER TABLE product_photos
  ALTER COLUMN full_size SET STORAGE EXTERNAL, ALTER COLUMN thumbnail SET STORAGE EXTERNAL;
CREATE INDEX idx_product_photos_expires ON product_photos (expires_at) WHERE expires_at IS NOT NULL;

ALTER TABLE products ADD COLUMN photo text COLLATE "C" CHECK (photo ~ '^[0-9a-f]{32}$');
CREATE INDEX idx_products_photo ON products (photo) WHERE photo IS NOT NULL;
-- What its product says, like the other facts that a lot carries.
ALTER TABLE inventory_items ADD COLUMN photo text COLLATE "C" CHECK (photo ~ '^[0-9a-f]{32}$');

-- Keeps a photo as long as a product of its inventory names it. Each statement sees what was committed when the
-- photos were locked.
CREATE FUNCTION fn_keep_photo() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  inventory uuid := COALESCE(NEW.household_id, OLD.household_id, NEW.created_by, OLD.created_by);
BEGIN
  PERFORM 1 FROM product_photos WHERE inventory_id = inventory AND id IN (OLD.photo, NEW.photo)
    ORDER BY id FOR UPDATE;
  UPDATE product_photos SET expires_at = NULL WHERE inventory_id = inventory AND id = NEW.photo;
  IF NEW.photo IS NOT NULL AND NOT FOUND THEN
    RAISE EXCEPTION 'there is no such photo'
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'products_photo_fkey';
  END IF;
  UPDATE product_photos
    SET expires_at = date_trunc('day', app_now(), 'UTC') + interval '744 hours'
    WHERE inventory_id = inventory AND id = OLD.photo AND NOT EXISTS (
      SELECT 1 FROM products p
      WHERE p.photo = OLD.photo AND COALESCE(p.household_id, p.created_by) = inventory);
  RETURN NULL;
END $$;
CREATE TRIGGER trg_products_photo_new AFTER INSERT ON products
  FOR EACH ROW WHEN (NEW.photo IS NOT NULL) EXECUTE FUNCTION fn_keep_photo();
CREATE TRIGGER trg_products_photo_changed AFTER UPDATE OF photo ON products
  FOR EACH ROW WHEN (OLD.photo IS DISTINCT FROM NEW.photo) EXECUTE FUNCTION fn_keep_photo();
CREATE TRIGGER trg_products_photo_gone AFTER DELETE ON products
  FOR EACH ROW WHEN (OLD.photo IS NOT NULL) EXECUTE FUNCTION fn_keep_photo();

ALTER TABLE product_photos ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY product_photos_isolation ON product_photos FOR ALL
  USING (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  )
  WITH CHECK (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  );
CREATE POLICY product_photos_expired ON product_photos FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND expires_at <= now()) WITH CHECK (false);

CREATE FUNCTION sweep_photos(p_now timestamptz, p_limit integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  swept bigint;
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  WITH due AS (
    SELECT p.inventory_id, p.id FROM product_photos p WHERE p.expires_at <= least(p_now, now())
    ORDER BY p.expires_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM product_photos p USING due
    WHERE (p.inventory_id, p.id) = (due.inventory_id, due.id);
  GET DIAGNOSTICS swept = ROW_COUNT;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN swept;
END $$;
REVOKE ALL ON FUNCTION sweep_photos(timestamptz, integer) FROM PUBLIC;
