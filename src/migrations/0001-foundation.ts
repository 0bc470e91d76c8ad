import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ids are compared byte by byte (`COLLATE "C"`), which is what makes them sort by creation. Every list is read by one
 * index of the form (what it is filtered by, id).
 */
export class Foundation1760000000001 implements MigrationInterface {
  name = 'Foundation1760000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(IDENTITY);
    await runner.query(CREDENTIALS);
    await runner.query(SCRIPTS);
    await runner.query(RUNS);
    await runner.query(RECORDS);
    await runner.query(MACHINERY);
  }

  async down(): Promise<void> {
    throw new Error('The first migration cannot be undone: drop the database instead.');
  }
}

const IDENTITY = `
  CREATE TABLE users (
    id text COLLATE "C" PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_email_key UNIQUE (email)
  );

  CREATE TABLE workspaces (
    id text COLLATE "C" PRIMARY KEY,
    slug text NOT NULL,
    name text NOT NULL,
    publish_needs_second_person boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz
  );
  CREATE UNIQUE INDEX workspaces_slug_key ON workspaces (slug) WHERE deleted_at IS NULL;

  CREATE TABLE memberships (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'guest')),
    joined_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT memberships_person_key UNIQUE (user_id, workspace_id)
  );
  CREATE INDEX memberships_list ON memberships (workspace_id, id);

  CREATE TABLE invitations (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    email text NOT NULL,
    role text CHECK (role IN ('owner', 'admin', 'member', 'guest')),
    team_ids text[] NOT NULL DEFAULT '{}',
    token_hash bytea NOT NULL,
    invited_by text COLLATE "C" REFERENCES users,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    accepted_at timestamptz,
    declined_at timestamptz,
    CONSTRAINT invitations_token_key UNIQUE (token_hash)
  );
  CREATE INDEX invitations_open ON invitations (workspace_id, id) WHERE accepted_at IS NULL AND declined_at IS NULL;

  CREATE TABLE teams (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    is_default boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT teams_name_key UNIQUE (workspace_id, name)
  );
  CREATE UNIQUE INDEX teams_default ON teams (workspace_id) WHERE is_default;

  CREATE TABLE team_members (
    team_id text COLLATE "C" NOT NULL REFERENCES teams ON DELETE CASCADE,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    PRIMARY KEY (team_id, user_id)
  );
  CREATE INDEX team_members_person ON team_members (user_id, team_id);

  CREATE TABLE environments (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    approval_policy text NOT NULL CHECK (approval_policy IN ('none', 'agents', 'always')),
    agents_allowed boolean NOT NULL,
    is_default boolean NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz
  );
  CREATE UNIQUE INDEX environments_name_key ON environments (workspace_id, name) WHERE deleted_at IS NULL;
  CREATE UNIQUE INDEX environments_default ON environments (workspace_id) WHERE is_default AND deleted_at IS NULL;
  CREATE INDEX environments_list ON environments (workspace_id, id) WHERE deleted_at IS NULL;
`;

const CREDENTIALS = `
  CREATE TABLE sessions (
    hash bytea PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX sessions_person ON sessions (user_id);
  CREATE INDEX sessions_expiry ON sessions (expires_at);

  CREATE TABLE password_resets (
    hash bytea PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  );

  CREATE TABLE personal_tokens (
    id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    name text NOT NULL,
    scopes text[] NOT NULL,
    workspace_ids text[],
    hash bytea NOT NULL,
    last4 text NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT personal_tokens_hash_key UNIQUE (hash)
  );
  CREATE INDEX personal_tokens_list ON personal_tokens (user_id, id) WHERE revoked_at IS NULL;

  CREATE TABLE api_keys (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    environment_id text COLLATE "C" REFERENCES environments,
    name text NOT NULL,
    hash bytea NOT NULL,
    last4 text NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT api_keys_hash_key UNIQUE (hash)
  );
  CREATE INDEX api_keys_list ON api_keys (workspace_id, id) WHERE revoked_at IS NULL;
  CREATE INDEX api_keys_environment ON api_keys (environment_id) WHERE revoked_at IS NULL;

  CREATE TABLE agent_grants (
    id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    app_name text NOT NULL,
    scopes text[] NOT NULL,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE agent_access_tokens (
    hash bytea PRIMARY KEY,
    grant_id text COLLATE "C" NOT NULL REFERENCES agent_grants ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX agent_access_tokens_expiry ON agent_access_tokens (expires_at);
`;

const SCRIPTS = `
  CREATE TABLE scripts (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    slug text NOT NULL,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'archived')),
    owner_user_id text COLLATE "C" REFERENCES users,
    published_version integer,
    access text NOT NULL DEFAULT 'workspace' CHECK (access IN ('workspace', 'teams')),
    team_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
    approval_policy text NOT NULL DEFAULT 'none' CHECK (approval_policy IN ('none', 'agents', 'always')),
    tags text[] NOT NULL DEFAULT '{}',
    last_version integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT scripts_slug_key UNIQUE (workspace_id, slug)
  );
  CREATE INDEX scripts_list ON scripts (workspace_id, id);
  CREATE INDEX scripts_by_status ON scripts (workspace_id, status, id);
  CREATE INDEX scripts_by_tag ON scripts USING gin (tags);
  CREATE INDEX scripts_by_team ON scripts USING gin (team_ids) WHERE access = 'teams';

  CREATE TABLE script_versions (
    id text COLLATE "C" PRIMARY KEY,
    script_id text COLLATE "C" NOT NULL REFERENCES scripts,
    number integer NOT NULL,
    command text NOT NULL,
    build text,
    build_log text,
    -- Not jsonb, which forgets the order of a schema's properties.
    input_schema json NOT NULL,
    output_schema json,
    archive_key text NOT NULL,
    archive_bytes integer NOT NULL,
    archive_sha256 text NOT NULL,
    timeout_seconds integer NOT NULL,
    hosts text[] NOT NULL,
    secrets jsonb NOT NULL,
    env text[] NOT NULL,
    readme text,
    created_via text NOT NULL CHECK (created_via IN ('cli', 'api', 'app')),
    created_by_user_id text COLLATE "C" REFERENCES users,
    published_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT script_versions_number_key UNIQUE (script_id, number)
  );
  CREATE INDEX script_versions_list ON script_versions (script_id, id);

  CREATE TABLE script_activity (
    script_id text COLLATE "C" NOT NULL REFERENCES scripts,
    day date NOT NULL,
    interface text NOT NULL,
    runs integer NOT NULL DEFAULT 0,
    succeeded integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    last_run_at timestamptz,
    PRIMARY KEY (script_id, day, interface)
  ) WITH (fillfactor = 50);

  CREATE TABLE script_people (
    script_id text COLLATE "C" NOT NULL REFERENCES scripts,
    day date NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    runs integer NOT NULL DEFAULT 0,
    PRIMARY KEY (script_id, day, user_id)
  ) WITH (fillfactor = 50);
`;

const RUNS = `
  CREATE TABLE runs (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    environment_id text COLLATE "C" NOT NULL,
    script_id text COLLATE "C" NOT NULL,
    script_slug text NOT NULL,
    version_id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    status text NOT NULL CHECK (status IN ('awaiting_approval', 'running', 'succeeded', 'failed', 'cancelled')),
    phase text NOT NULL CHECK (phase IN ('held', 'queued', 'starting', 'executing', 'finished')),
    inputs json NOT NULL,
    output json,
    error text,
    started_by_user_id text COLLATE "C",
    credential_id text COLLATE "C",
    credential_type text,
    credential_name text,
    by_agent boolean NOT NULL,
    interface text NOT NULL CHECK (interface IN ('app', 'api', 'cli', 'mcp', 'schedule', 'trigger')),
    approval_request_id text COLLATE "C",
    schedule_id text COLLATE "C",
    trigger_id text COLLATE "C",
    test boolean NOT NULL,
    progress real,
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
    lease_until timestamptz
  );
  CREATE INDEX runs_list ON runs (workspace_id, id);
  CREATE INDEX runs_by_script ON runs (script_id, id);
  CREATE INDEX runs_by_status ON runs (workspace_id, status, id);
  CREATE INDEX runs_by_environment ON runs (environment_id, id);
  CREATE INDEX runs_by_interface ON runs (workspace_id, interface, id);
  CREATE INDEX runs_by_person ON runs (workspace_id, started_by_user_id, id);
  CREATE INDEX runs_by_schedule ON runs (schedule_id, id) WHERE schedule_id IS NOT NULL;
  CREATE INDEX runs_by_trigger ON runs (trigger_id, id) WHERE trigger_id IS NOT NULL;
  CREATE INDEX runs_queued ON runs (id) WHERE phase = 'queued';
  CREATE INDEX runs_leased ON runs (lease_until) WHERE lease_until IS NOT NULL;

  CREATE TABLE run_log_chunks (
    run_id text COLLATE "C" NOT NULL REFERENCES runs ON DELETE CASCADE,
    first_line integer NOT NULL,
    lines text[] NOT NULL,
    PRIMARY KEY (run_id, first_line)
  );

  -- Every key under which bytes of files are or may be stored, and when to look whether a file still refers to it.
  CREATE TABLE file_blobs (
    key text COLLATE "C" PRIMARY KEY,
    check_at timestamptz NOT NULL
  );
  CREATE INDEX file_blobs_due ON file_blobs (check_at);

  CREATE TABLE files (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    environment_id text COLLATE "C" NOT NULL,
    direction text NOT NULL CHECK (direction IN ('in', 'out')),
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
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX files_list ON files (workspace_id, id);
  CREATE INDEX files_by_environment ON files (environment_id, id);
  CREATE INDEX files_by_person ON files (workspace_id, created_by_user_id, id) WHERE created_by_user_id IS NOT NULL;
  CREATE INDEX files_by_run ON files (run_id, id) WHERE run_id IS NOT NULL;
  CREATE INDEX files_by_blob ON files (blob_key);
  CREATE INDEX files_expiry ON files (expires_at);
`;

const RECORDS = `
  CREATE TABLE audit_events (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL CHECK (actor_type IN ('user', 'staff', 'system', 'api_key')),
    actor_user_id text COLLATE "C",
    credential_type text,
    credential_name text,
    target_type text,
    target_id text COLLATE "C",
    details jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX audit_events_list ON audit_events (workspace_id, id);

  CREATE TABLE events (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    environment_id text COLLATE "C",
    type text NOT NULL,
    data jsonb NOT NULL,
    caused_by_run_id text COLLATE "C",
    created_at timestamptz NOT NULL DEFAULT now(),
    dispatched_at timestamptz
  );
  CREATE INDEX events_undispatched ON events (id) WHERE dispatched_at IS NULL;
  CREATE INDEX events_list ON events (workspace_id, id);
`;

const MACHINERY = `
  CREATE TABLE instances (
    id text COLLATE "C" PRIMARY KEY,
    role text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE idempotency_keys (
    credential_id text COLLATE "C" NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    state text NOT NULL CHECK (state IN ('started', 'committed', 'answered')),
    instance_id text COLLATE "C" NOT NULL,
    resource_kind text,
    resource_id text COLLATE "C",
    status integer,
    headers jsonb,
    body bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (credential_id, key)
  );
  CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

  CREATE UNLOGGED TABLE rate_buckets (
    key text COLLATE "C" PRIMARY KEY,
    tokens double precision NOT NULL,
    granted double precision NOT NULL,
    updated_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX rate_buckets_age ON rate_buckets (updated_at);
`;
