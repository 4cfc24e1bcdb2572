SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DROP TRIGGER trg_notifications_product ON notifications;
DROP FUNCTION fn_give_notification_product();
DROP INDEX idx_notifications_open_stock;
ALTER TABLE notifications DROP CONSTRAINT notifications_product_check, DROP COLUMN product_id;
