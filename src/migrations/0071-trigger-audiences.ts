import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which scripts there were for the app that made a trigger. */
export class TriggerAudiences1798449000000 implements MigrationInterface {
  name = 'TriggerAudiences1798449000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE triggers ADD COLUMN author_script_choice text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE triggers DROP COLUMN author_script_choice');
  }
}
