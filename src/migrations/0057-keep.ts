import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions whose process may stay for further runs. */
export class Keep1798424400000 implements MigrationInterface {
  name = 'Keep1798424400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE script_versions ADD COLUMN keep jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE script_versions DROP COLUMN keep');
  }
}
