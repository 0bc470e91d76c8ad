import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATES = ['started', 'committed', 'responded'].map((state) => `'${state}'`).join(', ');

/** Databases of early versions call an idempotency key `answered` whose response is stored. */
export class RespondedKeys1795352400000 implements MigrationInterface {
  name = 'RespondedKeys1795352400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_state_check"');
    await runner.query(`UPDATE "idempotency_keys" SET "state" = 'responded' WHERE "state" = 'answered'`);
    await runner.query(
      `ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_state_check" CHECK ("state" IN (${STATES}))`,
    );
  }

  /** Both words are for the same, and the newer one is the foundation's. */
  async down(): Promise<void> {}
}
