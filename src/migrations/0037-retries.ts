import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions whose failed runs are tried again, and what became of each earlier attempt. */
export class Retries1797469200000 implements MigrationInterface {
  name = 'Retries1797469200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE script_versions
        ADD COLUMN retry jsonb,
        ADD COLUMN idempotent boolean NOT NULL DEFAULT false;
      ALTER TABLE runs
        ADD COLUMN retry jsonb,
        ADD COLUMN attempt integer NOT NULL DEFAULT 1,
        ADD COLUMN next_attempt_at timestamptz,
        DROP CONSTRAINT runs_phase_check,
        ADD CONSTRAINT runs_phase_check
          CHECK (phase IN ('held', 'queued', 'starting', 'executing', 'retrying', 'finished')) NOT VALID;
      CREATE TABLE run_attempts (
        run_id text COLLATE "C" NOT NULL,
        attempt integer NOT NULL,
        error text,
        started_at timestamptz,
        finished_at timestamptz NOT NULL DEFAULT now(),
        duration_ms integer,
        network json NOT NULL DEFAULT '[]',
        log_lines integer NOT NULL,
        CONSTRAINT run_attempts_pkey PRIMARY KEY (run_id, attempt),
        CONSTRAINT run_attempts_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE run_attempts;
      UPDATE runs SET phase = 'queued' WHERE phase = 'retrying';
      ALTER TABLE runs
        DROP CONSTRAINT runs_phase_check,
        ADD CONSTRAINT runs_phase_check CHECK (phase IN ('held', 'queued', 'starting', 'executing', 'finished')),
        DROP COLUMN next_attempt_at, DROP COLUMN attempt, DROP COLUMN retry;
      ALTER TABLE script_versions DROP COLUMN idempotent, DROP COLUMN retry`);
  }
}
