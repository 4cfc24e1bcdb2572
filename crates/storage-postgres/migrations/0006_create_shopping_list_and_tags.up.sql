-- What to buy, and the tags on the shelf that take one or put one back.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- What entries of the shopping list refer to, so that an entry and its item are of one household.
ALTER TABLE inventory_items
  ADD CONSTRAINT inventory_items_household_id_id_key UNIQUE (household_id, id);

CREATE TABLE shopping_list_items (
  id           uuid PRIMARY KEY,
  household_id uuid NOT NULL REFERENCES households (id),
  -- NULL for free text, and after the item is gone.
  item_id      uuid,
  name         varchar(100) NOT NULL CHECK (name <> ''),
  store_id     uuid,
  status       varchar(10) NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'purchased')),
  quantity     integer CHECK (quantity > 0),
  notes        varchar(500),
  version      bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
  -- When it leaves the list by itself. Reads go by the application's clock, whether or not it was swept.
  expires_at   timestamptz,
  added_by     uuid NOT NULL REFERENCES users (id),
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT shopping_list_items_expiry_check
    CHECK ((status = 'purchased') = (expires_at IS NOT NULL)),
  CONSTRAINT shopping_list_items_item_fkey
    FOREIGN KEY (household_id, item_id) REFERENCES inventory_items (household_id, id),
  CONSTRAINT shopping_list_items_store_fkey
    FOREIGN KEY (household_id, store_id) REFERENCES stores (household_id, id)
);
-- The list is in the order in which things were added; a household's part of one shop has its own index.
CREATE INDEX idx_shopping_list_created ON shopping_list_items (household_id, created_at, id);
CREATE INDEX idx_shopping_list_store ON shopping_list_items (household_id, store_id, created_at, id)
  WHERE store_id IS NOT NULL;
CREATE INDEX idx_shopping_list_item ON shopping_list_items (household_id, item_id)
  WHERE item_id IS NOT NULL;
CREATE INDEX idx_shopping_list_expires ON shopping_list_items (expires_at)
  WHERE expires_at IS NOT NULL;

-- A tag outlives its item, so that whoever holds it can be told what became of it: no foreign key.
CREATE TABLE nfc_urls (
  url_id           varchar(22) COLLATE "C" PRIMARY KEY CHECK (url_id ~ '^[0-9A-Za-z]{22}$'),
  household_id     uuid NOT NULL REFERENCES households (id),
  item_id          uuid NOT NULL,
  -- The item's name, brought up to date when the item is renamed.
  item_name        varchar(200) NOT NULL,
  label            varchar(50),
  step             numeric(6, 2) NOT NULL DEFAULT 1 CHECK (step > 0 AND step <= 1000),
  rotated_at       timestamptz,
  rotated_by       uuid REFERENCES users (id),
  created_by       uuid NOT NULL REFERENCES users (id),
  created_at       timestamptz NOT NULL DEFAULT now(),
  last_accessed_at timestamptz,
  access_count     bigint NOT NULL DEFAULT 0 CHECK (access_count >= 0),
  CONSTRAINT nfc_urls_rotation_whole CHECK (num_nulls(rotated_at, rotated_by) IN (0, 2)),
  -- What nonces refer to, so that a nonce and its tag are of one household.
  CONSTRAINT nfc_urls_household_id_url_id_key UNIQUE (household_id, url_id)
) WITH (fillfactor = 85);
CREATE INDEX idx_nfc_urls_item
  ON nfc_urls (household_id, item_id, created_at DESC, url_id DESC);
CREATE INDEX idx_nfc_urls_household ON nfc_urls (household_id, created_at DESC, url_id DESC);

-- Taps that have happened, by what the page called them, with what was answered.
CREATE TABLE tap_nonces (
  household_id uuid NOT NULL,
  url_id       varchar(22) COLLATE "C" NOT NULL,
  nonce        varchar(64) COLLATE "C" NOT NULL,
  outcome      jsonb NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (household_id, url_id, nonce),
  CONSTRAINT tap_nonces_tag_fkey
    FOREIGN KEY (household_id, url_id) REFERENCES nfc_urls (household_id, url_id)
);
CREATE INDEX idx_tap_nonces_expires ON tap_nonces (expires_at);

ALTER TABLE shopping_list_items ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE nfc_urls ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tap_nonces ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY shopping_list_items_isolation ON shopping_list_items FOR ALL
  USING (household_id = (SELECT app_household_id()))
  WITH CHECK (household_id = (SELECT app_household_id()));
CREATE POLICY nfc_urls_isolation ON nfc_urls FOR ALL
  USING (household_id = (SELECT app_household_id()))
  WITH CHECK (household_id = (SELECT app_household_id()));
CREATE POLICY tap_nonces_isolation ON tap_nonces FOR ALL
  USING (household_id = (SELECT app_household_id()))
  WITH CHECK (household_id = (SELECT app_household_id()));

-- Whoever holds a tag knows its address, and sees that row and no other.
CREATE FUNCTION app_url_id() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.url_id', true), '');
CREATE POLICY nfc_urls_held ON nfc_urls FOR SELECT
  USING (CASE WHEN url_id = (SELECT app_url_id()) THEN true ELSE false END);

-- The feed tells of the list. An entry past its time is not on it any more, so nothing that becomes of it
-- afterwards is told: not the sweep, nor what clears its references.
ALTER TABLE outbox DROP CONSTRAINT outbox_entity_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_entity_check
  CHECK (entity IN ('household', 'member', 'item', 'location', 'store', 'shopping'));
CREATE TRIGGER trg_shopping_list_record_insert AFTER INSERT ON shopping_list_items
  FOR EACH ROW EXECUTE FUNCTION fn_record_place_change('shopping');
CREATE TRIGGER trg_shopping_list_record_update AFTER UPDATE ON shopping_list_items
  FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.* AND (OLD.expires_at IS NULL OR OLD.expires_at > app_now()))
  EXECUTE FUNCTION fn_record_place_change('shopping');
CREATE TRIGGER trg_shopping_list_record_delete AFTER DELETE ON shopping_list_items
  FOR EACH ROW WHEN (OLD.expires_at IS NULL OR OLD.expires_at > app_now())
  EXECUTE FUNCTION fn_record_place_change('shopping');

-- A tap on the tag that the context names, in one call. Runs with the rights of its caller and under the
-- policies: the tag is seen because its address is known, and what it belongs to becomes the
-- context of what follows. Answers what came of it ('done', 'repeated', 'unknown', 'rotated', 'deleted',
-- 'overflow'), the item after it, and by how many hundredths its quantity changed.
CREATE FUNCTION tap_tag(
  p_nonce text, p_direction integer, p_most_hundredths bigint, p_remember_until timestamptz
) RETURNS TABLE (result text, item jsonb, applied_hundredths bigint)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  tag nfc_urls;
  before inventory_items;
  after inventory_items;
  amount numeric;
BEGIN
  SELECT t.* INTO tag FROM nfc_urls t WHERE t.url_id = app_url_id();
  IF NOT FOUND THEN
    result := 'unknown';
    RETURN NEXT;
    RETURN;
  END IF;
  PERFORM set_config('app.household_id', tag.household_id::text, true);

  -- The item before its tag, as everyone does who locks both. The same nonce at the same moment waits here,
  -- and is found below.
  SELECT i.* INTO before FROM inventory_items i
  WHERE i.id = tag.item_id AND i.household_id = tag.household_id
  FOR NO KEY UPDATE;
  SELECT 'repeated', n.outcome -> 'item', (n.outcome ->> 'applied_hundredths')::bigint
  INTO result, item, applied_hundredths
  FROM tap_nonces n
  WHERE n.household_id = tag.household_id AND n.url_id = tag.url_id AND n.nonce = p_nonce
    AND n.expires_at > app_now();
  IF FOUND THEN
    RETURN NEXT;
    RETURN;
  END IF;

  -- From here on nobody replaces it until this is done.
  PERFORM FROM nfc_urls t WHERE t.url_id = tag.url_id AND t.rotated_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    result := 'rotated';
    RETURN NEXT;
    RETURN;
  END IF;
  IF before.id IS NULL THEN
    result := 'deleted';
    RETURN NEXT;
    RETURN;
  END IF;
  amount := GREATEST(before.quantity + p_direction * tag.step, 0);
  IF amount > p_most_hundredths / 100.0 THEN
    result := 'overflow';
    item := to_jsonb(before) - 'name_folded';
    RETURN NEXT;
    RETURN;
  END IF;
  -- Taking from nothing is no change of the item. What is, is nobody's: who changed it last stays.
  IF amount = before.quantity THEN
    after := before;
  ELSE
    UPDATE inventory_items i
    SET quantity = amount, version = before.version + 1, updated_at = app_now()
    WHERE i.id = before.id
    RETURNING i.* INTO after;
  END IF;
  result := 'done';
  item := to_jsonb(after) - 'name_folded';
  applied_hundredths := (after.quantity - before.quantity) * 100;
  -- One that is there has expired: the look above found none, and the item has been locked since.
  INSERT INTO tap_nonces AS n (household_id, url_id, nonce, outcome, expires_at)
  VALUES (tag.household_id, tag.url_id, p_nonce,
    jsonb_build_object('item', item, 'applied_hundredths', applied_hundredths), p_remember_until)
  ON CONFLICT (household_id, url_id, nonce) DO UPDATE
  SET outcome = EXCLUDED.outcome, expires_at = EXCLUDED.expires_at;
  RETURN NEXT;
END $$;

-- How often pages of tags were opened, told for many households at once. Whoever tells names household and
-- item with each address. Answers nothing, so the run-time role sees no row by it; the policy lets the owner
-- count, and only inside.
CREATE POLICY nfc_urls_accessed ON nfc_urls FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households())) WITH CHECK ((SELECT app_is_across_households()));
CREATE FUNCTION record_tag_accesses(
  p_households uuid[], p_items uuid[], p_urls text[], p_counts bigint[], p_last timestamptz[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  -- Locked in the order of their ids, as everyone does who locks several.
  WITH told AS (
    SELECT a.household_id, a.item_id, a.url_id, sum(a.times)::bigint AS times, max(a.last_at) AS last_at
    FROM unnest(p_households, p_items, p_urls, p_counts, p_last)
      AS a (household_id, item_id, url_id, times, last_at)
    GROUP BY a.household_id, a.item_id, a.url_id),
  locked AS (
    SELECT t.household_id, t.item_id, t.url_id FROM nfc_urls t WHERE t.url_id = ANY (p_urls)
    ORDER BY t.url_id FOR NO KEY UPDATE)
  UPDATE nfc_urls t
  SET access_count = t.access_count + told.times,
      last_accessed_at = GREATEST(t.last_accessed_at, told.last_at)
  FROM locked JOIN told USING (household_id, item_id, url_id)
  WHERE t.url_id = locked.url_id;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

REVOKE ALL ON FUNCTION
  tap_tag(text, integer, bigint, timestamptz),
  record_tag_accesses(uuid[], uuid[], text[], bigint[], timestamptz[])
FROM PUBLIC;
