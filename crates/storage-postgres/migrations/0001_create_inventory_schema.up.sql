-- People, households and what they keep.
--
-- Names, columns and constraints follow the data model of the household inventory. Where they differ:
-- times carry a zone (TIMESTAMPTZ); what makes two names the same is decided by the application (Unicode
-- folding) and stored beside the name, because LOWER() depends on the server's locale.

-- Everything below lives in the schema that the connection would create tables in, and nowhere else:
-- functions keep this search path, so that no temporary table can take a table's place.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- What a transaction says about itself. All are set with set_config(..., true), so they end with it; an
-- unset one is NULL, and NULL equals nothing.
CREATE FUNCTION app_household_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.household_id', true), '')::uuid;
CREATE FUNCTION app_user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.user_id', true), '')::uuid;
-- The time of the write: the application's clock, or the server's where nobody said.
CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN COALESCE(NULLIF(current_setting('app.at', true), '')::timestamptz, now());

-- A folded text short enough for an index entry. Folding can make a text longer (one sign for a whole
-- word); beyond 400 characters the end is replaced by a digest of the whole.
CREATE FUNCTION fn_folded_key(folded text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE
    WHEN char_length(folded) <= 400 THEN folded
    ELSE left(folded, 336) || encode(sha256(convert_to(folded, 'UTF8')), 'hex')
  END;

CREATE TABLE users (
  id            uuid PRIMARY KEY,
  email         varchar(254) NOT NULL,
  email_folded  text COLLATE "C" NOT NULL CHECK (char_length(email_folded) <= 400),
  name          varchar(100) NOT NULL,
  password_hash text,
  household_id  uuid,
  role          varchar(10) CHECK (role IN ('admin', 'member')),
  joined_at     timestamptz,
  moving_items  boolean NOT NULL DEFAULT false,
  created_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT users_email_folded_key UNIQUE (email_folded),
  CONSTRAINT users_membership_whole CHECK (num_nulls(household_id, role, joined_at) IN (0, 3))
);

-- Identities that someone else vouches for.
CREATE TABLE external_identities (
  issuer  text COLLATE "C" NOT NULL CHECK (char_length(issuer) <= 400),
  subject text COLLATE "C" NOT NULL CHECK (char_length(subject) <= 255),
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX idx_external_identities_user ON external_identities (user_id);

CREATE TABLE households (
  id          uuid PRIMARY KEY,
  name        varchar(100) NOT NULL,
  time_zone   varchar(64) NOT NULL DEFAULT 'UTC',
  created_by  uuid NOT NULL REFERENCES users (id),
  invite_code varchar(12) COLLATE "C" NOT NULL CHECK (invite_code ~ '^[A-Z0-9]{12}$'),
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX idx_households_invite_code ON households (invite_code);

ALTER TABLE users ADD CONSTRAINT users_household_id_fkey
  FOREIGN KEY (household_id) REFERENCES households (id);
CREATE INDEX idx_users_household ON users (household_id, id) WHERE household_id IS NOT NULL;

CREATE TABLE categories (
  id         uuid PRIMARY KEY,
  name       varchar(50) NOT NULL,
  name_en    varchar(50) NOT NULL,
  icon       varchar(50),
  sort_order integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX idx_categories_name ON categories (name);
CREATE INDEX idx_categories_sort ON categories (sort_order);

-- Without a household: one that everyone has. A household's own may have the name of such a one.
CREATE TABLE storage_locations (
  id           uuid PRIMARY KEY,
  household_id uuid REFERENCES households (id),
  name         varchar(50) NOT NULL,
  name_folded  text COLLATE "C" NOT NULL CHECK (char_length(name_folded) <= 400),
  name_en      varchar(50),
  icon         varchar(50),
  device_id    varchar(64),
  sort_order   integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX idx_storage_name ON storage_locations (household_id, name_folded) NULLS NOT DISTINCT;

CREATE TABLE stores (
  id           uuid PRIMARY KEY,
  household_id uuid NOT NULL REFERENCES households (id),
  name         varchar(100) NOT NULL,
  name_folded  text COLLATE "C" NOT NULL CHECK (char_length(name_folded) <= 400),
  address      varchar(500),
  -- What items refer to, so that an item and its shop are of one household.
  CONSTRAINT stores_household_id_id_key UNIQUE (household_id, id)
);
CREATE UNIQUE INDEX idx_stores_name ON stores (household_id, name_folded);

-- No index may name quantity, is_depleted, version or updated_*: then changing a quantity, by far the
-- most frequent write, touches the table alone (a heap-only update, for which pages keep some room).
CREATE TABLE inventory_items (
  id                  uuid PRIMARY KEY,
  household_id        uuid REFERENCES households (id),
  name                varchar(200) NOT NULL,
  name_folded         text COLLATE "C" NOT NULL CHECK (char_length(name_folded) <= 400),
  quantity            numeric(10, 2) NOT NULL CHECK (quantity >= 0),
  unit                varchar(20) NOT NULL,
  expiration_date     date,
  category_id         uuid NOT NULL REFERENCES categories (id),
  storage_location_id uuid,
  image_url           varchar(500),
  notes               text CHECK (char_length(notes) <= 1000),
  low_stock_threshold numeric(10, 2) CHECK (low_stock_threshold >= 0),
  preferred_store_id  uuid,
  is_depleted         boolean NOT NULL DEFAULT false,
  created_by          uuid NOT NULL REFERENCES users (id),
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  updated_by          uuid NOT NULL REFERENCES users (id),
  version             bigint NOT NULL DEFAULT 1,
  CONSTRAINT inventory_items_depleted_check CHECK (is_depleted = (quantity = 0)),
  CONSTRAINT inventory_items_storage_location_fkey
    FOREIGN KEY (storage_location_id) REFERENCES storage_locations (id),
  CONSTRAINT inventory_items_preferred_store_fkey
    FOREIGN KEY (household_id, preferred_store_id) REFERENCES stores (household_id, id),
  -- A foreign key with a NULL in it is not checked; only households have shops.
  CONSTRAINT inventory_items_personal_store_check
    CHECK (household_id IS NOT NULL OR preferred_store_id IS NULL)
) WITH (fillfactor = 85);

-- The merge rule. An undated item is the same as another undated one.
CREATE UNIQUE INDEX idx_inventory_unique
  ON inventory_items (household_id, name_folded, expiration_date) NULLS NOT DISTINCT
  WHERE household_id IS NOT NULL;
CREATE UNIQUE INDEX idx_inventory_unique_personal
  ON inventory_items (created_by, name_folded, expiration_date) NULLS NOT DISTINCT
  WHERE household_id IS NULL;

-- One pair of indexes per order of lists: shared items, and those of one person.
CREATE INDEX idx_inventory_household_created
  ON inventory_items (household_id, created_at DESC, id DESC) WHERE household_id IS NOT NULL;
CREATE INDEX idx_inventory_personal_created
  ON inventory_items (created_by, created_at DESC, id DESC) WHERE household_id IS NULL;
-- Undated goods come last in this order; 'infinity' puts them there and lets a page begin among them.
-- Not COALESCE, which says the same: the planner does not know it to be leakproof, and would not use the
-- index for conditions on it below a policy.
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
CREATE INDEX idx_inventory_search
  ON inventory_items (household_id, name_folded, id) WHERE household_id IS NOT NULL;
CREATE INDEX idx_inventory_search_personal
  ON inventory_items (created_by, name_folded, id) WHERE household_id IS NULL;

-- What refers to a place, for when the place goes.
CREATE INDEX idx_inventory_storage_location
  ON inventory_items (storage_location_id, household_id) WHERE storage_location_id IS NOT NULL;
CREATE INDEX idx_inventory_preferred_store
  ON inventory_items (household_id, preferred_store_id) WHERE preferred_store_id IS NOT NULL;

-- For searching: the rest of a folded name from each beginning of a word on. The inventory is the
-- household, or the owner of a personal item.
CREATE TABLE inventory_item_words (
  inventory_id uuid NOT NULL,
  suffix       text COLLATE "C" NOT NULL CHECK (char_length(suffix) <= 400),
  item_id      uuid NOT NULL REFERENCES inventory_items (id) ON DELETE CASCADE,
  PRIMARY KEY (inventory_id, suffix, item_id)
);
CREATE INDEX idx_inventory_item_words_item ON inventory_item_words (item_id);

CREATE FUNCTION fn_set_depleted_flag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_depleted := NEW.quantity = 0;
  RETURN NEW;
END $$;
CREATE TRIGGER trg_inventory_depleted BEFORE INSERT OR UPDATE ON inventory_items
  FOR EACH ROW EXECUTE FUNCTION fn_set_depleted_flag();

-- The application's clock rules: a statement that sets updated_at keeps its value.
CREATE FUNCTION fn_update_timestamp() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.updated_at = OLD.updated_at THEN
    NEW.updated_at := app_now();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER trg_inventory_updated_at BEFORE UPDATE ON inventory_items
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND NEW.updated_at = OLD.updated_at)
  EXECUTE FUNCTION fn_update_timestamp();
CREATE TRIGGER trg_households_updated_at BEFORE UPDATE ON households
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.* AND NEW.updated_at = OLD.updated_at)
  EXECUTE FUNCTION fn_update_timestamp();

-- An item is kept in a place that everyone has, or in one of its own household. Answers as if a place of
-- another household did not exist.
CREATE FUNCTION fn_check_item_location() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM storage_locations l
    WHERE l.id = NEW.storage_location_id
      AND (l.household_id IS NULL OR l.household_id = NEW.household_id)
  ) THEN
    RAISE foreign_key_violation USING
      MESSAGE = 'there is no such storage location',
      CONSTRAINT = 'inventory_items_storage_location_fkey';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER trg_inventory_location_new BEFORE INSERT ON inventory_items
  FOR EACH ROW WHEN (NEW.storage_location_id IS NOT NULL)
  EXECUTE FUNCTION fn_check_item_location();
CREATE TRIGGER trg_inventory_location_changed BEFORE UPDATE OF storage_location_id, household_id
  ON inventory_items FOR EACH ROW
  WHEN (NEW.storage_location_id IS NOT NULL
    AND (OLD.storage_location_id, OLD.household_id)
      IS DISTINCT FROM (NEW.storage_location_id, NEW.household_id))
  EXECUTE FUNCTION fn_check_item_location();

-- What exists everywhere, with the same ids on every engine.
INSERT INTO categories (id, name, name_en, icon, sort_order) VALUES
  ('1a4de400-0000-4000-8000-000000000001', '野菜', 'Vegetables', '🥬', 1),
  ('1a4de400-0000-4000-8000-000000000002', '果物', 'Fruits', '🍎', 2),
  ('1a4de400-0000-4000-8000-000000000003', '肉類', 'Meat', '🥩', 3),
  ('1a4de400-0000-4000-8000-000000000004', '魚類', 'Seafood', '🐟', 4),
  ('1a4de400-0000-4000-8000-000000000005', '乳製品', 'Dairy', '🥛', 5),
  ('1a4de400-0000-4000-8000-000000000006', '調味料', 'Condiments', '🧂', 6),
  ('1a4de400-0000-4000-8000-000000000007', '飲料', 'Beverages', '🧃', 7),
  ('1a4de400-0000-4000-8000-000000000008', '日用品', 'Household Products', '🧻', 8),
  ('1a4de400-0000-4000-8000-000000000009', 'その他', 'Other', '📦', 9);
INSERT INTO storage_locations (id, name, name_folded, name_en, icon, sort_order) VALUES
  ('1a4de400-0000-4000-8001-000000000001', '冷蔵庫', '冷蔵庫', 'Refrigerator', '🧊', 1),
  ('1a4de400-0000-4000-8001-000000000002', '冷凍庫', '冷凍庫', 'Freezer', '❄️', 2),
  ('1a4de400-0000-4000-8001-000000000003', 'パントリー', 'パントリー', 'Pantry', '🥫', 3),
  ('1a4de400-0000-4000-8001-000000000004', '棚', '棚', 'Shelf', '🗄️', 4),
  ('1a4de400-0000-4000-8001-000000000005', 'その他', 'その他', 'Other', '📦', 5);
