import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What takes a look at all runs, which go on meanwhile. */
export class RunsOfHooks1797465600000 implements MigrationInterface {
  name = 'RunsOfHooks1797465600000';
  /** An index that is made while others write cannot be made within one. Each statement may be carried out again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs VALIDATE CONSTRAINT runs_interface_check');
    // One that was broken off is of no use, and would count as there.
    await runner.query('DROP INDEX IF EXISTS runs_by_hook');
    await runner.query(
      'CREATE INDEX CONCURRENTLY runs_by_hook ON runs (hook_id, id) WHERE hook_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX runs_by_hook');
  }
}
