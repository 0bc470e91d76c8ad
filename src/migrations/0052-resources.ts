import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions whose runs may use more or less than usual. */
export class Resources1798423500000 implements MigrationInterface {
  name = 'Resources1798423500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE script_versions ADD COLUMN resources jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE script_versions DROP COLUMN resources');
  }
}
