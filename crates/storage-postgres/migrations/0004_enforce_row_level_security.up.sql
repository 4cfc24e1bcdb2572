-- Isolation by the database itself: whatever a query forgets, a transaction sees and changes only what its
-- context names. Forced, so that it holds for the owner of the tables as well.
--
-- A sub-select around a context function makes it one value per statement instead of one per row. Large
-- tables say "or" as CASE: the planner then takes the policy for what it is, a check of rows that the query's
-- own conditions have found. An OR it would try to serve from indexes as well, and sort whole inventories.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Before someone is known, the context names what they prove to know, and shows exactly that row.
CREATE FUNCTION app_email() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.email', true), '');
CREATE FUNCTION app_identity_issuer() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.identity_issuer', true), '');
CREATE FUNCTION app_identity_subject() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.identity_subject', true), '');
CREATE FUNCTION app_invite_code() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.invite_code', true), '');
-- The member whom this transaction takes out of the household.
CREATE FUNCTION app_departing_user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.departing_user_id', true), '')::uuid;

ALTER TABLE users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE external_identities ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE households ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE storage_locations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE stores ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE inventory_items ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE inventory_item_words ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE refresh_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE change_sequences ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE inventory_audit ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- Oneself and the other members. Whoever leaves the household belongs to none afterwards.
CREATE POLICY users_household_isolation ON users FOR ALL
  USING (
    id = (SELECT app_user_id())
    OR household_id = (SELECT app_household_id())
  )
  WITH CHECK (
    household_id = (SELECT app_household_id())
    OR (household_id IS NULL
      AND (id = (SELECT app_user_id()) OR id = (SELECT app_departing_user_id())))
  );
CREATE POLICY users_by_email ON users FOR SELECT USING (email_folded = (SELECT app_email()));
-- An UPDATE must still see the row that it leaves behind.
CREATE POLICY users_departing ON users FOR SELECT USING (id = (SELECT app_departing_user_id()));

CREATE POLICY external_identities_isolation ON external_identities FOR ALL
  USING (user_id = (SELECT app_user_id()))
  WITH CHECK (user_id = (SELECT app_user_id()));
CREATE POLICY external_identities_by_pair ON external_identities FOR SELECT
  USING (issuer = (SELECT app_identity_issuer()) AND subject = (SELECT app_identity_subject()));

CREATE POLICY households_isolation ON households FOR ALL
  USING (id = (SELECT app_household_id()))
  WITH CHECK (id = (SELECT app_household_id()));
CREATE POLICY households_invited ON households FOR SELECT
  USING (invite_code = (SELECT app_invite_code()));
-- Joining locks the household, so that its code holds until the end; it changes nothing of it.
CREATE POLICY households_invited_lock ON households FOR UPDATE
  USING (invite_code = (SELECT app_invite_code()))
  WITH CHECK (id = (SELECT app_household_id()));

CREATE POLICY storage_locations_isolation ON storage_locations FOR ALL
  USING (household_id = (SELECT app_household_id()))
  WITH CHECK (household_id = (SELECT app_household_id()));
CREATE POLICY storage_locations_seeded ON storage_locations FOR SELECT USING (household_id IS NULL);

CREATE POLICY stores_isolation ON stores FOR ALL
  USING (household_id = (SELECT app_household_id()))
  WITH CHECK (household_id = (SELECT app_household_id()));

-- Shared things by the household's context, personal things by their owner's.
CREATE POLICY inventory_household_isolation ON inventory_items FOR ALL
  USING (
    CASE WHEN household_id IS NULL
      THEN created_by = (SELECT app_user_id())
      ELSE household_id = (SELECT app_household_id())
    END
  )
  WITH CHECK (
    CASE WHEN household_id IS NULL
      THEN created_by = (SELECT app_user_id())
      ELSE household_id = (SELECT app_household_id())
    END
  );

CREATE POLICY inventory_item_words_isolation ON inventory_item_words FOR ALL
  USING (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  )
  WITH CHECK (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  );

CREATE POLICY refresh_tokens_isolation ON refresh_tokens FOR ALL
  USING (user_id = (SELECT app_user_id()))
  WITH CHECK (user_id = (SELECT app_user_id()));

CREATE POLICY idempotency_keys_isolation ON idempotency_keys FOR ALL
  USING (user_id = (SELECT app_user_id()))
  WITH CHECK (user_id = (SELECT app_user_id()));

CREATE POLICY change_sequences_isolation ON change_sequences FOR ALL
  USING (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  )
  WITH CHECK (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  );

CREATE POLICY inventory_audit_isolation ON inventory_audit FOR ALL
  USING (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  )
  WITH CHECK (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  );

CREATE POLICY outbox_isolation ON outbox FOR ALL
  USING (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  )
  WITH CHECK (
    CASE WHEN inventory_id = (SELECT app_household_id()) THEN true
      ELSE inventory_id = (SELECT app_user_id())
    END
  );

-- A person enters a household with the code that is good at that moment, or as its founder while nobody
-- is in it: the context alone opens no door.
CREATE FUNCTION fn_check_household_entry() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM households h
    WHERE h.id = NEW.household_id
      AND (h.invite_code = app_invite_code()
        OR (h.created_by = NEW.id
          AND NOT EXISTS (SELECT FROM users u WHERE u.household_id = h.id)))
  ) THEN
    RAISE check_violation USING
      MESSAGE = 'entering a household takes its invite code',
      CONSTRAINT = 'users_household_entry_check';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER trg_users_household_entry_new BEFORE INSERT ON users
  FOR EACH ROW WHEN (NEW.household_id IS NOT NULL) EXECUTE FUNCTION fn_check_household_entry();
CREATE TRIGGER trg_users_household_entry BEFORE UPDATE OF household_id ON users
  FOR EACH ROW
  WHEN (NEW.household_id IS NOT NULL AND OLD.household_id IS DISTINCT FROM NEW.household_id)
  EXECUTE FUNCTION fn_check_household_entry();
