-- What a household should know of its items, how word of it gets to people, and what the servers do by
-- themselves.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE TABLE notifications (
  id              uuid PRIMARY KEY,
  household_id    uuid NOT NULL REFERENCES households (id),
  -- No reference: what was said of an item is kept for some time after the item is gone.
  item_id         uuid NOT NULL,
  item_name       varchar(200) NOT NULL,
  kind            varchar(20) NOT NULL CHECK (kind IN ('low_stock', 'expiring_soon', 'expired')),
  expires_on      date,
  quantity        numeric(10, 2) CHECK (quantity >= 0),
  threshold       numeric(10, 2) CHECK (threshold >= 0),
  unit            varchar(20),
  created_at      timestamptz NOT NULL DEFAULT now(),
  acknowledged_by uuid REFERENCES users (id),
  acknowledged_at timestamptz,
  resolved_at     timestamptz,
  -- From then on it is not there any more, swept or not.
  forget_at       timestamptz,
  CONSTRAINT notifications_subject_whole CHECK (
    CASE WHEN kind = 'low_stock'
      THEN expires_on IS NULL AND num_nulls(quantity, threshold, unit) = 0
      ELSE expires_on IS NOT NULL AND num_nulls(quantity, threshold, unit) = 3
    END),
  CONSTRAINT notifications_acknowledgement_whole
    CHECK (num_nulls(acknowledged_by, acknowledged_at) IN (0, 2)),
  CONSTRAINT notifications_resolution_whole CHECK (num_nulls(resolved_at, forget_at) IN (0, 2))
);
-- An item has at most one open notification of each kind.
CREATE UNIQUE INDEX idx_notifications_open
  ON notifications (household_id, item_id, kind) WHERE resolved_at IS NULL;
CREATE INDEX idx_notifications_created ON notifications (household_id, created_at DESC, id DESC);
CREATE INDEX idx_notifications_forget ON notifications (forget_at) WHERE forget_at IS NOT NULL;

-- Notifications on their way, one row per channel. Nothing refers to them and they refer to nothing: one that
-- was given up is kept for its own time, however long its notification is.
CREATE TABLE deliveries (
  household_id    uuid NOT NULL REFERENCES households (id),
  notification_id uuid NOT NULL,
  channel         varchar(10) NOT NULL CHECK (channel IN ('webhook', 'mail')),
  attempts        integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- Of one that was given up: when it was.
  due_at          timestamptz NOT NULL,
  last_error      text,
  -- Set when it is given up: until when it is kept.
  dead_until      timestamptz,
  PRIMARY KEY (notification_id, channel)
);
CREATE INDEX idx_deliveries_due ON deliveries (due_at, notification_id) WHERE dead_until IS NULL;
CREATE INDEX idx_deliveries_dead ON deliveries (dead_until, due_at) WHERE dead_until IS NOT NULL;

-- Which server does a job that only one does at a time, judged by the servers' clocks.
CREATE TABLE leases (
  job         text COLLATE "C" PRIMARY KEY,
  holder      text COLLATE "C",
  until       timestamptz,
  finished_at timestamptz,
  CONSTRAINT leases_holding_whole CHECK (num_nulls(holder, until) IN (0, 2))
);

-- When a household's next day begins; at once for those that exist. With milliseconds, as the program keeps
-- times, so that it can name what it read.
ALTER TABLE households ADD COLUMN next_daily_at timestamptz NOT NULL
  DEFAULT date_trunc('milliseconds', now());
CREATE INDEX idx_households_daily ON households (next_daily_at, id);

-- The feed tells of notifications too.
ALTER TABLE outbox
  DROP CONSTRAINT outbox_entity_check,
  ALTER COLUMN entity TYPE varchar(20),
  ADD CONSTRAINT outbox_entity_check CHECK (
    entity IN ('household', 'member', 'item', 'location', 'store', 'shopping', 'notification'));

CREATE FUNCTION fn_record_notification_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM fn_record_change(
    COALESCE(NEW.household_id, OLD.household_id), 'notification', COALESCE(NEW.id, OLD.id),
    to_jsonb(OLD) - 'forget_at', to_jsonb(NEW) - 'forget_at');
  RETURN NULL;
END $$;
CREATE TRIGGER trg_notifications_record AFTER INSERT ON notifications
  FOR EACH ROW EXECUTE FUNCTION fn_record_notification_change();
CREATE TRIGGER trg_notifications_record_update AFTER UPDATE ON notifications
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION fn_record_notification_change();
-- What is forgotten when its time has come leaves no trace.
CREATE TRIGGER trg_notifications_record_delete AFTER DELETE ON notifications
  FOR EACH ROW WHEN (OLD.forget_at IS NULL OR OLD.forget_at > app_now())
  EXECUTE FUNCTION fn_record_notification_change();

ALTER TABLE notifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY notifications_isolation ON notifications FOR ALL
  USING (household_id = (SELECT app_household_id()))
  WITH CHECK (household_id = (SELECT app_household_id()));
CREATE POLICY deliveries_isolation ON deliveries FOR ALL
  USING (household_id = (SELECT app_household_id()))
  WITH CHECK (household_id = (SELECT app_household_id()));

-- For the functions below, which run as the owner: no more than each needs. They answer with ids, numbers and
-- times; whoever wants to know more says whose.
CREATE POLICY shopping_list_items_expired ON shopping_list_items FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND expires_at <= now()) WITH CHECK (false);
CREATE POLICY tap_nonces_expired ON tap_nonces FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND expires_at <= now()) WITH CHECK (false);
CREATE POLICY notifications_forgotten ON notifications FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND forget_at <= now()) WITH CHECK (false);
CREATE POLICY deliveries_numbers ON deliveries FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()))
  WITH CHECK ((SELECT app_is_across_households()));
CREATE POLICY households_days ON households FOR SELECT TO CURRENT_USER
  USING ((SELECT app_is_across_households()));

-- Deliveries whose time has come, the longest waiting first.
CREATE FUNCTION due_deliveries(p_now timestamptz, p_limit integer)
RETURNS TABLE (
  household_id uuid, notification_id uuid, channel text, attempts integer, due_at timestamptz,
  has_failed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  RETURN QUERY
    SELECT d.household_id, d.notification_id, d.channel::text, d.attempts, d.due_at,
      d.last_error IS NOT NULL
    FROM deliveries d WHERE d.dead_until IS NULL AND d.due_at <= p_now
    ORDER BY d.due_at, d.notification_id, d.channel LIMIT p_limit;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

-- Deliveries that were given up and are still kept, the longest dead first.
CREATE FUNCTION dead_deliveries(p_now timestamptz, p_limit integer)
RETURNS TABLE (
  household_id uuid, notification_id uuid, channel text, attempts integer, due_at timestamptz,
  has_failed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  RETURN QUERY
    SELECT d.household_id, d.notification_id, d.channel::text, d.attempts, d.due_at,
      d.last_error IS NOT NULL
    FROM deliveries d WHERE d.dead_until > p_now
    ORDER BY d.dead_until, d.due_at, d.notification_id, d.channel LIMIT p_limit;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

-- Makes what was given up and is still kept due at once, as if it were new. Answers how many that were.
CREATE FUNCTION revive_dead_deliveries(p_now timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  revived bigint;
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  UPDATE deliveries d SET attempts = 0, due_at = p_now, dead_until = NULL WHERE d.dead_until > p_now;
  GET DIAGNOSTICS revived = ROW_COUNT;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN revived;
END $$;

-- Households whose day has begun, the longest waiting first.
CREATE FUNCTION due_households(p_now timestamptz, p_limit integer)
RETURNS TABLE (household_id uuid, due_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  RETURN QUERY
    SELECT h.id, h.next_daily_at FROM households h WHERE h.next_daily_at <= p_now
    ORDER BY h.next_daily_at, h.id LIMIT p_limit;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

-- All households, page by page; the first page is after NULL.
CREATE FUNCTION households_after(p_after uuid, p_limit integer) RETURNS TABLE (household_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  RETURN QUERY
    SELECT h.id FROM households h
    WHERE h.id > COALESCE(p_after, '00000000-0000-0000-0000-000000000000')
    ORDER BY h.id LIMIT p_limit;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

-- As before, and what has left shopping lists, what repeated taps are recognised by, and what is to be
-- forgotten. Those come last: the floors hold the numbers of households until the end, and from then on
-- this waits for nobody.
DROP FUNCTION sweep_expired(timestamptz, timestamptz, integer);
CREATE FUNCTION sweep_expired(p_now timestamptz, p_journal_before timestamptz, p_limit integer)
RETURNS TABLE (
  sessions bigint, idempotency_keys bigint, audit bigint, outbox bigint, shopping_list_items bigint,
  tap_nonces bigint, notifications bigint, dead_letters bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  expired_at timestamptz := least(p_now, now());
  journal_before timestamptz := least(p_journal_before, now());
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  WITH due AS (
    SELECT t.id FROM refresh_tokens t WHERE t.expires_at <= expired_at
    ORDER BY t.expires_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM refresh_tokens t USING due WHERE t.id = due.id;
  GET DIAGNOSTICS sessions = ROW_COUNT;

  WITH due AS (
    SELECT k.user_id, k.key FROM idempotency_keys k WHERE k.expires_at <= expired_at
    ORDER BY k.expires_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM idempotency_keys k USING due WHERE (k.user_id, k.key) = (due.user_id, due.key);
  GET DIAGNOSTICS idempotency_keys = ROW_COUNT;

  WITH due AS (
    SELECT o.inventory_id, o.sequence FROM outbox o WHERE o.changed_at < journal_before
    ORDER BY o.changed_at LIMIT p_limit FOR UPDATE SKIP LOCKED),
  swept AS (
    DELETE FROM outbox o USING due
    WHERE (o.inventory_id, o.sequence) = (due.inventory_id, due.sequence)
    RETURNING o.inventory_id, o.sequence),
  floors AS (
    UPDATE change_sequences s SET floor = greatest(s.floor, top.sequence)
    FROM (SELECT w.inventory_id, max(w.sequence) AS sequence FROM swept w GROUP BY 1) top
    WHERE s.inventory_id = top.inventory_id)
  SELECT count(*) INTO outbox FROM swept;

  -- The feed refers to the audit trail, so its row goes first.
  WITH due AS (
    SELECT a.id FROM inventory_audit a
    WHERE a.changed_at < journal_before
      AND NOT EXISTS (
        SELECT FROM outbox o WHERE (o.inventory_id, o.sequence) = (a.inventory_id, a.sequence))
    ORDER BY a.changed_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM inventory_audit a USING due WHERE a.id = due.id;
  GET DIAGNOSTICS audit = ROW_COUNT;

  WITH due AS (
    SELECT l.id FROM shopping_list_items l WHERE l.expires_at <= expired_at
    ORDER BY l.expires_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM shopping_list_items l USING due WHERE l.id = due.id;
  GET DIAGNOSTICS shopping_list_items = ROW_COUNT;

  WITH due AS (
    SELECT t.household_id, t.url_id, t.nonce FROM tap_nonces t WHERE t.expires_at <= expired_at
    ORDER BY t.expires_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM tap_nonces t USING due
  WHERE (t.household_id, t.url_id, t.nonce) = (due.household_id, due.url_id, due.nonce);
  GET DIAGNOSTICS tap_nonces = ROW_COUNT;

  WITH due AS (
    SELECT n.id FROM notifications n WHERE n.forget_at <= expired_at
    ORDER BY n.forget_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM notifications n USING due WHERE n.id = due.id;
  GET DIAGNOSTICS notifications = ROW_COUNT;

  WITH due AS (
    SELECT d.notification_id, d.channel FROM deliveries d WHERE d.dead_until <= expired_at
    ORDER BY d.dead_until LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM deliveries d USING due
  WHERE (d.notification_id, d.channel) = (due.notification_id, due.channel);
  GET DIAGNOSTICS dead_letters = ROW_COUNT;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN NEXT;
END $$;

REVOKE ALL ON FUNCTION
  fn_record_notification_change(), due_deliveries(timestamptz, integer),
  dead_deliveries(timestamptz, integer), revive_dead_deliveries(timestamptz),
  due_households(timestamptz, integer), households_after(uuid, integer),
  sweep_expired(timestamptz, timestamptz, integer)
FROM PUBLIC;
