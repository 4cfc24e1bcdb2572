DROP FUNCTION record_tag_accesses(uuid[], uuid[], text[], bigint[], timestamptz[]);
DROP FUNCTION tap_tag(text, integer, bigint, timestamptz);
DROP TABLE tap_nonces;
DROP TABLE nfc_urls;
DROP TABLE shopping_list_items;
DROP FUNCTION app_url_id();
ALTER TABLE inventory_items DROP CONSTRAINT inventory_items_household_id_id_key;

-- What earlier programs cannot read. Policies hold for the owner too, so they have to look away.
ALTER TABLE outbox NO FORCE ROW LEVEL SECURITY;
DELETE FROM outbox WHERE entity = 'shopping';
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys NO FORCE ROW LEVEL SECURITY;
DELETE FROM idempotency_keys WHERE outcome ?| ARRAY['ShoppingItemAdded', 'TagAdded', 'TagRotated'];
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE outbox DROP CONSTRAINT outbox_entity_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_entity_check
  CHECK (entity IN ('household', 'member', 'item', 'location', 'store'));
