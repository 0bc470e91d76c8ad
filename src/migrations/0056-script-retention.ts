import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Scripts whose runs are kept for less long than others. */
export class ScriptRetention1798423900000 implements MigrationInterface {
  name = 'ScriptRetention1798423900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE scripts ADD COLUMN retention jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE scripts DROP COLUMN retention');
  }
}
