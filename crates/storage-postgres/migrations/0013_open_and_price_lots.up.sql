-- Since when a lot is open, what it cost, and what a household pays in.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE inventory_items
  ADD COLUMN opened_on date,
  ADD COLUMN price_paid numeric(10, 2) CHECK (price_paid >= 0);

ALTER TABLE households ADD COLUMN currency varchar(3) COLLATE "C" NOT NULL DEFAULT 'EUR'
  CHECK (currency ~ '^[A-Z]{3}$');
DROP TRIGGER trg_households_record_update ON households;
CREATE TRIGGER trg_households_record_update AFTER UPDATE ON households
  FOR EACH ROW WHEN ((OLD.name, OLD.time_zone, OLD.currency, OLD.invite_code)
    IS DISTINCT FROM (NEW.name, NEW.time_zone, NEW.currency, NEW.invite_code))
  EXECUTE FUNCTION fn_record_household_change();
