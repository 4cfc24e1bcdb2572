-- Whether anybody has an account: only the first may register without an invitation. Who reads mail at their address, and
-- how many mails went there: nobody else gets any, and nobody too many.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- At most one row, which whoever registers first inserts.
CREATE TABLE first_account (
  is_first   boolean PRIMARY KEY DEFAULT true CHECK (is_first),
  created_at timestamptz NOT NULL
);
-- Policies hold for the owner too, so they have to look away.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
INSERT INTO first_account (created_at) SELECT min(created_at) FROM users HAVING count(*) > 0;
ALTER TABLE users FORCE ROW LEVEL SECURITY;

-- Mails are counted on one day at a time.
ALTER TABLE users
  ADD COLUMN email_confirmed_at timestamptz,
  ADD COLUMN mail_day date,
  ADD COLUMN mail_count bigint NOT NULL DEFAULT 0 CHECK (mail_count >= 0);

-- The other members of a household may give someone a role, and nothing else.
DROP TRIGGER trg_users_own_account ON users;
CREATE TRIGGER trg_users_own_account
  BEFORE UPDATE OF name, password_hash, email_confirmed_at, mail_day, mail_count ON users
  FOR EACH ROW EXECUTE FUNCTION fn_require_own_account();
