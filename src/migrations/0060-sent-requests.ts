import type { MigrationInterface, QueryRunner } from 'typeorm';

const FAILED = 'webhook_deliveries_failed';

/** What was sent at an attempt, as far as it is not the event's; and deliveries that failed among all those that did not. */
export class SentRequests1798424404000 implements MigrationInterface {
  name = 'SentRequests1798424404000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was broken off has left columns, or an index that is not valid.
    await runner.query(
      'ALTER TABLE webhook_attempts ADD COLUMN IF NOT EXISTS url text, ADD COLUMN IF NOT EXISTS signature text',
    );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${FAILED}`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ${FAILED} ON webhook_deliveries (endpoint_id, id) WHERE status = 'failed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${FAILED}`);
    await runner.query('ALTER TABLE webhook_attempts DROP COLUMN url, DROP COLUMN signature');
  }
}
