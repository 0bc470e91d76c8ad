import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where requests came from that the audit trail tells of. */
export class AuditAddresses1798445000000 implements MigrationInterface {
  name = 'AuditAddresses1798445000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_events ADD COLUMN address text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_events DROP COLUMN address');
  }
}
