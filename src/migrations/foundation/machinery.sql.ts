/** What the service needs for itself. */
export const MACHINERY = `
  CREATE TABLE events (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    environment_id text COLLATE "C",
    type text NOT NULL,
    data jsonb NOT NULL,
    caused_by_run_id text COLLATE "C",
    created_at timestamptz NOT NULL DEFAULT now(),
    dispatched_at timestamptz,
    dispatch_after timestamptz,
    chain_runs integer NOT NULL DEFAULT 0
  );
  CREATE INDEX events_list ON events (workspace_id, id);
  CREATE INDEX events_undispatched ON events (id) WHERE dispatched_at IS NULL;

  CREATE TABLE mails (
    id text COLLATE "C" PRIMARY KEY,
    message bytea NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX mails_due ON mails (due_at);

  CREATE TABLE instances (
    id text COLLATE "C" PRIMARY KEY,
    role text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    runtime text
  );

  CREATE TABLE lease_clock (
    at timestamptz PRIMARY KEY,
    seconds double precision NOT NULL
  );

  CREATE TABLE idempotency_keys (
    credential_id text COLLATE "C" NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    state text NOT NULL,
    instance_id text COLLATE "C" NOT NULL,
    resource_kind text,
    resource_id text COLLATE "C",
    status integer,
    headers jsonb,
    body bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    holder text NOT NULL DEFAULT '',
    PRIMARY KEY (credential_id, key),
    CONSTRAINT idempotency_keys_state_check CHECK (state IN ('started', 'committed', 'responded'))
  );
  CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
  CREATE INDEX idempotency_keys_held ON idempotency_keys (instance_id) WHERE state = 'started';

  CREATE UNLOGGED TABLE rate_buckets (
    key text COLLATE "C" PRIMARY KEY,
    tokens double precision NOT NULL,
    granted double precision NOT NULL,
    updated_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX rate_buckets_age ON rate_buckets (updated_at);
`;
