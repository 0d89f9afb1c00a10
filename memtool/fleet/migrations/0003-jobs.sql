-- Jobs: commands that the operator queues for trees, and that the worker of a tree takes, runs and reports.
-- The queue, its states, attempts and locks are procrastinate's, in the schema memtool_jobs. The name of a
-- tree's queue, and the lock by which one job of a tree runs at a time, is the tree's number. procrastinate's
-- tables hold no contents: the command and the result are in memtool_data.job, which no other tree may read.
-- No table has a foreign key to the tree: inserting a job would wait for whoever has locked the tree's row.

ALTER TABLE memtool_jobs.procrastinate_workers
  ADD COLUMN tree integer NOT NULL DEFAULT memtool_data.own_tree() UNIQUE,  -- one worker of a tree at a time
  ADD COLUMN instance text NOT NULL DEFAULT '';                             -- which copy of the tree it works on

CREATE TABLE memtool_data.job (
  tree integer NOT NULL,
  job bigint NOT NULL UNIQUE REFERENCES memtool_jobs.procrastinate_jobs ON DELETE CASCADE,
  command text[] NOT NULL,
  queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz,
  outcome text CHECK (outcome IN ('ran', 'refused', 'timeout', 'interrupted')),
  exit_code integer,
  output text NOT NULL DEFAULT '',
  is_withheld boolean NOT NULL DEFAULT false,                               -- its output is not stored
  PRIMARY KEY (tree, job)
);

DO $$
DECLARE
  relation regclass;
BEGIN
  FOR relation IN
    SELECT c.oid FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace = 'memtool_jobs'::regnamespace
    UNION ALL SELECT 'memtool_data.job'::regclass
  LOOP
    EXECUTE format('CREATE POLICY operator ON %s USING ((SELECT memtool_data.is_operator()))', relation);
  END LOOP;
END
$$;
ALTER TABLE memtool_data.job ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtool_data.job FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON memtool_data.job USING (tree = (SELECT memtool_data.own_tree()));
CREATE POLICY own ON memtool_jobs.procrastinate_jobs
  USING (queue_name = (SELECT memtool_data.own_tree())::text);
CREATE POLICY own ON memtool_jobs.procrastinate_workers USING (tree = (SELECT memtool_data.own_tree()));
CREATE POLICY own ON memtool_jobs.procrastinate_events USING (
  EXISTS (
    SELECT FROM memtool_jobs.procrastinate_jobs j
    WHERE j.id = job_id AND j.queue_name = (SELECT memtool_data.own_tree())::text
  )
);
-- That a worker runs, and how many jobs wait, is shown to whoever may search the tree.
CREATE POLICY readable ON memtool_jobs.procrastinate_jobs FOR SELECT
  USING (queue_name = ANY ((SELECT memtool_data.readable_trees())::text[]));
CREATE POLICY readable ON memtool_jobs.procrastinate_workers FOR SELECT
  USING (tree = ANY ((SELECT memtool_data.readable_trees())::integer[]));

-- A tree that is removed from the fleet takes its jobs and its worker with it.
CREATE FUNCTION memtool_data.remove_jobs() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM memtool_jobs.procrastinate_jobs WHERE queue_name = OLD.tree::text;
  DELETE FROM memtool_jobs.procrastinate_workers WHERE tree = OLD.tree;
  RETURN OLD;
END
$$;
CREATE TRIGGER remove_jobs AFTER DELETE ON memtool_data.tree
  FOR EACH ROW EXECUTE FUNCTION memtool_data.remove_jobs();

-- What was forgotten may be quoted in the output of a job, so that a receipt empties all outputs of its tree.
-- A job that runs may have read it before: its output is not stored.
CREATE FUNCTION memtool_data.forget_outputs() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE memtool_data.job j SET output = '', is_withheld = j.finished_at IS NULL
  WHERE j.tree = memtool_data.own_tree() AND (j.output <> '' OR j.finished_at IS NULL);
  RETURN NULL;
END
$$;
CREATE TRIGGER forget_outputs AFTER INSERT ON memtool_data.receipt
  FOR EACH STATEMENT EXECUTE FUNCTION memtool_data.forget_outputs();

-- For the operator, who may execute these as the owner of the fleet.

CREATE FUNCTION memtool_data.queue_job(tree_name text, words text[]) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own integer;
  id bigint;
BEGIN
  SELECT t.tree INTO STRICT own FROM memtool_data.tree t WHERE t.name = tree_name;
  -- the same command waits already: it is the same job
  SELECT j.job INTO id
  FROM memtool_data.job j JOIN memtool_jobs.procrastinate_jobs p ON p.id = j.job
  WHERE j.tree = own AND j.command = words AND p.status = 'todo'
  ORDER BY j.job LIMIT 1;
  IF id IS NOT NULL THEN
    RETURN id;
  END IF;
  id := (memtool_jobs.procrastinate_defer_jobs_v1(ARRAY[
    ROW(own::text, 'memtool', 0, own::text, NULL, '{}'::jsonb, NULL)::memtool_jobs.procrastinate_job_to_defer_v1
  ]))[1];
  INSERT INTO memtool_data.job (tree, job, command) VALUES (own, id, words);
  RETURN id;
END
$$;

-- Remove jobs that are older than a week, whether they ran or not, except those that a transaction has locked.
CREATE FUNCTION memtool_data.remove_old_jobs() RETURNS void
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM memtool_jobs.procrastinate_jobs WHERE id IN (
    SELECT p.id FROM memtool_jobs.procrastinate_jobs p JOIN memtool_data.job j ON j.job = p.id
    WHERE p.status <> 'doing' AND coalesce(j.finished_at, j.queued_at) < clock_timestamp() - interval '7 days'
    FOR UPDATE SKIP LOCKED
  )
$$;

-- `silent` says that no worker of the tree has called for 30 seconds, or ever.
CREATE FUNCTION memtool_data.worker_states()
RETURNS TABLE (tree integer, is_silent boolean, seen_at timestamptz)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.tree, coalesce(w.last_heartbeat < clock_timestamp() - interval '30 seconds', true), w.last_heartbeat
  FROM memtool_data.tree t LEFT JOIN memtool_jobs.procrastinate_workers w ON w.tree = t.tree
$$;

CREATE FUNCTION memtool_data.job_states(jobs bigint[]) RETURNS TABLE (
  job bigint, status text, outcome text, exit_code integer, output text, is_silent boolean, seen_at timestamptz
)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT j.job, p.status::text, j.outcome, j.exit_code, j.output, w.is_silent, w.seen_at
  FROM memtool_data.job j
  JOIN memtool_jobs.procrastinate_jobs p ON p.id = j.job
  JOIN memtool_data.worker_states() w ON w.tree = j.tree
  WHERE j.job = ANY (jobs)
$$;

-- For the worker of a tree.

-- The tree of a worker that is the newest one of its tree; notes that it is alive, at most every 5 seconds.
CREATE FUNCTION memtool_data.working_tree(worker bigint) RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own integer := memtool_data.own_tree();
  seen_at timestamptz;
BEGIN
  IF own IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'this role has no tree in the fleet';
  END IF;
  SELECT w.last_heartbeat INTO seen_at FROM memtool_jobs.procrastinate_workers w
  WHERE w.id = worker AND w.tree = own;
  IF seen_at IS NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'another worker of this tree has begun';
  END IF;
  IF seen_at < clock_timestamp() - interval '5 seconds' THEN
    PERFORM memtool_jobs.procrastinate_update_heartbeat_v1(worker);
  END IF;
  RETURN own;
END
$$;

-- Queue the jobs again that a worker of the tree took and did not finish; the third such end is the last.
CREATE FUNCTION memtool_data.give_back(own integer) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  p memtool_jobs.procrastinate_jobs;
BEGIN
  FOR p IN
    SELECT * FROM memtool_jobs.procrastinate_jobs q WHERE q.queue_name = own::text AND q.status = 'doing'
  LOOP
    IF p.attempts >= 2 THEN
      UPDATE memtool_data.job j SET outcome = 'interrupted', finished_at = clock_timestamp()
      WHERE j.tree = own AND j.job = p.id;
      PERFORM memtool_jobs.procrastinate_finish_job_v1(p.id, 'failed', false);
    ELSE
      PERFORM memtool_jobs.procrastinate_retry_job_v2(p.id, now(), NULL, NULL, NULL);
    END IF;
  END LOOP;
END
$$;

-- The number of a new worker of the tree, which alone may take jobs from now on; NULL while a worker of
-- another copy of the tree is alive. Whoever holds the lock file of a copy is the only worker of that copy.
CREATE FUNCTION memtool.begin_work(instance text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  own integer;
  number bigint;
BEGIN
  SELECT t.tree INTO own FROM memtool_data.tree t WHERE t.role = session_user FOR NO KEY UPDATE;
  IF own IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'this role has no tree in the fleet';
  END IF;
  IF EXISTS (
    SELECT FROM memtool_jobs.procrastinate_workers w
    WHERE w.tree = own AND w.instance <> begin_work.instance
      AND w.last_heartbeat > clock_timestamp() - interval '30 seconds'
  ) THEN
    RETURN NULL;
  END IF;
  PERFORM memtool_data.give_back(own);
  DELETE FROM memtool_jobs.procrastinate_workers w WHERE w.tree = own;
  SELECT r.worker_id INTO number FROM memtool_jobs.procrastinate_register_worker_v1() r;
  UPDATE memtool_jobs.procrastinate_workers w SET instance = left(begin_work.instance, 64) WHERE w.id = number;
  RETURN number;
END
$$;

CREATE FUNCTION memtool.keep_work(worker bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
  PERFORM memtool_data.working_tree(worker);
END
$$;

-- Take the oldest waiting job. The worker has none then: what it took before and did not finish is queued
-- again. A job that waited for a week is cancelled, and what ended a week ago is removed with its output.
CREATE FUNCTION memtool.next_job(worker bigint) RETURNS TABLE (job bigint, command text[])
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  own integer := memtool_data.working_tree(worker);
  taken memtool_jobs.procrastinate_jobs;
BEGIN
  PERFORM memtool_data.give_back(own);
  PERFORM memtool_jobs.procrastinate_cancel_job_v1(p.id, false, false)
  FROM memtool_jobs.procrastinate_jobs p JOIN memtool_data.job j ON j.job = p.id
  WHERE j.tree = own AND p.status = 'todo' AND j.queued_at < clock_timestamp() - interval '7 days';
  DELETE FROM memtool_jobs.procrastinate_jobs p USING memtool_data.job j
  WHERE j.job = p.id AND j.tree = own AND p.status <> 'doing' AND j.finished_at < clock_timestamp() - interval '7 days';
  taken := memtool_jobs.procrastinate_fetch_job_v2(ARRAY[own::text], worker);
  UPDATE memtool_data.job j SET is_withheld = false WHERE j.tree = own AND j.job = taken.id AND j.is_withheld;
  RETURN QUERY SELECT j.job, j.command FROM memtool_data.job j WHERE j.tree = own AND j.job = taken.id;
END
$$;

-- Report the end of a job; false if the worker does not have it, for example because it was given back.
CREATE FUNCTION memtool.finish_job(worker bigint, job bigint, outcome text, exit_code integer, output text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  own integer := memtool_data.working_tree(worker);
BEGIN
  PERFORM FROM memtool_jobs.procrastinate_jobs p
  WHERE p.id = finish_job.job AND p.queue_name = own::text AND p.status = 'doing' AND p.worker_id = worker
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE memtool_data.job j
  SET outcome = finish_job.outcome, exit_code = finish_job.exit_code,
    output = CASE WHEN j.is_withheld THEN '' ELSE left(finish_job.output, 8192) END,
    finished_at = clock_timestamp()
  WHERE j.tree = own AND j.job = finish_job.job;
  PERFORM memtool_jobs.procrastinate_finish_job_v1(
    finish_job.job,
    CASE WHEN finish_job.outcome = 'ran' AND finish_job.exit_code = 0 THEN 'succeeded' ELSE 'failed' END
      ::memtool_jobs.procrastinate_job_status,
    false
  );
  RETURN true;
END
$$;

-- End a worker; the job that it has is queued again.
CREATE FUNCTION memtool.end_work(worker bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
  PERFORM memtool_data.give_back(memtool_data.working_tree(worker));
  PERFORM memtool_jobs.procrastinate_unregister_worker_v1(worker);
END
$$;

CREATE FUNCTION memtool.work() RETURNS TABLE (name text, is_worker_silent boolean, seen_at timestamptz, waiting bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
  SELECT t.name, w.is_silent, w.seen_at, (
    SELECT count(*) FROM memtool_jobs.procrastinate_jobs p WHERE p.queue_name = t.tree::text AND p.status = 'todo'
  )
  FROM memtool_data.tree t JOIN memtool_data.worker_states() w ON w.tree = t.tree
$$;
