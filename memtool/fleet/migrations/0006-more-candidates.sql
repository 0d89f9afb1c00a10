-- Searches of common words that look at more documents.

-- As before, but of three and a half times as many documents as are asked for, all entries of leading terms
-- are looked up: by the most that they can score, very many documents are equal. The scores by a single term
-- are known without. The look-ups of a document are made together, so that they find the pages that they
-- share in the processor's caches, and what they read is kept for the result.
CREATE OR REPLACE FUNCTION memtool_data.postings_above(
  asked text[], only_others boolean,
  lead_fields smallint[], lead_words text[], weights double precision[], share_power double precision,
  floors smallint[], fields smallint[], words text[], most_documents integer, most integer
) RETURNS TABLE (tree integer, document integer, field smallint, term text, ages integer, data bytea)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  WITH v AS MATERIALIZED (
    SELECT * FROM memtool_data.visible(asked, only_others)
  ), lead AS MATERIALIZED (  -- above a floor of 0 are all entries
    SELECT w.*, CASE WHEN w.floor = 0 THEN w.weight ELSE 0 END AS sure_weight
    FROM unnest(lead_fields, lead_words, weights, floors) AS w (field, term, weight, floor)
  ), unread AS MATERIALIZED (
    SELECT sum(l.weight * l.floor) AS sum, sum(l.weight - l.sure_weight) AS share FROM lead l
  ), seen AS MATERIALIZED (
    SELECT v.tree, v.owner, p.document,
      (p.above + (SELECT u.sum FROM unread u)) * power(p.share + (SELECT u.share FROM unread u), share_power)
        AS most_score
    FROM v
    CROSS JOIN LATERAL (
      SELECT q.document, sum(w.weight * (q.best - w.floor)) AS above, sum(w.sure_weight) AS share
      FROM lead w
      CROSS JOIN LATERAL (
        SELECT r.document, r.best FROM memtool_data.posting r
        WHERE r.tree = v.tree AND r.owner = v.owner AND r.field = w.field AND r.term = w.term
          AND r.best > w.floor
        ORDER BY r.best DESC
        LIMIT CASE WHEN w.floor = 0 THEN most END
      ) q
      GROUP BY q.document
    ) p
    ORDER BY most_score DESC, v.tree, p.document, v.owner
    LIMIT CASE WHEN cardinality(lead_words) = 1 THEN most_documents ELSE 7 * most_documents / 2 END
  ), complete AS MATERIALIZED (
    SELECT s.tree, s.owner, s.document, m.*
    FROM (SELECT * FROM seen ORDER BY tree, document) s
    CROSS JOIN LATERAL (  -- `data` is read for an index that finds one row: the other one has all but it
      SELECT sum(w.weight * q.best) * power(sum(w.weight), share_power) AS score,
        array_agg(w.field) AS fields, array_agg(w.term) AS terms, array_agg(q.data) AS data,
        max(length(q.data)) / 4 AS chunks
      FROM lead w
      CROSS JOIN LATERAL (
        SELECT r.best, r.data FROM memtool_data.posting r
        WHERE r.tree = s.tree AND r.document = s.document AND r.owner = s.owner
          AND r.field = w.field AND r.term = w.term
        LIMIT 1
      ) q
    ) m
  ), best AS MATERIALIZED (
    SELECT b.*, d.ages
    FROM (
      SELECT c.*,
        sum(c.chunks) OVER (ORDER BY c.score DESC, c.tree, c.document, c.owner) - c.chunks AS chunks_before
      FROM complete c
      WHERE (
        SELECT count(*) >= most_documents AND count(*) FILTER (WHERE d.score >= l.score) >= most_documents / 5
        FROM complete d
        CROSS JOIN (SELECT min(s.most_score) * (1 - 1e-9) AS score FROM seen s) l
      )
      ORDER BY c.score DESC, c.tree, c.document, c.owner
      LIMIT most_documents
    ) b
    CROSS JOIN LATERAL (
      SELECT e.ages FROM memtool_data.document e
      WHERE e.tree = b.tree AND e.document = b.document
      LIMIT 1
    ) d
    WHERE b.chunks_before < most
  )
  SELECT b.tree, b.document, p.field, p.term, b.ages, p.data
  FROM best b
  CROSS JOIN LATERAL unnest(b.fields, b.terms, b.data) AS p (field, term, data)
  UNION ALL
  SELECT b.tree, b.document, w.field, w.term, b.ages, p.data
  FROM best b
  CROSS JOIN (
    SELECT w.field, w.term FROM unnest(fields, words) AS w (field, term)
    EXCEPT SELECT l.field, l.term FROM lead l
  ) w
  CROSS JOIN LATERAL (
    SELECT q.data FROM memtool_data.posting q
    WHERE q.tree = b.tree AND q.document = b.document AND q.owner = b.owner
      AND q.field = w.field AND q.term = w.term
    LIMIT 1
  ) p
$$;
