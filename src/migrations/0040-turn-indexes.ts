import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  runs_delayed: `(start_at) WHERE phase = 'delayed'`,
  runs_expiring: `(expires_at) WHERE expires_at IS NOT NULL AND attempt = 1 AND phase IN ('held', 'delayed', 'waiting', 'queued')`,
  runs_keyed: `(concurrency_key, id) WHERE concurrency_key IS NOT NULL AND phase IN ('queued', 'starting', 'executing')`,
  runs_turns: `(workspace_id, rank, id) WHERE phase = 'queued'`,
  runs_waiting: `(workspace_id, concurrency_key, rank, id) WHERE phase = 'waiting'`,
};

/** Finds the runs that are due, and whose turn it is. */
export class TurnIndexes1797645600000 implements MigrationInterface {
  name = 'TurnIndexes1797645600000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, of] of Object.entries(INDEXES)) {
      // What an attempt that was broken off has left is not valid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON runs ${of}`);
    }
    // The version before finds what is queued by the new one as well: it begins alike.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_queue');
    await runner.query('ALTER TABLE runs VALIDATE CONSTRAINT runs_phase_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_queue');
    await runner.query(
      `CREATE INDEX CONCURRENTLY runs_queue ON runs (workspace_id, id) WHERE phase = 'queued'`,
    );
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
