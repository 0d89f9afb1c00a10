-- Searches of common words in many trees.

-- A policy is checked for each row. A role that may read every tree needs no more than one look for it, and
-- a hash table of the readable trees takes the same time for any number of them.
CREATE FUNCTION memtool_data.reads_all() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT FROM memtool_data.reader r WHERE r.reader = session_user AND r.tree = 0)
$$;
ALTER POLICY readable ON memtool_data.tree USING (
  (SELECT memtool_data.reads_all())
  OR tree IN (SELECT r.tree FROM memtool_data.reader r WHERE r.reader = session_user)
);
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['document', 'chunk', 'posting', 'owner', 'term'] LOOP
    EXECUTE format('ALTER POLICY readable ON memtool_data.%I USING ((SELECT memtool_data.reads_all())'
                   ' OR tree IN (SELECT unnest(memtool_data.readable_trees())))', name);
  END LOOP;
END
$$;

-- The counts of a term in all trees are side by side.
CREATE INDEX term_term ON memtool_data.term (term, tree, owner, field) INCLUDE (chunks);

-- The postings of terms in the documents that can have the best chunks: of the documents that hold a leading
-- term, those with the greatest sums of the terms' weights there, multiplied by a power of the share of the
-- weights that the document holds. That is the most that a chunk of the document can score. Of each leading
-- term, up to `most` documents of a tree are ranked, those with the greatest weights; of a single one no more
-- than are read. The result has documents with about `most` chunks in all. Narrowed to documents of roles,
-- groups and days.
CREATE FUNCTION memtool.best_postings(
  asked text[], only_others boolean,
  lead_fields smallint[], lead_words text[], weights double precision[], share_power double precision,
  fields smallint[], words text[], most_documents integer, most integer,
  roles text[], groups text[], since text, until text
) RETURNS TABLE (tree integer, document integer, field smallint, term text, ages integer, data bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  WITH v AS MATERIALIZED (
    SELECT * FROM memtool_data.visible(asked, only_others)
  ), best AS MATERIALIZED (
    SELECT v.tree, v.owner, p.document, p.score
    FROM v
    CROSS JOIN LATERAL (
      SELECT l.document, sum(l.weight * l.best) * power(sum(l.weight), share_power) AS score
      FROM (
        SELECT w.weight, q.document, q.best
        FROM unnest(lead_fields, lead_words, weights) AS w (field, term, weight)
        CROSS JOIN LATERAL (
          SELECT r.document, r.best FROM memtool_data.posting r
          WHERE r.tree = v.tree AND r.owner = v.owner AND r.field = w.field AND r.term = w.term
            AND (
              (roles IS NULL AND groups IS NULL AND since IS NULL AND until IS NULL)
              OR (
                SELECT (roles IS NULL OR d.role = ANY (roles)) AND (groups IS NULL OR d.grp = ANY (groups))
                  AND (since IS NULL OR d.day >= since) AND (until IS NULL OR (d.day <> '' AND d.day <= until))
                FROM memtool_data.document d WHERE d.tree = r.tree AND d.document = r.document
              )
            )
          ORDER BY r.best DESC
          LIMIT CASE WHEN cardinality(lead_words) = 1 THEN most_documents ELSE most END
        ) q
      ) l
      GROUP BY l.document
    ) p
    ORDER BY p.score DESC, v.tree, p.document, v.owner
    LIMIT most_documents
  ), found AS MATERIALIZED (
    SELECT b.tree, b.owner, b.document, b.score, w.field, w.term, p.data
    FROM best b
    CROSS JOIN unnest(fields, words) AS w (field, term)
    CROSS JOIN LATERAL (
      SELECT q.data FROM memtool_data.posting q
      WHERE q.tree = b.tree AND q.document = b.document AND q.owner = b.owner
        AND q.field = w.field AND q.term = w.term
      LIMIT 1
    ) p
  ), counted AS (
    SELECT c.tree, c.document, c.owner,
      sum(c.chunks) OVER (ORDER BY c.score DESC, c.tree, c.document, c.owner) - c.chunks AS chunks_before
    FROM (
      SELECT f.tree, f.document, f.owner, f.score, max(length(f.data)) / 4 AS chunks
      FROM found f GROUP BY f.tree, f.document, f.owner, f.score
    ) c
  )
  SELECT f.tree, f.document, f.field, f.term, d.ages, f.data
  FROM counted c
  JOIN found f USING (tree, document, owner)
  CROSS JOIN LATERAL (
    SELECT e.ages FROM memtool_data.document e
    WHERE e.tree = f.tree AND e.document = f.document
    LIMIT 1
  ) d
  WHERE c.chunks_before < most
$$;
