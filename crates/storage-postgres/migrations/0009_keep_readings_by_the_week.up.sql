-- Weeks of readings are made ahead and dropped when all in them has expired. The functions run as the owner,
-- answer with numbers alone, and are short: whoever is in the way is not waited for, the next call goes on.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE POLICY processed_batches_expired ON processed_batches FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households()) AND expiration_time <= extract(epoch FROM now()))
  WITH CHECK (false);
CREATE POLICY device_readings_default_moving ON device_readings_default FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households())) WITH CHECK ((SELECT app_is_across_households()));

-- Monday, 00:00 UTC, of the week that a time is in; both in milliseconds since 1970.
CREATE FUNCTION fn_week_of(p_ms bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN p_ms - (p_ms - 345600000) % 604800000;
-- The name of the partition of a week, by its Monday.
CREATE FUNCTION fn_week_partition(p_week bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN 'device_readings_' || to_char(to_timestamp(p_week / 1000) AT TIME ZONE 'UTC', 'YYYYMMDD');

-- Makes the partition of a week, with what the default one holds of it. It is filled before it is attached: an
-- attachment locks out nobody but who is at the default partition, where nearly nothing is.
CREATE FUNCTION fn_make_week(p_week bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  partition text := fn_week_partition(p_week);
BEGIN
  LOCK TABLE device_readings_default IN ACCESS EXCLUSIVE MODE;
  EXECUTE format(
    'CREATE TABLE %1$I (LIKE device_readings INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
     ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
     CREATE POLICY %2$I ON %1$I FOR ALL TO CURRENT_USER
       USING ((SELECT app_is_across_households())) WITH CHECK ((SELECT app_is_across_households()));
     WITH moved AS (
       DELETE FROM device_readings_default
       WHERE timestamp_ms >= %3$s AND timestamp_ms < %4$s RETURNING *)
     INSERT INTO %1$I SELECT * FROM moved;
     ALTER TABLE device_readings ATTACH PARTITION %1$I FOR VALUES FROM (%3$s) TO (%4$s)',
    partition, partition || '_moving', p_week, p_week + 604800000);
END $$;

-- Drops the partition of a week if all in it has expired. Looks before it asks for the lock that stops
-- everybody; nobody adds to the week meanwhile.
CREATE FUNCTION fn_drop_week(p_week bigint, p_now_s bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  partition text := fn_week_partition(p_week);
  is_needed boolean;
BEGIN
  EXECUTE format('LOCK TABLE %I IN SHARE MODE', partition);
  EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE expiration_time > %s)', partition, p_now_s)
  INTO is_needed;
  IF NOT is_needed THEN
    EXECUTE format('DROP TABLE %I', partition);
  END IF;
  RETURN NOT is_needed;
END $$;

-- Makes at most p_limit weeks, from as far back as readings are kept (a year at most: what is older comes
-- late, and the default partition takes it) to four weeks ahead, the nearest first; and drops at most
-- p_limit. For dropping, the caller's time is capped by the server's clock: a wrong clock cannot empty the
-- table. No week is made while the default partition is so large that looking through it would stop
-- everybody for long: has_large_default says so.
CREATE FUNCTION maintain_reading_weeks(p_now timestamptz, p_retention interval, p_limit integer)
RETURNS TABLE (made bigint, dropped bigint, has_large_default boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '200ms' AS $$
DECLARE
  now_ms bigint := extract(epoch FROM p_now) * 1000;
  first_ms bigint := extract(epoch FROM p_now - least(p_retention, interval '1 year')) * 1000;
  now_s bigint := extract(epoch FROM least(p_now, now()));
  week bigint;
BEGIN
  made := 0;
  dropped := 0;
  has_large_default := pg_table_size('device_readings_default') > 256 * 1024 * 1024;
  PERFORM set_config('app.across_households', 'on', true);
  FOR week IN
    SELECT w.week FROM generate_series(
      fn_week_of(greatest(first_ms, 946684800000)),
      fn_week_of(least(now_ms + 4 * 604800000::bigint, 4102444800000)),
      604800000) AS w (week)
    WHERE NOT has_large_default AND to_regclass(fn_week_partition(w.week)) IS NULL
    ORDER BY abs(w.week - now_ms) LIMIT p_limit
  LOOP
    BEGIN
      PERFORM fn_make_week(week);
      made := made + 1;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      EXIT;
    END;
  END LOOP;
  FOR week IN
    SELECT w.week FROM (
      SELECT (extract(epoch FROM to_date(right(c.relname, 8), 'YYYYMMDD')) * 1000)::bigint AS week
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'device_readings'::regclass AND c.relname ~ '^device_readings_[0-9]{8}$') AS w
    WHERE w.week / 1000 + 604800 + extract(epoch FROM p_retention) <= now_s
    ORDER BY w.week
  LOOP
    EXIT WHEN dropped >= p_limit;
    BEGIN
      dropped := dropped + fn_drop_week(week, now_s)::integer;
    EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
      CONTINUE;
    END;
  END LOOP;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN NEXT;
END $$;

-- Deletes at most p_limit batch ids that need not be remembered any more, and as many readings past their time
-- that are in no week's partition.
CREATE FUNCTION sweep_telemetry(p_now timestamptz, p_limit integer)
RETURNS TABLE (batch_ids bigint, readings bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  expired_s bigint := extract(epoch FROM least(p_now, now()));
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  WITH due AS (
    SELECT b.batch_id, b.household_id FROM processed_batches b WHERE b.expiration_time <= expired_s
    ORDER BY b.expiration_time LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM processed_batches b USING due
  WHERE b.batch_id = due.batch_id AND b.household_id IS NOT DISTINCT FROM due.household_id;
  GET DIAGNOSTICS batch_ids = ROW_COUNT;

  WITH due AS (
    SELECT r.hardware_id, r.timestamp_ms, r.batch_id FROM device_readings_default r
    WHERE r.expiration_time <= expired_s
    ORDER BY r.expiration_time LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM device_readings_default r USING due
  WHERE (r.hardware_id, r.timestamp_ms, r.batch_id) = (due.hardware_id, due.timestamp_ms, due.batch_id);
  GET DIAGNOSTICS readings = ROW_COUNT;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN NEXT;
END $$;

REVOKE ALL ON FUNCTION
  fn_make_week(bigint), fn_drop_week(bigint, bigint),
  maintain_reading_weeks(timestamptz, interval, integer), sweep_telemetry(timestamptz, integer)
FROM PUBLIC;

-- Those of the usual retention, so that the first reading finds its week.
SELECT maintain_reading_weeks(now(), interval '90 days', 100);
