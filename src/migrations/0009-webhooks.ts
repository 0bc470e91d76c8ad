import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where events are sent, what was sent, and how it went. */
export class Webhooks1760000000009 implements MigrationInterface {
  name = 'Webhooks1760000000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WEBHOOKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events DROP COLUMN dispatch_after;
      DROP TABLE webhook_endpoints, deleted_webhook_endpoints, webhook_deliveries, webhook_attempts`);
  }
}

const WEBHOOKS = `
  -- Set on an event that could not be dispatched, so that it is not in the way of others.
  ALTER TABLE events ADD COLUMN dispatch_after timestamptz;

  CREATE TABLE webhook_endpoints (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    environment_id text COLLATE "C" NOT NULL REFERENCES environments,
    url text NOT NULL,
    description text,
    event_types text[],
    enabled boolean NOT NULL DEFAULT true,
    sealed_secret bytea NOT NULL,
    -- After a rotation, what still signs beside the new one for a while.
    previous_sealed_secret bytea,
    previous_secret_until timestamptz,
    consecutive_failures integer NOT NULL DEFAULT 0,
    last_status integer,
    last_attempt_at timestamptz,
    created_by_user_id text COLLATE "C" REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The worker that sends to it just now: one at a time.
    worker_id text COLLATE "C",
    lease_until timestamptz
  ) WITH (fillfactor = 50);
  CREATE INDEX webhook_endpoints_list ON webhook_endpoints (workspace_id, id);
  CREATE INDEX webhook_endpoints_environment ON webhook_endpoints (environment_id, id);

  -- Endpoints whose history is still to be deleted, which may be long.
  CREATE TABLE deleted_webhook_endpoints (
    id text COLLATE "C" PRIMARY KEY,
    deleted_at timestamptz NOT NULL DEFAULT now()
  );

  -- Without foreign keys: they would double the cost of a row, and the endpoint's history is deleted by its own sweep.
  CREATE TABLE webhook_deliveries (
    id text COLLATE "C" PRIMARY KEY,
    endpoint_id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts smallint NOT NULL DEFAULT 0,
    max_attempts smallint NOT NULL DEFAULT 6,
    last_status integer,
    last_attempt_at timestamptz,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    redelivery_of text COLLATE "C",
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX webhook_deliveries_list ON webhook_deliveries (endpoint_id, id);
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, id) WHERE status = 'pending';
  -- An event goes to an endpoint once by itself, and again only where somebody asks for it.
  CREATE UNIQUE INDEX webhook_deliveries_original ON webhook_deliveries (event_id, endpoint_id)
    WHERE redelivery_of IS NULL;
  CREATE INDEX webhook_deliveries_again ON webhook_deliveries (event_id, endpoint_id) WHERE redelivery_of IS NOT NULL;

  CREATE TABLE webhook_attempts (
    delivery_id text COLLATE "C" NOT NULL,
    number smallint NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    answer text,
    attempted_at timestamptz NOT NULL,
    PRIMARY KEY (delivery_id, number)
  );
`;
