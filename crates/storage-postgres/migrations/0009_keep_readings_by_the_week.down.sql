-- What the weeks hold goes back to where it would have been without them.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DO $$
DECLARE
  week regclass;
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  FOR week IN
    SELECT inhrelid FROM pg_inherits
    WHERE inhparent = 'device_readings'::regclass AND inhrelid <> 'device_readings_default'::regclass
  LOOP
    EXECUTE format('ALTER TABLE device_readings DETACH PARTITION %s', week);
    EXECUTE format('INSERT INTO device_readings_default SELECT * FROM %s', week);
    EXECUTE format('DROP TABLE %s', week);
  END LOOP;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

DROP FUNCTION sweep_telemetry(timestamptz, integer);
DROP FUNCTION maintain_reading_weeks(timestamptz, interval, integer);
DROP FUNCTION fn_drop_week(bigint, bigint);
DROP FUNCTION fn_make_week(bigint);
DROP FUNCTION fn_week_partition(bigint);
DROP FUNCTION fn_week_of(bigint);
DROP POLICY device_readings_default_moving ON device_readings_default;
DROP POLICY processed_batches_expired ON processed_batches;
