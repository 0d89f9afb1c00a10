-- What the role of a tree may do. Each function runs as the owner of the tables, for the tree of session_user.
-- Compiling a plan (jit) would take longer than any of them. The planner cannot know how many trees a role may
-- read; a LATERAL query with a LIMIT is one look-up in an index for each, whatever it estimates.

CREATE FUNCTION memtool_data.writable_tree(push bigint) RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own integer;
  last bigint;
BEGIN
  -- one writer of a tree at a time; a row that no other tree's functions lock
  SELECT t.tree, t.push INTO own, last FROM memtool_data.tree t WHERE t.role = session_user FOR UPDATE;
  IF own IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'this role has no tree in the fleet';
  END IF;
  IF push IS DISTINCT FROM last THEN  -- a process that was stopped may have read files that have changed since
    RAISE EXCEPTION USING ERRCODE = 'MT001', MESSAGE = 'a newer push of this tree has begun';
  END IF;
  RETURN own;
END
$$;

-- The number of a new push; no older one writes from now on.
CREATE FUNCTION memtool.begin_push() RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  number bigint;
BEGIN
  UPDATE memtool_data.tree t SET push = t.push + 1 WHERE t.role = session_user RETURNING t.push INTO number;
  IF number IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'this role has no tree in the fleet';
  END IF;
  RETURN number;
END
$$;

CREATE FUNCTION memtool.receipts() RETURNS TABLE (role text, line text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT r.role, r.line FROM memtool_data.receipt r WHERE r.tree = memtool_data.own_tree()
$$;

CREATE FUNCTION memtool.add_receipts(push bigint, roles text[], lines text[]) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  INSERT INTO memtool_data.receipt (tree, role, line)
  SELECT memtool_data.writable_tree(push), r.role, r.line FROM unnest(roles, lines) AS r (role, line)
  ON CONFLICT DO NOTHING
$$;

-- The chunks by tree and owner that the caller may read and asks for: of these owners, if any are named.
CREATE FUNCTION memtool_data.visible(asked text[], only_others boolean)
RETURNS TABLE (tree integer, owner text, chunks integer)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.tree, o.owner, o.chunks
  FROM memtool_data.owner o
  WHERE (asked IS NULL OR o.owner = ANY (asked))
    AND NOT (only_others AND o.tree IS NOT DISTINCT FROM (SELECT memtool_data.own_tree()))
    AND (
      o.owner = ''
      OR o.tree = (SELECT memtool_data.own_tree())
      OR (SELECT memtool_data.is_operator())
      OR EXISTS (
        SELECT FROM memtool_data.reader r
        WHERE r.reader = session_user AND r.tree IN (0, o.tree) AND o.owner = ANY (r.owners)
      )
    )
$$;

CREATE FUNCTION memtool_data.delete_document(own integer, old_path text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  id integer;
BEGIN
  DELETE FROM memtool_data.document d WHERE d.tree = own AND d.path = old_path RETURNING d.document INTO id;
  IF id IS NULL THEN
    RETURN false;
  END IF;
  -- all these rows exist: as conflicts they are looked up one by one, where an UPDATE might join whole trees
  WITH deleted AS (
    DELETE FROM memtool_data.posting p WHERE p.tree = own AND p.document = id
    RETURNING p.owner, p.field, p.term, length(p.data) / 4 AS chunks
  )
  INSERT INTO memtool_data.term AS t
  SELECT own, d.owner, d.field, d.term, -d.chunks FROM deleted d
  ON CONFLICT ON CONSTRAINT term_pkey DO UPDATE SET chunks = t.chunks + excluded.chunks;
  WITH deleted AS (
    DELETE FROM memtool_data.chunk c WHERE c.tree = own AND c.document = id RETURNING c.owner
  )
  INSERT INTO memtool_data.owner AS o
  SELECT own, d.owner, -count(*) FROM deleted d GROUP BY d.owner
  ON CONFLICT ON CONSTRAINT owner_pkey DO UPDATE SET chunks = o.chunks + excluded.chunks;
  RETURN true;
END
$$;

CREATE FUNCTION memtool.pushed() RETURNS TABLE (path text, etag text, terms integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT d.path, d.etag, d.terms FROM memtool_data.document d WHERE d.tree = memtool_data.own_tree()
$$;

-- Put a document in place of what was there: its chunks in order, and its postings in any order.
CREATE FUNCTION memtool.put_document(
  push bigint, path text, etag text, terms integer, role text, grp text, day text, title text, tags text[],
  ages integer,
  chunk_owners text[], firsts integer[], lasts integer[], trails text[], texts text[],
  owners text[], fields smallint[], words text[], bests smallint[], data bytea[]
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  own integer := memtool_data.writable_tree(push);
  id integer;
BEGIN
  PERFORM memtool_data.delete_document(own, put_document.path);
  UPDATE memtool_data.tree t SET last_document = t.last_document + 1 WHERE t.tree = own
  RETURNING t.last_document INTO id;
  INSERT INTO memtool_data.document
  VALUES (own, id, path, etag, terms, role, grp, day, title, tags, ages, clock_timestamp());
  INSERT INTO memtool_data.chunk
  SELECT own, id, c.n - 1, c.owner, c.first, c.last, c.trail, c.text
  FROM unnest(chunk_owners, firsts, lasts, trails, texts) WITH ORDINALITY
    AS c (owner, first, last, trail, text, n);
  INSERT INTO memtool_data.owner AS o
  SELECT own, c.owner, count(*) FROM unnest(chunk_owners) AS c (owner) GROUP BY c.owner
  ON CONFLICT ON CONSTRAINT owner_pkey DO UPDATE SET chunks = o.chunks + excluded.chunks;
  INSERT INTO memtool_data.posting
  SELECT own, id, p.owner, p.field, p.term, p.best, p.data
  FROM unnest(owners, fields, words, bests, data) AS p (owner, field, term, best, data);
  INSERT INTO memtool_data.term AS t
  SELECT own, p.owner, p.field, p.term, length(p.data) / 4
  FROM unnest(owners, fields, words, data) AS p (owner, field, term, data)
  ON CONFLICT ON CONSTRAINT term_pkey DO UPDATE SET chunks = t.chunks + excluded.chunks;
END
$$;

CREATE FUNCTION memtool.remove_document(push bigint, path text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT memtool_data.delete_document(memtool_data.writable_tree(push), path)
$$;

-- Note that the documents of the tree are its files as they are now.
CREATE FUNCTION memtool.finish_push(push bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  own integer := memtool_data.writable_tree(push);
BEGIN
  DELETE FROM memtool_data.term t WHERE t.tree = own AND t.chunks = 0;
  DELETE FROM memtool_data.owner o WHERE o.tree = own AND o.chunks = 0;
  UPDATE memtool_data.tree t SET pushed_at = clock_timestamp() WHERE t.tree = own;
END
$$;

CREATE FUNCTION memtool.trees() RETURNS TABLE (
  name text, is_own boolean, documents bigint, chunks bigint, joined_at timestamptz, pushed_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT t.name, t.role = session_user,
    (SELECT count(*) FROM memtool_data.document d WHERE d.tree = t.tree),
    (SELECT coalesce(sum(v.chunks), 0) FROM memtool_data.visible(NULL, false) v WHERE v.tree = t.tree),
    t.joined_at, t.pushed_at
  FROM memtool_data.tree t ORDER BY t.name
$$;

CREATE FUNCTION memtool.chunk_count(asked text[], only_others boolean) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT coalesce(sum(v.chunks), 0) FROM memtool_data.visible(asked, only_others) v
$$;

CREATE FUNCTION memtool.term_counts(asked text[], only_others boolean, fields smallint[], words text[])
RETURNS TABLE (field smallint, term text, chunks bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  WITH v AS MATERIALIZED (SELECT * FROM memtool_data.visible(asked, only_others))
  SELECT w.field, w.term, sum(c.chunks)
  FROM unnest(fields, words) AS w (field, term)
  CROSS JOIN v
  CROSS JOIN LATERAL (
    SELECT t.chunks FROM memtool_data.term t
    WHERE t.tree = v.tree AND t.owner = v.owner AND t.field = w.field AND t.term = w.term
    LIMIT 1
  ) c
  GROUP BY w.field, w.term
  HAVING sum(c.chunks) > 0
$$;

CREATE FUNCTION memtool.lexicon(
  asked text[], only_others boolean, of_field smallint, beginning text, ending text, most integer
) RETURNS TABLE (term text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT DISTINCT c.term
  FROM memtool_data.visible(asked, only_others) v
  CROSS JOIN LATERAL (
    SELECT t.term FROM memtool_data.term t
    WHERE t.tree = v.tree AND t.owner = v.owner AND t.field = of_field
      AND t.term >= beginning COLLATE "C" AND t.term < ending COLLATE "C" AND t.chunks > 0
    LIMIT most
  ) c
  LIMIT most
$$;

-- The postings of the leading terms, one term after the other and of each the documents with the greatest
-- weights first, until they have so many chunks; and those of the other terms in these documents. Narrowed to
-- documents of roles, groups and days.
CREATE FUNCTION memtool.postings(
  asked text[], only_others boolean,
  lead_fields smallint[], lead_words text[], fields smallint[], words text[], most integer,
  roles text[], groups text[], since text, until text
) RETURNS TABLE (tree integer, document integer, field smallint, term text, ages integer, data bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  WITH v AS MATERIALIZED (
    SELECT * FROM memtool_data.visible(asked, only_others)
  ), ranked AS (
    SELECT p.tree, p.document, p.owner, p.field, p.term, p.data,
      sum(length(p.data) / 4) OVER (ORDER BY w.number, p.best DESC, p.tree, p.document, p.owner)
        - length(p.data) / 4 AS chunks_before
    FROM unnest(lead_fields, lead_words) WITH ORDINALITY AS w (field, term, number)
    CROSS JOIN v
    CROSS JOIN LATERAL (
      SELECT q.tree, q.document, q.owner, q.field, q.term, q.best, q.data
      FROM memtool_data.posting q
      WHERE q.tree = v.tree AND q.owner = v.owner AND q.field = w.field AND q.term = w.term
        AND (
          (roles IS NULL AND groups IS NULL AND since IS NULL AND until IS NULL)
          OR (
            SELECT (roles IS NULL OR d.role = ANY (roles)) AND (groups IS NULL OR d.grp = ANY (groups))
              AND (since IS NULL OR d.day >= since) AND (until IS NULL OR (d.day <> '' AND d.day <= until))
            FROM memtool_data.document d WHERE d.tree = q.tree AND d.document = q.document
          )
        )
      ORDER BY q.best DESC
      LIMIT most
    ) p
  ), chosen AS MATERIALIZED (
    SELECT * FROM ranked r WHERE r.chunks_before < most
  ), found AS (
    SELECT l.tree, l.document, l.owner, d.ages
    FROM (SELECT DISTINCT c.tree, c.document, c.owner FROM chosen c) l
    CROSS JOIN LATERAL (
      SELECT e.ages FROM memtool_data.document e
      WHERE e.tree = l.tree AND e.document = l.document
      LIMIT 1
    ) d
  )
  SELECT l.tree, l.document, l.field, l.term, f.ages, l.data
  FROM chosen l JOIN found f USING (tree, document, owner)
  UNION ALL
  SELECT f.tree, f.document, w.field, w.term, f.ages, p.data
  FROM found f
  CROSS JOIN unnest(fields, words) AS w (field, term)
  CROSS JOIN LATERAL (
    SELECT q.data FROM memtool_data.posting q
    WHERE q.tree = f.tree AND q.document = f.document AND q.owner = f.owner
      AND q.field = w.field AND q.term = w.term
    LIMIT 1
  ) p
$$;

-- What is known of documents of which the caller may read a chunk.
CREATE FUNCTION memtool.documents(asked text[], only_others boolean, trees integer[], numbers integer[])
RETURNS TABLE (
  tree integer, document integer, path text, role text, grp text, day text, tags text[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT d.tree, d.document, d.path, d.role, d.grp, d.day, d.tags
  FROM unnest(trees, numbers) AS w (tree, document)
  JOIN memtool_data.document d ON d.tree = w.tree AND d.document = w.document
  WHERE EXISTS (
    SELECT FROM memtool_data.chunk c
    JOIN memtool_data.visible(asked, only_others) v ON v.tree = c.tree AND v.owner = c.owner
    WHERE c.tree = d.tree AND c.document = d.document
  )
$$;

CREATE FUNCTION memtool.chunks(
  asked text[], only_others boolean, trees integer[], documents integer[], numbers integer[]
) RETURNS TABLE (
  tree integer, document integer, number integer, name text, path text, etag text, as_of timestamptz,
  first integer, last integer, trail text, text text, role text, grp text, day text, title text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT c.tree, c.document, c.number, t.name, d.path, d.etag, greatest(d.pushed_at, t.pushed_at),
    c.first, c.last, c.trail, c.text, d.role, d.grp, d.day, d.title
  FROM unnest(trees, documents, numbers) AS w (tree, document, number)
  JOIN memtool_data.chunk c ON c.tree = w.tree AND c.document = w.document AND c.number = w.number
  JOIN memtool_data.visible(asked, only_others) v ON v.tree = c.tree AND v.owner = c.owner
  JOIN memtool_data.document d ON d.tree = c.tree AND d.document = c.document
  JOIN memtool_data.tree t ON t.tree = c.tree
$$;
