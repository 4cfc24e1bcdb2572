-- A person's name for a device stays when it registers, and readings tell which run it is in.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE devices ADD COLUMN is_named_by_person boolean NOT NULL DEFAULT false;

-- As before, and what a restart changes is noted with the activity.
CREATE OR REPLACE FUNCTION ingest_readings(
  p_household uuid, p_at timestamptz, p_remember_until bigint, p_devices text[],
  p_hardware_ids text[], p_timestamps bigint[], p_batch_ids text[], p_boot_ids uuid[],
  p_firmware_versions text[], p_sensors text[], p_sensor_statuses text[], p_expirations bigint[]
) RETURNS TABLE (not_allowed text[], duplicates bigint[])
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  at_s bigint := floor(extract(epoch FROM p_at));
  known text[];
  names text[];
  to_note text[];
  restarted text[];
  boots uuid[];
  firmwares text[];
BEGIN
  PERFORM set_config('app.household_id', COALESCE(p_household::text, ''), true),
    set_config('app.operator', CASE WHEN p_household IS NULL THEN 'on' ELSE 'off' END, true);

  -- A device has started again if its newest reading tells of another run, unless that was measured
  -- before the device was last seen: it may be left over from an earlier run.
  WITH newest AS (
    SELECT DISTINCT ON (s.hardware_id) s.hardware_id, s.timestamp_ms, s.boot_id, s.firmware_version
    FROM unnest(p_hardware_ids, p_timestamps, p_batch_ids, p_boot_ids, p_firmware_versions)
      AS s (hardware_id, timestamp_ms, batch_id, boot_id, firmware_version)
    ORDER BY s.hardware_id, s.timestamp_ms DESC, s.batch_id COLLATE "C" DESC),
  met AS (
    SELECT d.hardware_id, d.friendly_name, n.boot_id, n.firmware_version,
      d.last_seen_at <= p_at - interval '1 minute' AS is_due,
      COALESCE(n.timestamp_ms > extract(epoch FROM d.last_seen_at) * 1000
        AND (n.boot_id <> d.last_boot_id OR n.firmware_version <> d.firmware_version), false)
        AS has_restarted
    FROM devices d LEFT JOIN newest n ON n.hardware_id = d.hardware_id
    WHERE d.hardware_id = ANY (p_devices) AND d.household_id IS NOT DISTINCT FROM p_household)
  SELECT array_agg(m.hardware_id), array_agg(m.friendly_name),
    array_agg(m.hardware_id) FILTER (WHERE m.is_due OR m.has_restarted),
    array_agg(m.hardware_id) FILTER (WHERE m.has_restarted),
    array_agg(m.boot_id) FILTER (WHERE m.has_restarted),
    array_agg(m.firmware_version) FILTER (WHERE m.has_restarted)
  INTO known, names, to_note, restarted, boots, firmwares
  FROM met m;
  IF COALESCE(cardinality(known), 0) < cardinality(p_devices) THEN
    not_allowed := ARRAY(SELECT unnest(p_devices) EXCEPT SELECT unnest(known));
    RETURN NEXT;
    RETURN;
  END IF;

  WITH sent AS MATERIALIZED (
    SELECT * FROM unnest(p_hardware_ids, p_timestamps, p_batch_ids, p_boot_ids, p_firmware_versions,
      p_sensors, p_sensor_statuses, p_expirations) WITH ORDINALITY
      AS s (hardware_id, timestamp_ms, batch_id, boot_id, firmware_version, sensors, sensor_status,
        expiration_time, place)),
  claimed AS (
    INSERT INTO processed_batches AS b
      (batch_id, household_id, hardware_id, received_at, expiration_time)
    SELECT s.batch_id, p_household, s.hardware_id, date_trunc('second', p_at), p_remember_until
    FROM sent s ORDER BY s.place
    -- One that is past its time is as good as none.
    ON CONFLICT (batch_id, household_id) DO UPDATE
    SET hardware_id = EXCLUDED.hardware_id, received_at = EXCLUDED.received_at,
        expiration_time = EXCLUDED.expiration_time
    WHERE b.expiration_time <= at_s
    RETURNING b.batch_id),
  kept AS (
    INSERT INTO device_readings AS r
      (hardware_id, timestamp_ms, batch_id, household_id, boot_id, firmware_version, friendly_name,
       sensors, sensor_status, expiration_time)
    SELECT s.hardware_id, s.timestamp_ms, s.batch_id, p_household, s.boot_id, s.firmware_version,
      named.friendly_name, s.sensors::jsonb, s.sensor_status::jsonb, s.expiration_time
    FROM sent s
    JOIN claimed USING (batch_id)
    JOIN unnest(known, names) AS named (hardware_id, friendly_name) USING (hardware_id)
    -- It came before, and its id has been forgotten since: it must not count twice.
    ON CONFLICT (hardware_id, timestamp_ms, batch_id) DO UPDATE
    SET boot_id = EXCLUDED.boot_id, firmware_version = EXCLUDED.firmware_version,
        friendly_name = EXCLUDED.friendly_name, sensors = EXCLUDED.sensors,
        sensor_status = EXCLUDED.sensor_status, expiration_time = EXCLUDED.expiration_time)
  SELECT array_agg(s.place) INTO duplicates
  FROM sent s LEFT JOIN claimed USING (batch_id) WHERE claimed.batch_id IS NULL;

  -- Whoever else is at a device notes its activity, or the next request does: nobody waits for that.
  IF to_note IS NOT NULL THEN
    WITH idle AS (
      SELECT d.hardware_id FROM devices d
      WHERE d.hardware_id = ANY (to_note)
        AND (d.last_seen_at <= p_at - interval '1 minute' OR d.hardware_id = ANY (restarted))
      ORDER BY d.hardware_id FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE devices d
    SET last_seen_at = CASE WHEN d.last_seen_at <= p_at - interval '1 minute'
          THEN date_trunc('second', p_at) ELSE d.last_seen_at END,
        last_boot_id = COALESCE(r.boot_id, d.last_boot_id),
        firmware_version = COALESCE(r.firmware_version, d.firmware_version)
    FROM idle LEFT JOIN unnest(restarted, boots, firmwares)
      AS r (hardware_id, boot_id, firmware_version) ON r.hardware_id = idle.hardware_id
    WHERE d.hardware_id = idle.hardware_id;
  END IF;
  RETURN NEXT;
END $$;
