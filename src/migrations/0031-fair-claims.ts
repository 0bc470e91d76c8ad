import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What waits and what executes, by workspace: a claim reads the beginning of each workspace's queue. */
export class FairClaims1760000000031 implements MigrationInterface {
  name = 'FairClaims1760000000031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX runs_queued;
      CREATE INDEX runs_queue ON runs (workspace_id, id) WHERE phase = 'queued';
      CREATE INDEX runs_taken ON runs (workspace_id, worker_id) WHERE phase IN ('starting', 'executing');
      DROP INDEX builds_queue;
      CREATE INDEX builds_queue ON builds (runtime, workspace_id, id) WHERE status = 'queued';
      CREATE INDEX builds_taken ON builds (workspace_id, worker_id) WHERE status = 'running'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX builds_taken, builds_queue, runs_taken, runs_queue;
      CREATE INDEX builds_queue ON builds (id) WHERE status = 'queued';
      CREATE INDEX runs_queued ON runs (id) WHERE phase = 'queued'`);
  }
}
