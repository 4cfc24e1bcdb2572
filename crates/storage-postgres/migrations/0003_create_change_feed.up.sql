-- Who changed what, and the feed that live listeners read.
--
-- Written by triggers in the transaction of the change itself, so that nothing bypasses it. Each change
-- takes the next number of its inventory from a row that stays locked until the transaction ends: numbers
-- are given in the order of commits, and a reader that has seen number n can never meet n - 1 later.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- An inventory is a household, or one person's own things; its id is theirs.
CREATE TABLE change_sequences (
  inventory_id uuid PRIMARY KEY,
  sequence     bigint NOT NULL DEFAULT 0,
  -- The highest number that has been swept: the feed reaches back to the one after it.
  floor        bigint NOT NULL DEFAULT 0 CHECK (floor <= sequence)
) WITH (fillfactor = 50);

CREATE TABLE inventory_audit (
  id           bigserial PRIMARY KEY,
  inventory_id uuid NOT NULL,
  sequence     bigint NOT NULL,
  item_id      uuid NOT NULL,
  action       varchar(10) NOT NULL CHECK (action IN ('INSERT', 'UPDATE', 'DELETE')),
  -- NULL if the system did it.
  changed_by   uuid,
  changed_at   timestamptz NOT NULL DEFAULT now(),
  old_values   jsonb,
  new_values   jsonb
);
CREATE UNIQUE INDEX idx_inventory_audit_item ON inventory_audit (item_id, sequence DESC, inventory_id);
CREATE INDEX idx_inventory_audit_changed ON inventory_audit (changed_at);

-- The images of an item are in inventory_audit (same item, inventory and sequence), not here again.
CREATE TABLE outbox (
  inventory_id uuid NOT NULL,
  sequence     bigint NOT NULL,
  entity       varchar(10) NOT NULL
    CHECK (entity IN ('household', 'member', 'item', 'location', 'store')),
  entity_id    uuid NOT NULL,
  changed_by   uuid,
  changed_at   timestamptz NOT NULL DEFAULT now(),
  old_values   jsonb,
  new_values   jsonb,
  PRIMARY KEY (inventory_id, sequence)
);
CREATE INDEX idx_outbox_changed ON outbox (changed_at);

-- The trigger functions run as their owner, so that the run-time role needs no right to write the feed, and
-- cannot forge it. This one is called by them alone, and has their rights and their search path.
CREATE FUNCTION fn_record_change(
  inventory uuid, kind text, subject uuid, old_image jsonb, new_image jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  next_sequence bigint;
BEGIN
  UPDATE change_sequences SET sequence = sequence + 1 WHERE inventory_id = inventory
    RETURNING sequence INTO next_sequence;
  IF NOT FOUND THEN
    INSERT INTO change_sequences AS s (inventory_id, sequence) VALUES (inventory, 1)
      ON CONFLICT (inventory_id) DO UPDATE SET sequence = s.sequence + 1
      RETURNING sequence INTO next_sequence;
  END IF;
  IF kind = 'item' THEN
    INSERT INTO inventory_audit
      (inventory_id, sequence, item_id, action, changed_by, changed_at, old_values, new_values)
    VALUES (
      inventory, next_sequence, subject,
      CASE WHEN old_image IS NULL THEN 'INSERT' WHEN new_image IS NULL THEN 'DELETE' ELSE 'UPDATE' END,
      app_user_id(), app_now(), old_image, new_image);
    old_image := NULL;
    new_image := NULL;
  END IF;
  INSERT INTO outbox
    (inventory_id, sequence, entity, entity_id, changed_by, changed_at, old_values, new_values)
  VALUES (inventory, next_sequence, kind, subject, app_user_id(), app_now(), old_image, new_image);
END $$;

CREATE FUNCTION fn_record_item_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  old_inventory uuid := COALESCE(OLD.household_id, OLD.created_by);
  new_inventory uuid := COALESCE(NEW.household_id, NEW.created_by);
  old_image jsonb := to_jsonb(OLD) - 'name_folded';
  new_image jsonb := to_jsonb(NEW) - 'name_folded';
BEGIN
  IF old_inventory = new_inventory THEN
    PERFORM fn_record_change(new_inventory, 'item', NEW.id, old_image, new_image);
    RETURN NULL;
  END IF;
  -- An item that moves leaves one inventory and enters another.
  IF old_inventory IS NOT NULL THEN
    PERFORM fn_record_change(old_inventory, 'item', OLD.id, old_image, NULL);
  END IF;
  IF new_inventory IS NOT NULL THEN
    PERFORM fn_record_change(new_inventory, 'item', NEW.id, NULL, new_image);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER trg_inventory_record AFTER INSERT OR DELETE ON inventory_items
  FOR EACH ROW EXECUTE FUNCTION fn_record_item_change();
CREATE TRIGGER trg_inventory_record_update AFTER UPDATE ON inventory_items
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION fn_record_item_change();

CREATE FUNCTION fn_record_household_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM fn_record_change(
    COALESCE(NEW.id, OLD.id), 'household', COALESCE(NEW.id, OLD.id), to_jsonb(OLD), to_jsonb(NEW));
  RETURN NULL;
END $$;
CREATE TRIGGER trg_households_record AFTER INSERT OR DELETE ON households
  FOR EACH ROW EXECUTE FUNCTION fn_record_household_change();
CREATE TRIGGER trg_households_record_update AFTER UPDATE ON households
  FOR EACH ROW WHEN ((OLD.name, OLD.time_zone, OLD.invite_code)
    IS DISTINCT FROM (NEW.name, NEW.time_zone, NEW.invite_code))
  EXECUTE FUNCTION fn_record_household_change();

-- Locations and shops; the argument says which.
CREATE FUNCTION fn_record_place_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM fn_record_change(
    COALESCE(NEW.household_id, OLD.household_id), TG_ARGV[0], COALESCE(NEW.id, OLD.id),
    to_jsonb(OLD) - 'name_folded', to_jsonb(NEW) - 'name_folded');
  RETURN NULL;
END $$;
CREATE TRIGGER trg_storage_locations_record_insert AFTER INSERT ON storage_locations
  FOR EACH ROW WHEN (NEW.household_id IS NOT NULL)
  EXECUTE FUNCTION fn_record_place_change('location');
CREATE TRIGGER trg_storage_locations_record_update AFTER UPDATE ON storage_locations
  FOR EACH ROW WHEN (NEW.household_id IS NOT NULL AND OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION fn_record_place_change('location');
CREATE TRIGGER trg_storage_locations_record_delete AFTER DELETE ON storage_locations
  FOR EACH ROW WHEN (OLD.household_id IS NOT NULL)
  EXECUTE FUNCTION fn_record_place_change('location');
CREATE TRIGGER trg_stores_record AFTER INSERT OR DELETE ON stores
  FOR EACH ROW EXECUTE FUNCTION fn_record_place_change('store');
CREATE TRIGGER trg_stores_record_update AFTER UPDATE ON stores
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION fn_record_place_change('store');

-- A person as the others in the household see them.
CREATE FUNCTION fn_member_image(u users) RETURNS jsonb LANGUAGE sql STABLE
  RETURN jsonb_build_object(
    'id', u.id, 'name', u.name, 'email', u.email, 'role', u.role, 'joined_at', u.joined_at);

CREATE FUNCTION fn_record_member_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF OLD.household_id = NEW.household_id THEN
    PERFORM fn_record_change(
      NEW.household_id, 'member', NEW.id, fn_member_image(OLD), fn_member_image(NEW));
    RETURN NULL;
  END IF;
  IF OLD.household_id IS NOT NULL THEN
    PERFORM fn_record_change(OLD.household_id, 'member', OLD.id, fn_member_image(OLD), NULL);
  END IF;
  IF NEW.household_id IS NOT NULL THEN
    PERFORM fn_record_change(NEW.household_id, 'member', NEW.id, NULL, fn_member_image(NEW));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER trg_users_record_update AFTER UPDATE ON users
  FOR EACH ROW WHEN ((OLD.household_id, OLD.role, OLD.joined_at, OLD.name, OLD.email)
    IS DISTINCT FROM (NEW.household_id, NEW.role, NEW.joined_at, NEW.name, NEW.email))
  EXECUTE FUNCTION fn_record_member_change();

REVOKE ALL ON FUNCTION
  fn_record_change(uuid, text, uuid, jsonb, jsonb),
  fn_record_item_change(), fn_record_household_change(),
  fn_record_place_change(), fn_record_member_change()
FROM PUBLIC;
