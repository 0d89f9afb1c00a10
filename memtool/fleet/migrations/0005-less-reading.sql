-- Searches of common words that read the entries with great weights alone.

-- To plan a look at a table, the planner calls a function whose array a policy unnests, which takes longer
-- than most looks. It calls no function that returns rows.
CREATE FUNCTION memtool_data.each_readable_tree() RETURNS SETOF integer
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.tree FROM memtool_data.tree t  -- its policy leaves the readable ones
$$;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['document', 'chunk', 'posting', 'owner', 'term'] LOOP
    EXECUTE format('ALTER POLICY readable ON memtool_data.%I USING ((SELECT memtool_data.reads_all())'
                   ' OR tree IN (SELECT r.tree FROM memtool_data.each_readable_tree() r (tree)))', name);
  END LOOP;
END
$$;

-- For each leading term, a weight: documents in which no term weighs more than its floor score less than each
-- of the best `enough` documents does. Estimated from up to 16 trees, drawn by how many chunks they have,
-- with up to 2,000 entries of a tree and term. All floors are at the same part of their terms' entries, at
-- most half; 0 for a term that the sample lacks. NULL where there are no such floors, or too few trees for a
-- sample.
CREATE FUNCTION memtool_data.floors(
  asked text[], only_others boolean,
  lead_fields smallint[], lead_words text[], weights double precision[], share_power double precision,
  enough bigint
) RETURNS smallint[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  WITH v AS MATERIALIZED (
    SELECT o.*, least(o.trees / 30, 16) AS samples
    FROM (
      SELECT v.tree, v.owner, v.chunks::float8 AS chunks, count(*) OVER ()::float8 AS trees,
        sum(v.chunks) OVER ()::float8 AS total, sum(v.chunks) OVER (ORDER BY v.tree, v.owner)::float8 AS upto
      FROM memtool_data.visible(asked, only_others) v
      WHERE v.chunks > 0
    ) o
  ), picked AS MATERIALIZED (  -- `times` is how many documents one of the sample stands for
    SELECT p.tree, p.owner, p.picks * p.total / p.samples / p.chunks AS times
    FROM (
      SELECT v.*, floor(v.upto * v.samples / v.total + 0.5)
        - floor((v.upto - v.chunks) * v.samples / v.total + 0.5) AS picks
      FROM v
    ) p
    WHERE p.picks > 0
  ), sample AS MATERIALIZED (
    SELECT p.tree, p.owner, p.times, w.number, w.weight, q.document, q.best
    FROM picked p
    CROSS JOIN unnest(lead_fields, lead_words, weights) WITH ORDINALITY AS w (field, term, weight, number)
    CROSS JOIN LATERAL (
      SELECT r.document, r.best FROM memtool_data.posting r
      WHERE r.tree = p.tree AND r.owner = p.owner AND r.field = w.field AND r.term = w.term
      ORDER BY r.best DESC
      LIMIT 2000
    ) q
  ), enough_score AS MATERIALIZED (
    SELECT max(c.score) AS score
    FROM (
      SELECT d.score, sum(d.times) OVER (ORDER BY d.score DESC) AS documents
      FROM (
        SELECT sum(s.weight * s.best) * power(sum(s.weight), share_power) AS score, s.times
        FROM sample s GROUP BY s.tree, s.owner, s.document, s.times
      ) d
    ) c
    WHERE c.documents >= enough
  ), level AS MATERIALIZED (  -- `above` is the part of a term's entries with greater weights
    SELECT b.number, b.weight, b.best,
      coalesce(sum(b.documents) OVER (
        PARTITION BY b.number ORDER BY b.best DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0) / sum(b.documents) OVER (PARTITION BY b.number) AS above
    FROM (
      SELECT s.number, s.weight, s.best, sum(s.times) AS documents
      FROM sample s GROUP BY s.number, s.weight, s.best
    ) b
  ), parted AS MATERIALIZED (
    SELECT n.part, f.number, f.weight, f.floor
    FROM generate_series(1, 24) AS n (part)
    CROSS JOIN LATERAL (
      SELECT l.number, l.weight, min(l.best) AS floor
      FROM level l WHERE l.above <= 0.5 * power(0.8::float8, n.part - 1)
      GROUP BY l.number, l.weight
    ) f
  )
  SELECT array_agg(coalesce(f.floor, 0::smallint) ORDER BY w.number)
  FROM (
    SELECT max(s.part) AS part
    FROM (
      SELECT p.part, sum(p.weight * p.floor) * power(sum(p.weight), share_power) AS score
      FROM parted p GROUP BY p.part
    ) s
    WHERE s.score < (SELECT e.score * (1 - 1e-9) FROM enough_score e)  -- a sum of floats
  ) c
  CROSS JOIN unnest(lead_words) WITH ORDINALITY AS w (term, number)
  LEFT JOIN parted f ON f.part = c.part AND f.number = w.number
  HAVING bool_or(f.floor > 0)
$$;

-- As memtool.best_postings, but entries are read only above the floors of their terms. Documents are ranked
-- by the most that they can score: where an entry is not read, it may weigh as much as the floor. Of half as
-- many documents again as are asked for, these entries are looked up one by one. The result is empty unless a
-- fifth of `most_documents` are without doubt the best: no other document can have a greater score.
CREATE FUNCTION memtool_data.postings_above(
  asked text[], only_others boolean,
  lead_fields smallint[], lead_words text[], weights double precision[], share_power double precision,
  floors smallint[], fields smallint[], words text[], most_documents integer, most integer
) RETURNS TABLE (tree integer, document integer, field smallint, term text, ages integer, data bytea)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  WITH v AS MATERIALIZED (
    SELECT * FROM memtool_data.visible(asked, only_others)
  ), lead AS MATERIALIZED (
    SELECT w.*, CASE WHEN w.floor > 0 THEN w.weight ELSE 0 END AS open_weight, 1 << w.number::integer AS bit
    FROM unnest(lead_fields, lead_words, weights, floors) WITH ORDINALITY
      AS w (field, term, weight, floor, number)
  ), unread AS MATERIALIZED (
    SELECT sum(l.weight * l.floor) AS sum, sum(l.open_weight) AS share FROM lead l
  ), seen AS MATERIALIZED (
    SELECT v.tree, v.owner, p.document, p.bits, p.sum, p.share,
      (p.above + u.sum) * power(p.share - p.open_share + u.share, share_power) AS most_score
    FROM v
    CROSS JOIN unread u
    CROSS JOIN LATERAL (
      SELECT l.document, bit_or(l.bit) AS bits, sum(l.weight * l.best) AS sum, sum(l.weight) AS share,
        sum(l.weight * (l.best - l.floor)) AS above, sum(l.open_weight) AS open_share
      FROM (
        SELECT w.weight, w.floor, w.open_weight, w.bit, q.document, q.best
        FROM lead w
        CROSS JOIN LATERAL (
          SELECT r.document, r.best FROM memtool_data.posting r
          WHERE r.tree = v.tree AND r.owner = v.owner AND r.field = w.field AND r.term = w.term
            AND r.best > w.floor
          ORDER BY r.best DESC
          LIMIT CASE WHEN w.floor = 0 THEN most END
        ) q
      ) l
      GROUP BY l.document
    ) p
    ORDER BY most_score DESC, v.tree, p.document, v.owner
    LIMIT 3 * most_documents / 2
  ), complete AS MATERIALIZED (
    SELECT s.tree, s.owner, s.document, (s.sum + m.sum) * power(s.share + m.share, share_power) AS score
    FROM seen s
    CROSS JOIN LATERAL (  -- `data` is read for an index that finds one row: the other one has all but it
      SELECT coalesce(sum(w.weight * q.best) FILTER (WHERE q.data <> ''), 0) AS sum,
        coalesce(sum(w.weight), 0) AS share
      FROM lead w
      CROSS JOIN LATERAL (
        SELECT r.best, r.data FROM memtool_data.posting r
        WHERE r.tree = s.tree AND r.document = s.document AND r.owner = s.owner
          AND r.field = w.field AND r.term = w.term
        LIMIT 1
      ) q
      WHERE w.floor > 0 AND s.bits & w.bit = 0
    ) m
  ), best AS MATERIALIZED (
    SELECT c.tree, c.owner, c.document, c.score
    FROM complete c
    WHERE (
      SELECT count(*) >= most_documents AND count(*) FILTER (WHERE d.score >= l.score) >= most_documents / 5
      FROM complete d
      CROSS JOIN (SELECT min(s.most_score) * (1 - 1e-9) AS score FROM seen s) l
    )
    ORDER BY c.score DESC, c.tree, c.document, c.owner
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
  ), dated AS MATERIALIZED (
    SELECT c.tree, c.document, c.owner, d.ages
    FROM counted c
    CROSS JOIN LATERAL (
      SELECT e.ages FROM memtool_data.document e
      WHERE e.tree = c.tree AND e.document = c.document
      LIMIT 1
    ) d
    WHERE c.chunks_before < most
  )
  SELECT f.tree, f.document, f.field, f.term, d.ages, f.data
  FROM dated d
  JOIN found f USING (tree, document, owner)
$$;

-- What memtool.best_postings finds without filters, for leading terms that many documents hold. Where the
-- best documents are found among the entries with great weights, no others are read, and behind the first
-- fifth there may be documents that are not quite the next best ones. If not, all entries are read.
CREATE FUNCTION memtool.best_common_postings(
  asked text[], only_others boolean,
  lead_fields smallint[], lead_words text[], weights double precision[], share_power double precision,
  fields smallint[], words text[], most_documents integer, most integer
) RETURNS TABLE (tree integer, document integer, field smallint, term text, ages integer, data bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  WITH floors AS MATERIALIZED (
    SELECT memtool_data.floors(
      asked, only_others, lead_fields, lead_words, weights, share_power, 4::bigint * most_documents
    ) AS floors
    WHERE cardinality(lead_words) < 30  -- each has a bit of an integer
  ), quick AS MATERIALIZED (
    SELECT p.*
    FROM floors f
    CROSS JOIN LATERAL memtool_data.postings_above(
      asked, only_others, lead_fields, lead_words, weights, share_power, f.floors,
      fields, words, most_documents, most
    ) p
    WHERE f.floors IS NOT NULL
  )
  SELECT * FROM quick
  UNION ALL
  SELECT p.*
  FROM memtool.best_postings(
    asked, only_others, lead_fields, lead_words, weights, share_power,
    fields, words, most_documents, most, NULL, NULL, NULL, NULL
  ) p
  WHERE NOT EXISTS (SELECT FROM quick)
$$;
