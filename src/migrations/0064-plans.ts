import type { MigrationInterface, QueryRunner } from 'typeorm';

const BY_PLAN = 'runs_planned';

/** Runs that are only planned, and what they would have sent. */
export class Plans1798442000000 implements MigrationInterface {
  name = 'Plans1798442000000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was broken off has left columns, a table, or an index that is not valid.
    await runner.query(
      `ALTER TABLE runs ADD COLUMN IF NOT EXISTS plan boolean DEFAULT false NOT NULL,
        ADD COLUMN IF NOT EXISTS planned_requests integer DEFAULT 0 NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE IF NOT EXISTS run_planned_requests (
        run_id text COLLATE "C" NOT NULL,
        number integer NOT NULL,
        at timestamptz NOT NULL,
        protocol text NOT NULL,
        host text NOT NULL,
        method text NOT NULL,
        target text NOT NULL,
        headers json NOT NULL,
        body_text text,
        body_bytes integer NOT NULL,
        body_sha256 text,
        CONSTRAINT run_planned_requests_pkey PRIMARY KEY (run_id, number),
        CONSTRAINT run_planned_requests_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs (id) ON DELETE CASCADE
      )`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${BY_PLAN}`);
    await runner.query(`CREATE INDEX CONCURRENTLY ${BY_PLAN} ON runs (workspace_id, id) WHERE plan`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${BY_PLAN}`);
    await runner.query('DROP TABLE run_planned_requests');
    await runner.query('ALTER TABLE runs DROP COLUMN plan, DROP COLUMN planned_requests');
  }
}
