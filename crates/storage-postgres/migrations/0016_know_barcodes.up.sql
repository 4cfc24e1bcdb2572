-- Barcodes of products: in each product the list as people gave it, which feeds and histories show, and one
-- row per code, by its number with 14 digits, so that no two products of an inventory have the same.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE products
  ADD COLUMN barcodes text[] NOT NULL DEFAULT '{}' CHECK (cardinality(barcodes) <= 20);

CREATE TABLE product_barcodes (
  -- Deferred: a code is claimed before the first change, for which others wait.
  product_id   uuid NOT NULL REFERENCES products (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  household_id uuid REFERENCES households (id),
  created_by   uuid NOT NULL REFERENCES users (id),
  gtin         text COLLATE "C" NOT NULL CHECK (gtin ~ '^[0-9]{14}$'),
  PRIMARY KEY (product_id, gtin)
);
CREATE UNIQUE INDEX idx_product_barcodes
  ON product_barcodes (household_id, gtin) WHERE household_id IS NOT NULL;
CREATE UNIQUE INDEX idx_product_barcodes_personal
  ON product_barcodes (created_by, gtin) WHERE household_id IS NULL;

ALTER TABLE product_barcodes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY product_barcodes_isolation ON product_barcodes FOR ALL
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
