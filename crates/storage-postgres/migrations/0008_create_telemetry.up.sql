-- Devices, the keys they authenticate with, what they measured, and what a repeated reading is recognised by.
-- Without a household, a row is the operator's own.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE FUNCTION is_uuid_v4(p_id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN substr(p_id::text, 15, 1) = '4' AND substr(p_id::text, 20, 1) IN ('8', '9', 'a', 'b');
-- Whether the transaction is the operator's, who sees everybody's devices.
CREATE FUNCTION app_is_operator() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN COALESCE(current_setting('app.operator', true) = 'on', false);
-- What a device proves to know before anybody knows whose it is.
CREATE FUNCTION app_api_key_hash() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.api_key_hash', true), '');

CREATE TABLE devices (
  hardware_id         varchar(17) COLLATE "C" PRIMARY KEY
    CHECK (hardware_id ~ '^[0-9A-F]{2}(:[0-9A-F]{2}){5}$'),
  household_id        uuid REFERENCES households (id),
  confirmation_id     uuid NOT NULL CHECK (is_uuid_v4(confirmation_id)),
  capabilities        jsonb NOT NULL CHECK (
    (jsonb_typeof(capabilities -> 'sensors') = 'array'
      AND jsonb_typeof(capabilities -> 'features') = 'object') IS TRUE),
  first_registered_at timestamptz NOT NULL,
  last_seen_at        timestamptz NOT NULL,
  last_boot_id        uuid NOT NULL CHECK (is_uuid_v4(last_boot_id)),
  firmware_version    varchar(64) NOT NULL CHECK (firmware_version <> ''),
  friendly_name       varchar(100) CHECK (friendly_name <> '')
);
-- Most recently seen first: a household's, and everybody's.
CREATE INDEX idx_devices_household ON devices (household_id, last_seen_at DESC, hardware_id DESC);
CREATE INDEX idx_devices_seen ON devices (last_seen_at DESC, hardware_id DESC);

CREATE TABLE api_keys (
  key_id       uuid PRIMARY KEY CHECK (is_uuid_v4(key_id)),
  household_id uuid REFERENCES households (id),
  api_key_hash varchar(64) COLLATE "C" NOT NULL CHECK (api_key_hash ~ '^[0-9a-f]{64}$'),
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz,
  is_active    boolean NOT NULL DEFAULT true,
  description  varchar(200) CHECK (description <> '')
);
CREATE UNIQUE INDEX idx_api_keys_hash ON api_keys (api_key_hash);
CREATE INDEX idx_api_keys_household ON api_keys (household_id, created_at DESC, key_id DESC);
CREATE INDEX idx_api_keys_created ON api_keys (created_at DESC, key_id DESC);

-- Times to live are seconds since 1970, times of readings milliseconds, as devices count.
CREATE TABLE processed_batches (
  batch_id        varchar(256) COLLATE "C" NOT NULL CHECK (batch_id ~ '^[A-Za-z0-9_:.-]+$'),
  household_id    uuid,
  hardware_id     varchar(17) COLLATE "C" NOT NULL,
  received_at     timestamptz NOT NULL,
  expiration_time bigint NOT NULL,
  -- Unique within a household, so that nobody can take another's ids; the operator's devices count as one.
  CONSTRAINT processed_batches_key UNIQUE NULLS NOT DISTINCT (batch_id, household_id)
);
CREATE INDEX idx_processed_batches_expiration ON processed_batches (expiration_time);

-- Cut into weeks, so that what has expired is dropped whole. Whose a device is never changes, and a device is
-- never deleted, so a reading carries its household and needs no reference.
CREATE TABLE device_readings (
  hardware_id      varchar(17) COLLATE "C" NOT NULL,
  timestamp_ms     bigint NOT NULL
    CHECK (timestamp_ms BETWEEN 946684800000 AND 4102444800000),
  batch_id         varchar(256) COLLATE "C" NOT NULL CHECK (batch_id <> ''),
  household_id     uuid,
  boot_id          uuid NOT NULL CHECK (is_uuid_v4(boot_id)),
  firmware_version varchar(64) NOT NULL CHECK (firmware_version <> ''),
  friendly_name    varchar(100) CHECK (friendly_name <> ''),
  sensors          jsonb NOT NULL CHECK (jsonb_typeof(sensors) = 'object'),
  sensor_status    jsonb NOT NULL CHECK (jsonb_typeof(sensor_status) = 'object'),
  expiration_time  bigint NOT NULL,
  PRIMARY KEY (hardware_id, timestamp_ms, batch_id)
) PARTITION BY RANGE (timestamp_ms);
-- For times that nobody has made a week for: every year of the century is allowed.
CREATE TABLE device_readings_default PARTITION OF device_readings DEFAULT;
CREATE INDEX idx_device_readings_default_time ON device_readings_default (timestamp_ms);
CREATE INDEX idx_device_readings_default_expiration ON device_readings_default (expiration_time);

ALTER TABLE devices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE processed_batches ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE device_readings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Without a policy for anyone but the owner, who moves rows: readings are seen through the whole table alone.
ALTER TABLE device_readings_default ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY devices_isolation ON devices FOR ALL
  USING (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END)
  WITH CHECK (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END);
CREATE POLICY api_keys_isolation ON api_keys FOR ALL
  USING (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END)
  WITH CHECK (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END);
CREATE POLICY processed_batches_isolation ON processed_batches FOR ALL
  USING (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END)
  WITH CHECK (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END);
CREATE POLICY device_readings_isolation ON device_readings FOR ALL
  USING (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END)
  WITH CHECK (
    CASE WHEN (SELECT app_is_operator()) THEN true ELSE household_id = (SELECT app_household_id()) END);

-- Whoever has a key knows its hash, and sees that row and no other.
CREATE POLICY api_keys_held ON api_keys FOR SELECT
  USING (CASE WHEN api_key_hash = (SELECT app_api_key_hash()) THEN true ELSE false END);

-- Readings that came in together, in one call that gives itself its context: the readings in the order of
-- their batch ids, so that two who send the same ones wait for each other in one direction; p_devices names
-- each of their devices once. Each id is claimed and its reading kept in the same statement. Answers with the
-- devices that are not the household's (then nothing was changed), or the places, from 1, of readings whose
-- id was claimed before.
CREATE FUNCTION ingest_readings(
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
BEGIN
  PERFORM set_config('app.household_id', COALESCE(p_household::text, ''), true),
    set_config('app.operator', CASE WHEN p_household IS NULL THEN 'on' ELSE 'off' END, true);

  SELECT array_agg(d.hardware_id), array_agg(d.friendly_name),
    array_agg(d.hardware_id) FILTER (WHERE d.last_seen_at <= p_at - interval '1 minute')
  INTO known, names, to_note
  FROM devices d
  WHERE d.hardware_id = ANY (p_devices) AND d.household_id IS NOT DISTINCT FROM p_household;
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
      WHERE d.hardware_id = ANY (to_note) AND d.last_seen_at <= p_at - interval '1 minute'
      ORDER BY d.hardware_id FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE devices d SET last_seen_at = date_trunc('second', p_at)
    FROM idle WHERE d.hardware_id = idle.hardware_id;
  END IF;
  RETURN NEXT;
END $$;

REVOKE ALL ON FUNCTION
  ingest_readings(uuid, timestamptz, bigint, text[], text[], bigint[], text[], uuid[], text[], text[],
    text[], bigint[])
FROM PUBLIC;
