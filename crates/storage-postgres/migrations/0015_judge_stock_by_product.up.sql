-- Stock is low when all lots of a product together are: such a notification is the product's.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- No reference: notifications are kept for some time after their subject is gone.
ALTER TABLE notifications ADD COLUMN product_id uuid,
  ADD CONSTRAINT notifications_product_check CHECK (kind = 'low_stock' OR product_id IS NULL);

-- A product keeps the oldest open notification of its lots. The others end now, also those of lots
-- that are gone; the feed does not tell, because nobody changed anything.
ALTER TABLE notifications NO FORCE ROW LEVEL SECURITY;
ALTER TABLE inventory_items NO FORCE ROW LEVEL SECURITY;
ALTER TABLE notifications DISABLE TRIGGER USER;
UPDATE notifications n SET product_id = i.product_id
  FROM inventory_items i
  WHERE n.kind = 'low_stock' AND n.resolved_at IS NULL
    AND i.id = n.item_id AND i.household_id = n.household_id;
UPDATE notifications n
  SET resolved_at = date_trunc('milliseconds', now()),
      forget_at = date_trunc('seconds', now()) + interval '30 days'
  WHERE n.kind = 'low_stock' AND n.resolved_at IS NULL
    AND (n.product_id IS NULL OR EXISTS (
      SELECT FROM notifications o
      WHERE o.household_id = n.household_id AND o.product_id = n.product_id
        AND o.resolved_at IS NULL AND (o.created_at, o.id) < (n.created_at, n.id)));
ALTER TABLE notifications ENABLE TRIGGER USER;
ALTER TABLE inventory_items FORCE ROW LEVEL SECURITY;
ALTER TABLE notifications FORCE ROW LEVEL SECURITY;

-- A product has at most one open notification about its stock.
CREATE UNIQUE INDEX idx_notifications_open_stock
  ON notifications (household_id, product_id)
  WHERE resolved_at IS NULL AND product_id IS NOT NULL;

-- Programs from before this migration know notifications of items only: while servers are upgraded one
-- by one, theirs get the product here.
CREATE FUNCTION fn_give_notification_product() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SELECT i.product_id INTO NEW.product_id FROM inventory_items i
    WHERE i.id = NEW.item_id AND i.household_id = NEW.household_id;
  RETURN NEW;
END $$;
CREATE TRIGGER trg_notifications_product BEFORE INSERT ON notifications
  FOR EACH ROW WHEN (NEW.kind = 'low_stock' AND NEW.product_id IS NULL)
  EXECUTE FUNCTION fn_give_notification_product();
