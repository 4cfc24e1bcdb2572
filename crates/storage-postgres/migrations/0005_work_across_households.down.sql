DROP FUNCTION sweep_expired(timestamptz, timestamptz, integer);
DROP FUNCTION change_heads(uuid[]);
DROP POLICY change_sequences_numbers ON change_sequences;
DROP POLICY outbox_past ON outbox;
DROP POLICY inventory_audit_past ON inventory_audit;
DROP POLICY idempotency_keys_expired ON idempotency_keys;
DROP POLICY refresh_tokens_expired ON refresh_tokens;
DROP FUNCTION app_is_across_households();
