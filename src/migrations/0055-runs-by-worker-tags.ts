import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  runs_tagged: `runs (workspace_id, rank, id) WHERE phase = 'queued' AND runs_on IS NOT NULL`,
  runs_untagged: `runs (workspace_id, rank, id) WHERE phase = 'queued' AND runs_on IS NULL`,
};

/** Lets a worker without tags look at nothing that waits for others. */
export class RunsByWorkerTags1798423800000 implements MigrationInterface {
  name = 'RunsByWorkerTags1798423800000';
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
