import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many triggers stand between a run and what somebody did: chains of them come to an end. */
export class RunChains1760000000008 implements MigrationInterface {
  name = 'RunChains1760000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs ADD COLUMN hops integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs DROP COLUMN hops');
  }
}
