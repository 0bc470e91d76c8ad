import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A trial is a version without a number that is gone after a while. */
export class Trials1796571000000 implements MigrationInterface {
  name = 'Trials1796571000000';
  /** An index that is made while others write cannot be made within one. Each statement may be carried out again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE script_versions ALTER COLUMN number DROP NOT NULL, ADD COLUMN IF NOT EXISTS trial_until timestamptz',
    );
    // One that was broken off is of no use, and would count as there.
    await runner.query('DROP INDEX IF EXISTS script_versions_trials');
    await runner.query(
      'CREATE INDEX CONCURRENTLY script_versions_trials ON script_versions (trial_until) WHERE trial_until IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM script_versions WHERE number IS NULL;
      DROP INDEX script_versions_trials;
      ALTER TABLE script_versions DROP COLUMN trial_until, ALTER COLUMN number SET NOT NULL`);
  }
}
