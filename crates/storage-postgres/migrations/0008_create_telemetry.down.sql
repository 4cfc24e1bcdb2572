DROP FUNCTION ingest_readings(uuid, timestamptz, bigint, text[], text[], bigint[], text[], uuid[], text[],
  text[], text[], bigint[]);
DROP TABLE device_readings;
DROP TABLE processed_batches;
DROP TABLE api_keys;
DROP TABLE devices;
DROP FUNCTION app_api_key_hash();
DROP FUNCTION app_is_operator();
DROP FUNCTION is_uuid_v4(uuid);
