import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Starts that wait for further ones. */
export class Debounce1798164000000 implements MigrationInterface {
  name = 'Debounce1798164000000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was broken off may have come so far.
    await runner.query(`
      ALTER TABLE script_versions ADD COLUMN IF NOT EXISTS debounce jsonb;
      ALTER TABLE runs
        ADD COLUMN IF NOT EXISTS debounce_key text COLLATE "C",
        ADD COLUMN IF NOT EXISTS debounce_until timestamptz,
        ADD COLUMN IF NOT EXISTS debounce_starts integer`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_debounced');
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY runs_debounced ON runs (workspace_id, debounce_key)
        WHERE debounce_key IS NOT NULL AND phase = 'delayed'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_debounced');
    await runner.query(`
      ALTER TABLE runs
        DROP COLUMN IF EXISTS debounce_starts, DROP COLUMN IF EXISTS debounce_until, DROP COLUMN IF EXISTS debounce_key;
      ALTER TABLE script_versions DROP COLUMN IF EXISTS debounce`);
  }
}
