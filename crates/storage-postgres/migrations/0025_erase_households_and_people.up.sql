-- Households, accounts and devices can be erased, with everything that belongs to them: one transaction
-- takes the access away, and batches take the rest. The functions run as the owner of the tables, so that
-- the run-time role needs no right to delete people or history. Each gives itself the context of what it
-- erases; the caller's transaction does nothing else.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Who made or changed something is a note, and stays when the person is gone.
ALTER TABLE households DROP CONSTRAINT households_created_by_fkey;
ALTER TABLE inventory_items
  DROP CONSTRAINT inventory_items_created_by_fkey, DROP CONSTRAINT inventory_items_updated_by_fkey;
ALTER TABLE shopping_list_items DROP CONSTRAINT shopping_list_items_added_by_fkey;
ALTER TABLE nfc_urls
  DROP CONSTRAINT nfc_urls_created_by_fkey, DROP CONSTRAINT nfc_urls_rotated_by_fkey;
ALTER TABLE notifications DROP CONSTRAINT notifications_acknowledged_by_fkey;
ALTER TABLE products
  DROP CONSTRAINT products_created_by_fkey, DROP CONSTRAINT products_updated_by_fkey;
ALTER TABLE product_barcodes DROP CONSTRAINT product_barcodes_created_by_fkey;

-- When the erasing of it began: nobody enters the household.
ALTER TABLE households ADD COLUMN closed_at timestamptz;

-- Devices that are being erased: nobody sees them, and nobody can register one until its readings are gone.
CREATE TABLE closed_devices (
  hardware_id  varchar(17) COLLATE "C" PRIMARY KEY,
  household_id uuid
);
CREATE INDEX idx_closed_devices_household ON closed_devices (household_id);
ALTER TABLE closed_devices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY closed_devices_isolation ON closed_devices FOR ALL
  USING (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END)
  WITH CHECK (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END);
CREATE POLICY closed_devices_across ON closed_devices FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households())) WITH CHECK ((SELECT app_is_across_households()));

CREATE FUNCTION fn_refuse_closed_device() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  is_closed boolean;
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  SELECT EXISTS (SELECT FROM closed_devices c WHERE c.hardware_id = NEW.hardware_id) INTO is_closed;
  PERFORM set_config('app.across_households', 'off', true);
  IF is_closed THEN RETURN NULL; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER trg_devices_refuse_closed BEFORE INSERT ON devices
  FOR EACH ROW EXECUTE FUNCTION fn_refuse_closed_device();

-- The target is forgotten when it is gone.
CREATE TABLE erasures (
  id          uuid PRIMARY KEY,
  kind        varchar(10) NOT NULL CHECK (kind IN ('household', 'account', 'device')),
  target      varchar(36) COLLATE "C",
  begun_by    uuid,
  removed     bigint NOT NULL DEFAULT 0 CHECK (removed >= 0),
  started_at  timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT erasures_target_until_finished CHECK (num_nulls(target, finished_at) = 1)
);
CREATE INDEX idx_erasures_open ON erasures (started_at, id) WHERE finished_at IS NULL;
CREATE INDEX idx_erasures_finished ON erasures (finished_at) WHERE finished_at IS NOT NULL;

ALTER TABLE erasures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY erasures_isolation ON erasures FOR ALL
  USING (
    CASE WHEN (SELECT app_is_operator()) THEN begun_by IS NULL ELSE begun_by = (SELECT app_user_id()) END)
  WITH CHECK (
    CASE WHEN (SELECT app_is_operator()) THEN begun_by IS NULL ELSE begun_by = (SELECT app_user_id()) END);
CREATE POLICY erasures_across ON erasures FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households())) WITH CHECK ((SELECT app_is_across_households()));

-- What somebody has been given in other accounts.
CREATE INDEX idx_grants_of_principal ON grants (principal_urn);
CREATE POLICY grants_of_principal ON grants FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households())) WITH CHECK (false);
-- Results of requests of people who were members.
CREATE POLICY idempotency_keys_across ON idempotency_keys FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households())) WITH CHECK (false);
CREATE POLICY users_across ON users FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households())) WITH CHECK ((SELECT app_is_across_households()));

-- Forgets the results of people's requests, but for those about their own things.
CREATE FUNCTION fn_forget_results(p_users uuid[]) RETURNS void LANGUAGE sql SET search_path FROM CURRENT
BEGIN ATOMIC
  DELETE FROM idempotency_keys
  WHERE user_id = ANY (p_users) AND NOT COALESCE(outcome::text ~ '"household_id": ?null', false);
END;

CREATE FUNCTION begin_household_erasure(
  p_id uuid, p_household uuid, p_actor uuid, p_code text, p_at timestamptz
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  members uuid[];
BEGIN
  PERFORM set_config('app.household_id', p_household::text, true),
    set_config('app.across_households', 'on', true);
  PERFORM FROM households h WHERE h.id = p_household AND h.closed_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM FROM users u WHERE u.id = p_actor AND u.household_id = p_household AND u.role = 'admin';
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE households SET closed_at = p_at, invite_code = p_code, next_daily_at = 'infinity'
  WHERE id = p_household;
  members := ARRAY(SELECT u.id FROM users u WHERE u.household_id = p_household ORDER BY u.id);
  UPDATE users SET household_id = NULL, role = NULL, joined_at = NULL, moving_items = false
  WHERE id = ANY (members);
  PERFORM fn_forget_results(members);
  INSERT INTO erasures (id, kind, target, begun_by, started_at)
  VALUES (p_id, 'household', p_household::text, p_actor, p_at);
  PERFORM set_config('app.across_households', 'off', true);
  RETURN true;
END $$;

-- 'begun', 'member' or 'absent'.
CREATE FUNCTION begin_account_erasure(p_id uuid, p_user uuid, p_at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  person users%ROWTYPE;
BEGIN
  PERFORM set_config('app.user_id', p_user::text, true),
    set_config('app.across_households', 'on', true);
  SELECT * INTO person FROM users u WHERE u.id = p_user FOR UPDATE;
  IF NOT FOUND THEN RETURN 'absent'; END IF;
  IF person.household_id IS NOT NULL THEN RETURN 'member'; END IF;
  INSERT INTO erasures (id, kind, target, begun_by, started_at)
  VALUES (p_id, 'account', p_user::text, p_user, p_at);
  -- Their logins and identities go with them.
  DELETE FROM users WHERE id = p_user;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN 'begun';
END $$;

-- A household that is given must be the device's.
CREATE FUNCTION begin_device_erasure(
  p_id uuid, p_device text, p_household uuid, p_actor uuid, p_at timestamptz
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.operator', 'on', true), set_config('app.across_households', 'on', true);
  WITH closed AS (
    DELETE FROM devices d
    WHERE d.hardware_id = p_device AND (p_household IS NULL OR d.household_id = p_household)
    RETURNING d.hardware_id, d.household_id)
  INSERT INTO closed_devices SELECT * FROM closed;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO erasures (id, kind, target, begun_by, started_at)
  VALUES (p_id, 'device', p_device, p_actor, p_at);
  PERFORM set_config('app.across_households', 'off', true);
  RETURN true;
END $$;

-- Deletes at most about p_limit readings of a device, with their batch ids; at the last look also those ids
-- whose readings have expired.
CREATE FUNCTION fn_erase_readings(p_device text, p_household uuid, p_limit integer, p_last_look boolean)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  removed bigint;
BEGIN
  WITH doomed AS MATERIALIZED (
    SELECT r.hardware_id, r.timestamp_ms, r.batch_id FROM device_readings r
    WHERE r.hardware_id = p_device LIMIT p_limit),
  gone AS (
    DELETE FROM device_readings r USING doomed d
    WHERE r.hardware_id = d.hardware_id AND r.timestamp_ms = d.timestamp_ms AND r.batch_id = d.batch_id
    RETURNING r.batch_id),
  ids AS (
    DELETE FROM processed_batches b USING gone g
    WHERE b.batch_id = g.batch_id AND b.household_id IS NOT DISTINCT FROM p_household
      AND b.hardware_id = p_device)
  SELECT count(*) INTO removed FROM gone;
  IF removed = 0 AND p_last_look THEN
    DELETE FROM processed_batches b
    WHERE b.hardware_id = p_device AND b.household_id IS NOT DISTINCT FROM p_household;
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  RETURN removed;
END $$;

CREATE FUNCTION fn_erase_some_of_household(p_household uuid, p_limit integer, p_last_look boolean)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  account text := 'urn:pp:System.Account::' || p_household;
  removed bigint := 0;
  device text;
  statement text;
  -- In the order of their references.
  statements text[] := ARRAY[
    'DELETE FROM api_keys WHERE ctid IN (SELECT ctid FROM api_keys WHERE household_id = $1 LIMIT $2)',
    'DELETE FROM tap_nonces WHERE ctid IN (SELECT ctid FROM tap_nonces WHERE household_id = $1 LIMIT $2)',
    'DELETE FROM nfc_urls WHERE ctid IN (SELECT ctid FROM nfc_urls WHERE household_id = $1 LIMIT $2)',
    'DELETE FROM deliveries WHERE household_id = $1',
    'DELETE FROM notifications WHERE ctid IN (SELECT ctid FROM notifications WHERE household_id = $1 LIMIT $2)',
    'DELETE FROM shopping_list_items WHERE ctid IN (SELECT ctid FROM shopping_list_items WHERE household_id = $1 LIMIT $2)',
    'DELETE FROM inventory_items WHERE ctid IN (SELECT ctid FROM inventory_items WHERE household_id = $1 LIMIT $2)',
    'DELETE FROM product_barcodes WHERE household_id = $1',
    'DELETE FROM products WHERE ctid IN (SELECT ctid FROM products WHERE household_id = $1 LIMIT $2)',
    'DELETE FROM product_photos WHERE ctid IN
       (SELECT ctid FROM product_photos WHERE inventory_id = $1 LIMIT $2)',
    'DELETE FROM inventory_item_words WHERE ctid IN
       (SELECT ctid FROM inventory_item_words WHERE inventory_id = $1 LIMIT $2)',
    'DELETE FROM stores WHERE household_id = $1',
    'DELETE FROM storage_locations WHERE household_id = $1'];
BEGIN
  PERFORM set_config('app.household_id', p_household::text, true),
    set_config('app.account_urn', account, true);
  FOREACH statement IN ARRAY statements LOOP
    EXECUTE statement USING p_household, p_limit;
    GET DIAGNOSTICS removed = ROW_COUNT;
    IF removed > 0 THEN RETURN removed; END IF;
  END LOOP;

  -- Parents are named by their children.
  DELETE FROM parent_child_relationships WHERE ctid IN
    (SELECT ctid FROM parent_child_relationships WHERE account_urn = account LIMIT p_limit);
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN RETURN removed; END IF;
  DELETE FROM resources WHERE account_urn = account AND urn IN
    (SELECT urn FROM resources WHERE account_urn = account LIMIT p_limit);
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN RETURN removed; END IF;
  DELETE FROM unique_key_values WHERE account_urn = account;
  DELETE FROM grants WHERE account_urn = account OR principal_urn = account;
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN RETURN removed; END IF;
  DELETE FROM resource_deletions WHERE account_urn = account;

  -- Closed, so that nobody can register one before its readings are gone.
  WITH closed AS (
    DELETE FROM devices d WHERE d.household_id = p_household RETURNING d.hardware_id, d.household_id)
  INSERT INTO closed_devices SELECT * FROM closed;
  FOR device IN SELECT c.hardware_id FROM closed_devices c WHERE c.household_id = p_household LOOP
    removed := fn_erase_readings(device, p_household, p_limit, p_last_look);
    IF removed > 0 THEN RETURN removed; END IF;
  END LOOP;
  IF p_last_look THEN
    DELETE FROM closed_devices WHERE household_id = p_household;
    GET DIAGNOSTICS removed = ROW_COUNT;
    IF removed > 0 THEN RETURN removed; END IF;
    DELETE FROM households WHERE id = p_household;
    GET DIAGNOSTICS removed = ROW_COUNT;
    IF removed > 0 THEN RETURN removed; END IF;
  END IF;

  -- Last of all, what happened: every deletion above is in it.
  PERFORM fn_forget_results(ARRAY(
    SELECT DISTINCT o.entity_id FROM outbox o WHERE o.inventory_id = p_household AND o.entity = 'member'));
  DELETE FROM outbox WHERE inventory_id = p_household AND sequence IN
    (SELECT sequence FROM outbox WHERE inventory_id = p_household ORDER BY sequence LIMIT p_limit);
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN RETURN removed; END IF;
  DELETE FROM inventory_audit WHERE ctid IN
    (SELECT ctid FROM inventory_audit WHERE inventory_id = p_household LIMIT p_limit);
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN RETURN removed; END IF;
  IF p_last_look THEN
    DELETE FROM change_sequences WHERE inventory_id = p_household;
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  RETURN removed;
END $$;

CREATE FUNCTION fn_erase_some_of_account(p_user uuid, p_limit integer, p_last_look boolean)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  removed bigint := 0;
  statement text;
  statements text[] := ARRAY[
    'DELETE FROM inventory_items WHERE ctid IN
       (SELECT ctid FROM inventory_items WHERE household_id IS NULL AND created_by = $1 LIMIT $2)',
    'DELETE FROM product_barcodes WHERE household_id IS NULL AND created_by = $1',
    'DELETE FROM products WHERE ctid IN
       (SELECT ctid FROM products WHERE household_id IS NULL AND created_by = $1 LIMIT $2)',
    'DELETE FROM product_photos WHERE ctid IN
       (SELECT ctid FROM product_photos WHERE inventory_id = $1 LIMIT $2)',
    'DELETE FROM inventory_item_words WHERE ctid IN
       (SELECT ctid FROM inventory_item_words WHERE inventory_id = $1 LIMIT $2)',
    'DELETE FROM idempotency_keys WHERE user_id = $1',
    'DELETE FROM refresh_tokens WHERE user_id = $1',
    'DELETE FROM grants WHERE principal_urn = ''urn:pp:System.User::'' || $1',
    'DELETE FROM outbox WHERE inventory_id = $1 AND sequence IN
       (SELECT sequence FROM outbox WHERE inventory_id = $1 ORDER BY sequence LIMIT $2)',
    'DELETE FROM inventory_audit WHERE ctid IN
       (SELECT ctid FROM inventory_audit WHERE inventory_id = $1 LIMIT $2)'];
BEGIN
  PERFORM set_config('app.user_id', p_user::text, true);
  FOREACH statement IN ARRAY statements LOOP
    EXECUTE statement USING p_user, p_limit;
    GET DIAGNOSTICS removed = ROW_COUNT;
    IF removed > 0 THEN RETURN removed; END IF;
  END LOOP;
  IF p_last_look THEN
    DELETE FROM change_sequences WHERE inventory_id = p_user;
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  RETURN removed;
END $$;

CREATE FUNCTION fn_erase_some_of_device(p_device text, p_limit integer, p_last_look boolean)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  household uuid;
  removed bigint;
BEGIN
  PERFORM set_config('app.operator', 'on', true);
  SELECT c.household_id INTO household FROM closed_devices c WHERE c.hardware_id = p_device;
  IF NOT FOUND THEN RETURN 0; END IF;
  removed := fn_erase_readings(p_device, household, p_limit, p_last_look);
  IF removed = 0 AND p_last_look THEN
    DELETE FROM closed_devices c WHERE c.hardware_id = p_device;
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  RETURN removed;
END $$;

-- Erases some more, and returns the erasure as it is then; nothing if there is none (any more). A look that
-- finds nothing, and began early enough, finishes it: of an account nothing is left, not even that.
CREATE FUNCTION continue_erasure(p_id uuid, p_limit integer, p_last_look_if_begun timestamptz, p_at timestamptz)
RETURNS TABLE (kind text, begun_by uuid, removed bigint, started_at timestamptz, finished_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  open erasures%ROWTYPE;
  gone bigint;
  is_last_look boolean;
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  SELECT * INTO open FROM erasures e WHERE e.id = p_id FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  is_last_look := open.started_at <= p_last_look_if_begun;
  IF open.finished_at IS NULL THEN
    gone := CASE open.kind
      WHEN 'household' THEN fn_erase_some_of_household(open.target::uuid, p_limit, is_last_look)
      WHEN 'account' THEN fn_erase_some_of_account(open.target::uuid, p_limit, is_last_look)
      ELSE fn_erase_some_of_device(open.target, p_limit, is_last_look)
    END;
    open.removed := open.removed + gone;
    IF gone = 0 AND is_last_look THEN
      open.finished_at := p_at;
      open.target := NULL;
    END IF;
    IF open.finished_at IS NOT NULL AND open.kind = 'account' THEN
      DELETE FROM erasures e WHERE e.id = p_id;
    ELSE
      UPDATE erasures e
      SET removed = open.removed, finished_at = open.finished_at, target = open.target
      WHERE e.id = p_id;
    END IF;
  END IF;
  PERFORM set_config('app.across_households', 'off', true);
  kind := open.kind;
  begun_by := open.begun_by;
  removed := open.removed;
  started_at := open.started_at;
  finished_at := open.finished_at;
  RETURN NEXT;
END $$;

-- Erasures that go on, the oldest first.
CREATE FUNCTION open_erasures(p_limit integer) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  RETURN QUERY SELECT e.id FROM erasures e WHERE e.finished_at IS NULL
    ORDER BY e.started_at, e.id LIMIT p_limit;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

-- Deletes at most p_limit of those that ended more than a day ago.
CREATE FUNCTION sweep_erasures(p_now timestamptz, p_limit integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  swept bigint;
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  DELETE FROM erasures e WHERE e.id IN (
    SELECT d.id FROM erasures d WHERE d.finished_at <= least(p_now, now()) - interval '1 day'
    ORDER BY d.finished_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS swept = ROW_COUNT;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN swept;
END $$;

REVOKE ALL ON FUNCTION
  fn_refuse_closed_device(), fn_forget_results(uuid[]),
  begin_household_erasure(uuid, uuid, uuid, text, timestamptz),
  begin_account_erasure(uuid, uuid, timestamptz),
  begin_device_erasure(uuid, text, uuid, uuid, timestamptz),
  fn_erase_readings(text, uuid, integer, boolean),
  fn_erase_some_of_household(uuid, integer, boolean),
  fn_erase_some_of_account(uuid, integer, boolean),
  fn_erase_some_of_device(text, integer, boolean),
  continue_erasure(uuid, integer, timestamptz, timestamptz), open_erasures(integer),
  sweep_erasures(timestamptz, integer)
FROM PUBLIC;
