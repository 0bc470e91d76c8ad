import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions that say that nothing of their runs is started ahead. */
export class WarmVersions1797732000000 implements MigrationInterface {
  name = 'WarmVersions1797732000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE script_versions ADD COLUMN warm boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE script_versions DROP COLUMN warm');
  }
}
