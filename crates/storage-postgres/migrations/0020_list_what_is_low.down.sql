SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE notifications DROP CONSTRAINT notifications_listed_check, DROP COLUMN listed_at;
DROP TRIGGER trg_households_record_update ON households;
CREATE TRIGGER trg_households_record_update AFTER UPDATE ON households
  FOR EACH ROW WHEN ((OLD.name, OLD.time_zone, OLD.currency, OLD.invite_code)
    IS DISTINCT FROM (NEW.name, NEW.time_zone, NEW.currency, NEW.invite_code))
  EXECUTE FUNCTION fn_record_household_change();
ALTER TABLE households DROP COLUMN auto_list;
