-- Rules that only the program kept: a rotated tag stays rotated, and a sensor works or it does not.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE FUNCTION fn_refuse_rotating_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a rotated tag cannot become active again'
    USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER trg_nfc_urls_stay_rotated
  BEFORE UPDATE OF rotated_at ON nfc_urls FOR EACH ROW
  WHEN (OLD.rotated_at IS NOT NULL AND NEW.rotated_at IS NULL)
  EXECUTE FUNCTION fn_refuse_rotating_back();

-- Not for the readings that are there: the server has let in no others, and there may be billions.
ALTER TABLE device_readings ADD CONSTRAINT device_readings_sensor_status_known CHECK (
  NOT jsonb_path_exists(
    sensor_status, 'strict $.* ? (@.type() != "string" || (@ != "ok" && @ != "error"))'))
  NOT VALID;
