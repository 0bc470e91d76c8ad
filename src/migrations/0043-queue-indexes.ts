import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  runs_in_queues: `runs (workspace_id, queue, phase, rank, id)
    WHERE queue IS NOT NULL AND phase IN ('waiting', 'queued', 'starting', 'executing')`,
  scripts_by_queue: `scripts (workspace_id, queue) WHERE queue IS NOT NULL`,
};

/** Finds what is in a queue. */
export class QueueIndexes1797904800000 implements MigrationInterface {
  name = 'QueueIndexes1797904800000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, of] of Object.entries(INDEXES)) {
      // What an attempt that was broken off has left is not valid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${of}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
