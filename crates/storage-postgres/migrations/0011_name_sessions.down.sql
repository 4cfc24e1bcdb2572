DROP TRIGGER trg_users_own_account ON users;
DROP FUNCTION fn_require_own_account();

-- An earlier program would take browsers' sessions for those of tokens. Policies hold for the owner too, so they have
-- to look away.
ALTER TABLE refresh_tokens NO FORCE ROW LEVEL SECURITY;
DELETE FROM refresh_tokens WHERE kind = 'browser';
ALTER TABLE refresh_tokens FORCE ROW LEVEL SECURITY;
DROP INDEX idx_refresh_tokens_user;
CREATE INDEX idx_refresh_tokens_user ON refresh_tokens (user_id);
ALTER TABLE refresh_tokens DROP COLUMN label, DROP COLUMN kind;
