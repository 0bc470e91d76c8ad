import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many runs in a row have started one another through the API. */
export class RunsThatStartRuns1797200400000 implements MigrationInterface {
  name = 'RunsThatStartRuns1797200400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs ADD COLUMN api_hops integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs DROP COLUMN api_hops');
  }
}
