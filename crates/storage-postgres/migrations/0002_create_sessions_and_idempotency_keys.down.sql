DROP TABLE idempotency_keys;
DROP TABLE refresh_tokens;
