import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ScriptRevisions1795879800000 implements MigrationInterface {
  name = 'ScriptRevisions1795879800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE scripts ADD revision integer NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE scripts DROP COLUMN revision');
  }
}
