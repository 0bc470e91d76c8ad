import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = {
  environments: `runs_on text[] NOT NULL DEFAULT '{}'`,
  script_versions: `runs_on text[] NOT NULL DEFAULT '{}'`,
  instances: 'tags text[]',
  runs: 'runs_on text[], ADD COLUMN unplaceable_since timestamptz',
};

/** Which workers a run may go to. */
export class WorkerTags1798423700000 implements MigrationInterface {
  name = 'WorkerTags1798423700000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of Object.entries(TABLES)) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE runs DROP COLUMN unplaceable_since, DROP COLUMN runs_on');
    await runner.query('ALTER TABLE instances DROP COLUMN tags');
    await runner.query('ALTER TABLE script_versions DROP COLUMN runs_on');
    await runner.query('ALTER TABLE environments DROP COLUMN runs_on');
  }
}
