import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'approval_requests_compared';
const FORMER = 'approval_requests_of_script';

/** What requests of scripts are compared by with those that were approved before, where their script was enough until now. */
export class ComparedRequests1798446000000 implements MigrationInterface {
  name = 'ComparedRequests1798446000000';
  /** The index is built beside writers, which no transaction can. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was broken off has left the column, or an index that is not valid.
    await runner.query('ALTER TABLE approval_requests ADD COLUMN IF NOT EXISTS compared_by text');
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ${INDEX} ON approval_requests (compared_by, status, id) WHERE compared_by IS NOT NULL`,
    );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${FORMER}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX CONCURRENTLY ${FORMER} ON approval_requests (status, workspace_id, script_id, id) WHERE action = 'request.send'`,
    );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`);
    await runner.query('ALTER TABLE approval_requests DROP COLUMN compared_by');
  }
}
