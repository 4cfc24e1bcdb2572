-- Tokens that people make for programs. They stay in the person's list after they have expired, so nothing sweeps
-- them; the server keeps them within a limit for each person.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE TABLE program_tokens (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name         varchar(100) NOT NULL,
  scopes       text[] NOT NULL CHECK (
    cardinality(scopes) > 0
    AND scopes <@ ARRAY['read', 'stock', 'shopping', 'devices', 'things', 'admin']),
  token_hash   text COLLATE "C" NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  expires_at   timestamptz
);
-- A person's tokens are listed newest first.
CREATE INDEX idx_program_tokens_user ON program_tokens (user_id, created_at, id);

ALTER TABLE program_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY program_tokens_isolation ON program_tokens FOR ALL
  USING (user_id = (SELECT app_user_id()))
  WITH CHECK (user_id = (SELECT app_user_id()));
