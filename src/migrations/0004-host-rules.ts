import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which requests the hosts of a version get; the ones that are there get any, as before. */
export class HostRules1795342800000 implements MigrationInterface {
  name = 'HostRules1795342800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "script_versions" ADD "host_rules" jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "script_versions" DROP COLUMN "host_rules"`);
  }
}
