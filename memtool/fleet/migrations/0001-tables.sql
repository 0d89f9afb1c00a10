-- The tables of a fleet. The primary key of each begins with the tree.

CREATE TABLE memtool_data.tree (
  tree integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  role name NOT NULL UNIQUE,
  joined_at timestamptz NOT NULL DEFAULT now(),
  pushed_at timestamptz,                        -- when all its files were last compared with the fleet
  last_document integer NOT NULL DEFAULT 0,
  push bigint NOT NULL DEFAULT 0                -- the number of its last push, which alone may still write
);

-- Which roles may read which trees besides their own: tree 0 is every tree. Memory of users is left out,
-- except that of the owners that are named.
CREATE TABLE memtool_data.reader (
  tree integer NOT NULL,
  reader name NOT NULL,
  owners text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (tree, reader)
);

CREATE TABLE memtool_data.document (
  tree integer NOT NULL REFERENCES memtool_data.tree ON DELETE CASCADE,
  document integer NOT NULL,
  path text COLLATE "C" NOT NULL,
  etag text NOT NULL,
  terms integer NOT NULL,                       -- the version of the way text becomes terms
  role text NOT NULL,
  grp text NOT NULL,
  day text COLLATE "C" NOT NULL,
  title text NOT NULL,
  tags text[] NOT NULL,
  ages integer NOT NULL,                        -- the day from which it loses score with age, or 0
  pushed_at timestamptz NOT NULL,
  PRIMARY KEY (tree, document),
  UNIQUE (tree, path)
);

CREATE TABLE memtool_data.chunk (
  tree integer NOT NULL REFERENCES memtool_data.tree ON DELETE CASCADE,
  document integer NOT NULL,
  number integer NOT NULL,                      -- from 0 in its document
  owner text COLLATE "C" NOT NULL,
  first integer NOT NULL,
  last integer NOT NULL,
  trail text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (tree, document, number)
);

-- The chunks of one owner in a document that hold a term: 32 bits each, little endian, the number of the
-- chunk and in the last 8 bits the weight of the term there. `best` is the greatest of these weights.
CREATE TABLE memtool_data.posting (
  tree integer NOT NULL REFERENCES memtool_data.tree ON DELETE CASCADE,
  document integer NOT NULL,
  owner text COLLATE "C" NOT NULL,
  field smallint NOT NULL,
  term text COLLATE "C" NOT NULL,
  best smallint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (tree, document, owner, field, term)
);
CREATE INDEX posting_term ON memtool_data.posting (term, tree, owner, field, best DESC, document);

-- How many chunks of each owner a tree has, and how many of them hold a term.
CREATE TABLE memtool_data.owner (
  tree integer NOT NULL REFERENCES memtool_data.tree ON DELETE CASCADE,
  owner text COLLATE "C" NOT NULL,
  chunks integer NOT NULL,
  PRIMARY KEY (tree, owner)
);
CREATE TABLE memtool_data.term (
  tree integer NOT NULL REFERENCES memtool_data.tree ON DELETE CASCADE,
  owner text COLLATE "C" NOT NULL,
  field smallint NOT NULL,
  term text COLLATE "C" NOT NULL,
  chunks integer NOT NULL,
  PRIMARY KEY (tree, owner, field, term)
);
CREATE INDEX term_unused ON memtool_data.term (tree) WHERE chunks = 0;

-- What a tree has forgotten, so that no older copy of it brings it back: the lines of its file of receipts
-- and of the file of their keys, which hold keyed digests and no words.
CREATE TABLE memtool_data.receipt (
  tree integer NOT NULL REFERENCES memtool_data.tree ON DELETE CASCADE,
  role text NOT NULL,
  line text NOT NULL,
  name text COLLATE "C" NOT NULL GENERATED ALWAYS AS (md5(role || line)) STORED,
  PRIMARY KEY (tree, name)
);

-- Who calls: members of the role that owns the fleet see and administer all of it.

CREATE FUNCTION memtool_data.is_operator() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT pg_has_role(session_user, nspowner, 'MEMBER') FROM pg_namespace WHERE nspname = 'memtool_data'
$$;

CREATE FUNCTION memtool_data.own_tree() RETURNS integer
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT tree FROM memtool_data.tree WHERE role = session_user
$$;

CREATE FUNCTION memtool_data.readable_trees() RETURNS integer[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(array_agg(tree), '{}') FROM memtool_data.tree  -- its policy leaves the readable ones
$$;

-- The second wall: it holds for the owner of the tables, too, as whom the functions run.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tree', 'reader', 'document', 'chunk', 'posting', 'owner', 'term', 'receipt']
  LOOP
    EXECUTE format('ALTER TABLE memtool_data.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE memtool_data.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY operator ON memtool_data.%I'
                   ' USING ((SELECT memtool_data.is_operator()))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['document', 'chunk', 'posting', 'owner', 'term'] LOOP
    EXECUTE format('CREATE POLICY own ON memtool_data.%I'
                   ' USING (tree = (SELECT memtool_data.own_tree()))', name);
    EXECUTE format('CREATE POLICY readable ON memtool_data.%I FOR SELECT'
                   ' USING (tree = ANY ((SELECT memtool_data.readable_trees())::integer[]))', name);
  END LOOP;
END
$$;
CREATE POLICY own ON memtool_data.receipt USING (tree = (SELECT memtool_data.own_tree()));
CREATE POLICY own ON memtool_data.reader FOR SELECT USING (reader = session_user);
CREATE POLICY own ON memtool_data.tree USING (role = session_user);
CREATE POLICY readable ON memtool_data.tree FOR SELECT USING (
  EXISTS (
    SELECT FROM memtool_data.reader r WHERE r.reader = session_user AND r.tree IN (0, tree.tree)
  )
);
