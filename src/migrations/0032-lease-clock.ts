import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When leases could be renewed, and how often the worker of a build was lost. */
export class LeaseClock1760000000032 implements MigrationInterface {
  name = 'LeaseClock1760000000032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- \`seconds\` counts up while some process reaches the database.
      CREATE TABLE lease_clock (
        at timestamptz PRIMARY KEY,
        seconds double precision NOT NULL
      );
      ALTER TABLE builds ADD COLUMN losses integer NOT NULL DEFAULT 0;
      CREATE INDEX builds_lost ON builds (workspace_id, content_key) WHERE status = 'failed' AND losses > 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX builds_lost;
      ALTER TABLE builds DROP COLUMN losses;
      DROP TABLE lease_clock`);
  }
}
