import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which request holds an idempotency key, so that what a request left behind is told from what still goes on. */
export class KeyHolders1760000000033 implements MigrationInterface {
  name = 'KeyHolders1760000000033';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE idempotency_keys ADD COLUMN holder text NOT NULL DEFAULT '';
      CREATE INDEX idempotency_keys_held ON idempotency_keys (instance_id) WHERE state = 'started'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX idempotency_keys_held; ALTER TABLE idempotency_keys DROP COLUMN holder');
  }
}
