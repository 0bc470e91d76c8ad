import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the values of a secret are; those that are there are texts. */
export class SecretKinds1795347600000 implements MigrationInterface {
  name = 'SecretKinds1795347600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "secrets" ADD "kind" text NOT NULL DEFAULT 'text'`);
    await runner.query(
      `ALTER TABLE "secrets" ADD CONSTRAINT "secrets_kind_check" CHECK ("kind" IN ('text', 'aws'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "secrets" DROP CONSTRAINT "secrets_kind_check"`);
    await runner.query(`ALTER TABLE "secrets" DROP COLUMN "kind"`);
  }
}
