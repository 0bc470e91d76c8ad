/** Runs, their logs and files. */
export const RUNS = `
  CREATE TABLE runs (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    environment_id text COLLATE "C" NOT NULL,
    script_id text COLLATE "C" NOT NULL,
    script_slug text NOT NULL,
    version_id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    status text NOT NULL,
    phase text NOT NULL,
    inputs json NOT NULL,
    output json,
    error text,
    started_by_user_id text COLLATE "C",
    credential_id text COLLATE "C",
    credential_type text,
    credential_name text,
    by_agent boolean NOT NULL,
    interface text NOT NULL,
    approval_request_id text COLLATE "C",
    schedule_id text COLLATE "C",
    trigger_id text COLLATE "C",
    test boolean NOT NULL,
    progress double precision,
    progress_message text,
    log_lines integer NOT NULL DEFAULT 0,
    network json NOT NULL DEFAULT '[]',
    started_at timestamptz NOT NULL DEFAULT now(),
    execution_started_at timestamptz,
    finished_at timestamptz,
    duration_ms integer,
    cancel_requested_at timestamptz,
    claim integer NOT NULL DEFAULT 0,
    worker_id text COLLATE "C",
    lease_until timestamptz,
    hops integer NOT NULL DEFAULT 0,
    chain_event_id text COLLATE "C",
    CONSTRAINT runs_interface_check CHECK (interface IN ('app', 'api', 'cli', 'mcp', 'schedule', 'trigger')),
    CONSTRAINT runs_phase_check CHECK (phase IN ('held', 'queued', 'starting', 'executing', 'finished')),
    CONSTRAINT runs_status_check CHECK (status IN ('awaiting_approval', 'running', 'succeeded', 'failed', 'cancelled'))
  );
  CREATE INDEX runs_by_environment ON runs (environment_id, id);
  CREATE INDEX runs_by_interface ON runs (workspace_id, interface, id);
  CREATE INDEX runs_by_person ON runs (workspace_id, started_by_user_id, id);
  CREATE INDEX runs_by_schedule ON runs (schedule_id, id) WHERE schedule_id IS NOT NULL;
  CREATE INDEX runs_by_script ON runs (script_id, id);
  CREATE INDEX runs_by_status ON runs (workspace_id, status, id);
  CREATE INDEX runs_by_trigger ON runs (trigger_id, id) WHERE trigger_id IS NOT NULL;
  CREATE INDEX runs_leased ON runs (lease_until) WHERE lease_until IS NOT NULL;
  CREATE INDEX runs_list ON runs (workspace_id, id);
  CREATE INDEX runs_queue ON runs (workspace_id, id) WHERE phase = 'queued';
  CREATE INDEX runs_taken ON runs (workspace_id, worker_id) WHERE phase IN ('starting', 'executing');

  CREATE TABLE run_log_chunks (
    run_id text COLLATE "C" NOT NULL REFERENCES runs ON DELETE CASCADE,
    first_line integer NOT NULL,
    lines text[] NOT NULL,
    PRIMARY KEY (run_id, first_line)
  );

  CREATE TABLE file_blobs (
    key text COLLATE "C" PRIMARY KEY,
    check_at timestamptz NOT NULL
  );
  CREATE INDEX file_blobs_due ON file_blobs (check_at);

  CREATE TABLE files (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    environment_id text COLLATE "C" NOT NULL,
    direction text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    blob_key text COLLATE "C" NOT NULL REFERENCES file_blobs,
    run_id text COLLATE "C" REFERENCES runs ON DELETE CASCADE,
    field text,
    position integer,
    created_by_user_id text COLLATE "C",
    credential_id text COLLATE "C",
    credential_name text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT files_direction_check CHECK (direction IN ('in', 'out'))
  );
  CREATE INDEX files_by_blob ON files (blob_key);
  CREATE INDEX files_by_environment ON files (environment_id, id);
  CREATE INDEX files_by_person ON files (workspace_id, created_by_user_id, id) WHERE created_by_user_id IS NOT NULL;
  CREATE INDEX files_by_run ON files (run_id, id) WHERE run_id IS NOT NULL;
  CREATE INDEX files_expiry ON files (expires_at);
  CREATE INDEX files_list ON files (workspace_id, id);
`;
