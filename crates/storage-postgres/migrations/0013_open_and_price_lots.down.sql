DROP TRIGGER trg_users_own_account ON users;
CREATE TRIGGER trg_users_own_account
  BEFORE UPDATE OF name, password_hash, email_confirmed_at, mail_day, mail_count ON users
  FOR EACH ROW EXECUTE FUNCTION fn_require_own_account();
ALTER TABLE users DROP COLUMN language, DROP COLUMN time_zone;
DROP TRIGGER trg_households_record_update ON households;
CREATE TRIGGER trg_households_record_update AFTER UPDATE ON households
  FOR EACH ROW WHEN ((OLD.name, OLD.time_zone, OLD.invite_code)
    IS DISTINCT FROM (NEW.name, NEW.time_zone, NEW.invite_code))
  EXECUTE FUNCTION fn_record_household_change();
ALTER TABLE households DROP COLUMN currency;
ALTER TABLE inventory_items DROP COLUMN price_paid, DROP COLUMN opened_on;
