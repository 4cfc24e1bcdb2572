SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE device_readings DROP CONSTRAINT device_readings_sensor_status_known;
DROP TRIGGER trg_nfc_urls_stay_rotated ON nfc_urls;
DROP FUNCTION fn_refuse_rotating_back();
