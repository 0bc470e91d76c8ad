import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WaitingFirings1795447800000 implements MigrationInterface {
  name = 'WaitingFirings1795447800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE waiting_firings (
        id text COLLATE "C" NOT NULL,
        workspace_id text COLLATE "C" NOT NULL,
        trigger_ids text[] COLLATE "C",
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        claim integer NOT NULL DEFAULT 0,
        worker_id text COLLATE "C",
        lease_until timestamptz,
        CONSTRAINT waiting_firings_pkey PRIMARY KEY (id)
      );
      CREATE INDEX waiting_firings_queue ON waiting_firings (workspace_id, id) WHERE worker_id IS NULL;
      CREATE INDEX waiting_firings_taken ON waiting_firings (workspace_id, worker_id) WHERE worker_id IS NOT NULL;
      ALTER TABLE events ADD COLUMN chain_bytes bigint NOT NULL DEFAULT 0;
      CREATE INDEX events_waiting ON events (workspace_id, id) WHERE dispatched_at IS NULL;
      DROP INDEX events_undispatched`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX events_undispatched ON events (id) WHERE dispatched_at IS NULL;
      DROP INDEX events_waiting;
      ALTER TABLE events DROP COLUMN chain_bytes;
      DROP TABLE waiting_firings`);
  }
}
