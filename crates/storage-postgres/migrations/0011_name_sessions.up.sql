-- What a person recognises their sessions by, and which of them are browsers'. People change their names and passwords.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

ALTER TABLE refresh_tokens
  ADD COLUMN kind varchar(10) NOT NULL DEFAULT 'tokens' CHECK (kind IN ('browser', 'tokens')),
  ADD COLUMN label varchar(120) NOT NULL DEFAULT '';

-- A person's sessions are listed newest first.
DROP INDEX idx_refresh_tokens_user;
CREATE INDEX idx_refresh_tokens_user ON refresh_tokens (user_id, created_at, id);

-- The other members of a household may give someone a role, and nothing else.
CREATE FUNCTION fn_require_own_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id IS DISTINCT FROM app_user_id() THEN
    RAISE insufficient_privilege USING MESSAGE = 'names and passwords are changed by those whose they are';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER trg_users_own_account BEFORE UPDATE OF name, password_hash ON users
  FOR EACH ROW EXECUTE FUNCTION fn_require_own_account();
