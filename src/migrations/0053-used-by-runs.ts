import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processor time and the memory that a run has used. */
export class UsedByRuns1798423600000 implements MigrationInterface {
  name = 'UsedByRuns1798423600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs ADD COLUMN cpu_ms integer, ADD COLUMN peak_memory_bytes bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs DROP COLUMN cpu_ms, DROP COLUMN peak_memory_bytes');
  }
}
