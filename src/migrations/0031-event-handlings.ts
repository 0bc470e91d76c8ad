import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that handlers of extensions are called for, and where in a chain an event is that a handler told of. */
export class EventHandlings1797116400000 implements MigrationInterface {
  name = 'EventHandlings1797116400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_handlings (
        id text COLLATE "C" NOT NULL,
        workspace_id text COLLATE "C" NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        claim integer NOT NULL DEFAULT 0,
        worker_id text COLLATE "C",
        lease_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        handler text NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        set_aside_at timestamptz,
        CONSTRAINT event_handlings_pkey PRIMARY KEY (id),
        CONSTRAINT event_handlings_once UNIQUE (event_id, handler)
      );
      CREATE INDEX event_handlings_queue ON event_handlings (handler, workspace_id, id)
        WHERE worker_id IS NULL AND set_aside_at IS NULL;
      CREATE INDEX event_handlings_taken ON event_handlings (handler, workspace_id, worker_id) WHERE worker_id IS NOT NULL;
      CREATE INDEX event_handlings_set_aside ON event_handlings (handler) WHERE set_aside_at IS NOT NULL;
      CREATE INDEX event_handlings_created ON event_handlings (created_at);
      ALTER TABLE events
        ADD COLUMN hops integer NOT NULL DEFAULT 0,
        ADD COLUMN chain_event_id text COLLATE "C",
        ADD COLUMN chain_calls integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events DROP COLUMN chain_calls, DROP COLUMN chain_event_id, DROP COLUMN hops;
      DROP TABLE event_handlings`);
  }
}
