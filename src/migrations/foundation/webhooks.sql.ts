/** Endpoints and deliveries. */
export const WEBHOOKS = `
  CREATE TABLE webhook_endpoints (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    environment_id text COLLATE "C" NOT NULL REFERENCES environments,
    url text NOT NULL,
    description text,
    event_types text[],
    enabled boolean NOT NULL DEFAULT true,
    sealed_secret bytea NOT NULL,
    consecutive_failures integer NOT NULL DEFAULT 0,
    last_status integer,
    last_attempt_at timestamptz,
    created_by_user_id text COLLATE "C" REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    worker_id text COLLATE "C",
    lease_until timestamptz
  ) WITH (fillfactor = 50);
  CREATE INDEX webhook_endpoints_environment ON webhook_endpoints (environment_id, id);
  CREATE INDEX webhook_endpoints_list ON webhook_endpoints (workspace_id, id);

  CREATE TABLE webhook_earlier_secrets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
    sealed_secret bytea NOT NULL,
    signs_until timestamptz NOT NULL
  );
  CREATE INDEX webhook_earlier_secrets_endpoint ON webhook_earlier_secrets (endpoint_id, id);

  CREATE TABLE deleted_webhook_endpoints (
    id text COLLATE "C" PRIMARY KEY,
    deleted_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE webhook_deliveries (
    id text COLLATE "C" PRIMARY KEY,
    endpoint_id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL DEFAULT 'pending',
    attempts smallint NOT NULL DEFAULT 0,
    max_attempts smallint NOT NULL DEFAULT 6,
    last_status integer,
    last_attempt_at timestamptz,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    redelivery_of text COLLATE "C",
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed'))
  );
  CREATE INDEX webhook_deliveries_again ON webhook_deliveries (event_id, endpoint_id) WHERE redelivery_of IS NOT NULL;
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, id)
    WHERE status = 'pending';
  CREATE INDEX webhook_deliveries_list ON webhook_deliveries (endpoint_id, id);
  CREATE UNIQUE INDEX webhook_deliveries_original ON webhook_deliveries (event_id, endpoint_id)
    WHERE redelivery_of IS NULL;

  CREATE TABLE webhook_attempts (
    delivery_id text COLLATE "C" NOT NULL,
    number smallint NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    response text,
    attempted_at timestamptz NOT NULL,
    PRIMARY KEY (delivery_id, number)
  );
`;
