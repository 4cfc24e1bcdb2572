DROP TRIGGER trg_users_own_account ON users;
CREATE TRIGGER trg_users_own_account BEFORE UPDATE OF name, password_hash ON users
  FOR EACH ROW EXECUTE FUNCTION fn_require_own_account();
ALTER TABLE users DROP COLUMN mail_count, DROP COLUMN mail_day, DROP COLUMN email_confirmed_at;
DROP TABLE first_account;
