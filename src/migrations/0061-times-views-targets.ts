import type { MigrationInterface, QueryRunner } from 'typeorm';

const BY_TARGET = 'audit_events_by_target';

/** When lines of logs were stored, how scripts ask for their outputs to be shown, and entries of the audit trail by what they are of. */
export class TimesViewsTargets1798424405000 implements MigrationInterface {
  name = 'TimesViewsTargets1798424405000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was broken off has left columns, or an index that is not valid.
    await runner.query('ALTER TABLE run_log_chunks ADD COLUMN IF NOT EXISTS written_at timestamptz');
    // On its own, or lines of before would have the time of the migration.
    await runner.query('ALTER TABLE run_log_chunks ALTER COLUMN written_at SET DEFAULT now()');
    await runner.query('ALTER TABLE runs ADD COLUMN IF NOT EXISTS output_view text');
    await runner.query('ALTER TABLE script_versions ADD COLUMN IF NOT EXISTS message text');
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${BY_TARGET}`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ${BY_TARGET} ON audit_events (workspace_id, target_id, id) WHERE target_type <> 'run'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${BY_TARGET}`);
    await runner.query('ALTER TABLE script_versions DROP COLUMN message');
    await runner.query('ALTER TABLE runs DROP COLUMN output_view');
    await runner.query('ALTER TABLE run_log_chunks DROP COLUMN written_at');
  }
}
