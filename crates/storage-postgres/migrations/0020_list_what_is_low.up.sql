-- What is low goes on the shopping list by itself, once for each notification.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE households ADD COLUMN auto_list boolean NOT NULL DEFAULT true;
DROP TRIGGER trg_households_record_update ON households;
CREATE TRIGGER trg_households_record_update AFTER UPDATE ON households
  FOR EACH ROW WHEN ((OLD.name, OLD.time_zone, OLD.currency, OLD.auto_list, OLD.invite_code)
    IS DISTINCT FROM (NEW.name, NEW.time_zone, NEW.currency, NEW.auto_list, NEW.invite_code))
  EXECUTE FUNCTION fn_record_household_change();

ALTER TABLE notifications ADD COLUMN listed_at timestamptz,
  ADD CONSTRAINT notifications_listed_check CHECK (kind = 'low_stock' OR listed_at IS NULL);
