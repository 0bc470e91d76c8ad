import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = (all: string): string => `CHECK ("kind" IN (${all}))`;

/** Secrets that the gate signs in to PostgreSQL with. */
export class PostgresSecrets1798440000000 implements MigrationInterface {
  name = 'PostgresSecrets1798440000000';
  /** Rows are looked at beside writers, outside of the transaction that adds the check. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await replace(runner, kinds(`'text', 'aws', 'postgres'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await replace(runner, kinds(`'text', 'aws'`));
  }
}

async function replace(runner: QueryRunner, check: string): Promise<void> {
  await runner.query(
    `ALTER TABLE "secrets" DROP CONSTRAINT IF EXISTS "secrets_kind_check", ADD CONSTRAINT "secrets_kind_check" ${check} NOT VALID`,
  );
  await runner.query(`ALTER TABLE "secrets" VALIDATE CONSTRAINT "secrets_kind_check"`);
}
