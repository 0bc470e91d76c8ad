import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds what something caused. */
export class RunsByCause1798077600000 implements MigrationInterface {
  name = 'RunsByCause1798077600000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an attempt that was broken off has left is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_by_cause');
    await runner.query(
      'CREATE INDEX CONCURRENTLY runs_by_cause ON runs (cause_id, id) WHERE cause_id IS NOT NULL',
    );
    await runner.query('ALTER TABLE runs VALIDATE CONSTRAINT runs_cause_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_by_cause');
  }
}
