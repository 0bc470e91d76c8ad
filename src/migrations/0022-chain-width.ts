import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which event began the chain of triggers that a run belongs to, and how many runs have come of it. */
export class ChainWidth1760000000022 implements MigrationInterface {
  name = 'ChainWidth1760000000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs ADD COLUMN chain_event_id text COLLATE "C"');
    await runner.query('ALTER TABLE events ADD COLUMN chain_runs integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN chain_runs');
    await runner.query('ALTER TABLE runs DROP COLUMN chain_event_id');
  }
}
