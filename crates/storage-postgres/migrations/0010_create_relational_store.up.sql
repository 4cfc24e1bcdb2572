-- Things of any kind, how they belong together, what exists once, and who may do what with them. An account owns
-- all of it; both ends of a relationship are of one account because the references say so.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE FUNCTION is_resource_urn(p_urn text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN octet_length(split_part(p_urn, ':', 3)) <= 200 AND p_urn COLLATE "C" ~
    ('^urn:[a-z0-9][a-z0-9-]{0,31}:[A-Z][A-Za-z0-9]*(\.[A-Z][A-Za-z0-9]*)*::'
     || '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$');
CREATE FUNCTION is_granted_actions(p_actions text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN cardinality(p_actions) BETWEEN 1 AND 16 AND array_position(p_actions, NULL) IS NULL
    AND '' || array_to_string(p_actions, ',') COLLATE "C" ~
      '^(\*|[a-z][a-z0-9:._-]{0,63})(,(\*|[a-z][a-z0-9:._-]{0,63}))*$';
-- The account that a transaction works for.
CREATE FUNCTION app_account_urn() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN NULLIF(current_setting('app.account_urn', true), '');

CREATE TABLE resources (
  urn            text COLLATE "C" PRIMARY KEY CHECK (is_resource_urn(urn)),
  account_urn    text COLLATE "C" NOT NULL CHECK (is_resource_urn(account_urn)),
  resource_type  text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(urn, ':', 3)) STORED,
  id             uuid NOT NULL GENERATED ALWAYS AS (split_part(urn, ':', 5)::uuid) STORED,
  schema_version bigint NOT NULL CHECK (schema_version BETWEEN 1 AND 4294967295),
  version        bigint NOT NULL DEFAULT 1 CHECK (version >= 1),
  attributes     jsonb NOT NULL CHECK (jsonb_typeof(attributes) = 'object'),
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  -- For the references, and for lists: those of one kind are a range of it.
  UNIQUE (account_urn, urn)
);

-- One parent at most. A parent that has children cannot go: whoever deletes it takes them first.
CREATE TABLE parent_child_relationships (
  child_urn   text COLLATE "C" PRIMARY KEY,
  parent_urn  text COLLATE "C" NOT NULL,
  account_urn text COLLATE "C" NOT NULL,
  created_at  timestamptz NOT NULL,
  CONSTRAINT parent_child_relationships_differ CHECK (parent_urn <> child_urn),
  CONSTRAINT parent_child_relationships_parent_fkey FOREIGN KEY (account_urn, parent_urn)
    REFERENCES resources (account_urn, urn),
  CONSTRAINT parent_child_relationships_child_fkey FOREIGN KEY (account_urn, child_urn)
    REFERENCES resources (account_urn, urn) ON DELETE CASCADE
);
CREATE UNIQUE INDEX idx_parent_child_relationships_children
  ON parent_child_relationships (account_urn, parent_urn, child_urn);

CREATE TABLE collection_member_relationships (
  account_urn           text COLLATE "C" NOT NULL,
  collection_urn        text COLLATE "C" NOT NULL,
  member_urn            text COLLATE "C" NOT NULL,
  conveys_authorization boolean NOT NULL,
  created_at            timestamptz NOT NULL,
  CONSTRAINT collection_member_relationships_differ CHECK (member_urn <> collection_urn),
  PRIMARY KEY (account_urn, collection_urn, member_urn),
  CONSTRAINT collection_member_relationships_collection_fkey FOREIGN KEY (account_urn, collection_urn)
    REFERENCES resources (account_urn, urn) ON DELETE CASCADE,
  CONSTRAINT collection_member_relationships_member_fkey FOREIGN KEY (account_urn, member_urn)
    REFERENCES resources (account_urn, urn) ON DELETE CASCADE
);
CREATE UNIQUE INDEX idx_collection_member_relationships_collections
  ON collection_member_relationships (account_urn, member_urn, collection_urn);

-- The value is what is compared: that which was given, or its folded form where case does not matter.
CREATE TABLE unique_key_values (
  resource_type         text COLLATE "C" NOT NULL,
  key                   varchar(64) COLLATE "C" NOT NULL CHECK (key ~ '^[A-Za-z][A-Za-z0-9_]*$'),
  value                 text COLLATE "C" NOT NULL CHECK (octet_length(value) BETWEEN 1 AND 600),
  given_value           text COLLATE "C" NOT NULL CHECK (octet_length(given_value) BETWEEN 1 AND 600),
  case_insensitive      boolean NOT NULL CHECK (case_insensitive OR value = given_value),
  associated_record_urn text COLLATE "C" NOT NULL
    CHECK (split_part(associated_record_urn, ':', 3) = resource_type),
  account_urn           text COLLATE "C" NOT NULL,
  created_at            timestamptz NOT NULL,
  updated_at            timestamptz NOT NULL,
  PRIMARY KEY (resource_type, key, value),
  CONSTRAINT unique_key_values_holder_fkey FOREIGN KEY (account_urn, associated_record_urn)
    REFERENCES resources (account_urn, urn) ON DELETE CASCADE
);
CREATE INDEX idx_unique_key_values_holder ON unique_key_values (account_urn, associated_record_urn);

-- On a resource, with which it goes, or on the account itself.
CREATE TABLE grants (
  account_urn       text COLLATE "C" NOT NULL CHECK (is_resource_urn(account_urn)),
  resource_urn      text COLLATE "C" NOT NULL,
  principal_urn     text COLLATE "C" NOT NULL CHECK (is_resource_urn(principal_urn)),
  actions           text[] NOT NULL CHECK (is_granted_actions(actions)),
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  -- The resource, if it is one.
  below_account_urn text COLLATE "C"
    GENERATED ALWAYS AS (NULLIF(resource_urn, account_urn)) STORED,
  PRIMARY KEY (account_urn, resource_urn, principal_urn),
  CONSTRAINT grants_resource_fkey FOREIGN KEY (account_urn, below_account_urn)
    REFERENCES resources (account_urn, urn) ON DELETE CASCADE
);
CREATE INDEX idx_grants_principal ON grants (account_urn, principal_urn, resource_urn);
CREATE INDEX idx_grants_resource ON grants (account_urn, below_account_urn)
  WHERE below_account_urn IS NOT NULL;

-- Deletions that take more than one transaction. The time at which the root was made tells it from one that
-- somebody makes anew under the same name.
CREATE TABLE resource_deletions (
  id              uuid PRIMARY KEY,
  account_urn     text COLLATE "C" NOT NULL CHECK (is_resource_urn(account_urn)),
  root_urn        text COLLATE "C" NOT NULL CHECK (is_resource_urn(root_urn)),
  root_created_at timestamptz NOT NULL,
  removed         bigint NOT NULL DEFAULT 0 CHECK (removed >= 0),
  total           bigint CHECK (total >= 0),
  started_at      timestamptz NOT NULL,
  finished_at     timestamptz
);
CREATE INDEX idx_resource_deletions_open ON resource_deletions (started_at, id) WHERE finished_at IS NULL;
CREATE INDEX idx_resource_deletions_finished ON resource_deletions (finished_at)
  WHERE finished_at IS NOT NULL;

-- How far jobs have come that go through everything.
CREATE TABLE bookmarks (
  job   varchar(64) PRIMARY KEY,
  place text NOT NULL
);

-- Whoever uses the relational store alone has users of their own.
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_user_id_fkey;

ALTER TABLE resources ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE parent_child_relationships ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE collection_member_relationships ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE unique_key_values ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE grants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE resource_deletions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY resources_isolation ON resources FOR ALL
  USING (account_urn = (SELECT app_account_urn()))
  WITH CHECK (account_urn = (SELECT app_account_urn()));
CREATE POLICY parent_child_relationships_isolation ON parent_child_relationships FOR ALL
  USING (account_urn = (SELECT app_account_urn()))
  WITH CHECK (account_urn = (SELECT app_account_urn()));
CREATE POLICY collection_member_relationships_isolation ON collection_member_relationships FOR ALL
  USING (account_urn = (SELECT app_account_urn()))
  WITH CHECK (account_urn = (SELECT app_account_urn()));
CREATE POLICY unique_key_values_isolation ON unique_key_values FOR ALL
  USING (account_urn = (SELECT app_account_urn()))
  WITH CHECK (account_urn = (SELECT app_account_urn()));
CREATE POLICY grants_isolation ON grants FOR ALL
  USING (account_urn = (SELECT app_account_urn()))
  WITH CHECK (account_urn = (SELECT app_account_urn()));
CREATE POLICY resource_deletions_isolation ON resource_deletions FOR ALL
  USING (account_urn = (SELECT app_account_urn()))
  WITH CHECK (account_urn = (SELECT app_account_urn()));
-- For the functions below that work across accounts, which run as the owner.
CREATE POLICY resources_names ON resources FOR SELECT TO CURRENT_USER
  USING ((SELECT app_is_across_households()));
CREATE POLICY resource_deletions_across ON resource_deletions FOR ALL TO CURRENT_USER
  USING ((SELECT app_is_across_households())) WITH CHECK (false);

-- Whoever changes which resources are above others has this lock until the end of the transaction, so that what
-- was found to be above or below something stays so. Making a resource needs no lock: nothing is below it yet.
CREATE FUNCTION fn_lock_tree(p_account text) RETURNS void LANGUAGE sql
  RETURN pg_advisory_xact_lock(1818325604, hashtext(p_account));

-- A resource as the last committed change left it, and so until the end of the transaction.
CREATE FUNCTION locked_resource(p_account text, p_urn text)
RETURNS TABLE (
  urn text, account_urn text, parent_urn text, schema_version bigint, version bigint, attributes text,
  unique_keys text, created_at timestamptz, updated_at timestamptz)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  PERFORM FROM resources r WHERE r.account_urn = p_account AND r.urn = p_urn FOR NO KEY UPDATE;
  -- Another statement, because one that has waited sees its row anew and all other tables as before.
  RETURN QUERY
    SELECT r.urn, r.account_urn,
      (SELECT p.parent_urn FROM parent_child_relationships p WHERE p.child_urn = r.urn),
      r.schema_version, r.version, r.attributes::text,
      (SELECT json_agg(json_build_array(k.key, k.given_value, k.case_insensitive))::text
       FROM unique_key_values k
       WHERE k.account_urn = r.account_urn AND k.associated_record_urn = r.urn),
      r.created_at, r.updated_at
    FROM resources r WHERE r.account_urn = p_account AND r.urn = p_urn;
END $$;

-- Answers attached, not_found, parent_not_found or cycle.
CREATE FUNCTION attach_resource(p_account text, p_parent text, p_child text, p_at timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM fn_lock_tree(p_account);
  PERFORM FROM resources r WHERE r.account_urn = p_account AND r.urn = p_child FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 'not_found';
  END IF;
  PERFORM FROM parent_child_relationships p WHERE p.child_urn = p_child AND p.parent_urn = p_parent;
  IF FOUND THEN
    RETURN 'attached';
  END IF;
  PERFORM FROM resources r WHERE r.account_urn = p_account AND r.urn = p_parent FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN 'parent_not_found';
  END IF;
  IF EXISTS (
    WITH RECURSIVE above (urn) AS (
      SELECT p_parent COLLATE "C"
      UNION ALL
      SELECT next.parent_urn FROM above a CROSS JOIN LATERAL (
        SELECT p.parent_urn FROM parent_child_relationships p WHERE p.child_urn = a.urn LIMIT 1) AS next)
    SELECT FROM above a WHERE a.urn = p_child)
  THEN
    RETURN 'cycle';
  END IF;
  INSERT INTO parent_child_relationships (child_urn, parent_urn, account_urn, created_at)
  VALUES (p_child, p_parent, p_account, p_at)
  ON CONFLICT (child_urn) DO UPDATE
  SET parent_urn = EXCLUDED.parent_urn, created_at = EXCLUDED.created_at;
  UPDATE resources r SET version = r.version + 1, updated_at = p_at
  WHERE r.account_urn = p_account AND r.urn = p_child;
  RETURN 'attached';
END $$;

CREATE FUNCTION detach_resource(p_account text, p_child text, p_at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM fn_lock_tree(p_account);
  PERFORM FROM resources r WHERE r.account_urn = p_account AND r.urn = p_child FOR NO KEY UPDATE;
  DELETE FROM parent_child_relationships p WHERE p.account_urn = p_account AND p.child_urn = p_child;
  IF FOUND THEN
    UPDATE resources r SET version = r.version + 1, updated_at = p_at
    WHERE r.account_urn = p_account AND r.urn = p_child;
  END IF;
END $$;

-- The first p_limit resources of a tree, each after all that is below it. Step by step along the index, so that
-- neither the size nor the depth of the tree matters.
CREATE FUNCTION subtree_leaves_first(p_account text, p_root text, p_limit integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
  place text := p_root;
  found_urns text[] := '{}';
  child text;
  parent text;
BEGIN
  LOOP
    LOOP
      SELECT p.child_urn INTO child FROM parent_child_relationships p
      WHERE p.account_urn = p_account AND p.parent_urn = place ORDER BY p.child_urn LIMIT 1;
      EXIT WHEN NOT FOUND;
      place := child;
    END LOOP;
    LOOP
      found_urns := found_urns || place;
      IF place = p_root OR cardinality(found_urns) >= p_limit THEN
        RETURN found_urns;
      END IF;
      SELECT p.parent_urn INTO STRICT parent FROM parent_child_relationships p WHERE p.child_urn = place;
      SELECT p.child_urn INTO child FROM parent_child_relationships p
      WHERE p.account_urn = p_account AND p.parent_urn = parent AND p.child_urn > place
      ORDER BY p.child_urn LIMIT 1;
      -- Down into the next sibling, or up.
      IF FOUND THEN
        place := child;
        EXIT;
      END IF;
      place := parent;
    END LOOP;
  END LOOP;
END $$;

-- The first p_limit resources of a tree behind p_behind (NULL: from the root), each before all that is below it and
-- siblings in the order of their URNs. None if p_behind is not in the tree any more.
CREATE FUNCTION subtree_in_preorder(p_account text, p_root text, p_behind text, p_limit integer)
RETURNS text[] LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
  place text := p_behind;
  found_urns text[] := '{}';
  child text;
  parent text;
BEGIN
  IF place IS NULL THEN
    place := p_root;
    found_urns := ARRAY[place];
  ELSIF NOT EXISTS (
    WITH RECURSIVE above (urn) AS (
      SELECT p_behind COLLATE "C"
      UNION ALL
      SELECT next.parent_urn FROM above a CROSS JOIN LATERAL (
        SELECT p.parent_urn FROM parent_child_relationships p WHERE p.child_urn = a.urn LIMIT 1) AS next)
    SELECT FROM above a WHERE a.urn = p_root)
  THEN
    RETURN found_urns;
  END IF;
  WHILE cardinality(found_urns) < p_limit LOOP
    SELECT p.child_urn INTO child FROM parent_child_relationships p
    WHERE p.account_urn = p_account AND p.parent_urn = place ORDER BY p.child_urn LIMIT 1;
    WHILE child IS NULL LOOP
      IF place = p_root THEN
        RETURN found_urns;
      END IF;
      SELECT p.parent_urn INTO STRICT parent FROM parent_child_relationships p WHERE p.child_urn = place;
      SELECT p.child_urn INTO child FROM parent_child_relationships p
      WHERE p.account_urn = p_account AND p.parent_urn = parent AND p.child_urn > place
      ORDER BY p.child_urn LIMIT 1;
      place := parent;
    END LOOP;
    place := child;
    found_urns := found_urns || place;
  END LOOP;
  RETURN found_urns;
END $$;

-- Whose a resource is: the context of whatever is asked about it.
CREATE FUNCTION account_of_resource(p_urn text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  account text;
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  SELECT r.account_urn INTO account FROM resources r WHERE r.urn = p_urn;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN account;
END $$;

-- What is known of a resource and of all whose grants hold for it, nearest first, and of its account last, whose urn
-- is NULL. Nothing if there is no such resource. Gives itself its context.
CREATE FUNCTION authorizing_urns(p_principal text, p_urn text, p_limit integer)
RETURNS TABLE (account_urn text, urn text, parent_urn text, conveying text[], actions text[])
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  account text := account_of_resource(p_urn);
BEGIN
  IF account IS NULL THEN
    RETURN;
  END IF;
  PERFORM set_config('app.account_urn', account, true);
  RETURN QUERY
    WITH RECURSIVE above (urn) AS (
      SELECT p_urn COLLATE "C"
      UNION
      SELECT next.urn FROM above a CROSS JOIN LATERAL (
        (SELECT p.parent_urn AS urn FROM parent_child_relationships p WHERE p.child_urn = a.urn LIMIT 1)
        UNION ALL
        (SELECT m.collection_urn FROM collection_member_relationships m
         WHERE m.account_urn = account AND m.member_urn = a.urn AND m.conveys_authorization
         ORDER BY m.collection_urn LIMIT p_limit)) AS next)
    SELECT account, a.urn,
      (SELECT p.parent_urn FROM parent_child_relationships p WHERE p.child_urn = a.urn),
      ARRAY(
        SELECT m.collection_urn FROM collection_member_relationships m
        WHERE m.account_urn = account AND m.member_urn = a.urn AND m.conveys_authorization
        ORDER BY m.collection_urn LIMIT p_limit),
      (SELECT g.actions FROM grants g
       WHERE g.account_urn = account AND g.resource_urn = a.urn AND g.principal_urn = p_principal)
    FROM (SELECT above.urn FROM above LIMIT p_limit) AS a;
  RETURN QUERY
    SELECT account, NULL, NULL, NULL::text[], g.actions FROM grants g
    WHERE g.account_urn = account AND g.resource_urn = account AND g.principal_urn = p_principal;
END $$;

-- The names of all accounts' resources, page by page; the first page is behind two empty texts.
CREATE FUNCTION resources_behind(p_behind_account text, p_behind_urn text, p_limit integer)
RETURNS TABLE (account_urn text, urn text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  RETURN QUERY
    SELECT r.account_urn, r.urn FROM resources r
    WHERE (r.account_urn, r.urn) > (p_behind_account, p_behind_urn)
    ORDER BY r.account_urn, r.urn LIMIT p_limit;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

-- Deletions that go on, the oldest first.
CREATE FUNCTION open_deletions(p_limit integer) RETURNS TABLE (id uuid, account_urn text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  RETURN QUERY
    SELECT d.id, d.account_urn FROM resource_deletions d WHERE d.finished_at IS NULL
    ORDER BY d.started_at, d.id LIMIT p_limit;
  PERFORM set_config('app.across_households', 'off', true);
END $$;

-- Deletes at most p_limit of those that ended more than a day ago.
CREATE FUNCTION sweep_deletions(p_now timestamptz, p_limit integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  expired_at timestamptz := least(p_now, now()) - interval '1 day';
  swept bigint;
BEGIN
  PERFORM set_config('app.across_households', 'on', true);
  WITH due AS (
    SELECT d.id FROM resource_deletions d WHERE d.finished_at <= expired_at
    ORDER BY d.finished_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  DELETE FROM resource_deletions d USING due WHERE d.id = due.id;
  GET DIAGNOSTICS swept = ROW_COUNT;
  PERFORM set_config('app.across_households', 'off', true);
  RETURN swept;
END $$;

REVOKE ALL ON FUNCTION
  fn_lock_tree(text), locked_resource(text, text), attach_resource(text, text, text, timestamptz),
  detach_resource(text, text, timestamptz), subtree_leaves_first(text, text, integer),
  subtree_in_preorder(text, text, text, integer), account_of_resource(text),
  authorizing_urns(text, text, integer), resources_behind(text, text, integer), open_deletions(integer),
  sweep_deletions(timestamptz, integer)
FROM PUBLIC;
