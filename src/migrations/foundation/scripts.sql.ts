export const INPUT_SCHEMA_BYTES = 'octet_length(input_schema::text)';
export const OTHER_BYTES =
  'octet_length(command) + coalesce(octet_length(build), 0) + coalesce(octet_length(build_log), 0) + coalesce(octet_length(output_schema::text), 0) + octet_length(secrets::text) + 256 * cardinality(hosts) + 64 * cardinality(env)';

/** Scripts, their versions and what those install. */
export const SCRIPTS = `
  CREATE TABLE scripts (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    slug text NOT NULL,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'draft',
    owner_user_id text COLLATE "C" REFERENCES users,
    published_version integer,
    access text NOT NULL DEFAULT 'workspace',
    team_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
    approval_policy text NOT NULL DEFAULT 'none',
    tags text[] NOT NULL DEFAULT '{}',
    last_version integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT scripts_access_check CHECK (access IN ('workspace', 'teams')),
    CONSTRAINT scripts_approval_policy_check CHECK (approval_policy IN ('none', 'agents', 'always')),
    CONSTRAINT scripts_slug_key UNIQUE (workspace_id, slug),
    CONSTRAINT scripts_status_check CHECK (status IN ('draft', 'published', 'archived'))
  );
  CREATE INDEX scripts_by_status ON scripts (workspace_id, status, id);
  CREATE INDEX scripts_by_tag ON scripts USING gin (tags);
  CREATE INDEX scripts_by_team ON scripts USING gin (team_ids) WHERE access = 'teams';
  CREATE INDEX scripts_list ON scripts (workspace_id, id);

  CREATE TABLE script_versions (
    id text COLLATE "C" PRIMARY KEY,
    script_id text COLLATE "C" NOT NULL REFERENCES scripts,
    number integer NOT NULL,
    command text NOT NULL,
    build text,
    build_log text,
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
    created_via text NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    published_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    deps_key text,
    deps_whole boolean NOT NULL DEFAULT false,
    input_schema_bytes integer NOT NULL GENERATED ALWAYS AS (${INPUT_SCHEMA_BYTES}) STORED,
    other_bytes integer NOT NULL GENERATED ALWAYS AS (${OTHER_BYTES}) STORED,
    CONSTRAINT script_versions_created_via_check CHECK (created_via IN ('cli', 'api', 'app')),
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

  CREATE TABLE builds (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    content_key text NOT NULL,
    runtime text NOT NULL,
    recipe json NOT NULL,
    archive_key text NOT NULL,
    status text NOT NULL DEFAULT 'queued',
    log text NOT NULL DEFAULT '',
    error text,
    deps_key text,
    deps_bytes integer,
    claim integer NOT NULL DEFAULT 0,
    worker_id text COLLATE "C",
    lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz,
    losses integer NOT NULL DEFAULT 0,
    CONSTRAINT builds_layer_check CHECK ((status = 'succeeded') = (deps_key IS NOT NULL)),
    CONSTRAINT builds_status_check CHECK (status IN ('queued', 'running', 'succeeded', 'failed'))
  );
  CREATE UNIQUE INDEX builds_content ON builds (workspace_id, content_key) WHERE status <> 'failed';
  CREATE INDEX builds_failed ON builds (finished_at) WHERE status = 'failed';
  CREATE INDEX builds_leases ON builds (lease_until) WHERE status = 'running';
  CREATE INDEX builds_lost ON builds (workspace_id, content_key) WHERE status = 'failed' AND losses > 0;
  CREATE INDEX builds_queue ON builds (runtime, workspace_id, id) WHERE status = 'queued';
  CREATE INDEX builds_taken ON builds (workspace_id, worker_id) WHERE status = 'running';
`;
