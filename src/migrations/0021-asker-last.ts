import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests that whoever asked decides last. */
export class AskerLast1760000000021 implements MigrationInterface {
  name = 'AskerLast1760000000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE approval_requests ADD COLUMN asker_last boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE approval_requests DROP COLUMN asker_last');
  }
}
