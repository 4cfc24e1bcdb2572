-- Whether anybody has an account: only the first may register without an invitation.

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
