-- Since when a lot is open, what it cost, and what a household pays in. A person's own time zone and language.

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

ALTER TABLE users
  ADD COLUMN time_zone varchar(64),
  ADD COLUMN language varchar(2) CHECK (language IN ('en', 'ja'));
-- The other members of a household may give someone a role, and nothing else.
DROP TRIGGER trg_users_own_account ON users;
CREATE TRIGGER trg_users_own_account BEFORE UPDATE OF
    name, time_zone, language, password_hash, email_confirmed_at, mail_day, mail_count ON users
  FOR EACH ROW EXECUTE FUNCTION fn_require_own_account();
