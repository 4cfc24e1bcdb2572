-- The photo of a resource, with which it goes. Its id is the content address.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE TABLE resource_photos (
  account_urn  text COLLATE "C" NOT NULL,
  resource_urn text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL CHECK (id ~ '^[0-9a-f]{32}$'),
  full_size    bytea NOT NULL,
  thumbnail    bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (account_urn, resource_urn),
  CONSTRAINT resource_photos_resource_fkey FOREIGN KEY (account_urn, resource_urn)
    REFERENCES resources (account_urn, urn) ON DELETE CASCADE
);
-- They are compressed already.
ALTER TABLE resource_photos
  ALTER COLUMN full_size SET STORAGE EXTERNAL, ALTER COLUMN thumbnail SET STORAGE EXTERNAL;

ALTER TABLE resource_photos ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY resource_photos_isolation ON resource_photos FOR ALL
  USING (account_urn = (SELECT app_account_urn()))
  WITH CHECK (account_urn = (SELECT app_account_urn()));
