import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests of scripts that people are asked about: by their run, and the last one of a script. */
export class AskedRequests1798441000000 implements MigrationInterface {
  name = 'AskedRequests1798441000000';
  /** Indexes are built beside writers, which no transaction can. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(
      `CREATE INDEX CONCURRENTLY "approval_requests_of_run" ON "approval_requests" ("run_id") WHERE action = 'request.send'`,
    );
    await runner.query(
      `CREATE INDEX CONCURRENTLY "approval_requests_of_script" ON "approval_requests" ("status", "workspace_id", "script_id", "id") WHERE action = 'request.send'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "approval_requests_of_script"`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "approval_requests_of_run"`);
  }
}
