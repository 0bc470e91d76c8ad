import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the runs whose next attempt is due. */
export class DueRetries1797472800000 implements MigrationInterface {
  name = 'DueRetries1797472800000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an attempt that was broken off has left is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_retrying');
    await runner.query(
      `CREATE INDEX CONCURRENTLY runs_retrying ON runs (next_attempt_at) WHERE phase = 'retrying'`,
    );
    await runner.query('ALTER TABLE runs VALIDATE CONSTRAINT runs_phase_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_retrying');
  }
}
