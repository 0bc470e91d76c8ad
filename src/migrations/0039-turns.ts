import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When runs begin, which go first, and how many at once. */
export class Turns1797559200000 implements MigrationInterface {
  name = 'Turns1797559200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE script_versions ADD COLUMN concurrency jsonb;
      ALTER TABLE runs
        ADD COLUMN start_at timestamptz,
        ADD COLUMN expires_at timestamptz,
        ADD COLUMN rank integer NOT NULL DEFAULT 0,
        ADD COLUMN concurrency_key text COLLATE "C",
        ADD COLUMN end_reason text,
        DROP CONSTRAINT runs_phase_check,
        ADD CONSTRAINT runs_phase_check CHECK (phase IN (
          'held', 'delayed', 'waiting', 'queued', 'starting', 'executing', 'retrying', 'finished')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE runs SET phase = 'queued' WHERE phase IN ('delayed', 'waiting');
      ALTER TABLE runs
        DROP CONSTRAINT runs_phase_check,
        ADD CONSTRAINT runs_phase_check
          CHECK (phase IN ('held', 'queued', 'starting', 'executing', 'retrying', 'finished')),
        DROP COLUMN end_reason, DROP COLUMN concurrency_key, DROP COLUMN rank, DROP COLUMN expires_at,
        DROP COLUMN start_at;
      ALTER TABLE script_versions DROP COLUMN concurrency`);
  }
}
