SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DROP FUNCTION sweep_expired(timestamptz, timestamptz, integer);
CREATE FUNCTION sweep_expired(p_now timestamptz, p_journal_before timestamptz, p_limit integer)
RETURNS TABLE (sessions bigint, idempotency_keys bigint, audit bigint, outbox bigint)
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
  PERFORM set_config('app.across_households', 'off', true);
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION sweep_expired(timestamptz, timestamptz, integer) FROM PUBLIC;

DROP FUNCTION households_after(uuid, integer);
DROP FUNCTION due_households(timestamptz, integer);
DROP FUNCTION revive_dead_deliveries(timestamptz);
DROP FUNCTION dead_deliveries(timestamptz, integer);
DROP FUNCTION due_deliveries(timestamptz, integer);
DROP POLICY households_days ON households;
DROP POLICY tap_nonces_expired ON tap_nonces;
DROP POLICY shopping_list_items_expired ON shopping_list_items;
DROP INDEX idx_households_daily;
ALTER TABLE households DROP COLUMN next_daily_at;
DROP TABLE leases;
DROP TABLE deliveries;
DROP TABLE notifications;
DROP FUNCTION fn_record_notification_change();

-- What earlier programs cannot read. Policies hold for the owner too, so they have to look away.
ALTER TABLE outbox NO FORCE ROW LEVEL SECURITY;
DELETE FROM outbox WHERE entity = 'notification';
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys NO FORCE ROW LEVEL SECURITY;
DELETE FROM idempotency_keys WHERE outcome ? 'NotificationAcknowledged';
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE outbox
  DROP CONSTRAINT outbox_entity_check,
  ALTER COLUMN entity TYPE varchar(10),
  ADD CONSTRAINT outbox_entity_check
    CHECK (entity IN ('household', 'member', 'item', 'location', 'store', 'shopping'));
