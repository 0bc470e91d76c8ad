import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions whose file exports a function that is called for each run. */
export class Handlers1798336800000 implements MigrationInterface {
  name = 'Handlers1798336800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE script_versions ADD COLUMN handler boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE script_versions DROP COLUMN handler');
  }
}
