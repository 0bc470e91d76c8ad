import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With which key, token or app somebody asked for an approval. */
export class AskingCredentials1798448000000 implements MigrationInterface {
  name = 'AskingCredentials1798448000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE approval_requests ADD COLUMN credential_name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE approval_requests DROP COLUMN credential_name');
  }
}
