import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stands directly before a run. */
export class Causes1797991200000 implements MigrationInterface {
  name = 'Causes1797991200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE runs
        ADD COLUMN cause_type text,
        ADD COLUMN cause_id text COLLATE "C",
        ADD CONSTRAINT runs_cause_check
          CHECK (cause_type IN ('run', 'rerun', 'event', 'conversation', 'batch')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs DROP COLUMN cause_id, DROP COLUMN cause_type');
  }
}
