-- Tags can be changed and deleted. One that is gone is unknown, and so are the taps on it.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE tap_nonces
  DROP CONSTRAINT tap_nonces_tag_fkey,
  ADD CONSTRAINT tap_nonces_tag_fkey
    FOREIGN KEY (household_id, url_id) REFERENCES nfc_urls (household_id, url_id) ON DELETE CASCADE;

-- As in 0006, for a tag whose step may change and that may be deleted while the tap waits for the item.
CREATE OR REPLACE FUNCTION tap_tag(
  p_nonce text, p_direction integer, p_most_hundredths bigint, p_remember_until timestamptz
) RETURNS TABLE (result text, item jsonb, applied_hundredths bigint)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  tag nfc_urls;
  before inventory_items;
  after inventory_items;
  amount numeric;
BEGIN
  SELECT t.* INTO tag FROM nfc_urls t WHERE t.url_id = app_url_id();
  IF NOT FOUND THEN
    result := 'unknown';
    RETURN NEXT;
    RETURN;
  END IF;
  PERFORM set_config('app.household_id', tag.household_id::text, true);

  -- The item before its tag, as everyone does who locks both. The same nonce at the same moment waits here,
  -- and is found below.
  SELECT i.* INTO before FROM inventory_items i
  WHERE i.id = tag.item_id AND i.household_id = tag.household_id
  FOR NO KEY UPDATE;
  SELECT 'repeated', n.outcome -> 'item', (n.outcome ->> 'applied_hundredths')::bigint
  INTO result, item, applied_hundredths
  FROM tap_nonces n
  WHERE n.household_id = tag.household_id AND n.url_id = tag.url_id AND n.nonce = p_nonce
    AND n.expires_at > app_now();
  IF FOUND THEN
    RETURN NEXT;
    RETURN;
  END IF;

  -- Read again: it may have been changed, replaced or deleted before the item was locked. From here on
  -- nobody replaces or deletes it until this is done.
  SELECT t.* INTO tag FROM nfc_urls t WHERE t.url_id = app_url_id() FOR KEY SHARE;
  IF NOT FOUND THEN
    result := 'unknown';
    RETURN NEXT;
    RETURN;
  END IF;
  IF tag.rotated_at IS NOT NULL THEN
    result := 'rotated';
    RETURN NEXT;
    RETURN;
  END IF;
  IF before.id IS NULL THEN
    result := 'deleted';
    RETURN NEXT;
    RETURN;
  END IF;
  amount := GREATEST(before.quantity + p_direction * tag.step, 0);
  IF amount > p_most_hundredths / 100.0 THEN
    result := 'overflow';
    item := to_jsonb(before) - 'name_folded';
    RETURN NEXT;
    RETURN;
  END IF;
  -- Taking from nothing is no change of the item. What is, is nobody's: who changed it last stays.
  IF amount = before.quantity THEN
    after := before;
  ELSE
    UPDATE inventory_items i
    SET quantity = amount, version = before.version + 1, updated_at = app_now()
    WHERE i.id = before.id
    RETURNING i.* INTO after;
  END IF;
  result := 'done';
  item := to_jsonb(after) - 'name_folded';
  applied_hundredths := (after.quantity - before.quantity) * 100;
  -- One that is there has expired: the look above found none, and the item has been locked since.
  INSERT INTO tap_nonces AS n (household_id, url_id, nonce, outcome, expires_at)
  VALUES (tag.household_id, tag.url_id, p_nonce,
    jsonb_build_object('item', item, 'applied_hundredths', applied_hundredths), p_remember_until)
  ON CONFLICT (household_id, url_id, nonce) DO UPDATE
  SET outcome = EXCLUDED.outcome, expires_at = EXCLUDED.expires_at;
  RETURN NEXT;
END $$;
