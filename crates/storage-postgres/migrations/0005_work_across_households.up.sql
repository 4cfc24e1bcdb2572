-- Two jobs that are not one household's: sweeping what has expired, and asking for many inventories at once
-- whether they changed. The functions run as the owner and answer with numbers alone, so the run-time role
-- sees no row by them; and these policies show the owner no more than the jobs need.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE FUNCTION app_is_across_households() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN COALESCE(current_setting('app.across_households', true) = 'on', false);

CREATE POLICY refresh_tokens_expired ON refresh_tokens FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND expires_at <= now()) WITH CHECK (false);
CREATE POLICY idempotency_keys_expired ON idempotency_keys FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND expires_at <= now()) WITH CHECK (false);
CREATE POLICY inventory_audit_past ON inventory_audit FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND changed_at <= now()) WITH CHECK (false);
CREATE POLICY outbox_past ON outbox FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND changed_at <= now()) WITH CHECK (false);
CREATE POLICY change_sequences_numbers ON change_sequences FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()))
  WITH CHECK ((SELECT app_is_across_households()));

-- The newest number of each of these inventories; those without a change are left out.
CREATE FUNCTION change_heads(p_inventories uuid[])
RETURNS TABLE (inventory_id uuid, sequence bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  RETURN QUERY
    SELECT s.inventory_id, s.sequence FROM change_sequences s
    WHERE s.inventory_id = ANY (p_inventories);
  PERFORM set_config('app.across_households', 'off', true);
END $$;

-- Deletes at most p_limit rows of each kind, so that a call stays short; what others have locked waits
-- for the next one. The caller says what time it is, capped by the server's clock: a wrong clock cannot
-- empty the tables.
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

REVOKE ALL ON FUNCTION
  change_heads(uuid[]), sweep_expired(timestamptz, timestamptz, integer)
FROM PUBLIC;
