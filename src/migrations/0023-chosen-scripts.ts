import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ChosenScripts1796570400000 implements MigrationInterface {
  name = 'ChosenScripts1796570400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agent_grants
        ADD COLUMN script_ids text[] COLLATE "C",
        ADD COLUMN script_tags text[]`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agent_grants DROP COLUMN script_tags, DROP COLUMN script_ids');
  }
}
